/*
 * Which particles are near which, at one moment: the cell list of the time-stepped dynamics.
 *
 * The box is cut into cells at least `range` wide, and all particles are listed cell by cell, row
 * by row. So what is near a particle stands in three pieces of the list: in each of three rows, the
 * members of three cells that follow each other. Along a periodic axis images of the particles near
 * a seam are listed, too, in a ring of cells around the box: nobody who goes through the list has
 * to know of seams. The coordinates of the listed stand beside each other, for loops that compute
 * several distances at a time.
 *
 * The order of the list depends on nothing but positions and numbers: within a cell the members
 * stand in the order of their numbers.
 */
#ifndef PARTICLES_NEIGHBOURS_H
#define PARTICLES_NEIGHBOURS_H

#include "base/compiler.h"
#include "model/system.h"

enum { NEIGHBOURS_MOST = 1 << 28 }; /* particles, so that 32 bits number all cells and images */

struct neighbours {
    double width, height;   /* of a cell, length */
    uint32_t columns, rows; /* of cells, with those of the ring */
    uint32_t *first;        /* where the members of each cell begin; one more; owned */
    uint32_t *cell;         /* of each particle, by its number; owned */
    size_t count;           /* of the listed: particles and images */
    double *x, *y;          /* their coordinates, length; owned */
    uint32_t *number;       /* of the particle; owned */
    size_t cell_room, particle_room, list_room; /* how many there is memory for */
};

/* A piece of the list. */
struct neighbours_piece {
    uint32_t begin, end; /* the first, and the one after the last */
};

/*
 * Lists the particles of a system as they are now. `neighbours` may be {0}, and is given to
 * neighbours_free. Particles that are less than `range` apart are near each other: `range` is more
 * than 0, and at most half of a periodic side (neighbours_check). A particle that has moved out of
 * a periodic box by some length sees across that seam what is nearer than `range` less that length.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. Memory is in proportion to the number of particles.
 */
enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct error *error);

/* The cell in which a place is looked for; one outside of the box is in a cell at its edge. */
uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y);

/* The members of three cells of the row below (-1), of (0) or above (1) a cell of the box. */
static inline struct neighbours_piece neighbours_around(const struct neighbours *neighbours,
                                                        uint32_t cell, int row)
{
    const uint32_t middle = cell + (uint32_t)row * neighbours->columns;
    return (struct neighbours_piece){neighbours->first[middle - 1], neighbours->first[middle + 2]};
}

/* The same around the cell of particle k. */
static inline struct neighbours_piece neighbours_near(const struct neighbours *neighbours, size_t k,
                                                      int row)
{
    return neighbours_around(neighbours, neighbours->cell[k], row);
}

/*
 * Calls visit(context, i, j, dx, dy, square) for each pair of particles nearer to each other than
 * `range`, the one of neighbours_find or less: i < j, from i to j (or its image) it is (dx, dy),
 * and `square` is the square of that distance. Pairs come by i, then in the order of the list.
 * Where `visit` is a static function, compilers build it into the loop.
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
            const struct neighbours_piece piece = neighbours_near(neighbours, i, row);
            for (uint32_t at = piece.begin; at < piece.end; at++) {
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
 * Whether particles may be near each other up to `range`, which `name` asks for, in a box. Returns
 * STATUS_DONE, or STATUS_USAGE with a message if that is more than half of a periodic side, where a
 * particle would be near to two images of another.
 */
enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error);

void neighbours_free(struct neighbours *neighbours);

#endif
