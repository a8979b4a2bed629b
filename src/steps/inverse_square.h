/*
 * Forces between all pairs in proportion to 1 / distance^2: gravitation, and those of charges.
 */
#ifndef PARTICLES_INVERSE_SQUARE_H
#define PARTICLES_INVERSE_SQUARE_H

#include "part.h"

/* Each pair of strengths s and t, d apart, has the energy factor s t / sqrt(d^2 + softening^2). */
struct inverse_square {
    double factor;    /* positive: equal signs repel each other */
    double softening; /* length, from 0 (H. C. Plummer, MNRAS 71, 460, 1911) */
    size_t count;
    double *strength;          /* of each particle, set by the owner; owned */
    double *x, *y;             /* positions, length; owned */
    double *force_x, *force_y; /* on each particle, without the factor; owned */
};

/*
 * Prepares sums for the particles of a system, after `factor` and `softening` are set. `name` is
 * that of the interaction, which is refused in a periodic box, where it would reach images without
 * end. Returns STATUS_DONE, STATUS_USAGE or STATUS_NO_MEMORY; in any case inverse_square_free frees
 * it.
 */
enum status inverse_square_prepare(struct inverse_square *sums, const struct system *system,
                                   const char *name, struct error *error);

/*
 * Adds the forces between all pairs to steps->force. Returns STATUS_DONE, or STATUS_BAD_DATA if
 * two particles are so near to each other that a substep dt does not resolve their motion: on a
 * circle they would move by more than a radian.
 */
enum status inverse_square_act(struct inverse_square *sums, struct steps *steps, double dt,
                               const char *name, struct error *error);

/* The energy of all pairs. */
double inverse_square_energy(struct inverse_square *sums, const struct system *system);

void inverse_square_free(struct inverse_square *sums);

#endif
