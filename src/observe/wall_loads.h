/*
 * What walls that act take up from the gas: heat and friction on each side of the box, for --stats.
 */
#ifndef PARTICLES_WALL_LOADS_H
#define PARTICLES_WALL_LOADS_H

#include "blocks.h"
#include "run/dynamics.h"

struct wall_loads {
    const struct boundary *boundary; /* not owned; NULL: no wall acts */
    double from, to;                 /* the time that counts */
    struct block_sums sums;          /* of each side: energy, and momentum along it */
    struct sum given;                /* energy that walls and polygons have given to particles */
};

/* Prepares for a boundary; to be freed by wall_loads_free. Returns STATUS_DONE or
 * STATUS_NO_MEMORY. `from` and `to` are to be set before the first collision. */
enum status wall_loads_begin(struct wall_loads *loads, const struct boundary *boundary,
                             struct error *error);
void wall_loads_free(struct wall_loads *loads);

/* Adds a collision of any kind. */
void wall_loads_collide(struct wall_loads *loads, const struct collision *collision);

/* Appends the figures to a list, with the energy that the gas has gained beyond what is explained,
 * as part of its energy. */
void wall_loads_list(const struct wall_loads *loads, double unexplained,
                     struct dynamics_figure *list, size_t *count);

void wall_loads_record(struct wall_loads *loads, struct record *record);

#endif
