/*
 * The observer behind --report: gathers what a page about the run shows, and has it written when
 * the run is over. The page itself is written by picture/report_page.h.
 *
 * Most of it is what other observers measure: it takes the figures from the one of --stats, which
 * every run with a report has, and what --structure, --forces and --fields have measured, if they
 * are there. Of its own it has the speeds and the free paths.
 */
#ifndef PARTICLES_REPORT_H
#define PARTICLES_REPORT_H

#include "observe/fields.h"
#include "observe/figure_text.h"
#include "run/observer.h"

#include <stdio.h>

/* A point of a series; what is not determined is not finite. */
struct report_point {
    double x, value;
    double error; /* the standard error of the value; NAN: none is known */
};

/* A quantity as a function of another one. */
struct report_series {
    const char *quantity; /* its name, a constant string */
    size_t count, room;
    struct report_point *points; /* owned */
};

enum { REPORT_MOST_SERIES = 32, REPORT_MOST_FIGURES = 80 };

/* A figure of --stats. */
struct report_figure {
    const struct figure_description *description;
    const char *meaning; /* what it says, a sentence */
    double value;        /* not finite: the run does not determine it */
};

/* What is known of a run when it is over. Nothing in it is owned by who writes it. */
struct report {
    const char *title;        /* for instance the name of the input */
    const char *version;      /* of the program */
    char *const *arguments;   /* the command line, NULL at the end */
    double seconds;           /* that the run took since its figures began */
    struct snapshot snapshot; /* of the end of the run */
    int is_stepped;           /* a time-stepped run, in which nobody is told of collisions */
    int is_drifting;          /* the gas moves as a whole: a stream, or in a periodic box */
    int is_sampled;       /* the figures are of the last part of the time: statistics.h; if so: */
    double sampled_from;  /* from when on, */
    double sampled_pairs; /* and how many collisions of two particles that part has */
    size_t figure_count;
    const struct report_figure *figures;
    size_t series_count;
    struct report_series series[REPORT_MOST_SERIES];
    double collision_rate_enskog;   /* what theory predicts; may be not finite */
    double speeds, paths;           /* how many are in the histograms of speeds and free paths */
    const char *warning;            /* why the forces should not be trusted; or NULL */
    const struct field_map *fields; /* of --fields; or NULL */
    const struct field_map *crowd;  /* the density at the end, where there are too many particles to
                                       draw each; otherwise NULL */
};

/* The series of a quantity, or NULL if there is none. */
const struct report_series *report_find(const struct report *report, const char *quantity);

/* Writes the report. Returns STATUS_DONE or STATUS_NO_MEMORY; errors of writing are left in
 * `stream`. */
typedef enum status report_writer(const struct report *report, FILE *stream, struct error *error);

/*
 * Lists the figures that an observer of --stats has found when it has finished, each with what it
 * says. Returns how many.
 */
typedef size_t report_lister(const struct observer *statistics,
                             struct report_figure list[REPORT_MOST_FIGURES]);

struct report_request {
    const char *name;       /* of the file */
    const char *title;      /* as in struct report */
    const char *version;    /* as in struct report */
    char *const *arguments; /* as in struct report; these strings must outlive the observer */
    report_writer *write;
    report_lister
        *list;   /* of a time-stepped run; NULL: what statistics_create makes has the figures */
    double from; /* the time from which figures count: 0 to */
    double to;   /* the end of the run */
};

enum { REPORT_MOST_DRAWN = 20000 }; /* of more particles, the density is drawn */

/*
 * Makes an observer that writes a report at the end of the run. There must also be one of
 * statistics_create, before it among the observers, from the same time on; without a file and a
 * table that measures a sample (statistics.h), and so does this one. In a time-stepped run it is
 * one of step_statistics_create (steps/step_statistics.h). The file is found to be writable when
 * the run begins, and in the end is complete or absent. The same run has the same report with every
 * schedule and on every machine, except for lines with `class="run"`: the command line and the
 * seconds. Memory: a byte a particle, and up to 2 MB.
 *
 * Returns STATUS_DONE with `*observer` for observers_add, or STATUS_NO_MEMORY.
 */
enum status report_create(const struct report_request *request, struct observer **observer,
                          struct error *error);

#endif
