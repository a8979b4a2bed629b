/*
 * Tests of tiles for which there is too little memory: whichever allocation fails, one thread goes
 * on alone, and each event is resolved and counted once.
 */
#include "agreement.h"
#include "check.h"
#include "gas.h"
#include "random_system.h"
#include "tiled.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_long allocations_left; /* up to the one that fails, which is the first; or less */

static void *failing_realloc(void *block, size_t bytes)
{
    return atomic_fetch_sub(&allocations_left, 1) == 1 ? NULL : realloc(block, bytes);
}

#define realloc failing_realloc
#include "../src/base/memory.c"

/* Runs a copy of `start` with each event after a time notified, and this allocation failing. */
static uint64_t count_resolved(const struct system *start, double end_time, double notify_from,
                               const struct schedule_threads *threads, long failing)
{
    struct error error;
    struct schedule *schedule;
    struct listener listener;
    struct system system = system_copy(start);
    listener_init(&listener, &system, 100000);
    listener.events = memory_allocate(listener.most, sizeof *listener.events, "a test", &error);
    listener.capacity = listener.most;
    listener.sink.notify_from = notify_from;
    CHECK(!tiles_create(&system, threads, &schedule, &error));
    atomic_store(&allocations_left, failing);
    CHECK(!listener_advance(&listener, schedule, end_time, &error));
    schedule_free(schedule);
    listener_free(&listener);
    uint64_t counted = 0; /* twice each event */
    for (size_t k = 0; k < system.count; k++)
        counted += 2 * system.counts[k].walls + system.counts[k].particles;
    CHECK(counted == 2 * listener.resolved);
    system_free(&system);
    return listener.resolved;
}

TEST(events_are_counted_once)
{
    const struct schedule_threads threads = {2, 20};
    struct system system = gas_create(2000, 0.3, 190);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].version = (uint32_t)k; /* as after some events */
    const double end_time = agreement_time(&system, 9000);
    const uint64_t count = count_resolved(&system, end_time, 0, &threads, 0);
    CHECK(count >= 9000);
    for (long failing = 1; allocations_left <= 0; failing++)
        CHECK(count_resolved(&system, end_time, 0.6 * end_time, &threads, failing) == count);
    system_free(&system);
}
