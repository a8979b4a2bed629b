/* The region that is free for particles: the box or, if there is one, the domain, without
 * obstacles; and the part of it that their centres can reach. */
#ifndef PARTICLES_REGION_H
#define PARTICLES_REGION_H

#include "model/polygons.h"
#include "model/system.h"

/* A search structure for the region; made by region_create. */
struct region;

/* Makes the region of a boundary, which stays as it is meanwhile, of about 20 bytes for each side.
 * Returns STATUS_DONE with `*region`, for region_free; or STATUS_NO_MEMORY. */
enum status region_create(const struct boundary *boundary, struct region **region,
                          struct error *error);
void region_free(struct region *region);

/* True if a position in the box is in the region: inside an odd number of polygons of the domain,
 * if there is one, and outside all obstacles and their images. This is exact; on a side it may be
 * either. The time is proportional to the number of sides at this height. */
int region_contains(const struct region *region, double x, double y);

/* How far a position is from the nearest of the sides that the grid of polygons lists there, but
 * for those that are covered; INFINITY: from none. */
double region_gap(const struct boundary *boundary, double x, double y);

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

/* Looks for the first particle whose anchor is not in the region, or that overlaps a side or corner
 * by more than the rounding of coordinates explains. The polygons must be prepared. Returns
 * STATUS_DONE with `*fault` filled in, or STATUS_NO_MEMORY. */
enum status region_check(const struct system *system, struct region_fault *fault,
                         struct error *error);

/* The area that centres can reach, and its boundary: lengths; NAN where there is no area. */
struct region_reach {
    double width, height; /* their product is the area; with polygons: the area and 1 */
    double length; /* of walls, both sides of thin walls, arcs around corners; not of seams */
};

/*
 * The reach of disks with this radius, among polygons that are checked; of points, the free area.
 * It is exact for points; for disks if there is room for them everywhere between polygons, and
 * these touch only along whole sides and stand on walls away from the corners of the box; otherwise
 * it is off by a few squares of the radius.
 */
struct region_reach reach_find(const struct boundary *boundary, double radius);

/* The free area, length^2; NAN where there is none. */
double reach_area(const struct boundary *boundary);

#endif
