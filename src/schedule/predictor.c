/*
 * The predictions of the cells schedule.
 *
 * The box is cut into cells at least a little wider than the largest disk, so that every disk which
 * a particle can touch is in its own cell or in one of the 8 around it. (Disks so large that this
 * would not pay are treated in large_disks.c.) The particle's event is the earliest collision with
 * any of these disks or with the boundary. When it leaves its cell, 3 new cells come into reach,
 * and only their members are compared with the event that it has. A crossing moves no anchor, so it
 * changes no predicted time.
 *
 * A predicted event need not be mutual. The rule is this: of two neighbours, at least the one that
 * was predicted last has considered their collision, and has that or something earlier as its
 * event. When its partner collides with a third particle first, the prediction is left as it is:
 * stale, which shows in the partner's version when it comes due, and then the particle is predicted
 * anew. So one event for each particle suffices. (Compare B. D. Lubachevsky, How to simulate
 * billiards and similar systems, J. Comput. Phys. 94, 1991, where the particle that has lost its
 * partner is marked at once.)
 *
 * Along a periodic axis the outer cells, too, reach only to the seam. Passing the seam is an event,
 * not a crossing: after it the particle gets a new prediction, from the cells at the other side.
 * Beyond the seam there are images of the particles there, and their cell shows which images are
 * near: entries of lists have codes for them.
 *
 * A cell is a little wider than it has to be, by a thousandth and by far more than the rounding
 * of positions: so it does not matter that the time of a crossing is rounded, nor whether a
 * crossing or a collision of the same time comes first.
 */
#include "predictor.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/polygons.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct particle) == 64, "a particle is a line of the processor's cache");

/* Members in the cell of a member; and the part of them that smaller cells must leave at most. */
static const double DEFAULT_CROWDING = 2;
static const double MAX_CROWDING = 6;
static const double MIN_GAIN = 0.9;
/* Cells for points are not smaller than this part of the box: they would cross too many of them. */
static const double MIN_PART = 1e-6;

/* A particle's column and row; if it is a large disk; if cells around its own are across a seam. */
struct predictor_cell {
    uint32_t column, row;
    int is_large, is_at_seam;
};

/* `is_general` is a constant in each caller, as in struct predictor. */
COMPILER_INLINE struct predictor_cell find_cell(const struct predictor *predictor, uint32_t k,
                                                int is_general)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const uint32_t cell = predictor->predictions[k].cell;
    return (struct predictor_cell){
        cell_list_column(cell_list, cell), cell_list_row(cell_list, cell),
        is_general && predictor_is_large(predictor, k), cell_list_wraps_around(cell_list, cell)};
}

/* Which images a list of neighbours has: those at a seam, or large disks beyond it, are images;
 * which, is not known where cells are folded. */
COMPILER_INLINE enum prediction_images find_images(const struct predictor *predictor,
                                                   const struct predictor_cell *at, int is_general)
{
    const struct large_disks *large_disks = &predictor->large_disks;
    const struct cell_list_shape *shape = &predictor->cell_list.shape;
    if (is_general && large_disks->count > 0 &&
        cell_list_is_at_seam(shape, at->column, at->row, large_disks->seam_columns,
                             large_disks->seam_rows))
        return LIST_HAS_IMAGES;
    if (!at->is_at_seam)
        return LIST_HAS_NO_IMAGES;
    return is_general && shape->is_folded ? LIST_HAS_ALL_IMAGES : LIST_HAS_IMAGES;
}

COMPILER_INLINE void begin_list(const struct predictor *predictor, uint32_t k,
                                const struct predictor_cell *at, int is_latest, int is_general,
                                struct lanes_list *list)
{
    list->search = &predictor->search;
    list->prediction = &predictor->predictions[k];
    list->k = k;
    list->is_latest = is_latest;
    list->images = find_images(predictor, at, is_general);
    list->has_been_full = 0;
}

/* Makes a list of all that may be neighbours of particle k. Most often no cell has a chain: then
 * only the entries are set, and which images they have. */
COMPILER_INLINE void gather(const struct predictor *predictor, uint32_t k,
                            const struct predictor_cell *at, int is_latest, int is_general,
                            struct lanes_list *list)
{
    const uint32_t cell = predictor->predictions[k].cell;
    const struct cell_list *cell_list = &predictor->cell_list;
    const struct large_disks *large_disks = &predictor->large_disks;
    const int has_large = is_general && large_disks->count > 0;
    uint32_t nearby = cell; /* with large disks to be added */
    size_t count = 0;
    if (!(at->is_at_seam | at->is_large)) {
        uint32_t states = cell_list_gather_around(cell_list, cell, k, list->entries, &count);
        const size_t small = count;
        if (has_large) {
            states |= cell_list_gather(&large_disks->nearby.cells[cell], 1, list->entries, &count);
            nearby = large_disks->nearby.cells[cell].state >> 2;
        }
        list->count = count;
        list->images = count == small ? LIST_HAS_ONE_SIZE : find_images(predictor, at, is_general);
        if (!cell_list_overflows(states))
            return;
    }
    begin_list(predictor, k, at, is_latest, is_general, list);
    list->count = count;
    if (at->is_large) {
        large_disks_gather(large_disks, list);
        return;
    }
    if (at->is_at_seam)
        lanes_list_add_images(list, cell_list, cell, 0);
    else
        lanes_list_add_chains(list, cell_list, cell - cell_list->stride - 1, 1, 3);
    if (has_large)
        lanes_list_add(list, large_disks->nearby.cells, nearby, 0);
}

COMPILER_INLINE void consider(const struct predictor *predictor, uint32_t k,
                              const struct predictor_cell *at, int is_latest, int is_general,
                              struct lanes_list *list)
{
    lanes_consider(&predictor->search, k, &predictor->predictions[k], list->entries, list->count,
                   is_general || at->is_at_seam ? list->images : LIST_HAS_NO_IMAGES, is_latest);
}

/* Completes a prediction without an event by the crossing, before others are considered for it: so
 * a processor finds both at the same time. Returns 0 if no wall can be met before. */
COMPILER_INLINE int begin_borders(const struct predictor *predictor, uint32_t k,
                                  const struct predictor_cell *at, int is_general, double now)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    struct prediction *prediction = &predictor->predictions[k];
    if (is_general && predictor->has_slow_crossings) {
        prediction_set_crossing(predictor->system, k, prediction, cell_list, now);
        return 1;
    }
    return at->is_large |
           crossing_set(predictor->system, k, prediction, cell_list, at->column, at->row);
}

/* Completes it by an event that is earlier than the crossing, the wall and the polygons. */
COMPILER_INLINE void end_borders(const struct predictor *predictor, uint32_t k,
                                 const struct predictor_cell *at, int may_meet_wall, int is_general,
                                 double now)
{
    struct prediction *prediction = &predictor->predictions[k];
    prediction->key = prediction->time < prediction->key ? prediction->time : prediction->key;
    if (may_meet_wall || (is_general && predictor->system->boundary.growth > 0))
        prediction_consider_wall(predictor->system, k, prediction);
    if (is_general && predictor->has_polygons &&
        (at->is_large || predictor->has_polygons[prediction->cell]))
        prediction_consider_polygons(predictor->system, k, prediction, now);
}

/* `is_latest`, too, is a constant in each caller. */
COMPILER_INLINE void predict(struct predictor *predictor, uint32_t k, double now, int is_latest,
                             int is_general)
{
    const struct predictor_cell at = find_cell(predictor, k, is_general);
    struct lanes_list list;
    prediction_clear(&predictor->predictions[k]);
    gather(predictor, k, &at, is_latest, is_general, &list);
    const int may_meet_wall = begin_borders(predictor, k, &at, is_general, now);
    consider(predictor, k, &at, is_latest, is_general, &list);
    end_borders(predictor, k, &at, may_meet_wall, is_general, now);
}

static void predict_latest(struct predictor *predictor, uint32_t k)
{
    const double now = predictor->system->particles[k].t;
    if (predictor->is_general)
        predict(predictor, k, now, 1, 1);
    else
        predict(predictor, k, now, 1, 0);
}

/* Step by step for both, so that a processor computes the times of the second one while the times
 * of the first, which take long, are not known yet. */
COMPILER_INLINE void predict_pair(struct predictor *predictor, uint32_t a, uint32_t b,
                                  int is_general)
{
    const double now = predictor->system->particles[a].t;
    const struct predictor_cell a_at = find_cell(predictor, a, is_general);
    const struct predictor_cell b_at = find_cell(predictor, b, is_general);
    struct lanes_list a_list, b_list;
    if (!is_general && (a_at.is_at_seam | b_at.is_at_seam)) {
        predict_latest(predictor, a);
        predict_latest(predictor, b);
        return;
    }
    prediction_clear(&predictor->predictions[a]);
    prediction_clear(&predictor->predictions[b]);
    gather(predictor, a, &a_at, 1, is_general, &a_list);
    gather(predictor, b, &b_at, 1, is_general, &b_list);
    const int a_wall = begin_borders(predictor, a, &a_at, is_general, now);
    const int b_wall = begin_borders(predictor, b, &b_at, is_general, now);
    consider(predictor, a, &a_at, 1, is_general, &a_list);
    consider(predictor, b, &b_at, 1, is_general, &b_list);
    end_borders(predictor, a, &a_at, a_wall, is_general, now);
    end_borders(predictor, b, &b_at, b_wall, is_general, now);
}

void predictor_predict(struct predictor *predictor, uint32_t k, double now)
{
    if (predictor->is_general)
        predict(predictor, k, now, 0, 1);
    else
        predict(predictor, k, now, 0, 0);
}

COMPILER_UNGUARDED void predictor_predict_latest(struct predictor *predictor, uint32_t a,
                                                 uint32_t b)
{
    if (a == b)
        predict_latest(predictor, a);
    else if (predictor->is_general)
        predict_pair(predictor, a, b, 1);
    else
        predict_pair(predictor, a, b, 0);
}

/* Considers what comes into reach of particle k, which has come from another cell: 3 cells one
 * above the other or, behind a border above or below, side by side. */
COMPILER_INLINE void consider_ahead(const struct predictor *predictor, uint32_t k, uint32_t from,
                                    const struct predictor_cell *at, int is_general)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    struct prediction *prediction = &predictor->predictions[k];
    const uint32_t is_sideways = (prediction->step == 1) | (prediction->step == -1);
    const uint32_t apart = 1 + is_sideways * (cell_list->stride - 1);
    const uint32_t first = prediction->cell + (uint32_t)prediction->step - apart;
    struct lanes_list list;
    size_t count = 0;
    const uint32_t states =
        cell_list_gather_line(&cell_list->cells[first], (ptrdiff_t)apart, 1, list.entries, &count);
    const int may_meet_large = is_general && predictor->large_disks.count > 0 &&
                               predictor->large_disks.nearby.cells[prediction->cell].state > 0;
    list.count = count;
    list.images = LIST_HAS_ONE_SIZE;
    if (may_meet_large | at->is_at_seam | cell_list_overflows(states)) {
        begin_list(predictor, k, at, 0, is_general, &list);
        list.count = at->is_at_seam ? 0 : count;
        if (at->is_at_seam)
            lanes_list_add_images(&list, cell_list, prediction->cell,
                                  list.images == LIST_HAS_ALL_IMAGES ? 0 : prediction->step);
        else if (cell_list_overflows(states))
            lanes_list_add_chains(&list, cell_list, first, apart, 1);
        const size_t small = list.count;
        if (may_meet_large)
            large_disks_enter(&predictor->large_disks, k, from, prediction->cell, &list);
        if (list.count == small && !(at->is_at_seam | list.has_been_full))
            list.images = LIST_HAS_ONE_SIZE;
    }
    consider(predictor, k, at, 0, is_general, &list);
}

COMPILER_UNGUARDED void predictor_cross(struct predictor *predictor, uint32_t k, double now)
{
    struct prediction *prediction = &predictor->predictions[k];
    const uint32_t from = prediction->cell;
    if (predictor_is_large(predictor, k)) {
        large_disks_move(&predictor->large_disks, k, from, from + (uint32_t)prediction->step);
        prediction->cell += (uint32_t)prediction->step;
        predictor_predict(predictor, k, now);
        return;
    }
    cell_list_remove(&predictor->cell_list, from, k);
    prediction->cell += (uint32_t)prediction->step;
    if (predictor->is_general && predictor->cell_list.shape.is_folded)
        prediction->cell = cell_list_wrap(&predictor->cell_list, prediction->cell);
    cell_list_add(&predictor->cell_list, prediction->cell, k);
    const struct predictor_cell at = find_cell(predictor, k, predictor->is_general);
    consider_ahead(predictor, k, from, &at, predictor->is_general);
    const int is_general = predictor->is_general;
    end_borders(predictor, k, &at, begin_borders(predictor, k, &at, is_general, now), is_general,
                now);
}

void predictor_find_general(struct predictor *predictor)
{
    const struct boundary *boundary = &predictor->system->boundary;
    const int is_slow = boundary->gravity.acts || boundary->growth > 0 || boundary->shake.acts;
    predictor->has_slow_crossings =
        predictor->cell_list.shape.is_folded || boundary->gravity.acts || boundary->shake.acts;
    predictor->is_general = predictor->cell_list.shape.is_folded || predictor->has_polygons ||
                            predictor->large_disks.count > 0 || is_slow;
    int has_one_size = predictor->large_disks.count > 0 && !is_slow; /* of small disks */
    for (size_t k = 0; k < predictor->system->kind_count && has_one_size; k++)
        has_one_size = predictor->system->kinds[k].radius >= predictor->large_disks.largest;
    if (has_one_size) {
        predictor->search.contact = 2 * predictor->large_disks.largest;
        predictor->search.attempts[LIST_HAS_ONE_SIZE] = predictor->search.lanes->one_size;
    }
}

void predictor_move(struct predictor *predictor, uint32_t k, uint32_t cell)
{
    struct prediction *prediction = &predictor->predictions[k];
    if (predictor_is_large(predictor, k)) {
        large_disks_move(&predictor->large_disks, k, prediction->cell, 0);
        large_disks_move(&predictor->large_disks, k, 0, cell);
    } else {
        cell_list_remove(&predictor->cell_list, prediction->cell, k);
        cell_list_add(&predictor->cell_list, cell, k);
        if (predictor->large_disks.count > 0)
            large_disks_enter(&predictor->large_disks, k, prediction->cell, cell, NULL);
    }
    prediction->cell = cell;
}

/* Fetches the cells around one; or, once they are there, their members. */
static inline void fetch_around(const struct predictor *predictor, uint32_t cell, int members)
{
    const struct particle *particles = predictor->system->particles;
    const struct cell *cells = predictor->cell_list.cells;
    const uint32_t stride = predictor->cell_list.stride;
    if (!members && predictor->large_disks.count > 0)
        COMPILER_PREFETCH(&predictor->large_disks.nearby.cells[cell]);
    for (uint32_t row = cell - stride - 1; row <= cell + stride - 1; row += stride) {
        if (!members)
            COMPILER_PREFETCH(&cells[row]);
        for (uint32_t m = 0; members && m < 3; m++)
            for (uint32_t n = 0; n < 2; n++) /* most cells have no more; or it is any particle */
                COMPILER_PREFETCH(&particles[cells[row + m].members[n]]);
    }
}

void predictor_fetch(const struct predictor *predictor, uint32_t k, enum predictor_step step)
{
    const struct prediction *prediction = &predictor->predictions[k];
    if (step == PREDICTOR_FETCH_PREDICTION) {
        COMPILER_PREFETCH(prediction);
        COMPILER_PREFETCH(&predictor->system->particles[k]);
    } else if (predictor->cell_list.shape.is_folded) {
        return; /* where it is folded, cells around one at an edge would have to be looked for */
    } else {
        const int is_pair = event_partner(prediction->partner) == PARTNER_PARTICLE;
        const uint32_t partner = is_pair ? (uint32_t)prediction->partner : k;
        if (step == PREDICTOR_FETCH_CELLS) {
            fetch_around(predictor, prediction->cell, 0);
            COMPILER_PREFETCH(&predictor->predictions[partner]);
            COMPILER_PREFETCH(&predictor->system->particles[partner]);
        } else {
            fetch_around(predictor, prediction->cell, 1);
            fetch_around(predictor, predictor->predictions[partner].cell, 0);
            COMPILER_PREFETCH(&predictor->system->counts[k]);
            COMPILER_PREFETCH(&predictor->system->counts[partner]);
        }
    }
}

/* ---- Where the particles are put, at the start and from time to time, as they spread ---- */

/* How many of `count` columns (or rows) `length` reaches into, from `first` to `last`. */
static uint32_t count_columns(const struct cell_list_shape *shape, uint32_t first, uint32_t last,
                              uint32_t count, double length, double side)
{
    if (!shape->is_folded)
        return last - first + 1;
    return (uint32_t)fmin(ceil(length / side) + 1, count);
}

void predictor_mark_polygons(const struct cell_list *list, const struct grid *grid,
                             unsigned char *has_polygons)
{
    const struct cell_list_shape *shape = &list->shape;
    memset(has_polygons, 0, ((size_t)shape->columns + 2) * ((size_t)shape->rows + 2));
    for (uint32_t k = 0; k < grid->columns * grid->rows; k++) {
        if (grid->first[k] == grid->first[k + 1])
            continue;
        const double x = k % grid->columns * grid->width;
        const double y = (double)(k / grid->columns) * grid->height;
        const uint32_t first = cell_list_locate(list, x, y);
        const uint32_t last = cell_list_locate(list, x + grid->width, y + grid->height);
        const uint32_t left = cell_list_column(list, first);
        const uint32_t bottom = cell_list_row(list, first);
        const uint32_t columns = count_columns(shape, left, cell_list_column(list, last),
                                               shape->columns, grid->width, shape->width);
        const uint32_t rows = count_columns(shape, bottom, cell_list_row(list, last), shape->rows,
                                            grid->height, shape->height);
        for (uint32_t row = bottom; row < bottom + rows; row++)
            for (uint32_t column = left; column < left + columns; column++)
                has_polygons[cell_list_at(list, column % shape->columns, row % shape->rows)] = 1;
    }
}

static void place_all(struct predictor *predictor, const struct cell_list_shape *shape,
                      double margin, double now)
{
    struct system *system = predictor->system;
    struct cell_list *cell_list = &predictor->cell_list;
    cell_list_reset(cell_list, shape);
    if (predictor->has_polygons)
        predictor_mark_polygons(cell_list, &system->boundary.polygons->grid,
                                predictor->has_polygons);
    large_disks_reset(&predictor->large_disks, cell_list, margin);
    predictor_find_general(predictor);
    for (uint32_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const struct motion at = cell_list_place(system, p, now);
        uint32_t cell = cell_list_locate(cell_list, at.x, at.y);
        predictor->predictions[k].cell = cell;
        if (large_disks_has(&predictor->large_disks, system_radius(system, p)))
            large_disks_move(&predictor->large_disks, k, 0, cell);
        else
            cell_list_add(cell_list, cell, k);
    }
}

/* Cell by cell, then the large disks. */
static void find_order(struct predictor *predictor)
{
    const struct system *system = predictor->system;
    size_t index = cell_list_order(&predictor->cell_list, predictor->order);
    for (uint32_t k = 0; k < system->count && index < system->count; k++)
        if (large_disks_has(&predictor->large_disks, system_radius(system, &system->particles[k])))
            predictor->order[index++] = k;
}

/*
 * True if every particle is in the box or a little outside. Those of a forged checkpoint may be so
 * far away that the last digit of a coordinate is more than a folded cell: that would be crossed
 * without end.
 */
static int are_near(const struct system *system, double margin, double now)
{
    const double most = 2 * fmax(system->boundary.width, system->boundary.height) + margin;
    for (size_t k = 0; k < system->count; k++) {
        const struct motion at = cell_list_place(system, &system->particles[k], now);
        if (!(fabs(at.x) <= most && fabs(at.y) <= most))
            return 0;
    }
    return 1;
}

/*
 * Makes cells smaller, and folds them, as long as they are crowded: each time by the factor that
 * would be enough if members were spread evenly over their cells. Systems with large disks, whose
 * covered columns depend on the cells, are not folded.
 */
static void refine(struct predictor *predictor, struct cell_list_shape *shape, double least,
                   double margin, double now)
{
    const struct system *system = predictor->system;
    struct cell_list_shape finer = *shape;
    double least_crowding = cell_list_crowding(&predictor->cell_list, system->count);
    double crowding = least_crowding;
    if (crowding > MAX_CROWDING && !are_near(system, margin, now))
        return;
    while (crowding > MAX_CROWDING && predictor->large_disks.count == 0 &&
           cell_list_refine(&system->boundary, &finer, fmin(0.5, sqrt(DEFAULT_CROWDING / crowding)),
                            least)) {
        place_all(predictor, &finer, margin, now);
        crowding = cell_list_crowding(&predictor->cell_list, system->count);
        if (crowding < MIN_GAIN * least_crowding) {
            least_crowding = crowding;
            *shape = finer;
        }
    }
    if (finer.width < shape->width || finer.height < shape->height) /* the last try did not help */
        place_all(predictor, shape, margin, now);
}

void predictor_choose_cells(struct predictor *predictor, double now)
{
    struct system *system = predictor->system;
    struct cell_list_shape shape;
    const double longer = fmax(system->boundary.width, system->boundary.height);
    const struct cell_list_margin margin =
        cell_list_find_margin(system, 2 * predictor->large_disks.largest, now, NULL);
    const double widest = fmax(margin.contact, predictor->large_disks.side);
    const double least = cell_list_least_side(widest, margin.length);
    predictor->valid_until = margin.until;
    cell_list_choose_shape(system, least, now, &shape);
    place_all(predictor, &shape, margin.length, now);
    refine(predictor, &shape, widest > 0 ? least : fmax(least, MIN_PART * longer), margin.length,
           now);
    find_order(predictor);
    cell_list_permute(system, predictor->order);
    place_all(predictor, &shape, margin.length, now);
}

/* ---- The order of predictions, and the predictor ---- */

uint64_t predictor_rank(const void *user, uint32_t k, double time)
{
    const struct predictor *predictor = user;
    const struct prediction *prediction = &predictor->predictions[k];
    return prediction->key == time ? prediction_rank(predictor->system, k, prediction) : UINT64_MAX;
}

int predictor_fill_front(const struct predictor *predictor, struct calendar *calendar, double until)
{
    const struct calendar_chunk *chunk = calendar_next_slice(calendar);
    if (!chunk)
        return 0;
    for (; chunk; chunk = calendar_more(calendar, chunk)) {
        uint32_t slot = calendar->near_count;
        const int has_room = slot + chunk->count <= CALENDAR_NEAR;
        for (uint32_t m = 0; m < chunk->count; m++) {
            const uint32_t k = chunk->items[m];
            const double key = predictor->predictions[k].key;
            const uint32_t is_due =
                (uint32_t)(key <= until) & (uint32_t)calendar_is_due(calendar, key);
            if (has_room)
                slot = calendar_push(calendar, slot, k, key, is_due);
            else if (is_due && !calendar_push_heap(calendar, k, key))
                return -1;
        }
        calendar->near_count = slot;
    }
    calendar_sort(calendar);
    return 1;
}

enum status predictor_create(struct predictor *predictor, struct system *system,
                             struct error *error)
{
    size_t count = system->count;
    size_t cells = cell_list_most_cells(count);
    *predictor = (struct predictor){.system = system, .search = lanes_choose(system, LANES_MAX)};
    enum status status = large_disks_create(&predictor->large_disks, system, cells, error);
    if (!status)
        status = cell_list_create(&predictor->cell_list, cells, count, error);
    if (status)
        return status;
    predictor->predictions =
        memory_allocate_lines(count, sizeof *predictor->predictions, "the predictions", error);
    predictor->large_disks.predictions = predictor->predictions;
    predictor->order = memory_allocate(count, sizeof *predictor->order, "the order", error);
    if (system->boundary.polygons)
        predictor->has_polygons = memory_allocate(cells, 1, "the cells near polygons", error);
    if (!predictor->predictions || !predictor->order ||
        (system->boundary.polygons && !predictor->has_polygons))
        return STATUS_NO_MEMORY;
    memset(predictor->predictions, 0,
           count * sizeof *predictor->predictions); /* versions are kept by bits */
    return STATUS_DONE;
}

void predictor_free(struct predictor *predictor)
{
    cell_list_free(&predictor->cell_list);
    large_disks_free(&predictor->large_disks);
    memory_free(predictor->predictions);
    memory_free(predictor->has_polygons);
    memory_free(predictor->order);
    *predictor = (struct predictor){0};
}
