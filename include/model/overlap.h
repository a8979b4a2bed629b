/*
 * The search for disks that overlap.
 */
#ifndef PARTICLES_OVERLAP_H
#define PARTICLES_OVERLAP_H

#include "model/system.h"

/* Two particles that overlap; or, where `found` is 0, none do. */
struct overlap {
    int found;
    size_t first, second; /* first < second */
    double distance;      /* between their centres */
};

/*
 * Looks for two particles that overlap at their anchors by more than the rounding of coordinates
 * explains, in O(N log N) time, whatever their radii and wherever they are. If all radii are equal,
 * the time is O(N) where they are spread evenly, and the passing memory 25 N bytes; otherwise it is
 * 75 N bytes. Expects checked particles.
 * Returns STATUS_DONE with `*overlap` filled in, or STATUS_NO_MEMORY.
 */
enum status overlap_find(const struct system *system, struct overlap *overlap, struct error *error);

#endif
