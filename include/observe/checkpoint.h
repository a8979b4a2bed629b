/* Checkpoints: the observer behind --checkpoint writes the whole state of the run to a file from
 * time to time, and another run reads it there and goes on (--resume). */
#ifndef PARTICLES_CHECKPOINT_H
#define PARTICLES_CHECKPOINT_H

#include "io/record.h"
#include "run/observer.h"
#include "steps/steps.h"

/*
 * Writes the state of the run and of all its observers: when the run begins, every
 * `checkpoint_every` seconds, and when a signal ends it. It must be added as the last: it writes
 * when it begins, and all others must have begun by then. A new checkpoint replaces the one before
 * when it is on the disk. None is made, STATUS_USAGE, if there is a file that must not be replaced.
 *
 * If a checkpoint cannot be written during the run, the observer gives a warning (struct
 * observers), once, and tries again later. At the beginning and at an interruption this is a
 * failure, STATUS_CANNOT_WRITE.
 */
extern const struct observer_operations checkpoint_operations;

/*
 * Reads the first part of the checkpoint in the file `name`, which must outlive the record: the
 * system, particles in the order of their ids; END_TIME; and the terms of the scene, which are
 * added to `*scene`. The memory taken is in proportion to the size of the file. Returns
 * STATUS_DONE, and the caller frees the system with system_free; or STATUS_NO_INPUT,
 * STATUS_BAD_DATA or STATUS_NO_MEMORY, with an empty system. In any case the caller frees the
 * record with record_close.
 */
enum status checkpoint_read_system(struct record *record, const char *name, struct system *system,
                                   double *end_time, struct scene *scene, struct error *error);

/* Reads the remainder: the state of the dynamics and of each observer. Those that save something
 * must be the same as in the run that is resumed: otherwise STATUS_USAGE, with a message that says
 * which is missing or too many. Or STATUS_DONE, STATUS_BAD_DATA or what an observer returns. */
enum status checkpoint_read_observers(struct record *record, struct observers *observers,
                                      const struct system *system);

#endif
