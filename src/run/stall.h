/*
 * Runs that never end, and how they are noticed.
 *
 * The number of collisions up to a given time is finite unless disks are wedged: moving, and with
 * no room between two walls and each other, or touching all around a periodic axis. Such a run
 * would have collisions without end at one time. (In free space it cannot. Let Phi be the sum of
 * x.velocity over all particles. When two of them, touching and approaching, switch velocities, Phi
 * grows by -d.w > 0 while no position changes; and there are only finitely many ways to deal N
 * velocities to N particles. Elastic collisions of any masses are as finite in number. Those that
 * lose energy are not: disks can come to rest with each other after infinitely many collisions in a
 * finite time, which is the inelastic collapse that the law's contact time prevents, unless it is
 * too short.) Where rounding leaves wedged disks a last bit of room, time goes on, but by almost
 * nothing. And a very late END_TIME makes a run finite but far too long; or, where a particle
 * passes seams faster than the digits of the time can tell, endless.
 *
 * So the loop watches how far a large number of collisions takes it, and begins to count again
 * whenever time goes on as it should. At one moment there can be one collision for every particle
 * and wall, or, in a row of touching disks, for every pair of particles that collide at all since
 * then; only beyond that does it judge. A few that are wedged somewhere among a million would
 * otherwise take 10^12 collisions to be found.
 */
#ifndef PARTICLES_STALL_H
#define PARTICLES_STALL_H

#include "model/system.h"
#include "schedule/schedule.h"

/* How far the last collisions have taken a run. */
struct stall {
    double since;      /* the time when counting began */
    uint64_t events;   /* collisions and passages of seams since then */
    uint64_t hits;     /* those of them with the boundary, */
    uint64_t passages; /* and of these the passages of seams */
    uint64_t look;     /* at how many of them to look whether it goes on */
    double reached;    /* the time when stall_pass was called last, not before `since` */
};

/* Begins to count, in a run whose last collision was at time `since`. */
void stall_begin(struct stall *stall, const struct system *system, double since);

/* The part of stall_check that looks, at the number of collisions chosen for it. */
enum status stall_judge(struct stall *stall, const struct system *system, const struct event *event,
                        double end_time, struct error *error);

/*
 * Counts events that happen unseen up to `time`, in `system` before them. Returns 0, and counts
 * nothing, if they have not taken the run far enough: then they are to be counted one by one.
 */
int stall_pass(struct stall *stall, const struct system *system, const struct schedule_sum *sum,
               double time, double end_time);

/*
 * Counts an event that has happened. Returns STATUS_DONE; or STATUS_BAD_DATA, with a message
 * that says why, if the run will not reach its end.
 */
static inline enum status stall_check(struct stall *stall, const struct system *system,
                                      const struct event *event, double end_time,
                                      struct error *error)
{
    if (event_partner(event->b) == PARTNER_BOUNDARY) {
        stall->hits++;
        stall->passages += (uint64_t)boundary_is_seam(&system->boundary, event->b);
    }
    if (++stall->events < stall->look)
        return STATUS_DONE;
    return stall_judge(stall, system, event, end_time, error);
}

#endif
