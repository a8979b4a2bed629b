/*
 * Large disks; see large_disks.h.
 *
 * The radius from which on a disk is large is a matter of cost. Let c be the radius of the largest
 * small disk. A cell then has a side s of at least 2 c, and of as much as gives about as many cells
 * as particles. A prediction considers the 9 s^2 N / A particles in 9 cells. That of a large disk
 * of radius R reads a block of m^2 cells with m = 2 (R + c) / s + 3, most of them empty since it
 * covers them itself, and considers the particles along its rim, whose number grows with m; and it
 * collides about 1 + R / r times as often as others, r being the mean radius. The weights of these
 * terms were measured roughly; the choice between a few and very many disks in a cell does not
 * depend on them.
 *
 * A hierarchical cell list, which has larger cells for larger disks, would need no such choice. But
 * a prediction for a large disk would then read all small cells within the 9 large ones around it.
 * With 1, 20, 200 and 1000 large disks, of 50, 20, 8 and 4 times the radius of 10^4 others, a run
 * would take 1.4, 7, 3 and 2 times as many instructions.
 *
 * Predictions obey the rule of predictor.c: of two that are neighbours, at least the one that was
 * predicted last has considered their collision. A large disk's neighbours are all that are in the
 * cells of its block, and the large disks whose blocks overlap its own, or more of them. When the
 * large disk goes on by a cell, so does its block, and only what is in the column or row of cells
 * ahead is new.
 */
#include "large_disks.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "crossing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The particles of one radius. */
struct size {
    double radius;
    double count;
};

static int compare_sizes(const void *left, const void *right)
{
    const double a = ((const struct size *)left)->radius;
    const double b = ((const struct size *)right)->radius;
    return (a > b) - (a < b);
}

static double cell_side(const struct system *system, double largest)
{
    double most = (double)cell_list_most_cells(system->count);
    return fmax(2 * largest, sqrt(system->boundary.width / most) * sqrt(system->boundary.height));
}

/* The radii of a system, in units of the side of a square box of the same area. */
struct radii {
    double count, mean, most;
    double largest;       /* of the small disks */
    double large_sums[3]; /* over the large disks, of the powers 0 to 2 */
};

/* The cost of a run. */
static double cost(const struct radii *radii)
{
    const double *sums = radii->large_sums;
    const double free = 1 - fmin(3.14 * sums[2], 0.9);
    const double side =
        fmax(2 * radii->largest, sqrt(1 / (radii->count * cell_list_cells_each(free))));
    const double small = radii->count - sums[0];
    const double large_collisions = sums[0] + sums[1] / radii->mean;
    const double small_collisions = 2 * radii->count - large_collisions;
    const double rim = radii->largest + 1.2 * side;
    const double near = 3.14 * (sums[2] + rim * (2 * sums[1] + rim * sums[0]));
    const double candidates = 9 * small * side * side / free + near;
    const double large_candidates = 36 * sums[0] * radii->most * radii->most;
    const double reach = (sums[1] + radii->largest * sums[0]) / side;
    const double reaches = reach + (sums[2] + radii->largest * sums[1]) / (radii->mean * side);
    return 6 * (small_collisions * fmax(candidates - 6, 0) +
                large_collisions * fmax(large_candidates - 6, 0)) +
           180 * reaches - 250 * large_collisions +
           side / radii->mean * (55 * small + 110 * (2 * reach + 3 * sums[0]));
}

/* The radius of the largest small disk. `sizes` are in the order of radii. */
static double choose_largest(const struct system *system, const struct size *sizes, size_t count)
{
    const double unit = sqrt(system->boundary.width) * sqrt(system->boundary.height);
    struct radii radii = {.count = (double)system->count, .most = sizes[count - 1].radius / unit};
    for (size_t k = 0; k < count; k++)
        radii.mean += sizes[k].radius / unit * (sizes[k].count / radii.count);
    if (!(radii.mean > 0))
        return sizes[count - 1].radius;
    double best = sizes[count - 1].radius;
    radii.largest = radii.most;
    double least = cost(&radii);
    for (size_t k = count - 1; k > 0; k--) {
        double power = sizes[k].count;
        for (int m = 0; m < 3; m++) {
            radii.large_sums[m] += power;
            power *= sizes[k].radius / unit;
        }
        radii.largest = sizes[k - 1].radius / unit;
        const double next = cost(&radii);
        if (next < least) {
            least = next;
            best = sizes[k - 1].radius;
        }
    }
    return best;
}

static enum status large_disks_choose(struct large_disks *large_disks, const struct system *system,
                                      struct error *error)
{
    struct size *sizes =
        memory_allocate(system->kind_count, sizeof *sizes, "the sizes of particles", error);
    if (!sizes)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count; k++)
        sizes[k] = (struct size){.radius = system->kinds[k].radius};
    for (size_t k = 0; k < system->count; k++)
        sizes[system->particles[k].kind].count++;
    qsort(sizes, system->kind_count, sizeof *sizes, compare_sizes);
    large_disks->largest = choose_largest(system, sizes, system->kind_count);
    memory_free(sizes);
    for (size_t k = 0; k < system->count; k++)
        large_disks->count +=
            (size_t)large_disks_has(large_disks, system_radius(system, &system->particles[k]));
    return STATUS_DONE;
}

/* Rows, and columns, that a block of a disk of this radius has at most. */
static double across_bound(const struct large_disks *large_disks, double radius)
{
    return fmin(2 * ceil((radius + large_disks->largest) / large_disks->side) + 5,
                (double)large_disks->most_cells);
}

/* Allocates the lists and tables. */
static enum status large_disks_allocate(struct large_disks *large_disks, struct error *error)
{
    const struct system *system = large_disks->system;
    const double most_cells = (double)large_disks->most_cells;
    double members = 0;
    double rows = 0;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        const double across = across_bound(large_disks, radius);
        if (large_disks_has(large_disks, radius))
            members += fmin(across * across, most_cells);
    }
    for (size_t k = 0; k < system->kind_count; k++)
        rows += across_bound(large_disks, system->kinds[k].radius);
    const char *what = "the largest particles";
    large_disks->blocks =
        memory_allocate(system->kind_count, sizeof *large_disks->blocks, what, error);
    large_disks->rows = memory_allocate((size_t)rows, sizeof *large_disks->rows, what, error);
    if (!large_disks->blocks || !large_disks->rows)
        return STATUS_NO_MEMORY;
    enum status status =
        cell_list_create(&large_disks->nearby, large_disks->most_cells, (size_t)members, error);
    return status ? status
                  : cell_list_create(&large_disks->coarse, large_disks->most_cells,
                                     large_disks->count, error);
}

enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error)
{
    *large_disks = (struct large_disks){.system = system,
                                        .largest = system->radius,
                                        .most_cells = most_cells,
                                        .search = lanes_choose(system, LANES_MAX)};
    enum status status =
        system->kinds ? large_disks_choose(large_disks, system, error) : STATUS_DONE;
    if (status || large_disks->count == 0)
        return status;
    large_disks->side = cell_side(system, large_disks->largest);
    return large_disks_allocate(large_disks, error);
}

void large_disks_free(struct large_disks *large_disks)
{
    cell_list_free(&large_disks->nearby);
    cell_list_free(&large_disks->coarse);
    memory_free(large_disks->blocks);
    memory_free(large_disks->rows);
    *large_disks = (struct large_disks){0};
}

/* Writes the rows of the block of disks of this radius to `rows`, and returns how many there are
 * on either side. */
static uint32_t set_rows(const struct large_disks *large_disks, double radius,
                         struct large_disks_row *rows)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const double reach = cell_list_least_side(radius + large_disks->largest, large_disks->margin);
    const double inner = radius - large_disks->margin;
    uint32_t count = (uint32_t)fmin(floor(reach / shape->height) + 1, shape->rows);
    for (uint32_t row = 0; row <= count; row++) {
        const double near = fmax((double)row - 1, 0) * shape->height;
        const double far = (row + 1) * shape->height;
        const double columns = floor(sqrt(fmax(reach * reach - near * near, 0)) / shape->width) + 1;
        const double covered = floor(sqrt(fmax(inner * inner - far * far, 0)) / shape->width);
        rows[row] = (struct large_disks_row){(uint32_t)fmin(columns, shape->columns),
                                             (uint32_t)fmin(covered, shape->columns)};
    }
    if (shape->wraps & PERIODIC_Y && 2 * count + 1 >= shape->rows) {
        /* It is around the box: a row may be near on both sides. */
        count = shape->rows - 1;
        for (uint32_t row = 0; row <= count; row++)
            rows[row] = (struct large_disks_row){rows[0].reach, 0};
    }
    return count;
}

/* The cells for collisions of large disks with each other: each consists of several of the others,
 * the last of a row (or column) of more than these if they do not divide. */
static void reset_coarse(struct large_disks *large_disks)
{
    const struct system *system = large_disks->system;
    const struct cell_list_shape *fine = &large_disks->cell_list->shape;
    double largest = 0;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    const double side = cell_list_least_side(2 * largest, large_disks->margin);
    large_disks->columns_each = (uint32_t)fmin(ceil(side / fine->width), fine->columns);
    large_disks->rows_each = (uint32_t)fmin(ceil(side / fine->height), fine->rows);
    struct cell_list_shape shape = *fine;
    shape.columns = fine->columns / large_disks->columns_each;
    shape.rows = fine->rows / large_disks->rows_each;
    cell_list_reset(&large_disks->coarse, &shape);
}

void large_disks_reset(struct large_disks *large_disks, const struct cell_list *cell_list,
                       double margin)
{
    const struct system *system = large_disks->system;
    if (large_disks->count == 0)
        return;
    large_disks->cell_list = cell_list;
    large_disks->margin = margin;
    cell_list_reset(&large_disks->nearby, &cell_list->shape);
    reset_coarse(large_disks);
    uint32_t first = 0;
    uint32_t columns = 0;
    uint32_t rows = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        if (!large_disks_has(large_disks, system->kinds[k].radius))
            continue;
        struct large_disks_block *block = &large_disks->blocks[k];
        block->first = first;
        block->rows = set_rows(large_disks, system->kinds[k].radius, &large_disks->rows[first]);
        rows = rows > block->rows ? rows : block->rows;
        columns =
            columns > large_disks->rows[first].reach ? columns : large_disks->rows[first].reach;
        first += block->rows + 1;
    }
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct cell_list_shape *coarse = &large_disks->coarse.shape;
    large_disks->seam_columns = shape->wraps & PERIODIC_X ? columns : 0;
    large_disks->seam_rows = shape->wraps & PERIODIC_Y ? rows : 0;
    large_disks->knows_images =
        (!(shape->wraps & PERIODIC_X) ||
         (2 * columns < shape->columns - 1 && coarse->columns > 3)) &&
        (!(shape->wraps & PERIODIC_Y) || (2 * rows < shape->rows - 1 && coarse->rows > 3));
}

/* The columns (or rows), out of `count`, that are up to `reach` from one of them: each once, from
 * `*first` to `*last`. Where columns wrap, the range may extend beyond the edges. */
static void find_extent(uint32_t column, uint32_t reach, uint32_t count, unsigned wraps,
                        int32_t *first, int32_t *last)
{
    const int32_t end = (int32_t)count - 1;
    *first = (int32_t)column - (int32_t)reach;
    *last = (int32_t)column + (int32_t)reach;
    if (wraps && *last - *first < end)
        return;
    *first = wraps || *first < 0 ? 0 : *first;
    *last = wraps || *last > end ? end : *last;
}

/* Beyond which edge of `count` columns (or rows) one of a block is: -1, 1, or 0 for none. */
static inline int32_t beyond_edge(int32_t column, uint32_t count)
{
    return column < 0 ? -1 : column >= (int32_t)count;
}

/* No columns; others without these are all of them. */
static const struct large_disks_span NO_COLUMNS = {INT32_MAX, INT32_MAX - 1};

static inline const struct large_disks_block *find_block(const struct large_disks *large_disks,
                                                         uint32_t k)
{
    return &large_disks->blocks[large_disks->system->particles[k].kind];
}

/* The rows of a disk's block in `cell`. */
static struct large_disks_span find_rows(const struct large_disks *large_disks, uint32_t k,
                                         uint32_t cell)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const uint32_t reach = find_block(large_disks, k)->rows;
    struct large_disks_span rows;
    find_extent(cell_list_row(large_disks->cell_list, cell), reach, shape->rows,
                shape->wraps & PERIODIC_Y, &rows.first, &rows.last);
    return rows;
}

/* A row of the block of disk k in `cell`. The outer cells are infinite: they are never covered, and
 * a disk may be anywhere in them. */
static inline struct large_disks_row find_row(const struct large_disks *large_disks, uint32_t k,
                                              uint32_t cell, int32_t row)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const uint32_t column = cell_list_column(large_disks->cell_list, cell);
    const uint32_t own_row = cell_list_row(large_disks->cell_list, cell);
    const struct large_disks_block *block = find_block(large_disks, k);
    const uint32_t apart = (uint32_t)abs(row - (int32_t)own_row);
    const uint32_t last_row = shape->rows - 1;
    if (apart > block->rows)
        return (struct large_disks_row){0, 0};
    struct large_disks_row entry = large_disks->rows[block->first + apart];
    const uint32_t inner =
        column < shape->columns - 1 - column ? column : shape->columns - 1 - column;
    entry.covered = entry.covered < inner ? entry.covered : inner;
    if (row <= 0 || row >= (int32_t)last_row || own_row == 0 || own_row == last_row)
        entry.covered = 0;
    return entry;
}

struct large_disks_span large_disks_columns(const struct large_disks *large_disks, uint32_t k,
                                            uint32_t cell, int32_t row)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct large_disks_row entry = find_row(large_disks, k, cell, row);
    struct large_disks_span columns = NO_COLUMNS;
    if (entry.reach > 0)
        find_extent(cell_list_column(cell_list, cell), entry.reach, cell_list->shape.columns,
                    cell_list->shape.wraps & PERIODIC_X, &columns.first, &columns.last);
    return columns;
}

struct large_disks_span large_disks_covered(const struct large_disks *large_disks, uint32_t k,
                                            uint32_t cell, int32_t row)
{
    const int32_t column = (int32_t)cell_list_column(large_disks->cell_list, cell);
    const int32_t covered = (int32_t)find_row(large_disks, k, cell, row).covered;
    return covered > 0 ? (struct large_disks_span){column - covered + 1, column + covered - 1}
                       : NO_COLUMNS;
}

/* The lists of a search are considered when they are longer than SEARCH_MEMBERS. */
enum {
    SEARCH_MEMBERS = 96,
    SEARCH_ROOM = SEARCH_MEMBERS + CELL_LIST_MEMBERS + CELL_LIST_SLACK + LANES_SLACK
};

struct large_search {
    const struct large_disks *large_disks;
    uint32_t large_disk;
    struct prediction *prediction;
    int is_latest;
    int has_shifts; /* those on the list may be images */
    uint32_t list[SEARCH_ROOM];
    struct shift shifts[SEARCH_ROOM];
    size_t count;
};

/* Begins a search, with empty lists. */
static void begin_search(struct large_search *search, const struct large_disks *large_disks,
                         uint32_t k, struct prediction *prediction, int is_latest)
{
    search->large_disks = large_disks;
    search->large_disk = k;
    search->prediction = prediction;
    search->is_latest = is_latest;
    search->has_shifts = large_disks->cell_list->shape.wraps != 0;
    search->count = 0;
}

static void consider_members(struct large_search *search)
{
    const struct large_disks *large_disks = search->large_disks;
    if (search->has_shifts)
        memset(&search->shifts[search->count], 0, LANES_SLACK * sizeof *search->shifts);
    if (large_disks->knows_images)
        lanes_consider(&large_disks->search, search->large_disk, search->prediction, search->list,
                       search->count, search->has_shifts ? search->shifts : NULL,
                       search->is_latest);
    else
        prediction_consider_images(large_disks->system, search->large_disk, search->prediction,
                                   search->list, search->count);
    search->count = 0;
}

/* From now on, those on the list may be images, or are none. */
static void use_shifts(struct large_search *search, int has_shifts)
{
    if (search->count > 0 && search->has_shifts != has_shifts)
        consider_members(search);
    search->has_shifts = has_shifts;
}

/* Appends the members in the chains of cells side by side. */
static void take_chains(struct large_search *search, const struct cell *cells, uint32_t first,
                        uint32_t count, const struct shift *shift)
{
    for (uint32_t cell = first; cell < first + count; cell++) {
        for (uint32_t next = cells[cell].state >> 2; next != 0; next = cells[next].state >> 2) {
            if (search->count > SEARCH_MEMBERS)
                consider_members(search);
            for (size_t m = 0; m < CELL_LIST_MEMBERS && shift; m++)
                search->shifts[search->count + m] = *shift;
            cell_list_gather(&cells[next], 1, search->list, &search->count);
        }
    }
}

/* Appends the members of cells side by side, all of which have one shift, if this is not NULL. */
COMPILER_INLINE void take_cells(struct large_search *search, const struct cell *cells,
                                uint32_t first, uint32_t count, const struct shift *shift)
{
    uint32_t states = 0;
    size_t members = search->count;
    for (const struct cell *cell = &cells[first], *end = cell + count; cell < end; cell++) {
        for (size_t m = 0; m < CELL_LIST_MEMBERS && shift; m++)
            search->shifts[members + m] = *shift;
        states |= cell_list_gather(cell, 1, search->list, &members);
        if (members > SEARCH_MEMBERS) {
            search->count = members;
            consider_members(search);
            members = 0;
        }
    }
    search->count = members;
    if (cell_list_overflows(states))
        take_chains(search, cells, first, count, shift);
}

enum visit { TAKE_MEMBERS, ADD_LARGE_DISK, TAKE_AND_ADD, REMOVE_LARGE_DISK };

/* Does with the cells from one column to another in a row, which may be beyond the edges, what
 * `visit`, a constant in each caller, says. */
COMPILER_INLINE void visit_cells(struct large_search *search, const struct cell_list *cell_list,
                                 int32_t row, int32_t first, int32_t last, enum visit visit)
{
    if (first > last)
        return;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &search->large_disks->system->boundary;
    struct cell_list *nearby = (struct cell_list *)&search->large_disks->nearby;
    const int32_t columns = (int32_t)shape->columns;
    const int32_t rows_off = beyond_edge(row, shape->rows);
    const uint32_t begin =
        cell_list_at(cell_list, 0, (uint32_t)(row - rows_off * (int32_t)shape->rows));
    for (int32_t off = first < 0 ? -1 : 0; first <= last; off++) {
        const int32_t end = last < (off + 1) * columns ? last + 1 : (off + 1) * columns;
        const uint32_t cell = begin + (uint32_t)(first - off * columns);
        const uint32_t count = first < end ? (uint32_t)(end - first) : 0;
        if (visit == TAKE_MEMBERS || visit == TAKE_AND_ADD)
            take_cells(search, cell_list->cells, cell, count,
                       search->has_shifts
                           ? &(struct shift){off * boundary->width, rows_off * boundary->height}
                           : NULL);
        for (uint32_t m = 0; m < count && (visit == ADD_LARGE_DISK || visit == TAKE_AND_ADD); m++)
            cell_list_add(nearby, cell + m, search->large_disk);
        for (uint32_t m = 0; m < count && visit == REMOVE_LARGE_DISK; m++)
            cell_list_remove(nearby, cell + m, search->large_disk);
        first = first < end ? end : first;
    }
}

/* Visits the cells in some columns of a row but in none of `others`. */
COMPILER_INLINE void visit_others(struct large_search *search, int32_t row,
                                  struct large_disks_span columns, struct large_disks_span others,
                                  enum visit visit)
{
    const struct cell_list *cell_list = search->large_disks->cell_list;
    visit_cells(search, cell_list, row, columns.first,
                columns.last < others.first ? columns.last : others.first - 1, visit);
    visit_cells(search, cell_list, row,
                columns.first > others.last ? columns.first : others.last + 1, columns.last, visit);
}

/* The cell among those of large disks that has a cell as its part. */
static uint32_t coarse_cell(const struct large_disks *large_disks, uint32_t cell)
{
    const struct cell_list_shape *shape = &large_disks->coarse.shape;
    const uint32_t column =
        cell_list_column(large_disks->cell_list, cell) / large_disks->columns_each;
    const uint32_t row = cell_list_row(large_disks->cell_list, cell) / large_disks->rows_each;
    return cell_list_at(&large_disks->coarse, column < shape->columns ? column : shape->columns - 1,
                        row < shape->rows ? row : shape->rows - 1);
}

/* Appends the large disks that are near, with the disk itself, which never meets itself. */
static void take_large_disks(struct large_search *search, uint32_t cell)
{
    const struct cell_list *coarse = &search->large_disks->coarse;
    const struct cell_list_shape *shape = &coarse->shape;
    const uint32_t own = coarse_cell(search->large_disks, cell);
    struct large_disks_span columns;
    struct large_disks_span rows;
    find_extent(cell_list_column(coarse, own), 1, shape->columns, shape->wraps & PERIODIC_X,
                &columns.first, &columns.last);
    find_extent(cell_list_row(coarse, own), 1, shape->rows, shape->wraps & PERIODIC_Y, &rows.first,
                &rows.last);
    use_shifts(search, shape->wraps && (columns.last - columns.first != 2 || columns.first < 0 ||
                                        columns.last >= (int32_t)shape->columns ||
                                        rows.last - rows.first != 2 || rows.first < 0 ||
                                        rows.last >= (int32_t)shape->rows));
    if (!search->has_shifts) {
        for (uint32_t row = 0; row < 3; row++)
            take_cells(search, coarse->cells, own - 1 + (row - 1) * coarse->stride, 3, NULL);
        return;
    }
    for (int32_t row = rows.first; row <= rows.last; row++)
        visit_cells(search, coarse, row, columns.first, columns.last, TAKE_MEMBERS);
}

static void consider_crossing(const struct large_search *search)
{
    const struct cell_list *cell_list = search->large_disks->cell_list;
    const uint32_t cell = search->prediction->cell;
    crossing_set(search->large_disks->system, search->large_disk, search->prediction, cell_list,
                 cell_list_column(cell_list, cell), cell_list_row(cell_list, cell));
}

/* Appends what is in a block, but for the cells that the disk itself covers. */
static void take_block(struct large_search *search, uint32_t cell)
{
    const struct large_disks *large_disks = search->large_disks;
    const uint32_t k = search->large_disk;
    const struct large_disks_span rows = find_rows(large_disks, k, cell);
    for (int32_t row = rows.first; row <= rows.last; row++)
        visit_others(search, row, large_disks_columns(large_disks, k, cell, row),
                     large_disks_covered(large_disks, k, cell, row), TAKE_MEMBERS);
}

static inline uint32_t smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* take_block, but quicker, where there are no images. */
static void take_plain_block(struct large_search *search, uint32_t cell)
{
    const struct large_disks *large_disks = search->large_disks;
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct cell *cells = cell_list->cells;
    const struct large_disks_block *block = find_block(large_disks, search->large_disk);
    const struct large_disks_row *rows = &large_disks->rows[block->first];
    const uint32_t column = cell_list_column(cell_list, cell);
    const uint32_t own_row = cell_list_row(cell_list, cell);
    const uint32_t last = cell_list->shape.columns - 1;
    const uint32_t last_row = cell_list->shape.rows - 1;
    const uint32_t inner =
        own_row == 0 || own_row == last_row ? 0 : smaller_of(column, last - column);
    const uint32_t top = smaller_of(own_row + block->rows, last_row);
    for (uint32_t row = own_row - smaller_of(own_row, block->rows); row <= top; row++) {
        const struct large_disks_row *entry = &rows[row < own_row ? own_row - row : row - own_row];
        const uint32_t middle = cell_list_at(cell_list, column, row);
        const uint32_t left = middle - smaller_of(column, entry->reach);
        const uint32_t end = middle + 1 + smaller_of(last - column, entry->reach);
        const uint32_t covered = smaller_of(entry->covered, inner);
        if (covered == 0 || row == 0 || row == last_row) {
            take_cells(search, cells, left, end - left, NULL);
        } else {
            take_cells(search, cells, left, middle + 1 - covered - left, NULL);
            take_cells(search, cells, middle + covered, end - covered - middle, NULL);
        }
    }
}

/* True if the block of disk k in `cell` is within the edges. */
static int is_within(const struct large_disks *large_disks, uint32_t k, uint32_t cell)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const struct large_disks_block *block = find_block(large_disks, k);
    const uint32_t column = cell_list_column(large_disks->cell_list, cell);
    const uint32_t row = cell_list_row(large_disks->cell_list, cell);
    const uint32_t reach = large_disks->rows[block->first].reach;
    return column >= reach && column + reach < shape->columns && row >= block->rows &&
           row + block->rows < shape->rows;
}

void large_disks_predict(const struct large_disks *large_disks, uint32_t k,
                         struct prediction *prediction, int is_latest)
{
    struct large_search search;
    const uint32_t cell = prediction->cell;
    begin_search(&search, large_disks, k, prediction, is_latest);
    prediction_clear(prediction);
    if (search.has_shifts && !is_within(large_disks, k, cell)) {
        take_block(&search, cell);
    } else {
        search.has_shifts = 0;
        take_plain_block(&search, cell);
    }
    take_large_disks(&search, cell);
    consider_members(&search);
    prediction_consider_wall(large_disks->system, k, prediction);
    consider_crossing(&search);
}

/* Adds or removes a large disk, in `cell`, on all lists. */
static void visit_block(struct large_disks *large_disks, uint32_t k, uint32_t cell,
                        enum visit visit)
{
    struct large_search search = {.large_disks = large_disks, .large_disk = k};
    const struct large_disks_span rows = find_rows(large_disks, k, cell);
    for (int32_t row = rows.first; row <= rows.last; row++)
        visit_others(&search, row, large_disks_columns(large_disks, k, cell, row), NO_COLUMNS,
                     visit);
}

void large_disks_add(struct large_disks *large_disks, uint32_t k, uint32_t cell)
{
    visit_block(large_disks, k, cell, ADD_LARGE_DISK);
    cell_list_add(&large_disks->coarse, coarse_cell(large_disks, cell), k);
}

void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to)
{
    visit_block(large_disks, k, from, REMOVE_LARGE_DISK);
    cell_list_remove(&large_disks->coarse, coarse_cell(large_disks, from), k);
    large_disks_add(large_disks, k, to);
}

void large_disks_cross(struct large_disks *large_disks, uint32_t k, struct prediction *prediction)
{
    struct large_search search;
    const uint32_t from = prediction->cell;
    const uint32_t to = from + (uint32_t)prediction->step;
    const struct large_disks_span before = find_rows(large_disks, k, from);
    const struct large_disks_span after = find_rows(large_disks, k, to);
    const int32_t bottom = before.first < after.first ? before.first : after.first;
    const int32_t top = before.last > after.last ? before.last : after.last;
    begin_search(&search, large_disks, k, prediction, 0);
    prediction->cell = to;
    for (int32_t row = bottom; row <= top; row++) {
        const struct large_disks_span behind = large_disks_columns(large_disks, k, from, row);
        const struct large_disks_span ahead = large_disks_columns(large_disks, k, to, row);
        visit_others(&search, row, ahead, behind, TAKE_AND_ADD);
        visit_others(&search, row, behind, ahead, REMOVE_LARGE_DISK);
    }
    if (coarse_cell(large_disks, from) != coarse_cell(large_disks, to)) {
        cell_list_remove(&large_disks->coarse, coarse_cell(large_disks, from), k);
        cell_list_add(&large_disks->coarse, coarse_cell(large_disks, to), k);
        take_large_disks(&search, to);
    }
    consider_members(&search);
    consider_crossing(&search);
}

/* The shift, along an axis, of the nearest image of what is in column (or row) `other`. */
static double nearest_image(uint32_t own, uint32_t other, uint32_t columns, unsigned wraps,
                            double length)
{
    const int32_t apart = 2 * (int32_t)(other - own);
    if (!wraps || abs(apart) <= (int32_t)columns)
        return 0;
    return apart > 0 ? -length : length;
}

void large_disks_consider_cell(const struct large_disks *large_disks,
                               const struct prediction *predictions, uint32_t k,
                               struct prediction *prediction)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &large_disks->system->boundary;
    const uint32_t column = cell_list_column(cell_list, prediction->cell);
    const uint32_t row = cell_list_row(cell_list, prediction->cell);
    uint32_t list[CELL_LIST_MEMBERS + CELL_LIST_SLACK + LANES_SLACK];
    struct shift shifts[CELL_LIST_MEMBERS + LANES_SLACK] = {{0, 0}};
    for (uint32_t next = prediction->cell; next != 0;) {
        size_t count = 0;
        next = cell_list_gather(&large_disks->nearby.cells[next], 1, list, &count) >> 2;
        if (!large_disks->knows_images) {
            prediction_consider_images(large_disks->system, k, prediction, list, count);
            continue;
        }
        for (size_t m = 0; m < count; m++) {
            const uint32_t cell = predictions[list[m]].cell;
            shifts[m].x = nearest_image(column, cell_list_column(cell_list, cell), shape->columns,
                                        shape->wraps & PERIODIC_X, boundary->width);
            shifts[m].y = nearest_image(row, cell_list_row(cell_list, cell), shape->rows,
                                        shape->wraps & PERIODIC_Y, boundary->height);
        }
        if (count > 0)
            lanes_consider(&large_disks->search, k, prediction, list, count, shifts, 0);
    }
}
