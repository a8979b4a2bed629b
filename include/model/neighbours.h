/*
 * Which particles are near each other: a cell list, and a list of the neighbours of each particle,
 * for one range; and a grid of positions for any.
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
#include "base/thread_pool.h"
#include "model/grid.h"
#include "model/system.h"

#include <stdatomic.h>

struct neighbours {
    struct grid grid; /* with the cells of the ring; owned */
    size_t count;     /* of listed particles and images */
    double *x, *y;    /* coordinates, length; owned, one block */
    uint32_t *number; /* of the particle; owned */
    uint32_t *rows;   /* of each particle by its number, its row of cells; owned */
    size_t x_room, list_room, row_room; /* allocated elements */
};

/* A span of the list. */
struct neighbours_span {
    uint32_t begin, end; /* index of the first, and one past the last */
};

/*
 * Lists the particles of a system at their present positions, on the threads of a pool.
 * `neighbours` may be {0}, and is given to neighbours_free. `range` is more than 0, and at most
 * half of a periodic side (neighbours_check). A particle that is outside of a periodic box by some
 * length has neighbours across that seam up to `range` less that length. Returns STATUS_DONE or
 * STATUS_NO_MEMORY.
 */
enum status neighbours_find(struct neighbours *neighbours, const struct system *system,
                            double range, struct thread_pool *pool, struct error *error);

/* The cell of a position; one at the edge for a position outside of the box. */
uint32_t neighbours_cell(const struct neighbours *neighbours, double x, double y);

/* The members of three cells of the row below (-1), of (0) or above (1) a cell of the box. */
static inline struct neighbours_span neighbours_around(const struct neighbours *neighbours,
                                                       uint32_t cell, int row)
{
    const uint32_t middle = cell + (uint32_t)row * neighbours->grid.columns;
    const uint32_t *first = neighbours->grid.first;
    return (struct neighbours_span){first[middle - 1], first[middle + 2]};
}

/*
 * Takes a pair of particles: (dx, dy) is from i to j or its image, `square` that distance squared.
 */
typedef void neighbours_visit(void *context, size_t i, size_t j, double dx, double dy,
                              double square);

/* Checks the range that `name` asks for. Returns STATUS_DONE, or STATUS_USAGE if it is more than
 * half of a periodic side: then a particle could be near two images of another. */
enum status neighbours_check(const struct boundary *boundary, const char *name, double range,
                             struct error *error);

void neighbours_free(struct neighbours *neighbours);

struct verlet_position {
    double x, y; /* length */
};

/* The neighbours of each particle in the order of their numbers (L. Verlet, Phys. Rev. 159, 98,
 * 1967). Some are farther away than was asked for, by a skin: so the list holds until a particle
 * has moved half of that. Sums over neighbours in range do not depend on when it was made. */
struct verlet_list {
    double range, gap, skin;             /* which it has, with the skin; length */
    unsigned age;                        /* how often it has been used */
    double limit;                        /* the largest move for which it holds, length */
    atomic_int is_stale;                 /* a particle has moved farther */
    struct pair_shift period;            /* boundary_periods */
    const struct system *system;         /* not owned */
    struct neighbours cells;             /* while it is made */
    struct verlet_position *at, *origin; /* of each particle: now, and when the list was made;
                                     owned, one block. at[count] is infinitely far away */
    size_t *begins;           /* of each particle's neighbours in `numbers`, even; owned */
    uint32_t *counts;         /* of them; owned */
    uint32_t *numbers;        /* an odd count is followed by the number `count`; owned */
    size_t room, number_room; /* allocated elements; of `numbers` */
};

/*
 * Brings a list, at first {0}, for verlet_free, up to the present positions: it has all pairs
 * nearer to each other than `range` (neighbours_check) and than the sum of their radii and `gap`,
 * length or INFINITY. Time is in proportion to the number of particles and pairs, whatever their
 * radii and wherever they are. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status verlet_update(struct verlet_list *list, const struct system *system, double range,
                          double gap, struct thread_pool *pool, struct error *error);

void verlet_free(struct verlet_list *list);

/* Visits the neighbours of i, from number `from` on, that are nearer than `range`. */
COMPILER_INLINE void verlet_visit(const struct verlet_list *list, size_t i, size_t from,
                                  double range, neighbours_visit *visit, void *context)
{
    const uint32_t *numbers = list->numbers + list->begins[i];
    for (size_t n = 0; n < list->counts[i]; n++) {
        const size_t j = numbers[n];
        if (j < from)
            continue;
        const double dx = boundary_nearest(list->at[j].x - list->at[i].x, list->period.x);
        const double dy = boundary_nearest(list->at[j].y - list->at[i].y, list->period.y);
        const double square = dx * dx + dy * dy;
        if (square < range * range)
            visit(context, i, j, dx, dy, square);
    }
}

/* Brings a list up to date, and visits its pairs i < j in their order; of a range of 0, none. */
COMPILER_INLINE enum status verlet_each(struct verlet_list *list, const struct system *system,
                                        double range, double gap, struct thread_pool *pool,
                                        neighbours_visit *visit, void *context, struct error *error)
{
    if (range == 0)
        return STATUS_DONE;
    enum status status = verlet_update(list, system, range, gap, pool, error);
    for (size_t i = 0; i < system->count && !status; i++)
        verlet_visit(list, i, i + 1, range, visit, context);
    return status;
}

/* The positions of all particles at one time, sorted into the cells of a grid, in a cell by their
 * numbers, to find what is near a particle at any distance. A cell has about two members. Along a
 * periodic axis the grid goes on without end: cells beyond its border have the images. */
struct neighbours_map {
    size_t count;                /* of particles */
    struct boundary boundary;    /* the box */
    struct grid grid;            /* its lists; owned */
    double *x, *y;               /* of each particle by its number, length; INFINITY: it is in no
                                    cell, for a wall has absorbed it; owned */
    uint32_t *numbers;           /* the particles, cell by cell; owned */
    double *sorted_x, *sorted_y; /* where they are, length */
};

/* Makes a map for `count` particles, of about 44 bytes each. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; in either case neighbours_map_free frees it. */
enum status neighbours_map_create(struct neighbours_map *map, const struct boundary *boundary,
                                  size_t count, struct error *error);
void neighbours_map_free(struct neighbours_map *map);

/* Sorts the particles into the cells, once their positions are in `x` and `y`, in the box. */
void neighbours_map_sort(struct neighbours_map *map);

/* Neighbouring members of the lists, whose images are all the same way from them. */
struct neighbours_map_span {
    size_t begin, end;
    struct pair_shift shift;
};

/* Takes the piece of the row of cells from `*column` to `last` that is in one image of the box, and
 * moves `*column` beyond it. Beyond walls there are no cells. Returns 0 if nothing is left. */
int neighbours_map_span(const struct neighbours_map *map, int64_t row, int64_t *column,
                        int64_t last, struct neighbours_map_span *span);

#endif
