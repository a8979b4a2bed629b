/*
 * The cell list that places disks; see grid.h.
 */
#include "grid.h"

#include "base/memory.h"

#include <math.h>

size_t count_squares(double length, double side)
{
    double squares = floor(length / side);
    return squares > 1 ? (size_t)squares : 1;
}

double find_square_side(const struct boundary *box, double most)
{
    double side = sqrt(box->width / most) * sqrt(box->height);
    return fmax(side, fmax(box->width, box->height) / most);
}

enum status grid_create(struct grid *grid, const struct boundary *box, size_t count, double least,
                        struct error *error)
{
    double side = fmax(find_square_side(box, 2 * (double)count), least);
    *grid = (struct grid){.side = side,
                          .columns = count_squares(box->width, side),
                          .rows = count_squares(box->height, side),
                          .periodic = box->periodic};
    grid->first = memory_allocate(grid->columns * grid->rows, sizeof *grid->first,
                                  "the cells in which disks are placed", error);
    if (!grid->first)
        return STATUS_NO_MEMORY;
    grid_clear(grid);
    return STATUS_DONE;
}

void grid_clear(struct grid *grid)
{
    for (size_t k = 0; k < grid->columns * grid->rows; k++)
        grid->first[k] = GRID_END;
}

/* The column or row of a coordinate. */
static size_t find_index(double coordinate, double side, size_t count)
{
    size_t index = (size_t)(coordinate / side);
    return index < count ? index : count - 1;
}

size_t grid_cell(const struct grid *grid, double x, double y)
{
    return find_index(y, grid->side, grid->rows) * grid->columns +
           find_index(x, grid->side, grid->columns);
}

/* The index of a coordinate, and those next to it. Returns how many they are. */
static size_t find_indices(double coordinate, double side, size_t count, int is_periodic,
                           size_t indices[3])
{
    size_t index = find_index(coordinate, side, count);
    size_t found = 0;
    if (index > 0 || is_periodic)
        indices[found++] = index > 0 ? index - 1 : count - 1;
    indices[found++] = index;
    if (index + 1 < count || is_periodic)
        indices[found++] = index + 1 < count ? index + 1 : 0;
    return found;
}

size_t grid_neighbours(const struct grid *grid, double x, double y, size_t cells[GRID_NEIGHBOURS])
{
    size_t rows[3];
    size_t columns[3];
    size_t row_count =
        find_indices(y, grid->side, grid->rows, (grid->periodic & PERIODIC_Y) != 0, rows);
    size_t column_count =
        find_indices(x, grid->side, grid->columns, (grid->periodic & PERIODIC_X) != 0, columns);
    size_t count = 0;
    for (size_t i = 0; i < row_count; i++)
        for (size_t j = 0; j < column_count; j++)
            cells[count++] = rows[i] * grid->columns + columns[j];
    return count;
}

void grid_free(struct grid *grid)
{
    memory_free(grid->first);
    *grid = (struct grid){0};
}
