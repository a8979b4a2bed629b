/*
 * What happens where something arrives at a hard wall or a hard disk within a substep.
 *
 * The loop kicks and then drifts, so a stored velocity is that of the middle of the substep. If it
 * were reflected as it is, each bounce under gravity would lose height. So the velocity is taken at
 * the moment of contact, reflected there, and what is left of the substep is made with it: that is
 * exact where forces are constant. (M. Mueller et al., Detailed rigid body simulation with extended
 * position based dynamics, 2020, section 3.6, reflects after projection; it has the threshold.)
 */
#ifndef PARTICLES_IMPACT_H
#define PARTICLES_IMPACT_H

#include <math.h>

/* An arrival, along the normal, which points away from what is met. */
struct arrival {
    double speed;        /* before it, stored, length per time; less than 0: towards it */
    double acceleration; /* by forces, length per time squared */
    double threshold;    /* what is slower comes to rest, length per time, from 0 */
    double since;        /* how long before the end of the substep the straight path touches */
};

struct departure {
    int is_rest;  /* it is too slow for a bounce, or leaves already: it is to be held off only */
    double speed; /* with which it leaves, stored as above, */
    double gap;   /* and how far it is when the substep ends, length, from 0 */
};

/* What becomes of an arrival in a substep of length dt, of whose speed the part `restitution`, from
 * 0 to 1, is left. */
static inline struct departure impact_leave(const struct arrival *arrival, double restitution,
                                            double dt)
{
    const double a = arrival->acceleration;
    double since = arrival->since;
    if (!(arrival->speed < 0))
        return (struct departure){.is_rest = 1};
    since -= a * since * (dt - since) / (2 * arrival->speed); /* the path is a parabola */
    since = fmin(fmax(since, 0), dt);
    const double later = a * (dt / 2 - since); /* what is faster at contact than in the middle */
    const double speed = arrival->speed + later;
    if (-speed <= arrival->threshold)
        return (struct departure){.is_rest = 1};
    const double leaving = -restitution * speed;
    return (struct departure){0, leaving - later, fmax(0, (leaving + a * since / 2) * since)};
}

#endif
