/*
 * An endless stream: a gas that flows along x, for ever new, past whatever stands in it. (Lift
 * article, "how to model an infinite stream of particles without thrashing the heap".)
 *
 * A particle that passes the seam in x keeps its y and the side on which it goes on, and gets a
 * velocity of the gas of which the stream is: so whatever has left, never to be seen again, is
 * replaced by what comes from far away. Of a gas with velocity U and temperature T what passes a
 * line in a time is not its velocities' distribution f(u, v), but |u| f(u, v): the fast ones come
 * more often (G. A. Bird, Molecular gas dynamics and the direct simulation of gas flows, 1994,
 * section 4.2). With such velocities a gas in equilibrium stays exactly as it is.
 *
 * Velocities are chance, but no history decides them: each is a pure function of the seed, the
 * particle's number and how many it has been given before.
 */
#ifndef PARTICLES_STREAM_H
#define PARTICLES_STREAM_H

#include "model/boundary.h"
#include "model/system.h"

/* The fastest stream, length per time, and its bounds of temperature, energy. */
#define STREAM_FASTEST (SYSTEM_LARGEST / 100)
#define STREAM_COLDEST 1e-60
#define STREAM_HOTTEST 1e60

/* A stream of speed U, temperature T (0: it is to be found, by stream_complete) and this seed. */
struct stream stream_make(double speed, double temperature, uint64_t seed);

/*
 * Completes the stream of a system whose particles are in the order of their ids: where its
 * temperature is to be found, it is that of the particles, and it is checked against their masses.
 * Returns STATUS_DONE, or STATUS_BAD_DATA if the particles have no temperature, or one with which
 * some would be too fast or too slow.
 */
enum status stream_complete(struct system *system, struct error *error);

/*
 * Gives a particle that has passed seam `feature`, FEATURE_LEFT or FEATURE_RIGHT, its velocity: it
 * goes on to that side. The anchor's velocity changes, and the particle's number of draws.
 */
void stream_draw(const struct stream *stream, struct particle *particle, double mass,
                 int32_t feature);

#endif
