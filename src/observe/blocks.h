/*
 * What the figures of a run are averages of, in blocks of time, for their standard errors: see
 * block_series.h.
 */
#ifndef PARTICLES_BLOCKS_H
#define PARTICLES_BLOCKS_H

#include "block_series.h"
#include "io/record.h"
#include "observe/tally.h"

/* What happens in a block. */
struct block {
    double pairs;  /* collisions of two particles */
    double virial; /* the sum of d.J */
    double action; /* thermal energy times time */
    double inflow; /* of the stream, as in struct tally */
};

/* Sums of a tally where a block ends. */
struct mark {
    double pairs, virial, energy_gained, energy_moment, inflow;
};

struct blocks {
    struct block_times times;
    double energy;             /* thermal, at the beginning */
    struct mark marks[BLOCKS]; /* the ends of the complete ones */
};

/* Begins blocks of the time `from` to `to`; the thermal energy is `energy` at the beginning. */
void blocks_begin(struct blocks *blocks, double from, double to, double energy);

/* Marks the end of a block. `tally` has begun with the blocks, and has what is up to that end. */
void blocks_mark(struct blocks *blocks, const struct tally *tally);

/* A collision at `time` is to be added to the tally: marks the ends of blocks before it. */
static inline void blocks_reach(struct blocks *blocks, const struct tally *tally, double time)
{
    while (time > blocks->times.end)
        blocks_mark(blocks, tally);
}

/* The run has reached its end: completes the blocks. */
void blocks_complete(struct blocks *blocks, const struct tally *tally);

/* The mean block, of a run that is complete. */
struct block blocks_mean(const struct blocks *blocks);

/*
 * The standard error of the mean over all blocks of weights.pairs * pairs + weights.virial * virial
 * and so on, as by block_series_error; NAN also if a weight is not finite.
 */
double blocks_error(const struct blocks *blocks, const struct block *weights, double least);

/* Writes blocks into a checkpoint; and reads them, of the time `from` to `to`. */
void blocks_save(const struct blocks *blocks, struct record_writer *writer);
void blocks_load(struct blocks *blocks, double from, double to, struct record_reader *reader);

#endif
