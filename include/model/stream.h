/*
 * An endless stream: a gas that flows along x past polygons. (Lift article, "how to model an
 * infinite stream of particles without thrashing the heap".)
 *
 * A particle that reaches the seam in x, from either side, stands for another one from then on,
 * which comes from far away: it keeps its y, and gets a velocity of a gas in equilibrium that
 * streams with velocity U and has temperature T. If f(u, v) is its distribution of velocities,
 * those that cross a line have |u| f(u, v) (G. A. Bird, Molecular gas dynamics and the direct
 * simulation of gas flows, 1994, section 4.2), over both signs of u: with u > 0 the particle goes
 * on at x = 0, with u < 0 at x = Lx. So it may be sent back; a gas in equilibrium stays in
 * equilibrium; and particles that a body reflects against the stream are gone when they reach the
 * seam. If y is periodic, too, its seam does so with |v| f(u, v): otherwise particles that a body
 * reflects to one side would come to its other side.
 *
 * Each velocity is a pure function of the seed, the particle's number and its draws so far.
 */
#ifndef PARTICLES_STREAM_H
#define PARTICLES_STREAM_H

#include "model/boundary.h"
#include "model/system.h"

/* The fastest stream, and the fastest thermal speed sqrt(T / m), length per time: a velocity is
 * less than U and 20 thermal speeds, so less than SYSTEM_LARGEST. */
#define STREAM_FASTEST (SYSTEM_LARGEST / 100)

/* The bounds of the temperature, energy, by the bounds of thermal speeds and of masses. */
#define STREAM_COLDEST 1e-120
#define STREAM_HOTTEST 1e116

/* A stream of velocity U, up to STREAM_FASTEST in size; and of temperature T, from STREAM_COLDEST
 * to STREAM_HOTTEST, or 0 if stream_complete is to find it. */
struct stream stream_make(double speed, double temperature, uint64_t seed);

/* The temperature of the particles about their centre of mass: their kinetic energy, without that
 * of its motion, / (N - 1); 0 if they all have one velocity. */
double stream_find_temperature(const struct system *system);

/*
 * Completes the stream of a system whose particles are in the order of their ids. A temperature of
 * 0 becomes the temperature of the particles. Returns STATUS_DONE; or STATUS_BAD_DATA if they have
 * none, or if the thermal speed of a mass would not be from SYSTEM_SMALLEST to STREAM_FASTEST.
 */
enum status stream_complete(struct system *system, struct error *error);

/* Checks the thermal speeds of all masses of a system at a temperature of a stream, or `what` else
 * is in the message. Returns STATUS_DONE or STATUS_BAD_DATA. */
enum status stream_check_masses(const struct system *system, double temperature, const char *what,
                                struct error *error);

/* Gives a particle of this mass at the seam of a side its next u and v. The component across the
 * seam is not 0, and counts the draw. */
void stream_draw(const struct stream *stream, struct particle *particle, double mass, int32_t side);

/*
 * Over particles of this mass in the stream, in one dimension the mean of |u|, E|u| = sigma sqrt(2
 * / pi) e^(-s^2) + U erf s with sigma = sqrt(T / m) and s = U / (sigma sqrt 2); in two that of the
 * speed, E|c| = sigma sqrt(pi / 2) e^(-s^2 / 2) ((1 + s^2) I0(s^2 / 2) + s^2 I1(s^2 / 2)), to 1e-6.
 * Of n such particles per area, n E|u| reach the seam in x per time and length, from both sides
 * together; and a convex body whose width is W from every side is met by n E|c| W per time. So the
 * density of the stream that comes in follows from how many do. The same on every machine.
 */
double stream_mean_speed(const struct stream *stream, double mass, int dimensions);

#endif
