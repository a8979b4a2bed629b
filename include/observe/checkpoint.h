/*
 * Checkpoints: the observer behind --checkpoint writes the whole state of the run to a file from
 * time to time, and another run reads it there and goes on (--resume).
 */
#ifndef PARTICLES_CHECKPOINT_H
#define PARTICLES_CHECKPOINT_H

#include "io/record.h"
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
 * Makes an observer that writes the state of the run and of all its observers: when the run begins,
 * every `every` seconds, and when a signal ends it. It must be added as the last, for it writes as
 * soon as it begins, and all others have to have begun by then.
 * At every moment there is a whole checkpoint under its name: a new one is written beside it, goes
 * to the disk, and replaces it only then. `begin` fails with STATUS_USAGE if there is a file that
 * must not be replaced.
 *
 * When a checkpoint cannot be written in the middle of a run, the one before stays; the observer
 * gives a warning (struct observers), once, and tries again later. At the beginning and at an
 * interruption that is STATUS_CANNOT_WRITE.
 *
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status checkpoint_create(const struct checkpoint_request *request, struct observer **observer,
                              struct error *error);

/*
 * Reads the checkpoint in the file `name`, as far as it is about the system: this gets the state,
 * the law and the kinds that it had, particles in the order of their ids; `*end_time` becomes that
 * of the run. Nothing is allocated that the file is not in proportion to. `name` must outlive the
 * reader.
 *
 * Returns STATUS_DONE, the system being the caller's, for system_free; STATUS_NO_INPUT,
 * STATUS_BAD_DATA or STATUS_NO_MEMORY, with an empty one. In any case record_close frees the
 * reader.
 */
enum status checkpoint_read_system(struct record_reader *reader, const char *name,
                                   struct system *system, double *end_time, struct error *error);

/*
 * Gives each of the observers what it remembered, from the rest of the file. Those that remember
 * something have to be the same as those of the run that is resumed: STATUS_USAGE otherwise, with
 * what is missing or too much. Also returns STATUS_DONE; STATUS_BAD_DATA, or what an observer
 * returns.
 */
enum status checkpoint_read_observers(struct record_reader *reader, struct observers *observers,
                                      const struct system *system, struct error *error);

#endif
