/*
 * The densities and pressures of a fluid of smoothed particles, for measurements.
 */
#ifndef PARTICLES_SPH_H
#define PARTICLES_SPH_H

#include "part.h"

struct sph;

/* The fluid of a time-stepped run; NULL if it has none. */
const struct sph *sph_of(const struct steps *steps);

/* The present density, mass/area, and pressure of particle k. */
double sph_density(const struct sph *fluid, size_t k);
double sph_pressure(const struct sph *fluid, size_t k);

#endif
