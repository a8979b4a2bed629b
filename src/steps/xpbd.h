/*
 * Extended position-based dynamics (XPBD), which constraints between two particles share. (M.
 * Macklin, M. Mueller and N. Chentanez, XPBD: position-based simulation of compliant constrained
 * dynamics, MIG 2016; M. Macklin et al., Small steps in physics simulation, SCA 2019.)
 */
#ifndef PARTICLES_XPBD_H
#define PARTICLES_XPBD_H

#include "part.h"

/* The softness of a constraint. */
struct xpbd_compliance {
    double value;   /* alpha, length per force, from 0: the inverse of a stiffness */
    double damping; /* beta, force per speed, from 0; without effect if alpha is 0 */
};

/* The violation of a constraint at one moment of a substep. */
struct xpbd_violation {
    double error;        /* the distance less the wanted one, length */
    double change;       /* of the distance in this substep, length */
    double multiplier;   /* sum of the multipliers of this substep so far, mass length */
    double inverse_mass; /* the sum of those of its particles, more than 0 */
};

/*
 * The change of the multiplier of a constraint: equation 26 of the first paper. Divided by dt^2 a
 * multiplier is a force, positive if it pushes.
 */
static inline double xpbd_multiplier(const struct xpbd_compliance *compliance,
                                     const struct xpbd_violation *violation, double dt)
{
    const double scaled = compliance->value / dt / dt;
    const double damped = compliance->value * compliance->damping / dt;
    return (-violation->error - scaled * violation->multiplier - damped * violation->change) /
           ((1 + damped) * violation->inverse_mass + scaled);
}

/* The distance to the nearest image along a periodic axis. */
static inline double nearest_along(double distance, double period)
{
    return distance - period * floor(distance / period + 0.5);
}

/* The displacement (dx, dy), or that to the nearest image. */
static inline struct vector xpbd_nearest_image(const struct boundary *boundary, double dx,
                                               double dy)
{
    return (struct vector){
        boundary->periodic & PERIODIC_X ? nearest_along(dx, boundary->width) : dx,
        boundary->periodic & PERIODIC_Y ? nearest_along(dy, boundary->height) : dy};
}

/* The present separation of two particles, from i to j. */
struct xpbd_separation {
    double distance; /* of the centres, length */
    struct vector
        normal; /* the direction from i to j, of length 1; along x if both are in one place */
};

static inline struct xpbd_separation xpbd_separation(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const struct vector displacement =
        xpbd_nearest_image(&steps->system->boundary, q->x - p->x, q->y - p->y);
    const double distance = sqrt(displacement.x * displacement.x + displacement.y * displacement.y);
    if (!(distance > 0))
        return (struct xpbd_separation){0, {1, 0}};
    return (struct xpbd_separation){distance,
                                    {displacement.x / distance, displacement.y / distance}};
}

/* The change of the distance of two particles along the normal in this substep. */
static inline double xpbd_change(const struct steps *steps, size_t i, size_t j,
                                 const struct vector *normal)
{
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const struct vector *a = &steps->before[i];
    const struct vector *b = &steps->before[j];
    return normal->x * ((q->x - b->x) - (p->x - a->x)) +
           normal->y * ((q->y - b->y) - (p->y - a->y));
}

/* Moves two particles apart along the normal, by the multiplier times their inverse masses. */
static inline void xpbd_move(struct steps *steps, size_t i, size_t j, const struct vector *normal,
                             double multiplier)
{
    const double a = -multiplier * steps->inverse_mass[i];
    const double b = multiplier * steps->inverse_mass[j];
    steps_move(steps, i, a * normal->x, a * normal->y);
    steps_move(steps, j, b * normal->x, b * normal->y);
}

#endif
