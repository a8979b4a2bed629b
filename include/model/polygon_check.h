/*
 * Whether polygons are such that there is an inside and an outside: none crosses itself or another.
 */
#ifndef PARTICLES_POLYGON_CHECK_H
#define PARTICLES_POLYGON_CHECK_H

#include "model/polygons.h"

/* What is wrong with polygons, if anything. */
enum polygon_fault_kind {
    POLYGON_SOUND,    /* nothing */
    POLYGON_CROSSING, /* two sides cross */
    POLYGON_OVERLAP,  /* two sides are on one line, and have more than a point in common */
    POLYGON_CORNER    /* a polygon crosses itself or another one just where a side begins or ends */
};

struct polygon_fault {
    enum polygon_fault_kind kind;
    size_t first, second; /* sides, first < second; of POLYGON_CORNER the same side twice */
};

/*
 * Looks for polygons that cross, exactly, images of obstacles along periodic axes included. They
 * may touch themselves and each other in points. Two obstacles, or an obstacle and its own image,
 * may have a whole side in common, with one on each side of it. Sides must not have length 0.
 *
 * If nothing is wrong, also finds out how polygons are nested: a polygon of the domain that is
 * inside an odd number of others of the domain becomes a hole (is_inside = 0), what is inside an
 * obstacle or outside the domain is marked as hidden, and sides beside which nothing can be as
 * covered. Takes O(n log n) time for n sides, however
 * they are placed, and 140 bytes for each; in a periodic box four times as many.
 *
 * Returns STATUS_DONE with `*fault` filled in, or STATUS_NO_MEMORY.
 */
enum status polygons_check(struct polygons *polygons, const struct boundary *boundary,
                           struct polygon_fault *fault, struct error *error);

#endif
