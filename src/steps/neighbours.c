/*
 * The cell list; see neighbours.h. It is a counting sort: count the members of each cell, sum up
 * where they begin, then list them.
 */
#include "neighbours.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* An array with room for more than `count` elements; the contents are lost if it is reallocated. */
static void *reserve_array(void *array, size_t *room, size_t count, size_t size,
                           struct error *error)
{
    if (count < *room)
        return array;
    memory_free(array);
    *room = count + count / 32 + 1;
    array = memory_allocate(*room, size, "the neighbours", error);
    if (!array)
        *room = 0;
    return array;
}

/* The number of cells along a side of the box: along a periodic axis two or more, so that a
 * particle and its image are never in adjacent cells. */
static uint32_t neighbours_columns(double length, double range, double max, unsigned is_periodic)
{
    return (uint32_t)fmax(is_periodic ? 2 : 1, fmin(floor(length / range), max));
}

/* Chooses the cells. Their number is at most in proportion to that of particles, so that empty
 * cells cost little. */
static void choose_cells(struct neighbours *neighbours, const struct boundary *boundary,
                         size_t count, double range)
{
    const double max = 4 * (double)count + 16;
    const double min_size = fmax(range, sqrt(boundary->width / max) * sqrt(boundary->height));
    const uint32_t columns =
        neighbours_columns(boundary->width, min_size, max, boundary->periodic & PERIODIC_X);
    const uint32_t rows =
        neighbours_columns(boundary->height, min_size, max, boundary->periodic & PERIODIC_Y);
    neighbours->columns = columns + 2;
    neighbours->rows = rows + 2;
    neighbours->width = boundary->width / columns;
    neighbours->height = boundary->height / rows;
}

/* The column (or row) of a coordinate; one outside of the box is at its edge. */
static uint32_t column_of(double x, double width, uint32_t columns)
{
    return 1 + (uint32_t)fmax(0, fmin(floor(x / width), (double)columns - 3));
}

uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y)
{
    return column_of(y, neighbours->height, neighbours->rows) * neighbours->columns +
           column_of(x, neighbours->width, neighbours->columns);
}

/* The columns (or rows) in which a particle and its image are listed, and the shift of the image.
 */
struct neighbour_images {
    uint32_t count;
    uint32_t at[2];
    double shift[2];
};

static struct neighbour_images list_images(double x, double width, uint32_t columns,
                                           unsigned is_periodic, double length)
{
    const uint32_t column = column_of(x, width, columns);
    struct neighbour_images images = {1, {column}, {0}};
    if (is_periodic && (column == 1 || column == columns - 2)) {
        images.count = 2;
        images.at[1] = column == 1 ? columns - 1 : 0;
        images.shift[1] = column == 1 ? length : -length;
    }
    return images;
}

/* Lists a particle and its images; or only counts them, if `is_counting`. */
static void list_particle(struct neighbours *neighbours, const struct boundary *boundary,
                          const struct particle *p, size_t k, int is_counting)
{
    const struct neighbour_images columns =
        list_images(p->x, neighbours->width, neighbours->columns, boundary->periodic & PERIODIC_X,
                    boundary->width);
    const struct neighbour_images rows =
        list_images(p->y, neighbours->height, neighbours->rows, boundary->periodic & PERIODIC_Y,
                    boundary->height);
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

/* Counts the members of each cell, and sets `first` to where they begin. */
static void count_cell_members(struct neighbours *neighbours, const struct system *system,
                               size_t cells)
{
    memset(neighbours->first, 0, (cells + 1) * sizeof *neighbours->first);
    for (size_t k = 0; k < system->count; k++)
        list_particle(neighbours, &system->boundary, &system->particles[k], k, 1);
    for (size_t cell = 0; cell < cells; cell++)
        neighbours->first[cell + 1] += neighbours->first[cell];
    neighbours->count = neighbours->first[cells];
}

/* Lists the members. That advances each `first` to the next cell, so they are moved back. */
static void list_cell_members(struct neighbours *neighbours, const struct system *system,
                              size_t cells)
{
    for (size_t k = 0; k < system->count; k++)
        list_particle(neighbours, &system->boundary, &system->particles[k], k, 0);
    memmove(neighbours->first + 1, neighbours->first, cells * sizeof *neighbours->first);
    neighbours->first[0] = 0;
}

static enum status reserve_list(struct neighbours *near, struct error *error)
{
    size_t x_room = near->list_room;
    size_t y_room = near->list_room;
    near->x = reserve_array(near->x, &x_room, near->count, sizeof *near->x, error);
    near->y = reserve_array(near->y, &y_room, near->count, sizeof *near->y, error);
    near->number =
        reserve_array(near->number, &near->list_room, near->count, sizeof *near->number, error);
    if (near->x && near->y && near->number)
        return STATUS_DONE;
    near->list_room = 0;
    return STATUS_NO_MEMORY;
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
    if (system->count > NEIGHBOURS_MAX_PARTICLES)
        return error_set(error, STATUS_NO_MEMORY,
                         "%zu particles are too many for interactions of a short range: the most "
                         "is %d",
                         system->count, NEIGHBOURS_MAX_PARTICLES);
    choose_cells(neighbours, &system->boundary, system->count, range);
    const size_t cells = (size_t)neighbours->columns * neighbours->rows;
    neighbours->first = reserve_array(neighbours->first, &neighbours->cell_room, cells,
                                      sizeof *neighbours->first, error);
    neighbours->cell = reserve_array(neighbours->cell, &neighbours->particle_room, system->count,
                                     sizeof *neighbours->cell, error);
    if (!neighbours->first || !neighbours->cell)
        return STATUS_NO_MEMORY;
    count_cell_members(neighbours, system, cells);
    enum status status = reserve_list(neighbours, error);
    if (!status)
        list_cell_members(neighbours, system, cells);
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
