/*
 * Reads the clock seldom: that takes longer than some events do. It is read after a number of
 * events. The number is doubled as long as they take little time, and set to 1 when they take more.
 */
#ifndef PARTICLES_PACE_H
#define PARTICLES_PACE_H

#include <stdint.h>

struct pace {
    double (*clock)(void); /* seconds since any moment; it does not go back */
    double quick;          /* events that take less together need not be timed one by one */
    double asked;          /* when the clock was read last */
    uint64_t left, step;   /* events until it is read again; and between two readings */
};

/* Reads the clock for the first time, and returns the time. */
static inline double pace_begin(struct pace *pace, double (*clock)(void), double quick)
{
    *pace = (struct pace){.clock = clock, .quick = quick, .asked = clock(), .left = 1, .step = 1};
    return pace->asked;
}

/* Counts an event. Returns 1, with the time, if the clock was read, and otherwise 0. */
static inline int pace_count(struct pace *pace, double *now)
{
    static const uint64_t max_step = 4096;
    if (--pace->left > 0)
        return 0;
    *now = pace->clock();
    if (*now - pace->asked >= pace->quick)
        pace->step = 1;
    else if (pace->step < max_step)
        pace->step *= 2;
    pace->left = pace->step;
    pace->asked = *now;
    return 1;
}

#endif
