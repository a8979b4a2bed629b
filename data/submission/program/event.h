/*
 * The potential collisions: of each particle with the wall that it would reach first, and of each
 * two particles. They are an array of N (N + 1) / 2, sorted by time, so the next collision is the
 * first.
 */
#ifndef EVENT_H
#define EVENT_H

#include "particle.h"

/* A potential collision. */
struct event {
    double time; /* INFINITY if it is not possible */
    int a;       /* a particle; of two, the one with the lower number */
    int b;       /* the other particle, or an enum wall */
};

/* Computes and sorts them. Returns the array, to be freed; NULL if there is not enough memory. */
struct event *events_create(const struct system *system);

/* Computes those of the particles of `resolved`, which have collided, again, and sorts all. */
void events_update(struct event *events, const struct system *system, struct event resolved);

#endif
