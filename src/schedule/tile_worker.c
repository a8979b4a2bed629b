/*
 * One tile in a window of time: copied in, simulated, recorded, copied out. See tiles.c for why.
 *
 * What is simulated is as much of the halo as can still matter at that time: beyond it particles
 * stay as they are, and what is next to them goes wrong. That spreads inwards, but rarely as
 * quickly as the border recedes; and where it does, neighbouring tiles disagree.
 */
#include "tile_worker.h"

#include "base/memory.h"
#include "model/physics.h"
#include "tile_records.h"

#include <math.h>
#include <string.h>

enum {
    SLICE_ENTRIES = 6,               /* of the calendar, as in cells.c */
    USUAL_OPERATIONS = 4,            /* of each particle in a window; in gases up to 6, and */
    MAX_OPERATIONS = 50,             /* at most, and */
    MAX_OPERATIONS_OF_A_TILE = 5000, /* so many more: of disks that are wedged there is no end */
    DISTANCE = 512                   /* of marks */
};

void tile_worker_init(struct tile_worker *worker, const struct tiling *tiling)
{
    *worker = (struct tile_worker){.tiling = tiling, .system = *tiling->system};
    worker->system.particles = NULL;
    worker->system.counts = NULL;
    worker->predictor =
        (struct predictor){.system = &worker->system, .large_disks.largest = tiling->largest};
    predictor_choose_lanes(&worker->predictor, tiling->kinds, tiling->contact);
}

/* Frees what depends on the number of copies. */
static void free_copies(struct tile_worker *worker)
{
    memory_free(worker->system.particles);
    memory_free(worker->predictor.predictions);
    memory_free(worker->indices);
    memory_free(worker->copies);
    calendar_free(&worker->calendar);
    worker->system.particles = NULL;
    worker->predictor.predictions = NULL;
    worker->indices = worker->copies = NULL;
    worker->capacity = 0;
}

/* Frees what depends on the number of cells. */
static void free_cells(struct tile_worker *worker)
{
    cell_list_free(&worker->predictor.cell_list);
    memory_free(worker->predictor.has_polygons);
    memory_free(worker->marks);
    worker->predictor.has_polygons = NULL;
    worker->marks = NULL;
    worker->cell_capacity = 0;
}

void tile_worker_free(struct tile_worker *worker)
{
    free_copies(worker);
    free_cells(worker);
    tile_span_free(&worker->columns);
    tile_span_free(&worker->rows);
}

static enum status reserve_copies(struct tile_worker *worker, size_t count, struct error *error)
{
    const char *what = "the particles around a tile";
    const size_t capacity = count + count / 4 + 64;
    size_t places = 1024;
    if (count <= worker->capacity)
        return STATUS_DONE;
    while (places < 4 * capacity)
        places *= 2;
    free_copies(worker);
    worker->mask = (uint32_t)places - 1;
    worker->system.particles =
        memory_allocate_lines(capacity, sizeof *worker->system.particles, what, error);
    if (worker->system.particles)
        worker->predictor.predictions =
            memory_allocate_lines(capacity, sizeof *worker->predictor.predictions, what, error);
    if (worker->predictor.predictions)
        worker->indices = memory_allocate(capacity, sizeof *worker->indices, what, error);
    if (worker->indices)
        worker->copies = memory_allocate(places, sizeof *worker->copies, what, error);
    if (!worker->copies)
        return STATUS_NO_MEMORY;
    memset(worker->copies, 0, places * sizeof *worker->copies);
    enum status status = calendar_create(&worker->calendar, USUAL_OPERATIONS * capacity,
                                         &predictor_order, &worker->predictor, error);
    if (!status)
        worker->capacity = capacity;
    return status;
}

static enum status reserve_cells(struct tile_worker *worker, size_t cells, size_t members,
                                 struct error *error)
{
    if (cells <= worker->cell_capacity)
        return STATUS_DONE;
    cells += cells / 4;
    free_cells(worker);
    enum status status = cell_list_create(&worker->predictor.cell_list, cells, members, error);
    if (!status)
        worker->marks = memory_allocate(cells, sizeof *worker->marks, "the cells of a tile", error);
    if (worker->marks && worker->tiling->has_polygons)
        worker->predictor.has_polygons =
            memory_allocate(cells, 1, "the cells near polygons", error);
    if (!worker->marks || (worker->tiling->has_polygons && !worker->predictor.has_polygons))
        return STATUS_NO_MEMORY;
    worker->cell_capacity = cells;
    return STATUS_DONE;
}

/* Where the members of a cell of the box stand: in a list of its tile. */
struct found {
    const uint32_t *members, *end;
};

static struct found find_members(const struct tiling *tiling, uint32_t column, uint32_t row)
{
    const struct tile *tile = tile_at(tiling, column, row);
    const struct tile_members *members = &tile->states[tiling->old];
    const uint32_t *first = &members->first[tile_place(tiling, tile, column, row)];
    if (first[0] == first[1])
        return (struct found){NULL, NULL}; /* a tile that is empty may have no list at all */
    return (struct found){members->list + first[0], members->list + first[1]};
}

/* How many particles there are in all that the worker sees. */
static size_t count_members(const struct tile_worker *worker)
{
    size_t count = 0;
    for (uint32_t r = 0; r < worker->rows.count; r++) {
        for (uint32_t c = 0; c < worker->columns.count; c++) {
            const uint32_t column = worker->columns.list[c].column;
            const uint32_t row = worker->rows.list[r].column;
            if (column == TILE_NO_COLUMN || row == TILE_NO_COLUMN)
                continue;
            const struct found found = find_members(worker->tiling, column, row);
            count += (size_t)(found.end - found.members);
        }
    }
    return count;
}

/* The borders of local columns (or rows): the very numbers of the box's; but the outer ones, where
 * a span ends, are infinitely far. */
static void set_borders(double *borders, const struct tile_span *span, double begin, double side)
{
    for (uint32_t k = 1; k < span->count; k++) {
        const uint32_t column = span->list[k].column == TILE_NO_COLUMN ? k : span->list[k].column;
        borders[k] = begin + (double)column * side;
    }
}

/* Gives the local cells their shape and their marks. */
static void shape_cells(struct tile_worker *worker)
{
    const struct tiling *tiling = worker->tiling;
    struct cell_list *cells = &worker->predictor.cell_list;
    struct cell_list_shape shape = tiling->shape;
    shape.columns = worker->columns.count;
    shape.rows = worker->rows.count;
    shape.wraps = (worker->columns.wraps ? (unsigned)PERIODIC_X : 0) |
                  (worker->rows.wraps ? (unsigned)PERIODIC_Y : 0);
    cell_list_reset(cells, &shape);
    set_borders(cells->x_borders, &worker->columns, shape.left, shape.width);
    set_borders(cells->y_borders, &worker->rows, shape.bottom, shape.height);
    for (uint32_t r = 0; r < shape.rows; r++) {
        for (uint32_t c = 0; c < shape.columns; c++) {
            const uint32_t x = worker->columns.list[c].distance;
            const uint32_t y = worker->rows.list[r].distance;
            const uint32_t directions =
                tile_directions(worker->columns.list[c].inner, worker->rows.list[r].inner) |
                tile_directions(worker->columns.list[c].outer, worker->rows.list[r].outer);
            worker->marks[cell_list_at(cells, c, r)] =
                (x > y ? x : y) * DISTANCE | (directions & ~(1u << TILE_CENTRE));
        }
    }
}

/* Whether the particles of a local cell are simulated at `time`. */
static inline int is_in_reach(const struct tile_worker *worker, uint32_t cell, double time)
{
    const uint32_t distance = worker->marks[cell] / DISTANCE;
    return distance == 0 ||
           distance <= worker->halo_end + worker->halo_per_time * (worker->tiling->end - time);
}

/* Copies the members of one cell of the box, which is local cell `cell`. */
static void copy_cell(struct tile_worker *worker, uint32_t cell, const struct found *found)
{
    const struct tile_state *old = &worker->tiling->states[worker->tiling->old];
    for (const uint32_t *member = found->members; member < found->end; member++) {
        const uint32_t k = worker->count++;
        worker->system.particles[k] = old->particles[*member];
        worker->predictor.predictions[k] = old->predictions[*member];
        worker->predictor.predictions[k].cell = cell;
        worker->indices[k] = *member;
        worker->copies[*member & worker->mask] = k;
        cell_list_add(&worker->predictor.cell_list, cell, k);
    }
}

static void copy_particles(struct tile_worker *worker)
{
    const struct tiling *tiling = worker->tiling;
    worker->count = 0;
    for (uint32_t r = 0; r < worker->rows.count; r++) {
        const uint32_t row = worker->rows.list[r].column;
        for (uint32_t c = 0; c < worker->columns.count && row != TILE_NO_COLUMN; c++) {
            const uint32_t column = worker->columns.list[c].column;
            const uint32_t cell = cell_list_at(&worker->predictor.cell_list, c, r);
            if (column == TILE_NO_COLUMN)
                continue;
            const struct found found = find_members(tiling, column, row);
            copy_cell(worker, cell, &found);
            if (tiling->has_polygons)
                worker->predictor.has_polygons[cell] =
                    tiling->has_polygons[((size_t)row + 1) * (tiling->columns.cells + 2) + column +
                                         1];
        }
    }
}

/*
 * Makes the prediction for copy k, which is as the state has it, one of the local cells. Returns 0
 * if that cannot be, for want of the partner. (The first of two with the same lower bits may not
 * be found; then the prediction is made anew, which is never wrong.)
 */
static int translate(const struct tile_worker *worker, uint32_t k)
{
    struct prediction *prediction = &worker->predictor.predictions[k];
    const int32_t stride = (int32_t)worker->predictor.cell_list.stride;
    const int32_t steps[] = {0, -1, 1, -stride, stride};
    const int is_predicted = prediction->step != TILE_NOT_PREDICTED;
    prediction->step = steps[prediction->step];
    if (!is_predicted || event_partner(prediction->partner) != PARTNER_PARTICLE)
        return is_predicted;
    const uint32_t partner = (uint32_t)prediction->partner;
    const uint32_t copy = worker->copies[partner & worker->mask];
    prediction->partner = (int32_t)copy;
    return copy < worker->count && worker->indices[copy] == partner;
}

/* Copies what is in the tile and in its halo. */
static enum status copy_in(struct tile_worker *worker, struct error *error)
{
    const struct tiling *tiling = worker->tiling;
    const struct tile *tile = worker->tile;
    const uint32_t halo = TILE_HALO_BEGIN + tile->halo;
    worker->halo_end = TILE_HALO_END + tile->halo;
    const double length = tiling->end - tiling->begin;
    worker->halo_per_time = length > 0 ? (TILE_HALO_BEGIN - TILE_HALO_END) / length : 0;
    enum status status =
        tile_span_set(&worker->columns, &tiling->columns, tile->column, halo, error);
    if (!status)
        status = tile_span_set(&worker->rows, &tiling->rows, tile->row, halo, error);
    if (status)
        return status;
    const size_t cells = ((size_t)worker->columns.count + 2) * ((size_t)worker->rows.count + 2);
    const size_t count = count_members(worker);
    if (count > worker->capacity)
        free_cells(worker); /* which may need a longer overflow, too */
    status = reserve_copies(worker, count, error);
    if (!status)
        status = reserve_cells(worker, cells, worker->capacity, error);
    if (status)
        return status;
    worker->system.count = count;
    shape_cells(worker);
    predictor_find_special(&worker->predictor);
    copy_particles(worker);
    for (uint32_t k = 0; k < worker->count; k++)
        if (!translate(worker, k))
            worker->predictor.predictions[k].step = TILE_NOT_PREDICTED;
    for (uint32_t k = 0; k < worker->count; k++)
        if (worker->predictor.predictions[k].step == TILE_NOT_PREDICTED)
            predictor_predict(&worker->predictor, k, tiling->begin);
    return STATUS_DONE;
}

/* Puts the prediction for copy k into the calendar. Returns 0 if that has no memory left. */
static inline int add_to_calendar(struct tile_worker *worker, uint32_t k)
{
    const struct prediction *prediction = &worker->predictor.predictions[k];
    if (!(prediction->key <= worker->tiling->end) ||
        !is_in_reach(worker, prediction->cell, prediction->key))
        return 1;
    return calendar_schedule(&worker->calendar, k, prediction->key);
}

/* Begins a turn of the calendar, which lasts up to the end of the window. Returns 0 if nothing
 * comes due before that. */
static int begin_turn(struct tile_worker *worker)
{
    const struct tiling *tiling = worker->tiling;
    double begin = (double)INFINITY;
    for (uint32_t k = 0; k < worker->count; k++)
        begin = fmin(begin, worker->predictor.predictions[k].key);
    if (!(begin <= tiling->end))
        return 0;
    const double operations = worker->tile->operations > 0
                                  ? (double)worker->tile->operations
                                  : (double)USUAL_OPERATIONS * worker->count;
    const double slices =
        floor(fmin(operations / SLICE_ENTRIES + 1, worker->calendar.slice_capacity));
    calendar_set_slices(&worker->calendar, (uint32_t)slices);
    calendar_begin_turn(&worker->calendar, begin,
                        fmax((tiling->end - begin) / slices * (1 + 1e-9), 1e-300));
    for (uint32_t k = 0; k < worker->count; k++)
        add_to_calendar(worker, k);
    return 1;
}

/* Fills the empty front of the calendar. Returns 0 if nothing more comes due in this window. */
static int advance(struct tile_worker *worker)
{
    struct calendar *calendar = &worker->calendar;
    const struct calendar_chunk *chunk = calendar_next_slice(calendar);
    if (!chunk)
        return 0;
    for (; chunk; chunk = calendar_more(calendar, chunk)) {
        for (uint32_t m = 0; m < chunk->count; m++) {
            const uint32_t k = chunk->items[m];
            const double key = worker->predictor.predictions[k].key;
            const uint32_t is_due =
                (uint32_t)(key <= worker->tiling->end) & (uint32_t)calendar_is_due(calendar, key);
            if (!calendar_push(calendar, k, key, is_due))
                return begin_turn(worker);
        }
    }
    calendar_sort(calendar);
    return 1;
}

/* The cell of the box that a local cell is. */
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

/* Takes note of an operation no later than the last one. Returns 1 if it should have come before.
 */
static COMPILER_APART int note_tied(struct tile_worker *worker, const struct event *event)
{
    const struct event next = by_ids(worker, event);
    const struct event latest = by_ids(worker, &worker->latest);
    if (event_before(&next, &latest))
        return 1;
    worker->latest = *event;
    return 0;
}

static inline int note(struct tile_worker *worker, const struct event *event)
{
    if (!(event->time > worker->latest.time))
        return note_tied(worker, event);
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

/* The tiles that these local cells matter to. */
static inline uint32_t directions_of(const struct tile_worker *worker, uint32_t from, uint32_t to)
{
    return (worker->marks[from] | worker->marks[to]) % DISTANCE;
}

/*
 * Records what an operation has done to copy k, if other tiles have these cells. They cannot be
 * compared if it is tied: see "At one instant" in tiles.c.
 */
static inline enum window_outcome record(const struct tile_worker *worker, uint32_t k,
                                         const struct event *event, int is_tied, uint32_t from,
                                         uint32_t to)
{
    const uint32_t directions = directions_of(worker, from, to);
    if (directions == 0)
        return WINDOW_DONE;
    if (is_tied)
        return WINDOW_TIED;
    struct tile_record *record = tile_list_add(&worker->tile->records, sizeof *record);
    if (!record)
        return WINDOW_NO_MEMORY;
    *record = (struct tile_record){.particle = worker->system.particles[k],
                                   .operation = by_ids(worker, event),
                                   .from = cell_of_box(worker, from),
                                   .to = cell_of_box(worker, to),
                                   .directions = directions};
    return WINDOW_DONE;
}

/* Moves copy k into the next cell. */
static enum window_outcome cross(struct tile_worker *worker, uint32_t k)
{
    struct prediction *prediction = &worker->predictor.predictions[k];
    const uint32_t from = prediction->cell;
    const struct event crossing = {prediction->key, -1, (int32_t)k};
    predictor_cross(&worker->predictor, k, crossing.time);
    worker->tile->crossings += worker->marks[from] < DISTANCE;
    if (directions_of(worker, from, prediction->cell) == 0)
        return WINDOW_DONE;
    const int is_tied = note(worker, &crossing) || has_had_event(worker, k, crossing.time);
    return record(worker, k, &crossing, is_tied, from, prediction->cell);
}

/* Moves copy k, if it has passed a seam, from one of the outer columns or rows to the other. */
static void pass_seam(struct tile_worker *worker, uint32_t k, int32_t feature)
{
    if (!boundary_is_seam(&worker->system.boundary, feature))
        return;
    struct cell_list *cells = &worker->predictor.cell_list;
    struct prediction *prediction = &worker->predictor.predictions[k];
    uint32_t column = cell_list_column(cells, prediction->cell);
    uint32_t row = cell_list_row(cells, prediction->cell);
    switch ((enum feature)feature) {
    case FEATURE_LEFT:
        column = cells->shape.columns - 1;
        break;
    case FEATURE_RIGHT:
        column = 0;
        break;
    case FEATURE_BOTTOM:
        row = cells->shape.rows - 1;
        break;
    case FEATURE_TOP:
        row = 0;
        break;
    }
    cell_list_remove(cells, prediction->cell, k);
    prediction->cell = cell_list_at(cells, column, row);
    cell_list_add(cells, prediction->cell, k);
}

/* Remembers what the particles of an event are before it. */
static int note_before(struct tile *tile, const struct system *system, const struct event *event,
                       int is_pair)
{
    const int32_t indices[2] = {event->a, is_pair ? event->b : event->a};
    for (int k = 0; k < 2; k++) {
        struct particle *before = tile_list_add(&tile->befores, sizeof *before);
        if (!before)
            return 0;
        *before = system->particles[indices[k]];
    }
    return 1;
}

/* Counts an event of the tile's own, and remembers it where that is needed. */
static enum window_outcome tell(struct tile_worker *worker, const struct event *event)
{
    const struct system *system = &worker->system;
    const int is_pair = event_partner(event->b) == PARTNER_PARTICLE;
    struct tile *tile = worker->tile;
    tile->collisions++;
    tile->hits += !is_pair;
    tile->passages += (uint64_t)boundary_is_seam(&system->boundary, event->b);
    if (is_pair && event->time <= worker->tiling->told_from)
        return WINDOW_DONE;
    struct tile_event *told = tile_list_add(&tile->events[worker->tiling->old], sizeof *told);
    if (!told)
        return WINDOW_NO_MEMORY;
    *told = (struct tile_event){.time = event->time,
                                .a = (int32_t)worker->indices[event->a],
                                .b = is_pair ? (int32_t)worker->indices[event->b] : event->b,
                                .a_version = system->particles[event->a].version,
                                .b_version = is_pair ? system->particles[event->b].version : 0};
    const int is_complete =
        !tiling_is_told_late(worker->tiling) || note_before(tile, system, event, is_pair);
    return is_complete ? WINDOW_DONE : WINDOW_NO_MEMORY;
}

/* Notes of the last event of the tile's own that a stream has turned its particle back. */
static void note_turn(struct tile *tile, const struct tiling *tiling)
{
    const struct tile_list *list = &tile->events[tiling->old];
    ((struct tile_event *)list->entries)[list->count - 1].b_version = 1;
}

/* Resolves the event of copy k. */
static enum window_outcome collide(struct tile_worker *worker, uint32_t k)
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
    enum window_outcome outcome = is_own ? tell(worker, &event) : WINDOW_DONE;
    physics_resolve(&worker->system, &event);
    if (!boundary_turned_back(boundary, event.b, worker->system.particles[a].u))
        pass_seam(worker, a, event.b);
    else if (is_own && !outcome)
        note_turn(worker->tile, worker->tiling);
    if (!outcome)
        outcome = record(worker, a, &event, is_tied, from, predictor->predictions[a].cell);
    if (!outcome && b != a)
        outcome = record(worker, b, &event, is_tied, predictor->predictions[b].cell,
                         predictor->predictions[b].cell);
    predictor_predict_latest(predictor, a);
    if (b != a)
        predictor_predict_latest(predictor, b);
    if (!add_to_calendar(worker, a) || (b != a && !add_to_calendar(worker, b)))
        begin_turn(worker);
    return outcome;
}

/* Takes copy k, at the head of the calendar, to its next cell, prediction or event. */
static enum window_outcome proceed(struct tile_worker *worker, uint32_t k)
{
    const struct prediction *prediction = &worker->predictor.predictions[k];
    enum window_outcome outcome = WINDOW_DONE;
    if (prediction->key < prediction->time)
        outcome = cross(worker, k);
    else if (predictor_is_stale(&worker->predictor, k))
        predictor_predict(&worker->predictor, k, prediction->key);
    else
        return collide(worker, k);
    if (!add_to_calendar(worker, k))
        begin_turn(worker);
    return outcome;
}

/* Takes all copies to the end of the window. */
static enum window_outcome run(struct tile_worker *worker)
{
    struct calendar *calendar = &worker->calendar;
    const uint64_t most = (uint64_t)MAX_OPERATIONS * worker->count + MAX_OPERATIONS_OF_A_TILE;
    uint64_t operations = 0;
    worker->latest = (struct event){.time = -(double)INFINITY};
    int is_due = begin_turn(worker);
    while (is_due) {
        if (calendar_is_empty(calendar)) {
            is_due = advance(worker);
            continue;
        }
        const struct calendar_entry first = calendar_first(calendar);
        const struct prediction *prediction = &worker->predictor.predictions[first.item];
        const int is_current =
            prediction->key == first.time &&
            (first.rank == 0 || first.rank == predictor_order.rank(&worker->predictor, first.item));
        calendar_pop(calendar);
        if (!is_current || !is_in_reach(worker, prediction->cell, prediction->key))
            continue;
        if (++operations > most)
            return WINDOW_TOO_MANY;
        const enum window_outcome outcome = proceed(worker, first.item);
        if (outcome)
            return outcome;
    }
    worker->tile->operations = operations;
    return WINDOW_DONE;
}

/* A prediction for copy k as a state keeps it. */
static struct prediction keep(const struct tile_worker *worker, uint32_t k)
{
    struct prediction prediction = worker->predictor.predictions[k];
    if (prediction.step == 1 || prediction.step == -1)
        prediction.step = prediction.step < 0 ? TILE_LEFT : TILE_RIGHT;
    else
        prediction.step = prediction.step < 0 ? TILE_DOWN : TILE_UP;
    if (event_partner(prediction.partner) == PARTNER_PARTICLE)
        prediction.partner = (int32_t)worker->indices[prediction.partner];
    return prediction;
}

/*
 * Claims a particle for the tile. If another tile has done so before, one of them is wrong, and as
 * nobody knows which, both are to be done again.
 */
static int claim(const struct tile_worker *worker, uint32_t index)
{
    const struct tiling *tiling = worker->tiling;
    uint32_t owner = TILE_UNCLAIMED;
    if (atomic_compare_exchange_strong_explicit(&tiling->claims[index], &owner,
                                                (uint32_t)(worker->tile - tiling->tiles),
                                                memory_order_relaxed, memory_order_relaxed))
        return 1;
    atomic_store(&tiling->tiles[owner].disagrees, 1);
    atomic_store(&worker->tile->disagrees, 1);
    return 0;
}

/* Keeps copy k as member `place` of the tile. Returns 0 if there is no memory for that. */
static int copy_out_one(struct tile_worker *worker, uint32_t k, size_t place)
{
    const struct tiling *tiling = worker->tiling;
    const struct tile_state *fresh = &tiling->states[!tiling->old];
    struct tile_members *members = &worker->tile->states[!tiling->old];
    if (place == members->capacity) {
        const size_t capacity = place + place / 4 + 16;
        uint32_t *list =
            memory_resize(members->list, capacity, sizeof *list, "a tile", &worker->error);
        if (!list)
            return 0;
        members->list = list;
        members->capacity = capacity;
    }
    members->list[place] = worker->indices[k];
    members->count = place + 1;
    if (claim(worker, worker->indices[k])) {
        fresh->particles[worker->indices[k]] = worker->system.particles[k];
        fresh->predictions[worker->indices[k]] = keep(worker, k);
    }
    return 1;
}

/* Keeps what is in the tile's own cells at the end of the window, cell by cell. */
static enum window_outcome copy_out(struct tile_worker *worker)
{
    const struct tiling *tiling = worker->tiling;
    const struct cell_list *cells = &worker->predictor.cell_list;
    uint32_t *first = worker->tile->states[!tiling->old].first;
    uint32_t count = 0;
    worker->tile->states[!tiling->old].count = 0;
    for (uint32_t r = 0; r < worker->rows.count; r++) {
        for (uint32_t c = 0; c < worker->columns.count; c++) {
            uint32_t cell = cell_list_at(cells, c, r);
            if (worker->marks[cell] >= DISTANCE)
                continue;
            *first++ = count;
            for (; cell != 0; cell = cells->cells[cell].state >> 2)
                for (uint32_t m = 0; m < (cells->cells[cell].state & 3); m++)
                    if (!copy_out_one(worker, cells->cells[cell].members[m], count++))
                        return WINDOW_NO_MEMORY;
        }
    }
    *first = count;
    return WINDOW_DONE;
}

void tile_worker_run(struct tile_worker *worker, struct tile *tile)
{
    worker->tile = tile;
    tile->events[worker->tiling->old].count = tile->records.count = tile->befores.count = 0;
    tile->collisions = tile->hits = tile->passages = tile->crossings = 0;
    tile->outcome = copy_in(worker, &worker->error) ? WINDOW_NO_MEMORY : run(worker);
    if (tile->outcome == WINDOW_DONE)
        tile->outcome = copy_out(worker);
}
