/*
 * The cell list for placing disks: square cells, each with a linked list of its disks. A disk
 * overlaps only disks in the cell of its centre and the eight around it.
 */
#ifndef PARTICLES_GRID_H
#define PARTICLES_GRID_H

#include "model/boundary.h"

#include <stddef.h>
#include <stdint.h>

#define GRID_END (-1) /* no disk */

enum { GRID_NEIGHBOURS = 9 };

/* Which disk is next in a list is the caller's to keep. */
struct grid {
    double side; /* of a cell, length; those at the right and at the top may be larger */
    size_t columns, rows;
    unsigned periodic; /* the box's axes */
    int32_t *first;    /* of each cell: a disk in it, or GRID_END; owned */
};

/*
 * Makes empty cells for `count` disks: at most two for each, and none narrower than `least`.
 * Returns STATUS_DONE, or STATUS_NO_MEMORY and nothing to free.
 */
enum status grid_create(struct grid *grid, const struct boundary *box, size_t count, double least,
                        struct error *error);

/* Empties all cells. */
void grid_clear(struct grid *grid);

/* The number of the cell with a place in the box. */
size_t grid_cell(const struct grid *grid, double x, double y);

/* Finds the cells around a place in the box, its own included, across seams, too. Returns how many
 * there are; in a box of few cells a cell may be there twice. */
size_t grid_neighbours(const struct grid *grid, double x, double y, size_t cells[GRID_NEIGHBOURS]);

void grid_free(struct grid *grid);

/* How many squares of this side fit into `length`: 1 or more. What is left over belongs to the
 * last. */
size_t count_squares(double length, double side);

/* The side of squares of which no more than `most` fit into the box. */
double find_square_side(const struct boundary *box, double most);

#endif
