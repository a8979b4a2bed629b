/* Plots; see drawing.h. Axes have ticks at round numbers: 1, 2 or 5 times a power of ten
 * apart. Text in the drawing is for the eye; screen readers get the title, and the table of the
 * numbers. The key is above the drawing, as text that wraps in a narrow page. */
#include "drawing.h"

#include <math.h>

/* In units of the drawing, which fills the width of the page, up to some 600 pixels. */
enum { WIDTH = 440, HEIGHT = 248, LEFT = 62, RIGHT = 14, TOP = 8, BOTTOM = 44 };

enum { MAX_TICKS_X = 6, MAX_TICKS_Y = 7 };

struct plot_axes {
    struct plot_axis {
        double low, high; /* its ends */
        double step;      /* between ticks, a round number */
    } x, y;
};

static double plot_x(const struct plot_axes *axes, double x)
{
    return LEFT + (x - axes->x.low) / (axes->x.high - axes->x.low) * (WIDTH - LEFT - RIGHT);
}

static double plot_y(const struct plot_axes *axes, double y)
{
    const double part = (y - axes->y.low) / (axes->y.high - axes->y.low);
    return HEIGHT - BOTTOM + part * -(HEIGHT - TOP - BOTTOM);
}

/* An axis with `max_steps` steps at most, each of `min_step` or more. */
static struct plot_axis choose_axis(double low, double high, int max_steps, double min_step)
{
    static const double factors[] = {2, 2.5, 2}; /* from 1 to 2, 5 and 10 */
    double step = 1;
    if (!(high > low))
        high = low + (low != 0 ? fabs(low) : 1);
    while (step * max_steps > high - low && step > 1e-300)
        step /= 10;
    for (int k = 0; step * max_steps < high - low; k = (k + 1) % 3)
        step *= factors[k];
    return (struct plot_axis){low, high, fmax(step, min_step)};
}

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

/* Chooses the ranges so that all points are in them, with their errors. Whole numbers, as of
 * categories and counts, have no ticks between them. */
static struct plot_axes choose_axes(const struct plot *plot)
{
    double low[2] = {(double)INFINITY, (double)INFINITY};
    double high[2] = {-(double)INFINITY, -(double)INFINITY};
    double margin = 0;
    const int is_whole = plot->categories || plot->series[0].form == PLOT_POINTS;
    for (size_t s = 0; s < plot->count; s++) {
        const struct report_series *series = plot->points[s];
        if (plot->series[s].form == PLOT_BARS || plot->series[s].form == PLOT_POINTS)
            margin = half_bar(series);
        for (size_t k = 0; k < series->count; k++) {
            const struct report_point *point = &series->points[k];
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
    return (struct plot_axes){choose_axis(low[0], high[0], MAX_TICKS_X, is_whole),
                              choose_axis(low[1] == 0 ? 0 : low[1] - room,
                                          high[1] == 0 ? 0 : high[1] + room, MAX_TICKS_Y, 0)};
}

/* Tick number n of an axis, from 0; NAN after the last one. */
static double tick(const struct plot_axis *axis, int n)
{
    const double value = (ceil(axis->low / axis->step) + n) * axis->step;
    return value <= axis->high ? value + 0.0 : (double)NAN; /* + 0.0: there is no -0 */
}

static void write_axes(const struct plot *plot, const struct plot_axes *axes, FILE *stream)
{
    double value;
    for (int n = 0; n <= MAX_TICKS_Y && isfinite(value = tick(&axes->y, n)); n++)
        tag_write(stream,
                  "<path class='grid' d='M%d %.1fH%d'/>"
                  "<text text-anchor='end' x='%d' y='%.1f'>%.6g</text>\n",
                  LEFT, plot_y(axes, value), WIDTH - RIGHT, LEFT - 6, plot_y(axes, value) + 4,
                  value);
    for (int n = 0; n <= MAX_TICKS_X && isfinite(value = tick(&axes->x, n)); n++) {
        const double x = plot_x(axes, value);
        tag_write(stream,
                  "<path class='axis' d='M%.1f %dv4'/>"
                  "<text text-anchor='middle' x='%.1f' y='%d'>",
                  x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 17);
        if (plot->categories)
            fprintf(stream, "%s</text>\n", plot->categories[(size_t)value]);
        else
            fprintf(stream, "%.6g</text>\n", value);
    }
    tag_write(stream,
              "<path class='axis' d='M%d %dH%d'/>\n"
              "<text text-anchor='middle' x='%d' y='%d'>%s</text>\n",
              LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6,
              plot->labels.x);
}

/* Writes a point of a path, shifted by `errors` standard errors. */
static void put_point(char letter, const struct report_point *point, double errors,
                      const struct plot_axes *axes, FILE *stream)
{
    fprintf(stream, "%c%.1f %.1f", letter, plot_x(axes, point->x),
            plot_y(axes, point->value + errors * error_of(point)));
}

/* Writes a curve, with a band of its errors. */
static void write_curve(const struct report_series *series, const struct plot_axes *axes,
                        size_t number, int is_dashed, FILE *stream)
{
    const struct report_point *points = series->points;
    if (has_errors(series)) {
        tag_write(stream, "<path class='band' d='");
        for (size_t k = 0; k < series->count; k++)
            put_point(k > 0 ? 'L' : 'M', &points[k], 1, axes, stream);
        for (size_t k = series->count; k-- > 0;)
            put_point('L', &points[k], -1, axes, stream);
        fputs("z\"/>\n", stream);
    }
    tag_write(stream, "<path class='curve c%zu%s' d='", number, is_dashed ? " dashed" : "");
    for (size_t k = 0; k < series->count; k++)
        put_point(k > 0 ? 'L' : 'M', &points[k], 0, axes, stream);
    fputs("\"/>\n", stream);
    if (series->count == 1) /* a line of one point is invisible */
        tag_write(stream, "<circle class='dot c%zu' cx='%.1f' cy='%.1f' r='2'/>\n", number,
                  plot_x(axes, points->x), plot_y(axes, points->value));
}

/* How much a smooth curve rises at a point, for the distance of two. Between two points it is never
 * beyond both (F. N. Fritsch and R. E. Carlson, SIAM J. Numer. Anal. 17, 238, 1980). */
static double smooth_rise(const struct report_series *series, size_t k)
{
    const struct report_point *points = series->points;
    const size_t begin = k > 0 ? k - 1 : 0;
    const size_t end = k + 2 < series->count ? k + 1 : series->count - 1;
    const double before = points[begin + 1].value - points[begin].value;
    const double behind = points[end].value - points[end - 1].value;
    const double least = fmin(fabs(before), fabs(behind));
    return before * behind > 0 ? copysign(fmin(fabs(before + behind) / 2, 3 * least), before) : 0;
}

/* Writes a cubic curve through all points, which are at equal distances. */
static void write_smooth(const struct report_series *series, const struct plot_axes *axes,
                         size_t number, FILE *stream)
{
    const struct report_point *points = series->points;
    const size_t last = series->count - 1;
    tag_write(stream, "<path class='curve c%zu' d='", number);
    put_point('M', &points[0], 0, axes, stream);
    for (size_t k = 0; k < last; k++) {
        const double third = (points[k + 1].x - points[k].x) / 3;
        const struct report_point controls[2] = {
            {.x = points[k].x + third, .value = points[k].value + smooth_rise(series, k) / 3},
            {.x = points[k + 1].x - third,
             .value = points[k + 1].value - smooth_rise(series, k + 1) / 3}};
        put_point('C', &controls[0], 0, axes, stream);
        put_point(' ', &controls[1], 0, axes, stream);
        put_point(' ', &points[k + 1], 0, axes, stream);
    }
    fputs("\"/>\n", stream);
}

static void write_bars(const struct report_series *series, const struct plot_axes *axes,
                       int is_apart, FILE *stream)
{
    const double half = half_bar(series) * (is_apart ? 0.7 : 1);
    tag_write(stream, "<path class='bars' d='");
    for (size_t k = 0; k < series->count; k++) {
        const struct report_point *point = &series->points[k];
        fprintf(stream, "M%.1f %.1fV%.1fH%.1fV%.1fz", plot_x(axes, point->x - half),
                plot_y(axes, 0), plot_y(axes, point->value), plot_x(axes, point->x + half),
                plot_y(axes, 0));
    }
    fputs("\"/>\n", stream);
}

/* Writes each point as a short line across its error. */
static void write_points(const struct report_series *series, const struct plot_axes *axes,
                         size_t number, FILE *stream)
{
    tag_write(stream, "<path class='curve c%zu' d='", number);
    for (size_t k = 0; k < series->count; k++) {
        const struct report_point *point = &series->points[k];
        const double at = plot_x(axes, point->x) + (number > 0 ? 4 : -4); /* side by side */
        fprintf(stream, "M%.1f %.1fV%.1fM%.1f %.1fh8", at,
                plot_y(axes, point->value - error_of(point)),
                plot_y(axes, point->value + error_of(point)), at - 4, plot_y(axes, point->value));
    }
    fputs("\"/>\n", stream);
}

/* Writes the y label and, if there are several series, the key. */
static void write_key(const struct plot *plot, FILE *stream)
{
    static const char *const shapes[] = {
        [PLOT_CURVE] = "curve c%zu' d='M0 6h22'",
        [PLOT_DASHED] = "curve dashed c%zu' d='M0 6h22'",
        [PLOT_SMOOTH] = "curve c%zu' d='M0 6h22'",
        [PLOT_BARS] = "bars c%zu' d='M3 1h16v10h-16z'",
        [PLOT_POINTS] = "curve c%zu' d='M11 0v12M7 6h8'",
    };
    tag_write(stream, "<div class='key'><span>%s</span>", plot->labels.y);
    for (size_t s = 0; s < plot->count && (plot->count > 1 || isfinite(plot->level)); s++) {
        tag_write(stream, "<span><svg><path class='");
        tag_write(stream, shapes[plot->series[s].form], s);
        tag_write(stream, "/></svg>%s</span>", plot->series[s].label);
    }
    if (isfinite(plot->level))
        fputs("<span><svg><path class=\"level\" d=\"M0 6h22\"/></svg>Enskog's theory</span>",
              stream);
    fputs("</div>\n", stream);
}

static void write_cell(double value, FILE *stream)
{
    if (isfinite(value))
        fprintf(stream, "<td>%.7g", value + 0.0); /* + 0.0: there is no -0 */
    else
        fputs("<td>–", stream);
}

static void write_plot_table(const struct plot *plot, FILE *stream)
{
    const struct report_series *first = plot->points[0];
    tag_write(stream,
              "<details><summary>Numbers of this plot</summary>\n"
              "<div class='wide'><table class='numbers'><thead><tr><th scope='col'>%s",
              plot->labels.x);
    for (size_t s = 0; s < plot->count; s++) {
        tag_write(stream, "<th scope='col'>%s", plot->series[s].label);
        if (has_errors(plot->points[s]))
            tag_write(stream, "<th scope='col'>standard error");
    }
    fputs("</thead>\n", stream);
    for (size_t k = 0; k < first->count; k++) {
        fputs("<tr>", stream);
        if (plot->categories)
            fprintf(stream, "<td>%s", plot->categories[(size_t)first->points[k].x]);
        else
            write_cell(first->points[k].x, stream);
        for (size_t s = 0; s < plot->count; s++) {
            const struct report_series *series = plot->points[s];
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

void plot_write(const struct plot *plot, FILE *stream)
{
    const struct plot_axes axes = choose_axes(plot);
    write_key(plot, stream);
    tag_write(stream,
              "<svg class='plot' viewBox='0 0 %d %d' role='img' aria-label='%s: %s against %s. The "
              "numbers are in the table below.'>\n",
              WIDTH, HEIGHT, plot->labels.title, plot->labels.y, plot->labels.x);
    write_axes(plot, &axes, stream);
    for (size_t k = 0; k < plot->count; k++) {
        const struct report_series *series = plot->points[k];
        const enum plot_form form = plot->series[k].form;
        if (form == PLOT_BARS)
            write_bars(series, &axes, plot->categories != NULL, stream);
        else if (form == PLOT_POINTS)
            write_points(series, &axes, k, stream);
        else if (form == PLOT_SMOOTH)
            write_smooth(series, &axes, k, stream);
        else
            write_curve(series, &axes, k, form == PLOT_DASHED, stream);
    }
    if (isfinite(plot->level))
        tag_write(stream, "<path class='level' d='M%d %.1fH%d'/>\n", LEFT,
                  plot_y(&axes, plot->level), WIDTH - RIGHT);
    fputs("</svg>\n", stream);
    write_plot_table(plot, stream);
}
