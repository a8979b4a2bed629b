/* The final state as an INPUT; see observe/writers.h. The state at the end of a run is not always
 * a valid INPUT. A collision at time t is placed within the rounding of t. So disks that touch then
 * may overlap by more than the rounding of coordinates, which is all that the reader accepts. They
 * separate again at once, so a gas has such a pair at its end only once in some 10^16 collisions,
 * or if it ends exactly at the time of a collision; disks that lose all their normal velocity stay
 * like that for longer. The two are then moved apart along the line of their centres. Velocities
 * stay, and with them energy and momentum. */
#include "observe/writers.h"

#include "base/memory.h"
#include "input/input.h"
#include "model/overlap.h"
#include "model/region.h"
#include "run/dynamics.h"

#include <float.h>
#include <math.h>

/* The most pairs to be moved apart: far more than usual runs have. */
enum { MAX_MOVES = 100 };

/* A number as an INPUT may have it, which is not -0 and not too small for a normal double. */
static double normal(double value)
{
    return fabs(value) < DBL_MIN ? 0 : value;
}

/* Moves two particles that overlap until they touch, each by half the distance. */
static void move_apart(const struct system *system, struct particle *a, struct particle *b)
{
    const struct boundary *boundary = &system->boundary;
    double dx = b->x - a->x, dy = b->y - a->y;
    boundary_shorten(boundary, &dx, &dy);
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

/* Moves particles apart until none overlap. `*overlap` is an overlap that remains, if any does. */
static enum status final_state_separate(struct system *system, struct overlap *overlap,
                                        struct error *error)
{
    enum status status = overlap_find(system, NULL, overlap, error);
    for (int k = 0; k < MAX_MOVES && !status && overlap->found; k++) {
        move_apart(system, &system->particles[overlap->first], &system->particles[overlap->second]);
        status = overlap_find(system, NULL, overlap, error);
    }
    return status;
}

/* Gives the state the particles that are there, and their spins; `*state` has those of the run. */
static enum status final_state_copy(const struct snapshot *snapshot, struct system *state,
                                    struct error *error)
{
    static const char what[] = "the final state";
    const size_t count = state->count;
    const int has_spins = state->spins != NULL;
    state->count = 0;
    state->particles = memory_allocate(count, sizeof *state->particles, what, error);
    state->spins = has_spins ? memory_allocate(count, sizeof *state->spins, what, error) : NULL;
    if (!state->particles || (has_spins && !state->spins))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        struct particle *copy = &state->particles[state->count];
        if (!snapshot_has(snapshot, k))
            continue;
        *copy = (struct particle){
            .u = normal(body.u), .v = normal(body.v), .kind = body.kind, .id = (int32_t)k};
        snapshot_position(snapshot, k, &copy->x, &copy->y);
        copy->x = normal(copy->x);
        copy->y = normal(copy->y);
        if (has_spins)
            state->spins[state->count] = normal(snapshot_spin(snapshot, k));
        state->count++;
    }
    return STATUS_DONE;
}

/* Refuses a state that the reader would refuse, after moving apart what overlaps. */
static enum status final_state_check(struct system system, int has_collisions, struct error *error)
{
    struct overlap overlap = {0};
    struct region_fault fault = {.kind = REGION_FREE};
    enum status status = STATUS_DONE;
    if (has_collisions)
        status = final_state_separate(&system, &overlap, error);
    for (size_t k = 0; k < system.count && !status; k++)
        status = system_check_particle(&system, k, error);
    if (!status && overlap.found)
        status = error_set(error, STATUS_BAD_DATA,
                           "particles %zu and %zu overlap, by the rounding of so late a time",
                           overlap.first, overlap.second);
    if (!has_collisions)
        system.radius = 0, system.kinds = NULL; /* disks may overlap polygons, too */
    if (!status && system.boundary.polygons)
        status = region_check(&system, &fault, error);
    if (!status && fault.kind != REGION_FREE)
        status = error_set(error, STATUS_BAD_DATA, "particle %zu overlaps a polygon or is in one",
                           fault.particle);
    if (status == STATUS_BAD_DATA)
        error_append(error, ": another run would refuse this final state, so it is not written");
    return status;
}

static enum status final_state_finish(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    static const struct input_decimals all_digits = {{0}, {0}};
    const struct output_file *file = observer->file;
    struct system state = *snapshot->system;
    state.boundary.shake.acts = 0; /* an INPUT by itself has a floor at rest */
    enum status status = final_state_copy(snapshot, &state, error);
    const struct dynamics *dynamics = observers_dynamics(observer->all);
    struct dynamics_joint joint;
    for (size_t k = 0; !status && dynamics_find_joint(dynamics, k, &joint); k++) {
        double x = joint.way[0], y = joint.way[1];
        boundary_shorten(&state.boundary, &x, &y);
        if (!joint.is_broken && (x != joint.way[0] || y != joint.way[1]))
            status = error_set(error, STATUS_BAD_DATA,
                               "particles %zu and %zu are further apart than half of a periodic "
                               "side: another run would join nearer images, so it is not written",
                               (size_t)joint.a, (size_t)joint.b);
    }
    if (!status && state.count > 0) /* otherwise walls have absorbed all */
        status = final_state_check(state, observers_traits(observer->all)->has_collisions, error);
    error_locate(error, status, file->name, 0);
    if (!status)
        status = input_write(&state, &all_digits, file->stream, file->name, error);
    memory_free(state.particles);
    memory_free(state.spins);
    return status;
}

const struct observer_operations final_state_operations = {
    .kind = {"--final", "the final state", sizeof(struct observer), FILE_AT_END},
    .finish = final_state_finish,
};
