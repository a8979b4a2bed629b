/*
 * The pressures with which a fluid begins: those of a fluid at rest.
 */
#ifndef PARTICLES_SPH_START_H
#define PARTICLES_SPH_START_H

#include "sph_walls.h"

/*
 * How far each particle of a system is below the surface of its fluid, against `gravity`: how much
 * less its potential per mass is than that of the highest particle that is connected with it,
 * directly or through others within each other's reach; length^2/time^2. 0 where they touch no
 * wall, for a drop that falls has no pressure. `depths` has room for all particles; `near` lists
 * them. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status sph_start(const struct system *system, const struct neighbours *near,
                      const struct sph_walls *walls, double *depths, struct error *error);

#endif
