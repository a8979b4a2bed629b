/*
 * Which particles are near each other: a cell list, or the pairs alone, for one range; and a grid
 * for any.
 *
 * The box is cut into cells at least `range` wide, and all particles are listed cell by cell, row
 * by row; in a cell, by their numbers. So the neighbours of a particle stand in three spans of the
 * list: in each of three rows, the members of three adjacent cells. Along a periodic axis images of
 * the particles near a seam are listed, too, in a ring of cells around the box: so users of the
 * list need not know of seams. The coordinates are contiguous, for loops over several at a time.
 */
#ifndef PARTICLES_NEIGHBOURS_H
#define PARTICLES_NEIGHBOURS_H

#include "base/compiler.h"
#include "model/system.h"

enum { NEIGHBOURS_MAX_PARTICLES = 1 << 28 }; /* particles, 32 bits number all cells and images */

/* Two particles that are near each other. */
struct neighbours_pair {
    uint32_t number[3]; /* by PAIR_*: i, the cell in which j or its image belongs, and j > i */
};

enum { PAIR_FIRST, PAIR_CELL, PAIR_SECOND };

struct neighbours {
    double width, height;          /* of a cell, length */
    uint32_t columns, rows;        /* of cells, with those of the ring */
    uint32_t *first;               /* where the members of each cell begin, and the end; owned */
    uint32_t *cell;                /* of each particle, by its number; owned */
    size_t count;                  /* of listed particles and images */
    double *x, *y;                 /* coordinates, length; owned, one block */
    uint32_t *number;              /* of the particle; owned */
    int is_crowded;                /* there are only cells of particles and pairs, and no list */
    struct neighbours_pair *pairs; /* by i, then in the order that the list would have; owned */
    size_t pair_count;
    size_t cell_room, particle_room, x_room, list_room, pair_room; /* allocated elements */
};

/* A span of the list. */
struct neighbours_span {
    uint32_t begin, end; /* index of the first, and one past the last */
};

/*
 * Lists the particles of a system at their present positions. `neighbours` may be {0}, and is given
 * to neighbours_free. `range` is more than 0, and at most half of a periodic side
 * (neighbours_check). A particle that is outside of a periodic box by some length has neighbours
 * across that seam up to `range` less that length. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct error *error);

/*
 * Finds what neighbours_each needs, for pairs nearer to each other than `range` and than the sum of
 * their radii and `gap`, length or INFINITY: where too many particles would be in one cell, only
 * the pairs. So time is in proportion to the number of particles and pairs, whatever their radii
 * and wherever they are in the box.
 */
enum status neighbours_find_pairs(struct neighbours *neighbours, const struct system *system,
                                  double range, double gap, struct error *error);

/* The cell of a position; one at the edge for a position outside of the box. */
uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y);

/* The members of three cells of the row below (-1), of (0) or above (1) a cell of the box. */
static inline struct neighbours_span neighbours_around(const struct neighbours *neighbours,
                                                       uint32_t cell, int row)
{
    const uint32_t middle = cell + (uint32_t)row * neighbours->columns;
    return (struct neighbours_span){neighbours->first[middle - 1], neighbours->first[middle + 2]};
}

/*
 * Takes a pair of particles, i < j: (dx, dy) is from i to j or its image, and `square` the square
 * of that distance. neighbours_each calls it for pairs nearer to each other than `range`, at most
 * that of neighbours_find; after neighbours_find_pairs, those farther apart than their radii and
 * the gap may be left out. Pairs come by i, then in the order of the list.
 */
typedef void neighbours_visit(void *context, size_t i, size_t j, double dx, double dy,
                              double square);

COMPILER_INLINE void neighbours_each_pair(const struct neighbours *neighbours,
                                          const struct system *system, double range,
                                          neighbours_visit *visit, void *context)
{
    const uint32_t columns = neighbours->columns;
    const double width = system->boundary.width;
    const double height = system->boundary.height;
    for (size_t k = 0; k < neighbours->pair_count; k++) {
        const uint32_t *pair = neighbours->pairs[k].number;
        const uint32_t column = pair[PAIR_CELL] % columns;
        const uint32_t row = pair[PAIR_CELL] / columns;
        const struct particle *p = &system->particles[pair[PAIR_FIRST]];
        const struct particle *q = &system->particles[pair[PAIR_SECOND]];
        const double x_shift = column == 0 ? -width : column == columns - 1 ? width : 0;
        const double y_shift = row == 0 ? -height : row == neighbours->rows - 1 ? height : 0;
        const double dx = q->x + x_shift - p->x;
        const double dy = q->y + y_shift - p->y;
        const double square = dx * dx + dy * dy;
        if (square < range * range)
            visit(context, pair[PAIR_FIRST], pair[PAIR_SECOND], dx, dy, square);
    }
}

COMPILER_INLINE void neighbours_each(const struct neighbours *neighbours,
                                     const struct system *system, double range,
                                     neighbours_visit *visit, void *context)
{
    if (neighbours->is_crowded) {
        neighbours_each_pair(neighbours, system, range, visit, context);
        return;
    }
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        for (int row = -1; row <= 1; row++) {
            const struct neighbours_span span =
                neighbours_around(neighbours, neighbours->cell[i], row);
            for (uint32_t at = span.begin; at < span.end; at++) {
                const double dx = neighbours->x[at] - p->x;
                const double dy = neighbours->y[at] - p->y;
                const double square = dx * dx + dy * dy;
                if (square < range * range && neighbours->number[at] > i)
                    visit(context, i, neighbours->number[at], dx, dy, square);
            }
        }
    }
}

/* Checks the range that `name` asks for. Returns STATUS_DONE, or STATUS_USAGE if it is more than
 * half of a periodic side: then a particle could be near two images of another. */
enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error);

void neighbours_free(struct neighbours *neighbours);

/*
 * The positions of all particles at one time, sorted into the cells of a grid, in a cell by their
 * numbers, to find what is near a particle at any distance. A cell has about two members. Along a
 * periodic axis the grid goes on without end: cells beyond its border have the images.
 */
struct frame {
    size_t count;                /* of particles */
    struct boundary boundary;    /* the box */
    double *x, *y;               /* of each particle by its number, length; owned */
    int64_t columns, rows;       /* of the grid, at least 1 each */
    double side_x, side_y;       /* of a cell, length */
    uint32_t *numbers;           /* the particles, cell by cell; owned */
    double *sorted_x, *sorted_y; /* where they are, length */
    uint32_t *begins;            /* of each cell, row by row, in these lists; and their end */
    uint32_t *cells;             /* of each particle by its number */
};

/* Makes a frame for `count` particles, of about 48 bytes each. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; in either case frame_free frees it. */
enum status frame_create(struct frame *frame, const struct boundary *boundary, size_t count,
                         struct error *error);
void frame_free(struct frame *frame);

/* Sorts the particles into the cells, once their positions are in `x` and `y`, in the box. */
void frame_sort(struct frame *frame);

/* Neighbouring members of the lists, whose images are all the same way from them. */
struct span {
    size_t begin, end;
    struct shift shift;
};

/* Takes the piece of the row of cells from `*column` to `last` that is in one image of the box, and
 * moves `*column` beyond it. Beyond walls there are no cells. Returns 0 if nothing is left. */
int frame_span(const struct frame *frame, int64_t row, int64_t *column, int64_t last,
               struct span *span);

#endif
