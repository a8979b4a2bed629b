/*
 * The prediction of physics_pair_time for as many pairs at a time as there are lanes in a vector
 * register (base/simd.h): the same operations in the same order, and so the same bits, but without
 * a branch. Tests compare it with physics_pair_time, which is the version to read.
 */
#ifndef PARTICLES_PHYSICS_SIMD_H
#define PARTICLES_PHYSICS_SIMD_H

#include "base/simd.h"
#include "model/physics.h"

/* A particle in all lanes: to be paired with others, one in each lane. */
struct physics_repeated {
    simd x, y, u, v, t;
};

SIMD_INLINE struct physics_repeated physics_repeat(const struct particle *particle)
{
    return (struct physics_repeated){
        .x = simd_all(particle->x),
        .y = simd_all(particle->y),
        .u = simd_all(particle->u),
        .v = simd_all(particle->v),
        .t = simd_all(particle->t),
    };
}

/* A coordinate of several particles at time r, given by lanes. */
SIMD_INLINE simd physics_coordinates(simd x, simd u, simd t, simd r)
{
    return simd_add(x, simd_multiply(u, simd_subtract(r, t)));
}

/* The distance of others, at x and y, from where i is at time r. */
SIMD_INLINE void physics_distances(const struct physics_repeated *i, int is_latest, simd r, simd x,
                                   simd y, simd *dx, simd *dy)
{
    *dx = simd_subtract(x, is_latest ? i->x : physics_coordinates(i->x, i->u, i->t, r));
    *dy = simd_subtract(y, is_latest ? i->y : physics_coordinates(i->y, i->v, i->t, r));
}

/* What physics_pair_approach computes, of several pairs. */
struct physics_approaches {
    simd r, B, C, D;
};

/*
 * physics_pair_approach of particle i with each j. With `is_latest`, a constant in each caller, the
 * anchor of i is not earlier than those of the others: then r is its time, and i is where its
 * anchor is. The shifts are those of each j, or NULL.
 */
SIMD_INLINE struct physics_approaches
physics_pair_approaches(const struct physics_repeated *i,
                        const struct particle *const j[SIMD_LANES], simd contact, int is_latest,
                        const struct shift *shifts)
{
    const double *places[SIMD_LANES];
    const double *velocities[SIMD_LANES];
    const double *times[SIMD_LANES];
    for (int k = 0; k < SIMD_LANES; k++) {
        places[k] = &j[k]->x;
        velocities[k] = &j[k]->u;
        times[k] = &j[k]->t;
    }
    simd x, y, u, v, dx, dy;
    simd_load_two(places, &x, &y);
    simd_load_two(velocities, &u, &v);
    const simd t = simd_load_one(times);
    simd r = is_latest ? i->t : simd_larger(i->t, t);
    physics_distances(i, is_latest, r, physics_coordinates(x, u, t, r),
                      physics_coordinates(y, v, t, r), &dx, &dy);
    if (shifts) {
        const double *pairs[SIMD_LANES];
        simd x_shift, y_shift;
        for (int k = 0; k < SIMD_LANES; k++)
            pairs[k] = &shifts[k].x;
        simd_load_two(pairs, &x_shift, &y_shift);
        dx = simd_add(dx, x_shift);
        dy = simd_add(dy, y_shift);
    }
    simd wx = simd_subtract(u, i->u);
    simd wy = simd_subtract(v, i->v);
    simd cross = simd_subtract(simd_multiply(dx, wy), simd_multiply(dy, wx));
    simd square = simd_multiply(contact, contact);
    simd A = simd_add(simd_multiply(wx, wx), simd_multiply(wy, wy));
    return (struct physics_approaches){
        .r = r,
        .B = simd_add(simd_multiply(dx, wx), simd_multiply(dy, wy)),
        .C = simd_subtract(simd_add(simd_multiply(dx, dx), simd_multiply(dy, dy)), square),
        .D = simd_subtract(simd_multiply(A, square), simd_multiply(cross, cross)),
    };
}

/* Whether any of them touch at all: see physics_pair_meets. */
SIMD_INLINE int physics_pairs_meet(const struct physics_approaches *approaches)
{
    const simd zero = simd_all(0);
    const unsigned approaching = simd_bits(simd_is_less(approaches->B, zero));
    const simd_mask touch =
        simd_or(simd_is_at_most(approaches->C, zero), simd_is_at_most(zero, approaches->D));
    return (approaching & simd_bits(touch)) != 0;
}

/*
 * When they touch, each to the last bit as physics_pair_time; but a NaN where they never do, so
 * that it is neither before nor at any other time.
 */
SIMD_INLINE simd physics_pair_times(const struct physics_approaches *approaches)
{
    const simd zero = simd_all(0);
    const simd root = simd_root(approaches->D); /* a NaN where D < 0 */
    const simd later = simd_divide(approaches->C, simd_subtract(root, approaches->B));
    const simd_mask touch = simd_is_at_most(approaches->C, zero);
    const simd time = simd_add(approaches->r, simd_except(touch, later));
    return simd_spoil(simd_is_at_most(zero, approaches->B), time);
}

#endif
