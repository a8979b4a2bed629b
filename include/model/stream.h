/*
 * An endless stream: a gas that flows along x past whatever stands in it. (Lift article, "how to
 * model an infinite stream of particles without thrashing the heap".)
 *
 * A particle that reaches the seam in x, from either side, stands for another one from then on,
 * which comes from far away: it keeps its y, and gets a velocity of a gas in equilibrium that
 * streams with velocity U and has temperature T. In a gas with the distribution of velocities
 * f(u, v), those that cross a line have |u| f(u, v), for the fast ones cross it more often (G. A.
 * Bird, Molecular gas dynamics and the direct simulation of gas flows, 1994, section 4.2). The
 * velocity has this distribution, over both signs of u: with u > 0 the particle goes on at x = 0,
 * with u < 0 at x = Lx, which are one place. So it may be turned back. A gas of disks in
 * equilibrium stays exactly as it is: there velocities do not depend on places, so those that reach
 * the seam have just the distribution with which they leave it. And what a body sends against the
 * stream is gone when it reaches the seam, however thin the gas is.
 *
 * Each velocity is a pure function of the seed, the particle's number and how many velocities it
 * has been given before. So it does not depend on the order in which events are processed.
 */
#ifndef PARTICLES_STREAM_H
#define PARTICLES_STREAM_H

#include "model/boundary.h"
#include "model/system.h"

/*
 * The fastest stream, and the fastest thermal speed sqrt(T / m), length per time: a velocity is
 * less than U and 20 thermal speeds, so it is never faster than SYSTEM_LARGEST.
 */
#define STREAM_FASTEST (SYSTEM_LARGEST / 100)

/* The bounds of the temperature, energy, which follow from those of thermal speeds and of masses:
 * SYSTEM_LEAST_MASS SYSTEM_SMALLEST^2 and SYSTEM_LARGEST_MASS STREAM_FASTEST^2. */
#define STREAM_COLDEST 1e-120
#define STREAM_HOTTEST 1e116

/*
 * A stream of velocity U, from -STREAM_FASTEST to STREAM_FASTEST; of temperature T, from
 * STREAM_COLDEST to STREAM_HOTTEST, or 0 if stream_complete is to find it; and with this seed.
 */
struct stream stream_make(double speed, double temperature, uint64_t seed);

/*
 * Completes the stream of a system whose particles are in the order of their ids. A temperature of
 * 0 becomes that of the particles: their kinetic energy, without that of the motion of their centre
 * of mass, / (N - 1). Returns STATUS_DONE; or STATUS_BAD_DATA if they have none, for all have one
 * velocity, or if the thermal speed of a mass that occurs would be less than SYSTEM_SMALLEST or
 * more than STREAM_FASTEST.
 */
enum status stream_complete(struct system *system, struct error *error);

/*
 * Gives a particle of this mass that is at the seam its next velocity: u is not 0. Its anchor's u
 * and v change, and its number of draws.
 */
void stream_draw(const struct stream *stream, struct particle *particle, double mass);

/*
 * The mean of |u| over particles of this mass in the stream, E|u| = sigma sqrt(2 / pi) e^(-s^2) +
 * U erf s with sigma = sqrt(T / m) and s = U / (sigma sqrt 2). Of n such particles per area, n E|u|
 * reach the seam per time and length, from both sides together. So the density of the stream that
 * comes in follows from how many do. The same on every machine.
 */
double stream_mean_speed(const struct stream *stream, double mass);

#endif
