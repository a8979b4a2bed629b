/*
 * The prediction of physics_pair_time for two pairs at a time, in the two lanes of a vector
 * register: the same operations in the same order, and so the same bits, but without a branch.
 * Tests compare it with physics_pair_time, which is the version to read.
 */
#ifndef PARTICLES_PHYSICS_SIMD_H
#define PARTICLES_PHYSICS_SIMD_H

#include "base/simd.h"
#include "model/physics.h"

/* A particle in both lanes: to be paired with two others at a time. */
struct physics_twins {
    simd x, y, u, v, t;
};

static inline struct physics_twins physics_twins(const struct particle *particle)
{
    return (struct physics_twins){
        .x = simd_both(particle->x),
        .y = simd_both(particle->y),
        .u = simd_both(particle->u),
        .v = simd_both(particle->v),
        .t = simd_both(particle->t),
    };
}

/* A coordinate of j[0] and j[1] at time r, given by lanes. */
static inline simd physics_coordinates(simd x, simd u, simd t, simd r)
{
    return simd_add(x, simd_multiply(u, simd_subtract(r, t)));
}

/*
 * physics_pair_time of particle i with j[0] and with j[1], to the last bit and without a branch;
 * but a NaN where they never touch, so that it is neither before nor at any other time.
 * With `is_latest`, a constant in each caller, the anchor of i is not earlier than those of the
 * others: then r is its time, and i is where its anchor is. The shifts are
 * those of j[0] and j[1], as for physics_pair_time, or NULL.
 */
static inline simd physics_pair_times(const struct physics_twins *i,
                                      const struct particle *const j[2], simd contact,
                                      int is_latest, const struct shift *shifts)
{
    const simd zero = simd_both(0);
    simd t = simd_load(&j[0]->t, &j[1]->t);
    simd u = simd_load(&j[0]->u, &j[1]->u);
    simd v = simd_load(&j[0]->v, &j[1]->v);
    simd r = is_latest ? i->t : simd_larger(i->t, t);
    simd x = physics_coordinates(simd_load(&j[0]->x, &j[1]->x), u, t, r);
    simd y = physics_coordinates(simd_load(&j[0]->y, &j[1]->y), v, t, r);
    simd dx = simd_subtract(x, is_latest ? i->x : physics_coordinates(i->x, i->u, i->t, r));
    simd dy = simd_subtract(y, is_latest ? i->y : physics_coordinates(i->y, i->v, i->t, r));
    if (shifts) {
        dx = simd_add(dx, simd_load(&shifts[0].x, &shifts[1].x));
        dy = simd_add(dy, simd_load(&shifts[0].y, &shifts[1].y));
    }
    simd wx = simd_subtract(u, i->u);
    simd wy = simd_subtract(v, i->v);
    simd cross = simd_subtract(simd_multiply(dx, wy), simd_multiply(dy, wx));
    simd B = simd_add(simd_multiply(dx, wx), simd_multiply(dy, wy));
    simd square = simd_multiply(contact, contact);
    simd C = simd_subtract(simd_add(simd_multiply(dx, dx), simd_multiply(dy, dy)), square);
    simd A = simd_add(simd_multiply(wx, wx), simd_multiply(wy, wy));
    simd D = simd_subtract(simd_multiply(A, square), simd_multiply(cross, cross));
    simd later = simd_divide(C, simd_subtract(simd_root(D), B)); /* a NaN where D < 0 */
    simd time = simd_select(simd_is_at_most(C, zero), r, simd_add(r, later));
    return simd_or(simd_is_at_most(zero, B), time); /* a NaN is all bits set, and they recede */
}

#endif
