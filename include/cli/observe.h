/*
 * The observers that the options ask for.
 */
#ifndef PARTICLES_OBSERVE_H
#define PARTICLES_OBSERVE_H

#include "cli/options.h"
#include "run/observer.h"

/*
 * Adds the observers that the options ask for, after checking the names of their files. If there
 * are any, signals no longer end the program, but the run (signals.h). Returns STATUS_DONE;
 * STATUS_USAGE, STATUS_CANNOT_WRITE or STATUS_NO_MEMORY. In any case the observers that were added
 * are the caller's.
 */
enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error);

/*
 * The answer has been written: no checkpoint is needed any longer, so the one that the options name
 * is removed.
 */
void observe_end(const struct options *options);

/* Frees the observers; from then on signals do again what they did before observe_create. */
void observe_free(struct observers *observers);

#endif
