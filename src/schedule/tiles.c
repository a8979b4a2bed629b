/*
 * The tiles schedule: the events of the cells schedule, found by several threads at once.
 *
 * Hard disks cannot be divided among threads that each wait for the others' borders: through a
 * chain of touching disks an impulse crosses any number of them in no time at all. So this schedule
 * takes a window of time, two to four collisions of each particle, and finds the events in it tile
 * by tile. The box is cut into tiles of cells. A worker
 *
 *   1. copies the particles of a tile, and of a halo of cells around it, into a system of its own;
 *   2. simulates that up to the window's end, by the algorithm of the cells schedule, as if there
 *      were nothing beyond;
 *   3. records, with all bits, the events and crossings of particles in the zone: the cells next to
 *      the borders between tiles, on both sides;
 *   4. keeps the particles that are in the tile's own cells at the end, and their new state.
 *
 * Errors at the rim of a halo, where time stands still, spread inwards only with the particles, and
 * seldom reach the tile. A comparison shows if they have: the records of neighbouring tiles must be
 * equal. If so, the new state replaces the old one. Otherwise the tiles that disagree are simulated
 * again with a wider halo, from the old state.
 *
 * Why that is exact
 *
 * Let t be the time of the earliest error in tiles' own cells. Until then tile D is right in its
 * own cells, and in those next to them, for these are own cells of its neighbours, and were
 * compared. A predicted time depends on nothing but the anchors of its particles, so nothing else
 * is to be shown for times before t. At t itself one event can cause another, or void it, at once,
 * and "earlier" needs an order.
 *
 * At one instant. The rank of an event is its position in the order of all events of its time, that
 * of the particles' numbers, as in event_before. One thread always takes the pending event of the
 * least rank. Chains of events can go around a periodic box in no time, and pass through tiles that
 * look alike, so that all of them make one error and each confirms that of the next. The number of
 * an event's causes is no measure of "earlier", for rank decides which of two pending events is
 * taken first. A list of ranks is one. For an event o at time t let K(o) be the largest K among the
 * events of its particles at that same time before it, without those ranks at its end that are less
 * than that of o, and then the rank of o. K is compared like a word in a dictionary.
 *
 *   1. While z is pending, only events of lower rank are taken. So K of the last event taken at t
 *      begins with all of K(z) but its end, and goes on with ranks below that of z: this holds when
 *      z becomes pending, and remains true with each event taken. (If z has been pending since
 *      before t, all ranks so far are below its own, and K(z) is its rank alone.) Hence, whichever
 *      z is, K(z) is K of the last event taken, without the ranks at its end that are less than
 *      that of z, and then the rank of z. It follows that K grows from each event to the next one,
 *      and that of two pending events the one of lower rank has the lower K.
 *   2. Take the events of all tiles in their own cells at time t, sorted by K. Let o be the first
 *      that one thread does not take, and x the one that it takes instead. All causes of o come
 *      before it and are right, so for that one thread o is pending, too, with the K that its
 *      causes give it: x has the lower rank, and by part 1 K(x) < K(o). Let D be the tile of one of
 *      x's particles. In its own cells and those next to them D takes the same events below K(o),
 *      and then x is pending there. So D next takes x there, or an event that voids x; either has a
 *      lower K than o. But of those, in own cells of any tile, all have been considered. So there
 *      is no such o. The argument also holds where the tiles, or the one thread, have no further
 *      event.
 *
 * This needs of D that its own cells and those next to them be taken through time t in the order of
 * K, with the K that their own tiles find. D checks that at its border: an operation that it
 * records must follow no earlier event of its particles at that time, so that its K is its rank
 * alone, equal for both tiles; and its rank must be above those of all events that D has taken at
 * that time, right or wrong. Errors farther out reach these cells only by such an operation, or by
 * a missing one that D's neighbour then has. Neighbours compare the ranks with the records, in this
 * order. Where the condition does not hold, nothing can be compared at that border (TILES_TIED): a
 * chain of touching disks carries an impulse through it, or a lattice is full of ties. Elsewhere
 * two times are hardly ever equal.
 *
 * Regions. All of this holds for any division of the cells. So where wider halos do not help, or
 * there is a tie, the tiles on both sides are joined to a rectangle, for this window and some more,
 * and done again as one tile D, while all others stand as they are; within D no tie matters. D
 * records for each of its tiles what that has in common with tiles around D, as if it were alone.
 *
 * The calendar, too, must have every event that is pending. Of two neighbours at least the one that
 * was predicted last has considered their collision, and new predictions only add to that
 * (predictor.c). Which one is last is equal in all tiles, for a particle is predicted after events
 * and crossings, and these are recorded in one order: crossings come before all events of their
 * time, by the numbers of their particles (one out of this order is recognised by its rank). So the
 * calendar has each pending event before it is due: an entry of the pair, or an earlier one of the
 * same particle. After a crossing at time t no new event is due at t: cells are wider than disks by
 * more than rounding (cell_list_find_margin), the polygons' grid lists a side in all cells that are
 * nearer to it than that, and a wall or a seam is met only in outer cells. At the end of a window
 * no event is left that was due in it, so no chain goes on from one window to the next.
 *
 * Why it ends. Threads wait only for the end of a round, and regions only grow. Where one would
 * have more than two thirds of the tiles, or a tile has more events than all others, one thread
 * alone simulates this window and some more, by the cells schedule; and the whole run where tiles
 * would not pay.
 *
 * From window to window. Predictions are kept, and compared by none. That of a particle in D's own
 * cells is right if the particle has been there since it was predicted, for then all around it was.
 * So one that comes into these cells is predicted anew; and large disks, around which not all is
 * compared, are in each window.
 *
 * Large disks meet particles farther away than in the next cell. So an operation on one matters to
 * all tiles within its reach, and these compare it. The proof asks that of two particles that meet
 * one tile have one, and have or compare the other: it is that of a small one; or that of the large
 * one that is farther from the border, since the other one then is within reach, and no tile is so
 * narrow that it could lie between them. Halos are wider by four times the reach, for a large disk
 * is right only if all around it is.
 *
 * Where observers are notified of events, tiles keep the particles of each as they were before, and
 * when the window is done, one thread resolves these events again, in order; or they add up what
 * collisions of two did, if that is enough. A window ends where notifications begin.
 */
#include "schedules.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "tiling.h"

#include <math.h>
#include <string.h>

enum {
    CROSSINGS_TO_SORT = 16, /* of each particle, as in cells.c */
    SAMPLE = 1024,          /* particles whose speeds are sampled */
    FIRST_STRETCH = 4,      /* windows for which one thread alone goes on the first time */
    GOOD_WINDOWS = 64,      /* after which that is forgotten, and which tiles were joined */
    MAX_HALO = 16,          /* by how many cells a halo may grow */
    FETCH_AHEAD = 12        /* events to be notified, for which memory is fetched */
};

static const double CROSSINGS_PER_COLLISION = 1.4; /* more of them make windows shorter */

struct tiles {
    struct schedule base;
    struct tiling tiling;       /* without tiles where there are none at present */
    double now;                 /* all events up to this time have been resolved */
    double length;              /* of a window in which a particle has its usual number of events */
    double ease;                /* the factor by which windows are shorter, where tiles disagreed */
    uint32_t side;              /* of a tile, in cells; 0: not given */
    unsigned threads;           /* how many there are to be */
    struct schedule_sink *sink; /* while the schedule advances */

    struct thread_pool *pool;    /* owned */
    struct tile_worker *workers; /* one a thread; owned; NULL: not yet made */
    atomic_int is_stopped;       /* no further tile is to be run in this round */
    int is_open;                 /* a window has begun, and has not ended */
    atomic_ullong last_time;     /* of the particles, for thread_pool_raise */
    /* Of the last window that has ended: */
    struct schedule_sum sum;   /* the events in it, */
    uint64_t window_crossings; /* the crossings of cells, */
    uint32_t redone;           /* and how many tiles had to be done again */

    size_t event_count; /* of the window that is notified */
    int which;          /* two lists of events each tile has: the one of that window */

    uint64_t crossings;                /* since the particles were sorted */
    struct schedule *alone;            /* that of one thread alone, for a while; or NULL, */
    double alone_until;                /* up to this time */
    double stretch;                    /* how long that was the last time; 0: for long it was not */
    uint32_t good_windows;             /* since the last time */
    uint64_t outcomes[TILES_OUTCOMES]; /* how often each has occurred */
};

/*
 * ---- The rounds of a window ----
 *
 * In a round each thread takes the next tile that no thread has taken, until none is left. Then the
 * tiles are compared with their neighbours, and those that disagree are done again in another
 * round, from the old state, with wider halos.
 */

static int is_interrupted(const struct tiles *tiles)
{
    return tiles->sink->interrupt && *tiles->sink->interrupt;
}

/* Task: runs the tiles that are to be done. Each thread begins with its own share of them, whose
 * state then is in the cache of its core, and goes on with what others have left; but first of all
 * with those that are joined, which take longest. Where a tile makes the round useless, or the
 * first thread sees that a signal ends the run, no further one is run. */
static void run_tiles(void *user, unsigned number)
{
    struct tiles *tiles = user;
    const uint32_t count = tile_count(&tiles->tiling);
    const uint32_t first = (uint32_t)thread_pool_share(tiles->pool, count, number);
    for (uint32_t k = 0; k < 2 * count && !atomic_load(&tiles->is_stopped); k++) {
        struct tile *tile = &tiles->tiling.tiles[(first + k) % count];
        if ((k < count && tile->region.size == 1) || !atomic_load(&tile->is_to_do) ||
            !atomic_exchange(&tile->is_to_do, 0))
            continue;
        tile_worker_run(&tiles->workers[number], tile);
        if (tile->outcome > TILES_TIED || (number == 0 && is_interrupted(tiles)))
            atomic_store(&tiles->is_stopped, 1);
    }
}

/* The tile in a direction from another one, or NULL. */
static struct tile *find_neighbour(const struct tiling *tiling, const struct tile *tile,
                                   uint32_t direction)
{
    const struct tile_axis *axes[2] = {&tiling->columns, &tiling->rows};
    const uint32_t steps[2] = {direction % 3, direction / 3};
    struct tile_region beside = tile->alone;
    for (int k = 0; k < 2; k++) {
        beside.first[k] += axes[k]->tiles + steps[k] - 1;
        const int is_beyond = !axes[k]->is_periodic && beside.first[k] / axes[k]->tiles != 1;
        if (steps[k] != 1 && (axes[k]->tiles == 1 || is_beyond))
            return NULL;
    }
    return tile_of_region(tiling, &beside, 0);
}

/* The next record from `next` on that matters in a direction, or NULL. */
static const struct tile_record *tile_records_find(const struct tile_list *records, size_t *next,
                                                   uint32_t direction)
{
    const struct tile_record *list = records->entries;
    while (*next < records->count)
        if (list[(*next)++].directions >> direction & 1)
            return &list[*next - 1];
    return NULL;
}

/* True if a tile and the one in a direction from it (tile_directions) have recorded equal
 * operations in the cells that matter to both, to the bit and in one order. */
static int tile_records_agree(const struct tile *tile, const struct tile *other, uint32_t direction)
{
    size_t here = 0;
    size_t there = 0;
    for (;;) {
        const struct tile_record *a = tile_records_find(&tile->records, &here, direction);
        const struct tile_record *b =
            tile_records_find(&other->records, &there, TILE_DIRECTIONS - 1 - direction);
        if (!a || !b)
            return !a && !b;
        if (memcmp(a, b, offsetof(struct tile_record, directions)) != 0)
            return 0; /* only these depend on the tile */
    }
}

/* Task: compares each tile with those on one side of it, unless they are joined or one is tied. */
static void compare_tiles(void *user, size_t begin, size_t end)
{
    const struct tiling *tiling = &((struct tiles *)user)->tiling;
    for (struct tile *tile = &tiling->tiles[begin]; tile < &tiling->tiles[end]; tile++)
        for (uint32_t direction = TILE_CENTRE + 1; direction < TILE_DIRECTIONS; direction++) {
            struct tile *other = find_neighbour(tiling, tile, direction);
            if (other && other->first != tile->first && tile->first->outcome == TILES_DONE &&
                other->first->outcome == TILES_DONE &&
                !tile_records_agree(tile, other, direction)) {
                atomic_fetch_or(&tile->disagrees, 1u << direction);
                atomic_fetch_or(&other->disagrees, 1u << (TILE_DIRECTIONS - 1 - direction));
            }
        }
}

static void begin_round(struct tiles *tiles)
{
    atomic_store(&tiles->is_stopped, 0);
    thread_pool_begin(tiles->pool, run_tiles, tiles);
}

static enum tiles_outcome end_round(struct tiles *tiles)
{
    const struct tiling *tiling = &tiles->tiling;
    thread_pool_end(tiles->pool, run_tiles, tiles);
    if (is_interrupted(tiles))
        return TILES_INTERRUPTED;
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        if (tiling->tiles[k].outcome > TILES_TIED)
            return tiling->tiles[k].outcome;
    thread_pool_divide(tiles->pool, tile_count(tiling), compare_tiles, tiles);
    return TILES_DONE;
}

/* Opens a window up to `end`: the other threads begin with it. Until it ends the calling thread
 * must not change the state that the tiling reads. */
static void open_window(struct tiles *tiles, double end)
{
    struct tiling *tiling = &tiles->tiling;
    tiling_pack(tiling, 1, tiles->pool);
    tiling->begin = tiles->now;
    tiling->end = end;
    tiling->is_notified = !(tiles->now < tiles->sink->notify_from);
    const struct collision_basis *basis = tiles->sink->basis;
    tiling->basis = tiling->is_notified && basis && basis->is_counting ? basis : NULL;
    tiling->keeps_pairs = tiling->is_notified && !tiles->sink->wants_no_pairs && !basis;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        atomic_store(&tiling->tiles[k].is_to_do, tiling->tiles[k].first == &tiling->tiles[k]);
        atomic_store(&tiling->tiles[k].disagrees, 0);
    }
    tiles->is_open = 1;
    begin_round(tiles);
}

/* Extends a region to another one, which is beside it, or meets it. */
static void extend_region(const struct tiling *tiling, struct tile_region *region,
                          const struct tile_region *other)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t tiles = k == 0 ? tiling->columns.tiles : tiling->rows.tiles;
        const uint32_t up = (other->first[k] + tiles - region->first[k]) % tiles + other->count[k];
        const uint32_t down =
            (region->first[k] + tiles - other->first[k]) % tiles + region->count[k];
        const struct tile_region *lower = down < up ? other : region;
        const uint32_t least = down < up ? down : up;
        const uint32_t count = least > lower->count[k] ? least : lower->count[k];
        region->first[k] = count < tiles ? lower->first[k] : 0;
        region->count[k] = count < tiles ? count : tiles;
    }
    region->size = region->count[0] * region->count[1];
}

/* Makes the regions of two tiles, and what this meets, one to be done. Returns 0 if too large. */
static int join_regions(const struct tiling *tiling, const struct tile *tile,
                        const struct tile *other)
{
    struct tile_region region = tile->region;
    uint32_t size = 0;
    extend_region(tiling, &region, &other->region);
    while (size != region.size) {
        size = region.size;
        for (uint32_t k = 0; k < size; k++)
            extend_region(tiling, &region, &tile_of_region(tiling, &region, k)->region);
    }
    if (3 * (size_t)size > 2 * (size_t)tile_count(tiling))
        return 0;
    struct tile *first = tile_of_region(tiling, &region, 0);
    first->halo = tile->first->halo;
    for (uint32_t k = 0; k < size; k++) {
        struct tile *member = tile_of_region(tiling, &region, k);
        member->region = region;
        member->first = first;
        member->outcome = TILES_DONE;
        atomic_store(&member->is_to_do, k == 0);
    }
    return 1;
}

/* Prepares another round, of `*again` more tiles: those that disagree, with wider halos; and where
 * that has not helped, or where they are tied, joined to those across that border. */
static enum tiles_outcome prepare_round(struct tiles *tiles, uint32_t *again)
{
    const struct tiling *tiling = &tiles->tiling;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        struct tile *tile = &tiling->tiles[k];
        struct tile *first = tile->first;
        const enum tiles_outcome outcome = first->outcome;
        const unsigned directions = atomic_exchange(&tile->disagrees, 0);
        if (directions == 0 || atomic_load(&first->is_to_do))
            continue;
        if (outcome == TILES_DONE && first->halo <= MAX_HALO / 2) {
            first->halo = first->halo > 0 ? 2 * first->halo : 4;
            atomic_store(&first->is_to_do, 1);
            *again += tile->region.size;
            tiles->redone += tile->region.size;
            continue;
        }
        for (uint32_t direction = 0; direction < TILE_DIRECTIONS; direction++) {
            const struct tile *other = find_neighbour(tiling, tile, direction);
            if (!(directions >> direction & 1) || !other || other->first == tile->first)
                continue;
            if (!join_regions(tiling, tile, other))
                return outcome == TILES_DONE ? TILES_DISAGREED : outcome;
            *again += tile->region.size;
            tiles->outcomes[TILES_JOINED]++;
        }
    }
    return TILES_DONE;
}

static enum tiles_outcome do_rounds(struct tiles *tiles)
{
    const uint32_t count = tile_count(&tiles->tiling);
    for (uint32_t all = 0, again = 0;; all += again, again = 0) {
        enum tiles_outcome outcome = end_round(tiles);
        if (outcome == TILES_DONE)
            outcome = prepare_round(tiles, &again);
        if (outcome != TILES_DONE || again == 0)
            return outcome;
        if (again > count / 2 + 2 || all > count / 2)
            return TILES_DISAGREED;
        begin_round(tiles);
    }
}

/* Ends a window. TILES_DONE: all tiles agree, so the new state is right, and so are the events. */
static enum tiles_outcome end_window(struct tiles *tiles)
{
    const struct tiling *tiling = &tiles->tiling;
    size_t members = 0;
    tiles->redone = 0;
    tiles->sum = (struct schedule_sum){0};
    tiles->window_crossings = 0;
    const enum tiles_outcome outcome = do_rounds(tiles);
    tiles->is_open = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile *tile = &tiling->tiles[k];
        schedule_add(&tiles->sum, &tile->sum);
        tiles->window_crossings += tile->crossings;
        members += tile->outcome == TILES_DONE ? tile->states[!tiling->old].count : SIZE_MAX / 2;
    }
    /* By the proof each particle is kept by one tile; their number is checked. */
    return outcome == TILES_DONE && members != tiling->system->count ? TILES_DISAGREED : outcome;
}

static void give_up_window(struct tiles *tiles)
{
    if (!tiles->is_open)
        return;
    atomic_store(&tiles->is_stopped, 1);
    thread_pool_end(tiles->pool, run_tiles, tiles);
    tiles->is_open = 0;
}

/*
 * ---- The events of a window in the order in which one thread finds them ----
 *
 * Times decide, and for events at one time the order of event_before. But one event can bring about
 * another at the same moment that would come before it: a disk that is hit passes the impulse on at
 * once to one that it touches, with lower numbers. So of the events at one time always the first is
 * taken of those that are pending: those whose particles have had all their earlier events, as
 * their versions show. The events of one tile are in that order already, so that only the next one
 * of each tile is considered.
 */

static inline const struct tile_event *event_at(const struct tiles *tiles,
                                                const struct tile_index *index)
{
    const struct tile_list *list = &tiles->tiling.tiles[index->tile].events[tiles->which];
    return &((const struct tile_event *)list->entries)[index->number];
}

/* Its two particles before it, and behind them the spins of rough disks. */
static inline struct particle *particles_at(const struct tiles *tiles,
                                            const struct tile_index *index)
{
    const struct tile_list *list = &tiles->tiling.tiles[index->tile].before[tiles->which];
    return (void *)((char *)list->entries + index->number * tile_before_size(tiles->base.system));
}

/* By the time of the next event; at one time tile by tile. */
static inline int run_is_before(const struct tile_run *left, const struct tile_run *right)
{
    return left->time < right->time ||
           (left->time == right->time && left->next.tile < right->next.tile);
}

/* Moves a run down in a heap of `count`, the one that is before all others on top. */
static void sift_run_down(struct tile_run *runs, size_t count, size_t index)
{
    const struct tile_run run = runs[index];
    for (size_t child = 2 * index + 1; child < count; child = 2 * index + 1) {
        child += child + 1 < count && run_is_before(&runs[child + 1], &runs[child]);
        if (!run_is_before(&runs[child], &run))
            break;
        runs[index] = runs[child];
        index = child;
    }
    runs[index] = run;
}

/* Merges the events of all runs: each run is in order. */
static void merge_runs(struct tiles *tiles, size_t count)
{
    struct tile_run *runs = tiles->tiling.runs;
    for (size_t k = count / 2; k-- > 0;)
        sift_run_down(runs, count, k);
    for (size_t k = 0; k < tiles->event_count; k++) {
        tiles->tiling.ordered[k] = runs[0].next;
        if (++runs[0].next.number < runs[0].end)
            runs[0].time = event_at(tiles, &runs[0].next)->time;
        else
            runs[0] = runs[--count];
        sift_run_down(runs, count, 0);
    }
}

/* Finds the versions that the particles of tied events have before these. */
static void find_versions(struct tiles *tiles, const struct tile_index *tied, size_t count)
{
    uint32_t *versions = tiles->tiling.versions;
    for (int is_known = 0; is_known < 2; is_known++) {
        for (size_t k = 0; k < count; k++) {
            const struct tile_event *event = event_at(tiles, &tied[k]);
            if (!is_known || event->a_version - versions[event->a] > UINT32_MAX / 2)
                versions[event->a] = event->a_version;
            if (event_partner(event->b) == PARTNER_PARTICLE &&
                (!is_known || event->b_version - versions[event->b] > UINT32_MAX / 2))
                versions[event->b] = event->b_version;
        }
    }
}

static int is_pending(const struct tiles *tiles, const struct tile_event *event)
{
    return tiles->tiling.versions[event->a] == event->a_version &&
           (event_partner(event->b) == PARTNER_BOUNDARY ||
            tiles->tiling.versions[event->b] == event->b_version);
}

static struct event numbered(const struct tiles *tiles, const struct tile_event *event)
{
    const struct particle *particles = tiles->tiling.system->particles;
    return (struct event){event->time, particles[event->a].id,
                          event_partner(event->b) == PARTNER_PARTICLE ? particles[event->b].id
                                                                      : event->b};
}

/* Takes the next of tied events, the first by rank of those pending. Returns 0 if none is. */
static int take_first(struct tiles *tiles, size_t runs, struct tile_index *taken)
{
    struct event first = {.time = (double)INFINITY};
    struct tile_run *first_run = NULL;
    for (struct tile_run *run = tiles->tiling.runs; run < tiles->tiling.runs + runs; run++) {
        if (run->next.number == run->end || !is_pending(tiles, event_at(tiles, &run->next)))
            continue;
        const struct event event = numbered(tiles, event_at(tiles, &run->next));
        if (event_before(&event, &first)) {
            first = event;
            first_run = run;
        }
    }
    if (!first_run)
        return 0;
    const struct tile_event *event = event_at(tiles, &first_run->next);
    tiles->tiling.versions[event->a]++;
    if (event_partner(event->b) == PARTNER_PARTICLE)
        tiles->tiling.versions[event->b]++;
    *taken = first_run->next;
    first_run->next.number++;
    return 1;
}

/* Puts `count` events of one time, tile by tile, into their order. Returns 0 if there is none. */
static int order_tied(struct tiles *tiles, struct tile_index *list, size_t count)
{
    size_t runs = 0;
    find_versions(tiles, list, count);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || list[k].tile != list[k - 1].tile)
            tiles->tiling.runs[runs++].next = list[k];
        tiles->tiling.runs[runs - 1].end = list[k].number + 1;
    }
    for (size_t k = 0; k < count; k++)
        if (!take_first(tiles, runs, &list[k]))
            return 0;
    return 1;
}

/* Puts the events of all tiles in a window into their order. The tiles keep them. Returns
 * TILES_TIED if events of one time have no order, so that the window is wrong. */
static enum tiles_outcome order_events(struct tiles *tiles, struct error *error)
{
    struct tiling *tiling = &tiles->tiling;
    size_t runs = 0;
    tiles->which = tiling->old;
    tiles->event_count = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        tiles->event_count += tiling->tiles[k].events[tiles->which].count;
    tiling->ordered = memory_reserve(tiling->ordered, &tiling->ordered_room, tiles->event_count,
                                     sizeof *tiling->ordered, "the events of tiles", error);
    if (!tiling->ordered)
        return TILES_NO_MEMORY;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_index next = {k, 0};
        const size_t count = tiling->tiles[k].events[tiles->which].count;
        if (count > 0)
            tiling->runs[runs++] =
                (struct tile_run){event_at(tiles, &next)->time, next, (uint32_t)count};
    }
    merge_runs(tiles, runs);
    for (size_t k = 0, tied = 1; k < tiles->event_count; k += tied, tied = 1) {
        const double time = event_at(tiles, &tiling->ordered[k])->time;
        while (k + tied < tiles->event_count &&
               event_at(tiles, &tiling->ordered[k + tied])->time == time)
            tied++;
        if (tied > 1 && !order_tied(tiles, tiling->ordered + k, tied))
            return TILES_TIED;
    }
    return TILES_DONE;
}

/*
 * ---- The system's counts of events ----
 *
 * Events with the boundary are counted when their window is done, and those of two particles once
 * in a while, from the versions.
 */

/* Task: completes counts. A version counts all events; those with the boundary have been taken off
 * already. */
static void settle_part(void *user, size_t begin, size_t end)
{
    const struct tiling *tiling = user;
    const struct system *system = tiling->system;
    for (size_t k = begin; k < end; k++) {
        system->counts[k].particles += system->particles[k].version - tiling->counted[k];
        tiling->counted[k] = system->particles[k].version;
    }
}

static void settle_counts(struct tiles *tiles)
{
    struct thread_pool *pool = tiles->is_open ? NULL : tiles->pool; /* or they have a task */
    const struct system *system = tiles->tiling.system;
    if (!tiles->tiling.counted)
        return;
    memory_use_large_pages(system->counts, system->count * sizeof *system->counts);
    memory_use_large_pages(tiles->tiling.counted, system->count * sizeof *tiles->tiling.counted);
    thread_pool_divide(pool, system->count, settle_part, &tiles->tiling);
}

/* Counts the events with the boundary, which tiles have kept, and takes them off those of two
 * particles. */
static void count_hits(const struct tiling *tiling)
{
    const struct system *system = tiling->system;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *list = &tiling->tiles[k].events[tiling->old];
        const struct tile_event *events = list->entries;
        for (size_t m = 0; m < list->count; m++) {
            struct particle_counts *counts = &system->counts[events[m].a];
            if (event_partner(events[m].b) == PARTNER_PARTICLE)
                continue;
            counts->particles--;
            if (!events[m].b_version)
                boundary_count(&system->boundary, counts, events[m].b);
        }
    }
}

/* ---- Tiles, and one thread alone ---- */

/* Gives up a window, and frees all that there is for the tiles, but not the threads. */
static void free_tiles(struct tiles *tiles)
{
    give_up_window(tiles);
    tiling_pack(&tiles->tiling, 0, tiles->pool);
    tiling_free_states(&tiles->tiling); /* the counts, mostly not touched before, take its place */
    settle_counts(tiles);
    for (unsigned k = 0; tiles->workers && k < thread_pool_count(tiles->pool); k++)
        tile_worker_free(&tiles->workers[k]);
    tiling_free(&tiles->tiling, tiles->pool);
}

/* The time in which a particle of typical speed moves as far as gaps between particles are wide. */
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
    const double gap = fmax(spacing - 2 * tiling->large_disks.largest, spacing / 16);
    const struct acceleration *gravity = &system->boundary.gravity;
    const double fall = sqrt(2 * gap / fmax(fabs(gravity->x), fabs(gravity->y)));
    return fmin(fmin(gap / (sum / (double)sample), fall), SYSTEM_LARGEST);
}

/* Cuts the box into tiles, or returns the reason why there are none. */
static enum tiles_outcome make_tiles(struct tiles *tiles, struct error *error)
{
    struct tiling *tiling = &tiles->tiling;
    const unsigned threads = thread_pool_count(tiles->pool);
    if (!tiles->workers)
        tiles->workers =
            memory_allocate_zeros(threads, sizeof *tiles->workers, "the threads", error);
    if (!tiles->workers)
        return TILES_NO_MEMORY;
    tiling->is_compact = !tiles->base.is_watched && !(tiles->sink->notify_from < (double)INFINITY);
    const enum tiles_outcome result =
        tiling_create(tiling, tiling->system, tiles->now, tiles->side, tiles->pool, error);
    if (tiles->length == 0 && (result == TILES_DONE || result == TILES_CROWDED))
        tiles->length = guess_length(tiling);
    for (unsigned k = 0; result == TILES_DONE && k < threads; k++)
        tile_worker_init(&tiles->workers[k], tiling);
    tiles->crossings = 0;
    return result;
}

static void free_threads(struct tiles *tiles)
{
    memory_free(tiles->workers);
    thread_pool_free(tiles->pool);
    tiles->workers = NULL;
    tiles->pool = NULL;
}

/* Goes on without other threads for the rest of the run, because memory is short. */
static void end_threads(struct tiles *tiles)
{
    struct error warning;
    error_set(&warning, STATUS_NO_MEMORY,
              "there is too little memory for several threads: the run goes on with one");
    if (tiles->sink->warn)
        tiles->sink->warn(&warning);
    free_threads(tiles);
    tiles->threads = 1;
    tiles->alone_until = (double)INFINITY;
}

/* Lets one thread alone go on, for this reason: from now on, or for some windows, the next time for
 * more, and then with shorter windows. */
static enum status go_alone(struct tiles *tiles, enum tiles_outcome reason, struct error *error)
{
    tiles->alone_until = (double)INFINITY;
    if (reason < TILES_SMALL) {
        tiles->stretch = tiles->stretch > 0 ? 2 * tiles->stretch : FIRST_STRETCH * tiles->length;
        tiles->length = fmax(tiles->length / 2, DBL_MIN);
        tiles->good_windows = 0;
        if (tiles->now + tiles->stretch > tiles->now)
            tiles->alone_until = tiles->now + tiles->stretch;
    }
    free_tiles(tiles);
    if (reason == TILES_NO_MEMORY)
        end_threads(tiles);
    enum status status = cells_create(tiles->base.system, &tiles->alone, error);
    if (status == STATUS_NO_MEMORY && thread_pool_count(tiles->pool) > 1) {
        end_threads(tiles);
        status = cells_create(tiles->base.system, &tiles->alone, error);
    }
    return status;
}

/* ---- A window, and what follows from it ---- */

/* Chooses the length of the next windows, for the usual number of events. Where tiles had to be
 * done again, windows become shorter, and else slowly longer. */
static void choose_length(struct tiles *tiles)
{
    const struct tiling *tiling = &tiles->tiling;
    if (!(tiling->end > tiling->begin)) /* it was for the events at the very beginning */
        return;
    const double count = (double)tiling->system->count;
    const double collisions = (double)(2 * tiles->sum.events - tiles->sum.hits);
    const double crossings = (double)tiles->window_crossings / CROSSINGS_PER_COLLISION;
    const double parts =
        fmax(fmax(collisions, crossings) / count / tile_collisions(tiling), 1e-300);
    const double length = (tiling->end - tiling->begin) / parts;
    tiles->length = fmin(fmax(length, tiles->length / 2), fmin(2 * tiles->length, SYSTEM_LARGEST));
    if (tiles->redone * 50 > tile_count(tiling))
        tiles->ease = fmax(0.1, tiles->ease * 0.85);
    else if (tiles->redone > 0)
        tiles->ease = fmax(0.1, tiles->ease * 0.99);
    else
        tiles->ease = fmin(1.25, tiles->ease * 1.005);
}

/* The end of the next window, up to `limit` and as long as the cells are wide enough, and not
 * across the time from which on events are notified. The last one may be a little longer. */
static double choose_end(const struct tiles *tiles, double limit)
{
    limit = fmin(limit, tiles->tiling.valid_until);
    if (tiles->now < tiles->sink->notify_from)
        limit = fmin(limit, tiles->sink->notify_from);
    const double length = tiles->length * tiles->ease;
    return tiles->now + 1.2 * length < limit ? tiles->now + length : limit;
}

/* Hands over the events of a window one after the other, each with copies of its particles.
 * Meanwhile the other threads begin with the next window. */
static enum status notify_of_window(struct tiles *tiles, double limit, struct error *error)
{
    struct system few = *tiles->tiling.system;
    const double end = choose_end(tiles, limit);
    enum status status = STATUS_DONE;
    few.counts = NULL;
    few.count = 2;
    if (end > tiles->now)
        open_window(tiles, end);
    for (uint32_t k = 0; tiles->sink->basis && k < tile_count(&tiles->tiling); k++)
        collision_series_give(&tiles->tiling.tiles[k].sums[tiles->which], tiles->sink->basis);
    for (size_t k = 0; k < tiles->event_count && !status; k++) {
        const struct tile_index *index = &tiles->tiling.ordered[k];
        const struct tile_event *found = event_at(tiles, index);
        const struct event event = {found->time, 0, found->b < 0 ? found->b : 1};
        if (k + FETCH_AHEAD < tiles->event_count) {
            const struct particle *later = particles_at(tiles, index + FETCH_AHEAD);
            COMPILER_PREFETCH(&later[0]);
            COMPILER_PREFETCH(&later[0].id);
            COMPILER_PREFETCH(&later[1].id);
        }
        few.particles = particles_at(tiles, index);
        if (few.spins)
            few.spins = (double *)(few.particles + 2);
        status = tiles->sink->resolve(tiles->sink, &few, &event, error);
    }
    return status;
}

/* Finds all events up to `end`, in order if they are notified. Events that are committed are final:
 * they are not found again. */
static enum tiles_outcome find_events(struct tiles *tiles, double end, struct error *error)
{
    const struct tiling *tiling = &tiles->tiling;
    struct schedule_sink *sink = tiles->sink;
    if (!tiles->is_open)
        open_window(tiles, end);
    enum tiles_outcome outcome = end_window(tiles);
    if (outcome == TILES_DONE && tiling->is_notified)
        outcome = order_events(tiles, error);
    if (outcome == TILES_DONE && !sink->commit_batch(sink, &tiles->sum, tiling->end))
        outcome = TILES_TOO_MANY;
    return outcome;
}

/* Task: gives the particles that have come to a tile from another one their new state. */
static void settle_arrivals(void *user, size_t begin, size_t end)
{
    const struct tiling *tiling = user;
    const struct tile_state *fresh = &tiling->states[!tiling->old];
    for (size_t k = begin; k < end; k++) {
        const struct tile_arrival *arrivals = tiling->tiles[k].arrivals.entries;
        for (size_t m = 0; m < tiling->tiles[k].arrivals.count; m++) {
            const struct tile_arrival *arrival = &arrivals[m];
            tile_state_put(tiling, fresh, arrival->index, &arrival->particle, arrival->prediction);
            if (fresh->spins)
                fresh->spins[arrival->index] = arrival->spin;
        }
    }
}

/* Takes the system to `end`, or to an earlier time. */
static enum status run_window(struct tiles *tiles, double end, double limit, struct error *error)
{
    struct tiling *tiling = &tiles->tiling;
    const enum tiles_outcome outcome = find_events(tiles, end, error);
    tiles->outcomes[outcome]++;
    if (outcome == TILES_INTERRUPTED)
        return STATUS_DONE;
    if (outcome != TILES_DONE)
        return go_alone(tiles, outcome, error);
    tiles->outcomes[TILES_REDONE] += tiles->redone;
    choose_length(tiles);
    if (++tiles->good_windows % GOOD_WINDOWS == 0)
        tiles->stretch = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        struct tile *tile = &tiling->tiles[k];
        tile->halo -= (tile->halo + 3) / 4; /* it was wide enough */
        if (tiles->good_windows % GOOD_WINDOWS == 0) {
            tile->region = tile->alone;
            tile->first = tile;
        }
    }
    tiles->crossings += tiles->window_crossings;
    tiles->now = tiling->end;
    count_hits(tiling);
    thread_pool_divide(tiles->pool, tile_count(tiling), settle_arrivals, tiling);
    tiling->old = !tiling->old;
    tiling->system->particles = tiling->states[tiling->old].particles;
    tiling->system->spins = tiling->states[tiling->old].spins;
    return tiling->is_notified ? notify_of_window(tiles, limit, error) : STATUS_DONE;
}

/* ---- The schedule ---- */

static enum status advance_together(struct tiles *tiles, double limit, struct error *error)
{
    const uint64_t most = CROSSINGS_TO_SORT * (uint64_t)tiles->tiling.system->count;
    if (tiles->tiling.end > limit)
        give_up_window(tiles);
    if (tiles->crossings > most || tiles->now >= tiles->tiling.valid_until ||
        (tiles->tiling.is_compact && tiles->sink->notify_from < (double)INFINITY))
        free_tiles(tiles);
    enum tiles_outcome outcome = tiles->tiling.tiles ? TILES_DONE : make_tiles(tiles, error);
    const double end = choose_end(tiles, limit);
    if (outcome == TILES_DONE && !(end > tiles->now) && limit > tiles->now)
        outcome = TILES_NO_TIME;
    if (outcome == TILES_DONE)
        return run_window(tiles, end, limit, error);
    tiles->outcomes[outcome]++;
    return go_alone(tiles, outcome, error);
}

static enum status advance_alone(struct tiles *tiles, double limit, double *time,
                                 struct error *error)
{
    const double until = fmin(limit, tiles->alone_until);
    enum status status = schedule_advance(tiles->alone, until, tiles->sink, time, error);
    if (status || *time <= until)
        return status;
    tiles->now = until;
    if (tiles->now >= tiles->alone_until) {
        schedule_end(tiles->alone);
        tiles->alone = NULL;
    }
    return status;
}

static enum status tiles_advance(struct schedule *schedule, double limit,
                                 struct schedule_sink *sink, double *time, struct error *error)
{
    struct tiles *tiles = (struct tiles *)schedule;
    enum status status = STATUS_DONE;
    tiles->sink = sink;
    thread_pool_warn(tiles->pool, tiles->threads, sink->warn);
    tiles->threads = thread_pool_count(tiles->pool);
    do {
        if (!tiles->alone) {
            status = advance_together(tiles, limit, error);
            *time = tiles->alone ? tiles->now : nextafter(tiles->now, (double)INFINITY);
        }
        if (!status && tiles->alone)
            status = advance_alone(tiles, limit, time, error);
    } while (!status && !schedule_is_to_return(sink) && tiles->now < limit);
    return status;
}

static void tiles_settle(struct schedule *schedule)
{
    struct tiles *tiles = (struct tiles *)schedule;
    tiling_pack(&tiles->tiling, 0, tiles->pool);
    settle_counts(tiles);
}

static void tiles_free(struct schedule *schedule)
{
    struct tiles *tiles = (struct tiles *)schedule;
    schedule_end(tiles->alone);
    free_tiles(tiles);
    free_threads(tiles);
    memory_free(tiles);
}

/* Task. */
static void find_last_time(void *user, size_t begin, size_t end)
{
    struct tiles *tiles = user;
    struct system part = *tiles->base.system;
    part.particles += begin;
    part.count = end - begin;
    thread_pool_raise(&tiles->last_time, system_last_time(&part));
}

static double tiles_last_time(struct schedule *schedule)
{
    struct tiles *tiles = (struct tiles *)schedule;
    tiles->last_time = 0;
    thread_pool_divide(tiles->is_open ? NULL : tiles->pool, schedule->system->count, find_last_time,
                       tiles);
    return thread_pool_raised(&tiles->last_time);
}

const uint64_t *tiles_outcomes(const struct schedule *schedule)
{
    return ((const struct tiles *)schedule)->outcomes;
}

enum status tiles_create(struct system *system, const struct schedule_threads *threads,
                         struct schedule **schedule, struct error *error)
{
    static const struct schedule_operations operations = {.advance = tiles_advance,
                                                          .settle = tiles_settle,
                                                          .last_time = tiles_last_time,
                                                          .free = tiles_free};
    struct tiles *tiles = memory_allocate(1, sizeof *tiles, "a schedule", error);
    if (!tiles)
        return STATUS_NO_MEMORY;
    *tiles = (struct tiles){.base = {.operations = &operations, .system = system},
                            .tiling.system = system,
                            .ease = 1,
                            .side = threads->tile_side,
                            .threads = threads->count};
    tiles->pool = thread_pool_create(threads->count);
    tiles->now = tiles_last_time(&tiles->base);
    *schedule = &tiles->base;
    return STATUS_DONE;
}
