/*
 * Large disks; see large_disks.h.
 *
 * The radius from which on a disk is large is a matter of cost. Either the cells are as wide as the
 * largest disk, and a prediction considers all in 9 of them. Or large disks have blocks: a small
 * disk finds in one cell which of them it can meet; but the prediction of a large one reads the
 * cells along its rim and considers their members, and when it goes on by a cell, so does its
 * block. The weights in `cost` were fitted to the times of 56 mixtures of two sizes, 2 to 20 times
 * as large, from which it differs by 7 % on average.
 *
 * Large disks find each other in coarse cells, each of which consists of several of the others, so
 * that they need no crossings of their own. Small disks do not look for large ones there: in 9
 * coarse cells there are about three times as many as near one of the others.
 *
 * Predictions obey the rule of predictor.c: of two that are neighbours, at least the one that was
 * predicted last has considered their collision. A large disk's neighbours are the members of the
 * cells of its block, and the large disks in the 9 coarse cells around its own. All of them are
 * considered anew when it goes on by a cell, which is seldom.
 *
 * A block has the same cells wherever in its own cell the disk is, so a processor can guess how
 * long each row is: to read only the cells near the present path took a fifth more time. Where
 * cells wrap, what a block has beyond each edge is read by itself, as one image of what is there.
 * If a block reaches around the box, all images of all neighbours are considered.
 */
#include "large_disks.h"

#include "base/compiler.h"
#include "base/elementary.h"
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

/* The radii of a system, in units of the side of a square box of the same area. */
struct radii {
    double count, mean, most;
    double largest;       /* of the small disks */
    double large_sums[3]; /* over the large disks, of the powers 0 to 2 */
};

/* The cost of a run, in nanoseconds for each of the collisions of a disk of the mean radius, but
 * for what does not depend on the choice. Disks of radius R collide 1 + R / mean times as often as
 * points. The terms: candidates beyond 6; blocks; crossings. */
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

/*
 * How long the sides of cells must be at least. A block has one row more on either side than its
 * reach has sides of a cell: where that is little more than a whole number of them, wider cells
 * have blocks with fewer rows. Up to these widths runs are not slower, and up to an eighth faster.
 */
static double choose_side(const struct radii *radii)
{
    const double *sums = radii->large_sums;
    const double most = (double)cell_list_most_cells((size_t)radii->count);
    const double cells = cell_list_cells_each(1 - 3.14 * sums[2]) * radii->count;
    const double least = fmax(2 * radii->largest, 1 / sqrt(most));
    const double side = fmax(least, 1 / sqrt(cells));
    /* of a mean large disk; a little more than cell_list_least_side adds */
    const double reach = 1.002 * (sums[1] / sums[0] + radii->largest);
    const double rows = floor(reach / side);
    return rows >= 1 && reach / rows < side * (1 + 0.45 / (rows * rows)) ? reach / rows : least;
}

/* Chooses which disks are large. `sizes` are in the order of radii. Points alone have no cost, and
 * none of them is large. */
static void choose_largest(struct large_disks *large_disks, const struct size *sizes)
{
    const struct system *system = large_disks->system;
    const double unit = sqrt(system->boundary.width) * sqrt(system->boundary.height);
    struct radii radii = {.count = (double)system->count, .most = large_disks->largest / unit};
    double least = (double)INFINITY;
    for (size_t k = 0; k < system->kind_count; k++)
        radii.mean += sizes[k].radius / unit * (sizes[k].count / radii.count);
    for (size_t k = system->kind_count; k-- > 0 && radii.mean > 0;) {
        radii.largest = sizes[k].radius / unit;
        const double next = cost(&radii);
        if (next < least) {
            least = next;
            large_disks->largest = sizes[k].radius;
            large_disks->count = (size_t)radii.large_sums[0];
            large_disks->side = large_disks->count > 0 ? unit * choose_side(&radii) : 0;
        }
        double power = sizes[k].count;
        for (int m = 0; m < 3; m++) {
            radii.large_sums[m] += power;
            power *= radii.largest;
        }
    }
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
    qsort(sizes, system->kind_count, sizeof *sizes, elementary_compare);
    choose_largest(large_disks, sizes);
    memory_free(sizes);
    return STATUS_DONE;
}

/* Rows, and columns, that a block of a disk of this radius has at most. */
static double across_bound(const struct large_disks *large_disks, double radius)
{
    return fmin(2 * ceil((radius + large_disks->largest) / large_disks->side) + 5,
                (double)large_disks->most_cells);
}

static void large_disks_free_lists(struct large_disks *large_disks)
{
    cell_list_free(&large_disks->nearby);
    cell_list_free(&large_disks->coarse);
    memory_free(large_disks->blocks);
    memory_free(large_disks->rows);
}

enum status large_disks_reserve(struct large_disks *large_disks, size_t cells, struct error *error)
{
    const struct system *system = large_disks->system;
    const char *what = "the largest particles";
    const int has_cells = large_disks->rows && cells <= large_disks->most_cells;
    double members = 0;
    double rows = 0;
    large_disks->most_cells = has_cells ? large_disks->most_cells : cells;
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        const double across = across_bound(large_disks, radius);
        if (large_disks_has(large_disks, radius))
            members += fmin(across * across, (double)large_disks->most_cells);
    }
    if (has_cells && members <= (double)large_disks->most_members)
        return STATUS_DONE;
    for (size_t k = 0; k < system->kind_count; k++)
        rows += across_bound(large_disks, system->kinds[k].radius);
    large_disks_free_lists(large_disks);
    large_disks->most_members = (size_t)members;
    large_disks->blocks =
        memory_allocate(system->kind_count, sizeof *large_disks->blocks, what, error);
    large_disks->rows = memory_allocate((size_t)rows, sizeof *large_disks->rows, what, error);
    if (!large_disks->blocks || !large_disks->rows ||
        cell_list_create(&large_disks->nearby, large_disks->most_cells, large_disks->most_members,
                         error))
        return STATUS_NO_MEMORY;
    return cell_list_create(&large_disks->coarse, large_disks->most_cells,
                            large_disks->most_members, error);
}

enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error)
{
    *large_disks = (struct large_disks){.system = system,
                                        .largest = system_largest_radius(system),
                                        .search = lanes_choose(system, LANES_MAX)};
    if (system->kinds && large_disks_choose(large_disks, system, error))
        return STATUS_NO_MEMORY;
    return large_disks->count > 0 ? large_disks_reserve(large_disks, most_cells, error)
                                  : STATUS_DONE;
}

void large_disks_free(struct large_disks *large_disks)
{
    large_disks_free_lists(large_disks);
    *large_disks = (struct large_disks){0};
}

/* Writes the rows of the block of disks of this radius to `rows`, and returns how many there are
 * on either side. */
static uint32_t find_block_rows(const struct large_disks *large_disks, double radius,
                                struct large_disks_row *rows)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const double reach = cell_list_least_side(radius + large_disks->largest, large_disks->margin);
    const double inner = radius - large_disks->margin;
    const uint32_t count = (uint32_t)fmin(floor(reach / shape->height) + 1, shape->rows);
    for (uint32_t row = 0; row <= count; row++) {
        const double near = fmax((double)row - 1, 0) * shape->height;
        const double far = (row + 1) * shape->height;
        const double columns = floor(sqrt(fmax(reach * reach - near * near, 0)) / shape->width) + 1;
        const double covered = floor(sqrt(fmax(inner * inner - far * far, 0)) / shape->width);
        rows[row] = (struct large_disks_row){(uint32_t)fmin(columns, shape->columns),
                                             (uint32_t)fmin(covered, shape->columns)};
    }
    return count;
}

void large_disks_reset(struct large_disks *large_disks, const struct cell_list *cell_list,
                       double margin)
{
    const struct system *system = large_disks->system;
    if (large_disks->count == 0)
        return;
    large_disks->cell_list = cell_list;
    large_disks->margin = margin;
    const struct cell_list_shape *shape = &cell_list->shape;
    const double most = system_largest_radius(system);
    uint32_t first = 0;
    uint32_t columns = 0;
    uint32_t rows = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        struct large_disks_block *block = &large_disks->blocks[k];
        const double radius = system->kinds[k].radius;
        if (!large_disks_has(large_disks, radius))
            continue;
        block->first = first;
        block->rows = find_block_rows(large_disks, radius, &large_disks->rows[first]);
        rows = radius == most ? block->rows : rows;
        columns = radius == most ? large_disks->rows[first].reach : columns;
        first += block->rows + 1;
    }
    large_disks->knows_images = !(shape->wraps & PERIODIC_X && 2 * columns >= shape->columns - 1) &&
                                !(shape->wraps & PERIODIC_Y && 2 * rows >= shape->rows - 1);
    large_disks->seam_columns = shape->wraps & PERIODIC_X ? columns : 0;
    large_disks->seam_rows = shape->wraps & PERIODIC_Y ? rows : 0;
    /* The last of the coarse columns (or rows) is wider where these do not divide the others. */
    const double side = cell_list_least_side(2 * most, margin);
    large_disks->columns_each = (uint32_t)fmin(ceil(side / shape->width), shape->columns);
    large_disks->rows_each = (uint32_t)fmin(ceil(side / shape->height), shape->rows);
    struct cell_list_shape coarse = *shape;
    coarse.columns = shape->columns / large_disks->columns_each;
    coarse.rows = shape->rows / large_disks->rows_each;
    cell_list_reset(&large_disks->nearby, shape);
    cell_list_reset(&large_disks->coarse, &coarse);
}

/* The columns (or rows), out of `count`, that are up to `reach` from one of them: each once. Where
 * columns wrap, they may extend beyond the edges. */
static inline struct large_disks_span find_extent(uint32_t column, uint32_t reach, uint32_t count,
                                                  unsigned wraps)
{
    const int32_t end = (int32_t)count - 1;
    struct large_disks_span span = {(int32_t)column - (int32_t)reach,
                                    (int32_t)column + (int32_t)reach};
    if (!wraps || span.last - span.first >= end) {
        span.first = wraps || span.first < 0 ? 0 : span.first;
        span.last = wraps || span.last > end ? end : span.last;
    }
    return span;
}

static inline uint32_t smaller_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The index of the cell in a column and a row of a block, which may be beyond an edge. */
static inline uint32_t cell_of_block(const struct cell_list *cell_list, int32_t column, int32_t row)
{
    const int32_t columns = (int32_t)cell_list->shape.columns;
    const int32_t rows = (int32_t)cell_list->shape.rows;
    column += column < 0 ? columns : column >= columns ? -columns : 0;
    row += row < 0 ? rows : row >= rows ? -rows : 0;
    return cell_list_at(cell_list, (uint32_t)column, (uint32_t)row);
}

static inline const struct large_disks_block *find_block(const struct large_disks *large_disks,
                                                         uint32_t k)
{
    return &large_disks->blocks[large_disks->system->particles[k].kind];
}

struct large_disks_span large_disks_rows(const struct large_disks *large_disks, uint32_t k,
                                         uint32_t cell)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    return find_extent(cell_list_row(cell_list, cell), find_block(large_disks, k)->rows,
                       cell_list->shape.rows, cell_list->shape.wraps & PERIODIC_Y);
}

/* No columns: all others are not among them. */
static const struct large_disks_span NO_COLUMNS = {INT32_MAX, INT32_MAX - 1};

struct large_disks_span large_disks_columns(const struct large_disks *large_disks, uint32_t k,
                                            uint32_t cell, int32_t row)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct large_disks_block *block = find_block(large_disks, k);
    uint32_t apart = (uint32_t)abs(row - (int32_t)cell_list_row(cell_list, cell));
    if (shape->wraps & PERIODIC_Y) /* a block around the box has each row once */
        apart = smaller_of(apart, shape->rows - apart);
    return apart > block->rows ? NO_COLUMNS
                               : find_extent(cell_list_column(cell_list, cell),
                                             large_disks->rows[block->first + apart].reach,
                                             shape->columns, shape->wraps & PERIODIC_X);
}

/* The coarse cell that has a cell as its part. */
static uint32_t coarse_cell(const struct large_disks *large_disks, uint32_t cell)
{
    const struct cell_list_shape *shape = &large_disks->coarse.shape;
    const struct cell_list *cell_list = large_disks->cell_list;
    return cell_list_at(
        &large_disks->coarse,
        smaller_of(cell_list_column(cell_list, cell) / large_disks->columns_each,
                   shape->columns - 1),
        smaller_of(cell_list_row(cell_list, cell) / large_disks->rows_each, shape->rows - 1));
}

/* A list of what is to be considered for a prediction. When it is longer than SEARCH_MEMBERS, it is
 * considered, and begins anew. */
enum { SEARCH_MEMBERS = 96, SEARCH_ROOM = SEARCH_MEMBERS + CELL_LIST_MEMBERS + CELL_LIST_SLACK };

/* Cells in some columns and rows, which may be beyond the edges where they wrap. */
struct large_area {
    const struct cell_list *cell_list;
    struct large_disks_span columns, rows;
};

struct large_search {
    const struct large_disks *large_disks;
    uint32_t k;
    int is_latest;
    struct large_area areas[2]; /* its block, with corners; the coarse cells around it */
    int has_images;             /* there are images around it: */
    struct list_images images;  /* which of those on the list may be met */
    size_t count;
    uint32_t list[SEARCH_ROOM + LANES_SLACK];
};

static inline int is_beyond_edges(const struct large_area *area)
{
    const struct cell_list_shape *shape = &area->cell_list->shape;
    return area->columns.first < 0 || area->columns.last >= (int32_t)shape->columns ||
           area->rows.first < 0 || area->rows.last >= (int32_t)shape->rows;
}

static void begin_search(struct large_search *search, const struct large_disks *large_disks,
                         uint32_t k, int is_latest)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct cell_list *coarse = &large_disks->coarse;
    const struct cell_list_shape *shape = &coarse->shape;
    const uint32_t cell = large_disks->predictions[k].cell;
    const uint32_t own = coarse_cell(large_disks, cell);
    search->large_disks = large_disks;
    search->k = k;
    search->is_latest = is_latest;
    search->count = 0;
    search->areas[0] = (struct large_area){
        cell_list,
        large_disks_columns(large_disks, k, cell, (int32_t)cell_list_row(cell_list, cell)),
        large_disks_rows(large_disks, k, cell)};
    search->areas[1] = (struct large_area){
        coarse,
        find_extent(cell_list_column(coarse, own), 1, shape->columns, shape->wraps & PERIODIC_X),
        find_extent(cell_list_row(coarse, own), 1, shape->rows, shape->wraps & PERIODIC_Y)};
    search->images =
        (struct list_images){.are_all = !large_disks->knows_images ||
                                        (shape->wraps & PERIODIC_X && shape->columns <= 3) ||
                                        (shape->wraps & PERIODIC_Y && shape->rows <= 3)};
    search->has_images = search->images.are_all || is_beyond_edges(&search->areas[0]) ||
                         is_beyond_edges(&search->areas[1]);
}

static void consider_list(struct large_search *search)
{
    const struct large_disks *large_disks = search->large_disks;
    struct prediction *prediction = &large_disks->predictions[search->k];
    if (large_disks->system->count >= PREDICTION_FETCH_FROM) /* all at once, not one by one */
        for (size_t m = 0; m < search->count; m++)
            COMPILER_PREFETCH(&large_disks->system->particles[search->list[m]]);
    if (search->images.are_all)
        prediction_consider_each(large_disks->system, search->k, prediction, search->list,
                                 search->count, &search->images);
    else
        lanes_consider(&large_disks->search, search->k, prediction, search->list, search->count,
                       search->has_images ? &search->images : NULL, search->is_latest);
    search->count = 0;
}

/* Appends the members of the cells from `first` to before `end`, side by side. */
static inline void take_cells(struct large_search *search, const struct cell *cells, uint32_t first,
                              uint32_t end)
{
    size_t count = search->count;
    for (const struct cell *cell = &cells[first]; cell < &cells[end]; cell++) {
        uint32_t state = cell_list_gather(cell, 1, search->list, &count);
        while (cell_list_overflows(state) | (count > SEARCH_MEMBERS)) {
            if (count > SEARCH_MEMBERS) {
                search->count = count;
                consider_list(search);
                count = 0;
            }
            if (cell_list_overflows(state))
                state = cell_list_gather(&cells[state >> 2], 1, search->list, &count);
        }
    }
    search->count = count;
}

/* Appends what is in the block of a disk within the edges. The cells that the disk covers are left
 * out; but none of the outer ones, which are infinite. */
static void take_block(struct large_search *search)
{
    const struct large_disks *large_disks = search->large_disks;
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct large_disks_block *block = find_block(large_disks, search->k);
    const struct large_disks_row *entries = &large_disks->rows[block->first];
    const uint32_t cell = large_disks->predictions[search->k].cell;
    const uint32_t column = cell_list_column(cell_list, cell);
    const uint32_t own_row = cell_list_row(cell_list, cell);
    const uint32_t last = cell_list->shape.columns - 1;
    const uint32_t last_row = cell_list->shape.rows - 1;
    const uint32_t inner =
        own_row == 0 || own_row == last_row ? 0 : smaller_of(column, last - column);
    const uint32_t end_row = own_row + smaller_of(last_row - own_row, block->rows);
    for (uint32_t row = own_row - smaller_of(own_row, block->rows); row <= end_row; row++) {
        const struct large_disks_row *entry =
            &entries[row > own_row ? row - own_row : own_row - row];
        const uint32_t middle = cell_list_at(cell_list, column, row);
        const uint32_t left = middle - smaller_of(column, entry->reach);
        const uint32_t end = middle + 1 + smaller_of(last - column, entry->reach);
        const uint32_t covered = smaller_of(entry->covered, inner);
        if (covered == 0 || row == 0 || row == last_row) {
            take_cells(search, cell_list->cells, left, end);
        } else {
            take_cells(search, cell_list->cells, left, middle + 1 - covered);
            take_cells(search, cell_list->cells, middle + covered, end);
        }
    }
}

/* What of a span lies `image` times all columns (or rows) away, and which these are copies of. */
static inline struct large_disks_span part_of_span(struct large_disks_span span, int32_t image,
                                                   uint32_t count)
{
    const int32_t begin = image * (int32_t)count;
    const int32_t end = (int32_t)count - 1;
    return (struct large_disks_span){span.first > begin ? span.first - begin : 0,
                                     span.last - begin < end ? span.last - begin : end};
}

/* Appends the members of the cells of an area that are so many boxes away. (A disk never meets
 * itself.) */
static void take_area(struct large_search *search, const struct large_area *area, int32_t x,
                      int32_t y)
{
    const struct cell_list *cell_list = area->cell_list;
    const struct large_disks_span columns =
        part_of_span(area->columns, x, cell_list->shape.columns);
    const struct large_disks_span rows = part_of_span(area->rows, y, cell_list->shape.rows);
    for (int32_t row = rows.first; row <= rows.last && columns.first <= columns.last; row++) {
        const uint32_t first = cell_list_at(cell_list, (uint32_t)columns.first, (uint32_t)row);
        take_cells(search, cell_list->cells, first,
                   first + (uint32_t)(columns.last - columns.first + 1));
    }
}

/* Considers all that is around a disk beyond the edges, as images. */
static void consider_images(struct large_search *search)
{
    const struct boundary *boundary = &search->large_disks->system->boundary;
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++) {
            if (x == 0 && y == 0)
                continue;
            if (search->count > 0)
                consider_list(search);
            search->images.shifts[1] = (struct shift){x * boundary->width, y * boundary->height};
            take_area(search, &search->areas[0], x, y);
            take_area(search, &search->areas[1], x, y);
        }
}

void large_disks_predict(const struct large_disks *large_disks, uint32_t k, int is_latest)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    struct prediction *prediction = &large_disks->predictions[k];
    struct large_search search;
    begin_search(&search, large_disks, k, is_latest);
    prediction_clear(prediction);
    if (search.images.are_all) /* a block around the box has cells on both sides of it */
        take_area(&search, &search.areas[0], 0, 0);
    else
        take_block(&search);
    take_area(&search, &search.areas[1], 0, 0);
    if (search.has_images)
        consider_images(&search);
    if (search.count > 0)
        consider_list(&search);
    prediction_consider_wall(large_disks->system, k, prediction);
    crossing_set(large_disks->system, k, prediction, cell_list,
                 cell_list_column(cell_list, prediction->cell),
                 cell_list_row(cell_list, prediction->cell));
}

/* The shift, along an axis, of the nearest image of what is in column (or row) `other`. */
static double shift_of_cell(uint32_t own, uint32_t other, uint32_t columns, unsigned wraps,
                            double length)
{
    const int32_t apart = 2 * (int32_t)(other - own);
    return !wraps || abs(apart) <= (int32_t)columns ? 0 : apart > 0 ? -length : length;
}

void large_disks_consider_near(const struct large_disks *large_disks, uint32_t k)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct cell_list_shape *shape = &cell_list->shape;
    const struct boundary *boundary = &large_disks->system->boundary;
    struct prediction *prediction = &large_disks->predictions[k];
    const uint32_t column = cell_list_column(cell_list, prediction->cell);
    const uint32_t row = cell_list_row(cell_list, prediction->cell);
    const struct cell *cells = large_disks->nearby.cells;
    struct list_images images = {.are_all = !large_disks->knows_images};
    for (uint32_t next = prediction->cell; next != 0; next = cells[next].state >> 2)
        for (uint32_t m = 0; m < (cells[next].state & 3); m++) {
            const uint32_t *member = &cells[next].members[m];
            const uint32_t cell = large_disks->predictions[*member].cell;
            images.shifts[1].x =
                shift_of_cell(column, cell_list_column(cell_list, cell), shape->columns,
                              shape->wraps & PERIODIC_X, boundary->width);
            images.shifts[1].y = shift_of_cell(row, cell_list_row(cell_list, cell), shape->rows,
                                               shape->wraps & PERIODIC_Y, boundary->height);
            prediction_consider_each(large_disks->system, k, prediction, member, 1, &images);
        }
}

void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct large_disks_span before = large_disks_rows(large_disks, k, from ? from : to);
    const struct large_disks_span after = large_disks_rows(large_disks, k, to ? to : from);
    const int32_t bottom = before.first < after.first ? before.first : after.first;
    const int32_t top = before.last > after.last ? before.last : after.last;
    for (int32_t row = bottom; row <= top; row++) {
        const struct large_disks_span old =
            from ? large_disks_columns(large_disks, k, from, row) : NO_COLUMNS;
        const struct large_disks_span new =
            to ? large_disks_columns(large_disks, k, to, row) : NO_COLUMNS;
        for (int32_t column = old.first; column <= old.last; column++) {
            if (column >= new.first && column <= new.last)
                column = new.last;
            else
                cell_list_remove(&large_disks->nearby, cell_of_block(cell_list, column, row), k);
        }
        for (int32_t column = new.first; column <= new.last; column++) {
            if (column >= old.first && column <= old.last)
                column = old.last;
            else
                cell_list_add(&large_disks->nearby, cell_of_block(cell_list, column, row), k);
        }
    }
    if (from)
        cell_list_remove(&large_disks->coarse, coarse_cell(large_disks, from), k);
    if (to)
        cell_list_add(&large_disks->coarse, coarse_cell(large_disks, to), k);
}

void large_disks_cross(struct large_disks *large_disks, uint32_t k)
{
    struct prediction *prediction = &large_disks->predictions[k];
    const uint32_t from = prediction->cell;
    prediction->cell += (uint32_t)prediction->step;
    large_disks_move(large_disks, k, from, prediction->cell);
    large_disks_predict(large_disks, k, 0);
}
