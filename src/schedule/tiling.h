/*
 * A tile: some cells of the box, and the particles in them, which one worker takes from the
 * beginning of a window of time to its end (tile_worker.c). And what all tiles share, with the
 * state of all particles at the beginning of the window and at its end. See tiles.c.
 */
#ifndef PARTICLES_TILING_H
#define PARTICLES_TILING_H

#include "predictor.h"
#include "schedules.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>

/*
 * ---- Cells, and the tiles that they belong to ----
 *
 * Tiles are rectangles of cells, in columns and rows of their own. The halo around a tile consists
 * of the cells so far away in columns and rows, along a periodic axis also beyond the seam.
 */

/* Along one axis: which of its columns (or rows) of cells belong to which column of tiles. */
struct tile_axis {
    uint32_t cells;    /* columns of cells, */
    uint32_t tiles;    /* and of tiles; at least 1, at most as many */
    int is_periodic;   /* beyond the last column the first one follows */
    uint32_t *first;   /* the first column of each column of tiles, and the end; owned */
    uint32_t *tile_of; /* for each column of cells its column of tiles; owned */
};

/* A column that stands for none: it keeps two ends of the box apart. */
#define TILE_NO_COLUMN UINT32_MAX

/* A local column: where it is in the box, and what it is for the tile. */
struct tile_column {
    uint32_t column;            /* of the box, or TILE_NO_COLUMN */
    uint32_t distance;          /* how many columns it is from the tile; 0 in the tile */
    unsigned char inner, outer; /* bits of tile_sides */
};

/* The columns of a worker along one axis, the local columns. As in any cell list that wraps, the
 * first column and the last one are neighbours at the seam: so a span across it begins with the
 * columns at the beginning of the box and ends with those at its end. The column that stands for
 * none lies between, so far away that no particle enters it in time. */
struct tile_span {
    struct tile_column *list; /* owned */
    uint32_t count;
    size_t capacity;
    uint32_t gap; /* the local column that stands for none; or `count` */
    int wraps;    /* the first and the last of them are neighbours, at a seam */
};

/* The directions of an axis in which a column matters: downwards, none, and upwards. In `inner`,
 * for a column of the tile: next to which other column of tiles it is, or TILE_SAME. In `outer`: in
 * which other column of tiles it is, next to the tile, or TILE_SAME in the tile. */
enum tile_sides { TILE_BELOW = 1, TILE_SAME = 2, TILE_ABOVE = 4 };

/* The directions of a cell from its column's and row's: bit 3 (y + 1) + (x + 1) for (x, y). */
static inline uint32_t tile_directions(unsigned char x_sides, unsigned char y_sides)
{
    const uint32_t rows = (y_sides & TILE_BELOW ? 7u : 0u) | (y_sides & TILE_SAME ? 7u << 3 : 0u) |
                          (y_sides & TILE_ABOVE ? 7u << 6 : 0u);
    return x_sides * (1u | 1u << 3 | 1u << 6) & rows;
}

enum { TILE_DIRECTIONS = 9, TILE_CENTRE = 4 }; /* direction d is opposite to 8 - d */

/* ---- Tiles ---- */

/* A list that grows. */
struct tile_list {
    void *entries; /* owned */
    size_t count, capacity;
};

/* Adds an entry of `size` bytes to a list and returns it, not initialised; NULL: no memory. */
void *tile_list_add(struct tile_list *list, size_t size);

/* The bytes of what is kept of the particles of an event as they were before it: two struct
 * particle and, of rough disks, two spins. */
static inline size_t tile_before_size(const struct system *system)
{
    return 2 * sizeof(struct particle) + (system->spins ? 2 * sizeof *system->spins : 0);
}

/* The members of a tile's cells, row by row. */
struct tile_members {
    uint32_t *list;         /* their indices in the system; owned */
    uint32_t *rows;         /* for each row of cells the index of its first member; owned */
    uint16_t *first;        /* for each cell, and the end of each row, how many members of the row
                               come before; behind `rows` */
    size_t count, capacity; /* of the list */
};

/* An event of a tile: `a` is in one of its cells at that time. */
struct tile_event {
    double time;
    int32_t a, b;                  /* as in struct event, indices of the system */
    uint32_t a_version, b_version; /* of the particles before it; with one particle, b_version is
                                      1 if a stream has sent it back at the seam, otherwise 0 */
};

/* An operation on a particle in a cell next to another tile: both tiles must have the same. */
struct tile_record {
    struct particle particle; /* after it, */
    double spin;              /* and that of a rough disk, or 0 */
    struct event
        operation;       /* by ids; a crossing is {time, -1, id}, before all events of its time */
    uint32_t from, to;   /* the particle's cell before and after, among all of the box */
    uint32_t directions; /* bits: the directions of the tiles that these cells matter to */
};

/* What is kept of a prediction: its event, as in struct prediction. The crossing follows from that
 * and from the cell. */
struct tile_prediction {
    double time; /* or TILE_NOT_PREDICTED */
    int32_t partner;
    uint32_t version;
};

#define TILE_NOT_PREDICTED (-1.0)

/* A particle that is in a tile at the window's end, and was in another one at its beginning. */
struct tile_arrival {
    uint32_t index; /* in the system */
    struct tile_prediction prediction;
    struct particle particle;
    double spin; /* of a rough disk */
};

/* Tiles that are done as one: the first along x and y, how many along these axes, and in all. */
struct tile_region {
    uint32_t first[2], count[2], size;
};

struct tile {
    struct tile_region alone;        /* itself, as a region */
    uint32_t left, bottom;           /* its first column and row of cells, */
    uint32_t width, height;          /* and how many it has */
    uint32_t begin;                  /* the index of its first member when particles were sorted */
    struct tile_members states[2];   /* of the window's beginning and of its end, alternately */
    struct tile_list events[2];      /* struct tile_event, in their order: of windows alternately */
    struct tile_list before[2];      /* of each, if notified, its particles: see tile_before_size */
    struct collision_series sums[2]; /* over collisions of two, if that is asked for */
    struct tile_list records;        /* struct tile_record, in the order of the operations */
    atomic_uint disagrees; /* bits: the directions in which tiles do not agree with it, or cannot */
    struct tile_region region; /* to which it belongs, */
    struct tile *first;        /* its first tile: that one has what follows for all of them */
    struct tile_list arrivals; /* struct tile_arrival, until the window is known to be right */
    uint32_t halo;             /* by how many cells it is wider than usual */
    atomic_int is_to_do;       /* in this round, by the thread that takes it */
    enum tiles_outcome outcome;
    uint64_t operations;     /* entries of the calendar in the last window; 0 at first */
    struct schedule_sum sum; /* of the events of its own particles in this window */
    uint64_t crossings;      /* and their crossings */
};

/* The state of all particles, in the order of the system. */
struct tile_state {
    struct particle *particles;
    double *spins;                       /* of rough disks; NULL: disks are smooth */
    struct tile_prediction *predictions; /* owned */
};

/* An event among the events of all tiles: the tile, and how many of the tile were before. */
struct tile_index {
    uint32_t tile, number;
};

/* Events of one tile that are yet to be put in order. */
struct tile_run {
    double time;            /* of the next one, */
    struct tile_index next; /* which is this; */
    uint32_t end;           /* the number after the last one */
};

struct thread_pool;

/* All tiles, and the window of time. */
struct tiling {
    struct system *system;
    struct cell_list_shape shape;   /* of the cells of the whole box */
    double valid_until;             /* from this time on the cells are too narrow */
    struct large_disks large_disks; /* only which ones they are, and the cells' margin */
    uint32_t reach;                 /* how many cells away a particle can meet others; 1 where
                                       there are no large disks */
    unsigned char *has_polygons;    /* for each cell of a cell list of that shape; NULL where there
                                       are none; owned */
    struct tile_axis columns, rows;
    double collisions;           /* of each particle in a window of the least cost */
    struct tile *tiles;          /* row by row; owned */
    struct tile_state states[2]; /* the old one has the system's particles */
    uint32_t *counted; /* for each particle: the version up to which its events are in the system's
                          counts; owned */
    int is_compact;    /* states are to have no predictions: see tile_pack, */
    int is_packed;     /* and the old one has not */
    int old;           /* which of the two states begins the window */
    double begin, end; /* of the window */
    int is_notified;   /* its events are; otherwise tiles keep those with the boundary, */
    int keeps_pairs;   /* and collisions of two particles only if this is set, */
    const struct collision_basis *basis; /* or if this is not NULL, sums over these */
    struct tile_index *ordered; /* the events of a window that is notified, in their order; owned */
    size_t ordered_room;        /* its room, in events */
    struct tile_run *runs;      /* as many as there are tiles, to put them in order; owned */
    uint32_t *versions;         /* of each particle, while tied events are ordered; owned */
};

/*
 * A packed particle has its prediction in the members `collided`, `kind` and `draws`, so that a
 * state takes 64 bytes a particle, not 80. That is for particles of one kind that never draw. They
 * had their last collision at their last event; unless that was the passage of a seam, and then the
 * coordinate follows from the direction, and has room for that time. The sign of `t` shows that,
 * and the sign of `id` that it is y.
 */
static inline void tile_pack(struct particle *p, const struct boundary *boundary,
                             struct tile_prediction kept)
{
    if (p->collided != (p->version != 0 || p->t > 0 ? p->t : -(double)INFINITY)) {
        const int is_x = p->x == (p->u > 0 ? 0 : boundary->width);
        *(is_x ? &p->x : &p->y) = p->collided;
        p->t = -p->t;
        p->id = is_x ? p->id : ~p->id;
    }
    p->collided = kept.time;
    p->kind = (uint32_t)kept.partner;
    p->draws = kept.version;
}

static inline struct tile_prediction tile_unpack(struct particle *p,
                                                 const struct boundary *boundary)
{
    const struct tile_prediction kept = {p->collided, (int32_t)p->kind, p->draws};
    p->collided = p->version != 0 || p->t > 0 ? p->t : -(double)INFINITY;
    p->kind = p->draws = 0;
    if (signbit(p->t)) {
        double *position = p->id < 0 ? &p->y : &p->x;
        p->collided = *position;
        if (p->id < 0)
            *position = p->v > 0 ? 0 : boundary->height;
        else
            *position = p->u > 0 ? 0 : boundary->width;
        p->id = p->id < 0 ? ~p->id : p->id;
        p->t = -p->t;
    }
    return kept;
}

/* Copies a particle of the old state, and returns its prediction. */
static inline struct tile_prediction tile_state_take(const struct tiling *tiling, uint32_t index,
                                                     struct particle *particle)
{
    const struct tile_state *old = &tiling->states[tiling->old];
    *particle = old->particles[index];
    return tiling->is_compact ? tile_unpack(particle, &tiling->system->boundary)
                              : old->predictions[index];
}

/* Gives a particle its state. */
static inline void tile_state_put(const struct tiling *tiling, const struct tile_state *state,
                                  uint32_t index, const struct particle *particle,
                                  struct tile_prediction prediction)
{
    state->particles[index] = *particle;
    if (tiling->is_compact)
        tile_pack(&state->particles[index], &tiling->system->boundary, prediction);
    else
        state->predictions[index] = prediction;
}

/* How many collisions each particle is to have in a window; fewer where all are remembered. */
static inline double tile_collisions(const struct tiling *tiling)
{
    return tiling->keeps_pairs ? 1.8 : tiling->collisions;
}

/* How many cells around a tile are simulated at the beginning of a window with this number of
 * collisions of each particle, if particles meet in neighbouring cells. Errors spread with time. */
static inline uint32_t tile_halo(double collisions)
{
    return (uint32_t)(5.5 + 1.95 * collisions);
}

static inline uint32_t tile_count(const struct tiling *tiling)
{
    return tiling->columns.tiles * tiling->rows.tiles;
}

/* The tile that a cell of the box belongs to. */
static inline struct tile *tile_at(const struct tiling *tiling, uint32_t column, uint32_t row)
{
    return &tiling->tiles[tiling->rows.tile_of[row] * tiling->columns.tiles +
                          tiling->columns.tile_of[column]];
}

/* Number `k` of the tiles of a region. */
static inline struct tile *tile_of_region(const struct tiling *tiling,
                                          const struct tile_region *region, uint32_t k)
{
    const uint32_t column = (region->first[0] + k % region->count[0]) % tiling->columns.tiles;
    const uint32_t row = (region->first[1] + k / region->count[0]) % tiling->rows.tiles;
    return &tiling->tiles[row * tiling->columns.tiles + column];
}

/* Chooses cells and tiles for where the particles are at time `now`, which is not before any
 * anchor, for the threads of `pool`, which help; with `side` cells along a side of a tile, or 0 for
 * a choice. Sorts the particles tile by tile. In any case tiling_free frees the tiling. */
enum tiles_outcome tiling_create(struct tiling *tiling, struct system *system, double now,
                                 uint32_t side, struct thread_pool *pool, struct error *error);

/* Packs the particles of the old state, without predictions, or unpacks them, if they are not so
 * already. */
void tiling_pack(struct tiling *tiling, int is_packed, struct thread_pool *pool);

/* Frees the state of the particles, but not the system. */
void tiling_free_states(struct tiling *tiling);

/* Frees all but the system. */
void tiling_free(struct tiling *tiling, struct thread_pool *pool);

/* The data of a thread that simulates a tile (tile_worker.c): a system of its own, with copies of
 * the particles in the tile and in its halo, and the cells, predictions and calendar for them. */
struct tile_worker {
    const struct tiling *tiling;
    struct tile *tile;    /* the first one of the region */
    struct system system; /* the copies; all else is from the tiling's system */
    struct predictor predictor;
    struct calendar calendar;
    struct tile_span columns, rows;
    uint32_t *indices;     /* of each copy: its index in the system, */
    unsigned char *is_own; /* and whether it is in the tile at the window's beginning: the tile
                              alone writes its new state while the threads run */
    uint32_t *copies;    /* by the lower bits of that index: a copy that may be of that particle, */
    uint32_t mask;       /* and which bits */
    uint32_t *marks;     /* of each cell: 512 * its distance from the tile + directions */
    uint32_t count;      /* of copies */
    struct event latest; /* of all operations that are noted, by time, then by numbers */
    size_t capacity, cell_capacity;
    struct error error;             /* of memory: it is not reported, for the run goes on */
    double halo_end, halo_per_time; /* how many cells of halo are simulated at the window's end,
                                       and by how many more that is for each time before it */
};

/* An empty worker, which tile_worker_free frees. */
void tile_worker_init(struct tile_worker *worker, const struct tiling *tiling);

/* Takes a tile, with its whole region, from the beginning of the tiling's window to its end: writes
 * the new state of the particles that are then in it, and its events and records. */
void tile_worker_run(struct tile_worker *worker, struct tile *tile);

void tile_worker_free(struct tile_worker *worker);

#endif
