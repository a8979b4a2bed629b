/*
 * The text and the legend of a picture; see picture_legend.h.
 *
 *     1000 particles at time 10             the header
 *     box 40 x 30 ...
 *     [the box]
 *     speed  ======== ...   --> 0.5         the footer: a bar of colours or a list of species,
 *                                           and an arrow for scale
 */
#include "picture_legend.h"

#include "picture_paths.h"
#include "picture_polygons.h"
#include "picture_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* In pixels. */
enum {
    BAR_WIDTH = 240,
    BAR_HEIGHT = 12,
    LABEL_WIDTH = 60, /* of the word before the bar of colours or the list */
    FOOTER_TOP = 30,  /* from the box to the middle of the first row of the footer */
    ROW_HEIGHT = 22,
    SWATCH_WIDTH = 150, /* of one species in the list */
    ARROW_WIDTH = 170,  /* for the arrow for scale and its number */
    MAX_SCALE = 90      /* the longest arrow for scale */
};

enum { MAX_LISTED_SPECIES = 24 }; /* in the list */

double picture_legend_round(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.16e", value); /* its first digit decides */
    text[0] = text[0] >= '5' ? '5' : text[0] >= '2' ? '2' : '1';
    for (size_t k = 2; text[k] != 'e'; k++)
        text[k] = '0';
    return strtod(text, NULL);
}

void picture_legend_title(const struct picture_scene *scene, char title[PICTURE_TITLE_SIZE])
{
    const size_t count = scene->snapshot->system->count;
    snprintf(title, PICTURE_TITLE_SIZE, "%zu particle%s at time %.8g", count, count == 1 ? "" : "s",
             scene->snapshot->time);
}

/* The number of species in the list. */
static size_t listed_species(const struct picture_scene *scene)
{
    return scene->species_count < MAX_LISTED_SPECIES ? scene->species_count : MAX_LISTED_SPECIES;
}

/* The width of the list, which leaves room for the arrow for scale. */
static double footer_width(const struct picture_scene *scene)
{
    double width = scene->layout.width - 2 * PICTURE_MARGIN - LABEL_WIDTH;
    return scene->arrow > 0 ? width - ARROW_WIDTH : width;
}

static size_t species_columns(const struct picture_scene *scene)
{
    return (size_t)fmax(1, floor(footer_width(scene) / SWATCH_WIDTH));
}

double picture_legend_bottom(const struct picture_scene *scene)
{
    size_t rows = 1;
    if (scene->species_count > 1) {
        size_t entries = listed_species(scene) + (scene->species_count > MAX_LISTED_SPECIES);
        rows = (entries + species_columns(scene) - 1) / species_columns(scene);
    }
    double below = scene->species_count > 1 ? 0 : ROW_HEIGHT - 6; /* the bar's numbers */
    return ceil(scene->layout.bottom + FOOTER_TOP + (double)(rows - 1) * ROW_HEIGHT + below +
                PICTURE_MARGIN);
}

int picture_legend_write_box(const struct picture_scene *scene, int y, FILE *stream)
{
    static const char *const axes[] = {
        [PERIODIC_X] = "x", [PERIODIC_Y] = "y", [PERIODIC_X | PERIODIC_Y] = "x and y"};
    const unsigned periodic = scene->snapshot->system->boundary.periodic;
    if (scene->layout.strips > 1) {
        fprintf(stream,
                "<text class=\"quiet\" x=\"%d\" y=\"%d\">cut into %zu strips of length %.4g, to be "
                "read from %s</text>\n",
                PICTURE_MARGIN, y, scene->layout.strips, scene->layout.strip_length,
                scene->layout.is_tall ? "left to right" : "top to bottom");
        y += PICTURE_HEADER_LINE;
    }
    if (periodic) {
        fprintf(stream,
                "<text class=\"quiet\" x=\"%d\" y=\"%d\">periodic along %s: disks pass the dashed "
                "sides</text>\n",
                PICTURE_MARGIN, y, axes[periodic]);
        y += PICTURE_HEADER_LINE;
    }
    return y;
}

/* Writes the lines on the box, a stream, polygons and paths, from the height `y` downwards. */
static void write_further_lines(const struct picture_scene *scene, int y, FILE *stream)
{
    y = picture_legend_write_box(scene, y, stream);
    if (scene->snapshot->system->boundary.stream.draw) {
        picture_stream_write_key(scene, y, stream);
        y += 2 * PICTURE_HEADER_LINE;
    }
    picture_polygons_write_key(scene, y, stream);
    if (scene->snapshot->system->boundary.polygons)
        y += PICTURE_HEADER_LINE;
    picture_paths_write_key(scene, y, stream);
}

void picture_legend_write_header(const struct picture_scene *scene, FILE *stream)
{
    const struct system *system = scene->snapshot->system;
    uint64_t walls = 0;
    uint64_t halves = 0; /* of collisions of two particles */
    char title[PICTURE_TITLE_SIZE];
    for (size_t k = 0; k < system->count; k++) {
        const struct counts counts = snapshot_counts(scene->snapshot, k);
        walls += counts.walls;
        halves += counts.particles;
    }
    picture_legend_title(scene, title);
    fprintf(stream, "<text class=\"title\" x=\"%d\" y=\"38\">%s</text>\n", PICTURE_MARGIN, title);
    fprintf(stream,
            "<text class=\"quiet\" x=\"%d\" y=\"62\">box %.6g × %.6g · %" PRIu64
            " wall collisions · %" PRIu64 " particle collisions%s</text>\n",
            PICTURE_MARGIN, system->boundary.width, system->boundary.height, walls, halves / 2,
            scene->are_enlarged ? " · small disks drawn larger" : "");
    write_further_lines(scene, 62 + PICTURE_HEADER_LINE, stream);
}

/* Writes the bar of colours, with round numbers below it. */
static void write_speeds(const struct picture_scene *scene, double y, FILE *stream)
{
    int left = PICTURE_MARGIN + LABEL_WIDTH;
    fprintf(stream, "<text x=\"%d\" y=\"%g\">speed</text>\n", PICTURE_MARGIN, y + 4);
    fputs("<linearGradient id=\"speeds\">", stream);
    for (int k = 0; k < PICTURE_COLOUR_STOPS; k++) {
        double position = k / (double)(PICTURE_COLOUR_STOPS - 1);
        struct colour c = picture_quantity_colour(position);
        fprintf(stream, "<stop offset=\"%.4f\" stop-color=\"#%02x%02x%02x\"/>", position, c.red,
                c.green, c.blue);
    }
    fprintf(stream,
            "</linearGradient>\n<rect class=\"line\" fill=\"url(#speeds)\" x=\"%d\" y=\"%g\" "
            "width=\"%d\" height=\"%d\"/>\n",
            left, y - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT);
    if (scene->extras.scale) /* of frames, in which particles may become faster */
        fprintf(stream, "<text class=\"quiet\" x=\"%d\" y=\"%g\">and above</text>\n",
                left + BAR_WIDTH + 10, y + 4);
    double step = scene->brightest > 0 ? picture_legend_round(scene->brightest / 2) : 1;
    int last = scene->brightest > 0 ? (int)(scene->brightest / step) : 0;
    for (int k = 0; k <= last; k++) {
        double x = last > 0 ? left + k * step / scene->brightest * BAR_WIDTH : left;
        fprintf(stream,
                "<path class=\"line\" d=\"M%.1f %gv4\"/>"
                "<text class=\"number\" x=\"%.1f\" y=\"%g\">%.4g</text>\n",
                x, y + BAR_HEIGHT / 2, x, y + BAR_HEIGHT / 2 + 17, k * step);
    }
}

/* Writes the list of species with their colours. */
static void write_species(const struct picture_scene *scene, double y, FILE *stream)
{
    size_t columns = species_columns(scene);
    size_t listed = listed_species(scene);
    fprintf(stream, "<text x=\"%d\" y=\"%g\">species</text>\n", PICTURE_MARGIN, y + 4);
    for (size_t k = 0; k <= listed; k++) {
        double x = PICTURE_MARGIN + LABEL_WIDTH + (double)(k % columns) * SWATCH_WIDTH;
        double middle = y + (double)(k / columns) * ROW_HEIGHT;
        if (k < listed) {
            struct colour c = picture_kind_colour(k);
            fprintf(stream,
                    "<circle class=\"line\" fill=\"#%02x%02x%02x\" cx=\"%g\" cy=\"%g\" r=\"6\"/>"
                    "<text x=\"%g\" y=\"%g\">%" PRId32
                    "<tspan class=\"quiet\"> · %zu</tspan></text>\n",
                    c.red, c.green, c.blue, x + 6, middle, x + 18, middle + 4,
                    scene->species[k].species, scene->species[k].count);
        } else if (scene->species_count > listed) {
            fprintf(stream, "<text class=\"quiet\" x=\"%g\" y=\"%g\">and %zu more</text>\n", x,
                    middle + 4, scene->species_count - listed);
        }
    }
}

/* Writes the arrow for scale, of a round speed. */
static void write_arrow_scale(const struct picture_scene *scene, double y, FILE *stream)
{
    double speed = picture_legend_round(scene->arrow * MAX_SCALE);
    double length = speed / scene->arrow;
    double right = scene->layout.width - PICTURE_MARGIN;
    char text[20];
    int width = 8 * snprintf(text, sizeof text, "%.4g", speed) + 8; /* of the text, about */
    fprintf(stream,
            "<text text-anchor=\"end\" x=\"%g\" y=\"%g\">%s</text>\n"
            "<path class=\"arrow\" d=\"M%.1f %gh%.1fm-5 -2.5l5 2.5l-5 2.5\"/>\n",
            right, y + 4, text, right - width - length, y, length);
}

void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream)
{
    double y = scene->layout.bottom + FOOTER_TOP;
    y = floor(y * 10) / 10;
    if (scene->species_count > 1)
        write_species(scene, y, stream);
    else
        write_speeds(scene, y, stream);
    if (scene->arrow > 0)
        write_arrow_scale(scene, y, stream);
}
