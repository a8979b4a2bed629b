/*
 * The tiles of a system: how they are cut, and how the particles are dealt to them. See tiling.h.
 */
#include "tiling.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "model/polygons.h"

#include <math.h>

static const double MAX_CROWDING = 6; /* members in the cell of a member, on average */

/* For the choice of tiles, as measured. */
static const double HALO_OF_SIDE = 5;          /* cells, and 2 for each of the reach */
static const double PARTICLES_TWICE = 37000;   /* of a tile too large for a cache: twice as slow */
static const double PART_WAITED = 0.1;         /* of the time of a tile, for the last one */
static const double COLLISIONS_BY_PART = 0.57; /* in the window of the least cost */
static const double EVENTS_OF_WINDOW = 350; /* for which there is time while it begins and ends */
static const double MAX_COST = 0.8;         /* of the time of one thread alone */

void *tile_list_add(struct tile_list *list, size_t size)
{
    struct error error; /* of memory: it is not reported, for the run goes on */
    list->entries =
        memory_extend(list->entries, list->count, &list->capacity, size, "a tile", &error);
    return list->entries ? (char *)list->entries + list->count++ * size : NULL;
}

/* Deals `cells` columns to up to `tiles` columns of tiles, so that each of them has at least
 * `narrowest`, and else about as many particles as others: `counts` has those in each column of
 * cells. */
static enum status tile_axis_create(struct tile_axis *axis, uint32_t cells, uint32_t tiles,
                                    uint32_t narrowest, int is_periodic, const uint32_t *counts,
                                    struct error *error)
{
    uint64_t all = 0;
    uint64_t before = 0;
    uint32_t column = 0;
    *axis = (struct tile_axis){.cells = cells, .tiles = tiles, .is_periodic = is_periodic};
    axis->first = memory_allocate((size_t)tiles + 1, sizeof *axis->first, "the tiles", error);
    axis->tile_of = memory_allocate(cells, sizeof *axis->tile_of, "the tiles", error);
    if (!axis->first || !axis->tile_of)
        return STATUS_NO_MEMORY;
    for (uint32_t k = 0; k < cells; k++)
        all += counts[k];
    axis->first[0] = 0;
    for (uint32_t tile = 1; tile < tiles; tile++) {
        const double share = (double)all * tile / tiles;
        const uint32_t least = axis->first[tile - 1] + narrowest;
        const uint32_t most = cells - (tiles - tile) * narrowest;
        while (column < least || (column < most && (double)before + counts[column] / 2. < share))
            before += counts[column++];
        axis->first[tile] = column;
    }
    axis->first[tiles] = cells;
    for (uint32_t tile = 0; tile < tiles; tile++)
        for (uint32_t k = axis->first[tile]; k < axis->first[tile + 1]; k++)
            axis->tile_of[k] = tile;
    return STATUS_DONE;
}

/* For sorting the particles; each thread has a part of them. */
struct tiling_sort {
    const struct tiling *tiling;
    struct thread_pool *pool;
    double now;
    uint32_t *cells;               /* for each particle its cell, column + row * columns */
    atomic_uint_least32_t *counts; /* for each cell how many there are; then where the next goes */
    uint32_t *columns, *rows;      /* how many particles each has: one block */
    atomic_ullong squares;         /* the sum of the squares of `counts` */
    uint32_t *order;               /* the particles, cell by cell */
    struct system sorted;          /* with memory for the particles in their new order */
    atomic_int is_odd;             /* there are particles that cannot be packed */
};

/* Chooses the cells, at least as wide as the largest disk that is a member of them. */
static enum status tiling_choose_cells(struct tiling *tiling, double now, struct thread_pool *pool,
                                       struct error *error)
{
    const struct system *system = tiling->system;
    struct large_disks *large_disks = &tiling->large_disks;
    struct cell_list_shape *shape = &tiling->shape;
    if (large_disks_create(large_disks, system, 0, error))
        return STATUS_NO_MEMORY;
    const struct cell_list_margin margin =
        cell_list_find_margin(system, 2 * large_disks->largest, now, pool);
    const double widest = fmax(margin.contact, large_disks->side);
    const double farthest = system_largest_radius(system) + large_disks->largest;
    cell_list_choose_shape(system, cell_list_least_side(widest, margin.length), now, shape);
    tiling->valid_until = margin.until;
    large_disks->margin = margin.length;
    tiling->reach = (uint32_t)fmin(fmax(ceil(cell_list_least_side(farthest, margin.length) /
                                             fmin(shape->width, shape->height)),
                                        1),
                                   shape->columns + shape->rows);
    return STATUS_DONE;
}

/* Task. */
static void find_cells(void *user, size_t begin, size_t end)
{
    struct tiling_sort *sort = user;
    const struct system *system = sort->tiling->system;
    const struct cell_list_shape *shape = &sort->tiling->shape;
    const struct cell_list list = {.shape = *shape, .stride = shape->columns + 2};
    const double now = sort->now;
    for (size_t k = begin; k < end; k++) {
        const struct motion at = cell_list_place(system, &system->particles[k], now);
        const uint32_t cell = cell_list_locate(&list, at.x, at.y);
        sort->cells[k] =
            cell_list_row(&list, cell) * shape->columns + cell_list_column(&list, cell);
        thread_pool_add(sort->pool, &sort->counts[sort->cells[k]]);
        if (atomic_load_explicit(&sort->is_odd, memory_order_relaxed))
            continue;
        struct particle copy = system->particles[k]; /* from a file, it may be anything */
        tile_pack(&copy, &system->boundary, (struct tile_prediction){0});
        tile_unpack(&copy, &system->boundary);
        if (memcmp(&copy, &system->particles[k], sizeof copy) != 0)
            atomic_store_explicit(&sort->is_odd, 1, memory_order_relaxed);
    }
}

static uint32_t count_of(const struct tiling_sort *sort, size_t cell)
{
    return (uint32_t)atomic_load_explicit(&sort->counts[cell], memory_order_relaxed);
}

/* Task. */
static void add_up_rows(void *user, size_t begin, size_t end)
{
    struct tiling_sort *sort = user;
    const uint32_t columns = sort->tiling->shape.columns;
    unsigned long long squares = 0;
    for (size_t row = begin; row < end; row++) {
        for (size_t cell = row * columns; cell < (row + 1) * columns; cell++) {
            const uint32_t count = count_of(sort, cell);
            sort->rows[row] += count;
            squares += (unsigned long long)count * count;
        }
    }
    atomic_fetch_add(&sort->squares, squares);
}

/* Task. */
static void add_up_columns(void *user, size_t begin, size_t end)
{
    struct tiling_sort *sort = user;
    const struct cell_list_shape *shape = &sort->tiling->shape;
    for (size_t row = 0; row < shape->rows; row++)
        for (size_t column = begin; column < end; column++)
            sort->columns[column] += count_of(sort, row * shape->columns + column);
}

/* Returns 0 if there is no memory. */
static int tiling_find_cells(struct tiling_sort *sort, struct error *error)
{
    const struct tiling *tiling = sort->tiling;
    const size_t count = tiling->system->count;
    const uint32_t columns = tiling->shape.columns;
    const uint32_t rows = tiling->shape.rows;
    const size_t cells = (size_t)columns * rows;
    const char *what = "the places of the particles";
    sort->cells = memory_allocate_lines(count, sizeof *sort->cells, what, error);
    sort->counts = memory_allocate_zeros(cells, sizeof *sort->counts, what, error);
    sort->columns =
        memory_allocate_zeros((size_t)columns + rows, sizeof *sort->columns, what, error);
    if (!sort->cells || !sort->counts || !sort->columns)
        return 0;
    sort->rows = sort->columns + columns;
    thread_pool_divide(sort->pool, count, find_cells, sort);
    thread_pool_divide(sort->pool, rows, add_up_rows, sort);
    thread_pool_divide(sort->pool, columns, add_up_columns, sort);
    return 1;
}

/* The part of a tile's cells that are next to a border between tiles along an axis. */
static double border_part(const struct tiling *tiling, int axis, uint32_t tiles)
{
    const uint32_t cells = axis == 0 ? tiling->shape.columns : tiling->shape.rows;
    const int is_periodic = tiling->system->boundary.periodic >> axis & 1;
    const double borders = tiles == 1 ? 0 : tiles == 2 && !is_periodic ? 1 : 2;
    return borders * tiles / cells;
}

/* What a run on `threads` takes with these columns and rows of tiles, of the time that one thread
 * takes alone, roughly. */
static double find_cost(const struct tiling *tiling, unsigned threads, uint32_t columns,
                        uint32_t rows)
{
    const double tiles = (double)columns * rows;
    const double particles = (double)tiling->system->count;
    const double part = particles / tiles / PARTICLES_TWICE;
    double cost = (1 + part * part) * (ceil(tiles / threads) + PART_WAITED) / tiles;
    const double halo = HALO_OF_SIDE + 2 * tiling->reach;
    cost *= 1 + halo * border_part(tiling, 0, columns);
    cost *= 1 + halo * border_part(tiling, 1, rows);
    return cost + EVENTS_OF_WINDOW / particles;
}

/* How many cells a tile is wide at least: so that two large disks that touch are in neighbouring
 * tiles. */
static uint32_t find_narrowest(const struct tiling *tiling)
{
    return tiling->reach > 1 ? 2 * tiling->reach : 1;
}

/* How many tiles of that side there are along an axis. */
static uint32_t count_tiles(uint32_t cells, uint32_t side, uint32_t narrowest)
{
    const double tiles = fmin(floor((double)cells / side + 0.5), cells / narrowest);
    return tiles < 1 ? 1 : (uint32_t)tiles;
}

/* Chooses how many columns and rows of tiles there are: with `side` cells along a side, or, if that
 * is 0, at the least cost. Returns 0 if one thread alone is quicker. */
static int tiling_choose(struct tiling *tiling, uint32_t side, unsigned threads)
{
    const uint32_t narrowest = find_narrowest(tiling);
    const uint32_t shortest = narrowest + (uint32_t)HALO_OF_SIDE; /* shorter ones never pay */
    const uint32_t columns = tiling->shape.columns;
    const uint32_t rows = tiling->shape.rows;
    double least = threads > 1 ? MAX_COST : (double)INFINITY;
    tiling->columns.tiles = count_tiles(columns, side > 0 ? side : columns, narrowest);
    tiling->rows.tiles = count_tiles(rows, side > 0 ? side : rows, narrowest);
    for (uint32_t x = 1; side == 0 && x <= (columns - 1) / shortest + 1; x++) {
        for (uint32_t y = 1; y <= (rows - 1) / shortest + 1; y++) {
            const double cost = find_cost(tiling, threads, x, y);
            if (cost < least) {
                least = cost;
                tiling->columns.tiles = x;
                tiling->rows.tiles = y;
            }
        }
    }
    const double part =
        border_part(tiling, 0, tiling->columns.tiles) + border_part(tiling, 1, tiling->rows.tiles);
    /* Copies cost half a collision in each window; halos grow with it, most with large disks. */
    tiling->collisions =
        fmin(fmax(COLLISIONS_BY_PART / sqrt(part), 1.8), tiling->reach > 1 ? 2.2 : 4);
    return part > 0;
}

/* Cuts the cells into tiles, for begin_tiles. */
static enum status tiling_cut(struct tiling *tiling, const struct tiling_sort *sort,
                              struct error *error)
{
    const struct cell_list_shape *shape = &tiling->shape;
    const unsigned periodic = tiling->system->boundary.periodic;
    const uint32_t narrowest = find_narrowest(tiling);
    enum status status =
        tile_axis_create(&tiling->columns, shape->columns, tiling->columns.tiles, narrowest,
                         (periodic & PERIODIC_X) != 0, sort->columns, error);
    if (!status)
        status = tile_axis_create(&tiling->rows, shape->rows, tiling->rows.tiles, narrowest,
                                  (periodic & PERIODIC_Y) != 0, sort->rows, error);
    if (status)
        return status;
    tiling->tiles =
        memory_allocate_lines(tile_count(tiling), sizeof *tiling->tiles, "the tiles", error);
    return tiling->tiles ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Task: makes tiles that are yet without members, and counts these. */
static void begin_tiles(void *user, size_t begin, size_t end)
{
    const struct tiling_sort *sort = user;
    const struct tiling *tiling = sort->tiling;
    for (size_t k = begin; k < end; k++) {
        const uint32_t column = (uint32_t)k % tiling->columns.tiles;
        const uint32_t row = (uint32_t)k / tiling->columns.tiles;
        const uint32_t *x = &tiling->columns.first[column];
        const uint32_t *y = &tiling->rows.first[row];
        size_t count = 0;
        for (uint32_t m = y[0]; m < y[1]; m++)
            for (uint32_t n = x[0]; n < x[1]; n++)
                count += count_of(sort, (size_t)m * tiling->columns.cells + n);
        tiling->tiles[k] = (struct tile){.region = {{column, row}, {1, 1}, 1},
                                         .first = &tiling->tiles[k],
                                         .left = x[0],
                                         .bottom = y[0],
                                         .width = x[1] - x[0],
                                         .height = y[1] - y[0]};
        tiling->tiles[k].states[tiling->old].count = count;
        tiling->tiles[k].alone = tiling->tiles[k].region;
    }
}

/* Gives a tile its members, which stand from index tile->begin on in the system. From how many
 * there are in each of its cells it makes where these begin. */
static enum tiles_outcome tiling_deal(const struct tiling *tiling, struct tile *tile,
                                      const struct tiling_sort *sort)
{
    struct error error; /* of memory: it is not reported, for the run goes on */
    struct tile_members *members = &tile->states[tiling->old];
    const size_t bytes_of_row = sizeof(uint32_t) + (tile->width + 1) * sizeof(uint16_t);
    for (int m = 0; m < 2; m++) {
        tile->states[m].rows = memory_allocate(tile->height, bytes_of_row, "the tiles", &error);
        if (!tile->states[m].rows)
            return TILES_NO_MEMORY;
        tile->states[m].first = (uint16_t *)(tile->states[m].rows + tile->height);
    }
    uint16_t *first = members->first;
    uint32_t count = 0;
    for (uint32_t row = 0; row < tile->height; row++) {
        const uint32_t begin = count;
        const size_t cell = (size_t)(tile->bottom + row) * tiling->columns.cells + tile->left;
        members->rows[row] = begin;
        for (uint32_t column = 0; column < tile->width; column++) {
            const uint32_t members_of_cell = count_of(sort, cell + column);
            *first++ = (uint16_t)(count - begin);
            atomic_init(&sort->counts[cell + column], tile->begin + count);
            count += members_of_cell;
        }
        *first++ = (uint16_t)(count - begin);
        if (count - begin > UINT16_MAX)
            return TILES_CROWDED;
    }
    members->list = memory_allocate(count, sizeof *members->list, "the tiles", &error);
    if (!members->list)
        return TILES_NO_MEMORY;
    members->capacity = count;
    for (uint32_t k = 0; k < count; k++)
        members->list[k] = tile->begin + k;
    return TILES_DONE;
}

/* Task. */
static void deal_tiles(void *user, size_t begin, size_t end)
{
    const struct tiling_sort *sort = user;
    for (struct tile *tile = &sort->tiling->tiles[begin]; tile < &sort->tiling->tiles[end]; tile++)
        tile->outcome = tiling_deal(sort->tiling, tile, sort);
}

/* Task: puts particles among those of their cells. */
static void deal_particles(void *user, size_t begin, size_t end)
{
    const struct tiling_sort *sort = user;
    for (size_t k = begin; k < end; k++)
        sort->order[thread_pool_add(sort->pool, &sort->counts[sort->cells[k]])] = (uint32_t)k;
}

static void move_particle(const struct tiling_sort *sort, uint32_t from, uint32_t to)
{
    const struct tiling *tiling = sort->tiling;
    const struct system *system = tiling->system;
    const struct tile_state state = {sort->sorted.particles, NULL,
                                     tiling->states[tiling->old].predictions};
    tile_state_put(tiling, &state, to, &system->particles[from],
                   (struct tile_prediction){.time = TILE_NOT_PREDICTED});
    if (system->spins)
        sort->sorted.spins[to] = system->spins[from];
    system_copy_counts(&sort->sorted.counts[to], &system->counts[from]);
    if (system->particles[from].version != 0) /* memory takes room when it is written to */
        tiling->counted[to] = system->particles[from].version;
}

/* Task: moves the particles of tiles. */
static void move_particles(void *user, size_t begin, size_t end)
{
    const struct tiling_sort *sort = user;
    const struct tiling *tiling = sort->tiling;
    for (const struct tile *tile = &tiling->tiles[begin]; tile < &tiling->tiles[end]; tile++) {
        const struct tile_members *members = &tile->states[tiling->old];
        for (uint32_t row = 0; sort->pool && row < tile->height; row++) {
            const uint16_t *first = members->first + (size_t)row * (tile->width + 1);
            uint32_t *order = sort->order + tile->begin + members->rows[row];
            for (uint32_t column = 0; column < tile->width; column++)
                elementary_sort_numbers(order + first[column], first[column + 1] - first[column]);
        }
        for (uint32_t k = tile->begin; k < tile->begin + members->count; k++)
            move_particle(sort, sort->order[k], k);
    }
}

/* Sorts the particles, and their counts and spins, tile by tile and cell by cell. */
static enum status sort_particles(struct tiling *tiling, struct tiling_sort *sort,
                                  struct error *error)
{
    struct system *system = tiling->system;
    sort->sorted = *system;
    sort->sorted.particles = NULL;
    sort->sorted.counts = NULL;
    sort->sorted.spins = NULL;
    uint32_t *counted = memory_allocate_zeros(system->count, sizeof *counted, "the counts", error);
    sort->order = memory_allocate_lines(system->count, sizeof *sort->order, "the tiles", error);
    if (sort->order)
        thread_pool_divide(sort->pool, system->count, deal_particles, sort);
    memory_free(sort->cells);
    memory_free(sort->counts);
    sort->cells = NULL;
    sort->counts = NULL;
    if (!counted || !sort->order || system_allocate(&sort->sorted, 0, system->count, error)) {
        memory_free(counted);
        return STATUS_NO_MEMORY;
    }
    tiling->counted = counted;
    thread_pool_divide(sort->pool, tile_count(tiling), move_particles, sort);
    memory_free(system->counts);
    tiling->states[!tiling->old].particles = system->particles;
    tiling->states[!tiling->old].spins = system->spins;
    system->particles = sort->sorted.particles;
    system->counts = sort->sorted.counts;
    system->spins = sort->sorted.spins;
    system->reorderings++;
    tiling->states[tiling->old].particles = system->particles;
    tiling->states[tiling->old].spins = system->spins;
    tiling->is_packed = tiling->is_compact;
    return STATUS_DONE;
}

/* Makes the tiles, and fills them. */
static enum tiles_outcome tiling_fill(struct tiling *tiling, struct tiling_sort *sort,
                                      struct error *error)
{
    const struct cell_list list = {.shape = tiling->shape, .stride = tiling->shape.columns + 2};
    const size_t cells = ((size_t)list.shape.columns + 2) * ((size_t)list.shape.rows + 2);
    const struct polygons *polygons = tiling->system->boundary.polygons;
    const size_t count = tiling->system->count;
    uint32_t end = 0;
    if (tiling_cut(tiling, sort, error))
        return TILES_NO_MEMORY;
    thread_pool_divide(sort->pool, tile_count(tiling), begin_tiles, sort);
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        tiling->tiles[k].begin = end;
        end += (uint32_t)tiling->tiles[k].states[tiling->old].count;
    }
    thread_pool_divide(sort->pool, tile_count(tiling), deal_tiles, sort);
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        if (tiling->tiles[k].outcome != TILES_DONE)
            return tiling->tiles[k].outcome;
    if (polygons)
        tiling->has_polygons = memory_allocate(cells, 1, "the cells near polygons", error);
    tiling->runs = memory_allocate(tile_count(tiling), sizeof *tiling->runs, "the events", error);
    tiling->versions = memory_allocate(count, sizeof *tiling->versions, "the events", error);
    for (int m = 0; m < 2 && !tiling->is_compact; m++)
        tiling->states[m].predictions =
            memory_allocate_lines(count, sizeof(struct tile_prediction), "the predictions", error);
    if (!tiling->runs || !tiling->versions ||
        (!tiling->is_compact &&
         (!tiling->states[0].predictions || !tiling->states[1].predictions)) ||
        (polygons && !tiling->has_polygons))
        return TILES_NO_MEMORY;
    if (polygons)
        predictor_mark_polygons(&list, &polygons->grid, tiling->has_polygons);
    return sort_particles(tiling, sort, error) ? TILES_NO_MEMORY : TILES_DONE;
}

enum tiles_outcome tiling_create(struct tiling *tiling, struct system *system, double now,
                                 uint32_t side, struct thread_pool *pool, struct error *error)
{
    const int may_be_compact = tiling->is_compact && !system->kinds && !system->boundary.walls &&
                               !system->boundary.stream.draw && !system->spins;
    *tiling = (struct tiling){.system = system};
    struct tiling_sort sort = {
        .tiling = tiling, .pool = pool, .now = now, .is_odd = !may_be_compact};
    enum tiles_outcome result = TILES_DONE;
    if (tiling_choose_cells(tiling, now, pool, error))
        return TILES_NO_MEMORY;
    if (!tiling_choose(tiling, side, thread_pool_count(pool)))
        return TILES_SMALL;
    if (!tiling_find_cells(&sort, error))
        result = TILES_NO_MEMORY;
    else if ((double)sort.squares > MAX_CROWDING * (double)system->count)
        result = TILES_CROWDED;
    else {
        tiling->is_compact = !sort.is_odd;
        result = tiling_fill(tiling, &sort, error);
    }
    memory_free(sort.cells);
    memory_free(sort.counts);
    memory_free(sort.columns);
    memory_free(sort.order);
    return result;
}

/* Task. */
static void pack_part(void *user, size_t begin, size_t end)
{
    const struct tiling *tiling = user;
    const struct boundary *boundary = &tiling->system->boundary;
    for (struct particle *p = &tiling->system->particles[begin];
         p < &tiling->system->particles[end]; p++)
        if (tiling->is_packed)
            tile_pack(p, boundary, (struct tile_prediction){.time = TILE_NOT_PREDICTED});
        else
            tile_unpack(p, boundary);
}

void tiling_pack(struct tiling *tiling, int is_packed, struct thread_pool *pool)
{
    if (!tiling->is_compact || tiling->is_packed == is_packed)
        return;
    tiling->is_packed = is_packed;
    thread_pool_divide(pool, tiling->system->count, pack_part, tiling);
}

void tiling_free_states(struct tiling *tiling)
{
    memory_free(tiling->states[!tiling->old].particles);
    memory_free(tiling->states[!tiling->old].spins);
    for (int m = 0; m < 2; m++) {
        memory_free(tiling->states[m].predictions);
        tiling->states[m] = (struct tile_state){NULL, NULL, NULL};
    }
}

/* Task: small pages take time to give back. */
static void free_lists(void *user, size_t begin, size_t end)
{
    const struct tiling *tiling = user;
    for (const struct tile *tile = &tiling->tiles[begin]; tile < &tiling->tiles[end]; tile++) {
        for (int m = 0; m < 2; m++) {
            memory_free(tile->states[m].list);
            memory_free(tile->states[m].rows);
            memory_free(tile->events[m].entries);
            memory_free(tile->before[m].entries);
            memory_free(tile->sums[m].list);
        }
        memory_free(tile->records.entries);
        memory_free(tile->arrivals.entries);
    }
}

void tiling_free(struct tiling *tiling, struct thread_pool *pool)
{
    tiling_free_states(tiling);
    if (tiling->tiles)
        thread_pool_divide(pool, tile_count(tiling), free_lists, tiling);
    large_disks_free(&tiling->large_disks);
    memory_free(tiling->tiles);
    memory_free(tiling->has_polygons);
    memory_free(tiling->counted);
    memory_free(tiling->ordered);
    memory_free(tiling->runs);
    memory_free(tiling->versions);
    memory_free(tiling->columns.first);
    memory_free(tiling->columns.tile_of);
    memory_free(tiling->rows.first);
    memory_free(tiling->rows.tile_of);
    *tiling = (struct tiling){.system = tiling->system};
}
