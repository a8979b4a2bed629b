/*
 * What one thread needs to take a tile through a window of time: a system of its own, with copies
 * of the particles in the tile and in its halo, and the cells, predictions and calendar for them.
 */
#ifndef PARTICLES_TILE_WORKER_H
#define PARTICLES_TILE_WORKER_H

#include "base/error.h"
#include "calendar.h"
#include "predictor.h"
#include "tiling.h"

#include <stdint.h>

struct tile_worker {
    const struct tiling *tiling;
    struct tile *tile;
    struct system system; /* the copies; the rest is that of the tiling's system */
    struct predictor predictor;
    struct calendar calendar;
    struct tile_span columns, rows;
    uint32_t *indices;   /* of each copy: its index in the system */
    uint32_t *copies;    /* by the lower bits of that index: a copy that may be the one, */
    uint32_t mask;       /* and which bits */
    uint32_t *marks;     /* of each cell: 512 * its distance from the tile + directions */
    uint32_t count;      /* of copies */
    struct event latest; /* of all operations that are noted, by time, then by numbers */
    size_t capacity, cell_capacity;
    struct error error;             /* of memory: it ends nothing, and nobody is told */
    double halo_end, halo_per_time; /* how many cells of halo are simulated at the window's end,
                                       and by how many more that is for each time before it */
};

/* An empty worker, which tile_worker_free frees. */
void tile_worker_init(struct tile_worker *worker, const struct tiling *tiling);

/*
 * Takes a tile from the beginning of the tiling's window to its end: reads the old state of all
 * particles around, writes the new state of those that are then in the tile, and what it tells in
 * the tile. Others do the same with other tiles at the same time.
 */
void tile_worker_run(struct tile_worker *worker, struct tile *tile);

void tile_worker_free(struct tile_worker *worker);

#endif
