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
 * Large disks find each other in coarse cells, which consist of several of the others, so that they
 * need no crossings of their own. Small disks do not look for large ones there: in 9 coarse cells
 * there are about three times as many as near one of the others.
 *
 * Predictions obey the rule of predictor.c: of two that are neighbours, at least the one that was
 * predicted last has considered their collision. A large disk's neighbours are the members of the
 * cells of its block, and the large disks in the 9 coarse cells around its own. All of them are
 * considered anew when it goes on by a cell, which is seldom.
 *
 * To read a block takes longer than all else of a prediction. So what is in it is kept on a list,
 * and small disks that come into the block are added; those that have gone stay, which costs only
 * time, until there are too many. The list is lost when the block changes.
 */
#include "large_disks.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The particles of one radius. */
struct large_disks_size {
    double radius;
    double count;
};

/* The radii of a system, in units of the side of a square box of the same area. */
struct large_disks_radii {
    double count, mean, most;
    double largest;       /* of the small disks */
    double large_sums[3]; /* over the large disks, of the powers 0 to 2 */
};

/* The cost of a run, in nanoseconds for each of the collisions of a disk of the mean radius, but
 * for what does not depend on the choice. Disks of radius R collide 1 + R / mean times as often as
 * points. The terms: candidates beyond 6; blocks; crossings. */
static double cost(const struct large_disks_radii *radii)
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
static double choose_side(const struct large_disks_radii *radii)
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
static void choose_largest(struct large_disks *large_disks, const struct large_disks_size *sizes)
{
    const struct system *system = large_disks->system;
    const double unit = sqrt(system->boundary.width) * sqrt(system->boundary.height);
    struct large_disks_radii radii = {.count = (double)system->count,
                                      .most = large_disks->largest / unit};
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
    struct large_disks_size *sizes =
        memory_allocate(system->kind_count, sizeof *sizes, "the sizes of particles", error);
    if (!sizes)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count; k++)
        sizes[k] = (struct large_disks_size){.radius = system->kinds[k].radius};
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
    memory_free(large_disks->lists);
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
            members += across * across;
    }
    if (has_cells && members <= (double)large_disks->most_members &&
        large_disks->count <= large_disks->most_count)
        return STATUS_DONE;
    for (size_t k = 0; k < system->kind_count; k++)
        rows += across_bound(large_disks, system->kinds[k].radius);
    large_disks_free_lists(large_disks);
    large_disks->most_members = (size_t)members;
    large_disks->most_count = large_disks->count;
    large_disks->lists =
        memory_allocate_lines(large_disks->count, sizeof *large_disks->lists, what, error);
    large_disks->blocks =
        memory_allocate(system->kind_count, sizeof *large_disks->blocks, what, error);
    large_disks->rows = memory_allocate((size_t)rows, sizeof *large_disks->rows, what, error);
    if (!large_disks->blocks || !large_disks->rows || !large_disks->lists ||
        cell_list_create(&large_disks->nearby, large_disks->most_cells, large_disks->most_members,
                         error))
        return STATUS_NO_MEMORY;
    return cell_list_create(&large_disks->coarse, large_disks->most_cells,
                            large_disks->most_members, error);
}

enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error)
{
    *large_disks = (struct large_disks){.system = system, .largest = system_largest_radius(system)};
    if (system->kinds && !(system->boundary.growth > 0) &&
        large_disks_choose(large_disks, system, error))
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
    large_disks->seam_columns = 0;
    large_disks->seam_rows = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        struct large_disks_block *block = &large_disks->blocks[k];
        const double radius = system->kinds[k].radius;
        if (!large_disks_has(large_disks, radius))
            continue;
        block->first = first;
        block->rows = find_block_rows(large_disks, radius, &large_disks->rows[first]);
        if (radius == most) {
            large_disks->seam_columns = large_disks->rows[first].reach;
            large_disks->seam_rows = block->rows;
        }
        first += block->rows + 1;
    }
    /* The last of the coarse columns (or rows) is wider where these do not divide the others. */
    const double side = cell_list_least_side(2 * most, margin);
    large_disks->columns_each = (uint32_t)fmin(ceil(side / shape->width), shape->columns);
    large_disks->rows_each = (uint32_t)fmin(ceil(side / shape->height), shape->rows);
    struct cell_list_shape coarse = *shape;
    coarse.columns = shape->columns / large_disks->columns_each;
    coarse.rows = shape->rows / large_disks->rows_each;
    for (size_t k = 0; k < large_disks->count; k++)
        large_disks->lists[k].count = UINT32_MAX;
    cell_list_reset(&large_disks->nearby, shape);
    cell_list_reset(&large_disks->coarse, &coarse);
}

/* The columns (or rows), out of `count`, that are up to `reach` from one of them. Where columns
 * wrap, they may extend beyond the edges. */
static inline struct large_disks_span find_extent(uint32_t column, uint32_t reach, uint32_t count,
                                                  unsigned wraps)
{
    const int32_t first = (int32_t)column - (int32_t)reach;
    const int32_t last = (int32_t)column + (int32_t)reach;
    const int32_t end = (int32_t)count - 1;
    return (struct large_disks_span){wraps || first > 0 ? first : 0,
                                     wraps || last < end ? last : end};
}

/* A cell of a block, and the code of the image as which its members are beside a large disk. */
struct large_disks_cell {
    uint32_t cell, code;
};

static inline struct large_disks_cell find_cell(const struct cell_list *cell_list, int32_t column,
                                                int32_t row)
{
    const int32_t columns = (int32_t)cell_list->shape.columns;
    const int32_t rows = (int32_t)cell_list->shape.rows;
    const uint32_t code = (column < 0          ? PREDICTION_LEFT
                           : column >= columns ? PREDICTION_RIGHT
                                               : 0) |
                          (row < 0       ? PREDICTION_BELOW
                           : row >= rows ? PREDICTION_ABOVE
                                         : 0);
    column += column < 0 ? columns : column >= columns ? -columns : 0;
    row += row < 0 ? rows : row >= rows ? -rows : 0;
    return (struct large_disks_cell){cell_list_at(cell_list, (uint32_t)column, (uint32_t)row),
                                     code};
}

/* The entry of particle k on the list of another one whose entry on the list of k is this: the
 * image that is on the left of k has it on the right. */
static inline uint32_t opposite(uint32_t entry, uint32_t k)
{
    const uint32_t lower = PREDICTION_LEFT | PREDICTION_BELOW;
    return k | (entry & lower) << 1 | (entry >> 1 & lower);
}

/* What is in the block of large disk k. */
static inline struct large_disks_list *find_list(const struct large_disks *large_disks, uint32_t k)
{
    return &large_disks->lists[k + large_disks->count - large_disks->system->count];
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
    const uint32_t apart = (uint32_t)abs(row - (int32_t)cell_list_row(cell_list, cell));
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
        (uint32_t)fmin(cell_list_column(cell_list, cell) / large_disks->columns_each,
                       shape->columns - 1),
        (uint32_t)fmin(cell_list_row(cell_list, cell) / large_disks->rows_each, shape->rows - 1));
}

/* Appends the members of the cells in some columns of a row, which may be beyond the edges. */
static void add_cells(struct lanes_list *list, const struct cell_list *cell_list, int32_t first,
                      int32_t last, int32_t row)
{
    const int32_t columns = (int32_t)cell_list->shape.columns;
    for (int32_t column = first; column <= last;) {
        const int32_t edge = column < 0 ? -1 : column < columns ? columns - 1 : last;
        struct large_disks_cell next = find_cell(cell_list, column, row);
        for (; column <= edge && column <= last; column++)
            lanes_list_add(list, cell_list->cells, next.cell++, next.code);
    }
}

/* Appends what is in the block of a large disk. The cells that it covers are left out; but none of
 * the outer ones, which may be infinite. */
static void add_block(const struct large_disks *large_disks, struct lanes_list *list)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct large_disks_block *block = find_block(large_disks, list->k);
    const uint32_t cell = list->prediction->cell;
    const int32_t own_column = (int32_t)cell_list_column(cell_list, cell);
    const int32_t own_row = (int32_t)cell_list_row(cell_list, cell);
    const int32_t last_column = (int32_t)cell_list->shape.columns - 1;
    const int32_t last_row = (int32_t)cell_list->shape.rows - 1;
    const struct large_disks_span rows = large_disks_rows(large_disks, list->k, cell);
    for (int32_t row = rows.first; row <= rows.last; row++) {
        const struct large_disks_span columns =
            large_disks_columns(large_disks, list->k, cell, row);
        const int32_t apart = abs(row - own_row);
        const int32_t covered = (int32_t)large_disks->rows[block->first + (uint32_t)apart].covered;
        if (covered == 0 || row <= 0 || row >= last_row || covered > own_column ||
            covered > last_column - own_column) {
            add_cells(list, cell_list, columns.first, columns.last, row);
        } else {
            add_cells(list, cell_list, columns.first, own_column - covered, row);
            add_cells(list, cell_list, own_column + covered, columns.last, row);
        }
    }
}

void large_disks_gather(const struct large_disks *large_disks, struct lanes_list *list)
{
    const struct cell_list *coarse = &large_disks->coarse;
    const uint32_t cell = coarse_cell(large_disks, list->prediction->cell);
    struct large_disks_list *known = find_list(large_disks, list->k);
    const int is_at_seam = cell_list_wraps_around(coarse, cell);
    if (is_at_seam)
        list->images = LIST_HAS_IMAGES;
    if (known->count > LARGE_DISKS_KNOWN) {
        add_block(large_disks, list);
        known->limit = (uint32_t)list->count + (uint32_t)list->count / 4 + 4;
        if (!list->has_been_full && known->limit <= LARGE_DISKS_KNOWN) {
            known->count = (uint32_t)list->count;
            memcpy(known->members, list->entries, known->count * sizeof *known->members);
        }
    } else {
        list->count = known->count;
        memcpy(list->entries, known->members, known->count * sizeof *known->members);
    }
    if (is_at_seam)
        lanes_list_add_images(list, coarse, cell, 0);
    else if (cell_list_overflows(
                 cell_list_gather_around(coarse, cell, list->k, list->entries, &list->count)))
        lanes_list_add_chains(list, coarse, cell - coarse->stride - 1, 1, 3);
    if (large_disks->system->count >= PREDICTION_FETCH_FROM) /* all at once, not one by one */
        for (size_t m = 0; m < list->count; m++)
            COMPILER_PREFETCH(&large_disks->system->particles[prediction_index(list->entries[m])]);
}

/* Removes a large disk from the cells in those columns of a row that are not among `others`, or
 * adds it: as the image that it is there. */
static void change_row(struct cell_list *nearby, uint32_t k, int32_t row,
                       const struct large_disks_span *columns,
                       const struct large_disks_span *others,
                       void change(struct cell_list *, uint32_t, uint32_t))
{
    for (int32_t column = columns->first; column <= columns->last; column++)
        if (column >= others->first && column <= others->last) {
            column = others->last;
        } else {
            const struct large_disks_cell next = find_cell(nearby, column, row);
            change(nearby, next.cell, opposite(next.code, k));
        }
}

void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to)
{
    const struct large_disks_span before = large_disks_rows(large_disks, k, from ? from : to);
    const struct large_disks_span after = large_disks_rows(large_disks, k, to ? to : from);
    const int32_t bottom = before.first < after.first ? before.first : after.first;
    const int32_t top = before.last > after.last ? before.last : after.last;
    for (int32_t row = bottom; row <= top; row++) {
        const struct large_disks_span old =
            from ? large_disks_columns(large_disks, k, from, row) : NO_COLUMNS;
        const struct large_disks_span new =
            to ? large_disks_columns(large_disks, k, to, row) : NO_COLUMNS;
        change_row(&large_disks->nearby, k, row, &old, &new, cell_list_remove);
        change_row(&large_disks->nearby, k, row, &new, &old, cell_list_add);
    }
    if (from) /* or all lists are empty */
        find_list(large_disks, k)->count = UINT32_MAX;
    if (from)
        cell_list_remove(&large_disks->coarse, coarse_cell(large_disks, from), k);
    if (to)
        cell_list_add(&large_disks->coarse, coarse_cell(large_disks, to), k);
}

/* Puts the image of a small disk on the list of a large one, unless it is there. */
static void add_member(struct large_disks_list *known, uint32_t entry)
{
    uint32_t found = 0;
    if (known->count > LARGE_DISKS_KNOWN)
        return;
    for (uint32_t m = 0; m < known->count; m++)
        found |= known->members[m] == entry;
    if (found)
        return;
    if (known->count < known->limit)
        known->members[known->count++] = entry;
    else
        known->count = UINT32_MAX;
}

/* True if a cell, or its chain, has a member. */
static int has_member(const struct cell *cells, uint32_t cell, uint32_t member)
{
    for (; cell != 0; cell = cells[cell].state >> 2)
        for (uint32_t n = 0; n < (cells[cell].state & 3); n++)
            if (cells[cell].members[n] == member)
                return 1;
    return 0;
}

void large_disks_enter(const struct large_disks *large_disks, uint32_t k, uint32_t from,
                       uint32_t to, struct lanes_list *list)
{
    const struct cell *cells = large_disks->nearby.cells;
    for (uint32_t next = to; next != 0; next = cells[next].state >> 2)
        for (uint32_t n = 0; n < (cells[next].state & 3); n++) {
            const uint32_t entry = cells[next].members[n];
            if (has_member(cells, from, entry))
                continue;
            add_member(find_list(large_disks, prediction_index(entry)), opposite(entry, k));
            if (!list)
                continue;
            list->entries[list->count++] = entry;
            lanes_list_make_room(list);
        }
}
