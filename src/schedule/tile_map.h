/*
 * How the cells of the box are dealt to tiles, and what a worker sees of them around one tile.
 *
 * Tiles are rectangles of cells, in columns and rows of their own. Around a tile there is a halo of
 * cells: those that are up to so many columns and rows away. Along a periodic axis that goes on
 * beyond the seam.
 */
#ifndef PARTICLES_TILE_MAP_H
#define PARTICLES_TILE_MAP_H

#include "base/error.h"
#include "cell_list.h"

#include <stdint.h>

/* Along one axis: which of its columns (or rows) of cells belong to which column of tiles. */
struct tile_axis {
    uint32_t cells;    /* columns of cells, */
    uint32_t tiles;    /* and of tiles; at least 1, at most as many */
    int is_periodic;   /* beyond the last column the first one follows */
    uint32_t *first;   /* the first column of each column of tiles, and the end; owned */
    uint32_t *tile_of; /* for each column of cells its column of tiles; owned */
};

/*
 * Deals `cells` columns to `tiles` columns of tiles, so that each of them has about as many
 * particles: `counts` has those in each column of cells. Returns STATUS_DONE, or STATUS_NO_MEMORY
 * and what tile_axis_free frees.
 */
enum status tile_axis_create(struct tile_axis *axis, uint32_t cells, uint32_t tiles,
                             int is_periodic, const uint32_t *counts, struct error *error);

void tile_axis_free(struct tile_axis *axis);

/* A column that stands for none: it keeps two ends of the box apart. */
#define TILE_NO_COLUMN UINT32_MAX

/* What a local column is. */
struct tile_column {
    uint32_t column;            /* of the box, or TILE_NO_COLUMN */
    uint32_t distance;          /* how many columns it is from the tile; 0 in the tile */
    unsigned char inner, outer; /* bits of tile_sides */
};

/*
 * What a worker sees along one axis: local columns, and what they are. Those beyond a seam come
 * from the other end of the box; and as everywhere the first column and the last one of the box are
 * neighbours at the seam, a span across it begins with the columns at the beginning of the box and
 * ends with those at its end. The column between that stands for none is never entered in time.
 */
struct tile_span {
    struct tile_column *list; /* the local columns; owned */
    uint32_t count, capacity; /* how many there are, and for how many there is memory */
    int wraps;                /* the first and the last of them are neighbours, at a seam */
};

/*
 * In which of three directions of an axis a column plays a part: downwards, none, and upwards.
 * In `inner`, for a column of the tile: next to which other column of tiles it is, or TILE_SAME.
 * In `outer`: in which other column of tiles it is, next to the tile, or TILE_SAME in the tile.
 */
enum tile_sides { TILE_BELOW = 1, TILE_SAME = 2, TILE_ABOVE = 4 };

/* What there is up to `halo` columns around a column of tiles. Errors as above. */
enum status tile_span_set(struct tile_span *span, const struct tile_axis *axis, uint32_t tile,
                          uint32_t halo, struct error *error);

void tile_span_free(struct tile_span *span);

/*
 * The directions of a cell in two such sets of bits, one for each axis: bit 3 (y + 1) + (x + 1)
 * for the direction (x, y).
 */
static inline uint32_t tile_directions(unsigned char x_sides, unsigned char y_sides)
{
    return (y_sides & TILE_BELOW ? (uint32_t)x_sides : 0u) |
           (y_sides & TILE_SAME ? (uint32_t)x_sides << 3 : 0u) |
           (y_sides & TILE_ABOVE ? (uint32_t)x_sides << 6 : 0u);
}

enum { TILE_DIRECTIONS = 9, TILE_CENTRE = 4 }; /* direction d is opposite to 8 - d */

#endif
