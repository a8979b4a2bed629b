/*
 * A time-stepped run, as interactions and constraints see it.
 */
#ifndef PARTICLES_STEPPING_H
#define PARTICLES_STEPPING_H

#include "part.h"
#include "run/observer.h"
#include "steps/steps.h"

#include <math.h>

struct vector {
    double x, y;
};

struct steps {
    struct observer observer; /* the first member: see observer.h */
    struct system *system;    /* not owned; particle k has the id k */
    double step;              /* DT, time */
    uint32_t substeps;        /* of each step */
    double end_time;
    int is_resumed;        /* contents of files come from the checkpoint */
    uint64_t steps;        /* of the whole run */
    uint64_t done;         /* substeps made so far */
    double max_move;       /* the largest move of a particle in a substep, length; or INFINITY */
    double *inverse_mass;  /* 1 / mass of each particle; 0 of one that is pinned; owned */
    struct vector *force;  /* on each particle, in this substep; owned */
    struct vector *before; /* where each particle was before this substep, length; owned */
    struct vector *moved;  /* how far constraints have moved it in this substep, length; owned */
    size_t interaction_count, constraint_count;
    struct part *interactions[SCENE_MOST_PARTS];    /* owned */
    struct part *constraints[SCENE_MOST_PARTS + 1]; /* owned; the walls are the last */
};

/* Moves a particle by a constraint. Its velocity changes when velocities are updated. */
static inline void steps_move(struct steps *steps, size_t k, double dx, double dy)
{
    struct particle *p = &steps->system->particles[k];
    p->x += dx;
    p->y += dy;
    steps->moved[k].x += dx;
    steps->moved[k].y += dy;
}

/* Lets no particle move farther than `length` in a substep. */
static inline void steps_limit_move(struct steps *steps, double length)
{
    steps->max_move = fmin(steps->max_move, length);
}

/*
 * Checks that a spring of this stiffness, force per length, between two of the lightest particles
 * has `resolved` substeps or more in a period. Returns STATUS_DONE, or STATUS_USAGE with a message
 * that names the part.
 */
enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved, struct error *error);

/* The sum of the accelerations of all gravity, length per time^2; after all parts are created. */
struct vector gravity_sum(const struct steps *steps);

#endif
