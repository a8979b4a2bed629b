/* Fluids for tests and measurements of smoothed particle hydrodynamics. */
#ifndef PARTICLES_TESTS_SMOOTHED_H
#define PARTICLES_TESTS_SMOOTHED_H

#include "run/observer.h"
#include "steps/sph.h"
#include "steps/steps.h"

/* A box with a block of fluid of density 1 at its lower left corner, at rest: `columns` and `rows`
 * of particles, on a square lattice, half a spacing from the walls. The caller gives it to
 * system_free. */
struct system smoothed_block(double width, double height, unsigned periodic, double spacing,
                             size_t columns, size_t rows);

/* A run. */
struct smoothed {
    double step; /* with one substep */
    double end_time;
    const char *parts[4]; /* the interactions; NULL: there is no further one */
    double every;         /* how often `see` is called, the start left out; 0: never */
    /* Called with a snapshot, and the fluid as it is a substep earlier at most. */
    void (*see)(void *context, const struct snapshot *snapshot,
                const struct dynamics_column *pressure);
    void *context;
};

/* Runs a system to the end. Returns what steps_create and steps_run return. */
enum status smoothed_run(const struct smoothed *run, struct system *system, struct error *error);

#endif
