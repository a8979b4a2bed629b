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

/* The cost of a run, `sums` being those of the powers 0 to 3 of the radii of large disks. */
static double cost(const struct system *system, double largest, const double sums[4], double mean)
{
    double side = cell_side(system, largest);
    double per_cell =
        side / system->boundary.width * (side / system->boundary.height) * (double)system->count;
    double a = 2 / side;
    double b = 2 * largest / side + 3;
    /* (1 + R / r) (m^2 / 2 + 6 m) with m = a R + b, by powers of R */
    double p[3] = {b * b / 2 + 6 * b, a * b + 6 * a, a * a / 2};
    double large_disks = p[0] * sums[0] + p[1] * sums[1] + p[2] * sums[2] +
                         (p[0] * sums[1] + p[1] * sums[2] + p[2] * sums[3]) / mean;
    return ((double)system->count - sums[0]) * (9 * per_cell + 10) + large_disks;
}

/* The radius of the largest small disk. `sizes` are in the order of radii. */
static double choose_largest(const struct system *system, const struct size *sizes, size_t count)
{
    double mean = 0;
    for (size_t k = 0; k < count; k++)
        mean += sizes[k].radius * (sizes[k].count / (double)system->count);
    double best = sizes[count - 1].radius;
    double sums[4] = {0};
    double least = cost(system, best, sums, fmax(mean, SYSTEM_SMALLEST));
    for (size_t k = count - 1; k > 0 && mean > 0; k--) {
        double power = sizes[k].count;
        for (int m = 0; m < 4; m++) {
            sums[m] += power;
            power *= sizes[k].radius;
        }
        double next = cost(system, sizes[k - 1].radius, sums, mean);
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

static size_t block_bound(const struct large_disks *large_disks, double radius)
{
    double across = 2 * ceil((radius + large_disks->largest) / large_disks->side) + 5;
    return (size_t)fmin(across * across, (double)large_disks->most_cells);
}

enum status large_disks_reserve(struct large_disks *large_disks, size_t cells, struct error *error)
{
    const struct system *system = large_disks->system;
    const char *what = "the largest particles";
    size_t links = 0;
    if (cells > large_disks->most_cells || !large_disks->first) {
        memory_free(large_disks->first);
        large_disks->first = memory_allocate(cells, sizeof *large_disks->first, what, error);
        large_disks->most_cells = cells;
    }
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        if (large_disks_has(large_disks, radius))
            links += block_bound(large_disks, radius);
    }
    if (links > large_disks->most_links || !large_disks->links) {
        memory_free(large_disks->links);
        large_disks->links = memory_allocate(links, sizeof *large_disks->links, what, error);
        large_disks->most_links = links;
    }
    if (!large_disks->reaches)
        large_disks->reaches =
            memory_allocate(system->kind_count, sizeof *large_disks->reaches, what, error);
    return large_disks->first && large_disks->links && large_disks->reaches ? STATUS_DONE
                                                                            : STATUS_NO_MEMORY;
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
    return large_disks_reserve(large_disks, most_cells, error);
}

void large_disks_free(struct large_disks *large_disks)
{
    memory_free(large_disks->first);
    memory_free(large_disks->links);
    memory_free(large_disks->reaches);
    *large_disks = (struct large_disks){0};
}

void large_disks_reset(struct large_disks *large_disks, const struct cell_list *cell_list,
                       double margin)
{
    const struct system *system = large_disks->system;
    if (large_disks->count == 0)
        return;
    memset(large_disks->first, 0, large_disks->most_cells * sizeof *large_disks->first);
    for (size_t k = 0; k < large_disks->most_links; k++)
        large_disks->links[k].next = (uint32_t)(k + 1 < large_disks->most_links ? k + 2 : 0);
    large_disks->unused = 1;
    large_disks->cell_list = cell_list;
    large_disks->margin = margin;
    for (size_t k = 0; k < system->kind_count; k++) {
        double side = cell_list_least_side(system->kinds[k].radius + large_disks->largest, margin);
        large_disks->reaches[k] = (struct large_disks_reach){
            .columns =
                (uint32_t)fmin(ceil(side / cell_list->shape.width), cell_list->shape.columns),
            .rows = (uint32_t)fmin(ceil(side / cell_list->shape.height), cell_list->shape.rows)};
    }
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

/* The index of the cell in a column and a row of a block, which may be beyond an edge. */
static inline uint32_t cell_of_block(const struct cell_list *cell_list, int32_t column, int32_t row)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    column -= beyond_edge(column, shape->columns) * (int32_t)shape->columns;
    row -= beyond_edge(row, shape->rows) * (int32_t)shape->rows;
    return cell_list_at(cell_list, (uint32_t)column, (uint32_t)row);
}

struct large_disks_block large_disks_block(const struct large_disks *large_disks, uint32_t k,
                                           uint32_t cell)
{
    const struct cell_list *cell_list = large_disks->cell_list;
    const struct large_disks_reach *reach =
        &large_disks->reaches[large_disks->system->particles[k].kind];
    const struct cell_list_shape *shape = &cell_list->shape;
    struct large_disks_block block;
    find_extent(cell_list_column(cell_list, cell), reach->columns, shape->columns,
                shape->wraps & PERIODIC_X, &block.left, &block.right);
    find_extent(cell_list_row(cell_list, cell), reach->rows, shape->rows, shape->wraps & PERIODIC_Y,
                &block.bottom, &block.top);
    return block;
}

/* The outer cells are infinite: they are never covered, and a disk may be anywhere in them. */
uint32_t large_disks_covered(const struct cell_list *cell_list, uint32_t cell, double radius,
                             uint32_t row)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    uint32_t column = cell_list_column(cell_list, cell);
    uint32_t own_row = cell_list_row(cell_list, cell);
    uint32_t rows = own_row > row ? own_row - row : row - own_row;
    double height = (rows + 1) * shape->height;
    if (row == 0 || row >= shape->rows - 1 || own_row == 0 || own_row >= shape->rows - 1 ||
        height >= radius)
        return 0;
    double columns = floor(sqrt(radius * radius - height * height) / shape->width);
    double inner = fmin(column, shape->columns - 1 - column);
    return (uint32_t)fmin(columns, inner);
}

void large_disks_add(struct large_disks *large_disks, const struct large_disks_block *block,
                     uint32_t large_disk)
{
    for (int32_t row = block->bottom; row <= block->top; row++) {
        for (int32_t column = block->left; column <= block->right; column++) {
            uint32_t *first =
                &large_disks->first[cell_of_block(large_disks->cell_list, column, row)];
            uint32_t link = large_disks->unused;
            large_disks->unused = large_disks->links[link - 1].next;
            large_disks->links[link - 1] = (struct large_disks_link){large_disk, *first};
            *first = link;
        }
    }
}

static void large_disks_remove(struct large_disks *large_disks,
                               const struct large_disks_block *block, uint32_t large_disk)
{
    for (int32_t row = block->bottom; row <= block->top; row++) {
        for (int32_t column = block->left; column <= block->right; column++) {
            uint32_t *place =
                &large_disks->first[cell_of_block(large_disks->cell_list, column, row)];
            while (large_disks->links[*place - 1].large_disk != large_disk)
                place = &large_disks->links[*place - 1].next;
            uint32_t link = *place;
            *place = large_disks->links[link - 1].next;
            large_disks->links[link - 1].next = large_disks->unused;
            large_disks->unused = link;
        }
    }
}

void large_disks_consider_cell(const struct large_disks *large_disks, uint32_t cell, uint32_t k,
                               struct prediction *prediction)
{
    const struct large_disks_link *links = large_disks->links;
    for (uint32_t link = large_disks->first[cell]; link > 0; link = links[link - 1].next)
        if (links[link - 1].large_disk != k)
            prediction_consider_images(large_disks->system, k, prediction,
                                       &links[link - 1].large_disk, 1);
}

struct large_search {
    const struct large_disks *large_disks;
    uint32_t large_disk;
    struct prediction *prediction;
    int knows_images; /* which image of a member is near follows from its cell in the block */
    /* Members of cells, to be considered when there are enough of them, and their shifts. */
    uint32_t list[CELL_LIST_NEIGHBOURS + LANES_SLACK];
    struct shift shifts[CELL_LIST_NEIGHBOURS + LANES_SLACK];
    size_t count;
};

/* Begins a search, with empty lists. A block around a whole periodic box may be near a member on
 * both sides. */
static void begin_search(struct large_search *search, const struct large_disks *large_disks,
                         uint32_t k, struct prediction *prediction)
{
    const struct cell_list_shape *shape = &large_disks->cell_list->shape;
    const struct large_disks_reach *reach =
        &large_disks->reaches[large_disks->system->particles[k].kind];
    search->large_disks = large_disks;
    search->large_disk = k;
    search->prediction = prediction;
    search->count = 0;
    search->knows_images =
        (!(shape->wraps & PERIODIC_X) || 2 * reach->columns < shape->columns - 1) &&
        (!(shape->wraps & PERIODIC_Y) || 2 * reach->rows < shape->rows - 1);
}

static void consider_members(struct large_search *search)
{
    const struct system *system = search->large_disks->system;
    const int is_periodic = system->boundary.periodic != 0;
    if (is_periodic)
        memset(&search->shifts[search->count], 0, LANES_SLACK * sizeof *search->shifts);
    if (search->knows_images)
        lanes_consider(&search->large_disks->search, search->large_disk, search->prediction,
                       search->list, search->count, is_periodic ? search->shifts : NULL, 0);
    else
        prediction_consider_images(system, search->large_disk, search->prediction, search->list,
                                   search->count);
    search->count = 0;
}

static inline void take_cell(struct large_search *search, uint32_t cell, int32_t columns_off,
                             int32_t rows_off)
{
    const struct cell *cells = search->large_disks->cell_list->cells;
    const struct boundary *boundary = &search->large_disks->system->boundary;
    for (; cells[cell].state != 0; cell = cells[cell].state >> 2) {
        if (search->count > CELL_LIST_NEIGHBOURS - CELL_LIST_MEMBERS - CELL_LIST_SLACK)
            consider_members(search);
        for (size_t m = 0; m < CELL_LIST_MEMBERS && boundary->periodic; m++)
            search->shifts[search->count + m] =
                (struct shift){columns_off * boundary->width, rows_off * boundary->height};
        cell_list_gather(&cells[cell], 1, search->list, &search->count);
    }
}

static void large_disks_take_row(struct large_search *search, int32_t row, int32_t left,
                                 int32_t right)
{
    const struct cell_list_shape *shape = &search->large_disks->cell_list->shape;
    const uint32_t first = cell_of_block(search->large_disks->cell_list, 0, row);
    const int32_t off = beyond_edge(row, shape->rows);
    for (int32_t column = left; column <= right; column++) {
        const int32_t columns_off = beyond_edge(column, shape->columns);
        const int32_t within = column - columns_off * (int32_t)shape->columns;
        take_cell(search, first + (uint32_t)within, columns_off, off);
    }
}

/* Considers the large disks on the lists of a block's cells, as often as they are there; or, if
 * fewer, all large disks, which stand last in memory. */
static void consider_large_disks(struct large_search *search, const struct large_disks_block *block)
{
    const struct large_disks *large_disks = search->large_disks;
    const struct system *system = search->large_disks->system;
    const int64_t columns = (int64_t)block->right - block->left + 1;
    const int64_t rows = (int64_t)block->top - block->bottom + 1;
    if ((int64_t)large_disks->count > columns * rows) {
        for (int32_t row = block->bottom; row <= block->top; row++)
            for (int32_t column = block->left; column <= block->right; column++)
                large_disks_consider_cell(large_disks,
                                          cell_of_block(large_disks->cell_list, column, row),
                                          search->large_disk, search->prediction);
        return;
    }
    for (uint32_t k = (uint32_t)(system->count - large_disks->count); k < system->count; k++)
        if (k != search->large_disk)
            prediction_consider_images(system, search->large_disk, search->prediction, &k, 1);
}

/* Considers what is in a block, but for the cells that the large disk itself covers. */
static void consider_block(struct large_search *search, const struct large_disks_block *block)
{
    const struct system *system = search->large_disks->system;
    uint32_t own_cell = search->prediction->cell;
    double radius =
        system_radius(system, &system->particles[search->large_disk]) - search->large_disks->margin;
    int32_t column = (int32_t)cell_list_column(search->large_disks->cell_list, own_cell);
    for (int32_t row = block->bottom; row <= block->top; row++) {
        int32_t covered = (int32_t)large_disks_covered(search->large_disks->cell_list, own_cell,
                                                       radius, (uint32_t)row);
        int32_t left = column - covered;
        int32_t right = covered > 0 ? column + covered : column + 1;
        large_disks_take_row(search, row, block->left, left < block->right ? left : block->right);
        large_disks_take_row(search, row, right > block->left ? right : block->left, block->right);
    }
    consider_members(search);
    consider_large_disks(search, block);
}

static void consider_crossing(const struct large_search *search)
{
    const struct cell_list *cell_list = search->large_disks->cell_list;
    const uint32_t cell = search->prediction->cell;
    crossing_set(search->large_disks->system, search->large_disk, search->prediction, cell_list,
                 cell_list_column(cell_list, cell), cell_list_row(cell_list, cell));
}

void large_disks_predict(const struct large_disks *large_disks, uint32_t k,
                         struct prediction *prediction)
{
    struct large_search search;
    const struct large_disks_block block = large_disks_block(large_disks, k, prediction->cell);
    begin_search(&search, large_disks, k, prediction);
    prediction_clear(prediction);
    consider_block(&search, &block);
    prediction_consider_wall(large_disks->system, k, prediction);
    consider_crossing(&search);
}

/* The cells that a large disk's block has gained when the disk went on by one cell. */
static struct large_disks_block block_ahead(struct large_disks_block before,
                                            struct large_disks_block block)
{
    if (block.right > before.right)
        block.left = block.right;
    else if (block.left < before.left)
        block.right = block.left;
    else if (block.top > before.top)
        block.bottom = block.top;
    else if (block.bottom < before.bottom)
        block.top = block.bottom;
    else
        block.left = block.right + 1; /* nothing */
    return block;
}

void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to)
{
    const struct large_disks_block before = large_disks_block(large_disks, k, from);
    const struct large_disks_block block = large_disks_block(large_disks, k, to);
    large_disks_remove(large_disks, &before, k);
    large_disks_add(large_disks, &block, k);
}

void large_disks_cross(struct large_disks *large_disks, uint32_t k, struct prediction *prediction)
{
    struct large_search search;
    const uint32_t cell = prediction->cell + (uint32_t)prediction->step;
    const struct large_disks_block before = large_disks_block(large_disks, k, prediction->cell);
    const struct large_disks_block block = large_disks_block(large_disks, k, cell);
    const struct large_disks_block behind = block_ahead(block, before);
    const struct large_disks_block ahead = block_ahead(before, block);
    prediction->cell = cell;
    begin_search(&search, large_disks, k, prediction);
    large_disks_remove(large_disks, &behind, k);
    consider_block(&search, &ahead);
    large_disks_add(large_disks, &ahead, k);
    consider_crossing(&search);
}
