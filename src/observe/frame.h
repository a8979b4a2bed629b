/*
 * The centres of all particles at one moment, sorted into the cells of a grid, so that what is near
 * a particle is found quickly. Along a periodic axis the grid goes on without end: cells beyond its
 * border have the images of the particles.
 *
 * The order within a cell is that of the numbers, so sums over the particles in the order of the
 * grid do not depend on the schedule.
 */
#ifndef PARTICLES_FRAME_H
#define PARTICLES_FRAME_H

#include "run/snapshot.h"

struct frame {
    size_t count;             /* of particles */
    struct boundary boundary; /* the box */
    double *x, *y;            /* of each particle by its number, as snapshot_position has it */
    int64_t columns, rows;    /* of the grid, at least 1 each */
    double side_x, side_y;    /* of a cell, length */
    uint32_t *begins;         /* of each cell, row by row, in the lists below; and their end */
    uint32_t *numbers;        /* the particles, cell by cell, */
    double *sorted_x;         /* and where they are */
    double *sorted_y;
    uint32_t *cells; /* of each particle by its number */
};

/* Makes a frame for the particles of a system. Returns STATUS_DONE or STATUS_NO_MEMORY; in any case
 * frame_free frees it. It takes about 48 bytes a particle. */
enum status frame_create(struct frame *frame, const struct system *system, struct error *error);
void frame_free(struct frame *frame);

/* Takes the positions at the time of a snapshot. */
void frame_take(struct frame *frame, const struct snapshot *snapshot);

/* Neighbouring members of the lists, whose images are all the same way from them. */
struct span {
    size_t begin, end;
    struct shift shift;
};

/*
 * Takes a piece of the row of cells from `*column` to `last`: those in one image of the box; and
 * moves `*column` beyond it. Along an axis with walls, cells outside of the box are no cells.
 * Returns 0 if nothing is left.
 */
int frame_span(const struct frame *frame, int64_t row, int64_t *column, int64_t last,
               struct span *span);

#endif
