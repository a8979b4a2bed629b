/*
 * What a run adds up to: how often particles collide, how far and how long they fly in between,
 * and what momentum goes where. The raw sums only; what they mean is told in statistics.c.
 */
#ifndef PARTICLES_TALLY_H
#define PARTICLES_TALLY_H

#include "base/sum.h"
#include "run/observer.h"

/* What the particles have together at one moment, in the user's units. */
struct motion {
    double energy;     /* kinetic: sum of m (u^2 + v^2) / 2 */
    double momentum_x; /* sum of m u */
    double momentum_y; /* sum of m v */
    double impetus;    /* sum of m |velocity|: what momentum is to be compared with */
};

/* The distribution of speeds c = |velocity| at one moment: means over all particles. */
struct speeds {
    double mean;      /* of c */
    double square;    /* of c^2 */
    double reduced;   /* of sqrt(m) c, */
    double reduced_2; /* of its square m c^2 */
    double reduced_4; /* and of m^2 c^4: with these, unequal masses can be compared */
};

enum { TALLY_WALLS = 4 };

struct tally {
    uint64_t pairs;               /* collisions of two particles */
    uint64_t walls[TALLY_WALLS];  /* collisions with the wall of code -1 - index */
    struct sum push[TALLY_WALLS]; /* momentum given to each wall, outwards */
    struct sum gained[2];         /* x and y of the momentum that all walls together have gained */
    struct sum virial;            /* sum of d.J over all collisions of two: see tally_collide */
    struct sum path;              /* of all particles: length of the way flown */
    struct sum action;            /* of all particles: kinetic energy times time */
    struct motion start, end;
    struct speeds speeds; /* at the end */
};

/* Empties a tally, and notes how the particles move at the start. */
void tally_begin(struct tally *tally, const struct snapshot *snapshot);

/*
 * Adds a collision, and the flights that it ends. For two particles, d goes from the centre of a
 * to that of b as they touch, and J is the momentum that b gains and a loses. The swap of unequal
 * masses does not conserve momentum: J is then the mean of what b gains and what a loses, which
 * makes d.J the virial about the point midway between them.
 */
void tally_collide(struct tally *tally, const struct collision *collision);

/* Adds the flights from the last collisions to the snapshot, and notes how the particles move. */
void tally_end(struct tally *tally, const struct snapshot *snapshot);

/* How the particles move at one time. */
struct motion tally_motion(const struct snapshot *snapshot);
struct speeds tally_speeds(const struct snapshot *snapshot);

#endif
