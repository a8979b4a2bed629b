/*
 * The particles of a fluid in the order of a list of neighbours, and the sums over pairs of them.
 *
 * Each pair is computed once, from the particle that is first in the list, with forces of opposite
 * sign, so momentum is conserved. The sums of images belong to their particles. All values of a
 * pair are in contiguous arrays, and the terms of several pairs are computed at a time; they are
 * added in the order of the list.
 */
#ifndef PARTICLES_SPH_SUMS_H
#define PARTICLES_SPH_SUMS_H

#include "neighbours.h"

struct sph_list {
    struct neighbours near;
    double *u, *v;   /* velocities, length/time; owned, as all these */
    double *volume;  /* mass / density at pressure 0, area */
    double *value;   /* pressure, or density that diffuses: see the sums */
    double *x_slope; /* half of the hydrostatic gradient of that density */
    double *x_sum;   /* the sums */
    union {          /* never used together */
        double *y_slope;
        double *y_sum;
    };
    size_t room; /* allocated elements */
};

/* Lists the particles at their present positions. The other arrays get room, and no values.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status sph_list_find(struct sph_list *list, const struct system *system, double reach,
                          struct error *error);

void sph_list_free(struct sph_list *list);

/* The coefficients of the sums. */
struct sph_coefficients {
    double per_reach;      /* 1 / (2 h), 1 / length */
    double viscous;        /* pressure times time */
    double regularization; /* added to r^2, for particles in one place, length^2 */
};

/*
 * Sets x_sum, for each listed i, to the sum over the others j near it of
 *
 *     V_j c^3 ((u_i - u_j) . (r_i - r_j) + value_i - value_j - (slope_i + slope_j) . (r_i - r_j)),
 *
 * with the closeness c of sph_kernel.h. The rate of a particle is the total over it and its images.
 */
void sph_sum_rates(struct sph_list *list, const struct sph_coefficients *coefficients);

/*
 * Sets x_sum and y_sum, for each listed i, to the sum over the others j near it of
 *
 *     V_i V_j c^3 (value_i + value_j - viscous w) (r_i - r_j),
 *
 * with w = (u_i - u_j) . (r_i - r_j) / (r^2 + regularization).
 */
void sph_sum_forces(struct sph_list *list, const struct sph_coefficients *coefficients);

#endif
