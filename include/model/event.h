/*
 * A potential collision, and the one order of all of them (assignment, "Specifications").
 */
#ifndef PARTICLES_EVENT_H
#define PARTICLES_EVENT_H

#include <stdint.h>

/* What stands in struct event for a second particle when a wall is hit. */
enum wall { WALL_LEFT = -1, WALL_RIGHT = -2, WALL_BOTTOM = -3, WALL_TOP = -4 };

/* A potential collision of a particle with another one or with a wall; 16 bytes. */
struct event {
    double time; /* when it would happen; INFINITY: never */
    int32_t a;   /* index of the particle in the system; of two, the one with the lower id */
    int32_t b;   /* index of the other particle, or an enum wall */
};

/*
 * Whether `left` comes before `right`: by time; at one time by particle a, then by b, where the
 * particles stand in the order of their ids. This is a total order of distinct events, so no
 * schedule's own history can ever decide a tie.
 */
static inline int event_before(const struct event *left, const struct event *right)
{
    if (left->time != right->time)
        return left->time < right->time;
    if (left->a != right->a)
        return left->a < right->a;
    return left->b < right->b;
}

#endif
