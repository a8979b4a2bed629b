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
    POLYGON_OVERLAP, /* two sides that must not are on one line, with more than a point in common */
    POLYGON_CORNER   /* a polygon crosses itself or another one just where a side begins or ends */
};

struct polygon_fault {
    enum polygon_fault_kind kind;
    size_t first, second; /* sides, first < second; of POLYGON_CORNER the same side twice */
};

/*
 * Looks for polygons that cross, exactly, images of obstacles along periodic axes included. They
 * may touch themselves and each other in points. A side of an obstacle may lie on one of the
 * domain, or of an obstacle, or image, on the other side of it. Sides must not have length 0.
 *
 * If nothing is wrong, also finds out how polygons are nested: a polygon of the domain that is
 * inside an odd number of others of the domain becomes a hole (is_inside = 0); what is inside an
 * obstacle or outside the domain is marked as hidden; sides that face each other on one line are
 * covered, or become shorter if that is so at an end; and corners that touch something are marked.
 * Takes O(n log n) time for n sides, however they are placed, and 170 bytes for each; in a periodic
 * box four times as many.
 *
 * Returns STATUS_DONE with `*fault` filled in, or STATUS_NO_MEMORY.
 */
enum status polygons_check(struct polygons *polygons, const struct boundary *boundary,
                           struct polygon_fault *fault, struct error *error);

#endif
