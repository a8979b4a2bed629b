/*
 * Random sequential placement: propose a place, uniform over the box; take it if there it overlaps
 * no other disk; repeat. (B. Widom, Random sequential addition of hard spheres to a volume, Journal
 * of Chemical Physics 44, 1966.) It becomes slow where little room is left: at an area fraction of
 * 0.547 no place is found any more (E. L. Hinrichsen, J. Feder and T. Jossang, Geometry of random
 * sequential adsorption, Journal of Statistical Physics 44, 1986).
 *
 * What is near a place is found in a cell list, with cells at least one diameter wide: a disk that
 * overlaps is in the same cell or in one of the eight around that. The disks of a cell are a linked
 * list.
 *
 * Proposals all over a large box would wait for memory each time. So they come in rounds, in each
 * as many as disks are still wanted, and in a round they are made tile by tile: how many fall into
 * each tile of the box is drawn first, and then where in the tile. It is still uniform over the
 * box; all that the tiles decide is which of two proposals of one round that overlap comes first.
 */
#include "random_placement.h"

#include "base/memory.h"

#include <math.h>

/* Proposals for each disk, on average, after which it is given up. */
enum { MOST_PROPOSALS = 200 };

enum { TILE_COUNT = 1024 }; /* disks in a tile: what the processor keeps close at hand */

static const int32_t NONE = -1; /* no disk */

struct cells {
    double side; /* of a cell, length */
    size_t columns, rows;
    int32_t *first; /* of each cell: a disk in it, or NONE */
    int32_t *next;  /* of each disk placed: another one in its cell, or NONE */
};

/* How many squares of this side fit into `length`; what is left over belongs to the last. */
static size_t count_squares(double length, double side)
{
    double squares = floor(length / side);
    return squares > 1 ? (size_t)squares : 1;
}

/* The side of squares of which no more than `most` fit into the box. */
static double find_side(const struct system *system, double most)
{
    double side = sqrt(system->boundary.width / most) * sqrt(system->boundary.height);
    return fmax(side, fmax(system->boundary.width, system->boundary.height) / most);
}

/* Makes empty cells, at most two for each disk. */
static enum status cells_create(struct cells *cells, const struct system *system,
                                struct error *error)
{
    double side = fmax(find_side(system, 2 * (double)system->count), 2 * system->radius);
    *cells = (struct cells){.side = side,
                            .columns = count_squares(system->boundary.width, side),
                            .rows = count_squares(system->boundary.height, side)};
    cells->first = memory_allocate(cells->columns * cells->rows, sizeof *cells->first,
                                   "the cells of the random placement", error);
    cells->next = cells->first ? memory_allocate(system->count, sizeof *cells->next,
                                                 "the lists of the random placement", error)
                               : NULL;
    if (!cells->next)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < cells->columns * cells->rows; k++)
        cells->first[k] = NONE;
    return STATUS_DONE;
}

static void cells_free(struct cells *cells)
{
    memory_free(cells->first);
    memory_free(cells->next);
}

/* The column or row of a coordinate. */
static size_t find_cell(double coordinate, double cell, size_t cells)
{
    size_t index = (size_t)(coordinate / cell);
    return index < cells ? index : cells - 1;
}

/* Whether a disk at (x, y) would overlap one of those in the cell. */
static int overlaps_cell(const struct system *system, const struct cells *cells, size_t cell,
                         double x, double y)
{
    double least = 4 * system->radius * system->radius;
    for (int32_t k = cells->first[cell]; k != NONE; k = cells->next[k]) {
        double dx = system->particles[k].x - x;
        double dy = system->particles[k].y - y;
        if (dx * dx + dy * dy <= least)
            return 1;
    }
    return 0;
}

/* Places disk `index` at (x, y) if there is room; returns whether there is. */
static int place(struct system *system, struct cells *cells, size_t index, double x, double y)
{
    size_t column = find_cell(x, cells->side, cells->columns);
    size_t row = find_cell(y, cells->side, cells->rows);
    size_t cell = row * cells->columns + column;
    if (overlaps_cell(system, cells, cell, x, y)) /* the likeliest: quick to refuse */
        return 0;
    size_t last_column = column + 1 < cells->columns ? column + 1 : column;
    size_t last_row = row + 1 < cells->rows ? row + 1 : row;
    for (size_t i = row > 0 ? row - 1 : 0; i <= last_row; i++)
        for (size_t j = column > 0 ? column - 1 : 0; j <= last_column; j++)
            if (overlaps_cell(system, cells, i * cells->columns + j, x, y))
                return 0;
    system->particles[index].x = x;
    system->particles[index].y = y;
    cells->next[index] = cells->first[cell];
    cells->first[cell] = (int32_t)index;
    return 1;
}

/* The tiles of the box: equal parts of the room that the disks' centres have. */
struct tiles {
    size_t columns, rows;
    uint32_t *proposals; /* for each tile, how many fall into it in this round */
};

static enum status tiles_create(struct tiles *tiles, const struct system *system,
                                struct error *error)
{
    double side = find_side(system, fmax(1, (double)system->count / TILE_COUNT));
    *tiles = (struct tiles){.columns = count_squares(system->boundary.width, side),
                            .rows = count_squares(system->boundary.height, side)};
    tiles->proposals = memory_allocate(tiles->columns * tiles->rows, sizeof *tiles->proposals,
                                       "the tiles of the random placement", error);
    return tiles->proposals ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Draws how many of `count` proposals fall into each tile. */
static void deal_proposals(struct tiles *tiles, size_t count, struct random_generator *generator)
{
    const size_t number = tiles->columns * tiles->rows;
    for (size_t k = 0; k < number; k++)
        tiles->proposals[k] = 0;
    for (size_t k = 0; k < count; k++)
        tiles->proposals[(size_t)((double)number * random_unit(generator))]++;
}

/* A random coordinate at which a disk is inside the box, whose side is `length`, and in tile
 * `index` of `count` side by side. */
static double propose(double radius, double length, size_t index, size_t count,
                      const struct decimals *decimals, struct random_generator *generator)
{
    double tile = (length - 2 * radius) / (double)count;
    double value = radius + tile * ((double)index + random_unit(generator));
    value = number_round(decimals, value);
    return fmin(fmax(value, radius), length - radius); /* where rounding has led out of it */
}

/* Makes a proposal for each disk from `placed` on. Returns how many are placed then. */
static size_t place_round(struct system *system, struct cells *cells, struct tiles *tiles,
                          size_t placed, const struct decimals *decimals,
                          struct random_generator *generator)
{
    deal_proposals(tiles, system->count - placed, generator);
    for (size_t row = 0; row < tiles->rows; row++)
        for (size_t column = 0; column < tiles->columns; column++)
            for (uint32_t k = tiles->proposals[row * tiles->columns + column]; k > 0; k--) {
                double x = propose(system->radius, system->boundary.width, column, tiles->columns,
                                   decimals, generator);
                double y = propose(system->radius, system->boundary.height, row, tiles->rows,
                                   decimals, generator);
                placed += (size_t)place(system, cells, placed, x, y);
            }
    return placed;
}

enum status random_placement(struct system *system, const struct decimals *decimals,
                             struct random_generator *generator, int *is_placed,
                             struct error *error)
{
    struct cells cells = {0};
    struct tiles tiles = {0};
    enum status status = cells_create(&cells, system, error);
    if (!status)
        status = tiles_create(&tiles, system, error);
    size_t placed = 0;
    uint64_t proposals = 0;
    while (!status && placed < system->count &&
           proposals < MOST_PROPOSALS * (uint64_t)system->count) {
        proposals += system->count - placed;
        placed = place_round(system, &cells, &tiles, placed, decimals, generator);
    }
    *is_placed = placed == system->count;
    memory_free(tiles.proposals);
    cells_free(&cells);
    return status;
}
