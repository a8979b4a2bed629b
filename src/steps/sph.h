/*
 * Smoothed particle hydrodynamics: the kernel, the sums over pairs, and the walls, which sph.c puts
 * together; and the densities and pressures, for measurements.
 */
#ifndef PARTICLES_SPH_H
#define PARTICLES_SPH_H

#include "neighbours.h"
#include "part.h"

#define SPH_PI 3.14159265358979323846

/*
 * The kernel of smoothed particle hydrodynamics: C2 of Wendland, in two dimensions,
 *
 *     W(q) = 7 / (4 pi h^2) (1 - q/2)^4 (1 + 2 q),   q = r / h < 2,
 *
 * with the smoothing length h. (H. Wendland, Adv. Comput. Math. 4, 389, 1995.) Particles do not
 * form pairs, as with the cubic spline (W. Dehnen and H. Aly, MNRAS 425, 1068, 2012), and the
 * gradient is a polynomial times the distance vector, without a division by r.
 */

/* The closeness 2 max(0, 1 - q/2), from the square of the distance and 1 / (2 h). Without a branch,
 * so that compilers vectorise it. */
static inline double sph_closeness(double square, double per_reach)
{
    const double left = 1 - sqrt(square) * per_reach;
    return left + fabs(left);
}

/* W, 1 / length^2. */
static inline double sph_kernel(double square, double smoothing)
{
    const double closeness = sph_closeness(square, 0.5 / smoothing);
    return 7 / (64 * SPH_PI * smoothing * smoothing) * closeness * closeness * closeness *
           closeness * (5 - 2 * closeness);
}

/* The gradient of W is -sph_slope * closeness^3 * (the vector from the other particle); 1 /
 * length^4. */
static inline double sph_slope(double smoothing)
{
    return 35 / (32 * SPH_PI * smoothing * smoothing * smoothing * smoothing);
}

/*
 * The sum of V (x - x_i) dW/dx over a square lattice of particles, which approximates an integral
 * of 1: gradients of linear fields are divided by it.
 */
double sph_lattice_moment(double smoothing, double spacing);

/*
 * The particles of a fluid in the order of a list of neighbours, and the sums over pairs of them.
 *
 * Each pair is computed once, from the particle that is first in the list, with forces of opposite
 * sign, so momentum is conserved. The sums of images belong to their particles. All values of a
 * pair are in contiguous arrays, and the terms of several pairs are computed at a time; they are
 * added in the order of the list.
 */
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
 * with the closeness c above. The rate of a particle is the total over it and its images.
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

/*
 * The walls of a fluid: fixed particles in the solid, on lines parallel to the walls of the box and
 * to the sides of polygons. The pressure of each is extrapolated from the fluid near it, with the
 * hydrostatic gradient (S. Adami, X. Y. Hu and N. A. Adams, J. Comput. Phys. 231, 7057, 2012,
 * equation 27). So the kernel of the fluid beside a wall is full, and still water stays still.
 */
struct sph_walls {
    struct neighbours near;   /* of the wall particles, with their images; constant */
    size_t count;             /* of the wall particles, without images */
    double volume;            /* of each, area */
    double smoothing;         /* h, length */
    struct vector gravity;    /* length/time^2 */
    double wall_friction;     /* part of the viscosity that acts at walls, 0 to 1: the key `grip` */
    double min_pressure;      /* of wall particles: 0 if walls cannot pull */
    struct vector *positions; /* of each, by its number; owned, as the next arrays */
    double *pressure;         /* of each */
    struct vector *velocity;  /* minus that of the fluid near it, length/time */
};

/*
 * Creates the walls of a box and its polygons for a fluid whose particles are `spacing` apart.
 * `walls` is {0}, and in any case sph_walls_free frees it. Returns STATUS_DONE, STATUS_USAGE if
 * there are too many wall particles, or STATUS_NO_MEMORY.
 */
enum status sph_walls_create(struct sph_walls *walls, const struct boundary *boundary,
                             double spacing, double smoothing, struct error *error);

void sph_walls_free(struct sph_walls *walls);

/* True if a wall particle is within the kernel's reach of a position. */
int sph_walls_touch(const struct sph_walls *walls, double x, double y);

/* Adds the terms of wall particles to sph_sum_rates. */
void sph_walls_add_rates(const struct sph_walls *walls, struct sph_list *list);

/* Extrapolates pressures and velocities of the fluid to the wall particles. */
void sph_walls_extrapolate(struct sph_walls *walls, const struct sph_list *list, double density);

/* Adds the terms of wall particles to sph_sum_forces. */
void sph_walls_add_forces(const struct sph_walls *walls, struct sph_list *list,
                          const struct sph_coefficients *coefficients);

struct sph;

/* The fluid of a time-stepped run; NULL if it has none. */
const struct sph *sph_of(const struct steps *steps);

/* The present density, mass/area, and pressure of particle k. */
double sph_density(const struct sph *fluid, size_t k);
double sph_pressure(const struct sph *fluid, size_t k);

#endif
