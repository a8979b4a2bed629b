/* The observer of --report: gathers the content of a page, which report_page_write
 * (picture/picture.h) writes in the end. Figures and most series come from the observers of
 * --stats, --structure, --forces and --fields; speeds and free paths it measures itself. */
#ifndef PARTICLES_REPORT_H
#define PARTICLES_REPORT_H

#include "observe/fields.h"
#include "run/dynamics.h"

#include <stdio.h>

/* A point of a series; a value that is not determined is not finite. */
struct report_point {
    double x, value;
    double error; /* the standard error of the value; NAN: none is known */
};

/* A quantity as a function of another one. */
struct report_series {
    const char *quantity; /* its name, a constant string */
    size_t count, capacity;
    struct report_point *points; /* owned */
};

enum { REPORT_MAX_SERIES = 40 };

enum { FIGURE_TEXT_SIZE = 50 };

/* Formats the value of a figure for people: with an error it has the digits that this leaves, and
 * then the error in units of the last one. `none` if it is not determined. */
void figure_format(char text[FIGURE_TEXT_SIZE], const struct dynamics_figure *figure,
                   const char *none);

struct observer_request;
struct polygon_hits;
struct report;

/* Writes it. Returns STATUS_DONE or STATUS_NO_MEMORY; errors of writing are left in `stream`. */
typedef enum status report_writer(const struct report *report, FILE *stream, struct error *error);

/* The content of a report. Its writer owns nothing of it. */
struct report {
    const struct observer_request *request;
    double seconds;           /* that the run took since its figures began */
    struct snapshot snapshot; /* of the end of the run */
    int is_stepped;           /* a time-stepped run, in which collisions are not observed */
    int is_sampled;           /* the figures are of a sample of the time: observers.h */
    double sampled_from;      /* when the sample begins, */
    double sampled_pairs;     /* and its number of collisions of two particles */
    size_t figure_count;
    struct dynamics_figure figures[DYNAMICS_MAX_FIGURES]; /* that have a meaning */
    size_t series_count;
    struct report_series series[REPORT_MAX_SERIES];
    double speeds, paths;            /* numbers of them in their histograms */
    const struct dynamics *dynamics; /* of the run, for its joints; or NULL */
    const struct polygon_hits *hits; /* in a stream, those of the polygons; or NULL */
    const char *warning;             /* why the forces should not be trusted; or NULL */
    const struct field_map *fields;  /* of --fields; or NULL */
    const struct field_map
        *crowd; /* the density at the end of too many particles to draw; or NULL */
};

/* The series of a quantity, or NULL if there is none. */
const struct report_series *report_find(const struct report *report, const char *quantity);

enum { REPORT_MAX_DRAWN = 20000 }; /* of more particles, the density is drawn */

/* The observers whose measurements a report shows; NULL: there is none. */
struct report_sources {
    const struct observer *statistics, *structure, *forces, *fields;
};

/* Writes a report at the end of the run, of the measurements of its `sources`, which come before it
 * in the list of observers. One is of --stats, with the same `from`; if that has neither file nor
 * table, it measures a sample, and so does this one. A run has the same report with every schedule
 * and on every machine, except for lines with `class="run"`: the command line and the seconds.
 * Memory: a byte a particle, and up to 2 MB. */
extern const struct observer_operations report_operations;

#endif
