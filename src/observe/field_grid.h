/*
 * A grid of cells over the box, and what particles do in each: for how long they are there, with
 * what mass, momentum and energy. A part of the fields.
 */
#ifndef PARTICLES_FIELD_GRID_H
#define PARTICLES_FIELD_GRID_H

#include "base/error.h"
#include "base/sum.h"
#include "io/record.h"
#include "model/boundary.h"

/* What is summed up in a cell, over all pieces of paths in it, each of which takes a time dt. */
enum field_sum {
    FIELD_TIME,       /* dt */
    FIELD_MASS,       /* m dt */
    FIELD_MOMENTUM_X, /* m u dt */
    FIELD_MOMENTUM_Y, /* m v dt */
    FIELD_ENERGY,     /* m (u^2 + v^2) / 2 dt */
    FIELD_PATH_SUMS,
    FIELD_VIRIAL = FIELD_PATH_SUMS, /* over collisions of two that touch there: their virial */
    FIELD_SUMS
};

/* The sums of a cell, as in struct sum, but so that compilers can add to several at once. */
struct field_cell {
    double rounded[FIELD_SUMS], rest[FIELD_SUMS];
    uint64_t visits; /* how often a centre has come in, or was there at first */
    uint64_t pieces; /* how many pieces of paths there are, each with one velocity */
};

struct field_grid {
    const struct boundary *boundary; /* of the run; not owned */
    size_t columns, rows;            /* 1 or more */
    double per_x, per_y;             /* cells per length */
    struct field_cell *cells;        /* row by row from the bottom, from the left; owned */
    size_t species;                  /* how many are told apart; if there are several: */
    struct sum *times;               /* of each cell the time for each of them; owned */
};

/*
 * Makes a grid of empty cells over a box, which is to outlive it; to be freed by field_grid_free,
 * for which it may also be {0}. Returns STATUS_DONE or STATUS_NO_MEMORY. field_grid_clear makes the
 * cells empty again.
 */
enum status field_grid_create(struct field_grid *grid, const struct boundary *boundary,
                              size_t columns, size_t rows, size_t species, struct error *error);
void field_grid_clear(struct field_grid *grid);
void field_grid_free(struct field_grid *grid);

/* A straight path of a centre, given by its end; it may have passed seams on its way. */
struct field_path {
    double x, y;     /* where it ends, length: in the box, or out of it by rounding */
    double u, v;     /* the velocity, length per time */
    double duration; /* from its beginning to its end, time */
    double mass;     /* of the particle */
    int is_first;    /* nothing has been added of where the particle was before */
    size_t species;  /* of the particle, less than those of the grid */
};

/* Adds a path; of one that takes no time, nothing. */
void field_grid_add(struct field_grid *grid, const struct field_path *path);

/* Counts a particle at a place, as if it were there for a time of 1; it adds no mass. */
void field_grid_count(struct field_grid *grid, double x, double y);

/* Adds the virial of a collision at a place in the box, or beyond a seam. */
void field_grid_push(struct field_grid *grid, double x, double y, double virial);

/* A centre comes in at a place in the box, whence it goes on with this velocity: one visit more. */
void field_grid_enter(struct field_grid *grid, double x, double y, double u, double v);

/* One of the sums of a cell. */
static inline double field_cell_sum(const struct field_cell *cell, enum field_sum sum)
{
    return cell->rounded[sum] + cell->rest[sum];
}

/* Write all cells into a checkpoint; and read them, into a grid of as many. */
void field_grid_save(const struct field_grid *grid, struct record_writer *writer);
void field_grid_load(struct field_grid *grid, struct record_reader *reader);

#endif
