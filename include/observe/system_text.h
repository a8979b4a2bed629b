/*
 * Systems as text: the format of the contract, which the program reads as INPUT. All that writes
 * such a file does it here.
 */
#ifndef PARTICLES_SYSTEM_TEXT_H
#define PARTICLES_SYSTEM_TEXT_H

#include "io/number.h"
#include "model/system.h"

#include <stdio.h>

/* The decimals of a file's numbers. What is none of them gets all its digits; {0} has none. */
struct system_decimals {
    struct decimals place;    /* of the radius, the box and coordinates */
    struct decimals velocity; /* of velocities */
};

/*
 * Writes N, the radius, the box and, in their order, the particles' anchors: lines with x y u v
 * and, only if the system has kinds, radius mass species. Nothing else is written, and each number
 * reads back to the same double. `name` says in messages what `stream` is. Returns STATUS_DONE when
 * all of it has reached the system, or STATUS_CANNOT_WRITE.
 */
enum status system_write(const struct system *system, const struct system_decimals *decimals,
                         FILE *stream, const char *name, struct error *error);

#endif
