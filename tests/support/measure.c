/* What the measuring programs share; see measure.h. */
#include "measure.h"

#include <stdarg.h>
#include <time.h>

/* Each line of a table is seen as soon as it is printed. */
__attribute__((constructor)) static void begin(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
}

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double measure_seconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double measure_clock(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

void measure_fail(const char *message)
{
    fprintf(stderr, "measuring failed: %s\n", message);
    exit(EXIT_FAILURE);
}

const char *measure_text(const char *format, ...)
{
    static char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

void measure_begin_table(void)
{
    printf("| quantity | expected | measured | deviation | bound |\n|---|---:|---:|---:|---:|\n");
}

static int compared, off; /* comparisons: all, and those that are not well */

void measure_check(int is_well)
{
    compared++;
    off += !is_well;
}

void measure_row(const char *quantity, double expected, double measured, double deviation,
                 double bound)
{
    const int is_out = !(fabs(deviation) <= bound);
    printf("| %s | %.8g | %.8g | %.2g | %.2g |%s\n", quantity, expected, measured, deviation, bound,
           is_out ? " out of bounds" : "");
    measure_check(!is_out);
}

void measure_deviation(double difference, double error)
{
    printf(" %+.1f |", difference / error);
    measure_check(fabs(difference / error) <= 3);
}

int measure_finish(void)
{
    printf("\n%d of %d values are as expected\n", compared - off, compared);
    return off ? EXIT_FAILURE : EXIT_SUCCESS;
}

struct measured_mean measure_estimate(const double *values, size_t count)
{
    const double all = (double)count;
    double mean = 0, squares = 0;
    for (size_t k = 0; k < count; k++)
        mean += values[k] / all;
    for (size_t k = 0; k < count; k++)
        squares += (values[k] - mean) * (values[k] - mean);
    return (struct measured_mean){mean, sqrt(squares / (all * (all - 1)))};
}
