/*
 * Systems with polygons, for tests.
 */
#ifndef PARTICLES_TESTS_POLYGONAL_H
#define PARTICLES_TESTS_POLYGONAL_H

#include "model/polygons.h"
#include "model/system.h"

/*
 * Adds a polygon to those of a system, all of whose particles and kinds are known: a domain, with
 * particles inside, or an obstacle. system_free, or polygonal_free if the rest is not allocated,
 * frees them.
 */
void polygonal_add(struct system *system, const double (*vertices)[2], size_t count, int is_domain);
void polygonal_free(struct system *system);

#endif
