/*
 * The observers that the options ask for; see observe.h.
 */
#include "cli/observe.h"

#include "base/memory.h"
#include "cli/input.h"
#include "cli/signals.h"
#include "io/output_part.h"
#include "io/output_path.h"
#include "io/path.h"
#include "observe/checkpoint.h"
#include "observe/event_log.h"
#include "observe/progress.h"
#include "observe/sensitivity.h"
#include "observe/statistics.h"
#include "observe/trajectory.h"
#include "picture/animation.h"
#include "picture/picture.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds by a clock that nobody sets. */
static double read_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether the run writes the file that it resumes. */
static int is_checkpoint_resumed(const struct options *options)
{
    struct stat written;
    struct stat resumed;
    return options->checkpoint && options->resume && stat(options->checkpoint, &written) == 0 &&
           stat(options->resume, &resumed) == 0 && written.st_dev == resumed.st_dev &&
           written.st_ino == resumed.st_ino;
}

/* Checks the names of all files that are to be written, and their parts if the run has such. */
static enum status check_names(const struct options *options, struct error *error)
{
    const int has_parts = options->checkpoint || options->resume;
    const struct output_name names[] = {
        {"--events", options->events, ""},
        {"--trajectory", options->trajectory, ""},
        {"--animate", options->animation, ""},
        {"--stats", options->stats_file, ""},
        {"--picture", options->picture, ""},
        {"--checkpoint", is_checkpoint_resumed(options) ? NULL : options->checkpoint, ""},
        {"--resume", options->resume, ""},
        {"--events", has_parts ? options->events : NULL, OUTPUT_PART_END},
        {"--trajectory", has_parts ? options->trajectory : NULL, OUTPUT_PART_END},
        {"--animate", has_parts ? options->animation : NULL, OUTPUT_PART_END},
    };
    return output_names_check(names, sizeof names / sizeof names[0],
                              options->resume ? "-" : options->input, error);
}

/* Adds an observer, if one has been created. */
static void add(const struct options *options, struct observers *observers,
                struct observer **observer)
{
    if (*observer) {
        (*observer)->is_resumable = options->checkpoint || options->resume;
        observers_add(observers, *observer);
    }
    *observer = NULL;
}

/* What the animation is called: INPUT without its directories. */
static const char *name_input(const struct options *options)
{
    const char *slash = options->input ? strrchr(options->input, '/') : NULL;
    if (!options->input)
        return ""; /* the checkpoint has it */
    return slash ? slash + 1 : input_name(options->input);
}

/* Makes what --sensitivity asks for, even with --quiet: it has no other way to answer. */
static enum status create_sensitivity(const struct options *options, struct observer **observer,
                                      struct error *error)
{
    const struct sensitivity_request request = {
        .runs = options->sensitivity,
        .schedule = options->schedule,
        .end_time = options->end_time,
        .interrupt = signals_catch(),
        .stream = stderr,
        .name = "standard error",
    };
    return sensitivity_create(&request, observer, error);
}

static enum status create_checkpoint(const struct options *options,
                                     const struct observers *observers, struct observer **observer,
                                     struct error *error)
{
    const struct checkpoint_request request = {
        .name = options->checkpoint,
        .may_replace = is_checkpoint_resumed(options),
        .every = options->checkpoint_every,
        .end_time = options->end_time,
        .clock = read_clock,
    };
    return checkpoint_create(&request, observers, observer, error);
}

/* Makes what --stats asks for, also if nobody will see it but a run that goes on with this one. */
static enum status create_stats(const struct options *options, struct observer **observer,
                                struct error *error)
{
    const int is_resumable = options->checkpoint || options->resume;
    FILE *table = options->quiet ? NULL : stderr;
    if (!options->stats_file && !table && !is_resumable)
        return STATUS_DONE;
    return statistics_create(options->stats_file, table, read_clock, observer, error);
}

enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error)
{
    struct observer *observer = NULL;
    int is_terminal = isatty(STDERR_FILENO);
    enum status status = check_names(options, error);
    if (!status && options->events)
        status = event_log_create(options->events, &observer, error);
    add(options, observers, &observer);
    if (!status && options->trajectory)
        status = trajectory_create(options->trajectory, options->every, options->end_time,
                                   &observer, error);
    add(options, observers, &observer);
    if (!status && options->picture)
        status = picture_create(options->picture, &observer, error);
    add(options, observers, &observer);
    if (!status && options->animation)
        status = animation_create(options->animation, name_input(options), options->end_time,
                                  &observer, error);
    add(options, observers, &observer);
    if (!status && !options->quiet && (options->progress || is_terminal))
        status =
            progress_create(options->end_time, stderr, is_terminal, read_clock, &observer, error);
    add(options, observers, &observer);
    /* The table comes last: by then the line of the progress has gone from the terminal. */
    if (!status && options->stats)
        status = create_stats(options, &observer, error);
    add(options, observers, &observer);
    if (!status && options->sensitivity) /* by then all files of the run itself are complete */
        status = create_sensitivity(options, &observer, error);
    add(options, observers, &observer);
    if (!status && options->checkpoint) /* the last: see checkpoint.h */
        status = create_checkpoint(options, observers, &observer, error);
    add(options, observers, &observer);
    if (!status && observers->count > 0)
        observers->interrupt = signals_catch();
    return status;
}

void observe_end(const struct options *options)
{
    struct error error;
    char *path = NULL; /* where the checkpoint is, which may have been named by a link */
    if (!options->checkpoint)
        return;
    (void)fsync(STDOUT_FILENO); /* where that can be done: a file */
    if (path_follow(options->checkpoint, &path, &error) == STATUS_DONE)
        (void)unlink(path);
    memory_free(path);
}

void observe_free(struct observers *observers)
{
    observers_free(observers);
    signals_release();
}
