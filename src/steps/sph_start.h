/*
 * The hydrostatic pressures with which a fluid starts.
 */
#ifndef PARTICLES_SPH_START_H
#define PARTICLES_SPH_START_H

#include "sph_walls.h"

/*
 * The depth of each particle: its potential per mass below that of the highest particle of its
 * connected component, in which neighbours are within reach of the kernel; length^2/time^2. It is 0
 * in components that touch no wall, because a drop that falls has no pressure. `depths` has room
 * for all particles; `near` lists them. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status sph_start(const struct system *system, const struct neighbours *near,
                      const struct sph_walls *walls, double *depths, struct error *error);

#endif
