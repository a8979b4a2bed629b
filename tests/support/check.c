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

/* Whether an environment variable is set, and not empty. */
static int is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

int check_is_quick(void)
{
    return is_set("QUICK");
}

int check_is_thorough(void)
{
    return is_set("THOROUGH");
}

int check_finish(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
