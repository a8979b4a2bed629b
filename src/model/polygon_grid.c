/*
 * The grid of polygons; see polygon_grid.h.
 *
 * It is filled twice, first to count the places of each cell and then to write them. A side is near
 * the cells of a strip along it: row by row, its part within the row and a reach around that.
 */
#include "model/polygon_grid.h"

#include "base/memory.h"
#include "model/system.h"

#include <math.h>
#include <string.h>

enum { LEAST_CELLS = 256, MOST_CELLS = 1 << 22, PLACES_PER_SIDE = 64 };

/* The grid as it is filled. */
struct filling {
    struct polygon_grid *grid;
    const struct polygons *polygons;
    double reach;    /* of a centre to a line, length */
    uint64_t count;  /* of places */
    int is_counting; /* or writing */
    struct polygon_place place;
};

/* Puts the place into a cell. */
static void put(struct filling *filling, uint32_t column, uint32_t row)
{
    struct polygon_grid *grid = filling->grid;
    size_t cell = (size_t)row * grid->columns + column;
    filling->count++;
    if (filling->is_counting)
        grid->first[cell + 1]++;
    else
        grid->places[grid->first[cell]++] = filling->place;
}

/* Puts it into the columns of a row that are within the reach of [left, right]. */
static void put_row(struct filling *filling, uint32_t row, double left, double right, double length)
{
    const struct polygon_grid *grid = filling->grid;
    if (right + filling->reach < 0 || left - filling->reach > length)
        return;
    uint32_t last = polygon_grid_locate(right + filling->reach, grid->width, grid->columns);
    for (uint32_t column = polygon_grid_locate(left - filling->reach, grid->width, grid->columns);
         column <= last; column++)
        put(filling, column, row);
}

/* Puts it into all cells that are near the line from (x, y) to (x + lx, y + ly). */
static void put_line(struct filling *filling, const struct boundary *boundary, double x, double y,
                     double lx, double ly)
{
    const struct polygon_grid *grid = filling->grid;
    const double reach = filling->reach;
    const double bottom = fmin(y, y + ly) - reach;
    const double top = fmax(y, y + ly) + reach;
    if (top < 0 || bottom > boundary->height)
        return;
    /* Of a line that is nearly horizontal rounding could take any part. */
    const double rounding = system_rounding(boundary->height + fabs(y) + reach);
    uint32_t last = polygon_grid_locate(top, grid->height, grid->rows);
    for (uint32_t row = polygon_grid_locate(bottom, grid->height, grid->rows); row <= last; row++) {
        double low = fmax(bottom + reach, row * grid->height - reach) - rounding;
        double high = fmin(top - reach, (row + 1) * grid->height + reach) + rounding;
        double begin = ly != 0 ? fmin(fmax((low - y) / ly, 0), 1) : 0;
        double end = ly != 0 ? fmin(fmax((high - y) / ly, 0), 1) : 1;
        double left = x + fmin(lx * begin, lx * end);
        double right = x + fmax(lx * begin, lx * end);
        put_row(filling, row, left, right, boundary->width);
    }
}

/* Puts in all features, and their images. */
static void fill(struct filling *filling, const struct boundary *boundary)
{
    const int16_t columns = (boundary->periodic & PERIODIC_X) != 0;
    const int16_t rows = (boundary->periodic & PERIODIC_Y) != 0;
    filling->count = 0;
    for (size_t k = 0; k < filling->polygons->side_count; k++) {
        const struct side *side = &filling->polygons->sides[k];
        for (int16_t column = (int16_t)-columns; column <= columns; column++) {
            for (int16_t row = (int16_t)-rows; row <= rows; row++) {
                double dx = column * boundary->width;
                double dy = row * boundary->height;
                filling->place = (struct polygon_place){polygons_feature(k, 0), column, row};
                put_line(filling, boundary, side->x + dx, side->y + dy, side->lx, side->ly);
                filling->place.feature = polygons_feature(k, 1);
                if (side->corner != CORNER_HOLLOW)
                    put_line(filling, boundary, side->corner_x + dx, side->corner_y + dy, 0, 0);
            }
        }
    }
}

/* Gives the grid about `cells` cells, none of them smaller than the largest radius. */
static enum status set_cells(struct polygon_grid *grid, const struct boundary *boundary,
                             double largest, double cells, struct error *error)
{
    double side = fmax(sqrt(boundary->width / cells) * sqrt(boundary->height), largest);
    grid->columns = (uint32_t)fmin(fmax(floor(boundary->width / side), 1), cells);
    grid->rows = (uint32_t)fmin(fmax(floor(boundary->height / side), 1), cells);
    grid->width = boundary->width / grid->columns;
    grid->height = boundary->height / grid->rows;
    size_t count = (size_t)grid->columns * grid->rows + 1;
    memory_free(grid->first);
    grid->first = memory_allocate(count, sizeof *grid->first, "the grid of polygons", error);
    if (!grid->first)
        return STATUS_NO_MEMORY;
    memset(grid->first, 0, count * sizeof *grid->first);
    return STATUS_DONE;
}

/* Makes and fills the grid, with fewer cells as long as there would be too many places. */
static enum status make(struct filling *filling, const struct boundary *boundary, double largest,
                        double cells, struct error *error)
{
    struct polygon_grid *grid = filling->grid;
    const uint64_t most =
        PLACES_PER_SIDE * (uint64_t)filling->polygons->side_count + 4 * (uint64_t)cells;
    do {
        enum status status = set_cells(grid, boundary, largest, cells, error);
        if (status)
            return status;
        filling->is_counting = 1;
        fill(filling, boundary);
        cells /= 4;
    } while (filling->count > most && cells >= 1);
    grid->places = memory_allocate((size_t)filling->count + 1, sizeof *grid->places,
                                   "the grid of polygons", error);
    if (!grid->places)
        return STATUS_NO_MEMORY;
    /* first[k + 1] has the number of cell k, then where it begins, and is moved to where it ends.
     */
    const size_t count = (size_t)grid->columns * grid->rows;
    uint32_t begin = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t places = grid->first[k + 1];
        grid->first[k] = begin;
        begin += places;
    }
    filling->is_counting = 0;
    fill(filling, boundary);
    memmove(grid->first + 1, grid->first, count * sizeof *grid->first);
    grid->first[0] = 0;
    return STATUS_DONE;
}

enum status polygon_grid_create(struct polygon_grid **grid, const struct boundary *boundary,
                                const struct polygons *polygons, double largest, size_t particles,
                                struct error *error)
{
    const double margin = 16 * system_rounding(fmax(boundary->width, boundary->height));
    const double sides = (double)polygons->side_count;
    double cells = fmin(fmax(fmax((double)particles, 4 * sides), LEAST_CELLS), MOST_CELLS);
    *grid = memory_allocate(1, sizeof **grid, "the grid of polygons", error);
    if (!*grid)
        return STATUS_NO_MEMORY;
    **grid = (struct polygon_grid){0};
    struct filling filling = {
        .grid = *grid, .polygons = polygons, .reach = largest * (1 + 1e-9) + margin};
    enum status status = make(&filling, boundary, largest, cells, error);
    if (status) {
        polygon_grid_free(*grid);
        *grid = NULL;
    }
    return status;
}

void polygon_grid_free(struct polygon_grid *grid)
{
    if (!grid)
        return;
    memory_free(grid->first);
    memory_free(grid->places);
    memory_free(grid);
}
