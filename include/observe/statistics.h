/*
 * The observer behind --stats: describes a run in figures when it is over.
 */
#ifndef PARTICLES_STATISTICS_H
#define PARTICLES_STATISTICS_H

#include "run/observer.h"

#include <stdio.h>

/*
 * Makes an observer that writes the figures of the run when it ends: as lines to the file
 * `name`, which must outlive it, is opened when the run begins, and is complete or absent; or, if
 * `name` is NULL, as a table to `table`, which is standard error, or NULL for no table: then the
 * figures are only kept for checkpoints. `clock` tells the seconds since any moment. Returns
 * STATUS_DONE and the observer, which the caller frees or gives to observers_add; or
 * STATUS_NO_MEMORY.
 */
enum status statistics_create(const char *name, FILE *table, double (*clock)(void),
                              struct observer **observer, struct error *error);

#endif
