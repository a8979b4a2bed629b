/*
 * The reader of input files.
 *
 * The file holds numbers separated by white space; '#' begins a comment. The first record is N, the
 * radius and the box; then each particle is a record. A record may be spread over several lines,
 * but each begins on a new line. So where there is a number too many or too few, the message names
 * the record that has the fault. For the same reason a particle's optional columns stand on one
 * line with its other columns.
 *
 * Most files have one plain line after the other. Those are read many at a time, on all cores
 * (plain_lines.c); what follows here reads the first particle and whatever is not plain.
 *
 * As long as every particle has the default radius, mass and species, the system has no table of
 * kinds, and a plain file costs no time for it. The first particle that differs begins the table.
 */
#include "cli/input.h"

#include "base/memory.h"
#include "io/text.h"
#include "model/overlap.h"
#include "model/particle_kinds.h"
#include "model/physics.h"
#include "model/region.h"
#include "model/stream.h"
#include "plain_lines.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum {
    COLUMNS = 4,     /* of each particle: x y u v */
    MOST_COLUMNS = 7 /* with the optional ones: radius mass species */
};

/* What the columns are, for messages. */
static const char *const columns[MOST_COLUMNS] = {
    "x",
    "y",
    "u",
    "v",
    "the radius",
    "the mass",
    "the species, a whole number from 0 to 2147483647,"};

/* A file being read. */
struct input {
    const char *name; /* for messages */
    struct text_reader reader;
    struct system *system;
    struct thread_pool *pool; /* or NULL: one thread reads */
    size_t shared_block;      /* the last block that several threads have read */
    size_t capacity;          /* how many particles there is memory for */
    size_t *lines;            /* for each particle read, the line on which it begins */
    size_t on_first; /* of the columns x y u v, how many of the last particle's are on its first
                        line */
    size_t box_line; /* line of a box that is too small for the default radius; otherwise 0 */
    struct particle_kinds kinds;
    const struct polygon_files *files; /* of polygons, or NULL */
    int is_stepped;                    /* particles may overlap, and obey no law */
    struct polygon_source source;
    struct error *error;
};

/* Fails with a message that says what was expected, what was found and why that is wrong. */
static enum status unexpected(struct input *input, enum text_piece piece, const char *expected,
                              const char *why)
{
    char word[TEXT_SHOWN_SIZE];
    text_show(&input->reader, word);
    if (piece == TEXT_UNREADABLE)
        return error_set(input->error, STATUS_NO_INPUT, "%s: cannot read: %s", input->name,
                         strerror(input->reader.failure));
    if (piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD)
        error_set(input->error, STATUS_BAD_DATA, "expected %s, found %s%s%s", expected, word,
                  why ? ", which " : "", why ? why : "");
    else
        error_set(input->error, STATUS_BAD_DATA, "expected %s, found the end of the %s", expected,
                  piece == TEXT_END ? "file" : "line");
    error_locate(input->error, input->name, input->reader.line);
    return STATUS_BAD_DATA;
}

/* What was found in place of what was expected, for `unexpected`. */
struct misfit {
    enum text_piece piece;
    const char *why;
};

/*
 * Reads `piece`, the last one taken from the file, as a number. Returns whether it is a number; if
 * not, `*misfit` says what it is.
 */
static inline int is_number(struct input *input, enum text_piece piece, double *value,
                            struct misfit *misfit)
{
    const char *why = NULL;
    if (piece == TEXT_TOO_LONG_WORD)
        why = "is too long";
    else if (piece == TEXT_WORD)
        why = text_number(input->reader.word, value);
    *misfit = (struct misfit){piece, why};
    return piece == TEXT_WORD && !why;
}

/* The same for the next word, on this line or a later one. */
static inline int take_number(struct input *input, double *value, struct misfit *misfit)
{
    return is_number(input, text_next(&input->reader, 0), value, misfit);
}

static enum status read_number(struct input *input, const char *expected, double *value)
{
    struct misfit misfit;
    if (take_number(input, value, &misfit))
        return STATUS_DONE;
    return unexpected(input, misfit.piece, expected, misfit.why);
}

/* Whether the rest of this line is empty but for a comment; if not, `*misfit` says what follows. */
static int ends_record(struct input *input, struct misfit *misfit)
{
    *misfit = (struct misfit){text_next(&input->reader, 1), NULL};
    return misfit->piece == TEXT_LINE_END || misfit->piece == TEXT_END;
}

/* Returns `status`; if it is a failure, puts file and line before the message. */
static enum status located(struct input *input, enum status status, size_t line)
{
    if (status)
        error_locate(input->error, input->name, line);
    return status;
}

static enum status read_count(struct input *input, enum schedule_kind kind)
{
    const char *expected = "the number of particles, a whole number of at least 1";
    uint64_t count = 0;
    enum text_piece piece = text_first(&input->reader);
    if (piece != TEXT_WORD)
        return unexpected(input, piece, expected, NULL);
    const char *problem = text_whole_number(input->reader.word, &count);
    if (problem || count < 1)
        return unexpected(input, piece, expected, problem);
    enum status status = schedule_check(kind, count, input->error);
    input->system->count = (size_t)count;
    return located(input, status, input->reader.line);
}

static enum status read_radius_and_box(struct input *input)
{
    struct system *system = input->system;
    struct misfit misfit;
    enum status status = read_number(input, "the radius", &system->radius);
    system->radius += 0.0; /* there is no -0: it would be printed at a wall */
    if (!status)
        status = located(input, system_check_radius(system, input->error), input->reader.line);
    if (!status)
        status = read_number(input, "the box's width Lx", &system->boundary.width);
    if (!status)
        status = read_number(input, "the box's height Ly", &system->boundary.height);
    if (!status)
        status =
            located(input, boundary_check(&system->boundary, input->error), input->reader.line);
    if (!status && system_check_box(system, input->error) != STATUS_DONE)
        input->box_line = input->reader.line; /* a fault only if a particle has that radius */
    if (!status && !ends_record(input, &misfit))
        status = unexpected(input, misfit.piece,
                            "the end of the line after the box's width and height", misfit.why);
    return status;
}

/*
 * How many particles a file may have, by its size and usual lines; 0: its size is unknown. Holes,
 * which take no blocks on the disk, do not count.
 */
static size_t guess_count(const struct input *input)
{
    enum { USUAL_LINE = 32, BLOCK = 512 }; /* bytes; both may be longer */
    struct stat state;
    if (fstat(fileno(input->reader.stream), &state) != 0 || !S_ISREG(state.st_mode))
        return 0;
    const double size = fmin((double)state.st_size, (double)state.st_blocks * BLOCK);
    return (size_t)fmin(size / USUAL_LINE, SYSTEM_MAX_COUNT);
}

/* Gives the memory of several threads back. Returns 0 if there are none. */
static int stop_threads(struct input *input)
{
    if (!input->pool)
        return 0;
    plain_lines_stop(&input->reader, input->pool);
    input->pool = NULL;
    return 1;
}

static enum status allocate_particles(struct input *input, size_t capacity)
{
    size_t *lines =
        memory_resize(input->lines, capacity, sizeof *lines, "the line numbers", input->error);
    if (!lines)
        return STATUS_NO_MEMORY;
    input->lines = lines;
    return system_allocate(input->system, input->capacity, capacity, input->error);
}

/* Makes room for particle `index`: as the size of the file suggests, and if that is not enough,
 * four times as much as before; but for N particles at most. */
static enum status make_room(struct input *input, size_t index)
{
    struct system *system = input->system;
    if (index < input->capacity)
        return STATUS_DONE;
    size_t capacity = input->capacity == 0 ? guess_count(input) : 4 * input->capacity;
    if (capacity < 1024)
        capacity = 1024;
    if (capacity > system->count)
        capacity = system->count;
    enum status status = allocate_particles(input, capacity);
    if (status && stop_threads(input))
        status = allocate_particles(input, capacity);
    if (status)
        return status;
    plain_lines_begin(system, input->capacity, capacity, input->pool);
    input->capacity = capacity;
    return STATUS_DONE;
}

/*
 * Fails because a number follows the four of a particle that is spread over several lines. Its
 * first line ends too early, as far as can be told, and the message is about that line.
 */
static enum status unfinished_line(struct input *input, size_t index)
{
    char word[TEXT_SHOWN_SIZE];
    text_show(&input->reader, word);
    error_set(input->error, STATUS_BAD_DATA,
              "expected %s of particle %zu (%zu of %zu), found the end of the line, and %s after "
              "what is missing on line %zu",
              columns[input->on_first], index, index + 1, input->system->count, word,
              input->reader.line);
    error_locate(input->error, input->name, input->lines[index]);
    return STATUS_BAD_DATA;
}

/*
 * Fails because `misfit` stands where column `column` of a particle should be or, after the last
 * column, where its record should end. The text that says what was expected is made here and not
 * before: to make it for each number would take longer than to read the file.
 */
static enum status unexpected_in_particle(struct input *input, const struct misfit *misfit,
                                          size_t index, size_t column)
{
    char expected[128];
    int is_word = misfit->piece == TEXT_WORD || misfit->piece == TEXT_TOO_LONG_WORD;
    if (is_word && column == COLUMNS && input->reader.line != input->lines[index])
        return unfinished_line(input, index);
    if (column < MOST_COLUMNS)
        snprintf(expected, sizeof expected, "%s of particle %zu (%zu of %zu)", columns[column],
                 index, index + 1, input->system->count);
    else
        snprintf(expected, sizeof expected,
                 "the end of the line after x y u v radius mass species of particle %zu, which "
                 "begins on line %zu",
                 index, input->lines[index]);
    return unexpected(input, misfit->piece, expected, misfit->why);
}

/*
 * Reads `misfit->piece` as optional column `column`. Returns whether it can be that; if not, or
 * after the last column, `*misfit` says why.
 */
static int is_column(struct input *input, size_t column, struct kind *kind, struct misfit *misfit)
{
    uint64_t species = 0;
    switch (column) {
    case COLUMNS:
        return is_number(input, misfit->piece, &kind->radius, misfit);
    case COLUMNS + 1:
        return is_number(input, misfit->piece, &kind->mass, misfit);
    case COLUMNS + 2:
        if (misfit->piece == TEXT_WORD)
            misfit->why = text_whole_number(input->reader.word, &species);
        if (!misfit->why && species > INT32_MAX)
            misfit->why = "is too large";
        if (misfit->piece != TEXT_WORD || misfit->why)
            return 0;
        kind->species = (int32_t)species;
        return 1;
    default:
        return 0;
    }
}

/* Reads the optional columns of a particle; `misfit` is the first of them, already taken. */
static enum status read_kind(struct input *input, struct misfit misfit, size_t index,
                             struct kind *kind)
{
    size_t column = COLUMNS;
    if (input->reader.line != input->lines[index])
        return unexpected_in_particle(input, &misfit, index, column);
    do {
        if (!is_column(input, column, kind, &misfit))
            return unexpected_in_particle(input, &misfit, index, column);
        column++;
    } while (!ends_record(input, &misfit));
    kind->radius += 0.0; /* there is no -0 */
    return located(input, system_check_kind(kind, input->error), input->reader.line);
}

/*
 * Sets the kind of a particle. The first particle that is not of the default kind begins the table.
 * If there are particles before it, the default kind becomes kind 0, the number that they have.
 */
static enum status set_kind(struct input *input, size_t index, const struct kind *kind)
{
    struct system *system = input->system;
    const struct kind plain = {system->radius, 1, 0};
    uint32_t *number = &system->particles[index].kind;
    enum status status = STATUS_DONE;
    if (input->box_line && kind->radius == system->radius)
        return located(input, system_check_box(system, input->error), input->box_line);
    if (!system->kinds) {
        if (kind->radius == plain.radius && kind->mass == plain.mass && kind->species == 0)
            return STATUS_DONE;
        if (index > 0)
            status = particle_kinds_find(&input->kinds, system, &plain, number, input->error);
    }
    if (!status)
        status = particle_kinds_find(&input->kinds, system, kind, number, input->error);
    return status;
}

static enum status read_particle(struct input *input, size_t index)
{
    double values[COLUMNS] = {0};
    struct misfit misfit;
    enum status status = make_room(input, index);
    if (status)
        return status;
    for (size_t column = 0; column < COLUMNS; column++) {
        size_t line = input->reader.line;
        int is_taken = take_number(input, &values[column], &misfit);
        if (!is_taken && misfit.piece == TEXT_END && column > 0)
            input->reader.line = line; /* of the number before */
        if (!is_taken)
            return unexpected_in_particle(input, &misfit, index, column);
        if (column == 0)
            input->lines[index] = input->reader.line;
        if (input->reader.line == input->lines[index])
            input->on_first = column + 1;
    }
    int is_plain = ends_record(input, &misfit);
    if (!is_plain || input->system->kinds || input->box_line) {
        struct kind kind = {input->system->radius, 1, 0};
        if (!is_plain)
            status = read_kind(input, misfit, index, &kind);
        if (!status)
            status = set_kind(input, index, &kind);
    }
    if (status)
        return status;
    status = plain_lines_place(input->system, index, values, input->error);
    return located(input, status, input->reader.line);
}

/*
 * Reads the plain lines that come next in the block, for particles from `index` on. Returns how
 * many there are. If a block is not plain, it is not given to several threads again and again.
 */
static size_t read_plain_lines(struct input *input, size_t index)
{
    struct text_reader *reader = &input->reader;
    struct plain_lines lines = {.system = input->system,
                                .index = index,
                                .most = input->capacity - index,
                                .numbers = input->lines,
                                .number = reader->line + 1};
    lines.end = text_lines(reader, &lines.begin);
    if (!lines.end || input->system->kinds || input->box_line)
        return 0;
    const int is_shared = reader->blocks != input->shared_block &&
                          (size_t)(lines.end - lines.begin) >= reader->larger_size / 2;
    plain_lines_read(&lines, is_shared ? input->pool : NULL);
    if (is_shared)
        input->shared_block = reader->blocks;
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
    return status;
}

static enum status read_end(struct input *input)
{
    enum text_piece piece = text_next(&input->reader, 0);
    if (piece == TEXT_END)
        return STATUS_DONE;
    return unexpected(input, piece, "the end of the file after the last particle", NULL);
}

static enum status refuse_overlap(struct input *input)
{
    struct overlap overlap;
    const struct system *system = input->system;
    enum status status = overlap_find_threaded(system, input->pool, &overlap, input->error);
    if (stop_threads(input) && status)
        status = overlap_find(system, &overlap, input->error);
    if (status || !overlap.found)
        return status;
    const struct particle *a = &system->particles[overlap.first];
    const struct particle *b = &system->particles[overlap.second];
    int is_equal = system_radius(system, a) == system_radius(system, b);
    error_set(input->error, STATUS_BAD_DATA,
              "particle %zu overlaps particle %zu (line %zu): their centres are %.17g apart, "
              "less than %s, %.17g",
              overlap.second, overlap.first, input->lines[overlap.first], overlap.distance,
              is_equal ? "their diameter" : "the sum of their radii", system_contact(system, a, b));
    return located(input, STATUS_BAD_DATA, input->lines[overlap.second]);
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
        if (other != mass) {
            error_set(input->error, STATUS_BAD_DATA,
                      "particle %zu has mass %.17g, and particle 0 (line %zu) has %.17g: to switch "
                      "velocities would not conserve momentum; use --rule=elastic",
                      k, other, input->lines[0], mass);
            return located(input, STATUS_BAD_DATA, input->lines[k]);
        }
    }
    return STATUS_DONE;
}

/* Reads the polygons, once their box is known. */
static enum status read_polygons(struct input *input)
{
    if (!input->files)
        return STATUS_DONE;
    enum status status = polygon_files_read(input->files, &input->source, input->error);
    return status ? status
                  : polygon_source_place(&input->source, &input->system->boundary, input->error);
}

/* Refuses a particle that is in the wrong region, or overlaps a polygon. */
static enum status refuse_place(struct input *input)
{
    struct region_fault fault;
    const struct system *system = input->system;
    enum status status = region_check(system, &fault, input->error);
    if (status || fault.kind == REGION_FREE)
        return status;
    const struct polygon_place_in_file place =
        polygon_source_find(&input->source, system->boundary.polygons, fault.side);
    const struct particle *p = &system->particles[fault.particle];
    if (fault.kind == REGION_OUTSIDE)
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu is outside the domain, the polygons in %.4100s", fault.particle,
                  polygon_files_domain(input->files));
    else if (fault.kind == REGION_INSIDE)
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu is inside an obstacle, polygon %zu of %.4100s (from line %zu on)",
                  fault.particle, place.polygon, place.name, place.line);
    else
        error_set(input->error, STATUS_BAD_DATA,
                  "particle %zu overlaps side %zu of polygon %zu of %.4100s (line %zu): its centre "
                  "is %.17g away, less than its radius, %.17g",
                  fault.particle, place.side, place.polygon, place.name, place.line, fault.distance,
                  system_radius(system, p));
    return located(input, STATUS_BAD_DATA, input->lines[fault.particle]);
}

/* Hands the polygons to the system, and checks the places of the particles. */
static enum status attach_polygons(struct input *input)
{
    struct polygons *polygons = input->source.polygons;
    if (!polygons)
        return STATUS_DONE;
    input->source.polygons = NULL;
    enum status status = polygons_attach(polygons, input->system, input->error);
    return status ? status : refuse_place(input);
}

/* Reads everything from a stream. */
static enum status read_stream(struct input *input, enum schedule_kind kind,
                               const struct input_threads *threads)
{
    enum status status = read_count(input, kind);
    if (!status)
        status = read_radius_and_box(input);
    if (!status)
        status = read_polygons(input);
    if (!status)
        input->pool = plain_lines_start(&input->reader, input->system->count, threads);
    if (!status)
        status = read_particles(input);
    if (!status)
        status = read_end(input);
    if (!status && !input->is_stepped)
        status = refuse_masses(input);
    if (!status && !input->is_stepped)
        status = refuse_overlap(input);
    if (!status)
        status = attach_polygons(input);
    if (!status && input->system->law.contact_time < 0)
        input->system->law.contact_time = physics_contact_time(input->system);
    if (!status && input->system->boundary.stream.draw) {
        status = stream_complete(input->system, input->error);
        if (status)
            error_locate(input->error, input->name, 0);
    }
    return status;
}

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Opens a file for reading: `*input` is to be closed with `input_close`. */
static enum status input_open(const char *path, struct input **input, struct error *error)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", path, strerror(errno));
    *input = memory_allocate(1, sizeof **input, "the reader of INPUT", error);
    if (!*input) {
        if (stream != stdin)
            fclose(stream);
        return STATUS_NO_MEMORY;
    }
    **input = (struct input){.name = input_name(path), .error = error};
    (*input)->reader.stream = stream;
    (*input)->reader.line = 1;
    return STATUS_DONE;
}

static void input_close(struct input *input)
{
    if (input->reader.stream != stdin)
        fclose(input->reader.stream);
    thread_pool_free(input->pool);
    memory_free(input->reader.larger);
    memory_free(input->lines);
    particle_kinds_free(&input->kinds);
    polygon_source_free(&input->source);
    memory_free(input);
}

enum status input_read_threaded(const char *path, enum schedule_kind kind,
                                const struct polygon_files *files, int is_stepped,
                                const struct input_threads *threads, struct system *system,
                                struct error *error)
{
    struct input *input = NULL;
    enum status status = input_open(path, &input, error);
    if (status)
        return status;
    input->system = system;
    input->files = files;
    input->is_stepped = is_stepped;
    status = read_stream(input, kind, threads);
    input_close(input);
    if (status)
        system_free(system);
    return status;
}

enum status input_read(const char *path, enum schedule_kind kind, const struct polygon_files *files,
                       int is_stepped, struct system *system, struct error *error)
{
    const struct input_threads alone = {.run.count = 1};
    return input_read_threaded(path, kind, files, is_stepped, &alone, system, error);
}

enum status input_recognise(const char *path, int *is_input, struct error *error)
{
    enum { NUMBERS = 3 + COLUMNS }; /* after N: the radius, the box and the first particle */
    struct input *input = NULL;
    struct stat state;
    uint64_t count = 0;
    double value = 0;
    *is_input = 0;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode))
        return STATUS_DONE;
    enum status status = input_open(path, &input, error);
    if (status)
        return status == STATUS_NO_INPUT ? STATUS_DONE : status;
    *is_input =
        text_first(&input->reader) == TEXT_WORD && !text_whole_number(input->reader.word, &count);
    for (int k = 0; k < NUMBERS && *is_input; k++)
        *is_input =
            text_next(&input->reader, 0) == TEXT_WORD && !text_number(input->reader.word, &value);
    input_close(input);
    return STATUS_DONE;
}
