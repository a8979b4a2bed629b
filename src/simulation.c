/*
 * The simulation loop: take the next collision, let it happen, predict again what it changes.
 *
 * The number of collisions up to a given time is finite unless a disk is wedged: moving, and with
 * no room between two walls, or between a wall and disks that are wedged themselves. Such a run
 * would go on for ever at one moment. (Without walls it cannot. Let Phi be the sum of x.velocity
 * over all particles. When two of them, touching and approaching, switch velocities, Phi grows by
 * -d.w > 0 while no position changes; and there are only finitely many ways to deal N velocities
 * to N particles.) So the loop watches how far a very large number of wall collisions takes it.
 * If that is less than 10^-12 of the way, the end would be at least 10^18 collisions away: more
 * than a thousand years of computing.
 */
#include "simulation.h"

#include "physics.h"

#include <inttypes.h>

enum { HEADWAY_HITS = 1000000 }; /* and some per particle: all may hit a wall at one moment */
static const double HEADWAY_LEAST = 1e-12;

/* How far the last wall collisions have taken the simulation. */
struct headway {
    double since;   /* the time when counting began */
    uint64_t hits;  /* wall collisions since then */
    uint64_t limit; /* when to look */
};

/* Counts a wall collision. Returns STATUS_BAD_DATA if the simulation no longer makes headway. */
static enum status check_headway(struct headway *headway, const struct event *event,
                                 double end_time, struct error *error)
{
    if (++headway->hits < headway->limit)
        return STATUS_DONE;
    if (event->time - headway->since <= HEADWAY_LEAST * end_time)
        return error_set(error, STATUS_BAD_DATA,
                         "the simulation cannot get past time %.17g: there walls were hit %" PRIu64
                         " times with next to no time between; particle %" PRId32
                         " seems to be wedged, give it more room or no velocity",
                         event->time, headway->hits, event->a);
    headway->since = event->time;
    headway->hits = 0;
    return STATUS_DONE;
}

enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct error *error)
{
    enum status status = STATUS_DONE;
    struct headway headway = {.limit = HEADWAY_HITS + 4 * (uint64_t)system->count};
    struct event event;
    while (!status && schedule_next(schedule, &event)) {
        physics_resolve(system, &event);
        schedule_update(schedule, &event);
        if (event.b < 0)
            status = check_headway(&headway, &event, end_time, error);
    }
    return status;
}
