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

#include <math.h>

/* The acceleration of all particles between their events; {0}: there is none. */
struct acceleration {
    double x, y; /* length per time^2 */
    int acts;    /* one of them is not 0 */
};

static inline struct acceleration acceleration_make(const double components[2])
{
    return (struct acceleration){components[0], components[1],
                                 components[0] != 0 || components[1] != 0};
}

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

/* The same, but for an absorbed particle that it is at rest where a wall has absorbed it. */
static inline struct motion motion_shown(const struct acceleration *gravity,
                                         const struct particle *p, double time)
{
    return particle_is_absorbed(p) ? (struct motion){p->x, p->y, 0, 0}
                                   : motion_at(gravity, p, time);
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

/* How long it takes to close a gap for the first time, or until what overlaps, by rounding, begins
 * to approach: the gap becomes smaller by `speed` and, increasingly, by `pull`, an acceleration;
 * each may be negative. INFINITY: never, as where it would only be grazed. No digits cancel. */
static inline double motion_wait(double gap, double speed, double pull)
{
    if (!(gap < (double)INFINITY) || (speed <= 0 && pull <= 0))
        return (double)INFINITY;
    if (speed > 0 && gap <= 0)
        return 0;
    const double square = speed * speed + 2 * pull * gap;
    if (speed > 0)
        return square > 0 ? 2 * gap / (speed + sqrt(square)) : (double)INFINITY;
    return (sqrt(fmax(square, 0)) - speed) / pull;
}

/* When a coordinate leaves an interval in which it is at time `now`, not before that, and in
 * `*is_up` whether by its upper end. Against gravity it goes to one end; once it has turned it
 * can only leave by the other. The ends may be infinite. */
static inline double motion_exit(const double at[4], const double ends[2], double now, int *is_up)
{
    const double x = at[0], u = at[1], g = at[2], t = at[3];
    const int falls_up = g > 0;
    const double sign = falls_up ? 1 : -1, pull = fabs(g);
    *is_up = g == 0 ? u > 0 : !falls_up;
    if (g == 0)
        return u == 0 ? (double)INFINITY : t + (ends[*is_up] - x) / u;
    if (now < t - u / g) {
        const double wait = motion_wait(sign * (x - ends[*is_up]), -sign * u, -pull);
        if (wait < (double)INFINITY)
            return fmax(t + wait, now);
    }
    *is_up = falls_up;
    const double gap = sign * (ends[falls_up] - x), speed = sign * u;
    const double root = sqrt(fmax(speed * speed + 2 * pull * gap, 0));
    if (!(gap < (double)INFINITY))
        return gap;
    const double wait = speed <= 0 ? (root - speed) / pull : 2 * gap / (speed + root);
    return fmax(t + wait, now);
}

#endif
