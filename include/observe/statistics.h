/*
 * The observer behind --stats: describes a run in figures when it is over.
 */
#ifndef PARTICLES_STATISTICS_H
#define PARTICLES_STATISTICS_H

#include "run/observer.h"
#include "schedule/schedule.h"

#include <stdio.h>

/* What figures to write, and where. */
struct statistics_request {
    const char *name; /* of the file; must outlive the observer; or NULL: then */
    FILE *table;      /* this gets them, standard error; not owned; or NULL: nothing does, and
                         they are for the report only: then they are of its option */
    double from;      /* the time from which they count: 0 to */
    double to;        /* the end of the run */
    double reference; /* the length of the Knudsen number; 0: the chord of the largest obstacle */
    size_t sampled;   /* of so many particles or more, figures are measured in a sample of the time,
                         for being told of all collisions would take half as long as the run itself;
                         0: never */
    struct schedule_threads threads; /* of which two may sum up the end of the run */
    double (*clock)(void);           /* seconds since any moment */
};

/* Of a sample only the last part of the time counts, one in so many; of that many particles or more
 * it has collisions enough. */
enum { STATISTICS_PARTS = 50, STATISTICS_SAMPLED = 100000 };

/*
 * Makes an observer that writes the figures of the run when it ends: as lines "key = value" to a
 * file, which is opened when the run begins, and in the end is complete or absent; or as a table.
 * Collisions after the time `from` count; if that is 0, those at 0 do, too.
 *
 * In a sample, collisions count in its last STATISTICS_PARTS-th part, and figures are of that, as
 * if they counted from then. Only the numbers of all collisions and of those of pairs, energies and
 * momenta are of the whole time; what needs collisions with walls, and a stream, is not determined.
 *
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status statistics_create(const struct statistics_request *request, struct observer **observer,
                              struct error *error);

/*
 * Says that the run of a checkpoint, in the file `name`, has another --stats-from than the one that
 * resumes it. Returns STATUS_USAGE.
 */
enum status statistics_refuse_from(const char *name, double from, struct error *error);

#endif
