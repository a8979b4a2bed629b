/*
 * The few disks that are much larger than the others: their choice, the cells that each of them
 * reaches, and their predictions.
 *
 * Cells as wide as the largest disk would hold very many of the smallest. So the disks beyond a
 * certain radius, the large disks, are no members of cells. Each of them has a block of cells:
 * those from which another particle could touch it. It stands on the lists of all cells of its
 * block. A small disk finds the large disks that it can meet on the list of its own cell. A large
 * disk finds all that it can meet in the cells of its block: their members, and the large disks on
 * their lists.
 */
#ifndef PARTICLES_LARGE_DISKS_H
#define PARTICLES_LARGE_DISKS_H

#include "base/error.h"
#include "cell_list.h"
#include "lanes.h"
#include "model/system.h"
#include "prediction.h"

/* A large disk on the list of a cell. */
struct large_disks_link {
    uint32_t large_disk; /* its index in the system */
    uint32_t next;       /* 1 + index of the next link of the cell, or of the unused ones; or 0 */
};

/* How many cells the block of a large disk reaches from its own cell. */
struct large_disks_reach {
    uint32_t columns, rows;
};

struct large_disks {
    const struct system *system;       /* not owned, */
    const struct cell_list *cell_list; /* nor is this: that of the last reset */
    double largest;                    /* radius of the largest small disk, length */
    double side;                       /* cells must not be shorter than this, length */
    double margin;                     /* of the cells, for rounding, length */
    size_t count;                      /* how many large disks there are */
    uint32_t *first;                   /* for each cell 1 + index of its first link, or 0 */
    size_t most_cells;                 /* for how many cells there is memory */
    struct large_disks_link *links;
    size_t most_links;
    uint32_t unused;                   /* the first of the unused links, as in `first` */
    struct large_disks_reach *reaches; /* for each kind */
    struct lanes_search search;        /* how pairs are predicted several at a time */
};

/* The cells of a block, each of them once. Where the cells wrap, it may reach beyond the edges:
 * what is there stands at the opposite edge. */
struct large_disks_block {
    int32_t left, right; /* columns */
    int32_t bottom, top; /* rows */
};

/*
 * Chooses the radius from which on disks are large, so that a run will cost least, and makes empty
 * lists for up to `most_cells` cells. Where there are no large disks, as in a system without kinds,
 * that takes no memory. Returns STATUS_DONE, or STATUS_NO_MEMORY and what large_disks_free still
 * frees.
 */
enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error);

/* Makes room for the lists of up to `cells` cells, and for the blocks of all large disks that the
 * system has now. The lists are empty after the next reset. Returns STATUS_DONE or
 * STATUS_NO_MEMORY. */
enum status large_disks_reserve(struct large_disks *large_disks, size_t cells, struct error *error);

void large_disks_free(struct large_disks *large_disks);

/* True if a disk of this radius is a large one. */
static inline int large_disks_has(const struct large_disks *large_disks, double radius)
{
    return radius > large_disks->largest;
}

/* Empties all lists, for a cell list that has a new shape and this margin, see cell_list.h. */
void large_disks_reset(struct large_disks *large_disks, const struct cell_list *cell_list,
                       double margin);

/* The block of large disk k in `cell`: what of it is in the cell list. */
struct large_disks_block large_disks_block(const struct large_disks *large_disks, uint32_t k,
                                           uint32_t cell);

/* How many columns, from that of its own cell on to either side and that one included, a large disk
 * covers in a row of cells, wherever in its cell it is: no other centre can be there. */
uint32_t large_disks_covered(const struct cell_list *cell_list, uint32_t cell, double radius,
                             uint32_t row);

/* Puts a large disk on the lists of a block's cells. */
void large_disks_add(struct large_disks *large_disks, const struct large_disks_block *block,
                     uint32_t large_disk);

/* Considers the collisions of particle k with the large disks on the list of a cell. */
void large_disks_consider_cell(const struct large_disks *large_disks, uint32_t cell, uint32_t k,
                               struct prediction *prediction);

/* Predicts the next event of large disk k, whose cell `prediction` has. */
void large_disks_predict(const struct large_disks *large_disks, uint32_t k,
                         struct prediction *prediction);

/* Moves large disk k, and its block, to the cell that it enters next; the particles that come into
 * reach there are considered for its prediction. */
void large_disks_cross(struct large_disks *large_disks, uint32_t k, struct prediction *prediction);

/* Moves large disk k, and its block, from one cell to another one. */
void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to);

#endif
