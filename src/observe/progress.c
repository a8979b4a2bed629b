/*
 * The report of how far a run has come; see progress.h.
 */
#include "observe/progress.h"

#include "base/memory.h"
#include "base/pace.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

static const double QUICK = 0.01;         /* seconds; see pace.h */
static const double TERMINAL_START = 1;   /* seconds before the first line on a terminal, */
static const double TERMINAL_PAUSE = 0.3; /* and between two */
static const double LOG_PAUSE = 10;       /* seconds between two lines elsewhere */

static const double LEAST_RATED = 0.001;                /* seconds from which there is a rate, */
static const double LEAST_SECONDS = 2;                  /* and an estimate of the time left: */
static const double LEAST_FRACTION = 0.001;             /* it also takes this part of the run, */
static const double MOST_SECONDS_LEFT = 1000 * 86400.0; /* and must be below this */

enum { DURATION_SIZE = 32, USUAL_WIDTH = 80 };

struct progress {
    struct observer observer;
    FILE *stream; /* not owned */
    int is_terminal;
    double (*clock)(void);
    double started, shown; /* by the clock */
    struct pace pace;
    int width; /* of the line that is on the terminal now */
    struct progress_state state;
};

/* Formats a number of seconds, less than 10^9, as days, hours, minutes and seconds. */
static const char *format_duration(char text[DURATION_SIZE], double seconds)
{
    unsigned long whole = seconds > 0 ? (unsigned long)seconds : 0;
    unsigned long minutes = whole / 60;
    unsigned long hours = minutes / 60;
    if (hours >= 24)
        snprintf(text, DURATION_SIZE, "%lu d %lu h", hours / 24, hours % 24);
    else if (hours > 0)
        snprintf(text, DURATION_SIZE, "%lu:%02lu:%02lu", hours, minutes % 60, whole % 60);
    else
        snprintf(text, DURATION_SIZE, "%lu:%02lu", minutes, whole % 60);
    return text;
}

void progress_format(char text[PROGRESS_TEXT_SIZE], const struct progress_state *state)
{
    if (state->waiting > 0) {
        snprintf(text, PROGRESS_TEXT_SIZE, "predicting the first collisions (%.1f %%)",
                 floor(1000 * (1 - state->waiting)) / 10);
        return;
    }
    double done = state->end_time > 0 ? fmin(state->time / state->end_time, 1) : 1;
    double gained = state->end_time > 0 ? done - state->start / state->end_time : 1;
    char rate[DURATION_SIZE] = "-";
    char left[DURATION_SIZE] = "-";
    if (state->seconds >= LEAST_RATED)
        snprintf(rate, sizeof rate, "%.0f", (double)state->events / state->seconds);
    if (done >= 1) {
        format_duration(left, 0);
    } else if (state->seconds >= LEAST_SECONDS && gained >= LEAST_FRACTION) {
        double seconds = state->seconds * (1 - done) / gained;
        if (seconds < MOST_SECONDS_LEFT)
            format_duration(left, seconds);
    }
    /* The percentage is rounded down, so that it is 100 only at the end. */
    snprintf(text, PROGRESS_TEXT_SIZE, "time %.6g of %.6g (%.1f %%), %" PRIu64 " %s, %s/s, %s left",
             state->time, state->end_time, floor(1000 * done) / 10, state->events, state->what,
             rate, left);
}

/* The number of characters on a line of the terminal. */
static int terminal_width(FILE *stream)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
#else
    (void)stream;
#endif
    return USUAL_WIDTH;
}

/* Replaces the line on the terminal by `text`, cut so that the cursor stays in the line. */
static void rewrite(struct progress *progress, const char *text)
{
    int most = terminal_width(progress->stream) - 1;
    int length = (int)strlen(text);
    int width = length < most ? length : most;
    int before = progress->width < most ? progress->width : most;
    fprintf(progress->stream, "\r%.*s%*s", width, text, before > width ? before - width : 0, "");
    progress->width = width;
}

/* Leaves an empty line, with the cursor at its beginning. */
static void clear(struct progress *progress)
{
    if (progress->width > 0) {
        rewrite(progress, "");
        fputc('\r', progress->stream);
        fflush(progress->stream);
    }
}

static void show(struct progress *progress, double now)
{
    char text[PROGRESS_TEXT_SIZE];
    progress->state.seconds = now - progress->started;
    progress->shown = now;
    progress_format(text, &progress->state);
    if (progress->is_terminal)
        rewrite(progress, text);
    else
        fprintf(progress->stream, "particles: %s\n", text);
    fflush(progress->stream);
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct progress *progress = (struct progress *)observer;
    (void)error;
    progress->state.start = snapshot->time;
    progress->started = pace_begin(&progress->pace, progress->clock, QUICK);
    progress->shown = progress->started;
    if (progress->is_terminal) /* the first line comes after TERMINAL_START */
        progress->shown += TERMINAL_START - TERMINAL_PAUSE;
    return STATUS_DONE;
}

/* To be called when something has happened: shows the progress if it is time to. */
static void show_in_time(struct progress *progress)
{
    const double pause = progress->is_terminal ? TERMINAL_PAUSE : LOG_PAUSE;
    double now;
    if (pace_count(&progress->pace, &now) && now - progress->shown >= pause)
        show(progress, now);
}

static void follow_predictions(struct observer *observer, double part)
{
    struct progress *progress = (struct progress *)observer;
    progress->state.waiting = 1 - part;
    if (part < 1)
        show_in_time(progress);
    else
        progress->started = progress->clock(); /* the rate is that from here on */
}

static void count(struct observer *observer, uint64_t events, double time)
{
    struct progress *progress = (struct progress *)observer;
    progress->state.events += events;
    progress->state.time = time;
    show_in_time(progress);
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct progress *progress = (struct progress *)observer;
    (void)error;
    progress->state.time = snapshot->time;
    if (progress->is_terminal)
        clear(progress);
    else
        show(progress, progress->clock());
    return STATUS_DONE;
}

static void free_progress(struct observer *observer)
{
    clear((struct progress *)observer);
    memory_free(observer);
}

enum status progress_create(double end_time, const char *what, FILE *stream, int is_terminal,
                            double (*clock)(void), struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {.begin = begin,
                                                          .wait = follow_predictions,
                                                          .count = count,
                                                          .finish = finish,
                                                          .free = free_progress};
    struct progress *progress = memory_allocate(1, sizeof *progress, "the progress", error);
    if (!progress)
        return STATUS_NO_MEMORY;
    *progress =
        (struct progress){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                          .stream = stream,
                          .is_terminal = is_terminal,
                          .clock = clock,
                          .state = {.end_time = end_time, .what = what}};
    *observer = &progress->observer;
    return STATUS_DONE;
}
