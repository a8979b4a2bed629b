/*
 * Giants; see giants.h.
 *
 * Who is a giant is a matter of cost. Let c be the radius of the largest particle that is none. A
 * cell then has the side s = max(2 c, what gives about as many cells as particles), and a forecast
 * looks at the 9 s^2 N / A particles in 9 of them. A giant of radius R looks at a block of m^2
 * cells with m = 2 (R + c) / s + 3, most of them empty since it covers them itself, and at the
 * particles along its rim, whose number grows with m; and it collides about 1 + R / r times as
 * often as others, r being the mean radius. The weights of these terms were measured roughly; the
 * choice between a few and very many disks in a cell does not depend on them.
 */
#include "giants.h"

#include "layout.h"
#include "memory.h"

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

/* The side of a cell if particles of radius `largest` are no giants. */
static double cell_side(const struct system *system, double largest)
{
    double most = (double)layout_most_cells(system->count);
    return fmax(2 * largest, sqrt(system->width / most) * sqrt(system->height));
}

/* What it costs if the giants are those of whose radii `sums` are the sums of powers 0 to 3. */
static double cost(const struct system *system, double largest, const double sums[4], double mean)
{
    double side = cell_side(system, largest);
    double per_cell = side / system->width * (side / system->height) * (double)system->count;
    double a = 2 / side;
    double b = 2 * largest / side + 3;
    /* (1 + R / r) (m^2 / 2 + 6 m) with m = a R + b, by powers of R */
    double p[3] = {b * b / 2 + 6 * b, a * b + 6 * a, a * a / 2};
    double giants = p[0] * sums[0] + p[1] * sums[1] + p[2] * sums[2] +
                    (p[0] * sums[1] + p[1] * sums[2] + p[2] * sums[3]) / mean;
    return ((double)system->count - sums[0]) * (9 * per_cell + 10) + giants;
}

/* The radius of the largest particle that is no giant. `sizes` are in the order of radii. */
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

static enum status choose(struct giants *giants, const struct system *system, struct error *error)
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
    giants->largest = choose_largest(system, sizes, system->kind_count);
    memory_free(sizes);
    for (size_t k = 0; k < system->count; k++)
        giants->count += (size_t)giants_has(giants, system_radius(system, &system->particles[k]));
    return STATUS_DONE;
}

/* How many cells the block of a giant can have at most. */
static size_t block_bound(const struct giants *giants, double radius)
{
    double across = 2 * ceil((radius + giants->largest) / giants->side) + 5;
    return (size_t)fmin(across * across, (double)giants->most_cells);
}

enum status giants_create(struct giants *giants, const struct system *system, size_t most_cells,
                          struct error *error)
{
    *giants = (struct giants){.largest = system->radius, .most_cells = most_cells};
    enum status status = system->kinds ? choose(giants, system, error) : STATUS_DONE;
    if (status || giants->count == 0)
        return status;
    giants->side = cell_side(system, giants->largest);
    for (size_t k = 0; k < system->count; k++) {
        double radius = system_radius(system, &system->particles[k]);
        if (giants_has(giants, radius))
            giants->most_links += block_bound(giants, radius);
    }
    const char *what = "the largest particles";
    giants->first = memory_allocate(most_cells, sizeof *giants->first, what, error);
    if (giants->first)
        giants->links = memory_allocate(giants->most_links, sizeof *giants->links, what, error);
    if (giants->links)
        giants->reaches = memory_allocate(system->kind_count, sizeof *giants->reaches, what, error);
    return giants->reaches ? STATUS_DONE : STATUS_NO_MEMORY;
}

void giants_free(struct giants *giants)
{
    memory_free(giants->first);
    memory_free(giants->links);
    memory_free(giants->reaches);
    *giants = (struct giants){0};
}

void giants_reset(struct giants *giants, const struct system *system, const struct grid *grid,
                  double now)
{
    if (giants->count == 0)
        return;
    memset(giants->first, 0, giants->most_cells * sizeof *giants->first);
    for (size_t k = 0; k < giants->most_links; k++)
        giants->links[k].next = (uint32_t)(k + 1 < giants->most_links ? k + 2 : 0);
    giants->unused = 1;
    double reach = layout_reach(system, now);
    for (size_t k = 0; k < system->kind_count; k++) {
        double side = layout_least_side(system->kinds[k].radius + giants->largest, reach);
        giants->reaches[k] = (struct giants_reach){
            .columns = (uint32_t)fmin(ceil(side / grid->shape.width), grid->shape.columns),
            .rows = (uint32_t)fmin(ceil(side / grid->shape.height), grid->shape.rows)};
    }
}

struct giants_block giants_block(const struct giants *giants, const struct grid *grid,
                                 uint32_t kind, uint32_t cell)
{
    const struct giants_reach *reach = &giants->reaches[kind];
    uint32_t column = grid_column(grid, cell);
    uint32_t row = grid_row(grid, cell);
    struct giants_block block = {
        .left = column > reach->columns ? column - reach->columns : 0,
        .right = column + reach->columns,
        .bottom = row > reach->rows ? row - reach->rows : 0,
        .top = row + reach->rows,
    };
    if (block.right >= grid->shape.columns)
        block.right = grid->shape.columns - 1;
    if (block.top >= grid->shape.rows)
        block.top = grid->shape.rows - 1;
    return block;
}

/* The outer cells have no end: they are never covered, and do not tell where a giant is. */
uint32_t giants_covered(const struct grid *grid, uint32_t cell, double radius, uint32_t row)
{
    const struct grid_shape *shape = &grid->shape;
    uint32_t column = grid_column(grid, cell);
    uint32_t own_row = grid_row(grid, cell);
    uint32_t rows = own_row > row ? own_row - row : row - own_row;
    double height = (rows + 1) * shape->height;
    if (row == 0 || row >= shape->rows - 1 || own_row == 0 || own_row >= shape->rows - 1 ||
        height >= radius)
        return 0;
    double columns = floor(sqrt(radius * radius - height * height) / shape->width);
    double inner = fmin(column, shape->columns - 1 - column);
    return (uint32_t)fmin(columns, inner);
}

void giants_add(struct giants *giants, const struct grid *grid, const struct giants_block *block,
                uint32_t giant)
{
    for (uint32_t row = block->bottom; row <= block->top; row++) {
        for (uint32_t column = block->left; column <= block->right; column++) {
            uint32_t *first = &giants->first[grid_cell_at(grid, column, row)];
            uint32_t link = giants->unused;
            giants->unused = giants->links[link - 1].next;
            giants->links[link - 1] = (struct giants_link){giant, *first};
            *first = link;
        }
    }
}

void giants_remove(struct giants *giants, const struct grid *grid, const struct giants_block *block,
                   uint32_t giant)
{
    for (uint32_t row = block->bottom; row <= block->top; row++) {
        for (uint32_t column = block->left; column <= block->right; column++) {
            uint32_t *place = &giants->first[grid_cell_at(grid, column, row)];
            while (giants->links[*place - 1].giant != giant)
                place = &giants->links[*place - 1].next;
            uint32_t link = *place;
            *place = giants->links[link - 1].next;
            giants->links[link - 1].next = giants->unused;
            giants->unused = link;
        }
    }
}
