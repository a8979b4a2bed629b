/* All particles at one time, by the numbers that the input gives them: what observers see of a run.
 * A schedule keeps the particles in an order of its own, and the system knows where each was at its
 * own last event. A snapshot hides both: observers work with any schedule and dynamics. */
#ifndef PARTICLES_SNAPSHOT_H
#define PARTICLES_SNAPSHOT_H

#include "base/elementary.h"
#include "model/system.h"

/* The index of each particle in the system, by its number; found when it is first needed. */
struct snapshot_order {
    uint32_t *indices; /* NULL: number and index are the same */
    uint64_t known; /* the system's `reorderings` when they were found, + 1; 0: they are unknown */
};

struct snapshot {
    double time;
    const struct system *system;  /* for what never changes: count, radius, boundary, kinds, law */
    struct snapshot_order *order; /* NULL: the particles are in the order of their numbers */
};

/* A particle at the time of a snapshot. */
struct snapshot_particle {
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
    if (order->known != snapshot->system->reorderings + 1)
        snapshot_find_order(snapshot);
    return order->indices[number];
}

/* True unless a wall has absorbed the particle: then it is at rest where that was, its line of the
 * answer stays, and observers leave it out. */
static inline int snapshot_has(const struct snapshot *snapshot, size_t number)
{
    return !particle_is_absorbed(&snapshot->system->particles[snapshot_index(snapshot, number)]);
}

/* The particle with a number from 0 to the system's count - 1. Compilers leave out what a caller
 * does not use: for a million particles that takes two thirds of the time. */
static inline struct snapshot_particle snapshot_body(const struct snapshot *snapshot, size_t number)
{
    const struct system *system = snapshot->system;
    const struct particle *p = &system->particles[snapshot_index(snapshot, number)];
    const struct motion at = motion_shown(&system->boundary.gravity, p, snapshot->time);
    return (struct snapshot_particle){.x = at.x,
                                      .y = at.y,
                                      .u = at.u,
                                      .v = at.v,
                                      .since = particle_since(p),
                                      .radius = system_radius(system, p) *
                                                system_grown(system, snapshot->time),
                                      .mass = system_mass(system, p),
                                      .species = system_species(system, p),
                                      .kind = p->kind};
}

/* Where its centre is shown: in the box; along a periodic axis from 0 to less than L. */
void snapshot_position(const struct snapshot *snapshot, size_t number, double *x, double *y);

/* Where its centre would be if it had not passed a seam, but gone on. Without seams, body.x, y. */
void snapshot_unwrapped(const struct snapshot *snapshot, size_t number, double *x, double *y);

/* How often it has collided, and its image counts. */
static inline struct particle_counts snapshot_counts(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->counts[snapshot_index(snapshot, number)];
}

/* The spin of a rough disk, counter-clockwise, 1 / time; of others 0. */
static inline double snapshot_spin(const struct snapshot *snapshot, size_t number)
{
    const double *spins = snapshot->system->spins;
    return spins ? spins[snapshot_index(snapshot, number)] : 0;
}

/* The collisions of all particles together; one of two particles counts once. */
struct particle_counts snapshot_collisions(const struct snapshot *snapshot);

/* Energy and momentum of all particles at one time, in the units of the input. Along an axis that
 * conserves momentum the centre of mass drifts. That is no heat: temperatures, paths and speeds are
 * relative to the drift. The drift of a stream is its own velocity. */
struct snapshot_motion {
    double mass;             /* sum of m */
    double energy;           /* kinetic: sum of m (u^2 + v^2) / 2, with that of the rotation */
    double potential;        /* of gravity, 0 at the origin: minus the sum of m g.x */
    double rotational;       /* of rough disks: sum of I w^2 / 2 with the spins w */
    double momentum_x;       /* sum of m u */
    double momentum_y;       /* sum of m v */
    double momentum_scale;   /* sum of m |velocity|, to compare momentum with */
    double drift_u, drift_v; /* velocity of the centre of mass there, or of the stream; or 0 */
    double thermal;          /* kinetic energy relative to the drift; divided by */
    double half_freedom;     /* half of the degrees of freedom it is the temperature */
};

/* The particle as the system has it: from its anchor a run can be resumed or repeated. */
static inline struct particle snapshot_anchor(const struct snapshot *snapshot, size_t number)
{
    return snapshot->system->particles[snapshot_index(snapshot, number)];
}

/* A snapshot of a system whose particles are in the order of their numbers. */
static inline struct snapshot snapshot_in_order(const struct system *system, double time)
{
    return (struct snapshot){time, system, NULL};
}

static inline double body_speed(const struct snapshot_particle *body)
{
    return elementary_length(body->u, body->v);
}

#endif
