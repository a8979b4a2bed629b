/*
 * The few disks that are much larger than the others: their choice, the cells that each of them
 * reaches, and their predictions.
 *
 * Cells as wide as the largest disk would hold very many of the smallest. So the disks beyond a
 * certain radius, the large disks, are no members of cells. Each of them has a block of cells:
 * those from which a small disk could touch it. In a second list of the same cells it is a member
 * of all cells of its block: there a small disk finds the large ones that it can meet. A large disk
 * finds in its block the small ones, and the large ones in a third list, of cells as wide as these.
 */
#ifndef PARTICLES_LARGE_DISKS_H
#define PARTICLES_LARGE_DISKS_H

#include "base/error.h"
#include "cell_list.h"
#include "lanes.h"
#include "model/system.h"
#include "prediction.h"

/* A row of a block: how many columns it reaches from the column of the disk's own cell, and how
 * many of these, its own included, the disk covers wherever in its cell it is: no other centre can
 * be there. */
struct large_disks_row {
    uint32_t reach, covered;
};

/* The block of the large disks of one kind. */
struct large_disks_block {
    uint32_t first; /* index of the row of the disk's own cell; the next ones are those on both
                       sides of it, */
    uint32_t rows;  /* the number of rows on either side */
};

/* Columns or rows, from the first to the last. Where the cells wrap, they may be beyond the edges:
 * what is there stands at the opposite edge. */
struct large_disks_span {
    int32_t first, last;
};

/*
 * What a large disk has found in the cells of its block, and what has come there since: so it need
 * not look there again before it has another block, or has found too much that has gone since.
 */
enum { LARGE_DISKS_KNOWN = 94 };

struct large_disks_list {
    uint32_t count; /* how many entries, as in prediction.h; or UINT32_MAX: not known */
    uint32_t limit; /* with more of them, it is better to look again */
    uint32_t members[LARGE_DISKS_KNOWN];
};

struct large_disks {
    const struct system *system;       /* not owned, */
    const struct cell_list *cell_list; /* nor is this: the list of the last reset; */
    struct prediction *predictions;    /* nor are these, of all particles */
    double largest;                    /* radius of the largest small disk, length */
    double side;                       /* cells must not be shorter than this, length */
    double margin;                     /* of the cells, for rounding, length */
    size_t count;                      /* how many large disks there are */
    size_t most_cells, most_members;   /* for how many cells, and members, there is memory */
    struct cell_list nearby;           /* each large disk is a member of all cells of its block */
    struct cell_list coarse;           /* large disks, in cells that consist of */
    uint32_t columns_each, rows_each;  /* this number of the others, */
    struct large_disks_block *blocks;  /* for each kind */
    struct large_disks_row *rows;      /* the rows of all blocks */
    uint32_t seam_columns, seam_rows;  /* nearer to seams there may be images across them */
    struct large_disks_list *lists;    /* for each large disk */
    size_t most_count;                 /* for how many of these there is memory */
};

/*
 * Chooses the radius from which on disks are large, so that a run will cost least, and makes empty
 * lists for up to `most_cells` cells. Where there are no large disks, as in a system without kinds
 * or of disks that grow, that takes no memory. Returns STATUS_DONE, or STATUS_NO_MEMORY and what
 * large_disks_free still frees.
 */
enum status large_disks_create(struct large_disks *large_disks, const struct system *system,
                               size_t most_cells, struct error *error);

/* Makes room for the lists of up to `cells` cells, and for the blocks of all large disks that the
 * system has now; the next reset empties them. Returns STATUS_DONE or STATUS_NO_MEMORY. */
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

/* The rows of the block of large disk k in `cell`, and its columns in a row. */
struct large_disks_span large_disks_rows(const struct large_disks *large_disks, uint32_t k,
                                         uint32_t cell);
struct large_disks_span large_disks_columns(const struct large_disks *large_disks, uint32_t k,
                                            uint32_t cell, int32_t row);

/* Moves large disk k on the lists from one cell to another, not past a seam. Either may be 0: it is
 * put on the lists, or taken from them. */
void large_disks_move(struct large_disks *large_disks, uint32_t k, uint32_t from, uint32_t to);

/* Small disk k has gone from one cell to another: puts it on the lists of the large disks into
 * whose blocks it has come, and these, or their images, on `list` if that is not NULL. */
void large_disks_enter(const struct large_disks *large_disks, uint32_t k, uint32_t from,
                       uint32_t to, struct lanes_list *list);

/* Appends to a list of a large disk that has just begun all that may be its neighbours. */
void large_disks_gather(const struct large_disks *large_disks, struct lanes_list *list);

#endif
