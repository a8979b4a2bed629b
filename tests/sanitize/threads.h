/*
 * The threads of C11 by those of POSIX, in the place of the C library's header in
 * `make test-threads`: thread sanitizers know the latter only. It has what src/base/thread_pool.c
 * uses.
 */
#ifndef PARTICLES_TESTS_THREADS_H
#define PARTICLES_TESTS_THREADS_H

#include <pthread.h>
#include <stdint.h>

typedef int (*thrd_start_t)(void *argument);
typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;

enum { thrd_success, thrd_error };
enum { mtx_plain };

/* The same function, but for the type of what it returns, which nobody asks for. */
static inline int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    return pthread_create(thread, NULL, (void *(*)(void *))(void (*)(void))start, argument) == 0
               ? thrd_success
               : thrd_error;
}

static inline int thrd_join(thrd_t thread, int *result)
{
    (void)result;
    return pthread_join(thread, NULL) == 0 ? thrd_success : thrd_error;
}

static inline int mtx_init(mtx_t *mutex, int kind)
{
    (void)kind;
    return pthread_mutex_init(mutex, NULL) == 0 ? thrd_success : thrd_error;
}

static inline int cnd_init(cnd_t *condition)
{
    return pthread_cond_init(condition, NULL) == 0 ? thrd_success : thrd_error;
}

#define mtx_lock      pthread_mutex_lock
#define mtx_unlock    pthread_mutex_unlock
#define mtx_destroy   pthread_mutex_destroy
#define cnd_wait      pthread_cond_wait
#define cnd_signal    pthread_cond_signal
#define cnd_broadcast pthread_cond_broadcast
#define cnd_destroy   pthread_cond_destroy

#endif
