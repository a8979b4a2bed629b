/*
 * Means over a run with their standard errors: sums are kept apart for ten blocks of equal time,
 * and the scatter of the blocks gives the error of the whole (H. Flyvbjerg and H. Petersen, Error
 * estimates on averages of correlated data, J. Chem. Phys. 91, 1989, on why in blocks).
 */
#ifndef PARTICLES_BLOCK_SUMS_H
#define PARTICLES_BLOCK_SUMS_H

#include "io/record.h"

#include <stddef.h>

enum { SUM_BLOCKS = 10, SUM_BLOCKS_LEAST = 5 };

/* A table of sums for each block; {0} is none. Whole numbers in it are exact up to 2^53. */
struct block_sums {
    size_t size;  /* of a table */
    double *sums; /* SUM_BLOCKS * size, owned */
};

/* A mean and its standard error; not finite where the run does not determine it. */
struct estimate {
    double value, error;
};

/* Makes tables of 0. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status block_sums_create(struct block_sums *blocks, size_t size, struct error *error);

/* The block of a time that is not before `from`, of the time `from` to `to`. */
static inline int block_sums_find(double from, double to, double time)
{
    const double part = (time - from) / (to - from);
    return part < 1 ? (int)(part * SUM_BLOCKS)
                    : SUM_BLOCKS - 1; /* also where there is no duration */
}
void block_sums_free(struct block_sums *blocks);

/* The table of a block, from 0 to SUM_BLOCKS - 1. */
static inline double *block_sums_table(const struct block_sums *blocks, int block)
{
    return blocks->sums + (size_t)block * blocks->size;
}

/* The sum at one place of the tables of all blocks. */
double block_sums_total(const struct block_sums *blocks, size_t place);

/*
 * The value of the whole run, and the standard error of the mean of `parts`, the values of the
 * blocks, of which those that are not finite do not count; no error if less than SUM_BLOCKS_LEAST
 * do.
 */
struct estimate block_estimate(double whole, const double parts[SUM_BLOCKS]);

/* The sum at one place divided by that at another, times a factor. */
struct estimate block_sums_ratio(const struct block_sums *blocks, size_t place, size_t divisor,
                                 double factor);

/* Saves what is not 0, in a line a block; and loads it into tables of 0. */
void block_sums_save(const struct block_sums *blocks, struct record_writer *writer);
void block_sums_load(struct block_sums *blocks, struct record_reader *reader);

#endif
