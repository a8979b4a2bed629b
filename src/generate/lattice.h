/*
 * Placing disks on a hexagonal lattice, each a little off its site at random: for boxes that are
 * too full for chance alone.
 */
#ifndef PARTICLES_LATTICE_H
#define PARTICLES_LATTICE_H

#include "base/random.h"
#include "io/number.h"
#include "model/system.h"

/*
 * A hexagonal lattice stretched so that it fills a box: rows of sites, every other row shifted by
 * half the distance of two sites.
 */
struct lattice {
    size_t rows, columns; /* there may be more sites than disks; on an axis that is periodic across
                             the rows, their number is even */
    int is_upright;       /* the rows run from bottom to top instead of from left to right */
    double radius;        /* the largest disks that fit, length: larger than those to be placed */
};

/*
 * Finds the lattice with at least as many sites as `system` has particles, none of them larger than
 * `radius`, that leaves them the most room in its box, with its walls and periodic axes. Returns
 * whether they fit: with room to spare, so that neighbours do not touch and each can be moved.
 */
int lattice_find(const struct system *system, double radius, struct lattice *lattice);

/*
 * Sets x and y of all particles, and nothing else: on sites of the lattice, those that stay empty
 * chosen at random, and then moved by up to nine tenths of the room that there is, on periodic axes
 * by less than half of `radius`. No two overlap, and none leaves the box, not even by rounding.
 * `decimals` must be finer than a ten-thousandth of the radius. Expects what lattice_find has found
 * for this system and radius.
 */
void lattice_place(struct system *system, double radius, const struct lattice *lattice,
                   const struct decimals *decimals, struct random_generator *generator);

#endif
