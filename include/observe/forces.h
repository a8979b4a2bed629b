/*
 * The observer behind --forces: what a gas does to the obstacles in it, by the momentum that its
 * particles give them.
 */
#ifndef PARTICLES_FORCES_H
#define PARTICLES_FORCES_H

#include "run/observer.h"

/* What to measure, and where to write it. */
struct forces_request {
    const char *name; /* of the file; must outlive the observer */
    double from;      /* the time from which hits count: 0 to */
    double to;        /* the end of the run */
    double interval;  /* of the series of forces; 0: there is none */
    double reference; /* the length for coefficients; 0: that of each obstacle */
    int is_quiet;     /* no warning */
};

/*
 * Makes an observer of the hits of obstacles after the time `from` (if that is 0, those at 0, too).
 * It writes comma-separated values: the manual page, FORCES, has the quantities. All of them are
 * the same on every machine. The series is written as the run goes on, the rest when it ends; in
 * the end the file is complete or absent. Of a stream it warns if the drag is not steady, or if
 * what comes in before the largest obstacle has not the density of the rest. Memory: 25 kB an
 * obstacle and 240 bytes a side.
 *
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status forces_create(const struct forces_request *request, struct observer **observer,
                          struct error *error);

#endif
