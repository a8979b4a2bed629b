/*
 * A tile: some cells of the box, and the particles in them, which one worker takes from the
 * beginning of a window of time to its end (tile_worker.h). And what all tiles share.
 *
 * The state of all particles is kept twice, at the beginning of the window and at its end. Only
 * when all tiles agree does the new state take the place of the old one.
 */
#ifndef PARTICLES_TILING_H
#define PARTICLES_TILING_H

#include "base/error.h"
#include "cell_list.h"
#include "model/event.h"
#include "model/system.h"
#include "prediction.h"
#include "tile_map.h"

#include <stdatomic.h>
#include <stdint.h>

/* The members of a tile's cells, row by row. */
struct tile_members {
    uint32_t *list;         /* their indices in the system; owned */
    uint32_t *first;        /* for each cell the place of its first member, and the end; owned */
    size_t count, capacity; /* of the list */
};

/* An event of a tile: `a` is in one of its cells when it happens. */
struct tile_event {
    double time;
    int32_t a, b;                  /* as in struct event, indices of the system */
    uint32_t a_version, b_version; /* of the particles before it; with one particle, b_version is
                                      1 if a stream has turned it back at the seam, otherwise 0 */
};

/* An operation on a particle in a cell next to another tile: both tiles must have the same. */
struct tile_record {
    struct particle particle; /* after it */
    struct event
        operation;       /* by ids; a crossing is {time, -1, id}, before all events of its time */
    uint32_t from, to;   /* the particle's cell before and after, among all of the box */
    uint32_t directions; /* bits: where the tiles are that these cells matter to */
};

/* A list that grows; `size` is that of its entries. */
struct tile_list {
    void *entries; /* owned */
    size_t count, capacity;
};

/* How a window ends for a tile, or for all of them. */
enum window_outcome {
    WINDOW_DONE,
    WINDOW_DISAGREED,   /* too many tiles disagree with others, or one of them too often */
    WINDOW_TOO_MANY,    /* a tile has more operations than can be expected: it would never end */
    WINDOW_TIED,        /* an event at a tile's border depends on others of the same time */
    WINDOW_INTERRUPTED, /* it was given up */
    WINDOW_NO_MEMORY
};

struct tile {
    uint32_t column, row;          /* among the tiles */
    struct tile_members states[2]; /* of the window's beginning and of its end, in turn */
    struct tile_list events[2];    /* struct tile_event, in their order: of windows in turn */
    struct tile_list befores;      /* of a window that is told of late: for each event particles `a`
                                      and `b` before it, two struct particle */
    struct tile_list records;      /* struct tile_record, in the order of the operations */
    uint32_t halo;                 /* by how many cells it is wider than usual */
    int is_to_do;                  /* in this round */
    atomic_int disagrees;          /* with one of those around it; set by several, to 1 */
    enum window_outcome outcome;
    uint64_t operations; /* entries of the calendar in the last window; 0 at first */
    uint64_t collisions, hits, passages, crossings; /* of its own particles, in this window */
};

/* The state of all particles. `step` of a prediction is one of tile_step, `cell` is not used. */
struct tile_state {
    struct particle *particles;     /* in the order of the system */
    struct prediction *predictions; /* owned */
};

#define TILE_UNCLAIMED UINT32_MAX

/* A prediction's crossing, whatever the stride. */
enum tile_step { TILE_NOT_PREDICTED, TILE_LEFT, TILE_RIGHT, TILE_DOWN, TILE_UP };

struct thread_pool;

/* All tiles, and the window of time. */
struct tiling {
    struct system *system;
    struct cell_list_shape shape; /* of the cells of the whole box */
    double contact;               /* how far apart two particles can touch, length */
    const struct kind *kinds;     /* the system's; NULL where all have one radius */
    double largest;               /* the largest radius */
    unsigned char *has_polygons;  /* for each cell of a cell list of that shape; NULL where there
                                     are none; owned */
    struct tile_axis columns, rows;
    struct tile *tiles;          /* row by row; owned */
    struct tile_state states[2]; /* the old one has the system's particles, if not `is_apart` */
    uint32_t *counted; /* for each particle: the version up to which it has been counted what has
                          happened to it; owned. NULL: that is not the tiling's business */
    int is_apart;      /* both states are the tiling's own, and the system lags behind */
    /*
     * Which tile has kept each particle at the window's end, so that no other one does; or
     * TILE_UNCLAIMED. Owned.
     */
    _Atomic uint32_t *claims;
    int old;           /* which of the two is that of the window's beginning */
    double begin, end; /* of the window */
    double told_from;  /* events after this time are recorded, -INFINITY: all; of those up to it
                          the ones with the boundary */
};

/* How a window is told of. */
static inline int tiling_is_told(const struct tiling *tiling) /* all of it */
{
    return tiling->told_from < tiling->begin;
}

static inline int tiling_is_told_late(const struct tiling *tiling) /* only from some time on */
{
    return !tiling_is_told(tiling) && tiling->told_from < tiling->end;
}

/* How many cells around a tile are simulated at the beginning of a window, and at its end. */
enum { TILE_HALO_BEGIN = 10, TILE_HALO_END = 4 };

static inline uint32_t tile_count(const struct tiling *tiling)
{
    return tiling->columns.tiles * tiling->rows.tiles;
}

/* The columns and the rows of cells of a tile. */
static inline uint32_t tile_width(const struct tiling *tiling, const struct tile *tile)
{
    return tiling->columns.first[tile->column + 1] - tiling->columns.first[tile->column];
}

static inline uint32_t tile_height(const struct tiling *tiling, const struct tile *tile)
{
    return tiling->rows.first[tile->row + 1] - tiling->rows.first[tile->row];
}

/* The place of a cell of the box in the tile that it belongs to. */
static inline uint32_t tile_place(const struct tiling *tiling, const struct tile *tile,
                                  uint32_t column, uint32_t row)
{
    return (row - tiling->rows.first[tile->row]) * tile_width(tiling, tile) + column -
           tiling->columns.first[tile->column];
}

/* The tile that a cell of the box belongs to. */
static inline struct tile *tile_at(const struct tiling *tiling, uint32_t column, uint32_t row)
{
    return &tiling->tiles[tiling->rows.tile_of[row] * tiling->columns.tiles +
                          tiling->columns.tile_of[column]];
}

/* What has become of an attempt to cut the box into tiles. */
enum tiling_result {
    TILING_READY,
    TILING_CROWDED,   /* not now: the particles crowd into a few cells */
    TILING_TOO_SMALL, /* never: there would be one tile only */
    TILING_LARGE,     /* never: some disks are so large that they would cover many cells */
    TILING_NO_MEMORY  /* with a message */
};

/*
 * Chooses cells and tiles for where the particles are at time `now`, which is not before any
 * anchor, for the threads of `pool`, which help; with `side` cells along a side of a tile, or 0 for
 * a choice. The particles are sorted tile by tile; all are yet to be predicted. In any case the
 * caller gives the tiling to tiling_free.
 */
enum tiling_result tiling_create(struct tiling *tiling, struct system *system, double now,
                                 uint32_t side, struct thread_pool *pool, struct error *error);

/*
 * Takes a copy of the system's state for the old one: from then on the system is left alone.
 * Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status tiling_part(struct tiling *tiling, struct error *error);

/* Forgets who has kept which particle: all of them, or what one tile has kept. */
void tiling_unclaim_all(struct tiling *tiling);
void tiling_unclaim(struct tiling *tiling, const struct tile *tile);

/*
 * Lets the new state of all particles, and of all tiles, take the place of the old one, in the
 * system too. Its counts follow with tiling_settle, but for those of events that are told of: these
 * follow as they happen again.
 */
void tiling_proceed(struct tiling *tiling);

/*
 * The same for the tiles only: the system comes to the new state as all events of the window happen
 * in it, and are counted.
 */
void tiling_be_followed(struct tiling *tiling);

/*
 * Counting of what happens unseen: begins with it, which fails with STATUS_NO_MEMORY; completes the
 * counts of the system; and takes note that they are complete. The latter two do nothing where
 * counting has not begun.
 */
enum status tiling_count(struct tiling *tiling, struct error *error);
void tiling_settle(struct tiling *tiling);
void tiling_note_counts(struct tiling *tiling);

/* Makes the halos that have grown smaller again, after a window in which they were wide enough. */
void tiling_narrow(struct tiling *tiling);

/* Frees all but the system. */
void tiling_free(struct tiling *tiling);

#endif
