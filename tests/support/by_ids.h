/* Events by the ids of their particles, wherever these are in memory. */
#ifndef PARTICLES_TESTS_BY_IDS_H
#define PARTICLES_TESTS_BY_IDS_H

#include "model/event.h"
#include "model/system.h"

/* An event with ids in place of indices, the lower one first, as event_before wants it. */
static inline struct event by_ids(const struct system *system, struct event event)
{
    int32_t a = system->particles[event.a].id;
    int32_t b = event.b < 0 ? event.b : system->particles[event.b].id;
    if (b >= 0 && b < a)
        return (struct event){event.time, b, a};
    return (struct event){event.time, a, b};
}

#endif
