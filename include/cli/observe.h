/* The observers that the options ask for. */
#ifndef PARTICLES_OBSERVE_H
#define PARTICLES_OBSERVE_H

#include "cli/options.h"
#include "run/observer.h"

/*
 * Checks the names of the files to be written, none of which may be a file of options or, but for
 * that of --final, look like an INPUT, and adds the observers that the options ask for. If there
 * are any, a signal from then on ends the run instead of the program. Warnings go to standard
 * error. Returns STATUS_DONE, STATUS_USAGE, STATUS_CANNOT_WRITE or STATUS_NO_MEMORY. In any case
 * they are for observe_free, after which signals do again what they did before.
 */
enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error);
void observe_free(struct observers *observers);

/* The checkpoint from which a run with these observers can go on if it fails; or NULL. */
const char *observe_saved(const struct options *options, const struct observers *observers);

/* The exit status if nothing fails, after the observers have finished. */
enum status observe_verdict(const struct observers *observers);

/* Removes the checkpoint that the options name, if they name one: the answer has been written. */
void observe_end(const struct options *options, struct error *error);

#endif
