/* Placing disks; see placement.h. Random placement and relaxation share a cell list. */
#include "placement.h"

#include "base/memory.h"
#include "model/polygons.h"
#include "model/region.h"

#include <math.h>

enum { NO_DISK = -1, CELLS_AROUND = 9 };

/* Square cells, each with a linked list of its disks. A disk overlaps only disks in the cell of its
 * centre and the eight around it. */
struct placement_cells {
    struct grid grid; /* the cells at the right and at the top may be larger */
    int32_t *first;   /* of each cell: a disk in it, or NO_DISK; owned */
    int32_t *next;    /* of each disk: another one in its cell, or NO_DISK; the caller's */
};

/* How many squares of this side fit into `length`: 1 or more. The remainder belongs to the last. */
static uint32_t count_squares(double length, double side)
{
    return (uint32_t)fmax(floor(length / side), 1);
}

/* The least side with which no more than `max_count` squares fit into the box. */
static double find_square_side(const struct boundary *box, double max_count)
{
    double side = sqrt(box->width / max_count) * sqrt(box->height);
    return fmax(side, fmax(box->width, box->height) / max_count);
}

static void disk_cells_clear(struct placement_cells *cells)
{
    for (size_t k = 0; k < (size_t)cells->grid.columns * cells->grid.rows; k++)
        cells->first[k] = NO_DISK;
}

/* Makes empty cells for `count` disks: at most two for each, and none narrower than `min_side`.
 * Returns STATUS_DONE, or STATUS_NO_MEMORY and nothing to free. */
static enum status disk_cells_create(struct placement_cells *cells, const struct boundary *box,
                                     size_t count, double min_side, int32_t *next,
                                     struct error *error)
{
    const double side = fmax(find_square_side(box, 2 * (double)count), min_side);
    *cells = (struct placement_cells){.grid = {.width = side,
                                               .height = side,
                                               .columns = count_squares(box->width, side),
                                               .rows = count_squares(box->height, side)},
                                      .next = next};
    cells->first =
        memory_allocate((size_t)cells->grid.columns * cells->grid.rows, sizeof *cells->first,
                        "the cells in which disks are placed", error);
    if (cells->first)
        disk_cells_clear(cells);
    return cells->first ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void disk_cells_add(struct placement_cells *cells, size_t disk, double x, double y)
{
    int32_t *first = &cells->first[grid_cell(&cells->grid, x, y)];
    cells->next[disk] = *first;
    *first = (int32_t)disk;
}

/* The index of a coordinate, and those next to it. Returns how many they are. */
static size_t find_indices(double coordinate, double side, uint32_t count, unsigned is_periodic,
                           size_t indices[3])
{
    const size_t index = boundary_locate(coordinate, side, count);
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
static size_t disk_cells_around(const struct placement_cells *cells, const struct boundary *box,
                                double x, double y, size_t around[CELLS_AROUND])
{
    const struct grid *grid = &cells->grid;
    size_t rows[3], columns[3], count = 0;
    const size_t row_count =
        find_indices(y, grid->height, grid->rows, box->periodic & PERIODIC_Y, rows);
    const size_t column_count =
        find_indices(x, grid->width, grid->columns, box->periodic & PERIODIC_X, columns);
    for (size_t i = 0; i < row_count; i++)
        for (size_t j = 0; j < column_count; j++)
            around[count++] = rows[i] * grid->columns + columns[j];
    return count;
}

static int overlaps_wall(double coordinate, double length, double radius, unsigned is_periodic)
{
    return !is_periodic && (coordinate < radius || coordinate > length - radius);
}

/* True if a disk of this radius, not larger than those for which the polygons have been prepared,
 * overlaps no side, corner or wall, and its centre is in the region of particles. Nothing but exact
 * operations, so that all machines agree. */
static int placement_has_room(const struct boundary *boundary, const struct region *region,
                              double radius, double x, double y)
{
    return !overlaps_wall(x, boundary->width, radius, boundary->periodic & PERIODIC_X) &&
           !overlaps_wall(y, boundary->height, radius, boundary->periodic & PERIODIC_Y) &&
           region_gap(boundary, x, y) >= radius && region_contains(region, x, y);
}

/*
 * Random sequential placement: propose a position, uniform over the box; take it if the disk
 * overlaps no other there; repeat. (B. Widom, Random sequential addition of hard spheres to a
 * volume, Journal of Chemical Physics 44, 1966.) It becomes slow where little room is left: at an
 * area fraction of 0.547 no position is found any more (E. L. Hinrichsen, J. Feder and T. Jossang,
 * Geometry of random sequential adsorption, Journal of Statistical Physics 44, 1986). Of different
 * disks the largest come first: the small ones find room between them.
 *
 * Each group of equal disks has a cell list, with cells at least one of its diameters wide.
 *
 * In a large box, proposals in random order would wait for memory each time. So they come in
 * rounds, in each as many as disks are still wanted, tile by tile: how many fall into each tile is
 * drawn first, and then where in it. All that this decides is which of two proposals of one round
 * that overlap comes first. Among polygons the tiles are the cells of their grid with any room.
 */

/* Proposals in the free area for each disk, on average, after which it is given up. */
static const double MAX_PROPOSALS = 200;

/* The least part of the tiles that is taken to be free: proposals are not made without end. */
static const double MIN_SHARE = 0.01;

enum { TILE_COUNT = 1024 }; /* disks in a tile, which fit into the cache */

/* The disks placed so far, and the tiles of the box for the group that is being placed: equal parts
 * of the room that centres have; or, among polygons, the cells of their grid. */
struct placement {
    struct system *system;
    const struct number_decimals *decimals; /* of coordinates */
    struct random_generator *generator;
    struct pair_shift periods; /* of the box; beyond half a period another image is nearer */
    const struct placement_group *groups;
    size_t group_count;                                 /* with disks, so far */
    struct placement_cells cells[PLACEMENT_MAX_GROUPS]; /* of each of them, its disks */
    int32_t *next;             /* of each disk placed: another one in its cell, or none; owned */
    struct region *region;     /* among polygons; otherwise NULL; owned */
    size_t columns, rows;      /* of tiles */
    uint32_t *open;            /* those in which a centre may be, ascending; owned; NULL: all */
    size_t count;              /* of these */
    double share;              /* of their area that may be free */
    double x_margin, y_margin; /* from a side of the box to the first and last tiles, length */
    uint32_t *proposals; /* for each that counts, how many fall into it in this round; owned */
};

/* True if a disk of this radius at (x, y) would overlap one of a group that is in this cell. */
static int overlaps_cell(const struct placement *placement, size_t group, size_t cell,
                         double radius, double x, double y)
{
    const struct system *system = placement->system;
    const struct placement_cells *cells = &placement->cells[group];
    double contact = placement->groups[group].radius + radius;
    for (int32_t k = cells->first[cell]; k != NO_DISK; k = cells->next[k]) {
        const double dx = boundary_nearest(system->particles[k].x - x, placement->periods.x);
        const double dy = boundary_nearest(system->particles[k].y - y, placement->periods.y);
        if (dx * dx + dy * dy <= contact * contact)
            return 1;
    }
    return 0;
}

/* True if a disk, with at most the radius of a group, would overlap one of the group. */
static int overlaps_group(const struct placement *placement, size_t group, double radius, double x,
                          double y)
{
    const struct placement_cells *cells = &placement->cells[group];
    size_t around[CELLS_AROUND];
    if (overlaps_cell(placement, group, grid_cell(&cells->grid, x, y), radius, x, y))
        return 1; /* tested first: most overlaps are there */
    const size_t count = disk_cells_around(cells, &placement->system->boundary, x, y, around);
    for (size_t k = 0; k < count; k++)
        if (overlaps_cell(placement, group, around[k], radius, x, y))
            return 1;
    return 0;
}

/* Finds the tiles among polygons. A cell without sides is free as a whole, or not at all. */
static enum status find_open_tiles(struct placement *placement, struct error *error)
{
    const struct boundary *box = &placement->system->boundary;
    const struct grid *grid = &box->polygons->grid;
    const size_t cells = (size_t)grid->columns * grid->rows;
    if (region_create(box, &placement->region, error) ||
        !(placement->open =
              memory_allocate(cells, sizeof *placement->open, "the room for disks", error)))
        return STATUS_NO_MEMORY;
    placement->columns = grid->columns;
    placement->rows = grid->rows;
    for (size_t k = 0; k < cells; k++) {
        const double x = ((double)(k % grid->columns) + 0.5) * grid->width;
        const double y = ((double)(k / grid->columns) + 0.5) * grid->height;
        if (grid->first[k] < grid->first[k + 1] || region_contains(placement->region, x, y))
            placement->open[placement->count++] = (uint32_t)k;
    }
    placement->share = fmax(
        reach_area(box) / ((double)placement->count * (grid->width * grid->height)), MIN_SHARE);
    return STATUS_DONE;
}

/* Makes the tiles for disks of a group; among polygons they are the tiles of all groups. */
static enum status find_tiles(struct placement *placement, const struct placement_group *group,
                              struct error *error)
{
    const struct boundary *box = &placement->system->boundary;
    if (!placement->open) {
        const double side = find_square_side(box, fmax(1, (double)group->count / TILE_COUNT));
        placement->columns = count_squares(box->width, side);
        placement->rows = count_squares(box->height, side);
        placement->count = placement->columns * placement->rows;
        placement->share = 1;
        placement->x_margin = box->periodic & PERIODIC_X ? 0 : group->radius;
        placement->y_margin = box->periodic & PERIODIC_Y ? 0 : group->radius;
    }
    memory_free(placement->proposals);
    placement->proposals = memory_allocate(placement->count, sizeof *placement->proposals,
                                           "the tiles of the random placement", error);
    return placement->proposals ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* A random coordinate in tile `index` of `count` from `margin` to `length` - `margin`. */
static double propose(const struct placement *placement, double margin, double length, size_t index,
                      size_t count)
{
    double tile = (length - 2 * margin) / (double)count;
    double value = margin + tile * ((double)index + random_unit(placement->generator));
    return number_round(placement->decimals, value);
}

/* Proposes a position in a tile for disk `index` of the last group. Returns whether it is placed.
 */
static int try_tile(struct placement *placement, size_t tile, size_t index)
{
    const struct boundary *box = &placement->system->boundary;
    const size_t own = placement->group_count - 1;
    const double radius = placement->groups[own].radius;
    const size_t columns = placement->columns;
    const size_t number = placement->open ? placement->open[tile] : tile;
    double x = propose(placement, placement->x_margin, box->width, number % columns, columns);
    double y =
        propose(placement, placement->y_margin, box->height, number / columns, placement->rows);
    if (placement->open && !placement_has_room(box, placement->region, radius, x, y))
        return 0;
    boundary_clamp(box, radius, &x, &y); /* where rounding has led out of it */
    for (size_t k = placement->group_count; k-- > 0;)
        if (overlaps_group(placement, k, radius, x, y))
            return 0;
    placement->system->particles[index].x = x;
    placement->system->particles[index].y = y;
    disk_cells_add(&placement->cells[own], index, x, y);
    return 1;
}

/* Makes a proposal for each disk from `placed` to `end`. Returns how many are placed then. The
 * tiles among polygons are small: for a few proposals not all of them are visited. */
static size_t place_round(struct placement *placement, size_t placed, size_t end)
{
    const int is_few = placement->open && end - placed < placement->count;
    for (size_t tile = 0; tile < placement->count && !is_few; tile++)
        placement->proposals[tile] = 0;
    for (size_t k = end - placed; k > 0; k--) {
        const size_t tile = (size_t)((double)placement->count * random_unit(placement->generator));
        if (is_few)
            placed += (size_t)try_tile(placement, tile, placed);
        else
            placement->proposals[tile]++;
    }
    for (size_t tile = 0; tile < placement->count && !is_few; tile++)
        for (uint32_t k = placement->proposals[tile]; k > 0; k--)
            placed += (size_t)try_tile(placement, tile, placed);
    return placed;
}

/* Places the disks of a group. Returns the number of those that found room. */
static size_t place_group(struct placement *placement, const struct placement_group *group)
{
    const size_t end = group->first + group->count;
    const double max =
        placement->count > 0 ? MAX_PROPOSALS * (double)group->count / placement->share : 0;
    size_t next = group->first;
    for (double proposals = 0; next < end && proposals < max;) {
        proposals += (double)(end - next);
        next = place_round(placement, next, end);
    }
    return next - group->first;
}

enum status place_at_random(struct system *system, const struct placement_group *groups,
                            size_t group_count, const struct number_decimals *decimals,
                            struct random_generator *generator, size_t *placed, struct error *error)
{
    const struct boundary *box = &system->boundary;
    struct placement placement = {.system = system,
                                  .decimals = decimals,
                                  .generator = generator,
                                  .groups = groups,
                                  .periods = boundary_periods(box)};
    size_t wanted = 0;
    placement.next = memory_allocate(system->count, sizeof *placement.next,
                                     "the lists of the random placement", error);
    enum status status = placement.next ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status && box->polygons)
        status = find_open_tiles(&placement, error);
    *placed = 0;
    for (size_t k = 0; k < group_count && !status && *placed == wanted; k++) {
        status = disk_cells_create(&placement.cells[k], box, groups[k].count, 2 * groups[k].radius,
                                   placement.next, error);
        placement.group_count = k + 1;
        if (!status && !(status = find_tiles(&placement, &groups[k], error)))
            *placed += place_group(&placement, &groups[k]);
        wanted += groups[k].count;
    }
    for (size_t k = 0; k < placement.group_count; k++)
        memory_free(placement.cells[k].first);
    region_free(placement.region);
    memory_free(placement.open);
    memory_free(placement.proposals);
    memory_free(placement.next);
    return status;
}

/*
 * Relaxation. In a sweep all pairs of disks that overlap are found and pushed apart, both disks by
 * one distance, a little further than contact. That may push them into others, which the next
 * sweeps push on. The overlaps become fewer and smaller; below the density at which disks jam, none
 * are left in the end. (For half of the disks 1.4 times as large as the others, that is an area
 * fraction of 0.842: C. S. O'Hern, L. E. Silbert, A. J. Liu and S. R. Nagel, Jamming at zero
 * temperature and zero applied stress, Physical Review E 68, 2003.) A sweep that pushes none has
 * compared all pairs at their final positions: this proves that no two overlap.
 */
enum { MAX_SWEEPS = 2000 };

static const double MIN_GAP = 1e-6;    /* in contact distances: rounding cannot close it */
static const double PUSHED_GAP = 5e-3; /* between two that have been pushed apart */

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

/* Moves a disk, through seams but not into walls. */
static void relaxation_move(const struct system *system, struct particle *p, double dx, double dy)
{
    struct particle_counts passed = {0}; /* of no interest */
    p->x += dx;
    p->y += dy;
    boundary_wrap(&system->boundary, p, &passed);
    boundary_clamp(&system->boundary, system_radius(system, p), &p->x, &p->y);
}

/* Pushes two disks apart if they overlap. Returns whether they do. */
static int relaxation_push(const struct system *system, struct particle *p, struct particle *q)
{
    const double contact = system_contact(system, p, q);
    const double least = contact * (1 + MIN_GAP);
    double dx = q->x - p->x, dy = q->y - p->y;
    boundary_shorten(&system->boundary, &dx, &dy);
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
static size_t relaxation_sweep(struct system *system, struct placement_cells *cells)
{
    size_t pushed = 0;
    disk_cells_clear(cells);
    for (size_t k = 0; k < system->count; k++)
        disk_cells_add(cells, k, system->particles[k].x, system->particles[k].y);
    for (size_t i = 0; i < system->count; i++) {
        struct particle *p = &system->particles[i];
        size_t around[CELLS_AROUND];
        const size_t count = disk_cells_around(cells, &system->boundary, p->x, p->y, around);
        for (size_t k = 0; k < count; k++)
            for (int32_t j = cells->first[around[k]]; j != NO_DISK; j = cells->next[j])
                if ((size_t)j > i)
                    pushed += (size_t)relaxation_push(system, p, &system->particles[j]);
    }
    return pushed;
}

enum status place_by_relaxation(struct system *system, const struct number_decimals *decimals,
                                struct random_generator *generator, int *is_placed,
                                struct error *error)
{
    struct placement_cells cells;
    *is_placed = 0;
    int32_t *next =
        memory_allocate(system->count, sizeof *next, "the lists of the relaxation", error);
    if (!next)
        return STATUS_NO_MEMORY;
    enum status status =
        disk_cells_create(&cells, &system->boundary, system->count,
                          2 * system_largest_radius(system) * (1 + PUSHED_GAP), next, error);
    if (!status) {
        scatter_disks(system, generator);
        for (int k = 0; k < MAX_SWEEPS && !*is_placed; k++)
            *is_placed = relaxation_sweep(system, &cells) == 0;
        for (struct particle *p = system->particles; p < system->particles + system->count; p++) {
            p->x = number_round(decimals, p->x);
            p->y = number_round(decimals, p->y);
            boundary_clamp(&system->boundary, system_radius(system, p), &p->x, &p->y);
        }
        memory_free(cells.first);
    }
    memory_free(next);
    return status;
}

/*
 * The hexagonal lattice. It is stretched so that disks of some radius rho, larger than R, touch the
 * walls on all sides. As rho grows, the sites move inwards, and at some largest rho two disks
 * touch. This lattice is used. Its large disks do not overlap, and none leaves the box; so a disk
 * of radius R may be anywhere within a large one. On a periodic axis a whole number of sites fits
 * into the side, and nothing moves inwards.
 */

static const double MIN_ROOM = 0.001; /* rho is larger than R by this part of R, or more */
static const double USED_ROOM = 0.9;  /* share of rho - R by which a disk is moved; the remainder is
                                         for rounding, and keeps disks apart */

/* The box as a lattice sees it: along its rows and across them. */
struct placement_box {
    double length[2];   /* of the box: along, across */
    int is_periodic[2]; /* whether it has seams instead of walls there */
};

static struct placement_box lattice_box_of(const struct boundary *boundary, int is_upright)
{
    const int x = (boundary->periodic & PERIODIC_X) != 0,
              y = (boundary->periodic & PERIODIC_Y) != 0;
    return is_upright ? (struct placement_box){{boundary->height, boundary->width}, {y, x}}
                      : (struct placement_box){{boundary->width, boundary->height}, {x, y}};
}

/*
 * The largest radius rho with which disks on a lattice of r rows and c columns do not overlap. With
 * s = 2 rho, two sites in a row are (W - p s) / C apart, and two rows are (H - q s) / D apart:
 * between walls p = 1 and C = c - 1/2, q = 1 and D = r - 1; on a periodic axis p = 0 and C = c, q =
 * 0 and D = r, which must be even. Two in a row and two in rows with one between them give linear
 * conditions, and the nearest two in neighbouring rows give
 *     a^2 (W - p s)^2 + b^2 (H - q s)^2 >= s^2,  a = 1 / (2 C),  b = 1 / D,
 * whose smaller root is written without the cancellation, as in pair_time.
 */
static double largest_radius(const struct placement_box *box, size_t rows, size_t columns)
{
    const double width = box->length[0], height = box->length[1];
    const double p = box->is_periodic[0] ? 0 : 1, q = box->is_periodic[1] ? 0 : 1;
    double c = (double)columns - p / 2;
    double d = (double)rows - q;
    double rho = fmin(width, height) / 2;
    if (rows == 1)
        return fmin(rho, width / (2 * (double)columns)); /* no row is shifted */
    if (columns > 1 || box->is_periodic[0])
        rho = fmin(rho, width / (2 * (c + p)));
    if (rows > 2 || box->is_periodic[1])
        rho = fmin(rho, height / (d + 2 * q));
    double a2 = 1 / (2 * c * (2 * c)), b2 = 1 / (d * d);
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

/* Finds the best lattice, upright or not, for this radius, if it is better than `*best`. */
static void search_orientation(const struct system *system, double radius, int is_upright,
                               struct placement_lattice *best)
{
    const struct placement_box box = lattice_box_of(&system->boundary, is_upright);
    const size_t multiple = box.is_periodic[1] ? 2 : 1; /* the number of rows is a multiple of it */
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
            *best = (struct placement_lattice){
                .rows = rows, .columns = columns, .is_upright = is_upright, .radius = largest};
    }
}

int lattice_find(const struct system *system, double radius, struct placement_lattice *lattice)
{
    *lattice = (struct placement_lattice){0};
    search_orientation(system, radius, 0, lattice);
    search_orientation(system, radius, 1, lattice);
    return lattice->radius >= radius * (1 + MIN_ROOM);
}

/* Where the sites of a lattice are, along its rows and across them. */
struct placement_sites {
    double start, step, shift; /* along: of the first site, to the next, of every other row */
    double bottom, rise;       /* across: of the first row, to the next */
};

/* On a periodic axis no site is nearer to the seam than a quarter of the step, half the rise. */
static struct placement_sites locate_sites(const struct placement_box *box,
                                           const struct placement_lattice *lattice)
{
    const double along = box->length[0] - 2 * lattice->radius;
    const double across = box->length[1] - 2 * lattice->radius;
    const double rows = (double)lattice->rows, columns = (double)lattice->columns;
    struct placement_sites sites = {.start = lattice->radius, .bottom = lattice->radius};
    if (box->is_periodic[0]) {
        sites.step = box->length[0] / columns;
        sites.start = sites.step / 4;
    } else if (rows > 1 || columns > 1) {
        sites.step = along / (columns - (rows > 1 ? 0.5 : 1));
    }
    if (box->is_periodic[1]) {
        sites.rise = box->length[1] / rows;
        sites.bottom = sites.rise / 2;
    } else if (rows > 1) {
        sites.rise = across / (rows - 1);
    } else {
        sites.bottom = box->length[1] / 2;
    }
    sites.shift = sites.step / 2;
    return sites;
}

void lattice_place(struct system *system, double radius, const struct placement_lattice *lattice,
                   const struct number_decimals *decimals, struct random_generator *generator)
{
    const struct placement_box box = lattice_box_of(&system->boundary, lattice->is_upright);
    const struct placement_sites sites = locate_sites(&box, lattice);
    double jitter = USED_ROOM * (lattice->radius - radius);
    if (system->boundary.periodic) /* none passes a seam: the step is 2 radii or more */
        jitter = fmin(jitter, radius / 2);
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
            double dx, dy;
            random_in_disc(generator, &dx, &dy);
            const double along = start + sites.step * (double)column;
            const double x = number_round(decimals, along + jitter * dx);
            const double y = number_round(decimals, across + jitter * dy);
            particle->x = lattice->is_upright ? y : x;
            particle->y = lattice->is_upright ? x : y;
            particle++;
            wanted--;
        }
    }
}
