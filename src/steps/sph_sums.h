/*
 * The particles of a fluid in the order of a list of neighbours, and the sums over pairs of them.
 *
 * Each pair is computed once, from the particle that stands first in the list; what it adds to the
 * other has the opposite sign, so momentum is kept. What images are given is given to the particles
 * that they are images of. Everything that a pair needs stands in arrays side by side, and the
 * terms of several pairs are computed at a time; they are added up in the order of the list.
 */
#ifndef PARTICLES_SPH_SUMS_H
#define PARTICLES_SPH_SUMS_H

#include "neighbours.h"

struct sph_list {
    struct neighbours near;
    double *u, *v;   /* velocities, length/time; owned, as all these */
    double *volume;  /* mass / density without pressure, area */
    double *value;   /* the pressure, or the density as it diffuses: see the sums */
    double *x_slope; /* half of the gradient of that density */
    double *x_sum;   /* what has been summed up */
    union {          /* never needed together */
        double *y_slope;
        double *y_sum;
    };
    size_t room; /* how many there is memory for */
};

/* Lists the particles as they are now; the arrays but for near have room for all, and no values.
 * Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status sph_list_find(struct sph_list *list, const struct system *system, double reach,
                          struct error *error);

void sph_list_free(struct sph_list *list);

/* What the sums have in common. */
struct sph_law {
    double per_reach; /* 1 / (2 h), 1 / length */
    double viscous;   /* pressure times time */
    double least;     /* to r^2, so that particles in one place do no harm; length^2 */
};

/*
 * Puts into x_sum, for each listed i, the sum over the others j near it of
 *
 *     V_j c^3 ((u_i - u_j) . (r_i - r_j) + value_i - value_j - (slope_i + slope_j) . (r_i - r_j)),
 *
 * c being the closeness of sph_kernel.h. What belongs to a particle is the sum of what is there for
 * it and for its images.
 */
void sph_sum_rates(struct sph_list *list, const struct sph_law *law);

/*
 * The same, in x_sum and y_sum, for the sum over the others of
 *
 *     V_i V_j c^3 (value_i + value_j - viscous w) (r_i - r_j),
 *
 * with w = (u_i - u_j) . (r_i - r_j) / (r^2 + least).
 */
void sph_sum_forces(struct sph_list *list, const struct sph_law *law);

#endif
