/*
 * The distributions of speeds, and of free paths between collisions of two particles; and what they
 * are in a gas in equilibrium.
 */
#ifndef PARTICLES_KINETICS_H
#define PARTICLES_KINETICS_H

#include "classes.h"
#include "histogram.h"
#include "run/observer.h"

/* What is to be followed, and when. */
struct kinetics_request {
    const struct classes *classes; /* not owned */
    size_t most;                   /* particles to look at: see kinetics_create */
    double from, to;               /* the time that counts, in blocks (block_sums.h) */
    int is_sampled; /* it is told of collisions only late. So paths begin at any last collision,
                       also with a wall, and at the seam of a stream; and all that are looked at
                       have their paths followed */
};

struct kinetics {
    struct kinetics_request request;
    unsigned shift;       /* of all particles each one whose number is a multiple of
                             2^shift is looked at; the rest is of these only */
    unsigned path_shift;  /* and each multiple of 2^path_shift has its paths followed */
    size_t count;         /* of particles that are looked at */
    size_t kind_count;    /* at least 1 */
    double *kind_members; /* how many particles are of each kind; owned */
    double *flown;        /* by each particle since its last collision with another
                             one that counts, length; -1 if there was none, or a
                             stream has given it a velocity since; owned */
    struct histogram speeds[GROUPS_MOST]; /* see classes.h */
    struct histogram paths[GROUPS_MOST];
    struct block_sums sums; /* m c^2 / 2 and how many; then for each group the length
                           of paths, and how many */
};

/*
 * Prepares to look at all particles and to follow their paths. If they are more than the most of
 * the request, it looks at as many as that at most, and half as many at least, and follows an
 * eighth of these: of a million particles, few collisions then wait for the memory. Returns
 * STATUS_DONE or STATUS_NO_MEMORY; in any case kinetics_free frees it.
 */
enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct kinetics_request *request, struct error *error);
void kinetics_free(struct kinetics *kinetics);

/* Counts the speeds of the particles, at a time that counts. */
void kinetics_look(struct kinetics *kinetics, const struct snapshot *snapshot);

/* Counts the paths that a collision ends, if they began at one that counts, too. Collisions before
 * the time that counts do not, and walls do not end paths. */
void kinetics_collide(struct kinetics *kinetics, const struct collision *collision);

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
