/*
 * Placing disks anywhere, with overlaps, and then pushing them apart: for mixtures that are too
 * dense for random placement and do not fit onto a lattice.
 */
#ifndef PARTICLES_RELAXATION_H
#define PARTICLES_RELAXATION_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

/* The largest radius that disks may have, in radii of the smallest: the cells are as wide as the
 * largest, and must not hold too many of the smallest. */
#define RELAXATION_MAX_RATIO 10

/* Up to here the overlaps can be removed in large boxes; with 2000 disks, up to 0.82. */
#define RELAXATION_MAX_AREA_FRACTION 0.8

/*
 * Sets x and y of all particles, whose radii and box, with its periodic axes, are given, to
 * `decimals` that are finer than a millionth of the smallest radius; and nothing else. No two disks
 * overlap, and none leaves the box.
 *
 * Returns STATUS_DONE, or STATUS_NO_MEMORY. `*is_placed` is true if the overlaps could be removed
 * in reasonable time. Takes 12 N bytes of passing memory; about a second for 10000 disks.
 */
enum status place_by_relaxation(struct system *system, const struct decimals *decimals,
                                struct random_generator *generator, int *is_placed,
                                struct error *error);

#endif
