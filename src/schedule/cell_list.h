/*
 * The cell list: rectangular cells in rows and columns over a part of the plane. Each cell has a
 * list of its members. The neighbours of a particle are in its own cell and in the 8 around it. And
 * the choice of the cells: their positions and their size.
 *
 * A cell holds up to 3 members in 16 bytes, so the 3 cells side by side in a row are 48 bytes in
 * one piece, and reading all 9 needs no branch (cell_list_gather). More members overflow into
 * further cells of the same kind, chained to it. A border of cells that stay empty surrounds the
 * others, so that every cell has 8 neighbours. The outer cells within the border reach to infinity.
 *
 * Along a periodic axis the cells wrap: they cover the whole side of the box, and the neighbours of
 * a cell at one edge stand at the opposite edge. Their members are neighbours as images, a side of
 * the box away.
 *
 * Where particles crowd far apart, cells for all of the plane would be too many or too
 * large. Then the list is folded: it wraps along both axes, and the same cells are used again and
 * again as a pattern that covers the plane, or fills the box along a periodic axis. A cell can then
 * hold particles that are far from each other: that costs time, and changes nothing, for a
 * predicted time is right at any distance.
 */
#ifndef PARTICLES_CELL_LIST_H
#define PARTICLES_CELL_LIST_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "model/system.h"

#include <math.h>
#include <stdint.h>

enum { CELL_LIST_MEMBERS = 3 };

struct cell {
    uint32_t
        members[CELL_LIST_MEMBERS]; /* numbers below 2^31, the first (state & 3) of them valid */
    uint32_t state;                 /* how many, and 4 * index of the cell with more, or 0 */
};

/* Where the cells lie and how large they are. */
struct cell_list_shape {
    double left, bottom;    /* the lower left corner of the first cell, length */
    double width, height;   /* the sides of a cell, length */
    uint32_t columns, rows; /* at least 1 each; where it is folded, 3 */
    unsigned wraps;         /* PERIODIC_X, PERIODIC_Y: the cells wrap along these axes */
    int is_folded;          /* they do along both, and are used again and again */
};

struct cell_list {
    struct cell_list_shape shape;
    uint32_t first[2];      /* the first column, and row, with no neighbour across a seam; */
    uint32_t inner[2];      /* how many such columns, and rows, there are */
    uint32_t stride;        /* from a cell to the one above it: columns + 2 */
    int32_t steps[4][2];    /* to the cell above, below; to the right, left: see crossing_set */
    double *x_borders;      /* left and right of column c: x_borders[c] and [c + 1]; the first */
    double *y_borders;      /* and the last are infinite; bottom and top of rows likewise */
    struct cell *cells;     /* (columns + 2) * (rows + 2) cells row by row, then the overflow */
    size_t most_cells;      /* for how many there is memory, without the overflow */
    uint32_t overflow_end;  /* index after the last cell of the overflow that was ever used */
    uint32_t overflow_free; /* a chain of unused cells of the overflow, or 0 */
    size_t overflow_used;   /* cells of the overflow in use */
};

/* How many members cell_list_gather may write beyond the last valid one. */
enum { CELL_LIST_SLACK = 1, CELL_LIST_NEIGHBOURS = 9 * CELL_LIST_MEMBERS + CELL_LIST_SLACK };

/* Makes a cell list without a shape for up to `most_cells` cells, border included, and up to
 * `members` members wherever they are. Returns STATUS_DONE, or STATUS_NO_MEMORY and what
 * cell_list_free still frees. */
enum status cell_list_create(struct cell_list *cell_list, size_t most_cells, size_t members,
                             struct error *error);

/* Gives the cells a shape, with (columns + 2) * (rows + 2) <= most_cells, and empties them. */
void cell_list_reset(struct cell_list *cell_list, const struct cell_list_shape *shape);

void cell_list_free(struct cell_list *cell_list);

/* Where the cells have a particle at `now`. Absorbed particles, which nothing meets, are spread
 * over the box, so that they do not crowd the cells where walls absorb. */
struct motion cell_list_spread(const struct system *system, const struct particle *p);

static inline struct motion cell_list_place(const struct system *system, const struct particle *p,
                                            double now)
{
    return particle_is_absorbed(p) ? cell_list_spread(system, p)
                                   : motion_at(&system->boundary.gravity, p, now);
}

/* The index of the cell that contains a point; outside of all, of the nearest one. */
uint32_t cell_list_locate(const struct cell_list *cell_list, double x, double y);

static inline uint32_t cell_list_at(const struct cell_list *cell_list, uint32_t column,
                                    uint32_t row)
{
    return (row + 1) * cell_list->stride + column + 1;
}

/* Column and row of a cell, from 0. */
static inline uint32_t cell_list_column(const struct cell_list *cell_list, uint32_t cell)
{
    return cell % cell_list->stride - 1;
}

static inline uint32_t cell_list_row(const struct cell_list *cell_list, uint32_t cell)
{
    return cell / cell_list->stride - 1;
}

/* True if cells around a cell are across a seam. */
static inline int cell_list_wraps_around(const struct cell_list *cell_list, uint32_t cell)
{
    return cell_list->shape.wraps != 0 &&
           ((cell % cell_list->stride - cell_list->first[0] >= cell_list->inner[0]) |
            (cell / cell_list->stride - cell_list->first[1] >= cell_list->inner[1]));
}

/* True if a cell in this column and row is one of the first or last `columns`, or `rows`, at a
 * seam. */
static inline int cell_list_is_at_seam(const struct cell_list_shape *shape, uint32_t column,
                                       uint32_t row, uint32_t columns, uint32_t rows)
{
    return (shape->wraps & PERIODIC_X &&
            (column < columns || column + columns >= shape->columns)) ||
           (shape->wraps & PERIODIC_Y && (row < rows || row + rows >= shape->rows));
}

/* Of a folded list: the cell that `cell` is a copy of, if it is one of the border. */
static inline uint32_t cell_list_wrap(const struct cell_list *cell_list, uint32_t cell)
{
    const struct cell_list_shape *shape = &cell_list->shape;
    return cell_list_at(cell_list, (cell % cell_list->stride + shape->columns - 1) % shape->columns,
                        (cell / cell_list->stride + shape->rows - 1) % shape->rows);
}

/* Of a folded list: the left (or lower) border of the cell in which a coordinate is, but for
 * rounding, and which stands in this column (or row) of `count`. */
static inline double cell_list_folded_border(double coordinate, double begin, double side,
                                             uint32_t column, uint32_t count)
{
    double offset = (coordinate - begin) / side - 0.5 - column;
    return begin + (floor(offset / count + 0.5) * count + column) * side;
}

/* Makes `member`, which is in no cell, a member of `cell`. */
void cell_list_add(struct cell_list *cell_list, uint32_t cell, uint32_t member);

/* Takes `member` out of `cell`, whose member it is. */
void cell_list_remove(struct cell_list *cell_list, uint32_t cell, uint32_t member);

/* Writes all members to `list`, row by row in tiles of 8 x 8 cells, so that members of neighbouring
 * cells are close together. Returns how many there are. */
size_t cell_list_order(const struct cell_list *cell_list, uint32_t *list);

/* True if a cell of this state, or one of several, combined by "or", has more members in a chain.
 */
static inline int cell_list_overflows(uint32_t state)
{
    return state > 3;
}

/* Appends the members of a cell to `list`, which has `*count` of them, as far as they stand in the
 * cell itself; it may write CELL_LIST_SLACK entries too many. Returns the cell's state.
 * `has_chains`, best a constant, may be 0 where no cell has a chain (`overflow_used` is 0). */
static inline uint32_t cell_list_gather(const struct cell *cell, int has_chains, uint32_t *list,
                                        size_t *count)
{
    COMPILER_COPY(list + *count, cell, sizeof *cell);
    *count += has_chains ? cell->state & 3 : cell->state;
    return cell->state;
}

/* cell_list_gather where cells may have chains; the entries get the bits of `code`. */
static inline uint32_t cell_list_gather_images(const struct cell *cell, uint32_t code,
                                               uint32_t *list, size_t *count)
{
    typedef uint32_t entries __attribute__((vector_size(sizeof *cell)));
    entries members;
    COMPILER_COPY(&members, cell, sizeof members);
    members |= code;
    COMPILER_COPY(list + *count, &members, sizeof members);
    *count += cell->state & 3;
    return cell->state;
}

/* cell_list_gather without `member`, which is in the cell; but of a cell with a chain, with it. */
static inline uint32_t cell_list_gather_others(const struct cell *cell, int has_chains,
                                               uint32_t member, uint32_t *list, size_t *count)
{
    if (has_chains && cell_list_overflows(cell->state))
        return cell_list_gather(cell, has_chains, list, count);
    size_t members = cell->state;
    uint32_t last = cell->members[members - 1];
    list[*count] = cell->members[0] == member ? last : cell->members[0];
    list[*count + 1] = cell->members[1] == member ? last : cell->members[1];
    *count += members - 1;
    return cell->state;
}

/* Gathers those in 3 cells, `apart` from each other. Returns their states. */
COMPILER_INLINE uint32_t cell_list_gather_line(const struct cell *cell, ptrdiff_t apart,
                                               int has_chains, uint32_t *list, size_t *count)
{
    uint32_t states = cell_list_gather(cell, has_chains, list, count);
    states |= cell_list_gather(cell + apart, has_chains, list, count);
    return states | cell_list_gather(cell + 2 * apart, has_chains, list, count);
}

/* Gathers those in the cell of particle k, without it, and in the 8 around that, from `first`, at
 * its lower left. Returns their states. Written out and without branches: with loops over the cells
 * and their members a run of 10^4 disks takes 1.4 times as long. */
COMPILER_INLINE uint32_t cell_list_gather_nine(const struct cell_list *cell_list, uint32_t first,
                                               int has_chains, uint32_t k, uint32_t *list,
                                               size_t *count)
{
    const struct cell *row = &cell_list->cells[first];
    uint32_t states = cell_list_gather_line(row, 1, has_chains, list, count);
    row += cell_list->stride;
    states |= cell_list_gather(row, has_chains, list, count);
    states |= cell_list_gather_others(row + 1, has_chains, k, list, count);
    states |= cell_list_gather(row + 2, has_chains, list, count);
    return states | cell_list_gather_line(row + cell_list->stride, 1, has_chains, list, count);
}

/* The same around a cell. Returns 0 where no cell at all has a chain. */
COMPILER_INLINE uint32_t cell_list_gather_around(const struct cell_list *cell_list, uint32_t cell,
                                                 uint32_t k, uint32_t *list, size_t *count)
{
    const uint32_t first = cell - cell_list->stride - 1;
    if (cell_list->overflow_used > 0)
        return cell_list_gather_nine(cell_list, first, 1, k, list, count);
    cell_list_gather_nine(cell_list, first, 0, k, list, count);
    return 0;
}

/* How much wider cells must be than the distance of a contact, for positions and times are rounded:
 * a few units in the last place of the longest lengths that enter into a position, a side of the
 * box and the path of the fastest particle since time 0. As that grows, cells are later chosen
 * anew. */
struct cell_list_margin {
    double length;
    double until;   /* it is enough up to this time, after `now`; INFINITY if nothing moves */
    double contact; /* how far apart such particles touch by then, if they grow */
};

/* The margin from time `now` on, for cells of particles that touch `contact` apart at time 0, or
 * farther. The threads of `pool` help. */
struct cell_list_margin cell_list_find_margin(const struct system *system, double contact,
                                              double now, struct thread_pool *pool);

/* The least side of a cell such that two particles whose centres are up to `contact` apart are
 * neighbours: that length, a thousandth of it, and the `length` of a margin. */
double cell_list_least_side(double contact, double margin);

/* How many cells, border included, cell_list_choose_shape uses at most for `count` particles. */
size_t cell_list_most_cells(size_t count);

/* How many cells a particle there should be where only this part of the box is free: not covered by
 * disks that are too large for the cells. */
double cell_list_cells_each(double free_part);

/* Chooses the cells for where the particles are at time `now`, which is not before any anchor:
 * about as many as cell_list_cells_each says, over the part of the box where most of them are, and
 * over the whole of it along a periodic axis; and none with a side shorter than `least`, a
 * cell_list_least_side, unless it is as long as a periodic side of the box. */
void cell_list_choose_shape(const struct system *system, double least, double now,
                            struct cell_list_shape *shape);

/* Makes the sides of the cells shorter by a factor `part`, but not shorter than `least`, and folds
 * the list so that there are still as many; along a periodic axis a whole number of times. Returns
 * 0 if they are that short already, or if there are too few to be folded. */
int cell_list_refine(const struct boundary *boundary, struct cell_list_shape *shape, double part,
                     double least);

/* How many of the `count` members there are in the cell of a member, itself included, on average:
 * two where they are spread at random, one a cell. */
double cell_list_crowding(const struct cell_list *cell_list, size_t count);

/* Moves particle order[k], with its counts, to k, for all k; overwrites `order`. */
void cell_list_permute(struct system *system, uint32_t *order);

#endif
