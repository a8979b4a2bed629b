/*
 * Particles by their numbers; see snapshot.h.
 */
#include "run/snapshot.h"

#include "model/physics.h"

static size_t find_index(const struct snapshot *snapshot, size_t number)
{
    struct snapshot_order *order = snapshot->order;
    if (!order || !order->indices)
        return number;
    if (!order->is_current)
        for (size_t k = 0; k < snapshot->system->count; k++)
            order->indices[snapshot->system->particles[k].id] = (uint32_t)k;
    order->is_current = 1;
    return order->indices[number];
}

struct body snapshot_body(const struct snapshot *snapshot, size_t number)
{
    const struct system *system = snapshot->system;
    const struct particle *p = &system->particles[find_index(snapshot, number)];
    return (struct body){.x = physics_coordinate(p->x, p->u, p->t, snapshot->time),
                         .y = physics_coordinate(p->y, p->v, p->t, snapshot->time),
                         .u = p->u,
                         .v = p->v,
                         .since = particle_since(p),
                         .radius = system_radius(system, p),
                         .mass = system_mass(system, p),
                         .species = system_species(system, p),
                         .kind = p->kind};
}

void snapshot_position(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    physics_position(snapshot->system, find_index(snapshot, number), snapshot->time, x, y);
}

void snapshot_unwrapped(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    const struct system *system = snapshot->system;
    const size_t index = find_index(snapshot, number);
    const struct particle *p = &system->particles[index];
    const struct shift image = boundary_image(&system->boundary, &system->counts[index]);
    *x = physics_coordinate(p->x, p->u, p->t, snapshot->time) + image.x;
    *y = physics_coordinate(p->y, p->v, p->t, snapshot->time) + image.y;
}

struct counts snapshot_counts(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->counts[find_index(snapshot, number)];
}

struct particle snapshot_anchor(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->particles[find_index(snapshot, number)];
}
