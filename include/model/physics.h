/*
 * All floating-point decisions of the simulation, and nothing else: where a particle is, when it
 * will collide, and how a collision changes it. (Those of walls and seams are in boundary.h.)
 *
 * Every predicted time is a pure function of the anchors of the particles involved, and each
 * formula is evaluated in one fixed order in IEEE double precision. Therefore any schedule, on any
 * machine, with any compiler, finds the very same collisions. Changing one operation here changes
 * the program's answers. The predictions, the inner loop of every schedule, are built in.
 */
#ifndef PARTICLES_PHYSICS_H
#define PARTICLES_PHYSICS_H

#include "model/event.h"
#include "model/polygons.h"
#include "model/system.h"

#include <float.h>
#include <math.h>

/* 1 is allowed: it concerns floats, and nothing is computed in floats. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "doubles must be computed as doubles: on 32-bit x86 add -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math, -Ofast and -ffinite-math-only change the answers: remove them"
#endif

/* One coordinate at `time` of a particle whose anchor has coordinate `x`, velocity `u` and time
 * `t` (assignment, "Calculation of particle-wall collisions": x(t1) + u (t - t1)). */
static inline double physics_coordinate(double x, double u, double t, double time)
{
    return x + u * (time - t);
}

/*
 * How two particles approach each other: the coefficients that decide when their centres are
 * `contact` = R_i + R_j apart, as long as neither collides with anything else.
 *
 * With d their distance, w their relative velocity, both at the later anchor's time r, the
 * assignment ("Calculation of particle-particle collisions") asks for the smaller root of
 *     (w.w) q^2 + 2 (d.w) q + (d.d - contact^2) = 0,  q = time - r.
 * It is computed as C / (sqrt(D) - B), with B = d.w, C = d.d - contact^2 and the discriminant
 * D = B^2 - (w.w) C written as (w.w) contact^2 - (d x w)^2: where B < 0 nothing cancels in the
 * denominator, and grazing contacts keep their digits.
 */
struct physics_approach {
    double r;       /* the later anchor's time */
    double B, C, D; /* as above */
};

/* The approach of particles i and j, or of the image of j that is `shift` from it, where that is
 * not NULL. Exchanged, with the opposite shift, they give the same bits. */
static inline struct physics_approach physics_pair_approach(const struct particle *i,
                                                            const struct particle *j,
                                                            double contact,
                                                            const struct shift *shift)
{
    struct physics_approach approach;
    double r = i->t > j->t ? i->t : j->t;
    double wx = j->u - i->u;
    double wy = j->v - i->v;
    double dx = physics_coordinate(j->x, j->u, j->t, r) - physics_coordinate(i->x, i->u, i->t, r);
    double dy = physics_coordinate(j->y, j->v, j->t, r) - physics_coordinate(i->y, i->v, i->t, r);
    if (shift) {
        dx += shift->x;
        dy += shift->y;
    }
    double cross = dx * wy - dy * wx;
    approach.r = r;
    approach.B = dx * wx + dy * wy;
    approach.C = (dx * dx + dy * dy) - contact * contact;
    approach.D = (wx * wx + wy * wy) * (contact * contact) - cross * cross;
    return approach;
}

/*
 * Whether they touch at all. Receding particles (B >= 0) never do, and others may miss each other
 * (D < 0). Approaching ones that already touch, or overlap by rounding (C <= 0), collide at once:
 * so no particle can pass through another. A graze (D = 0) is a collision. There is no branch, for
 * these conditions come at random, and no processor could predict them.
 */
static inline int physics_pair_meets(const struct physics_approach *approach)
{
    return (approach->B < 0) & ((approach->C <= 0) | (approach->D >= 0));
}

/* When they touch, not before the later anchor; INFINITY: never. */
static inline double physics_pair_time(const struct particle *i, const struct particle *j,
                                       double contact, const struct shift *shift)
{
    const struct physics_approach approach = physics_pair_approach(i, j, contact, shift);
    if (!physics_pair_meets(&approach))
        return (double)INFINITY;
    if (approach.C <= 0)
        return approach.r;
    return approach.r + approach.C / (sqrt(approach.D) - approach.B);
}

/* When two particles touch, and with which image of the second: its shift is added to j - i. */
struct physics_contact {
    double time; /* INFINITY: never */
    struct shift shift;
};

/* The earliest contact of particle i with the images of j: along each periodic axis those at -L, 0
 * and L, for between events every centre is in the box. Of several at one time, the first in this
 * order, x before y. */
struct physics_contact physics_first_contact(const struct system *system, const struct particle *i,
                                             const struct particle *j);

/* The next collision of particle `index` with the boundary. */
static inline struct event physics_boundary_event(const struct system *system, size_t index)
{
    const struct particle *p = &system->particles[index];
    const double radius = system_radius(system, p);
    struct boundary_contact next = boundary_next(&system->boundary, p, radius);
    if (system->boundary.polygons) {
        struct boundary_contact other =
            polygons_next(&system->boundary, p, radius, p->t, next.time);
        next = other.time < next.time ? other : next;
    }
    return (struct event){next.time, (int32_t)index, next.feature};
}

/* The potential collision of particles i and j, of which i has the lower id; or, if they are the
 * same, of i with the boundary. */
static inline struct event physics_event(const struct system *system, size_t i, size_t j)
{
    if (i == j)
        return physics_boundary_event(system, i);
    const struct particle *p = &system->particles[i];
    const struct particle *q = &system->particles[j];
    double time = system->boundary.periodic
                      ? physics_first_contact(system, p, q).time
                      : physics_pair_time(p, q, system_contact(system, p, q), NULL);
    return (struct event){time, (int32_t)i, (int32_t)j};
}

/*
 * Resolves `event`, which the predictions above gave for these anchors: moves the anchors of its
 * particles to its time, changes their velocities, raises their versions and counts the collision.
 * Two particles switch velocities (assignment, "Calculation of particle-particle collisions") or
 * exchange momentum, as the system's law says; afterwards they do not approach. Returns the shift
 * of the image of particle b, or of a polygon, that particle a has met.
 */
struct shift physics_resolve(struct system *system, const struct event *event);

/* The same for two particles, and describes their collision. */
void physics_resolve_impact(struct system *system, const struct event *event,
                            struct impact *impact);

/* Where particle `index` is at `time`, not before its anchor and not after its next collision.
 * Rounding cannot take it out of the box. */
void physics_position(const struct system *system, size_t index, double time, double *x, double *y);

/*
 * The contact time of a law with restitution < 1 if the user gives none: 10^-5 times the mean
 * diameter, or the shorter side of the box where all are points, divided by the root mean square of
 * the present speeds; 0 if all are at rest, at most SYSTEM_LARGEST. Sums are made in the order of
 * the particles, which should be that of their ids.
 */
double physics_contact_time(const struct system *system);

#endif
