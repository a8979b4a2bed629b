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

/* Begins a table of what is expected and what was measured. */
void measure_begin_table(void);

/*
 * Prints a row of it. A deviation, in units that the quantity's name suggests, of more than `bound`
 * is marked, and lets the program fail.
 */
void measure_row(const char *quantity, double expected, double measured, double deviation,
                 double bound);

/* Returns main's exit status: failure, if a row was out of bounds. */
int measure_finish(void);

/* A mean and its standard error. */
struct measured_mean {
    double mean, error;
};

/* Of `count` independent values, at least 2. */
struct measured_mean measure_estimate(const double *values, size_t count);

#endif
