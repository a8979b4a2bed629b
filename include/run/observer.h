/* Observers watch a run: they see each collision, the positions at times of their own choice, and
 * the end. They only read, and this is all that dynamics know of them. */
#ifndef PARTICLES_OBSERVER_H
#define PARTICLES_OBSERVER_H

#include "base/error.h"
#include "run/snapshot.h"
#include "schedule/impact_sums.h"

#include <signal.h>

/* One of the particles of a collision, by value. */
struct participant {
    int32_t number;            /* in the input */
    double x, y;               /* its centre at the collision, length */
    double u, v;               /* its velocity after it, length per time; */
    double u_before, v_before; /* and before, */
    double since;              /* which it had since this time */
    double radius, mass;
};

/* A collision, by value. */
struct collision {
    double time;
    enum partner partner;
    int32_t feature;         /* of the boundary, where that is the partner */
    int is_reinjection;      /* at a stream's seam: see `reinject` */
    struct participant a, b; /* b only where the partner is a particle; then a.number < b.number */
    double dx, dy;      /* then: from the centre of a to the centre of the image of b that it met */
    struct shift shift; /* of the image of b, or of a polygon, that a met */
};

/* What sums over collisions need of one of two particles. */
static inline struct impact collision_impact(const struct collision *collision)
{
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    return (struct impact){.time = collision->time,
                           .u = {a->u, b->u},
                           .v = {a->v, b->v},
                           .u_before = {a->u_before, b->u_before},
                           .v_before = {a->v_before, b->v_before},
                           .mass = {a->mass, b->mass},
                           .since = {a->since, b->since},
                           .dx = collision->dx,
                           .dy = collision->dy,
                           .number = {a->number, b->number}};
}

struct record;
struct output_file;
struct run_settings;
struct output_settings;

/* The first member of every observer. */
struct observer {
    const struct observer_operations *operations;
    const char *option;       /* the one that asks for it; in checkpoints, if it has a `state` */
    struct observers *all;    /* those of the run, this one included: see observers_add */
    double next_sample;       /* time of the next `sample`, not before the last; or INFINITY */
    double notify_from;       /* it needs no `collide` and `reinject` up to this time; 0: all.
                                 Known after `begin`, or after its state is read */
    struct run_settings *run; /* see observer_create */
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

/* Each may be NULL. A status that is not STATUS_DONE, with a message, ends the run. */
struct observer_operations {
    struct observer_kind {
        const char *option, *what; /* that asks for it; what it is in messages */
        size_t size;               /* of its struct; 0: observer_create does not make it */
        enum observer_file file;
    } kind;
    size_t settings, settings_size; /* the place of its settings in its struct; 0: it has none */
    /* Completes a new one, all 0 but for its struct observer. */
    enum status (*complete)(struct observer *observer, struct error *error);
    /* At the beginning, the time of the snapshot; of a resumed run, before its state is read. */
    enum status (*begin)(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error);
    /* The first predictions are being made: this `part` of them is done, at last 1. */
    void (*on_progress)(struct observer *observer, double part);
    /* So many more collisions, or steps, up to this time, whether it gets them or not. */
    void (*count)(struct observer *observer, uint64_t events, double time);
    /* After each collision; not always up to `notify_from`, nor of pairs if `is_of_boundary`. */
    int is_of_boundary;
    enum status (*collide)(struct observer *observer, const struct collision *collision,
                           struct error *error);
    /* In place of `collide`, if all observers of pairs have it: several collisions of pairs, in
       their order. Of other operations only `count`, and `collide` and `reinject` for the boundary,
       may come before it. An observer that needs it earlier calls observers_meet. */
    void (*meet)(struct observer *observer, const struct impact *list, size_t count);
    /* If it is the only observer of pairs: says over what it wants sums, by a pointer that lasts,
       or NULL. Then `add_sums` adds sums over blocks, in place of `meet`. */
    const struct impact_frame *(*frame)(const struct observer *observer);
    void (*add_sums)(struct observer *observer, const struct impact_series *sums);
    /* A stream has given a particle another velocity at a seam: like a collision with the side of
       the box that it reached; a.x is 0 or Lx, or a.y 0 or Ly, where it goes on. */
    enum status (*reinject)(struct observer *observer, const struct collision *passage,
                            struct error *error);
    /* At next_sample, after all collisions up to that time. It sets a later next_sample. */
    enum status (*sample)(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error);
    /* At the end of a run that has succeeded, the time of the snapshot. */
    enum status (*finish)(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error);
    /* When all observers have been notified of all that is before the time of the snapshot. */
    enum status (*quiescent)(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error);
    /* At such a time, if a signal ends the run. Returns STATUS_INTERRUPTED, or another status. */
    enum status (*interrupt)(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error);
    /* Describes all that an observer with an `option` remembers (io/record.h): writes it, at such a
       time, or, after `begin`, reads it. Another state needs another RECORD_VERSION. */
    void (*state)(struct observer *observer, struct record *record);
    /* Frees all that it owns, but not its struct. */
    void (*free)(struct observer *observer);
};

enum { OBSERVERS_MAX = 16 };

/* All observers of a run, notified in this order; {0} has none. */
struct observers {
    struct dynamics *dynamics; /* that moves the system; not owned; NULL in tests */
    size_t count;
    struct observer *list[OBSERVERS_MAX];    /* owned */
    double next_sample;                      /* the earliest of theirs */
    double notify_from;                      /* the earliest; INFINITY: none needs events */
    int watches_pairs;                       /* one of them gets collisions of two particles, */
    int sums_pairs;                          /* and all that do have `meet` */
    struct observer *summer;                 /* the only one of these, if it has `frame`; or NULL */
    int wants_counts;                        /* one of them has `count` */
    int wants_quiescence;                    /* one of them has `quiescent` */
    uint64_t pause;                          /* events before the next of these; 0: some */
    struct snapshot_order order;             /* owned */
    const volatile sig_atomic_t *interrupt;  /* not 0: the run is to end; or NULL */
    void (*warn)(const struct error *error); /* shows a message that does not end the run */
    int is_quiet;                            /* only where otherwise something would be lost */
    size_t impact_count;                     /* of these they are to be notified */
    struct impact *impacts;                  /* MAX_IMPACTS; owned; from observers_begin on */
};

/* Adds and owns an observer, one of up to OBSERVERS_MAX. It keeps a pointer to `observers`. */
void observers_add(struct observers *observers, struct observer *observer);

/* The observer with these operations; NULL: there is none. */
const struct observer *observers_find(const struct observers *observers,
                                      const struct observer_operations *operations);

/* Finds anew when they sample next, and from when on they are notified. */
void observers_find_times(struct observers *observers);

/* Calls `meet` with the impacts that wait for it. */
void observers_meet(struct observers *observers);

void observers_count(struct observers *observers, uint64_t events, double time);

/* Calls `on_progress` of all, at `time`. Returns STATUS_INTERRUPTED if the run is to end. */
enum status observers_progress(struct observers *observers, const struct system *system,
                               double time, double part, struct error *error);

/* Calls `sample` of each whose next_sample is before `time`, in the order of these times; and
 * `quiescent` of all before each of these times, and before `time`. Returns as above. */
enum status observers_sample(struct observers *observers, const struct system *system, double time,
                             struct error *error);

/* Where to describe the next collision of two particles, if `sums_pairs`. */
static inline struct impact *observers_next_impact(struct observers *observers)
{
    if (observers->impact_count == MAX_IMPACTS)
        observers_meet(observers);
    return &observers->impacts[observers->impact_count++];
}

/* Resolves an event, and notifies all if one of them watches such events. */
enum status observers_resolve(struct observers *observers, struct system *system,
                              const struct event *event, struct error *error);

/* Notifies all observers of a collision (`collide`, or `reinject`). */
enum status observers_notify(struct observers *observers, const struct collision *collision,
                             struct error *error);

#endif
