/*
 * Solves the linear equations of links, which are coupled where links share a particle that moves.
 *
 * The matrix is sparse, and its pattern never changes. So the order in which links are eliminated
 * is found once: from each group's ends inwards, that is, backwards in the order of a breadth-first
 * search. In chains and trees no entry then becomes nonzero that was 0, and a solution takes a time
 * in proportion to the number of links. Loops fill in; a group that would take too many operations
 * is not eliminated at all, and its links are to be relaxed one by one.
 *
 * The matrix is not symmetric, for links may pull in other directions than their present ones; its
 * pattern is. It is factorised without pivoting row by row as L U, where row k of L and column k of
 * U have the same pattern, found from the elimination tree. (T. A. Davis, Direct Methods for Sparse
 * Linear Systems, 2006, chapters 4 and 6.)
 */
#include "link_solver.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The most operations for each link of a group. */
static const double MAX_COST = 3000;

/* A pivot that is less than this fraction of its diagonal is a rounding error. */
static const double MIN_PIVOT = 1e-13;

static const size_t NONE = SIZE_MAX;

/* An entry of L, and that of U across the diagonal. */
struct link_factor {
    size_t column;
    double lower, upper;
};

struct link_row {
    size_t link;
    size_t first, end;   /* its factors, each after those on which it depends */
    size_t parent, mark; /* in the elimination tree: the next row that depends on it; last visit */
    double inverse;      /* 1 / pivot, or 0 */
    double lower, upper; /* while a row is factorised: the entries in this column */
};

size_t link_solver_link(const struct link_solver *solver, size_t position)
{
    return solver->rows[position].link;
}

void link_solver_free(struct link_solver *solver)
{
    memory_free(solver->equations);
    memory_free(solver->rows);
    memory_free(solver->position);
    memory_free(solver->factors);
    memory_free(solver->groups);
}

/* The particle at an end of a link. */
static size_t particle_at(const struct link_solver *solver, size_t end)
{
    const struct chosen_pair *pair = &solver->pairs[end / 2];
    return end % 2 ? pair->j : pair->i;
}

static enum status allocate(struct link_solver *solver, size_t particles, struct error *error)
{
    static const char what[] = "the equations of links";
    const size_t count = solver->count;
    solver->equations = memory_allocate(count, sizeof *solver->equations, what, error);
    solver->rows = memory_allocate(count, sizeof *solver->rows, what, error);
    solver->position =
        memory_allocate(3 * count + particles + 1, sizeof *solver->position, what, error);
    if (!solver->equations || !solver->rows || !solver->position)
        return STATUS_NO_MEMORY;
    solver->ends = solver->position + count;
    solver->first_end = solver->ends + 2 * count;
    return STATUS_DONE;
}

/* Lists the ends of links at each movable particle. */
static void list_ends(struct link_solver *solver, const double *inverse_mass, size_t particles)
{
    size_t *first = solver->first_end;
    memset(first, 0, (particles + 1) * sizeof *first);
    for (size_t end = 0; end < 2 * solver->count; end++)
        first[particle_at(solver, end)] += inverse_mass[particle_at(solver, end)] > 0;
    for (size_t k = 0, sum = 0; k <= particles; k++) {
        sum += first[k];
        first[k] = sum; /* lowered to the first one, as ends are put in backwards */
    }
    for (size_t end = 2 * solver->count; end-- > 0;)
        if (inverse_mass[particle_at(solver, end)] > 0)
            solver->ends[--first[particle_at(solver, end)]] = end;
}

/* Numbers all links that are connected with one, from `next` on, in the order of the search. */
static size_t search_group(struct link_solver *solver, size_t link, size_t next)
{
    size_t done = next;
    solver->position[link] = next;
    solver->rows[next++].link = link;
    for (; done < next; done++)
        for (size_t side = 0; side < 2; side++) {
            const size_t particle = particle_at(solver, 2 * solver->rows[done].link + side);
            for (size_t at = solver->first_end[particle]; at < solver->first_end[particle + 1];
                 at++) {
                const size_t other = solver->ends[at] / 2;
                if (solver->position[other] != NONE)
                    continue;
                solver->position[other] = next;
                solver->rows[next++].link = other;
            }
        }
    return next;
}

/* Adds a column to row `k`, and those up the tree, where eliminating it makes others nonzero. */
static enum status add_columns(struct link_solver *solver, size_t k, size_t column,
                               struct error *error)
{
    struct link_row *rows = solver->rows;
    for (; rows[column].mark != k; column = rows[column].parent) {
        struct link_factor *factors =
            memory_grow(solver->factors, solver->factor_count, &solver->factor_room,
                        sizeof *factors, "the equations of links", error);
        if (!factors)
            return STATUS_NO_MEMORY;
        solver->factors = factors;
        factors[solver->factor_count++].column = column;
        rows[column].mark = k;
        if (rows[column].parent == NONE)
            rows[column].parent = k;
    }
    return STATUS_DONE;
}

static int compare_columns(const void *left, const void *right)
{
    const size_t a = ((const struct link_factor *)left)->column;
    const size_t b = ((const struct link_factor *)right)->column;
    return (a > b) - (a < b);
}

/* Finds the pattern of a row. */
static enum status find_pattern(struct link_solver *solver, size_t k, struct error *error)
{
    struct link_row *row = &solver->rows[k];
    enum status status = STATUS_DONE;
    row->first = solver->factor_count;
    row->mark = k;
    for (size_t side = 0; side < 2; side++) {
        const size_t *at = &solver->first_end[particle_at(solver, 2 * row->link + side)];
        for (size_t end = at[0]; end < at[1] && !status; end++) {
            const size_t other = solver->position[solver->ends[end] / 2];
            if (other < k)
                status = add_columns(solver, k, other, error);
        }
    }
    row->end = solver->factor_count;
    if (row->end - row->first > 1)
        qsort(&solver->factors[row->first], row->end - row->first, sizeof *solver->factors,
              compare_columns);
    return status;
}

/* Finds the patterns of a group's rows, until they take too many operations. */
static enum status find_patterns(struct link_solver *solver, struct link_group *group,
                                 struct error *error)
{
    const double count = (double)(group->end - group->first);
    const size_t before = solver->factor_count;
    enum status status = STATUS_DONE;
    double sum = 0;
    for (size_t k = group->first; k < group->end && sum <= MAX_COST * count && !status; k++) {
        status = find_pattern(solver, k, error);
        for (size_t at = solver->rows[k].first; at < solver->factor_count; at++) {
            const struct link_row *row = &solver->rows[solver->factors[at].column];
            sum += 1 + (double)(row->end - row->first);
        }
    }
    group->cost = sum / count;
    if (sum > MAX_COST * count) {
        group->cost = (double)INFINITY;
        solver->factor_count = before;
    }
    return status;
}

/* Reverses the order in which a group's links were found, which is that of their elimination. */
static void reverse_group(struct link_solver *solver, const struct link_group *group)
{
    struct link_row *rows = solver->rows;
    for (size_t a = group->first, b = group->end; a < b--; a++) {
        const size_t link = rows[a].link;
        rows[a].link = rows[b].link;
        rows[b].link = link;
        solver->position[rows[a].link] = a;
        solver->position[rows[b].link] = b;
    }
}

enum status link_solver_create(struct link_solver *solver, const struct chosen_pairs *pairs,
                               const double *inverse_mass, size_t particles, struct error *error)
{
    solver->pairs = pairs->list;
    solver->count = pairs->count;
    enum status status = allocate(solver, particles, error);
    if (status)
        return status;
    list_ends(solver, inverse_mass, particles);
    for (size_t k = 0; k < solver->count; k++) {
        solver->position[k] = NONE;
        solver->rows[k] = (struct link_row){.parent = NONE, .mark = NONE};
    }
    for (size_t k = 0, next = 0; k < solver->count && !status; k++) {
        struct link_group group = {.first = next};
        if (solver->position[k] != NONE)
            continue;
        struct link_group *groups =
            memory_grow(solver->groups, solver->group_count, &solver->group_room, sizeof *groups,
                        "the groups of links", error);
        if (!groups)
            return STATUS_NO_MEMORY;
        solver->groups = groups;
        group.end = next = search_group(solver, k, next);
        reverse_group(solver, &group);
        status = find_patterns(solver, &group, error);
        groups[solver->group_count++] = group;
    }
    return status;
}

static double product(const struct vector *a, const struct vector *b)
{
    return a->x * b->x + a->y * b->y;
}

/* The entry of the matrix on the diagonal. */
static double diagonal(const struct link_solver *solver, size_t link, const double *mobility)
{
    const struct link_equation *equation = &solver->equations[link];
    const struct chosen_pair *pair = &solver->pairs[link];
    const double sum = mobility[pair->i] + mobility[pair->j];
    return equation->weight * (sum * product(&equation->pull, &equation->normal)) +
           equation->softness;
}

double link_solver_alone(const struct link_solver *solver, size_t link, const double *mobility)
{
    const double entry = diagonal(solver, link, mobility);
    return entry > 0 ? solver->equations[link].right / entry : 0;
}

/* Adds the entries of a row in columns before it, and of that column of U, through a particle at
 * one of its ends. */
static void add_entries(const struct link_solver *solver, size_t k, size_t own_end,
                        const double *mobility)
{
    const size_t particle = particle_at(solver, own_end);
    const struct link_equation *own = &solver->equations[own_end / 2];
    for (size_t at = solver->first_end[particle]; at < solver->first_end[particle + 1]; at++) {
        const size_t end = solver->ends[at];
        const struct link_equation *other = &solver->equations[end / 2];
        struct link_row *row = &solver->rows[solver->position[end / 2]];
        if (solver->position[end / 2] >= k)
            continue;
        const double moved = (own_end - end) % 2 ? -mobility[particle] : mobility[particle];
        row->lower += own->weight * moved * product(&own->normal, &other->pull);
        row->upper += other->weight * moved * product(&other->normal, &own->pull);
    }
}

static void factorise_row(struct link_solver *solver, size_t k, const double *mobility)
{
    struct link_row *rows = solver->rows, *row = &rows[k];
    struct link_factor *factors = solver->factors;
    const double entry = diagonal(solver, row->link, mobility);
    double pivot = entry;
    add_entries(solver, k, 2 * row->link, mobility);
    add_entries(solver, k, 2 * row->link + 1, mobility);
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
    row->inverse = fabs(pivot) > MIN_PIVOT * entry ? 1 / pivot : 0;
}

void link_solver_factorise(struct link_solver *solver, const struct link_group *group,
                           const double *mobility)
{
    for (size_t k = group->first; k < group->end; k++)
        factorise_row(solver, k, mobility);
}

void link_solver_solve(struct link_solver *solver, const struct link_group *group)
{
    const struct link_row *rows = solver->rows;
    const struct link_factor *factors = solver->factors;
    struct link_equation *equations = solver->equations;
    for (size_t k = group->first; k < group->end; k++) {
        double sum = equations[rows[k].link].right;
        for (size_t at = rows[k].first; at < rows[k].end; at++)
            sum -= factors[at].lower * equations[rows[factors[at].column].link].multiplier;
        equations[rows[k].link].multiplier = sum;
    }
    for (size_t k = group->end; k-- > group->first;) {
        double *multiplier = &equations[rows[k].link].multiplier;
        *multiplier *= rows[k].inverse;
        for (size_t at = rows[k].first; at < rows[k].end; at++)
            equations[rows[factors[at].column].link].multiplier -= factors[at].upper * *multiplier;
    }
}
