/*
 * The file holds numbers separated by white space; '#' begins a comment. The first record is N, the
 * radius and the box; then each particle is a record. A record may be spread over several lines,
 * but each begins on a new line. So where there is a number too many or too few, the message names
 * the record that has the fault. For the same reason a particle's optional columns stand on one
 * line with its other columns.
 *
 * Most files have one plain line after the other: four decimal numbers and nothing else. Those are
 * read many at a time, on all cores, where they stand in the block. The first particle, and what is
 * not plain, is read word by word, by the functions that form the messages.
 *
 * As long as every particle has the default radius, mass and species, the system has no table of
 * kinds, and a plain file costs no time for it. The first particle that differs begins the table.
 */
#include "input/input.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/number.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/overlap.h"
#include "model/physics.h"
#include "model/region.h"
#include "model/system.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum {
    COLUMNS = 4,                 /* of each particle: x y u v */
    MAX_COLUMNS = INPUT_COLUMNS, /* with the optional ones: radius mass species spin */
    SPECIES = MAX_COLUMNS - 2,
    SPIN /* of rough disks */
};

static const char *const columns[MAX_COLUMNS] = {
    "x",
    "y",
    "u",
    "v",
    "the radius",
    "the mass",
    "the species, a whole number from 0 to 2147483647,",
    "the spin"};

struct input {
    const struct input_request *request;
    const struct input_source *rows; /* NULL: there is a text; then there is a name, and lines */
    const char *name;                /* for messages */
    struct text_reader *reader;      /* owned */
    enum text_piece piece;           /* the last one taken, */
    const char *why;                 /* and why it is not what it should be, if that is known */
    struct system *system;
    struct thread_pool *pool;  /* or NULL: one thread reads */
    struct input_lines *parts; /* of a block, one for each thread; owned */
    size_t capacity;           /* how many particles there is memory for */
    size_t *lines;             /* for each particle read, the line on which it begins; owned */
    size_t on_first;           /* of x y u v of the last particle, how many are on its first line */
    struct system_kinds kinds;
    struct polygon_source source;
    const unsigned char *changes; /* CHANGE_ of particles; NULL: all are to be checked */
    struct error *error;
};

/* Fails with a message that says what was expected, and what the last piece is instead. */
static enum status unexpected(struct input *input, const char *expected)
{
    char word[TEXT_SHOWN_SIZE];
    text_show(input->reader, word);
    if (input->piece == TEXT_WORD || input->piece == TEXT_TOO_LONG_WORD)
        return text_refuse(input->error, input->name, input->reader->line,
                           "expected %s, found %s%s%s", expected, word,
                           input->why ? ", which " : "", input->why ? input->why : "");
    return text_refuse(input->error, input->name, input->reader->line,
                       "expected %s, found the end of the %s", expected,
                       input->piece == TEXT_END ? "file" : "line");
}

/* Puts the line of the last piece before the message of a failure. */
static enum status at_line(const struct input *input, enum status status)
{
    return error_locate(input->error, status, input->name, input->reader->line);
}

static void take_piece(struct input *input, int stop_at_line_end)
{
    input->piece = text_next(input->reader, stop_at_line_end);
    input->why = NULL;
}

/* Reads the last piece as a number. Returns 0 if it is none. */
static int is_number(struct input *input, double *value)
{
    if (input->piece == TEXT_TOO_LONG_WORD)
        input->why = "is too long";
    else if (input->piece == TEXT_WORD)
        input->why = text_number(input->reader->word, value);
    return input->piece == TEXT_WORD && !input->why;
}

/* Reads the next word, on this line or a later one, as a number. */
static enum status input_read_number(struct input *input, const char *expected, double *value)
{
    take_piece(input, 0);
    return is_number(input, value) ? STATUS_DONE : unexpected(input, expected);
}

static enum status read_count(struct input *input)
{
    uint64_t count = 0;
    take_piece(input, 0);
    if (input->piece == TEXT_WORD)
        input->why = text_whole_number(input->reader->word, &count);
    if (!input->why && count > SYSTEM_MAX_COUNT)
        input->why = "is too large: the most is 268435456";
    if (count < 1 || input->why)
        return unexpected(input, "the number of particles, a whole number of at least 1");
    input->system->count = (size_t)count;
    return at_line(input, schedule_check(input->request->schedule, count, input->error));
}

static enum status read_radius_and_box(struct input *input)
{
    struct system *system = input->system;
    enum status status = input_read_number(input, "the radius", &system->radius);
    system->radius += 0.0; /* there is no -0: it would be printed at a wall */
    const struct particle_kind plain = {system->radius, 1, 0};
    if (status || (status = at_line(input, system_check_kind(&plain, input->error))) ||
        (status = input_read_number(input, "the box's width Lx", &system->boundary.width)) ||
        (status = input_read_number(input, "the box's height Ly", &system->boundary.height)) ||
        (status = at_line(input, system_check_box(&system->boundary, input->error))))
        return status;
    take_piece(input, 1);
    return input->piece == TEXT_LINE_END || input->piece == TEXT_END
               ? STATUS_DONE
               : unexpected(input, "the end of the line after the box's width and height");
}

/* Ends the threads, which frees memory for one. Returns 0 if there are none. */
static int stop_threads(struct input *input)
{
    const int has_stopped = input->pool != NULL;
    if (input->reader)
        text_reader_share(input->reader, NULL);
    thread_pool_free(input->pool);
    input->pool = NULL;
    return has_stopped;
}

static enum status allocate_particles(struct input *input, size_t capacity)
{
    const char *what = "the line numbers";
    size_t *lines = memory_allocate_lines(capacity, sizeof *lines, what, input->error);
    if (!lines)
        return STATUS_NO_MEMORY;
    if (input->lines)
        memcpy(lines, input->lines, input->capacity * sizeof *lines);
    memory_free(input->lines);
    input->lines = lines;
    return system_allocate(input->system, input->capacity, capacity, input->error);
}

/* Makes room for particle `index`: at first for some, for a file may be a hole; then for all that
 * the file can have, or four times as much as before; but for N particles at most. */
static enum status make_room(struct input *input, size_t index)
{
    enum { FIRST_CAPACITY = 1 << 16, SHORTEST_LINE = 2 * COLUMNS };
    size_t capacity = input->capacity == 0 ? FIRST_CAPACITY : 4 * input->capacity;
    if (index < input->capacity)
        return STATUS_DONE;
    const size_t left = input->capacity + text_reader_left(input->reader) / SHORTEST_LINE;
    if (input->capacity == FIRST_CAPACITY && left > capacity)
        capacity = left;
    if (capacity > input->system->count)
        capacity = input->system->count;
    enum status status = allocate_particles(input, capacity);
    if (status && stop_threads(input))
        status = allocate_particles(input, capacity);
    if (!status)
        input->capacity = capacity;
    return status;
}

/*
 * Fails because the last piece is where column `column` of a particle should be or, after the last
 * column, where its record should end. If it follows the four of a particle that is spread over
 * several lines, the first of these ends too early, it seems, and the message is about that line.
 */
static enum status unexpected_in_particle(struct input *input, size_t index, size_t column)
{
    char expected[128];
    char word[TEXT_SHOWN_SIZE];
    const size_t first_line = input->lines[index];
    const size_t line = input->reader->line;
    int is_word = input->piece == TEXT_WORD || input->piece == TEXT_TOO_LONG_WORD;
    text_show(input->reader, word);
    if (is_word && column == COLUMNS && line != first_line)
        return text_refuse(input->error, input->name, first_line,
                           "expected %s of particle %zu (%zu of %zu), found the end of the line, "
                           "and %s after what is missing on line %zu",
                           columns[input->on_first], index, index + 1, input->system->count, word,
                           line);
    const int is_rough = input->system->boundary.surfaces.are_rough;
    if (column < (is_rough ? MAX_COLUMNS : SPIN))
        snprintf(expected, sizeof expected, "%s of particle %zu (%zu of %zu)", columns[column],
                 index, index + 1, input->system->count);
    else
        snprintf(expected, sizeof expected,
                 "the end of the line after x y u v radius mass species%s of particle %zu, which "
                 "begins on line %zu",
                 is_rough ? " spin" : "", index, first_line);
    return unexpected(input, expected);
}

/* Reads the last piece as a column. Returns 0 if it is none, or after the last column. */
static int is_column(struct input *input, size_t column, double *value)
{
    uint64_t species = 0;
    if (column == SPIN && !input->system->boundary.surfaces.are_rough && is_number(input, value))
        return input->why = "would be a spin, and that needs --roughness", 0;
    if (column != SPECIES)
        return column < MAX_COLUMNS && is_number(input, value);
    if (input->piece == TEXT_WORD)
        input->why = text_whole_number(input->reader->word, &species);
    if (!input->why && species > INT32_MAX)
        input->why = "is too large";
    *value = (double)species;
    return input->piece == TEXT_WORD && !input->why;
}

/* Reads the columns of a particle; the optional ones stand on the line with its last other one. */
static enum status read_columns(struct input *input, size_t index, double values[MAX_COLUMNS])
{
    for (size_t column = 0;; column++) {
        const size_t line = input->reader->line;
        take_piece(input, column >= COLUMNS);
        const int is_end = input->piece == TEXT_LINE_END || input->piece == TEXT_END;
        if (is_end && column >= COLUMNS)
            return STATUS_DONE;
        if (is_end && column > 0)
            input->reader->line = line; /* of the number before */
        if (column == 0)
            input->lines[index] = input->reader->line;
        const int is_first_line = input->reader->line == input->lines[index];
        if ((column == COLUMNS && !is_first_line) || !is_column(input, column, &values[column]))
            return unexpected_in_particle(input, index, column);
        if (column < COLUMNS && is_first_line)
            input->on_first = column + 1;
    }
}

/* Sets the kind of a particle. The first one that is not of the default kind begins the table; if
 * there are particles before it, the default kind becomes kind 0, the number that they have. */
static enum status set_kind(struct input *input, size_t index, const struct particle_kind *kind)
{
    struct system *system = input->system;
    const struct particle_kind plain = {system->radius, 1, 0};
    uint32_t *number = &system->particles[index].kind;
    if (!system->kinds && kind->radius == plain.radius && kind->mass == plain.mass &&
        kind->species == 0)
        return STATUS_DONE;
    if (!system->kinds && index > 0 &&
        system_kinds_find(&input->kinds, system, &plain, number, input->error))
        return STATUS_NO_MEMORY;
    return system_kinds_find(&input->kinds, system, kind, number, input->error);
}

/* Sets position and velocity of a particle, after its kind. On a periodic axis, L becomes 0. */
static enum status place_particle(struct system *system, size_t index, const double values[COLUMNS],
                                  struct error *error)
{
    struct particle *particle = &system->particles[index];
    particle->x = values[0];
    particle->y = values[1];
    particle->u = values[2];
    particle->v = values[3];
    enum status status = system_check_particle(system, index, error);
    if (system->boundary.periodic)
        boundary_clamp(&system->boundary, system_radius(system, particle), &particle->x,
                       &particle->y);
    return status;
}

static enum status check_spin(const struct system *system, size_t index, struct error *error)
{
    const double rim = fabs(system_rim(system, index));
    if (!(rim <= SYSTEM_LARGEST))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %zu spins too fast: its rim has the speed %g, and that must not "
                         "exceed %g",
                         index, rim, SYSTEM_LARGEST);
    return STATUS_DONE;
}

static enum status set_particle(struct input *input, size_t index, const double values[MAX_COLUMNS])
{
    const struct particle_kind kind = {values[COLUMNS] + 0.0, /* there is no -0 */
                                       values[COLUMNS + 1], (int32_t)values[SPECIES]};
    system_begin(input->system, index, index + 1);
    enum status status = system_check_kind(&kind, input->error);
    if (status && !input->lines)
        error_append(input->error, " (particle %zu)", index);
    if (!status)
        status = set_kind(input, index, &kind);
    if (!status)
        status = place_particle(input->system, index, values, input->error);
    if (!status && input->system->spins) {
        input->system->spins[index] = values[SPIN] + 0.0;
        status = check_spin(input->system, index, input->error);
    } else if (!status && values[SPIN] != 0) {
        status = error_set(input->error, STATUS_BAD_DATA,
                           "particle %zu has a spin, and that needs --roughness", index);
    }
    return status;
}

static enum status read_particle(struct input *input, size_t index)
{
    double values[MAX_COLUMNS] = {0, 0, 0, 0, input->system->radius, 1, 0, 0};
    enum status status = make_room(input, index);
    if (!status)
        status = read_columns(input, index, values);
    return status ? status : at_line(input, set_particle(input, index, values));
}

/* Whole lines of the block, and the particles that they are to become. */
struct input_lines {
    const struct input *input; /* has memory for the particles; none is of a kind */
    const char *begin;         /* the first line that has not been read, */
    const char *end;           /* and the end of the last one, after its line end */
    size_t index;              /* the particle of the next line */
    size_t most;               /* how many particles may still be read */
    size_t offset;             /* the number of a line less the index of its particle */
};

static inline int is_blank(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r' && character != '\n');
}

/* Reads a line. Returns the next one, or NULL if this one is not plain. */
static inline const char *read_line(const char *line, double values[COLUMNS])
{
    const char *text = line;
    for (int column = 0; column < COLUMNS; column++) {
        while (is_blank(*text))
            text++;
        text = number_read(text, &values[column]);
        if (!text || !(is_blank(*text) || *text == '\n'))
            return NULL;
    }
    while (is_blank(*text))
        text++;
    /* No word in it is too long for text_next. */
    return *text == '\n' && text - line < TEXT_WORD_SIZE ? text + 1 : NULL;
}

/* Reads a part of lines up to the first that is not plain, or whose particle is not valid. */
static void read_lines(void *parts, unsigned number)
{
    struct input_lines *lines = (struct input_lines *)parts + number;
    struct error error; /* read_particle finds it again */
    struct input_lines left = *lines;
    struct system *system = left.input->system;
    while (left.most > 0 && left.begin < left.end) {
        double values[COLUMNS];
        const char *next = read_line(left.begin, values);
        if (!next)
            break;
        system_begin(system, left.index, left.index + 1);
        if (place_particle(system, left.index, values, &error))
            break;
        left.input->lines[left.index] = left.index + left.offset;
        left.index++;
        left.most--;
        left.begin = next;
    }
    *lines = left;
}

/* Cuts the text into parts of equal length. */
static void cut_lines(const struct input_lines *lines, struct input_lines *parts, unsigned count)
{
    const size_t share = (size_t)(lines->end - lines->begin) / count;
    struct input_lines left = *lines;
    for (unsigned k = 0; k < count; k++) {
        const size_t bytes = (size_t)(left.end - left.begin);
        parts[k] = left;
        if (k + 1 < count && bytes > share)
            parts[k].end = (const char *)memchr(left.begin + share, '\n', bytes - share) + 1;
        left.begin = parts[k].end;
    }
}

/* Task: counts the lines of a part, `most`. */
static void count_lines(void *parts, unsigned number)
{
    struct input_lines *lines = (struct input_lines *)parts + number;
    size_t count = 0;
    for (const char *c = lines->begin; c < lines->end; c++)
        count += *c == '\n';
    lines->most = count;
}

/* Reads lines on all threads. What follows a line that is not plain is to be read again, for that
 * line may be a comment, and then the particles after it have other numbers. */
static void read_lines_shared(struct input_lines *lines, struct thread_pool *pool)
{
    struct input_lines *parts = lines->input->parts;
    const unsigned count = thread_pool_count(pool);
    cut_lines(lines, parts, count);
    thread_pool_run(pool, count_lines, parts);
    for (unsigned k = 0; k < count; k++) { /* now it is known which are their particles */
        parts[k].index = lines->index;
        parts[k].most = parts[k].most < lines->most ? parts[k].most : lines->most;
        lines->index += parts[k].most;
        lines->most -= parts[k].most;
    }
    thread_pool_run(pool, read_lines, parts);
    for (unsigned k = 0; k < count; k++) {
        *lines = parts[k];
        if (lines->most > 0 || lines->begin < lines->end)
            break;
    }
}

/* Reads the plain lines that come next in the block, for particles from `index` on. Returns how
 * many there are. If a block is not plain, several threads read it only once. */
static size_t read_plain_lines(struct input *input, size_t index)
{
    struct text_reader *reader = input->reader;
    struct input_lines lines = {.input = input,
                                .index = index,
                                .most = input->capacity - index,
                                .offset = reader->line + 1 - index};
    lines.end = text_lines(reader, &lines.begin);
    if (!lines.end || input->system->kinds)
        return 0;
    if (input->pool && reader->is_new_block &&
        (size_t)(lines.end - lines.begin) >=
            reader->block_size / 2 / thread_pool_count(input->pool))
        read_lines_shared(&lines, input->pool);
    else
        read_lines(&lines, 0);
    reader->is_new_block = 0;
    if (lines.index > index)
        text_take_lines(reader, lines.begin, lines.index - index);
    return lines.index - index;
}

static enum status read_particles(struct input *input)
{
    enum status status = STATUS_DONE;
    size_t index = 0;
    while (!status && index < input->system->count) {
        status = read_particle(input, index++);
        if (!status)
            index += read_plain_lines(input, index);
    }
    if (status)
        return status;
    take_piece(input, 0);
    return input->piece == TEXT_END
               ? STATUS_DONE
               : unexpected(input, "the end of the file after the last particle");
}

/* Where a particle stands, in parentheses; "" if that is not in a file. */
static struct error_number show_line(const struct input *input, size_t index)
{
    struct error_number shown = {""};
    if (input->lines)
        snprintf(shown.text, sizeof shown.text, " (line %zu)", input->lines[index]);
    return shown;
}

/* Puts the line of a particle before the message, if it stands in a file. */
static enum status at_particle(const struct input *input, size_t index, enum status status)
{
    return input->lines ? error_locate(input->error, status, input->name, input->lines[index])
                        : status;
}

static enum status refuse_overlap(struct input *input)
{
    struct overlap overlap;
    const struct system *system = input->system;
    enum status status = input->changes
                             ? overlap_find_moved(system, input->changes, &overlap, input->error)
                             : overlap_find(system, input->pool, &overlap, input->error);
    if (stop_threads(input) && status)
        status = overlap_find(system, NULL, &overlap, input->error);
    if (status || !overlap.found)
        return status;
    const struct particle *a = &system->particles[overlap.first];
    const struct particle *b = &system->particles[overlap.second];
    int is_equal = system_radius(system, a) == system_radius(system, b);
    status = error_set(input->error, STATUS_BAD_DATA,
                       "particle %zu overlaps particle %zu%s: their centres are %s apart, less "
                       "than %s, %s",
                       overlap.second, overlap.first, show_line(input, overlap.first).text,
                       show_exactly(overlap.distance).text,
                       is_equal ? "their diameter" : "the sum of their radii",
                       show_exactly(system_contact(system, a, b)).text);
    return at_particle(input, overlap.second, status);
}

/* Particles of different masses cannot switch velocities. */
static enum status refuse_masses(struct input *input)
{
    const struct system *system = input->system;
    double mass = system_mass(system, &system->particles[0]);
    if (system->law.rule != RULE_SWAP || system->kind_count <= 1)
        return STATUS_DONE;
    for (size_t k = 1; k < system->count; k++) {
        double other = system_mass(system, &system->particles[k]);
        if (other != mass)
            return at_particle(
                input, k,
                error_set(input->error, STATUS_BAD_DATA,
                          "particle %zu has mass %s, and particle 0%s has %s: to switch velocities "
                          "would not conserve momentum; use --rule=elastic",
                          k, show_exactly(other).text, show_line(input, 0).text,
                          show_exactly(mass).text));
    }
    return STATUS_DONE;
}

/* Points have no surface. */
static enum status refuse_points(struct input *input)
{
    const struct system *system = input->system;
    for (size_t k = 0; k < system->count && system->boundary.surfaces.are_rough; k++)
        if (system_radius(system, &system->particles[k]) == 0)
            return at_particle(input, k,
                               error_set(input->error, STATUS_BAD_DATA,
                                         "particle %zu is a point, of radius 0, and cannot turn: "
                                         "--roughness is for disks",
                                         k));
    return STATUS_DONE;
}

static enum status input_read_polygons(struct input *input)
{
    const struct input_request *request = input->request;
    struct boundary *boundary = &input->system->boundary;
    enum status status;
    if (request->polygons &&
        ((status = polygon_files_read(request->polygons, &input->source, input->error)) ||
         (status = polygon_source_fit(&input->source, boundary, input->error))))
        return status;
    return request->walls && request->walls->count > 0
               ? wall_settings_apply(request->walls, input->source.polygons, boundary, input->error)
               : STATUS_DONE;
}

static enum status input_refuse_position(struct input *input)
{
    struct region_fault fault;
    const struct system *system = input->system;
    struct system checked = *system;
    if (input->request->may_overlap) /* only centres count */
        checked.radius = 0, checked.kinds = NULL;
    enum status status = region_check(&checked, &fault, input->error);
    if (status || fault.kind == REGION_FREE)
        return status;
    const struct polygon_origin origin =
        polygon_source_find(&input->source, system->boundary.polygons, fault.side);
    const struct particle *p = &system->particles[fault.particle];
    if (fault.kind == REGION_OUTSIDE)
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu is outside the domain, the polygons in %.4100s", fault.particle,
                  polygon_files_domain(input->request->polygons));
    else if (fault.kind == REGION_INSIDE)
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu is inside an obstacle, polygon %zu of %.4100s (from line %zu on)",
                  fault.particle, origin.polygon, origin.name, origin.line);
    else
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu overlaps side %zu of polygon %zu of %.4100s (line %zu): its centre "
                  "is %s away, less than its radius, %s",
                  fault.particle, origin.side, origin.polygon, origin.name, origin.line,
                  show_exactly(fault.distance).text, show_exactly(system_radius(system, p)).text);
    return at_particle(input, fault.particle, STATUS_BAD_DATA);
}

/* Starts threads for a large file; without memory for them, one does it. */
static void start_threads(struct input *input)
{
    struct error error;
    const unsigned count = schedule_choose_threads(&input->request->threads, input->system->count);
    if (count > 1)
        input->parts = memory_allocate(count, sizeof *input->parts, "the lines of INPUT", &error);
    if (input->parts)
        input->pool = thread_pool_create(count);
    if (input->reader)
        text_reader_share(input->reader, input->pool);
}

static enum status take_head(struct input *input)
{
    const struct input_source *source = input->rows;
    struct system *system = input->system;
    if (source->count < 1 || source->count > SYSTEM_MAX_COUNT)
        return error_set(input->error, STATUS_BAD_DATA,
                         "there must be from 1 to %d particles, not %" PRIu64,
                         (int)SYSTEM_MAX_COUNT, source->count);
    system->count = (size_t)source->count;
    system->radius = source->radius + 0.0;
    system->boundary.width = source->width;
    system->boundary.height = source->height;
    const enum status status =
        schedule_check(input->request->schedule, source->count, input->error);
    return status ? status : system_check_box(&system->boundary, input->error);
}

static enum status take_particles(struct input *input)
{
    struct system *system = input->system;
    enum status status = system_reserve(system, system->count, input->error);
    for (size_t k = 0; k < system->count && !status; k++) {
        double values[MAX_COLUMNS];
        input->rows->take(input->rows->of, k, values);
        for (int column = 0; column < COLUMNS; column++)
            values[column] += 0.0; /* there is no -0 */
        status = values[SPECIES] < 0
                     ? error_set(input->error, STATUS_BAD_DATA,
                                 "the species of particle %zu must be from 0 to 2147483647, not %g",
                                 k, values[SPECIES])
                     : set_particle(input, k, values);
    }
    return status;
}

static enum status input_read_stream(struct input *input)
{
    struct system *system = input->system;
    const int may_overlap = input->request->may_overlap;
    enum status status = input->rows ? take_head(input) : read_count(input);
    if (status || (!input->rows && (status = read_radius_and_box(input))) ||
        (status = input_read_polygons(input)))
        return status;
    start_threads(input);
    status = input->rows ? take_particles(input) : read_particles(input);
    if (status || (!may_overlap && (status = refuse_masses(input))) ||
        (status = refuse_points(input)) || (!may_overlap && (status = refuse_overlap(input))))
        return status;
    struct polygons *polygons = input->source.polygons;
    input->source.polygons = NULL; /* the system takes them */
    if (polygons && ((status = system_attach_polygons(system, polygons, input->error)) ||
                     (status = input_refuse_position(input))))
        return status;
    if (system->law.contact_time < 0)
        system->law.contact_time = physics_contact_time(system);
    if (system->boundary.stream.draw && (status = stream_complete(system, input->error)))
        return input->name ? error_locate(input->error, status, input->name, 0) : status;
    return system->boundary.walls ? wall_laws_complete(system->boundary.walls, system, input->error)
                                  : STATUS_DONE;
}

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum status open_and_read(struct input *input)
{
    static const char use[] = "the reader of INPUT";
    const struct input_source *source = input->request->source;
    const char *path = input->request->path;
    input->name = source ? "the text" : input_name(path);
    const enum status status =
        source ? text_reader_open_text(&input->reader, source->text, source->text_size, use,
                                       input->error)
               : text_reader_open(&input->reader, strcmp(path, "-") == 0 ? NULL : path, use,
                                  input->error);
    if (status)
        return status;
    if (input->request->block_size > 0)
        input->reader->block_size = input->request->block_size;
    return text_reader_close(input->reader, input_read_stream(input), input->name, input->error);
}

enum status input_read(const struct input_request *request, struct system *system,
                       struct error *error)
{
    struct input input = {.request = request, .system = system, .error = error};
    if (request->source && !request->source->text)
        input.rows = request->source;
    const enum status status = input.rows ? input_read_stream(&input) : open_and_read(&input);
    thread_pool_free(input.pool);
    memory_free(input.parts);
    memory_free(input.lines);
    system_kinds_free(&input.kinds);
    polygon_source_free(&input.source);
    if (status)
        system_free(system);
    return status;
}

/* Checks the places of those that have moved, which are a system of their own. */
static enum status check_regions(struct system moved, const unsigned char *changes,
                                 struct error *error)
{
    struct region_fault fault;
    const struct particle *all = moved.particles;
    const size_t count = moved.count;
    moved.particles = memory_allocate(count, sizeof *all, "the check of particles", error);
    if (!moved.particles)
        return STATUS_NO_MEMORY;
    moved.count = 0;
    for (size_t k = 0; k < count; k++)
        if (changes[k] == CHANGE_MOVED)
            moved.particles[moved.count++] = all[k];
    enum status status = region_check(&moved, &fault, error);
    if (!status && fault.kind != REGION_FREE)
        status = error_set(error, STATUS_BAD_DATA, "particle %" PRId32 " %s",
                           moved.particles[fault.particle].id,
                           fault.kind == REGION_OUTSIDE  ? "is outside the domain"
                           : fault.kind == REGION_INSIDE ? "is inside an obstacle"
                                                         : "overlaps a side of a polygon");
    memory_free(moved.particles);
    return status;
}

enum status input_check(const struct system *system, const unsigned char *changes, int may_overlap,
                        struct error *error)
{
    struct system checked = *system;
    const struct boundary *boundary = &system->boundary;
    struct input input = {.system = &checked, .changes = changes, .error = error};
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < system->count && !status; k++)
        if (changes[k] && !(status = system_check_particle(system, k, error)))
            status = check_spin(system, k, error);
    if (!status && !may_overlap && !(status = refuse_masses(&input)) &&
        !(status = refuse_points(&input)))
        status = refuse_overlap(&input);
    if (!status && boundary->walls)
        status = wall_laws_complete(boundary->walls, system, error);
    if (!status && boundary->stream.draw)
        status = stream_complete(&checked, error);
    if (may_overlap) /* only centres count */
        checked.radius = 0, checked.kinds = NULL;
    return !status && boundary->polygons ? check_regions(checked, changes, error) : status;
}

enum status input_recognise(const char *path, int *is_input, struct error *error)
{
    enum { NUMBERS = 3 + COLUMNS }; /* after N: the radius, the box and the first particle */
    struct text_reader *reader;
    struct stat state;
    uint64_t count = 0;
    double value = 0;
    *is_input = 0;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode))
        return STATUS_DONE;
    enum status status = text_reader_open(&reader, path, "the reader of INPUT", error);
    if (status)
        return status == STATUS_NO_INPUT ? STATUS_DONE : status;
    *is_input = text_next(reader, 0) == TEXT_WORD && !text_whole_number(reader->word, &count);
    for (int k = 0; k < NUMBERS && *is_input; k++)
        *is_input = text_next(reader, 0) == TEXT_WORD && !text_number(reader->word, &value);
    text_reader_close(reader, STATUS_DONE, path, error);
    return STATUS_DONE;
}

static void input_write_line(const struct number_decimals *const decimals[], const double *values,
                             size_t count, FILE *stream)
{
    char line[MAX_COLUMNS * NUMBER_SHORTEST_SIZE];
    size_t length = 0;
    for (size_t k = 0; k < count; k++) {
        length += number_write_decimal(line + length, decimals[k], values[k]);
        line[length++] = k + 1 < count ? ' ' : '\n';
    }
    fwrite(line, 1, length, stream);
}

enum status input_write(const struct system *system, const struct input_decimals *decimals,
                        FILE *stream, const char *name, struct error *error)
{
    static const struct number_decimals all = {0};
    const struct number_decimals *position = &decimals->position;
    const struct number_decimals *velocity = &decimals->velocity;
    const struct number_decimals *const formats[MAX_COLUMNS] = {
        position, position, velocity, velocity, position, &all, &all, &all};
    const double box[] = {system->boundary.width, system->boundary.height};
    fprintf(stream, "%zu\n", system->count);
    input_write_line(formats, &system->radius, 1, stream);
    input_write_line(formats, box, 2, stream);
    for (size_t k = 0; k < system->count && !ferror(stream); k++) {
        const struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p), mass = system_mass(system, p);
        const double spin = system->spins ? system->spins[k] : 0;
        const double values[MAX_COLUMNS] = {
            p->x, p->y, p->u, p->v, radius, mass, system_species(system, p), spin};
        const size_t columns_written = system->spins ? MAX_COLUMNS : system->kinds ? SPIN : COLUMNS;
        input_write_line(formats, values, columns_written, stream);
    }
    return text_flush(stream, name, error);
}
