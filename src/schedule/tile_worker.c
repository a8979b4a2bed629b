/*
 * One tile in a window of time: copied in, simulated, recorded, copied out. See tiles.c for why.
 *
 * The simulated part of the halo becomes smaller as time goes on, for less of it can still matter:
 * beyond it particles stay as they are, and particles next to them have wrong events. These errors
 * spread inwards, but rarely as quickly as the simulated part shrinks; where they do, neighbouring
 * tiles disagree.
 */
#include "tiling.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/physics.h"

#include <math.h>
#include <string.h>

enum {
    SLICE_ENTRIES = 6,               /* of the calendar, as in cells.c */
    DEFAULT_OPERATIONS = 4,          /* of each particle in a window; in gases up to 6, and */
    MAX_OPERATIONS = 50,             /* at most, and */
    MAX_OPERATIONS_OF_A_TILE = 5000, /* so many more: of disks that are wedged there is no end */
    DISTANCE = 512                   /* of marks */
};

/* The part of the usual halo by which the simulated one becomes smaller in a window. */
static const double SHRINKAGE = 0.56;

static uint32_t count_up(const struct tile_axis *axis, uint32_t from, uint32_t to)
{
    if (to >= from)
        return to - from;
    return axis->is_periodic ? to + axis->cells - from : UINT32_MAX;
}

/* The column between two ends of the box, farther than any halo is wide. */
static const struct tile_column no_column = {TILE_NO_COLUMN, 1 << 20, 0, 0};

/* Describes a column of the box, in and up to `reach` of which a particle can meet others. */
static struct tile_column tile_map_describe(const struct tile_axis *axis, uint32_t tile,
                                            uint32_t tiles, uint32_t column, uint32_t reach)
{
    const uint32_t first = axis->first[tile];
    const uint32_t last = axis->first[(tile + tiles - 1) % axis->tiles + 1] - 1;
    const int has_below = tile > 0 || (axis->is_periodic && tiles < axis->tiles);
    const int has_above = tile + tiles < axis->tiles || (axis->is_periodic && tiles < axis->tiles);
    if (count_up(axis, first, column) <= count_up(axis, first, last)) {
        const int inner = TILE_SAME |
                          (has_below && count_up(axis, first, column) < reach ? TILE_BELOW : 0) |
                          (has_above && count_up(axis, column, last) < reach ? TILE_ABOVE : 0);
        return (struct tile_column){column, 0, (unsigned char)inner, TILE_SAME};
    }
    const uint32_t below = count_up(axis, column, first);
    const uint32_t above = count_up(axis, last, column);
    const int outer = (below <= reach ? TILE_BELOW : 0) | (above <= reach ? TILE_ABOVE : 0);
    return (struct tile_column){column, below < above ? below : above, 0, (unsigned char)outer};
}

/* The directions of the tiles that a cell in a column and a row matters to. */
static inline uint32_t cell_directions(const struct tile_column *column,
                                       const struct tile_column *row)
{
    if (((column->inner | column->outer | row->inner | row->outer) & ~TILE_SAME) == 0)
        return 0;
    return (tile_directions(column->inner, row->inner) |
            tile_directions(column->outer, row->outer)) &
           ~(1u << TILE_CENTRE);
}

/* Sets the span of `tiles` columns of tiles and up to `halo` columns around it. A span that would
 * end just at a seam goes beyond it, for a particle that passes the seam must find a column there.
 */
static enum status tile_span_set(struct tile_span *span, const struct tile_axis *axis,
                                 uint32_t tile, uint32_t tiles, uint32_t halo, struct error *error)
{
    const int64_t cells = axis->cells;
    const uint32_t last = axis->first[(tile + tiles - 1) % axis->tiles + 1] - 1;
    int64_t begin = (int64_t)axis->first[tile] - halo;
    int64_t end = (int64_t)axis->first[tile] + count_up(axis, axis->first[tile], last) + 1 + halo;
    if (axis->is_periodic) {
        begin -= begin == 0;
        end += end == cells;
    } else {
        begin = begin > 0 ? begin : 0;
        end = end < cells ? end : cells;
    }
    const int is_all = end - begin >= cells - 1;
    const int is_across = !is_all && (begin < 0 || end > cells);
    if (is_all) {
        begin = 0;
        end = cells;
    }
    span->count = (uint32_t)(end - begin) + (uint32_t)is_across;
    span->wraps = axis->is_periodic && (is_all || is_across);
    span->list = memory_reserve(span->list, &span->capacity, span->count, sizeof *span->list,
                                "the halo of a tile", error);
    if (!span->list)
        return STATUS_NO_MEMORY;
    /* Across a seam: the columns at the beginning of the box, none, and those at its end. */
    const uint32_t low = is_across ? (uint32_t)(end > cells ? end - cells : end) : 0;
    const uint32_t high = is_across ? axis->cells - span->count : (uint32_t)begin;
    for (uint32_t k = 0; k < span->count; k++)
        span->list[k] = tile_map_describe(axis, tile, tiles, k < low ? k : high + k, 1);
    span->gap = is_across ? low : span->count;
    if (is_across)
        span->list[low] = no_column;
    return STATUS_DONE;
}

void tile_worker_init(struct tile_worker *worker, const struct tiling *tiling)
{
    *worker = (struct tile_worker){.tiling = tiling, .system = *tiling->system};
    worker->system.particles = NULL;
    worker->system.counts = NULL;
    worker->system.spins = NULL;
    worker->predictor = (struct predictor){.system = &worker->system,
                                           .search = lanes_choose(&worker->system, LANES_MAX),
                                           .large_disks = {.system = &worker->system,
                                                           .largest = tiling->large_disks.largest,
                                                           .side = tiling->large_disks.side}};
}

/* Frees all but the spans. */
static void free_copies(struct tile_worker *worker)
{
    memory_free(worker->system.particles); /* and the predictions */
    memory_free(worker->system.spins);
    memory_free(worker->predictor.has_polygons);
    memory_free(worker->indices);
    memory_free(worker->is_own);
    memory_free(worker->copies);
    memory_free(worker->marks);
    calendar_free(&worker->calendar);
    cell_list_free(&worker->predictor.cell_list);
}

void tile_worker_free(struct tile_worker *worker)
{
    free_copies(worker);
    large_disks_free(&worker->predictor.large_disks);
    memory_free(worker->columns.list);
    memory_free(worker->rows.list);
    *worker = (struct tile_worker){0};
}

static enum status tile_worker_reserve(struct tile_worker *worker, size_t count, size_t cells,
                                       struct error *error)
{
    const char *what = "the particles around a tile";
    struct predictor *predictor = &worker->predictor;
    size_t slots = 1024;
    if (count <= worker->capacity && cells <= worker->cell_capacity)
        return STATUS_DONE;
    count = count > worker->capacity ? count + count / 4 + 64 : worker->capacity;
    cells = cells > worker->cell_capacity ? cells + cells / 4 : worker->cell_capacity;
    while (slots < 4 * count)
        slots *= 2;
    free_copies(worker);
    worker->capacity = worker->cell_capacity = 0;
    worker->mask = (uint32_t)slots - 1;
    /* One block, which is the sooner large enough for large pages. */
    worker->system.particles = memory_allocate_lines(
        count, sizeof(struct particle) + sizeof(struct prediction), what, error);
    const int is_rough = worker->tiling->system->spins != NULL;
    worker->system.spins = is_rough ? memory_allocate(count, sizeof(double), what, error) : NULL;
    worker->indices = memory_allocate(count, sizeof *worker->indices, what, error);
    worker->is_own = memory_allocate(count, 1, what, error);
    worker->copies = memory_allocate(slots, sizeof *worker->copies, what, error);
    worker->marks = memory_allocate(cells, sizeof *worker->marks, what, error);
    predictor->has_polygons =
        worker->tiling->has_polygons ? memory_allocate(cells, 1, what, error) : NULL;
    enum status status = cell_list_create(&worker->predictor.cell_list, cells, count, error);
    if (!status)
        status = calendar_create(&worker->calendar, DEFAULT_OPERATIONS * count, predictor_rank,
                                 predictor, error);
    if (status || !worker->system.particles || !worker->indices || !worker->is_own ||
        !worker->copies || !worker->marks || (is_rough && !worker->system.spins) ||
        (worker->tiling->has_polygons && !predictor->has_polygons))
        return STATUS_NO_MEMORY;
    predictor->predictions = (struct prediction *)(worker->system.particles + count);
    memset(worker->copies, 0, slots * sizeof *worker->copies);
    worker->capacity = count;
    worker->cell_capacity = cells;
    return STATUS_DONE;
}

/* The members of a row of cells in one tile, from a local column on. */
struct tile_strip {
    const uint16_t *first; /* of the cell in that column, of the next one, and so on */
    const uint32_t *list;
    uint32_t end; /* the local column after the last one in that tile */
};

/* Finds the strip from local column `c` on: that is empty where a column or the row stands for
 * none. */
static struct tile_strip find_strip(const struct tile_worker *worker, uint32_t c, uint32_t row)
{
    static const uint16_t nothing[2] = {0, 0};
    const struct tiling *tiling = worker->tiling;
    const struct tile_span *columns = &worker->columns;
    const uint32_t column = columns->list[c].column;
    if (column == TILE_NO_COLUMN || row == TILE_NO_COLUMN)
        return (struct tile_strip){nothing, NULL, c + 1};
    const struct tile *tile = tile_at(tiling, column, row);
    const struct tile_members *members = &tile->states[tiling->old];
    const uint32_t local_row = row - tile->bottom;
    const uint32_t end = c + tile->left + tile->width - column;
    const uint32_t most = c < columns->gap ? columns->gap : columns->count;
    return (struct tile_strip){&members->first[local_row * (tile->width + 1) + column - tile->left],
                               members->list ? members->list + members->rows[local_row]
                                             : NULL, /* none in the tile */
                               end < most ? end : most};
}

static size_t count_members(const struct tile_worker *worker)
{
    size_t count = 0;
    for (uint32_t r = 0; r < worker->rows.count; r++) {
        for (uint32_t c = 0; c < worker->columns.count;) {
            const struct tile_strip strip = find_strip(worker, c, worker->rows.list[r].column);
            count += (size_t)(strip.first[strip.end - c] - strip.first[0]);
            c = strip.end;
        }
    }
    return count;
}

/* The borders of local columns (or rows): equal to those of the box, to the bit; but the outer
 * ones, where a span ends, are infinitely far. */
static void tile_worker_set_borders(double *borders, const struct tile_span *span, double begin,
                                    double side)
{
    for (uint32_t k = 1; k < span->count; k++) {
        const uint32_t column = span->list[k].column == TILE_NO_COLUMN ? k : span->list[k].column;
        borders[k] = begin + (double)column * side;
    }
}

/* Copies a particle into the local cell in this column and row, if it is large or not, as asked. */
static void copy_member(struct tile_worker *worker, uint32_t column, uint32_t row, uint32_t member,
                        int is_large)
{
    struct cell_list *cells = &worker->predictor.cell_list;
    const uint32_t cell = cell_list_at(cells, column, row);
    const struct large_disks *large_disks = &worker->tiling->large_disks;
    const struct particle *p = &worker->tiling->system->particles[member];
    if (large_disks->count > 0 &&
        large_disks_has(large_disks, system_radius(&worker->system, p)) != is_large)
        return;
    const uint32_t k = worker->count++;
    struct prediction *prediction = &worker->predictor.predictions[k];
    const struct tile_prediction kept =
        tile_state_take(worker->tiling, member, &worker->system.particles[k]);
    if (worker->system.spins)
        worker->system.spins[k] = worker->tiling->system->spins[member];
    *prediction = (struct prediction){
        .time = kept.time, .partner = kept.partner, .version = kept.version, .cell = cell};
    if (worker->predictor.has_slow_crossings)
        prediction_set_crossing(&worker->system, k, prediction, cells, worker->tiling->begin);
    else
        crossing_set(&worker->system, k, prediction, cells, column, row);
    worker->indices[k] = member;
    worker->is_own[k] = worker->marks[cell] < DISTANCE;
    worker->copies[member & worker->mask] = k;
    if (!is_large)
        cell_list_add(cells, cell, k);
}

/* Gives the cells of a local row their marks. */
static void mark_row(struct tile_worker *worker, uint32_t r)
{
    const struct tiling *tiling = worker->tiling;
    const struct tile_column *row = &worker->rows.list[r];
    const uint32_t first = cell_list_at(&worker->predictor.cell_list, 0, r);
    for (uint32_t c = 0; c < worker->columns.count; c++) {
        const struct tile_column *column = &worker->columns.list[c];
        const uint32_t distance =
            column->distance > row->distance ? column->distance : row->distance;
        worker->marks[first + c] = distance * DISTANCE | cell_directions(column, row);
        if (tiling->has_polygons && column->column != TILE_NO_COLUMN &&
            row->column != TILE_NO_COLUMN)
            worker->predictor.has_polygons[first + c] =
                tiling->has_polygons[((size_t)row->column + 1) * (tiling->columns.cells + 2) +
                                     column->column + 1];
    }
}

/* Fetches the members of a local row, which are all over the memory, before they are copied. */
static void fetch_row(const struct tile_worker *worker, uint32_t r)
{
    const struct tile_state *old = &worker->tiling->states[worker->tiling->old];
    for (uint32_t c = 0; r < worker->rows.count && c < worker->columns.count;) {
        const struct tile_strip strip = find_strip(worker, c, worker->rows.list[r].column);
        for (uint32_t m = strip.first[0]; m < strip.first[strip.end - c]; m++) {
            COMPILER_PREFETCH(&old->particles[strip.list[m]]);
            if (old->predictions)
                COMPILER_PREFETCH(&old->predictions[strip.list[m]]);
        }
        c = strip.end;
    }
}

/* Copies the members of the cells of a local row: those that are large, or the others. */
static void copy_row(struct tile_worker *worker, uint32_t r, int are_large)
{
    for (uint32_t c = 0; c < worker->columns.count;) {
        struct tile_strip strip = find_strip(worker, c, worker->rows.list[r].column);
        for (; c < strip.end; c++, strip.first++)
            for (uint32_t m = strip.first[0]; m < strip.first[1]; m++)
                copy_member(worker, c, r, strip.list[m], are_large);
    }
}

/* Copies the large disks, which stand last, and puts them on the lists of the cells. */
static enum status copy_large_disks(struct tile_worker *worker, struct error *error)
{
    struct large_disks *large_disks = &worker->predictor.large_disks;
    const uint32_t first = worker->count;
    for (uint32_t r = 0; r < worker->rows.count; r++)
        copy_row(worker, r, 1);
    large_disks->count = worker->count - first;
    large_disks->predictions = worker->predictor.predictions;
    if (large_disks_reserve(large_disks, worker->cell_capacity, error))
        return STATUS_NO_MEMORY;
    large_disks_reset(large_disks, &worker->predictor.cell_list,
                      worker->tiling->large_disks.margin);
    for (uint32_t k = first; k < worker->count; k++)
        large_disks_move(large_disks, k, 0, large_disks->predictions[k].cell);
    return STATUS_DONE;
}

/* Gives the local cells their shape, and copies the particles in them. */
static enum status copy_cells(struct tile_worker *worker, struct error *error)
{
    struct cell_list *cells = &worker->predictor.cell_list;
    struct cell_list_shape shape = worker->tiling->shape;
    shape.columns = worker->columns.count;
    shape.rows = worker->rows.count;
    shape.wraps = (worker->columns.wraps ? (unsigned)PERIODIC_X : 0) |
                  (worker->rows.wraps ? (unsigned)PERIODIC_Y : 0);
    cell_list_reset(cells, &shape);
    tile_worker_set_borders(cells->x_borders, &worker->columns, shape.left, shape.width);
    tile_worker_set_borders(cells->y_borders, &worker->rows, shape.bottom, shape.height);
    worker->predictor.large_disks.count = worker->tiling->large_disks.count;
    predictor_find_general(&worker->predictor);
    worker->count = 0;
    for (uint32_t r = 0; r < shape.rows; r++) {
        fetch_row(worker, r + 1);
        mark_row(worker, r);
        copy_row(worker, r, 0);
    }
    return worker->predictor.large_disks.count > 0 ? copy_large_disks(worker, error) : STATUS_DONE;
}

static inline int is_in_reach(const struct tile_worker *worker, uint32_t cell, double time)
{
    const uint32_t distance = worker->marks[cell] / DISTANCE;
    return distance == 0 ||
           distance <= worker->halo_end + worker->halo_per_time * (worker->tiling->end - time);
}

/* Finds the copy of the partner of copy k. Returns 0 if there is none, or no prediction. (Of two
 * copies with equal lower bits the first may not be found; then the prediction is made anew, which
 * is never wrong.) */
static int translate(const struct tile_worker *worker, uint32_t k)
{
    struct prediction *prediction = &worker->predictor.predictions[k];
    const int is_predicted = prediction->time >= 0;
    if (!is_predicted || event_partner(prediction->partner) != PARTNER_PARTICLE)
        return is_predicted;
    const uint32_t partner = (uint32_t)prediction->partner;
    const uint32_t copy = worker->copies[partner & worker->mask];
    prediction->partner = (int32_t)copy;
    return copy < worker->count && worker->indices[copy] == partner;
}

static enum status copy_in(struct tile_worker *worker, struct error *error)
{
    const struct tiling *tiling = worker->tiling;
    const struct tile *tile = worker->tile;
    const uint32_t usual = tile_halo(tile_collisions(tiling));
    const uint32_t halo = usual + tile->halo + 4 * (tiling->reach - 1);
    worker->halo_end = halo - SHRINKAGE * usual;
    const double length = tiling->end - tiling->begin;
    worker->halo_per_time = length > 0 ? SHRINKAGE * usual / length : 0;
    enum status status = tile_span_set(&worker->columns, &tiling->columns, tile->region.first[0],
                                       tile->region.count[0], halo, error);
    if (!status)
        status = tile_span_set(&worker->rows, &tiling->rows, tile->region.first[1],
                               tile->region.count[1], halo, error);
    if (status)
        return status;
    const size_t cells = ((size_t)worker->columns.count + 2) * ((size_t)worker->rows.count + 2);
    worker->system.count = count_members(worker);
    status = tile_worker_reserve(worker, worker->system.count, cells, error);
    if (!status)
        status = copy_cells(worker, error);
    if (status)
        return status;
    for (uint32_t k = 0; k < worker->count; k++)
        if (!translate(worker, k) || predictor_is_large(&worker->predictor, k))
            worker->predictor.predictions[k].time = TILE_NOT_PREDICTED;
    for (uint32_t k = 0; k < worker->count; k++)
        if (worker->predictor.predictions[k].time < 0)
            predictor_predict(&worker->predictor, k, tiling->begin);
    return STATUS_DONE;
}

/* Returns 0 if the calendar has no memory left. */
static inline int tile_worker_add_to_calendar(struct tile_worker *worker, uint32_t k)
{
    const struct prediction *prediction = &worker->predictor.predictions[k];
    if (!(prediction->key <= worker->tiling->end) ||
        !is_in_reach(worker, prediction->cell, prediction->key))
        return 1;
    return calendar_schedule(&worker->calendar, k, prediction->key);
}

/* Begins a cycle of the calendar, which is the window. */
static void tile_worker_begin_cycle(struct tile_worker *worker)
{
    const struct tiling *tiling = worker->tiling;
    const double operations = worker->tile->operations > 0
                                  ? (double)worker->tile->operations
                                  : (double)DEFAULT_OPERATIONS * worker->count;
    const double slices =
        floor(fmin(operations / SLICE_ENTRIES + 1, worker->calendar.slice_capacity));
    worker->calendar.slice_count = (uint32_t)slices;
    calendar_begin_cycle(&worker->calendar, tiling->begin,
                         fmax((tiling->end - tiling->begin) / slices * (1 + 1e-9), 1e-300));
    for (uint32_t k = 0; k < worker->count; k++)
        tile_worker_add_to_calendar(worker, k);
}

static uint32_t cell_of_box(const struct tile_worker *worker, uint32_t cell)
{
    const struct cell_list *cells = &worker->predictor.cell_list;
    const uint32_t row = worker->rows.list[cell_list_row(cells, cell)].column;
    const uint32_t column = worker->columns.list[cell_list_column(cells, cell)].column;
    return row * worker->tiling->columns.cells + column;
}

/* The event, of copies, with the numbers of their particles. A crossing is {time, -1, copy}. */
static struct event by_ids(const struct tile_worker *worker, const struct event *event)
{
    const struct particle *particles = worker->system.particles;
    const int32_t a = event->a < 0 ? -1 : particles[event->a].id;
    const int is_alone = event->a >= 0 && event_partner(event->b) == PARTNER_BOUNDARY;
    return (struct event){event->time, a, is_alone ? event->b : particles[event->b].id};
}

/* Notes an operation. Returns 1 if it should have come before the last one. */
static inline int note(struct tile_worker *worker, const struct event *event)
{
    if (!(event->time > worker->latest.time)) {
        const struct event next = by_ids(worker, event);
        const struct event latest = by_ids(worker, &worker->latest);
        if (event_before(&next, &latest))
            return 1;
    }
    worker->latest = *event;
    return 0;
}

/* True if copy k has had an event at `time` in this window. */
static inline int has_had_event(const struct tile_worker *worker, uint32_t k, double time)
{
    const struct tile_state *old = &worker->tiling->states[worker->tiling->old];
    const struct particle *p = &worker->system.particles[k];
    return p->t == time && p->version != old->particles[worker->indices[k]].version;
}

/* The directions, from the tiles of a region, of those that a cell of a particle matters to. */
static uint32_t directions_from(const struct tile_worker *worker, const struct tile_region *region,
                                uint32_t cell, int is_large)
{
    const struct tiling *tiling = worker->tiling;
    const uint32_t reach = is_large ? tiling->reach : 1;
    const struct cell_list *cells = &worker->predictor.cell_list;
    const uint32_t column = worker->columns.list[cell_list_column(cells, cell)].column;
    const uint32_t row = worker->rows.list[cell_list_row(cells, cell)].column;
    if (column == TILE_NO_COLUMN || row == TILE_NO_COLUMN)
        return 0;
    const struct tile_column x =
        tile_map_describe(&tiling->columns, region->first[0], region->count[0], column, reach);
    const struct tile_column y =
        tile_map_describe(&tiling->rows, region->first[1], region->count[1], row, reach);
    return cell_directions(&x, &y);
}

/* The directions of the tiles that an operation on copy k matters to. */
static inline uint32_t directions_of(const struct tile_worker *worker, uint32_t k, uint32_t from,
                                     uint32_t to)
{
    if (predictor_is_large(&worker->predictor, k))
        return directions_from(worker, &worker->tile->region, from, 1) |
               directions_from(worker, &worker->tile->region, to, 1);
    return (worker->marks[from] | worker->marks[to]) % DISTANCE;
}

/* Gives the last record to each tile of the region that is to be compared there, or cannot be. */
COMPILER_APART static enum tiles_outcome deal_record(const struct tile_worker *worker, uint32_t k,
                                                     int is_tied, uint32_t from, uint32_t to)
{
    struct tile_list *list = &worker->tile->records;
    const struct tile_record last = ((struct tile_record *)list->entries)[--list->count];
    const int is_large = predictor_is_large(&worker->predictor, k);
    for (uint32_t m = 0; m < worker->tile->region.size; m++) {
        struct tile *tile = tile_of_region(worker->tiling, &worker->tile->region, m);
        const uint32_t directions = directions_from(worker, &tile->alone, from, is_large) |
                                    directions_from(worker, &tile->alone, to, is_large);
        atomic_fetch_or(&tile->disagrees, is_tied ? directions : 0);
        if (directions == 0)
            continue;
        struct tile_record *record = tile_list_add(&tile->records, sizeof *record);
        if (!record)
            return TILES_NO_MEMORY;
        *record = last;
        record->directions = directions;
    }
    return is_tied ? TILES_TIED : TILES_DONE;
}

/* Records copy k after an operation, if other tiles have these cells, which cannot be compared if
 * it is tied: see "At one instant" in tiles.c. */
static inline enum tiles_outcome record(const struct tile_worker *worker, uint32_t k,
                                        const struct event *event, int is_tied, uint32_t from,
                                        uint32_t to)
{
    const uint32_t directions = directions_of(worker, k, from, to);
    if (directions == 0)
        return TILES_DONE;
    struct tile_record *record = tile_list_add(&worker->tile->records, sizeof *record);
    if (!record)
        return TILES_NO_MEMORY;
    *record = (struct tile_record){.particle = worker->system.particles[k],
                                   .spin = worker->system.spins ? worker->system.spins[k] : 0,
                                   .operation = by_ids(worker, event),
                                   .from = cell_of_box(worker, from),
                                   .to = cell_of_box(worker, to),
                                   .directions = directions};
    const int is_single = !is_tied && worker->tile->region.size == 1;
    return is_single ? TILES_DONE : deal_record(worker, k, is_tied, from, to);
}

static enum tiles_outcome tile_worker_cross(struct tile_worker *worker, uint32_t k)
{
    struct prediction *prediction = &worker->predictor.predictions[k];
    const uint32_t from = prediction->cell;
    const struct event crossing = {prediction->key, -1, (int32_t)k};
    predictor_cross(&worker->predictor, k, crossing.time);
    worker->tile->crossings += worker->marks[from] < DISTANCE;
    /* Only now is all around it right: see "From window to window" in tiles.c. */
    if (worker->marks[from] >= DISTANCE && worker->marks[prediction->cell] < DISTANCE)
        predictor_predict(&worker->predictor, k, crossing.time);
    if (directions_of(worker, k, from, prediction->cell) == 0)
        return TILES_DONE;
    const int is_tied = note(worker, &crossing) || has_had_event(worker, k, crossing.time);
    return record(worker, k, &crossing, is_tied, from, prediction->cell);
}

/* Moves copy k, if it has passed a seam, to the opposite outer column or row. */
static void pass_seam(struct tile_worker *worker, uint32_t k, int32_t feature)
{
    if (!boundary_is_seam(&worker->system.boundary, feature))
        return;
    const struct cell_list *cells = &worker->predictor.cell_list;
    const uint32_t from = worker->predictor.predictions[k].cell;
    const uint32_t column = feature == FEATURE_LEFT    ? cells->shape.columns - 1
                            : feature == FEATURE_RIGHT ? 0
                                                       : cell_list_column(cells, from);
    const uint32_t row = feature == FEATURE_BOTTOM ? cells->shape.rows - 1
                         : feature == FEATURE_TOP  ? 0
                                                   : cell_list_row(cells, from);
    predictor_move(&worker->predictor, k, cell_list_at(cells, column, row));
}

/* Counts an event of the tile's own, and keeps it, with the particles before it, if it is to be
 * notified or counted later; if it is to be added up, in `*collision` is where to describe it. */
static enum tiles_outcome tile_worker_keep_event(struct tile_worker *worker,
                                                 const struct event *event,
                                                 struct collision **collision)
{
    const struct system *system = &worker->system;
    const int is_pair = event_partner(event->b) == PARTNER_PARTICLE;
    struct tile *tile = worker->tile;
    schedule_count(&tile->sum, &system->boundary, event);
    if (is_pair && worker->tiling->basis) {
        *collision = collision_series_next(&tile->sums[worker->tiling->old], worker->tiling->basis);
        return *collision ? TILES_DONE : TILES_NO_MEMORY;
    }
    if (is_pair && !worker->tiling->keeps_pairs)
        return TILES_DONE;
    struct tile_event *kept = tile_list_add(&tile->events[worker->tiling->old], sizeof *kept);
    if (!kept)
        return TILES_NO_MEMORY;
    *kept = (struct tile_event){.time = event->time,
                                .a = (int32_t)worker->indices[event->a],
                                .b = is_pair ? (int32_t)worker->indices[event->b] : event->b,
                                .a_version = system->particles[event->a].version,
                                .b_version = is_pair ? system->particles[event->b].version : 0};
    if (!worker->tiling->is_notified)
        return TILES_DONE;
    struct particle *before =
        tile_list_add(&tile->before[worker->tiling->old], tile_before_size(system));
    if (!before)
        return TILES_NO_MEMORY;
    const int32_t indices[] = {event->a, is_pair ? event->b : event->a};
    for (int k = 0; k < 2; k++) {
        before[k] = system->particles[indices[k]];
        if (system->spins)
            ((double *)(before + 2))[k] = system->spins[indices[k]];
    }
    return TILES_DONE;
}

/* A stream has sent back the particle of the last event of the tile's own. */
static void note_turn(struct tile *tile, const struct tiling *tiling)
{
    const struct tile_list *list = &tile->events[tiling->old];
    ((struct tile_event *)list->entries)[list->count - 1].b_version = 1;
}

static enum tiles_outcome tile_worker_collide(struct tile_worker *worker, uint32_t k)
{
    struct predictor *predictor = &worker->predictor;
    const struct boundary *boundary = &worker->system.boundary;
    const struct event event = prediction_event(&worker->system, k, &predictor->predictions[k]);
    const uint32_t a = (uint32_t)event.a;
    const uint32_t b = event_partner(event.b) == PARTNER_PARTICLE ? (uint32_t)event.b : a;
    const uint32_t from = predictor->predictions[a].cell;
    const int is_own = worker->marks[from] < DISTANCE;
    const int is_tied = note(worker, &event) | has_had_event(worker, a, event.time) |
                        has_had_event(worker, b, event.time);
    struct collision *collision = NULL;
    enum tiles_outcome outcome =
        is_own ? tile_worker_keep_event(worker, &event, &collision) : TILES_DONE;
    if (collision)
        physics_resolve_collision(&worker->system, &event, collision);
    else
        physics_resolve(&worker->system, &event);
    if (!boundary_turned_back(boundary, event.b, &worker->system.particles[a]))
        pass_seam(worker, a, event.b);
    else if (is_own && !outcome)
        note_turn(worker->tile, worker->tiling);
    if (!outcome)
        outcome = record(worker, a, &event, is_tied, from, predictor->predictions[a].cell);
    if (!outcome && b != a)
        outcome = record(worker, b, &event, is_tied, predictor->predictions[b].cell,
                         predictor->predictions[b].cell);
    predictor_predict_latest(predictor, a, b);
    if (!tile_worker_add_to_calendar(worker, a) ||
        (b != a && !tile_worker_add_to_calendar(worker, b)))
        tile_worker_begin_cycle(worker);
    return outcome;
}

static enum tiles_outcome proceed(struct tile_worker *worker, uint32_t k)
{
    const struct prediction *prediction = &worker->predictor.predictions[k];
    enum tiles_outcome outcome = TILES_DONE;
    if (prediction->key < prediction->time)
        outcome = tile_worker_cross(worker, k);
    else if (predictor_is_stale(&worker->predictor, k))
        predictor_predict(&worker->predictor, k, prediction->key);
    else
        return tile_worker_collide(worker, k);
    if (!tile_worker_add_to_calendar(worker, k))
        tile_worker_begin_cycle(worker);
    return outcome;
}

static enum tiles_outcome tile_worker_simulate(struct tile_worker *worker)
{
    struct calendar *calendar = &worker->calendar;
    const uint64_t most = (uint64_t)DEFAULT_OPERATIONS * worker->tiling->system->count +
                          (uint64_t)MAX_OPERATIONS * worker->count + MAX_OPERATIONS_OF_A_TILE;
    uint64_t operations = 0;
    worker->latest = (struct event){.time = -(double)INFINITY};
    int is_due = 1;
    tile_worker_begin_cycle(worker);
    while (is_due) {
        if (calendar_is_empty(calendar)) {
            is_due = predictor_fill_front(&worker->predictor, calendar, worker->tiling->end);
            if (is_due < 0)
                tile_worker_begin_cycle(worker);
            continue;
        }
        const struct calendar_entry first = calendar_first(calendar);
        const int is_current = predictor_is_current(&worker->predictor, first);
        calendar_pop(calendar);
        if (!is_current)
            continue;
        if (++operations > most)
            return TILES_TOO_MANY;
        const enum tiles_outcome outcome = proceed(worker, first.item);
        if (outcome)
            return outcome;
    }
    worker->tile->operations = operations;
    struct collision_series *sums = &worker->tile->sums[worker->tiling->old];
    return collision_series_add_up(sums, worker->tiling->basis) ? TILES_DONE : TILES_NO_MEMORY;
}

/* A prediction for copy k as a state keeps it. */
static struct tile_prediction keep(const struct tile_worker *worker, uint32_t k)
{
    const struct prediction *prediction = &worker->predictor.predictions[k];
    const int is_pair = event_partner(prediction->partner) == PARTNER_PARTICLE;
    return (struct tile_prediction){
        .time = prediction->time,
        .partner = is_pair ? (int32_t)worker->indices[prediction->partner] : prediction->partner,
        .version = prediction->version};
}

/* Keeps copy k as one of a tile's members. */
static void copy_out_one(struct tile_worker *worker, uint32_t k, struct tile_members *members)
{
    const struct tiling *tiling = worker->tiling;
    struct tile *tile = worker->tile;
    const uint32_t index = worker->indices[k];
    if (members->count >= members->capacity)
        members->list = memory_extend(members->list, members->count, &members->capacity,
                                      sizeof *members->list, "a tile", &worker->error);
    if (members->list)
        members->list[members->count++] = index;
    else
        tile->outcome = TILES_NO_MEMORY;
    if (worker->is_own[k]) {
        tile_state_put(tiling, &tiling->states[!tiling->old], index, &worker->system.particles[k],
                       keep(worker, k));
        if (worker->system.spins)
            tiling->states[!tiling->old].spins[index] = worker->system.spins[k];
        return;
    }
    struct tile_arrival *arrival = tile_list_add(&tile->arrivals, sizeof *arrival);
    if (arrival)
        *arrival = (struct tile_arrival){index, keep(worker, k), worker->system.particles[k],
                                         worker->system.spins ? worker->system.spins[k] : 0};
    else
        tile->outcome = TILES_NO_MEMORY;
}

/* Keeps the large disks in a cell: they are on its list, among others. */
static void copy_out_large_disks(struct tile_worker *worker, uint32_t cell,
                                 struct tile_members *members)
{
    const struct cell *cells = worker->predictor.large_disks.nearby.cells;
    if (worker->predictor.large_disks.count == 0)
        return;
    for (uint32_t next = cell; next != 0; next = cells[next].state >> 2)
        for (uint32_t m = 0; m < (cells[next].state & 3); m++)
            if (cells[next].members[m] == prediction_index(cells[next].members[m]) &&
                worker->predictor.predictions[cells[next].members[m]].cell == cell)
                copy_out_one(worker, cells[next].members[m], members);
}

/* Keeps the particles in a tile's cells at the end of the window, cell by cell. */
static enum tiles_outcome copy_out(struct tile_worker *worker, struct tile *tile)
{
    const struct cell_list *cells = &worker->predictor.cell_list;
    struct tile_members *members = &tile->states[!worker->tiling->old];
    uint16_t *first = members->first;
    uint32_t column = 0, row = 0; /* its first ones */
    while (worker->columns.list[column].column != tile->left)
        column++;
    while (worker->rows.list[row].column != tile->bottom)
        row++;
    members->count = 0;
    for (uint32_t r = 0; r < tile->height; r++) {
        const uint32_t begin = (uint32_t)members->count;
        members->rows[r] = begin;
        for (uint32_t c = 0; c < tile->width; c++) {
            uint32_t cell = cell_list_at(cells, column + c, row + r);
            *first++ = (uint16_t)(members->count - begin);
            copy_out_large_disks(worker, cell, members);
            for (; cell != 0; cell = cells->cells[cell].state >> 2)
                for (uint32_t m = 0; m < (cells->cells[cell].state & 3); m++)
                    copy_out_one(worker, cells->cells[cell].members[m], members);
        }
        *first++ = (uint16_t)(members->count - begin);
        if (members->count - begin > UINT16_MAX)
            return TILES_CROWDED;
    }
    return worker->tile->outcome;
}

void tile_worker_run(struct tile_worker *worker, struct tile *tile)
{
    const struct tiling *tiling = worker->tiling;
    worker->tile = tile;
    for (uint32_t k = 0; k < tile->region.size; k++) {
        struct tile *member = tile_of_region(tiling, &tile->region, k);
        member->sums[tiling->old].count = member->sums[tiling->old].waiting_count = 0;
        member->events[tiling->old].count = member->before[tiling->old].count = 0;
        member->crossings = member->records.count = member->arrivals.count = 0;
        member->sum = (struct schedule_sum){0};
    }
    tile->outcome =
        copy_in(worker, &worker->error) ? TILES_NO_MEMORY : tile_worker_simulate(worker);
    for (uint32_t k = 0; k < tile->region.size && tile->outcome == TILES_DONE; k++)
        tile->outcome = copy_out(worker, tile_of_region(tiling, &tile->region, k));
}
