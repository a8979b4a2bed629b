/*
 * The observer behind --progress: reports how far a run has come.
 */
#ifndef PARTICLES_PROGRESS_H
#define PARTICLES_PROGRESS_H

#include "run/observer.h"

#include <stdio.h>

/* How far a run has come. */
struct progress_state {
    double time;      /* of the simulation, from 0 to end_time */
    double end_time;  /* from 0 */
    uint64_t events;  /* collisions, or steps, so far */
    const char *what; /* what is counted: "events" or "steps" */
    double seconds;   /* since it began, by the clock */
    double start;     /* the time at which it began: not 0 in a run that has been resumed */
    double waiting;   /* the part of the first predictions that is still to be made */
};

enum { PROGRESS_TEXT_SIZE = 200 };

/*
 * Makes a line of it: time, percentage, events, how many a second, and the time left, estimated
 * from the time that the part behind it has taken. Numbers that are not yet known appear as "-". As
 * long as first predictions are still to be made, the line says how many of them are done instead.
 */
void progress_format(char text[PROGRESS_TEXT_SIZE], const struct progress_state *state);

/*
 * Makes an observer that writes to `stream`, which the caller owns. On a terminal it writes one
 * line again and again, three times a second from the first second on, and clears it when the run
 * ends; elsewhere, a line every ten seconds and one at the end. Failures to write are ignored.
 * `clock` gives seconds since any moment, and does not go back; `what` is that of the state.
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status progress_create(double end_time, const char *what, FILE *stream, int is_terminal,
                            double (*clock)(void), struct observer **observer, struct error *error);

#endif
