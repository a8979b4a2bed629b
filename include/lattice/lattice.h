/*
 * The gas as a continuum: a dynamics that computes the flow of the gas in a box on a lattice, and
 * carries the particles along (manual, "FLOW ON A LATTICE"), on straight lines in each step.
 */
#ifndef PARTICLES_LATTICE_H
#define PARTICLES_LATTICE_H

#include "run/dynamics.h"

/* The settings of a lattice: of --lattice, --viscosity, --lattice-start and --lattice-force. */
struct lattice_settings {
    uint32_t columns;   /* along x; 0: the run is not on a lattice */
    double viscosity;   /* kinematic, length^2 per time; 0: Enskog's */
    double temperature; /* of the gas, energy; 0 until it is found */
    double force[2];    /* on the gas: acceleration */
    unsigned start;     /* of the flow: 0 at rest, or as the stream; 1 as the particles */
    unsigned threads;   /* the answer does not depend on them; 0: as many as are of use */
};

enum { LATTICE_MIN_COLUMNS = 4, LATTICE_MAX_COLUMNS = 100000 };

/* The operations of this dynamics; of them the options that it refuses are known before a run. */
extern const struct dynamics_operations lattice_operations;

/*
 * Prepares a run of `system`, which has to outlive it, with its particles in the order of their
 * ids. Sets the temperature in the settings, unless `is_resumed`. Returns
 * STATUS_DONE; STATUS_USAGE if the lattice is too coarse, or does not fit; STATUS_BAD_DATA if the
 * gas has no such flow; or STATUS_NO_MEMORY.
 */
enum status lattice_create(struct lattice_settings *settings, struct system *system, int is_resumed,
                           struct dynamics **dynamics, struct error *error);

#endif
