/* Running an observer by itself, and reading what it has left behind. */
#ifndef PARTICLES_TESTS_OBSERVED_H
#define PARTICLES_TESTS_OBSERVED_H

#include "observe/observers.h"
#include "run/simulation.h"
#include "schedule/schedule.h"

/* Runs `system` up to `end_time` with `observer`, which is freed in the end, or without one, if it
 * is NULL. */
enum status observed_run(struct system *system, enum schedule_kind kind, double end_time,
                         struct observer *observer, struct error *error);

/* The whole file, ended by a byte 0, which the caller frees with memory_free; NULL if there is
 * none. The file is removed. */
char *observed_read(const char *name);

/* Removes the lines of a report that differ from run to run: see observe/observers.h. */
void observed_remove_run(char *text);

#endif
