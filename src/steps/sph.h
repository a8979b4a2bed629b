/* Smoothed particle hydrodynamics: the kernel, the sums over pairs, and the walls, which sph.c puts
 * together. */
#ifndef PARTICLES_SPH_H
#define PARTICLES_SPH_H

#include "base/elementary.h"
#include "model/neighbours.h"
#include "term.h"

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
    return 7 / (64 * PI * smoothing * smoothing) * closeness * closeness * closeness * closeness *
           (5 - 2 * closeness);
}

/* The gradient of W is -sph_slope closeness^3 times the vector from the other particle; 1/length^4.
 */
static inline double sph_slope(double smoothing)
{
    return 35 / (32 * PI * smoothing * smoothing * smoothing * smoothing);
}

/* The sum of V (x - x_i) dW/dx over a square lattice of particles, which approximates an integral
 * of 1: gradients of linear fields are divided by it. */
double sph_lattice_moment(double smoothing, double spacing);

/*
 * The walls of a fluid: fixed particles in the solid, on lines parallel to the walls of the box and
 * to the sides of polygons. The pressure of each is extrapolated from the fluid near it, with the
 * hydrostatic gradient (S. Adami, X. Y. Hu and N. A. Adams, J. Comput. Phys. 231, 7057, 2012,
 * equation 27). So the kernel of the fluid beside a wall is full, and still water stays still.
 */
struct sph_wall_particle {
    double x, y;     /* position, length */
    double pressure; /* with u and v, of the fluid near it */
    double u, v;     /* minus the velocity, length/time */
};

struct sph_walls {
    struct neighbours near;              /* of the wall particles, with their images; constant */
    size_t count;                        /* of the wall particles, without images */
    double volume;                       /* of each, area */
    double smoothing;                    /* h, length */
    struct sph_wall_particle *particles; /* by their numbers; owned */
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

#endif
