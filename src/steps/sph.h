/*
 * A fluid of smoothed particles, for those who measure it.
 */
#ifndef PARTICLES_SPH_H
#define PARTICLES_SPH_H

#include "part.h"

struct sph;

/* The fluid of a time-stepped run; NULL if it has none. */
const struct sph *sph_of(const struct steps *steps);

/* The density, mass/area, and the pressure at particle k, now. */
double sph_density(const struct sph *fluid, size_t k);
double sph_pressure(const struct sph *fluid, size_t k);

#endif
