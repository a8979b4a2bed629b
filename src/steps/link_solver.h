/* The linear equations of links that share particles; see link_solver.c. */
#ifndef PARTICLES_LINK_SOLVER_H
#define PARTICLES_LINK_SOLVER_H

#include "bond.h"

/*
 * The equation of a link. With the multipliers of all links each particle moves by its mobility
 * times the sum of multipliers times directions of pull, from the first to the second particle of
 * a link for the second one, and the opposite for the first one. Then
 *
 *     weight * (change of the distance along `normal`) + softness * multiplier = right.
 */
struct link_equation {
    struct vector normal, pull; /* (0, 0): the multiplier is 0 */
    double weight;
    double softness; /* 1 / mass, from 0 */
    double right;    /* length */
    double multiplier;
};

/* Links that share movable particles, directly or through others. */
struct link_group {
    size_t first, end; /* their positions in the order of elimination */
    double cost;       /* operations for each link to eliminate all; INFINITY: too many */
};

struct link_solver {
    const struct chosen_pair *pairs; /* not owned */
    size_t count;
    struct link_equation *equations; /* in the order of the pairs; owned */
    struct link_row *rows;           /* in the order of elimination; owned */
    size_t *position;                /* of each link in that order; owned */
    size_t *first_end;               /* of each particle in `ends`; owned */
    size_t *ends;                    /* 2 k or 2 k + 1: the first or second of link k; owned */
    struct link_factor *factors;     /* of all rows; owned */
    size_t factor_count, factor_room;
    struct link_group *groups; /* owned */
    size_t group_count, group_room;
};

/* The link at a position in the order of elimination. */
size_t link_solver_link(const struct link_solver *solver, size_t position);

/* Finds groups and orders. Particles of inverse mass 0 move no link. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; link_solver_free frees the solver in any case. */
enum status link_solver_create(struct link_solver *solver, const struct chosen_pairs *pairs,
                               const double *inverse_mass, size_t particles, struct error *error);

/* The multiplier of a link if no other one had any; 0 if nothing moves it. */
double link_solver_alone(const struct link_solver *solver, size_t link, const double *mobility);

/* Factorises the matrix of a group whose cost is finite, and solves its equations for their
 * multipliers, also with other right sides. An equation that follows from others, as of links in a
 * rigid frame, has the multiplier 0. */
void link_solver_factorise(struct link_solver *solver, const struct link_group *group,
                           const double *mobility);
void link_solver_solve(struct link_solver *solver, const struct link_group *group);

void link_solver_free(struct link_solver *solver);

#endif
