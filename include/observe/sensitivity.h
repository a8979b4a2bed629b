/* The observer behind --sensitivity: tests whether the input determines the printed answer. It runs
 * again with coordinates moved by the last bit, and compares the answers. */
#ifndef PARTICLES_SENSITIVITY_H
#define PARTICLES_SENSITIVITY_H

#include "io/number.h"
#include "run/observer.h"
#include "schedule/schedule.h"

#include <stdint.h>

enum { SENSITIVITY_DEFAULT_RUNS = 8, SENSITIVITY_MAX_RUNS = 10000 };

/*
 * In `finish` does the perturbed runs and writes a report, which the manual page explains: lines
 * "particles: sensitivity: KEY: ...", or a file, which in the end is complete or absent. The
 * perturbed runs take K times as long as the run on one thread, and memory for a schedule and copy
 * of the particles for each thread, and for one further copy. If a perturbed run cannot reach
 * END_TIME, because a disk without room collides without end, its answer counts as different.
 */
extern const struct observer_operations sensitivity_operations;

/* An observer that takes a checksum of the answer that the run would print if it ended then, at
 * equally spaced times. So the answers of two runs can be compared without keeping them. */
enum { ANSWER_DIGEST_MAX_STEPS = 1000, ANSWER_DIGEST_MAX = ANSWER_DIGEST_MAX_STEPS + 1 };

/* Its fields are to be read only. */
struct answer_digest {
    struct observer observer; /* the first member: see observer.h */
    double end_time;
    struct decimals decimals;         /* the times are rounded to these */
    size_t steps;                     /* one less than the number of times; 0 if END_TIME is 0 */
    size_t taken;                     /* number of checksums so far, up to steps + 1 */
    uint64_t sums[ANSWER_DIGEST_MAX]; /* the checksum at each time */
};

/* Divides the time up to `end_time` into ANSWER_DIGEST_MAX_STEPS steps or, of more than 10 000
 * particles, into fewer, but at least 10. */
void answer_digest_init(struct answer_digest *digest, double end_time);

/* Time number k, from 0 to `steps`: a short decimal number (exact as a double, and as text) next to
 * k END_TIME / steps; the first is 0 and the last END_TIME. */
double answer_digest_time(const struct answer_digest *digest, size_t k);

/* Whether two runs print the same lines at time number k. Lines that differ have the same checksum
 * with a probability of 2^-64. If one of the runs has not reached that time, the answer is no. */
int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k);

#endif
