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
 *   4. keeps what at the end is in the tile's own cells, as the new state of these particles;
 *      it claims them, and none may be another tile's.
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
 * Why that is exact
 *
 * Let t be the earliest time at which something in tiles' own cells is wrong. Tile D is right until
 * then in its own cells, and in those next to them, for these are own cells of its neighbours, and
 * were compared. A predicted time depends on nothing but the anchors of its particles, so before t
 * there is no more to say. At t itself one event can bring about another, or void it, at once, and
 * "earlier" needs an order.
 *
 * At one instant. The rank of an event is its place among all of its time: its particles' numbers,
 * as in event_before. One thread takes the event of the least rank that is pending, again and
 * again. Chains of events can go around a periodic box in no time, and pass through tiles that look
 * alike, so that all of them make the same error and each confirms the next one's. A number of
 * causes does not tell which was first, for events go before others by rank. What does is a list of
 * ranks. For an event o at time t let K(o) be the largest K among the events of its particles at
 * that same time before it, without those ranks at its end that are less than that of o, and then
 * the rank of o. K is compared like a word in a dictionary.
 *
 *   1. While z is pending, only events of lower rank are taken. So K of the last event taken at t
 *      begins with all of K(z) but its end, and goes on with ranks below that of z: so it is when z
 *      becomes pending, and stays so with each event taken. (If z has been pending since before t,
 *      all ranks so far are below its own, and K(z) is its rank alone.) Hence, whichever z is, K(z)
 *      is K of the last event taken, without the ranks at its end that are less than that of z, and
 *      then the rank of z. It follows that K grows from each event to the next one, and that of two
 *      pending events the one of lower rank has the lower K.
 *   2. Take the events of all tiles in their own cells at time t, sorted by K. Let o be the first
 *      that is not what one thread does, and x what one thread does there. All causes of o come
 *      before it and are right, so for that one thread o is pending, too, with the K that its
 *      causes give it: x has the lower rank, and by part 1 K(x) < K(o). Let D be the tile of one of
 *      x's particles. In its own cells and those next to them D takes the same events below K(o),
 *      and then x is pending there. So D next takes x there, or an event that voids x; either has a
 *      lower K than o. But of those, in own cells of any tile, all have been considered. So there
 *      is no such o. The same holds where one side has no further event.
 *
 * This needs of D that its own cells and those next to them be taken through time t in the order of
 * K, with the K that their own tiles find. D sees to that at its border: an operation that it
 * records must follow no earlier event of its particles at that time, so that its K is its rank
 * alone, the same for both tiles; and its rank must be above those of all events that D has taken
 * at that time, right or wrong. What is farther out, where D may be wrong, reaches these cells only
 * by such an operation, or by leaving one out that D's neighbour then has. Neighbours compare the
 * ranks with the records, and in this order. Where it does not hold, the window is given up at
 * once, and left to one thread (WINDOW_TIED): a chain of touching disks that carries an impulse
 * through a border, a lattice full of ties. Elsewhere two times are hardly ever the same.
 *
 * The rest is what predictions have to be. Of two neighbours at least the one that was predicted
 * last has considered their collision, and what is predicted anew only adds to that (predictor.c).
 * Which one is last is the same in all tiles, for all that makes them last is recorded in one
 * order: events, and crossings of cells, which come before all events of their time, by the
 * numbers of their particles (one that comes later shows by its rank). So the calendar has what is
 * pending before its turn: an entry of a pair, or an earlier one of the same particle. A crossing
 * at time t uncovers nothing that is due at t: cells are wider than disks by more than rounding
 * (until particles have gone some 10^12 of their diameters: cell_list_least_side), the polygons'
 * grid lists a side in all cells that are nearer to it than that, and a wall or a seam is met only
 * in outer cells. After a window nothing is left that was due in it, so no chain goes on from one
 * window to the next.
 *
 * Why it ends. Nobody waits but for the end of a round, and after a few rounds, or where a tile has
 * far more to do than can be expected, one thread alone is given the window, and some more (the
 * cells schedule, on the same system). So it is where a fast particle crosses many tiles, where
 * disks are wedged, and where particles crowd in a few cells. Large disks, which reach over many
 * cells, leave everything to one thread.
 *
 * Where somebody watches the events, they are put in order and happen once more, one after the
 * other, in the system itself (tile_events.c). If that begins in the middle of a window, which then
 * need not end there, only the later ones do.
 */
#include "schedules.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "tile_events.h"
#include "tile_window.h"

#include <math.h>

enum {
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
    double now;                 /* all events up to this time have happened */
    double length;              /* of a window in which a particle has its usual number of events */
    double ease;                /* which part of that windows have, as the tiles agree */
    uint32_t side;              /* of a tile, in cells; 0: not given */
    unsigned threads;           /* how many there are to be */
    struct tile_window window;  /* with the tiling */
    struct tile_events events;  /* of the last window that was told of */
    uint64_t crossings;         /* since the particles were sorted */
    struct schedule_sink *sink; /* while the schedule advances */
    struct schedule *alone;     /* the schedule of one thread alone, for a while; or NULL, */
    double alone_until;         /* up to this time */
    double stretch;             /* how long that was the last time; 0: for long it was not */
    uint32_t good_windows;      /* since the last time */
    uint64_t turns[TILES_TURNS]; /* how often each has happened */
};

/* ---- Tiles, and one thread alone ---- */

static void free_tiles(struct tiles *tiles)
{
    tiling_settle(&tiles->window.tiling);
    tile_window_clear(&tiles->window);
    tile_events_free(&tiles->events);
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

/*
 * Prepares for counting what happens unseen; or where all is told from now on, for telling of one
 * window while the next one is found, if there are others to find it.
 */
static enum status prepare_counts(struct tiles *tiles, struct error *error)
{
    struct tiling *tiling = &tiles->window.tiling;
    if (tiles->now < tiles->sink->told_from)
        return tiling_count(tiling, error);
    if (tiles->system->count > APART_MOST || thread_pool_count(tiles->window.pool) == 1)
        return STATUS_DONE;
    return tiling_part(tiling, error);
}

/* Cuts the box into tiles, or says why not. */
static enum tiling_result make_tiles(struct tiles *tiles, struct error *error)
{
    struct tiling *tiling = &tiles->window.tiling;
    const enum tiling_result result =
        tiling_create(tiling, tiles->system, tiles->now, tiles->side, tiles->window.pool, error);
    if (tiles->length == 0 && (result == TILING_READY || result == TILING_CROWDED))
        tiles->length = guess_length(tiling);
    if (result != TILING_READY)
        return result;
    if (prepare_counts(tiles, error))
        return TILING_NO_MEMORY;
    tile_window_prepare(&tiles->window);
    tiles->crossings = 0;
    return TILING_READY;
}

/* Ends the other threads for the rest of the run, for want of memory, and says so. */
static void end_threads(struct tiles *tiles)
{
    struct error warning;
    error_set(&warning, STATUS_NO_MEMORY,
              "there is too little memory for several threads: the run goes on with one");
    if (tiles->sink->warn)
        tiles->sink->warn(&warning);
    tile_window_free(&tiles->window);
    tiles->threads = 1;
    tiles->alone_until = tiles->end_time;
}

/* Lets one thread alone go on up to `until`, for this reason. */
static enum status go_alone(struct tiles *tiles, double until, enum tiles_turn reason,
                            struct error *error)
{
    tiles->turns[reason]++;
    free_tiles(tiles);
    tiles->alone_until = until > tiles->now ? fmin(until, tiles->end_time) : tiles->end_time;
    enum status status = cells_create(tiles->system, tiles->alone_until, &tiles->alone, error);
    if (status == STATUS_NO_MEMORY && thread_pool_count(tiles->window.pool) > 1) {
        end_threads(tiles);
        status = cells_create(tiles->system, tiles->alone_until, &tiles->alone, error);
    }
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

static enum status go_alone_for_memory(struct tiles *tiles, struct error *error)
{
    free_tiles(tiles);
    end_threads(tiles);
    return go_alone(tiles, tiles->end_time, TILES_NO_MEMORY, error);
}

/* ---- A window ---- */

/*
 * Chooses the length of the next windows: as the last one was, but so that there will be the usual
 * number of events. Where tiles had to be done again, windows become shorter, and else slowly
 * longer.
 */
static void choose_length(struct tiles *tiles)
{
    const struct tile_window *window = &tiles->window;
    const struct tiling *tiling = &window->tiling;
    if (!(tiling->end > tiling->begin)) /* it was for the events at the very beginning */
        return;
    const double count = (double)tiles->system->count;
    const double collisions = (double)(2 * window->sum.events - window->sum.hits) / count;
    const double crossings = (double)window->crossings / count;
    const double usual = tiling_is_told(tiling) ? COLLISIONS_TO_TELL : COLLISIONS_IN_WINDOW;
    const double parts = fmax(fmax(collisions / usual, crossings / CROSSINGS_IN_WINDOW), 1e-300);
    const double length = (tiling->end - tiling->begin) / parts;
    tiles->length = fmin(fmax(length, tiles->length / 2), fmin(2 * tiles->length, SYSTEM_LARGEST));
    if (window->redone * 50 > tile_count(tiling))
        tiles->ease = fmax(0.1, tiles->ease * 0.85);
    else if (window->redone > 0)
        tiles->ease = fmax(0.1, tiles->ease * 0.99);
    else
        tiles->ease = fmin(1.25, tiles->ease * 1.02);
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
static enum status tell(struct tiles *tiles, double limit, struct error *error)
{
    struct tiling *tiling = &tiles->window.tiling;
    const double end = choose_end(tiles, limit);
    tiling_settle(tiling);
    tiling_be_followed(tiling);
    if (tiling->is_apart && end > tiles->now)
        tile_window_begin(&tiles->window, tiles->now, end, -(double)INFINITY);
    const enum status status = tile_events_tell(&tiles->events, tiles->sink, error);
    tiling_note_counts(tiling);
    return status;
}

/* Finds all that happens up to `end`, so that it is told of where somebody has to see it. */
static enum window_outcome find_events(struct tiles *tiles, double end, struct error *error)
{
    struct tile_window *window = &tiles->window;
    const struct tiling *tiling = &window->tiling;
    struct schedule_sink *sink = tiles->sink;
    const double all = -(double)INFINITY;
    window->interrupt = sink->interrupt;
    if (!window->is_open)
        tile_window_begin(window, tiles->now, end,
                          tiles->now < sink->told_from ? sink->told_from : all);
    enum window_outcome outcome = tile_window_end(window);
    if (outcome == WINDOW_DONE && !tiling_is_told(tiling) &&
        !sink->pass(sink, &window->sum, tiling->end)) {
        tile_window_begin(window, tiles->now, end, all);
        outcome = tile_window_end(window);
    }
    if (outcome == WINDOW_DONE && tiling->told_from < tiling->end)
        outcome = tile_events_gather(&tiles->events, tiling, error);
    return outcome;
}

/* Lets all happen that has been found in a window. */
static enum status finish_window(struct tiles *tiles, double limit, struct error *error)
{
    struct tile_window *window = &tiles->window;
    tiles->turns[TILES_WINDOW]++;
    tiles->turns[TILES_REDONE] += window->redone;
    choose_length(tiles);
    tiling_narrow(&window->tiling);
    tiles->crossings += window->crossings;
    tiles->now = window->tiling.end;
    if (++tiles->good_windows == GOOD_WINDOWS)
        tiles->stretch = 0;
    if (tiling_is_told(&window->tiling))
        return tell(tiles, limit, error);
    tiling_proceed(&window->tiling);
    return tiling_is_told_late(&window->tiling)
               ? tile_events_tell(&tiles->events, tiles->sink, error)
               : STATUS_DONE;
}

/* Lets all happen up to `end`, or a part of that. */
static enum status run_window(struct tiles *tiles, double end, double limit, struct error *error)
{
    switch (find_events(tiles, end, error)) {
    case WINDOW_INTERRUPTED:
        tiles->turns[TILES_INTERRUPTED]++;
        return STATUS_DONE;
    case WINDOW_DISAGREED:
        return go_alone_for_a_while(tiles, TILES_DISAGREED, error);
    case WINDOW_TOO_MANY:
        return go_alone_for_a_while(tiles, TILES_TOO_MANY, error);
    case WINDOW_TIED:
        return go_alone_for_a_while(tiles, TILES_TIED, error);
    case WINDOW_NO_MEMORY:
        return go_alone_for_memory(tiles, error);
    case WINDOW_DONE:
        break;
    }
    return finish_window(tiles, limit, error);
}

/* ---- The schedule ---- */

/* Goes on with tiles, which are made if there are none. */
static enum status advance_together(struct tiles *tiles, double limit, struct error *error)
{
    const uint64_t most = CROSSINGS_TO_SORT * (uint64_t)tiles->system->count;
    if (tiles->window.tiling.end > limit)
        tile_window_give_up(&tiles->window);
    if (tiles->crossings > most)
        free_tiles(tiles);
    if (!tiles->window.tiling.tiles) {
        switch (make_tiles(tiles, error)) {
        case TILING_CROWDED:
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
    const unsigned count = thread_pool_count(tiles->window.pool);
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
    tiling_settle(&tiles->window.tiling);
    *time = tiles->now;
    return status;
}

static void tiles_free(struct schedule *schedule)
{
    struct tiles *tiles = (struct tiles *)schedule;
    schedule_free(tiles->alone);
    free_tiles(tiles);
    tile_window_free(&tiles->window);
    memory_free(tiles);
}

const uint64_t *tiles_turns(const struct schedule *schedule)
{
    return ((const struct tiles *)schedule)->turns;
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
                            .window.tiling.system = system};
    enum status status = tile_window_create(&tiles->window, tiles->threads, error);
    if (status) {
        tiles_free(&tiles->base);
        return status;
    }
    *schedule = &tiles->base;
    return STATUS_DONE;
}
