/*
 * Observers watch a run: they see each collision, the positions at times of their own choice, and
 * the end. They read; none can change the answer. The simulation loop knows nothing but this
 * interface.
 */
#ifndef PARTICLES_OBSERVER_H
#define PARTICLES_OBSERVER_H

#include "base/error.h"
#include "run/snapshot.h"

#include <signal.h>

/* One of the particles of a collision, by value. */
struct participant {
    int32_t number;            /* in the input */
    double x, y;               /* its centre at the collision, length */
    double u, v;               /* its velocity after it, length per time; */
    double u_before, v_before; /* and before, */
    double since;              /* which it had had since this time: of a collision, of when a stream
                                  gave it, or of the start */
    double radius, mass;
};

/* A collision that has just happened, by value; to pass a seam is none. (See also `renew`.) */
struct collision {
    double time;
    enum partner partner;
    int32_t feature;         /* of the boundary, where that is the partner */
    struct participant a, b; /* b only where the partner is a particle; then a.number < b.number */
    double dx, dy;           /* then: from the centre of a to that of the image of b that it met */
    struct shift shift;      /* of the image of b, or of a polygon, that a met */
};

/* The first member of every observer: what it can do, and when it looks next. */
struct observer {
    const struct observer_operations *operations;
    const struct observers *all; /* those of the run, this one included: see observers_add */
    double next_look; /* time of the next call of `look`, not before the last; INFINITY: never */
    double told_from; /* of what happens up to this time it need not be told (`collide`, `renew`);
                         0: of all. Known when it has begun, or been loaded */
    int is_resumable; /* the run can be resumed after an interruption, and so must its files */
    int has_begun;    /* or has been loaded from a checkpoint */
    int is_saved;     /* a checkpoint relies on what it has written: that is to be kept */
    enum status verdict; /* after `finish`: what the process ends with if nothing fails */
};

struct record_reader;
struct record_writer;

/*
 * Each operation but `free` may be NULL where there is nothing to do. They return STATUS_DONE, or
 * another status with a message, which ends the run.
 */
struct observer_operations {
    /* The run begins, at the time of the snapshot. */
    enum status (*begin)(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error);
    /* The first predictions are being made: this `part` of them is done, at last 1. */
    void (*wait)(struct observer *observer, double part);
    /* So many more collisions, or steps, have happened up to this time, told of or not. */
    void (*count)(struct observer *observer, uint64_t events, double time);
    /* A collision has happened; where `is_of_boundary` is not 0, those of two particles may be left
       out, and so may those up to `told_from`. */
    int is_of_boundary;
    enum status (*collide)(struct observer *observer, const struct collision *collision,
                           struct error *error);
    /*
     * A stream has given a particle another velocity at the seam in x. That is no collision, but
     * like one with the side of the box that it reached; a.x is 0 or Lx, where it goes on.
     */
    enum status (*renew)(struct observer *observer, const struct collision *passage,
                         struct error *error);
    /*
     * It is time next_look, that of the snapshot: all collisions up to and including that time have
     * happened. It sets next_look anew, to a later time.
     */
    enum status (*look)(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error);
    /* The run has reached its end, that of the snapshot, with success: complete what is to be left
       behind. */
    enum status (*finish)(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error);
    /*
     * All observers have been told of all that has happened: the time is between two collisions or
     * two looks, or at the beginning or the end of the run.
     */
    enum status (*rest)(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error);
    /*
     * Such a moment, in which a signal ends the run. The message says so, and may be extended.
     * Returns STATUS_INTERRUPTED, or another status with another message.
     */
    enum status (*interrupt)(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error);
    /*
     * For an observer that remembers something: the option that asks for it; `save`, which writes
     * all that it remembers to a checkpoint, at such a moment; and `load`, which reads that when
     * the run is resumed, instead of `begin`, with the same snapshot. A changed `save` needs
     * another RECORD_VERSION (io/record.h).
     */
    const char *option;
    enum status (*save)(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error);
    enum status (*load)(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error);
    /* Frees the observer and all that it owns; before `finish` it leaves nothing behind that is not
     * saved. */
    void (*free)(struct observer *observer);
};

enum { OBSERVERS_MOST = 16 };

/* All observers of a run, told in this order; {0} has none. */
struct observers {
    size_t count;
    struct observer *list[OBSERVERS_MOST];  /* owned */
    double next_look;                       /* the earliest of theirs */
    double told_from;                       /* up to this time none need be told of events;
                                               INFINITY: never */
    int watches_pairs;                      /* one of them is told of collisions of two particles */
    int rests;                              /* one of them has `rest` */
    struct snapshot_order order;            /* owned */
    const volatile sig_atomic_t *interrupt; /* not 0: the run is to end; or NULL */
    void (*warn)(const struct error *error); /* tells the user of what does not end the run */
};

/*
 * Adds an observer, of which there must be less than OBSERVERS_MOST, and takes ownership. It keeps
 * a pointer to `observers`, which must stay where it is.
 */
void observers_add(struct observers *observers, struct observer *observer);

/*
 * Tell all of them; of the beginning, those that have not begun. They return the first status that
 * is not STATUS_DONE. At the beginning the particles are in the order of their ids, and if
 * there are observers, 4 bytes a particle are allocated; at the end they may be in any order.
 */
enum status observers_begin(struct observers *observers, const struct system *system,
                            struct error *error);
enum status observers_collide(struct observers *observers, const struct collision *collision,
                              struct error *error);
enum status observers_renew(struct observers *observers, const struct collision *passage,
                            struct error *error);
void observers_count(struct observers *observers, uint64_t events, double time);
enum status observers_finish(struct observers *observers, const struct system *system,
                             double end_time, struct error *error);

/*
 * Tells all of them how far the first predictions are, in a run that is at `time`. Returns
 * STATUS_INTERRUPTED, with a message, if it is to end; otherwise STATUS_DONE.
 */
enum status observers_wait(struct observers *observers, const struct system *system, double time,
                           double part, struct error *error);

/*
 * Lets each look whose time for it is before `time`; in the order of these times; and before each
 * of these times, and before `time`, lets all of them rest. Returns STATUS_INTERRUPTED, with a
 * message, if the run is to end.
 */
enum status observers_look(struct observers *observers, const struct system *system, double time,
                           struct error *error);

/* Whether observers_look would do nothing. */
static inline int observers_are_idle(const struct observers *observers, double time)
{
    return time <= observers->next_look && !observers->rests &&
           !(observers->interrupt && *observers->interrupt);
}

/* Frees all observers. */
void observers_free(struct observers *observers);

#endif
