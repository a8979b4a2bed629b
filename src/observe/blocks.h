/*
 * Standard errors of averages over time, from one run. Its time is cut into blocks of equal length;
 * the scatter of the blocks' means shows how far the mean of all may be off, if blocks are so long
 * that one hardly depends on the next. So neighbouring blocks are joined in pairs, again and again
 * (H. Flyvbjerg and H. Petersen, Error estimates on averages of correlated data, J. Chem. Phys. 91,
 * 1989): the error that they show grows until they are long enough, and then only its own noise
 * does. See blocks_error for where that is.
 *
 * The blocks are known beforehand, because END_TIME is: memory does not depend on the run.
 */
#ifndef PARTICLES_BLOCKS_H
#define PARTICLES_BLOCKS_H

#include "io/record.h"
#include "tally.h"

enum { BLOCKS = 1024 }; /* a power of 2 */

/* What happens in a block. */
struct block {
    double pairs;  /* collisions of two particles */
    double virial; /* the sum of d.J */
    double action; /* thermal energy times time */
};

/* Sums of a tally where a block ends. */
struct mark {
    double pairs, virial, energy_gained, energy_moment;
};

struct blocks {
    double from, to;           /* the time of all blocks together */
    double energy;             /* thermal, at the beginning */
    size_t complete;           /* how many blocks are */
    double end;                /* of the block after these */
    struct mark marks[BLOCKS]; /* the ends of the complete ones */
};

/* Begins blocks of the time `from` to `to`; the thermal energy is `energy` at the beginning. */
void blocks_begin(struct blocks *blocks, double from, double to, double energy);

/* Marks the end of a block. `tally` has begun with the blocks, and has what is up to that end. */
void blocks_mark(struct blocks *blocks, const struct tally *tally);

/* A collision at `time` is to be added to the tally: marks the ends of blocks before it. */
static inline void blocks_reach(struct blocks *blocks, const struct tally *tally, double time)
{
    while (time > blocks->end)
        blocks_mark(blocks, tally);
}

/* The run has reached its end: completes the blocks. */
void blocks_complete(struct blocks *blocks, const struct tally *tally);

/* The mean block, of a run that is complete. */
struct block blocks_mean(const struct blocks *blocks);

/*
 * The standard error of the mean over all blocks of weights.pairs * pairs + weights.virial * virial
 * and so on; 0 if all blocks are the same. NAN if the blocks do not tell: if even an eighth of the
 * run is not long against the correlation time, or shorter than `least` blocks; if there is a trend
 * from the first block to the last; or if `least` or a weight is not finite.
 */
double blocks_error(const struct blocks *blocks, const struct block *weights, double least);

/* Writes blocks into a checkpoint; and reads them, of the time `from` to `to`. */
void blocks_save(const struct blocks *blocks, struct record_writer *writer);
void blocks_load(struct blocks *blocks, double from, double to, struct record_reader *reader);

#endif
