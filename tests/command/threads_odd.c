/* Threads that behave badly, linked into the program in place of the real ones: no more than
 * PARTICLES_THREADS can be there at a time, and with PARTICLES_NAP=MICROSECONDS each of them sleeps
 * for up to that long before and after its part of a task, and before and after each tile, at
 * random from PARTICLES_SEED. */
#ifdef __linux__
#define _GNU_SOURCE /* as thread_pool.c asks for */
#endif

#include "base/random.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
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

static int odd_create(pthread_t *thread, const pthread_attr_t *attributes,
                      void *(*start)(void *argument), void *argument)
{
    if (present == number("PARTICLES_THREADS", 1000000))
        return EAGAIN;
    present++;
    return pthread_create(thread, attributes, start, argument);
}

static int odd_join(pthread_t thread, void **result)
{
    present--;
    return pthread_join(thread, result);
}

static int odd_lock(pthread_mutex_t *mutex)
{
    nap();
    return pthread_mutex_lock(mutex);
}

static int odd_unlock(pthread_mutex_t *mutex)
{
    const int result = pthread_mutex_unlock(mutex);
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

#define pthread_create       odd_create
#define pthread_join         odd_join
#define pthread_mutex_lock   odd_lock
#define pthread_mutex_unlock odd_unlock

#include "base/thread_pool.c"
