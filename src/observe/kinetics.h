/* The distributions of speeds and of free paths between particles, and those in equilibrium. */
#ifndef PARTICLES_KINETICS_H
#define PARTICLES_KINETICS_H

#include "blocks.h"
#include "run/observer.h"

struct kinetics_request {
    const struct classes *classes; /* not owned */
    size_t most;                   /* particles to sample: see kinetics_create */
    double from, to;               /* the time that counts, in blocks (blocks.h) */
};

struct kinetics {
    struct kinetics_request request;
    const struct system *system; /* of the run; not owned */
    double drift_u, drift_v;     /* to which speeds and paths are relative: see struct motion */
    unsigned shift;              /* multiples of 2^shift are the numbers of the particles that are
                                    sampled; all that follows is of these */
    uint32_t path_mask;          /* 0 in the numbers of those whose paths are followed */
    size_t count;                /* of sampled particles */
    size_t kind_count;           /* at least 1 */
    double *kind_members;        /* how many particles are of each kind; owned */
    double *flown; /* by each particle since its last collision with another one that counts,
                      length; -1 if there was none, or a stream has reinjected it since; owned */
    struct histogram speeds[GROUPS_MAX];
    struct histogram paths[GROUPS_MAX];
    struct block_sums sums; /* m c^2 / 2 and how many; of each group length and number of paths */
};

/* Prepares to sample all particles and to follow their paths. If they are more than the most of the
 * request, it samples at most this number, at least half of it, and follows the paths of an eighth
 * of these. Returns STATUS_DONE or STATUS_NO_MEMORY; in any case kinetics_free frees it. */
enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct kinetics_request *request, struct error *error);
void kinetics_free(struct kinetics *kinetics);

/* Counts the speeds of the particles, at a time that counts. */
void kinetics_sample(struct kinetics *kinetics, const struct snapshot *snapshot);

/* Counts the paths that collisions end, if they began at one that counts, too. Collisions before
 * the time that counts do not, and walls do not end paths; but a path is discarded where a stream
 * gives another velocity. */
void kinetics_collide(struct kinetics *kinetics, const struct collision *list, size_t count);

/* The mean in a bin of the speeds or paths of a group: of Maxwell's distribution at the mean
 * temperature, and of the exponential distribution with the mean free path. */
typedef double kinetics_expected(const struct kinetics *kinetics, size_t group, size_t bin);
kinetics_expected kinetics_maxwell, kinetics_exponential;

void kinetics_record(struct kinetics *kinetics, struct record *record);

#endif
