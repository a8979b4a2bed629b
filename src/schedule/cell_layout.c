/*
 * Where the cells lie and how large they are, and the order of the particles in memory; see
 * cell_layout.h.
 */
#include "cell_layout.h"

#include "model/physics.h"

#include <stdlib.h>

static const double CELLS_PER_PARTICLE = 1; /* at most; up to 1.6 it makes little difference */
static const double CELL_MARGIN = 1e-3;

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/*
 * The range of a coordinate, 'x' or 'y', in which nearly all particles are at time `now`: so that
 * a few far ones do not make the cells too large for all others. From up to 512 of them.
 */
static void find_range(const struct system *system, char axis, double now, double *begin,
                       double *length)
{
    double sample[512];
    size_t most = sizeof sample / sizeof sample[0];
    size_t count = system->count < most ? system->count : most;
    double size = axis == 'x' ? system->width : system->height;
    for (size_t m = 0; m < count; m++) {
        const struct particle *p = &system->particles[m * system->count / count];
        sample[m] = axis == 'x' ? physics_coordinate(p->x, p->u, p->t, now)
                                : physics_coordinate(p->y, p->v, p->t, now);
    }
    qsort(sample, count, sizeof sample[0], compare_numbers);
    double low = sample[count / 32];
    double high = sample[count - 1 - count / 32];
    double beyond = (high - low) / 8;
    double least = system->kinds ? 0 : system->radius; /* no centre is nearer to a wall */
    *begin = fmax(low - beyond, least);
    *length = fmin(high + beyond, size - least) - *begin;
}

double layout_reach(const struct system *system, double now)
{
    return fmax(system->width, system->height) + system_fastest(system) * now;
}

double layout_least_side(double contact, double reach)
{
    double margin = CELL_MARGIN * contact + 256 * DBL_EPSILON * reach;
    return fmax(contact + margin, SYSTEM_SMALLEST);
}

/* How many columns or rows of at least `side` fit into `length`. */
static double fit(double length, double side)
{
    return fmax(floor(length / side), 1);
}

size_t layout_most_cells(size_t count)
{
    return (size_t)((CELLS_PER_PARTICLE + 1) * (double)count) + 64;
}

void layout_choose_shape(const struct system *system, double contact, double now,
                         struct cell_list_shape *shape)
{
    double most_cells = (double)layout_most_cells(system->count);
    double width;
    double height;
    find_range(system, 'x', now, &shape->left, &width);
    find_range(system, 'y', now, &shape->bottom, &height);
    double most = CELLS_PER_PARTICLE * (double)system->count;
    double side = fmax(sqrt(fmax(width, 0) * fmax(height, 0) / most),
                       layout_least_side(contact, layout_reach(system, now)));
    /* A slender grid has room for fewer cells, for its border takes up more. */
    while ((fit(width, side) + 2) * (fit(height, side) + 2) > most_cells)
        side *= 1.25;
    shape->columns = (uint32_t)fit(width, side);
    shape->rows = (uint32_t)fit(height, side);
    shape->width = fmax(width / shape->columns, side);
    shape->height = fmax(height / shape->rows, side);
}

void layout_permute(struct particle *particles, uint32_t *order, size_t count)
{
    for (uint32_t begin = 0; begin < count; begin++) {
        const struct particle displaced = particles[begin];
        uint32_t place = begin;
        for (uint32_t from = order[place]; from != begin; from = order[place]) {
            particles[place] = particles[from];
            order[place] = place;
            place = from;
        }
        particles[place] = displaced;
        order[place] = place;
    }
}
