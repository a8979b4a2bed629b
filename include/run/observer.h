/* Observers watch a run: they see collisions, the positions at times of their own choice, and the
 * end. They only read, and this is all that dynamics know of them. */
#ifndef PARTICLES_OBSERVER_H
#define PARTICLES_OBSERVER_H

#include "base/error.h"
#include "run/snapshot.h"
#include "schedule/collision_sums.h"

#include <signal.h>

/* What an observer is notified of. Each value includes those before it. */
enum observer_watch {
    WATCH_NOTHING,
    WATCH_EVENTS,   /* the number of events, and their time */
    WATCH_BOUNDARY, /* collisions with the boundary, and passages at which a stream reinjects */
    WATCH_PAIRS     /* collisions of two particles */
};

/* Collisions, in the order of time, and how far the run has come. */
struct collision_batch {
    uint64_t events; /* collisions or steps since the batch before it, listed or not */
    double time;     /* that the run has reached */
    size_t count;    /* of the collisions that are listed */
    struct collision list[BATCH_COLLISIONS];
};

struct record;
struct output_file;
struct run_settings;
struct output_settings;

/* The first member of every observer. */
struct observer {
    const struct observer_operations *operations;
    const char *option;    /* the one that asks for it; in checkpoints, if it has a `state` */
    struct observers *all; /* those of the run, this one included: see observers_add */
    double next_sample;    /* time of the next `sample`, not before the last; or INFINITY */
    double notify_from;    /* it needs no collisions up to this time; 0: all. Known after
                              `begin`, or after its state is read */
    struct collision_basis *basis; /* if it sums collisions of two: where a schedule may add these
                                   up instead of listing them; known as above; or NULL */
    struct run_settings *run;      /* see observer_create */
    const struct output_settings *output; /* of its file */
    struct output_file *file;             /* that it writes, with its name; NULL: none */
    int is_resumable;    /* the run can be resumed after an interruption, and so must its files */
    int has_begun;       /* from after `begin` on; in a resumed run, from before it on */
    int is_saved;        /* a checkpoint relies on what it has written: that is to be kept */
    enum status verdict; /* after `finish`: what the process ends with if nothing fails */
};

/* The file of an observer: it sees to that itself; or it is open from before `begin` on (resumed:
 * from its state on); or tried out then, and open in `finish`. Both are then completed. */
enum observer_file { FILE_OF_ITS_OWN, FILE_FROM_BEGIN, FILE_AT_END };

/* An operation at the time of a snapshot. */
typedef enum status observer_operation(struct observer *observer, const struct snapshot *snapshot,
                                       struct error *error);

/* Each may be NULL. A status that is not STATUS_DONE, with a message, ends the run. */
struct observer_operations {
    struct observer_kind {
        const char *option, *what; /* that asks for it; what it is in messages */
        size_t size;               /* of its struct; 0: observer_create does not make it */
        enum observer_file file;
    } kind;
    enum observer_watch watches;
    size_t settings, settings_size; /* where its settings are in its struct; 0: it has none */
    /* Completes a new one, all 0 but for its struct observer. */
    enum status (*complete)(struct observer *observer, struct error *error);
    /* At the beginning; of a resumed run, before its state is read. */
    observer_operation *begin;
    /* The first predictions are being made: this `part` of them is done, at last 1. */
    void (*on_progress)(struct observer *observer, double part);
    /* Unless it watches nothing: it gets each collision after its `notify_from`, also one that only
       others watch; and takes the whole batch, in which there may be earlier ones. Both come before
       any operation at the time of the batch or later. */
    void (*collide)(struct observer *observer, const struct collision *collision);
    enum status (*take)(struct observer *observer, const struct collision_batch *batch,
                        struct error *error);
    /* At next_sample, after all collisions up to that time. It sets a later next_sample. */
    observer_operation *sample;
    /* At the end of a run that has succeeded. */
    observer_operation *finish;
    /* When all observers have been notified of all that is before that time. */
    observer_operation *quiescent;
    /* At such a time, if a signal ends the run. Returns STATUS_INTERRUPTED, or another status. */
    observer_operation *interrupt;
    /* Describes all that an observer with an `option` remembers (io/record.h): writes it, at such a
       time, or, after `begin`, reads it. Another state needs another RECORD_VERSION. A file from
       the beginning comes after it: all that is before the time is to be in its stream. */
    void (*state)(struct observer *observer, struct record *record);
    /* Frees all that it owns, but not its struct. */
    void (*free)(struct observer *observer);
};

enum { OBSERVERS_MAX = 20 }; /* recorders included */

/* All observers of a run, in the order in which they are notified; {0} has none. */
struct observers {
    struct dynamics *dynamics; /* that moves the system; not owned; NULL in tests */
    size_t recorders;          /* the first ones of the list: see observers_record */
    size_t count;
    struct observer *list[OBSERVERS_MAX]; /* owned */
    double next_sample;                   /* the earliest of theirs */
    double notify_from;                   /* the earliest; INFINITY: none needs collisions */
    enum observer_watch watches;          /* the most that one of them watches */
    int wants_pauses;                     /* one of them watches events only, or has `quiescent` */
    uint64_t pause;                       /* events before the next of these; 0: some */
    struct snapshot_order order;          /* owned */
    const volatile sig_atomic_t *interrupt;  /* not 0: the run is to end; or NULL */
    void (*warn)(const struct error *error); /* shows a message that does not end the run */
    int is_quiet;                            /* only where otherwise something would be lost */
    struct collision_batch batch;            /* that is to be handed over */
};

/* Adds and owns an observer, one of up to OBSERVERS_MAX. It keeps a pointer to `observers`. */
void observers_add(struct observers *observers, struct observer *observer);

/* The observer with these operations; NULL: there is none. */
const struct observer *observers_find(const struct observers *observers,
                                      const struct observer_operations *operations);

/* Finds anew when they sample next, and from when on they are notified. */
void observers_find_times(struct observers *observers);

/* Where the sums of the only observer of pairs are to be added up; NULL: it has no frame, or there
 * are others. */
struct collision_basis *observers_basis(const struct observers *observers);

/* Hands over the batch with a number of events and the time that the run has reached; then it is
 * empty. */
enum status observers_hand_over(struct observers *observers, uint64_t events, double time,
                                struct error *error);

/* Hands over the batch, and calls `on_progress` of all, at `time`. Returns STATUS_INTERRUPTED if
 * the run is to end. */
enum status observers_progress(struct observers *observers, const struct system *system,
                               double time, double part, struct error *error);

/* Calls `sample` of each whose next_sample is before `time`, in the order of these times; and
 * `quiescent` of all before each of these times, and before `time`. Returns as above. */
enum status observers_sample(struct observers *observers, const struct system *system, double time,
                             struct error *error);

#endif
