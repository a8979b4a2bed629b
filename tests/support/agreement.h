/* Whether all schedules come to the same end, byte for byte. */
#ifndef PARTICLES_TESTS_AGREEMENT_H
#define PARTICLES_TESTS_AGREEMENT_H

#include "schedule/schedule.h"

/* Runs a system up to `end_time` with a schedule of this kind. */
enum status agreement_run(enum schedule_kind kind, struct system *system, double end_time,
                          struct error *error);

/* Whether the particles of two systems, equally many, are the same to the last bit. */
int agreement_is_same(const struct system *left, const struct system *right);

/* A time up to which the system has about `events` collisions, which is the time of one of them,
 * or, where it does not come so far, a late time. The system stays as it is. */
double agreement_time(const struct system *system, int events);

/* Whether array, cells and, if wanted, textbook agree. Leaves the system in its last state. */
int agreement_check(struct system *system, double end_time, int with_textbook);

#endif
