/*
 * The schedules that schedule.c chooses from. Each pair of functions does what schedule_create and
 * schedule_check do for one kind of schedule; how it works is told where they are defined.
 */
#ifndef PARTICLES_SCHEDULES_H
#define PARTICLES_SCHEDULES_H

#include "schedule/schedule.h"

/* SCHEDULE_ARRAY, in array.c; takes 20 bytes a potential collision. */
enum status array_create(const struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);
enum status array_check(uint64_t count, struct error *error);

/* SCHEDULE_CELLS, in cells.c; puts particles that are neighbours in the box close together in
 * memory. */
enum status cells_create(struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);
enum status cells_check(uint64_t count, struct error *error);

#endif
