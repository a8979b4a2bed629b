/*
 * Links: pairs of particles that stay at a distance (XPBD, xpbd.h). A line of their file is
 * "i j length". They are projected in the order of the lines. A link of compliance alpha gives by
 * alpha times its force; one whose force is larger than `strength` breaks, and stays broken.
 */
#include "base/memory.h"
#include "io/text.h"
#include "parts.h"
#include "xpbd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct link {
    uint32_t i, j; /* the numbers of its particles */
    double length; /* when no force acts, more than 0 */
    int is_broken;
    double multiplier;  /* of this substep; divided by dt^2 its force */
    struct vector push; /* of this substep: the sum of what multipliers moved along which direction,
                           mass length */
};

struct links {
    struct part part; /* the first member: see part.h */
    struct compliance compliance;
    double strength; /* the largest force that a link bears; INFINITY: any */
    size_t count, room;
    struct link *list; /* `count` of them, with memory for `room`; owned */
};

/*
 * How often links are projected in a substep: until none moves its particles by more than that part
 * of its length. A link alone needs one iteration, and a chain of springs some to share the load;
 * rigid ones are never done, and gain more by shorter substeps.
 */
enum { ITERATIONS_MOST = 10 };
static const double CONVERGED = 1e-13;

/* What a line has. */
enum { WORDS = 3 };
static const char a_link[] = "i j length, two particles and the distance between them";

static void free_links(struct part *part)
{
    struct links *links = (struct links *)part;
    memory_free(links->list);
    memory_free(links);
}

static enum status add(struct links *links, const struct link *link, struct error *error)
{
    if (links->count == links->room) {
        const size_t room = links->room < 16 ? 16 : 2 * links->room;
        struct link *list = memory_resize(links->list, room, sizeof *list, "the links", error);
        if (!list)
            return STATUS_NO_MEMORY;
        links->list = list;
        links->room = room;
    }
    links->list[links->count++] = *link;
    return STATUS_DONE;
}

/* What is wrong with a link, in words; or NULL. */
static const char *find_problem(const struct system *system, uint64_t i, uint64_t j, double length)
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
    problem = find_problem(system, numbers[0], numbers[1], length);
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "link %.40s %.40s %.40s: %s", words[0], words[1],
                         words[2], problem);
    *link = (struct link){.i = (uint32_t)numbers[0], .j = (uint32_t)numbers[1], .length = length};
    return STATUS_DONE;
}

/* A file being read; large. */
struct reading {
    struct text_reader reader;
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
};

/* Reads the next line that has words, and its link; `*is_end` tells that there is none. */
static enum status read_line(struct reading *reading, struct links *links,
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
        return add(links, &link, error);
    reader->line = line;
    return status;
}

static enum status read_links(struct links *links, const char *name, const struct system *system,
                              struct error *error)
{
    FILE *stream = fopen(name, "r");
    if (!stream)
        return error_set(error, STATUS_NO_INPUT, "%.4100s: cannot open: %s", name, strerror(errno));
    struct reading *reading = memory_allocate(1, sizeof *reading, "the reader of links", error);
    enum status status = reading ? STATUS_DONE : STATUS_NO_MEMORY;
    if (reading)
        reading->reader = (struct text_reader){.stream = stream, .line = 1};
    for (int is_end = 0; !status && !is_end;)
        status = read_line(reading, links, system, &is_end, error);
    if (status == STATUS_BAD_DATA)
        error_locate(error, name, reading->reader.line);
    if (!status && reading->reader.failure)
        status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name,
                           strerror(reading->reader.failure));
    memory_free(reading);
    fclose(stream);
    return status;
}

static enum status create(const struct arguments *arguments, struct steps *steps,
                          struct part **part, struct error *error)
{
    struct links *links = memory_allocate(1, sizeof *links, "the links", error);
    if (!links)
        return STATUS_NO_MEMORY;
    *links = (struct links){.compliance = {arguments->numbers[1], arguments->numbers[2]},
                            .strength = arguments->numbers[3]};
    enum status status = STATUS_DONE;
    if (!steps->is_resumed)
        status = read_links(links, arguments->texts[0], steps->system, error);
    if (status)
        free_links(&links->part);
    else
        *part = &links->part;
    return status;
}

/*
 * The direction in which a link pulls: as it was before the substep (SHAKE: J. Ryckaert, G.
 * Ciccotti and H. Berendsen, 1977). Then what swings keeps its energy; along the direction at the
 * end, as XPBD has it, each substep takes some away. A link that has turned too far takes that.
 */
static struct vector find_pull(const struct link *link, const struct steps *steps,
                               const struct vector *normal)
{
    const struct vector *a = &steps->before[link->i];
    const struct vector *b = &steps->before[link->j];
    const struct vector way = xpbd_way(&steps->system->boundary, b->x - a->x, b->y - a->y);
    const double length = sqrt(way.x * way.x + way.y * way.y);
    if (!(way.x * normal->x + way.y * normal->y > 0.9 * length))
        return *normal;
    return (struct vector){way.x / length, way.y / length};
}

/* Projects one link. Returns how far that moves its particles, in proportion to its length. */
static double project(const struct links *links, struct link *link, struct steps *steps, double dt)
{
    const double inverse_mass = steps->inverse_mass[link->i] + steps->inverse_mass[link->j];
    if (link->is_broken || inverse_mass == 0)
        return 0;
    const struct between between = xpbd_between(steps, link->i, link->j);
    const struct vector pull = find_pull(link, steps, &between.normal);
    const double cosine = pull.x * between.normal.x + pull.y * between.normal.y;
    const struct offence offence = {between.distance - link->length,
                                    xpbd_change(steps, link->i, link->j, &between.normal),
                                    link->multiplier, inverse_mass * cosine};
    const double multiplier = xpbd_multiplier(&links->compliance, &offence, dt);
    link->multiplier += multiplier;
    link->push.x += multiplier * pull.x;
    link->push.y += multiplier * pull.y;
    xpbd_move(steps, link->i, link->j, &pull, multiplier);
    return fabs(multiplier) * inverse_mass / link->length;
}

/* Breaks a link: what it has moved in this substep moves back, for it has not held. */
static void break_link(struct link *link, struct steps *steps)
{
    xpbd_move(steps, link->i, link->j, &link->push, -1);
    link->multiplier = 0;
    link->is_broken = 1;
}

static enum status act(struct part *part, struct steps *steps, double dt, struct error *error)
{
    struct links *links = (struct links *)part;
    double moved = (double)INFINITY;
    (void)error;
    for (size_t k = 0; k < links->count; k++) {
        links->list[k].multiplier = 0;
        links->list[k].push = (struct vector){0, 0};
    }
    for (int iteration = 0; iteration < ITERATIONS_MOST && moved > CONVERGED; iteration++) {
        moved = 0;
        for (size_t k = 0; k < links->count; k++)
            moved = fmax(moved, project(links, &links->list[k], steps, dt));
    }
    for (size_t k = 0; k < links->count; k++)
        if (fabs(links->list[k].multiplier) / dt / dt > links->strength)
            break_link(&links->list[k], steps);
    return STATUS_DONE;
}

/* How far a link is from its length; 0 if it is broken. */
static double find_error(const struct link *link, const struct steps *steps)
{
    return link->is_broken ? 0 : xpbd_between(steps, link->i, link->j).distance - link->length;
}

/* That of springs: the square of the error divided by 2 alpha. */
static enum status energy(struct part *part, struct steps *steps, double *sum, struct error *error)
{
    const struct links *links = (const struct links *)part;
    (void)error;
    *sum = 0;
    for (size_t k = 0; k < links->count && links->compliance.value > 0; k++) {
        const double off = find_error(&links->list[k], steps);
        *sum += off * off / (2 * links->compliance.value);
    }
    return STATUS_DONE;
}

static double deviation(const struct part *part, const struct steps *steps)
{
    const struct links *links = (const struct links *)part;
    double largest = 0;
    for (size_t k = 0; k < links->count; k++)
        largest = fmax(largest, fabs(find_error(&links->list[k], steps)));
    return largest;
}

static void save(const struct part *part, const struct steps *steps, struct record_writer *writer)
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

static void load(struct part *part, const struct steps *steps, struct record_reader *reader)
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
        const char *problem = find_problem(steps->system, i, j, length);
        if (!reader->status && problem)
            record_refuse(reader, problem);
        if (!reader->status)
            reader->status = add(links, &link, reader->error);
    }
}

const struct part_kind link_kind = {
    .name = "link",
    .parameters = {{"file", NAN, NAN, NAN},
                   {"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"strength", (double)INFINITY, 0, SYSTEM_LARGEST}},
    .create = create,
    .act = act,
    .energy = energy,
    .deviation = deviation,
    .save = save,
    .load = load,
    .free = free_links,
};
