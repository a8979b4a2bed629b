/*
 * What the measuring programs share; see measure.h.
 */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double measure_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void measure_fail(const char *message)
{
    fprintf(stderr, "measuring failed: %s\n", message);
    exit(EXIT_FAILURE);
}

void measure_begin_table(void)
{
    printf("| quantity | expected | measured | deviation | bound |\n|---|---:|---:|---:|---:|\n");
}

static int is_out_of_bounds; /* some row */

void measure_row(const char *quantity, double expected, double measured, double deviation,
                 double bound)
{
    const int is_out = !(fabs(deviation) <= bound);
    printf("| %s | %.8g | %.8g | %.2g | %.2g |%s\n", quantity, expected, measured, deviation, bound,
           is_out ? " out of bounds" : "");
    fflush(stdout);
    is_out_of_bounds |= is_out;
}

int measure_finish(void)
{
    return is_out_of_bounds ? EXIT_FAILURE : EXIT_SUCCESS;
}

struct measured_mean measure_estimate(const double *values, size_t count)
{
    const double all = (double)count;
    double mean = 0;
    double squares = 0;
    for (size_t k = 0; k < count; k++)
        mean += values[k] / all;
    for (size_t k = 0; k < count; k++)
        squares += (values[k] - mean) * (values[k] - mean);
    return (struct measured_mean){mean, sqrt(squares / (all * (all - 1)))};
}
