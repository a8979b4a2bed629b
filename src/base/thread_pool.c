/* A pool of threads; see thread_pool.h. */
#ifdef __linux__
#define _GNU_SOURCE /* for the set of cores that a process may use */
#endif

#include "base/thread_pool.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

enum { FOLDER_SIZE = 2000 }; /* of the path of a control group */

/* Reads whole numbers from a file of a control group. Returns how many. */
static int read_numbers(const char *folder, const char *name, double *first, double *second)
{
    char path[FOLDER_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    const int count = file ? fscanf(file, "%lf %lf", first, second) : 0;
    if (file)
        fclose(file);
    return count;
}

/* The cores that a control group of Linux gives: microseconds of processor time, by the period in
 * which it can use them. INFINITY: it has no limit, which its files call "max", or -1. */
static double read_quota(const char *folder)
{
    double time = -1, period = -1, none;
    if (read_numbers(folder, "cpu.max", &time, &period) <= 0 &&
        read_numbers(folder, "cpu.cfs_quota_us", &time, &none) > 0)
        read_numbers(folder, "cpu.cfs_period_us", &period, &none);
    return time > 0 && period > 0 ? time / period : (double)INFINITY;
}

/* A process has a group in each hierarchy, a line "NUMBER:CONTROLLERS:PATH" of `list`. The limits
 * of the groups that contain it hold, too. */
double threads_quota(const char *list, const char *root)
{
    double least = (double)INFINITY;
    char line[FOLDER_SIZE / 2], folder[FOLDER_SIZE];
    FILE *file = fopen(list, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(++controllers, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        snprintf(folder, sizeof folder, "%s/%s%s", root, controllers, group);
        const size_t shortest = strlen(root) + 1 + strlen(controllers);
        for (char *end = folder + strlen(folder); end >= folder + shortest;
             end = strrchr(folder, '/')) {
            *end = '\0';
            least = fmin(least, read_quota(folder));
        }
    }
    if (file)
        fclose(file);
    return least;
}

/* The cores that the whole number at the beginning of an environment variable allows. */
static double read_limit(const char *name)
{
    const char *text = getenv(name);
    const double number = text ? strtod(text, NULL) : 0;
    return number >= 1 ? number : (double)INFINITY;
}

unsigned threads_available(void)
{
    long cores = 1;
#ifdef _SC_NPROCESSORS_ONLN
    cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
#ifdef __linux__
    cpu_set_t set; /* which may have no room for all */
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
#endif
    double allowed = threads_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    allowed = fmin(allowed, fmin(read_limit("SLURM_CPUS_PER_TASK"), read_limit("OMP_NUM_THREADS")));
    return (unsigned)fmax(fmin(fmin(allowed, (double)cores), THREADS_MAX), 1);
}

/* How often a thread looks whether it has something to do before it sleeps: for some tenths of a
 * millisecond, in which the slowest of many threads, all just begun, has mostly finished, too. Not
 * if there are more threads than cores. */
enum { MAX_LOOKS = 10000 };

/* Nothing here needs more than 64 kB; the thread sanitizer adds most of a megabyte. */
enum { STACK_SIZE = 1 << 20 };

/* A started thread. C libraries would keep stacks of their own, of 8 MB, when it has ended. */
struct thread_pool_helper {
    struct thread_pool *pool;
    unsigned number;
    pthread_t thread;
    void *stack;
};

struct thread_pool {
    unsigned count;         /* with the calling thread */
    int looks;              /* MAX_LOOKS, or 0 */
    thread_pool_task *task; /* NULL: they are to end */
    void *user;             /* of the task */
    atomic_ulong tasks;     /* how many there have been */
    atomic_uint working;    /* helpers that have not finished the task */
    atomic_uint sleeping;   /* threads; without one nobody takes the mutex, where all would meet */
    pthread_mutex_t mutex;
    pthread_cond_t begin;               /* a task has begun */
    pthread_cond_t end;                 /* all helpers have finished the task */
    struct thread_pool_helper *helpers; /* count - 1 of them */
};

/* Wakes the threads that sleep until what has changed before this call. */
static void thread_pool_wake(struct thread_pool *pool, pthread_cond_t *changed)
{
    if (pool->sleeping == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(changed);
    pthread_mutex_unlock(&pool->mutex);
}

static void *help(void *argument)
{
    const struct thread_pool_helper *helper = argument;
    struct thread_pool *pool = helper->pool;
    unsigned long tasks = 0;
    for (;;) {
        for (int looks = 0; looks < pool->looks && pool->tasks == tasks; looks++)
            COMPILER_PAUSE();
        if (pool->tasks == tasks) {
            pthread_mutex_lock(&pool->mutex);
            pool->sleeping++;
            while (pool->tasks == tasks)
                pthread_cond_wait(&pool->begin, &pool->mutex);
            pool->sleeping--;
            pthread_mutex_unlock(&pool->mutex);
        }
        tasks++;
        if (!pool->task)
            return NULL;
        pool->task(pool->user, helper->number);
        if (--pool->working == 0)
            thread_pool_wake(pool, &pool->end);
    }
}

void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    if (!pool)
        return;
    pool->task = task;
    pool->user = user;
    pool->working = pool->count - 1;
    pool->tasks++;
    thread_pool_wake(pool, &pool->begin);
}

/* Starts a helper, or returns 0. It leaves signals to the calling thread, whose system calls they
 * interrupt, and whose variables their handlers set. */
static int thread_pool_start(struct thread_pool_helper *helper)
{
    struct error error; /* of no interest: there is a thread less */
    pthread_attr_t attributes;
    sigset_t all, before;
    helper->stack = memory_allocate(STACK_SIZE, 1, "a thread", &error);
    if (!helper->stack)
        return 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_attr_init(&attributes);
    if (result == 0) {
#ifndef __EMSCRIPTEN__ /* has no such function and, without -pthread, starts no thread */
        result = pthread_attr_setstack(&attributes, helper->stack, STACK_SIZE);
#endif
        if (result == 0)
            result = pthread_create(&helper->thread, &attributes, help, helper);
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result != 0)
        memory_free(helper->stack);
    return result == 0;
}

/* Without memory there are fewer threads: no message is needed. Apart for the sake of its stack. */
COMPILER_APART static void *allocate_threads(size_t count, size_t size)
{
    struct error error;
    return memory_allocate(count, size, "the threads", &error);
}

struct thread_pool *thread_pool_create(unsigned count)
{
    if (count < 2)
        return NULL;
    struct thread_pool *pool = allocate_threads(1, sizeof *pool);
    if (!pool)
        return NULL;
    *pool = (struct thread_pool){.count = 1,
                                 .looks = count <= threads_available() ? MAX_LOOKS : 0,
                                 .mutex = PTHREAD_MUTEX_INITIALIZER,
                                 .begin = PTHREAD_COND_INITIALIZER,
                                 .end = PTHREAD_COND_INITIALIZER};
    pool->helpers = allocate_threads(count, sizeof *pool->helpers);
    while (pool->count < count && pool->helpers) {
        struct thread_pool_helper *helper = &pool->helpers[pool->count - 1];
        *helper = (struct thread_pool_helper){.pool = pool, .number = pool->count};
        if (!thread_pool_start(helper))
            break;
        pool->count++;
    }
    if (pool->count == count || pool->count == 2)
        return pool;
    /* Memory that is too short for one thread more is short for the work, too: keeps half. */
    const unsigned fewer = pool->count / 2 + 1;
    thread_pool_free(pool);
    return thread_pool_create(fewer);
}

void thread_pool_end(struct thread_pool *pool, thread_pool_task *task, void *user)
{
    task(user, 0);
    if (!pool)
        return;
    for (int looks = 0; looks < pool->looks && pool->working > 0; looks++)
        COMPILER_PAUSE();
    if (pool->working == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->sleeping++;
    while (pool->working > 0)
        pthread_cond_wait(&pool->end, &pool->mutex);
    pool->sleeping--;
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
    thread_pool_begin(pool, task, user);
    thread_pool_end(pool, task, user);
}

unsigned thread_pool_count(const struct thread_pool *pool)
{
    return pool ? pool->count : 1;
}

void thread_pool_warn(const struct thread_pool *pool, unsigned wanted,
                      void (*warn)(const struct error *error))
{
    struct error warning;
    if (!warn || thread_pool_count(pool) >= wanted)
        return;
    error_set(&warning, STATUS_DONE,
              "only %u of %u threads could be started: the run goes on with them",
              thread_pool_count(pool), wanted);
    warn(&warning);
}

size_t thread_pool_share(const struct thread_pool *pool, size_t count, unsigned number)
{
    return (size_t)((uint64_t)count * number / thread_pool_count(pool));
}

struct thread_pool_division {
    const struct thread_pool *pool;
    size_t count;
    thread_pool_part *part;
    void *user;
};

static void thread_pool_run_part(void *user, unsigned number)
{
    const struct thread_pool_division *division = user;
    division->part(division->user, thread_pool_share(division->pool, division->count, number),
                   thread_pool_share(division->pool, division->count, number + 1));
}

void thread_pool_divide(struct thread_pool *pool, size_t count, thread_pool_part *part, void *user)
{
    struct thread_pool_division division = {pool, count, part, user};
    thread_pool_run(pool, thread_pool_run_part, &division);
}
