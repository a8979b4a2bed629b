/*
 * What a run would print if it ended earlier: an observer that takes a checksum of all printed
 * lines at equally spaced times, so that two runs can be compared without keeping what they print.
 */
#ifndef PARTICLES_ANSWER_DIGEST_H
#define PARTICLES_ANSWER_DIGEST_H

#include "io/number.h"
#include "run/observer.h"

#include <stdint.h>

enum { ANSWER_DIGEST_MOST_STEPS = 1000, ANSWER_DIGEST_MOST = ANSWER_DIGEST_MOST_STEPS + 1 };

/* An observer; its fields are to be read only. */
struct answer_digest {
    struct observer observer; /* the first member: see observer.h */
    double end_time;
    struct decimals decimals; /* those that the times are */
    size_t steps;             /* from one time to the next; 0 if END_TIME is 0 */
    size_t taken;             /* how many checksums there are, up to steps + 1 */
    uint64_t *sums;           /* of the lines at each time; owned */
};

/*
 * Makes an observer of a run up to `end_time`. It divides that time into ANSWER_DIGEST_MOST_STEPS
 * steps, into fewer, but at least 10, where there are more than 10 000 particles. Returns
 * STATUS_DONE, or STATUS_NO_MEMORY.
 */
enum status answer_digest_create(double end_time, struct answer_digest **digest,
                                 struct error *error);

/*
 * Time number k, from 0 to `steps`: a short decimal number (exact as a double, and as text) next to
 * k END_TIME / steps; the first is 0 and the last END_TIME.
 */
double answer_digest_time(const struct answer_digest *digest, size_t k);

/*
 * Whether two runs of the same particles up to the same time print the same lines at time number k:
 * of those who do not, one in 2^64 would not be noticed. A run that has not got there prints
 * nothing.
 */
int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k);

#endif
