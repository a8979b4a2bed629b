/*
 * A grid of cells over the box, and lists of what is in each cell, one after the other in one
 * array: a counting sort. Each member is counted, then the lists begin, then each member
 * gets its index.
 */
#ifndef PARTICLES_GRID_H
#define PARTICLES_GRID_H

#include "base/memory.h"
#include "model/boundary.h"

#include <string.h>

struct grid {
    double width, height;   /* of a cell, length; the first cell begins at the origin */
    uint32_t columns, rows; /* of cells, at least 1 each */
    uint32_t *first;        /* the list of cell k, counted row by row, is from first[k] to before
                               first[k + 1]; owned, for memory_free */
    uint32_t *next;         /* of each cell, in `first`: its count, then its next index */
    size_t room;            /* allocated elements of `first` */
};

/* The cell of a position; outside of the grid, the nearest. */
static inline size_t grid_cell(const struct grid *grid, double x, double y)
{
    return (size_t)boundary_locate(y, grid->height, grid->rows) * grid->columns +
           boundary_locate(x, grid->width, grid->columns);
}

/* Makes room for the lists, and begins to count. Returns STATUS_DONE, or STATUS_NO_MEMORY with a
 * message that names `what` it is for. */
static inline enum status grid_count(struct grid *grid, const char *what, struct error *error)
{
    const size_t size = (size_t)grid->columns * grid->rows + 2;
    grid->first = memory_reserve(grid->first, &grid->room, size, sizeof *grid->first, what, error);
    if (!grid->first)
        return STATUS_NO_MEMORY;
    memset(grid->first, 0, size * sizeof *grid->first);
    grid->next = grid->first + 2;
    return STATUS_DONE;
}

/* Ends counting. Returns how many members there are. Then first[k + 1] is where the members of cell
 * k begin and, once they have their indices, where they end. */
static inline size_t grid_begin(struct grid *grid)
{
    const size_t cells = (size_t)grid->columns * grid->rows;
    for (size_t k = 0; k < cells; k++)
        grid->first[k + 2] += grid->first[k + 1];
    grid->next = grid->first + 1;
    return grid->first[cells + 1];
}

/* Counts a member of a cell; or gives it its index, from grid_begin on. All have to be given one.
 */
static inline uint32_t grid_put(struct grid *grid, size_t cell)
{
    return grid->next[cell]++;
}

#endif
