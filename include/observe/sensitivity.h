/*
 * The observer behind --sensitivity: tests whether the input determines the printed answer. When
 * the run is over, it runs it again with coordinates moved by the last bit, and compares the
 * answers.
 */
#ifndef PARTICLES_SENSITIVITY_H
#define PARTICLES_SENSITIVITY_H

#include "run/observer.h"
#include "schedule/schedule.h"

#include <stdio.h>

enum { SENSITIVITY_USUAL_RUNS = 8, SENSITIVITY_MOST_RUNS = 10000 };

/* What to test, and where to report it. */
struct sensitivity_request {
    uint32_t runs;               /* K: how many perturbed runs; 1 to SENSITIVITY_MOST_RUNS */
    enum schedule_kind schedule; /* the schedule that they use */
    unsigned threads; /* how many of them run at the same time, if they fit into half of the
                         memory; 0: as is best */
    double end_time;  /* END_TIME of all runs */
    const volatile sig_atomic_t *interrupt; /* as in struct observers */
    const char *file; /* gets the report as lines "key = value"; not owned; or NULL: then */
    FILE *stream;     /* this gets it as sentences; not owned */
    const char *name; /* what the stream is, for messages; not owned */
    int has_verdict;  /* the verdict is STATUS_UNSTABLE if the answer is not determined */
};

/*
 * Makes an observer of the run that `request` describes. In `finish` it does the perturbed runs and
 * writes a report, which the manual page explains: five lines, each "particles: sensitivity: KEY:
 * ...", or a file, which is opened when the run begins, and in the end is complete or absent. The
 * perturbed runs take K times as long as the run on one thread, and memory for one more schedule
 * and copy of the particles for each thread, and for one further copy. If a perturbed run cannot
 * reach END_TIME, because a disk without room collides without end, its answer counts as different.
 *
 * Returns STATUS_DONE or STATUS_NO_MEMORY. `begin` may fail with STATUS_CANNOT_WRITE, and `finish`
 * may also fail with STATUS_INTERRUPTED or STATUS_CANNOT_WRITE.
 */
enum status sensitivity_create(const struct sensitivity_request *request,
                               struct observer **observer, struct error *error);

#endif
