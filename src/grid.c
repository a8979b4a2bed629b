/*
 * The grid; see grid.h.
 */
#include "grid.h"

#include "memory.h"

#include <math.h>

_Static_assert(sizeof(struct grid_cell) == 16, "a row of three cells is 48 bytes");

enum status grid_create(struct grid *grid, size_t most_cells, size_t members, struct error *error)
{
    /* The chains hold at most members / 3 cells, for each of theirs is full. */
    size_t cells = most_cells + members / GRID_MEMBERS + 1;
    *grid = (struct grid){.most_cells = most_cells};
    grid->cells = memory_allocate_lines(cells, sizeof *grid->cells, "the cells", error);
    /* A single row of cells, in a border of its own, has the most columns and rows. */
    if (grid->cells)
        grid->x_borders =
            memory_allocate(most_cells / 3 + 4, sizeof *grid->x_borders, "the borders", error);
    return grid->x_borders ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void set_borders(double *borders, double begin, double side, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        borders[k] = begin + (double)k * side;
    borders[0] = -(double)INFINITY;
    borders[count] = (double)INFINITY;
}

void grid_reset(struct grid *grid, const struct grid_shape *shape)
{
    size_t cells = ((size_t)shape->columns + 2) * ((size_t)shape->rows + 2);
    grid->shape = *shape;
    grid->stride = shape->columns + 2;
    grid->overflow_end = (uint32_t)cells;
    grid->overflow_free = 0;
    grid->overflow_used = 0;
    grid->y_borders = grid->x_borders + shape->columns + 1;
    set_borders(grid->x_borders, shape->left, shape->width, shape->columns);
    set_borders(grid->y_borders, shape->bottom, shape->height, shape->rows);
    memset(grid->cells, 0, cells * sizeof *grid->cells);
}

void grid_free(struct grid *grid)
{
    memory_free(grid->cells);
    memory_free(grid->x_borders);
    *grid = (struct grid){0};
}

/* The column (or row) of a coordinate, at most `count` - 1. */
static uint32_t locate(double x, double begin, double side, uint32_t count)
{
    double place = (x - begin) / side;
    if (!(place > 0))
        return 0;
    return place < (double)count ? (uint32_t)place : count - 1;
}

uint32_t grid_locate(const struct grid *grid, double x, double y)
{
    const struct grid_shape *shape = &grid->shape;
    uint32_t column = locate(x, shape->left, shape->width, shape->columns);
    uint32_t row = locate(y, shape->bottom, shape->height, shape->rows);
    return grid_cell_at(grid, column, row);
}

/* An unused cell of the overflow, emptied. */
static uint32_t take_overflow(struct grid *grid)
{
    uint32_t cell = grid->overflow_free;
    if (cell != 0)
        grid->overflow_free = grid->cells[cell].state >> 2;
    else
        cell = grid->overflow_end++;
    grid->overflow_used++;
    grid->cells[cell].state = 0;
    return cell;
}

/* Only the first cell of a chain may have fewer than 3 members: it is the one in the grid. */
void grid_add(struct grid *grid, uint32_t cell, uint32_t member)
{
    struct grid_cell *head = &grid->cells[cell];
    uint32_t count = head->state & 3;
    if (count == GRID_MEMBERS) {
        uint32_t full = take_overflow(grid);
        grid->cells[full] = *head;
        head->state = full * 4;
        count = 0;
    }
    head->members[count] = member;
    head->state++;
}

/* Takes `member` out of a cell with a chain: the last one of the first cell fills its place. */
static void remove_from_chain(struct grid *grid, struct grid_cell *head, uint32_t member)
{
    uint32_t last = head->members[(head->state & 3) - 1];
    struct grid_cell *place = head;
    uint32_t k = 0;
    while (place->members[k] != member) {
        k++;
        if (k == (place->state & 3)) {
            place = &grid->cells[place->state >> 2];
            k = 0;
        }
    }
    place->members[k] = last;
    head->state--;
    if ((head->state & 3) == 0) {
        uint32_t full = head->state >> 2;
        *head = grid->cells[full];
        grid->cells[full].state = grid->overflow_free * 4;
        grid->overflow_free = full;
        grid->overflow_used--;
    }
}

/* Where the member stands is hard to guess, so there are no branches: the last takes its place. */
void grid_remove(struct grid *grid, uint32_t cell, uint32_t member)
{
    struct grid_cell *head = &grid->cells[cell];
    if (grid_overflows(head->state)) {
        remove_from_chain(grid, head, member);
        return;
    }
    uint32_t last = head->members[--head->state];
    head->members[0] = head->members[0] == member ? last : head->members[0];
    head->members[1] = head->members[1] == member ? last : head->members[1];
}

/* Writes the members of a cell and of its chain to `list` and returns where it ends. */
static uint32_t *list_cell(const struct grid *grid, uint32_t cell, uint32_t *list)
{
    for (uint32_t next = cell; next != 0; next = grid->cells[next].state >> 2)
        for (uint32_t k = 0; k < (grid->cells[next].state & 3); k++)
            *list++ = grid->cells[next].members[k];
    return list;
}

size_t grid_list(const struct grid *grid, uint32_t *list)
{
    const uint32_t tile = 8;
    const uint32_t *begin = list;
    const struct grid_shape *shape = &grid->shape;
    for (uint32_t bottom = 0; bottom < shape->rows; bottom += tile)
        for (uint32_t left = 0; left < shape->columns; left += tile)
            for (uint32_t row = bottom; row < bottom + tile && row < shape->rows; row++)
                for (uint32_t column = left; column < left + tile && column < shape->columns;
                     column++)
                    list = list_cell(grid, grid_cell_at(grid, column, row), list);
    return (size_t)(list - begin);
}
