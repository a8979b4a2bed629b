/*
 * The times of frames: k * interval, one multiplication, so that rounding errors do not add up; and
 * the end of the run, also if that is no multiple of the interval, or one only but for rounding, as
 * 0.3 misses 3 * 0.1, and 3 * 0.7 misses 2.1.
 */
#ifndef PARTICLES_FRAMES_H
#define PARTICLES_FRAMES_H

#include <float.h>
#include <math.h>
#include <stdint.h>

struct frames {
    double interval; /* positive */
    double end_time; /* of the run */
};

/* Whether frame k would be before the end, by more than rounding. */
static inline int frames_is_before_end(const struct frames *frames, uint64_t k)
{
    const double rounding = 2 * DBL_EPSILON * frames->end_time;
    return (double)k * frames->interval < frames->end_time - rounding;
}

/* The time of frame k; INFINITY if there is none. */
static inline double frames_time(const struct frames *frames, uint64_t k)
{
    if (frames_is_before_end(frames, k))
        return (double)k * frames->interval;
    return k == 0 || frames_is_before_end(frames, k - 1) ? frames->end_time : (double)INFINITY;
}

/* Whether frame k is at a multiple of the interval, up to rounding: all but perhaps the last. */
static inline int frames_is_regular(const struct frames *frames, uint64_t k)
{
    const double rounding = 2 * DBL_EPSILON * frames->end_time;
    return fabs((double)k * frames->interval - frames_time(frames, k)) <= rounding;
}

/* The first frame that is not before a time from 0 to the end, which is at most 2^53 intervals
 * away. */
static inline uint64_t frames_first(const struct frames *frames, double time)
{
    uint64_t k = (uint64_t)(time / frames->interval);
    while (k > 0 && frames_time(frames, k - 1) >= time)
        k--;
    while (frames_time(frames, k) < time)
        k++;
    return k;
}

#endif
