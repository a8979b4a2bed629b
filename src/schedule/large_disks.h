/*
 * The few particles that are much larger than the others, and which cells each of them reaches.
 *
 * Cells wide enough for the largest disk would hold very many of the smallest. So particles beyond
 * a certain radius, the giants, are no members of cells; instead each stands on the lists of all
 * cells, its block, from which another particle could touch it. A particle that is not a giant
 * finds all giants that it can meet on the list of its own cell, and a giant finds all that it can
 * meet in the cells of its block: their members, and the giants on their lists.
 */
#ifndef PARTICLES_LARGE_DISKS_H
#define PARTICLES_LARGE_DISKS_H

#include "base/error.h"
#include "cell_list.h"
#include "model/system.h"

/* A giant on the list of a cell. */
struct large_disks_link {
    uint32_t large_disk; /* its index in the system */
    uint32_t next;       /* 1 + index of the next link of the cell, or of the unused ones; or 0 */
};

/* How far the block of a giant reaches from its own cell. */
struct large_disks_reach {
    uint32_t columns, rows;
};

struct large_disks {
    double largest;    /* radius of the largest particle that is no giant, length */
    double side;       /* cells must not be shorter than this, length */
    size_t count;      /* how many giants there are */
    uint32_t *first;   /* for each cell 1 + index of its first link, or 0 */
    size_t most_cells; /* for how many cells there is memory */
    struct large_disks_link *links;
    size_t most_links;
    uint32_t unused;                   /* the first of the unused links, as in `first` */
    struct large_disks_reach *reaches; /* for each kind */
};

/* The cells of a block, outer ones included. */
struct large_disks_block {
    uint32_t left, right; /* columns */
    uint32_t bottom, top; /* rows */
};

/*
 * Chooses who is a giant, so that a run will cost least, and makes empty lists for up to
 * `most_cells` cells. Where there are no giants, as in a system without kinds, that takes no
 * memory. Returns STATUS_DONE, or STATUS_NO_MEMORY and what large_disks_free still frees.
 */
enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error);

void large_disks_free(struct large_disks *large_disks);

static inline int large_disks_has(const struct large_disks *large_disks, double radius)
{
    return radius > large_disks->largest;
}

/* Empties all lists, for a grid that has a new shape at time `now`. */
void large_disks_reset(struct large_disks *large_disks, const struct system *system,
                       const struct cell_list *cell_list, double now);

/* The block of a giant of this kind in `cell`: what of it is in the grid. */
struct large_disks_block large_disks_block(const struct large_disks *large_disks,
                                           const struct cell_list *cell_list, uint32_t kind,
                                           uint32_t cell);

/*
 * How many columns, from that of its own cell on to either side and that one included, a giant
 * covers in a row of cells, wherever in its cell it is: no other centre can be there.
 */
uint32_t large_disks_covered(const struct cell_list *cell_list, uint32_t cell, double radius,
                             uint32_t row);

/* Puts a giant on the lists of all cells of a block; and takes it off. */
void large_disks_add(struct large_disks *large_disks, const struct cell_list *cell_list,
                     const struct large_disks_block *block, uint32_t large_disk);
void large_disks_remove(struct large_disks *large_disks, const struct cell_list *cell_list,
                        const struct large_disks_block *block, uint32_t large_disk);

/* The first link of a cell, and the one after a link; NULL if there is none. */
static inline const struct large_disks_link *large_disks_at(const struct large_disks *large_disks,
                                                            uint32_t cell)
{
    return large_disks->first[cell] > 0 ? &large_disks->links[large_disks->first[cell] - 1] : NULL;
}

static inline const struct large_disks_link *large_disks_next(const struct large_disks *large_disks,
                                                              const struct large_disks_link *link)
{
    return link->next > 0 ? &large_disks->links[link->next - 1] : NULL;
}

#endif
