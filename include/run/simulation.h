/* A run from event to event. */
#ifndef PARTICLES_SIMULATION_H
#define PARTICLES_SIMULATION_H

#include "run/dynamics.h"
#include "schedule/schedule.h"

/* Processes every event up to `end_time`, in order, and notifies the observers, which are neither
 * begun nor finished here; NULL for none. Afterwards the anchors are of the last events. Can be
 * called again, for a later time. Returns STATUS_DONE; the status of an observer that failed; or
 * STATUS_BAD_DATA if `end_time` cannot be reached, as with disks that are wedged between walls. */
enum status simulation_run(struct schedule *schedule, double end_time, struct observers *observers,
                           struct error *error);

/* Makes the dynamics of `system`, which must outlive it: STATUS_DONE or STATUS_NO_MEMORY. */
enum status simulation_create(enum schedule_kind kind, const struct schedule_threads *threads,
                              struct system *system, struct dynamics **dynamics,
                              struct error *error);

#endif
