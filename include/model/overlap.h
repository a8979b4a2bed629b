/* The search for disks that overlap, or are nearer to each other than some gap. */
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
 * Looks for two particles, all of them checked, that overlap at their anchors, also across a seam,
 * by more than the rounding of coordinates explains. That takes O(N log N) time for any radii and
 * positions; O(N) where disks of each size are spread evenly; times the number of powers of 4 among
 * the radii. Meanwhile 34 bytes are allocated for each disk and each image of one near a seam, and
 * 17 kB for each thread. Any number of threads finds the same overlap. Returns STATUS_DONE with
 * `*overlap` filled in, or STATUS_NO_MEMORY.
 */
enum status overlap_find(const struct system *system, struct thread_pool *pool,
                         struct overlap *overlap, struct error *error);

/* What has changed of a particle: nothing, 0; or not its place and radius; or these. */
enum { CHANGE_MOTION = 1, CHANGE_MOVED };

/* overlap_find for pairs of which at least one is CHANGE_MOVED, by its index. */
enum status overlap_find_moved(const struct system *system, const unsigned char *changes,
                               struct overlap *overlap, struct error *error);

/* A particle, or the image of one across a seam. */
struct overlap_disk {
    double row, x, y;  /* its row in the search; its position, length */
    uint32_t particle; /* its index in the system */
};

/* Particles are visited that are nearer than the sum of scale * radius + extra of both. */
struct overlap_range {
    double scale;   /* 0 or 1 */
    double extra;   /* length, more than pair_rounding of twice the box's sides */
    double outside; /* how far centres may be outside of the box, length */
};

/* Takes two particles that are near each other. If it returns 1, the search ends. */
typedef int overlap_visit(void *context, const struct overlap_disk *a,
                          const struct overlap_disk *b);

/* Visits all pairs that are near each other, at finite positions, in any order; across seams, one
 * pair perhaps twice. Time, memory and errors are as above. */
enum status overlap_visit_pairs(const struct system *system, const struct overlap_range *range,
                                overlap_visit *visit, void *context, struct error *error);

#endif
