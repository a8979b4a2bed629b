/*
 * Particles by their numbers; see snapshot.h.
 */
#include "run/snapshot.h"

#include "model/physics.h"

void snapshot_find_order(const struct snapshot *snapshot)
{
    struct snapshot_order *order = snapshot->order;
    for (size_t k = 0; k < snapshot->system->count; k++)
        order->indices[snapshot->system->particles[k].id] = (uint32_t)k;
    order->is_current = 1;
}

void snapshot_position(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    physics_position(snapshot->system, snapshot_index(snapshot, number), snapshot->time, x, y);
}

void snapshot_unwrapped(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    const struct system *system = snapshot->system;
    const size_t index = snapshot_index(snapshot, number);
    const struct particle *p = &system->particles[index];
    const struct shift image = boundary_image(&system->boundary, &system->counts[index]);
    *x = physics_coordinate(p->x, p->u, p->t, snapshot->time) + image.x;
    *y = physics_coordinate(p->y, p->v, p->t, snapshot->time) + image.y;
}

struct counts snapshot_counts(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->counts[snapshot_index(snapshot, number)];
}

struct particle snapshot_anchor(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->particles[snapshot_index(snapshot, number)];
}
