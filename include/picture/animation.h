/*
 * The observer behind --animate: the whole run as a web page that plays it.
 */
#ifndef PARTICLES_ANIMATION_H
#define PARTICLES_ANIMATION_H

#include "run/observer.h"

enum {
    ANIMATION_MOST_PARTICLES = 1000000,
    ANIMATION_MOST_EVENTS = 400000, /* collisions of a run that is kept exactly */
    ANIMATION_MOST_FRAMES = 600,    /* of a run that is not; fewer of many particles: */
    ANIMATION_MOST_FRAME_BYTES = 64000000
};

/* The number of frames from 0 to `end_time`: 1 if that is 0, otherwise 2 at least. */
size_t animation_count_frames(size_t particles, double end_time);

/*
 * Makes an observer that writes the run up to `end_time` into the file `name`: one page of HTML
 * that needs nothing else. `title` says what is simulated, the name of the input, for instance.
 *
 * Between collisions particles move in straight lines, so the state at the start and the list of
 * collisions are the whole truth, and the page computes every position as physics_position does,
 * to the last bit. Of more than ANIMATION_MOST_EVENTS collisions the list would be too long: such
 * a run is kept as frames, at equal intervals of time. What the observer holds is therefore
 * bounded: 48 bytes for each of the events, and ANIMATION_MOST_FRAME_BYTES (or two frames). The
 * same run gives the same bytes, whatever the schedule and the machine.
 *
 * The file is complete or absent in the end. `name` and `title` must outlive the observer. Returns
 * STATUS_DONE and the observer, which the caller gives to observers_add; or STATUS_NO_MEMORY.
 * `begin` fails with STATUS_CANNOT_WRITE if the file cannot be opened. More than
 * ANIMATION_MOST_PARTICLES particles are refused when the run begins, with STATUS_USAGE.
 */
enum status animation_create(const char *name, const char *title, double end_time,
                             struct observer **observer, struct error *error);

#endif
