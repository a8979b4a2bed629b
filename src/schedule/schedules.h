/* The schedules that schedule_create chooses from. Each of these functions does what
 * schedule_create does for one kind of schedule, after schedule_check. */
#ifndef PARTICLES_SCHEDULES_H
#define PARTICLES_SCHEDULES_H

#include "schedule/schedule.h"

/* SCHEDULE_TEXTBOOK, in textbook.c; takes TEXTBOOK_BYTES a potential collision. */
enum { TEXTBOOK_BYTES = sizeof(struct event) };
enum status textbook_create(struct system *system, struct schedule **schedule, struct error *error);

/* SCHEDULE_ARRAY, in array.c; takes ARRAY_BYTES a potential collision. */
enum { ARRAY_BYTES = sizeof(struct event) + sizeof(uint32_t) };
enum status array_create(struct system *system, struct schedule **schedule, struct error *error);

/* SCHEDULE_CELLS, in cells.c, for any particles; puts neighbours in the box close
 * together in memory. */
enum status cells_create(struct system *system, struct schedule **schedule, struct error *error);

/* In tiles.c: the cells schedule on several threads. */
enum status tiles_create(struct system *system, const struct schedule_threads *threads,
                         struct schedule **schedule, struct error *error);

/* How a window of time ends, or an attempt to cut the box into tiles; see tiles.c. */
enum tiles_outcome {
    TILES_DONE,        /* all tiles agree on the window; or there are tiles */
    TILES_INTERRUPTED, /* one that was given up, for the run is to end */
    TILES_REDONE,      /* a tile was done again, with a wider halo, */
    TILES_JOINED,      /* or two as one, and so in some further windows */
    TILES_TIED,        /* events of one time depend on each other at borders, or have no order, */
    TILES_DISAGREED,   /* or too many tiles disagreed, */
    TILES_TOO_MANY,    /* or one had more to do than can be expected: one thread alone goes on */
    TILES_CROWDED,     /* so it does where particles crowd into a few cells, */
    TILES_NO_TIME,     /* and where a window is too short for the digits of the time; */
    TILES_SMALL,       /* for good where there would be one tile, */
    TILES_NO_MEMORY,   /* and for want of memory */
    TILES_OUTCOMES
};

/* How often each has occurred in a schedule that tiles_create has made: for tests. */
const uint64_t *tiles_outcomes(const struct schedule *schedule);

#endif
