/*
 * Threads that behave badly, linked into the program in place of the real ones: no more than
 * PARTICLES_THREADS can be there at a time, and with PARTICLES_NAP=MICROSECONDS each of them sleeps
 * for up to that long before and after its part of a task, and before and after each tile, at
 * random from PARTICLES_SEED.
 */
#ifdef __linux__
#define _GNU_SOURCE /* as thread_pool.c asks for */
#endif

#ifndef __STDC_NO_THREADS__

#include "base/random.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static unsigned long number(const char *name, unsigned long otherwise)
{
    const char *value = getenv(name);
    return value ? strtoul(value, NULL, 10) : otherwise;
}

/* Every sleep has a number, and its length follows from that: which thread it is, is chance. */
static void nap(void)
{
    static atomic_ulong naps;
    const unsigned long longest = number("PARTICLES_NAP", 0);
    struct random_generator random;
    if (longest == 0)
        return;
    random_seed(&random, number("PARTICLES_SEED", 1) + (atomic_fetch_add(&naps, 1) << 20));
    const double seconds = 1e-6 * (double)longest * random_unit(&random);
    const struct timespec time = {(time_t)seconds,
                                  (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static unsigned long present; /* threads that have been started and not joined */

static int odd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    if (present == number("PARTICLES_THREADS", 1000000))
        return thrd_error;
    present++;
    return thrd_create(thread, start, argument);
}

static int odd_join(thrd_t thread, int *result)
{
    present--;
    return thrd_join(thread, result);
}

static int odd_lock(mtx_t *mutex)
{
    nap();
    return mtx_lock(mutex);
}

static int odd_unlock(mtx_t *mutex)
{
    const int result = mtx_unlock(mutex);
    nap();
    return result;
}

#define tile_worker_run plain_worker_run
#include "schedule/tile_worker.c"
#undef tile_worker_run

void tile_worker_run(struct tile_worker *worker, struct tile *tile)
{
    nap();
    plain_worker_run(worker, tile);
    nap();
}

#define thrd_create odd_create
#define thrd_join   odd_join
#define mtx_lock    odd_lock
#define mtx_unlock  odd_unlock

#else
#include "schedule/tile_worker.c"
#endif

#include "base/thread_pool.c"
