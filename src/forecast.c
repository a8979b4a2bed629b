/*
 * The predictions of the cells schedule.
 *
 * The box is cut into cells at least a little wider than the largest disk, so that whoever a
 * particle can touch is in its own cell or in one of the 8 around it. (Giants, for which that would
 * not pay, are forecast_giant.c's.) Its plan is the earliest collision with any of these particles
 * or with a wall. It is also watched for when it leaves its cell: then 3 new cells come into reach,
 * and only their members are compared with the plan it has. A crossing moves no anchor, so it
 * changes no prediction.
 *
 * What two particles expect of each other need not be mutual. The rule is that for each pair of
 * neighbours at least the one that was forecast last knows of their collision, and has planned
 * for it or for something earlier. When its partner collides with somebody else first, it is not
 * told: its plan is stale, which shows in the partner's version when the plan comes up, and then
 * it is forecast again. (So one plan a particle suffices; compare B. D. Lubachevsky, How to
 * simulate billiards and similar systems, J. Comput. Phys. 94, 1991, who tells the third party.)
 *
 * A cell is a little wider than it has to be, by a thousandth and by far more than the rounding
 * of positions: so it cannot matter that the time of a crossing is rounded, nor whether a crossing
 * or a collision of the same time comes first.
 */
#include "forecast.h"

#include "forecast_giant.h"
#include "hint.h"
#include "layout.h"
#include "memory.h"
#include "physics.h"

#include <string.h>

_Static_assert(sizeof(struct particle) == 64, "a particle is a line of the processor's cache");

/* Considers the members of chains of `rows` of 3 cells, `apart` from each other. */
static void consider_chains(const struct forecast *forecast, uint32_t k, struct plan *plan,
                            uint32_t first, uint32_t apart, uint32_t rows)
{
    for (uint32_t m = 0; m < 3 * rows; m++)
        plan_consider_chain(forecast->system, k, plan, &forecast->grid,
                            first + m / 3 * forecast->grid.stride + m % 3 * apart);
}

/* Considers the collisions of particle k with those in its own cell and in the 8 around it. */
HINT_INLINE void consider_around(const struct forecast *forecast, uint32_t k, struct plan *plan,
                                 int is_latest, const struct kind *kinds)
{
    uint32_t list[GRID_NEIGHBOURS];
    size_t count = 0;
    uint32_t first = plan->cell - forecast->grid.stride - 1;
    const struct grid_cell *row = &forecast->grid.cells[first];
    uint32_t states = grid_gather(row, list, &count);
    states |= grid_gather(row + 1, list, &count);
    states |= grid_gather(row + 2, list, &count);
    row += forecast->grid.stride;
    states |= grid_gather(row, list, &count);
    states |= grid_gather_others(row + 1, k, list, &count);
    states |= grid_gather(row + 2, list, &count);
    row += forecast->grid.stride;
    states |= grid_gather(row, list, &count);
    states |= grid_gather(row + 1, list, &count);
    states |= grid_gather(row + 2, list, &count);
    plan_consider_list(forecast->system, k, plan, list, count, is_latest, kinds, forecast->contact);
    if (grid_overflows(states))
        consider_chains(forecast, k, plan, first, 1, 3);
}

/* The same for 3 cells, `apart` from each other. */
HINT_INLINE void consider_ahead(const struct forecast *forecast, uint32_t k, struct plan *plan,
                                uint32_t first, uint32_t apart, const struct kind *kinds)
{
    uint32_t list[GRID_NEIGHBOURS];
    size_t count = 0;
    const struct grid_cell *cell = &forecast->grid.cells[first];
    uint32_t states = grid_gather(cell, list, &count);
    states |= grid_gather(cell + apart, list, &count);
    states |= grid_gather(cell + 2 * apart, list, &count);
    plan_consider_list(forecast->system, k, plan, list, count, 0, kinds, forecast->contact);
    if (grid_overflows(states))
        consider_chains(forecast, k, plan, first, apart, 1);
}

/* A particle in an inner cell meets a border of that cell before it meets a wall. */
static inline void consider_wall(const struct forecast *forecast, uint32_t k, struct plan *plan,
                                 uint32_t column, uint32_t row)
{
    const struct grid_shape *shape = &forecast->grid.shape;
    if (column - 1 < shape->columns - 2 && row - 1 < shape->rows - 2 && column > 0 && row > 0)
        return;
    plan_consider_wall(forecast->system, k, plan);
}

HINT_INLINE void forecast_of_kinds(struct forecast *forecast, uint32_t k, int is_latest,
                                   const struct kind *kinds)
{
    struct plan *plan = &forecast->plans[k];
    uint32_t column = grid_column(&forecast->grid, plan->cell);
    uint32_t row = grid_row(&forecast->grid, plan->cell);
    plan_clear(plan);
    consider_around(forecast, k, plan, is_latest, kinds);
    if (kinds && forecast->giants.count > 0)
        forecast_with_giants(forecast, k, plan, plan->cell);
    consider_wall(forecast, k, plan, column, row);
    plan_crossing(forecast->system, k, plan, &forecast->grid, column, row);
}

/* Where all are of one size, or is_latest is known, the compiler leaves out what is not needed. */
void forecast_particle(struct forecast *forecast, uint32_t k)
{
    if (!forecast->kinds)
        forecast_of_kinds(forecast, k, 0, NULL);
    else if (forecast_is_giant(forecast, k))
        forecast_giant(forecast, k);
    else
        forecast_of_kinds(forecast, k, 0, forecast->kinds);
}

void forecast_latest(struct forecast *forecast, uint32_t k)
{
    if (!forecast->kinds)
        forecast_of_kinds(forecast, k, 1, NULL);
    else if (forecast_is_giant(forecast, k))
        forecast_giant(forecast, k);
    else
        forecast_of_kinds(forecast, k, 1, forecast->kinds);
}

/*
 * How far apart the 3 cells are that come into reach with a crossing: they lie one above the other,
 * or, behind a border above or below, side by side.
 */
static inline uint32_t apart_ahead(const struct forecast *forecast, const struct plan *plan)
{
    uint32_t is_sideways = (plan->step == 1) | (plan->step == -1);
    return 1 + is_sideways * (forecast->grid.stride - 1);
}

HINT_INLINE void cross_of_kinds(struct forecast *forecast, uint32_t k, const struct kind *kinds)
{
    struct plan *plan = &forecast->plans[k];
    grid_remove(&forecast->grid, plan->cell, k);
    plan->cell += (uint32_t)plan->step;
    grid_add(&forecast->grid, plan->cell, k);
    uint32_t column = grid_column(&forecast->grid, plan->cell);
    uint32_t row = grid_row(&forecast->grid, plan->cell);
    uint32_t apart = apart_ahead(forecast, plan);
    uint32_t ahead = plan->cell + (uint32_t)plan->step;
    consider_ahead(forecast, k, plan, ahead - apart, apart, kinds);
    if (kinds && forecast->giants.count > 0)
        forecast_with_giants(forecast, k, plan, plan->cell);
    consider_wall(forecast, k, plan, column, row);
    plan_crossing(forecast->system, k, plan, &forecast->grid, column, row);
}

void forecast_cross(struct forecast *forecast, uint32_t k)
{
    if (!forecast->kinds)
        cross_of_kinds(forecast, k, NULL);
    else if (forecast_is_giant(forecast, k))
        forecast_giant_cross(forecast, k);
    else
        cross_of_kinds(forecast, k, forecast->kinds);
}

/* The members of 3 cells, `apart` from each other, or whatever stands there. */
static inline void fetch_members(const struct forecast *forecast, uint32_t first, uint32_t apart)
{
    const struct particle *particles = forecast->system->particles;
    const struct grid_cell *cells = forecast->grid.cells;
    for (uint32_t m = 0; m < 3; m++)
        for (uint32_t n = 0; n < 2; n++) /* most cells have no more */
            HINT_FETCH(&particles[cells[first + m * apart].members[n]]);
}

/* The cells around one, or their members. */
static inline void fetch_around(const struct forecast *forecast, uint32_t cell, int members)
{
    const uint32_t stride = forecast->grid.stride;
    for (uint32_t row = cell - stride - 1; row <= cell + stride - 1; row += stride) {
        if (members)
            fetch_members(forecast, row, 1);
        else
            HINT_FETCH(&forecast->grid.cells[row]);
    }
}

/* The cells that a crossing touches and those ahead of it; or the members of the latter. */
static inline void fetch_ahead(const struct forecast *forecast, const struct plan *plan,
                               int members)
{
    uint32_t apart = apart_ahead(forecast, plan);
    uint32_t first = plan->cell + 2 * (uint32_t)plan->step - apart;
    if (members) {
        fetch_members(forecast, first, apart);
    } else {
        const struct grid_cell *cells = forecast->grid.cells;
        HINT_FETCH(&cells[plan->cell]);
        HINT_FETCH(&cells[plan->cell + (uint32_t)plan->step]);
        for (uint32_t m = 0; m < 3; m++)
            HINT_FETCH(&cells[first + m * apart]);
    }
}

void forecast_fetch(const struct forecast *forecast, uint32_t k, enum forecast_step step)
{
    const struct plan *plan = &forecast->plans[k];
    if (step == FORECAST_FETCH_PLAN) {
        HINT_FETCH(plan);
        HINT_FETCH(&forecast->system->particles[k]);
    } else if (plan->key < plan->time) {
        if (step != FORECAST_FETCH_PARTNER)
            fetch_ahead(forecast, plan, step == FORECAST_FETCH_MEMBERS);
    } else {
        const struct plan *partner = plan->partner < 0 ? plan : &forecast->plans[plan->partner];
        if (step == FORECAST_FETCH_CELLS) {
            fetch_around(forecast, plan->cell, 0);
            HINT_FETCH(partner);
            HINT_FETCH(
                &forecast->system->particles[plan->partner < 0 ? (int32_t)k : plan->partner]);
        } else if (step == FORECAST_FETCH_MEMBERS) {
            fetch_around(forecast, plan->cell, 1);
            fetch_around(forecast, partner->cell, 0);
        } else if (plan->partner >= 0) {
            fetch_around(forecast, partner->cell, 1);
        }
    }
}

/* Puts every particle into the cell where it is at time `now`. */
static void place_all(struct forecast *forecast, const struct grid_shape *shape, double now)
{
    struct system *system = forecast->system;
    struct grid *grid = &forecast->grid;
    grid_reset(grid, shape);
    giants_reset(&forecast->giants, system, grid, now);
    for (uint32_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        double x = physics_coordinate(p->x, p->u, p->t, now);
        double y = physics_coordinate(p->y, p->v, p->t, now);
        uint32_t cell = grid_locate(grid, x, y);
        forecast->plans[k].cell = cell;
        if (forecast_is_giant(forecast, k)) {
            struct giants_block block = giants_block(&forecast->giants, grid, p->kind, cell);
            giants_add(&forecast->giants, grid, &block, k);
        } else {
            grid_add(grid, cell, k);
        }
    }
}

/* The order in which the particles shall stand in memory: cell by cell, then the giants. */
static void find_order(struct forecast *forecast)
{
    size_t place = grid_list(&forecast->grid, forecast->order);
    for (uint32_t k = 0; k < forecast->system->count && place < forecast->system->count; k++)
        if (forecast_is_giant(forecast, k))
            forecast->order[place++] = k;
}

void forecast_place(struct forecast *forecast, double now)
{
    struct system *system = forecast->system;
    struct grid_shape shape;
    double widest = fmax(forecast->contact, forecast->giants.side);
    layout_choose_shape(system, widest, now, &shape);
    place_all(forecast, &shape, now);
    find_order(forecast);
    layout_permute(system->particles, forecast->order, system->count);
    place_all(forecast, &shape, now);
}

void forecast_renew(struct forecast *forecast, double now)
{
    forecast_place(forecast, now);
    for (uint32_t k = 0; k < forecast->system->count; k++)
        forecast_particle(forecast, k);
}

/* Moves the particles to a block that begins on a line of the cache. */
static enum status align_particles(struct system *system, struct error *error)
{
    struct particle *particles =
        memory_allocate_lines(system->count, sizeof *particles, "the particles", error);
    if (!particles)
        return STATUS_NO_MEMORY;
    memcpy(particles, system->particles, system->count * sizeof *particles);
    memory_free(system->particles);
    system->particles = particles;
    return STATUS_DONE;
}

/* Whether all particles have the same radius, whatever their kinds. */
static int is_of_one_size(const struct system *system)
{
    for (size_t k = 1; k < system->kind_count; k++)
        if (system->kinds[k].radius != system->kinds[0].radius)
            return 0;
    return 1;
}

enum status forecast_create(struct forecast *forecast, struct system *system, struct error *error)
{
    size_t count = system->count;
    size_t cells = layout_most_cells(count);
    *forecast = (struct forecast){.system = system};
    enum status status = align_particles(system, error);
    if (!status)
        status = giants_create(&forecast->giants, system, cells, error);
    if (!status)
        status = grid_create(&forecast->grid, cells, count, error);
    if (status)
        return status;
    forecast->contact = 2 * forecast->giants.largest;
    forecast->kinds = is_of_one_size(system) ? NULL : system->kinds;
    forecast->plans = memory_allocate_lines(count, sizeof *forecast->plans, "the plans", error);
    if (!forecast->plans)
        return STATUS_NO_MEMORY;
    memset(forecast->plans, 0, count * sizeof *forecast->plans); /* versions are kept by bits */
    forecast->order = memory_allocate(count, sizeof *forecast->order, "the order", error);
    return forecast->order ? STATUS_DONE : STATUS_NO_MEMORY;
}

void forecast_free(struct forecast *forecast)
{
    grid_free(&forecast->grid);
    giants_free(&forecast->giants);
    memory_free(forecast->plans);
    memory_free(forecast->order);
    *forecast = (struct forecast){0};
}
