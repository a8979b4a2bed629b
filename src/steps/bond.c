/*
 * Bonds: springs between chosen pairs of particles, and the reader of the files that list such
 * pairs, also for links (bond.h).
 *
 * A bond of stiffness k and damping c pulls its particles together with the force
 *
 *     F = k (r - length) + c dr/dt.
 *
 * It is explicit, as all interactions are, so an oscillation keeps its energy; a soft link is
 * implicit. Forces act when only the velocities of the middle of the substep are known. Those of
 * its end, as the forces at its beginning will make them, are used for dr/dt: so errors are of
 * second order.
 */
#include "bond.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "contact.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- files of pairs ---- */

enum { WORDS = 3 }; /* in a line */
static const char a_pair[] = "i j length, two particles and the distance between them";

void chosen_pairs_free(struct chosen_pairs *pairs)
{
    memory_free(pairs->list);
}

static enum status chosen_pairs_add(struct chosen_pairs *pairs, const struct chosen_pair *pair,
                                    struct error *error)
{
    struct chosen_pair *list =
        memory_grow(pairs->list, pairs->count, &pairs->room, sizeof *list, "the pairs", error);
    if (!list)
        return STATUS_NO_MEMORY;
    pairs->list = list;
    pairs->list[pairs->count++] = *pair;
    return STATUS_DONE;
}

/* The reason why a pair is invalid; or NULL. */
static const char *pair_problem(const struct system *system, uint64_t i, uint64_t j, double length)
{
    const struct boundary *boundary = &system->boundary;
    if (i >= system->count || j >= system->count)
        return "there is no such particle";
    if (i == j)
        return "it joins two particles, not one with itself";
    if (!(length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST))
        return "the length must be from 1e-40 to 1e+40";
    if (length > elementary_length(boundary->width, boundary->height))
        return "the length is more than the diagonal of the box";
    if (((boundary->periodic & PERIODIC_X) && length > boundary->width / 2) ||
        ((boundary->periodic & PERIODIC_Y) && length > boundary->height / 2))
        return "the length is more than half of a periodic side of the box";
    return NULL;
}

/* Reads a pair from the words of a line. */
static enum status chosen_pairs_read_words(char words[WORDS][TEXT_WORD_SIZE], const char *name,
                                           const struct system *system, struct chosen_pair *pair,
                                           struct error *error)
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
        return error_set(error, STATUS_BAD_DATA, "expected %s: '%.40s' %s", a_pair, words[at - 1],
                         problem);
    problem = pair_problem(system, numbers[0], numbers[1], length);
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "%s %.40s %.40s %.40s: %s", name, words[0],
                         words[1], words[2], problem);
    *pair = (struct chosen_pair){
        .i = (uint32_t)numbers[0], .j = (uint32_t)numbers[1], .length = length};
    return STATUS_DONE;
}

/* Reads the next line that has words, and its pair; sets `*is_end` at the end of the file. */
static enum status read_pair_line(struct text_reader *reader, struct chosen_pairs *pairs,
                                  const char *name, const struct steps *steps, int *is_end)
{
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
    struct chosen_pair pair;
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
        status = chosen_pairs_read_words(words, name, steps->system, &pair, steps->error);
    else if (count > 0)
        status = error_set(steps->error, STATUS_BAD_DATA, "expected %s, found %zu %s", a_pair,
                           count, count == 1 ? "word" : "words");
    if (!status && count > 0)
        return chosen_pairs_add(pairs, &pair, steps->error);
    reader->line = line;
    return status;
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Refuses a file without pairs, or with one twice. */
static enum status chosen_pairs_check(const struct chosen_pairs *pairs, const char *name,
                                      struct error *error)
{
    if (pairs->count == 0)
        return error_set(error, STATUS_BAD_DATA, "there is no %s", name);
    uint64_t *keys = memory_allocate(pairs->count, sizeof *keys, "the pairs", error);
    enum status status = keys ? STATUS_DONE : STATUS_NO_MEMORY;
    for (size_t k = 0; keys && k < pairs->count; k++) {
        const struct chosen_pair *pair = &pairs->list[k];
        const uint64_t first = pair->i < pair->j ? pair->i : pair->j;
        const uint64_t second = pair->i < pair->j ? pair->j : pair->i;
        keys[k] = first << 32 | second;
    }
    if (keys)
        qsort(keys, pairs->count, sizeof *keys, compare_keys);
    for (size_t k = 1; keys && k < pairs->count && !status; k++)
        if (keys[k] == keys[k - 1])
            status = error_set(error, STATUS_BAD_DATA,
                               "there are two %ss of particles %" PRIu64 " and %" PRIu64, name,
                               keys[k] >> 32, keys[k] & UINT32_MAX);
    memory_free(keys);
    return status;
}

enum status chosen_pairs_read(struct chosen_pairs *pairs, const struct term *term, const char *file,
                              const struct steps *steps)
{
    const char *name = term->kind->name;
    struct text_reader *reader;
    enum status status = text_reader_open(&reader, file, "the reader of pairs", steps->error);
    if (status)
        return status;
    for (int is_end = 0; !status && !is_end;)
        status = read_pair_line(reader, pairs, name, steps, &is_end);
    if (!status && !reader->failure)
        status = chosen_pairs_check(pairs, name, steps->error);
    if (status == STATUS_BAD_DATA)
        error_locate(steps->error, file, reader->line);
    if (!status && reader->failure)
        status = error_set(steps->error, STATUS_NO_INPUT, "%.4100s: cannot read: %s", file,
                           strerror(reader->failure));
    text_reader_close(reader);
    return status;
}

void chosen_pairs_record(struct chosen_pairs *pairs, const struct steps *steps,
                         struct record *record)
{
    size_t count = pairs->count;
    record_count(record, &count, SIZE_MAX, 4);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        struct chosen_pair pair = {0};
        if (!record->is_reading)
            pair = pairs->list[k];
        record_uint32(record, &pair.i, UINT32_MAX);
        record_uint32(record, &pair.j, UINT32_MAX);
        record_number(record, &pair.length, 0, SYSTEM_LARGEST);
        record_flag(record, &pair.is_broken);
        record_end_line(record);
        const char *problem = pair_problem(steps->system, pair.i, pair.j, pair.length);
        if (record->is_reading && problem)
            record_refuse(record, "%s", problem);
        if (record->is_reading && !record->status)
            record->status = chosen_pairs_add(pairs, &pair, record->error);
    }
}

/* ---- bond ---- */

enum { BOND_MIN_SUBSTEPS = 20 }; /* in the shortest period */

struct bond_term {
    struct term term; /* the first member: see term.h */
    double stiffness; /* k, force per length */
    double damping;   /* c, force per speed */
    struct chosen_pairs pairs;
};

static enum status bonds_create(struct term *term, const struct arguments *arguments,
                                struct steps *steps)
{
    struct bond_term *bonds = (struct bond_term *)term;
    bonds->stiffness = arguments->numbers[1];
    bonds->damping = arguments->numbers[2];
    return steps->is_resumed ? STATUS_DONE
                             : chosen_pairs_read(&bonds->pairs, term, arguments->texts[0], steps);
}

/*
 * Refuses steps that are too long. A particle with n bonds adds n / mass to the square of the
 * highest frequency divided by k, so a bond of two such has not more than the sum of both.
 */
static enum status bonds_check(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    struct vector *sums = steps->force; /* which are not yet needed */
    double most = 0;
    for (size_t k = 0; k < bonds->pairs.count; k++) {
        const struct chosen_pair *pair = &bonds->pairs.list[k];
        sums[pair->i].x += steps->inverse_mass[pair->i];
        sums[pair->j].x += steps->inverse_mass[pair->j];
    }
    for (size_t k = 0; k < bonds->pairs.count; k++)
        most = fmax(most, sums[bonds->pairs.list[k].i].x + sums[bonds->pairs.list[k].j].x);
    for (size_t k = 0; k < steps->system->count; k++)
        sums[k] = (struct vector){0, 0};
    const double frequency = fmax(sqrt(bonds->stiffness * most), bonds->damping * most);
    return steps_check_period(steps, "bond", "particles with bonds", 2 * PI / frequency,
                              BOND_MIN_SUBSTEPS);
}

/* Finds how fast pairs separate at the end of the substep, while forces are those of its beginning.
 */
static enum status bonds_find_rates(struct term *term, struct steps *steps)
{
    struct bond_term *bonds = (struct bond_term *)term;
    for (size_t k = 0; k < bonds->pairs.count && bonds->damping > 0; k++) {
        struct chosen_pair *pair = &bonds->pairs.list[k];
        const struct vector *r = &steps->reaction[pair->i], *s = &steps->reaction[pair->j];
        const struct vector a = steps_acceleration(steps, pair->i);
        const struct vector b = steps_acceleration(steps, pair->j);
        const struct vector normal = xpbd_separation(steps, pair->i, pair->j).normal;
        pair->rate = separation_speed(steps, pair->i, pair->j, &normal) +
                     normal.x * ((b.x - a.x) * steps->dt / 2 + s->x - r->x) +
                     normal.y * ((b.y - a.y) * steps->dt / 2 + s->y - r->y);
    }
    return STATUS_DONE;
}

static enum status bonds_add_forces(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    for (size_t k = 0; k < bonds->pairs.count; k++) {
        const struct chosen_pair *pair = &bonds->pairs.list[k];
        const struct xpbd_separation at = xpbd_separation(steps, pair->i, pair->j);
        const double rate =
            steps->lag > 0 ? pair->rate : separation_speed(steps, pair->i, pair->j, &at.normal);
        const double force =
            bonds->stiffness * (at.distance - pair->length) + bonds->damping * rate;
        steps->force[pair->i].x += force * at.normal.x;
        steps->force[pair->i].y += force * at.normal.y;
        steps->force[pair->j].x -= force * at.normal.x;
        steps->force[pair->j].y -= force * at.normal.y;
    }
    return STATUS_DONE;
}

static enum status bonds_add_energy(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    double sum = 0;
    for (size_t k = 0; k < bonds->pairs.count; k++) {
        const struct chosen_pair *pair = &bonds->pairs.list[k];
        const struct xpbd_separation at = xpbd_separation(steps, pair->i, pair->j);
        const double off = at.distance - pair->length;
        const double rate = separation_speed(steps, pair->i, pair->j, &at.normal);
        sum += off * off;
        steps->virial -= (bonds->stiffness * off + bonds->damping * rate) * at.distance;
    }
    steps->potential += bonds->stiffness / 2 * sum;
    return STATUS_DONE;
}

static void bonds_state(struct term *term, const struct steps *steps, struct record *record)
{
    chosen_pairs_record(&((struct bond_term *)term)->pairs, steps, record);
}

static size_t bonds_list_joint(const struct term *term, size_t k, struct joint *joint)
{
    const struct chosen_pairs *pairs = &((const struct bond_term *)term)->pairs;
    if (k < pairs->count)
        *joint = (struct joint){.a = pairs->list[k].i, .b = pairs->list[k].j};
    return pairs->count;
}

static void bonds_free(struct term *term)
{
    chosen_pairs_free(&((struct bond_term *)term)->pairs);
}

const struct term_kind bond_kind = {
    .name = "bond",
    .size = sizeof(struct bond_term),
    .parameters = {{"file", NAN, NAN, NAN},
                   {"k", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"damping", 0, 0, SYSTEM_LARGEST}},
    .create = bonds_create,
    .act = {[PHASE_PREPARE] = bonds_check,
            [PHASE_RATES] = bonds_find_rates,
            [PHASE_FORCES] = bonds_add_forces,
            [PHASE_ENERGY] = bonds_add_energy},
    .list_joint = bonds_list_joint,
    .state = bonds_state,
    .free = bonds_free,
};
