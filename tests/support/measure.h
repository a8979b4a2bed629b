/* What the measuring programs share. */
#ifndef PARTICLES_TESTS_MEASURE_H
#define PARTICLES_TESTS_MEASURE_H

#include "owned.h"

static const double pi = 3.14159265358979323846;

/* How often each thing is measured; the best one counts. */
enum { MEASURE_ROUNDS = 5 };

/* Processor time used so far by this process, in seconds: other programs do not count. */
double measure_seconds(void);

/* The time by the clock, in seconds: several threads take less of it than of their processors'
 * time. */
double measure_clock(void);

/* Ends the process with a message. */
void measure_fail(const char *message);

/* Begins a table of what is expected and what was measured. */
void measure_begin_table(void);

/* A text as of printf, up to the next call. */
__attribute__((format(printf, 1, 2))) const char *measure_text(const char *format, ...);

/* Prints a row of it. A deviation, in units that the quantity's name suggests, of more than `bound`
 * is marked, and lets the program fail. */
void measure_row(const char *quantity, double expected, double measured, double deviation,
                 double bound);

/* Counts a comparison; unless `is_well`, the program fails. */
void measure_check(int is_well);

/* The end of a table's line: how far a value is from what is expected, in standard errors. More
 * than 3 let the program fail. */
void measure_deviation(double difference, double error);

/* Prints how many comparisons were well, and returns main's exit status: failure, unless all. */
int measure_finish(void);

/* A mean and its standard error. */
struct measured_mean {
    double mean, error;
};

/* Of `count` independent values, at least 2. */
struct measured_mean measure_estimate(const double *values, size_t count);

#endif
