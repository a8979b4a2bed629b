/*
 * A window of time, through which threads take all tiles: in rounds, until all agree.
 */
#ifndef PARTICLES_TILE_WINDOW_H
#define PARTICLES_TILE_WINDOW_H

#include "base/error.h"
#include "schedule/schedule.h"
#include "tile_worker.h"
#include "tiling.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct thread_pool;

/* The tiles, the threads, and what they have found. */
struct tile_window {
    struct tiling tiling; /* the user's; without tiles where there are none at present */
    struct thread_pool *pool;
    struct tile_worker *workers;            /* one a thread; owned, and so is the pool */
    const volatile sig_atomic_t *interrupt; /* not 0: a window is to be given up; or NULL */
    atomic_uint next;                       /* tile of a task */
    int is_open;                            /* it has begun, and has not ended */
    /* When it has ended: */
    struct schedule_sum sum; /* the events in it, */
    uint64_t crossings;      /* the crossings of cells, */
    uint32_t redone;         /* and how many tiles had to be done again */
};

/* Starts up to `threads` threads, for a window that is zero. Returns STATUS_DONE or
 * STATUS_NO_MEMORY, and in any case what tile_window_free frees. */
enum status tile_window_create(struct tile_window *window, unsigned threads, struct error *error);

/* Prepares the threads for a tiling that has just been made. */
void tile_window_prepare(struct tile_window *window);

/*
 * Opens a window from one time to another: the other threads begin with it. Up to its end the
 * calling thread must leave alone what the tiling reads. `told_from` is as in struct tiling.
 */
void tile_window_begin(struct tile_window *window, double begin, double end, double told_from);

/*
 * Does its own part, and waits for that of the others. WINDOW_DONE: all tiles agree, so the new
 * state is right, and they have the events. What was the old state still is.
 */
enum window_outcome tile_window_end(struct tile_window *window);

/* Leaves a window, if one is open. */
void tile_window_give_up(struct tile_window *window);

/* Gives up a window, and frees the tiling and the threads' memory, but not the threads. */
void tile_window_clear(struct tile_window *window);

/* Frees all; again is allowed. */
void tile_window_free(struct tile_window *window);

#endif
