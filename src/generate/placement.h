/*
 * The three ways to place the disks of a generated system: at random, one after the other, where
 * there is room; on a hexagonal lattice, each a little off its site; and, for mixtures that are too
 * dense for both, at random positions, from which they are pushed apart. They set x and y of the
 * particles, to decimals, and nothing else. No two overlap, and none leaves the box.
 */
#ifndef PARTICLES_PLACEMENT_H
#define PARTICLES_PLACEMENT_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

enum { PLACEMENT_MAX_GROUPS = 64 };

/* Disks of one radius: particles `first` to `first` + `count` - 1. */
struct placement_group {
    size_t first, count;
    double radius; /* length */
};

/*
 * Places all disks of `system`, in 1 to PLACEMENT_MAX_GROUPS groups, the largest disks first, whose
 * radii count and not the radii of the system. Along a periodic axis, which must be 4 radii long, a
 * centre is from 0 to less than L. If the box has polygons, which must be prepared for these radii,
 * disks are in the region of particles (model/region.h), and none overlaps a side or corner.
 *
 * Returns STATUS_DONE, or STATUS_NO_MEMORY. `*placed` is the number of disks for which room was
 * found in reasonable time, in the order of the groups: all of them up to an area fraction of about
 * 0.45, but in boxes only a few disks wide. O(N) time a group, and 12 N bytes of memory.
 */
enum status place_at_random(struct system *system, const struct placement_group *groups,
                            size_t group_count, const struct number_decimals *decimals,
                            struct random_generator *generator, size_t *placed,
                            struct error *error);

/* A hexagonal lattice stretched to fill a box: every other row is shifted by half a distance. */
struct placement_lattice {
    size_t rows, columns; /* there may be more sites than disks; on an axis that is periodic across
                             the rows, their number is even */
    int is_upright;       /* the rows run from bottom to top instead of from left to right */
    double radius;        /* the largest disks that fit, length: larger than those to be placed */
};

/* Finds the lattice with at least as many sites as `system` has particles, none larger than
 * `radius`, that leaves them the most room in its box. Returns whether they fit: with room to
 * spare, so that neighbours do not touch and each can be moved. */
int lattice_find(const struct system *system, double radius, struct placement_lattice *lattice);

/* Places all particles on sites of the lattice that lattice_find has found for this system and
 * radius, those that stay empty chosen at random; and then moves them by up to nine tenths of the
 * room that there is. `decimals` must be finer than a ten-thousandth of the radius. */
void lattice_place(struct system *system, double radius, const struct placement_lattice *lattice,
                   const struct number_decimals *decimals, struct random_generator *generator);

/* The largest radius that disks may have, in radii of the smallest: the cells are as wide as the
 * largest, and must not hold too many of the smallest. */
#define RELAXATION_MAX_RATIO 10

/* Up to here the overlaps can be removed in large boxes; with 2000 disks, up to 0.82. */
#define RELAXATION_MAX_AREA_FRACTION 0.8

/* Places all particles, with the radii of the system, at `decimals` that are finer than a millionth
 * of the smallest radius. Returns STATUS_DONE, or STATUS_NO_MEMORY. `*is_placed` is true if the
 * overlaps could be removed in reasonable time. Takes 12 N bytes; a second for 10000 disks. */
enum status place_by_relaxation(struct system *system, const struct number_decimals *decimals,
                                struct random_generator *generator, int *is_placed,
                                struct error *error);

#endif
