/*
 * Placing disks at random, one after the other, wherever there is room.
 */
#ifndef PARTICLES_RANDOM_PLACEMENT_H
#define PARTICLES_RANDOM_PLACEMENT_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

enum { PLACEMENT_MAX_GROUPS = 16 };

/* Disks of one radius: particles `first` to `first` + `count` - 1. */
struct disk_group {
    size_t first, count;
    double radius; /* length */
};

/*
 * Places all disks of `system`, whose count and box, with its periodic axes, are given and whose
 * particles are allocated: sets their x and y, which are `decimals`, and nothing else. They come in
 * 1 to PLACEMENT_MAX_GROUPS groups, the largest disks first, whose radii count and not those of
 * the system. No two overlap, none leaves the box through a wall, not even by rounding, and along a
 * periodic axis, which must be 4 radii long, a centre is from 0 to less than L. If the box has
 * polygons, which must be prepared for these radii, disks are in the region of particles
 * (model/region.h), and none overlaps a side or corner.
 *
 * Returns STATUS_DONE, or STATUS_NO_MEMORY. `*placed` is the number of disks for which room was
 * found in reasonable time, in the order of the groups: all of them up to an area fraction of about
 * 0.45, but in boxes only a few disks wide. Takes O(N) time for each group that there is, and 12 N
 * bytes of passing memory.
 */
enum status place_at_random(struct system *system, const struct disk_group *groups,
                            size_t group_count, const struct decimals *decimals,
                            struct random_generator *generator, size_t *placed,
                            struct error *error);

#endif
