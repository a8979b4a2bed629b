/*
 * Reading the input file (assignment, "Specifications"): N; the radius; the box's sides Lx and
 * Ly; then for each particle a line with x, y, u and v.
 */
#ifndef PARTICLES_INPUT_H
#define PARTICLES_INPUT_H

#include "schedule.h"

/*
 * Reads and checks a whole system from the file `path`, or from standard input where `path` is
 * "-". `kind` is the schedule that it is for: an N that this cannot hold is reported at its line,
 * before the particles are read. Memory grows with what has been read, not with what N promises.
 *
 * Returns STATUS_DONE with `*system` filled in: the caller owns it and gives it to system_free.
 * Otherwise STATUS_NO_INPUT, STATUS_BAD_DATA (the message begins with "FILE:LINE: ") or
 * STATUS_NO_MEMORY, and `*system` is empty.
 */
enum status input_read(const char *path, enum schedule_kind kind, struct system *system,
                       struct error *error);

#endif
