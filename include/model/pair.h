/*
 * When two particles touch, as long as neither meets anything else. The second one may be an
 * image, or stand for the corner of a polygon.
 *
 * Each formula is evaluated in one fixed order in IEEE double precision: changing one operation
 * changes the program's answers. These functions are built into the inner loop of every schedule.
 */
#ifndef PARTICLES_PAIR_H
#define PARTICLES_PAIR_H

#include "model/motion.h"

#include <float.h>
#include <math.h>

/* 1 is allowed: it concerns floats, and nothing is computed in floats. */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "doubles must be computed as doubles: on 32-bit x86 add -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math, -Ofast and -ffinite-math-only change the answers: remove them"
#endif

/* A generous bound of the rounding error of a coordinate computed from lengths up to `length`. */
static inline double pair_rounding(double length)
{
    return 16 * DBL_EPSILON * length;
}

/* How far an image of a particle is from the particle: a side of the box or 0 along each axis. */
struct pair_shift {
    double x, y; /* length */
};

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
struct pair_approach {
    double r;       /* the later anchor's time */
    double B, C, D; /* as above */
};

/* The approach of particles i and j, or of the image of j that is `shift` from it, where that is
 * not NULL. Exchanged, with the opposite shift, they give the same bits. Gravity acts on both
 * alike: as one sees the other, that moves straight on. */
static inline struct pair_approach pair_approach(const struct acceleration *gravity,
                                                 const struct particle *i, const struct particle *j,
                                                 double contact, const struct pair_shift *shift)
{
    struct pair_approach approach;
    double r = i->t > j->t ? i->t : j->t;
    const struct motion a = motion_at(gravity, i, r);
    const struct motion b = motion_at(gravity, j, r);
    double wx = b.u - a.u;
    double wy = b.v - a.v;
    double dx = b.x - a.x;
    double dy = b.y - a.y;
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
static inline int pair_meets(const struct pair_approach *approach)
{
    return (approach->B < 0) & ((approach->C <= 0) | (approach->D >= 0));
}

/* When they touch, not before the later anchor; INFINITY: never. */
static inline double pair_time_under(const struct acceleration *gravity, const struct particle *i,
                                     const struct particle *j, double contact,
                                     const struct pair_shift *shift)
{
    const struct pair_approach approach = pair_approach(gravity, i, j, contact, shift);
    if (!pair_meets(&approach))
        return (double)INFINITY;
    if (approach.C <= 0)
        return approach.r;
    return approach.r + approach.C / (sqrt(approach.D) - approach.B);
}

/* The same without gravity. */
static inline double pair_time(const struct particle *i, const struct particle *j, double contact,
                               const struct pair_shift *shift)
{
    return pair_time_under(&(struct acceleration){0, 0, 0}, i, j, contact, shift);
}

/*
 * pair_time of disks that grow: at time t their contact is `contact` (1 + growth t). (B.
 * Lubachevsky and F. Stillinger, Geometric properties of random disk packings, J. Stat. Phys. 60,
 * 561, 1990.)
 *
 * At r it is s, and grows at the speed h. They touch when |d + w q| = s + h q:
 *     A q^2 + 2 B q + C = 0 with A = w.w - h^2, B = d.w - h s, C = d.d - s^2;
 * and D = B^2 - A C is written as |s w - h d|^2 - (d x w)^2. A gap that closes (B < 0) ends at
 * C / (sqrt(D) - B). One that opens closes again if A < 0, for they fly apart more slowly than they
 * grow: at (B + sqrt(D)) / -A. Nothing cancels in either denominator. A particle never meets
 * itself.
 */
static inline double pair_growing_time(const struct particle *i, const struct particle *j,
                                       double contact, double growth,
                                       const struct pair_shift *shift)
{
    const double r = i->t > j->t ? i->t : j->t;
    const double wx = j->u - i->u;
    const double wy = j->v - i->v;
    double dx = particle_coordinate(j->x, j->u, j->t, r) - particle_coordinate(i->x, i->u, i->t, r);
    double dy = particle_coordinate(j->y, j->v, j->t, r) - particle_coordinate(i->y, i->v, i->t, r);
    if (shift) {
        dx += shift->x;
        dy += shift->y;
    }
    const double s = contact * (1 + growth * r);
    const double h = contact * growth;
    const double ex = s * wx - h * dx;
    const double ey = s * wy - h * dy;
    const double cross = dx * wy - dy * wx;
    const double square = dx * dx + dy * dy;
    const double A = (wx * wx + wy * wy) - h * h;
    const double B = (dx * wx + dy * wy) - h * s;
    const double C = square - s * s;
    const double D = (ex * ex + ey * ey) - cross * cross;
    const double root = sqrt(D > 0 ? D : 0);
    const int closes = B < 0;
    if (square == 0 || !(A < 0 || (closes && (C <= 0 || D >= 0))))
        return (double)INFINITY;
    if (closes && C <= 0)
        return r;
    return r + (closes ? C : B + root) / (closes ? root - B : -A);
}

#endif
