/* Plots as inline SVG of an HTML page, each with its numbers in a table beneath. */
#ifndef PARTICLES_PLOT_H
#define PARTICLES_PLOT_H

#include "observe/report.h"

#include <stdio.h>

enum { PLOT_MAX_SERIES = 3 };

enum plot_form {
    PLOT_CURVE,  /* with a band of its errors, where they are known, and gaps where a point is not
                    finite; a point between gaps is a dot */
    PLOT_DASHED, /* a curve to compare with */
    PLOT_SMOOTH, /* one through all points, which a polynomial connects: theory */
    PLOT_BARS,   /* at equal distances, from 0 */
    PLOT_POINTS, /* with bars of their errors */
};

struct plot_series {
    const char *quantity; /* its name in a report; NULL: none */
    const char *label;    /* its name in the plot, in a word or two */
    enum plot_form form;
};

struct plot {
    struct plot_labels {
        const char *title, *x, *y; /* plain text */
    } labels;
    const char *const *categories; /* names of whole numbers on the x axis; or NULL */
    int is_close;                  /* the y axis need not begin at 0; that of bars always does */
    double level;                  /* a level to compare with, in a dotted line; NAN: none */
    const char *level_label;
    size_t count; /* of series, from 1; of several, all have the same x */
    struct plot_series series[PLOT_MAX_SERIES];
    const struct report_series *points[PLOT_MAX_SERIES]; /* of each, from left to right */
};

/* The style of plots, which a page has once. */
extern const char plot_style[];

/* Writes a plot. Coordinates are computed with nothing but + - * / and comparisons, so that the
 * same points give the same bytes everywhere. Errors of writing are left in `stream`. */
void plot_write(const struct plot *plot, FILE *stream);

#endif
