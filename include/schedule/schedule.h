/*
 * A schedule finds the next potential collision of a system, and after each collision predicts anew
 * the collisions of the particles involved. The answer does not depend on the algorithm.
 *
 * Most schedules find one event after the other (schedule_next, schedule_update), and change
 * nothing in the system but the order of the particles. The tiles schedule finds many events at
 * once, and hands them over in batches (schedule_is_batched, schedule_advance).
 */
#ifndef PARTICLES_SCHEDULE_H
#define PARTICLES_SCHEDULE_H

#include "base/error.h"
#include "model/event.h"
#include "model/system.h"
#include "schedule/impact_sums.h"

#include <signal.h>

/* Memory that the cells schedule takes for a particle, about, with the particle itself; bytes. */
enum { SCHEDULE_CELLS_BYTES = 160 };

enum schedule_kind {
    SCHEDULE_AUTO,     /* one of the others, by the number of particles */
    SCHEDULE_TEXTBOOK, /* the assignment's algorithm as it stands, for very few */
    SCHEDULE_ARRAY,    /* the same array of all potential collisions, sorted only where needed */
    SCHEDULE_CELLS     /* a cell list and an event calendar, for any number of particles */
};

/* The first member of every schedule: what it can do. */
struct schedule {
    const struct schedule_operations *operations;
};

struct schedule_sink;

struct schedule_operations {
    double (*predict)(struct schedule *schedule); /* NULL: schedule_create has done it */
    /* Either this, or `next` and `update`; the other is NULL. */
    enum status (*advance)(struct schedule *schedule, double limit, struct schedule_sink *sink,
                           double *time, struct error *error);
    int (*next)(struct schedule *schedule, struct event *event);
    void (*update)(struct schedule *schedule, const struct event *event);
    void (*free)(struct schedule *schedule);
};

/* On how many threads a schedule finds the events. The answer does not depend on it. */
struct schedule_threads {
    unsigned count;     /* 0: as many as are of use; only the cells schedule uses more than one */
    uint32_t tile_side; /* cells along the side of a tile, for tests; 0: what is best */
};

/* How many threads are of use for this number of particles, at least 1: as many as are asked for,
 * or from some thousands of particles on as many as there are cores. */
unsigned schedule_choose_threads(const struct schedule_threads *threads, size_t count);

/*
 * Makes a schedule of the collisions of `system` with times up to `end_time`, on `threads` (NULL:
 * on one); the first predictions may be made later. `system` must outlive it. Returns STATUS_DONE
 * and the schedule, which the caller frees with schedule_free; STATUS_NO_MEMORY; or what
 * schedule_check returns.
 */
enum status schedule_create(enum schedule_kind kind, struct system *system, double end_time,
                            const struct schedule_threads *threads, struct schedule **schedule,
                            struct error *error);

/*
 * Checks that a schedule of this kind could hold `count` particles, as far as can be said before
 * they are read. Returns STATUS_DONE, never for more than SYSTEM_MAX_COUNT; or STATUS_NO_MEMORY.
 */
enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error);

/* Makes some of the first predictions, which together can take long. Returns the share of them that
 * has been made. Calling this is optional, for schedule_next makes those that are missing. */
static inline double schedule_predict(struct schedule *schedule)
{
    return schedule->operations->predict ? schedule->operations->predict(schedule) : 1;
}

/*
 * Puts the earliest potential collision into `event` (the first in the order of event_before) and
 * returns 1; returns 0 if none has a time up to the end time. A second call without an update
 * returns the same event.
 */
static inline int schedule_next(struct schedule *schedule, struct event *event)
{
    return schedule->operations->next(schedule, event);
}

/* To be called after physics_resolve: predicts anew all that involves the particles of `event`. */
static inline void schedule_update(struct schedule *schedule, const struct event *event)
{
    schedule->operations->update(schedule, event);
}

/* The numbers of events that are resolved at once (`commit_batch`). */
struct schedule_sum {
    uint64_t events;   /* all of them, */
    uint64_t hits;     /* those with the boundary, */
    uint64_t passages; /* and of these the passages of seams */
};

/* The receiver of events: it resolves them, and notifies observers of them. */
struct schedule_sink {
    double notify_from;   /* it gets each event after this time, -INFINITY: all. A schedule may
                             resolve many at once (`commit_batch`) */
    int wants_no_pairs;   /* it may not get collisions of two particles */
    int wants_quiescence; /* schedule_advance is to return now and then */
    const volatile sig_atomic_t *interrupt; /* not 0: schedule_advance is to return soon; or NULL */
    /* Resolves the next event (physics_resolve), and notifies observers: in the system; or, after
     * commit_batch, in another one, which has just the particles of the event as they were before
     * it. Returns STATUS_DONE, or another status with a message, which ends the run. */
    enum status (*on_event)(struct schedule_sink *sink, struct system *system,
                            const struct event *event, struct error *error);
    /* Gets sums over collisions of two, before on_event gets the others, if there is a `frame`. */
    void (*on_sums)(struct schedule_sink *sink, const struct impact_series *sums);
    const struct impact_frame *frame;
    /* Predictions are being made for all particles, at `time`; this share of them, `part`, is done.
     * Returns STATUS_DONE, or another status with a message, which ends the run. */
    enum status (*on_progress)(struct schedule_sink *sink, double time, double part,
                               struct error *error);
    /* Counts events that are resolved at once, up to `time`; or returns 0 if each of them has to be
     * resolved in the system. */
    int (*commit_batch)(struct schedule_sink *sink, const struct schedule_sum *sum, double time);
    void (*warn)(const struct error *error); /* shows a message that does not end the run */
};

/* True if events are found in batches, by schedule_advance: otherwise schedule_next finds them. */
static inline int schedule_is_batched(const struct schedule *schedule)
{
    return schedule->operations->advance != NULL;
}

/*
 * Hands all events with times up to `limit`, which is not after the end time, to the sink, in
 * their order. Returns STATUS_DONE, and in `time` up to when it has done so: `limit`, or an
 * earlier time; or the status of the sink.
 */
static inline enum status schedule_advance(struct schedule *schedule, double limit,
                                           struct schedule_sink *sink, double *time,
                                           struct error *error)
{
    return schedule->operations->advance(schedule, limit, sink, time, error);
}

/* Frees a schedule; NULL is allowed. The system stays as it is. */
static inline void schedule_free(struct schedule *schedule)
{
    if (schedule)
        schedule->operations->free(schedule);
}

#endif
