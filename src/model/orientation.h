/*
 * On which side of a line a point is, exactly.
 */
#ifndef PARTICLES_ORIENTATION_H
#define PARTICLES_ORIENTATION_H

/*
 * The sign of (b - a) x (c - a): 1 if c is to the left of the line from a to b, -1 if it is to the
 * right, 0 if it is on it, without any error by rounding. Points are {x, y}; coordinates that are
 * not 0 are at least 1e-100 and at most 1e100 in size, so that no product under- or overflows.
 * (J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates, Discrete Comput. Geom. 18, 305, 1997.)
 */
int orientation(const double a[2], const double b[2], const double c[2]);

#endif
