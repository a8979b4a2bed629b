/* Counts tests and reports those that fail; see check.h. */
#include "check.h"

static struct check_test *tests;
static int faults; /* of the test that is running */

int check_that(int holds, const char *condition, const char *file, int line)
{
    if (!holds && ++faults <= 10)
        printf("%s:%d: does not hold: %s\n", file, line, condition);
    return holds;
}

void check_register(struct check_test *test)
{
    struct check_test **slot = &tests;
    while (*slot && (*slot)->line < test->line)
        slot = &(*slot)->next;
    test->next = *slot;
    *slot = test;
}

int check_has_failed(void)
{
    return faults > 0;
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

int check_run_tests(void)
{
    int passed = 0, failed = 0;
    for (const struct check_test *test = tests; test; test = test->next) {
        faults = 0;
        scratch_enter();
        test->run();
        scratch_leave();
        if (faults > 0)
            printf("FAILED %s (%d faults)\n", test->name, faults);
        failed += faults > 0;
        passed += faults == 0;
        fflush(stdout);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
