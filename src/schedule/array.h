/*
 * The assignment's schedule: an array of all N(N+1)/2 potential collisions, sorted as far as it
 * matters. How it works is told in array.c.
 */
#ifndef PARTICLES_ARRAY_H
#define PARTICLES_ARRAY_H

#include "schedule/schedule.h"

/* What schedule_create and schedule_check do for SCHEDULE_ARRAY; 20 bytes a potential collision. */
enum status array_create(const struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);
enum status array_check(uint64_t count, struct error *error);

#endif
