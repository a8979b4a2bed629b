/*
 * The drawing of a picture as an SVG document, in the order of write_picture.
 *
 * Styles are light or dark as the viewer's system. Disks are in groups of one strip and colour, so
 * that a disk takes only 40 bytes. Many are dots of paths, of one radius, too: 14 bytes each. One
 * across a seam is drawn on both sides and cut there; its number and its arrow are drawn once, and
 * are not cut. No text comes from the user.
 *
 * Coordinates have two decimals, by nothing but + - * / and square roots: the same everywhere.
 */
#include "drawing.h"

#include "base/memory.h"
#include "io/number.h"
#include "model/boundary_law.h"
#include "picture/picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* ---- The elements of which pictures consist, as SVG ---- */

/* In pixels. */
enum {
    BAR_HEIGHT = 12,
    MAX_SCALE = 90 /* the longest arrow for scale */
};

const char picture_beginning[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";

void tag_write(FILE *stream, const char *format, ...)
{
    char quoted[TAG_FORMAT_SIZE];
    va_list arguments;
    size_t length = 0;
    for (; format[length] != '\0' && length < sizeof quoted - 1; length++)
        quoted[length] = format[length] == '\'' ? '"' : format[length];
    quoted[length] = '\0';
    va_start(arguments, format);
    vfprintf(stream, quoted, arguments);
    va_end(arguments);
}

int picture_legend_write_line(int y, FILE *stream, const char *format, ...)
{
    va_list arguments;
    tag_write(stream, "<text class='quiet' x='%d' y='%d'>", PICTURE_MARGIN, y);
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fputs("</text>\n", stream);
    return y + PICTURE_HEADER_LINE;
}

void svg_write_pixels(FILE *stream, const char *before, double value)
{
    static const struct number_decimals hundredths = {.places = 2, .scale = 100};
    char text[NUMBER_SHORTEST_SIZE];
    number_write_decimal(text, &hundredths, number_round(&hundredths, value));
    fputs(before, stream);
    fputs(text, stream);
}

const char *picture_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void svg_write_rectangle(const char *begin, const double corner[2], const double size[2],
                         const char *end, FILE *stream)
{
    tag_write(stream, "%s x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>%s\n", begin, corner[0],
              corner[1], size[0], size[1], end);
}

void svg_write_arrow(const double begin[2], const double direction[2], double length, double head,
                     FILE *stream)
{
    static const double cosine = 0.906; /* the head is two lines at 25 degrees */
    static const double sine = 0.423;
    const double right = direction[0], down = direction[1];
    const double tip[2] = {begin[0] + length * right, begin[1] + length * down};
    const double points[5][2] = {{begin[0], begin[1]},
                                 {tip[0], tip[1]},
                                 {tip[0] - head * (cosine * right - sine * down),
                                  tip[1] - head * (cosine * down + sine * right)},
                                 {tip[0], tip[1]},
                                 {tip[0] - head * (cosine * right + sine * down),
                                  tip[1] - head * (cosine * down - sine * right)}};
    for (int k = 0; k < 5; k++) {
        svg_write_pixels(stream, k == 0 || k == 2 ? "M" : "L", points[k][0]);
        svg_write_pixels(stream, " ", points[k][1]);
    }
}

void picture_drawing_begin(double width, double height, const char *title, FILE *stream)
{
    tag_write(stream,
              "%sxmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
              "viewBox='0 0 %g %g' role='img'>\n<title>%s</title>\n",
              picture_beginning, width, height, width, height, title);
}

void picture_drawing_write_card(double width, double height, const char *title, FILE *stream)
{
    tag_write(stream,
              "<rect class='card' x='.5' y='.5' width='%g' height='%g' rx='10'/>\n"
              "<text class='title' x='%d' y='38'>%s</text>\n",
              width - 1, height - 1, PICTURE_MARGIN, title);
}

double picture_legend_round(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.16e", value); /* its first digit decides */
    text[0] = text[0] >= '5' ? '5' : text[0] >= '2' ? '2' : '1';
    for (size_t k = 2; text[k] != 'e'; k++)
        text[k] = '0';
    return strtod(text, NULL);
}

double picture_legend_write_bar(const struct picture_bar *bar, double y, FILE *stream)
{
    const double range = bar->high - bar->low;
    const double step = range > 0 ? picture_legend_round(range / bar->parts) : 1;
    const int left = PICTURE_MARGIN + bar->label_width;
    tag_write(stream, "<text x='%d' y='%g'>%s</text>\n<linearGradient id='%s'>", PICTURE_MARGIN,
              y + 4, bar->label, bar->id);
    for (int k = 0; k < PICTURE_COLOUR_STOPS; k++) {
        const double position = k / (double)(PICTURE_COLOUR_STOPS - 1);
        tag_write(stream, "<stop offset='%.4f' stop-color='#%06" PRIx32 "'/>", position,
                  picture_quantity_colour(position));
    }
    tag_write(stream,
              "</linearGradient>\n"
              "<rect class='line' fill='url(#%s)' x='%d' y='%g' width='%d' height='%d'/>\n",
              bar->id, left, y - BAR_HEIGHT / 2, bar->width, BAR_HEIGHT);
    for (double number = ceil(bar->low / step); number * step <= bar->high; number++) {
        const double part = range > 0 ? (number * step - bar->low) / range : 0;
        tag_write(stream,
                  "<path class='line' d='M%.1f %gv4'/>"
                  "<text class='number' x='%.1f' y='%g'>%.6g</text>\n",
                  left + part * bar->width, y + BAR_HEIGHT / 2, left + part * bar->width,
                  y + BAR_HEIGHT / 2 + 17, number * step);
    }
    return left + bar->width;
}

void picture_legend_write_arrow(const struct picture_layout *layout, double unit, const char *label,
                                double y, FILE *stream)
{
    const double speed = picture_legend_round(unit * MAX_SCALE);
    const double length = speed / unit;
    const double right = layout->width - PICTURE_MARGIN;
    char text[40];
    const int width = 8 * snprintf(text, sizeof text, "%s%.4g", label, speed) + 8; /* about */
    tag_write(stream,
              "<text text-anchor='end' x='%g' y='%g'>%s</text>\n"
              "<path class='arrow' d='M%.1f %gh%.1fm-5 -2.5l5 2.5l-5 2.5'/>\n",
              right, y + 4, text, right - width - length, y, length);
}

/* ---- The picture of particles ---- */

enum { MAX_TRACERS = 12 };
static const double TRACER_RADIUS = 4; /* in pixels, at least */
static const double PIN_GAP = 2.2;     /* between a disk and the ring of its pin, in pixels */

static const uint32_t tracer_colour = 0xd55e00; /* vermilion of picture_kind_colour */

static size_t count_tracers(const struct picture_scene *scene)
{
    const size_t eighth = (scene->count + 7) / 8;
    return !scene->box->stream.draw ? 0 : eighth < MAX_TRACERS ? eighth : MAX_TRACERS;
}

/* The number of a tracer: they are spread evenly over all particles. */
static size_t find_tracer(const struct picture_scene *scene, size_t tracer)
{
    return (size_t)((uint64_t)tracer * scene->count / count_tracers(scene));
}

static int is_tracer(const struct picture_scene *scene, size_t number)
{
    size_t tracer = 0;
    while (tracer < count_tracers(scene) && find_tracer(scene, tracer) != number)
        tracer++;
    return tracer < count_tracers(scene);
}

static void write_stream_key(const struct picture_scene *scene, int y, FILE *stream)
{
    enum { ENTRY_WIDTH = 110 };
    const double speed = scene->box->stream.speed;
    const size_t tracers = count_tracers(scene);
    const char *direction = speed > 0 ? " to the right" : speed < 0 ? " to the left" : "";
    y = picture_legend_write_line(y, stream, "stream of speed %.4g%s, temperature %.4g%s",
                                  fabs(speed), direction, scene->box->stream.temperature,
                                  scene->species_count > 1 ? ""
                                                           : "; colours: speed relative to it");
    tag_write(stream,
              "<circle class='tracer' cx='%d' cy='%d' r='%g'/>"
              "<text class='quiet' x='%d' y='%d'>%zu tracer%s</text>\n",
              PICTURE_MARGIN + 9, y - 4, TRACER_RADIUS + 1, PICTURE_MARGIN + 25, y, tracers,
              picture_plural(tracers));
    picture_forces_write_key(scene, PICTURE_MARGIN + ENTRY_WIDTH, y - 4, stream);
}

/* True if disks are cut at the ends of a strip along an axis, because the box continues there. */
static int is_cut_along(const struct picture_scene *scene, int axis)
{
    const struct picture_layout *layout = &scene->layout;
    return (layout->strips > 1 && axis == layout->is_tall) ||
           (scene->box->periodic & 1u << axis) != 0;
}

static int is_cut(const struct picture_scene *scene)
{
    return is_cut_along(scene, 0) || is_cut_along(scene, 1);
}

/* Writes a circle around the centre of a particle and of its images. */
static void write_mark(const struct picture_scene *scene, size_t number, const char *class,
                       double radius, FILE *stream)
{
    for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
        double centre[2], point[2];
        if (!picture_scene_image(scene, number, image, centre))
            continue;
        const size_t strip = picture_layout_locate(&scene->layout, centre, point);
        if (is_cut(scene))
            tag_write(stream, "<g clip-path='url(#strip%zu)'>", strip);
        tag_write(stream, "<circle class='%s' cx='%.2f' cy='%.2f' r='%.2f'/>%s\n", class, point[0],
                  point[1], radius, is_cut(scene) ? "</g>" : "");
    }
}

/* The header above the box, and the footer below it: colours or species, and an arrow for scale. */

/* In pixels. */
enum {
    BAR_WIDTH = 240,
    LABEL_WIDTH = 60, /* of the word before the bar of colours or the list */
    ROW_HEIGHT = 22,
    SWATCH_WIDTH = 150, /* of one species in the list */
    ARROW_WIDTH = 170,  /* for the arrow for scale and its number */
    MAX_LISTED_SPECIES = 24
};

void picture_legend_title(const struct picture_scene *scene, char title[PICTURE_TITLE_SIZE])
{
    const size_t count = system_present(scene->snapshot->system);
    snprintf(title, PICTURE_TITLE_SIZE, "%zu particle%s at time %.8g", count, picture_plural(count),
             scene->snapshot->time);
}

/* The number of columns of the list of species, which leaves room for the arrow for scale. */
static size_t species_columns(const struct picture_scene *scene)
{
    const int others =
        2 * PICTURE_MARGIN + LABEL_WIDTH + (scene->scale.arrow > 0 ? ARROW_WIDTH : 0);
    return (size_t)fmax(1, floor((scene->layout.width - others) / SWATCH_WIDTH));
}

double picture_legend_bottom(const struct picture_scene *scene)
{
    size_t entries = 1;            /* a bar */
    double below = ROW_HEIGHT - 6; /* its numbers */
    if (picture_scene_has_list(scene)) {
        const size_t max = MAX_LISTED_SPECIES + 1; /* "and ... more" */
        entries = scene->species_count < max ? scene->species_count : max;
        below = 0;
    }
    const size_t rows = (entries + species_columns(scene) - 1) / species_columns(scene);
    return ceil(scene->layout.bottom + PICTURE_FOOTER_TOP + (double)(rows - 1) * ROW_HEIGHT +
                below + PICTURE_MARGIN);
}

int picture_legend_write_box(const struct picture_scene *scene, int y, FILE *stream)
{
    static const char *const axes[] = {
        [PERIODIC_X] = "x", [PERIODIC_Y] = "y", [PERIODIC_X | PERIODIC_Y] = "x and y"};
    const unsigned periodic = scene->box->periodic;
    if (scene->layout.strips > 1)
        y = picture_legend_write_line(y, stream,
                                      "cut into %zu strips of length %.4g, to be read from %s",
                                      scene->layout.strips, scene->layout.strip_length,
                                      scene->layout.is_tall ? "left to right" : "top to bottom");
    if (periodic)
        y = picture_legend_write_line(y, stream, "periodic along %s: disks pass the dashed sides",
                                      axes[periodic]);
    if (wall_laws_are_diffuse(scene->box)) {
        const struct wall_laws *walls = scene->box->walls;
        char hottest[40] = "";
        if (walls->hottest > walls->coldest)
            snprintf(hottest, sizeof hottest, " (blue) to %.4g (red)", walls->hottest);
        y = picture_legend_write_line(y, stream, "walls of temperature %.4g%s%s", walls->coldest,
                                      hottest, walls->fastest > 0 ? "; arrowheads: they move" : "");
    }
    return y;
}

static void write_joints_key(const struct picture_scene *scene, int y, FILE *stream)
{
    const size_t links = scene->joints - scene->broken;
    tag_write(stream, "<text class='quiet' x='%d' y='%d'>", PICTURE_MARGIN, y);
    if (scene->joints > 0)
        fprintf(stream, "lines: %zu link%s", links, picture_plural(links));
    if (scene->broken > 0)
        fprintf(stream, " (%zu more broken)", scene->broken);
    if (scene->fixed > 0)
        fprintf(stream, "%srings: %zu pinned particle%s", scene->joints > 0 ? " · " : "",
                scene->fixed, picture_plural(scene->fixed));
    fputs("</text>\n", stream);
}

static void write_header(const struct picture_scene *scene, FILE *stream)
{
    const struct particle_counts all = snapshot_collisions(scene->snapshot);
    int y = picture_legend_write_line(
        62, stream,
        "box %.6g × %.6g · %" PRIu64 " wall collision%s · %" PRIu64 " particle collision%s%s",
        scene->box->width, scene->box->height, all.walls, picture_plural(all.walls), all.particles,
        picture_plural(all.particles), scene->are_enlarged ? " · small disks drawn larger" : "");
    y = picture_legend_write_box(scene, y, stream);
    if (scene->box->stream.draw) {
        write_stream_key(scene, y, stream);
        y += 2 * PICTURE_HEADER_LINE;
    }
    picture_polygons_write_key(scene, y, stream);
    if (scene->box->polygons)
        y += PICTURE_HEADER_LINE;
    if (scene->extras.paths)
        picture_paths_write_key(scene, y, stream);
    if (scene->joints + scene->fixed > 0) /* of steps, which have no paths */
        write_joints_key(scene, y, stream);
}

static void write_speeds(const struct picture_scene *scene, double y, FILE *stream)
{
    const struct picture_bar bar = {"speed", "speeds", LABEL_WIDTH,           BAR_WIDTH,
                                    2,       0,        scene->scale.brightest};
    const double right = picture_legend_write_bar(&bar, y, stream);
    if (scene->extras.scale) /* of frames, in which particles may become faster */
        tag_write(stream, "<text class='quiet' x='%g' y='%g'>and above</text>\n", right + 10,
                  y + 4);
}

static void write_species(const struct picture_scene *scene, double y, FILE *stream)
{
    const int are_contacts = scene->extras.contacts != NULL;
    tag_write(stream, "<text x='%d' y='%g'>%s</text>\n", PICTURE_MARGIN, y + 4,
              are_contacts ? "contacts" : "species");
    for (size_t k = 0; k < scene->species_count && k <= MAX_LISTED_SPECIES; k++) {
        const size_t columns = species_columns(scene);
        const double x = PICTURE_MARGIN + LABEL_WIDTH + (double)(k % columns) * SWATCH_WIDTH;
        const double middle = y + (double)(k / columns) * ROW_HEIGHT;
        const int32_t label = scene->species[k].species;
        char text[12];
        snprintf(text, sizeof text, "%" PRId32, label);
        if (k < MAX_LISTED_SPECIES)
            tag_write(stream,
                      "<circle class='line' fill='#%06" PRIx32 "' cx='%g' cy='%g' r='6'/>"
                      "<text x='%g' y='%g'>%s<tspan class='quiet'> · %zu</tspan></text>\n",
                      picture_scene_colour(scene, are_contacts ? (size_t)label : k), x + 6, middle,
                      x + 18, middle + 4, are_contacts && label == 0 ? "rattlers" : text,
                      scene->species[k].count);
        else
            tag_write(stream, "<text class='quiet' x='%g' y='%g'>and %zu more</text>\n", x,
                      middle + 4, scene->species_count - MAX_LISTED_SPECIES);
    }
}

void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream)
{
    const double y = floor((scene->layout.bottom + PICTURE_FOOTER_TOP) * 10) / 10;
    if (picture_scene_has_list(scene))
        write_species(scene, y, stream);
    else if (scene->extras.paths)
        tag_write(stream,
                  "<text class='quiet' x='%d' y='%g'>colours tell the particles apart</text>\n",
                  PICTURE_MARGIN, y + 4);
    else
        write_speeds(scene, y, stream);
    if (scene->scale.arrow > 0)
        picture_legend_write_arrow(&scene->layout, scene->scale.arrow, "", y, stream);
}

enum {
    MAX_DESCRIBED = 500, /* particles that have a tooltip with their state */
    DOTS_OF_PATH = 20000 /* librsvg, for one, reads no attribute of 10^7 bytes */
};

/* True if an image of a disk is in a strip; one on a cut is in two. Finds its centre. */
static int find_disk(const struct picture_scene *scene, size_t number, unsigned image, size_t strip,
                     double centre[2])
{
    const double r = snapshot_body(scene->snapshot, number).radius;
    if (!picture_scene_image(scene, number, image, centre))
        return 0;
    return picture_layout_strip(&scene->layout, (double[2]){centre[0] - r, centre[1] - r}) <=
               strip &&
           picture_layout_strip(&scene->layout, (double[2]){centre[0] + r, centre[1] + r}) >= strip;
}

static void write_disk(const struct picture_scene *scene, size_t number, size_t strip,
                       const double point[2], FILE *stream)
{
    const struct particle_counts counts = snapshot_counts(scene->snapshot, number);
    double position[2], corner[2];
    picture_layout_corner(&scene->layout, strip, corner);
    if (scene->are_many) {
        fprintf(stream, "M%.0f %.0fh1", floor(100 * (point[0] - corner[0]) + 0.5),
                floor(100 * (point[1] - corner[1]) + 0.5));
        return;
    }
    snapshot_position(scene->snapshot, number, &position[0], &position[1]);
    svg_write_pixels(stream, "<circle cx=\"", point[0]);
    svg_write_pixels(stream, "\" cy=\"", point[1]);
    svg_write_pixels(stream, "\" r=\"", picture_scene_radius(scene, number) - scene->outline / 2);
    if (scene->count > MAX_DESCRIBED)
        fputs("\"/>\n", stream);
    else
        fprintf(stream,
                "\"><title>particle %zu: x %.6g, y %.6g, speed %.6g, %" PRIu64
                " wall collision%s, %" PRIu64 " particle collision%s</title></circle>\n",
                number, position[0], position[1], picture_speed(scene->snapshot, number, 0),
                counts.walls, picture_plural(counts.walls), counts.particles,
                picture_plural(counts.particles));
}

/* Writes the boxes of the strips and, if disks are cut, their clip paths. */
static void write_box(const struct picture_scene *scene, FILE *stream)
{
    const double *pixels = scene->layout.strip_pixels;
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        double corner[2], size[2];
        picture_layout_corner(&scene->layout, strip, corner);
        svg_write_rectangle("<rect class=\"box\"", corner, pixels, "", stream);
        if (!is_cut(scene))
            continue;
        for (int axis = 0; axis < 2; axis++) {
            const double spare = (PICTURE_STRIP_GAP - 1) / 2.0; /* for disks drawn larger */
            const double margin = is_cut_along(scene, axis) ? 0 : spare;
            corner[axis] -= margin;
            size[axis] = pixels[axis] + 2 * margin;
        }
        tag_write(stream, "<clipPath id='strip%zu'>", strip);
        svg_write_rectangle("<rect", corner, size, "</clipPath>", stream);
    }
}

void picture_drawing_write_sides(const struct picture_scene *scene, FILE *stream)
{
    const double *pixels = scene->layout.strip_pixels;
    const unsigned periodic = scene->box->periodic;
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        double corner[2];
        picture_layout_corner(&scene->layout, strip, corner);
        tag_write(stream,
                  "<path class='%s' d='M%.2f %.2fv%.2fm%.2f 0v%.2f'/>\n"
                  "<path class='%s' d='M%.2f %.2fh%.2fm0 %.2fh%.2f'/>\n",
                  periodic & PERIODIC_X ? "seam" : "wall", corner[0], corner[1], pixels[1],
                  pixels[0], -pixels[1], periodic & PERIODIC_Y ? "seam" : "wall", corner[0],
                  corner[1], pixels[0], pixels[1], -pixels[0]);
    }
}

/* Writes the attribute that clips what crosses the sides of a strip to it. */
static void put_clip(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    if (is_cut(scene))
        tag_write(stream, " clip-path='url(#strip%zu)'", strip);
}

static void write_strips(const struct picture_scene *scene,
                         void (*write)(const struct picture_scene *, size_t, FILE *), FILE *stream)
{
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        fputs("<g", stream);
        put_clip(scene, strip, stream);
        fputs(">\n", stream);
        write(scene, strip, stream);
        fputs("</g>\n", stream);
    }
}

/* Writes the joints in a strip; one across seams in the first 1000 images of the box on its way. */
static void write_joints(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    const double sides[2] = {scene->box->width, scene->box->height};
    struct dynamics_joint joint;
    tag_write(stream, "<path class='joint' d='");
    for (size_t k = 0; dynamics_find_joint(scene->extras.dynamics, k, &joint); k++) {
        if (scene->are_many && k % DOTS_OF_PATH == DOTS_OF_PATH - 1)
            fputs("\"/>\n<path class=\"joint\" d=\"", stream);
        double begin[2];
        snapshot_position(scene->snapshot, joint.a, &begin[0], &begin[1]);
        for (int crossed = 0; crossed < 1000 && !joint.is_broken; crossed++) {
            const double end[2] = {begin[0] + joint.way[0], begin[1] + joint.way[1]};
            double part[2]; /* of the way, after which it leaves this image along an axis */
            for (int n = 0; n < 2; n++)
                part[n] = fmin(((joint.way[n] < 0 ? 0 : sides[n]) - begin[n]) / joint.way[n],
                               (double)INFINITY); /* which a NaN becomes */
            const int axis = part[1] < part[0];
            picture_layout_write_line(&scene->layout, strip, begin, end, NULL, 0, stream);
            if (!(part[axis] < 1))
                break;
            begin[axis] -= joint.way[axis] > 0 ? sides[axis] : -sides[axis];
        }
    }
    fputs("\"/>\n", stream);
}

/* The rank of a disk in the order of drawing: its colour, of many disks its radius in hundredths
 * of a pixel, and its number, from the highest bits on. Disks with the same upper half are a group.
 */
static uint64_t order_key(const struct picture_scene *scene, size_t number)
{
    const double radius = scene->are_many ? picture_scene_radius(scene, number) : 0;
    return (uint64_t)picture_scene_colour_of(scene, number) << 56 |
           (uint64_t)floor(100 * radius + 0.5) << 32 | number;
}

static int compare_order_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Begins circles, or a path of dots: lines with round ends, of a hundredth of a pixel, for Qt draws
 * none of length 0. Returns what ends it. Outlines are larger dots below. Where both end in one
 * pixel, they show as if they were wider by 1/6 of it, so they are so faint that on a screen of two
 * pixels for one of the picture they look as outlines of circles do. */
static const char *begin_group(const struct picture_scene *scene, uint64_t key, size_t strip,
                               FILE *stream)
{
    const uint32_t colour = picture_scene_colour(scene, (size_t)(key >> 56)), id = (uint32_t)key;
    const double width = 2 * (double)(key >> 32 & 0xffffff), line = scene->outline;
    double corner[2];
    picture_layout_corner(&scene->layout, strip, corner);
    tag_write(stream, "<g %s='#%06" PRIx32 "'", scene->are_many ? "color" : "fill", colour);
    put_clip(scene, strip, stream);
    fputs(">\n", stream);
    if (!scene->are_many)
        return "</g>\n";
    if (line > 0)
        tag_write(stream,
                  "<use href='#dots%zu-%" PRIu32 "' stroke-width='%.0f' stroke-opacity='%.2f'/>",
                  strip, id, width, line / (line + 1.0 / 12));
    tag_write(stream,
              "<g stroke='currentColor' stroke-width='%.0f'><path id='dots%zu-%" PRIu32
              "' transform='translate(%.2f %.2f)scale(.01)' d='",
              width - 200 * line, strip, id, corner[0], corner[1]);
    return "\"/></g></g>\n";
}

/* Writes the disks that are small, or those that are not, in groups; paths begin anew. */
static void write_disks(const struct picture_scene *scene, const uint64_t *order, int are_small,
                        FILE *stream)
{
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        const char *end = "";
        for (size_t k = 0; k < PICTURE_IMAGES * scene->count; k++) {
            const uint64_t *key = &order[k / PICTURE_IMAGES];
            const size_t number = *key & UINT32_MAX;
            double centre[2];
            if (k > 0 && k % PICTURE_IMAGES == 0 &&
                (key[0] >> 32 != key[-1] >> 32 ||
                 (scene->are_many && k % (PICTURE_IMAGES * DOTS_OF_PATH) == 0))) {
                fputs(end, stream);
                end = "";
            }
            if (picture_scene_is_small(scene, number) != are_small ||
                !find_disk(scene, number, (unsigned)(k % PICTURE_IMAGES), strip, centre))
                continue;
            if (*end == '\0')
                end = begin_group(scene, *key, strip, stream);
            picture_layout_project(&scene->layout, strip, centre, centre);
            write_disk(scene, number, strip, centre, stream);
        }
        fputs(end, stream);
    }
}

/* Defines the arrows, one path for each strip, in the order of disks. */
static void write_velocity_arrows(const struct picture_scene *scene, const uint64_t *order,
                                  FILE *stream)
{
    tag_write(stream, "<defs><g id='arrows'>\n");
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        fputs("<path", stream);
        if (scene->layout.strips > 1)
            put_clip(scene, strip, stream);
        fputs(" d=\"", stream);
        for (size_t k = 0; k < scene->count; k++) {
            const size_t number = order[k] & UINT32_MAX;
            struct picture_arrow arrow;
            double centre[2];
            if (!find_disk(scene, number, 0, strip, centre) ||
                !picture_scene_arrow(scene, number, strip, &arrow))
                continue;
            svg_write_arrow(arrow.begin, arrow.direction, arrow.length, fmin(6, 0.4 * arrow.length),
                            stream);
            fputc('\n', stream);
        }
        fputs("\"/>\n", stream);
    }
    fputs("</g></defs>\n", stream);
}

/* Writes the disks, tracers above them, and the arrows. A halo makes arrows visible on dark disks.
 * Small disks are drawn above the halo, which would hide them. */
static void write_particles(const struct picture_scene *scene, const uint64_t *order, FILE *stream)
{
    const int has_arrows = scene->scale.arrow > 0;
    if (has_arrows)
        write_velocity_arrows(scene, order, stream);
    svg_write_pixels(stream, "<g class=\"disks\" stroke-width=\"", scene->outline);
    tag_write(stream, scene->are_many ? "' fill='none' stroke-linecap='round'>\n" : "'>\n");
    write_disks(scene, order, 0, stream);
    tag_write(stream, has_arrows ? "<use class='halo' href='#arrows'/>\n" : "");
    write_disks(scene, order, 1, stream);
    fputs("</g>\n", stream);
    for (size_t k = 0; k < count_tracers(scene); k++)
        if (snapshot_has(scene->snapshot, find_tracer(scene, k)))
            write_mark(scene, find_tracer(scene, k), "tracer",
                       fmax(TRACER_RADIUS, picture_scene_radius(scene, find_tracer(scene, k))),
                       stream);
    for (size_t k = 0; k < scene->count && scene->fixed > 0; k++)
        if (dynamics_is_fixed(scene->extras.dynamics, k))
            write_mark(scene, k, "pin", picture_scene_radius(scene, k) + PIN_GAP, stream);
    tag_write(stream, has_arrows ? "<use class='arrow' href='#arrows'/>\n" : "");
}

/* Writes the numbers of the particles, each with a halo, for arrows of others may cross it. */
static void write_labels(const struct picture_scene *scene, FILE *stream)
{
    for (size_t k = 0; k < scene->count && scene->are_labelled; k++) {
        double position[2], point[2];
        if (!snapshot_has(scene->snapshot, k))
            continue;
        const uint32_t colour =
            is_tracer(scene, k) ? tracer_colour
                                : picture_scene_colour(scene, picture_scene_colour_of(scene, k));
        const double luma = 0.299 * (colour >> 16) + 0.587 * (colour >> 8 & 0xff) +
                            0.114 * (colour & 0xff); /* ITU-R BT.601 */
        const double size = fmin(16, 1.1 * picture_scene_radius(scene, k));
        snapshot_position(scene->snapshot, k, &position[0], &position[1]);
        picture_layout_locate(&scene->layout, position, point);
        tag_write(stream,
                  "<text class='id %s' x='%.2f' y='%.2f' style='font-size:%.1fpx;"
                  "stroke:#%06" PRIx32 "'>%zu</text>\n",
                  luma > 128 ? "on-light" : "on-dark", point[0], point[1] + 0.35 * size, size,
                  colour, k);
    }
}

static void write_picture(const struct picture_scene *scene, const uint64_t *order, FILE *stream)
{
    const int is_periodic = scene->box->periodic != 0;
    const double width = scene->layout.width, height = picture_legend_bottom(scene);
    char title[PICTURE_TITLE_SIZE];
    picture_legend_title(scene, title);
    picture_drawing_begin(width, height, title, stream);
    fputs(picture_drawing_style, stream);
    fputs(is_periodic ? picture_drawing_sides_style : "", stream);
    picture_polygons_write_style(scene, stream);
    fputs(scene->box->stream.draw ? stream_style : "", stream);
    fputs(scene->joints + scene->fixed > 0 ? joints_style : "", stream);
    fputs(scene->extras.paths ? paths_style : "", stream);
    picture_drawing_write_card(width, height, title, stream);
    write_header(scene, stream);
    write_box(scene, stream);
    if (scene->box->polygons) {
        picture_polygons_write_outlines(scene, stream);
        write_strips(scene, picture_polygons_write_strip, stream);
    }
    if (scene->extras.paths)
        write_strips(scene, picture_paths_write_strip, stream);
    if (scene->joints > 0)
        write_strips(scene, write_joints, stream);
    write_particles(scene, order, stream);
    if (is_periodic) /* above the disks that seams cut */
        picture_drawing_write_sides(scene, stream);
    write_labels(scene, stream);
    if (scene->extras.paths)
        picture_paths_write_collisions(scene, stream);
    picture_boundary_write(scene, stream);
    picture_legend_write_footer(scene, stream);
    fputs("</svg>\n", stream);
}

enum status picture_drawing_write(const struct snapshot *snapshot,
                                  const struct picture_extras *extras, FILE *stream,
                                  struct error *error)
{
    struct picture_scene scene;
    uint64_t *order = NULL;
    enum status status = picture_scene_create(&scene, snapshot, extras, error);
    if (!status) {
        order = memory_allocate(scene.count, sizeof *order, "the colours of the picture", error);
        status = order ? STATUS_DONE : STATUS_NO_MEMORY;
    }
    if (!status) {
        for (size_t k = 0; k < scene.count; k++)
            order[k] = order_key(&scene, k);
        qsort(order, scene.count, sizeof *order, compare_order_keys);
        write_picture(&scene, order, stream);
    }
    memory_free(order);
    picture_scene_free(&scene);
    return status;
}
