/*
 * How a particle moves between its events: straight on or, under gravity, along a parabola. Where
 * it is at a time, and how fast it moves there, follows from its anchor, here alone.
 *
 * Each formula is evaluated in one fixed order in IEEE double precision: changing one operation
 * changes the program's answers.
 */
#ifndef PARTICLES_MOTION_H
#define PARTICLES_MOTION_H

#include "model/particle.h"

/* The acceleration of all particles between their events; {0}: there is none. */
struct acceleration {
    double x, y; /* length per time^2 */
    int acts;    /* one of them is not 0 */
};

/* Where a particle is, length, and how fast it moves there, length per time. */
struct motion {
    double x, y, u, v;
};

/* One coordinate at `time` of a particle whose anchor has coordinate `x`, velocity `u` and time
 * `t` (assignment, "Calculation of particle-wall collisions": x(t1) + u (t - t1)). */
static inline double particle_coordinate(double x, double u, double t, double time)
{
    return x + u * (time - t);
}

/* The motion of a particle at `time`, which is after its anchor or a little before. */
static inline struct motion motion_at(const struct acceleration *gravity, const struct particle *p,
                                      double time)
{
    const double passed = time - p->t;
    if (!gravity->acts)
        return (struct motion){particle_coordinate(p->x, p->u, p->t, time),
                               particle_coordinate(p->y, p->v, p->t, time), p->u, p->v};
    return (struct motion){p->x + (p->u + 0.5 * gravity->x * passed) * passed,
                           p->y + (p->v + 0.5 * gravity->y * passed) * passed,
                           p->u + gravity->x * passed, p->v + gravity->y * passed};
}

/* Moves an anchor along the particle's path to `time`. */
static inline void motion_move(const struct acceleration *gravity, struct particle *p, double time)
{
    const struct motion at = motion_at(gravity, p, time);
    p->x = at.x;
    p->y = at.y;
    p->u = at.u;
    p->v = at.v;
    p->t = time;
}

#endif
