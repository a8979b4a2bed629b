/*
 * The page of --report; see report_page.h.
 *
 * A picture has a style of its own, whose names also occur in others. So each stands in a shadow
 * tree, which keeps its style and its names to itself. The words of the user, which are the command
 * line and the name of the input, are escaped.
 */
#include "picture/report_page.h"

#include "picture/field_picture.h"
#include "picture_drawing.h"
#include "plot.h"

#include <math.h>
#include <string.h>

static const size_t MOST_CELLS = 60000; /* of fields that are drawn: more make the file too large */

static const char style[] =
    ":root{color-scheme:light dark;--page:#fff;--text:#24272c;--quiet:#5b626c;--line:#d9dce1;"
    "--first:#1f63b4;--second:#c2410c}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--page:#15171b;--text:#e6e9ee;"
    "--quiet:#a4acb8;--line:#353a42;--first:#6aaef7;--second:#ff9d66}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:1.2rem;max-width:84rem;background:var(--page);color:var(--text);"
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "h1{font-size:1.6rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 .5rem}"
    "h3{font-size:1rem;margin:0 0 .3rem}\n"
    "p{margin:.3rem 0;max-width:46rem}.quiet{color:var(--quiet)}\n"
    "code{font:.9em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse}th,td{text-align:left;vertical-align:top;padding:.25rem .8rem "
    ".25rem 0;border-bottom:1px solid var(--line)}\n"
    ".figures th.part{font-weight:400;padding-left:1.2rem}\n"
    "td.value,.numbers td{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".numbers{font-size:.85rem}.wide{overflow-x:auto;max-height:24rem;overflow-y:auto}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));"
    "gap:1.6rem 2rem}\n"
    ".plots>section{break-inside:avoid;min-width:0}summary{cursor:pointer;color:var(--quiet)}\n"
    "figure{margin:0;max-width:54rem}\n"
    "@media(max-width:40rem){.figures thead{display:none}.figures,.figures tbody,.figures tr,"
    ".figures td,.figures th{display:block;border:0;padding:0;text-align:left}"
    ".figures tr{padding:.4rem 0;border-bottom:1px solid var(--line)}}\n"
    "h2,h3{break-after:avoid}\n"
    "@media print{body{font-size:11px;padding:0}details{display:none}figure{max-width:15cm}"
    ".figures tr{break-inside:avoid}.plots{grid-template-columns:1fr 1fr}}\n";

/* The style of a picture's own tree. */
static const char picture_style[] = "<style>svg{display:block;width:100%;height:auto}</style>\n";

/* Of which runs a plot is, in a set of bits; those of time steps have no collisions. */
enum { OF_GAS = 1, OF_STREAM = 2, OF_EVENTS = OF_GAS | OF_STREAM, OF_STEPS = 4, OF_ALL = 7 };

/* A plot of the page. */
struct spec {
    unsigned runs;
    const char *title, *x_label, *y_label;
    struct {
        const char *quantity, *label;
        enum plot_form form;
    } series[PLOT_MAX_SERIES]; /* the second may have no quantity */
    const char *caption;
    const char *sampled; /* what is to be added if the figures are of a part of the time; or NULL */
    const char *drifting;  /* what is to be added if the gas moves as a whole; or NULL */
    const char *otherwise; /* what is said if there is no such series; NULL: nothing */
    const char *const *categories;
    int is_close;
};

static const char *const wall_names[] = {"left", "right", "bottom", "top", "polygons"};

/* Of a sample (observe/report.h). */
#define KNOWN_TEMPERATURES                                                                         \
    " They are known at the start, which is a dot, and from when on collisions are watched, but "  \
    "not in between."

static const struct spec specs[] = {
    {.runs = OF_STREAM,
     .title = "Temperature",
     .x_label = "time",
     .y_label = "energy",
     .series = {{"temperature", "temperature", PLOT_CURVE}},
     .caption = "The temperature, relative to the stream. It changes where obstacles slow the gas "
                "down, and where the stream gives particles other velocities.",
     .sampled = KNOWN_TEMPERATURES,
     .otherwise = "The run takes no time, so there is no course of the temperature."},
    {.runs = OF_GAS,
     .title = "Temperature and energy",
     .x_label = "time",
     .y_label = "energy",
     .series = {{"temperature", "temperature", PLOT_CURVE},
                {"energy", "energy of a particle", PLOT_DASHED}},
     .caption =
         "The temperature, and the mean kinetic energy of a particle. In two dimensions both "
         "are the same if nothing moves as a whole, but for a part of 1/N in a periodic box. Both "
         "stay level where collisions are elastic.",
     .sampled = KNOWN_TEMPERATURES,
     .otherwise = "The run takes no time, so there is no course of the temperature."},
    {.runs = OF_STEPS,
     .title = "Temperature and kinetic energy",
     .x_label = "time",
     .y_label = "energy",
     .series = {{"temperature", "temperature", PLOT_CURVE},
                {"energy", "energy of a particle", PLOT_DASHED}},
     .caption = "The temperature, and the mean kinetic energy of a particle, at up to 65 times. In "
                "two dimensions both are the same if nothing moves as a whole. What interactions "
                "store as potential energy is not in them.",
     .otherwise = "The run takes no time, so there is no course of the temperature."},
    {.runs = OF_EVENTS,
     .title = "Collision rate",
     .x_label = "time",
     .y_label = "rate",
     .series = {{"collision_rate", "running mean", PLOT_CURVE}},
     .caption = "How many collisions with others a particle has in a unit of time: the mean from "
                "the beginning up to each time. The band is its standard error, if the run tells "
                "it. Once the line is level, the run is long enough.",
     .sampled = " The beginning is that of the time in which collisions are watched.",
     .otherwise = "No two particles have collided, so there is no rate of that to follow.",
     .is_close = 1},
    {.runs = OF_ALL,
     .title = "Speeds",
     .x_label = "speed",
     .y_label = "density",
     .series = {{"speeds", "this run", PLOT_BARS}, {"speeds_maxwell", "Maxwell", PLOT_CURVE}},
     .caption = "How the speeds are distributed, over moments of the run, beside Maxwell's "
                "distribution with the same energy, which elastic collisions lead to.",
     .sampled = " There is one such moment, the end.",
     .otherwise = "There are too few particles for a histogram of their speeds: it takes ten."},
    {.runs = OF_EVENTS,
     .title = "Free paths",
     .x_label = "length",
     .y_label = "density",
     .series = {{"paths", "this run", PLOT_BARS}, {"paths_exponential", "exponential", PLOT_CURVE}},
     .caption = "How far particles fly from one collision with another particle to the next, "
                "beside the exponential distribution with the same mean, that of a collision which "
                "is as likely on each piece of the way.",
     .drifting = " They are as long as seen from the box; the mean free path of the figures is "
                 "relative to the motion of all particles together.",
     .sampled = " They end in the time in which collisions are watched. One that has begun before "
                "that counts from the last collision, even if that was with a wall.",
     .otherwise = "Too few flights from one collision with another particle to the next have been "
                  "seen for a histogram."},
    {.runs = OF_EVENTS,
     .title = "Collisions per particle",
     .x_label = "collisions of a particle",
     .y_label = "particles",
     .series = {{"counts", "particles", PLOT_BARS}},
     .caption = "How many particles have collided how often, from time 0 on.",
     .otherwise = "No particle has collided with anything."},
    {.runs = OF_STEPS,
     .title = "Contacts per particle",
     .x_label = "contacts of a particle",
     .y_label = "particles",
     .series = {{"counts", "particles", PLOT_BARS}},
     .caption = "How many particles have come into contact how often, with walls and with each "
                "other, from time 0 on.",
     .otherwise = "No particle has come into contact with anything."},
    {.runs = OF_EVENTS,
     .title = "Collisions at each wall",
     .x_label = "wall",
     .y_label = "collisions",
     .series = {{"walls", "collisions", PLOT_BARS}},
     .caption = "How often particles came to each wall. In a gas in equilibrium opposite walls "
                "are hit equally often, but for chance.",
     .sampled = " This is of the time in which collisions are watched.",
     .otherwise = "No particle has come to a wall.",
     .categories = wall_names},
    {.runs = OF_ALL,
     .title = "Pair distribution",
     .x_label = "distance of two centres",
     .y_label = "g",
     .series = {{"g", "g(r)", PLOT_CURVE}},
     .caption = "How many particles are at a distance from another one, compared with a gas of "
                "points, where it is 1."},
    {.runs = OF_ALL,
     .title = "Bond order",
     .x_label = "time",
     .y_label = "order",
     .series = {{"psi6_local_at", "local", PLOT_CURVE}, {"psi6_global_at", "global", PLOT_DASHED}},
     .caption = "How close neighbours are to a hexagon around each particle, ψ6: 1 in a perfect "
                "crystal. Local is the mean of its size, global the size of its mean."},
    {.runs = OF_ALL,
     .title = "Mean square displacement",
     .x_label = "time in between",
     .y_label = "length²",
     .series = {{"mean_square_displacement", "mean square", PLOT_CURVE}},
     .caption = "How far particles get in a time, squared. A straight line is diffusion, whose "
                "coefficient is a quarter of its slope."},
    {.runs = OF_ALL,
     .title = "Velocity autocorrelation",
     .x_label = "time in between",
     .y_label = "correlation",
     .series = {{"velocity_autocorrelation", "autocorrelation", PLOT_CURVE}},
     .caption = "How much of its velocity a particle keeps over a time."},
    {.runs = OF_ALL,
     .title = "Structure factor",
     .x_label = "wave number",
     .y_label = "S",
     .series = {{"structure_factor", "S(k)", PLOT_CURVE}},
     .caption = "How strong waves of the density are, by their wave numbers."},
    {.runs = OF_ALL,
     .title = "Forces on obstacles",
     .x_label = "obstacle",
     .y_label = "force",
     .series = {{"force_x", "along x", PLOT_POINTS}, {"force_y", "along y", PLOT_POINTS}},
     .caption = "The mean force of the gas on each obstacle, numbered in the order of the options, "
                "with its standard error."},
    {.runs = OF_ALL,
     .title = "Force against time",
     .x_label = "time",
     .y_label = "force",
     .series = {{"force_x_at", "along x", PLOT_CURVE}, {"force_y_at", "along y", PLOT_DASHED}},
     .caption = "The force of the gas on all obstacles together: means of short times, one after "
                "the other. How far they scatter depends on how short these are."},
};

/* Writes text of the user. */
static void write_escaped(const char *text, FILE *stream)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (strchr("&<>\"'", c) || c < ' ')
            fprintf(stream, "&#%d;", c < ' ' ? ' ' : c);
        else
            fputc(c, stream);
    }
}

/* Writes an argument as a shell takes it. */
static void write_argument(const char *argument, FILE *stream)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=./,:+@%";
    const int is_plain = *argument && argument[strspn(argument, plain)] == '\0';
    if (is_plain) {
        write_escaped(argument, stream);
        return;
    }
    fputs("&#39;", stream);
    for (; *argument; argument++) {
        const char letter[2] = {*argument, '\0'};
        if (*argument == '\'')
            fputs("&#39;\\&#39;&#39;", stream);
        else
            write_escaped(letter, stream);
    }
    fputs("&#39;", stream);
}

static void write_head(const struct report *report, FILE *stream)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          stream);
    write_escaped(report->title, stream);
    fprintf(stream, " · report of a run</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>",
            style, plot_style);
    write_escaped(report->title, stream);
    fputs("</h1>\n", stream);
}

/* Writes what was run. Lines with class="run" differ from run to run: see observe/report.h. */
static void write_run(const struct report *report, FILE *stream)
{
    const struct system *system = report->snapshot.system;
    fprintf(stream,
            "<p class=\"quiet\">%zu particle%s in a box of %.6g × %.6g, up to time %.8g.</p>\n"
            "<h2>What was run</h2>\n<table class=\"facts\">\n"
            "<tr><th scope=\"row\">Program<td>particles %s\n<tr class=\"run\"><th "
            "scope=\"row\">Command<td><code>",
            system->count, system->count == 1 ? "" : "s", system->boundary.width,
            system->boundary.height, report->snapshot.time, report->version);
    for (char *const *argument = report->arguments; *argument; argument++) {
        if (argument != report->arguments)
            fputc(' ', stream);
        write_argument(*argument, stream);
    }
    fputs("</code>\n<tr><th scope=\"row\">Input<td>", stream);
    write_escaped(report->title, stream);
    fprintf(stream, "\n<tr class=\"run\"><th scope=\"row\">Took<td>%.3g seconds\n</table>\n",
            report->seconds);
}

/* Opens and closes the tree of a picture. */
static void begin_picture(FILE *stream)
{
    fprintf(stream, "<figure><div><template shadowrootmode=\"open\">\n%s", picture_style);
}

static void end_picture(FILE *stream)
{
    fputs("</template></div></figure>\n", stream);
}

static enum status draw_particles(const struct snapshot *snapshot, FILE *stream,
                                  struct error *error)
{
    struct picture_scene scene;
    enum status status = picture_scene_create(&scene, snapshot, &(struct picture_extras){0}, error);
    if (!status)
        status = picture_drawing_write(&scene, stream, error);
    picture_scene_free(&scene);
    return status;
}

static enum status write_final(const struct report *report, FILE *stream, struct error *error)
{
    enum status status = STATUS_DONE;
    if (report->crowd)
        fputs("<h2>Final picture</h2>\n<p>These are too many particles to draw each here, as "
              "--picture does. The picture shows their density at the end.</p>\n",
              stream);
    else
        fputs("<h2>Final picture</h2>\n", stream);
    begin_picture(stream);
    status = report->crowd ? field_picture_write(report->crowd, stream, error)
                           : draw_particles(&report->snapshot, stream, error);
    end_picture(stream);
    return status;
}

static enum status write_fields(const struct field_map *map, FILE *stream, struct error *error)
{
    enum status status = STATUS_DONE;
    if (map->columns * map->rows > MOST_CELLS) {
        fputs("<h2>Fields</h2>\n<p>These are too many cells to draw here; the file of --fields "
              "has them.</p>\n",
              stream);
        return STATUS_DONE;
    }
    fputs("<h2>Fields</h2>\n", stream);
    begin_picture(stream);
    status = field_picture_write(map, stream, error);
    end_picture(stream);
    return status;
}

/* Says which figures are of a part of the time only. */
static void write_sample(const struct report *report, FILE *stream)
{
    fprintf(stream,
            "<p id=\"sample\">There are so many particles that collisions are watched only in the "
            "last part of the time, from %.8g on: %.0f of two particles. The collision rate, the "
            "pressure, free paths and the mean temperature are of that part. The numbers of all "
            "collisions and the change of energy are of the whole time. With --stats all figures "
            "are.</p>\n",
            report->sampled_from, report->sampled_pairs);
}

/* Labels of figures that belong to the one above begin with a space. */
static void write_figures(const struct report *report, FILE *stream)
{
    fputs("<h2>Figures</h2>\n", stream);
    if (report->is_sampled)
        write_sample(report, stream);
    fputs("<table class=\"figures\">\n<thead><tr><th scope=\"col\">Figure"
          "<th scope=\"col\">Value<th scope=\"col\">Unit<th scope=\"col\">What it says</thead>\n",
          stream);
    for (size_t k = 0; k < report->figure_count; k++) {
        const struct report_figure *figure = &report->figures[k];
        const struct figure_description *description = figure->description;
        const int is_run = strstr(description->key, "second") != NULL;
        fprintf(stream, "<tr%s id=\"%s\"><th scope=\"row\"%s>", is_run ? " class=\"run\"" : "",
                description->key, *description->label == ' ' ? " class=\"part\"" : "");
        write_escaped(description->label, stream);
        fputs("<td class=\"value\">", stream);
        if (!isfinite(figure->value))
            fputs("not determined", stream);
        else if (description->form == FIGURE_WHOLE)
            fprintf(stream, "%.0f", figure->value);
        else
            fprintf(stream, "%.7g", figure->value + 0.0); /* + 0.0: there is no -0 */
        fprintf(stream, "<td class=\"quiet\">%s<td>%s\n", description->unit, figure->meaning);
    }
    fputs("</table>\n", stream);
}

static int has_values(const struct report_series *series)
{
    for (size_t k = 0; k < series->count; k++)
        if (isfinite(series->points[k].value))
            return 1;
    return 0;
}

/* What is under a plot. The swap of velocities leaves speeds as they were, but for whose they are.
 */
static const char *choose_caption(const struct report *report, const struct spec *spec)
{
    if (strcmp(spec->title, "Speeds") != 0)
        return spec->caption;
    if (report->is_stepped)
        return "How the speeds are distributed, over moments of the run, beside Maxwell's "
               "distribution with the same energy.";
    if (report->is_drifting)
        return "How the speeds are distributed, over moments of the run. All particles together "
               "move through the box. So Maxwell's distribution, which is that of a gas at rest, "
               "is not beside them.";
    if (report->snapshot.system->law.rule == RULE_SWAP)
        return "How the speeds are distributed, over moments of the run, beside Maxwell's "
               "distribution with the same energy. Collisions that swap velocities never lead "
               "there: they keep the speeds of the start, and only pass them on.";
    return spec->caption;
}

/* What is said where a plot has nothing to show. */
static const char *choose_sentence(const struct report *report, const struct spec *spec)
{
    const struct boundary *boundary = &report->snapshot.system->boundary;
    if (spec->categories == wall_names && boundary->periodic == (PERIODIC_X | PERIODIC_Y))
        return "The box is periodic in both directions: it has no walls.";
    return spec->otherwise;
}

static unsigned describe_run(const struct report *report)
{
    if (report->is_stepped)
        return OF_STEPS;
    return report->snapshot.system->boundary.stream.draw ? OF_STREAM : OF_GAS;
}

/* Writes a plot or, if there is nothing for it, why. */
static void write_plot(const struct report *report, const struct spec *spec, FILE *stream)
{
    struct plot plot = {.title = spec->title,
                        .x_label = spec->x_label,
                        .y_label = spec->y_label,
                        .categories = spec->categories,
                        .is_close = spec->is_close,
                        .level = (double)NAN};
    for (size_t s = 0; s < PLOT_MAX_SERIES; s++) {
        const struct report_series *series =
            spec->series[s].quantity ? report_find(report, spec->series[s].quantity) : NULL;
        if (series && has_values(series))
            plot.series[plot.count++] =
                (struct plot_series){spec->series[s].label, spec->series[s].form, series};
    }
    if ((plot.count == 0 && !spec->otherwise) || !(spec->runs & describe_run(report)))
        return;
    const char *sampled = report->is_sampled && spec->sampled ? spec->sampled : "";
    fprintf(stream, "<section>\n<h3>%s</h3>\n", spec->title);
    if (plot.count == 0) {
        const char *sentence = choose_sentence(report, spec);
        fprintf(stream, "<p>%s%s</p>\n</section>\n", sentence,
                sentence == spec->otherwise ? sampled : "");
        return;
    }
    if (strcmp(plot.series[0].series->quantity, "collision_rate") == 0) {
        plot.level = report->collision_rate_enskog;
        plot.level_label = "Enskog's theory";
    }
    plot_write(&plot, stream);
    fprintf(stream, "<p class=\"quiet\">%s%s%s</p>\n</section>\n", choose_caption(report, spec),
            report->is_drifting && spec->drifting ? spec->drifting : "", sampled);
}

enum status report_page_write(const struct report *report, FILE *stream, struct error *error)
{
    write_head(report, stream);
    write_run(report, stream);
    enum status status = write_final(report, stream, error);
    write_figures(report, stream);
    if (report->warning)
        fprintf(stream, "<p id=\"warning\">Warning: %s.</p>\n", report->warning);
    fputs("<h2>Plots</h2>\n<div class=\"plots\">\n", stream);
    for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++)
        write_plot(report, &specs[k], stream);
    fputs("</div>\n", stream);
    if (!status && report->fields)
        status = write_fields(report->fields, stream, error);
    fputs("</body>\n</html>\n", stream);
    return status;
}
