/*
 * The gas as a continuum: a dynamics that computes the flow of the gas in a box on a lattice, and
 * carries the particles along (manual, "FLOW ON A LATTICE"), on straight lines in each step.
 */
#ifndef PARTICLES_LATTICE_H
#define PARTICLES_LATTICE_H

#include "steps/steps.h"

enum { LATTICE_MIN_COLUMNS = 4, LATTICE_MAX_COLUMNS = 100000 };

/* The operations of this dynamics; of them the options that it refuses are known before a run. */
extern const struct dynamics_operations lattice_operations;

/*
 * Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids, on the lattice of a scene. Sets the scene's temperature, unless `is_resumed`. Returns
 * STATUS_DONE; STATUS_USAGE if the lattice is too coarse, or does not fit; STATUS_BAD_DATA if the
 * gas has no such flow; or STATUS_NO_MEMORY.
 */
enum status lattice_create(struct scene *scene, struct system *system, double end_time,
                           int is_resumed, struct dynamics **dynamics, struct error *error);

#endif
