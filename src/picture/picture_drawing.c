/*
 * The drawing of a picture; see picture_drawing.h.
 *
 * The file has, in this order: the style, light or dark as the viewer's system; the text above the
 * box; the box or its strips, and the polygons in them; paths; the disks, in groups of one strip
 * and colour, so that a disk takes only 40 bytes, the tracers of a stream, and the arrows; the
 * sides of a periodic box; the numbers; the forces of a stream; and the legend. A disk across a
 * seam is drawn on both sides and cut there; its number and its arrow are drawn once, and are not
 * cut. No text in it comes from the user, so nothing has to be escaped.
 *
 * Coordinates have two decimals, and are computed with nothing but + - * / and square roots, so
 * that the same state gives the same file everywhere.
 */
#include "picture_drawing.h"

#include "base/memory.h"
#include "io/number.h"
#include "picture_legend.h"
#include "picture_paths.h"
#include "picture_polygons.h"
#include "picture_stream.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A particle, or an image of one across a seam. */
struct drawn_disk {
    uint32_t number;
    uint32_t image; /* see picture_scene_image */
};

/*
 * The disks to draw, sorted by strip and then by colour; one on a cut is in two strips. The disks
 * of group g are order[ends[g - 1]] to order[ends[g] - 1], as in a counting sort.
 */
struct disk_order {
    size_t count;
    size_t ends[PICTURE_MAX_STRIPS * PICTURE_SHADES];
    struct drawn_disk *order; /* owned */
};

enum { MAX_DESCRIBED = 500 }; /* particles that have a tooltip with their state */

static const char svg_beginning[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";

static const char drawing_style[] =
    "<style>\n"
    ".card{fill:#fff;stroke:#d9dce1}.box{fill:#f6f7f9;stroke:#30343b}\n"
    "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24272c;paint-order:stroke;"
    "stroke:#fff;stroke-width:4px;stroke-linejoin:round}\n"
    ".title{font-size:20px;font-weight:600}.quiet{fill:#626973}\n"
    ".number{text-anchor:middle;font-size:12px;fill:#626973}\n"
    ".disks{stroke:#14161a}.line{stroke:#30343b;stroke-width:.8}\n"
    ".arrow,.halo{fill:none;stroke:#14161a;stroke-width:1.3;stroke-linecap:round;"
    "stroke-linejoin:round}\n"
    ".halo{stroke:#fff;stroke-width:3;stroke-opacity:.75}\n"
    ".id{text-anchor:middle;font-weight:600;stroke-width:3px}\n"
    ".on-dark{fill:#fff}.on-light{fill:#14161a}\n"
    "@media(prefers-color-scheme:dark){\n"
    ".card{fill:#15171b;stroke:#353a42}.box{fill:#1d2025;stroke:#aab1bc}\n"
    "text{fill:#e6e9ee;stroke:#15171b}.quiet,.number{fill:#9aa2ae}.disks,.line{stroke:#c9ced8}\n"
    ".arrow{stroke:#fff}.halo{stroke:#0a0b0d}}\n"
    "</style>\n";

const char picture_drawing_sides_style[] =
    "<style>.box{stroke:none}.wall{stroke:#30343b}.seam{stroke:#626973;stroke-dasharray:5 4}\n"
    "@media(prefers-color-scheme:dark){.wall{stroke:#aab1bc}.seam{stroke:#9aa2ae}}</style>\n";

/* Writes a number of pixels. */
static void put_pixels(FILE *stream, double value)
{
    static const struct decimals hundredths = {.places = 2, .scale = 100};
    char text[NUMBER_SHORTEST_SIZE];
    number_write_decimal(text, &hundredths, number_round(&hundredths, value));
    fputs(text, stream);
}

/* Finds the first and the last strip that a disk touches, one or two. Returns whether it is in the
 * box at all. */
static int find_strips(const struct picture_scene *scene, struct drawn_disk disk, size_t strips[2])
{
    double centre[2];
    if (!picture_scene_image(scene, disk.number, disk.image, centre))
        return 0;
    double radius = snapshot_body(scene->snapshot, disk.number).radius;
    strips[0] = picture_layout_strip(&scene->layout, centre[0] - radius, centre[1] - radius);
    strips[1] = picture_layout_strip(&scene->layout, centre[0] + radius, centre[1] + radius);
    return 1;
}

static void write_disk(const struct picture_scene *scene, struct drawn_disk disk, size_t strip,
                       FILE *stream)
{
    const struct body body = snapshot_body(scene->snapshot, disk.number);
    const struct counts counts = snapshot_counts(scene->snapshot, disk.number);
    double x;
    double y;
    double centre[2];
    double point[2];
    snapshot_position(scene->snapshot, disk.number, &x, &y);
    picture_scene_image(scene, disk.number, disk.image, centre);
    picture_layout_project(&scene->layout, strip, centre[0], centre[1], point);
    fputs("<circle cx=\"", stream);
    put_pixels(stream, point[0]);
    fputs("\" cy=\"", stream);
    put_pixels(stream, point[1]);
    fputs("\" r=\"", stream);
    put_pixels(stream, picture_scene_radius(scene, &body) - scene->outline / 2);
    if (scene->snapshot->system->count > MAX_DESCRIBED)
        fputs("\"/>\n", stream);
    else
        fprintf(stream,
                "\"><title>particle %" PRIu32 ": x %.6g, y %.6g, speed %.6g, %" PRIu64
                " wall collisions, %" PRIu64 " particle collisions</title></circle>\n",
                disk.number, x, y, body_speed(&body), counts.walls, counts.particles);
}

/* Counts a disk in its groups or, if `order` is allocated, enters it into them. */
static void count_disk(const struct picture_scene *scene, struct drawn_disk disk,
                       struct disk_order *groups)
{
    size_t strips[2];
    if (!find_strips(scene, disk, strips))
        return;
    const struct body body = snapshot_body(scene->snapshot, disk.number);
    size_t colour = picture_scene_colour_of(scene, &body);
    for (size_t strip = strips[0]; strip <= strips[1]; strip++) {
        size_t group = strip * picture_scene_colour_count(scene) + colour;
        if (groups->order)
            groups->order[--groups->ends[group]] = disk;
        else
            groups->ends[group]++;
    }
}

static void count_disks(const struct picture_scene *scene, struct disk_order *groups)
{
    for (size_t k = scene->snapshot->system->count; k-- > 0;)
        for (uint32_t image = PICTURE_IMAGES; image-- > 0;)
            count_disk(scene, (struct drawn_disk){(uint32_t)k, image}, groups);
}

static enum status order_disks(const struct picture_scene *scene, struct disk_order *groups,
                               struct error *error)
{
    groups->count = scene->layout.strips * picture_scene_colour_count(scene);
    count_disks(scene, groups);
    size_t sum = 0;
    for (size_t group = 0; group < groups->count; group++) {
        sum += groups->ends[group];
        groups->ends[group] = sum;
    }
    groups->order = memory_allocate(sum, sizeof *groups->order, "the disks of the picture", error);
    if (!groups->order)
        return STATUS_NO_MEMORY;
    count_disks(scene, groups); /* moves the end of each group to its beginning, which is the end of
                                   the group before */
    for (size_t group = 0; group + 1 < groups->count; group++)
        groups->ends[group] = groups->ends[group + 1];
    groups->ends[groups->count - 1] = sum;
    return STATUS_DONE;
}

/* True if disks are cut at the ends of a strip along an axis, because the box continues there. */
static int is_cut_along(const struct picture_scene *scene, int axis)
{
    const struct picture_layout *layout = &scene->layout;
    return (layout->strips > 1 && axis == layout->is_tall) ||
           (scene->snapshot->system->boundary.periodic & 1u << axis) != 0;
}

static int is_cut(const struct picture_scene *scene)
{
    return is_cut_along(scene, 0) || is_cut_along(scene, 1);
}

/* Writes the boxes of the strips and, if disks are cut, what clips them. */
static void write_box(const struct picture_scene *scene, FILE *stream)
{
    const struct picture_layout *layout = &scene->layout;
    for (size_t strip = 0; strip < layout->strips; strip++) {
        double corner[2];
        picture_layout_corner(layout, strip, corner);
        fprintf(stream,
                "<rect class=\"box\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                corner[0], corner[1], layout->strip_pixels[0], layout->strip_pixels[1]);
        if (!is_cut(scene))
            continue;
        double spare = (PICTURE_STRIP_GAP - 1) / 2.0; /* for disks that are drawn larger */
        double margins[2] = {is_cut_along(scene, 0) ? 0 : spare,
                             is_cut_along(scene, 1) ? 0 : spare};
        fprintf(stream,
                "<clipPath id=\"strip%zu\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                "height=\"%.2f\"/></clipPath>\n",
                strip, corner[0] - margins[0], corner[1] - margins[1],
                layout->strip_pixels[0] + 2 * margins[0], layout->strip_pixels[1] + 2 * margins[1]);
    }
}

void picture_drawing_write_sides(const struct picture_scene *scene, FILE *stream)
{
    const double *pixels = scene->layout.strip_pixels;
    const unsigned periodic = scene->snapshot->system->boundary.periodic;
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        double corner[2];
        picture_layout_corner(&scene->layout, strip, corner);
        fprintf(stream,
                "<path class=\"%s\" d=\"M%.2f %.2fv%.2fm%.2f 0v%.2f\"/>\n"
                "<path class=\"%s\" d=\"M%.2f %.2fh%.2fm0 %.2fh%.2f\"/>\n",
                periodic & PERIODIC_X ? "seam" : "wall", corner[0], corner[1], pixels[1], pixels[0],
                -pixels[1], periodic & PERIODIC_Y ? "seam" : "wall", corner[0], corner[1],
                pixels[0], pixels[1], -pixels[0]);
    }
}

/* Writes the attribute that clips an element to its strip. */
static void put_clip(size_t strip, FILE *stream)
{
    fprintf(stream, " clip-path=\"url(#strip%zu)\"", strip);
}

/* Writes the polygons in all strips. */
static void write_all_polygons(const struct picture_scene *scene, FILE *stream)
{
    if (!scene->snapshot->system->boundary.polygons)
        return;
    picture_polygons_write_outlines(scene, stream);
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        fputs("<g", stream);
        if (is_cut(scene))
            put_clip(strip, stream);
        fputs(">\n", stream);
        picture_polygons_write_strip(scene, strip, stream);
        fputs("</g>\n", stream);
    }
}

/* Writes the paths in all strips. */
static void write_paths(const struct picture_scene *scene, FILE *stream)
{
    for (size_t strip = 0; strip < scene->layout.strips && scene->extras.paths; strip++) {
        fputs("<g", stream);
        if (is_cut(scene))
            put_clip(strip, stream);
        fputs(">\n", stream);
        picture_paths_write_strip(scene, strip, stream);
        fputs("</g>\n", stream);
    }
}

/* Writes the disks that are small, or those that are not. */
static void write_disks(const struct picture_scene *scene, const struct disk_order *groups,
                        int are_small, FILE *stream)
{
    size_t colours = picture_scene_colour_count(scene);
    size_t next = 0;
    for (size_t group = 0; group < groups->count; group++) {
        size_t written = 0;
        for (; next < groups->ends[group]; next++) {
            const struct body body = snapshot_body(scene->snapshot, groups->order[next].number);
            if (picture_scene_is_small(scene, &body) != are_small)
                continue;
            if (written++ == 0) {
                struct colour c = picture_scene_colour(scene, group % colours);
                fprintf(stream, "<g fill=\"#%02x%02x%02x\"", c.red, c.green, c.blue);
                if (is_cut(scene))
                    put_clip(group / colours, stream);
                fputs(">\n", stream);
            }
            write_disk(scene, groups->order[next], group / colours, stream);
        }
        if (written > 0)
            fputs("</g>\n", stream);
    }
}

/* Writes a point, "x y", after a command of an SVG path. */
static void put_point(FILE *stream, char letter, double x, double y)
{
    fputc(letter, stream);
    put_pixels(stream, x);
    fputc(' ', stream);
    put_pixels(stream, y);
}

/* Writes an arrow. The head is two lines at 25 degrees. */
static void write_velocity_arrow(const struct picture_arrow *arrow, FILE *stream)
{
    static const double cosine = 0.906;
    static const double sine = 0.423;
    double right = arrow->direction[0];
    double down = arrow->direction[1];
    double tip_x = arrow->begin[0] + arrow->length * right;
    double tip_y = arrow->begin[1] + arrow->length * down;
    double head = fmin(6, 0.4 * arrow->length);
    put_point(stream, 'M', arrow->begin[0], arrow->begin[1]);
    put_point(stream, 'L', tip_x, tip_y);
    put_point(stream, 'M', tip_x - head * (cosine * right - sine * down),
              tip_y - head * (cosine * down + sine * right));
    put_point(stream, 'L', tip_x, tip_y);
    put_point(stream, 'L', tip_x - head * (cosine * right + sine * down),
              tip_y - head * (cosine * down - sine * right));
    fputc('\n', stream);
}

/* Defines the arrows, one path for each strip. */
static void write_velocity_arrows(const struct picture_scene *scene,
                                  const struct disk_order *groups, FILE *stream)
{
    size_t colours = picture_scene_colour_count(scene);
    size_t next = 0;
    fputs("<defs><g id=\"arrows\">\n", stream);
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        fputs("<path", stream);
        if (scene->layout.strips > 1)
            put_clip(strip, stream);
        fputs(" d=\"", stream);
        for (; next < groups->ends[(strip + 1) * colours - 1]; next++) {
            const struct drawn_disk disk = groups->order[next];
            struct picture_arrow arrow;
            if (disk.image == 0 && picture_scene_arrow(scene, disk.number, strip, &arrow))
                write_velocity_arrow(&arrow, stream);
        }
        fputs("\"/>\n", stream);
    }
    fputs("</g></defs>\n", stream);
}

/*
 * Writes the disks, tracers above them, and the arrows. A halo makes arrows visible on dark disks.
 * Small disks are drawn above the halo, which would hide them.
 */
static void write_particles(const struct picture_scene *scene, const struct disk_order *groups,
                            FILE *stream)
{
    if (scene->arrow > 0)
        write_velocity_arrows(scene, groups, stream);
    fputs("<g class=\"disks\" stroke-width=\"", stream);
    put_pixels(stream, scene->outline);
    fputs("\">\n", stream);
    write_disks(scene, groups, 0, stream);
    if (scene->arrow > 0)
        fputs("<use class=\"halo\" href=\"#arrows\"/>\n", stream);
    write_disks(scene, groups, 1, stream);
    fputs("</g>\n", stream);
    picture_stream_write_tracers(scene, stream);
    if (scene->arrow > 0)
        fputs("<use class=\"arrow\" href=\"#arrows\"/>\n", stream);
}

/* True if black text is easier to read on a colour than white text: by its luma (ITU-R BT.601). */
static int is_light(struct colour colour)
{
    return 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue > 128;
}

/*
 * Writes the numbers of the particles, each with a halo of the colour of its disk, because arrows
 * of other particles may cross it.
 */
static void write_labels(const struct picture_scene *scene, FILE *stream)
{
    for (size_t k = 0; k < scene->snapshot->system->count && scene->are_labelled; k++) {
        double x;
        double y;
        double point[2];
        const struct body body = snapshot_body(scene->snapshot, k);
        struct colour colour =
            picture_stream_is_tracer(scene, k)
                ? picture_stream_tracer_colour
                : picture_scene_colour(scene, picture_scene_colour_of(scene, &body));
        double size = fmin(16, 1.1 * picture_scene_radius(scene, &body));
        snapshot_position(scene->snapshot, k, &x, &y);
        picture_layout_project(&scene->layout, picture_layout_strip(&scene->layout, x, y), x, y,
                               point);
        fprintf(stream,
                "<text class=\"id %s\" x=\"%.2f\" y=\"%.2f\" style=\"font-size:%.1fpx;"
                "stroke:#%02x%02x%02x\">%zu</text>\n",
                is_light(colour) ? "on-light" : "on-dark", point[0], point[1] + 0.35 * size, size,
                colour.red, colour.green, colour.blue, k);
    }
}

static void write_picture(const struct picture_scene *scene, const struct disk_order *groups,
                          FILE *stream)
{
    const int is_periodic = scene->snapshot->system->boundary.periodic != 0;
    double width = scene->layout.width;
    double height = picture_legend_bottom(scene);
    char title[PICTURE_TITLE_SIZE];
    picture_legend_title(scene, title);
    fputs(svg_beginning, stream);
    fprintf(stream,
            "xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" role=\"img\">\n<title>%s</title>\n%s%s",
            width, height, width, height, title, drawing_style,
            is_periodic ? picture_drawing_sides_style : "");
    picture_polygons_write_style(scene, stream);
    picture_stream_write_style(scene, stream);
    picture_paths_write_style(scene, stream);
    fprintf(stream,
            "<rect class=\"card\" x=\".5\" y=\".5\" width=\"%g\" height=\"%g\" rx=\"10\"/>\n",
            width - 1, height - 1);
    picture_legend_write_header(scene, stream);
    write_box(scene, stream);
    write_all_polygons(scene, stream);
    write_paths(scene, stream);
    write_particles(scene, groups, stream);
    if (scene->snapshot->system->boundary.periodic) /* above the disks that seams cut */
        picture_drawing_write_sides(scene, stream);
    write_labels(scene, stream);
    picture_paths_write_collisions(scene, stream);
    picture_stream_write_arrows(scene, stream);
    picture_legend_write_footer(scene, stream);
    fputs("</svg>\n", stream);
}

enum status picture_drawing_write(const struct picture_scene *scene, FILE *stream,
                                  struct error *error)
{
    struct disk_order *groups =
        memory_allocate(1, sizeof *groups, "the disks of the picture", error);
    if (!groups)
        return STATUS_NO_MEMORY;
    *groups = (struct disk_order){0};
    enum status status = order_disks(scene, groups, error);
    if (!status)
        write_picture(scene, groups, stream);
    memory_free(groups->order);
    memory_free(groups);
    return status;
}

int picture_drawing_recognise(const char *name)
{
    enum { LENGTH = sizeof svg_beginning - 1 };
    char text[LENGTH];
    FILE *stream = fopen(name, "r");
    const size_t length = stream ? fread(text, 1, LENGTH, stream) : 0;
    if (stream)
        fclose(stream);
    return length == LENGTH && memcmp(text, svg_beginning, LENGTH) == 0;
}
