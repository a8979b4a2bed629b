/* Grids; see grid.h. */
#include "model/grid.h"

#include "base/memory.h"

#include <string.h>

enum status grid_count(struct grid *grid, const char *what, struct error *error)
{
    const size_t size = (size_t)grid->columns * grid->rows + 2;
    grid->first = memory_reserve(grid->first, &grid->room, size, sizeof *grid->first, what, error);
    if (!grid->first)
        return STATUS_NO_MEMORY;
    memset(grid->first, 0, size * sizeof *grid->first);
    grid->next = grid->first + 2;
    return STATUS_DONE;
}

/* first[k + 1] is where the members of cell k begin and, once they have their places, where they
 * end. */
size_t grid_begin(struct grid *grid)
{
    const size_t cells = (size_t)grid->columns * grid->rows;
    for (size_t k = 0; k < cells; k++)
        grid->first[k + 2] += grid->first[k + 1];
    grid->next = grid->first + 1;
    return grid->first[cells + 1];
}
