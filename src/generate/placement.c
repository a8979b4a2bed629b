/*
 * Placing disks; see placement.h. What random placement and relaxation share comes first: a cell
 * list, and the space that polygons leave free.
 */
#include "placement.h"

#include "base/memory.h"
#include "model/polygon_grid.h"
#include "model/reach.h"
#include "model/region.h"

#include <math.h>

#define GRID_END (-1) /* no disk */

enum { GRID_NEIGHBOURS = 9 };

/*
 * The cell list: square cells, each with a linked list of its disks. A disk overlaps only disks in
 * the cell of its centre and the eight around it.
 */
struct grid {
    double side; /* of a cell, length; those at the right and at the top may be larger */
    size_t columns, rows;
    unsigned periodic; /* the box's axes */
    int32_t *first;    /* of each cell: a disk in it, or GRID_END; owned */
    int32_t *next;     /* of each disk: another one in its cell, or GRID_END; the caller's */
};

/* How many squares of this side fit into `length`: 1 or more. The remainder belongs to the last. */
static size_t count_squares(double length, double side)
{
    double squares = floor(length / side);
    return squares > 1 ? (size_t)squares : 1;
}

/* The side of squares of which no more than `most` fit into the box. */
static double find_square_side(const struct boundary *box, double max_count)
{
    double side = sqrt(box->width / max_count) * sqrt(box->height);
    return fmax(side, fmax(box->width, box->height) / max_count);
}

static void grid_clear(struct grid *grid)
{
    for (size_t k = 0; k < grid->columns * grid->rows; k++)
        grid->first[k] = GRID_END;
}

/*
 * Makes empty cells for `count` disks: at most two for each, and none narrower than `least`.
 * Returns STATUS_DONE, or STATUS_NO_MEMORY and nothing to free.
 */
static enum status grid_create(struct grid *grid, const struct boundary *box, size_t count,
                               double min_side, int32_t *next, struct error *error)
{
    double side = fmax(find_square_side(box, 2 * (double)count), min_side);
    *grid = (struct grid){.side = side,
                          .columns = count_squares(box->width, side),
                          .rows = count_squares(box->height, side),
                          .periodic = box->periodic,
                          .next = next};
    grid->first = memory_allocate(grid->columns * grid->rows, sizeof *grid->first,
                                  "the cells in which disks are placed", error);
    if (!grid->first)
        return STATUS_NO_MEMORY;
    grid_clear(grid);
    return STATUS_DONE;
}

/* The column or row of a coordinate. */
static size_t find_index(double coordinate, double side, size_t count)
{
    size_t index = (size_t)(coordinate / side);
    return index < count ? index : count - 1;
}

/* The number of the cell with a position in the box. */
static size_t grid_cell(const struct grid *grid, double x, double y)
{
    return find_index(y, grid->side, grid->rows) * grid->columns +
           find_index(x, grid->side, grid->columns);
}

static void grid_add(struct grid *grid, size_t disk, double x, double y)
{
    int32_t *first = &grid->first[grid_cell(grid, x, y)];
    grid->next[disk] = *first;
    *first = (int32_t)disk;
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

/* Finds the cells around a position in the box, its own included, also across seams. Returns their
 * number; in a box of few cells a cell may be among them twice. */
static size_t grid_neighbours(const struct grid *grid, double x, double y,
                              size_t cells[GRID_NEIGHBOURS])
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

static void grid_free(struct grid *grid)
{
    memory_free(grid->first);
    *grid = (struct grid){0};
}

/*
 * The area that polygons leave free. The cells of the polygons' grid list the sides near a
 * position. A cell without sides is free as a whole, or not at all.
 */
struct free_space {
    const struct boundary *boundary;
    struct region *region;
    size_t columns, rows; /* of cells: those of the polygons' grid */
    uint32_t *open;       /* the cells in which a centre may be, in rising order; owned */
    size_t open_count;
    double share; /* the part of these cells that is free for points: above 0, but for rounding to 1
                     at most */
};

/* True if some of a cell is free. */
static int is_open(const struct free_space *space, size_t cell)
{
    const struct polygon_grid *grid = space->boundary->polygons->grid;
    const double x = ((double)(cell % grid->columns) + 0.5) * grid->width;
    const double y = ((double)(cell / grid->columns) + 0.5) * grid->height;
    return grid->first[cell] < grid->first[cell + 1] || region_contains(space->region, x, y);
}

/*
 * Finds the room of a boundary, whose polygons have been prepared. Returns STATUS_DONE, or
 * STATUS_NO_MEMORY; in either case the caller gives it to free_space_free.
 */
static enum status free_space_create(struct free_space *space, const struct boundary *boundary,
                                     struct error *error)
{
    const struct polygon_grid *grid = boundary->polygons->grid;
    const size_t cells = (size_t)grid->columns * grid->rows;
    *space =
        (struct free_space){.boundary = boundary, .columns = grid->columns, .rows = grid->rows};
    enum status status = region_create(boundary, &space->region, error);
    if (status)
        return status;
    space->open = memory_allocate(cells, sizeof *space->open, "the room for disks", error);
    if (!space->open)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < cells; k++)
        if (is_open(space, k))
            space->open[space->open_count++] = (uint32_t)k;
    space->share =
        reach_area(boundary) / ((double)space->open_count * (grid->width * grid->height));
    return STATUS_DONE;
}

static void free_space_free(struct free_space *space)
{
    region_free(space->region);
    memory_free(space->open);
    *space = (struct free_space){0};
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

/* True if a disk overlaps one of the walls of an axis. */
static int overlaps_wall(double coordinate, double length, double radius, unsigned is_periodic)
{
    return !is_periodic && (coordinate < radius || coordinate > length - radius);
}

/*
 * True if a disk of this radius, not larger than those for which the polygons have been prepared,
 * has room at a place of the box: it overlaps no side, corner or wall, and its centre is in the
 * region of particles. Nothing but exact operations, so that all machines agree.
 */
static int free_space_holds(const struct free_space *space, double radius, double x, double y)
{
    const struct boundary *boundary = space->boundary;
    return !overlaps_wall(x, boundary->width, radius, boundary->periodic & PERIODIC_X) &&
           !overlaps_wall(y, boundary->height, radius, boundary->periodic & PERIODIC_Y) &&
           !overlaps_side(boundary, radius, x, y) && region_contains(space->region, x, y);
}

/*
 * Random sequential placement: propose a position, uniform over the box; take it if the disk
 * overlaps no other there; repeat. (B. Widom, Random sequential addition of hard spheres to a
 * volume, Journal of Chemical Physics 44, 1966.) It becomes slow where little room is left: at an
 * area fraction of 0.547 no position is found any more (E. L. Hinrichsen, J. Feder and T. Jossang,
 * Geometry of random sequential adsorption, Journal of Statistical Physics 44, 1986). Of different
 * disks the largest come first: the small ones find room between them.
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
    const struct decimals *decimals; /* of coordinates */
    struct random_generator *generator;
    double half_width, half_height; /* of an axis that is periodic, beyond which another image is
                                       nearer; otherwise INFINITY */
    int32_t *next;                  /* of each disk placed: another one in its cell, or none */
    struct free_space space;        /* among polygons, if there are any */
    size_t layer_count;             /* groups so far */
    struct placement_layer layers[PLACEMENT_MAX_GROUPS];
};

/* Allocates what the members that are set already require. */
static enum status placement_create(struct placement *placement, struct error *error)
{
    const struct boundary *box = &placement->system->boundary;
    placement->half_width = box->periodic & PERIODIC_X ? box->width / 2 : (double)INFINITY;
    placement->half_height = box->periodic & PERIODIC_Y ? box->height / 2 : (double)INFINITY;
    placement->next = memory_allocate(placement->system->count, sizeof *placement->next,
                                      "the lists of the random placement", error);
    if (!placement->next)
        return STATUS_NO_MEMORY;
    return box->polygons ? free_space_create(&placement->space, box, error) : STATUS_DONE;
}

static void placement_free(struct placement *placement)
{
    free_space_free(&placement->space);
    for (size_t k = 0; k < placement->layer_count; k++)
        grid_free(&placement->layers[k].grid);
    memory_free(placement->next);
}

/* True if a disk of this radius at (x, y) would overlap one of those in a cell of a layer. */
static int overlaps_cell(const struct placement *placement, const struct placement_layer *layer,
                         size_t cell, double radius, double x, double y)
{
    const struct system *system = placement->system;
    double contact = layer->radius + radius;
    for (int32_t k = layer->grid.first[cell]; k != GRID_END; k = layer->grid.next[k]) {
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

/* True if a disk of this radius, at most that of the layer, would overlap one of the layer. */
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
    struct placement_layer *own = &placement->layers[placement->layer_count - 1];
    for (size_t k = placement->layer_count; k-- > 0;)
        if (overlaps_layer(placement, &placement->layers[k], own->radius, x, y))
            return 0;
    particle->x = x;
    particle->y = y;
    grid_add(&own->grid, index, x, y);
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
    const struct free_space *space = &placement->space;
    double side = find_square_side(box, fmax(1, (double)group->count / TILE_COUNT));
    *tiles = (struct placement_tiles){.columns = count_squares(box->width, side),
                                      .rows = count_squares(box->height, side),
                                      .share = 1,
                                      .x_margin = box->periodic & PERIODIC_X ? 0 : group->radius,
                                      .y_margin = box->periodic & PERIODIC_Y ? 0 : group->radius};
    tiles->count = tiles->columns * tiles->rows;
    if (space->open)
        *tiles = (struct placement_tiles){.columns = space->columns,
                                          .rows = space->rows,
                                          .open = space->open,
                                          .count = space->open_count,
                                          .share = fmax(space->share, MIN_SHARE)};
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
static double propose(const struct placement *placement, double margin, double length, size_t index,
                      size_t count)
{
    double tile = (length - 2 * margin) / (double)count;
    double value = margin + tile * ((double)index + random_unit(placement->generator));
    return number_round(placement->decimals, value);
}

/* Proposes a position in a tile for disk `index`. Returns whether it is placed. */
static int try_tile(struct placement *placement, const struct placement_tiles *tiles, size_t tile,
                    size_t index)
{
    const struct boundary *box = &placement->system->boundary;
    const double radius = placement->layers[placement->layer_count - 1].radius;
    const size_t number = tiles->open ? tiles->open[tile] : tile;
    double x =
        propose(placement, tiles->x_margin, box->width, number % tiles->columns, tiles->columns);
    double y =
        propose(placement, tiles->y_margin, box->height, number / tiles->columns, tiles->rows);
    if (tiles->open && !free_space_holds(&placement->space, radius, x, y))
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
                          size_t end)
{
    if (tiles->open && end - placed < tiles->count) {
        for (size_t k = end - placed; k > 0; k--) {
            const size_t tile = (size_t)((double)tiles->count * random_unit(placement->generator));
            placed += (size_t)try_tile(placement, tiles, tile, placed);
        }
        return placed;
    }
    deal_proposals(tiles, end - placed, placement->generator);
    for (size_t tile = 0; tile < tiles->count; tile++)
        for (uint32_t k = tiles->proposals[tile]; k > 0; k--)
            placed += (size_t)try_tile(placement, tiles, tile, placed);
    return placed;
}

/* Places the disks of a group. `*placed` is the number that found room. */
static enum status place_group(struct placement *placement, const struct disk_group *group,
                               size_t *placed, struct error *error)
{
    const size_t end = group->first + group->count;
    struct placement_tiles tiles = {0};
    struct placement_layer *layer = &placement->layers[placement->layer_count];
    enum status status = grid_create(&layer->grid, &placement->system->boundary, group->count,
                                     2 * group->radius, placement->next, error);
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
        next = place_round(placement, &tiles, next, end);
    }
    *placed = next - group->first;
    memory_free(tiles.proposals);
    return status;
}

enum status place_at_random(struct system *system, const struct disk_group *groups,
                            size_t group_count, const struct decimals *decimals,
                            struct random_generator *generator, size_t *placed, struct error *error)
{
    struct placement placement = {.system = system, .decimals = decimals, .generator = generator};
    enum status status = placement_create(&placement, error);
    int is_full = 0;
    *placed = 0;
    for (size_t k = 0; k < group_count && !status && !is_full; k++) {
        size_t found = 0;
        status = place_group(&placement, &groups[k], &found, error);
        *placed += found;
        is_full = found < groups[k].count;
    }
    placement_free(&placement);
    return status;
}

/*
 * Relaxation. In a sweep each disk looks for disks that it overlaps, and each such pair is pushed
 * apart, both by the same way, a little further than contact. That may push them into others, which
 * the next sweeps push on. The overlaps become fewer and smaller; below the density at which disks
 * jam, none are left in the end. (For half of the disks 1.4 times as large as the others, that is
 * an area fraction of 0.842: C. S. O'Hern, L. E. Silbert, A. J. Liu and S. R. Nagel, Jamming at
 * zero temperature and zero applied stress, Physical Review E 68, 2003.) A sweep that pushes none
 * has seen all pairs where they are, and is the proof that no two overlap.
 */
enum { MAX_SWEEPS = 2000 };

static const double MIN_GAP = 1e-6;    /* in contact distances: rounding cannot close it */
static const double PUSHED_GAP = 5e-3; /* between two that have been pushed apart */

/* Scatters the disks over the room that their centres have. */
static void scatter_disks(struct system *system, struct random_generator *generator)
{
    const struct boundary *box = &system->boundary;
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        const double x_margin = box->periodic & PERIODIC_X ? 0 : radius;
        const double y_margin = box->periodic & PERIODIC_Y ? 0 : radius;
        p->x = x_margin + (box->width - 2 * x_margin) * random_unit(generator);
        p->y = y_margin + (box->height - 2 * y_margin) * random_unit(generator);
    }
}

/* The coordinate that is `value` modulo `length`, for one that is less than that out of the box. */
static double wrap_once(double value, double length)
{
    if (value < 0)
        return value + length;
    return value >= length ? value - length : value;
}

/* Moves a disk, through seams but not into walls. */
static void relaxation_move(const struct system *system, struct particle *p, double dx, double dy)
{
    const struct boundary *box = &system->boundary;
    p->x = box->periodic & PERIODIC_X ? wrap_once(p->x + dx, box->width) : p->x + dx;
    p->y = box->periodic & PERIODIC_Y ? wrap_once(p->y + dy, box->height) : p->y + dy;
    boundary_clamp(box, system_radius(system, p), &p->x, &p->y);
}

/* The component of a distance to the nearest image. */
static double nearest_image(double distance, double length, unsigned is_periodic)
{
    if (!is_periodic || fabs(distance) <= length / 2)
        return distance;
    return distance > 0 ? distance - length : distance + length;
}

/* Pushes two disks apart if they overlap. Returns whether they do. */
static int relaxation_push(const struct system *system, struct particle *p, struct particle *q)
{
    const struct boundary *box = &system->boundary;
    const double contact = system_contact(system, p, q);
    const double least = contact * (1 + MIN_GAP);
    double dx = nearest_image(q->x - p->x, box->width, box->periodic & PERIODIC_X);
    double dy = nearest_image(q->y - p->y, box->height, box->periodic & PERIODIC_Y);
    const double square = dx * dx + dy * dy;
    if (square > least * least)
        return 0;
    const double distance = sqrt(square);
    if (distance == 0)
        dx = 1; /* any direction */
    const double half = (contact * (1 + PUSHED_GAP) - distance) / 2 / (distance > 0 ? distance : 1);
    relaxation_move(system, p, -half * dx, -half * dy);
    relaxation_move(system, q, half * dx, half * dy);
    return 1;
}

/* Pushes all pairs apart that overlap. Returns how many do. */
static size_t relaxation_sweep(struct system *system, struct grid *grid)
{
    size_t pushed = 0;
    grid_clear(grid);
    for (size_t k = 0; k < system->count; k++)
        grid_add(grid, k, system->particles[k].x, system->particles[k].y);
    for (size_t i = 0; i < system->count; i++) {
        struct particle *p = &system->particles[i];
        size_t cells[GRID_NEIGHBOURS];
        size_t count = grid_neighbours(grid, p->x, p->y, cells);
        for (size_t k = 0; k < count; k++)
            for (int32_t j = grid->first[cells[k]]; j != GRID_END; j = grid->next[j])
                if ((size_t)j > i)
                    pushed += (size_t)relaxation_push(system, p, &system->particles[j]);
    }
    return pushed;
}

/* Rounds the positions, which are in the box. */
static void round_places(struct system *system, const struct decimals *decimals)
{
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        p->x = number_round(decimals, p->x);
        p->y = number_round(decimals, p->y);
        boundary_clamp(&system->boundary, system_radius(system, p), &p->x, &p->y);
    }
}

enum status place_by_relaxation(struct system *system, const struct decimals *decimals,
                                struct random_generator *generator, int *is_placed,
                                struct error *error)
{
    struct grid grid;
    double largest = system->kinds ? 0 : system->radius;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    *is_placed = 0;
    int32_t *next =
        memory_allocate(system->count, sizeof *next, "the lists of the relaxation", error);
    if (!next)
        return STATUS_NO_MEMORY;
    enum status status = grid_create(&grid, &system->boundary, system->count,
                                     2 * largest * (1 + PUSHED_GAP), next, error);
    if (!status) {
        scatter_disks(system, generator);
        for (int k = 0; k < MAX_SWEEPS && !*is_placed; k++)
            *is_placed = relaxation_sweep(system, &grid) == 0;
        round_places(system, decimals);
        grid_free(&grid);
    }
    memory_free(next);
    return status;
}

/*
 * The hexagonal lattice. The idea is to blow the disks up. The lattice is stretched so that disks
 * of some radius rho, larger than R, touch the walls on all sides. As rho grows, the sites move
 * inwards, and at some largest rho two disks touch. That lattice it is; then the real disks may go
 * anywhere within the large ones, no two of which overlap, and none of which leaves the box. On a
 * periodic axis a whole number of sites fits into the side, and nothing moves inwards.
 */

static const double MIN_ROOM = 0.001; /* rho is larger than R by this part of R, or more */
static const double USED_ROOM = 0.9;  /* part of rho - R by which a disk is moved; the rest is
                                         for rounding, and so that no two ever touch */

/* The box as a lattice sees it: along its rows and across them. */
struct lattice_box {
    double length[2];   /* of the box: along, across */
    int is_periodic[2]; /* whether it has seams instead of walls there */
};

static struct lattice_box lattice_box_of(const struct boundary *boundary, int is_upright)
{
    const int along = is_upright ? 1 : 0;
    struct lattice_box box;
    box.length[along] = boundary->width;
    box.length[1 - along] = boundary->height;
    box.is_periodic[along] = (boundary->periodic & PERIODIC_X) != 0;
    box.is_periodic[1 - along] = (boundary->periodic & PERIODIC_Y) != 0;
    return box;
}

/*
 * The largest radius rho with which disks on a lattice of r rows and c columns do not overlap. With
 * s = 2 rho, the distance of two sites in a row is (W - p s) / C, that of two rows (H - q s) / D:
 * between walls p = 1 and C = c - 1/2, q = 1 and D = r - 1; on a periodic axis p = 0 and C = c,
 * q = 0 and D = r, which must be even. Two in a row and two in rows with one between them give
 * linear conditions, and the nearest two in neighbouring rows give
 *     a^2 (W - p s)^2 + b^2 (H - q s)^2 >= s^2,  a = 1 / (2 C),  b = 1 / D,
 * whose smaller root is written without the cancellation, as in physics_pair_time.
 */
static double largest_radius(const struct lattice_box *box, size_t rows, size_t columns)
{
    const double width = box->length[0];
    const double height = box->length[1];
    const double p = box->is_periodic[0] ? 0 : 1;
    const double q = box->is_periodic[1] ? 0 : 1;
    double c = (double)columns - p / 2;
    double d = (double)rows - q;
    double rho = fmin(width, height) / 2;
    if (rows == 1)
        return fmin(rho, width / (2 * (double)columns)); /* no row is shifted */
    if (columns > 1 || box->is_periodic[0])
        rho = fmin(rho, width / (2 * (c + p)));
    if (rows > 2 || box->is_periodic[1])
        rho = fmin(rho, height / (d + 2 * q));
    double a2 = 1 / (2 * c * (2 * c));
    double b2 = 1 / (d * d);
    double A = a2 * p + b2 * q - 1;
    double B = a2 * p * width + b2 * q * height;
    double C = a2 * width * width + b2 * height * height;
    double s = C / (B + sqrt(fmax(B * B - A * C, 0)));
    return fmin(rho, s / 2);
}

/* How many groups of `size` it takes to hold `count`. */
static size_t count_groups(size_t count, size_t size)
{
    return (count - 1) / size + 1;
}

/* Finds the best lattice, upright or not, for disks of this radius, if it is better than `*best`.
 */
static void search_orientation(const struct system *system, double radius, int is_upright,
                               struct lattice *best)
{
    const struct lattice_box box = lattice_box_of(&system->boundary, is_upright);
    const size_t multiple = box.is_periodic[1] ? 2 : 1; /* of which the rows are */
    /* No more rows or columns than these fit. The fewer of the two are tried one by one. */
    double max_rows = fmin(box.length[1] / radius, (double)system->count);
    double max_columns = fmin(box.length[0] / (2 * radius), (double)system->count);
    int by_rows = max_rows < max_columns;
    size_t max = (size_t)(by_rows ? max_rows : max_columns);
    for (size_t k = 1; k <= max; k++) {
        size_t rows = by_rows ? k : count_groups(system->count, k);
        rows = multiple * count_groups(rows, multiple);
        size_t columns = by_rows ? count_groups(system->count, rows) : k;
        double largest = largest_radius(&box, rows, columns);
        if (largest > best->radius)
            *best = (struct lattice){
                .rows = rows, .columns = columns, .is_upright = is_upright, .radius = largest};
    }
}

int lattice_find(const struct system *system, double radius, struct lattice *lattice)
{
    *lattice = (struct lattice){0};
    search_orientation(system, radius, 0, lattice);
    search_orientation(system, radius, 1, lattice);
    return lattice->radius >= radius * (1 + MIN_ROOM);
}

/* Where the sites of a lattice are, along its rows and across them. */
struct sites {
    double start, step, shift; /* along: of the first site, to the next, of every other row */
    double bottom, rise;       /* across: of the first row, to the next */
};

/* On a periodic axis no site is nearer to the seam than a quarter of the step, half the rise. */
static struct sites locate_sites(const struct lattice_box *box, const struct lattice *lattice)
{
    double along = box->length[0] - 2 * lattice->radius;
    double across = box->length[1] - 2 * lattice->radius;
    struct sites sites = {.start = lattice->radius, .bottom = lattice->radius};
    if (lattice->rows > 1) {
        sites.step = along / ((double)lattice->columns - 0.5);
        sites.rise = across / ((double)lattice->rows - 1);
    } else {
        sites.bottom = box->length[1] / 2;
        if (lattice->columns > 1)
            sites.step = along / ((double)lattice->columns - 1);
    }
    if (box->is_periodic[0]) {
        sites.step = box->length[0] / (double)lattice->columns;
        sites.start = sites.step / 4;
    }
    if (box->is_periodic[1]) {
        sites.rise = box->length[1] / (double)lattice->rows;
        sites.bottom = sites.rise / 2;
    }
    sites.shift = sites.step / 2;
    return sites;
}

/* Puts a particle near the site (along, across). */
static void place_on_site(struct particle *particle, double along, double across, double jitter,
                          const struct lattice *lattice, const struct decimals *decimals,
                          struct random_generator *generator)
{
    double dx;
    double dy;
    random_in_disc(generator, &dx, &dy);
    along = number_round(decimals, along + jitter * dx);
    across = number_round(decimals, across + jitter * dy);
    particle->x = lattice->is_upright ? across : along;
    particle->y = lattice->is_upright ? along : across;
}

void lattice_place(struct system *system, double radius, const struct lattice *lattice,
                   const struct decimals *decimals, struct random_generator *generator)
{
    const struct lattice_box box = lattice_box_of(&system->boundary, lattice->is_upright);
    const struct sites sites = locate_sites(&box, lattice);
    double jitter = USED_ROOM * (lattice->radius - radius);
    if (system->boundary.periodic)
        jitter =
            fmin(jitter, radius / 2); /* so that none passes a seam: the step is 2 radii or more */
    size_t wanted = system->count;
    size_t left = lattice->rows * lattice->columns;
    struct particle *particle = system->particles;
    for (size_t row = 0; row < lattice->rows; row++) {
        double start = sites.start + (row % 2 ? sites.shift : 0);
        double across = sites.bottom + sites.rise * (double)row;
        for (size_t column = 0; column < lattice->columns; column++, left--) {
            /* Of the sites that are left, each is as likely as the others to be taken (Knuth,
               The Art of Computer Programming 2, algorithm 3.4.2 S). */
            if (wanted < left && (double)left * random_unit(generator) >= (double)wanted)
                continue;
            place_on_site(particle++, start + sites.step * (double)column, across, jitter, lattice,
                          decimals, generator);
            wanted--;
        }
    }
}
