/* A potential collision, and the one order of all of them (assignment, "Specifications"). */
#ifndef PARTICLES_EVENT_H
#define PARTICLES_EVENT_H

#include <stdint.h>

/* A potential collision of a particle with another one or with the boundary; 16 bytes. */
struct event {
    double time; /* when it takes place; INFINITY: never */
    int32_t a;   /* index of the particle in the system; of two, the one with the lower id */
    int32_t b;   /* index of the other particle, or the code of a feature (boundary.h) */
};

/* As much of a collision of two particles, a and b, as sums over collisions need. */
struct impact {
    double time;
    double u[2], v[2], u_before[2], v_before[2], mass[2];
    double since[2];   /* from when on they had had the velocities before it */
    double dx, dy;     /* from the centre of a to the centre of the image of b that it met */
    int32_t number[2]; /* in the input */
};

/* The two kinds of collision partners. */
enum partner { PARTNER_PARTICLE, PARTNER_BOUNDARY };

/* The kind of partner that `b` of an event is. Only this function and boundary.h know its code. */
static inline enum partner event_partner(int32_t b)
{
    return b < 0 ? PARTNER_BOUNDARY : PARTNER_PARTICLE;
}

/* True if `left` comes before `right`: by time; at one time by particle a, then by b, where the
 * particles stand in the order of their ids. This is a total order of distinct events, so no
 * schedule's own history can ever decide a tie. */
static inline int event_before(const struct event *left, const struct event *right)
{
    if (left->time != right->time)
        return left->time < right->time;
    if (left->a != right->a)
        return left->a < right->a;
    return left->b < right->b;
}

#endif
