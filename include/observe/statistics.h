/*
 * The observer behind --stats: describes a run in figures when it is over.
 */
#ifndef PARTICLES_STATISTICS_H
#define PARTICLES_STATISTICS_H

#include "run/observer.h"

#include <stdio.h>

/*
 * Makes an observer that writes the figures of the run when it ends: as lines "key = value" to the
 * file `name`, which is opened when the run begins, and in the end is complete or absent; or, if
 * `name` is NULL, as a table to `table`, which is standard error. `name` must outlive the observer.
 * `clock` gives seconds since any moment. Returns STATUS_DONE with `*observer` for observers_add,
 * or STATUS_NO_MEMORY.
 */
enum status statistics_create(const char *name, FILE *table, double (*clock)(void),
                              struct observer **observer, struct error *error);

#endif
