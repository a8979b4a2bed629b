/*
 * Random velocities for the disks of a generated system.
 */
#ifndef PARTICLES_VELOCITIES_H
#define PARTICLES_VELOCITIES_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

/* The largest component of a velocity, in root mean squares of the speeds: of velocities in a disc,
 * and of those of a stream, relative to it. No number of random_normal is larger than 12.1. */
#define VELOCITIES_MAX_COMPONENT 2
#define VELOCITIES_MAX_NORMAL    9

/*
 * Sets u and v of particles `first` to `first` + `count` - 1: uniform in a disc around 0, and then
 * scaled so that `speed` is the root mean square of their speeds, but for rounding to `decimals`.
 * No component is larger than VELOCITIES_MAX_COMPONENT times that, and between walls none is 0.
 *
 * Along a periodic axis of the system's box the sum of the components is 0: exactly, as a sum of
 * decimal numbers, or but for rounding where there are no `decimals`. So a single particle is at
 * rest along such an axis, and has the speed only if there is another one.
 */
void draw_velocities(struct system *system, size_t first, size_t count, double speed,
                     const struct decimals *decimals, struct random_generator *generator);

/*
 * Sets u and v of these particles to those of a gas of Maxwell's distribution that streams along x
 * with velocity `stream`, rounded to `decimals`; `speed` is the root mean square of the speeds of
 * the distribution, relative to the stream. None is 0.
 */
void draw_stream_velocities(struct system *system, size_t first, size_t count, double stream,
                            double speed, const struct decimals *decimals,
                            struct random_generator *generator);

#endif
