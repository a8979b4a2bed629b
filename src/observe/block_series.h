/*
 * Standard errors of averages over time, from one run. Its time is cut into blocks of equal length;
 * the scatter of the blocks' means shows how far the mean of all may be off, if blocks are so long
 * that one hardly depends on the next. So neighbouring blocks are joined in pairs, again and again
 * (H. Flyvbjerg and H. Petersen, Error estimates on averages of correlated data, J. Chem. Phys. 91,
 * 1989): the error that they show grows until they are long enough, and then only its own noise
 * does. See block_series_error for where that is.
 *
 * The blocks are known beforehand, because END_TIME is: memory does not depend on the run.
 */
#ifndef PARTICLES_BLOCK_SERIES_H
#define PARTICLES_BLOCK_SERIES_H

#include <stddef.h>

enum { BLOCKS = 1024 }; /* a power of 2 */

/* The blocks of a run, and how many have passed. */
struct block_times {
    double from, to; /* the time of all blocks together */
    size_t complete; /* how many blocks are */
    double end;      /* of the block after these */
};

/* Of the time `from` to `to`, the first `complete` blocks, less than BLOCKS, have passed. */
void block_times_begin(struct block_times *times, double from, double to, size_t complete);

/* One more block is complete. */
void block_times_advance(struct block_times *times);

/* When block k ends, since the first one began. */
double block_times_length(const struct block_times *times, size_t k);

/* A quantity that each of the blocks has: `value` gives that of block k of `of`, from 0. */
struct block_series {
    double (*value)(const void *of, size_t k);
    const void *of; /* not owned */
};

/* The mean over all blocks. */
double block_series_mean(const struct block_series *series);

/*
 * The standard error of that mean; 0 if all blocks are the same. NAN if the blocks do not tell: if
 * even an eighth of the run is not long against the correlation time, or shorter than `least`
 * blocks; if there is a trend from the first block to the last; or if `least` or a value is not
 * finite.
 */
double block_series_error(const struct block_series *series, double least);

#endif
