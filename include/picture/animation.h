/*
 * The observer behind --animate: writes a web page that plays the run.
 */
#ifndef PARTICLES_ANIMATION_H
#define PARTICLES_ANIMATION_H

#include "run/observer.h"

enum {
    ANIMATION_MAX_PARTICLES = 1000000,
    ANIMATION_MAX_EVENTS = 400000,       /* a run with more collisions is kept as frames, */
    ANIMATION_MAX_FRAMES = 600,          /* the most frames, and fewer of many particles: */
    ANIMATION_MAX_FRAME_BYTES = 64000000 /* all frames together, except where two are more */
};

/* The number of frames from 0 to `end_time`: 1 if that is 0, otherwise 2 at least. */
size_t animation_count_frames(size_t particles, double end_time);

/*
 * Makes an observer that writes the run up to `end_time` to the file `name`: one page of HTML that
 * needs no other file. `title` is shown as its title, for instance the name of the input.
 *
 * Between collisions particles move in straight lines, and pass seams where these lead. So the
 * state at the start and the list of collisions determine the whole run, and the page computes
 * every position as physics_position does, to the last bit. A list of more than
 * ANIMATION_MAX_EVENTS collisions would be too long: such a run is kept as frames, at equal
 * intervals of time; and so is a time-stepped run (`is_stepped`), which reports no collisions. So
 * the memory taken is bounded: 48 bytes for each event, and ANIMATION_MAX_FRAME_BYTES (or two
 * frames). The same run gives the same bytes with every schedule and on every machine.
 *
 * In the end the file is complete or absent. `name` and `title` must outlive the observer. Returns
 * STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY. `begin` fails with
 * STATUS_CANNOT_WRITE if the file cannot be opened, and with STATUS_USAGE if there are more than
 * ANIMATION_MAX_PARTICLES particles.
 */
enum status animation_create(const char *name, const char *title, double end_time, int is_stepped,
                             struct observer **observer, struct error *error);

#endif
