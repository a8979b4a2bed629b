/* The memory module with allocations that fail on demand, linked into the program in place of
 * the real one: allocation number PARTICLES_FAIL_AT (from 1) fails, and with
 * PARTICLES_KEEP_FAILING=1 all after it do. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Counts an allocation and returns whether it is to fail. */
static int fails(void)
{
    static atomic_long allocations; /* of all threads */
    const char *fail_at = getenv("PARTICLES_FAIL_AT");
    const char *keep_failing = getenv("PARTICLES_KEEP_FAILING");
    long first = fail_at ? strtol(fail_at, NULL, 10) : 0;
    int keeps = keep_failing && strtol(keep_failing, NULL, 10);
    const long allocation = atomic_fetch_add(&allocations, 1) + 1;
    return first > 0 && (allocation == first || (keeps && allocation > first));
}

static void *failing_realloc(void *block, size_t bytes)
{
    return fails() ? NULL : realloc(block, bytes);
}

static int failing_memalign(void **block, size_t alignment, size_t bytes)
{
    return fails() ? ENOMEM : posix_memalign(block, alignment, bytes);
}

static void *failing_calloc(size_t count, size_t size)
{
    return fails() ? NULL : calloc(count, size);
}

#define realloc        failing_realloc
#define calloc         failing_calloc
#define posix_memalign failing_memalign
#include "base/memory.c"
