/*
 * The observers that the command line asks for.
 */
#ifndef PARTICLES_OBSERVE_H
#define PARTICLES_OBSERVE_H

#include "observer.h"
#include "options.h"

/*
 * Creates the observers that `options` ask for and adds them to `observers`, which is {0};
 * `options` must outlive them. Returns STATUS_DONE, or what was wrong with one of them; the caller
 * gives `observers` to observers_free in any case.
 */
enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error);

#endif
