/*
 * The tiles schedule: the events of the cells schedule, found by several threads at once.
 *
 * Hard disks cannot be divided among threads that each wait for the others' borders: through a
 * chain of touching disks an impulse crosses any number of them in no time at all. So this schedule
 * takes a window of time, about three collisions of each particle, and asks for the events in it
 * tile by tile. The box is cut into tiles of cells. A worker
 *
 *   1. copies the particles of a tile, and of a halo of cells around it, into a system of its own;
 *   2. simulates that up to the window's end, by the algorithm of the cells schedule, as if there
 *      were nothing beyond;
 *   3. records, with all bits, what happens to particles in the cells next to the borders between
 *      tiles, on both sides;
 *   4. keeps what at the end is in the tile's own cells, as the new state of these particles,
 * unless another tile has claimed one of them before.
 *
 * What is wrong at the rim of a halo spreads inwards only with the particles, and seldom reaches
 * the tile. Whether it has is seen: neighbouring tiles must have recorded the same, and no two may
 * claim a particle. If so, the new state takes the place of the old one. Otherwise the tiles that
 * disagree are done again from the old state, which nobody has touched, with a wider halo.
 *
 *        rim, where time stands still  +---------------------+
 *                                      |        halo         |
 *                                      |   +-------------+   |
 *                                      |   |::::zone:::::|   |    zone: a cell on both sides of a
 *                                      |   |:+---------+:|   |    tile's border, compared with
 *                                      |   |:|  tile   |:|   |    what the neighbours have there
 *                                      |   |:+---------+:|   |
 *                                      |   |:::::::::::::|   |
 *                                      |   +-------------+   |
 *                                      |                     |
 *                                      +---------------------+
 *
 * Why that is exact. Suppose that something in tiles' own cells is wrong, and consider the earliest
 * such event, in tile D. It depends on particles in D's own cells, which were right until then, and
 * on particles in cells next to D. These were as their own tiles have them, for that was compared;
 * and their own tiles were right until then. So the event is right. Predictions made in different
 * tiles fit together: of two neighbours at least the one that was predicted last has considered
 * their collision, and what is predicted anew only adds to that.
 *
 * Why it ends. Nobody waits but for the end of a round, and after a few rounds, or where a tile has
 * far more to do than can be expected, one thread alone is given the window, and some more (the
 * cells schedule, on the same system). So it is where a fast particle crosses many tiles, where
 * disks are wedged, and where particles crowd in a few cells. Large disks, which reach over many
 * cells, leave everything to one thread.
 *
 * Where somebody watches the events, they are put in order and happen once more, one after the
 * other, in the system itself (tile_events.c).
 */
#include "schedules.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "tile_events.h"
#include "tile_records.h"
#include "tile_worker.h"
#include "tiling.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

enum {
    MOST_HALO = 16,         /* by how many cells a halo may grow */
    CROSSINGS_TO_SORT = 16, /* of each particle, as in cells.c */
    SAMPLE = 1024,          /* particles whose speed is looked at */
    FIRST_STRETCH = 4,      /* windows for which one thread alone goes on the first time */
    GOOD_WINDOWS = 64,      /* after which that is forgotten */
    APART_MOST = 1000000    /* particles for which there is memory to tell of one window while
                               the next one is found */
};

/* How many collisions, and how many crossings of cells, each particle should have in a window;
 * where they are told of, fewer have to be remembered. */
static const double COLLISIONS_IN_WINDOW = 3;
static const double COLLISIONS_TO_TELL = 1.4;
static const double CROSSINGS_IN_WINDOW = 4;

struct tiles {
    struct schedule base;
    struct system *system;
    double end_time;
    double now;           /* all events up to this time have happened */
    double length;        /* of a window in which a particle has its usual number of events */
    double ease;          /* which part of that windows have, as the tiles agree */
    uint32_t side;        /* of a tile, in cells; 0: not given */
    struct tiling tiling; /* without tiles where there are none at present */
    struct tile_events events;
    uint32_t *counted;  /* for each particle: the version up to which its counts count */
    uint64_t crossings; /* since the particles were sorted */
    unsigned threads;   /* how many there are to be; those that could not be started are told of */
    struct thread_pool *pool;
    struct tile_worker *workers; /* one a thread */
    atomic_uint next;            /* tile of a task */
    struct schedule_sink *sink;  /* while a window lasts */
    int is_ahead;                /* the others have begun with the next window */
    struct schedule *alone;      /* the schedule of one thread alone, for a while; or NULL, */
    double alone_until;          /* up to this time */
    double stretch;              /* how long that was the last time; 0: for long it was not */
    uint32_t good_windows;       /* since the last time */
    uint64_t turns[TILES_TURNS]; /* how often each has happened */
};

/* ---- Tiles, and one thread alone ---- */

/* All events up to now have been counted. */
static void note_versions(struct tiles *tiles)
{
    for (size_t k = 0; tiles->counted && k < tiles->system->count; k++)
        tiles->counted[k] = tiles->system->particles[k].version;
}

/* Adds to the counts what has happened since the last time: every event is one of its own, and
 * those with the boundary have been taken off already. */
static void settle(struct tiles *tiles)
{
    struct system *system = tiles->system;
    for (size_t k = 0; tiles->counted && k < system->count; k++)
        system->counts[k].particles += system->particles[k].version - tiles->counted[k];
    note_versions(tiles);
}

/* Leaves a window that has been begun. */
static void give_up_ahead(struct tiles *tiles)
{
    if (!tiles->is_ahead)
        return;
    atomic_store(&tiles->next, tile_count(&tiles->tiling));
    thread_pool_end(tiles->pool);
    tiles->is_ahead = 0;
}

static void free_tiles(struct tiles *tiles)
{
    give_up_ahead(tiles);
    settle(tiles);
    for (unsigned k = 0; k < thread_pool_count(tiles->pool); k++)
        tile_worker_free(&tiles->workers[k]);
    tiling_free(&tiles->tiling);
    tile_events_free(&tiles->events);
    memory_free(tiles->counted);
    tiles->counted = NULL;
}

/* The time in which a particle usually moves as far as the gaps between particles are wide. */
static double guess_length(const struct tiling *tiling)
{
    const struct system *system = tiling->system;
    const struct cell_list_shape *shape = &tiling->shape;
    const size_t sample = system->count < SAMPLE ? system->count : SAMPLE;
    const double columns = shape->columns * shape->width;
    const double rows = shape->rows * shape->height;
    const double spacing = sqrt(columns / (double)system->count * rows);
    double sum = 0;
    for (size_t k = 0; k < sample; k++) {
        const struct particle *p = &system->particles[k * system->count / sample];
        sum += fmax(fabs(p->u), fabs(p->v));
    }
    const double gap = fmax(spacing - tiling->contact, spacing / 16);
    return fmin(gap / (sum / (double)sample), SYSTEM_LARGEST);
}

/* Begins to count what happens unseen; or where events are told of, parts the tiling from the
 * system if that pays. Returns 0 if there is no memory. */
static int remember_counted(struct tiles *tiles, struct error *error)
{
    const size_t count = tiles->system->count;
    if (tiles->sink->is_told)
        return count > APART_MOST || thread_pool_count(tiles->pool) == 1 ||
               !tiling_part(&tiles->tiling, error);
    tiles->counted = memory_allocate(count, sizeof *tiles->counted, "the counts", error);
    note_versions(tiles);
    return tiles->counted != NULL;
}

/* Cuts the box into tiles, or says why not. */
static enum tiling_result make_tiles(struct tiles *tiles, struct error *error)
{
    const enum tiling_result result =
        tiling_create(&tiles->tiling, tiles->system, tiles->now, tiles->side, tiles->pool, error);
    if (result != TILING_READY)
        return result;
    if (!remember_counted(tiles, error))
        return TILING_NO_MEMORY;
    for (unsigned k = 0; k < thread_pool_count(tiles->pool); k++)
        tile_worker_init(&tiles->workers[k], &tiles->tiling);
    if (tiles->length == 0)
        tiles->length = guess_length(&tiles->tiling);
    tiles->crossings = 0;
    return TILING_READY;
}

/* Lets one thread alone go on up to `until`, for this reason. */
static enum status go_alone(struct tiles *tiles, double until, enum tiles_turn reason,
                            struct error *error)
{
    tiles->turns[reason]++;
    free_tiles(tiles);
    tiles->alone_until = until > tiles->now ? fmin(until, tiles->end_time) : tiles->end_time;
    enum status status = cells_create(tiles->system, tiles->alone_until, &tiles->alone, error);
    return status ? status : schedule_wait(tiles->alone, tiles->now, tiles->sink, error);
}

/* Does so for some windows, and the next time for more; and then with shorter windows. */
static enum status go_alone_for_a_while(struct tiles *tiles, enum tiles_turn reason,
                                        struct error *error)
{
    tiles->stretch = tiles->stretch > 0 ? 2 * tiles->stretch : FIRST_STRETCH * tiles->length;
    tiles->length = fmax(tiles->length / 2, DBL_MIN);
    tiles->good_windows = 0;
    return go_alone(tiles, tiles->now + tiles->stretch, reason, error);
}

/* Does so for the rest of the run, for want of memory, and says so. */
static enum status go_alone_for_memory(struct tiles *tiles, struct error *error)
{
    struct error warning;
    error_set(&warning, STATUS_NO_MEMORY,
              "there is too little memory for several threads: the run goes on with one");
    if (tiles->sink->warn)
        tiles->sink->warn(&warning);
    return go_alone(tiles, tiles->end_time, TILES_NO_MEMORY, error);
}

/* ---- A window ---- */

enum outcome {
    WINDOW_DONE,
    WINDOW_DISAGREED,
    WINDOW_TOO_MANY,
    WINDOW_INTERRUPTED,
    WINDOW_NO_MEMORY
};

/* The next tile that is to be done; NULL: there is none left. */
static struct tile *take_tile(struct tiles *tiles)
{
    const uint32_t count = tile_count(&tiles->tiling);
    for (;;) {
        const unsigned k = atomic_fetch_add(&tiles->next, 1);
        if (k >= count)
            return NULL;
        if (tiles->tiling.tiles[k].is_to_do)
            return &tiles->tiling.tiles[k];
    }
}

/* Only the first thread looks: what a signal has set is its own. It takes the others' tiles away.
 */
static int is_interrupted(struct tiles *tiles, unsigned number)
{
    if (number > 0 || !tiles->sink->interrupt || !*tiles->sink->interrupt)
        return 0;
    atomic_store(&tiles->next, tile_count(&tiles->tiling));
    return 1;
}

/* Task: runs the tiles that are to be done. */
static void run_tiles(void *user, unsigned number)
{
    struct tiles *tiles = user;
    struct tile *tile;
    while (!is_interrupted(tiles, number) && (tile = take_tile(tiles)))
        tile_worker_run(&tiles->workers[number], tile);
}

/* The tile in a direction from another one; NULL: there is none. */
static struct tile *find_neighbour(const struct tiling *tiling, const struct tile *tile,
                                   uint32_t direction)
{
    const struct tile_axis *axes[2] = {&tiling->columns, &tiling->rows};
    const uint32_t steps[2] = {direction % 3, direction / 3};
    uint32_t place[2] = {tile->column, tile->row};
    for (int k = 0; k < 2; k++) {
        if (steps[k] != 1 && axes[k]->tiles == 1)
            return NULL;
        place[k] += steps[k] - 1;
        if (place[k] >= axes[k]->tiles && !axes[k]->is_periodic)
            return NULL;
        place[k] = (place[k] + axes[k]->tiles) % axes[k]->tiles;
    }
    return &tiling->tiles[place[1] * tiling->columns.tiles + place[0]];
}

/* Task: compares each tile with those on one side of it, so that each pair is compared once. */
static void compare_tiles(void *user, unsigned number)
{
    struct tiles *tiles = user;
    struct tiling *tiling = &tiles->tiling;
    (void)number;
    for (;;) {
        const unsigned k = atomic_fetch_add(&tiles->next, 1);
        if (k >= tile_count(tiling))
            return;
        struct tile *tile = &tiling->tiles[k];
        for (uint32_t direction = TILE_CENTRE + 1; direction < TILE_DIRECTIONS; direction++) {
            struct tile *other = find_neighbour(tiling, tile, direction);
            if (other && !tile_records_agree(tile, other, direction)) {
                atomic_store(&tile->disagrees, 1);
                atomic_store(&other->disagrees, 1);
            }
        }
    }
}

/* Waits until the tiles that are to be done have been, and compares all. */
static enum outcome end_round(struct tiles *tiles)
{
    struct tiling *tiling = &tiles->tiling;
    thread_pool_end(tiles->pool);
    if (tiles->sink->interrupt && *tiles->sink->interrupt)
        return WINDOW_INTERRUPTED;
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        if (tiling->tiles[k].outcome != TILE_DONE)
            return tiling->tiles[k].outcome == TILE_NO_MEMORY ? WINDOW_NO_MEMORY : WINDOW_TOO_MANY;
    atomic_store(&tiles->next, 0);
    thread_pool_run(tiles->pool, compare_tiles, tiles);
    return WINDOW_DONE;
}

/* Lets the others begin with the tiles that are to be done. */
static void begin_round(struct tiles *tiles)
{
    atomic_store(&tiles->next, 0);
    thread_pool_begin(tiles->pool, run_tiles, tiles);
}

/* Begins with a window. */
static void begin_window(struct tiles *tiles, double end, int is_told)
{
    struct tiling *tiling = &tiles->tiling;
    tiling->begin = tiles->now;
    tiling->end = end;
    tiling->is_told = is_told;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        tiling->tiles[k].is_to_do = 1;
        atomic_store(&tiling->tiles[k].disagrees, 0);
    }
    tiling_unclaim_all(tiling);
    begin_round(tiles);
}

/* Widens the halos of the tiles that disagree, which are to be done again. Returns how many; or
 * UINT32_MAX if they have become too wide. */
static uint32_t widen(struct tiling *tiling)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        struct tile *tile = &tiling->tiles[k];
        tile->is_to_do = atomic_exchange(&tile->disagrees, 0);
        if (!tile->is_to_do)
            continue;
        tiling_unclaim(tiling, tile);
        count++;
        tile->halo = tile->halo > 0 ? 2 * tile->halo : 4;
        if (tile->halo > MOST_HALO)
            return UINT32_MAX;
    }
    return count;
}

/* Finds all events of a window that has begun. `redone` becomes how many tiles had to be done
 * again. */
static enum outcome end_window(struct tiles *tiles, uint32_t *redone)
{
    struct tiling *tiling = &tiles->tiling;
    *redone = 0;
    for (;;) {
        const enum outcome outcome = end_round(tiles);
        if (outcome != WINDOW_DONE)
            return outcome;
        const uint32_t again = widen(tiling);
        if (again == 0)
            return WINDOW_DONE;
        if (again > tile_count(tiling) / 4 + 2) /* also where halos have become too wide */
            return WINDOW_DISAGREED;
        *redone += again;
        begin_round(tiles);
    }
}

/* What has happened in the window. */
static struct schedule_sum sum_up(const struct tiling *tiling, uint64_t *crossings)
{
    struct schedule_sum sum = {0};
    *crossings = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile *tile = &tiling->tiles[k];
        sum.events += tile->collisions;
        sum.hits += tile->hits;
        sum.passages += tile->passages;
        *crossings += tile->crossings;
    }
    return sum;
}

/*
 * Chooses the length of the next windows: as the last one was, but so that there will be the usual
 * number of events. Where tiles had to be done again, windows become shorter, and else slowly
 * longer.
 */
static void choose_length(struct tiles *tiles, const struct schedule_sum *sum, uint64_t crossings,
                          uint32_t redone)
{
    struct tiling *tiling = &tiles->tiling;
    if (!(tiling->end > tiling->begin)) /* it was for the events at the very beginning */
        return;
    const double count = (double)tiles->system->count;
    const double collisions = (double)(2 * sum->events - sum->hits) / count;
    const double usual = tiling->is_told ? COLLISIONS_TO_TELL : COLLISIONS_IN_WINDOW;
    const double parts =
        fmax(fmax(collisions / usual, (double)crossings / count / CROSSINGS_IN_WINDOW), 1e-300);
    const double length = (tiling->end - tiling->begin) / parts;
    tiles->length = fmin(fmax(length, tiles->length / 2), fmin(2 * tiles->length, SYSTEM_LARGEST));
    if (redone > 0)
        tiles->ease = fmax(0.1, tiles->ease * (redone * 50 > tile_count(tiling) ? 0.85 : 0.99));
    else
        tiles->ease = fmin(1.25, tiles->ease * 1.02);
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        tiling->tiles[k].halo -= (tiling->tiles[k].halo + 3) / 4;
}

/* Takes the new state for the old one; the counts of collisions of two particles can wait. */
static void take_new_state(struct tiles *tiles)
{
    struct tiling *tiling = &tiles->tiling;
    const struct system *system = tiles->system;
    tiling_proceed(tiling);
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *list = &tiling->tiles[k].events[!tiling->old];
        const struct tile_event *events = list->entries;
        for (size_t m = 0; m < list->count; m++) {
            struct counts *counts = &system->counts[events[m].a];
            counts->particles--; /* settle counts every event as one of two particles */
            boundary_count(&system->boundary, counts, events[m].b);
        }
    }
}

/* The end of the next window, up to `limit`. The last one may be a little longer. */
static double choose_end(const struct tiles *tiles, double limit)
{
    const double length = tiles->length * tiles->ease;
    return tiles->now + 1.2 * length < limit ? tiles->now + length : limit;
}

/*
 * Lets the events of a window happen one after the other in the system, which so comes to the new
 * state. Meanwhile the others begin with the next window, if the system is not what they read.
 */
static enum status tell_all(struct tiles *tiles, double limit, struct error *error)
{
    struct tiling *tiling = &tiles->tiling;
    struct tile_state *states = tiling->states;
    const double end = choose_end(tiles, limit);
    if (!tiling->is_apart) { /* the system itself becomes what is then the old state */
        struct particle *particles = states[0].particles;
        states[0].particles = states[1].particles;
        states[1].particles = particles;
    }
    tiling_proceed(tiling);
    if (tiling->is_apart && end > tiles->now) {
        begin_window(tiles, end, 1);
        tiles->is_ahead = 1;
    }
    settle(tiles);
    const enum status status = tile_events_tell(&tiles->events, tiles->sink, error);
    note_versions(tiles); /* these have been counted */
    return status;
}

/* Finds all that happens up to `end`, so that it is told of where somebody has to see it. */
static enum outcome find_events(struct tiles *tiles, double end, struct schedule_sum *sum,
                                uint64_t *crossings, uint32_t *redone)
{
    struct tiling *tiling = &tiles->tiling;
    struct schedule_sink *sink = tiles->sink;
    if (!tiles->is_ahead)
        begin_window(tiles, end, sink->is_told);
    tiles->is_ahead = 0;
    enum outcome outcome = end_window(tiles, redone);
    *sum = sum_up(tiling, crossings);
    if (outcome != WINDOW_DONE || tiling->is_told || sink->pass(sink, sum))
        return outcome;
    begin_window(tiles, end, 1);
    outcome = end_window(tiles, redone);
    *sum = sum_up(tiling, crossings);
    return outcome;
}

/* Lets all happen up to `end`, or a part of that. */
static enum status run_window(struct tiles *tiles, double end, double limit, struct error *error)
{
    struct tiling *tiling = &tiles->tiling;
    struct schedule_sum sum;
    uint64_t crossings;
    uint32_t redone;
    enum outcome outcome = find_events(tiles, end, &sum, &crossings, &redone);
    if (outcome == WINDOW_DONE && tiling->is_told &&
        tile_events_gather(&tiles->events, tiling, error))
        outcome = WINDOW_NO_MEMORY;
    switch (outcome) {
    case WINDOW_INTERRUPTED:
        tiles->turns[TILES_INTERRUPTED]++;
        return STATUS_DONE;
    case WINDOW_DISAGREED:
        return go_alone_for_a_while(tiles, TILES_DISAGREED, error);
    case WINDOW_TOO_MANY:
        return go_alone_for_a_while(tiles, TILES_TOO_MANY, error);
    case WINDOW_NO_MEMORY:
        return go_alone_for_memory(tiles, error);
    case WINDOW_DONE:
        break;
    }
    tiles->turns[TILES_WINDOW]++;
    tiles->turns[TILES_REDONE] += redone;
    choose_length(tiles, &sum, crossings, redone);
    tiles->crossings += crossings;
    tiles->now = tiling->end;
    if (++tiles->good_windows == GOOD_WINDOWS)
        tiles->stretch = 0;
    if (tiling->is_told)
        return tell_all(tiles, limit, error);
    take_new_state(tiles);
    return STATUS_DONE;
}

/* ---- The schedule ---- */

/* Goes on with tiles, which are made if there are none. */
static enum status advance_together(struct tiles *tiles, double limit, struct error *error)
{
    const uint64_t most = CROSSINGS_TO_SORT * (uint64_t)tiles->system->count;
    if (tiles->is_ahead && tiles->tiling.end > limit)
        give_up_ahead(tiles);
    if (tiles->crossings > most)
        free_tiles(tiles);
    if (!tiles->tiling.tiles) {
        switch (make_tiles(tiles, error)) {
        case TILING_CROWDED:
            if (tiles->length == 0)
                tiles->length = guess_length(&tiles->tiling);
            return go_alone_for_a_while(tiles, TILES_CROWDED, error);
        case TILING_TOO_SMALL:
            return go_alone(tiles, tiles->end_time, TILES_SMALL, error);
        case TILING_LARGE:
            return go_alone(tiles, tiles->end_time, TILES_LARGE, error);
        case TILING_NO_MEMORY:
            return go_alone_for_memory(tiles, error);
        case TILING_READY:
            break;
        }
    }
    const double end = choose_end(tiles, limit);
    if (!(end > tiles->now) && limit > tiles->now)
        return go_alone_for_a_while(tiles, TILES_NO_TIME, error);
    return run_window(tiles, end, limit, error);
}

/* Goes on with one thread alone. */
static enum status advance_alone(struct tiles *tiles, double limit, struct error *error)
{
    enum status status = schedule_advance(tiles->alone, fmin(limit, tiles->alone_until),
                                          tiles->sink, &tiles->now, error);
    if (tiles->now >= tiles->alone_until && tiles->now < tiles->end_time) {
        schedule_free(tiles->alone);
        tiles->alone = NULL;
    }
    return status;
}

/* Tells the user if fewer threads could be started than there are to be. */
static void warn_of_threads(struct tiles *tiles)
{
    const unsigned count = thread_pool_count(tiles->pool);
    struct error warning;
    if (count == tiles->threads)
        return;
    error_set(&warning, STATUS_DONE,
              "only %u of %u threads could be started: the run goes on with them", count,
              tiles->threads);
    tiles->threads = count;
    if (tiles->sink->warn)
        tiles->sink->warn(&warning);
}

static enum status tiles_advance(struct schedule *schedule, double limit,
                                 struct schedule_sink *sink, double *time, struct error *error)
{
    struct tiles *tiles = (struct tiles *)schedule;
    enum status status = STATUS_DONE;
    int is_to_return;
    tiles->sink = sink;
    warn_of_threads(tiles);
    do {
        if (!tiles->alone)
            status = advance_together(tiles, limit, error);
        if (!status && tiles->alone)
            status = advance_alone(tiles, limit, error);
        is_to_return = sink->rests || (sink->interrupt && *sink->interrupt);
    } while (!status && !is_to_return && tiles->now < limit);
    settle(tiles);
    *time = tiles->now;
    return status;
}

static void tiles_free(struct schedule *schedule)
{
    struct tiles *tiles = (struct tiles *)schedule;
    schedule_free(tiles->alone);
    if (tiles->workers)
        free_tiles(tiles);
    memory_free(tiles->workers);
    thread_pool_free(tiles->pool);
    memory_free(tiles);
}

const uint64_t *tiles_turns(const struct schedule *schedule)
{
    return ((const struct tiles *)schedule)->turns;
}

/* Makes what lasts for all of the run. Returns 0 if there is no memory for it. */
static int prepare(struct tiles *tiles, struct error *error)
{
    tiles->pool = thread_pool_create(tiles->threads, error);
    if (!tiles->pool)
        return 0;
    const unsigned count = thread_pool_count(tiles->pool);
    tiles->workers = memory_allocate(count, sizeof *tiles->workers, "the threads", error);
    if (!tiles->workers)
        return 0;
    for (unsigned k = 0; k < count; k++)
        tile_worker_init(&tiles->workers[k], &tiles->tiling);
    return 1;
}

enum status tiles_create(struct system *system, double end_time,
                         const struct schedule_threads *threads, struct schedule **schedule,
                         struct error *error)
{
    static const struct schedule_operations operations = {.advance = tiles_advance,
                                                          .free = tiles_free};
    struct tiles *tiles = memory_allocate(1, sizeof *tiles, "a schedule", error);
    if (!tiles)
        return STATUS_NO_MEMORY;
    *tiles = (struct tiles){.base.operations = &operations,
                            .system = system,
                            .end_time = end_time,
                            .now = system_last_time(system),
                            .ease = 1,
                            .side = threads->tile_side,
                            .threads = threads->count,
                            .tiling.system = system};
    if (!prepare(tiles, error)) {
        tiles_free(&tiles->base);
        return STATUS_NO_MEMORY;
    }
    *schedule = &tiles->base;
    return STATUS_DONE;
}
