/*
 * A pool of threads; see thread_pool.h.
 */
#ifdef __linux__
#define _GNU_SOURCE /* for the set of cores that a process may use */
#endif

#include "base/thread_pool.h"

#include "base/memory.h"

#include <stdint.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

unsigned threads_available(void)
{
    long cores = 1;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
    else
        cores = sysconf(_SC_NPROCESSORS_ONLN); /* more than a set has room for */
#elif defined _SC_NPROCESSORS_ONLN
    cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    if (cores < 1 || !threads_are_supported())
        return 1;
    return cores < THREADS_MOST ? (unsigned)cores : THREADS_MOST;
}

#ifdef __STDC_NO_THREADS__

struct thread_pool {
    unsigned count;
    thread_pool_task *task;
    void *user;
};

int threads_are_supported(void)
{
    return 0;
}

struct thread_pool *thread_pool_create(unsigned count, struct error *error)
{
    (void)count;
    struct thread_pool *pool = memory_allocate(1, sizeof *pool, "the threads", error);
    if (pool)
        pool->count = 1;
    return pool;
}

void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    pool->task = task;
    pool->user = user;
}

void thread_pool_end(struct thread_pool *pool)
{
    pool->task(pool->user, 0);
}

void thread_pool_free(struct thread_pool *pool)
{
    memory_free(pool);
}

#else

#include <signal.h>
#include <threads.h>

/* One of the pool that has been started. */
struct helper {
    struct thread_pool *pool;
    unsigned number;
    thrd_t thread;
};

struct thread_pool {
    unsigned count;         /* with the calling thread */
    thread_pool_task *task; /* NULL: they are to end */
    void *user;             /* of the task */
    unsigned long turn;     /* how many tasks there have been */
    unsigned working;       /* how many helpers have not done their part yet */
    mtx_t mutex;            /* protects all of these */
    cnd_t begin;            /* a turn has begun */
    cnd_t end;              /* all helpers have done their part */
    struct helper *helpers; /* count - 1 of them */
};

int threads_are_supported(void)
{
    return 1;
}

/* What a helper does: one task after the other. */
static int help(void *argument)
{
    const struct helper *helper = argument;
    struct thread_pool *pool = helper->pool;
    unsigned long turn = 0;
    for (;;) {
        mtx_lock(&pool->mutex);
        while (pool->turn == turn)
            cnd_wait(&pool->begin, &pool->mutex);
        turn = pool->turn;
        thread_pool_task *task = pool->task;
        void *user = pool->user;
        mtx_unlock(&pool->mutex);
        if (!task)
            return 0;
        task(user, helper->number);
        mtx_lock(&pool->mutex);
        if (--pool->working == 0)
            cnd_signal(&pool->end);
        mtx_unlock(&pool->mutex);
    }
}

void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    mtx_lock(&pool->mutex);
    pool->task = task;
    pool->user = user;
    pool->working = pool->count - 1;
    pool->turn++;
    cnd_broadcast(&pool->begin);
    mtx_unlock(&pool->mutex);
}

/* Makes what threads wait with. Returns 0, and leaves nothing, if that is not to be had. */
static int create_signals(struct thread_pool *pool)
{
    if (mtx_init(&pool->mutex, mtx_plain) != thrd_success)
        return 0;
    if (cnd_init(&pool->begin) == thrd_success) {
        if (cnd_init(&pool->end) == thrd_success)
            return 1;
        cnd_destroy(&pool->begin);
    }
    mtx_destroy(&pool->mutex);
    return 0;
}

/*
 * Starts a helper. It leaves signals to the calling thread, whose system calls they interrupt, and
 * whose variables their handlers set. Returns 0 if it cannot be started.
 */
static int start(struct helper *helper)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int result = thrd_create(&helper->thread, help, helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result == thrd_success;
}

struct thread_pool *thread_pool_create(unsigned count, struct error *error)
{
    struct thread_pool *pool = memory_allocate(1, sizeof *pool, "the threads", error);
    if (!pool)
        return NULL;
    *pool = (struct thread_pool){.count = 1};
    pool->helpers = memory_allocate(count, sizeof *pool->helpers, "the threads", error);
    if (!pool->helpers || !create_signals(pool)) {
        if (pool->helpers)
            error_set(error, STATUS_NO_MEMORY, "out of memory: the threads need more");
        memory_free(pool->helpers);
        memory_free(pool);
        return NULL;
    }
    while (pool->count < count) {
        struct helper *helper = &pool->helpers[pool->count - 1];
        *helper = (struct helper){.pool = pool, .number = pool->count};
        if (!start(helper))
            break;
        pool->count++;
    }
    /* What has no room for one more has none for the work either: some of them make room. */
    const unsigned fewer = pool->count / 2 + 1;
    if (pool->count == count || pool->count <= fewer)
        return pool;
    thread_pool_free(pool);
    return thread_pool_create(fewer, error);
}

void thread_pool_end(struct thread_pool *pool)
{
    pool->task(pool->user, 0);
    mtx_lock(&pool->mutex);
    while (pool->working > 0)
        cnd_wait(&pool->end, &pool->mutex);
    mtx_unlock(&pool->mutex);
}

void thread_pool_free(struct thread_pool *pool)
{
    if (!pool)
        return;
    thread_pool_begin(pool, NULL, NULL);
    for (unsigned k = 0; k + 1 < pool->count; k++)
        thrd_join(pool->helpers[k].thread, NULL);
    cnd_destroy(&pool->begin);
    cnd_destroy(&pool->end);
    mtx_destroy(&pool->mutex);
    memory_free(pool->helpers);
    memory_free(pool);
}

#endif

void thread_pool_run(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    if (!pool) {
        task(user, 0);
        return;
    }
    thread_pool_begin(pool, task, user);
    thread_pool_end(pool);
}

unsigned thread_pool_count(const struct thread_pool *pool)
{
    return pool ? pool->count : 1;
}

size_t thread_pool_share(const struct thread_pool *pool, size_t count, unsigned number)
{
    return (size_t)((uint64_t)count * number / thread_pool_count(pool));
}
