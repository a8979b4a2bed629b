/*
 * The picture of fields; see field_picture.h.
 *
 * The file has, in this order: the style, as that of other pictures; the text above the box; the
 * map and the arrows, each defined once, from the lower left corner of the box; for each strip of
 * the box (picture_scene.h) the map, polygons and arrows; the sides of the box; and the legend. The
 * map is one path for each shade, in which cells side by side that have it are one rectangle, in
 * units of cells. Rectangles are drawn without anti-aliasing: with it, the colour behind the map
 * would shine through between them. Polygons have a rim, by which thin walls are seen on any
 * colour.
 */
#include "picture/field_picture.h"

#include "base/memory.h"
#include "model/polygons.h"
#include "picture_drawing.h"

#include <math.h>
#include <stdlib.h>

enum { SHADES = 64, NO_SHADE = SHADES };

/* In pixels. */
enum {
    ARROW_SPACING = 32, /* the least distance between the middles of two arrows */
    BAR_TOP = 30,       /* from the box to the middle of the bar */
    BAR_WIDTH = 200,
    BAR_HEIGHT = 12,
    LABEL_WIDTH = 112, /* of the words before the bar */
    FOOTER = 84        /* height of the legend, with its margin */
};

static const double MIN_RANGE = 0.2;      /* of values, as part of their middle */
static const double MAX_FLOW_ARROW = 0.8; /* as part of the distance between two */
static const double MIN_FLOW_ARROW = 1.5; /* in pixels; shorter ones are not drawn */

struct field_drawing {
    const struct field_map *map;
    struct picture_scene scene; /* only its snapshot and layout are used */
    double cell[2];             /* width and height of a cell, in pixels */
    double mean_density;        /* densities are drawn relative to it */
    double low, high;           /* the range of values that has colours */
    unsigned char *shades;      /* of each cell; owned */
    size_t block[2];            /* how many columns and rows of cells share an arrow */
    double arrow;               /* speed of an arrow of 1 pixel; 0: there are no arrows */
};

static const char field_style[] =
    "<style>\n"
    ".card{fill:#fff;stroke:#d9dce1}.box{fill:#f6f7f9}\n"
    "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24272c}\n"
    ".title{font-size:20px;font-weight:600}.quiet{fill:#626973}\n"
    ".number{text-anchor:middle;font-size:12px;fill:#626973}\n"
    ".line{fill:none;stroke:#30343b;stroke-width:.8}\n"
    ".arrow,.halo{fill:none;stroke:#14161a;stroke-width:1.3;stroke-linecap:round;"
    "stroke-linejoin:round}\n"
    ".halo{stroke:#fff;stroke-width:3;stroke-opacity:.6}\n"
    "@media(prefers-color-scheme:dark){\n"
    ".card{fill:#15171b;stroke:#353a42}.box{fill:#1d2025}\n"
    "text{fill:#e6e9ee}.quiet,.number{fill:#9aa2ae}.line,.scale{stroke:#c9ced8}}\n"
    "</style>\n";

/* Other pictures fill a domain; here the map does. Widths are in hundredths of a pixel. */
static const char field_polygon_style[] =
    "<style>.domain{fill:none;clip-rule:evenodd}\n"
    "#domain,#obstacles,#obstacles .thin{stroke:inherit;stroke-width:inherit}\n"
    ".rim{stroke:#fff;stroke-width:450}.edge{stroke:#14161a;stroke-width:170}</style>\n";

/* The field in colours: in the title, and beside the bar. */
static const struct {
    const char *title, *label;
} names[FIELDS_SHOWN] = {
    [SHOW_DENSITY] = {"Density", "density / mean"},      [SHOW_SPEED] = {"Speed", "speed"},
    [SHOW_TEMPERATURE] = {"Temperature", "temperature"}, [SHOW_PRESSURE] = {"Pressure", "pressure"},
    [SHOW_MACH] = {"Mach number", "Mach number"},
};

/* The value of a cell that a colour stands for; NAN: none. */
static double find_value(const struct field_drawing *drawing, size_t column, size_t row)
{
    const struct field_values cell = field_map_values(drawing->map, column, row);
    const struct body body = {.u = cell.u, .v = cell.v};
    switch (drawing->map->shown) {
    case SHOW_SPEED:
        return body_speed(&body);
    case SHOW_TEMPERATURE:
        return cell.is_scarce ? (double)NAN : cell.temperature;
    case SHOW_PRESSURE:
        return cell.pressure_ideal + cell.pressure_collisional;
    case SHOW_MACH:
        return cell.mach;
    default:
        return cell.density / drawing->mean_density;
    }
}

static int compare_values(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/*
 * Chooses the range of values that has colours. It leaves out a hundredth of the cells at either
 * end, and is at least so wide that noise does not have all colours.
 */
static enum status choose_range(struct field_drawing *drawing, struct error *error)
{
    const struct field_map *map = drawing->map;
    size_t count = 0;
    double *sorted = memory_allocate(map->columns * map->rows, sizeof *sorted,
                                     "the values of the picture", error);
    if (!sorted)
        return STATUS_NO_MEMORY;
    for (size_t row = 0; row < map->rows; row++) {
        for (size_t column = 0; column < map->columns; column++) {
            const double value = find_value(drawing, column, row);
            if (isfinite(value))
                sorted[count++] = value;
        }
    }
    qsort(sorted, count, sizeof *sorted, compare_values);
    drawing->low = count > 0 ? sorted[count / 100] : 0;
    drawing->high = count > 0 ? sorted[count - 1 - count / 100] : 0;
    memory_free(sorted);
    const double middle = drawing->low + (drawing->high - drawing->low) / 2;
    if (drawing->high - drawing->low < MIN_RANGE * middle) {
        drawing->low = middle * (1 - MIN_RANGE / 2);
        drawing->high = middle * (1 + MIN_RANGE / 2);
    }
    if (!(drawing->high > 0)) /* no value is known, or all are 0 */
        drawing->high = 1;
    return STATUS_DONE;
}

static enum status choose_shades(struct field_drawing *drawing, struct error *error)
{
    const struct field_map *map = drawing->map;
    const double range = drawing->high - drawing->low;
    drawing->shades = memory_allocate(map->columns * map->rows, sizeof *drawing->shades,
                                      "the shades of the picture", error);
    if (!drawing->shades)
        return STATUS_NO_MEMORY;
    for (size_t row = 0; row < map->rows; row++) {
        for (size_t column = 0; column < map->columns; column++) {
            const double value = find_value(drawing, column, row);
            const double centre = floor((value - drawing->low) / range * SHADES);
            const double shade = isfinite(value) ? fmin(fmax(centre, 0), SHADES - 1) : NO_SHADE;
            drawing->shades[row * map->columns + column] = (unsigned char)shade;
        }
    }
    return STATUS_DONE;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The mean flow in a block of cells. */
struct block_flow {
    double u, v;  /* the mean velocity, by mass */
    double speed; /* of that */
    double x, y;  /* the middle of the free area in which there are particles */
};

/* Finds the flow in the block that begins with a cell. Returns whether it has particles. */
static int find_block_flow(const struct field_drawing *drawing, size_t column, size_t row,
                           struct block_flow *flow)
{
    const struct field_map *map = drawing->map;
    const size_t last_column = min_size(column + drawing->block[0], map->columns);
    const size_t last_row = min_size(row + drawing->block[1], map->rows);
    double mass = 0;
    double area = 0;
    *flow = (struct block_flow){0};
    for (size_t j = row; j < last_row; j++) {
        for (size_t i = column; i < last_column; i++) {
            const struct field_values cell = field_map_values(map, i, j);
            const double part = cell.mass_density * cell.area;
            if (!(part > 0))
                continue;
            mass += part;
            area += cell.area;
            flow->u += part * cell.u;
            flow->v += part * cell.v;
            flow->x += cell.area * cell.x;
            flow->y += cell.area * cell.y;
        }
    }
    if (!(mass > 0))
        return 0;
    flow->u /= mass;
    flow->v /= mass;
    flow->x /= area;
    flow->y /= area;
    const struct body body = {.u = flow->u, .v = flow->v};
    flow->speed = body_speed(&body);
    return 1;
}

/* Chooses how many cells share an arrow, and the length of arrows. */
static void choose_arrows(struct field_drawing *drawing)
{
    const struct field_map *map = drawing->map;
    double fastest = 0;
    for (int axis = 0; axis < 2; axis++)
        drawing->block[axis] = (size_t)ceil(fmin(ARROW_SPACING / drawing->cell[axis],
                                                 axis ? (double)map->rows : (double)map->columns));
    for (size_t row = 0; row < map->rows; row += drawing->block[1]) {
        for (size_t column = 0; column < map->columns; column += drawing->block[0]) {
            struct block_flow flow;
            if (find_block_flow(drawing, column, row, &flow))
                fastest = fmax(fastest, flow.speed);
        }
    }
    const double room = fmin((double)drawing->block[0] * drawing->cell[0],
                             (double)drawing->block[1] * drawing->cell[1]);
    drawing->arrow = fastest / (MAX_FLOW_ARROW * fmin(room, 2 * ARROW_SPACING));
}

static enum status field_drawing_create(struct field_drawing *drawing, const struct field_map *map,
                                        struct error *error)
{
    const struct boundary *box = &map->snapshot->system->boundary;
    *drawing = (struct field_drawing){
        .map = map,
        .mean_density = field_map_mean_density(map),
        .scene = {.snapshot = map->snapshot,
                  .layout = picture_layout_choose(box->width, box->height)},
    };
    struct picture_layout *layout = &drawing->scene.layout;
    const int lines = (box->periodic != 0) + (box->stream.draw != NULL) + (box->polygons != NULL);
    layout->box_y += lines * PICTURE_HEADER_LINE;
    layout->bottom += lines * PICTURE_HEADER_LINE;
    drawing->cell[0] = picture_layout_pixels(layout, map->width);
    drawing->cell[1] = picture_layout_pixels(layout, map->height);
    choose_arrows(drawing);
    enum status status = choose_range(drawing, error);
    return status ? status : choose_shades(drawing, error);
}

/* At an instant, particles are added without their velocities: see fields.h. */
static const char *name_arrows(const struct field_map *map)
{
    return map->is_instant ? "" : " and mean velocity";
}

static void write_header(const struct field_drawing *drawing, FILE *stream)
{
    const struct field_map *map = drawing->map;
    const struct boundary *box = &map->snapshot->system->boundary;
    fprintf(stream,
            "<text class=\"title\" x=\"%d\" y=\"38\">%s%s</text>\n"
            "<text class=\"quiet\" x=\"%d\" y=\"62\">%zu particles, ",
            PICTURE_MARGIN, names[map->shown].title, name_arrows(map), PICTURE_MARGIN,
            map->snapshot->system->count);
    if (map->is_instant)
        fprintf(stream, "at time %.8g", map->snapshot->time);
    else
        fprintf(stream, "averaged from time %.8g to %.8g", map->from, map->snapshot->time);
    fprintf(stream, " · box %.6g × %.6g · %zu × %zu cells</text>\n", box->width, box->height,
            map->columns, map->rows);
    int y = picture_legend_write_box(&drawing->scene, 62 + PICTURE_HEADER_LINE, stream);
    if (box->stream.draw) {
        fprintf(
            stream,
            "<text class=\"quiet\" x=\"%d\" y=\"%d\">stream U = %.4g, T = %.4g, Mach %.4g (speed "
            "of sound √(2T/m), of a dilute gas)</text>\n",
            PICTURE_MARGIN, y, box->stream.speed, box->stream.temperature, field_map_mach(map));
        y += PICTURE_HEADER_LINE;
    }
    picture_polygons_write_key(&drawing->scene, y, stream);
}

/* Writes the cells of a shade as one path; nothing if no cell has it. */
static void write_shade(const struct field_drawing *drawing, unsigned char shade, FILE *stream)
{
    const struct field_map *map = drawing->map;
    const struct colour c = picture_quantity_colour((double)shade / (SHADES - 1));
    int is_begun = 0;
    for (size_t row = 0; row < map->rows; row++) {
        const unsigned char *shades = &drawing->shades[row * map->columns];
        for (size_t first = 0; first < map->columns; first++) {
            size_t end = first;
            while (end < map->columns && shades[end] == shade)
                end++;
            if (end == first)
                continue;
            if (!is_begun)
                fprintf(stream, "<path fill=\"#%02x%02x%02x\" d=\"", c.red, c.green, c.blue);
            is_begun = 1;
            fprintf(stream, "M%zu %zuH%zuv1H%zuz", first, row, end, first);
            first = end;
        }
    }
    if (is_begun)
        fputs("\"/>\n", stream);
}

/* Writes an arrow whose middle is at `centre`. Its head is two lines at 25 degrees. */
static void write_flow_arrow(const double centre[2], const double vector[2], double length,
                             FILE *stream)
{
    const double head = fmin(5, 0.4 * length);
    const double right = vector[0] / length;
    const double down = vector[1] / length;
    const double tip[2] = {centre[0] + vector[0] / 2, centre[1] + vector[1] / 2};
    const double one[2] = {head * (0.906 * right - 0.423 * down),
                           head * (0.906 * down + 0.423 * right)};
    const double other[2] = {head * (0.906 * right + 0.423 * down),
                             head * (0.906 * down - 0.423 * right)};
    fprintf(stream, "M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2fL%.2f %.2f", tip[0] - vector[0],
            tip[1] - vector[1], tip[0], tip[1], tip[0] - one[0], tip[1] - one[1], tip[0], tip[1],
            tip[0] - other[0], tip[1] - other[1]);
}

static void write_flow_arrows(const struct field_drawing *drawing, FILE *stream)
{
    const struct field_map *map = drawing->map;
    const size_t *block = drawing->block;
    fputs("<path id=\"arrows\" d=\"", stream);
    for (size_t row = 0; row < map->rows; row += block[1]) {
        for (size_t column = 0; column < map->columns; column += block[0]) {
            struct block_flow flow;
            if (!find_block_flow(drawing, column, row, &flow))
                continue;
            const double length = flow.speed / drawing->arrow;
            const double centre[2] = {flow.x / map->width * drawing->cell[0],
                                      -flow.y / map->height * drawing->cell[1]};
            const double vector[2] = {flow.u / drawing->arrow, -flow.v / drawing->arrow};
            if (length >= MIN_FLOW_ARROW)
                write_flow_arrow(centre, vector, length, stream);
        }
    }
    fputs("\"/>\n", stream);
}

/* Defines what is drawn in each strip. */
static void write_definitions(const struct field_drawing *drawing, FILE *stream)
{
    if (drawing->map->snapshot->system->boundary.polygons)
        picture_polygons_write_outlines(&drawing->scene, stream);
    fputs("<defs>\n", stream);
    if (picture_polygons_have_domain(&drawing->scene))
        fputs("<clipPath id=\"inside\"><use href=\"#domain\" transform=\"scale(.01)\"/>"
              "</clipPath>\n",
              stream);
    fprintf(stream,
            "<g id=\"map\"%s><g shape-rendering=\"crispEdges\" transform=\"scale(%.9g %.9g)\">\n",
            picture_polygons_have_domain(&drawing->scene) ? " clip-path=\"url(#inside)\"" : "",
            drawing->cell[0], -drawing->cell[1]);
    for (unsigned char shade = 0; shade < SHADES; shade++)
        write_shade(drawing, shade, stream);
    fputs("</g></g>\n", stream);
    if (drawing->arrow > 0)
        write_flow_arrows(drawing, stream);
    fputs("</defs>\n", stream);
}

/* Draws polygons in a strip: a rim, and on it their lines. */
static void write_polygon_layers(const struct field_drawing *drawing, size_t strip, FILE *stream)
{
    static const char *const layers[] = {"rim", "edge"};
    for (int layer = 0; layer < 2; layer++) {
        fprintf(stream, "<g class=\"%s\">\n", layers[layer]);
        picture_polygons_write_strip(&drawing->scene, strip, stream);
        fputs("</g>\n", stream);
    }
}

/* Draws what is defined in a strip of the box. */
static void write_strip(const struct field_drawing *drawing, size_t strip, FILE *stream)
{
    static const char *const layers[] = {"map", "arrows\" class=\"halo", "arrows\" class=\"arrow"};
    const struct picture_layout *layout = &drawing->scene.layout;
    const double *pixels = layout->strip_pixels;
    double corner[2];
    double origin[2];
    picture_layout_corner(layout, strip, corner);
    picture_layout_project(layout, strip, 0, 0, origin);
    fprintf(stream,
            "<clipPath id=\"strip%zu\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>"
            "</clipPath>\n<g clip-path=\"url(#strip%zu)\">\n"
            "<rect class=\"box\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
            strip, corner[0], corner[1], pixels[0], pixels[1], strip, corner[0], corner[1],
            pixels[0], pixels[1]);
    for (int layer = 0; layer < (drawing->arrow > 0 ? 3 : 1); layer++) {
        fprintf(stream, "<use href=\"#%s\" x=\"%.2f\" y=\"%.2f\"/>\n", layers[layer], origin[0],
                origin[1]);
        if (layer == 0 && drawing->map->snapshot->system->boundary.polygons)
            write_polygon_layers(drawing, strip, stream);
    }
    fputs("</g>\n", stream);
}

/* Writes the bar of colours, with round numbers below it. */
static void write_bar(const struct field_drawing *drawing, double y, FILE *stream)
{
    const double range = drawing->high - drawing->low;
    const double step = picture_legend_round(range / 3);
    const int left = PICTURE_MARGIN + LABEL_WIDTH;
    fprintf(stream, "<text x=\"%d\" y=\"%.1f\">%s</text>\n", PICTURE_MARGIN, y + 4,
            names[drawing->map->shown].label);
    if (drawing->map->shown == SHOW_DENSITY)
        fprintf(stream, "<text class=\"quiet\" x=\"%d\" y=\"%.1f\">mean %.4g</text>\n",
                PICTURE_MARGIN, y + 22, drawing->mean_density);
    if (drawing->map->shown == SHOW_MACH)
        fprintf(stream, "<text class=\"quiet\" x=\"%d\" y=\"%.1f\">c = √(2T/m)</text>\n",
                PICTURE_MARGIN, y + 22);
    picture_legend_write_colours("shades", stream);
    fprintf(stream,
            "<rect fill=\"url(#shades)\" x=\"%d\" y=\"%.1f\" width=\"%d\" "
            "height=\"%d\"/>\n",
            left, y - BAR_HEIGHT / 2, BAR_WIDTH, BAR_HEIGHT);
    for (double number = ceil(drawing->low / step); number * step <= drawing->high; number++) {
        const double x = left + (number * step - drawing->low) / range * BAR_WIDTH;
        fprintf(stream,
                "<path class=\"line\" d=\"M%.1f %.1fv4\"/>"
                "<text class=\"number\" x=\"%.1f\" y=\"%.1f\">%.6g</text>\n",
                x, y + BAR_HEIGHT / 2, x, y + BAR_HEIGHT / 2 + 17, number * step);
    }
}

/* Writes an arrow for scale, of a round speed. */
static void write_speed_scale(const struct field_drawing *drawing, double y, FILE *stream)
{
    enum { LONGEST = 90 };
    const double speed = picture_legend_round(drawing->arrow * LONGEST);
    const double length = speed / drawing->arrow;
    const double right = drawing->scene.layout.width - PICTURE_MARGIN;
    char text[40];
    const int width = 7 * snprintf(text, sizeof text, "speed %.4g", speed) + 12; /* about */
    fprintf(stream,
            "<text text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">%s</text>\n"
            "<path class=\"arrow scale\" d=\"M%.1f %.1fh%.1fm-5 -2.5l5 2.5l-5 2.5\"/>\n",
            right, y + 4, text, right - width - length, y, length);
}

static void write_field_picture(const struct field_drawing *drawing, FILE *stream)
{
    const struct picture_layout *layout = &drawing->scene.layout;
    const double height = ceil(layout->bottom + FOOTER);
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" role=\"img\">\n<title>%s%s</title>\n%s%s",
            layout->width, height, layout->width, height, names[drawing->map->shown].title,
            name_arrows(drawing->map), field_style, picture_drawing_sides_style);
    picture_polygons_write_style(&drawing->scene, stream);
    if (drawing->map->snapshot->system->boundary.polygons)
        fputs(field_polygon_style, stream);
    fprintf(stream,
            "<rect class=\"card\" x=\".5\" y=\".5\" width=\"%g\" height=\"%g\" rx=\"10\"/>\n",
            layout->width - 1, height - 1);
    write_header(drawing, stream);
    write_definitions(drawing, stream);
    for (size_t strip = 0; strip < layout->strips; strip++)
        write_strip(drawing, strip, stream);
    picture_drawing_write_sides(&drawing->scene, stream);
    write_bar(drawing, layout->bottom + BAR_TOP, stream);
    if (drawing->arrow > 0)
        write_speed_scale(drawing, layout->bottom + BAR_TOP, stream);
    fputs("</svg>\n", stream);
}

enum status field_picture_write(const struct field_map *map, FILE *stream, struct error *error)
{
    struct field_drawing drawing;
    enum status status = field_drawing_create(&drawing, map, error);
    if (!status)
        write_field_picture(&drawing, stream);
    memory_free(drawing.shades);
    return status;
}
