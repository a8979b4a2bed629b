/*
 * The bond-orientational order of disks, psi6: the mean of exp(6 i angle) over the bonds of a disk
 * with its neighbours, 1 in size for those of a triangular lattice (D. Nelson and B. Halperin,
 * Dislocation-mediated melting in two dimensions, Phys. Rev. B 19, 1979).
 */
#ifndef PARTICLES_BOND_ORDER_H
#define PARTICLES_BOND_ORDER_H

#include "frame.h"

/* A corner of a cell, and the side from it to the next corner. */
struct corner {
    double x, y;   /* as seen from the particle, length */
    double dx, dy; /* to the neighbour beyond the side; 0 for a wall */
};

/* The cells of one particle after the other: room for corners, which grows. */
struct bond_order {
    size_t capacity;        /* corners */
    struct corner *corners; /* of the cell; owned */
    struct corner *next;    /* of the cell when the next side has been cut off; owned */
    size_t count;           /* corners of the cell */
    double reach_2;         /* the square of how far they are */
};

/* Prepares. Returns STATUS_DONE or STATUS_NO_MEMORY; in any case bond_order_free frees it. */
enum status bond_order_create(struct bond_order *order, struct error *error);
void bond_order_free(struct bond_order *order);

/*
 * Computes |psi6| of the disks, the mean, and the size of the mean of psi6. Neighbours are those
 * whose Voronoi cells, which end at walls, share a side of more than 10^-6 of their distance; so
 * four particles at one distance from a point do not depend on rounding. Particles at one place are
 * no neighbours; without neighbours psi6 is 0. Returns STATUS_DONE or STATUS_NO_MEMORY.
 */
enum status bond_order_find(struct bond_order *order, const struct frame *frame, double *local,
                            double *global, struct error *error);

#endif
