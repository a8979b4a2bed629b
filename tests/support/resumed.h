/*
 * Running systems as the command does, with all its files, in the present directory: to the end, or
 * up to an interruption, and on from a checkpoint.
 */
#ifndef PARTICLES_TESTS_RESUMED_H
#define PARTICLES_TESTS_RESUMED_H

#include "cli/options.h"

/* A run; give it to resumed_free in the end. */
struct resumed {
    struct options options; /* with the files "events", "frames", ... and the checkpoint "saved" */
    struct system system;   /* as the run has left it */
    size_t collisions;      /* how many there were, */
    size_t rests;           /* and moments in which it could have been interrupted */
    enum status status;
    struct error error;
};

/* When a signal comes: after so many collisions, or in such a moment, from 0. */
struct resumed_stop {
    size_t collisions, rests;
};

static const struct resumed_stop RESUMED_NEVER = {SIZE_MAX, SIZE_MAX};

/*
 * Options for a run up to `end_time` that writes all files there are, and checkpoints: one at the
 * beginning, and one in the end if it is interrupted.
 */
struct options resumed_options(enum schedule_kind schedule, double end_time, double every);

/*
 * Runs a copy of `system`; or, if that is NULL, resumes the checkpoint "saved".
 */
void resumed_run(struct resumed *run, const struct options *options, const struct system *system,
                 struct resumed_stop stop);
void resumed_free(struct resumed *run);

#endif
