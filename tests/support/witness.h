/* Observers for tests: witnesses, which write each notification into a transcript that a test
 * compares as a whole (the name of the witness, the operation and a time), and stoppers, which
 * count notifications, and end a run as a signal does. */
#ifndef PARTICLES_TESTS_WITNESS_H
#define PARTICLES_TESTS_WITNESS_H

#include "run/observer.h"

enum { WITNESS_TIMES = 4 };

/* The text that all witnesses of a test write, and the flag that a signal would set. */
struct transcript {
    char text[4000];
    volatile sig_atomic_t flag;
};

struct witness {
    struct observer observer;
    char name;
    struct transcript *transcript;
    const char *fails;           /* the operation that fails, or NULL */
    const char *raises;          /* the operation in which a signal comes, or NULL */
    double times[WITNESS_TIMES]; /* of its samples, INFINITY being the last */
    int samples;                 /* how many it has taken */
};

/* The operations of a witness: all; all but checkpoints and interruptions; none. */
extern const struct observer_operations witness_all;
extern const struct observer_operations witness_usual;
extern const struct observer_operations witness_nothing;

/* Three witnesses and their observers, with the transcript that they write to. */
struct witnesses {
    struct transcript transcript;
    struct witness a, b, c;
    struct observers observers;
    struct error error;
};

/* Makes witnesses with the usual operations that never take a sample, and that are not yet
 * added. */
void witnesses_make(struct witnesses *witnesses);

/* Adds all of them, and lets them begin. */
enum status witnesses_begin(struct witnesses *witnesses);

/* True if the transcript has exactly these notifications since the last call. */
int witnesses_wrote(struct witnesses *witnesses, const char *expected);

/* How often an observer has been notified of predictions, of collisions, and of points at which
 * checkpoints may be written. */
struct notifications {
    size_t predictions, collisions, quiescent_points;
};

static const struct notifications NEVER = {SIZE_MAX, SIZE_MAX, SIZE_MAX};

struct stopper {
    struct observer observer;
    struct notifications notified, stop;
    double part; /* of the predictions, in the last notification */
    volatile sig_atomic_t flag;
};

/* Makes a stopper, which interrupts the run of `observers` when it has been notified of any of
 * these as often as `stop` says, and adds it to them. Notifications of predictions are checked: the
 * part that is done grows, and all of them come before the first collision. */
void stopper_join(struct stopper *stopper, struct notifications stop, struct observers *observers);

#endif
