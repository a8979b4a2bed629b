/*
 * Placing disks at random, one after the other, wherever there is room.
 */
#ifndef PARTICLES_RANDOM_PLACEMENT_H
#define PARTICLES_RANDOM_PLACEMENT_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

/*
 * Places all disks of `system`, whose count, radius and box are given and whose particles are
 * allocated: sets their x and y, which are `decimals`, and nothing else. No two overlap and none
 * leaves the box, not even by rounding.
 *
 * Returns STATUS_DONE, or STATUS_NO_MEMORY. `*is_placed` tells whether there was room for all that
 * could be found in reasonable time; there always is up to an area fraction of about 0.45, but in
 * boxes only a few disks wide. Takes O(N) time and 12 N bytes of passing memory.
 */
enum status random_placement(struct system *system, const struct decimals *decimals,
                             struct random_generator *generator, int *is_placed,
                             struct error *error);

#endif
