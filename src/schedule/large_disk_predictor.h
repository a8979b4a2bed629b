/*
 * Forecasts of giants (large_disks.h), and of others as far as they meet giants.
 */
#ifndef PARTICLES_LARGE_DISK_PREDICTOR_H
#define PARTICLES_LARGE_DISK_PREDICTOR_H

#include "predictor.h"

/* Considers the collisions of particle k with the giants on the list of a cell. */
void large_disks_consider(const struct predictor *predictor, uint32_t k,
                          struct prediction *prediction, uint32_t cell);

/* predictor_particle for a giant. */
void large_disks_predict(struct predictor *predictor, uint32_t k);

/* predictor_cross for a giant. */
void large_disks_cross(struct predictor *predictor, uint32_t k);

#endif
