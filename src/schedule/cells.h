/*
 * The schedule for many particles: a grid of cells and a queue of events. How it works is told in
 * cells.c.
 */
#ifndef PARTICLES_CELLS_H
#define PARTICLES_CELLS_H

#include "schedule/schedule.h"

/*
 * What schedule_create and schedule_check do for SCHEDULE_CELLS. It puts neighbours in the box
 * close together in memory.
 */
enum status cells_create(struct system *system, double end_time, struct schedule **schedule,
                         struct error *error);
enum status cells_check(uint64_t count, struct error *error);

#endif
