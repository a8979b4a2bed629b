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

/* The events of one tile at one time that are yet to be put in order. */
struct tile_run {
    const struct tile_place *next, *end;
};

struct tile_events {
    const struct tiling *tiling;
    int turn;                /* which of the tiles' lists have them */
    struct tile_place *list; /* `count` events; owned */
    size_t count, capacity;
    uint32_t *slices;        /* for sorting: where slices of time begin; owned */
    struct tile_run *runs;   /* as many as there are tiles; owned */
    struct tile_place *tied; /* room for ordering events of one time; owned */
    size_t tied_capacity;
    uint32_t *versions; /* of each particle, while tied events are put in order; owned */
};

/*
 * Gathers the events of all tiles in this window that are told of, in their order. The tiles keep
 * them. Returns WINDOW_DONE; WINDOW_TIED if events of one time have no order, so that the window is
 * wrong; or WINDOW_NO_MEMORY.
 */
enum window_outcome tile_events_gather(struct tile_events *events, const struct tiling *tiling,
                                       struct error *error);

/*
 * Lets them happen in the sink, and so in the system, which is in the state of the window's
 * beginning; or, if the window is told of late, in that of its end, which it then has again.
 * Returns the first status of the sink that is not STATUS_DONE.
 */
enum status tile_events_tell(const struct tile_events *events, struct schedule_sink *sink,
                             struct error *error);

void tile_events_free(struct tile_events *events);

#endif
