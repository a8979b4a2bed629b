/* The page of --report, and its plots; see picture/picture.h. Names in the styles of pictures also
 * occur in other pictures. So each picture is in a shadow tree, which hides its style and names.
 * Text of the user is escaped. What is said about plots is in data/embedded/report_plots.txt, by
 * their titles; and which figures come first, by the kind of run. */
#include "picture/picture.h"

#include "drawing.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/enskog.h"

#include <math.h>
#include <string.h>

/* Plots; see drawing.h. Axes have ticks at round numbers: 1, 2 or 5 times a power of ten
 * apart. Text in the drawing is for the eye; screen readers get the title, and the table of the
 * numbers. The key is above the drawing, as text that wraps in a narrow page. */

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

/* ---- The page ---- */

static const size_t MAX_CELLS = 60000; /* of fields that are drawn: more make the file too large */

/* The kinds of runs that have a plot, in a set of bits; runs in time steps have no collisions. */
enum { OF_GAS = 1, OF_STREAM = 2, OF_EVENTS = OF_GAS | OF_STREAM, OF_STEPS = 4, OF_FLOW = 8 };

enum { TOP_FIGURES = 5 };

struct report_plot {
    unsigned runs; /* 0: all */
    struct plot_labels labels;
    struct plot_series series[PLOT_MAX_SERIES];
    const char *level;             /* the quantity that is the plot's level; or NULL */
    const char *const *categories; /* of the plot; or NULL */
    int is_close;                  /* the plot is */
};

static const char *const wall_names[] = {"left", "right", "bottom", "top", "polygons"};

static const struct report_plot specs[] = {
    {.runs = OF_STREAM,
     .labels = {"Temperature", "time", "energy"},
     .series = {{"temperature", "temperature", PLOT_CURVE}}},
    {.runs = OF_GAS,
     .labels = {"Temperature and energy", "time", "energy"},
     .series = {{"temperature", "temperature", PLOT_CURVE},
                {"energy", "energy of a particle", PLOT_DASHED}}},
    {.runs = OF_STEPS,
     .labels = {"Energy", "time", "energy"},
     .series = {{"energy_kinetic", "kinetic", PLOT_CURVE},
                {"energy_potential", "potential", PLOT_DASHED},
                {"energy_total", "total", PLOT_CURVE}}},
    {.runs = OF_FLOW,
     .labels = {"Kinetic energy", "time", "energy"},
     .series = {{"energy_kinetic", "of the particles", PLOT_CURVE}}},
    {.runs = OF_EVENTS,
     .labels = {"Collision rate", "time", "rate"},
     .series = {{"collision_rate", "running mean", PLOT_CURVE}},
     .is_close = 1,
     .level = "collision_rate_enskog"},
    {.runs = OF_EVENTS,
     .labels = {"Speeds", "speed", "density"},
     .series = {{"speeds", "this run", PLOT_BARS}, {"speeds_maxwell", "Maxwell", PLOT_SMOOTH}}},
    {.runs = OF_EVENTS,
     .labels = {"Free paths", "length", "density"},
     .series = {{"paths", "this run", PLOT_BARS},
                {"paths_exponential", "exponential", PLOT_SMOOTH}}},
    {.runs = OF_EVENTS,
     .labels = {"Collisions per particle", "collisions of a particle", "particles"},
     .series = {{"counts", "particles", PLOT_BARS}}},
    {.runs = OF_EVENTS,
     .labels = {"Collisions at each wall", "wall", "collisions"},
     .series = {{"walls", "collisions", PLOT_BARS}},
     .categories = wall_names},
    {.labels = {"Pair distribution", "distance of two centres", "g"},
     .series = {{"g", "g(r)", PLOT_CURVE}}},
    {.labels = {"Bond order", "time", "order"},
     .series = {{"psi6_local_at", "local", PLOT_CURVE}, {"psi6_global_at", "global", PLOT_DASHED}}},
    {.labels = {"Equation of state", "area fraction", "p A / (N T)"},
     .series = {{"reduced_pressure", "this run", PLOT_CURVE}}},
    {.labels = {"Mean square displacement", "time in between", "length²"},
     .series = {{"mean_square_displacement", "mean square", PLOT_CURVE}}},
    {.labels = {"Velocity autocorrelation", "time in between", "correlation"},
     .series = {{"velocity_autocorrelation", "autocorrelation", PLOT_CURVE}}},
    {.labels = {"Viscosity", "time in between", "viscosity"},
     .series = {{"viscosity", "this run", PLOT_CURVE}},
     .level = "viscosity_enskog"},
    {.labels = {"Heat conductivity", "time in between", "heat conductivity"},
     .series = {{"heat_conductivity", "this run", PLOT_CURVE}},
     .level = "heat_conductivity_enskog"},
    {.labels = {"Temperature between the walls", "position", "temperature"},
     .series = {{"profile_temperature", "temperature", PLOT_CURVE}},
     .is_close = 1},
    {.labels = {"Velocity between the walls", "position", "velocity"},
     .series = {{"profile_speed", "velocity", PLOT_CURVE}},
     .is_close = 1},
    {.labels = {"Structure factor", "wave number", "S"},
     .series = {{"structure_factor", "S(k)", PLOT_CURVE}}},
    {.labels = {"Forces on obstacles", "obstacle", "force"},
     .series = {{"force_x", "along x", PLOT_POINTS}, {"force_y", "along y", PLOT_POINTS}}},
    {.runs = OF_STREAM,
     .labels = {"Drag and lift against time", "time", "force"},
     .series = {{"force_x_at", "drag, along x", PLOT_CURVE},
                {"force_y_at", "lift, along y", PLOT_DASHED}}},
    {.runs = OF_GAS | OF_STEPS,
     .labels = {"Force against time", "time", "force"},
     .series = {{"force_x_at", "along x", PLOT_CURVE}, {"force_y_at", "along y", PLOT_DASHED}}},
};

static void write_page_head(const struct report *report, FILE *stream)
{
    static const char *const periodic[] = {
        [0] = "",
        [PERIODIC_X] = ", periodic along x",
        [PERIODIC_Y] = ", periodic along y",
        [PERIODIC_X | PERIODIC_Y] = ", periodic along x and y",
    };
    const struct system *system = report->snapshot.system;
    tag_write(stream,
              "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
              "<meta name='viewport' content='width=device-width,initial-scale=1'>\n<title>");
    text_write_escaped(report->run->title, stream);
    fprintf(stream, " · report of a run</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>",
            report_style, plot_style);
    text_write_escaped(report->run->title, stream);
    tag_write(stream,
              "</h1>\n<p class='quiet'>%zu particle%s in a box of %.6g × %.6g%s, up to time "
              "%.8g.</p>\n",
              system->count, picture_plural(system->count), system->boundary.width,
              system->boundary.height, periodic[system->boundary.periodic], report->snapshot.time);
}

static void write_rule(const struct system *system, FILE *stream)
{
    const struct system_law *law = &system->law;
    const struct acceleration *gravity = &system->boundary.gravity;
    const struct surfaces *surfaces = &system->boundary.surfaces;
    tag_write(stream, "\n<tr><th scope='row'>Rule<td>%s",
              law->rule == RULE_SWAP ? "swap: two particles that collide exchange their velocities"
                                     : "elastic: two disks that collide keep their momentum");
    if (law->restitution < 1)
        tag_write(stream, ", and %.6g of the speed of approach (restitution)", law->restitution);
    else if (law->rule == RULE_ELASTIC && !surfaces->are_rough)
        tag_write(stream, system->growth.has_ended
                              ? ", and energy as seen from their rims, which grow"
                              : " and energy");
    if (law->restitution < 1 && law->contact_time > 0)
        tag_write(stream, "; all of it within %.6g of the collision before", law->contact_time);
    if (surfaces->are_rough && surfaces->friction < SYSTEM_LARGEST)
        tag_write(stream, "; roughness %.6g and friction %.6g of surfaces", surfaces->roughness,
                  surfaces->friction);
    else if (surfaces->are_rough)
        tag_write(stream, "; roughness %.6g of surfaces", surfaces->roughness);
    if (surfaces->are_rough && surfaces->inertia != SURFACES_INERTIA)
        tag_write(stream, "; moment of inertia %.6g m R^2 of disks", surfaces->inertia);
    if (gravity->acts)
        tag_write(stream, "; gravity is (%.6g, %.6g)", gravity->x, gravity->y);
}

/* Lines with class="run" differ from run to run: see observe/writers.h. */
static void write_run(const struct report *report, FILE *stream)
{
    tag_write(stream,
              "<h2>What was run</h2>\n<table class='facts'>\n<tr><th scope='row'>Program"
              "<td>particles %s\n<tr class='run'><th scope='row'>Command<td><code>",
              report->settings->version);
    for (char *const *argument = report->settings->arguments; *argument; argument++) {
        fputs(argument == report->settings->arguments ? "<span>" : " <span>", stream);
        text_quote(*argument, text_put_escaped, stream);
        fputs("</span>", stream);
    }
    tag_write(stream, "</code>\n<tr><th scope='row'>Input<td>");
    text_write_escaped(report->run->title, stream);
    if (report->dynamics->operations->traits.has_flow)
        tag_write(stream,
                  "\n<tr><th scope='row'>Kind<td>lattice of %zu × %zu nodes: the gas as a "
                  "continuum, in which particles are carried along",
                  report->dynamics->gas.columns, report->dynamics->gas.rows);
    if (report->dynamics->operations->traits.has_collisions)
        write_rule(report->snapshot.system, stream);
    tag_write(stream, "\n<tr class='run'><th scope='row'>Took<td>%.3g seconds\n</table>\n",
              report->seconds);
}

/* Writes the picture of a map or, without one, of the particles, in a tree of its own. */
static enum status write_shadow_tree(const struct report *report, const struct field_map *map,
                                     FILE *stream, struct error *error)
{
    const struct picture_extras extras = {
        .hits = report->hits, .hits_from = report->run->from, .dynamics = report->dynamics};
    tag_write(stream, "<figure><div><template shadowrootmode='open'>\n"
                      "<style>svg{display:block;width:100%%;height:auto}</style>\n");
    const enum status status =
        map ? field_picture_write(map, stream, error)
            : picture_drawing_write(&report->snapshot, &extras, stream, error);
    fputs("</template></div></figure>\n", stream);
    return status;
}

/* Writes a unit, with its squares as ². */
static void write_unit(const char *unit, FILE *stream)
{
    for (; *unit; unit++) {
        if (strncmp(unit, "^2", 2) == 0)
            fputs("²", stream), unit++;
        else
            fputc(*unit, stream);
    }
}

/* Finds a line of the words about the plot with this title: 1, its caption; or 2, what stands
 * there if there is nothing to draw. Returns its length, 0 if there is none. */
static int find_words(const char *title, int line, const char **words)
{
    const size_t size = strlen(title);
    *words = report_plots;
    while (**words && (strncmp(*words, title, size) != 0 || (*words)[size] != '\n'))
        *words += strcspn(*words, "\n") + 1;
    for (; line > 0 && **words; line--)
        *words += strcspn(*words, "\n") + 1;
    return (int)strcspn(*words, "\n");
}

static unsigned find_run(const struct report *report)
{
    const struct dynamics_traits *traits = &report->dynamics->operations->traits;
    return traits->has_flow                                ? OF_FLOW
           : !traits->has_collisions                       ? OF_STEPS
           : report->snapshot.system->boundary.stream.draw ? OF_STREAM
                                                           : OF_GAS;
}

static void write_figure(const struct dynamics_figure *figure, const char *const tags[3],
                         FILE *stream)
{
    char text[FIGURE_TEXT_SIZE];
    figure_format(text, figure, "");
    fprintf(stream, "%s%s%s", tags[0], text, tags[1]);
    write_unit(figure->description.unit, stream);
    fprintf(stream, "%s%s\n", tags[2], figure->meaning);
}

/* Writes what one would ask first: the first TOP_FIGURES of a list that the run determines; and
 * what concerns all. Labels of figures that are subordinate to the one above begin with a space. */
static void write_top_figures(const struct report *report, FILE *stream)
{
    static const char *const tags[3] = {"<dd><b>", "</b> ", "<dd class=\"quiet\">"};
    const struct system *system = report->snapshot.system;
    const unsigned run = find_run(report);
    const char *keys, *above = "";
    int count = 0, has_error = 0;
    find_words(run == OF_FLOW                             ? "Figures of a lattice"
               : run == OF_STEPS                          ? "Figures of steps"
               : run == OF_STREAM                         ? "Figures of a stream"
               : system->law.restitution < 1              ? "Figures of a gas that loses energy"
               : wall_laws_are_diffuse(&system->boundary) ? "Figures between walls"
                                                          : "Figures of a gas",
               1, &keys);
    fputs("<div><dl>\n", stream);
    for (; *keys != '\n'; keys += strcspn(keys, " \n"), keys += *keys == ' ') {
        for (size_t k = 0; k < report->figure_count && count < TOP_FIGURES; k++) {
            const struct dynamics_figure *figure = &report->figures[k];
            const struct figure_description *description = &figure->description;
            const size_t size = strcspn(keys, " \n");
            const int is_part = *description->label == ' ';
            has_error |= figure->error > 0;
            above = is_part ? above : description->label;
            if (!isfinite(figure->value) || strncmp(keys, description->key, size) != 0 ||
                description->key[size] != '\0')
                continue;
            fputs("<dt>", stream);
            text_write_escaped(above, stream);
            if (is_part)
                fputc(':', stream);
            text_write_escaped(is_part ? description->label + 1 : "", stream);
            write_figure(figure, tags, stream);
            count++;
        }
    }
    fputs("</dl>\n", stream);
    if (has_error)
        tag_write(stream, "<p class='quiet'>Digits in brackets are the standard error of the last "
                          "digits before them.</p>\n");
    if (report->dynamics->operations->traits.has_collisions && enskog_area_fraction(system) > 0.69)
        tag_write(
            stream,
            "<p id='trapped'>Above area fraction 0.69 a crystal or a fluid may last for the "
            "whole run, whatever is stable. One run cannot show that, and its standard errors "
            "are then too small. Compare several seeds, and longer runs.</p>\n");
    if (report->warning)
        tag_write(stream, "<p id='warning'>Warning: %s.</p>\n", report->warning);
    fputs("</div>\n", stream);
}

static void write_figures(const struct report *report, FILE *stream)
{
    static const char *const tags[3] = {"<td class=\"value\">", "<td class=\"quiet\">", "<td>"};
    tag_write(stream,
              "<details class='fold'><summary><h2>Figures: all</h2></summary>\n"
              "<table class='figures'>\n<thead><tr><th scope='col'>Figure<th scope='col'>Value"
              "<th scope='col'>Unit<th scope='col'>What it says</thead>\n");
    for (size_t k = 0; k < report->figure_count; k++) {
        const struct dynamics_figure *figure = &report->figures[k];
        const struct figure_description *description = &figure->description;
        const int is_run = strstr(description->key, "second") != NULL;
        if (!isfinite(figure->value)) /* the run does not determine it */
            continue;
        tag_write(stream, "<tr%s id='%s'><th scope='row'%s>", is_run ? " class=\"run\"" : "",
                  description->key, *description->label == ' ' ? " class=\"part\"" : "");
        text_write_escaped(description->label, stream);
        write_figure(figure, tags, stream);
    }
    fputs("</table></details>\n", stream);
}

/* Writes a plot or, if there is nothing for it, why. */
static void write_plot(const struct report *report, const struct report_plot *spec, FILE *stream)
{
    const struct boundary *box = &report->snapshot.system->boundary;
    const int has_walls = box->periodic != (PERIODIC_X | PERIODIC_Y);
    struct plot plot = {.labels = spec->labels,
                        .categories = spec->categories,
                        .is_close = spec->is_close,
                        .level = (double)NAN};
    for (size_t s = 0; s < PLOT_MAX_SERIES; s++) {
        const struct plot_series series = spec->series[s];
        plot.points[plot.count] = series.quantity ? report_find(report, series.quantity) : NULL;
        if (plot.points[plot.count] && plot.points[plot.count]->count > 0)
            plot.series[plot.count++] = series;
    }
    const int is_swap = report->snapshot.system->law.rule == RULE_SWAP;
    const char *title = plot.labels.title, *words;
    if (is_swap && plot.count > 0 && strcmp(title, "Speeds") == 0)
        title = "Speeds of swaps"; /* whose distribution never changes */
    const int length = find_words(title, plot.count > 0 ? 1 : 2, &words);
    if (length == 0 || (spec->runs && !(spec->runs & find_run(report))) ||
        (plot.categories && !has_walls))
        return;
    fprintf(stream, "<section>\n<h3>%s</h3>\n", plot.labels.title);
    if (plot.count == 0) {
        fprintf(stream, "<p>%.*s</p>\n</section>\n", length, words);
        return;
    }
    const struct report_series *level = spec->level ? report_find(report, spec->level) : NULL;
    if (level)
        plot.level = level->points[0].value;
    plot_write(&plot, stream);
    tag_write(stream, "<p class='quiet'>%.*s</p>\n</section>\n", length, words);
}

enum status report_page_write(const struct report *report, FILE *stream, struct error *error)
{
    write_page_head(report, stream);
    if (report->crowd)
        fputs("<p>These are too many particles to draw each here, as --picture does. The picture "
              "shows their density at the end.</p>\n",
              stream);
    tag_write(stream, "<div class='top'>\n");
    enum status status = write_shadow_tree(report, report->crowd, stream, error);
    write_top_figures(report, stream);
    fputs("</div>\n", stream);
    write_run(report, stream);
    write_figures(report, stream);
    tag_write(stream, "<h2>Plots</h2>\n<div class='plots'>\n");
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++)
        write_plot(report, &specs[k], stream);
    fputs("</div>\n", stream);
    if (report->fields)
        fputs("<h2>Fields</h2>\n", stream);
    if (report->fields && report->fields->columns * report->fields->rows > MAX_CELLS)
        fputs("<p>These are too many cells to draw here; the file of --fields has them.</p>\n",
              stream);
    else if (!status && report->fields)
        status = write_shadow_tree(report, report->fields, stream, error);
    fputs("</body>\n</html>\n", stream);
    return status;
}
