/*
 * Systems with polygons.
 */
#ifndef PARTICLES_TESTS_POLYGONAL_H
#define PARTICLES_TESTS_POLYGONAL_H

#include "model/polygons.h"
#include "model/system.h"

/* Adds a polygon to a system, which owns it, and whose box and particles are as they will be. */
void polygonal_add(struct system *system, const double (*vertices)[2], size_t count, int is_domain,
                   int is_inside);

#endif
