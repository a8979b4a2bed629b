/*
 * Forecasts of giants (giants.h), and of others as far as they meet giants.
 */
#ifndef PARTICLES_FORECAST_GIANT_H
#define PARTICLES_FORECAST_GIANT_H

#include "forecast.h"

/* Considers the collisions of particle k with the giants on the list of a cell. */
void forecast_with_giants(const struct forecast *forecast, uint32_t k, struct plan *plan,
                          uint32_t cell);

/* forecast_particle for a giant. */
void forecast_giant(struct forecast *forecast, uint32_t k);

/* forecast_cross for a giant. */
void forecast_giant_cross(struct forecast *forecast, uint32_t k);

#endif
