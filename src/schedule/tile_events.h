/*
 * The events of a window in the order in which one thread alone would let them happen, from what
 * all tiles tell.
 */
#ifndef PARTICLES_TILE_EVENTS_H
#define PARTICLES_TILE_EVENTS_H

#include "schedule/schedule.h"
#include "tiling.h"

/* An event among those of all tiles: the tile, and how many of it were before. */
struct tile_place {
    uint32_t tile, number;
};

/* The events of one tile at one time that are still to happen: places in the list. */
struct tile_run {
    size_t next, end;
};

struct tile_events {
    const struct tiling *tiling;
    int turn;                /* which of the tiles' lists have them */
    struct tile_place *list; /* `count` events; owned */
    size_t count, capacity;
    uint32_t *slices;      /* for sorting: where slices of time begin; owned */
    struct tile_run *runs; /* as many as there are tiles; owned */
};

/*
 * Gathers the events of all tiles in this window that are told of, in the order of their times;
 * those of one time tile by tile. The tiles keep them. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status tile_events_gather(struct tile_events *events, const struct tiling *tiling,
                               struct error *error);

/*
 * Lets them happen in the sink, and so in the system, which is in the state of the window's
 * beginning; or, if the window is told of late, in that of its end, which it then has again.
 * Returns the first status of the sink that is not STATUS_DONE.
 */
enum status tile_events_tell(struct tile_events *events, struct schedule_sink *sink,
                             struct error *error);

void tile_events_free(struct tile_events *events);

#endif
