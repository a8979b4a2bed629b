/*
 * Whether the printed answer is determined by the input at all: an observer that, when the run is
 * over, runs it again with coordinates moved by the last bit, and compares what is printed.
 */
#ifndef PARTICLES_SENSITIVITY_H
#define PARTICLES_SENSITIVITY_H

#include "run/observer.h"
#include "schedule/schedule.h"

#include <stdio.h>

enum { SENSITIVITY_USUAL_RUNS = 8, SENSITIVITY_MOST_RUNS = 10000 };

/* What is to be found out, and where it is told. */
struct sensitivity_request {
    uint32_t runs;               /* K: how many perturbed runs; 1 to SENSITIVITY_MOST_RUNS */
    enum schedule_kind schedule; /* which schedule they use */
    double end_time;             /* END_TIME of all runs */
    const volatile sig_atomic_t *interrupt; /* as in struct observers */
    FILE *stream;                           /* gets the report; not owned */
    const char *name;                       /* what that is, for messages; not owned */
};

/*
 * Makes an observer of the run itself, which must be that of `request`. It finishes with the
 * perturbed runs and a report of five lines, each "particles: sensitivity: KEY: ...", as the
 * README describes them. They take K times as long as the run, and memory for one more schedule and
 * two more copies of the particles. A perturbed run that cannot reach END_TIME, for disks are
 * wedged in it, is one that prints something else.
 *
 * Returns STATUS_DONE or STATUS_NO_MEMORY. To finish may also fail with STATUS_INTERRUPTED and
 * STATUS_CANNOT_WRITE.
 */
enum status sensitivity_create(const struct sensitivity_request *request,
                               struct observer **observer, struct error *error);

#endif
