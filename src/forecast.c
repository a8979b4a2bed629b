/*
 * The predictions of the cells schedule.
 *
 * The box is cut into cells at least a little wider than a disk, so that whoever a particle can
 * touch is in its own cell or in one of the 8 around it. Its plan is the earliest collision with
 * any of these particles or with a wall. It is also watched for when it leaves its cell: then 3
 * new cells come into reach, and only their members are compared with the plan it has. A crossing
 * moves no anchor, so it changes no prediction.
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

#include "hint.h"
#include "layout.h"
#include "memory.h"
#include "physics.h"

#include <string.h>

_Static_assert(sizeof(struct particle) == 64, "a particle is a line of the processor's cache");
_Static_assert(sizeof(struct plan) == 32, "two plans are a line of the processor's cache");

/* The order of two particles' collision among events of the same time. */
static inline uint64_t rank_of_pair(int32_t id, int32_t other)
{
    uint32_t lower = (uint32_t)(id < other ? id : other);
    uint32_t higher = (uint32_t)(id < other ? other : id);
    return (uint64_t)lower << 32 | (higher ^ 0x80000000u);
}

/* The order of a plan's event. A wall's negative code comes before any particle's id. */
static inline uint64_t rank_of_event(const struct particle *particles, uint32_t k, int32_t partner)
{
    int32_t id = particles[k].id;
    if (partner >= 0)
        return rank_of_pair(id, particles[partner].id);
    return (uint64_t)(uint32_t)id << 32 | ((uint32_t)partner ^ 0x80000000u);
}

uint64_t forecast_rank(const struct forecast *forecast, uint32_t k)
{
    const struct plan *plan = &forecast->plans[k];
    if (plan->key < plan->time)
        return 1;
    return 2 + rank_of_event(forecast->system->particles, k, plan->partner);
}

struct event forecast_event(const struct forecast *forecast, uint32_t k)
{
    const struct particle *particles = forecast->system->particles;
    const struct plan *plan = &forecast->plans[k];
    int32_t partner = plan->partner < 0 ? (int32_t)k : plan->partner;
    int32_t other = plan->partner < 0 ? plan->partner : (int32_t)k;
    int is_first = particles[k].id <= particles[partner].id;
    return (struct event){plan->time, is_first ? (int32_t)k : partner,
                          is_first ? plan->partner : other};
}

/* Considers the collision of particle k with `partner` at `time`. */
static void consider(const struct particle *particles, uint32_t k, struct plan *plan,
                     uint32_t partner, double time)
{
    if (time > plan->time || time == (double)INFINITY)
        return;
    if (time < plan->time || rank_of_event(particles, k, (int32_t)partner) <
                                 rank_of_event(particles, k, plan->partner)) {
        plan->time = time;
        plan->partner = (int32_t)partner;
        plan->version = forecast_version(&particles[partner]);
    }
}

/* Considers the collisions of particle k with those in `list` one by one, and so decides ties. */
static void consider_one_by_one(const struct forecast *forecast, uint32_t k, struct plan *plan,
                                const uint32_t *list, size_t count)
{
    const struct system *system = forecast->system;
    const struct particle *self = &system->particles[k];
    for (size_t m = 0; m < count; m++) {
        const struct particle *other = &system->particles[list[m]];
        double contact = system_contact(system, self, other);
        consider(system->particles, k, plan, list[m], physics_pair_time(self, other, contact));
    }
}

/*
 * Considers the collisions of particle k with those in `list`, which has room for one more: two at
 * a time and, for it is hard to guess whom it meets and when, without branches. In each lane the
 * earliest time so far is kept, and which in the list it is; that is all that is needed unless
 * there is a tie. `is_latest` as for physics_pair_times; `kinds` are the system's.
 */
HINT_INLINE void consider_list(const struct forecast *forecast, uint32_t k, struct plan *plan,
                               uint32_t *list, size_t count, int is_latest,
                               const struct kind *kinds)
{
    const struct particle *particles = forecast->system->particles;
    const struct physics_twins self = physics_twins(&particles[k]);
    const lanes radius = lanes_both(kinds ? kinds[particles[k].kind].radius : 0);
    lanes earliest = lanes_both(plan->time);
    lanes which = lanes_both(-1);
    lanes place = lanes_load(&(const double){0}, &(const double){1});
    lanes is_tied = lanes_both(0);
    lanes contact = lanes_both(forecast->contact);
    list[count] = k; /* if the other lane is left over: a particle never meets itself */
    for (size_t m = 0; m < count; m += 2) {
        const struct particle *const pair[2] = {&particles[list[m]], &particles[list[m + 1]]};
        if (kinds)
            contact = lanes_add(
                radius, lanes_load(&kinds[pair[0]->kind].radius, &kinds[pair[1]->kind].radius));
        lanes time = physics_pair_times(&self, pair, contact, is_latest);
        is_tied = lanes_or(lanes_is_equal(time, earliest), is_tied);
        which = lanes_select(lanes_is_less(time, earliest), place, which);
        earliest = lanes_smaller(time, earliest);
        place = lanes_add(place, lanes_both(2));
    }
    double time = lanes_first(earliest);
    double other_time = lanes_second(earliest);
    int is_tie = lanes_any(is_tied) | ((time == other_time) & (time < plan->time));
    if (is_tie) {
        consider_one_by_one(forecast, k, plan, list, count);
        return;
    }
    int32_t places[2] = {(int32_t)lanes_first(which), (int32_t)lanes_second(which)};
    int32_t found = places[other_time < time];
    uint32_t is_found = found >= 0;
    uint32_t partner = list[(uint32_t)found * is_found];
    uint32_t change = 0 - is_found;
    plan->time = other_time < time ? other_time : time;
    plan->version ^= (plan->version ^ forecast_version(&particles[partner])) & change;
    plan->partner =
        (int32_t)((uint32_t)plan->partner ^ (((uint32_t)plan->partner ^ partner) & change));
}

/* The members of cells that overflow: `rows` of 3 cells, `apart` from each other. */
static void consider_chains(const struct forecast *forecast, uint32_t k, struct plan *plan,
                            uint32_t first, uint32_t apart, uint32_t rows)
{
    for (uint32_t m = 0; m < 3 * rows; m++) {
        uint32_t cell = first + m / 3 * forecast->grid.stride + m % 3 * apart;
        uint32_t chain = forecast->grid.cells[cell].state >> 2;
        while (chain != 0) {
            const struct grid_cell *link = &forecast->grid.cells[chain];
            consider_one_by_one(forecast, k, plan, link->members, link->state & 3);
            chain = link->state >> 2;
        }
    }
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
    consider_list(forecast, k, plan, list, count, is_latest, kinds);
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
    consider_list(forecast, k, plan, list, count, 0, kinds);
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
    struct event event = physics_wall_event(forecast->system, k);
    if (event.time < plan->time ||
        (event.time == plan->time &&
         rank_of_event(forecast->system->particles, k, event.b) <
             rank_of_event(forecast->system->particles, k, plan->partner))) {
        plan->time = event.time;
        plan->partner = event.b;
    }
}

/*
 * Finds the crossing of particle k. Which way it goes is a toss-up, so there are no branches: the
 * border ahead is looked up, and for the outer cells that is infinitely far.
 */
static inline void plan_crossing(const struct forecast *forecast, uint32_t k, struct plan *plan,
                                 uint32_t column, uint32_t row)
{
    const struct particle *p = &forecast->system->particles[k];
    const struct grid *grid = &forecast->grid;
    int32_t rightward = p->u > 0;
    int32_t upward = p->v > 0;
    double x_wait = (grid->x_borders[column + (uint32_t)rightward] - p->x) / p->u;
    double y_wait = (grid->y_borders[row + (uint32_t)upward] - p->y) / p->v;
    if (p->u == 0)
        x_wait = (double)INFINITY;
    if (p->v == 0)
        y_wait = (double)INFINITY;
    int32_t sideways = x_wait < y_wait;
    int32_t x_step = 2 * rightward - 1;
    int32_t y_step = (2 * upward - 1) * (int32_t)grid->stride;
    double wait = x_wait < y_wait ? x_wait : y_wait;
    double time = p->t + (wait > 0 ? wait : 0);
    plan->step = y_step + sideways * (x_step - y_step);
    plan->key = time < plan->time ? time : plan->time;
}

HINT_INLINE void forecast_of_kinds(struct forecast *forecast, uint32_t k, int is_latest,
                                   const struct kind *kinds)
{
    struct plan *plan = &forecast->plans[k];
    uint32_t column = grid_column(&forecast->grid, plan->cell);
    uint32_t row = grid_row(&forecast->grid, plan->cell);
    plan->time = (double)INFINITY;
    plan->partner = WALL_LEFT;
    consider_around(forecast, k, plan, is_latest, kinds);
    consider_wall(forecast, k, plan, column, row);
    plan_crossing(forecast, k, plan, column, row);
}

/* Where all are alike, or is_latest is known, the compiler leaves out what is not needed. */
void forecast_particle(struct forecast *forecast, uint32_t k)
{
    const struct kind *kinds = forecast->system->kinds;
    if (kinds)
        forecast_of_kinds(forecast, k, 0, kinds);
    else
        forecast_of_kinds(forecast, k, 0, NULL);
}

void forecast_latest(struct forecast *forecast, uint32_t k)
{
    const struct kind *kinds = forecast->system->kinds;
    if (kinds)
        forecast_of_kinds(forecast, k, 1, kinds);
    else
        forecast_of_kinds(forecast, k, 1, NULL);
}

void forecast_cross(struct forecast *forecast, uint32_t k)
{
    const struct kind *kinds = forecast->system->kinds;
    struct plan *plan = &forecast->plans[k];
    uint32_t stride = forecast->grid.stride;
    grid_remove(&forecast->grid, plan->cell, k);
    plan->cell += (uint32_t)plan->step;
    grid_add(&forecast->grid, plan->cell, k);
    uint32_t column = grid_column(&forecast->grid, plan->cell);
    uint32_t row = grid_row(&forecast->grid, plan->cell);
    /* The 3 new cells lie ahead: one above the other, or, behind a border above or below, abreast.
     */
    uint32_t is_sideways = (plan->step == 1) | (plan->step == -1);
    uint32_t apart = 1 + is_sideways * (stride - 1);
    uint32_t ahead = plan->cell + (uint32_t)plan->step;
    if (kinds)
        consider_ahead(forecast, k, plan, ahead - apart, apart, kinds);
    else
        consider_ahead(forecast, k, plan, ahead - apart, apart, NULL);
    consider_wall(forecast, k, plan, column, row);
    plan_crossing(forecast, k, plan, column, row);
}

void forecast_fetch_plan(const struct forecast *forecast, uint32_t k)
{
    HINT_FETCH(&forecast->plans[k]);
    HINT_FETCH(&forecast->system->particles[k]);
}

void forecast_fetch_cells(const struct forecast *forecast, uint32_t k)
{
    const struct plan *plan = &forecast->plans[k];
    const struct grid_cell *cell = &forecast->grid.cells[plan->cell];
    HINT_FETCH(cell - forecast->grid.stride);
    HINT_FETCH(cell);
    HINT_FETCH(cell + forecast->grid.stride);
    if (plan->partner >= 0)
        HINT_FETCH(&forecast->system->particles[plan->partner]);
}

void forecast_fetch_neighbours(const struct forecast *forecast, uint32_t k)
{
    const struct particle *particles = forecast->system->particles;
    const uint32_t stride = forecast->grid.stride;
    const uint32_t first = forecast->plans[k].cell - stride - 1;
    for (uint32_t m = 0; m < 9; m++) {
        const struct grid_cell *cell = &forecast->grid.cells[first + m / 3 * stride + m % 3];
        for (uint32_t n = 0; n < 2; n++) /* whatever stands there: most have fewer members */
            HINT_FETCH(&particles[cell->members[n]]);
    }
}

/* Puts every particle into the cell where it is at time `now`. */
static void place_all(struct forecast *forecast, const struct grid_shape *shape, double now)
{
    grid_reset(&forecast->grid, shape);
    for (uint32_t k = 0; k < forecast->system->count; k++) {
        const struct particle *p = &forecast->system->particles[k];
        double x = physics_coordinate(p->x, p->u, p->t, now);
        double y = physics_coordinate(p->y, p->v, p->t, now);
        forecast->plans[k].cell = grid_locate(&forecast->grid, x, y);
        grid_add(&forecast->grid, forecast->plans[k].cell, k);
    }
}

void forecast_renew(struct forecast *forecast, double now)
{
    struct system *system = forecast->system;
    struct grid_shape shape;
    layout_choose_shape(system, forecast->contact, now, &shape);
    place_all(forecast, &shape, now);
    grid_list(&forecast->grid, forecast->order);
    layout_permute(system->particles, forecast->order, system->count);
    place_all(forecast, &shape, now);
    for (uint32_t k = 0; k < system->count; k++)
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

enum status forecast_create(struct forecast *forecast, struct system *system, struct error *error)
{
    size_t count = system->count;
    *forecast = (struct forecast){.system = system, .contact = 2 * system->radius};
    enum status status = align_particles(system, error);
    if (!status)
        status = grid_create(&forecast->grid, layout_most_cells(count), count, error);
    if (status)
        return status;
    forecast->plans = memory_allocate_lines(count, sizeof *forecast->plans, "the plans", error);
    if (forecast->plans)
        forecast->order = memory_allocate(count, sizeof *forecast->order, "the order", error);
    return forecast->order ? STATUS_DONE : STATUS_NO_MEMORY;
}

void forecast_free(struct forecast *forecast)
{
    grid_free(&forecast->grid);
    memory_free(forecast->plans);
    memory_free(forecast->order);
    *forecast = (struct forecast){0};
}
