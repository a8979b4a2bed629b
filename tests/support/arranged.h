/* Systems whose structure is known: lattices and ideal gases, in the order of their numbers. */
#ifndef PARTICLES_TESTS_ARRANGED_H
#define PARTICLES_TESTS_ARRANGED_H

#include "base/random.h"
#include "model/system.h"

/* A system of `number` particles in a box of `wide` x `high`, and what else is said of it:
 * SYSTEM(2, 10, 8, .radius = 1, .particles = particles, .law = ELASTIC). */
#define SYSTEM(number, wide, high, ...)                                                            \
    (struct system)                                                                                \
    {                                                                                              \
        .count = (number), .boundary.width = (wide), .boundary.height = (high), __VA_ARGS__        \
    }

/* The law of elastic disks. */
#define ELASTIC ((struct system_law){RULE_ELASTIC, 1, 0})

/* Puts particle k at (x, y) with the velocity (u, v). */
void set_particle(struct system *system, size_t k, double x, double y, double u, double v);

/* `count` elastic disks at rest, all at (0, 0), in a box with these periodic axes. The caller frees
 * the system. */
struct system arranged_disks(size_t count, double radius, double width, double height,
                             unsigned periodic);

/* Gives a system that has none `count` kinds of its own radius and mass 1, freed with it. */
void arranged_kinds(struct system *system, size_t count);

/* Disks of radius 1/2 at rest on a square lattice with spacing 1, or a triangular one, whose rows
 * are sqrt(3)/2 apart and must be even in number, in a box that is periodic along both axes. The
 * caller frees them with system_free. */
struct system arranged_square(size_t columns, size_t rows);
struct system arranged_triangular(size_t columns, size_t rows);

/* Points anywhere in a box, their velocity components uniform in (-1, 1). Freed likewise. */
struct system arranged_points(struct random_generator *random, size_t count, double width,
                              double height, unsigned periodic);

/* A system of particles of this radius in a box with walls, whose memory is the caller's: it is not
 * to be freed. */
struct system arranged_few(struct particle *particles, struct particle_counts *counts, size_t count,
                           double radius, double width, double height);

#endif
