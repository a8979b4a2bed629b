/*
 * Observers for tests: witnesses, which write down what they are told (each time the name of the
 * witness, the operation and a time, in a transcript that a test compares as a whole), and
 * stoppers, which count it, and end a run as a signal does.
 */
#ifndef PARTICLES_TESTS_WITNESS_H
#define PARTICLES_TESTS_WITNESS_H

#include "run/observer.h"

enum { WITNESS_TIMES = 4 };

/* What all witnesses of a test write to, and the flag that a signal would set. */
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
    double looks[WITNESS_TIMES]; /* when it looks, INFINITY being the last */
    int looked;                  /* how often it has */
};

/* What a witness may do: all that there is; all but rests and interruptions; nothing. */
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

/* Makes witnesses that do the usual and never look, and that are not yet added. */
void witnesses_make(struct witnesses *witnesses);

/* Adds all of them, and lets them begin. */
enum status witnesses_begin(struct witnesses *witnesses);

/* Whether just this has been told since the last time that it was asked. */
int witnesses_told(struct witnesses *witnesses, const char *expected);

/* How often an observer has been told of predictions, of collisions, and to rest. */
struct told {
    size_t waits, collisions, rests;
};

static const struct told NEVER = {SIZE_MAX, SIZE_MAX, SIZE_MAX};

struct stopper {
    struct observer observer;
    struct told told, stop;
    double part; /* of the predictions, as it was told last */
    volatile sig_atomic_t flag;
};

/*
 * Makes a stopper, which interrupts the run of `observers` when it has been told of any of these so
 * often as `stop` says, and adds it to them. What it is told of predictions is checked: the part
 * that is done grows, and all of it is before the first collision.
 */
void stopper_join(struct stopper *stopper, struct told stop, struct observers *observers);

#endif
