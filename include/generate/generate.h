/*
 * Making up systems: any number of disks, placed without overlap, with random velocities. The same
 * request gives the same bytes on every machine.
 */
#ifndef PARTICLES_GENERATE_H
#define PARTICLES_GENERATE_H

#include "model/system.h"

#include <stdio.h>

/* The densest that can be asked for. None is denser than pi / sqrt(12) = 0.9069. */
#define GENERATE_MAX_AREA_FRACTION 0.88

/* The fastest that can be asked for, so that no disk is faster than SYSTEM_LARGEST. */
#define GENERATE_MAX_SPEED (SYSTEM_LARGEST / 2)

/* What to generate. */
struct generate_request {
    size_t count;         /* N, 1 to SYSTEM_MAX_COUNT */
    double area_fraction; /* N pi R^2 / (Lx Ly), SYSTEM_SMALLEST to GENERATE_MAX_AREA_FRACTION */
    double radius;        /* R, length, SYSTEM_SMALLEST to SYSTEM_LARGEST */
    double aspect;        /* Lx / Ly, SYSTEM_SMALLEST to SYSTEM_LARGEST */
    double speed; /* root mean square, length per time, SYSTEM_SMALLEST to GENERATE_MAX_SPEED */
    uint64_t seed;
};

/*
 * Makes the system that `request`, within the ranges above, asks for.
 *
 * The box has the area that the area fraction demands, rounded up in its ninth digit or so, and
 * the aspect, except that no side is shorter than 2.1 radii. Where disks do not fit then, because
 * walls cost room, first the shape gives way, towards a square or by a quarter away from it, and
 * only then the box grows. At 10000 disks or more it grows by less than 1 %.
 *
 * Disks are placed at random (random_placement.h) where that is quick, otherwise on a jittered
 * lattice (lattice.h); none overlap. Velocities are uniform in a disc around 0, with `speed` the
 * root mean square of their speeds, but for the rounding to its ninth digit or so; no component is
 * 0, and no disk is faster than twice that. All numbers are short decimal numbers unless the units
 * are beyond some 10^10.
 *
 * Returns STATUS_DONE with `*system` filled in: the caller gives it to system_free. Otherwise
 * STATUS_USAGE if the box would be too large, or STATUS_NO_MEMORY, and `*system` is empty. Takes
 * 12 bytes of passing memory for each particle.
 */
enum status generate_system(const struct generate_request *request, struct system *system,
                            struct error *error);

/*
 * Writes a system, as made for `request`, in the format of the contract, which input_read reads: it
 * gets the very same numbers. `name` says in messages what `stream` is. Returns STATUS_DONE when
 * all of it has reached the system, or STATUS_CANNOT_WRITE.
 */
enum status generate_write(const struct generate_request *request, const struct system *system,
                           FILE *stream, const char *name, struct error *error);

/*
 * Says in two lines how to repeat such a system, and what area fraction and aspect it has; and
 * whether there was no room for the area fraction that `request` asks for. Returns as
 * generate_write does.
 */
enum status generate_report(const struct generate_request *request, const struct system *system,
                            FILE *stream, const char *name, struct error *error);

#endif
