/*
 * The kernel of smoothed particle hydrodynamics: C2 of Wendland, in two dimensions,
 *
 *     W(q) = 7 / (4 pi h^2) (1 - q/2)^4 (1 + 2 q),   q = r / h < 2,
 *
 * with the smoothing length h. (H. Wendland, Adv. Comput. Math. 4, 389, 1995.) Particles do not
 * form pairs, as with the cubic spline (W. Dehnen and H. Aly, MNRAS 425, 1068, 2012), and the
 * gradient is a polynomial times the distance vector, without a division by r.
 */
#ifndef PARTICLES_SPH_KERNEL_H
#define PARTICLES_SPH_KERNEL_H

#include <math.h>

#define SPH_PI 3.14159265358979323846

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
static inline double sph_lattice_moment(double smoothing, double spacing)
{
    const int reach = (int)ceil(2 * smoothing / spacing);
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            const double square = (double)(i * i + j * j) * spacing * spacing;
            const double closeness = sph_closeness(square, 0.5 / smoothing);
            sum += closeness * closeness * closeness * square / 2; /* x and y are equal */
        }
    }
    return sum * sph_slope(smoothing) * spacing * spacing;
}

#endif
