/*
 * The few particles that are much larger than the others, and which cells each of them reaches.
 *
 * Cells wide enough for the largest disk would hold very many of the smallest. So particles beyond
 * a certain radius, the giants, are no members of cells; instead each stands on the lists of all
 * cells, its block, from which another particle could touch it. A particle that is not a giant
 * finds all giants that it can meet on the list of its own cell, and a giant finds all that it can
 * meet in the cells of its block: their members, and the giants on their lists.
 */
#ifndef PARTICLES_GIANTS_H
#define PARTICLES_GIANTS_H

#include "error.h"
#include "grid.h"
#include "system.h"

/* A giant on the list of a cell. */
struct giants_link {
    uint32_t giant; /* its index in the system */
    uint32_t next;  /* 1 + index of the next link of the cell, or of the unused ones; or 0 */
};

/* How far the block of a giant reaches from its own cell. */
struct giants_reach {
    uint32_t columns, rows;
};

struct giants {
    double largest;    /* radius of the largest particle that is no giant, length */
    double side;       /* cells must not be shorter than this, length */
    size_t count;      /* how many giants there are */
    uint32_t *first;   /* for each cell 1 + index of its first link, or 0 */
    size_t most_cells; /* for how many cells there is memory */
    struct giants_link *links;
    size_t most_links;
    uint32_t unused;              /* the first of the unused links, as in `first` */
    struct giants_reach *reaches; /* for each kind */
};

/* The cells of a block, outer ones included. */
struct giants_block {
    uint32_t left, right; /* columns */
    uint32_t bottom, top; /* rows */
};

/*
 * Chooses who is a giant, so that a run will cost least, and makes empty lists for up to
 * `most_cells` cells. Where there are no giants, as in a system without kinds, that takes no
 * memory. Returns STATUS_DONE, or STATUS_NO_MEMORY and what giants_free still frees.
 */
enum status giants_create(struct giants *giants, const struct system *system, size_t most_cells,
                          struct error *error);

void giants_free(struct giants *giants);

static inline int giants_has(const struct giants *giants, double radius)
{
    return radius > giants->largest;
}

/* Empties all lists, for a grid that has a new shape at time `now`. */
void giants_reset(struct giants *giants, const struct system *system, const struct grid *grid,
                  double now);

/* The block of a giant of this kind in `cell`: what of it is in the grid. */
struct giants_block giants_block(const struct giants *giants, const struct grid *grid,
                                 uint32_t kind, uint32_t cell);

/*
 * How many columns, from that of its own cell on to either side and that one included, a giant
 * covers in a row of cells, wherever in its cell it is: no other centre can be there.
 */
uint32_t giants_covered(const struct grid *grid, uint32_t cell, double radius, uint32_t row);

/* Puts a giant on the lists of all cells of a block; and takes it off. */
void giants_add(struct giants *giants, const struct grid *grid, const struct giants_block *block,
                uint32_t giant);
void giants_remove(struct giants *giants, const struct grid *grid, const struct giants_block *block,
                   uint32_t giant);

/* The first link of a cell, and the one after a link; NULL if there is none. */
static inline const struct giants_link *giants_at(const struct giants *giants, uint32_t cell)
{
    return giants->first[cell] > 0 ? &giants->links[giants->first[cell] - 1] : NULL;
}

static inline const struct giants_link *giants_next(const struct giants *giants,
                                                    const struct giants_link *link)
{
    return link->next > 0 ? &giants->links[link->next - 1] : NULL;
}

#endif
