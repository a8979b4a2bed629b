/*
 * An observer that takes a checksum of the answer that the run would print if it ended then, at
 * equally spaced times. So the answers of two runs can be compared without keeping them.
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
    struct decimals decimals; /* the times are rounded to these */
    size_t steps;             /* one less than the number of times; 0 if END_TIME is 0 */
    size_t taken;             /* number of checksums so far, up to steps + 1 */
    uint64_t *sums;           /* the checksum at each time; owned */
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
 * Whether two runs of the same particles up to the same time print the same lines at time number k.
 * Lines that differ have the same checksum with a probability of 2^-64. If one of the runs has not
 * reached that time, the answer is no.
 */
int answer_digest_are_alike(const struct answer_digest *a, const struct answer_digest *b, size_t k);

#endif
