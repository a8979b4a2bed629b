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
 * anew. So one event a particle suffices. (Compare B. D. Lubachevsky, How to simulate billiards and
 * similar systems, J. Comput. Phys. 94, 1991, where the particle that has lost its partner is
 * marked at once.)
 *
 * Along a periodic axis the outer cells, too, reach only to the seam, which ends them as an event
 * of the particle's own: the predictions that are then made anew are those of the cell at the other
 * side. Across the seam are images of the particles there, and which of them are near follows from
 * their cell.
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
#include "model/polygon_grid.h"

#include <string.h>

_Static_assert(sizeof(struct particle) == 64, "a particle is a line of the processor's cache");

/* Room for what is around a particle. */
enum { NEIGHBOURS = CELL_LIST_NEIGHBOURS + LANES_SLACK };

/* Considers all on a list, see lanes.h. */
static inline void consider_list(const struct predictor *predictor, uint32_t k,
                                 struct prediction *prediction, uint32_t *list, size_t count,
                                 int is_latest, const struct shift *shifts)
{
    lanes_attempt *attempt = shifts ? predictor->lanes->attempts[LANES_IMAGES][is_latest]
                                    : predictor->attempts[is_latest];
    lanes_consider(attempt, &predictor->search, k, prediction, list, count, shifts);
}

/*
 * Appends to a list what stands in the chains of `rows` of 3 cells, `apart` from each other. A list
 * that is full is considered, and begins anew. Returns how many are on it.
 */
static size_t gather_chains(const struct predictor *predictor, uint32_t k,
                            struct prediction *prediction, uint32_t first, uint32_t apart,
                            uint32_t rows, uint32_t *list, size_t count)
{
    const struct cell *cells = predictor->cell_list.cells;
    for (uint32_t m = 0; m < 3 * rows; m++) {
        const uint32_t cell = first + m / 3 * predictor->cell_list.stride + m % 3 * apart;
        for (uint32_t next = cells[cell].state >> 2; next != 0; next = cells[next].state >> 2) {
            if (count + CELL_LIST_MEMBERS + CELL_LIST_SLACK > CELL_LIST_NEIGHBOURS) {
                consider_list(predictor, k, prediction, list, count, 0, NULL);
                count = 0;
            }
            cell_list_gather(&cells[next], 1, list, &count);
        }
    }
    return count;
}

/*
 * Gathers those in the cell of particle k, without it, and in the 8 around that, `first` being the
 * one at its lower left. Returns their states. Written out and without branches: with loops over
 * the cells and their members a run of 10^4 disks takes 1.4 times as long.
 */
COMPILER_INLINE uint32_t gather_around(const struct cell_list *cell_list, uint32_t first,
                                       int has_chains, uint32_t k, uint32_t *list, size_t *count)
{
    const struct cell *row = &cell_list->cells[first];
    uint32_t states = cell_list_gather(row, has_chains, list, count);
    states |= cell_list_gather(row + 1, has_chains, list, count);
    states |= cell_list_gather(row + 2, has_chains, list, count);
    row += cell_list->stride;
    states |= cell_list_gather(row, has_chains, list, count);
    states |= cell_list_gather_others(row + 1, has_chains, k, list, count);
    states |= cell_list_gather(row + 2, has_chains, list, count);
    row += cell_list->stride;
    states |= cell_list_gather(row, has_chains, list, count);
    states |= cell_list_gather(row + 1, has_chains, list, count);
    states |= cell_list_gather(row + 2, has_chains, list, count);
    return states;
}

/* Considers the collisions of particle k with those in its own cell and in the 8 around it. */
COMPILER_INLINE void consider_around(const struct predictor *predictor, uint32_t k,
                                     struct prediction *prediction, int is_latest)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const uint32_t first = prediction->cell - cell_list->stride - 1;
    uint32_t list[NEIGHBOURS];
    size_t count = 0;
    if (cell_list->overflow_used == 0)
        gather_around(cell_list, first, 0, k, list, &count);
    else if (cell_list_overflows(gather_around(cell_list, first, 1, k, list, &count)))
        count = gather_chains(predictor, k, prediction, first, 1, 3, list, count);
    consider_list(predictor, k, prediction, list, count, is_latest, NULL);
}

/* The same for 3 cells, `apart` from each other. */
COMPILER_INLINE void consider_ahead(const struct predictor *predictor, uint32_t k,
                                    struct prediction *prediction, uint32_t first, uint32_t apart)
{
    uint32_t list[NEIGHBOURS];
    size_t count = 0;
    const struct cell *cell = &predictor->cell_list.cells[first];
    uint32_t states = cell_list_gather(cell, 1, list, &count);
    states |= cell_list_gather(cell + apart, 1, list, &count);
    states |= cell_list_gather(cell + 2 * apart, 1, list, &count);
    if (cell_list_overflows(states))
        count = gather_chains(predictor, k, prediction, first, apart, 1, list, count);
    consider_list(predictor, k, prediction, list, count, 0, NULL);
}

/* The cells in some columns and rows, numbered with those of the border, from 0: at most 3 x 3. */
struct range {
    uint32_t left, right, bottom, top;
};

/*
 * Where columns (or rows) from `first` to `last` stand: those of the border, where they wrap, at
 * the other edge; `count` are between them. And how far the images of their members that are near
 * are from themselves, `length` being that of all columns.
 */
static inline void find_wrapped(uint32_t first, uint32_t last, uint32_t count, unsigned wraps,
                                double length, uint32_t columns[3], double shifts[3])
{
    for (uint32_t column = first; column <= last; column++) {
        columns[column - first] = column;
        shifts[column - first] = 0;
    }
    if (wraps && first == 0) {
        columns[0] = count;
        shifts[0] = -length;
    }
    if (wraps && last == count + 1) {
        columns[last - first] = 1;
        shifts[last - first] = length;
    }
}

/*
 * The same where the cells wrap at seams: beyond these, the images of members. Particle k may be
 * among them, which never meets itself.
 */
COMPILER_INLINE void consider_across_seams(const struct predictor *predictor, uint32_t k,
                                           struct prediction *prediction, const struct range *range,
                                           int is_latest)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &predictor->system->boundary;
    uint32_t columns[3];
    uint32_t rows[3];
    double x_shifts[3];
    double y_shifts[3];
    uint32_t list[NEIGHBOURS];
    struct shift shifts[NEIGHBOURS];
    size_t count = 0;
    find_wrapped(range->left, range->right, shape->columns, shape->wraps & PERIODIC_X,
                 boundary->width, columns, x_shifts);
    find_wrapped(range->bottom, range->top, shape->rows, shape->wraps & PERIODIC_Y,
                 boundary->height, rows, y_shifts);
    for (uint32_t y = 0; y <= range->top - range->bottom; y++) {
        for (uint32_t x = 0; x <= range->right - range->left; x++) {
            const struct shift shift = {x_shifts[x], y_shifts[y]};
            uint32_t cell = rows[y] * cell_list->stride + columns[x];
            for (size_t m = 0; m < CELL_LIST_MEMBERS; m++)
                shifts[count + m] = shift;
            if (cell_list_overflows(cell_list_gather(&cell_list->cells[cell], 1, list, &count)))
                prediction_consider_chain(predictor->system, k, prediction, cell_list, cell,
                                          &shift);
        }
    }
    memset(&shifts[count], 0, LANES_SLACK * sizeof *shifts);
    consider_list(predictor, k, prediction, list, count, is_latest, shifts);
}

/* The same where the cells are folded: it is not known which image of a member is near. */
static void consider_folded(const struct predictor *predictor, uint32_t k,
                            struct prediction *prediction, const struct range *range)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    for (uint32_t row = range->bottom; row <= range->top; row++) {
        for (uint32_t column = range->left; column <= range->right; column++) {
            uint32_t cell = cell_list_wrap(cell_list, row * cell_list->stride + column);
            while (cell != 0) {
                const struct cell *members = &cell_list->cells[cell];
                prediction_consider_images(predictor->system, k, prediction, members->members,
                                           members->state & 3);
                cell = members->state >> 2;
            }
        }
    }
}

/* The same wherever the cells wrap. */
static void consider_wrapped(const struct predictor *predictor, uint32_t k,
                             struct prediction *prediction, const struct range *range,
                             int is_latest)
{
    if (predictor->cell_list.shape.is_folded)
        consider_folded(predictor, k, prediction, range);
    else if (is_latest)
        consider_across_seams(predictor, k, prediction, range, 1);
    else
        consider_across_seams(predictor, k, prediction, range, 0);
}

/* Whether a cell has 8 neighbours in this column and row, and the box ends beyond them. */
static inline int is_inner(const struct cell_list_shape *shape, uint32_t column, uint32_t row)
{
    return column - 1 < shape->columns - 2 && row - 1 < shape->rows - 2 && column > 0 && row > 0;
}

static int has_special_borders(const struct predictor *predictor, uint32_t cell)
{
    return predictor->cell_list.shape.is_folded ||
           (predictor->has_polygons && predictor->has_polygons[cell]);
}

/* Completes a prediction where the cells are folded or polygons are near. */
static void consider_special_borders(const struct predictor *predictor, uint32_t k,
                                     struct prediction *prediction, uint32_t column, uint32_t row,
                                     double now)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    if (cell_list->shape.is_folded || !is_inner(&cell_list->shape, column, row))
        prediction_consider_wall(predictor->system, k, prediction);
    if (cell_list->shape.is_folded)
        prediction_set_folded_crossing(predictor->system, k, prediction, cell_list, now);
    else
        crossing_set(predictor->system, k, prediction, cell_list, column, row);
    if (predictor->has_polygons && predictor->has_polygons[prediction->cell])
        prediction_consider_polygons(predictor->system, k, prediction, now);
}

/*
 * Completes a prediction by the wall, the crossing and the polygons before that. A particle in an
 * inner cell meets a border of that cell before it meets a wall or a seam.
 */
static inline void consider_borders(const struct predictor *predictor, uint32_t k,
                                    struct prediction *prediction, uint32_t column, uint32_t row,
                                    int is_special, double now)
{
    const struct cell_list *cell_list = &predictor->cell_list;
    if (is_special && has_special_borders(predictor, prediction->cell)) {
        consider_special_borders(predictor, k, prediction, column, row, now);
        return;
    }
    if (!is_inner(&cell_list->shape, column, row))
        prediction_consider_wall(predictor->system, k, prediction);
    crossing_set(predictor->system, k, prediction, cell_list, column, row);
}

/* With `is_special`, a constant, 0 where nothing is. */
COMPILER_INLINE void predict(struct predictor *predictor, uint32_t k, double now, int is_latest,
                             int is_special)
{
    struct prediction *prediction = &predictor->predictions[k];
    const struct cell_list *cell_list = &predictor->cell_list;
    uint32_t column = cell_list_column(&predictor->cell_list, prediction->cell);
    uint32_t row = cell_list_row(&predictor->cell_list, prediction->cell);
    prediction_clear(prediction);
    if (is_special && cell_list->shape.wraps && !is_inner(&cell_list->shape, column, row))
        consider_wrapped(predictor, k, prediction,
                         &(struct range){column, column + 2, row, row + 2}, is_latest);
    else
        consider_around(predictor, k, prediction, is_latest);
    if (is_special && predictor->large_disks.count > 0)
        large_disks_consider_cell(&predictor->large_disks, predictor->system, prediction->cell, k,
                                  prediction);
    consider_borders(predictor, k, prediction, column, row, is_special, now);
}

static void predict_large(struct predictor *predictor, uint32_t k, double now)
{
    struct prediction *prediction = &predictor->predictions[k];
    large_disks_predict(&predictor->large_disks, predictor->system, &predictor->cell_list, k,
                        prediction);
    if (predictor->has_polygons)
        prediction_consider_polygons(predictor->system, k, prediction, now);
}

void predictor_find_special(struct predictor *predictor)
{
    predictor->is_special = predictor->cell_list.shape.wraps || predictor->has_polygons ||
                            predictor->large_disks.count > 0;
}

static void predict_special(struct predictor *predictor, uint32_t k, double now, int is_latest)
{
    if (predictor_is_large(predictor, k))
        predict_large(predictor, k, now);
    else if (is_latest)
        predict(predictor, k, now, 1, 1);
    else
        predict(predictor, k, now, 0, 1);
}

void predictor_predict(struct predictor *predictor, uint32_t k, double now)
{
    if (predictor->is_special)
        predict_special(predictor, k, now, 0);
    else
        predict(predictor, k, now, 0, 0);
}

void predictor_predict_latest(struct predictor *predictor, uint32_t k)
{
    const double now = predictor->system->particles[k].t;
    if (predictor->is_special)
        predict_special(predictor, k, now, 1);
    else
        predict(predictor, k, now, 1, 0);
}

/*
 * How far apart the 3 cells are that come into reach with a crossing: they lie one above the other,
 * or, behind a border above or below, side by side.
 */
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
    struct range range = {column, column + 2, row, row + 2};
    if (step == 1 || step == -1)
        range.left = range.right = column + 1 + (uint32_t)step;
    else
        range.bottom = range.top = step > 0 ? row + 2 : row;
    consider_wrapped(predictor, k, prediction, &range, 0);
}

static inline void cross(struct predictor *predictor, uint32_t k, double now)
{
    const struct cell_list_shape *shape = &predictor->cell_list.shape;
    struct prediction *prediction = &predictor->predictions[k];
    cell_list_remove(&predictor->cell_list, prediction->cell, k);
    prediction->cell += (uint32_t)prediction->step;
    if (predictor->is_special && shape->is_folded)
        prediction->cell = cell_list_wrap(&predictor->cell_list, prediction->cell);
    cell_list_add(&predictor->cell_list, prediction->cell, k);
    uint32_t column = cell_list_column(&predictor->cell_list, prediction->cell);
    uint32_t row = cell_list_row(&predictor->cell_list, prediction->cell);
    uint32_t apart = apart_ahead(predictor, prediction);
    uint32_t ahead = prediction->cell + (uint32_t)prediction->step;
    if (predictor->is_special && shape->wraps && !is_inner(shape, column, row))
        consider_wrapped_ahead(predictor, k, prediction, column, row);
    else
        consider_ahead(predictor, k, prediction, ahead - apart, apart);
    if (predictor->is_special && predictor->large_disks.count > 0)
        large_disks_consider_cell(&predictor->large_disks, predictor->system, prediction->cell, k,
                                  prediction);
    consider_borders(predictor, k, prediction, column, row, predictor->is_special, now);
}

static void cross_large(struct predictor *predictor, uint32_t k, double now)
{
    struct prediction *prediction = &predictor->predictions[k];
    large_disks_cross(&predictor->large_disks, predictor->system, &predictor->cell_list, k,
                      prediction);
    if (predictor->has_polygons)
        prediction_consider_polygons(predictor->system, k, prediction, now);
}

void predictor_cross(struct predictor *predictor, uint32_t k, double now)
{
    if (predictor_is_large(predictor, k))
        cross_large(predictor, k, now);
    else
        cross(predictor, k, now);
}

void predictor_pass_seam(struct predictor *predictor, uint32_t k)
{
    const struct particle *p = &predictor->system->particles[k];
    struct prediction *prediction = &predictor->predictions[k];
    uint32_t cell = cell_list_locate(&predictor->cell_list, p->x, p->y);
    if (predictor_is_large(predictor, k)) {
        large_disks_move(&predictor->large_disks, &predictor->cell_list, p->kind, k,
                         prediction->cell, cell);
    } else {
        cell_list_remove(&predictor->cell_list, prediction->cell, k);
        cell_list_add(&predictor->cell_list, cell, k);
    }
    prediction->cell = cell;
}

/* The members of 3 cells, `apart` from each other; where there are fewer, any particle. */
static inline void fetch_members(const struct predictor *predictor, uint32_t first, uint32_t apart)
{
    const struct particle *particles = predictor->system->particles;
    const struct cell *cells = predictor->cell_list.cells;
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t n = 0; n < 2; n++) /* most cells have no more */
            COMPILER_PREFETCH(&particles[cells[first + m * apart].members[n]]);
}

/* The cells around one, or their members. */
static inline void fetch_around(const struct predictor *predictor, uint32_t cell, int members)
{
    const uint32_t stride = predictor->cell_list.stride;
    for (uint32_t row = cell - stride - 1; row <= cell + stride - 1; row += stride) {
        if (members)
            fetch_members(predictor, row, 1);
        else
            COMPILER_PREFETCH(&predictor->cell_list.cells[row]);
    }
}

/* The cells that a crossing touches and those ahead of it; or the members of the latter. */
static inline void fetch_ahead(const struct predictor *predictor,
                               const struct prediction *prediction, int members)
{
    uint32_t apart = apart_ahead(predictor, prediction);
    uint32_t first = prediction->cell + 2 * (uint32_t)prediction->step - apart;
    if (members) {
        fetch_members(predictor, first, apart);
    } else {
        const struct cell *cells = predictor->cell_list.cells;
        COMPILER_PREFETCH(&cells[prediction->cell]);
        COMPILER_PREFETCH(&cells[prediction->cell + (uint32_t)prediction->step]);
        for (uint32_t m = 0; m < 3; m++)
            COMPILER_PREFETCH(&cells[first + m * apart]);
    }
}

/* The polygons' grid where a particle will be when its prediction comes due, and what it lists. */
static void fetch_polygons(const struct predictor *predictor, uint32_t k, enum predictor_step step)
{
    const struct prediction *prediction = &predictor->predictions[k];
    const struct particle *p = &predictor->system->particles[k];
    const struct polygons *polygons = predictor->system->boundary.polygons;
    const struct polygon_grid *grid = polygons->grid;
    if (step == PREDICTOR_FETCH_PREDICTION || !predictor->has_polygons[prediction->cell])
        return;
    const size_t cell =
        polygon_grid_cell(grid, physics_coordinate(p->x, p->u, p->t, prediction->key),
                          physics_coordinate(p->y, p->v, p->t, prediction->key));
    if (step == PREDICTOR_FETCH_CELLS)
        COMPILER_PREFETCH(&grid->first[cell]);
    else if (step == PREDICTOR_FETCH_MEMBERS)
        COMPILER_PREFETCH(&grid->places[grid->first[cell]]);
    else
        for (uint32_t m = grid->first[cell]; m < grid->first[cell + 1]; m++)
            COMPILER_PREFETCH(&polygons->sides[polygons_side(grid->places[m].feature)]);
}

void predictor_fetch(const struct predictor *predictor, uint32_t k, enum predictor_step step)
{
    if (predictor->has_polygons)
        fetch_polygons(predictor, k, step);
    const struct prediction *prediction = &predictor->predictions[k];
    if (step == PREDICTOR_FETCH_PREDICTION) {
        COMPILER_PREFETCH(prediction);
        COMPILER_PREFETCH(&predictor->system->particles[k]);
    } else if (step == PREDICTOR_FETCH_SIDES || predictor->cell_list.shape.is_folded) {
        return; /* where it is folded, cells around one at an edge would have to be looked for */
    } else if (prediction->key < prediction->time) {
        fetch_ahead(predictor, prediction, step == PREDICTOR_FETCH_MEMBERS);
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

void predictor_renew(struct predictor *predictor, double now)
{
    predictor_place(predictor, now);
    for (uint32_t k = 0; k < predictor->system->count; k++)
        predictor_predict(predictor, k, now);
}

static uint64_t rank(const void *user, uint32_t k)
{
    const struct predictor *predictor = user;
    return prediction_rank(predictor->system, k, &predictor->predictions[k]);
}

/* Whether this is what particle k does next, as it is: a collision with `partner`. */
static int is_next_with(const struct predictor *predictor, uint32_t k, uint32_t partner)
{
    const struct prediction *prediction = &predictor->predictions[k];
    return prediction->partner == (int32_t)partner &&
           prediction->version == predictor->system->particles[partner].version &&
           prediction->key == prediction->time;
}

/* Most ties are of two particles that both have their collision as their event. */
static int are_same(const void *user, uint32_t k, uint32_t other)
{
    return is_next_with(user, k, other) && is_next_with(user, other, k);
}

const struct calendar_order predictor_order = {rank, are_same};

int predictor_is_of_one_size(const struct system *system)
{
    for (size_t k = 1; k < system->kind_count; k++)
        if (system->kinds[k].radius != system->kinds[0].radius)
            return 0;
    return 1;
}

void predictor_choose_lanes(struct predictor *predictor, const struct kind *kinds, double contact)
{
    predictor->lanes = lanes_choose(LANES_MOST);
    predictor->search = (struct lanes_search){predictor->system, kinds, contact};
    for (int is_latest = 0; is_latest < 2; is_latest++)
        predictor->attempts[is_latest] =
            predictor->lanes->attempts[kinds ? LANES_SIZES : LANES_ONE_SIZE][is_latest];
}

enum status predictor_create(struct predictor *predictor, struct system *system,
                             struct error *error)
{
    size_t count = system->count;
    size_t cells = cell_list_most_cells(count);
    *predictor = (struct predictor){.system = system};
    enum status status = large_disks_create(&predictor->large_disks, system, cells, error);
    if (!status)
        status = cell_list_create(&predictor->cell_list, cells, count, error);
    if (status)
        return status;
    predictor_choose_lanes(predictor, predictor_is_of_one_size(system) ? NULL : system->kinds,
                           2 * predictor->large_disks.largest);
    predictor->predictions =
        memory_allocate_lines(count, sizeof *predictor->predictions, "the predictions", error);
    if (!predictor->predictions)
        return STATUS_NO_MEMORY;
    memset(predictor->predictions, 0,
           count * sizeof *predictor->predictions); /* versions are kept by bits */
    if (system->boundary.polygons)
        predictor->has_polygons = memory_allocate(cells, 1, "the cells near polygons", error);
    if (system->boundary.polygons && !predictor->has_polygons)
        return STATUS_NO_MEMORY;
    predictor->order = memory_allocate(count, sizeof *predictor->order, "the order", error);
    return predictor->order ? STATUS_DONE : STATUS_NO_MEMORY;
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
