/*
 * The kernel of smoothed particle hydrodynamics: that of Wendland (C2), in two dimensions,
 *
 *     W(q) = 7 / (4 pi h^2) (1 - q/2)^4 (1 + 2 q),   q = r / h < 2,
 *
 * h is the smoothing length. (H. Wendland, Adv. Comput. Math. 4, 389, 1995.) Particles do not pair
 * up under it, as they do under the cubic spline (W. Dehnen and H. Aly, MNRAS 425, 1068, 2012), and
 * its gradient is a polynomial times the distance vector: no division, at r = 0 neither.
 */
#ifndef PARTICLES_SPH_KERNEL_H
#define PARTICLES_SPH_KERNEL_H

#include <math.h>

#define SPH_PI 3.14159265358979323846

/* 2 max(0, 1 - q/2), from the square of the distance and 1 / (2 h): so written, without a choice,
 * compilers compute several at a time. */
static inline double sph_closeness(double square, double per_reach)
{
    const double left = 1 - sqrt(square) * per_reach;
    return left + fabs(left);
}

/* W, 1 / length^2. */
static inline double sph_kernel(double square, double smoothing)
{
    const double near = sph_closeness(square, 0.5 / smoothing);
    return 7 / (64 * SPH_PI * smoothing * smoothing) * near * near * near * near * (5 - 2 * near);
}

/* The gradient of W is -sph_slope * closeness^3 * (the vector from the other one); 1 / length^4. */
static inline double sph_slope(double smoothing)
{
    return 35 / (32 * SPH_PI * smoothing * smoothing * smoothing * smoothing);
}

/*
 * What the sum of V (x - x_i) dW/dx over a square lattice of particles is, where an integral is 1:
 * by this the gradients of linear fields are too small.
 */
static inline double sph_lattice_moment(double smoothing, double spacing)
{
    const int reach = (int)ceil(2 * smoothing / spacing);
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            const double square = (double)(i * i + j * j) * spacing * spacing;
            const double near = sph_closeness(square, 0.5 / smoothing);
            sum += near * near * near * square / 2; /* as much along x as along y */
        }
    }
    return sum * sph_slope(smoothing) * spacing * spacing;
}

#endif
