/* The picture of fields; see picture/picture.h. The map and the arrows are defined once, from the
 * lower left corner of the box, and used in each strip of the box. The map is one path for each
 * shade, in which cells side by side that have it are one rectangle, in units of cells. Rectangles
 * are drawn without anti-aliasing: with it, the colour behind the map would shine through between
 * them. Polygons have a rim, seen on any colour. */
#include "picture/picture.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "drawing.h"
#include "model/region.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    SHADES = 64,
    NO_SHADE = SHADES,
    /* In pixels: */
    ARROW_SPACING = 32, /* the least distance between the middles of two arrows */
    BAR_WIDTH = 180,
    LABEL_WIDTH = 112, /* of the words before the bar */
    FOOTER = 84        /* height of the legend, with its margin */
};

static const double MIN_RANGE = 0.2;      /* of values, relative to their middle */
static const double MAX_FLOW_ARROW = 0.8; /* relative to the distance between two */
static const double MIN_FLOW_ARROW = 1.5; /* in pixels; shorter ones are not drawn */

struct field_drawing {
    const struct field_map *map;
    struct picture_scene scene; /* see picture_scene_begin */
    double cell[2];             /* width and height of a cell, in pixels */
    double mean_density;        /* densities are drawn relative to it */
    double low, high;           /* the range of values that has colours */
    unsigned char *shades;      /* of each cell; owned */
    size_t block[2];            /* how many columns and rows of cells share an arrow */
    double arrow;               /* speed of an arrow of 1 pixel; 0: there are no arrows */
};

/* The field in colours: in the title, and beside the bar. */
static const struct {
    const char *title, *label;
} names[FIELDS_SHOWN] = {
    [SHOW_DENSITY] = {"Density", "density / mean"},      [SHOW_SPEED] = {"Speed", "speed"},
    [SHOW_TEMPERATURE] = {"Temperature", "temperature"}, [SHOW_PRESSURE] = {"Pressure", "pressure"},
    [SHOW_MACH] = {"Mach number", "Mach number"},
};

/* The value of a cell, counted row by row, that is shown as a colour; NAN: none. */
static double find_value(const struct field_drawing *drawing, size_t number)
{
    const size_t columns = drawing->map->columns;
    const struct field_values cell =
        field_map_values(drawing->map, number % columns, number / columns);
    const struct snapshot_particle body = {.u = cell.u, .v = cell.v};
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

/* Chooses the range of values that has colours, and the shade of each cell. The range leaves out a
 * hundredth of the cells at either end, and has a minimum: noise does not take all colours. */
static enum status choose_shades(struct field_drawing *drawing, struct error *error)
{
    const size_t cells = drawing->map->columns * drawing->map->rows;
    size_t count = 0;
    double *sorted = memory_allocate(cells, sizeof *sorted, "the values of the picture", error);
    drawing->shades =
        memory_allocate(cells, sizeof *drawing->shades, "the shades of the picture", error);
    if (!sorted || !drawing->shades) {
        memory_free(sorted);
        return STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < cells; k++) {
        sorted[count] = find_value(drawing, k);
        count += isfinite(sorted[count]) != 0;
    }
    qsort(sorted, count, sizeof *sorted, elementary_compare);
    double low = count > 0 ? sorted[count / 100] : 0;
    double high = count > 0 ? sorted[count - 1 - count / 100] : 0;
    memory_free(sorted);
    const double middle = low + (high - low) / 2;
    if (high - low < MIN_RANGE * middle) {
        low = middle * (1 - MIN_RANGE / 2);
        high = middle * (1 + MIN_RANGE / 2);
    }
    if (!(high > 0)) /* no value is known, or all are 0 */
        high = 1;
    for (size_t k = 0; k < cells; k++) {
        const double value = find_value(drawing, k);
        const double shade =
            fmin(fmax(floor((value - low) / (high - low) * SHADES), 0), SHADES - 1);
        drawing->shades[k] = (unsigned char)(isfinite(value) ? shade : NO_SHADE);
    }
    drawing->low = low;
    drawing->high = high;
    return STATUS_DONE;
}

/* Finds the flow in the next block of cells with particles, from block `*next` on: its mean
 * velocity, by mass, and the middle of its free area with particles. Returns 0 after the last. */
static int find_next_flow(const struct field_drawing *drawing, size_t *next,
                          struct snapshot_particle *flow)
{
    const struct field_map *map = drawing->map;
    const size_t *block = drawing->block;
    const size_t across = (map->columns - 1) / block[0] + 1;
    const size_t blocks = across * ((map->rows - 1) / block[1] + 1);
    double mass = 0, area = 0;
    for (; !(mass > 0) && *next < blocks; ++*next) {
        const size_t column = *next % across * block[0], row = *next / across * block[1];
        *flow = (struct snapshot_particle){0};
        for (size_t j = row; j < row + block[1] && j < map->rows; j++) {
            for (size_t i = column; i < column + block[0] && i < map->columns; i++) {
                const struct field_values cell = field_map_values(map, i, j);
                const double cell_mass = cell.mass_density * cell.area;
                if (!(cell_mass > 0))
                    continue;
                mass += cell_mass;
                area += cell.area;
                flow->u += cell_mass * cell.u;
                flow->v += cell_mass * cell.v;
                flow->x += cell.area * cell.x;
                flow->y += cell.area * cell.y;
            }
        }
    }
    flow->u /= mass;
    flow->v /= mass;
    flow->x /= area;
    flow->y /= area;
    return mass > 0;
}

static void choose_arrows(struct field_drawing *drawing)
{
    const struct field_map *map = drawing->map;
    struct snapshot_particle flow = {0};
    double fastest = 0;
    for (int axis = 0; axis < 2; axis++)
        drawing->block[axis] = (size_t)ceil(fmin(ARROW_SPACING / drawing->cell[axis],
                                                 axis ? (double)map->rows : (double)map->columns));
    for (size_t next = 0; find_next_flow(drawing, &next, &flow);)
        fastest = fmax(fastest, body_speed(&flow));
    const double room = fmin((double)drawing->block[0] * drawing->cell[0],
                             (double)drawing->block[1] * drawing->cell[1]);
    drawing->arrow = fastest / (MAX_FLOW_ARROW * fmin(room, 2 * ARROW_SPACING));
}

static void field_picture_write_header(const struct field_drawing *drawing, FILE *stream)
{
    const struct field_map *map = drawing->map;
    const struct boundary *box = drawing->scene.box;
    char when[80];
    if (map->is_instant)
        snprintf(when, sizeof when, "at time %.8g", map->snapshot->time);
    else
        snprintf(when, sizeof when, "averaged from time %.8g to %.8g", map->from,
                 map->snapshot->time);
    int y = picture_legend_write_line(62, stream,
                                      "%zu particle%s, %s · box %.6g × %.6g · %zu × %zu cells",
                                      drawing->scene.count, picture_plural(drawing->scene.count),
                                      when, box->width, box->height, map->columns, map->rows);
    y = picture_legend_write_box(&drawing->scene, y, stream);
    if (box->stream.draw)
        y = picture_legend_write_line(
            y, stream,
            "stream U = %.4g, T = %.4g, Mach %.4g (speed of sound √(2T/m), of a dilute gas)",
            box->stream.speed, box->stream.temperature, field_map_mach(map));
    picture_polygons_write_key(&drawing->scene, y, stream);
}

static void write_shade(const struct field_drawing *drawing, unsigned char shade, FILE *stream)
{
    const struct field_map *map = drawing->map;
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
                tag_write(stream, "<path fill='#%06" PRIx32 "' d='",
                          picture_quantity_colour((double)shade / (SHADES - 1)));
            is_begun = 1;
            fprintf(stream, "M%zu %zuH%zuv1H%zuz", first, row, end, first);
            first = end;
        }
    }
    if (is_begun)
        fputs("\"/>\n", stream);
}

static void write_flow_arrows(const struct field_drawing *drawing, FILE *stream)
{
    const struct field_map *map = drawing->map;
    struct snapshot_particle flow = {0};
    tag_write(stream, "<path id='arrows' d='");
    for (size_t next = 0; find_next_flow(drawing, &next, &flow);) {
        const double length = body_speed(&flow) / drawing->arrow;
        if (length < MIN_FLOW_ARROW)
            continue;
        const double centre[2] = {flow.x / map->width * drawing->cell[0],
                                  -flow.y / map->height * drawing->cell[1]};
        const double vector[2] = {flow.u / drawing->arrow, -flow.v / drawing->arrow};
        const double direction[2] = {vector[0] / length, vector[1] / length};
        const double begin[2] = {centre[0] - vector[0] / 2, centre[1] - vector[1] / 2};
        svg_write_arrow(begin, direction, length, fmin(5, 0.4 * length), stream);
    }
    fputs("\"/>\n", stream);
}

static void write_definitions(const struct field_drawing *drawing, FILE *stream)
{
    if (drawing->scene.box->polygons)
        picture_polygons_write_outlines(&drawing->scene, stream);
    fputs("<defs>\n", stream);
    const int has_domain = polygons_have_domain(drawing->scene.box->polygons);
    if (has_domain)
        tag_write(stream, "<clipPath id='inside'><use href='#domain' transform='scale(.01)'/>"
                          "</clipPath>\n");
    tag_write(stream,
              "<g id='map'%s><g shape-rendering='crispEdges' transform='scale(%.9g %.9g)'>\n",
              has_domain ? " clip-path=\"url(#inside)\"" : "", drawing->cell[0], -drawing->cell[1]);
    for (unsigned char shade = 0; shade < SHADES; shade++)
        write_shade(drawing, shade, stream);
    fputs("</g></g>\n", stream);
    if (drawing->arrow > 0)
        write_flow_arrows(drawing, stream);
    fputs("</defs>\n", stream);
}

/* Uses that drawing in a strip of the box; on the map, polygons are a rim, and on it lines. */
static void write_strip(const struct field_drawing *drawing, size_t strip, FILE *stream)
{
    static const char *const polygon_layers[] = {"rim", "edge"};
    static const char *const layers[] = {"map", "arrows\" class=\"halo",
                                         "arrows\" class=\"arrow on-map"};
    const struct polygons *polygons = drawing->scene.box->polygons;
    const struct picture_layout *layout = &drawing->scene.layout;
    const double *pixels = layout->strip_pixels;
    double corner[2], origin[2];
    picture_layout_corner(layout, strip, corner);
    picture_layout_project(layout, strip, (const double[2]){0, 0}, origin);
    tag_write(stream, "<clipPath id='strip%zu'>", strip);
    svg_write_rectangle("<rect", corner, pixels, "</clipPath>", stream);
    tag_write(stream, "<g clip-path='url(#strip%zu)'>\n", strip);
    svg_write_rectangle("<rect class=\"box\"", corner, pixels, "", stream);
    for (int layer = 0; layer < (drawing->arrow > 0 ? 3 : 1); layer++) {
        tag_write(stream, "<use href='#%s' x='%.2f' y='%.2f'/>\n", layers[layer], origin[0],
                  origin[1]);
        for (int k = 0; k < 2 && layer == 0 && polygons; k++) {
            tag_write(stream, "<g class='%s'>\n", polygon_layers[k]);
            picture_polygons_write_strip(&drawing->scene, strip, stream);
            fputs("</g>\n", stream);
        }
    }
    fputs("</g>\n", stream);
}

static void write_legend(const struct field_drawing *drawing, double y, FILE *stream)
{
    const enum field_shown shown = drawing->map->shown;
    const struct picture_bar bar = {names[shown].label, "shades",     LABEL_WIDTH, BAR_WIDTH, 3,
                                    drawing->low,       drawing->high};
    picture_legend_write_bar(&bar, y, stream);
    if (shown == SHOW_DENSITY)
        tag_write(stream, "<text class='quiet' x='%d' y='%g'>mean %.4g</text>\n", PICTURE_MARGIN,
                  y + 22, drawing->mean_density);
    if (shown == SHOW_MACH)
        tag_write(stream, "<text class='quiet' x='%d' y='%g'>c = √(2T/m)</text>\n", PICTURE_MARGIN,
                  y + 22);
    if (drawing->arrow > 0)
        picture_legend_write_arrow(&drawing->scene.layout, drawing->arrow, "speed ", y, stream);
}

static void write_field_picture(const struct field_drawing *drawing, FILE *stream)
{
    const struct picture_layout *layout = &drawing->scene.layout;
    const double height = ceil(layout->bottom + FOOTER);
    char title[80];
    snprintf(title, sizeof title, "%s%s", names[drawing->map->shown].title,
             drawing->map->is_instant ? "" : " and mean velocity"); /* see fields.h */
    picture_drawing_begin(layout->width, height, title, stream);
    /* On the map arrows are dark on a light halo, whatever the theme. */
    fprintf(stream, "%s%s%s", picture_drawing_style, field_style, picture_drawing_sides_style);
    picture_polygons_write_style(&drawing->scene, stream);
    /* Other pictures fill a domain; here the map does. Widths are in hundredths of a pixel. */
    if (drawing->scene.box->polygons)
        fputs(field_polygons_style, stream);
    picture_drawing_write_card(layout->width, height, title, stream);
    field_picture_write_header(drawing, stream);
    write_definitions(drawing, stream);
    for (size_t strip = 0; strip < layout->strips; strip++)
        write_strip(drawing, strip, stream);
    picture_drawing_write_sides(&drawing->scene, stream);
    write_legend(drawing, layout->bottom + PICTURE_FOOTER_TOP, stream);
    fputs("</svg>\n", stream);
}

enum status field_picture_write(const struct field_map *map, FILE *stream, struct error *error)
{
    const struct system *system = map->snapshot->system;
    struct field_drawing drawing = {
        .map = map,
        .mean_density = (double)system->count / reach_area(&system->boundary),
        .scene = picture_scene_begin(map->snapshot, system->boundary.stream.draw != NULL),
    };
    drawing.cell[0] = picture_layout_pixels(&drawing.scene.layout, map->width);
    drawing.cell[1] = picture_layout_pixels(&drawing.scene.layout, map->height);
    choose_arrows(&drawing);
    const enum status status = choose_shades(&drawing, error);
    if (!status)
        write_field_picture(&drawing, stream);
    memory_free(drawing.shades);
    return status;
}
