/*
 * Threads that work together: a pool is started once, and then given one task after the other.
 *
 * For a pool, NULL stands for the calling thread alone. Signals are left to the calling thread.
 *
 * Failure. A thread that cannot be started is no error: the others do its work. Where that makes a
 * run slower, thread_pool_warn says so. A task that can fail leaves its status and message in data
 * of its thread; when all have finished, the failure of the thread with the lowest number is the
 * result. Where several threads take too much memory, the caller frees them and does with fewer.
 */
#ifndef PARTICLES_THREAD_POOL_H
#define PARTICLES_THREAD_POOL_H

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { THREADS_MAX = 1024 };

/* How many processor cores this process may use, at least 1, at most THREADS_MAX: the cores that it
 * may run on, or fewer by threads_quota, SLURM_CPUS_PER_TASK or OMP_NUM_THREADS. */
unsigned threads_available(void);

/* How many cores control groups of Linux leave a process, perhaps no whole number; INFINITY: any
 * number. `list` is its /proc/PID/cgroup, and `root` the folder of all hierarchies. (Linux,
 * Documentation/admin-guide/cgroup-v2.rst, "cpu.max"; scheduler/sched-bwc.rst, "cpu.cfs_quota_us".)
 */
double threads_quota(const char *list, const char *root);

struct thread_pool;

/* A pool of up to `count` threads, the calling one included, for thread_pool_free. If one cannot be
 * started, the pool keeps half of those that were. Returns NULL, if need be. */
struct thread_pool *thread_pool_create(unsigned count);

/* How many there are; at least 1. */
unsigned thread_pool_count(const struct thread_pool *pool);

/* Gives `warn`, unless that is NULL, a message if there are fewer threads than were wanted. */
void thread_pool_warn(const struct thread_pool *pool, unsigned wanted,
                      void (*warn)(const struct error *error));

/* A task, as each thread of the pool runs it. Threads are numbered; the calling one is 0. */
typedef void thread_pool_task(void *user, unsigned number);

/* Runs a task on each thread of the pool, and returns when all have finished it. */
void thread_pool_run(struct thread_pool *pool, thread_pool_task *task, void *user);

/* thread_pool_run in two steps: the other threads begin; the calling one, which can do something
 * else meanwhile, runs the same task, too, and waits for them. */
void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user);
void thread_pool_end(struct thread_pool *pool, thread_pool_task *task, void *user);

/* The first of `count` items of thread `number`, if they are shared equally, in their order. */
size_t thread_pool_share(const struct thread_pool *pool, size_t count, unsigned number);

/* A task for items from `begin` up to `end`. */
typedef void thread_pool_part(void *user, size_t begin, size_t end);

/* Shares `count` items among the threads of the pool, and returns when all are done. */
void thread_pool_divide(struct thread_pool *pool, size_t count, thread_pool_part *part, void *user);

/* Adds 1 to a number that the threads of `pool` share, and returns what it was. */
static inline uint32_t thread_pool_add(const struct thread_pool *pool,
                                       atomic_uint_least32_t *number)
{
    if (pool)
        return (uint32_t)atomic_fetch_add_explicit(number, 1, memory_order_relaxed);
    const uint_least32_t old = atomic_load_explicit(number, memory_order_relaxed);
    atomic_store_explicit(number, old + 1, memory_order_relaxed);
    return (uint32_t)old;
}

/* Raises the largest of the values that threads find, from 0, kept as the bits of a double. */
static inline void thread_pool_raise(atomic_ullong *largest, double value)
{
    unsigned long long bits, old = *largest;
    memcpy(&bits, &value, sizeof bits);
    while (old < bits && !atomic_compare_exchange_weak(largest, &old, bits))
        continue;
}

static inline double thread_pool_raised(const atomic_ullong *largest)
{
    const unsigned long long bits = *largest;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Ends the pool, and gives back all its memory; NULL is allowed. */
void thread_pool_free(struct thread_pool *pool);

#endif
