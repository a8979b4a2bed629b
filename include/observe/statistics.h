/*
 * The observer behind --stats: describes a run in figures when it is over.
 */
#ifndef PARTICLES_STATISTICS_H
#define PARTICLES_STATISTICS_H

#include "run/observer.h"

#include <stdio.h>

/* What figures to write, and where. */
struct statistics_request {
    const char *name; /* of the file; must outlive the observer; or NULL: then */
    FILE *table;      /* this gets them, standard error; not owned; or NULL: nothing does, and
                         they are for the report only: then they are of its option */
    double from;      /* the time from which they count: 0 to */
    double to;        /* the end of the run */
    double reference; /* the length of the Knudsen number; 0: the chord of the largest obstacle */
    double (*clock)(void); /* seconds since any moment */
};

/*
 * Makes an observer that writes the figures of the run when it ends: as lines "key = value" to a
 * file, which is opened when the run begins, and in the end is complete or absent; or as a table.
 * Collisions after the time `from` count; if that is 0, those at 0 do, too. Returns STATUS_DONE
 * with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status statistics_create(const struct statistics_request *request, struct observer **observer,
                              struct error *error);

/*
 * Says that the run of a checkpoint, in the file `name`, has another --stats-from than the one that
 * resumes it. Returns STATUS_USAGE.
 */
enum status statistics_refuse_from(const char *name, double from, struct error *error);

#endif
