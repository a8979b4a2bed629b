/* Tests of tiles for which there is too little memory: whichever allocation fails, one thread goes
 * on alone, and each event is resolved and counted once. */
#include "agreement.h"
#include "check.h"
#include "gas.h"
#include "run/dynamics.h"
#include "tiled.h"

#include <stdatomic.h>

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
    struct schedule *schedule;
    struct listener listener;
    OWNED(system, system) = system_copy(start);
    listener_init(&listener, &system, 100000);
    listener.events = memory_allocate(listener.most, sizeof *listener.events, "a test", &failure);
    listener.capacity = listener.most;
    listener.sink.notify_from = notify_from;
    CHECK(!tiles_create(&system, threads, &schedule, &failure));
    atomic_store(&allocations_left, failing);
    CHECK(!listener_advance(&listener, schedule, end_time, &failure));
    schedule_free(schedule);
    listener_free(&listener);
    uint64_t counted = 0; /* twice each event */
    for (size_t k = 0; k < system.count; k++)
        counted += 2 * system.counts[k].walls + system.counts[k].particles;
    CHECK(counted == 2 * listener.resolved);
    return listener.resolved;
}

/* Of rough disks, which take more. */
RANDOM_TEST(events_are_counted_once, 190)
{
    const struct schedule_threads threads = {2, 20};
    OWNED(system, system) = gas_create(2000, 0.3, 190);
    system.law = ELASTIC;
    random_rough(random, &system);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].version = (uint32_t)k; /* as after some events */
    const double end_time = agreement_time(&system, 9000);
    const uint64_t count = count_resolved(&system, end_time, 0, &threads, 0);
    CHECK(count >= 9000);
    const long step = check_is_thorough() ? 1 : 3;
    for (long failing = 1; allocations_left <= 0; failing += step)
        CHECK(count_resolved(&system, end_time, 0.6 * end_time, &threads, failing) == count);
}

static atomic_int warnings;

static void count_warning(const struct error *error)
{
    warnings += strstr(error->message, "the run goes on") != NULL;
}

/* Where a run has no tiles, or fewer threads, because this allocation fails, it says so. Returns
 * whether an allocation has failed. */
static int check_warned(const struct system *start, double end_time, long failing)
{
    const struct schedule_threads threads = {2, 20};
    struct schedule *schedule = NULL;
    struct observers observers = {
        .next_sample = INFINITY, .notify_from = INFINITY, .warn = count_warning};
    OWNED(system, system) = system_copy(start);
    warnings = 0;
    atomic_store(&allocations_left, failing);
    enum status status = schedule_create(SCHEDULE_CELLS, &system, &threads, &schedule, &failure);
    if (!status)
        status = simulation_run(schedule, end_time, &observers, &failure);
    const int has_tiles =
        schedule && schedule->operations->advance && tiles_outcomes(schedule)[TILES_DONE] > 0;
    CHECK(status == STATUS_DONE || status == STATUS_NO_MEMORY);
    CHECK(status || warnings == 1 || (warnings == 0 && has_tiles));
    schedule_free(schedule);
    return atomic_exchange(&allocations_left, 0) <= 0;
}

TEST(a_lack_of_memory_is_no_secret)
{
    atomic_store(&allocations_left, 0);
    OWNED(system, system) = gas_create(2000, 0.3, 190);
    const double end_time = agreement_time(&system, 300);
    long failing = 1;
    while (check_warned(&system, end_time, failing))
        failing++;
    CHECK(failing > 20);
}
