/* A potential collision, and the one order of all of them (assignment, "Specifications"); and what
 * is known of a collision that has taken place. */
#ifndef PARTICLES_EVENT_H
#define PARTICLES_EVENT_H

#include "model/pair.h"

/* A potential collision of a particle with another one or with the boundary; 16 bytes. */
struct event {
    double time; /* when it takes place; INFINITY: never */
    int32_t a;   /* index of the particle in the system; of two, the one with the lower id */
    int32_t b;   /* index of the other particle, or the code of a feature (boundary.h) */
};

/* The two kinds of collision partners. */
enum event_partner { PARTNER_PARTICLE, PARTNER_BOUNDARY };

/* The kind of partner that `b` of an event is. Only this function and boundary.h know its code. */
static inline enum event_partner event_partner(int32_t b)
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

/* One of the particles of a collision. */
struct collision_particle {
    int32_t number;            /* in the input */
    double x, y;               /* its centre at the collision, length */
    double u, v;               /* its velocity after it, length per time; */
    double u_before, v_before; /* and before, */
    double since;              /* which it had since this time */
    double radius, mass;
};

/* A collision, by value; or that a stream has given a particle another velocity at a seam. */
struct collision {
    double time;
    enum event_partner partner;
    int32_t feature;    /* of the boundary, where that is the partner */
    int is_reinjection; /* feature is the seam that a has reached; it goes on where a.x is 0 or
                           Lx, or a.y 0 or Ly */
    int is_absorbed;    /* the wall has absorbed a, whose velocity after it is 0 */
    struct collision_particle a,
        b;         /* b only where the partner is a particle; then a.number < b.number */
    double dx, dy; /* then: from the centre of a to the centre of the image of b that it met */
    struct pair_shift shift; /* of the image of b, or of a polygon, that a met */
};

#endif
