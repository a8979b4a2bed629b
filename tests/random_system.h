/*
 * Systems for tests and measurements, the same on every machine for the same seed.
 */
#ifndef PARTICLES_TESTS_RANDOM_SYSTEM_H
#define PARTICLES_TESTS_RANDOM_SYSTEM_H

#include "system.h"

/* The state of a generator of random numbers; any value is a seed. */
struct random {
    uint64_t state;
};

/* A uniform number in [0, 1), of 53 random bits (splitmix64; Steele, Lea and Flood 2014). */
double random_uniform(struct random *random);

/* A uniform whole number in [0, limit). */
size_t random_below(struct random *random, size_t limit);

/*
 * `count` disks of radius 1 placed at random without overlap in a box with width = aspect * height
 * (but at least 2.5); both velocity components uniform in (-1, 1). The area fraction is the one
 * asked for or, where chance finds no room, somewhat less. The caller frees the system with
 * system_free.
 */
struct system random_system(struct random *random, size_t count, double area_fraction,
                            double aspect);

/*
 * A system full of ties: `columns` x `rows` disks on a square lattice, the gaps between them and
 * to the walls exactly `gap`, whose velocities have components -1, 0 or 1.
 */
struct system random_lattice(struct random *random, size_t columns, size_t rows, double gap);

/* An independent copy, freed with system_free. */
struct system system_copy(const struct system *system);

/* A particle at a random place and time; often at rest, on a lattice, or much faster one way. */
struct particle random_particle(struct random *random);

#endif
