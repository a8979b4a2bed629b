/*
 * Plots; see plot.h. Axes have ticks at round numbers: 1, 2 or 5 times a power of ten apart. Text
 * in the drawing is for the eye; screen readers get the title, and the table of the numbers.
 */
#include "plot.h"

#include <math.h>

/* In units of the drawing, which is as wide as there is room, up to some 600 pixels. */
enum {
    WIDTH = 440,
    HEIGHT = 270,
    LEFT = 62,
    RIGHT = 14,
    TOP = 30,
    BOTTOM = 44,
    MAX_TICKS_X = 6,
    MAX_TICKS_Y = 7
};

const char plot_style[] =
    ".plot{width:100%;height:auto;max-width:40rem;display:block}\n"
    ".plot text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:var(--quiet)}\n"
    ".plot .grid{stroke:var(--line);stroke-width:1}\n"
    ".plot .axis{stroke:var(--quiet);stroke-width:1;fill:none}\n"
    ".plot .c0{stroke:var(--first)}.plot .c1{stroke:var(--second)}\n"
    ".plot .curve{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".plot .dashed{stroke-dasharray:6 4}\n"
    ".plot .dot{fill:none;stroke-width:2}\n"
    ".plot .level{stroke:var(--second);stroke-width:1.5;stroke-dasharray:2 3}\n"
    ".plot .band{stroke:none;fill:var(--first);fill-opacity:.22}\n"
    ".plot .bars{fill:var(--first);fill-opacity:.55;stroke:var(--first);stroke-width:.6}\n"
    ".plot .key{stroke-width:2.5;fill:none}\n";

/* An axis: a range, cut at round numbers. */
struct plot_axis {
    double low, high;
    double step;
    double begin, length; /* where `low` is in the drawing; and how far from there `high` is */
};

static double plot_position(const struct plot_axis *axis, double value)
{
    return axis->begin + (value - axis->low) / (axis->high - axis->low) * axis->length;
}

/* The least of 1, 2 and 5 times a power of ten that cuts a range into `most` steps at most. */
static double choose_step(double range, int max_steps)
{
    static const double steps[] = {2, 2.5, 2}; /* from 1 to 2, 5 and 10 */
    double step = 1;
    while (step * max_steps > range && step > 1e-300)
        step /= 10;
    for (int k = 0; step * max_steps < range; k = (k + 1) % 3)
        step *= steps[k];
    return step;
}

/* Whole numbers, as of categories and counts, have no ticks between them. */
static void set_axis(struct plot_axis *axis, double low, double high, int max_steps, int is_whole)
{
    if (!(high > low))
        high = low + (low != 0 ? fabs(low) : 1);
    axis->low = low;
    axis->high = high;
    axis->step = choose_step(high - low, max_steps);
    if (is_whole)
        axis->step = fmax(axis->step, 1);
}

/* Half of the distance of bars. */
static double half_bar(const struct report_series *series)
{
    return series->count > 1 ? (series->points[1].x - series->points[0].x) / 2 : 0.5;
}

static double error_of(const struct report_point *point)
{
    return isfinite(point->error) ? point->error : 0;
}

static int has_errors(const struct report_series *series)
{
    for (size_t k = 0; k < series->count; k++)
        if (isfinite(series->points[k].error))
            return 1;
    return 0;
}

/* Chooses the ranges so that all points are in them, with their errors. */
static void set_axes(const struct plot *plot, struct plot_axis *x, struct plot_axis *y)
{
    double low[2] = {(double)INFINITY, (double)INFINITY};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    double margin = 0;
    const int is_whole = plot->categories || plot->series[0].form == PLOT_POINTS;
    for (size_t s = 0; s < plot->count; s++) {
        const struct report_series *series = plot->series[s].series;
        if (plot->series[s].form == PLOT_BARS || plot->series[s].form == PLOT_POINTS)
            margin = half_bar(series);
        for (size_t k = 0; k < series->count; k++) {
            const struct report_point *point = &series->points[k];
            if (!isfinite(point->value))
                continue;
            low[0] = fmin(low[0], point->x - margin);
            high[0] = fmax(high[0], point->x + margin);
            low[1] = fmin(low[1], point->value - error_of(point));
            high[1] = fmax(high[1], point->value + error_of(point));
        }
    }
    if (isfinite(plot->level)) {
        low[1] = fmin(low[1], plot->level);
        high[1] = fmax(high[1], plot->level);
    }
    if (!plot->is_close || plot->series[0].form == PLOT_BARS) {
        low[1] = fmin(low[1], 0);
        high[1] = fmax(high[1], 0);
    }
    const double room = 0.06 * (high[1] - low[1]);
    set_axis(x, low[0], high[0], MAX_TICKS_X, is_whole);
    set_axis(y, low[1] == 0 ? 0 : low[1] - room, high[1] == 0 ? 0 : high[1] + room, MAX_TICKS_Y, 0);
    x->begin = LEFT;
    x->length = WIDTH - LEFT - RIGHT;
    y->begin = HEIGHT - BOTTOM;
    y->length = -(HEIGHT - TOP - BOTTOM);
}

/* Tick number n of an axis, from 0; NAN after the last one. */
static double tick(const struct plot_axis *axis, int n)
{
    const double value = (ceil(axis->low / axis->step) + n) * axis->step;
    return value <= axis->high ? value + 0.0 : (double)NAN; /* + 0.0: there is no -0 */
}

/* Writes the ticks of the axes, with lines across for those of y. */
static void write_axes(const struct plot *plot, const struct plot_axis *x,
                       const struct plot_axis *y, FILE *stream)
{
    for (int n = 0; n <= MAX_TICKS_Y && isfinite(tick(y, n)); n++)
        fprintf(stream,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
                "<text text-anchor=\"end\" x=\"%d\" y=\"%.1f\">%.6g</text>\n",
                LEFT, plot_position(y, tick(y, n)), WIDTH - RIGHT, LEFT - 6,
                plot_position(y, tick(y, n)) + 4, tick(y, n));
    for (int n = 0; n <= MAX_TICKS_X && isfinite(tick(x, n)); n++) {
        const double at = plot_position(x, tick(x, n));
        fprintf(stream,
                "<path class=\"axis\" d=\"M%.1f %dv4\"/>"
                "<text text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">",
                at, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 17);
        if (plot->categories)
            fprintf(stream, "%s</text>\n", plot->categories[(size_t)tick(x, n)]);
        else
            fprintf(stream, "%.6g</text>\n", tick(x, n));
    }
    fprintf(stream,
            "<path class=\"axis\" d=\"M%d %dH%d\"/>\n"
            "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">%s</text>\n"
            "<text x=\"4\" y=\"14\">%s</text>\n",
            LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6,
            plot->x_label, plot->y_label);
}

/* Consecutive points of a curve that are all finite, between gaps. */
struct curve_section {
    const struct report_point *points;
    size_t count;
};

/* The next section from point `*from` on, which is set to its end; it has no points after the last
 * one. */
static struct curve_section next_section(const struct report_series *series, size_t *from)
{
    size_t end = *from;
    while (end < series->count && !isfinite(series->points[end].value))
        end++;
    const size_t begin = end;
    while (end < series->count && isfinite(series->points[end].value))
        end++;
    *from = end;
    return (struct curve_section){series->points + begin, end - begin};
}

/* Writes a section as a line, shifted by `errors` standard errors; from the right if `is_back`. */
static void write_section(const struct curve_section *section, const struct plot_axis *x,
                          const struct plot_axis *y, double errors, int is_back, char first,
                          FILE *stream)
{
    char letter = first;
    for (size_t n = 0; n < section->count; n++) {
        const struct report_point *point = &section->points[is_back ? section->count - 1 - n : n];
        fprintf(stream, "%c%.1f %.1f", letter, plot_position(x, point->x),
                plot_position(y, point->value + errors * error_of(point)));
        letter = 'L';
    }
}

/* Writes the band of errors of a curve. */
static void write_band(const struct report_series *series, const struct plot_axis *x,
                       const struct plot_axis *y, FILE *stream)
{
    size_t from = 0;
    struct curve_section section;
    fputs("<path class=\"band\" d=\"", stream);
    while ((section = next_section(series, &from)).count > 0) {
        write_section(&section, x, y, 1, 0, 'M', stream);
        write_section(&section, x, y, -1, 1, 'L', stream);
        fputc('z', stream);
    }
    fputs("\"/>\n", stream);
}

static void write_curve(const struct report_series *series, const struct plot_axis *x,
                        const struct plot_axis *y, size_t number, int is_dashed, FILE *stream)
{
    size_t from = 0;
    struct curve_section section;
    if (has_errors(series))
        write_band(series, x, y, stream);
    fprintf(stream, "<path class=\"curve c%zu%s\" d=\"", number, is_dashed ? " dashed" : "");
    while ((section = next_section(series, &from)).count > 0)
        write_section(&section, x, y, 0, 0, 'M', stream);
    fputs("\"/>\n", stream);
    from = 0;
    while ((section = next_section(series, &from)).count > 0)
        if (section.count == 1) /* a line of one point is invisible */
            fprintf(stream, "<circle class=\"dot c%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
                    number, plot_position(x, section.points->x),
                    plot_position(y, section.points->value));
}

static void write_bars(const struct report_series *series, const struct plot_axis *x,
                       const struct plot_axis *y, int is_apart, FILE *stream)
{
    const double half = half_bar(series) * (is_apart ? 0.7 : 1);
    fputs("<path class=\"bars\" d=\"", stream);
    for (size_t k = 0; k < series->count; k++) {
        const struct report_point *point = &series->points[k];
        if (isfinite(point->value))
            fprintf(stream, "M%.1f %.1fV%.1fH%.1fV%.1fz", plot_position(x, point->x - half),
                    plot_position(y, 0), plot_position(y, point->value),
                    plot_position(x, point->x + half), plot_position(y, 0));
    }
    fputs("\"/>\n", stream);
}

/* Writes each point as a short line across its error. */
static void write_points(const struct report_series *series, const struct plot_axis *x,
                         const struct plot_axis *y, size_t number, FILE *stream)
{
    fprintf(stream, "<path class=\"curve c%zu\" d=\"", number);
    for (size_t k = 0; k < series->count; k++) {
        const struct report_point *point = &series->points[k];
        const double at = plot_position(x, point->x) + (number > 0 ? 4 : -4); /* side by side */
        if (isfinite(point->value))
            fprintf(stream, "M%.1f %.1fV%.1fM%.1f %.1fh8", at,
                    plot_position(y, point->value - error_of(point)),
                    plot_position(y, point->value + error_of(point)), at - 4,
                    plot_position(y, point->value));
    }
    fputs("\"/>\n", stream);
}

/* Writes the key of lines, if there are several. */
static void write_plot_key(const struct plot *plot, FILE *stream)
{
    int at = WIDTH - RIGHT;
    if (isfinite(plot->level))
        fprintf(stream, "<text text-anchor=\"end\" x=\"%d\" y=\"14\">··· %s</text>\n", at,
                plot->level_label);
    for (size_t s = plot->count; s-- > 0 && plot->count > 1;) {
        const char *label = plot->series[s].label;
        int letters = 0;
        while (label[letters])
            letters++;
        at -= 7 * letters + 26;
        fprintf(stream,
                "<path class=\"key c%zu%s\" d=\"M%d 10h20\"/>"
                "<text x=\"%d\" y=\"14\">%s</text>\n",
                s, plot->series[s].form == PLOT_DASHED ? " dashed" : "", at, at + 26, label);
        at -= 12;
    }
}

static void write_cell(double value, FILE *stream)
{
    if (isfinite(value))
        fprintf(stream, "<td>%.7g", value + 0.0); /* + 0.0: there is no -0 */
    else
        fputs("<td>–", stream);
}

/* Writes the table of the numbers. */
static void write_table(const struct plot *plot, FILE *stream)
{
    const struct report_series *first = plot->series[0].series;
    fprintf(stream,
            "<details><summary>Numbers of this plot</summary>\n"
            "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th scope=\"col\">%s",
            plot->x_label);
    for (size_t s = 0; s < plot->count; s++) {
        fprintf(stream, "<th scope=\"col\">%s", plot->series[s].label);
        if (has_errors(plot->series[s].series))
            fputs("<th scope=\"col\">standard error", stream);
    }
    fputs("</thead>\n", stream);
    for (size_t k = 0; k < first->count; k++) {
        fputs("<tr>", stream);
        if (plot->categories)
            fprintf(stream, "<td>%s", plot->categories[(size_t)first->points[k].x]);
        else
            write_cell(first->points[k].x, stream);
        for (size_t s = 0; s < plot->count; s++) {
            const struct report_series *series = plot->series[s].series;
            const struct report_point none = {.value = (double)NAN, .error = (double)NAN};
            const struct report_point *point = k < series->count ? &series->points[k] : &none;
            write_cell(point->value, stream);
            if (has_errors(series))
                write_cell(point->error, stream);
        }
        fputc('\n', stream);
    }
    fputs("</table></div></details>\n", stream);
}

static void write_plot_series(const struct plot *plot, size_t number, const struct plot_axis *x,
                              const struct plot_axis *y, FILE *stream)
{
    const struct report_series *series = plot->series[number].series;
    switch (plot->series[number].form) {
    case PLOT_CURVE:
    case PLOT_DASHED:
        write_curve(series, x, y, number, plot->series[number].form == PLOT_DASHED, stream);
        break;
    case PLOT_BARS:
        write_bars(series, x, y, plot->categories != NULL, stream);
        break;
    case PLOT_POINTS:
        write_points(series, x, y, number, stream);
        break;
    }
}

void plot_write(const struct plot *plot, FILE *stream)
{
    struct plot_axis x;
    struct plot_axis y;
    set_axes(plot, &x, &y);
    fprintf(stream,
            "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s: %s against "
            "%s. The numbers are in the table below.\">\n",
            WIDTH, HEIGHT, plot->title, plot->y_label, plot->x_label);
    write_axes(plot, &x, &y, stream);
    for (size_t number = 0; number < plot->count; number++)
        write_plot_series(plot, number, &x, &y, stream);
    if (isfinite(plot->level))
        fprintf(stream, "<path class=\"level\" d=\"M%d %.1fH%d\"/>\n", LEFT,
                plot_position(&y, plot->level), WIDTH - RIGHT);
    write_plot_key(plot, stream);
    fputs("</svg>\n", stream);
    write_table(plot, stream);
}
