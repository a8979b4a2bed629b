/* The cell list; see cell_list.h. First its members, then the choice of the cells. */
#include "cell_list.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "model/boundary_law.h"

#include <stdlib.h>

_Static_assert(sizeof(struct cell) == 16, "a row of three cells is 48 bytes");

enum status cell_list_create(struct cell_list *cell_list, size_t most_cells, size_t members,
                             struct error *error)
{
    /* The chains hold at most members / 3 cells, for each of theirs is full. */
    size_t cells = most_cells + members / CELL_LIST_MEMBERS + 1;
    *cell_list = (struct cell_list){.most_cells = most_cells};
    cell_list->cells = memory_allocate_lines(cells, sizeof *cell_list->cells, "the cells", error);
    /* A single row of cells, in a border of its own, has the most columns and rows. */
    cell_list->x_borders =
        memory_allocate(most_cells / 3 + 4, sizeof *cell_list->x_borders, "the borders", error);
    return cell_list->cells && cell_list->x_borders ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void cell_list_set_borders(double *borders, double begin, double side, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        borders[k] = begin + (double)k * side;
    borders[0] = -(double)INFINITY;
    borders[count] = (double)INFINITY;
}

void cell_list_reset(struct cell_list *cell_list, const struct cell_list_shape *shape)
{
    size_t cells = ((size_t)shape->columns + 2) * ((size_t)shape->rows + 2);
    cell_list->shape = *shape;
    for (int axis = 0; axis < 2; axis++) {
        /* Folded cells go on behind a seam: a particle at rest on it may be in the next column. */
        const uint32_t edge = shape->wraps >> axis & 1 ? shape->is_folded ? 2 : 1 : 0;
        const uint32_t count = axis == 0 ? shape->columns : shape->rows;
        cell_list->first[axis] = edge + 1;
        cell_list->inner[axis] = count > 2 * edge ? count - 2 * edge : 0;
    }
    cell_list->stride = shape->columns + 2;
    for (int backward = 0; backward < 4; backward++) {
        cell_list->steps[backward][0] = (backward & 2 ? -1 : 1) * (int32_t)cell_list->stride;
        cell_list->steps[backward][1] = backward & 1 ? -1 : 1;
    }
    cell_list->overflow_end = (uint32_t)cells;
    cell_list->overflow_free = 0;
    cell_list->overflow_used = 0;
    cell_list->y_borders = cell_list->x_borders + shape->columns + 1;
    cell_list_set_borders(cell_list->x_borders, shape->left, shape->width, shape->columns);
    cell_list_set_borders(cell_list->y_borders, shape->bottom, shape->height, shape->rows);
    memset(cell_list->cells, 0, cells * sizeof *cell_list->cells);
}

void cell_list_free(struct cell_list *cell_list)
{
    memory_free(cell_list->cells);
    memory_free(cell_list->x_borders);
    *cell_list = (struct cell_list){0};
}

/* The column (or row) of a coordinate, at most `count` - 1. */
static uint32_t locate_along(double x, double begin, double side, uint32_t count, int is_folded)
{
    const double position = (x - begin) / side;
    if (is_folded)
        return (uint32_t)(floor(position) - floor(floor(position) / count) * count);
    if (!(position > 0))
        return 0;
    return position < (double)count ? (uint32_t)position : count - 1;
}

/* The sequence of numbers spreads evenly (M. Roberts, The unreasonable effectiveness of
 * quasirandom sequences, 2018: R2). */
struct motion cell_list_spread(const struct system *system, const struct particle *p)
{
    const double radius = system_radius(system, p);
    const double x = fmod(p->id * 0.7548776662466927, 1), y = fmod(p->id * 0.5698402909980532, 1);
    return (struct motion){radius + x * (system->boundary.width - 2 * radius),
                           radius + y * (system->boundary.height - 2 * radius), 0, 0};
}

uint32_t cell_list_locate(const struct cell_list *cell_list, double x, double y)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    return cell_list_at(
        cell_list, locate_along(x, shape->left, shape->width, shape->columns, shape->is_folded),
        locate_along(y, shape->bottom, shape->height, shape->rows, shape->is_folded));
}

/* An unused cell of the overflow, emptied. */
static uint32_t take_overflow(struct cell_list *cell_list)
{
    uint32_t cell = cell_list->overflow_free;
    if (cell != 0)
        cell_list->overflow_free = cell_list->cells[cell].state >> 2;
    else
        cell = cell_list->overflow_end++;
    cell_list->overflow_used++;
    cell_list->cells[cell].state = 0;
    return cell;
}

/* Only the head of a chain may have fewer than 3 members: the cell that is in the plane.
 */
void cell_list_add(struct cell_list *cell_list, uint32_t cell, uint32_t member)
{
    struct cell *head = &cell_list->cells[cell];
    uint32_t count = head->state & 3;
    if (count == CELL_LIST_MEMBERS) {
        uint32_t full = take_overflow(cell_list);
        cell_list->cells[full] = *head;
        head->state = full * 4;
        count = 0;
    }
    head->members[count] = member;
    head->state++;
}

/* Takes `member` out of a cell with a chain: the last one of the first cell fills its place. */
static void remove_from_chain(struct cell_list *cell_list, struct cell *head, uint32_t member)
{
    uint32_t last = head->members[(head->state & 3) - 1];
    struct cell *holder = head;
    uint32_t k = 0;
    while (holder->members[k] != member) {
        k++;
        if (k == (holder->state & 3)) {
            holder = &cell_list->cells[holder->state >> 2];
            k = 0;
        }
    }
    holder->members[k] = last;
    head->state--;
    if ((head->state & 3) == 0) {
        uint32_t full = head->state >> 2;
        *head = cell_list->cells[full];
        cell_list->cells[full].state = cell_list->overflow_free * 4;
        cell_list->overflow_free = full;
        cell_list->overflow_used--;
    }
}

/* The position of the member is unpredictable, so there are no branches: the last takes its
 * place. */
void cell_list_remove(struct cell_list *cell_list, uint32_t cell, uint32_t member)
{
    struct cell *head = &cell_list->cells[cell];
    if (cell_list_overflows(head->state)) {
        remove_from_chain(cell_list, head, member);
        return;
    }
    uint32_t last = head->members[--head->state];
    head->members[0] = head->members[0] == member ? last : head->members[0];
    head->members[1] = head->members[1] == member ? last : head->members[1];
}

/* Writes the members of a cell and of its chain to `list` and returns where it ends. */
static uint32_t *list_cell(const struct cell_list *cell_list, uint32_t cell, uint32_t *list)
{
    for (uint32_t next = cell; next != 0; next = cell_list->cells[next].state >> 2)
        for (uint32_t k = 0; k < (cell_list->cells[next].state & 3); k++)
            *list++ = cell_list->cells[next].members[k];
    return list;
}

size_t cell_list_order(const struct cell_list *cell_list, uint32_t *list)
{
    const uint32_t tile = 8;
    const uint32_t *begin = list;
    const struct cell_list_shape *shape = &cell_list->shape;
    for (uint32_t bottom = 0; bottom < shape->rows; bottom += tile)
        for (uint32_t left = 0; left < shape->columns; left += tile)
            for (uint32_t row = bottom; row < bottom + tile && row < shape->rows; row++)
                for (uint32_t column = left; column < left + tile && column < shape->columns;
                     column++)
                    list = list_cell(cell_list, cell_list_at(cell_list, column, row), list);
    return (size_t)(list - begin);
}

static const double CELLS_PER_PARTICLE = 1.2;     /* up to 1.6 it makes little difference; */
static const double MAX_CELLS_PER_PARTICLE = 1.9; /* but where large disks cover much of the box */
static const double CELL_MARGIN = 1e-3;           /* of the distance of a contact, and */
static const double MAX_GAIN = 1000;              /* of the highest speed */
static const double REACH_GROWTH = 4;             /* times the rounding at the time of the choice */
static const double ROOM_TO_GROW = 0.02; /* part of the contact, before others are chosen */

/*
 * The range of a coordinate, 'x' or 'y', in which nearly all particles are at time `now`: so that a
 * few far ones do not make the cells too large for all others. From up to 512 of them. Along a
 * periodic axis it is the whole side of the box.
 */
static void find_range(const struct system *system, char axis, double now, double *begin,
                       double *length)
{
    double sample[512];
    size_t most = sizeof sample / sizeof sample[0];
    size_t count = system->count < most ? system->count : most;
    double size = axis == 'x' ? system->boundary.width : system->boundary.height;
    *begin = 0;
    *length = size;
    if (system->boundary.periodic & (axis == 'x' ? PERIODIC_X : PERIODIC_Y))
        return;
    for (size_t m = 0; m < count; m++) {
        const struct motion at =
            cell_list_place(system, &system->particles[m * system->count / count], now);
        sample[m] = axis == 'x' ? at.x : at.y;
    }
    qsort(sample, count, sizeof sample[0], elementary_compare);
    double low = sample[count / 32];
    double high = sample[count - 1 - count / 32];
    double beyond = (high - low) / 8;
    double least = system->kinds ? 0 : system->radius; /* no centre is nearer to a wall */
    *begin = fmax(low - beyond, least);
    *length = fmin(high + beyond, size - least) - *begin;
}

/* Of some particles: the square of a speed, twice an energy, and a mass. */
struct cell_list_speeds {
    double fastest, energy, lightest;
};

/* Those of parts of all particles, so that any number of threads finds the same sums. */
enum { SPEED_PARTS = 64 };
struct cell_list_speeds_task {
    const struct system *system;
    double fallen; /* by how much the square of a speed may grow */
    struct cell_list_speeds parts[SPEED_PARTS];
};

static struct cell_list_speeds find_speeds(const struct system *system, double fallen, size_t begin,
                                           size_t end)
{
    const struct stream *stream = &system->boundary.stream;
    const struct wall_laws *walls = system->boundary.walls;
    struct cell_list_speeds speeds = {0, 0, (double)INFINITY};
    double last = 0;
    double drawn = 0; /* the square of the highest speed that a particle of this mass may get */
    for (size_t k = begin; k < end; k++) {
        const struct particle *p = &system->particles[k];
        const double mass = system_mass(system, p);
        if (mass != last) {
            const double most = fmax(fabs(stream->speed) + 20 * sqrt(stream->temperature / mass),
                                     walls ? walls->fastest + 20 * sqrt(walls->hottest / mass) : 0);
            drawn = most * most;
            last = mass;
        }
        const double rim = system_rim(system, k); /* to become velocity */
        const double moves = p->u * p->u + p->v * p->v + rim * rim;
        const double square = (moves > drawn ? moves : drawn) + fallen;
        speeds.fastest = square > speeds.fastest ? square : speeds.fastest;
        speeds.energy += mass * square;
        speeds.lightest = mass < speeds.lightest ? mass : speeds.lightest;
    }
    return speeds;
}

/* Task. */
static void find_speeds_of_parts(void *user, size_t begin, size_t end)
{
    struct cell_list_speeds_task *task = user;
    const uint64_t count = task->system->count;
    for (size_t k = begin; k < end; k++)
        task->parts[k] = find_speeds(task->system, task->fallen, (size_t)(k * count / SPEED_PARTS),
                                     (size_t)((k + 1) * count / SPEED_PARTS));
}

/*
 * A bound of all speeds from now on: of the lightest particle if it had the kinetic energy of all;
 * or, where particles switch velocities, and nothing falls, the highest there is. A particle that
 * may get a new velocity from a stream or a wall counts with the highest speed of that. Where
 * masses differ so much that a particle could become MAX_GAIN times as fast as any is now, cells
 * with room for that would hold all particles; then it is assumed that none does, before cells are
 * chosen again.
 */
static double cell_list_find_fastest(const struct system *system, struct thread_pool *pool)
{
    const struct boundary *box = &system->boundary;
    struct cell_list_speeds_task task = {
        .system = system,
        .fallen = 2 * (fabs(box->gravity.x) * box->width + fabs(box->gravity.y) * box->height)};
    thread_pool_divide(pool, SPEED_PARTS, find_speeds_of_parts, &task);
    double fastest = 0;
    double energy = 0;
    double lightest = (double)INFINITY;
    for (int k = 0; k < SPEED_PARTS; k++) {
        fastest = fmax(fastest, task.parts[k].fastest);
        energy += task.parts[k].energy;
        lightest = fmin(lightest, task.parts[k].lightest);
    }
    if (system->boundary.growth > 0 || box->shake.acts) { /* which give energy, and disks twice */
        double growing = 4 * system->boundary.growth * system_largest_radius(system);
        if (box->shake.acts)
            growing = 2 * boundary_floor(&box->shake, 0).speed;
        return MAX_GAIN * sqrt(fmax(fastest, growing * growing));
    }
    return sqrt(system->law.rule == RULE_SWAP && task.fallen == 0
                    ? fastest
                    : fmin(energy / lightest, MAX_GAIN * MAX_GAIN * fastest));
}

struct cell_list_margin cell_list_find_margin(const struct system *system, double contact,
                                              double now, struct thread_pool *pool)
{
    const double rounding = 256 * DBL_EPSILON;
    const double side = fmax(system->boundary.width, system->boundary.height);
    const double fastest = cell_list_find_fastest(system, pool);
    const double reach = REACH_GROWTH * (side + fastest * now);
    struct cell_list_margin margin = {
        .length = rounding * reach,
        .until = (reach + CELL_MARGIN * contact / rounding - side) / fastest,
        .contact = contact,
    };
    if (system->boundary.growth > 0) {
        margin.until = fmin(margin.until, now + ROOM_TO_GROW * (now + 1 / system->boundary.growth));
        margin.contact *= system_grown(system, margin.until);
    }
    return margin;
}

double cell_list_least_side(double contact, double margin)
{
    return fmax(contact + (CELL_MARGIN * contact + margin), SYSTEM_SMALLEST);
}

/* How many columns or rows of at least `side` fit into `length`. */
static double fit(double length, double side)
{
    return fmax(floor(length / side), 1);
}

size_t cell_list_most_cells(size_t count)
{
    return (size_t)((CELLS_PER_PARTICLE + 1) * (double)count) + 64;
}

/* The part of the box that disks do not cover which are too large for cells with this side. */
static double find_free_part(const struct system *system, double side)
{
    double part = 1;
    for (size_t k = 0; k < system->count && system->kinds; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        if (2 * radius > side)
            part -= 3.14 * (radius / system->boundary.width) * (radius / system->boundary.height);
    }
    return part;
}

double cell_list_cells_each(double free_part)
{
    return fmin(CELLS_PER_PARTICLE / fmax(free_part, 0), MAX_CELLS_PER_PARTICLE);
}

void cell_list_choose_shape(const struct system *system, double least, double now,
                            struct cell_list_shape *shape)
{
    double most_cells = (double)cell_list_most_cells(system->count);
    double width;
    double height;
    find_range(system, 'x', now, &shape->left, &width);
    find_range(system, 'y', now, &shape->bottom, &height);
    double most = cell_list_cells_each(find_free_part(system, least)) * (double)system->count;
    double side = fmax(sqrt(fmax(width, 0) * fmax(height, 0) / most), least);
    /* In a slender box there is room for fewer cells, for their border takes up more. */
    while ((fit(width, side) + 2) * (fit(height, side) + 2) > most_cells)
        side *= 1.25;
    const unsigned periodic = system->boundary.periodic;
    shape->is_folded = 0;
    shape->wraps = periodic;
    shape->columns = (uint32_t)fit(width, side);
    shape->rows = (uint32_t)fit(height, side);
    shape->width = fmax(width / shape->columns, periodic & PERIODIC_X ? 0 : side);
    shape->height = fmax(height / shape->rows, periodic & PERIODIC_Y ? 0 : side);
}

/* A side for cells of at least `least`, so that `count` of them fit into `period`, if that is not
 * 0, a whole number of times. */
static double cell_list_shorten(double side, double least, double count, double period)
{
    side = fmax(side, least);
    return period > 0 ? period / count / fmax(floor(period / count / side), 1) : side;
}

int cell_list_refine(const struct boundary *boundary, struct cell_list_shape *shape, double part,
                     double least)
{
    const double x_period = boundary->periodic & PERIODIC_X ? boundary->width : 0;
    const double y_period = boundary->periodic & PERIODIC_Y ? boundary->height : 0;
    double width = cell_list_shorten(shape->width * part, least, shape->columns, x_period);
    double height = cell_list_shorten(shape->height * part, least, shape->rows, y_period);
    if (shape->columns < 3 || shape->rows < 3 || (width >= shape->width && height >= shape->height))
        return 0;
    shape->width = fmin(width, shape->width);
    shape->height = fmin(height, shape->height);
    shape->wraps = PERIODIC_X | PERIODIC_Y;
    shape->is_folded = 1;
    return 1;
}

double cell_list_crowding(const struct cell_list *cell_list, size_t count)
{
    const uint32_t cells = cell_list->stride * (cell_list->shape.rows + 2);
    double squares = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        double members = 0;
        for (uint32_t next = cell; next != 0; next = cell_list->cells[next].state >> 2)
            members += cell_list->cells[next].state & 3;
        squares += members * members;
    }
    return squares / (double)count;
}

void cell_list_permute(struct system *system, uint32_t *order)
{
    for (uint32_t begin = 0; begin < system->count; begin++) {
        uint32_t to = begin;
        for (uint32_t from = order[to]; from != begin; from = order[to]) {
            system_exchange(system, to, from);
            order[to] = to;
            to = from;
        }
        order[to] = to;
    }
}
