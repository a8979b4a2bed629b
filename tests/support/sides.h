/* Where things are as seen from the sides of polygons: computed from the vertices alone, and from
 * all of them, so that it can be compared with what the program finds by its formulas and grid. */
#ifndef PARTICLES_TESTS_SIDES_H
#define PARTICLES_TESTS_SIDES_H

#include "model/polygons.h"

/* How far a place is from the nearest side of any polygon, or image of one; INFINITY: none. */
double sides_distance(const struct boundary *boundary, double x, double y);

/* Whether the straight way from one place to another passes through a side: begins and ends more
 * than `slack` from its line, on two sides of it, and meets it more than `slack` from its ends. */
int sides_are_crossed(const struct boundary *boundary, const double from[2], const double to[2],
                      double slack);

#endif
