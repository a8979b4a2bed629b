/*
 * The reader of input files.
 *
 * The format: numbers separated by white space; '#' begins a comment. A record (N and the radius
 * and the box; then each particle) may be spread over several lines, but a new one begins on a
 * new line: so a number too many or too few is found in the record that has it, and can be named.
 */
#include "input.h"

#include "memory.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 4 }; /* of a particle: x y u v */

/* A file being read. */
struct input {
    const char *name; /* for messages */
    struct text_reader reader;
    struct system *system;
    size_t capacity; /* particles for which there is memory */
    size_t *lines;   /* for each particle read, the line on which it begins */
    struct error *error;
};

/* Fails with what was expected and what stands there instead. */
static enum status unexpected(struct input *input, enum text_piece piece, const char *expected,
                              const char *why)
{
    char word[41]; /* as much of it as a message needs, and nothing that does not show */
    size_t length = 0;
    for (; length < sizeof word - 1 && input->reader.word[length] != '\0'; length++)
        word[length] =
            isgraph((unsigned char)input->reader.word[length]) ? input->reader.word[length] : '?';
    word[length] = '\0';
    if (piece == TEXT_UNREADABLE)
        return error_set(input->error, STATUS_NO_INPUT, "%s: cannot read: %s", input->name,
                         strerror(input->reader.failure));
    if (piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD)
        error_set(input->error, STATUS_BAD_DATA, "expected %s, found '%s'%s%s%s", expected, word,
                  input->reader.word[length] ? "..." : "", why ? ", which " : "", why ? why : "");
    else
        error_set(input->error, STATUS_BAD_DATA, "expected %s, found the end of the %s", expected,
                  piece == TEXT_END ? "file" : "line");
    error_locate(input->error, input->name, input->reader.line);
    return STATUS_BAD_DATA;
}

/* What stood in the file where something else had to be, as `unexpected` takes it. */
struct misfit {
    enum text_piece piece;
    const char *why;
};

/*
 * Takes the next word, which has to be a number, wherever it stands. Returns whether it is one;
 * if not, `*misfit` says what is there.
 */
static int take_number(struct input *input, double *value, struct misfit *misfit)
{
    enum text_piece piece = text_next(&input->reader, 0);
    const char *why = NULL;
    if (piece == TEXT_TOO_LONG_WORD)
        why = "is too long";
    else if (piece == TEXT_WORD)
        why = text_number(input->reader.word, value);
    *misfit = (struct misfit){piece, why};
    return piece == TEXT_WORD && !why;
}

static enum status read_number(struct input *input, const char *expected, double *value)
{
    struct misfit misfit;
    if (take_number(input, value, &misfit))
        return STATUS_DONE;
    return unexpected(input, misfit.piece, expected, misfit.why);
}

/* Whether nothing but a comment follows on this line; if not, `*misfit` says what does. */
static int ends_record(struct input *input, struct misfit *misfit)
{
    *misfit = (struct misfit){text_next(&input->reader, 1), NULL};
    return misfit->piece == TEXT_LINE_END || misfit->piece == TEXT_END;
}

/* Passes `status` on; a fault that a check of the system found gets its place in the file. */
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
    enum text_piece piece = text_next(&input->reader, 0);
    if (piece != TEXT_WORD)
        return unexpected(input, piece, expected, NULL);
    const char *problem = text_whole_number(input->reader.word, &count);
    if (problem || count < 1)
        return unexpected(input, piece, expected, problem);
    enum status status = schedule_check(kind, count, input->error);
    if (!status && count > SYSTEM_MAX_COUNT)
        status = error_set(input->error, STATUS_BAD_DATA,
                           "%" PRIu64 " particles are more than the %d that can be simulated",
                           count, SYSTEM_MAX_COUNT);
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
        status = read_number(input, "the box's width Lx", &system->width);
    if (!status)
        status = read_number(input, "the box's height Ly", &system->height);
    if (!status)
        status = located(input, system_check_box(system, input->error), input->reader.line);
    if (!status && !ends_record(input, &misfit))
        status = unexpected(input, misfit.piece,
                            "the end of the line after the box's width and height", misfit.why);
    return status;
}

/* Makes room for particle `index`, doubling what there is but never beyond N. */
static enum status make_room(struct input *input, size_t index)
{
    struct system *system = input->system;
    if (index < input->capacity)
        return STATUS_DONE;
    size_t capacity = input->capacity < 1024 ? 1024 : 2 * input->capacity;
    if (capacity > system->count)
        capacity = system->count;
    struct particle *particles = memory_resize(system->particles, capacity, sizeof *particles,
                                               "the particles", input->error);
    if (!particles)
        return STATUS_NO_MEMORY;
    system->particles = particles;
    size_t *lines =
        memory_resize(input->lines, capacity, sizeof *lines, "the line numbers", input->error);
    if (!lines)
        return STATUS_NO_MEMORY;
    input->lines = lines;
    input->capacity = capacity;
    return STATUS_DONE;
}

/*
 * Fails because of what stands where column `column` of a particle should be, or, after the last
 * column, where its record should end. Only here is it put into words what was expected: to do it
 * beforehand, a million times over, would take longer than to read the file.
 */
static enum status unexpected_in_particle(struct input *input, const struct misfit *misfit,
                                          size_t index, size_t column)
{
    char expected[128];
    if (column < COLUMNS)
        snprintf(expected, sizeof expected, "%c of particle %zu (%zu of %zu)", "xyuv"[column],
                 index, index + 1, input->system->count);
    else
        snprintf(expected, sizeof expected,
                 "the end of the line after x y u v of particle %zu, which begins on line %zu",
                 index, input->lines[index]);
    return unexpected(input, misfit->piece, expected, misfit->why);
}

static enum status read_particle(struct input *input, size_t index)
{
    double values[COLUMNS] = {0};
    struct misfit misfit;
    enum status status = make_room(input, index);
    if (status)
        return status;
    for (size_t column = 0; column < COLUMNS; column++) {
        if (!take_number(input, &values[column], &misfit))
            return unexpected_in_particle(input, &misfit, index, column);
        if (column == 0)
            input->lines[index] = input->reader.line;
    }
    input->system->particles[index] = (struct particle){
        .x = values[0], .y = values[1], .u = values[2], .v = values[3], .id = (int32_t)index};
    status = located(input, system_check_particle(input->system, index, input->error),
                     input->reader.line);
    if (!status && !ends_record(input, &misfit))
        status = unexpected_in_particle(input, &misfit, index, COLUMNS);
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
    struct system_overlap overlap;
    enum status status = system_find_overlap(input->system, &overlap, input->error);
    if (status || !overlap.found)
        return status;
    error_set(input->error, STATUS_BAD_DATA,
              "particle %zu overlaps particle %zu (line %zu): their centres are %.17g apart, "
              "less than their diameter, %.17g",
              overlap.second, overlap.first, input->lines[overlap.first], overlap.distance,
              2 * input->system->radius);
    return located(input, STATUS_BAD_DATA, input->lines[overlap.second]);
}

/* Reads everything from a stream. */
static enum status read_stream(struct input *input, enum schedule_kind kind)
{
    enum status status = read_count(input, kind);
    if (!status)
        status = read_radius_and_box(input);
    for (size_t index = 0; !status && index < input->system->count; index++)
        status = read_particle(input, index);
    if (!status)
        status = read_end(input);
    if (!status)
        status = refuse_overlap(input);
    return status;
}

enum status input_read(const char *path, enum schedule_kind kind, struct system *system,
                       struct error *error)
{
    int is_standard_input = strcmp(path, "-") == 0;
    *system = (struct system){0};
    FILE *stream = is_standard_input ? stdin : fopen(path, "r");
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", path, strerror(errno));
    struct input input = {
        .name = is_standard_input ? "standard input" : path,
        .reader = {.stream = stream, .line = 1},
        .system = system,
        .error = error,
    };
    enum status status = read_stream(&input, kind);
    memory_free(input.lines);
    if (!is_standard_input)
        fclose(stream);
    if (status)
        system_free(system);
    return status;
}
