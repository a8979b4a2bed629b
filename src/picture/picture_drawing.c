/*
 * The drawing of a picture as an SVG document.
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
#include "model/polygons.h"
#include "picture_paths.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Polygons. Outlines are defined once, and used in each strip and, across seams, for each image.
 * With a domain the box has the shade of what is outside; on that the domain is drawn in the colour
 * that boxes have otherwise, all of its polygons as one path, with its holes. Each obstacle is a
 * path of its own. Thin walls, which have no area, are lines of one path.
 *
 * The coordinates of a path are whole hundredths of a pixel, from the box's lower left corner, and
 * each vertex is given by the step from the one before. Vertices with the same coordinates are left
 * out: a polygon of 100 000 sides takes less than half a megabyte.
 */

static const char polygon_style[] =
    "<style>.outside{fill:#d7dbe0}.domain{fill:#f6f7f9;fill-rule:evenodd}.obstacle{fill:#a9afb8}\n"
    ".domain,.obstacle{stroke:#30343b;stroke-linejoin:round;stroke-linecap:round}\n"
    ".thin{stroke-width:200}\n"
    "@media(prefers-color-scheme:dark){.outside{fill:#3a3f47}.domain{fill:#1d2025}"
    ".obstacle{fill:#5a616c}.domain,.obstacle{stroke:#aab1bc}}</style>\n";

static const char outside_style[] =
    "<style>.box{fill:#d7dbe0}@media(prefers-color-scheme:dark){.box{fill:#3a3f47}}</style>\n";

/* How polygons are drawn. */
enum form { FORM_DOMAIN, FORM_OBSTACLE, FORM_THIN_WALL, FORMS };

static enum form form_of(const struct polygon *polygon)
{
    if (polygon->is_domain)
        return FORM_DOMAIN;
    return polygon->side_count == 2 ? FORM_THIN_WALL : FORM_OBSTACLE;
}

static const struct polygons *polygons_of(const struct picture_scene *scene)
{
    return scene->snapshot->system->boundary.polygons;
}

static size_t count_form(const struct polygons *polygons, enum form form)
{
    size_t count = 0;
    for (size_t k = 0; k < polygons->count; k++)
        count += form_of(&polygons->list[k]) == form;
    return count;
}

int picture_polygons_have_domain(const struct picture_scene *scene)
{
    return polygons_of(scene) && count_form(polygons_of(scene), FORM_DOMAIN) > 0;
}

void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (!polygons_of(scene))
        return;
    fputs(polygon_style, stream);
    if (picture_polygons_have_domain(scene))
        fputs(outside_style, stream);
}

/* A length in hundredths of a pixel. */
static int64_t find_hundredths(const struct picture_scene *scene, double length)
{
    return (int64_t)floor(100 * picture_layout_pixels(&scene->layout, length) + 0.5);
}

/* Writes what is between the quotes of a path: a polygon, closed unless it is a thin wall. */
static void write_outline(const struct picture_scene *scene, const struct polygon *polygon,
                          FILE *stream)
{
    const struct side *sides = polygons_of(scene)->sides + polygon->first_side;
    int64_t here[2] = {0, 0};
    int has_step = 0;
    for (size_t k = 0; k < polygon->side_count; k++) {
        const int64_t next[2] = {find_hundredths(scene, sides[k].corner_x),
                                 -find_hundredths(scene, sides[k].corner_y)};
        const int64_t step[2] = {next[0] - here[0], next[1] - here[1]};
        if (k > 0 && step[0] == 0 && step[1] == 0)
            continue;
        const char *separator = k == 0 ? "M" : has_step == 0 ? "l" : step[0] < 0 ? "" : " ";
        has_step = k > 0;
        fprintf(stream, "%s%" PRId64 "%s%" PRId64, separator, step[0], step[1] < 0 ? "" : " ",
                step[1]);
        here[0] = next[0];
        here[1] = next[1];
    }
    if (polygon->side_count > 2)
        fputc('z', stream);
}

/* Writes all polygons of a form as one path. */
static void write_together(const struct picture_scene *scene, enum form form,
                           const char *attributes, FILE *stream)
{
    const struct polygons *polygons = polygons_of(scene);
    if (count_form(polygons, form) == 0)
        return;
    fprintf(stream, "<path %sd=\"", attributes);
    for (size_t k = 0; k < polygons->count; k++)
        if (form_of(&polygons->list[k]) == form)
            write_outline(scene, &polygons->list[k], stream);
    fputs("\"/>\n", stream);
}

void picture_polygons_write_outlines(const struct picture_scene *scene, FILE *stream)
{
    const struct polygons *polygons = polygons_of(scene);
    fputs("<defs>\n", stream);
    write_together(scene, FORM_DOMAIN, "id=\"domain\" class=\"domain\" stroke-width=\"100\" ",
                   stream);
    fputs("<g id=\"obstacles\" class=\"obstacle\" stroke-width=\"100\">\n", stream);
    for (size_t k = 0; k < polygons->count; k++) {
        if (form_of(&polygons->list[k]) != FORM_OBSTACLE)
            continue;
        fputs("<path d=\"", stream);
        write_outline(scene, &polygons->list[k], stream);
        fputs("\"/>\n", stream);
    }
    write_together(scene, FORM_THIN_WALL, "class=\"thin\" ", stream);
    fputs("</g></defs>\n", stream);
}

/* Draws the definition with this name in a strip, moved by `shift`. */
static void write_use(const struct picture_scene *scene, const char *name, size_t strip,
                      const struct shift *shift, FILE *stream)
{
    double origin[2];
    picture_layout_project(&scene->layout, strip, shift->x, shift->y, origin);
    fprintf(stream, "<use href=\"#%s\" transform=\"translate(%.2f %.2f)scale(.01)\"/>\n", name,
            origin[0], origin[1]);
}

/* The smallest rectangle around all obstacles. */
struct obstacle_extent {
    double low[2], high[2]; /* x and y */
};

static struct obstacle_extent find_obstacle_extent(const struct polygons *polygons)
{
    struct obstacle_extent extent = {{(double)INFINITY, (double)INFINITY},
                                     {-(double)INFINITY, -(double)INFINITY}};
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k];
        if (polygons->list[side->polygon].is_domain)
            continue;
        extent.low[0] = fmin(extent.low[0], side->corner_x);
        extent.low[1] = fmin(extent.low[1], side->corner_y);
        extent.high[0] = fmax(extent.high[0], side->corner_x);
        extent.high[1] = fmax(extent.high[1], side->corner_y);
    }
    return extent;
}

/* True if an extent reaches into the box when it is moved by a shift. */
static int is_seen(const struct obstacle_extent *extent, const struct boundary *boundary,
                   const struct shift *shift)
{
    return extent->low[0] + shift->x <= boundary->width && extent->high[0] + shift->x >= 0 &&
           extent->low[1] + shift->y <= boundary->height && extent->high[1] + shift->y >= 0;
}

void picture_polygons_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    const struct boundary *boundary = &scene->snapshot->system->boundary;
    const int columns = (boundary->periodic & PERIODIC_X) != 0;
    const int rows = (boundary->periodic & PERIODIC_Y) != 0;
    const struct shift none = {0, 0};
    const struct obstacle_extent extent = find_obstacle_extent(boundary->polygons);
    if (picture_polygons_have_domain(scene))
        write_use(scene, "domain", strip, &none, stream);
    for (int row = -rows; row <= rows; row++) {
        for (int column = -columns; column <= columns; column++) {
            const struct shift shift = {column * boundary->width, row * boundary->height};
            if (is_seen(&extent, boundary, &shift))
                write_use(scene, "obstacles", strip, &shift, stream);
        }
    }
}

/* Writes a swatch, 18 pixels wide, and its meaning. */
static void write_entry(const struct picture_scene *scene, enum form form, int x, int y,
                        FILE *stream)
{
    const size_t count = count_form(polygons_of(scene), form);
    if (form == FORM_THIN_WALL)
        fprintf(stream, "<path class=\"obstacle\" stroke-width=\"2\" d=\"M%d %dh18\"/>", x, y - 4);
    else
        fprintf(stream, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"18\" height=\"11\"/>",
                form == FORM_DOMAIN ? "outside line" : "obstacle", x, y - 10);
    fprintf(stream, "<text class=\"quiet\" x=\"%d\" y=\"%d\">", x + 25, y);
    if (form == FORM_DOMAIN)
        fputs("outside the domain", stream);
    else
        fprintf(stream, "%zu %s%s", count, form == FORM_OBSTACLE ? "obstacle" : "thin wall",
                count == 1 ? "" : "s");
    fputs("</text>\n", stream);
}

void picture_polygons_write_key(const struct picture_scene *scene, int y, FILE *stream)
{
    enum { ENTRY_WIDTH = 170 };
    int x = PICTURE_MARGIN;
    if (!polygons_of(scene))
        return;
    for (enum form form = FORM_DOMAIN; form < FORMS; form++) {
        if (count_form(polygons_of(scene), form) == 0)
            continue;
        write_entry(scene, form, x, y, stream);
        x += ENTRY_WIDTH;
    }
}

/*
 * The text above the box, and the legend below it:
 *
 *     1000 particles at time 10             the header
 *     box 40 x 30 ...
 *     [the box]
 *     speed  ======== ...   --> 0.5         the footer: a bar of colours or a list of species,
 *                                           and an arrow for scale
 */

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
    return scene->scale.arrow > 0 ? width - ARROW_WIDTH : width;
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
    if (polygons_of(scene))
        y += PICTURE_HEADER_LINE;
    picture_paths_write_key(scene, y, stream);
}

static void write_header(const struct picture_scene *scene, FILE *stream)
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

void picture_legend_write_colours(const char *name, FILE *stream)
{
    fprintf(stream, "<linearGradient id=\"%s\">", name);
    for (int k = 0; k < PICTURE_COLOUR_STOPS; k++) {
        double position = k / (double)(PICTURE_COLOUR_STOPS - 1);
        struct colour c = picture_quantity_colour(position);
        fprintf(stream, "<stop offset=\"%.4f\" stop-color=\"#%02x%02x%02x\"/>", position, c.red,
                c.green, c.blue);
    }
    fputs("</linearGradient>\n", stream);
}

/* Writes the bar of colours, with round numbers below it. */
static void write_speeds(const struct picture_scene *scene, double y, FILE *stream)
{
    int left = PICTURE_MARGIN + LABEL_WIDTH;
    fprintf(stream, "<text x=\"%d\" y=\"%g\">speed</text>\n", PICTURE_MARGIN, y + 4);
    picture_legend_write_colours("speeds", stream);
    fprintf(stream,
            "<rect class=\"line\" fill=\"url(#speeds)\" x=\"%d\" y=\"%g\" "
            "width=\"%d\" height=\"%d\"/>\n",
            left, y - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT);
    if (scene->extras.scale) /* of frames, in which particles may become faster */
        fprintf(stream, "<text class=\"quiet\" x=\"%d\" y=\"%g\">and above</text>\n",
                left + BAR_WIDTH + 10, y + 4);
    double step = scene->scale.brightest > 0 ? picture_legend_round(scene->scale.brightest / 2) : 1;
    int last = scene->scale.brightest > 0 ? (int)(scene->scale.brightest / step) : 0;
    for (int k = 0; k <= last; k++) {
        double x = last > 0 ? left + k * step / scene->scale.brightest * BAR_WIDTH : left;
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
    double speed = picture_legend_round(scene->scale.arrow * MAX_SCALE);
    double length = speed / scene->scale.arrow;
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
    if (scene->scale.arrow > 0)
        write_arrow_scale(scene, y, stream);
}

/* The disks and the document. */

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

/* Writes what `write` draws in each strip, clipped to it. */
static void write_strips(const struct picture_scene *scene,
                         void (*write)(const struct picture_scene *, size_t, FILE *), FILE *stream)
{
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        fputs("<g", stream);
        if (is_cut(scene))
            put_clip(strip, stream);
        fputs(">\n", stream);
        write(scene, strip, stream);
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
    if (scene->scale.arrow > 0)
        write_velocity_arrows(scene, groups, stream);
    fputs("<g class=\"disks\" stroke-width=\"", stream);
    put_pixels(stream, scene->outline);
    fputs("\">\n", stream);
    write_disks(scene, groups, 0, stream);
    if (scene->scale.arrow > 0)
        fputs("<use class=\"halo\" href=\"#arrows\"/>\n", stream);
    write_disks(scene, groups, 1, stream);
    fputs("</g>\n", stream);
    picture_stream_write_tracers(scene, stream);
    if (scene->scale.arrow > 0)
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
    write_header(scene, stream);
    write_box(scene, stream);
    if (polygons_of(scene)) {
        picture_polygons_write_outlines(scene, stream);
        write_strips(scene, picture_polygons_write_strip, stream);
    }
    if (scene->extras.paths)
        write_strips(scene, picture_paths_write_strip, stream);
    write_particles(scene, groups, stream);
    if (is_periodic) /* above the disks that seams cut */
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
