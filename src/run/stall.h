/*
 * Runs that never end.
 *
 * The number of collisions up to a given time is finite unless disks are wedged: moving, and with
 * no room between two walls and each other, or touching all around a periodic axis. Such a run
 * would have infinitely many collisions at one time, or, where rounding leaves a last bit of room,
 * time would advance by almost nothing. (In free space that is impossible. Let Phi be the sum of
 * x.velocity over all particles. When two of them, touching and approaching, switch velocities, Phi
 * grows by -d.w > 0 while no position changes; and N velocities can be assigned to N particles in
 * finitely many ways only. Elastic collisions of any masses are as finite in number.) Collisions
 * that lose energy can be infinitely many in a finite time, which is the inelastic collapse that
 * the law's contact time prevents, unless it is too short. And a very late END_TIME makes a run far
 * too long; or endless, where a particle passes seams faster than the digits of the time resolve.
 *
 * So the run measures the time that a large number of collisions takes, and begins to count again
 * whenever time advances as it should. At one time there can be one collision for every particle
 * and wall or, in a row of touching disks, for every pair that have collided since then.
 */
#ifndef PARTICLES_STALL_H
#define PARTICLES_STALL_H

#include "schedule/schedule.h"

/* How far the last collisions have taken a run. */
struct stall {
    const struct system *system; /* not owned */
    double end_time;             /* up to which the run is to go */
    double since;                /* the time when counting began */
    struct schedule_sum sum;     /* of the events since then, which the run adds, */
    uint64_t check_at;           /* and the number of them at which it is to be judged */
    double reached;              /* the end of the last batch, not before `since` */
};

void stall_begin(struct stall *stall, const struct system *system, double since, double end_time);

/* Counts the events of a batch, up to `time`; the system is as before them. Returns 0, and counts
 * nothing, if time has advanced too little: then they must be counted one by one. */
int stall_pass(struct stall *stall, const struct schedule_sum *sum, double time);

/* Judges the run when `check_at` events have been counted, with this one as the last. Returns
 * STATUS_DONE, or STATUS_BAD_DATA if the run will not reach its end. */
enum status stall_judge(struct stall *stall, const struct event *event, struct error *error);

#endif
