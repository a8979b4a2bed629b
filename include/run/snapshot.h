/*
 * All particles at one time, by the numbers that the input gives them: what observers see of a run.
 *
 * A schedule keeps the particles in an order of its own, and the system knows where each was at its
 * own last event. A snapshot hides both. So an observer works with any schedule and any dynamics.
 */
#ifndef PARTICLES_SNAPSHOT_H
#define PARTICLES_SNAPSHOT_H

#include "model/physics.h"
#include "model/system.h"

#include <math.h>

/* The index of each particle in the system, by its number; found again when it is asked for. */
struct snapshot_order {
    uint32_t *indices; /* NULL: number and index are the same */
    int is_current;
};

struct snapshot {
    double time;
    const struct system *system;  /* for what never changes: count, radius, boundary, kinds, law */
    struct snapshot_order *order; /* NULL: the particles are in the order of their numbers */
};

/* A particle at the time of a snapshot. */
struct body {
    double x, y;     /* its centre, length; by rounding it may be out of the box */
    double u, v;     /* its velocity, length per time, */
    double since;    /* which it has had since this time, of its last collision or the start */
    double radius;   /* length */
    double mass;     /* any unit of mass */
    int32_t species; /* the user's label */
    uint32_t kind;   /* the number of its kind */
};

/* Finds the index of each particle, where there is an order. */
void snapshot_find_order(const struct snapshot *snapshot);

/* The index of a particle in the system. */
static inline size_t snapshot_index(const struct snapshot *snapshot, size_t number)
{
    const struct snapshot_order *order = snapshot->order;
    if (!order || !order->indices)
        return number;
    if (!order->is_current)
        snapshot_find_order(snapshot);
    return order->indices[number];
}

/*
 * The particle with a number from 0 to the system's count - 1. Here, so that of a million only that
 * is computed which somebody asks for: it takes two thirds of the time.
 */
static inline struct body snapshot_body(const struct snapshot *snapshot, size_t number)
{
    const struct system *system = snapshot->system;
    const struct particle *p = &system->particles[snapshot_index(snapshot, number)];
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

/*
 * Where its centre is shown: rounding cannot take it out of the box. Along a periodic axis that is
 * from 0 to less than L.
 */
void snapshot_position(const struct snapshot *snapshot, size_t number, double *x, double *y);

/* Where its centre would be if it had not passed a seam, but gone on. Without seams, body.x, y. */
void snapshot_unwrapped(const struct snapshot *snapshot, size_t number, double *x, double *y);

/* How often it has collided, and its image counts. */
struct counts snapshot_counts(const struct snapshot *snapshot, size_t number);

/* What the run can go on from (for checkpoints and repeated runs): the particle as it is kept. */
struct particle snapshot_anchor(const struct snapshot *snapshot, size_t number);

/* A snapshot of a system whose particles are in the order of their numbers. */
static inline struct snapshot snapshot_in_order(const struct system *system, double time)
{
    return (struct snapshot){time, system, NULL};
}

/* The speed of a body; right also where the squares of its velocity's components vanish. */
static inline double body_speed(const struct body *body)
{
    double larger = fmax(fabs(body->u), fabs(body->v));
    if (larger == 0)
        return 0;
    double u = body->u / larger;
    double v = body->v / larger;
    return larger * sqrt(u * u + v * v);
}

#endif
