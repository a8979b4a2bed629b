/* Systems for tests and measurements, the same on every machine for the same seed. */
#ifndef PARTICLES_TESTS_RANDOM_SYSTEM_H
#define PARTICLES_TESTS_RANDOM_SYSTEM_H

#include "owned.h"

#include "base/random.h"
#include "model/boundary_law.h"
#include "model/physics.h"
#include "model/polygons.h"
#include "model/system.h"

/* A generator that begins the sequence of `seed`. */
struct random_generator random_from(uint64_t seed);

/* A uniform whole number in [0, limit). */
size_t random_below(struct random_generator *random, size_t limit);

/* `count` disks of radius 1 placed at random without overlap in a box with width = aspect * height
 * (but at least 2.5); both velocity components uniform in (-1, 1). The area fraction is the one
 * asked for or, where chance finds no room, somewhat less. The caller frees the system with
 * system_free. */
struct system random_system(struct random_generator *random, size_t count, double area_fraction,
                            double aspect);

/* What --generate makes of these numbers, up to crystals, with a root mean square speed of 1 and
 * the assignment's law. If there is no such system, the process ends. The caller frees it with
 * system_free. */
struct system generated_system(size_t count, double area_fraction, double radius, double aspect,
                               uint64_t seed);

/* The same of disks of radius 1 in a square box with these periodic axes. */
struct system generated_gas(size_t count, double area_fraction, uint64_t seed, unsigned periodic);

/* A system full of ties: `columns` x `rows` disks on a square lattice, the gaps between them and
 * to the walls exactly `gap`, whose velocities have components -1, 0 or 1. */
struct system random_lattice(struct random_generator *random, size_t columns, size_t rows,
                             double gap);

/* Systems of unequal particles. */
enum mixed_kind {
    MIXED_TWO,       /* two kinds: radius 1 and mass 1, radius 0.5 and mass 0.25 */
    MIXED_RADII,     /* radii uniform from 0.2 to 1.8, masses as their squares, each of its own */
    MIXED_MASSES,    /* equal radii, masses from 10^-3 to 10^3 */
    MIXED_FEW_LARGE, /* one in 50 has radius 10 and mass 100, all others radius 0.5 and mass 1 */
    MIXED_SCALES,    /* radii from 0.01 to 1, masses from 10^-3 to 10^3, both evenly in scale */
    MIXED_POINTS,    /* half of them points of mass 0.1, half disks of radius 1 and mass 1 */
    MIXED_KINDS,
    MIXED_TENTH =
        MIXED_KINDS /* one in ten has radius 1, all others 0.1: equal masses; seldom used */
};

/* `count` particles placed at random without overlap in a square box, the larger ones first; a few
 * species; both velocity components uniform in (-1, 1). The area fraction is at most the one asked
 * for, as above. The law is the assignment's, {0}. The caller frees the system with system_free. */
struct system mixed_system(struct random_generator *random, enum mixed_kind kind, size_t count,
                           double area_fraction);

/* Gives a system, whose particles and kinds are known, a polygon with these vertices, in which its
 * particles are, or outside of which. */
void system_add_polygon(struct system *system, const double (*vertices)[2], size_t count,
                        int is_inside);

/* Makes these axes of a system periodic (PERIODIC_X, PERIODIC_Y). A side that would be too short
 * becomes exactly four times the largest radius, so that two disks can touch on both sides. All
 * particles move along these axes, and through the seams: until the centre of one of them is
 * exactly on a seam, or its rim touches it. */
void random_periodic(struct random_generator *random, struct system *system, unsigned axes);

/* Gives a system with a periodic axis x, in two of three cases, a stream: at rest, slow or much
 * faster than its particles are, which have about the temperature of the stream. */
void random_stream(struct random_generator *random, struct system *system);

/* In two of three cases, gives a system whose polygons are known walls that act: each one diffuse
 * or not, at rest or moving, lossy or not. */
void random_walls(struct random_generator *random, struct system *system);

/* Makes the surfaces of an elastic system, which has no points, rough, with any roughness, and
 * often a limit of friction, and often another moment of inertia; and lets its disks turn. */
void random_rough(struct random_generator *random, struct system *system);

/* The distance of two coordinates; of the nearest images if the axis is periodic. */
static inline double axis_distance(double a, double b, double length, unsigned is_periodic)
{
    const double direct = fabs(a - b);
    return is_periodic ? fmin(direct, length - direct) : direct;
}

/* One axis or both, at random. */
unsigned random_axes(struct random_generator *random);

/* The width of a box divided by its height, from 0.02 to 50, evenly in scale. */
double random_aspect(struct random_generator *random);

/* An independent copy, freed with system_free. */
struct system system_copy(const struct system *system);

/* A particle at a random place and time; often at rest, on a lattice, or much faster one way. */
struct particle random_particle(struct random_generator *random);

#endif
