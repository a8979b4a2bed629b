/*
 * Lengths and the centre of a polygon, by which forces on it are described.
 */
#ifndef PARTICLES_POLYGON_SHAPE_H
#define PARTICLES_POLYGON_SHAPE_H

#include "base/error.h"
#include "model/polygons.h"

struct polygon_shape {
    double x, y;   /* the centroid of its area, length; of a thin wall, its middle */
    double bottom; /* its lowest y, and */
    double across; /* its extent along y, length */
    double chord;  /* the largest distance of two vertices, length; more than 0 */
};

/*
 * Finds the shape of a polygon. It takes a time proportional to n log n for n sides, and while it
 * lasts 32 bytes for each. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status polygon_shape_find(const struct polygons *polygons, size_t polygon,
                               struct polygon_shape *shape, struct error *error);

/*
 * The largest chord of all obstacles in `polygons`, which may be NULL; NAN if there is none.
 * Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status polygon_shape_largest(const struct polygons *polygons, double *chord,
                                  struct error *error);

#endif
