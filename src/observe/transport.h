/* Viscosity and heat conductivity of a gas of equal elastic disks in a box without walls, for
 * --structure. Helfand's moment of a flow is its sum over all particles and over time: of the
 * momentum or energy that particles carry along, and that collisions hand over the distance of two
 * centres (E. Helfand, Transport coefficients from dissipation in a canonical ensemble, Phys. Rev.
 * 119, 1960). Like the displacement of a particle its mean square grows, after some collisions, in
 * proportion to time, and the coefficient is the slope. */
#ifndef PARTICLES_TRANSPORT_H
#define PARTICLES_TRANSPORT_H

#include "correlations.h"
#include "run/observer.h"

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
