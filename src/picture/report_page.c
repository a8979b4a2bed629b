/* The page of --report; see picture/picture.h. Names in the styles of pictures also occur in other
 * pictures. So each picture is in a shadow tree, which hides its style and names. Text of the user
 * is escaped. */
#include "picture/picture.h"

#include "io/text.h"
#include "model/enskog.h"
#include "picture_drawing.h"

#include <math.h>
#include <string.h>

static const size_t MAX_CELLS = 60000; /* of fields that are drawn: more make the file too large */

static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#24272c;--quiet:#5b626c;--line:#d9dce1;"
    "--first:#1f63b4;--second:#c2410c;--third:#3f7d20}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--page:#15171b;--text:#e6e9ee;"
    "--quiet:#a4acb8;--line:#353a42;--first:#6aaef7;--second:#ff9d66;--third:#8fd16a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.2rem;max-width:84rem;background:var(--page);color:var(--text);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "h1{font-size:1.6rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 .5rem}"
    "h3{font-size:1rem;margin:0 0 .3rem}\n"
    "p{margin:.3rem 0;max-width:46rem}.quiet{color:var(--quiet)}\n"
    "code{font:.9em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}"
    "code span{display:inline-block;max-width:100%;word-break:break-all}\n"
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.25rem .8rem "
    ".25rem 0;border-bottom:1px solid var(--line)}\n"
    ".figures th.part{font-weight:400;padding-left:1.2rem}\n"
    "td.value,.numbers td{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".numbers{font-size:.85rem}.wide{overflow-x:auto;max-height:24rem;overflow-y:auto}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));"
    "gap:1.6rem 2rem}\n"
    ".plots>section{break-inside:avoid;min-width:0}summary{cursor:pointer;color:var(--quiet)}\n"
    "figure{margin:0;max-width:54rem}\n"
    "@media(max-width:40rem){.figures .value,.figures .quiet{display:inline;padding-right:.4rem}"
    ".figures thead{display:none}.figures,.figures tbody,.figures tr,"
    ".figures td,.figures th{display:block;border:0;padding:0;text-align:left}"
    ".figures tr{padding:.4rem 0;border-bottom:1px solid var(--line)}}\n"
    "h2,h3{break-after:avoid}\n"
    "@media print{body{font-size:11px;padding:0}details{display:none}figure{max-width:15cm}"
    ".figures tr{break-inside:avoid}.plots{grid-template-columns:1fr 1fr}}\n";

/* The kinds of runs that have a plot, in a set of bits; those of time steps have no collisions. */
enum { OF_GAS = 1, OF_STREAM = 2, OF_EVENTS = OF_GAS | OF_STREAM, OF_STEPS = 4, OF_FLOW = 8 };

struct spec {
    unsigned runs;     /* 0: all */
    struct plot plot;  /* without its points */
    const char *level; /* the quantity that is its level; or NULL */
    const char *caption;
    const char *otherwise; /* a sentence if there is no such series; or NULL */
};

static const char *const wall_names[] = {"left", "right", "bottom", "top", "polygons"};

static const char no_course[] = "The run takes no time, so there is no course of the temperature.";

static const struct spec specs[] = {
    {.runs = OF_STREAM,
     .plot = {.labels = {"Temperature", "time", "energy"},
              .series = {{"temperature", "temperature", PLOT_CURVE}}},
     .caption = "The temperature, relative to the stream. It changes where obstacles slow the gas "
                "down, and where the stream gives particles other velocities.",
     .otherwise = no_course},
    {.runs = OF_GAS,
     .plot = {.labels = {"Temperature and energy", "time", "energy"},
              .series = {{"temperature", "temperature", PLOT_CURVE},
                         {"energy", "energy of a particle", PLOT_DASHED}}},
     .caption =
         "The temperature, and the mean kinetic energy of a particle. In two dimensions both "
         "are the same if nothing moves as a whole, but for a part of 1/N in a periodic box. Both "
         "stay level where collisions are elastic and walls neither heat the gas nor move.",
     .otherwise = no_course},
    {.runs = OF_STEPS,
     .plot = {.labels = {"Energy", "time", "energy"},
              .series = {{"energy_kinetic", "kinetic", PLOT_CURVE},
                         {"energy_potential", "potential", PLOT_DASHED},
                         {"energy_total", "total", PLOT_CURVE}}},
     .caption = "The kinetic energy of all particles, the potential energy of all interactions, "
                "and their sum, at up to 65 times.",
     .otherwise = "The run takes no time, so there is no course of the energy."},
    {.runs = OF_FLOW,
     .plot = {.labels = {"Kinetic energy", "time", "energy"},
              .series = {{"energy_kinetic", "of the particles", PLOT_CURVE}}},
     .caption =
         "The kinetic energy of the particles that the flow carries, at up to 65 times. Once "
         "it is level, the flow is steady."},
    {.runs = OF_EVENTS,
     .plot = {.labels = {"Collision rate", "time", "rate"},
              .series = {{"collision_rate", "running mean", PLOT_CURVE}},
              .is_close = 1},
     .level = "collision_rate_enskog",
     .caption = "How many collisions with others a particle has in a unit of time: the mean from "
                "the beginning up to each time. The band is its standard error, if the run tells "
                "it. Once the line is level, the run is long enough.",
     .otherwise = "No two particles have collided, so there is no rate of that to follow."},
    {.runs = OF_EVENTS,
     .plot = {.labels = {"Speeds", "speed", "density"},
              .series = {{"speeds", "this run", PLOT_BARS},
                         {"speeds_maxwell", "Maxwell", PLOT_SMOOTH}}},
     .caption = "How the speeds are distributed, over moments of the run, beside Maxwell's "
                "distribution with the same energy, that of a gas in equilibrium.",
     .otherwise = "There are too few particles for a histogram of their speeds: it takes ten."},
    {.runs = OF_EVENTS,
     .plot = {.labels = {"Free paths", "length", "density"},
              .series = {{"paths", "this run", PLOT_BARS},
                         {"paths_exponential", "exponential", PLOT_SMOOTH}}},
     .caption = "How far particles fly from one collision with another particle to the next, "
                "beside the exponential distribution with the same mean, that of a collision which "
                "is as likely on each piece of the way.",
     .otherwise = "Too few flights from one collision with another particle to the next have been "
                  "seen for a histogram."},
    {.runs = OF_EVENTS,
     .plot = {.labels = {"Collisions per particle", "collisions of a particle", "particles"},
              .series = {{"counts", "particles", PLOT_BARS}}},
     .caption = "How many particles have collided how often, from time 0 on.",
     .otherwise = "No particle has collided with anything."},
    {.runs = OF_EVENTS,
     .plot = {.labels = {"Collisions at each wall", "wall", "collisions"},
              .series = {{"walls", "collisions", PLOT_BARS}},
              .categories = wall_names},
     .caption = "How often particles came to each wall. In a gas in equilibrium opposite walls "
                "are hit equally often, but for chance.",
     .otherwise = "No particle has come to a wall."},
    {.plot = {.labels = {"Pair distribution", "distance of two centres", "g"},
              .series = {{"g", "g(r)", PLOT_CURVE}}},
     .caption = "How many particles are at a distance from another one, compared with a gas of "
                "points, where it is 1. The file of --structure has longer distances, too."},
    {.plot = {.labels = {"Bond order", "time", "order"},
              .series = {{"psi6_local_at", "local", PLOT_CURVE},
                         {"psi6_global_at", "global", PLOT_DASHED}}},
     .caption = "How close neighbours are to a hexagon around each particle, ψ6: 1 in a perfect "
                "crystal. Local is the mean of its size, global the size of its mean."},
    {.plot = {.labels = {"Mean square displacement", "time in between", "length²"},
              .series = {{"mean_square_displacement", "mean square", PLOT_CURVE}}},
     .caption = "How far particles get in a time, squared. A straight line is diffusion, whose "
                "coefficient is a quarter of its slope."},
    {.plot = {.labels = {"Velocity autocorrelation", "time in between", "correlation"},
              .series = {{"velocity_autocorrelation", "autocorrelation", PLOT_CURVE}}},
     .caption = "How much of its velocity a particle keeps over a time."},
    {.plot = {.labels = {"Viscosity", "time in between", "viscosity"},
              .series = {{"viscosity", "this run", PLOT_CURVE}}},
     .level = "viscosity_enskog",
     .caption =
         "How fast the mean square of Helfand's moment grows, over different times. Where the "
         "curve is level, that is the viscosity; at the longest times it is mostly chance."},
    {.plot = {.labels = {"Heat conductivity", "time in between", "heat conductivity"},
              .series = {{"heat_conductivity", "this run", PLOT_CURVE}}},
     .level = "heat_conductivity_enskog",
     .caption = "The same of the moment of energy: a level curve is the heat conductivity."},
    {.plot = {.labels = {"Temperature between the walls", "position", "temperature"},
              .series = {{"profile_temperature", "temperature", PLOT_CURVE}},
              .is_close = 1},
     .caption = "The temperature of each layer, relative to its mean velocity, with its standard "
                "error. At a wall that conducts heat it jumps to that of the wall."},
    {.plot = {.labels = {"Velocity between the walls", "position", "velocity"},
              .series = {{"profile_speed", "velocity", PLOT_CURVE}},
              .is_close = 1},
     .caption =
         "The mean velocity of each layer along the walls, with its standard error. Where no "
         "wall moves, it is 0 but for chance."},
    {.plot = {.labels = {"Structure factor", "wave number", "S"},
              .series = {{"structure_factor", "S(k)", PLOT_CURVE}}},
     .caption = "How strong waves of the density are, by their wave numbers."},
    {.plot = {.labels = {"Forces on obstacles", "obstacle", "force"},
              .series = {{"force_x", "along x", PLOT_POINTS}, {"force_y", "along y", PLOT_POINTS}}},
     .caption = "The mean force of the gas on each obstacle, numbered in the order of the options, "
                "with its standard error."},
    {.runs = OF_STREAM,
     .plot = {.labels = {"Drag and lift against time", "time", "force"},
              .series = {{"force_x_at", "drag, along x", PLOT_CURVE},
                         {"force_y_at", "lift, along y", PLOT_DASHED}}},
     .caption = "The force of the stream on all obstacles together: means of short times, one "
                "after the other. How far they scatter depends on how short these are."},
    {.runs = OF_GAS | OF_STEPS,
     .plot = {.labels = {"Force against time", "time", "force"},
              .series = {{"force_x_at", "along x", PLOT_CURVE},
                         {"force_y_at", "along y", PLOT_DASHED}}},
     .caption = "The force of the gas on all obstacles together: means of short times, one after "
                "the other. How far they scatter depends on how short these are."},
};

/* Writes a character of text of the user; returns it, as fputc does. */
static int put_escaped(int character, FILE *stream)
{
    const int is_control = character < ' ';
    if (is_control || strchr("&<>\"'", character))
        fprintf(stream, "&#%d;", is_control ? ' ' : character);
    else
        fputc(character, stream);
    return character;
}

static void write_escaped(const char *text, FILE *stream)
{
    for (; *text; text++)
        put_escaped((unsigned char)*text, stream);
}

static void write_page_head(const struct report *report, FILE *stream)
{
    svg_write(stream,
              "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
              "<meta name='viewport' content='width=device-width,initial-scale=1'>\n<title>");
    write_escaped(report->request->title, stream);
    fprintf(stream, " · report of a run</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>",
            style, plot_style);
    write_escaped(report->request->title, stream);
    fputs("</h1>\n", stream);
}

static void write_rule(const struct law *law, FILE *stream)
{
    svg_write(stream, "\n<tr><th scope='row'>Rule<td>%s",
              law->rule == RULE_SWAP ? "swap: two particles that collide exchange their velocities"
                                     : "elastic: two disks that collide keep their momentum");
    if (law->restitution < 1)
        svg_write(stream, ", and %.6g of the speed of approach (restitution)", law->restitution);
    else if (law->rule == RULE_ELASTIC)
        svg_write(stream, " and energy");
    if (law->restitution < 1 && law->contact_time > 0)
        svg_write(stream, "; all of it within %.6g of the collision before", law->contact_time);
}

/* Lines with class="run" differ from run to run: see observe/observers.h. */
static void write_run(const struct report *report, FILE *stream)
{
    static const char *const periodic[] = {
        [0] = "",
        [PERIODIC_X] = ", periodic along x",
        [PERIODIC_Y] = ", periodic along y",
        [PERIODIC_X | PERIODIC_Y] = ", periodic along x and y",
    };
    const struct system *system = report->snapshot.system;
    svg_write(stream,
              "<p class='quiet'>%zu particle%s in a box of %.6g × %.6g%s, up to time %.8g.</p>\n"
              "<h2>What was run</h2>\n<table class='facts'>\n<tr><th scope='row'>Program"
              "<td>particles %s\n<tr class='run'><th scope='row'>Command<td><code>",
              system->count, picture_plural(system->count), system->boundary.width,
              system->boundary.height, periodic[system->boundary.periodic], report->snapshot.time,
              report->request->version);
    for (char *const *argument = report->request->arguments; *argument; argument++) {
        fputs(argument == report->request->arguments ? "<span>" : " <span>", stream);
        text_quote(*argument, put_escaped, stream);
        fputs("</span>", stream);
    }
    svg_write(stream, "</code>\n<tr><th scope='row'>Input<td>");
    write_escaped(report->request->title, stream);
    const struct dynamics_gas *gas = dynamics_find_gas(report->dynamics);
    if (gas)
        svg_write(stream,
                  "\n<tr><th scope='row'>Kind<td>lattice of %zu × %zu nodes: the gas as a "
                  "continuum, in which particles are carried along",
                  gas->columns, gas->rows);
    if (!report->is_stepped)
        write_rule(&system->law, stream);
    svg_write(stream, "\n<tr class='run'><th scope='row'>Took<td>%.3g seconds\n</table>\n",
              report->seconds);
}

/* Writes the picture of a map or, without one, of the particles, in a tree of its own. */
static enum status write_shadow_tree(const struct report *report, const struct field_map *map,
                                     FILE *stream, struct error *error)
{
    const struct picture_extras extras = {
        .hits = report->hits, .hits_from = report->request->from, .dynamics = report->dynamics};
    svg_write(stream, "<figure><div><template shadowrootmode='open'>\n"
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

/* Labels of figures that are subordinate to the one above begin with a space. */
static void write_figures(const struct report *report, FILE *stream)
{
    int has_error = 0;
    for (size_t k = 0; k < report->figure_count; k++)
        has_error |= report->figures[k].error > 0;
    fputs("<h2>Figures</h2>\n", stream);
    svg_write(stream,
              "%s<table class='figures'>\n<thead><tr><th scope='col'>Figure<th scope='col'>Value"
              "<th scope='col'>Unit<th scope='col'>What it says</thead>\n",
              has_error
                  ? "<p class=\"quiet\">Digits in brackets are the standard error of the last "
                    "digits before them.</p>\n"
                  : "");
    for (size_t k = 0; k < report->figure_count; k++) {
        const struct dynamics_figure *figure = &report->figures[k];
        const struct figure_description *description = &figure->description;
        const int is_run = strstr(description->key, "second") != NULL;
        char text[FIGURE_TEXT_SIZE];
        if (!isfinite(figure->value)) /* the run does not determine it */
            continue;
        svg_write(stream, "<tr%s id='%s'><th scope='row'%s>", is_run ? " class=\"run\"" : "",
                  description->key, *description->label == ' ' ? " class=\"part\"" : "");
        write_escaped(description->label, stream);
        svg_write(stream, "<td class='value'>");
        figure_format(text, figure, "");
        fputs(text, stream);
        svg_write(stream, "<td class='quiet'>");
        write_unit(description->unit, stream);
        fprintf(stream, "<td>%s\n", figure->meaning);
    }
    fputs("</table>\n", stream);
    if (!report->is_stepped && enskog_area_fraction(report->snapshot.system) > 0.69)
        svg_write(
            stream,
            "<p id='trapped'>Above area fraction 0.69 a crystal or a fluid may last for the "
            "whole run, whatever is stable. One run cannot show that, and its standard errors "
            "are then too small. Compare several seeds, and longer runs.</p>\n");
}

/* Swaps of velocities do not change the distribution of speeds. */
static const char swapped_speeds[] =
    "How the speeds are distributed, over moments of the run, beside Maxwell's distribution with "
    "the same energy. Collisions that swap velocities never lead there: they keep the speeds of "
    "the start, and only pass them on.";

/* Writes a plot or, if there is nothing for it, why. */
static void write_plot(const struct report *report, const struct spec *spec, FILE *stream)
{
    const struct boundary *box = &report->snapshot.system->boundary;
    const unsigned run = dynamics_find_gas(report->dynamics) ? OF_FLOW
                         : report->is_stepped                ? OF_STEPS
                         : box->stream.draw                  ? OF_STREAM
                                                             : OF_GAS;
    const int has_walls = box->periodic != (PERIODIC_X | PERIODIC_Y);
    struct plot plot = spec->plot;
    plot.level = (double)NAN;
    for (size_t s = 0; s < PLOT_MAX_SERIES; s++) {
        const struct plot_series series = spec->plot.series[s];
        plot.points[plot.count] = series.quantity ? report_find(report, series.quantity) : NULL;
        if (plot.points[plot.count] && plot.points[plot.count]->count > 0)
            plot.series[plot.count++] = series;
    }
    if ((plot.count == 0 && !spec->otherwise) || (spec->runs && !(spec->runs & run)) ||
        (plot.categories && !has_walls))
        return;
    fprintf(stream, "<section>\n<h3>%s</h3>\n", plot.labels.title);
    if (plot.count == 0) {
        fprintf(stream, "<p>%s</p>\n</section>\n", spec->otherwise);
        return;
    }
    const struct report_series *level = spec->level ? report_find(report, spec->level) : NULL;
    if (level)
        plot.level = level->points[0].value;
    plot_write(&plot, stream);
    svg_write(stream, "<p class='quiet'>%s</p>\n</section>\n",
              report->snapshot.system->law.rule == RULE_SWAP &&
                      strcmp(plot.labels.title, "Speeds") == 0
                  ? swapped_speeds
                  : spec->caption);
}

enum status report_page_write(const struct report *report, FILE *stream, struct error *error)
{
    write_page_head(report, stream);
    write_run(report, stream);
    fputs("<h2>Final picture</h2>\n", stream);
    if (report->crowd)
        fputs("<p>These are too many particles to draw each here, as --picture does. The picture "
              "shows their density at the end.</p>\n",
              stream);
    enum status status = write_shadow_tree(report, report->crowd, stream, error);
    write_figures(report, stream);
    if (report->warning)
        svg_write(stream, "<p id='warning'>Warning: %s.</p>\n", report->warning);
    svg_write(stream, "<h2>Plots</h2>\n<div class='plots'>\n");
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
