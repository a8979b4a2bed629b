/*
 * What the measuring programs share.
 */
#ifndef PARTICLES_TESTS_MEASURE_H
#define PARTICLES_TESTS_MEASURE_H

/* How often each thing is measured; the best one counts. */
enum { MEASURE_ROUNDS = 5 };

/* Processor time used so far by this process, in seconds: other programs do not count. */
double measure_seconds(void);

/* Ends the process with a message. */
void measure_fail(const char *message);

#endif
