/*
 * The observer behind --structure: how the particles are arranged, how they move on, and how fast.
 */
#ifndef PARTICLES_STRUCTURE_H
#define PARTICLES_STRUCTURE_H

#include "run/observer.h"

/* What to measure, and where to write it. */
struct structure_request {
    const char *name; /* of the file; must outlive the observer */
    double interval;  /* between frames, positive */
    double from;      /* the time from which they count: 0 to the end of the run */
    double end_time;  /* of the run; there are at most TRAJECTORY_MOST_FRAMES intervals up to it */
};

/*
 * Makes an observer that looks at the frames of a trajectory with this interval, those not before
 * the time `from`, and at the collisions after it (if that is 0, those at 0, too). When the run
 * ends it writes comma-separated values, "quantity,species,x,value,error": the manual page,
 * STRUCTURE, has the quantities. All of them are the same on every machine. The file is opened when
 * the run begins, and in the end is complete or absent. Memory: about 70 bytes a particle, and up
 * to 64 MB for correlations in time.
 *
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status structure_create(const struct structure_request *request, struct observer **observer,
                             struct error *error);

#endif
