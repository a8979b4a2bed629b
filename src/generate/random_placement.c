/*
 * Random sequential placement: propose a place, uniform over the box; take it if there it overlaps
 * no other disk; repeat. (B. Widom, Random sequential addition of hard spheres to a volume, Journal
 * of Chemical Physics 44, 1966.) It becomes slow where little room is left: at an area fraction of
 * 0.547 no place is found any more (E. L. Hinrichsen, J. Feder and T. Jossang, Geometry of random
 * sequential adsorption, Journal of Statistical Physics 44, 1986). Of different disks the largest
 * come first: the small ones find room between them.
 *
 * Each group of equal disks has a cell list, with cells at least one diameter wide. No disk is
 * larger than those before it; so in each list it overlaps only disks in the cell of its centre and
 * the eight around it.
 *
 * In a large box, proposals in random order would wait for memory each time. So they come in
 * rounds, in each as many as disks are still wanted, and in a round they are made tile by tile: how
 * many fall into each tile of the box is drawn first, and then where in the tile. It is still
 * uniform over the box; all that the tiles decide is which of two proposals of one round that
 * overlap comes first.
 *
 * Among polygons the tiles are the cells of their grid in which there is room at all. So even in a
 * narrow domain most proposals are in it.
 *
 */
#include "random_placement.h"

#include "base/memory.h"
#include "grid.h"
#include "room.h"

#include <math.h>

/* Proposals in the free area for each disk, on average, after which it is given up. */
static const double MAX_PROPOSALS = 200;

/* The least part of the tiles that is taken to be free: proposals are not made without end. */
static const double MIN_SHARE = 0.01;

enum { TILE_COUNT = 1024 }; /* disks in a tile: so many fit into the cache */

/* The disks of a group that have been placed. */
struct placement_layer {
    double radius; /* length */
    struct grid grid;
};

/* The disks placed so far. */
struct placement {
    struct system *system;
    double half_width, half_height; /* of an axis that is periodic, beyond which another image is
                                       nearer; otherwise INFINITY */
    int32_t *next;                  /* of each disk placed: another one in its cell, or none */
    struct room room;               /* among polygons, if there are any */
    size_t layer_count;             /* groups so far */
    struct placement_layer layers[PLACEMENT_MAX_GROUPS];
};

static enum status placement_create(struct placement *placement, struct system *system,
                                    struct error *error)
{
    const struct boundary *box = &system->boundary;
    *placement = (struct placement){
        .system = system,
        .half_width = box->periodic & PERIODIC_X ? box->width / 2 : (double)INFINITY,
        .half_height = box->periodic & PERIODIC_Y ? box->height / 2 : (double)INFINITY};
    placement->next = memory_allocate(system->count, sizeof *placement->next,
                                      "the lists of the random placement", error);
    if (!placement->next)
        return STATUS_NO_MEMORY;
    return box->polygons ? free_space_create(&placement->room, box, error) : STATUS_DONE;
}

static void placement_free(struct placement *placement)
{
    free_space_free(&placement->room);
    for (size_t k = 0; k < placement->layer_count; k++)
        grid_free(&placement->layers[k].grid);
    memory_free(placement->next);
}

/* Whether a disk of this radius at (x, y) would overlap one of those in a cell of a layer. */
static int overlaps_cell(const struct placement *placement, const struct placement_layer *layer,
                         size_t cell, double radius, double x, double y)
{
    const struct system *system = placement->system;
    double contact = layer->radius + radius;
    for (int32_t k = layer->grid.first[cell]; k != GRID_END; k = placement->next[k]) {
        double dx = fabs(system->particles[k].x - x);
        double dy = fabs(system->particles[k].y - y);
        if (dx > placement->half_width)
            dx = system->boundary.width - dx;
        if (dy > placement->half_height)
            dy = system->boundary.height - dy;
        if (dx * dx + dy * dy <= contact * contact)
            return 1;
    }
    return 0;
}

/* Whether a disk of this radius, at most that of the layer, would overlap one of the layer. */
static int overlaps_layer(const struct placement *placement, const struct placement_layer *layer,
                          double radius, double x, double y)
{
    size_t cells[GRID_NEIGHBOURS];
    if (overlaps_cell(placement, layer, grid_cell(&layer->grid, x, y), radius, x, y))
        return 1; /* tested first: most overlaps are there */
    size_t count = grid_neighbours(&layer->grid, x, y, cells);
    for (size_t k = 0; k < count; k++)
        if (overlaps_cell(placement, layer, cells[k], radius, x, y))
            return 1;
    return 0;
}

/* Places disk `index`, of the last layer, at (x, y) if there is room; returns whether there is. */
static int place_disk(struct placement *placement, size_t index, double x, double y)
{
    struct particle *particle = &placement->system->particles[index];
    const struct placement_layer *own = &placement->layers[placement->layer_count - 1];
    for (size_t k = placement->layer_count; k-- > 0;)
        if (overlaps_layer(placement, &placement->layers[k], own->radius, x, y))
            return 0;
    int32_t *first = &own->grid.first[grid_cell(&own->grid, x, y)];
    particle->x = x;
    particle->y = y;
    placement->next[index] = *first;
    *first = (int32_t)index;
    return 1;
}

/* The tiles of the box: equal parts of the room that the disks' centres have; or, among polygons,
 * of the box. */
struct placement_tiles {
    size_t columns, rows;
    const uint32_t *open;      /* those that count, row by row; NULL: all */
    size_t count;              /* of these */
    double share;              /* of their area that may be free */
    double x_margin, y_margin; /* from a side of the box to the first and last tiles, length */
    uint32_t *proposals;       /* for each that counts, how many fall into it in this round */
};

/* Makes the tiles for disks of a group. */
static enum status tiles_create(struct placement_tiles *tiles, const struct placement *placement,
                                const struct disk_group *group, struct error *error)
{
    const struct boundary *box = &placement->system->boundary;
    const struct room *room = &placement->room;
    double side = find_square_side(box, fmax(1, (double)group->count / TILE_COUNT));
    *tiles = (struct placement_tiles){.columns = count_squares(box->width, side),
                                      .rows = count_squares(box->height, side),
                                      .share = 1,
                                      .x_margin = box->periodic & PERIODIC_X ? 0 : group->radius,
                                      .y_margin = box->periodic & PERIODIC_Y ? 0 : group->radius};
    tiles->count = tiles->columns * tiles->rows;
    if (room->open)
        *tiles = (struct placement_tiles){.columns = room->columns,
                                          .rows = room->rows,
                                          .open = room->open,
                                          .count = room->open_count,
                                          .share = fmax(room->share, MIN_SHARE)};
    tiles->proposals = memory_allocate(tiles->count, sizeof *tiles->proposals,
                                       "the tiles of the random placement", error);
    return tiles->proposals ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Draws how many of `count` proposals fall into each tile. */
static void deal_proposals(struct placement_tiles *tiles, size_t count,
                           struct random_generator *generator)
{
    const size_t number = tiles->count;
    for (size_t k = 0; k < number; k++)
        tiles->proposals[k] = 0;
    for (size_t k = 0; k < count; k++)
        tiles->proposals[(size_t)((double)number * random_unit(generator))]++;
}

/* A random coordinate from `margin` to `length` - `margin`, but for rounding, in tile `index` of
 * `count` side by side. */
static double propose(double margin, double length, size_t index, size_t count,
                      const struct decimals *decimals, struct random_generator *generator)
{
    double tile = (length - 2 * margin) / (double)count;
    double value = margin + tile * ((double)index + random_unit(generator));
    return number_round(decimals, value);
}

/* Proposes a place in a tile for disk `index`. Returns whether it is placed. */
static int try_tile(struct placement *placement, const struct placement_tiles *tiles, size_t tile,
                    size_t index, const struct decimals *decimals,
                    struct random_generator *generator)
{
    const struct boundary *box = &placement->system->boundary;
    const double radius = placement->layers[placement->layer_count - 1].radius;
    const size_t number = tiles->open ? tiles->open[tile] : tile;
    double x = propose(tiles->x_margin, box->width, number % tiles->columns, tiles->columns,
                       decimals, generator);
    double y = propose(tiles->y_margin, box->height, number / tiles->columns, tiles->rows, decimals,
                       generator);
    if (tiles->open && !free_space_holds(&placement->room, radius, x, y))
        return 0;
    boundary_clamp(box, radius, &x, &y); /* where rounding has led out of it */
    return place_disk(placement, index, x, y);
}

/*
 * Makes a proposal for each disk from `placed` to `end`. Returns how many are placed then. Among
 * polygons, where the tiles are small, to visit all of them for a few proposals would take longer
 * than memory does.
 */
static size_t place_round(struct placement *placement, struct placement_tiles *tiles, size_t placed,
                          size_t end, const struct decimals *decimals,
                          struct random_generator *generator)
{
    if (tiles->open && end - placed < tiles->count) {
        for (size_t k = end - placed; k > 0; k--) {
            const size_t tile = (size_t)((double)tiles->count * random_unit(generator));
            placed += (size_t)try_tile(placement, tiles, tile, placed, decimals, generator);
        }
        return placed;
    }
    deal_proposals(tiles, end - placed, generator);
    for (size_t tile = 0; tile < tiles->count; tile++)
        for (uint32_t k = tiles->proposals[tile]; k > 0; k--)
            placed += (size_t)try_tile(placement, tiles, tile, placed, decimals, generator);
    return placed;
}

/* Places the disks of a group. `*placed` is the number that found room. */
static enum status place_group(struct placement *placement, const struct disk_group *group,
                               const struct decimals *decimals, struct random_generator *generator,
                               size_t *placed, struct error *error)
{
    const size_t end = group->first + group->count;
    struct placement_tiles tiles = {0};
    struct placement_layer *layer = &placement->layers[placement->layer_count];
    enum status status = grid_create(&layer->grid, &placement->system->boundary, group->count,
                                     2 * group->radius, error);
    if (!status) {
        layer->radius = group->radius;
        placement->layer_count++;
    }
    if (!status)
        status = tiles_create(&tiles, placement, group, error);
    size_t next = group->first;
    const double max_proposals =
        tiles.count > 0 ? MAX_PROPOSALS * (double)group->count / tiles.share : 0;
    double proposals = 0;
    while (!status && next < end && proposals < max_proposals) {
        proposals += (double)(end - next);
        next = place_round(placement, &tiles, next, end, decimals, generator);
    }
    *placed = next - group->first;
    memory_free(tiles.proposals);
    return status;
}

enum status place_at_random(struct system *system, const struct disk_group *groups,
                            size_t group_count, const struct decimals *decimals,
                            struct random_generator *generator, size_t *placed, struct error *error)
{
    struct placement placement;
    enum status status = placement_create(&placement, system, error);
    int is_full = 0;
    *placed = 0;
    for (size_t k = 0; k < group_count && !status && !is_full; k++) {
        size_t found = 0;
        status = place_group(&placement, &groups[k], decimals, generator, &found, error);
        *placed += found;
        is_full = found < groups[k].count;
    }
    placement_free(&placement);
    return status;
}
