/*
 * Writing the answer (assignment, "Specifications").
 */
#ifndef PARTICLES_OUTPUT_H
#define PARTICLES_OUTPUT_H

#include "system.h"

#include <stdio.h>

/*
 * Writes one line a particle, in their order, "%.6f, %.6f, %d, %d": x and y at `end_time`, and how
 * often it has hit walls and other particles. `name` says in messages what `stream` is. Returns
 * STATUS_DONE when all of it has reached the system, or STATUS_CANNOT_WRITE.
 */
enum status output_write(const struct system *system, double end_time, FILE *stream,
                         const char *name, struct error *error);

#endif
