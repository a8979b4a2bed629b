/*
 * Sums over the collisions of two particles in a block of time, whose bits do not depend on the
 * order in which these are added: so threads add up parts of them.
 *
 * Each term is rounded to a multiple of a unit, and what that leaves, to a multiple of a unit
 * 2^-40 times as large. Multiples of one unit are added without rounding. The unit follows from
 * the largest term: a term that is too large makes it 2^40 times as large, and then what had been
 * rounded to the smaller unit is what it would have been from the beginning (J. Demmel and H.
 * Nguyen, Parallel reproducible summation, IEEE Trans. Computers 64, 2015).
 */
#ifndef PARTICLES_IMPACT_SUMS_H
#define PARTICLES_IMPACT_SUMS_H

#include "base/sum.h"
#include "model/event.h"

#include <stddef.h>

enum {
    BLOCKS = 1024,   /* of the time in which collisions count; a power of 2 */
    MAX_IMPACTS = 32 /* that are added up at once, so as to keep the sums in registers */
};

/* With the vector d from a to b, the momentum p that b gains, less what a gains, and the masses m
 * and velocities (u, v) relative to the drift; +- is after the collision less before it, of both.
 */
enum impact_sum {
    IMPACT_XX,      /* dx px */
    IMPACT_YY,      /* dy py */
    IMPACT_XY,      /* dx py */
    IMPACT_YX,      /* dy px */
    IMPACT_CHANGES, /* in this order: +- m u u, m v v, 2 m u v and the speed; */
    IMPACT_MOMENTS = IMPACT_CHANGES + 4, /* times the time since the block began */
    IMPACT_SUMS = IMPACT_MOMENTS + 4
};

/* No unit is larger: terms that need that are not finite, or hardly. */
#define IMPACT_MAX_UNIT 0x1p939

/* What sums are relative to; {0} as long as nothing counts. */
struct impact_frame {
    int is_counting;
    double from, to; /* the time of all blocks */
    double drift_u, drift_v;
    double units[IMPACT_SUMS]; /* to begin with: about 2^-24 of a typical term, powers of 2 */
};

struct impact_sums {
    uint32_t block;
    uint64_t pairs; /* collisions */
    double units[IMPACT_SUMS];
    struct sum high[IMPACT_SUMS], low[IMPACT_SUMS]; /* multiples of the unit, and of 2^-40 units */
};

/* Typical values for the units; 0 where they are not known. */
struct impact_scale {
    double energy, momentum; /* of a particle */
    double length;           /* between the centres of two that touch */
};

struct impact_frame impact_frame_make(const struct impact_scale *scale, double from, double to);

static inline double block_end(double from, double to, size_t k)
{
    /* The last block ends at `to` to the last bit, not at a sum. */
    return k + 1 < BLOCKS ? from + (to - from) / BLOCKS * (double)(k + 1) : to;
}

static inline double block_begin(double from, double to, size_t k)
{
    return k > 0 ? block_end(from, to, k - 1) : from;
}

static inline double impact_frame_end(const struct impact_frame *frame, size_t block)
{
    return block_end(frame->from, frame->to, block);
}

/* Empty sums of a block. */
void impact_sums_begin(struct impact_sums *sums, const struct impact_frame *frame, size_t block);

/* Adds the first of these collisions, which is in the block, and those after it up to the end of
 * the block, MAX_IMPACTS at most. Returns how many it has added. */
size_t impact_sums_add(struct impact_sums *sums, const struct impact_frame *frame,
                       const struct impact *list, size_t count);

/* Adds sums of the same block. */
void impact_sums_join(struct impact_sums *sums, const struct impact_sums *others);

static inline double impact_sums_value(const struct impact_sums *sums, int k)
{
    return sum_value(&sums->high[k]) + sum_value(&sums->low[k]);
}

#endif
