/*
 * Links: pairs of particles at a fixed distance (XPBD, contact.h). The strain of a link of
 * compliance alpha is alpha times its force; one whose force is larger than `strength` breaks, and
 * stays broken.
 *
 * The multipliers of links that share particles depend on each other. Where their equations are
 * soon solved all at once (link_solver.h), as in chains, trees and ladders, Newton's method finds
 * them to rounding errors in a few iterations, however stiff the links are and whatever the masses.
 * The links of nets are relaxed one after the other, which does where they are soft or the steps
 * are short; if it does not, their equations are solved, too, unless they are too many.
 */
#include "base/memory.h"
#include "contact.h"
#include "link_solver.h"

#include <inttypes.h>

struct link {
    struct vector direction; /* before the substep, from i to j; (0, 0): of no length */
    double multiplier;       /* of this substep; divided by dt^2 its force */
    struct vector push;      /* the sum of multipliers times directions, mass length */
};

struct links {
    struct term term; /* the first member: see term.h */
    struct xpbd_compliance compliance;
    double strength; /* the largest force before a link breaks; or INFINITY */
    struct chosen_pairs pairs;
    struct link *list; /* of the pairs; owned */
    struct link_solver solver;
    double softness, damped; /* of a substep: alpha / dt^2, 1 / mass; alpha beta / dt */
    int pulls_at_end;        /* in the directions at the end of the substep */
    int has_warned;
};

/* Moves divided by the lengths of links: with which relaxation has converged; that need not be
 * made; and of which, if they are left to do, the run warns, or does not begin. */
static const double CONVERGED = 1e-13;
static const double ROUNDING = 1e-16;
static const double MAX_ERROR = 1e-6;

/* The most iterations: of Newton's method; of relaxation in a substep, and at the start of a run.
 */
enum { MAX_NEWTON = 20, MAX_ITERATIONS = 10, MAX_START_ITERATIONS = 10000 };

/* The most operations to eliminate a link for its group not to be relaxed first. */
static const double MAX_DIRECT_COST = 32;

static void links_free(struct term *term)
{
    struct links *links = (struct links *)term;
    chosen_pairs_free(&links->pairs);
    link_solver_free(&links->solver);
    memory_free(links->list);
}

static enum status links_create(struct term *term, const struct arguments *arguments,
                                struct steps *steps)
{
    struct links *links = (struct links *)term;
    links->compliance = (struct xpbd_compliance){arguments->numbers[1], arguments->numbers[2]};
    links->strength = arguments->numbers[3];
    return steps->is_resumed ? STATUS_DONE
                             : chosen_pairs_read(&links->pairs, term, arguments->texts[0], steps);
}

/* Prepares links for a substep: their directions are the present ones. */
static enum status begin_links(struct links *links, struct steps *steps)
{
    const size_t count = links->pairs.count;
    if (!links->list) {
        links->list = memory_allocate(count, sizeof *links->list, "the links", steps->error);
        enum status status =
            links->list ? link_solver_create(&links->solver, &links->pairs, steps->inverse_mass,
                                             steps->system->count, steps->error)
                        : STATUS_NO_MEMORY;
        if (status)
            return status;
    }
    links->softness = links->compliance.value / steps->dt / steps->dt;
    links->damped = links->compliance.value * links->compliance.damping / steps->dt;
    for (size_t k = 0; k < count; k++) {
        const struct chosen_pair *pair = &links->pairs.list[k];
        const struct vector *a = &steps->before[pair->i], *b = &steps->before[pair->j];
        struct vector direction =
            xpbd_nearest_image(&steps->system->boundary, b->x - a->x, b->y - a->y);
        const double length = vector_length(&direction);
        direction.x = length > 0 ? direction.x / length : 0;
        direction.y = length > 0 ? direction.y / length : 0;
        links->list[k] = (struct link){.direction = direction};
    }
    return STATUS_DONE;
}

/* Forms the equation of a link for what it has to do. */
typedef void link_form(struct links *links, size_t k, const struct steps *steps);

/* Does what a multiplier asks for. Returns how far that moves the particles of the link, divided by
 * its length. */
typedef double link_apply(struct links *links, size_t k, struct steps *steps, double multiplier);

/*
 * The equation that projects a link. It pulls in the direction before the substep (SHAKE: J.
 * Ryckaert, G. Ciccotti and H. Berendsen, 1977), which conserves the energy of a pendulum. The
 * direction at the end, as in XPBD, loses some in each substep; it is used only if the two differ
 * much, or the link is very tense.
 */
static void form_projection(struct links *links, size_t k, const struct steps *steps)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    const struct link *link = &links->list[k];
    struct link_equation *equation = &links->solver.equations[k];
    const struct xpbd_separation at = xpbd_separation(steps, pair->i, pair->j);
    const double cosine = link->direction.x * at.normal.x + link->direction.y * at.normal.y;
    *equation = (struct link_equation){.weight = 1};
    if (pair->is_broken)
        return;
    equation->normal = at.normal;
    equation->pull = cosine > 0.9 && !links->pulls_at_end ? link->direction : at.normal;
    equation->weight = 1 + links->damped;
    equation->softness = links->softness;
    equation->right = -(at.distance - pair->length) - links->softness * link->multiplier -
                      links->damped * xpbd_change(steps, pair->i, pair->j, &at.normal);
}

static double apply_projection(struct links *links, size_t k, struct steps *steps,
                               double multiplier)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    const struct vector *pull = &links->solver.equations[k].pull;
    struct link *link = &links->list[k];
    link->multiplier += multiplier;
    link->push.x += multiplier * pull->x;
    link->push.y += multiplier * pull->y;
    xpbd_move(steps, pair->i, pair->j, pull, multiplier);
    return fabs(multiplier) * (steps->mobility[pair->i] + steps->mobility[pair->j]) / pair->length;
}

/* Undoes the moves of a link in this substep. */
static void undo_link(struct links *links, size_t k, struct steps *steps)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    struct link *link = &links->list[k];
    xpbd_move(steps, pair->i, pair->j, &link->push, -1);
    link->multiplier = 0;
    link->push = (struct vector){0, 0};
}

/* The equation that removes the speed along a rigid link. */
static void form_stop(struct links *links, size_t k, const struct steps *steps)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    struct link_equation *equation = &links->solver.equations[k];
    *equation = (struct link_equation){.weight = 1};
    if (pair->is_broken)
        return;
    equation->normal = equation->pull = xpbd_separation(steps, pair->i, pair->j).normal;
    equation->right = -separation_speed(steps, pair->i, pair->j, &equation->normal);
}

static double apply_stop(struct links *links, size_t k, struct steps *steps, double multiplier)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    const struct vector *normal = &links->solver.equations[k].normal;
    const double a = steps->mobility[pair->i], b = steps->mobility[pair->j];
    steps_push(steps, pair->i, normal, -a * multiplier, 1);
    steps_push(steps, pair->j, normal, b * multiplier, 1);
    return fabs(multiplier) * (a + b) * steps->dt / pair->length;
}

/* Relaxes the links of a group one by one, in the order in which they were found, until they
 * converge. Returns the largest move of the last iteration. */
static double relax_group(struct links *links, const struct link_group *group, struct steps *steps,
                          link_form *form, link_apply *apply, int iterations)
{
    double moved = (double)INFINITY;
    for (int iteration = 0; iteration < iterations && moved > CONVERGED; iteration++) {
        moved = 0;
        for (size_t at = group->end; at-- > group->first;) {
            const size_t k = link_solver_link(&links->solver, at);
            form(links, k, steps);
            moved = fmax(moved, apply(links, k, steps,
                                      link_solver_alone(&links->solver, k, steps->mobility)));
        }
    }
    return moved;
}

/* Newton's method for all links of a group at once. While moves fall fast it keeps a factorisation.
 * It ends when they are so small that the next ones would be rounding errors, or fall no more.
 * Returns the largest move that is left for a single link. */
static double solve_group(struct links *links, const struct link_group *group, struct steps *steps,
                          link_form *form, link_apply *apply)
{
    struct link_solver *solver = &links->solver;
    double last = 1; /* the largest move of the last iteration */
    int is_new = 1;
    for (int iteration = 0; iteration < MAX_NEWTON; iteration++) {
        double moved = 0;
        for (size_t at = group->first; at < group->end; at++)
            form(links, link_solver_link(solver, at), steps);
        if (is_new)
            link_solver_factorise(solver, group, steps->mobility);
        link_solver_solve(solver, group);
        for (size_t at = group->first; at < group->end; at++) {
            const size_t k = link_solver_link(solver, at);
            moved = fmax(moved, apply(links, k, steps, solver->equations[k].multiplier));
        }
        if (moved * moved <= ROUNDING * last) /* the next move, if they fall as before */
            return 0;
        if (iteration > 2 && moved > last / 2)
            break;
        is_new = moved > last / 100;
        last = moved;
    }
    return relax_group(links, group, steps, form, apply, 1);
}

static void undo_group(struct links *links, const struct link_group *group, struct steps *steps)
{
    for (size_t at = group->first; at < group->end; at++)
        undo_link(links, link_solver_link(&links->solver, at), steps);
}

/* True if a link of a group is so tense that its particles swing faster across it than substeps can
 * follow: then pulling in the old direction is unstable. */
static int is_tense(const struct links *links, const struct link_group *group,
                    const struct steps *steps)
{
    int tense = 0;
    for (size_t at = group->first; at < group->end; at++) {
        const size_t k = link_solver_link(&links->solver, at);
        const struct chosen_pair *pair = &links->pairs.list[k];
        tense |= fabs(links->list[k].multiplier) *
                     (steps->mobility[pair->i] + steps->mobility[pair->j]) >
                 pair->length;
    }
    return tense;
}

/* Solves the equations of a group. Returns the largest move that would be left to do. */
static double project_group(struct links *links, const struct link_group *group,
                            struct steps *steps)
{
    double left = solve_group(links, group, steps, form_projection, apply_projection);
    if (left <= MAX_ERROR && !is_tense(links, group, steps))
        return left;
    undo_group(links, group, steps);
    links->pulls_at_end = 1;
    left = solve_group(links, group, steps, form_projection, apply_projection);
    links->pulls_at_end = 0;
    return left;
}

/* Solves or relaxes a group of links. Returns the largest move that would be left to do. */
static double settle_group(struct links *links, const struct link_group *group, struct steps *steps,
                           link_form *form, link_apply *apply, int iterations)
{
    double left = (double)INFINITY;
    if (group->cost > MAX_DIRECT_COST)
        left = relax_group(links, group, steps, form, apply, iterations);
    if (left <= CONVERGED || !isfinite(group->cost))
        return left;
    if (form != form_projection)
        return solve_group(links, group, steps, form, apply);
    const double solved = project_group(links, group, steps);
    if (solved <= fmin(left, MAX_ERROR))
        return solved;
    undo_group(links, group, steps);
    return relax_group(links, group, steps, form, apply, iterations);
}

static double settle_links(struct links *links, struct steps *steps, link_form *form,
                           link_apply *apply, int iterations)
{
    double left = 0;
    for (size_t n = 0; n < links->solver.group_count; n++)
        left = fmax(left,
                    settle_group(links, &links->solver.groups[n], steps, form, apply, iterations));
    return left;
}

/* The degrees of freedom that a link takes. */
static size_t link_freedom(const struct links *links, size_t k, const struct steps *steps)
{
    const struct chosen_pair *pair = &links->pairs.list[k];
    return links->compliance.value == 0 && !pair->is_broken &&
           steps->inverse_mass[pair->i] + steps->inverse_mass[pair->j] > 0;
}

static enum status links_count(struct term *term, struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    for (size_t k = 0; k < links->pairs.count; k++)
        steps->system->fixed += link_freedom(links, k, steps);
    return STATUS_DONE;
}

static int is_overloaded(const struct links *links, size_t k, const struct steps *steps)
{
    return fabs(links->list[k].multiplier) / steps->dt / steps->dt > links->strength;
}

/* Breaks links that bear more than their strength. If there are any, undoes what all have done. */
static int break_links(struct links *links, struct steps *steps)
{
    int are_broken = 0;
    for (size_t k = 0; k < links->pairs.count; k++) {
        if (!is_overloaded(links, k, steps))
            continue;
        steps->system->fixed -= link_freedom(links, k, steps);
        links->pairs.list[k].is_broken = are_broken = 1;
    }
    for (size_t k = 0; k < links->pairs.count && are_broken; k++)
        undo_link(links, k, steps);
    return are_broken;
}

/* Warns, once, of links that are too many or too far off to be solved. */
static void warn_of_error(struct links *links, const struct steps *steps, double error)
{
    if (!(error > MAX_ERROR) || links->has_warned || !steps->warn)
        return;
    links->has_warned = 1;
    error_set(steps->error, STATUS_DONE,
              "links are off by %.1e of their lengths after time %g, and not as stiff as they "
              "should be: there are too many in loops for an exact solution, or there is none; "
              "reduce --step, or raise --substeps",
              error, steps->system->particles[0].t);
    steps->warn(steps->error);
}

/* Refuses a rigid link that rotates so far in a substep that its projection would lose energy. */
static enum status check_link(const struct chosen_pair *link, const struct steps *steps)
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
    enum status status = begin_links(links, steps);
    for (size_t k = 0; k < links->pairs.count && links->compliance.value == 0 && !status; k++)
        status = check_link(&links->pairs.list[k], steps);
    if (status)
        return status;
    double left = settle_links(links, steps, form_projection, apply_projection, MAX_ITERATIONS);
    if (break_links(links, steps))
        left = settle_links(links, steps, form_projection, apply_projection, MAX_ITERATIONS);
    warn_of_error(links, steps, left);
    return STATUS_DONE;
}

/* The velocities of rigid links at the end of a substep (RATTLE: H. C. Andersen, J. Comput. Phys.
 * 52, 24, 1983). */
static enum status links_end(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value == 0)
        settle_links(links, steps, form_stop, apply_stop, MAX_ITERATIONS);
    return STATUS_DONE;
}

/* The violation of a link; 0 if it is broken. */
static double link_error(const struct chosen_pair *pair, const struct steps *steps)
{
    return pair->is_broken ? 0 : xpbd_separation(steps, pair->i, pair->j).distance - pair->length;
}

/* Projects springs where the particles would move to in the first substep. Rigid links need no
 * reaction: they remove all speed along them. */
static enum status links_react(struct term *term, struct steps *steps)
{
    struct links *links = (struct links *)term;
    if (links->compliance.value == 0)
        return STATUS_DONE;
    enum status status = begin_links(links, steps);
    if (status)
        return status;
    settle_links(links, steps, form_projection, apply_projection, MAX_ITERATIONS);
    for (size_t k = 0; k < links->pairs.count; k++)
        if (is_overloaded(links, k, steps))
            undo_link(links, k, steps);
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
    settle_links(links, steps, form_projection, apply_projection, MAX_START_ITERATIONS);
    for (size_t k = 0; k < links->pairs.count; k++) {
        const struct chosen_pair *pair = &links->pairs.list[k];
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
    for (size_t k = 0; k < links->pairs.count && links->compliance.value > 0; k++) {
        const double off = link_error(&links->pairs.list[k], steps);
        sum += off * off / (2 * links->compliance.value);
    }
    steps->potential += sum;
    return STATUS_DONE;
}

static double links_deviation(const struct term *term, const struct steps *steps)
{
    const struct links *links = (const struct links *)term;
    double largest = 0;
    for (size_t k = 0; k < links->pairs.count; k++)
        largest = fmax(largest, fabs(link_error(&links->pairs.list[k], steps)));
    return largest;
}

static void links_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct links *links = (struct links *)term;
    chosen_pairs_record(&links->pairs, steps, record);
    for (size_t k = 0; k < links->pairs.count && record->is_reading && !record->status; k++)
        steps->system->fixed += link_freedom(links, k, steps);
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
    .deviation = links_deviation,
    .state = links_state,
    .free = links_free,
};
