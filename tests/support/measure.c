/*
 * What the measuring programs share; see measure.h.
 */
#include "measure.h"

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
