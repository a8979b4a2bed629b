/*
 * The final state as an INPUT; see final_state.h.
 *
 * What a run ends with is not always what INPUT may be, because of rounding. A collision at time t
 * is placed within the rounding of t. So disks that touch then overlap by up to their relative
 * speed times that, which after long ways is more than the rounding of coordinates, and that is all
 * that the reader accepts. They part again at once, so a gas has such a pair at its end only once
 * in some 10^16 collisions, or if the end is the very time of a collision; disks that lose all
 * their normal velocity stay like that for longer. The reader is strict for good reasons, so it is
 * the state that gives way: the two are moved apart along the line of their centres, by what the
 * rounding has brought them too near. Velocities stay, and with them energy and momentum.
 */
#include "observe/final_state.h"

#include "base/memory.h"
#include "io/output_file.h"
#include "model/overlap.h"
#include "observe/system_text.h"

#include <float.h>
#include <math.h>

struct final_state {
    struct observer observer;
    const char *name; /* of the file, as the user has it; not owned */
    int may_overlap;  /* particles stay where they are */
    struct output_file file;
};

/* Pairs to be moved apart: many more than there are, but for runs that are nothing but rounding. */
enum { MOST_MOVES = 100 };

/* A number as an INPUT may have it, which is not -0 and not too small for a normal double. */
static double normal(double value)
{
    return fabs(value) < DBL_MIN ? 0 : value;
}

/* The difference of two coordinates; along a periodic axis that of the nearest images. */
static double difference(double from, double to, double length, unsigned is_periodic)
{
    double result = to - from;
    if (is_periodic && fabs(result) > length / 2)
        result -= result > 0 ? length : -length;
    return result;
}

/* Moves two particles, which overlap, until they touch, each by half of the way. */
static void move_apart(const struct system *system, struct particle *a, struct particle *b)
{
    const struct boundary *boundary = &system->boundary;
    const double dx = difference(a->x, b->x, boundary->width, boundary->periodic & PERIODIC_X);
    const double dy = difference(a->y, b->y, boundary->height, boundary->periodic & PERIODIC_Y);
    const double distance = sqrt(dx * dx + dy * dy);
    if (distance == 0)
        return;
    const double step = (system_contact(system, a, b) / distance - 1) / 2;
    a->x -= step * dx;
    a->y -= step * dy;
    b->x += step * dx;
    b->y += step * dy;
    boundary_clamp(boundary, system_radius(system, a), &a->x, &a->y);
    boundary_clamp(boundary, system_radius(system, b), &b->x, &b->y);
}

/*
 * Moves particles apart until none overlap. Each move may bring them nearer to others or to a wall,
 * so they are searched again. `*overlap` is what remains, if anything does.
 */
static enum status separate(struct system *system, struct overlap *overlap, struct error *error)
{
    enum status status = overlap_find(system, overlap, error);
    for (int k = 0; k < MOST_MOVES && !status && overlap->found; k++) {
        move_apart(system, &system->particles[overlap->first], &system->particles[overlap->second]);
        status = overlap_find(system, overlap, error);
    }
    return status;
}

/* The particles of a snapshot, for memory_free; or NULL. */
static struct particle *copy_particles(const struct snapshot *snapshot, struct error *error)
{
    const size_t count = snapshot->system->count;
    struct particle *copy = memory_allocate(count, sizeof *copy, "the final state", error);
    for (size_t k = 0; copy && k < count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        copy[k] = (struct particle){
            .u = normal(body.u), .v = normal(body.v), .kind = body.kind, .id = (int32_t)k};
        snapshot_position(snapshot, k, &copy[k].x, &copy[k].y);
        copy[k].x = normal(copy[k].x);
        copy[k].y = normal(copy[k].y);
    }
    return copy;
}

/* Tells the user if the reader would refuse the state: the run itself has succeeded. */
static void warn_if_refused(const struct final_state *final, const struct system *system,
                            const struct overlap *overlap)
{
    struct error warning = {""};
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < system->count && !status; k++)
        status = system_check_particle(system, k, &warning);
    if (!status && overlap->found)
        status = error_set(&warning, STATUS_BAD_DATA,
                           "particles %zu and %zu overlap, by the rounding of so late a time",
                           overlap->first, overlap->second);
    if (!status)
        return;
    error_append(&warning, ": another run will refuse this final state");
    error_locate(&warning, final->name, 0);
    final->observer.all->warn(&warning);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    static const struct system_decimals all_digits = {{0}, {0}};
    struct final_state *final = (struct final_state *)observer;
    struct output_file *file = &final->file;
    struct overlap overlap = {0};
    struct system state = *snapshot->system;
    state.particles = copy_particles(snapshot, error);
    enum status status = state.particles ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status && !final->may_overlap)
        status = separate(&state, &overlap, error);
    if (!status)
        status = output_file_begin(file, error);
    if (!status) {
        file->is_durable = observer->is_resumable;
        status = system_write(&state, &all_digits, file->stream, final->name, error);
    }
    if (!status)
        status = output_file_complete(file, error);
    if (!status)
        warn_if_refused(final, &state, &overlap);
    memory_free(state.particles);
    return status;
}

static void free_final_state(struct observer *observer)
{
    struct final_state *final = (struct final_state *)observer;
    output_file_abandon(&final->file);
    memory_free(final);
}

enum status final_state_create(const char *name, int may_overlap, struct observer **observer,
                               struct error *error)
{
    static const struct observer_operations operations = {.finish = finish,
                                                          .free = free_final_state};
    struct final_state *final = memory_allocate(1, sizeof *final, "the final state", error);
    if (!final)
        return STATUS_NO_MEMORY;
    *final =
        (struct final_state){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                             .name = name,
                             .may_overlap = may_overlap};
    enum status status = output_file_prepare(&final->file, name, error);
    if (status) {
        memory_free(final);
        return status;
    }
    *observer = &final->observer;
    return STATUS_DONE;
}
