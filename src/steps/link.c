/*
 * Links: pairs of particles at a fixed distance (xpbd.h). A line of their file is "i j length".
 * They are projected in the order of the lines. The strain of a link of compliance alpha is alpha
 * times its force; one whose force is larger than `strength` breaks, and stays broken.
 */
#include "base/memory.h"
#include "io/text.h"
#include "part.h"
#include "xpbd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct link {
    uint32_t i, j; /* the numbers of its particles */
    double length; /* without force, more than 0 */
    int is_broken;
    double multiplier;  /* of this substep; divided by dt^2 its force */
    struct vector push; /* of this substep: the sum of multipliers times directions, mass length */
};

struct links {
    struct part part; /* the first member: see part.h */
    struct xpbd_compliance compliance;
    double strength; /* the largest force before a link breaks; or INFINITY */
    size_t count, room;
    struct link *list; /* `count` links, `room` allocated; owned */
};

/*
 * In a substep links are projected until none moves its particles by more than CONVERGED of its
 * length, at most MAX_ITERATIONS times. One link needs one iteration, and a chain of springs some
 * to share the load; chains of rigid links do not converge, and gain more from shorter substeps.
 */
enum { MAX_ITERATIONS = 10 };
static const double CONVERGED = 1e-13;

enum { WORDS = 3 }; /* in a line */
static const char a_link[] = "i j length, two particles and the distance between them";

static void links_free(struct part *part)
{
    struct links *links = (struct links *)part;
    memory_free(links->list);
}

static enum status add_link(struct links *links, const struct link *link, struct error *error)
{
    struct link *list =
        part_grow(links->list, links->count, &links->room, sizeof *list, "the links", error);
    if (!list)
        return STATUS_NO_MEMORY;
    links->list = list;
    links->list[links->count++] = *link;
    return STATUS_DONE;
}

/* A sentence on why a link is invalid; or NULL. */
static const char *link_problem(const struct system *system, uint64_t i, uint64_t j, double length)
{
    const struct boundary *boundary = &system->boundary;
    if (i >= system->count || j >= system->count)
        return "there is no such particle";
    if (i == j)
        return "a link joins two particles, not one with itself";
    if (!(length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST))
        return "the length must be from 1e-40 to 1e+40";
    if (((boundary->periodic & PERIODIC_X) && length > boundary->width / 2) ||
        ((boundary->periodic & PERIODIC_Y) && length > boundary->height / 2))
        return "the length is more than half of a periodic side of the box";
    return NULL;
}

/* Reads a link from the words of a line. */
static enum status read_link(char words[WORDS][TEXT_WORD_SIZE], const struct system *system,
                             struct link *link, struct error *error)
{
    uint64_t numbers[2];
    double length = 0;
    const char *problem = NULL;
    size_t at = 0;
    for (; at < 2 && !problem; at++)
        problem = text_whole_number(words[at], &numbers[at]);
    if (!problem) {
        at = WORDS;
        problem = text_number(words[2], &length);
    }
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "expected %s: '%.40s' %s", a_link, words[at - 1],
                         problem);
    problem = link_problem(system, numbers[0], numbers[1], length);
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "link %.40s %.40s %.40s: %s", words[0], words[1],
                         words[2], problem);
    *link = (struct link){.i = (uint32_t)numbers[0], .j = (uint32_t)numbers[1], .length = length};
    return STATUS_DONE;
}

/* The state of reading a file; large. */
struct link_file {
    struct text_reader reader;
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
};

/* Reads the next line that has words, and its link; sets `*is_end` at the end of the file. */
static enum status read_link_line(struct link_file *reading, struct links *links,
                                  const struct system *system, int *is_end, struct error *error)
{
    struct text_reader *reader = &reading->reader;
    struct link link;
    size_t count = 0;
    enum text_piece piece = reader->used_line == 0 ? text_first(reader) : text_next(reader, 0);
    const size_t line = reader->line;
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1)) {
        if (count < WORDS)
            memcpy(reading->words[count], reader->word, TEXT_WORD_SIZE);
        count++;
    }
    *is_end = piece != TEXT_LINE_END;
    enum status status = STATUS_DONE;
    if (count == WORDS)
        status = read_link(reading->words, system, &link, error);
    else if (count > 0)
        status = error_set(error, STATUS_BAD_DATA, "expected %s, found %zu %s", a_link, count,
                           count == 1 ? "word" : "words");
    if (!status && count > 0)
        return add_link(links, &link, error);
    reader->line = line;
    return status;
}

static enum status read_links(struct links *links, const char *name, const struct system *system,
                              struct error *error)
{
    FILE *stream = fopen(name, "r");
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name, strerror(errno));
    struct link_file *reading = memory_allocate(1, sizeof *reading, "the reader of links", error);
    enum status status = reading ? STATUS_DONE : STATUS_NO_MEMORY;
    if (reading)
        reading->reader = (struct text_reader){.stream = stream, .line = 1};
    for (int is_end = 0; !status && !is_end;)
        status = read_link_line(reading, links, system, &is_end, error);
    if (status == STATUS_BAD_DATA)
        error_locate(error, name, reading->reader.line);
    if (!status && reading->reader.failure)
        status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name,
                           strerror(reading->reader.failure));
    memory_free(reading);
    fclose(stream);
    return status;
}

static enum status links_create(struct part *part, const struct arguments *arguments,
                                struct steps *steps, struct error *error)
{
    struct links *links = (struct links *)part;
    links->compliance = (struct xpbd_compliance){arguments->numbers[1], arguments->numbers[2]};
    links->strength = arguments->numbers[3];
    if (steps->is_resumed)
        return STATUS_DONE;
    return read_links(links, arguments->texts[0], steps->system, error);
}

/*
 * The direction in which a link pulls: that before the substep (SHAKE: J. Ryckaert, G. Ciccotti and
 * H. Berendsen, 1977), which conserves the energy of a pendulum. The direction at the end, as in
 * XPBD, loses some in each substep; it is used only if the two differ much.
 */
static struct vector pull_direction(const struct link *link, const struct steps *steps,
                                    const struct vector *normal)
{
    const struct vector *a = &steps->before[link->i];
    const struct vector *b = &steps->before[link->j];
    const struct vector displacement =
        xpbd_nearest_image(&steps->system->boundary, b->x - a->x, b->y - a->y);
    const double length = sqrt(displacement.x * displacement.x + displacement.y * displacement.y);
    if (!(displacement.x * normal->x + displacement.y * normal->y > 0.9 * length))
        return *normal;
    return (struct vector){displacement.x / length, displacement.y / length};
}

/* Projects one link. Returns how far that moves its particles, divided by its length. */
static double project_link(const struct links *links, struct link *link, struct steps *steps,
                           double dt)
{
    const double inverse_mass = steps->inverse_mass[link->i] + steps->inverse_mass[link->j];
    if (link->is_broken || inverse_mass == 0)
        return 0;
    const struct xpbd_separation separation = xpbd_separation(steps, link->i, link->j);
    const struct vector pull = pull_direction(link, steps, &separation.normal);
    const double cosine = pull.x * separation.normal.x + pull.y * separation.normal.y;
    const struct xpbd_violation violation = {
        separation.distance - link->length,
        xpbd_change(steps, link->i, link->j, &separation.normal), link->multiplier,
        inverse_mass * cosine};
    const double multiplier = xpbd_multiplier(&links->compliance, &violation, dt);
    link->multiplier += multiplier;
    link->push.x += multiplier * pull.x;
    link->push.y += multiplier * pull.y;
    xpbd_move(steps, link->i, link->j, &pull, multiplier);
    return fabs(multiplier) * inverse_mass / link->length;
}

/* Breaks a link, and undoes its moves of this substep. */
static void break_link(struct link *link, struct steps *steps)
{
    xpbd_move(steps, link->i, link->j, &link->push, -1);
    link->multiplier = 0;
    link->is_broken = 1;
}

static enum status links_project(struct part *part, struct steps *steps, double dt,
                                 struct error *error)
{
    struct links *links = (struct links *)part;
    double moved = (double)INFINITY;
    (void)error;
    for (size_t k = 0; k < links->count; k++) {
        links->list[k].multiplier = 0;
        links->list[k].push = (struct vector){0, 0};
    }
    for (int iteration = 0; iteration < MAX_ITERATIONS && moved > CONVERGED; iteration++) {
        moved = 0;
        for (size_t k = 0; k < links->count; k++)
            moved = fmax(moved, project_link(links, &links->list[k], steps, dt));
    }
    for (size_t k = 0; k < links->count; k++)
        if (fabs(links->list[k].multiplier) / dt / dt > links->strength)
            break_link(&links->list[k], steps);
    return STATUS_DONE;
}

/* The violation of a link; 0 if it is broken. */
static double link_error(const struct link *link, const struct steps *steps)
{
    return link->is_broken ? 0 : xpbd_separation(steps, link->i, link->j).distance - link->length;
}

/* The energy of springs: the square of the error divided by 2 alpha. */
static enum status links_energy(struct part *part, struct steps *steps, double *sum,
                                struct error *error)
{
    const struct links *links = (const struct links *)part;
    (void)error;
    *sum = 0;
    for (size_t k = 0; k < links->count && links->compliance.value > 0; k++) {
        const double off = link_error(&links->list[k], steps);
        *sum += off * off / (2 * links->compliance.value);
    }
    return STATUS_DONE;
}

static double links_deviation(const struct part *part, const struct steps *steps)
{
    const struct links *links = (const struct links *)part;
    double largest = 0;
    for (size_t k = 0; k < links->count; k++)
        largest = fmax(largest, fabs(link_error(&links->list[k], steps)));
    return largest;
}

static void links_save(const struct part *part, const struct steps *steps,
                       struct record_writer *writer)
{
    const struct links *links = (const struct links *)part;
    (void)steps;
    record_put_whole(writer, links->count);
    record_end_line(writer);
    for (size_t k = 0; k < links->count; k++) {
        const struct link *link = &links->list[k];
        record_put_whole(writer, link->i);
        record_put_whole(writer, link->j);
        record_put_number(writer, link->length);
        record_put_whole(writer, link->is_broken != 0);
        record_end_line(writer);
    }
}

static void links_load(struct part *part, const struct steps *steps, struct record_reader *reader)
{
    struct links *links = (struct links *)part;
    const size_t count = record_take_count(reader, SIZE_MAX, 4);
    record_expect_line_end(reader);
    for (size_t k = 0; k < count && !reader->status; k++) {
        const uint64_t i = record_take_whole(reader, UINT32_MAX);
        const uint64_t j = record_take_whole(reader, UINT32_MAX);
        const double length = record_take_number(reader, 0, SYSTEM_LARGEST);
        const struct link link = {.i = (uint32_t)i,
                                  .j = (uint32_t)j,
                                  .length = length,
                                  .is_broken = (int)record_take_whole(reader, 1)};
        record_expect_line_end(reader);
        const char *problem = link_problem(steps->system, i, j, length);
        if (!reader->status && problem)
            record_refuse(reader, problem);
        if (!reader->status)
            reader->status = add_link(links, &link, reader->error);
    }
}

const struct part_kind link_kind = {
    .name = "link",
    .size = sizeof(struct links),
    .parameters = {{"file", NAN, NAN, NAN},
                   {"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"strength", (double)INFINITY, 0, SYSTEM_LARGEST}},
    .create = links_create,
    .act = {[PHASE_CONSTRAINTS] = links_project},
    .energy = links_energy,
    .deviation = links_deviation,
    .save = links_save,
    .load = links_load,
    .free = links_free,
};
