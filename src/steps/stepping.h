/*
 * A time-stepped run, as interactions and constraints see it.
 */
#ifndef PARTICLES_STEPPING_H
#define PARTICLES_STEPPING_H

#include "part.h"
#include "run/observer.h"
#include "steps/steps.h"

#include <math.h>

/* Two components, of a force or a distance. */
struct vector {
    double x, y;
};

struct steps {
    struct observer observer; /* the first member: see observer.h */
    struct system *system;    /* not owned; particle k has the id k */
    double step;              /* DT, time */
    uint32_t substeps;        /* of each step */
    double end_time;
    int is_resumed;        /* parts get what they have read from files from the checkpoint */
    uint64_t steps;        /* how many there are in all */
    uint64_t done;         /* how many substeps have been made */
    double longest;        /* how far a particle may move in a substep, length; INFINITY: any */
    double *inverse_mass;  /* 1 / mass of each particle; 0 of one that is pinned; owned */
    struct vector *force;  /* on each particle, in this substep; owned */
    struct vector *before; /* where each particle was before this substep, length; owned */
    struct vector *moved;  /* how far constraints have moved it in this substep, length; owned */
    size_t interaction_count, constraint_count;
    struct part *interactions[SCENE_MOST_PARTS];    /* owned */
    struct part *constraints[SCENE_MOST_PARTS + 1]; /* owned; the walls are the last */
};

/* A constraint moves a particle: its velocity follows when velocities are updated. */
static inline void steps_move(struct steps *steps, size_t k, double dx, double dy)
{
    struct particle *p = &steps->system->particles[k];
    p->x += dx;
    p->y += dy;
    steps->moved[k].x += dx;
    steps->moved[k].y += dy;
}

/* A part asks that no particle moves more than `length` in a substep. */
static inline void steps_limit(struct steps *steps, double length)
{
    steps->longest = fmin(steps->longest, length);
}

/*
 * A part says how stiff the force between two particles is at most, force per length, and how many
 * substeps it needs in the period of two of the lightest to follow them. Returns STATUS_DONE, or
 * STATUS_USAGE with a message if there are less.
 */
enum status steps_check_stiffness(const struct steps *steps, const char *name, double stiffness,
                                  int resolved, struct error *error);

/* The acceleration by all gravity, length per time^2; once all parts have been made. */
struct vector gravity_sum(const struct steps *steps);

#endif
