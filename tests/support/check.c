/*
 * Counts tests and reports those that fail; see check.h.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

static int passed;
static int failed;
static int faults; /* of the test that is running */

int check_that(int holds, const char *condition, const char *file, int line)
{
    if (!holds && ++faults <= 10)
        printf("%s:%d: does not hold: %s\n", file, line, condition);
    return holds;
}

void check_run(const char *name, void (*test)(void))
{
    faults = 0;
    test();
    if (faults > 0) {
        printf("FAILED %s (%d faults)\n", name, faults);
        failed++;
    } else {
        passed++;
    }
    fflush(stdout);
}

int check_is_quick(void)
{
    const char *quick = getenv("QUICK");
    return quick && *quick;
}

int check_finish(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
