/*
 * The observer that tells how far a run has come.
 */
#ifndef PARTICLES_PROGRESS_H
#define PARTICLES_PROGRESS_H

#include "run/observer.h"

#include <stdio.h>

/* How far a run has come. */
struct progress_state {
    double time;     /* of the simulation, from 0 to end_time */
    double end_time; /* from 0 */
    uint64_t events; /* collisions so far */
    double seconds;  /* that it has taken, by the clock on the wall */
    double start;    /* time at which this began: not 0 in a run that has been resumed */
    double waiting;  /* the part of the first predictions that is still to be made */
};

enum { PROGRESS_TEXT_SIZE = 200 };

/*
 * Puts it into words: time, percentage, events, events a second, and the time that is left, by what
 * the part that is done has taken. Numbers that are not yet known appear as "-". Before that, how
 * far the first predictions are.
 */
void progress_format(char text[PROGRESS_TEXT_SIZE], const struct progress_state *state);

/*
 * Makes an observer that writes to `stream`, which stays the caller's. On a terminal that is one
 * line, written anew three times a second from the first second on, which is gone when the run is
 * over; elsewhere, in a log, a line every ten seconds and one at the end. Failures to write are of
 * no interest. `clock` tells the seconds since any moment, and does not go back. Returns
 * STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status progress_create(double end_time, FILE *stream, int is_terminal, double (*clock)(void),
                            struct observer **observer, struct error *error);

#endif
