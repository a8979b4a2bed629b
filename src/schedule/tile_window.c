/*
 * All tiles in a window of time; see tile_window.h, and tiles.c for why it is exact.
 *
 * In a round each thread takes the next tile that nobody has taken, until none is left. Then the
 * tiles are compared with their neighbours, and those that disagree are done again in another
 * round, from the old state, with wider halos.
 */
#include "tile_window.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "tile_records.h"

enum { MOST_HALO = 16 }; /* by how many cells a halo may grow */

/* The next tile that is to be done; NULL: there is none left. */
static struct tile *take_tile(struct tile_window *window)
{
    const uint32_t count = tile_count(&window->tiling);
    for (;;) {
        const unsigned k = atomic_fetch_add(&window->next, 1);
        if (k >= count)
            return NULL;
        if (window->tiling.tiles[k].is_to_do)
            return &window->tiling.tiles[k];
    }
}

/* Only the first thread looks: what a signal has set is its own. It takes the others' tiles away.
 */
static int is_interrupted(struct tile_window *window, unsigned number)
{
    if (number > 0 || !window->interrupt || !*window->interrupt)
        return 0;
    atomic_store(&window->next, tile_count(&window->tiling));
    return 1;
}

/* Task: runs the tiles that are to be done, unless one of them makes the round useless. */
static void run_tiles(void *user, unsigned number)
{
    struct tile_window *window = user;
    struct tile *tile;
    while (!is_interrupted(window, number) && (tile = take_tile(window))) {
        tile_worker_run(&window->workers[number], tile);
        if (tile->outcome != WINDOW_DONE)
            atomic_store(&window->next, tile_count(&window->tiling));
    }
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
    struct tile_window *window = user;
    struct tiling *tiling = &window->tiling;
    (void)number;
    for (;;) {
        const unsigned k = atomic_fetch_add(&window->next, 1);
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
static enum window_outcome end_round(struct tile_window *window)
{
    struct tiling *tiling = &window->tiling;
    thread_pool_end(window->pool);
    if (window->interrupt && *window->interrupt)
        return WINDOW_INTERRUPTED;
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        if (tiling->tiles[k].outcome != WINDOW_DONE)
            return tiling->tiles[k].outcome;
    atomic_store(&window->next, 0);
    thread_pool_run(window->pool, compare_tiles, window);
    return WINDOW_DONE;
}

/* Lets the others begin with the tiles that are to be done. */
static void begin_round(struct tile_window *window)
{
    atomic_store(&window->next, 0);
    thread_pool_begin(window->pool, run_tiles, window);
}

void tile_window_begin(struct tile_window *window, double begin, double end, double told_from)
{
    struct tiling *tiling = &window->tiling;
    tiling->begin = begin;
    tiling->end = end;
    tiling->told_from = told_from;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        tiling->tiles[k].is_to_do = 1;
        atomic_store(&tiling->tiles[k].disagrees, 0);
    }
    tiling_unclaim_all(tiling);
    window->is_open = 1;
    begin_round(window);
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

/* Does rounds until all agree. */
static enum window_outcome do_rounds(struct tile_window *window)
{
    struct tiling *tiling = &window->tiling;
    for (;;) {
        const enum window_outcome outcome = end_round(window);
        if (outcome != WINDOW_DONE)
            return outcome;
        const uint32_t again = widen(tiling);
        if (again == 0)
            return WINDOW_DONE;
        if (again > tile_count(tiling) / 4 + 2) /* also where halos have become too wide */
            return WINDOW_DISAGREED;
        window->redone += again;
        begin_round(window);
    }
}

enum window_outcome tile_window_end(struct tile_window *window)
{
    const struct tiling *tiling = &window->tiling;
    window->redone = 0;
    window->sum = (struct schedule_sum){0};
    window->crossings = 0;
    const enum window_outcome outcome = do_rounds(window);
    size_t members = 0;
    window->is_open = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile *tile = &tiling->tiles[k];
        window->sum.events += tile->collisions;
        window->sum.hits += tile->hits;
        window->sum.passages += tile->passages;
        window->crossings += tile->crossings;
        members += tile->states[!tiling->old].count;
    }
    /* No tile keeps a particle twice. That each is kept follows from the proof, and is seen here.
     */
    return outcome == WINDOW_DONE && members != tiling->system->count ? WINDOW_DISAGREED : outcome;
}

void tile_window_give_up(struct tile_window *window)
{
    if (!window->is_open)
        return;
    atomic_store(&window->next, tile_count(&window->tiling));
    thread_pool_end(window->pool);
    window->is_open = 0;
}

enum status tile_window_create(struct tile_window *window, unsigned threads, struct error *error)
{
    window->pool = thread_pool_create(threads, error);
    if (!window->pool)
        return STATUS_NO_MEMORY;
    const unsigned count = thread_pool_count(window->pool);
    window->workers = memory_allocate(count, sizeof *window->workers, "the threads", error);
    if (!window->workers)
        return STATUS_NO_MEMORY;
    tile_window_prepare(window);
    return STATUS_DONE;
}

void tile_window_prepare(struct tile_window *window)
{
    for (unsigned k = 0; k < thread_pool_count(window->pool); k++)
        tile_worker_init(&window->workers[k], &window->tiling);
}

void tile_window_clear(struct tile_window *window)
{
    tile_window_give_up(window);
    for (unsigned k = 0; window->workers && k < thread_pool_count(window->pool); k++)
        tile_worker_free(&window->workers[k]);
    tiling_free(&window->tiling);
}

void tile_window_free(struct tile_window *window)
{
    tile_window_clear(window);
    memory_free(window->workers);
    thread_pool_free(window->pool);
    window->workers = NULL;
    window->pool = NULL;
}
