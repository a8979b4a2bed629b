/*
 * Threads that work together: a pool is started once, and then given one task after the other.
 *
 * NULL, in the place of a pool, is the calling thread alone. Signals are left to the calling
 * thread.
 */
#ifndef PARTICLES_THREAD_POOL_H
#define PARTICLES_THREAD_POOL_H

#include "base/error.h"

#include <stddef.h>

enum { THREADS_MOST = 1024 };

/* How many processor cores this process may use; at least 1, at most THREADS_MOST. */
unsigned threads_available(void);

struct thread_pool;

/*
 * A pool of up to `count` threads, the calling one included. If a thread cannot be started, the
 * pool keeps half of those that were. The caller gives it to thread_pool_free, which leaves all
 * memory as it was before. Returns NULL, with a message, if there is no memory for it.
 */
struct thread_pool *thread_pool_create(unsigned count, struct error *error);

/* How many there are; at least 1. */
unsigned thread_pool_count(const struct thread_pool *pool);

/* The part of one of the pool in a task. They are numbered, and the calling thread is number 0. */
typedef void thread_pool_task(void *user, unsigned number);

/* Lets each of the pool do its part of a task, and returns when all have done it. */
void thread_pool_run(struct thread_pool *pool, thread_pool_task *task, void *user);

/*
 * The same for a pool, not NULL, in two steps: the others begin, and the calling thread can do
 * something else meanwhile; then it does its own part, and waits for theirs.
 */
void thread_pool_begin(struct thread_pool *pool, thread_pool_task *task, void *user);
void thread_pool_end(struct thread_pool *pool);

/* Where the share of one of the pool begins among `count` things; there the one before it ends. */
size_t thread_pool_share(const struct thread_pool *pool, size_t count, unsigned number);

/* Ends the pool; NULL is allowed. */
void thread_pool_free(struct thread_pool *pool);

#endif
