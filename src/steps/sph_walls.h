/*
 * The walls of a fluid: particles that do not move, in the solid beside it, on lines parallel to
 * the walls of the box and to the sides of polygons. The pressure of each is that of the fluid near
 * it, carried on by gravity as if it were at rest (S. Adami, X. Y. Hu and N. A. Adams, J. Comput.
 * Phys. 231, 7057, 2012, equation 27). So the kernel of the fluid beside a wall is full, and still
 * water stays still.
 */
#ifndef PARTICLES_SPH_WALLS_H
#define PARTICLES_SPH_WALLS_H

#include "sph_sums.h"
#include "stepping.h"

struct sph_walls {
    struct neighbours near;  /* of the wall particles, with their images; they never change */
    size_t count;            /* of the wall particles, without images */
    double volume;           /* of each, area */
    double smoothing;        /* h, length */
    struct vector gravity;   /* length/time^2 */
    double grip;             /* how much of the fluid's viscosity acts at walls, 0 to 1 */
    double least;            /* pressure of wall particles: 0 where walls cannot pull */
    struct vector *places;   /* of each, by its number; owned, as the next ones */
    double *pressure;        /* of each */
    struct vector *velocity; /* minus that of the fluid near it, length/time */
};

/*
 * Makes the walls of a box and its polygons for a fluid whose particles are `spacing` apart.
 * Whoever gives memory to `walls`, which may be {0}, gives it to sph_walls_free. Returns
 * STATUS_DONE, STATUS_USAGE if there would be far too many, or STATUS_NO_MEMORY.
 */
enum status sph_walls_create(struct sph_walls *walls, const struct boundary *boundary,
                             double spacing, double smoothing, struct error *error);

void sph_walls_free(struct sph_walls *walls);

/* Whether a wall particle is within the kernel's reach of a place. */
int sph_walls_touch(const struct sph_walls *walls, double x, double y);

/* Adds to the sums of sph_sum_rates what walls add to them. */
void sph_walls_add_rates(const struct sph_walls *walls, struct sph_list *list);

/* Gives the wall particles their pressures and velocities, from those of the fluid. */
void sph_walls_extrapolate(struct sph_walls *walls, const struct sph_list *list, double density);

/* Adds to the sums of sph_sum_forces what walls add to them. */
void sph_walls_add_forces(const struct sph_walls *walls, struct sph_list *list,
                          const struct sph_law *law);

#endif
