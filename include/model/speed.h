/*
 * How fast a particle is.
 */
#ifndef PARTICLES_SPEED_H
#define PARTICLES_SPEED_H

#include "model/system.h"

#include <math.h>

/* The size of a particle's velocity; right also where the squares of its components vanish. */
static inline double system_speed(const struct particle *particle)
{
    double larger = fmax(fabs(particle->u), fabs(particle->v));
    if (larger == 0)
        return 0;
    double u = particle->u / larger;
    double v = particle->v / larger;
    return larger * sqrt(u * u + v * v);
}

#endif
