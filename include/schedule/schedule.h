/*
 * A schedule lets the potential collisions of a system happen, in their order: it finds the one
 * that is next, and predicts anew what that one changes. The simulation loop uses nothing but
 * schedule_advance; which algorithm stands behind it cannot be told from the answer.
 *
 * Most schedules find one event after the other (schedule_next, schedule_update). They read the
 * system they were made for, and may change the order of the particles in it, but nothing else.
 */
#ifndef PARTICLES_SCHEDULE_H
#define PARTICLES_SCHEDULE_H

#include "base/error.h"
#include "model/event.h"
#include "model/system.h"

#include <signal.h>

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
    /* NULL: schedule_advance takes one event after the other, with `next` and `update` */
    enum status (*advance)(struct schedule *schedule, double limit, struct schedule_sink *sink,
                           double *time, struct error *error);
    int (*next)(struct schedule *schedule, struct event *event);
    void (*update)(struct schedule *schedule, const struct event *event);
    void (*free)(struct schedule *schedule);
};

/*
 * Makes a schedule of the collisions of `system` with times up to `end_time`; the first predictions
 * may wait. `system` must outlive it. Returns STATUS_DONE and the schedule, which the caller
 * frees with schedule_free; STATUS_NO_MEMORY; or what schedule_check returns.
 */
enum status schedule_create(enum schedule_kind kind, struct system *system, double end_time,
                            struct schedule **schedule, struct error *error);

/* On how many threads a schedule finds the events. The answer is the same. */
struct schedule_threads {
    unsigned count;     /* 0: as many as are of use; only the cells schedule uses more than one */
    uint32_t tile_side; /* cells along the side of a tile, for tests; 0: what is best */
};

/* How many threads are of use for so many particles, at least 1: as many as are asked for, or from
 * some thousands of particles on as many as there are cores. */
unsigned schedule_choose_threads(const struct schedule_threads *threads, size_t count);

/* The same as schedule_create on several threads. */
enum status schedule_create_threaded(enum schedule_kind kind, struct system *system,
                                     double end_time, const struct schedule_threads *threads,
                                     struct schedule **schedule, struct error *error);

/*
 * Whether a schedule of this kind could hold `count` particles at all, as far as can be said
 * before they are read. Returns STATUS_DONE if it could, which is never for more than
 * SYSTEM_MAX_COUNT; otherwise STATUS_NO_MEMORY or STATUS_BAD_DATA, with the reason.
 */
enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error);

/*
 * Makes some of the first predictions, which all together can take long. Returns which part of them
 * has been made: less than 1 if there are more. To call this is a choice, for schedule_next makes
 * those that are missing.
 */
static inline double schedule_predict(struct schedule *schedule)
{
    return schedule->operations->predict ? schedule->operations->predict(schedule) : 1;
}

/*
 * Puts the earliest potential collision into `event` (the first in the order of event_before)
 * and returns 1; returns 0 if none has a time up to the end time. Asking again gives it again.
 */
static inline int schedule_next(struct schedule *schedule, struct event *event)
{
    return schedule->operations->next(schedule, event);
}

/* To be called after physics_resolve: predicts anew whatever involves the particles of `event`. */
static inline void schedule_update(struct schedule *schedule, const struct event *event)
{
    schedule->operations->update(schedule, event);
}

/* How many events have happened at once (`pass`). */
struct schedule_sum {
    uint64_t events;   /* all of them, */
    uint64_t hits;     /* those with the boundary, */
    uint64_t passages; /* and of these the passages of seams */
};

/* Who lets events happen, and is told of them. */
struct schedule_sink {
    double told_from; /* it is told of each event after this time, -INFINITY: of all. Up to it a
                         schedule may let many happen at once (`pass`) */
    int rests;        /* to return from schedule_advance now and then is of use */
    const volatile sig_atomic_t *interrupt; /* not 0: it is to return soon; or NULL */
    /*
     * Lets the next event happen in the system (physics_resolve), and tells whoever watches.
     * Returns STATUS_DONE, or another status with a message, which ends the run.
     */
    enum status (*happen)(struct schedule_sink *sink, const struct event *event,
                          struct error *error);
    /*
     * Predictions are being made for all particles, at `time`; this `part` of them is done. Returns
     * STATUS_DONE, or another status with a message, which ends the run.
     */
    enum status (*wait)(struct schedule_sink *sink, double time, double part, struct error *error);
    /* Lets so many happen at once, up to `time`: or returns 0 if it has to see each of them. */
    int (*pass)(struct schedule_sink *sink, const struct schedule_sum *sum, double time);
    /*
     * Lets one of these happen again, and tells whoever watches: an event after `told_from`. Its
     * own particles are as they were before it, and all others may be as after later ones, so that
     * nobody can look at them in between. Returns as `happen`.
     */
    enum status (*retell)(struct schedule_sink *sink, const struct event *event,
                          struct error *error);
    void (*warn)(const struct error *error); /* tells the user of what does not end the run */
};

/*
 * Makes the first predictions, all of them, which are at `time`, as the sink waits. Returns
 * STATUS_DONE or the status of the sink.
 */
enum status schedule_wait(struct schedule *schedule, double time, struct schedule_sink *sink,
                          struct error *error);

/*
 * Lets all events with times up to `limit`, which is not after the end time, happen in the sink,
 * in their order. Returns STATUS_DONE, and in `time` up to when it has done so: `limit`, or an
 * earlier time; or the status of the sink.
 */
enum status schedule_advance(struct schedule *schedule, double limit, struct schedule_sink *sink,
                             double *time, struct error *error);

/* Frees a schedule; NULL is allowed. The system stays as it is. */
static inline void schedule_free(struct schedule *schedule)
{
    if (schedule)
        schedule->operations->free(schedule);
}

#endif
