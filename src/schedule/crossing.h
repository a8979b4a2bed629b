/* The crossing of a particle from its cell to the next one. */
#ifndef PARTICLES_CROSSING_H
#define PARTICLES_CROSSING_H

#include "base/simd.h"
#include "cell_list.h"
#include "prediction.h"

#include <math.h>

_Static_assert(SIMD_LANES == 2, "one lane for each axis");

/*
 * Completes a prediction by the crossing of particle k, whose cell is in `column` and `row`: when
 * it reaches a border of its cell, and which cell is behind that. Both axes are side by side in a
 * vector, and there are no branches, for the signs of the velocity are unpredictable: the border
 * ahead is looked up. The outer border of an outer cell is infinitely far, as is any border for a
 * particle at rest. At a corner the particle crosses sideways first. Returns 0 if both borders
 * ahead are nearer: then the particle reaches one of them before a wall or a seam.
 */
static inline int crossing_set(const struct system *system, uint32_t k,
                               struct prediction *prediction, const struct cell_list *cell_list,
                               uint32_t column, uint32_t row)
{
    const struct particle *p = &system->particles[k];
    const simd velocity = simd_load(&p->u);
    const unsigned backward = simd_bits(velocity < 0); /* 1: left, 2: down */
    const double *const borders[] = {&cell_list->x_borders[column + 1 - (backward & 1)],
                                     &cell_list->y_borders[row + 1 - (backward >> 1)]};
    const simd distance = simd_load_one(borders) - simd_load(&p->x);
    const simd never = simd_all((double)INFINITY);
    const simd earliest = simd_only(velocity == 0, never);
    const simd waits = simd_larger(distance / velocity, earliest);
    const double wait = simd_least(waits);
    const unsigned first = simd_bits(waits == wait);
    const double time = p->t + wait;
    prediction->step = cell_list->steps[backward][first & 1];
    prediction->key = time < prediction->time ? time : prediction->time;
    return simd_bits(waits == never) != 0;
}

#endif
