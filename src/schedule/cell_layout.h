/*
 * How the cells schedule lays out the box in cells, and the particles in memory.
 */
#ifndef PARTICLES_CELL_LAYOUT_H
#define PARTICLES_CELL_LAYOUT_H

#include "cell_list.h"
#include "model/system.h"

/*
 * The longest length that enters into a position at time `now` or somewhat later, and is rounded:
 * a side of the box, and the way of the fastest particle. Takes O(N) time.
 */
double layout_reach(const struct system *system, double now);

/*
 * The least side of a cell such that two particles whose centres are up to `contact` apart are
 * neighbours: that length, and a margin for rounding, which grows with `reach`, a layout_reach.
 */
double layout_least_side(double contact, double reach);

/* How many cells, border included, layout_choose_shape uses at most for `count` particles. */
size_t layout_most_cells(size_t count);

/*
 * Chooses the cells for where the particles are at time `now`, which is not before any anchor:
 * about as many as there are particles, over the part of the box where most of them are, and none
 * with a side shorter than layout_least_side.
 */
void layout_choose_shape(const struct system *system, double contact, double now,
                         struct cell_list_shape *shape);

/* Moves particle order[k] to k, for all k below `count`; overwrites `order`. */
void layout_permute(struct particle *particles, uint32_t *order, size_t count);

#endif
