/* Shapes of polygons for measurements, the same on every machine. */
#ifndef PARTICLES_TESTS_OUTLINE_H
#define PARTICLES_TESTS_OUTLINE_H

#include <stddef.h>

enum { OUTLINE_MAX = 256 };

/* A polygon; its vertices are in counter-clockwise order. */
struct outline {
    double vertices[OUTLINE_MAX][2];
    size_t count;
};

/* Two half circles of radius 1, of 256 sides together with the two straight ones of length 2
 * between them; all between 0.25 and 4.25 along x, and 0.25 and 2.25 along y. */
struct outline outline_stadium(void);

/* A regular polygon around a place, of `count` sides, with this circumradius. */
struct outline outline_regular(double x, double y, double radius, size_t count);

/* A star around a place with five tips at `radius` and as many inner corners at half of that. */
struct outline outline_star(double x, double y, double radius);

/* Turns a polygon around a place by so many degrees, counter-clockwise. */
void outline_turn(struct outline *outline, double x, double y, double degrees);

/* A NACA airfoil of chord 1 with its nose at the origin, of camber m at p, and thickness t, all
 * parts of the chord, with a sharp trailing edge and 2 `half` sides (I. Abbott and A. von Doenhoff,
 * Theory of Wing Sections, 1959, section 6.4). Its vertices are in counter-clockwise order. */
struct outline outline_naca(double m, double p, double t, size_t half);

double outline_area(const struct outline *outline);
double outline_perimeter(const struct outline *outline);

#endif
