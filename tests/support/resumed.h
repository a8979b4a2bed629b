/* Running systems as the command does, with all its files, in the present directory: to the end, or
 * up to an interruption, and on from a checkpoint. */
#ifndef PARTICLES_TESTS_RESUMED_H
#define PARTICLES_TESTS_RESUMED_H

#include "cli/options.h"
#include "witness.h"

/* A run; give it to resumed_free in the end. */
struct resumed {
    struct options options; /* with the files "events", "frames", ... and the checkpoint "saved" */
    struct system system;   /* as the run has left it */
    struct notifications notified; /* how many collisions there were, and moments to interrupt it */
    enum status status;
    struct error error;
};

/* Options for a run up to `end_time` that writes all files there are, and checkpoints: one at the
 * beginning, and one in the end if it is interrupted. */
struct options resumed_options(enum schedule_kind schedule, double end_time, double every);

/* The same of a run in steps, which sees no collisions, without figures. The scene is the caller's.
 */
struct options resumed_steps(double end_time, double every, double step, uint32_t substeps);

/* Runs a copy of `system`; or, if that is NULL, resumes the checkpoint "saved". A signal comes when
 * `stop` says so. */
void resumed_run(struct resumed *run, const struct options *options, const struct system *system,
                 struct notifications stop);
void resumed_free(struct resumed *run);

/* Checks that a run in steps of a copy of `system` ends as `whole` does if it is interrupted, and
 * resumed: at substep 1, and at each `stride`-th from there to `end`. Unless it is NULL,
 * `write_files` writes the files of the scene before each run; none is read when one is resumed. */
void resumed_check_stops(const struct resumed *whole, const struct system *system, size_t end,
                         size_t stride, void (*write_files)(int is_resumed));

#endif
