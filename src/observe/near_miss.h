/*
 * The moments of a run at which the least change would have made another run of it: an observer
 * that finds the two collisions of one particle that follow each other most closely, and the
 * collision of two particles that comes nearest to a miss.
 */
#ifndef PARTICLES_NEAR_MISS_H
#define PARTICLES_NEAR_MISS_H

#include "run/observer.h"

/* A collision as one of its particles sees it. */
struct encounter {
    double time;
    int32_t other; /* id of the other particle, or an enum wall */
};

/* An observer; its fields are to be read only. Of equal ones it keeps the first. */
struct near_miss {
    struct observer observer; /* the first member: see observer.h */
    int32_t *others;          /* with whom each particle, by its id, has collided last; owned */
    double gap;       /* time between two collisions of a particle; INFINITY: none has two */
    int32_t particle; /* the id of that particle, */
    struct encounter first, second; /* and the two collisions */
    /*
     * Of the collision nearest to a miss: |d.w| / (|d| |w|), with d the distance and w the relative
     * velocity (see physics.h): 1 is head-on, 0 a graze. INFINITY: no two disks have met.
     */
    double cosine;
    double time;  /* when that was */
    int32_t a, b; /* the ids of the two particles */
};

/* Makes the observer. Returns STATUS_DONE, or STATUS_NO_MEMORY. */
enum status near_miss_create(struct near_miss **call, struct error *error);

#endif
