/*
 * What will happen next to each particle, found among its neighbours only: the predictions of the
 * cells schedule, without the order in which they come up.
 */
#ifndef PARTICLES_FORECAST_H
#define PARTICLES_FORECAST_H

#include "event.h"
#include "giants.h"
#include "grid.h"
#include "plan.h"
#include "system.h"

/* So many particles at most: a chain of cells needs 2 bits of an index for itself. */
enum { FORECAST_MOST = 1 << 28 };

struct forecast {
    struct system *system;    /* not owned; only forecast_place reorders its particles */
    double contact;           /* how far apart two particles of the grid can touch, length */
    const struct kind *kinds; /* the system's; NULL where all have one radius */
    struct giants giants;     /* those that are not in the grid */
    struct plan *plans;       /* one a particle, in the order of the system's particles */
    uint32_t *order;          /* one a particle, for sorting them */
    struct grid grid;         /* its members are indices of particles */
};

/*
 * Makes a forecast for `system`, yet without plans, and moves the system's particles to memory
 * that suits the processor. Returns STATUS_DONE, or STATUS_NO_MEMORY and a forecast that
 * forecast_free still frees.
 */
enum status forecast_create(struct forecast *forecast, struct system *system, struct error *error);

/* Frees all but the system. */
void forecast_free(struct forecast *forecast);

/*
 * Chooses the grid anew for where the particles are at time `now`, which is not before any anchor,
 * and sorts them so that neighbours in the box are neighbours in memory. Their plans are then void.
 */
void forecast_place(struct forecast *forecast, double now);

/* The same, and plans for all. */
void forecast_renew(struct forecast *forecast, double now);

/* Makes a particle's plan anew from all that is around it. */
void forecast_particle(struct forecast *forecast, uint32_t k);

/* The same, but quicker, for a particle that has just collided: no anchor is later than its own. */
void forecast_latest(struct forecast *forecast, uint32_t k);

/* Moves a particle into the cell that it enters next; what is new there completes its plan. */
void forecast_cross(struct forecast *forecast, uint32_t k);

static inline int forecast_is_giant(const struct forecast *forecast, uint32_t k)
{
    const struct system *system = forecast->system;
    return giants_has(&forecast->giants, system_radius(system, &system->particles[k]));
}

/* Whether a particle's event is out of date, for its partner has collided in the meantime. */
static inline int forecast_is_stale(const struct forecast *forecast, uint32_t k)
{
    const struct plan *plan = &forecast->plans[k];
    return plan->partner >= 0 &&
           plan_version(&forecast->system->particles[plan->partner]) != plan->version;
}

/*
 * The steps in which memory is fetched that carrying out a plan will look at: each of them needs
 * what the one before has fetched.
 */
enum forecast_step {
    FORECAST_FETCH_PLAN,    /* the plan and its particle */
    FORECAST_FETCH_CELLS,   /* the cells around it, or ahead of it; the partner and its plan */
    FORECAST_FETCH_MEMBERS, /* the particles in these cells; the cells around the partner */
    FORECAST_FETCH_PARTNER  /* the particles around the partner */
};

/* Asks the processor to take one of these steps for particle k. */
void forecast_fetch(const struct forecast *forecast, uint32_t k, enum forecast_step step);

#endif
