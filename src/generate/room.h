/*
 * The area that polygons leave free: where a disk may be, and in which cells of a grid to propose
 * positions.
 */
#ifndef PARTICLES_ROOM_H
#define PARTICLES_ROOM_H

#include "model/region.h"

struct room {
    const struct boundary *boundary;
    struct region *region;
    size_t columns, rows; /* of cells: those of the polygons' grid */
    uint32_t *open;       /* the cells in which a centre may be, in rising order; owned */
    size_t open_count;
    double share; /* the part of these cells that is free for points: above 0, but for rounding to 1
                     at most */
};

/*
 * Finds the room of a boundary, whose polygons have been prepared. Returns STATUS_DONE, or
 * STATUS_NO_MEMORY; in either case the caller gives it to room_free.
 */
enum status free_space_create(struct room *room, const struct boundary *boundary,
                              struct error *error);

void free_space_free(struct room *room);

/*
 * Whether a disk of this radius, not larger than those for which the polygons have been prepared,
 * has room at a place of the box: it overlaps no side, corner or wall, and its centre is in the
 * region of particles. Nothing but exact operations, so that all machines agree.
 */
int free_space_holds(const struct room *room, double radius, double x, double y);

#endif
