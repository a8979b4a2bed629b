/*
 * Shapes of polygons for measurements, the same on every machine.
 */
#ifndef PARTICLES_TESTS_OUTLINE_H
#define PARTICLES_TESTS_OUTLINE_H

#include <stddef.h>

enum { OUTLINE_MOST = 256 };

/* A polygon; its vertices are in counter-clockwise order. */
struct outline {
    double vertices[OUTLINE_MOST][2];
    size_t count;
};

/* Two half circles of radius 1, of 256 sides together with the two straight ones of length 2
 * between them; all between 0.25 and 4.25 along x, and 0.25 and 2.25 along y. */
struct outline outline_stadium(void);

/* A regular polygon around a place, of `count` sides, with this circumradius. */
struct outline outline_regular(double x, double y, double radius, size_t count);

/* A star around a place with five tips at `radius` and as many inner corners at half of that. */
struct outline outline_star(double x, double y, double radius);

double outline_area(const struct outline *outline);
double outline_perimeter(const struct outline *outline);

#endif
