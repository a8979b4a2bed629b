/* What the kinetic theory of gases describes: the distributions of speeds and of free paths between
 * particles, and those in equilibrium; and the coefficients of transport. */
#ifndef PARTICLES_KINETICS_H
#define PARTICLES_KINETICS_H

#include "blocks.h"
#include "correlations.h"
#include "run/observer.h"

struct kinetics {
    const struct classes *classes; /* not owned */
    const struct system *system;   /* of the run; not owned */
    double from, to;               /* the time that counts, in blocks (blocks.h) */
    double drift_u,
        drift_v;          /* to which speeds and paths are relative: see struct snapshot_motion */
    unsigned shift;       /* multiples of 2^shift are the numbers of the particles that are
                             sampled; all that follows is of these */
    uint32_t path_mask;   /* 0 in the numbers of those whose paths are followed */
    size_t count;         /* of sampled particles */
    size_t kind_count;    /* at least 1 */
    double *kind_members; /* how many particles are of each kind; owned */
    double *flown;        /* by each particle since its last collision with another one that counts,
                             length; -1 if there was none, or a stream has reinjected it since; owned */
    struct histogram speeds[GROUPS_MAX];
    struct histogram paths[GROUPS_MAX];
    struct block_sums sums; /* m c^2 / 2 and how many; of each group length and number of paths */
};

/* Prepares to sample all particles and to follow their paths. If they are more than `most`, it
 * samples at most this number, at least half of it, and follows the paths of an eighth of these.
 * Returns STATUS_DONE or STATUS_NO_MEMORY; in any case kinetics_free frees it. */
enum status kinetics_create(struct kinetics *kinetics, const struct snapshot *snapshot,
                            const struct classes *classes, size_t most, double from, double to,
                            struct error *error);
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

/* Viscosity and heat conductivity of a gas of equal elastic disks in a box without walls, for
 * --structure. Helfand's moment of a flow is its sum over all particles and over time: of the
 * momentum or energy that particles carry along, and that collisions hand over the distance of two
 * centres (E. Helfand, Transport coefficients from dissipation in a canonical ensemble, Phys. Rev.
 * 119, 1960). Like the displacement of a particle its mean square grows, after some collisions, in
 * proportion to time, and the coefficient is the slope. */

/* The moments: of the momentum xy and (xx - yy) / 2, and of the energy along x and y. */
enum { TRANSPORT_MOMENTS = 4 };

/* Coefficients. The first two are the slopes of groups 1 and 2 of the correlator of moments. */
enum { TRANSPORT_VISCOSITY, TRANSPORT_HEAT, TRANSPORT_DIFFUSION, TRANSPORT_COEFFICIENTS };

struct transport {
    const struct system *system;       /* of the run; not owned */
    const char *refusal;               /* why there are no moments, for the file; or NULL */
    double drift_u, drift_v;           /* velocity of all, length per time */
    double slowness;                   /* sqrt(m / T): velocities are multiplied by it */
    double since;                      /* the time of the last frame; -1 before the first */
    uint64_t ends;                     /* of flights, at all collisions since the first frame */
    double rates[TRANSPORT_MOMENTS];   /* of the moments between collisions */
    double moments[TRANSPORT_MOMENTS]; /* time */
    uint8_t list[2];                   /* the two halves of the moments are classes of their own: */
    struct classes halves;
    struct correlator correlator;
};

/* Prepares for `frames` frames at equal intervals. `collides`: it is notified of collisions.
 * Returns STATUS_DONE or STATUS_NO_MEMORY; in any case transport_free frees it. */
enum status transport_create(struct transport *transport, const struct snapshot *snapshot,
                             int collides, uint64_t frames, struct error *error);
void transport_free(struct transport *transport);

void transport_collide(struct transport *transport, const struct collision *collision);

/* Takes a frame, after all collisions up to its time. */
void transport_sample(struct transport *transport, const struct snapshot *snapshot, int block);

/* What slopes are to be multiplied with for the coefficients: mass per time, 1 per time
 * (Boltzmann's constant is 1), and length^2 per time; and Enskog's values of these for the
 * temperature of the run, NAN where there are none (model/enskog.h). */
void transport_factors(const struct transport *transport, double factors[TRANSPORT_COEFFICIENTS]);
void transport_enskog(const struct transport *transport, double values[TRANSPORT_COEFFICIENTS]);

void transport_record(struct transport *transport, struct record *record);

#endif
