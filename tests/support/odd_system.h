/* Systems that are hard for a schedule: full of exact ties, or of a shape that is bad for cells.
 * The same on every machine for the same seed; the caller frees them with system_free. */
#ifndef PARTICLES_TESTS_ODD_SYSTEM_H
#define PARTICLES_TESTS_ODD_SYSTEM_H

#include "random_system.h"

/* Systems with many collisions at exactly the same time. */
enum tied_kind {
    TIED_LATTICE,  /* a square lattice, velocities of -1, 0 and 1 */
    TIED_BLOCK,    /* a lattice of touching disks, in a corner of a larger box */
    TIED_CRADLE,   /* rows of touching disks, hit from both ends */
    TIED_MEETINGS, /* three at a time meet: two disks reach the one between them together */
    TIED_CORNERS,  /* disks that run into the corners, on the diagonals of a square */
    TIED_HALVES,   /* the right half of the box mirrors the left one */
    TIED_QUARTERS, /* and the upper half the lower one */
    TIED_POINTS,   /* radius 0: points that meet on the lines of a lattice */
    TIED_KINDS
};

struct system tied_system(struct random_generator *random, enum tied_kind kind);

/* Systems of odd shapes. */
enum odd_kind {
    ODD_THIN,     /* a box 10000 times as wide as high, or as high as wide */
    ODD_TUBE,     /* a box one disk wide, in which disks move to and fro */
    ODD_CORNER,   /* all disks in a corner of a box 1000 times larger, any of the four */
    ODD_EMPTY,    /* an area fraction of 10^-6 */
    ODD_FAST,     /* one disk 10^6 times faster than the others */
    ODD_CLUSTERS, /* two clusters far from each other */
    ODD_GROUPS,   /* lattices far from each other, so that the cells are folded */
    ODD_FEW,      /* one, two or three disks */
    ODD_STILL,    /* only one disk moves at first */
    ODD_UNITS,    /* lengths of 10^-30 and times of 10^-25, or 10^30 and 10^25 */
    ODD_KINDS
};

struct system odd_system(struct random_generator *random, enum odd_kind kind);

#endif
