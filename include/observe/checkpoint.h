/*
 * The observer behind --checkpoint: writes down the whole run, now and then, so that another one
 * can resume it (restore.h).
 */
#ifndef PARTICLES_CHECKPOINT_H
#define PARTICLES_CHECKPOINT_H

#include "run/observer.h"

/* What a checkpoint is to be like. */
struct checkpoint_request {
    const char *name;      /* of the file; must outlive the observer */
    int may_replace;       /* a file that is there: it is the one that is being resumed */
    double every;          /* seconds between two, by the clock; positive */
    double end_time;       /* of the run */
    double (*clock)(void); /* seconds since any moment; it does not go back */
};

/*
 * Makes an observer that writes the state of the run, and of all other `observers`, which it must
 * be added to as the last, for it writes as soon as it begins, and all others have to have begun by
 * then: when the run begins, every `every` seconds, and when a signal ends it.
 * At every moment there is a whole checkpoint under its name: a new one is written beside it, goes
 * to the disk, and replaces it only then. `begin` fails with STATUS_USAGE if there is a file that
 * must not be replaced.
 *
 * When a checkpoint cannot be written in the middle of a run, the one before stays; the observer
 * says so on standard error, once, and tries again later. At the beginning and at an interruption
 * that is STATUS_CANNOT_WRITE.
 *
 * `observers` must outlive the observer. Returns STATUS_DONE with `*observer` for observers_add, or
 * STATUS_NO_MEMORY.
 */
enum status checkpoint_create(const struct checkpoint_request *request,
                              const struct observers *observers, struct observer **observer,
                              struct error *error);

#endif
