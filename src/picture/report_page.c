/* The page of --report; see picture/picture.h. Names in the styles of pictures also occur in other
 * pictures. So each picture is in a shadow tree, which hides its style and names. Text of the user
 * is escaped. What is said about plots is in data/embedded/report_plots.txt, by their titles; and
 * which figures come first, by the kind of run. */
#include "picture/picture.h"

#include "drawing.h"
#include "io/text.h"
#include "model/boundary_law.h"
#include "model/enskog.h"

#include <math.h>
#include <string.h>

static const size_t MAX_CELLS = 60000; /* of fields that are drawn: more make the file too large */

/* The kinds of runs that have a plot, in a set of bits; runs in time steps have no collisions. */
enum { OF_GAS = 1, OF_STREAM = 2, OF_EVENTS = OF_GAS | OF_STREAM, OF_STEPS = 4, OF_FLOW = 8 };

enum { TOP_FIGURES = 5 };

struct plot_spec {
    unsigned runs; /* 0: all */
    struct plot_labels labels;
    struct plot_series series[PLOT_MAX_SERIES];
    const char *level;             /* the quantity that is the plot's level; or NULL */
    const char *const *categories; /* of the plot; or NULL */
    int is_close;                  /* the plot is */
};

static const char *const wall_names[] = {"left", "right", "bottom", "top", "polygons"};

static const struct plot_spec specs[] = {
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

static void write_rule(const struct law *law, FILE *stream)
{
    tag_write(stream, "\n<tr><th scope='row'>Rule<td>%s",
              law->rule == RULE_SWAP ? "swap: two particles that collide exchange their velocities"
                                     : "elastic: two disks that collide keep their momentum");
    if (law->restitution < 1)
        tag_write(stream, ", and %.6g of the speed of approach (restitution)", law->restitution);
    else if (law->rule == RULE_ELASTIC)
        tag_write(stream, " and energy");
    if (law->restitution < 1 && law->contact_time > 0)
        tag_write(stream, "; all of it within %.6g of the collision before", law->contact_time);
}

/* Lines with class="run" differ from run to run: see observe/observers.h. */
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
        write_rule(&report->snapshot.system->law, stream);
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

/* Finds a line of the words about the plot with this title: 1, its caption; or 2, what stands in
 * its place if there is nothing to draw. Returns its length, 0 if there is none. */
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

/* Writes the value of a figure, its unit and its meaning, each after a tag. */
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
static void write_plot(const struct report *report, const struct plot_spec *spec, FILE *stream)
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
