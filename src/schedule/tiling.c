/*
 * The tiles of a system: how they are cut, and how the particles are dealt to them. See tiling.h.
 */
#include "tiling.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "large_disks.h"
#include "model/physics.h"
#include "model/polygons.h"
#include "predictor.h"
#include "tile_records.h"

#include <math.h>
#include <string.h>

enum {
    USUAL_PARTICLES = 9216, /* of a tile: they fit into a processor's second-level cache */
    LEAST_SIDE = 64,        /* of a tile, in cells, unless it is given */
    TILES_PER_THREAD = 4    /* so that all threads have work up to the end of a window */
};

static const double MOST_CROWDING = 6; /* members in the cell of a member */

/* For sorting the particles, of which each thread has a part: where each of them is. */
struct places {
    const struct tiling *tiling;
    struct thread_pool *pool;
    double now;
    uint32_t *cells;  /* for each particle its cell, column + row * columns; then its place */
    uint32_t *counts; /* for each cell how many there are; then where they begin */
    uint32_t *columns, *rows; /* how many particles each has */
    struct system sorted;     /* with memory for the particles in their new order */
};

static void free_places(struct places *places)
{
    memory_free(places->cells);
    memory_free(places->counts);
    memory_free(places->columns);
    memory_free(places->rows);
}

/* The largest disk that cells can be made for, and whether there are larger ones. */
static enum tiling_result find_largest(struct tiling *tiling, struct error *error)
{
    struct large_disks large_disks;
    const enum status status = large_disks_create(&large_disks, tiling->system, 0, error);
    const size_t count = large_disks.count;
    tiling->largest = large_disks.largest;
    tiling->contact = 2 * large_disks.largest;
    tiling->kinds = predictor_is_of_one_size(tiling->system) ? NULL : tiling->system->kinds;
    large_disks_free(&large_disks);
    return status ? TILING_NO_MEMORY : count > 0 ? TILING_LARGE : TILING_READY;
}

/* Task: finds the cells of particles. */
static void find_cells(void *user, unsigned number)
{
    const struct places *places = user;
    const struct cell_list_shape *shape = &places->tiling->shape;
    const struct cell_list list = {.shape = *shape, .stride = shape->columns + 2};
    const double now = places->now;
    const size_t count = places->tiling->system->count;
    const size_t end = thread_pool_share(places->pool, count, number + 1);
    for (size_t k = thread_pool_share(places->pool, count, number); k < end; k++) {
        const struct particle *p = &places->tiling->system->particles[k];
        const uint32_t cell = cell_list_locate(&list, physics_coordinate(p->x, p->u, p->t, now),
                                               physics_coordinate(p->y, p->v, p->t, now));
        places->cells[k] =
            cell_list_row(&list, cell) * shape->columns + cell_list_column(&list, cell);
    }
}

/* Finds where the particles are. Returns 0 if there is no memory. */
static int find_places(struct places *places, struct error *error)
{
    const struct tiling *tiling = places->tiling;
    const size_t count = tiling->system->count;
    const uint32_t columns = tiling->shape.columns;
    const uint32_t rows = tiling->shape.rows;
    const size_t cells = (size_t)columns * rows;
    const char *what = "the places of the particles";
    places->cells = memory_allocate(count, sizeof *places->cells, what, error);
    if (places->cells)
        places->counts = memory_allocate(cells + 1, sizeof *places->counts, what, error);
    if (places->counts)
        places->columns = memory_allocate(columns, sizeof *places->columns, what, error);
    if (places->columns)
        places->rows = memory_allocate(rows, sizeof *places->rows, what, error);
    if (!places->rows)
        return 0;
    memset(places->counts, 0, (cells + 1) * sizeof *places->counts);
    memset(places->columns, 0, columns * sizeof *places->columns);
    memset(places->rows, 0, rows * sizeof *places->rows);
    thread_pool_run(places->pool, find_cells, places);
    for (size_t k = 0; k < count; k++)
        places->counts[places->cells[k]]++;
    for (size_t cell = 0; cell < cells; cell++) {
        places->columns[cell % columns] += places->counts[cell];
        places->rows[cell / columns] += places->counts[cell];
    }
    return 1;
}

/* How many members there are in the cell of a member, on average. */
static double find_crowding(const struct tiling *tiling, const struct places *places)
{
    const size_t cells = (size_t)tiling->shape.columns * tiling->shape.rows;
    double squares = 0;
    for (size_t k = 0; k < cells; k++)
        squares += (double)places->counts[k] * places->counts[k];
    return squares / (double)tiling->system->count;
}

/* How many cells there should be along the side of a tile. */
static double choose_side(const struct tiling *tiling, unsigned threads)
{
    const double cells = (double)tiling->shape.columns * tiling->shape.rows;
    const double tiles = fmax((double)tiling->system->count / USUAL_PARTICLES,
                              threads > 1 ? (double)TILES_PER_THREAD * threads : 1);
    return fmax(sqrt(cells / tiles), LEAST_SIDE);
}

/* How many tiles of that side there are along an axis. */
static uint32_t count_tiles(uint32_t cells, double side)
{
    const double tiles = floor(cells / side + 0.5);
    return tiles < 1 ? 1 : tiles < cells ? (uint32_t)tiles : cells;
}

/* Cuts the cells into tiles, yet without members. */
static enum status cut(struct tiling *tiling, const struct places *places, double side,
                       struct error *error)
{
    const struct cell_list_shape *shape = &tiling->shape;
    const unsigned periodic = tiling->system->boundary.periodic;
    enum status status =
        tile_axis_create(&tiling->columns, shape->columns, count_tiles(shape->columns, side),
                         (periodic & PERIODIC_X) != 0, places->columns, error);
    if (!status)
        status = tile_axis_create(&tiling->rows, shape->rows, count_tiles(shape->rows, side),
                                  (periodic & PERIODIC_Y) != 0, places->rows, error);
    if (status)
        return status;
    const uint32_t count = tile_count(tiling);
    tiling->tiles = memory_allocate(count, sizeof *tiling->tiles, "the tiles", error);
    if (!tiling->tiles)
        return STATUS_NO_MEMORY;
    for (uint32_t k = 0; k < count; k++)
        tiling->tiles[k] =
            (struct tile){.column = k % tiling->columns.tiles, .row = k / tiling->columns.tiles};
    for (uint32_t k = 0; k < count; k++) {
        struct tile *tile = &tiling->tiles[k];
        const size_t cells = (size_t)tile_width(tiling, tile) * tile_height(tiling, tile);
        for (int m = 0; m < 2; m++) {
            tile->states[m].first =
                memory_allocate(cells + 1, sizeof *tile->states[m].first, "the tiles", error);
            if (!tile->states[m].first)
                return STATUS_NO_MEMORY;
        }
    }
    return STATUS_DONE;
}

/*
 * Gives a tile its members, which will stand from place `begin` on in the system. From how many
 * there are in each of its cells it makes where these begin. Returns the place after them, or
 * UINT32_MAX if there is no memory.
 */
static uint32_t deal(const struct tiling *tiling, struct tile *tile, struct places *places,
                     uint32_t begin, struct error *error)
{
    struct tile_members *members = &tile->states[tiling->old];
    const uint32_t left = tiling->columns.first[tile->column];
    const uint32_t bottom = tiling->rows.first[tile->row];
    uint32_t *first = members->first;
    uint32_t count = 0;
    for (uint32_t row = bottom; row < bottom + tile_height(tiling, tile); row++) {
        for (uint32_t column = left; column < left + tile_width(tiling, tile); column++) {
            uint32_t *cell = &places->counts[(size_t)row * tiling->columns.cells + column];
            const uint32_t members_of_cell = *cell;
            *first++ = count;
            *cell = begin + count;
            count += members_of_cell;
        }
    }
    *first = count;
    members->count = count;
    members->capacity = (size_t)count + count / 8 + 16;
    members->list = memory_allocate(members->capacity, sizeof *members->list, "the tiles", error);
    if (!members->list)
        return UINT32_MAX;
    for (uint32_t k = 0; k < count; k++)
        members->list[k] = begin + k;
    return begin + count;
}

/* Task: moves particles, and their counts, to their places. */
static void move_particles(void *user, unsigned number)
{
    const struct places *places = user;
    const struct tiling *tiling = places->tiling;
    const size_t count = tiling->system->count;
    const size_t end = thread_pool_share(places->pool, count, number + 1);
    for (size_t k = thread_pool_share(places->pool, count, number); k < end; k++) {
        const uint32_t place = places->cells[k];
        places->sorted.particles[place] = tiling->system->particles[k];
        places->sorted.counts[place] = tiling->system->counts[k];
        tiling->states[tiling->old].predictions[place] =
            (struct prediction){.step = TILE_NOT_PREDICTED};
    }
}

/* Sorts the particles, and their counts, tile by tile and cell by cell. */
static enum status sort_particles(struct tiling *tiling, struct places *places, struct error *error)
{
    struct system *system = tiling->system;
    places->sorted = *system;
    places->sorted.particles = NULL;
    places->sorted.counts = NULL;
    enum status status = system_reserve(&places->sorted, 0, system->count, error);
    if (status)
        return status;
    for (size_t k = 0; k < system->count; k++)
        places->cells[k] = places->counts[places->cells[k]]++;
    thread_pool_run(places->pool, move_particles, places);
    memory_free(system->counts);
    tiling->states[!tiling->old].particles = system->particles;
    system->particles = places->sorted.particles;
    system->counts = places->sorted.counts;
    tiling->states[tiling->old].particles = system->particles;
    return STATUS_DONE;
}

/* Finds the cells near polygons. */
static enum status mark_polygons(struct tiling *tiling, struct error *error)
{
    const struct cell_list list = {.shape = tiling->shape, .stride = tiling->shape.columns + 2};
    const size_t cells = ((size_t)list.shape.columns + 2) * ((size_t)list.shape.rows + 2);
    const struct polygons *polygons = tiling->system->boundary.polygons;
    if (!polygons)
        return STATUS_DONE;
    tiling->has_polygons = memory_allocate(cells, 1, "the cells near polygons", error);
    if (!tiling->has_polygons)
        return STATUS_NO_MEMORY;
    predictor_mark_polygons(&list, polygons->grid, tiling->has_polygons);
    return STATUS_DONE;
}

/* Makes tiles of that side, and fills them. */
static enum status fill(struct tiling *tiling, struct places *places, double side,
                        struct error *error)
{
    const size_t count = tiling->system->count;
    enum status status = cut(tiling, places, side, error);
    uint32_t end = 0;
    for (uint32_t k = 0; !status && k < tile_count(tiling); k++) {
        end = deal(tiling, &tiling->tiles[k], places, end, error);
        if (end == UINT32_MAX)
            status = STATUS_NO_MEMORY;
    }
    if (!status)
        status = mark_polygons(tiling, error);
    if (status)
        return status;
    tiling->claims = memory_allocate(count, sizeof *tiling->claims, "the tiles", error);
    if (!tiling->claims)
        return STATUS_NO_MEMORY;
    for (int m = 0; m < 2; m++) {
        struct tile_state *state = &tiling->states[m];
        state->predictions =
            memory_allocate_lines(count, sizeof *state->predictions, "the predictions", error);
        if (!state->predictions)
            return STATUS_NO_MEMORY;
    }
    return sort_particles(tiling, places, error);
}

enum tiling_result tiling_create(struct tiling *tiling, struct system *system, double now,
                                 uint32_t side, struct thread_pool *pool, struct error *error)
{
    *tiling = (struct tiling){.system = system};
    struct places places = {.tiling = tiling, .pool = pool, .now = now};
    enum tiling_result result = find_largest(tiling, error);
    if (result != TILING_READY)
        return result;
    cell_list_choose_shape(system, tiling->contact, now, &tiling->shape);
    const double cells = side > 0 ? side : choose_side(tiling, thread_pool_count(pool));
    if (count_tiles(tiling->shape.columns, cells) == 1 &&
        count_tiles(tiling->shape.rows, cells) == 1)
        return TILING_TOO_SMALL;
    if (!find_places(&places, error))
        result = TILING_NO_MEMORY;
    else if (find_crowding(tiling, &places) > MOST_CROWDING)
        result = TILING_CROWDED;
    else if (fill(tiling, &places, cells, error))
        result = TILING_NO_MEMORY;
    free_places(&places);
    return result;
}

enum status tiling_part(struct tiling *tiling, struct error *error)
{
    const size_t count = tiling->system->count;
    struct particle *particles =
        memory_allocate_lines(count, sizeof *particles, "the particles of tiles", error);
    if (!particles)
        return STATUS_NO_MEMORY;
    memcpy(particles, tiling->system->particles, count * sizeof *particles);
    tiling->states[tiling->old].particles = particles;
    tiling->is_apart = 1;
    return STATUS_DONE;
}

void tiling_unclaim_all(struct tiling *tiling)
{
    for (size_t k = 0; k < tiling->system->count; k++)
        atomic_store_explicit(&tiling->claims[k], TILE_UNCLAIMED, memory_order_relaxed);
}

void tiling_unclaim(struct tiling *tiling, const struct tile *tile)
{
    const struct tile_members *members = &tile->states[!tiling->old];
    const uint32_t number = (uint32_t)(tile - tiling->tiles);
    for (size_t k = 0; k < members->count; k++)
        if (atomic_load_explicit(&tiling->claims[members->list[k]], memory_order_relaxed) == number)
            atomic_store_explicit(&tiling->claims[members->list[k]], TILE_UNCLAIMED,
                                  memory_order_relaxed);
}

enum status tiling_count(struct tiling *tiling, struct error *error)
{
    tiling->counted =
        memory_allocate(tiling->system->count, sizeof *tiling->counted, "the counts", error);
    tiling_note_counts(tiling);
    return tiling->counted ? STATUS_DONE : STATUS_NO_MEMORY;
}

void tiling_note_counts(struct tiling *tiling)
{
    for (size_t k = 0; tiling->counted && k < tiling->system->count; k++)
        tiling->counted[k] = tiling->system->particles[k].version;
}

/* A version counts all events; those with the boundary have been taken off already. */
void tiling_settle(struct tiling *tiling)
{
    struct system *system = tiling->system;
    for (size_t k = 0; tiling->counted && k < system->count; k++)
        system->counts[k].particles += system->particles[k].version - tiling->counted[k];
    tiling_note_counts(tiling);
}

/*
 * Takes the events of the window that tiles have recorded off those of two particles, and counts
 * those with the boundary that nobody is told of.
 */
static void count_hits(const struct tiling *tiling)
{
    const struct system *system = tiling->system;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *list = &tiling->tiles[k].events[tiling->old];
        const struct tile_event *events = list->entries;
        for (size_t m = 0; m < list->count; m++) {
            struct counts *counts = &system->counts[events[m].a];
            counts->particles--;
            if (event_partner(events[m].b) == PARTNER_PARTICLE)
                system->counts[events[m].b].particles--;
            else if (events[m].time <= tiling->told_from && !events[m].b_version)
                boundary_count(&system->boundary, counts, events[m].b);
        }
    }
}

void tiling_proceed(struct tiling *tiling)
{
    count_hits(tiling);
    tiling->old = !tiling->old;
    tiling->system->particles = tiling->states[tiling->old].particles;
}

/* The memory of the system becomes that of what is then the old state. */
void tiling_be_followed(struct tiling *tiling)
{
    tiling->old = !tiling->old;
    if (tiling->is_apart)
        return;
    tiling->states[!tiling->old].particles = tiling->states[tiling->old].particles;
    tiling->states[tiling->old].particles = tiling->system->particles;
}

void tiling_narrow(struct tiling *tiling)
{
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        tiling->tiles[k].halo -= (tiling->tiles[k].halo + 3) / 4;
}

void tiling_free(struct tiling *tiling)
{
    for (uint32_t k = 0; tiling->tiles && k < tile_count(tiling); k++) {
        struct tile *tile = &tiling->tiles[k];
        for (int m = 0; m < 2; m++) {
            memory_free(tile->states[m].list);
            memory_free(tile->states[m].first);
            tile_list_free(&tile->events[m]);
        }
        tile_list_free(&tile->befores);
        tile_list_free(&tile->records);
    }
    memory_free(tiling->tiles);
    memory_free(tiling->has_polygons);
    memory_free(tiling->claims);
    memory_free(tiling->counted);
    tile_axis_free(&tiling->columns);
    tile_axis_free(&tiling->rows);
    memory_free(tiling->states[!tiling->old].particles);
    if (tiling->is_apart)
        memory_free(tiling->states[tiling->old].particles);
    for (int m = 0; m < 2; m++)
        memory_free(tiling->states[m].predictions);
    *tiling = (struct tiling){.system = tiling->system};
}
