/* Bonds and links, between pairs of particles that a file lists: a line is "i j length". */
#include "base/elementary.h"
#include "base/memory.h"
#include "term.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pairs ---- */

enum { WORDS = 3 }; /* in a line */
static const char a_pair[] = "i j length, two particles and the distance between them";

static enum status chosen_pairs_add(struct term_pairs *pairs, const struct term_pair *pair,
                                    struct error *error)
{
    pairs->list = memory_extend(pairs->list, pairs->count, &pairs->room, sizeof *pairs->list,
                                "the pairs", error);
    if (!pairs->list)
        return STATUS_NO_MEMORY;
    pairs->list[pairs->count++] = *pair;
    return STATUS_DONE;
}

/* The reason why a pair is invalid; or NULL. */
static const char *pair_problem(const struct system *system, uint64_t i, uint64_t j, double length)
{
    const struct boundary *boundary = &system->boundary;
    const struct pair_shift periods = boundary_periods(boundary);
    if (i >= system->count || j >= system->count)
        return "there is no such particle";
    if (i == j)
        return "it joins two particles, not one with itself";
    if (!(length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST))
        return "the length must be from 1e-40 to 1e+40";
    if (length > elementary_length(boundary->width, boundary->height))
        return "the length is more than the diagonal of the box";
    if (length > fmin(periods.x, periods.y) / 2)
        return "the length is more than half of a periodic side of the box";
    return NULL;
}

static enum status add_pair_words(struct term *term, char words[WORDS][TEXT_WORD_SIZE])
{
    const struct steps *steps = term->steps;
    uint64_t i = 0, j = 0;
    double length = 0;
    size_t at = 0; /* of the word that has a problem */
    const char *problem;
    if ((problem = text_whole_number(words[at], &i)) ||
        (problem = text_whole_number(words[at = 1], &j)) ||
        (problem = text_number(words[at = 2], &length)))
        return error_set(steps->error, STATUS_BAD_DATA, "expected %s: '%.40s' %s", a_pair,
                         words[at], problem);
    problem = pair_problem(steps->system, i, j, length);
    if (problem)
        return error_set(steps->error, STATUS_BAD_DATA, "%s %.40s %.40s %.40s: %s",
                         term->kind->name, words[0], words[1], words[2], problem);
    const struct particle *p = &steps->system->particles[i], *q = &steps->system->particles[j];
    const struct boundary *box = &steps->system->boundary;
    const struct pair_shift image = boundary_image(box, q->x - p->x, q->y - p->y);
    struct term_pair pair = {.i = (uint32_t)i, .j = (uint32_t)j, .length = length};
    pair.x_image = (int32_t)(image.x / box->width);
    pair.y_image = (int32_t)(image.y / box->height);
    return chosen_pairs_add(&term->pairs, &pair, steps->error);
}

/* Reads the next line that has words, and its pair; sets `*is_end` at the end of the file. */
static enum status read_pair_line(struct term *term, struct text_reader *reader, int *is_end)
{
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
    size_t count = 0;
    enum text_piece piece = text_next(reader, 0);
    const size_t line = reader->line;
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1))
        if (count++ < WORDS)
            memcpy(words[count - 1], reader->word, TEXT_WORD_SIZE);
    *is_end = piece != TEXT_LINE_END;
    enum status status = STATUS_DONE;
    if (count == WORDS)
        status = add_pair_words(term, words);
    else if (count > 0)
        status = error_set(term->steps->error, STATUS_BAD_DATA, "expected %s, found %zu %s", a_pair,
                           count, count == 1 ? "word" : "words");
    if (status || count == 0)
        reader->line = line; /* for messages */
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Refuses a pair that is there twice, and clears `*line`, the last of the file: sorted by
 * i * 2^32 + j, i < j, both stand side by side. */
static enum status check_pairs(const struct term *term, size_t *line)
{
    const struct term_pairs *pairs = &term->pairs;
    const char *name = term->kind->name;
    struct error *error = term->steps->error;
    if (pairs->count == 0)
        return error_set(error, STATUS_BAD_DATA, "there is no %s", name);
    uint64_t *keys = memory_allocate(pairs->count, sizeof *keys, "the pairs", error);
    if (!keys)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < pairs->count; k++) {
        const uint64_t i = pairs->list[k].i, j = pairs->list[k].j;
        keys[k] = i < j ? i << 32 | j : j << 32 | i;
    }
    qsort(keys, pairs->count, sizeof *keys, compare_keys);
    *line = 0;
    enum status status = STATUS_DONE;
    for (size_t k = 1; k < pairs->count && !status; k++)
        if (keys[k] == keys[k - 1])
            status = error_set(error, STATUS_BAD_DATA,
                               "there are two %ss of particles %" PRIu64 " and %" PRIu64, name,
                               keys[k] >> 32, keys[k] & UINT32_MAX);
    memory_free(keys);
    return status;
}

/* Reads the pairs of a term, unless they come from a checkpoint. */
static enum status read_pairs(struct term *term, const char *file)
{
    struct error *error = term->steps->error;
    struct text_reader *reader;
    if (term->steps->is_resumed)
        return STATUS_DONE;
    enum status status = text_reader_open(&reader, file, "the reader of pairs", error);
    if (status)
        return status;
    for (int is_end = 0; !status && !is_end;)
        status = read_pair_line(term, reader, &is_end);
    if (!status && !reader->failure)
        status = check_pairs(term, &reader->line);
    if (status == STATUS_BAD_DATA)
        error_locate(error, status, file, reader->line);
    return text_reader_close(reader, status, file, error);
}

static void pairs_state(struct term *term, const struct steps *steps, struct record *record)
{
    size_t count = term->pairs.count;
    record_count(record, &count, SIZE_MAX, 4);
    record_end_line(record);
    term->pairs.count = record->is_reading ? 0 : count;
    for (size_t k = 0; k < count && !record->status; k++) {
        struct term_pair pair = {0};
        if (!record->is_reading)
            pair = term->pairs.list[k];
        record_uint32(record, &pair.i, UINT32_MAX);
        record_uint32(record, &pair.j, UINT32_MAX);
        record_number(record, &pair.length, 0, SYSTEM_LARGEST);
        record_flag(record, &pair.is_broken);
        record_numbers(record, &pair.damped, 1);
        record_int32(record, &pair.x_image, -1, 1);
        record_int32(record, &pair.y_image, -1, 1);
        record_end_line(record);
        const char *problem = pair_problem(steps->system, pair.i, pair.j, pair.length);
        if (record->is_reading && problem)
            record_refuse(record, "%s", problem);
        if (record->is_reading && !record->status)
            record->status = chosen_pairs_add(&term->pairs, &pair, record->error);
    }
}

/* From i to the image of j that the pair keeps, `before` the substep, or if that is NULL now. */
static struct xpbd_separation pair_separate(const struct term_pair *pair, const struct steps *steps,
                                            const struct vector *before)
{
    const struct system *system = steps->system;
    const struct particle *p = &system->particles[pair->i], *q = &system->particles[pair->j];
    const struct particle_counts *a = &system->counts[pair->i], *b = &system->counts[pair->j];
    const struct vector from = before ? before[pair->i] : (struct vector){p->x, p->y};
    const struct vector to = before ? before[pair->j] : (struct vector){q->x, q->y};
    const double x_image = (double)(b->x_image - a->x_image + pair->x_image);
    const double y_image = (double)(b->y_image - a->y_image + pair->y_image);
    return xpbd_separate((struct vector){to.x - from.x + system->boundary.width * x_image,
                                         to.y - from.y + system->boundary.height * y_image});
}

/* ---- bond ---- */

/*
 * A bond of stiffness k and damping c pulls its particles together with the force
 *
 *     F = k (r - length) + c dr/dt.
 *
 * It is explicit, as all interactions are, so an oscillation keeps its energy; a soft link is
 * implicit. Forces act when only the velocities of the middle of the substep are known. For dr/dt
 * these are advanced to its end by the forces at its beginning, so errors are of second order.
 */

enum { BOND_MIN_SUBSTEPS = 20 }; /* in the shortest period */

struct bond_term {
    struct term term; /* the first member: see term.h */
    double stiffness; /* k, force per length */
    double damping;   /* c, force per speed */
};

static enum status bonds_create(struct term *term, const struct text_arguments *arguments,
                                struct steps *steps)
{
    struct bond_term *bonds = (struct bond_term *)term;
    bonds->stiffness = arguments->numbers[1];
    bonds->damping = arguments->numbers[2];
    (void)steps;
    return read_pairs(term, arguments->texts[0]);
}

/* Refuses steps that are too long. A particle with n bonds adds n / mass to the square of the
 * highest frequency divided by k, so a bond of two such has not more than the sum of both. */
static enum status bonds_check(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    const struct term_pair *pairs = term->pairs.list;
    struct vector *sums = steps->force; /* which are not yet needed */
    double most = 0;
    for (size_t k = 0; k < term->pairs.count; k++) {
        sums[pairs[k].i].x += steps->inverse_mass[pairs[k].i];
        sums[pairs[k].j].x += steps->inverse_mass[pairs[k].j];
    }
    for (size_t k = 0; k < term->pairs.count; k++)
        most = fmax(most, sums[pairs[k].i].x + sums[pairs[k].j].x);
    memset(sums, 0, steps->system->count * sizeof *sums);
    const double frequency = fmax(sqrt(bonds->stiffness * most), bonds->damping * most);
    return steps_check_period(steps, "bond", "particles with bonds", 2 * PI / frequency,
                              BOND_MIN_SUBSTEPS);
}

/* Finds how fast pairs separate at the end of the substep, from the forces at its beginning. */
static enum status bonds_find_rates(struct term *term, struct steps *steps)
{
    struct bond_term *bonds = (struct bond_term *)term;
    for (size_t k = 0; k < bonds->term.pairs.count && bonds->damping > 0; k++) {
        struct term_pair *pair = &bonds->term.pairs.list[k];
        const struct vector *r = &steps->reaction[pair->i], *s = &steps->reaction[pair->j];
        const struct vector a = steps_acceleration(steps, pair->i);
        const struct vector b = steps_acceleration(steps, pair->j);
        const struct vector normal = pair_separate(pair, steps, NULL).normal;
        pair->rate = separation_speed(steps, pair->i, pair->j, &normal) +
                     normal.x * ((b.x - a.x) * steps->dt / 2 + s->x - r->x) +
                     normal.y * ((b.y - a.y) * steps->dt / 2 + s->y - r->y);
    }
    return STATUS_DONE;
}

static enum status bonds_add_forces(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    for (size_t k = 0; k < bonds->term.pairs.count; k++) {
        const struct term_pair *pair = &bonds->term.pairs.list[k];
        const struct xpbd_separation at = pair_separate(pair, steps, NULL);
        const double rate =
            steps->lag > 0 ? pair->rate : separation_speed(steps, pair->i, pair->j, &at.normal);
        const double force =
            bonds->stiffness * (at.distance - pair->length) + bonds->damping * rate;
        vector_add(&steps->force[pair->i], force, &at.normal);
        vector_add(&steps->force[pair->j], -force, &at.normal);
    }
    return STATUS_DONE;
}

static enum status bonds_add_energy(struct term *term, struct steps *steps)
{
    const struct bond_term *bonds = (const struct bond_term *)term;
    double sum = 0;
    for (size_t k = 0; k < bonds->term.pairs.count; k++) {
        const struct term_pair *pair = &bonds->term.pairs.list[k];
        const struct xpbd_separation at = pair_separate(pair, steps, NULL);
        const double off = at.distance - pair->length;
        const double rate = separation_speed(steps, pair->i, pair->j, &at.normal);
        sum += off * off;
        steps->virial -= (bonds->stiffness * off + bonds->damping * rate) * at.distance;
    }
    steps->potential += bonds->stiffness / 2 * sum;
    return STATUS_DONE;
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
    .state = pairs_state,
};

/* ---- link ---- */

/*
 * Links: pairs of particles at a fixed distance (XPBD, term.h). The strain of a link of
 * compliance alpha is alpha times its force; one whose force is larger than `strength` breaks, and
 * stays broken.
 *
 * Each link moves its particles by their mobilities times a multiplier. Links that share a particle
 * depend on each other, so Newton's method solves for all multipliers at once, however stiff links
 * are and whatever the masses. Its matrix is sparse, and its pattern is found once: links are
 * eliminated from the ends inwards, backwards in the order of a breadth-first search. In chains and
 * trees no entry then becomes nonzero that was 0, and a solution takes a time in proportion to the
 * number of links. The matrix is not symmetric, for links may pull in other directions than their
 * present ones; its pattern is. Row by row it is factorised as L U without pivoting, with the
 * pattern from the elimination tree (T. A. Davis, Direct Methods for Sparse Linear Systems, 2006,
 * chapters 4 and 6).
 *
 * In nets the loops would fill the matrix. There links are relaxed one after the other, which does
 * where they are soft or steps are short; where it does not, the run warns.
 */

struct link {
    struct xpbd_separation before; /* the substep */
    double multiplier;             /* of this substep; divided by dt^2 its force */
    struct vector push;            /* the sum of multipliers times directions, mass length */
    struct vector normal;          /* its equation: along which its distance changes, */
    struct vector pull;            /* along which it moves its particles, and by how much the */
    double right, change;          /* distance has to change; and what it adds to the multiplier */
    size_t row;
};

/* An entry of L, and the entry of U across the diagonal. */
struct link_factor {
    size_t column;
    double lower, upper;
};

struct link_row {
    size_t link;
    size_t first, end;   /* its factors, each after those on which it depends */
    size_t parent, mark; /* in the elimination tree; the last row that came by */
    double inverse;      /* 1 / pivot, or 0 */
    double lower, upper; /* while a row is factorised: its entries in this column */
};

struct links {
    struct term term; /* the first member: see term.h */
    struct xpbd_compliance compliance;
    double strength;             /* the largest force before a link breaks; or INFINITY */
    struct link *list;           /* of the pairs; owned */
    struct link_row *rows;       /* in the order of elimination; owned */
    size_t *first_end;           /* of each particle that moves, in `ends`; owned */
    size_t *ends;                /* 2 k or 2 k + 1: the first or second end of link k; not owned */
    struct link_factor *factors; /* of all rows; owned */
    size_t factor_count, factor_room;
    int is_direct;           /* not too expensive to be solved */
    double softness, weight; /* of a substep: alpha / dt^2, 1 / mass; 1 + alpha beta / dt */
    int is_tense;     /* so that particles swing across a link faster than substeps can follow: */
    int pulls_at_end; /* then the old direction is unstable, and that at the end is used */
    int has_warned;
};

/* Moves of particles, divided by the lengths of links. Relaxation has converged when all moves are
 * below the first; moves below the second are not made; and if a move above the last is left, the
 * run warns, or does not begin. */
static const double CONVERGED = 1e-13;
static const double ROUNDING = 1e-16;
static const double MAX_ERROR = 1e-6;

/* Iterations of Newton's method; of relaxation in a substep, and at the start of a run. */
enum { MAX_NEWTON = 20, MAX_ITERATIONS = 10, MAX_START_ITERATIONS = 10000 };

static const double MAX_COST = 100;    /* operations to eliminate a link, on average */
static const double MIN_PIVOT = 1e-13; /* of the diagonal: less is a rounding error */
static const size_t NONE = SIZE_MAX;

static void links_free(struct term *term)
{
    struct links *links = (struct links *)term;
    memory_free(links->list);
    memory_free(links->rows);
    memory_free(links->first_end);
    memory_free(links->factors);
}

static enum status links_create(struct term *term, const struct text_arguments *arguments,
                                struct steps *steps)
{
    struct links *links = (struct links *)term;
    links->compliance = (struct xpbd_compliance){arguments->numbers[1], arguments->numbers[2]};
    links->strength = arguments->numbers[3];
    (void)steps;
    return read_pairs(term, arguments->texts[0]);
}

/* ---- the order of elimination ---- */

static size_t particle_at(const struct links *links, size_t end)
{
    const struct term_pair *pair = &links->term.pairs.list[end / 2];
    return end % 2 ? pair->j : pair->i;
}

static void list_ends(struct links *links, const struct steps *steps)
{
    const size_t particles = steps->system->count;
    size_t *first = links->first_end;
    memset(first, 0, (particles + 1) * sizeof *first);
    for (size_t end = 0; end < 2 * links->term.pairs.count; end++)
        first[particle_at(links, end)] += steps->inverse_mass[particle_at(links, end)] > 0;
    for (size_t k = 1; k <= particles; k++)
        first[k] += first[k - 1]; /* it falls to the first one, as ends are put in backwards */
    for (size_t end = 2 * links->term.pairs.count; end-- > 0;)
        if (steps->inverse_mass[particle_at(links, end)] > 0)
            links->ends[--first[particle_at(links, end)]] = end;
}

/* Gives each link its row, from the last one on. */
static void order_links(struct links *links)
{
    size_t next = links->term.pairs.count, done = next;
    for (size_t k = 0; next > 0; k++) {
        if (links->list[k].row == NONE)
            links->rows[links->list[k].row = --next].link = k;
        for (; done > next; done--) {
            for (size_t side = 0; side < 2; side++) {
                const size_t *at =
                    &links->first_end[particle_at(links, 2 * links->rows[done - 1].link + side)];
                for (size_t end = at[0]; end < at[1]; end++) {
                    struct link *other = &links->list[links->ends[end] / 2];
                    if (other->row == NONE)
                        links->rows[other->row = --next].link = links->ends[end] / 2;
                }
            }
        }
    }
}

/* Finds the columns of row `k`: of its neighbours, and from there up the tree. */
static enum status find_link_columns(struct links *links, size_t k, struct error *error)
{
    struct link_row *rows = links->rows;
    rows[k].first = links->factor_count;
    rows[k].mark = k;
    for (size_t side = 0; side < 2; side++) {
        const size_t *at = &links->first_end[particle_at(links, 2 * rows[k].link + side)];
        for (size_t end = at[0]; end < at[1]; end++) {
            size_t column = links->list[links->ends[end] / 2].row;
            for (; column < k && rows[column].mark != k; column = rows[column].parent) {
                links->factors =
                    memory_extend(links->factors, links->factor_count, &links->factor_room,
                                  sizeof *links->factors, "the equations of links", error);
                if (!links->factors)
                    return STATUS_NO_MEMORY;
                struct link_factor *factors = links->factors;
                size_t at_column = links->factor_count++; /* in ascending order */
                for (; at_column > rows[k].first && factors[at_column - 1].column > column;
                     at_column--)
                    factors[at_column].column = factors[at_column - 1].column;
                factors[at_column].column = column;
                rows[column].mark = k;
                rows[column].parent = rows[column].parent == NONE ? k : rows[column].parent;
            }
        }
    }
    rows[k].end = links->factor_count;
    return STATUS_DONE;
}

/* Finds the order and the pattern, unless solving takes too many operations. */
static enum status find_pattern(struct links *links, struct steps *steps)
{
    static const char what[] = "the equations of links";
    const size_t count = links->term.pairs.count;
    enum status status = STATUS_DONE;
    double cost = 0;
    links->list = memory_allocate(count, sizeof *links->list, what, steps->error);
    links->rows = memory_allocate(count, sizeof *links->rows, what, steps->error);
    links->first_end = memory_allocate(2 * count + steps->system->count + 1,
                                       sizeof *links->first_end, what, steps->error);
    if (!links->list || !links->rows || !links->first_end)
        return STATUS_NO_MEMORY;
    links->ends = links->first_end + steps->system->count + 1;
    for (size_t k = 0; k < count; k++) {
        links->list[k] = (struct link){.row = NONE};
        links->rows[k] = (struct link_row){.parent = NONE, .mark = NONE};
    }
    list_ends(links, steps);
    order_links(links);
    for (size_t k = 0; k < count && cost <= MAX_COST * (double)count && !status; k++) {
        status = find_link_columns(links, k, steps->error);
        for (size_t at = links->rows[k].first; at < links->factor_count; at++) {
            const struct link_row *row = &links->rows[links->factors[at].column];
            cost += 1 + (double)(row->end - row->first);
        }
    }
    links->is_direct = cost <= MAX_COST * (double)count;
    return status;
}

/* ---- the equations ---- */

static double find_diagonal(const struct links *links, size_t k, const struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    const struct link *link = &links->list[k];
    return links->weight * ((steps->mobility[pair->i] + steps->mobility[pair->j]) *
                            vector_product(&link->pull, &link->normal)) +
           links->softness;
}

/* Adds the entries of a row, and of that column of U, by the links at one of its ends. */
static void add_entries(struct links *links, size_t k, size_t own_end, const struct steps *steps)
{
    const size_t particle = particle_at(links, own_end);
    const struct link *own = &links->list[own_end / 2];
    for (size_t at = links->first_end[particle]; at < links->first_end[particle + 1]; at++) {
        const size_t end = links->ends[at];
        const struct link *other = &links->list[end / 2];
        const double mobility = links->weight * steps->mobility[particle];
        const double moved = (own_end - end) % 2 ? -mobility : mobility;
        if (other->row >= k)
            continue;
        links->rows[other->row].lower += moved * vector_product(&own->normal, &other->pull);
        links->rows[other->row].upper += moved * vector_product(&other->normal, &own->pull);
    }
}

static void factorise_row(struct links *links, size_t k, const struct steps *steps)
{
    struct link_row *rows = links->rows, *row = &rows[k];
    struct link_factor *factors = links->factors;
    const double diagonal = find_diagonal(links, row->link, steps);
    double pivot = diagonal;
    add_entries(links, k, 2 * row->link, steps);
    add_entries(links, k, 2 * row->link + 1, steps);
    for (size_t at = row->first; at < row->end; at++) {
        struct link_row *column = &rows[factors[at].column];
        for (size_t n = column->first; n < column->end; n++) {
            const struct link_row *before = &rows[factors[n].column];
            column->lower -= before->lower * factors[n].upper;
            column->upper -= factors[n].lower * before->upper;
        }
        column->lower *= column->inverse;
        pivot -= column->lower * column->upper;
    }
    for (size_t at = row->first; at < row->end; at++) {
        struct link_row *column = &rows[factors[at].column];
        factors[at].lower = column->lower;
        factors[at].upper = column->upper;
        column->lower = column->upper = 0;
    }
    row->inverse = fabs(pivot) > MIN_PIVOT * diagonal ? 1 / pivot : 0;
}

/* Solves all equations. One that follows from others, as in a rigid truss, adds nothing. */
static void solve_equations(struct links *links, const struct steps *steps)
{
    const struct link_row *rows = links->rows;
    const struct link_factor *factors = links->factors;
    for (size_t k = 0; k < links->term.pairs.count; k++) {
        struct link *link = &links->list[rows[k].link];
        factorise_row(links, k, steps);
        link->change = link->right;
        for (size_t at = rows[k].first; at < rows[k].end; at++)
            link->change -= factors[at].lower * links->list[rows[factors[at].column].link].change;
    }
    for (size_t k = links->term.pairs.count; k-- > 0;) {
        struct link *link = &links->list[rows[k].link];
        link->change *= rows[k].inverse;
        for (size_t at = rows[k].first; at < rows[k].end; at++)
            links->list[rows[factors[at].column].link].change -= factors[at].upper * link->change;
    }
}

/* Forms the equation of a link for what it has to do. */
typedef void link_form(struct links *links, size_t k, const struct steps *steps);

/* Adds to the multiplier of a link. Returns how far its particles move, divided by its length. */
typedef double link_apply(struct links *links, size_t k, struct steps *steps);

/*
 * The equation that projects a link. It pulls in the direction before the substep (SHAKE: J.
 * Ryckaert, G. Ciccotti and H. Berendsen, 1977), which conserves the energy of a pendulum. The
 * direction at the end, as in XPBD, loses some in each substep; it is used only if the two differ
 * much, or links are very tense.
 */
static void form_projection(struct links *links, size_t k, const struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    struct link *link = &links->list[k];
    const struct xpbd_separation at = pair_separate(pair, steps, NULL);
    const int is_old =
        vector_product(&link->before.normal, &at.normal) > 0.9 && !links->pulls_at_end;
    link->normal = link->pull = (struct vector){0, 0};
    link->right = 0;
    if (pair->is_broken)
        return;
    link->normal = at.normal;
    link->pull = is_old ? link->before.normal : at.normal;
    link->right = pair->length - at.distance - links->softness * link->multiplier -
                  (links->weight - 1) * (at.distance - link->before.distance);
}

static double apply_projection(struct links *links, size_t k, struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    const double sum = steps->mobility[pair->i] + steps->mobility[pair->j];
    struct link *link = &links->list[k];
    link->multiplier += link->change;
    links->is_tense |= fabs(link->multiplier) * sum > pair->length;
    vector_add(&link->push, link->change, &link->pull);
    xpbd_move(steps, pair->i, pair->j, &link->pull, link->change);
    return fabs(link->change) * sum / pair->length;
}

/* The equation that removes the speed along a rigid link. */
static void form_stop(struct links *links, size_t k, const struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    struct link *link = &links->list[k];
    link->normal =
        pair->is_broken ? (struct vector){0, 0} : pair_separate(pair, steps, NULL).normal;
    link->pull = link->normal;
    link->right = -separation_speed(steps, pair->i, pair->j, &link->normal);
}

static double apply_stop(struct links *links, size_t k, struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    const struct link *link = &links->list[k];
    const double a = steps->mobility[pair->i], b = steps->mobility[pair->j];
    steps_push(steps, pair->i, &link->normal, -a * link->change, 1);
    steps_push(steps, pair->j, &link->normal, b * link->change, 1);
    return fabs(link->change) * (a + b) * steps->dt / pair->length;
}

/* ---- the solution ---- */

/* Relaxes links one by one until they converge. Returns the largest move of the last iteration. */
static double relax_links(struct links *links, struct steps *steps, link_form *form,
                          link_apply *apply, int iterations)
{
    double moved = (double)INFINITY;
    for (int iteration = 0; iteration < iterations && moved > CONVERGED; iteration++) {
        moved = 0;
        for (size_t k = 0; k < links->term.pairs.count; k++) {
            form(links, k, steps);
            const double diagonal = find_diagonal(links, k, steps);
            links->list[k].change = diagonal > 0 ? links->list[k].right / diagonal : 0;
            moved = fmax(moved, apply(links, k, steps));
        }
    }
    return moved;
}

/* Newton's method. It ends when its moves are so small that the next ones would be rounding errors,
 * or fall no more. Returns the largest move that is left for a single link. */
static double solve_links(struct links *links, struct steps *steps, link_form *form,
                          link_apply *apply)
{
    double last = 1; /* the largest move of the last iteration */
    for (int iteration = 0; iteration < MAX_NEWTON; iteration++) {
        double moved = 0;
        links->is_tense = 0;
        for (size_t k = 0; k < links->term.pairs.count; k++)
            form(links, k, steps);
        solve_equations(links, steps);
        for (size_t k = 0; k < links->term.pairs.count; k++)
            moved = fmax(moved, apply(links, k, steps));
        if (moved * moved <= ROUNDING * last)
            return 0;
        if (iteration > 2 && moved > last / 2)
            break;
        last = moved;
    }
    return relax_links(links, steps, form, apply, 1);
}

/* Prepares links for a substep: their directions are those before it. */
static enum status begin_links(struct links *links, struct steps *steps)
{
    enum status status = links->list ? STATUS_DONE : find_pattern(links, steps);
    const double alpha = links->compliance.value;
    links->softness = alpha / steps->dt / steps->dt;
    links->weight = 1 + alpha * links->compliance.damping / steps->dt;
    for (size_t k = 0; k < links->term.pairs.count && !status; k++) {
        const struct term_pair *pair = &links->term.pairs.list[k];
        struct xpbd_separation before = pair_separate(pair, steps, steps->before);
        before.distance = pair->damped > 0 ? pair->damped : before.distance;
        links->list[k] = (struct link){.before = before, .row = links->list[k].row};
    }
    return status;
}

static void undo_links(struct links *links, struct steps *steps)
{
    for (size_t k = 0; k < links->term.pairs.count; k++) {
        const struct term_pair *pair = &links->term.pairs.list[k];
        struct link *link = &links->list[k];
        xpbd_move(steps, pair->i, pair->j, &link->push, -1);
        link->multiplier = 0;
        link->push = (struct vector){0, 0};
    }
}

/* Projects all links. Returns the largest move that would be left to do. */
static double project_links(struct links *links, struct steps *steps, int iterations)
{
    for (int attempt = 0; attempt < 2 && links->is_direct; attempt++) {
        links->pulls_at_end = attempt;
        const double left = solve_links(links, steps, form_projection, apply_projection);
        links->pulls_at_end = 0;
        if (left <= MAX_ERROR && (attempt == 1 || !links->is_tense))
            return left;
        undo_links(links, steps);
    }
    return relax_links(links, steps, form_projection, apply_projection, iterations);
}

static size_t link_freedom(const struct links *links, size_t k, const struct steps *steps)
{
    const struct term_pair *pair = &links->term.pairs.list[k];
    return links->compliance.value == 0 && !pair->is_broken &&
           steps->inverse_mass[pair->i] + steps->inverse_mass[pair->j] > 0;
}

static enum status links_count(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    for (size_t k = 0; k < links->term.pairs.count; k++)
        steps->system->fixed += link_freedom(links, k, steps);
    return STATUS_DONE;
}

/* Breaks links that bear more than their strength, or only undoes what all have done. */
static int break_links(struct links *links, struct steps *steps, int are_broken)
{
    int count = 0;
    for (size_t k = 0; k < links->term.pairs.count; k++) {
        if (!(fabs(links->list[k].multiplier) / steps->dt / steps->dt > links->strength))
            continue;
        steps->system->fixed -= are_broken ? link_freedom(links, k, steps) : 0;
        links->term.pairs.list[k].is_broken = are_broken;
        count++;
    }
    if (count > 0)
        undo_links(links, steps);
    return count > 0;
}

static enum status links_project(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (steps->passes > 1)
        return STATUS_DONE;
    enum status status = begin_links(links, steps);
    for (size_t k = 0; k < links->term.pairs.count && links->compliance.value == 0 && !status;
         k++) {
        const struct term_pair *link = &links->term.pairs.list[k];
        const struct vector velocity = relative_motion(steps, link->i, link->j).velocity;
        const double moved = vector_length(&velocity) * steps->dt;
        if (!link->is_broken && moved > link->length / 2) /* its projection would lose energy */
            status = error_set(steps->error, STATUS_BAD_DATA,
                               "particles %" PRIu32 " and %" PRIu32 " of a link move by %g "
                               "relative to each other in a substep after time %g, and the most "
                               "is half of its length, %g: reduce --step, or raise --substeps",
                               link->i, link->j, moved, steps->system->particles[link->i].t,
                               link->length / 2);
    }
    if (status)
        return status;
    double left = project_links(links, steps, MAX_ITERATIONS);
    if (break_links(links, steps, 1))
        left = project_links(links, steps, MAX_ITERATIONS);
    if (!(left > MAX_ERROR) || links->has_warned || !steps->warn)
        return STATUS_DONE;
    links->has_warned = 1;
    error_set(steps->error, STATUS_DONE,
              "links are off by %.1e of their lengths after time %g, and not as stiff as they "
              "should be: there are too many in loops for an exact solution, or there is none; "
              "reduce --step, or raise --substeps",
              left, steps->system->particles[0].t);
    steps->warn(steps->error);
    return STATUS_DONE;
}

/* The velocities of rigid links at the end of a substep (RATTLE: H. C. Andersen, J. Comput. Phys.
 * 52, 24, 1983). The reactions of damped ones turn with them: that keeps the angular momentum.
 * What other constraints do to their distances is damped in the next substep. */
static enum status links_end(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value == 0 && links->is_direct)
        solve_links(links, steps, form_stop, apply_stop);
    else if (links->compliance.value == 0)
        relax_links(links, steps, form_stop, apply_stop, MAX_ITERATIONS);
    for (size_t k = 0; k < links->term.pairs.count && links->weight > 1; k++) {
        struct link *link = &links->list[k];
        struct term_pair *pair = &links->term.pairs.list[k];
        const struct vector normal = pair_separate(pair, steps, NULL).normal;
        const double undamped = pair->length - links->softness * link->multiplier;
        pair->damped = link->before.distance + (undamped - link->before.distance) / links->weight;
        vector_add(&link->push, -link->multiplier, &normal);
        steps_push(steps, pair->i, &link->push, steps->mobility[pair->i] / steps->dt / 2, 1);
        steps_push(steps, pair->j, &link->push, -steps->mobility[pair->j] / steps->dt / 2, 1);
    }
    return STATUS_DONE;
}

static double link_error(const struct term_pair *pair, const struct steps *steps)
{
    return pair->is_broken ? 0 : pair_separate(pair, steps, NULL).distance - pair->length;
}

/* Projects springs. Rigid links need no reaction: they remove all speed along them. */
static enum status links_react(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value == 0)
        return STATUS_DONE;
    enum status status = begin_links(links, steps);
    if (status)
        return status;
    project_links(links, steps, MAX_ITERATIONS);
    break_links(links, steps, 0);
    return STATUS_DONE;
}

/* Gives rigid links their lengths. Links of strength 0 bear nothing: they break in the substep. */
static enum status links_start(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value > 0 || links->strength == 0)
        return STATUS_DONE;
    enum status status = begin_links(links, steps);
    if (status)
        return status;
    project_links(links, steps, MAX_START_ITERATIONS);
    for (size_t k = 0; k < links->term.pairs.count; k++) {
        const struct term_pair *pair = &links->term.pairs.list[k];
        const double off = link_error(pair, steps);
        if (fabs(off) > MAX_ERROR * pair->length &&
            steps->mobility[pair->i] + steps->mobility[pair->j] > 0)
            return error_set(steps->error, STATUS_BAD_DATA,
                             "the link of particles %" PRIu32 " and %" PRIu32 " would begin with "
                             "a length of %g instead of %g: place particles at the lengths of "
                             "their links",
                             pair->i, pair->j, pair->length + off, pair->length);
    }
    return STATUS_DONE;
}

/* The energy of springs: the square of the error divided by 2 alpha. */
static enum status links_add_energy(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    double sum = 0;
    for (size_t k = 0; k < links->term.pairs.count && links->compliance.value > 0; k++) {
        const double off = link_error(&links->term.pairs.list[k], steps);
        sum += off * off / (2 * links->compliance.value);
    }
    steps->potential += sum;
    return STATUS_DONE;
}

static enum status links_deviation(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    for (size_t k = 0; k < links->term.pairs.count; k++)
        steps->deviation =
            fmax(steps->deviation, fabs(link_error(&links->term.pairs.list[k], steps)));
    return STATUS_DONE;
}

int steps_find_joint(const struct dynamics *dynamics, size_t k, struct dynamics_joint *joint)
{
    const struct steps *steps = (const struct steps *)dynamics;
    for (size_t n = 0; n < steps->term_count; n++) {
        const struct term_pairs *pairs = &steps->terms[n]->pairs;
        if (k < pairs->count) {
            const struct term_pair *pair = &pairs->list[k];
            const struct vector way = pair_separate(pair, steps, NULL).way;
            *joint = (struct dynamics_joint){pair->i, pair->j, pair->is_broken, {way.x, way.y}};
            return 1;
        }
        k -= pairs->count;
    }
    return 0;
}

static void links_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct links *links = (struct links *)term;
    pairs_state(term, steps, record);
    for (size_t k = 0; k < links->term.pairs.count && record->is_reading && !record->status; k++)
        steps->system->fixed += link_freedom(links, k, steps);
}

const struct term_kind link_kind = {
    .name = "link",
    .size = sizeof(struct links),
    .rank = RANK_CONSTRAINT,
    .traits = {.has_deviation = 1, .hides_forces = 1},
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
            [PHASE_DEVIATION] = links_deviation,
            [PHASE_ENERGY] = links_add_energy},
    .state = links_state,
    .free = links_free,
};
