/*
 * Sums over the collisions of two particles in a block of time, whose bits do not depend on the
 * order in which these are added: so threads add up parts of them.
 *
 * Terms are cut into three parts: multiples of a unit, of 2^-40 and of 2^-80 units, and sums of
 * each part are exact. The unit is the power of 2^40 that the largest term asks for. If it grows, a
 * sum of the smallest parts is left out: the sum of the others is what it would have been with this
 * unit from the beginning (J. Demmel and H. Nguyen, Parallel reproducible summation, IEEE Trans.
 * Computers 64, 2015). So sums are exact to 2^-79 of the largest term, for each one.
 */
#ifndef PARTICLES_IMPACT_SUMS_H
#define PARTICLES_IMPACT_SUMS_H

#include "base/elementary.h"
#include "model/event.h"
#include "model/particle.h"

enum {
    BLOCKS = 1024,    /* of the time in which collisions count; a power of 2 */
    MAX_IMPACTS = 32, /* that are added up at once */
    IMPACT_PARTS = 3
};

/* With the vector d from a to b, the momentum p that b gains, less what a gains, and the masses m
 * and velocities (u, v) relative to the drift. */
enum impact_sum {
    IMPACT_XX,      /* dx px */
    IMPACT_YY,      /* dy py */
    IMPACT_XY,      /* dx py */
    IMPACT_YX,      /* dy px */
    IMPACT_CHANGES, /* of the sums of m u u, m v v, 2 m u v and the speed, in this order; */
    IMPACT_MOMENTS = IMPACT_CHANGES + 4, /* and these times the time since the block began */
    IMPACT_FOURTH = IMPACT_MOMENTS + 4,  /* change of the sum of (m c c)^2, */
    IMPACT_FIRST,                        /* of m c c of the particle of the lower class, */
    /* and the moments of these two */
    IMPACT_SUMS = IMPACT_FOURTH + 4
};

/* What sums are relative to: the time of all blocks, and the drift. Each pair of several classes
 * has sums of its own, one after another in the order of class_pair. */
struct impact_frame {
    int is_counting; /* or nothing is to be added as yet */
    double from, to, drift_u, drift_v;
    const uint8_t *classes; /* of each particle by its number; not owned; NULL: all are alike, */
    size_t more_pairs;      /* and there are no pairs of classes beside the first one */
    struct impact_sums *blocks; /* of all pairs for each block: see impact_series_give; not owned */
    uint64_t last;              /* the last block that has got sums */
};

/* Of one pair of classes; {.block = k} is empty. */
struct impact_sums {
    uint64_t block, pairs; /* which it is, known of the first pair; and how many collisions */
    double units[IMPACT_SUMS];
    struct sum parts[IMPACT_PARTS][IMPACT_SUMS];
};

/* When block k ends: the last one at `to` to the last bit, not at a sum. */
static inline double block_end(double from, double to, uint64_t k)
{
    return k + 1 < BLOCKS ? from + (to - from) / BLOCKS * (double)(k + 1) : to;
}

static inline double block_begin(double from, double to, uint64_t k)
{
    return k > 0 ? block_end(from, to, k - 1) : from;
}

/* Of sums since the beginning, at the ends of `complete` blocks and after a part of the next one,
 * more than 0: finds those at the ends of BLOCKS equal parts of that time, as if sums grew evenly
 * in a block. The last one stays. */
void block_marks_stretch(double marks[BLOCKS], size_t complete, double part);

/* Takes the first of these collisions, which is in the block, and those after it up to the end of
 * the block, up to MAX_IMPACTS of two particles: adds these to the sums of their pairs, and leaves
 * out collisions with the boundary. Returns how many it has taken. */
size_t impact_sums_add(struct impact_sums *sums, const struct impact_frame *frame,
                       const struct collision *list, size_t count);

/* Adds sums of the same block: of the same pair of classes, or of another one for sums over all. */
void impact_sums_join(struct impact_sums *sums, const struct impact_sums *others);

double impact_sums_value(const struct impact_sums *sums, int k);

/* The unit that a term asks for; of a unit, as from a checkpoint, itself. */
double impact_sums_unit(double term);

/* Sums of some blocks, in their order, and collisions that wait to be added; {0} has none. */
struct impact_series {
    struct impact_sums *list; /* of all pairs for each block; owned */
    size_t count, capacity;
    size_t waiting_count;
    struct collision waiting[MAX_IMPACTS];
};

/* Adds the collisions that wait. Returns 0 if there is no memory. */
int impact_series_add_up(struct impact_series *series, const struct impact_frame *frame);

/* Adds the sums to those of the frame. */
void impact_series_give(const struct impact_series *series, struct impact_frame *frame);

/* Returns where to describe the next collision, not earlier than others; NULL: no memory. */
static inline struct collision *impact_series_next(struct impact_series *series,
                                                   const struct impact_frame *frame)
{
    if (series->waiting_count == MAX_IMPACTS && !impact_series_add_up(series, frame))
        return NULL;
    return &series->waiting[series->waiting_count++];
}

#endif
