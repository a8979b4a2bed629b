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
 * near.
 *
 * A cell is a little wider than it has to be, by a thousandth and by far more than the rounding
 * of positions: so it does not matter that the time of a crossing is rounded, nor whether a
 * crossing or a collision of the same time comes first.
 */
#include "predictor.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "crossing.h"
#include "model/physics.h"
#include "model/polygons.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct particle) == 64, "a particle is a line of the processor's cache");

/* Room for what is around a particle, in 9 cells and their chains: more is considered in parts. */
enum { MAX_NEIGHBOURS = 2 * CELL_LIST_NEIGHBOURS, NEIGHBOURS = MAX_NEIGHBOURS + LANES_SLACK };

/* Members in the cell of a member; and the part of them that smaller cells must leave at most. */
static const double DEFAULT_CROWDING = 2;
static const double MAX_CROWDING = 6;
static const double MIN_GAIN = 0.9;
/* Cells for points are not smaller than this part of the box: they would cross too many of them. */
static const double MIN_PART = 1e-6;

/* Appends to a list the members in a chain of cells. A list that is full is considered, and begins
 * anew. Returns how many are on it. */
static inline size_t gather_chain(const struct predictor *predictor, uint32_t k,
                                  struct prediction *prediction, const struct cell *cells,
                                  uint32_t first, uint32_t *list, size_t count, int is_latest)
{
    for (uint32_t next = first; next != 0; next = cells[next].state >> 2) {
        if (count + CELL_LIST_MEMBERS + CELL_LIST_SLACK > MAX_NEIGHBOURS) {
            lanes_consider(&predictor->search, k, prediction, list, count, NULL, is_latest);
            count = 0;
        }
        cell_list_gather(&cells[next], 1, list, &count);
    }
    return count;
}

/* gather_chain of what follows on `rows` of 3 cells, `apart` from each other. */
static size_t gather_chains(const struct predictor *predictor, uint32_t k,
                            struct prediction *prediction, uint32_t first, uint32_t apart,
                            uint32_t rows, uint32_t *list, size_t count, int is_latest)
{
    const struct cell *cells = predictor->cell_list.cells;
    for (uint32_t m = 0; m < 3 * rows; m++) {
        const uint32_t cell = first + m / 3 * predictor->cell_list.stride + m % 3 * apart;
        count = gather_chain(predictor, k, prediction, cells, cells[cell].state >> 2, list, count,
                             is_latest);
    }
    return count;
}

/* Gathers those in 3 cells, `apart` from each other. Returns their states. */
COMPILER_INLINE uint32_t gather_line(const struct cell *cell, ptrdiff_t apart, int has_chains,
                                     uint32_t *list, size_t *count)
{
    uint32_t states = cell_list_gather(cell, has_chains, list, count);
    states |= cell_list_gather(cell + apart, has_chains, list, count);
    return states | cell_list_gather(cell + 2 * apart, has_chains, list, count);
}

/*
 * Gathers those in the cell of particle k, without it, and in the 8 around that, from `first`, at
 * its lower left. Returns their states. Written out and without branches: with loops over the cells
 * and their members a run of 10^4 disks takes 1.4 times as long.
 */
COMPILER_INLINE uint32_t gather_around(const struct cell_list *cell_list, uint32_t first,
                                       int has_chains, uint32_t k, uint32_t *list, size_t *count)
{
    const struct cell *row = &cell_list->cells[first];
    uint32_t states = gather_line(row, 1, has_chains, list, count);
    row += cell_list->stride;
    states |= cell_list_gather(row, has_chains, list, count);
    states |= cell_list_gather_others(row + 1, has_chains, k, list, count);
    states |= cell_list_gather(row + 2, has_chains, list, count);
    return states | gather_line(row + cell_list->stride, 1, has_chains, list, count);
}

/* Gathers those around particle k, which is in a cell with 8 neighbours. Returns how many. */
COMPILER_INLINE size_t gather_neighbours(const struct predictor *predictor, uint32_t k,
                                         struct prediction *prediction, uint32_t *list,
                                         int is_latest, int has_large)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const uint32_t first = prediction->cell - cell_list->stride - 1;
    size_t count = 0;
    if (cell_list->overflow_used == 0)
        gather_around(cell_list, first, 0, k, list, &count);
    else if (cell_list_overflows(gather_around(cell_list, first, 1, k, list, &count)))
        count = gather_chains(predictor, k, prediction, first, 1, 3, list, count, is_latest);
    if (has_large)
        count = gather_chain(predictor, k, prediction, predictor->large_disks.nearby.cells,
                             prediction->cell, list, count, is_latest);
    return count;
}

/* Considers those in 3 cells, `apart` from each other. */
COMPILER_INLINE void consider_ahead(const struct predictor *predictor, uint32_t k,
                                    struct prediction *prediction, uint32_t first, uint32_t apart,
                                    int has_large)
{
    uint32_t list[NEIGHBOURS];
    size_t count = 0;
    const struct cell *line = &predictor->cell_list.cells[first];
    if (cell_list_overflows(gather_line(line, (ptrdiff_t)apart, 1, list, &count)))
        count = gather_chains(predictor, k, prediction, first, apart, 1, list, count, 0);
    if (has_large)
        count = gather_chain(predictor, k, prediction, predictor->large_disks.nearby.cells,
                             prediction->cell, list, count, 0);
    lanes_consider(&predictor->search, k, prediction, list, count, NULL, 0);
}

/* The cells in some columns and rows, numbered with those of the border, from 0: at most 3 x 3. */
struct cell_range {
    uint32_t left, right, bottom, top;
};

/* Where columns (or rows) wrap, those of the border are copies of the ones at the other edge.
 * Returns which of `count` it is, and the shift of the images there; `length` is the box's side. */
static inline uint32_t find_wrapped(uint32_t column, uint32_t count, unsigned wraps, double length,
                                    double *shift)
{
    *shift = wraps && column == 0 ? -length : wraps && column == count + 1 ? length : 0;
    return *shift < 0 ? count : *shift > 0 ? 1 : column;
}

/* Considers those in a range of cells, wherever they wrap, one by one. Where cells are folded, it
 * is not known which image of a member is near. */
static void consider_wrapped(const struct predictor *predictor, uint32_t k,
                             struct prediction *prediction, const struct cell_range *range)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &predictor->system->boundary;
    struct list_images images = {.are_all = shape->is_folded};
    for (uint32_t y = range->bottom; y <= range->top; y++) {
        const uint32_t row = find_wrapped(y, shape->rows, shape->wraps & PERIODIC_Y,
                                          boundary->height, &images.shifts[1].y);
        for (uint32_t x = range->left; x <= range->right; x++) {
            const uint32_t column = find_wrapped(x, shape->columns, shape->wraps & PERIODIC_X,
                                                 boundary->width, &images.shifts[1].x);
            uint32_t next = row * cell_list->stride + column;
            for (; next != 0; next = cell_list->cells[next].state >> 2) {
                const struct cell *cell = &cell_list->cells[next];
                prediction_consider_each(predictor->system, k, prediction, cell->members,
                                         cell->state & 3, &images);
            }
        }
    }
}

/* The seam at which a column (or row) of `count` is: 1 for the left (lower) one, -1 for the other
 * one, 2 for both; 0 for none. */
static inline int32_t seam_beside(uint32_t column, uint32_t count, unsigned wraps)
{
    if (!wraps)
        return 0;
    return count == 1 ? 2 : (column == 0) - (column + 1 == count);
}

/* True if cells in this column and row have neighbours across a seam. Folded cells go on behind it,
 * so a particle at rest on the seam may be in the next column: then one more column has. */
static inline int has_seam(const struct cell_list_shape *shape, uint32_t column, uint32_t row)
{
    const uint32_t edge = shape->is_folded ? 2 : 1;
    return (shape->wraps & PERIODIC_X && (column < edge || column + edge >= shape->columns)) ||
           (shape->wraps & PERIODIC_Y && (row < edge || row + edge >= shape->rows));
}

/* Considers those around particle k, which is at a seam, in this column and row. If that is one
 * seam alone, the cells in the line along it come first, then those in the next line, and at last,
 * with images, those at the other edge. */
static void consider_at_seam(const struct predictor *predictor, uint32_t k,
                             struct prediction *prediction, uint32_t column, uint32_t row,
                             int is_latest)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &predictor->system->boundary;
    const int32_t x_seam = seam_beside(column, shape->columns, shape->wraps & PERIODIC_X);
    const int32_t y_seam = seam_beside(row, shape->rows, shape->wraps & PERIODIC_Y);
    const int32_t apart = x_seam ? (int32_t)cell_list->stride : 1;
    const int32_t inward = x_seam + y_seam * (int32_t)cell_list->stride;
    const int32_t lines = (int32_t)(x_seam ? shape->columns : shape->rows);
    const struct cell *line = &cell_list->cells[(int32_t)prediction->cell - apart];
    struct list_images images = {
        .shifts[1] = {-x_seam * boundary->width, -y_seam * boundary->height}};
    uint32_t states = 4; /* not to be considered like this */
    uint32_t list[NEIGHBOURS];
    size_t count = 0;
    if (x_seam * x_seam + y_seam * y_seam == 1 && !shape->is_folded) {
        states = cell_list_gather(line, 1, list, &count);
        states |= cell_list_gather_others(line + apart, 1, k, list, &count);
        states |= cell_list_gather(line + 2 * apart, 1, list, &count);
        states |= gather_line(line + inward, apart, 1, list, &count);
        images.first = count;
        states |= gather_line(line + inward * (lines - 1), apart, 1, list, &count);
    }
    if (cell_list_overflows(states))
        consider_wrapped(predictor, k, prediction,
                         &(struct cell_range){column, column + 2, row, row + 2});
    else
        lanes_consider(&predictor->search, k, prediction, list, count, &images, is_latest);
}

/* Completes a prediction by the crossing, the wall and the polygons before that. */
static inline void consider_borders(const struct predictor *predictor, uint32_t k,
                                    struct prediction *prediction, uint32_t column, uint32_t row,
                                    int is_special, double now)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    int may_meet_wall = 1;
    if (is_special && cell_list->shape.is_folded)
        prediction_set_folded_crossing(predictor->system, k, prediction, cell_list, now);
    else
        may_meet_wall = crossing_set(predictor->system, k, prediction, cell_list, column, row);
    if (may_meet_wall)
        prediction_consider_wall(predictor->system, k, prediction);
    if (is_special && predictor->has_polygons && predictor->has_polygons[prediction->cell])
        prediction_consider_polygons(predictor->system, k, prediction, now);
}

/* `is_special` is a constant in each caller, as in struct predictor. */
COMPILER_INLINE void predict(struct predictor *predictor, uint32_t k, double now, int is_latest,
                             int is_special)
{
    struct prediction *prediction = &predictor->predictions[k];
    const struct cell_list *cell_list = &predictor->cell_list;
    const uint32_t column = cell_list_column(cell_list, prediction->cell);
    const uint32_t row = cell_list_row(cell_list, prediction->cell);
    uint32_t list[NEIGHBOURS];
    prediction_clear(prediction);
    const int is_at_seam = has_seam(&cell_list->shape, column, row);
    const int has_large_disks = is_special && predictor->large_disks.count > 0;
    const int are_inside = has_large_disks && !is_at_seam &&
                           large_disks_have_no_images(&predictor->large_disks, column, row);
    if (is_at_seam) {
        consider_at_seam(predictor, k, prediction, column, row, is_latest);
    } else {
        const size_t count =
            gather_neighbours(predictor, k, prediction, list, is_latest, are_inside);
        lanes_consider(&predictor->search, k, prediction, list, count, NULL, is_latest);
    }
    if (has_large_disks && !are_inside)
        large_disks_consider_near(&predictor->large_disks, k);
    consider_borders(predictor, k, prediction, column, row, is_special, now);
}

void predictor_find_special(struct predictor *predictor)
{
    predictor->is_special = predictor->cell_list.shape.is_folded || predictor->has_polygons ||
                            predictor->large_disks.count > 0;
}

/* `is_latest` is a constant in each caller. */
COMPILER_INLINE void predict_any(struct predictor *predictor, uint32_t k, double now, int is_latest)
{
    if (!predictor->is_special) {
        predict(predictor, k, now, is_latest, 0);
    } else if (!predictor_is_large(predictor, k)) {
        predict(predictor, k, now, is_latest, 1);
    } else {
        large_disks_predict(&predictor->large_disks, k, is_latest);
        if (predictor->has_polygons)
            prediction_consider_polygons(predictor->system, k, &predictor->predictions[k], now);
    }
}

void predictor_predict(struct predictor *predictor, uint32_t k, double now)
{
    predict_any(predictor, k, now, 0);
}

void predictor_predict_latest(struct predictor *predictor, uint32_t k)
{
    predict_any(predictor, k, predictor->system->particles[k].t, 1);
}

/* True if particle k has no special neighbours but large disks, or images of any. */
static inline int has_only_large(const struct predictor *predictor, uint32_t k, uint32_t column,
                                 uint32_t row)
{
    return !predictor->has_polygons && predictor->large_disks.count > 0 &&
           !predictor_is_large(predictor, k) &&
           large_disks_have_no_images(&predictor->large_disks, column, row);
}

/* Step by step for both, so that a processor computes the times of the second one while those of
 * the first, which take long, are not known yet. */
void predictor_predict_pair(struct predictor *predictor, uint32_t a, uint32_t b)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    struct prediction *first = &predictor->predictions[a];
    struct prediction *second = &predictor->predictions[b];
    const uint32_t first_column = cell_list_column(cell_list, first->cell);
    const uint32_t first_row = cell_list_row(cell_list, first->cell);
    const uint32_t second_column = cell_list_column(cell_list, second->cell);
    const uint32_t second_row = cell_list_row(cell_list, second->cell);
    uint32_t first_list[NEIGHBOURS], second_list[NEIGHBOURS];
    const int has_large = predictor->is_special;
    if (has_large ? !has_only_large(predictor, a, first_column, first_row) ||
                        !has_only_large(predictor, b, second_column, second_row)
                  : has_seam(&cell_list->shape, first_column, first_row) ||
                        has_seam(&cell_list->shape, second_column, second_row)) {
        predictor_predict_latest(predictor, a);
        predictor_predict_latest(predictor, b);
        return;
    }
    prediction_clear(first);
    prediction_clear(second);
    const size_t first_count = gather_neighbours(predictor, a, first, first_list, 1, has_large);
    const size_t second_count = gather_neighbours(predictor, b, second, second_list, 1, has_large);
    lanes_consider(&predictor->search, a, first, first_list, first_count, NULL, 1);
    lanes_consider(&predictor->search, b, second, second_list, second_count, NULL, 1);
    consider_borders(predictor, a, first, first_column, first_row, 0, 0);
    consider_borders(predictor, b, second, second_column, second_row, 0, 0);
}

/* How far apart the 3 cells are that come into reach with a crossing: they lie one above the other,
 * or, behind a border above or below, side by side. */
static inline uint32_t apart_ahead(const struct predictor *predictor,
                                   const struct prediction *prediction)
{
    uint32_t is_sideways = (prediction->step == 1) | (prediction->step == -1);
    return 1 + is_sideways * (predictor->cell_list.stride - 1);
}

/* Considers the 3 cells ahead of one in this column and row, wherever the cells wrap. */
static void consider_wrapped_ahead(const struct predictor *predictor, uint32_t k,
                                   struct prediction *prediction, uint32_t column, uint32_t row)
{
    const int32_t step = prediction->step;
    struct cell_range range = {column, column + 2, row, row + 2};
    if (step == 1 || step == -1)
        range.left = range.right = column + 1 + (uint32_t)step;
    else
        range.bottom = range.top = step > 0 ? row + 2 : row;
    consider_wrapped(predictor, k, prediction, &range);
}

void predictor_cross(struct predictor *predictor, uint32_t k, double now)
{
    const struct cell_list_shape *shape = &predictor->cell_list.shape;
    struct prediction *prediction = &predictor->predictions[k];
    if (predictor_is_large(predictor, k)) {
        large_disks_cross(&predictor->large_disks, k);
        if (predictor->has_polygons)
            prediction_consider_polygons(predictor->system, k, prediction, now);
        return;
    }
    cell_list_remove(&predictor->cell_list, prediction->cell, k);
    prediction->cell += (uint32_t)prediction->step;
    if (predictor->is_special && shape->is_folded)
        prediction->cell = cell_list_wrap(&predictor->cell_list, prediction->cell);
    cell_list_add(&predictor->cell_list, prediction->cell, k);
    uint32_t column = cell_list_column(&predictor->cell_list, prediction->cell);
    uint32_t row = cell_list_row(&predictor->cell_list, prediction->cell);
    uint32_t apart = apart_ahead(predictor, prediction);
    uint32_t ahead = prediction->cell + (uint32_t)prediction->step;
    const int is_at_seam = has_seam(shape, column, row);
    const int has_large_disks = predictor->large_disks.count > 0;
    const int are_inside = has_large_disks && !is_at_seam &&
                           large_disks_have_no_images(&predictor->large_disks, column, row);
    if (is_at_seam)
        consider_wrapped_ahead(predictor, k, prediction, column, row);
    else
        consider_ahead(predictor, k, prediction, ahead - apart, apart, are_inside);
    if (has_large_disks && !are_inside)
        large_disks_consider_near(&predictor->large_disks, k);
    consider_borders(predictor, k, prediction, column, row, predictor->is_special, now);
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

void predictor_mark_polygons(const struct cell_list *list, const struct polygon_grid *grid,
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
    predictor_find_special(predictor);
    for (uint32_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double x = physics_coordinate(p->x, p->u, p->t, now);
        double y = physics_coordinate(p->y, p->v, p->t, now);
        uint32_t cell = cell_list_locate(cell_list, x, y);
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
    size_t place = cell_list_order(&predictor->cell_list, predictor->order);
    for (uint32_t k = 0; k < system->count && place < system->count; k++)
        if (large_disks_has(&predictor->large_disks, system_radius(system, &system->particles[k])))
            predictor->order[place++] = k;
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
        const struct particle *p = &system->particles[k];
        if (!(fabs(physics_coordinate(p->x, p->u, p->t, now)) <= most &&
              fabs(physics_coordinate(p->y, p->v, p->t, now)) <= most))
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

void predictor_place(struct predictor *predictor, double now)
{
    struct system *system = predictor->system;
    struct cell_list_shape shape;
    const double contact = 2 * predictor->large_disks.largest;
    const double widest = fmax(contact, predictor->large_disks.side);
    const double longer = fmax(system->boundary.width, system->boundary.height);
    const struct cell_list_margin margin = cell_list_find_margin(system, contact, now);
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
        uint32_t place = calendar->near_count;
        const int has_room = place + chunk->count <= CALENDAR_NEAR;
        for (uint32_t m = 0; m < chunk->count; m++) {
            const uint32_t k = chunk->items[m];
            const double key = predictor->predictions[k].key;
            const uint32_t is_due =
                (uint32_t)(key <= until) & (uint32_t)calendar_is_due(calendar, key);
            if (has_room)
                place = calendar_push(calendar, place, k, key, is_due);
            else if (is_due && !calendar_push_heap(calendar, k, key))
                return -1;
        }
        calendar->near_count = place;
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
