/*
 * What constraints between two particles share: extended position-based dynamics, with few
 * iterations a substep. (M. Macklin, M. Mueller and N. Chentanez, XPBD: position-based simulation
 * of compliant constrained dynamics, MIG 2016; M. Macklin et al., Small steps in physics
 * simulation, SCA 2019.)
 */
#ifndef PARTICLES_XPBD_H
#define PARTICLES_XPBD_H

#include "stepping.h"

/* How much constraints give, and what that loses. */
struct compliance {
    double value;   /* alpha, length per force, from 0: the inverse of a stiffness */
    double damping; /* beta, force per speed, from 0; what does not give, is not damped */
};

/* A constraint at one moment of a substep. */
struct offence {
    double error;        /* how far it is off, length */
    double change;       /* how far it has changed in this substep, length */
    double multiplier;   /* the sum of its multipliers in this substep so far, mass length */
    double inverse_mass; /* the sum of those of its particles, more than 0 */
};

/*
 * By how much the multiplier of a constraint changes: equation 26 of the first paper. Divided by
 * dt^2 a multiplier is a force, more than 0 if it pushes.
 */
static inline double xpbd_multiplier(const struct compliance *compliance,
                                     const struct offence *offence, double dt)
{
    const double scaled = compliance->value / dt / dt;
    const double damped = compliance->value * compliance->damping / dt;
    return (-offence->error - scaled * offence->multiplier - damped * offence->change) /
           ((1 + damped) * offence->inverse_mass + scaled);
}

/* Brings a distance along a periodic axis to that of the nearest image. */
static inline double xpbd_nearest(double distance, double period)
{
    return distance - period * floor(distance / period + 0.5);
}

/* The way from one point to another, or to its nearest image. */
static inline struct vector xpbd_way(const struct boundary *boundary, double dx, double dy)
{
    return (struct vector){boundary->periodic & PERIODIC_X ? xpbd_nearest(dx, boundary->width) : dx,
                           boundary->periodic & PERIODIC_Y ? xpbd_nearest(dy, boundary->height)
                                                           : dy};
}

/* Two particles, i to j, as a constraint sees them now. */
struct between {
    double distance;      /* of the centres, length */
    struct vector normal; /* the direction from i to j, of length 1; along x from two centres in one
                             place */
};

static inline struct between xpbd_between(const struct steps *steps, size_t i, size_t j)
{
    const struct particle *p = &steps->system->particles[i];
    const struct particle *q = &steps->system->particles[j];
    const struct vector way = xpbd_way(&steps->system->boundary, q->x - p->x, q->y - p->y);
    const double distance = sqrt(way.x * way.x + way.y * way.y);
    if (!(distance > 0))
        return (struct between){0, {1, 0}};
    return (struct between){distance, {way.x / distance, way.y / distance}};
}

/* How much farther apart two particles are, along the normal, than before this substep. */
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
