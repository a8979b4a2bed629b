/*
 * The memory module with allocations that fail on demand, linked into the program in place of
 * the real one: allocation number PARTICLES_FAIL_AT (from 1) fails, and with
 * PARTICLES_KEEP_FAILING=1 all after it do.
 */
#include <stdlib.h>

static void *failing_realloc(void *block, size_t bytes)
{
    static long allocations;
    const char *fail_at = getenv("PARTICLES_FAIL_AT");
    const char *keep_failing = getenv("PARTICLES_KEEP_FAILING");
    long first = fail_at ? strtol(fail_at, NULL, 10) : 0;
    int keeps = keep_failing && strtol(keep_failing, NULL, 10);
    allocations++;
    if (first > 0 && (allocations == first || (keeps && allocations > first)))
        return NULL;
    return realloc(block, bytes);
}

#define realloc failing_realloc
#include "../src/memory.c"
