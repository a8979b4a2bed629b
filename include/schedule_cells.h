/*
 * The schedule for many particles: a grid of cells and a queue of events. How it works is told in
 * schedule_cells.c.
 */
#ifndef PARTICLES_SCHEDULE_CELLS_H
#define PARTICLES_SCHEDULE_CELLS_H

#include "schedule.h"

/*
 * What schedule_create and schedule_check do for SCHEDULE_CELLS. It puts neighbours in the box
 * close together in memory.
 */
enum status schedule_cells_create(struct system *system, double end_time,
                                  struct schedule **schedule, struct error *error);
enum status schedule_cells_check(uint64_t count, struct error *error);

#endif
