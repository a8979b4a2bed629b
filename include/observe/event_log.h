/*
 * The observer behind --events: writes every collision to a file.
 */
#ifndef PARTICLES_EVENT_LOG_H
#define PARTICLES_EVENT_LOG_H

#include "run/observer.h"
#include "schedule/schedule.h"

/*
 * Makes an observer that writes a file `name` of comma-separated values: a line of column names,
 * then one line a collision, in the order in which they happen:
 *
 *     time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v
 *
 * kind is "particle" or "wall"; a and b are ids, a < b; wall is "left", "right", "bottom" or "top".
 * Then follow the positions and velocities of a and b after the collision. Columns that do not
 * apply are empty. All numbers read back to the same bits. The file appears, complete, with
 * `finish`.
 *
 * If there are polygons, kind may also be "side" or "corner", and there are two columns more,
 * polygon and number: see polygons_polygon. If there is a stream, it may be "stream": a has got a
 * velocity at the seam in x, and wall is the side that it reached. That is no collision, but
 * without it the lines would not tell how particles move.
 *
 * `threads` are those of the run: if there are several, another one makes the lines.
 *
 * `name` must outlive the observer. Returns STATUS_DONE with `*observer` for observers_add, or
 * STATUS_NO_MEMORY. `begin` fails with STATUS_CANNOT_WRITE if the file cannot be opened.
 */
enum status event_log_create(const char *name, const struct schedule_threads *threads,
                             struct observer **observer, struct error *error);

#endif
