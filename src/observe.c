/*
 * The observers that the options ask for; see observe.h.
 */
#include "observe.h"

#include "animation.h"
#include "event_log.h"
#include "interrupt.h"
#include "output_names.h"
#include "picture.h"
#include "progress.h"
#include "sensitivity.h"
#include "stats.h"
#include "trajectory.h"

#include <string.h>
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

/* Checks the names of all files that are to be written. */
static enum status check_names(const struct options *options, struct error *error)
{
    const struct output_name names[] = {
        {"--events", options->events},     {"--trajectory", options->trajectory},
        {"--stats", options->stats_file},  {"--picture", options->picture},
        {"--animate", options->animation},
    };
    return output_names_check(names, sizeof names / sizeof names[0], options->input, error);
}

/* Adds an observer, if one has been created. */
static void add(struct observers *observers, struct observer **observer)
{
    if (*observer)
        observers_add(observers, *observer);
    *observer = NULL;
}

/* What the animation is called: INPUT without its directories. */
static const char *name_input(const struct options *options)
{
    const char *slash = strrchr(options->input, '/');
    if (strcmp(options->input, "-") == 0)
        return "standard input";
    return slash ? slash + 1 : options->input;
}

/* Makes what --sensitivity asks for, even with --quiet: it has no other way to answer. */
static enum status create_sensitivity(const struct options *options, struct observer **observer,
                                      struct error *error)
{
    const struct sensitivity_request request = {
        .runs = options->sensitivity,
        .schedule = options->schedule,
        .end_time = options->end_time,
        .interrupt = interrupt_catch(),
        .stream = stderr,
        .name = "standard error",
    };
    return sensitivity_create(&request, observer, error);
}

enum status observe_create(const struct options *options, struct observers *observers,
                           struct error *error)
{
    struct observer *observer = NULL;
    int is_terminal = isatty(STDERR_FILENO);
    enum status status = check_names(options, error);
    if (!status && options->events)
        status = event_log_create(options->events, &observer, error);
    add(observers, &observer);
    if (!status && options->trajectory)
        status = trajectory_create(options->trajectory, options->every, options->end_time,
                                   &observer, error);
    add(observers, &observer);
    if (!status && options->picture)
        status = picture_create(options->picture, &observer, error);
    add(observers, &observer);
    if (!status && options->animation)
        status = animation_create(options->animation, name_input(options), options->end_time,
                                  &observer, error);
    add(observers, &observer);
    if (!status && !options->quiet && (options->progress || is_terminal))
        status =
            progress_create(options->end_time, stderr, is_terminal, read_clock, &observer, error);
    add(observers, &observer);
    /* The table comes last: by then the line of the progress has gone from the terminal. */
    if (!status && options->stats && (options->stats_file || !options->quiet))
        status = stats_create(options->stats_file, read_clock, &observer, error);
    add(observers, &observer);
    if (!status && options->sensitivity) /* the last, so that the others are through before it */
        status = create_sensitivity(options, &observer, error);
    add(observers, &observer);
    if (!status && observers->count > 0)
        observers->interrupt = interrupt_catch();
    return status;
}

void observe_free(struct observers *observers)
{
    observers_free(observers);
    interrupt_release();
}
