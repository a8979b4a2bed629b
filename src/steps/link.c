/*
 * Links: pairs of particles at a fixed distance (contact.h). A line of their file is "i j length".
 * They are projected in the order of the lines. The strain of a link of compliance alpha is alpha
 * times its force; one whose force is larger than `strength` breaks, and stays broken.
 */
#include "base/elementary.h"
#include "base/memory.h"
#include "contact.h"
#include "io/text.h"
#include "term.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct link {
    uint32_t i, j; /* the numbers of its particles */
    double length; /* without force, more than 0 */
    int is_broken;
    double multiplier;  /* of this substep; divided by dt^2 its force */
    struct vector push; /* of this substep: the sum of multipliers times directions, mass length */
};

struct links {
    struct term term; /* the first member: see term.h */
    struct xpbd_compliance compliance;
    double strength; /* the largest force before a link breaks; or INFINITY */
    size_t count, room;
    struct link *list; /* `count` links, `room` allocated; owned */
};

/*
 * In a substep links are projected until none moves its particles by more than CONVERGED times its
 * length, at most MAX_ITERATIONS times. One link needs one iteration, a chain of springs a few
 * more. Chains of rigid links do not converge in these; shorter substeps reduce their error at less
 * cost.
 */
enum { MAX_ITERATIONS = 10 };
static const double CONVERGED = 1e-13;

/* At the start of a run: enough for a chain of 50 rigid links to converge. */
enum { MAX_START_ITERATIONS = 10000 };
static const double MAX_START_ERROR = 1e-6; /* of the length, after that */

enum { WORDS = 3 }; /* in a line */
static const char a_link[] = "i j length, two particles and the distance between them";

static void links_free(struct term *term)
{
    memory_free(((struct links *)term)->list);
}

static enum status add_link(struct links *links, const struct link *link, struct error *error)
{
    struct link *list =
        memory_grow(links->list, links->count, &links->room, sizeof *list, "the links", error);
    if (!list)
        return STATUS_NO_MEMORY;
    links->list = list;
    links->list[links->count++] = *link;
    return STATUS_DONE;
}

/* The reason why a link is invalid; or NULL. */
static const char *link_problem(const struct system *system, uint64_t i, uint64_t j, double length)
{
    const struct boundary *boundary = &system->boundary;
    if (i >= system->count || j >= system->count)
        return "there is no such particle";
    if (i == j)
        return "a link joins two particles, not one with itself";
    if (!(length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST))
        return "the length must be from 1e-40 to 1e+40";
    if (length > elementary_length(boundary->width, boundary->height))
        return "the length is more than the diagonal of the box";
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

/* Reads the next line that has words, and its link; sets `*is_end` at the end of the file. */
static enum status read_link_line(struct text_reader *reader, struct links *links,
                                  const struct system *system, int *is_end, struct error *error)
{
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
    struct link link;
    size_t count = 0;
    enum text_piece piece = text_next(reader, 0);
    const size_t line = reader->line;
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1)) {
        if (count < WORDS)
            memcpy(words[count], reader->word, TEXT_WORD_SIZE);
        count++;
    }
    *is_end = piece != TEXT_LINE_END;
    enum status status = STATUS_DONE;
    if (count == WORDS)
        status = read_link(words, system, &link, error);
    else if (count > 0)
        status = error_set(error, STATUS_BAD_DATA, "expected %s, found %zu %s", a_link, count,
                           count == 1 ? "word" : "words");
    if (!status && count > 0)
        return add_link(links, &link, error);
    reader->line = line;
    return status;
}

static int links_compare_pairs(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Refuses a file without links, or with two of the same particles. */
static enum status links_check_pairs(const struct links *links, struct error *error)
{
    uint64_t *pairs = memory_allocate(links->count, sizeof *pairs, "the pairs of links", error);
    enum status status = pairs ? STATUS_DONE : STATUS_NO_MEMORY;
    for (size_t k = 0; pairs && k < links->count; k++) {
        const struct link *link = &links->list[k];
        const uint64_t first = link->i < link->j ? link->i : link->j;
        const uint64_t second = link->i < link->j ? link->j : link->i;
        pairs[k] = first << 32 | second;
    }
    if (pairs)
        qsort(pairs, links->count, sizeof *pairs, links_compare_pairs);
    for (size_t k = 1; pairs && k < links->count && !status; k++)
        if (pairs[k] == pairs[k - 1])
            status = error_set(error, STATUS_BAD_DATA,
                               "there are two links of particles %" PRIu64 " and %" PRIu64,
                               pairs[k] >> 32, pairs[k] & UINT32_MAX);
    memory_free(pairs);
    return status;
}

static enum status read_links(struct links *links, const char *name, const struct system *system,
                              struct error *error)
{
    struct text_reader *reader;
    enum status status = text_reader_open(&reader, name, "the reader of links", error);
    if (status)
        return status;
    for (int is_end = 0; !status && !is_end;)
        status = read_link_line(reader, links, system, &is_end, error);
    if (!status && !reader->failure && links->count == 0)
        status = error_set(error, STATUS_BAD_DATA, "there is no link");
    if (!status && !reader->failure)
        status = links_check_pairs(links, error);
    if (status == STATUS_BAD_DATA)
        error_locate(error, name, reader->line);
    if (!status && reader->failure)
        status = error_set(error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", name,
                           strerror(reader->failure));
    text_reader_close(reader);
    return status;
}

static enum status links_create(struct term *term, const struct arguments *arguments,
                                struct steps *steps)
{
    struct links *links = (struct links *)term;
    links->compliance = (struct xpbd_compliance){arguments->numbers[1], arguments->numbers[2]};
    links->strength = arguments->numbers[3];
    if (steps->is_resumed)
        return STATUS_DONE;
    return read_links(links, arguments->texts[0], steps->system, steps->error);
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
    const double length = vector_length(&displacement);
    if (!(displacement.x * normal->x + displacement.y * normal->y > 0.9 * length))
        return *normal;
    return (struct vector){displacement.x / length, displacement.y / length};
}

/* Projects one link. Returns how far that moves its particles, divided by its length. */
static double project_link(const struct links *links, struct link *link, struct steps *steps)
{
    const double inverse_mass = steps->mobility[link->i] + steps->mobility[link->j];
    if (link->is_broken || inverse_mass == 0)
        return 0;
    const struct xpbd_separation separation = xpbd_separation(steps, link->i, link->j);
    const struct vector pull = pull_direction(link, steps, &separation.normal);
    const double cosine = pull.x * separation.normal.x + pull.y * separation.normal.y;
    const double multiplier =
        xpbd_multiplier(&links->compliance, steps->dt, separation.distance - link->length,
                        xpbd_change(steps, link->i, link->j, &separation.normal), link->multiplier,
                        inverse_mass * cosine);
    link->multiplier += multiplier;
    link->push.x += multiplier * pull.x;
    link->push.y += multiplier * pull.y;
    xpbd_move(steps, link->i, link->j, &pull, multiplier);
    return fabs(multiplier) * inverse_mass / link->length;
}

/* The degrees of freedom that a link takes. */
static size_t link_freedom(const struct links *links, const struct link *link,
                           const struct steps *steps)
{
    return links->compliance.value == 0 && !link->is_broken &&
           steps->inverse_mass[link->i] + steps->inverse_mass[link->j] > 0;
}

static enum status links_count(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    for (size_t k = 0; k < links->count; k++)
        steps->system->fixed += link_freedom(links, &links->list[k], steps);
    return STATUS_DONE;
}

static int is_overloaded(const struct links *links, const struct link *link,
                         const struct steps *steps)
{
    return fabs(link->multiplier) / steps->dt / steps->dt > links->strength;
}

/* Undoes the moves of a link in this substep. */
static void undo_link(struct link *link, struct steps *steps)
{
    xpbd_move(steps, link->i, link->j, &link->push, -1);
    link->multiplier = 0;
}

/* Removes the speed along a rigid link. Returns it times dt, divided by the length. */
static double stop_link(const struct links *links, struct link *link, struct steps *steps)
{
    const double a = steps->mobility[link->i], b = steps->mobility[link->j];
    if (link->is_broken || links->compliance.value > 0 || a + b == 0)
        return 0;
    const struct vector normal = xpbd_separation(steps, link->i, link->j).normal;
    const double speed = separation_speed(steps, link->i, link->j, &normal);
    const double impulse = speed / (a + b);
    steps_push(steps, link->i, &normal, a * impulse, 1);
    steps_push(steps, link->j, &normal, -b * impulse, 1);
    return fabs(speed) * steps->dt / link->length;
}

/* Relaxes all links until they converge, at most `iterations` times. */
static void relax_links(struct links *links, struct steps *steps, int iterations,
                        double (*relax)(const struct links *links, struct link *link,
                                        struct steps *steps))
{
    double moved = (double)INFINITY;
    for (int iteration = 0; iteration < iterations && moved > CONVERGED; iteration++) {
        moved = 0;
        for (size_t k = 0; k < links->count; k++)
            moved = fmax(moved, relax(links, &links->list[k], steps));
    }
}

/* Refuses a rigid link that rotates so far in a substep that its projection would lose energy. */
static enum status check_link(const struct link *link, const struct steps *steps)
{
    const struct particle *p = &steps->system->particles[link->i];
    const struct particle *q = &steps->system->particles[link->j];
    const struct vector velocity = {q->u - p->u, q->v - p->v};
    const double moved = vector_length(&velocity) * steps->dt;
    if (link->is_broken || moved <= link->length / 2)
        return STATUS_DONE;
    return error_set(steps->error, STATUS_BAD_DATA,
                     "particles %" PRIu32 " and %" PRIu32 " of a link move by %g relative to each "
                     "other in a substep after time %g, and the most is half of its length, %g: "
                     "reduce --step, or raise --substeps",
                     link->i, link->j, moved, p->t, link->length / 2);
}

static enum status links_project(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < links->count && !status; k++) {
        links->list[k].multiplier = 0;
        links->list[k].push = (struct vector){0, 0};
        if (links->compliance.value == 0)
            status = check_link(&links->list[k], steps);
    }
    if (status)
        return status;
    relax_links(links, steps, MAX_ITERATIONS, project_link);
    for (size_t k = 0; k < links->count; k++) {
        if (is_overloaded(links, &links->list[k], steps)) {
            undo_link(&links->list[k], steps);
            steps->system->fixed -= link_freedom(links, &links->list[k], steps);
            links->list[k].is_broken = 1;
        }
    }
    return STATUS_DONE;
}

/* The velocities of rigid links at the end of a substep (RATTLE: H. C. Andersen, J. Comput. Phys.
 * 52, 24, 1983). */
static enum status links_end(struct term *term, struct steps *steps)
{
    relax_links((struct links *)term, steps, MAX_ITERATIONS, stop_link);
    return STATUS_DONE;
}

/* The violation of a link; 0 if it is broken. */
static double link_error(const struct link *link, const struct steps *steps)
{
    return link->is_broken ? 0 : xpbd_separation(steps, link->i, link->j).distance - link->length;
}

/* Projects springs where the particles would move to in the first substep. Rigid links need no
 * reaction: they remove all speed along them. */
static enum status links_react(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value == 0)
        return STATUS_DONE;
    relax_links(links, steps, MAX_ITERATIONS, project_link);
    for (size_t k = 0; k < links->count; k++)
        if (is_overloaded(links, &links->list[k], steps))
            undo_link(&links->list[k], steps);
    return STATUS_DONE;
}

/* Gives rigid links their lengths. Links of strength 0 bear nothing: they break in the substep. */
static enum status links_start(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    int is_off = 0;
    for (size_t k = 0; k < links->count; k++)
        is_off |= fabs(link_error(&links->list[k], steps)) > CONVERGED * links->list[k].length;
    if (!is_off || links->compliance.value > 0 || links->strength == 0)
        return STATUS_DONE;
    relax_links(links, steps, MAX_START_ITERATIONS, project_link);
    for (size_t k = 0; k < links->count; k++) {
        const struct link *link = &links->list[k];
        const double off = link_error(link, steps);
        if (fabs(off) > MAX_START_ERROR * link->length &&
            steps->mobility[link->i] + steps->mobility[link->j] > 0)
            return error_set(steps->error, STATUS_BAD_DATA,
                             "the link of particles %" PRIu32 " and %" PRIu32 " would begin with "
                             "a length of %g instead of %g: place particles at the lengths of "
                             "their links",
                             link->i, link->j, link->length + off, link->length);
    }
    return STATUS_DONE;
}

/* The energy of springs: the square of the error divided by 2 alpha. */
static enum status links_add_energy(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    double sum = 0;
    for (size_t k = 0; k < links->count && links->compliance.value > 0; k++) {
        const double off = link_error(&links->list[k], steps);
        sum += off * off / (2 * links->compliance.value);
    }
    steps->potential += sum;
    return STATUS_DONE;
}

static double links_deviation(const struct term *term, const struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    double largest = 0;
    for (size_t k = 0; k < links->count; k++)
        largest = fmax(largest, fabs(link_error(&links->list[k], steps)));
    return largest;
}

static size_t links_list_joint(const struct term *term, size_t k, struct joint *joint)
{
    const struct links *links = (const struct links *)term;
    if (k < links->count)
        *joint = (struct joint){links->list[k].i, links->list[k].j, links->list[k].is_broken};
    return links->count;
}

static void links_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct links *links = (struct links *)term;
    size_t count = links->count;
    record_count(record, &count, SIZE_MAX, 4);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        struct link link = {0};
        if (!record->is_reading)
            link = links->list[k];
        record_uint32(record, &link.i, UINT32_MAX);
        record_uint32(record, &link.j, UINT32_MAX);
        record_number(record, &link.length, 0, SYSTEM_LARGEST);
        record_flag(record, &link.is_broken);
        record_end_line(record);
        const char *problem = link_problem(steps->system, link.i, link.j, link.length);
        if (record->is_reading && problem)
            record_refuse(record, "%s", problem);
        if (record->is_reading && !record->status)
            record->status = add_link(links, &link, record->error);
        if (record->is_reading && !record->status)
            steps->system->fixed += link_freedom(links, &link, steps);
    }
}

const struct term_kind link_kind = {
    .name = "link",
    .size = sizeof(struct links),
    .parameters = {{"file", NAN, NAN, NAN},
                   {"compliance", 0, 0, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST},
                   {"strength", (double)INFINITY, 0, SYSTEM_LARGEST}},
    .create = links_create,
    .act = {[PHASE_PREPARE] = links_count,
            [PHASE_START] = links_start,
            [PHASE_REACT] = links_react,
            [PHASE_CONSTRAINTS] = links_project,
            [PHASE_END] = links_end,
            [PHASE_ENERGY] = links_add_energy},
    .list_joint = links_list_joint,
    .deviation = links_deviation,
    .state = links_state,
    .free = links_free,
};
