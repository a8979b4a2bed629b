/*
 * The walls of a fluid: fixed particles in the solid, on lines parallel to the walls of the box and
 * to the sides of polygons. The pressure of each is extrapolated from the fluid near it, with the
 * hydrostatic gradient (S. Adami, X. Y. Hu and N. A. Adams, J. Comput. Phys. 231, 7057, 2012,
 * equation 27). So the kernel of the fluid beside a wall is full, and still water stays still.
 */
#ifndef PARTICLES_SPH_WALLS_H
#define PARTICLES_SPH_WALLS_H

#include "part.h"
#include "sph_sums.h"

struct sph_walls {
    struct neighbours near;   /* of the wall particles, with their images; constant */
    size_t count;             /* of the wall particles, without images */
    double volume;            /* of each, area */
    double smoothing;         /* h, length */
    struct vector gravity;    /* length/time^2 */
    double wall_friction;     /* part of the viscosity that acts at walls, 0 to 1: the key `grip` */
    double min_pressure;      /* of wall particles: 0 if walls cannot pull */
    struct vector *positions; /* of each, by its number; owned, as the next arrays */
    double *pressure;         /* of each */
    struct vector *velocity;  /* minus that of the fluid near it, length/time */
};

/*
 * Creates the walls of a box and its polygons for a fluid whose particles are `spacing` apart.
 * `walls` is {0}, and in any case sph_walls_free frees it. Returns STATUS_DONE, STATUS_USAGE if
 * there are too many wall particles, or STATUS_NO_MEMORY.
 */
enum status sph_walls_create(struct sph_walls *walls, const struct boundary *boundary,
                             double spacing, double smoothing, struct error *error);

void sph_walls_free(struct sph_walls *walls);

/* True if a wall particle is within the kernel's reach of a position. */
int sph_walls_touch(const struct sph_walls *walls, double x, double y);

/* Adds the terms of wall particles to sph_sum_rates. */
void sph_walls_add_rates(const struct sph_walls *walls, struct sph_list *list);

/* Extrapolates pressures and velocities of the fluid to the wall particles. */
void sph_walls_extrapolate(struct sph_walls *walls, const struct sph_list *list, double density);

/* Adds the terms of wall particles to sph_sum_forces. */
void sph_walls_add_forces(const struct sph_walls *walls, struct sph_list *list,
                          const struct sph_coefficients *coefficients);

#endif
