/*
 * The region that is free for particles: the box or, if there is one, the domain, without
 * obstacles.
 */
#ifndef PARTICLES_REGION_H
#define PARTICLES_REGION_H

#include "model/polygons.h"

/* What tells quickly whether places are in the region; made by region_create. */
struct region;

/*
 * Makes the region of a boundary, which is to stay as it is while the region is used; it may have
 * no polygons. Memory: about 20 bytes for each side. Returns STATUS_DONE with `*region`, for
 * region_free; or STATUS_NO_MEMORY.
 */
enum status region_create(const struct boundary *boundary, struct region **region,
                          struct error *error);
void region_free(struct region *region);

/*
 * Whether a place of the box is in the region: inside an odd number of polygons of the domain, if
 * there is one, and outside all obstacles and their images; exactly. A place on a side may be
 * either. Takes as long as there are sides to the left and right of the place at its height.
 */
int region_contains(const struct region *region, double x, double y);

/* Where a particle is wrong, if anywhere. */
enum region_fault_kind {
    REGION_FREE,          /* nowhere */
    REGION_OUTSIDE,       /* outside the domain */
    REGION_INSIDE,        /* inside an obstacle */
    REGION_OVERLAPS_SIDE, /* overlaps a side, or an end of it */
};

struct region_fault {
    enum region_fault_kind kind;
    size_t particle;
    size_t side;     /* the one that is overlapped; or any of the obstacle */
    double distance; /* from the centre to a side that is overlapped, length */
};

/*
 * Looks for the first particle of a system that is not in the region, or overlaps a side or corner
 * at its anchor by more than the rounding of coordinates explains. The polygons must be prepared.
 * Returns STATUS_DONE with `*fault` filled in, or STATUS_NO_MEMORY.
 */
enum status region_check(const struct system *system, struct region_fault *fault,
                         struct error *error);

#endif
