/*
 * A schedule finds the next potential collision of a system, and after each collision predicts anew
 * the collisions of the particles involved. The answer does not depend on the algorithm.
 *
 * It is asked for all collisions up to a time, any number of times (schedule_advance): that time is
 * no event, so the collisions do not depend on how often it is asked. While there is a schedule it
 * owns the order of the particles, and may exchange their memory for other memory of the same size.
 */
#ifndef PARTICLES_SCHEDULE_H
#define PARTICLES_SCHEDULE_H

#include "base/error.h"
#include "model/event.h"
#include "model/system.h"
#include "schedule/collision_sums.h"

#include <signal.h>

/* Memory that the cells schedule takes for a particle, about, with the particle itself; bytes. */
enum { SCHEDULE_CELLS_BYTES = 160 };

enum schedule_kind {
    SCHEDULE_AUTO,     /* one of the others, by the number of particles */
    SCHEDULE_TEXTBOOK, /* the assignment's algorithm as it stands, for very few */
    SCHEDULE_ARRAY,    /* the same array of all potential collisions, sorted only where needed */
    SCHEDULE_CELLS     /* a cell list and an event calendar, for any number of particles */
};

/* The first member of every schedule. */
struct schedule {
    const struct schedule_operations *operations;
    struct system *system; /* not owned; it outlives the schedule */
    int is_predicted;      /* all first predictions have been made */
    int is_watched;        /* the system is often read between advances: the caller may set it */
};

struct schedule_sink;

struct schedule_operations {
    double (*predict)(struct schedule *schedule); /* NULL: schedule_create has done it */
    /* Either this, or `next` and `update`; the other is NULL. */
    enum status (*advance)(struct schedule *schedule, double limit, struct schedule_sink *sink,
                           double *time, struct error *error);
    int (*next)(struct schedule *schedule, double limit, struct event *event);
    void (*update)(struct schedule *schedule, const struct event *event);
    void (*settle)(struct schedule *schedule);      /* NULL: advances complete the system */
    double (*last_time)(struct schedule *schedule); /* system_last_time, on all threads; or NULL */
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
 * Makes a schedule of the collisions of `system`, on `threads` (NULL: on one); the first
 * predictions may be made later. `system` must outlive it. Returns STATUS_DONE and the schedule,
 * which the caller frees with schedule_free; STATUS_NO_MEMORY; or what schedule_check returns.
 */
enum status schedule_create(enum schedule_kind kind, struct system *system,
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
 * returns 1; returns 0 if none has a time up to `limit`. A second call without an update returns
 * the same event. Not for the tiles schedule, which finds many at a time.
 */
static inline int schedule_next(struct schedule *schedule, double limit, struct event *event)
{
    return schedule->operations->next(schedule, limit, event);
}

/* To be called after physics_resolve: predicts anew all that involves the particles of `event`. */
static inline void schedule_update(struct schedule *schedule, const struct event *event)
{
    schedule->operations->update(schedule, event);
}

/* The numbers of some events. */
struct schedule_sum {
    uint64_t events;   /* all of them, */
    uint64_t hits;     /* those with the boundary, */
    uint64_t passages; /* and of these the passages of seams */
};

static inline void schedule_count(struct schedule_sum *sum, const struct boundary *boundary,
                                  const struct event *event)
{
    sum->events++;
    if (event_partner(event->b) == PARTNER_BOUNDARY) {
        sum->hits++;
        sum->passages += (uint64_t)boundary_is_seam(boundary, event->b);
    }
}

static inline void schedule_add(struct schedule_sum *sum, const struct schedule_sum *more)
{
    sum->events += more->events;
    sum->hits += more->hits;
    sum->passages += more->passages;
}

/* The receiver of events: it resolves them, and notifies observers of them. */
struct schedule_sink {
    double notify_from; /* it gets each event after this time, -INFINITY: all. A schedule may
                           resolve many at once (`commit_batch`) */
    int wants_no_pairs; /* it may not get collisions of two particles */
    uint64_t most;      /* an advance returns before it resolves more in the system */
    const volatile sig_atomic_t *interrupt; /* not 0: an advance is to return soon; or NULL */
    struct schedule_sum sum;                /* the events in the system, added up by advances */
    struct event last;                      /* the last of them */
    /* Resolves the next event (physics_resolve), and notifies observers: in the system; or, after
     * commit_batch, in another one, which has just the particles of the event as they were before
     * it. Returns STATUS_DONE, or another status with a message, which ends the run. */
    enum status (*resolve)(struct schedule_sink *sink, struct system *system,
                           const struct event *event, struct error *error);
    struct collision_basis *basis; /* if a schedule may add up collisions of two here, before
                                   `resolve` gets those with the boundary of this time; or NULL */
    /* Predictions are being made for all particles, at `time`; this share of them, `part`, is done.
     * Returns STATUS_DONE, or another status with a message, which ends the run. */
    enum status (*on_progress)(struct schedule_sink *sink, double time, double part,
                               struct error *error);
    /* Counts events that are resolved at once, up to `time`; or returns 0 if each of them has to be
     * resolved in the system. May change `most`; with 0 the advance returns. */
    int (*commit_batch)(struct schedule_sink *sink, const struct schedule_sum *sum, double time);
    void (*warn)(const struct error *error); /* shows a message that does not end the run */
};

/* True if an advance is to return before its limit. */
static inline int schedule_is_to_return(const struct schedule_sink *sink)
{
    return sink->sum.events >= sink->most || (sink->interrupt && *sink->interrupt);
}

/*
 * Hands all events with times up to `limit` to the sink, in their order: the loop of the program.
 * `*time` is at first the time that the system has reached. Returns STATUS_DONE, and in `*time` the
 * new one: all events before it have been handed over, and none after it; that is past `limit`
 * unless it is to return earlier. Or returns the status of the sink.
 */
enum status schedule_advance(struct schedule *schedule, double limit, struct schedule_sink *sink,
                             double *time, struct error *error);

/* Completes the system's particles and counts, to be called before they are read; NULL is allowed.
 * To free the schedule completes them, too. */
void schedule_settle(struct schedule *schedule);

/* Frees a schedule; NULL is allowed. schedule_free also puts the particles in the order of their
 * numbers; schedule_end leaves them in any order. */
void schedule_free(struct schedule *schedule);
void schedule_end(struct schedule *schedule);

#endif
