/*
 * The gas as a continuum: a dynamics that computes the flow of the gas in a box on a lattice
 * (src/lattice/flow.h), and carries the particles along in it. Density and temperature are those of
 * the particles, the speed of sound and the viscosity those of Enskog's theory (model/enskog.h).
 *
 * A cell has the side dx = Lx / NX, and a step takes dt = dx / (sqrt(3) c), so that sound has its
 * speed c. The density follows the pressure by c^2; the temperature is the same everywhere. Walls
 * that have a temperature hold the flow, others are smooth. The flow is at rest at first, or
 * streams.
 *
 * At a time t the flow is that after floor(t / dt) steps. A particle moves straight on in each
 * step, with the velocity of the flow in the middle of this path (the midpoint rule), and stays
 * where a wall is in its way. So observers see it as they see one between two events.
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
