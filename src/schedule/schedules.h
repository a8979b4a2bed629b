/*
 * The schedules that schedule.c chooses from. Each of these functions does what schedule_create
 * does for one kind of schedule, after schedule_check; how it works is told where it is defined.
 */
#ifndef PARTICLES_SCHEDULES_H
#define PARTICLES_SCHEDULES_H

#include "schedule/schedule.h"

/* SCHEDULE_TEXTBOOK, in textbook.c; takes TEXTBOOK_BYTES a potential collision. */
enum { TEXTBOOK_BYTES = sizeof(struct event) };
enum status textbook_create(const struct system *system, double end_time,
                            struct schedule **schedule, struct error *error);

/* SCHEDULE_ARRAY, in array.c; takes ARRAY_BYTES a potential collision. */
enum { ARRAY_BYTES = sizeof(struct event) + sizeof(uint32_t) };
enum status array_create(const struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);

/* SCHEDULE_CELLS, in cells.c; puts particles that are neighbours in the box close together in
 * memory. */
enum status cells_create(struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);
enum status cells_check(uint64_t count, struct error *error);

#endif
