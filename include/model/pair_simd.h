/* The prediction of pair_time for as many pairs at a time as there are lanes in a vector
 * register (base/simd.h): the same operations in the same order, and so the same bits, but without
 * a branch. Tests compare it with pair_time, which is the version to read. */
#ifndef PARTICLES_PAIR_SIMD_H
#define PARTICLES_PAIR_SIMD_H

#include "base/simd.h"
#include "model/pair.h"

/* A particle in all lanes: to be paired with others, one in each lane. */
struct pair_repeated {
    simd x, y, u, v, t;
};

SIMD_INLINE struct pair_repeated pair_repeat(const struct particle *particle)
{
    return (struct pair_repeated){simd_all(particle->x), simd_all(particle->y),
                                  simd_all(particle->u), simd_all(particle->v),
                                  simd_all(particle->t)};
}

/* The results of pair_approach for several pairs. */
struct pair_approaches {
    simd r, B, C, D;
};

/* How far the image of a particle is from it, in each lane. */
struct pair_shifts {
    simd x, y;
};

/* pair_approach of particle i with each j. With `is_latest`, a constant in each caller, no anchor
 * is later than the anchor of i. The shifts are of each j, or NULL. */
SIMD_INLINE struct pair_approaches pair_approaches(const struct pair_repeated *i,
                                                   const struct particle *const j[SIMD_LANES],
                                                   simd contact, int is_latest,
                                                   const struct pair_shifts *shifts)
{
    const double *places[SIMD_LANES];
    const double *velocities[SIMD_LANES];
    const double *times[SIMD_LANES];
    COMPILER_UNROLLED
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
    dx = (x + u * (r - t)) - (is_latest ? i->x : i->x + i->u * (r - i->t));
    dy = (y + v * (r - t)) - (is_latest ? i->y : i->y + i->v * (r - i->t));
    if (shifts) {
        dx += shifts->x;
        dy += shifts->y;
    }
    simd wx = u - i->u;
    simd wy = v - i->v;
    simd cross = dx * wy - dy * wx;
    simd square = contact * contact;
    simd A = wx * wx + wy * wy;
    return (struct pair_approaches){
        .r = r,
        .B = dx * wx + dy * wy,
        .C = (dx * dx + dy * dy) - square,
        .D = A * square - cross * cross,
    };
}

/* True if any of them touch at all: see pair_meets. */
SIMD_INLINE int pairs_meet(const struct pair_approaches *approaches)
{
    const unsigned approaching = simd_bits(approaches->B < 0);
    return (approaching & simd_bits((approaches->C <= 0) | (approaches->D >= 0))) != 0;
}

/* When they touch, to the last bit as pair_time; but a NaN where they never do, which is
 * neither before nor at any other time. */
SIMD_INLINE simd pair_times(const struct pair_approaches *approaches)
{
    const simd root = simd_root(approaches->D); /* a NaN where D < 0 */
    const simd later = approaches->C / (root - approaches->B);
    const simd time = approaches->r + simd_except(approaches->C <= 0, later);
    return simd_spoil(approaches->B >= 0, time);
}

#endif
