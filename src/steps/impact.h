/*
 * The bounce at a hard wall or a hard disk within a substep.
 *
 * The loop kicks and then drifts, so a stored velocity is that of the middle of the substep. If it
 * were reflected unchanged, each bounce under gravity would lose height. So the velocity is
 * computed at the moment of contact, reflected there, and used for the remainder of the substep:
 * that is exact for constant forces. (M. Mueller et al., Detailed rigid body simulation with
 * extended position based dynamics, 2020, section 3.6, reflects after projection; it has the
 * threshold.)
 */
#ifndef PARTICLES_IMPACT_H
#define PARTICLES_IMPACT_H

#include <math.h>

/* An arrival along the normal, which points away from the wall or disk. */
struct impact_arrival {
    double speed;        /* stored, before the contact, length per time; less than 0: towards it */
    double acceleration; /* by forces, length per time squared */
    double threshold;    /* slower arrivals come to rest, length per time, from 0 */
    double since;        /* time from the contact of the straight path to the end of the substep */
};

struct impact_departure {
    int is_resting; /* too slow for a bounce, or moving away already: the overlap is projected */
    double speed;   /* stored, after the contact, length per time */
    double gap;     /* at the end of the substep, length, from 0 */
};

/* The departure from a contact in a substep of length dt, with a restitution from 0 to 1. */
static inline struct impact_departure impact_leave(const struct impact_arrival *arrival,
                                                   double restitution, double dt)
{
    const double a = arrival->acceleration;
    double since = arrival->since;
    if (!(arrival->speed < 0))
        return (struct impact_departure){.is_resting = 1};
    since -= a * since * (dt - since) / (2 * arrival->speed); /* the path is a parabola */
    since = fmin(fmax(since, 0), dt);
    const double correction =
        a * (dt / 2 - since); /* from the speed in the middle to that at contact */
    const double speed = arrival->speed + correction;
    if (-speed <= arrival->threshold)
        return (struct impact_departure){.is_resting = 1};
    const double leaving = -restitution * speed;
    return (struct impact_departure){0, leaving - correction,
                                     fmax(0, (leaving + a * since / 2) * since)};
}

#endif
