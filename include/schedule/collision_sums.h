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
#ifndef PARTICLES_COLLISION_SUMS_H
#define PARTICLES_COLLISION_SUMS_H

#include "base/elementary.h"
#include "model/event.h"
#include "model/particle.h"

enum {
    BLOCKS = 1024,         /* of the time in which collisions count; a power of 2 */
    BATCH_COLLISIONS = 32, /* that are added up at once */
    COLLISION_PARTS = 3
};

/* With the vector d from a to b, the momentum p that b gains, less what a gains, and the masses m
 * and velocities (u, v) relative to the drift. */
enum collision_sum {
    COLLISION_XX,      /* dx px */
    COLLISION_YY,      /* dy py */
    COLLISION_XY,      /* dx py */
    COLLISION_YX,      /* dy px */
    COLLISION_CHANGES, /* of the sums of m u u, m v v, 2 m u v and the speed, in this order; */
    COLLISION_MOMENTS = COLLISION_CHANGES + 4, /* and these times the time since the block began */
    COLLISION_FOURTH = COLLISION_MOMENTS + 4,  /* change of the sum of (m c c)^2, */
    COLLISION_FIRST,                           /* of m c c of the particle of the lower class, */
    /* and the moments of these two */
    COLLISION_SUMS = COLLISION_FOURTH + 4
};

/* What sums are relative to: the time of all blocks, and the drift. Each pair of several classes
 * has sums of its own, one after another in the order of class_pair. */
struct collision_basis {
    int is_counting; /* or nothing is to be added as yet */
    double from, to, drift_u, drift_v;
    const uint8_t *classes; /* of each particle by its number; not owned; NULL: all are alike, */
    size_t more_pairs;      /* and there are no pairs of classes beside the first one */
    struct collision_sums
        *blocks;   /* of all pairs for each block: see collision_series_give; not owned */
    uint64_t last; /* the last block that has got sums */
};

/* Of one pair of classes; {.block = k} is empty. */
struct collision_sums {
    uint64_t block, pairs; /* which it is, known of the first pair; and how many collisions */
    double units[COLLISION_SUMS];
    struct sum parts[COLLISION_PARTS][COLLISION_SUMS];
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
 * the block, up to BATCH_COLLISIONS of two particles: adds these to the sums of their pairs, and
 * leaves out collisions with the boundary. Returns how many it has taken. */
size_t collision_sums_add(struct collision_sums *sums, const struct collision_basis *basis,
                          const struct collision *list, size_t count);

/* Adds sums of the same block: of the same pair of classes, or of another one for sums over all. */
void collision_sums_join(struct collision_sums *sums, const struct collision_sums *others);

double collision_sums_value(const struct collision_sums *sums, int k);

/* The unit that a term asks for; of a unit, as from a checkpoint, itself. */
double collision_sums_unit(double term);

/* Sums of some blocks, in their order, and collisions that wait to be added; {0} has none. */
struct collision_series {
    struct collision_sums *list; /* of all pairs for each block; owned */
    size_t count, capacity;
    size_t waiting_count;
    struct collision waiting[BATCH_COLLISIONS];
};

/* Adds the collisions that wait. Returns 0 if there is no memory. */
int collision_series_add_up(struct collision_series *series, const struct collision_basis *basis);

/* Adds the sums to those of the frame. */
void collision_series_give(const struct collision_series *series, struct collision_basis *basis);

/* Returns where to describe the next collision, not earlier than others; NULL: no memory. */
static inline struct collision *collision_series_next(struct collision_series *series,
                                                      const struct collision_basis *basis)
{
    if (series->waiting_count == BATCH_COLLISIONS && !collision_series_add_up(series, basis))
        return NULL;
    return &series->waiting[series->waiting_count++];
}

#endif
