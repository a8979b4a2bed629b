/*
 * The room that polygons leave; see room.h. The cells of the polygons' grid list the sides near a
 * position. A cell without sides is free as a whole, or not at all.
 */
#include "room.h"

#include "base/memory.h"
#include "model/polygon_grid.h"
#include "model/reach.h"

/* True if some of a cell is free. */
static int is_open(const struct room *room, size_t cell)
{
    const struct polygon_grid *grid = room->boundary->polygons->grid;
    const double x = ((double)(cell % grid->columns) + 0.5) * grid->width;
    const double y = ((double)(cell / grid->columns) + 0.5) * grid->height;
    return grid->first[cell] < grid->first[cell + 1] || region_contains(room->region, x, y);
}

enum status free_space_create(struct room *room, const struct boundary *boundary,
                              struct error *error)
{
    const struct polygon_grid *grid = boundary->polygons->grid;
    const size_t cells = (size_t)grid->columns * grid->rows;
    *room = (struct room){.boundary = boundary, .columns = grid->columns, .rows = grid->rows};
    enum status status = region_create(boundary, &room->region, error);
    if (status)
        return status;
    room->open = memory_allocate(cells, sizeof *room->open, "the room for disks", error);
    if (!room->open)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < cells; k++)
        if (is_open(room, k))
            room->open[room->open_count++] = (uint32_t)k;
    room->share = reach_area(boundary) / ((double)room->open_count * (grid->width * grid->height));
    return STATUS_DONE;
}

void free_space_free(struct room *room)
{
    region_free(room->region);
    memory_free(room->open);
    *room = (struct room){0};
}

/* True if a position is nearer to a side, ends included, than a radius. */
static int is_near(const struct side *side, double radius, double x, double y)
{
    const double square = side->lx * side->lx + side->ly * side->ly; /* of the length */
    double dx = x - side->x;
    double dy = y - side->y;
    const double along = side->lx * dx + side->ly * dy;
    if (along > 0 && along < square) {
        const double across = side->lx * dy - side->ly * dx;
        return across * across < radius * radius * square;
    }
    if (along > 0) {
        dx -= side->lx;
        dy -= side->ly;
    }
    return dx * dx + dy * dy < radius * radius;
}

/* True if a disk overlaps one of the sides that the grid lists for its centre. */
static int overlaps_side(const struct boundary *boundary, double radius, double x, double y)
{
    const struct polygon_grid *grid = boundary->polygons->grid;
    const size_t cell = polygon_grid_cell(grid, x, y);
    for (uint32_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const struct polygon_place *place = &grid->places[k];
        if (!polygons_is_corner(place->feature) &&
            is_near(&boundary->polygons->sides[polygons_side(place->feature)], radius,
                    x - place->column * boundary->width, y - place->row * boundary->height))
            return 1;
    }
    return 0;
}

/* Whether a disk overlaps one of the walls of an axis. */
static int overlaps_wall(double coordinate, double length, double radius, unsigned is_periodic)
{
    return !is_periodic && (coordinate < radius || coordinate > length - radius);
}

int free_space_holds(const struct room *room, double radius, double x, double y)
{
    const struct boundary *boundary = room->boundary;
    return !overlaps_wall(x, boundary->width, radius, boundary->periodic & PERIODIC_X) &&
           !overlaps_wall(y, boundary->height, radius, boundary->periodic & PERIODIC_Y) &&
           !overlaps_side(boundary, radius, x, y) && region_contains(room->region, x, y);
}
