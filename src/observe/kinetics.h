/*
 * The distributions of speeds, and of free paths between collisions of two particles; and what they
 * are in a gas in equilibrium.
 */
#ifndef PARTICLES_KINETICS_H
#define PARTICLES_KINETICS_H

#include "classes.h"
#include "histogram.h"
#include "run/observer.h"

struct kinetics {
    const struct classes *classes;        /* not owned */
    unsigned shift;                       /* of all particles each one whose number is a multiple of
                                             2^shift is followed; the rest is of these only */
    size_t count;                         /* of particles that are */
    size_t kind_count;                    /* at least 1 */
    double *kind_members;                 /* how many particles are of each kind; owned */
    double *flown;                        /* by each particle since its last collision with another
                                             one that counts, length; -1 if there was none, or a
                                             stream has given it a velocity since; owned */
    struct histogram speeds[GROUPS_MOST]; /* see classes.h */
    struct histogram paths[GROUPS_MOST];
    struct block_sums sums; /* m c^2 / 2 and how many; then for each group the length
                           of paths, and how many */
};

/*
 * Prepares to follow all particles or, if these are more than `most`, as many as that at most, and
 * half as many at least. A sample of 65 536 fits into a processor's cache, so that each collision
 * of a million particles does not wait for the memory. Returns STATUS_DONE or STATUS_NO_MEMORY; in
 * any case kinetics_free frees it.
 */
enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct classes *classes, size_t most, struct error *error);
void kinetics_free(struct kinetics *kinetics);

/* Counts the speeds of the particles, in a block. */
void kinetics_look(struct kinetics *kinetics, const struct snapshot *snapshot, int block);

/* Counts the paths that a collision ends, if they began at one that has been told of, too. Walls do
 * not end them. */
void kinetics_collide(struct kinetics *kinetics, const struct collision *collision, int block);

/* Forgets the path of a particle that a stream has given another velocity: it ends without having
 * come to a collision. */
void kinetics_forget(struct kinetics *kinetics, int32_t number);

/* Maxwell's distribution at the mean temperature: its mean in a bin of the speeds of a group. */
double kinetics_maxwell(const struct kinetics *kinetics, const struct system *system, size_t group,
                        size_t bin);

/* The exponential distribution with the mean free path: its mean in a bin of the paths. */
double kinetics_exponential(const struct kinetics *kinetics, size_t group, size_t bin);

void kinetics_save(const struct kinetics *kinetics, struct record_writer *writer);
void kinetics_load(struct kinetics *kinetics, struct record_reader *reader);

#endif
