/* Disks that grow: what a run is asked for, and the events at which it scales velocities and finds
 * the pressure (struct system_growth). */
#ifndef PARTICLES_GROWTH_H
#define PARTICLES_GROWTH_H

#include "base/error.h"
#include "model/system.h"

/* The densest packing of equal disks: pi / sqrt(12). */
#define GROWTH_DENSEST 0.9069

/* {0}: disks do not grow. */
struct growth_settings {
    double rate;     /* per time: radii are 1 + rate t times what they were; 0 to SYSTEM_LARGEST */
    double fraction; /* the area fraction at which the run ends, up to GROWTH_DENSEST; or 0 */
    double pressure; /* or the reduced pressure, more than 0; or 0 */
};

/* Completes a system that has been read with the rate. `*end_time` becomes the time at which the
 * area fraction is reached, if that is earlier, also in `until` of the growth. Returns STATUS_DONE;
 * or STATUS_USAGE if there is nothing that grows, if disks cover more already, or become too large
 * for a periodic box. */
enum status growth_begin(struct system *system, const struct growth_settings *settings,
                         double *end_time, struct error *error);

/* Begins anew from the present velocities, which the caller has changed at this time. */
void growth_restart(struct system *system, double time);

/* Ends growth at a time up to which a run has come, whose schedule has been freed: from then on it
 * goes on with disks of that size. */
void growth_end(struct system *system, double time);

/* The area fraction of disks that have grown by a factor. */
double growth_fraction(const struct system *system, double grown);

/* The time at which disks would cover as much as the box; there is none later for a run. */
double growth_last_time(const struct system *system);

/* True if velocities are to be scaled, at the time of the last event. */
static inline int growth_is_due(const struct system *system)
{
    return system->boundary.growth > 0 && system->growth.collisions == system->growth.next;
}

/* Scales the velocities of particles that are in the order of their ids. `*is_over` says if the run
 * ends there. Returns STATUS_DONE; or STATUS_BAD_DATA if disks have no room left to move. */
enum status growth_scale(struct system *system, int *is_over, struct error *error);

#endif
