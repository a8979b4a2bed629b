/*
 * What the measuring programs share.
 */
#ifndef PARTICLES_TESTS_MEASURE_H
#define PARTICLES_TESTS_MEASURE_H

#include <stddef.h>

/* How often each thing is measured; the best one counts. */
enum { MEASURE_ROUNDS = 5 };

/* Processor time used so far by this process, in seconds: other programs do not count. */
double measure_seconds(void);

/* Ends the process with a message. */
void measure_fail(const char *message);

/* A mean and its standard error. */
struct estimate {
    double mean, error;
};

/* Of `count` independent values, at least 2. */
struct estimate measure_estimate(const double *values, size_t count);

#endif
