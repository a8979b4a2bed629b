/*
 * A pool of threads; see thread_pool.h.
 */
#ifdef __linux__
#define _GNU_SOURCE /* for the set of cores that a process may use */
#endif

#include "base/thread_pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
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
    if (cores < 1)
        return 1;
    return cores < THREADS_MOST ? (unsigned)cores : THREADS_MOST;
}

/* Nothing here needs more than 64 kB; the thread sanitizer adds most of a megabyte. */
enum { STACK_SIZE = 1 << 20 };

/*
 * One of the pool that has been started. Its stack is memory like any other: C libraries keep
 * stacks of their own, of 8 MB each, when a thread has ended, and then one thread may lack them.
 */
struct helper {
    struct thread_pool *pool;
    unsigned number;
    pthread_t thread;
    void *stack;
};

struct thread_pool {
    unsigned count;         /* with the calling thread */
    thread_pool_task *task; /* NULL: they are to end */
    void *user;             /* of the task */
    unsigned long turn;     /* how many tasks there have been */
    unsigned working;       /* how many helpers have not done their part yet */
    pthread_mutex_t mutex;  /* protects all of these */
    pthread_cond_t begin;   /* a turn has begun */
    pthread_cond_t end;     /* all helpers have done their part */
    struct helper *helpers; /* count - 1 of them */
};

/* What a helper does: one task after the other. */
static void *help(void *argument)
{
    const struct helper *helper = argument;
    struct thread_pool *pool = helper->pool;
    unsigned long turn = 0;
    for (;;) {
        pthread_mutex_lock(&pool->mutex);
        while (pool->turn == turn)
            pthread_cond_wait(&pool->begin, &pool->mutex);
        turn = pool->turn;
        thread_pool_task *task = pool->task;
        void *user = pool->user;
        pthread_mutex_unlock(&pool->mutex);
        if (!task)
            return NULL;
        task(user, helper->number);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->working == 0)
            pthread_cond_signal(&pool->end);
        pthread_mutex_unlock(&pool->mutex);
    }
}

void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    pthread_mutex_lock(&pool->mutex);
    pool->task = task;
    pool->user = user;
    pool->working = pool->count - 1;
    pool->turn++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->mutex);
}

/* Makes what threads wait with. Returns 0, and leaves nothing, if that is not to be had. */
static int create_signals(struct thread_pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0)
        return 0;
    if (pthread_cond_init(&pool->begin, NULL) == 0) {
        if (pthread_cond_init(&pool->end, NULL) == 0)
            return 1;
        pthread_cond_destroy(&pool->begin);
    }
    pthread_mutex_destroy(&pool->mutex);
    return 0;
}

/* Starts a helper on its stack. Returns 0 if it cannot be started. */
static int start_on_stack(struct helper *helper)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    int result = pthread_attr_setstack(&attributes, helper->stack, STACK_SIZE);
    if (result == 0)
        result = pthread_create(&helper->thread, &attributes, help, helper);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

/*
 * Starts a helper. It leaves signals to the calling thread, whose system calls they interrupt, and
 * whose variables their handlers set. Returns 0 if it cannot be started.
 */
static int start(struct helper *helper)
{
    struct error error; /* of no interest: there is a thread less */
    sigset_t all;
    sigset_t before;
    helper->stack = memory_allocate(STACK_SIZE, 1, "a thread", &error);
    if (!helper->stack)
        return 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int is_started = start_on_stack(helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started)
        memory_free(helper->stack);
    return is_started;
}

struct thread_pool *thread_pool_create(unsigned count, struct error *error)
{
    memory_return_blocks();
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
    pthread_mutex_lock(&pool->mutex);
    while (pool->working > 0)
        pthread_cond_wait(&pool->end, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void thread_pool_free(struct thread_pool *pool)
{
    if (!pool)
        return;
    thread_pool_begin(pool, NULL, NULL);
    for (unsigned k = 0; k + 1 < pool->count; k++) {
        pthread_join(pool->helpers[k].thread, NULL);
        memory_free(pool->helpers[k].stack);
    }
    pthread_cond_destroy(&pool->begin);
    pthread_cond_destroy(&pool->end);
    pthread_mutex_destroy(&pool->mutex);
    memory_free(pool->helpers);
    memory_free(pool);
}

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
