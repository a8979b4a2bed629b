/*
 * Taking up a run where a checkpoint (checkpoint.h) has left it.
 */
#ifndef PARTICLES_RESTORE_H
#define PARTICLES_RESTORE_H

#include "io/record_reader.h"
#include "run/observer.h"

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
enum status restore_system(struct record_reader *reader, const char *name, struct system *system,
                           double *end_time, struct error *error);

/*
 * Gives each of the observers what it remembered, from the rest of the file. Those that remember
 * something have to be the same as those of the run that is resumed: STATUS_USAGE otherwise, with
 * what is missing or too much. Also returns STATUS_DONE; STATUS_BAD_DATA, or what an observer
 * returns.
 */
enum status restore_observers(struct record_reader *reader, struct observers *observers,
                              const struct system *system, struct error *error);

#endif
