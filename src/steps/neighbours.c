/*
 * Lists particles by cells; see neighbours.h. It is a counting sort: first how many each cell has,
 * then where its members begin, then who they are.
 */
#include "neighbours.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Gives an array room for `count` elements, and a little more, if it has less; it is not kept. */
static enum status reserve(void **array, size_t *room, size_t count, size_t size,
                           struct error *error)
{
    memory_free(*array);
    *room = count + count / 32;
    *array = memory_allocate(*room, size, "the neighbours", error);
    if (!*array)
        *room = 0;
    return *array ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* How many cells a side of the box is cut into: along a periodic axis two or more, so that the
 * image of a particle in a cell beside the seam is not in a cell beside it. */
static uint32_t cut(double length, double range, double most, unsigned is_periodic)
{
    return (uint32_t)fmax(is_periodic ? 2 : 1, fmin(floor(length / range), most));
}

/* Chooses cells: in proportion to the particles, so that empty ones cost no more than they. */
static void choose_cells(struct neighbours *neighbours, const struct boundary *boundary,
                         size_t count, double range)
{
    const double most = 4 * (double)count + 16;
    const double least = fmax(range, sqrt(boundary->width / most) * sqrt(boundary->height));
    const uint32_t columns = cut(boundary->width, least, most, boundary->periodic & PERIODIC_X);
    const uint32_t rows = cut(boundary->height, least, most, boundary->periodic & PERIODIC_Y);
    neighbours->columns = columns + 2;
    neighbours->rows = rows + 2;
    neighbours->width = boundary->width / columns;
    neighbours->height = boundary->height / rows;
}

/* The column (or row) of a coordinate; what is outside of the box belongs to its edge. */
static uint32_t locate(double x, double width, uint32_t columns)
{
    return 1 + (uint32_t)fmax(0, fmin(floor(x / width), (double)columns - 3));
}

uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y)
{
    return locate(y, neighbours->height, neighbours->rows) * neighbours->columns +
           locate(x, neighbours->width, neighbours->columns);
}

/* Where a particle and its images are listed: columns (or rows), and how far the images are away.
 */
struct places {
    uint32_t count;
    uint32_t at[2];
    double shift[2];
};

static struct places find_places(double x, double width, uint32_t columns, unsigned is_periodic,
                                 double length)
{
    const uint32_t column = locate(x, width, columns);
    struct places places = {1, {column}, {0}};
    if (is_periodic && (column == 1 || column == columns - 2)) {
        places.count = 2;
        places.at[1] = column == 1 ? columns - 1 : 0;
        places.shift[1] = column == 1 ? length : -length;
    }
    return places;
}

/* Lists a particle in all its places; or counts it, if `is_counting`. */
static void list(struct neighbours *neighbours, const struct boundary *boundary,
                 const struct particle *p, size_t k, int is_counting)
{
    const struct places columns = find_places(p->x, neighbours->width, neighbours->columns,
                                              boundary->periodic & PERIODIC_X, boundary->width);
    const struct places rows = find_places(p->y, neighbours->height, neighbours->rows,
                                           boundary->periodic & PERIODIC_Y, boundary->height);
    neighbours->cell[k] = rows.at[0] * neighbours->columns + columns.at[0];
    for (uint32_t row = 0; row < rows.count; row++) {
        for (uint32_t column = 0; column < columns.count; column++) {
            const uint32_t cell = rows.at[row] * neighbours->columns + columns.at[column];
            if (is_counting) {
                neighbours->first[cell + 1]++;
                continue;
            }
            const uint32_t at = neighbours->first[cell]++;
            neighbours->x[at] = p->x + columns.shift[column];
            neighbours->y[at] = p->y + rows.shift[row];
            neighbours->number[at] = (uint32_t)k;
        }
    }
}

/* Counts the members of each cell: `first` then tells where they begin. */
static void count_members(struct neighbours *neighbours, const struct system *system, size_t cells)
{
    memset(neighbours->first, 0, (cells + 1) * sizeof *neighbours->first);
    for (size_t k = 0; k < system->count; k++)
        list(neighbours, &system->boundary, &system->particles[k], k, 1);
    for (size_t cell = 0; cell < cells; cell++)
        neighbours->first[cell + 1] += neighbours->first[cell];
    neighbours->count = neighbours->first[cells];
}

/* Lists the members: then each `first` is where the next cell begins, and is put back. */
static void list_members(struct neighbours *neighbours, const struct system *system, size_t cells)
{
    for (size_t k = 0; k < system->count; k++)
        list(neighbours, &system->boundary, &system->particles[k], k, 0);
    memmove(neighbours->first + 1, neighbours->first, cells * sizeof *neighbours->first);
    neighbours->first[0] = 0;
}

static enum status reserve_list(struct neighbours *neighbours, struct error *error)
{
    size_t room = neighbours->list_room;
    if (neighbours->count <= room)
        return STATUS_DONE;
    neighbours->list_room = 0;
    enum status status =
        reserve((void **)&neighbours->x, &room, neighbours->count, sizeof *neighbours->x, error);
    if (!status)
        status = reserve((void **)&neighbours->y, &room, neighbours->count, sizeof *neighbours->y,
                         error);
    if (!status)
        status = reserve((void **)&neighbours->number, &room, neighbours->count,
                         sizeof *neighbours->number, error);
    if (!status)
        neighbours->list_room = room;
    return status;
}

enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error)
{
    double side = (double)INFINITY;
    if (boundary->periodic & PERIODIC_X)
        side = boundary->width;
    if (boundary->periodic & PERIODIC_Y)
        side = fmin(side, boundary->height);
    if (range <= side / 2)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "%s reaches %g far, which is more than half of a periodic side, %g: let it "
                     "reach less far, or take a larger box",
                     name, range, side / 2);
}

enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct error *error)
{
    if (system->count > NEIGHBOURS_MOST)
        return error_set(error, STATUS_NO_MEMORY,
                         "%zu particles are too many for interactions of a short range: the most "
                         "is %d",
                         system->count, NEIGHBOURS_MOST);
    choose_cells(neighbours, &system->boundary, system->count, range);
    const size_t cells = (size_t)neighbours->columns * neighbours->rows;
    enum status status = STATUS_DONE;
    if (cells + 1 > neighbours->cell_room)
        status = reserve((void **)&neighbours->first, &neighbours->cell_room, cells + 1,
                         sizeof *neighbours->first, error);
    if (!status && system->count > neighbours->particle_room)
        status = reserve((void **)&neighbours->cell, &neighbours->particle_room, system->count,
                         sizeof *neighbours->cell, error);
    if (status)
        return status;
    count_members(neighbours, system, cells);
    status = reserve_list(neighbours, error);
    if (!status)
        list_members(neighbours, system, cells);
    return status;
}

void neighbours_free(struct neighbours *neighbours)
{
    memory_free(neighbours->first);
    memory_free(neighbours->cell);
    memory_free(neighbours->x);
    memory_free(neighbours->y);
    memory_free(neighbours->number);
    *neighbours = (struct neighbours){0};
}
