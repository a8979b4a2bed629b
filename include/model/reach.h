/*
 * The room that particles have: the area that their centres can reach, and how long its boundary
 * is.
 */
#ifndef PARTICLES_REACH_H
#define PARTICLES_REACH_H

#include "model/boundary.h"

/* Lengths; NAN where there is no area. */
struct reach {
    double width, height; /* their product is the area: the sides of a box; or if there are polygons
                             the area and 1 */
    double length;        /* of its boundary: of walls, both sides of thin walls, and arcs around
                             corners; not of seams */
};

/*
 * The reach of disks with this radius, from 0: of points, the free area. Walls and polygons keep
 * centres a radius away. Polygons are checked (polygon_check.h). This is exact for points; for
 * disks if there is room for them everywhere between polygons, and these touch only along whole
 * sides and stand on walls away from the corners of the box; otherwise it is off by a few squares
 * of the radius. The same on every machine.
 */
struct reach reach_find(const struct boundary *boundary, double radius);

/* The free area, length^2; NAN where there is none. */
double reach_area(const struct boundary *boundary);

#endif
