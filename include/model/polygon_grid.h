/*
 * Which features of polygons are near a place: a grid of cells over the box, each of which lists
 * the features that a disk can touch whose centre is in the cell. The grid never changes.
 */
#ifndef PARTICLES_POLYGON_GRID_H
#define PARTICLES_POLYGON_GRID_H

#include "model/polygons.h"

/* A feature or an image of it. */
struct polygon_place {
    int32_t feature;
    int16_t column, row; /* of the image: its shift is that many sides of the box, -1 to 1 */
};

struct polygon_grid {
    double width, height; /* of a cell, length; the first one begins at the origin */
    uint32_t columns, rows;
    uint32_t *first;              /* owned: cell k, counted row by row, has the places from */
    struct polygon_place *places; /* places[first[k]] to places[first[k + 1] - 1]; owned */
};

/*
 * Makes a grid for disks with radii up to `largest`: about as many cells as there are particles or
 * sides, fewer if sides are so long that lists would become very large. Returns STATUS_DONE or
 * STATUS_NO_MEMORY.
 */
enum status polygon_grid_create(struct polygon_grid **grid, const struct boundary *boundary,
                                const struct polygons *polygons, double largest, size_t particles,
                                struct error *error);

void polygon_grid_free(struct polygon_grid *grid);

/* The column or row of a coordinate, of `count` with this side; outside of all, the nearest one. */
static inline uint32_t polygon_grid_locate(double coordinate, double side, uint32_t count)
{
    double place = coordinate / side;
    if (!(place > 0))
        return 0;
    return place < (double)count ? (uint32_t)place : count - 1;
}

/* The cell of a place. */
static inline size_t polygon_grid_cell(const struct polygon_grid *grid, double x, double y)
{
    return (size_t)polygon_grid_locate(y, grid->height, grid->rows) * grid->columns +
           polygon_grid_locate(x, grid->width, grid->columns);
}

#endif
