/*
 * The cell list of the time-stepped dynamics: which particles are near each other.
 *
 * The box is cut into cells at least `range` wide, and all particles are listed cell by cell, row
 * by row. So the neighbours of a particle stand in three spans of the list: in each of three rows,
 * the members of three adjacent cells. Along a periodic axis images of the particles near a seam
 * are listed, too, in a ring of cells around the box: so users of the list need not know of seams.
 * The coordinates are contiguous, for loops that compute several distances at a time.
 *
 * The order of the list depends on nothing but positions and numbers: within a cell the members
 * stand in the order of their numbers.
 */
#ifndef PARTICLES_NEIGHBOURS_H
#define PARTICLES_NEIGHBOURS_H

#include "base/compiler.h"
#include "model/system.h"

enum { NEIGHBOURS_MAX_PARTICLES = 1 << 28 }; /* particles, 32 bits number all cells and images */

struct neighbours {
    double width, height;   /* of a cell, length */
    uint32_t columns, rows; /* of cells, with those of the ring */
    uint32_t *first;        /* where the members of each cell begin, and the end; owned */
    uint32_t *cell;         /* of each particle, by its number; owned */
    size_t count;           /* of listed particles and images */
    double *x, *y;          /* coordinates, length; owned */
    uint32_t *number;       /* of the particle; owned */
    size_t cell_room, particle_room, list_room; /* allocated elements */
};

/* A span of the list. */
struct neighbours_span {
    uint32_t begin, end; /* index of the first, and one past the last */
};

/*
 * Lists the particles of a system at their present positions. `neighbours` may be {0}, and is given
 * to neighbours_free. Particles that are less than `range` apart are near each other: `range` is
 * more than 0, and at most half of a periodic side (neighbours_check). A particle that is outside
 * of a periodic box by some length has neighbours across that seam up to `range` less that length.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. Memory is in proportion to the number of particles.
 */
enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct error *error);

/* The cell of a position; that of one outside of the box is at its edge. */
uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y);

/* The members of three cells of the row below (-1), of (0) or above (1) a cell of the box. */
static inline struct neighbours_span neighbours_around(const struct neighbours *neighbours,
                                                       uint32_t cell, int row)
{
    const uint32_t middle = cell + (uint32_t)row * neighbours->columns;
    return (struct neighbours_span){neighbours->first[middle - 1], neighbours->first[middle + 2]};
}

/* The members of three cells of a row around particle k, as neighbours_around. */
static inline struct neighbours_span neighbours_near(const struct neighbours *neighbours, size_t k,
                                                     int row)
{
    return neighbours_around(neighbours, neighbours->cell[k], row);
}

/*
 * Calls visit(context, i, j, dx, dy, square) for each pair of particles nearer to each other than
 * `range`, the one of neighbours_find or less: i < j, (dx, dy) is from i to j or its image, and
 * `square` is the square of that distance. Pairs come by i, then in the order of the list.
 * Compilers inline a `visit` that is a static function.
 */
typedef void neighbours_visit(void *context, size_t i, size_t j, double dx, double dy,
                              double square);

COMPILER_INLINE void neighbours_each(const struct neighbours *neighbours,
                                     const struct system *system, double range,
                                     neighbours_visit *visit, void *context)
{
    for (size_t i = 0; i < system->count; i++) {
        const struct particle *p = &system->particles[i];
        for (int row = -1; row <= 1; row++) {
            const struct neighbours_span span = neighbours_near(neighbours, i, row);
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

/*
 * Checks the range that `name` asks for. Returns STATUS_DONE, or STATUS_USAGE with a message if it
 * is more than half of a periodic side: then a particle could be near two images of another.
 */
enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error);

void neighbours_free(struct neighbours *neighbours);

#endif
