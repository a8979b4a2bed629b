/*
 * The loop of a time-stepped run; see steps.h. (Interaction framework report, "Update Loop".)
 *
 * The state of a run is that of its particles, how many substeps have been made, and what parts
 * remember. Checkpoints are written between two substeps, so a resumed run gives the same bytes.
 * The time of a substep is computed from its number, not summed up.
 */
#include "part.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* An END_TIME that differs from a whole number of steps by less than this part of a step is
 * rounded. */
static const double END_TOLERANCE = 1e-6;

/* Boxes that a particle may cross in a substep: so 64 bits count the images of 10^15 substeps. */
static const double MAX_BOXES = 1000;

/* The time after `done` substeps. */
static double substep_end(const struct steps *steps, uint64_t done)
{
    const double begin = (double)(done / steps->substeps) * steps->step;
    const uint64_t part = done % steps->substeps;
    if (done / steps->substeps == steps->steps)
        return steps->end_time;
    const int is_last = done / steps->substeps == steps->steps - 1;
    const double length = is_last ? steps->end_time - begin : steps->step;
    return begin + length * ((double)part / steps->substeps);
}

/* The length of the substep after `done` others. The substeps of a step are equally long. */
static double substep_length(const struct steps *steps, uint64_t done)
{
    const double begin = (double)(steps->steps - 1) * steps->step;
    const int is_last = done / steps->substeps == steps->steps - 1;
    return (is_last ? steps->end_time - begin : steps->step) / steps->substeps;
}

enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved, struct error *error)
{
    static const double two_pi = 6.283185307179586;
    static const double below =
        0.99999; /* so that the six digits of a message are not rounded up */
    double mass = (double)INFINITY;
    for (size_t k = 0; k < steps->system->count; k++)
        mass = fmin(mass, system_mass(steps->system, &steps->system->particles[k]));
    const double period = two_pi * sqrt(mass / 2 / stiffness);
    const double needed = ceil(steps->step / period * resolved);
    if (needed <= steps->substeps)
        return STATUS_DONE;
    error_set(error, STATUS_USAGE,
              "%s: two of the lightest particles swing with a period of %g, and it takes %d "
              "substeps or more to follow that: reduce --step to %g",
              name, period, resolved, below * (period / resolved * steps->substeps));
    if (needed <= SCENE_MOST_SUBSTEPS)
        error_append(error, ", or raise --substeps to %.0f", needed);
    return STATUS_USAGE;
}

static void integrate(struct steps *steps, double dt)
{
    for (size_t k = 0; k < steps->system->count; k++) {
        struct particle *p = &steps->system->particles[k];
        steps->before[k] = (struct vector){p->x, p->y};
        p->u += steps->force[k].x * steps->inverse_mass[k] * dt;
        p->v += steps->force[k].y * steps->inverse_mass[k] * dt;
        p->x += p->u * dt;
        p->y += p->v * dt;
    }
}

static enum status report_move(const struct steps *steps, const struct particle *p, double moved,
                               double time, struct error *error)
{
    if (!isfinite(moved))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " has no finite velocity at time %g: forces have "
                         "grown without bounds; reduce --step, or raise --substeps",
                         p->id, time);
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32 " moves by %g in a substep at time %g, and the most is "
                     "%g: reduce --step, or raise --substeps",
                     p->id, moved, time, steps->max_move);
}

/* Adds to velocities the moves by constraints. */
static void update_velocities(struct steps *steps, double dt, double time)
{
    for (size_t k = 0; k < steps->system->count; k++) {
        struct particle *p = &steps->system->particles[k];
        p->u += steps->moved[k].x / dt;
        p->v += steps->moved[k].y / dt;
        p->t = time;
        steps->moved[k] = (struct vector){0, 0};
    }
}

/* Refuses a particle that moves too far in a substep. */
static enum status check_moves(const struct steps *steps, double dt, double time,
                               struct error *error)
{
    for (size_t k = 0; k < steps->system->count; k++) {
        const struct particle *p = &steps->system->particles[k];
        const double moved = sqrt(p->u * p->u + p->v * p->v) * dt;
        if (!(moved <= steps->max_move) || !isfinite(moved))
            return report_move(steps, p, moved, time, error);
    }
    return STATUS_DONE;
}

/* Wraps a coordinate into [0, length), and counts the images that it crosses. */
static void wrap_coordinate(double *x, double length, int64_t *image)
{
    const double crossings = floor(*x / length);
    *x -= crossings * length;
    *image += (int64_t)crossings;
}

static void wrap_particles(struct system *system)
{
    const struct boundary *boundary = &system->boundary;
    for (size_t k = 0; k < system->count && boundary->periodic; k++) {
        if (boundary->periodic & PERIODIC_X)
            wrap_coordinate(&system->particles[k].x, boundary->width, &system->counts[k].x_image);
        if (boundary->periodic & PERIODIC_Y)
            wrap_coordinate(&system->particles[k].y, boundary->height, &system->counts[k].y_image);
    }
}

/* Makes the parts act that do so in a phase. */
static enum status act(struct steps *steps, enum phase phase, double dt, struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < steps->part_count && !status; k++)
        if (steps->parts[k]->kind->act[phase])
            status = steps->parts[k]->kind->act[phase](steps->parts[k], steps, dt, error);
    return status;
}

/* Sums the forces at the present positions and velocities. */
static enum status sum_forces(struct steps *steps, double dt, struct error *error)
{
    memset(steps->force, 0, steps->system->count * sizeof *steps->force);
    return act(steps, PHASE_FORCES, dt, error);
}

static enum status make_substep(struct steps *steps, struct error *error)
{
    const double dt = substep_length(steps, steps->done);
    const double time = substep_end(steps, steps->done + 1);
    enum status status = sum_forces(steps, dt, error);
    if (!status)
        status = act(steps, PHASE_ADVANCE, dt, error);
    if (status)
        return status;
    integrate(steps, dt);
    status = act(steps, PHASE_CONSTRAINTS, dt, error);
    if (status)
        return status;
    update_velocities(steps, dt, time);
    status = act(steps, PHASE_BOUNCE, dt, error);
    if (!status)
        status = check_moves(steps, dt, time, error);
    if (status)
        return status;
    wrap_particles(steps->system);
    steps->done++;
    return act(steps, PHASE_END, dt, error);
}

enum status steps_run(struct steps *steps, struct observers *observers, struct error *error)
{
    const uint64_t all = steps->steps * steps->substeps;
    enum status status = STATUS_DONE;
    while (!status && steps->done < all) {
        status =
            observers_look(observers, steps->system, substep_end(steps, steps->done + 1), error);
        if (!status)
            status = make_substep(steps, error);
        if (!status)
            observers_count(observers, steps->done % steps->substeps == 0,
                            substep_end(steps, steps->done));
    }
    return status;
}

/* Creates a part from its text, and inserts it behind all others of its rank. Walls are last, so
 * that no other constraint moves a particle through them. */
static enum status add_part(struct steps *steps, const char *text, int is_constraint,
                            struct error *error)
{
    struct arguments arguments;
    const struct part_kind *kind = NULL;
    struct part *part = NULL;
    enum status status = part_parse(text, is_constraint, &kind, &arguments, error);
    if (!status && !(part = memory_allocate(1, kind->size, kind->name, error)))
        status = STATUS_NO_MEMORY;
    if (!status) {
        memset(part, 0, kind->size);
        *part = (struct part){kind, kind == &walls_kind ? 2 : is_constraint};
        size_t k = steps->part_count++;
        for (; k > 0 && steps->parts[k - 1]->rank > part->rank; k--)
            steps->parts[k] = steps->parts[k - 1];
        steps->parts[k] = part;
        status = kind->create(part, &arguments, steps, error);
    }
    arguments_free(&arguments);
    return status;
}

static enum status add_parts(struct steps *steps, const struct scene *scene, struct error *error)
{
    enum status status = steps_check(scene, error);
    for (size_t k = 0; k < scene->count && !status; k++)
        status = add_part(steps, scene->parts[k].text, scene->parts[k].is_constraint, error);
    if (!status && !steps_find(steps, &walls_kind))
        status = add_part(steps, walls_kind.name, 1, error);
    for (size_t k = 0; k < steps->part_count && !status; k++)
        if (steps->parts[k]->kind->prepare)
            status = steps->parts[k]->kind->prepare(steps->parts[k], steps, error);
    return status;
}

static enum status allocate_arrays(struct steps *steps, struct error *error)
{
    const struct system *system = steps->system;
    const size_t count = system->count;
    steps->force = memory_allocate(count, sizeof *steps->force, "the forces", error);
    steps->before = memory_allocate(count, sizeof *steps->before, "the places", error);
    steps->moved = memory_allocate(count, sizeof *steps->moved, "the moves", error);
    steps->inverse_mass = memory_allocate(count, sizeof *steps->inverse_mass, "the masses", error);
    if (!steps->force || !steps->before || !steps->moved || !steps->inverse_mass)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        steps->moved[k] = (struct vector){0, 0};
        steps->inverse_mass[k] = 1 / system_mass(system, &system->particles[k]);
    }
    return STATUS_DONE;
}

static enum status steps_save(struct observer *observer, const struct snapshot *snapshot,
                              struct record_writer *writer, struct error *error)
{
    const struct steps *steps = (const struct steps *)observer;
    (void)snapshot, (void)error;
    record_put_whole(writer, steps->done);
    record_end_line(writer);
    for (size_t k = 0; k < steps->part_count; k++)
        if (steps->parts[k]->kind->save)
            steps->parts[k]->kind->save(steps->parts[k], steps, writer);
    return STATUS_DONE;
}

static enum status steps_load(struct observer *observer, const struct snapshot *snapshot,
                              struct record_reader *reader, struct error *error)
{
    struct steps *steps = (struct steps *)observer;
    (void)snapshot, (void)error;
    steps->done = record_take_whole(reader, steps->steps * steps->substeps);
    record_expect_line_end(reader);
    for (size_t k = 0; k < steps->part_count && !reader->status; k++)
        if (steps->parts[k]->kind->load)
            steps->parts[k]->kind->load(steps->parts[k], steps, reader);
    return reader->status;
}

static void steps_free(struct observer *observer)
{
    struct steps *steps = (struct steps *)observer;
    for (size_t k = 0; k < steps->part_count; k++) {
        if (steps->parts[k]->kind->free)
            steps->parts[k]->kind->free(steps->parts[k]);
        memory_free(steps->parts[k]);
    }
    memory_free(steps->force);
    memory_free(steps->before);
    memory_free(steps->moved);
    memory_free(steps->inverse_mass);
    memory_free(steps);
}

static const struct observer_operations operations = {
    .option = "--step", .save = steps_save, .load = steps_load, .free = steps_free};

/* The number of steps to the end. The last one may be shorter than `step`, or longer by a rounding
 * error. */
static uint64_t count_steps(double step, double end_time)
{
    const double steps = end_time / step;
    const double whole = floor(steps + 0.5);
    return (uint64_t)(whole >= 1 && fabs(steps - whole) < END_TOLERANCE ? whole : ceil(steps));
}

enum status steps_create(const struct scene *scene, struct system *system, double end_time,
                         int is_resumed, struct steps **result, struct error *error)
{
    struct steps *steps = memory_allocate(1, sizeof *steps, "the steps", error);
    if (!steps)
        return STATUS_NO_MEMORY;
    *steps = (struct steps){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                            .system = system,
                            .step = scene->step,
                            .substeps = scene->substeps,
                            .end_time = end_time,
                            .is_resumed = is_resumed,
                            .steps = count_steps(scene->step, end_time),
                            .max_move = (double)INFINITY};
    if (system->boundary.periodic)
        steps_limit_move(steps, MAX_BOXES * fmin(system->boundary.width, system->boundary.height));
    enum status status = allocate_arrays(steps, error);
    if (!status)
        status = add_parts(steps, scene, error);
    if (status)
        steps_free(&steps->observer);
    else
        *result = steps;
    return status;
}

enum status steps_energy(struct steps *steps, double *kinetic, double *potential,
                         struct error *error)
{
    const struct system *system = steps->system;
    const double dt = substep_length(steps, steps->done > 0 ? steps->done - 1 : 0);
    *kinetic = *potential = 0;
    enum status status = sum_forces(steps, dt, error);
    for (size_t k = 0; k < system->count && !status; k++) {
        const struct particle *p = &system->particles[k];
        const double per_force = steps->inverse_mass[k] * dt / 2;
        const double u = p->u + steps->force[k].x * per_force;
        const double v = p->v + steps->force[k].y * per_force;
        *kinetic += system_mass(system, p) * (u * u + v * v) / 2;
    }
    for (size_t k = 0; k < steps->part_count && !status; k++) {
        double energy = 0;
        if (steps->parts[k]->kind->energy)
            status = steps->parts[k]->kind->energy(steps->parts[k], steps, &energy, error);
        *potential += energy;
    }
    return status;
}

double steps_deviation(const struct steps *steps)
{
    double largest = 0;
    for (size_t k = 0; k < steps->part_count; k++)
        if (steps->parts[k]->kind->deviation)
            largest = fmax(largest, steps->parts[k]->kind->deviation(steps->parts[k], steps));
    return largest;
}

struct part *steps_find(const struct steps *steps, const struct part_kind *kind)
{
    for (size_t k = 0; k < steps->part_count; k++)
        if (steps->parts[k]->kind == kind)
            return steps->parts[k];
    return NULL;
}

struct observer *steps_observer(struct steps *steps)
{
    return &steps->observer;
}

struct steps *steps_among(const struct observers *observers)
{
    size_t k = 0;
    while (observers->list[k]->operations != &operations)
        k++;
    return (struct steps *)observers->list[k];
}

enum status steps_check(const struct scene *scene, struct error *error)
{
    const struct part_kind *kinds[SCENE_MOST_PARTS];
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < scene->count && !status; k++) {
        struct arguments arguments;
        status = part_parse(scene->parts[k].text, scene->parts[k].is_constraint, &kinds[k],
                            &arguments, error);
        arguments_free(&arguments);
        for (size_t n = 0; n < k && !status; n++)
            if (kinds[n] == kinds[k] && kinds[k]->is_single)
                status = error_set(error, STATUS_USAGE,
                                   "%s is given twice: a scene has at most one", kinds[k]->name);
    }
    return status;
}
