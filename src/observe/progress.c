/* Reports the progress of a run; see observe/writers.h. */
#include "observe/writers.h"

#include "run/dynamics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

static const double QUICK = 0.01;         /* seconds; see struct pace */
static const double TERMINAL_START = 1;   /* seconds before the first line on a terminal, */
static const double TERMINAL_PAUSE = 0.3; /* and between two */
static const double LOG_PAUSE = 10;       /* seconds between two lines elsewhere */

static const double MIN_RATED = 0.001;                 /* seconds from which there is a rate, */
static const double MIN_SECONDS = 2;                   /* and an estimate of the time left: */
static const double MIN_FRACTION = 0.001;              /* it also takes this fraction of the run, */
static const double MAX_SECONDS_LEFT = 1000 * 86400.0; /* and must be below this */

enum { TEXT_SIZE = 200, DURATION_SIZE = 32, DEFAULT_WIDTH = 80 };

struct progress {
    struct observer observer;
    double started, shown; /* by the clock */
    struct pace pace;
    int width;        /* of the line that is on the terminal now */
    double time;      /* of the simulation, from 0 to the end */
    double start;     /* the time at which it began: not 0 in a run that has been resumed */
    uint64_t events;  /* collisions, or steps, so far */
    const char *what; /* is counted: "events" or "steps" */
    double waiting;   /* the fraction of the first predictions that is still to be made */
};

/* Formats a number of seconds, less than 10^9, as days, hours, minutes and seconds. */
static void format_duration(char text[DURATION_SIZE], double seconds)
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
}

/* Formats a line, `seconds` after the run began. Numbers that are not yet known appear as "-". */
static void progress_format(char text[TEXT_SIZE], const struct progress *progress, double seconds)
{
    if (progress->waiting > 0) {
        snprintf(text, TEXT_SIZE, "predicting the first collisions (%.1f %%)",
                 floor(1000 * (1 - progress->waiting)) / 10);
        return;
    }
    const double end_time = progress->observer.run->to;
    double done = end_time > 0 ? fmin(progress->time / end_time, 1) : 1;
    double gained = end_time > 0 ? done - progress->start / end_time : 1;
    char rate[DURATION_SIZE] = "-";
    char left[DURATION_SIZE] = "-";
    if (seconds >= MIN_RATED)
        snprintf(rate, sizeof rate, "%.0f", (double)progress->events / seconds);
    if (done >= 1)
        format_duration(left, 0);
    else if (seconds >= MIN_SECONDS && gained >= MIN_FRACTION &&
             seconds * (1 - done) / gained < MAX_SECONDS_LEFT)
        format_duration(left, seconds * (1 - done) / gained);
    /* The percentage is rounded down, so that it is 100 only at the end. */
    snprintf(text, TEXT_SIZE, "time %.6g of %.6g (%.1f %%), %" PRIu64 " %s, %s/s, %s left",
             progress->time, end_time, floor(1000 * done) / 10, progress->events, progress->what,
             rate, left);
}

static int terminal_width(FILE *stream)
{
#ifdef TIOCGWINSZ
    struct winsize size = {0}; /* emscripten reports success, and sets nothing */
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        return size.ws_col;
#else
    (void)stream;
#endif
    return DEFAULT_WIDTH;
}

/* Replaces the line on the terminal by `text`, cut so that the cursor stays in the line. */
static void rewrite(struct progress *progress, const char *text)
{
    int most = terminal_width(progress->observer.run->errors) - 1;
    int length = (int)strlen(text);
    int width = length < most ? length : most;
    int before = progress->width < most ? progress->width : most;
    fprintf(progress->observer.run->errors, "\r%.*s%*s", width, text,
            before > width ? before - width : 0, "");
    progress->width = width;
}

/* Leaves an empty line, with the cursor at its beginning. */
static void clear(struct progress *progress)
{
    if (progress->width > 0) {
        rewrite(progress, "");
        fputc('\r', progress->observer.run->errors);
        fflush(progress->observer.run->errors);
    }
}

static void show(struct progress *progress, double now)
{
    char text[TEXT_SIZE];
    progress->shown = now;
    progress_format(text, progress, now - progress->started);
    if (progress->observer.run->is_terminal)
        rewrite(progress, text);
    else
        fprintf(progress->observer.run->errors, "particles: %s\n", text);
    fflush(progress->observer.run->errors);
}

static enum status progress_begin(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct progress *progress = (struct progress *)observer;
    (void)error;
    progress->start = snapshot->time;
    progress->what = observers_dynamics(observer->all)->operations->counted;
    progress->started = pace_begin(&progress->pace, progress->observer.run->clock, QUICK);
    progress->shown = progress->started;
    if (progress->observer.run->is_terminal) /* the first line comes after TERMINAL_START */
        progress->shown += TERMINAL_START - TERMINAL_PAUSE;
    return STATUS_DONE;
}

static void show_in_time(struct progress *progress)
{
    const double pause = progress->observer.run->is_terminal ? TERMINAL_PAUSE : LOG_PAUSE;
    double now;
    if (pace_count(&progress->pace, &now) && now - progress->shown >= pause)
        show(progress, now);
}

static void follow_predictions(struct observer *observer, double part)
{
    struct progress *progress = (struct progress *)observer;
    progress->waiting = 1 - part;
    if (part < 1)
        show_in_time(progress);
    else
        progress->started = progress->observer.run->clock(); /* the rate is that from here on */
}

static enum status progress_take(struct observer *observer, const struct collision_batch *batch,
                                 struct error *error)
{
    struct progress *progress = (struct progress *)observer;
    (void)error;
    progress->events += batch->events;
    progress->time = fmax(progress->time, batch->time);
    show_in_time(progress);
    return STATUS_DONE;
}

static enum status progress_finish(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct progress *progress = (struct progress *)observer;
    (void)error;
    progress->time = snapshot->time;
    if (progress->observer.run->is_terminal)
        clear(progress);
    else
        show(progress, progress->observer.run->clock());
    return STATUS_DONE;
}

static void free_progress(struct observer *observer)
{
    clear((struct progress *)observer);
}

const struct observer_operations progress_operations = {
    .kind = {"--progress", "the progress", sizeof(struct progress), FILE_OF_ITS_OWN},
    .watches = WATCH_EVENTS,
    .begin = progress_begin,
    .on_progress = follow_predictions,
    .take = progress_take,
    .finish = progress_finish,
    .free = free_progress,
};
