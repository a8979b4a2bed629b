/*
 * The simulation loop.
 */
#ifndef PARTICLES_SIMULATION_H
#define PARTICLES_SIMULATION_H

#include "run/observer.h"
#include "schedule/schedule.h"

/*
 * Lets every collision up to `end_time` happen, in order, and shows each to the observers, which
 * are neither begun nor finished here; NULL for none. Afterwards the anchors in `system` are
 * those of the last collisions; physics_position tells where the particles are at `end_time`.
 *
 * Returns STATUS_DONE; the status of an observer that failed; or STATUS_BAD_DATA if collisions
 * follow one another so closely that `end_time` cannot be reached, as those of disks wedged between
 * two walls do.
 */
enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct observers *observers, struct error *error);

#endif
