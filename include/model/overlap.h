/*
 * The search for disks that overlap.
 */
#ifndef PARTICLES_OVERLAP_H
#define PARTICLES_OVERLAP_H

#include "base/thread_pool.h"
#include "model/system.h"

/* Two particles that overlap; or, where `found` is 0, none do. */
struct overlap {
    int found;
    size_t first, second; /* first < second */
    double distance;      /* between their centres */
};

/*
 * Looks for two particles that overlap at their anchors, also across a seam, by more than the
 * rounding of coordinates explains. That takes O(N log N) time, whatever their radii and wherever
 * they are; O(N) where disks of each size are spread evenly. The more powers of 4 there are among
 * the radii, the longer it takes: of M of them, a disk is compared with the neighbours that it has
 * among up to M sizes. The passing memory is 34 bytes for each disk and each image of one near a
 * seam. Expects checked particles. Returns STATUS_DONE with `*overlap` filled in, or
 * STATUS_NO_MEMORY.
 */
enum status overlap_find(const struct system *system, struct overlap *overlap, struct error *error);

/* The same on the threads of a pool, or on one if that is NULL; it takes 17 kB more on each. It
 * finds the same overlap. */
enum status overlap_find_threaded(const struct system *system, struct thread_pool *pool,
                                  struct overlap *overlap, struct error *error);

#endif
