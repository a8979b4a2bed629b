/*
 * The stream of a picture: its direction, tracers, and the forces on obstacles.
 *
 * The force on an obstacle is the momentum that it has gained, divided by the time. The largest one
 * is drawn LONGEST_FORCE pixels long, or shorter, so that the arrows of neighbours hardly touch; if
 * they were too short to show directions, there are none. The header has an arrow for scale, of a
 * round force.
 */
#include "model/polygons.h"
#include "picture_drawing.h"

#include <math.h>

enum { MAX_TRACERS = 12 };

/* In pixels. */
static const double TRACER_RADIUS = 4;   /* at least */
static const double LONGEST_FORCE = 80;  /* at most, */
static const double SHORTEST_FORCE = 16; /* and at least */
static const double BESIDE = 12;         /* between the seam and the arrowheads beside it */

/* The longest arrow of a force, in units of the side of the square that an obstacle has. */
static const double FORCE_PART = 0.6;

const struct colour picture_stream_tracer_colour = {0xd5, 0x5e, 0x00};

static const char stream_style[] =
    "<style>.tracer{fill:#d55e00;stroke:#14161a;stroke-width:1.2;pointer-events:none}\n"
    ".force,.rim,.heads{fill:none;stroke:#14161a;stroke-width:3;stroke-linecap:round;"
    "stroke-linejoin:round}\n"
    ".rim{stroke:#fff;stroke-width:6.5}.heads{stroke:#30343b;stroke-width:2}\n"
    "@media(prefers-color-scheme:dark){.tracer{stroke:#fff}.force{stroke:#fff}"
    ".rim{stroke:#15171b}.heads{stroke:#aab1bc}}</style>\n";

static const struct stream *stream_of(const struct picture_scene *scene)
{
    return &scene->snapshot->system->boundary.stream;
}

/* How many of the particles are tracers. */
static size_t count_tracers(const struct picture_scene *scene)
{
    const size_t eighth = (scene->snapshot->system->count + 7) / 8;
    if (!stream_of(scene)->draw)
        return 0;
    return eighth < MAX_TRACERS ? eighth : MAX_TRACERS;
}

/* The number of a tracer: they are spread evenly over all particles. */
static size_t find_tracer(const struct picture_scene *scene, size_t tracer)
{
    return (size_t)((uint64_t)tracer * scene->snapshot->system->count / count_tracers(scene));
}

int picture_stream_is_tracer(const struct picture_scene *scene, size_t number)
{
    size_t tracer = 0;
    while (tracer < count_tracers(scene) && find_tracer(scene, tracer) != number)
        tracer++;
    return tracer < count_tracers(scene);
}

/* The scale of the arrows of forces. */
struct force_scale {
    double largest; /* the largest force; 0: there are no arrows */
    double unit;    /* the force that is drawn as an arrow of 1 pixel */
};

static struct force_scale find_scale(const struct picture_scene *scene)
{
    static const struct force_scale none = {0, 0};
    const double *pixels = scene->layout.strip_pixels;
    const double area = pixels[0] * pixels[1] * (double)scene->layout.strips;
    const double time = scene->snapshot->time - scene->extras.hits_from;
    double largest = 0;
    size_t obstacles = 0;
    for (size_t k = 0; scene->extras.hits && k < scene->extras.hits->count; k++) {
        const double x = sum_value(&scene->extras.hits->list[k].momentum_x);
        const double y = sum_value(&scene->extras.hits->list[k].momentum_y);
        if (scene->extras.hits->polygons->list[k].is_domain)
            continue;
        largest = fmax(largest, sqrt(x * x + y * y));
        obstacles++;
    }
    if (largest == 0 || time <= 0)
        return none;
    const double longest = fmin(LONGEST_FORCE, FORCE_PART * sqrt(area / (double)obstacles));
    if (longest < SHORTEST_FORCE)
        return none;
    return (struct force_scale){largest / time, largest / time / longest};
}

void picture_stream_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (stream_of(scene)->draw)
        fputs(stream_style, stream);
}

/* Writes a path of an arrow, with a rim that sets it off from what is below it. */
static void write_force_arrow(const double begin[2], const double way[2], FILE *stream)
{
    static const char *const classes[] = {"rim", "force"};
    const double length = sqrt(way[0] * way[0] + way[1] * way[1]);
    const double part = fmin(10, length / 2) / length; /* of the way, that of the head */
    const double head[2] = {part * way[0], part * way[1]};
    const double slant = 0.45; /* half the width of the head for its length */
    for (int k = 0; k < 2; k++)
        fprintf(stream,
                "<path class=\"%s\" d=\"M%.2f %.2fl%.2f %.2fm%.2f %.2fl%.2f %.2fl%.2f %.2f\"/>\n",
                classes[k], begin[0], begin[1], way[0], way[1], -head[0] - slant * head[1],
                -head[1] + slant * head[0], head[0] + slant * head[1], head[1] - slant * head[0],
                -head[0] + slant * head[1], -head[1] - slant * head[0]);
}

void picture_stream_write_key(const struct picture_scene *scene, int y, FILE *stream)
{
    enum { ENTRY_WIDTH = 110 };
    const struct stream *flow = stream_of(scene);
    const struct force_scale scale = find_scale(scene);
    const size_t tracers = count_tracers(scene);
    fprintf(stream,
            "<text class=\"quiet\" x=\"%d\" y=\"%d\">stream of speed %.4g%s, temperature "
            "%.4g%s</text>\n",
            PICTURE_MARGIN, y, fabs(flow->speed),
            flow->speed > 0   ? " to the right"
            : flow->speed < 0 ? " to the left"
                              : "",
            flow->temperature, scene->species_count > 1 ? "" : "; colours: speed relative to it");
    y += PICTURE_HEADER_LINE;
    fprintf(stream,
            "<circle class=\"tracer\" cx=\"%d\" cy=\"%d\" r=\"%g\"/>"
            "<text class=\"quiet\" x=\"%d\" y=\"%d\">%zu tracer%s</text>\n",
            PICTURE_MARGIN + 9, y - 4, TRACER_RADIUS + 1, PICTURE_MARGIN + 25, y, tracers,
            tracers == 1 ? "" : "s");
    if (scale.largest == 0)
        return;
    const double force = picture_legend_round(scale.largest);
    const double begin[2] = {PICTURE_MARGIN + ENTRY_WIDTH, y - 4};
    const double way[2] = {force / scale.unit, 0};
    write_force_arrow(begin, way, stream);
    fprintf(stream,
            "<text class=\"quiet\" x=\"%.2f\" y=\"%d\">%.4g: mean force on an obstacle from time "
            "%.4g on</text>\n",
            begin[0] + way[0] + 8, y, force, scene->extras.hits_from);
}

static void write_tracer(const struct picture_scene *scene, size_t number, FILE *stream)
{
    const struct body body = snapshot_body(scene->snapshot, number);
    for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
        double centre[2];
        double point[2];
        if (!picture_scene_image(scene, number, image, centre))
            continue;
        const size_t strip = picture_layout_strip(&scene->layout, centre[0], centre[1]);
        picture_layout_project(&scene->layout, strip, centre[0], centre[1], point);
        fprintf(stream,
                "<g clip-path=\"url(#strip%zu)\"><circle class=\"tracer\" cx=\"%.2f\" cy=\"%.2f\" "
                "r=\"%.2f\"/></g>\n",
                strip, point[0], point[1], fmax(TRACER_RADIUS, picture_scene_radius(scene, &body)));
    }
}

void picture_stream_write_tracers(const struct picture_scene *scene, FILE *stream)
{
    for (size_t k = 0; k < count_tracers(scene); k++)
        write_tracer(scene, find_tracer(scene, k), stream);
}

/* Arrowheads beside the seam, on both sides of the box: they point to where the stream goes. */
static void write_direction(const struct picture_scene *scene, FILE *stream)
{
    enum { HEADS = 4 };
    const struct picture_layout *layout = &scene->layout;
    const double way = stream_of(scene)->speed > 0 ? 1 : -1;
    double left[2];
    double right[2];
    picture_layout_corner(layout, 0, left);
    picture_layout_corner(layout, layout->strips - 1, right);
    const double x[2] = {left[0] - BESIDE, right[0] + layout->strip_pixels[0] + BESIDE};
    const double y[2] = {left[1], right[1]};
    fputs("<path class=\"heads\" d=\"", stream);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < HEADS; k++)
            fprintf(stream, "M%.2f %.2fl%g 5l%g 5", x[side] - 2.5 * way,
                    y[side] + (k + 0.5) / HEADS * layout->strip_pixels[1] - 5, 5 * way, -5 * way);
    fputs("\"/>\n", stream);
}

/* The centroid of a polygon's area; of a thin wall, its middle. */
static void find_centroid(const struct side *sides, size_t count, double centroid[2])
{
    const double x = sides[0].corner_x;
    const double y = sides[0].corner_y;
    double area = 0; /* twice that of the triangles from the first vertex */
    double sum[2] = {0, 0};
    for (size_t k = 1; k + 1 < count; k++) {
        const double from[2] = {sides[k].corner_x - x, sides[k].corner_y - y};
        const double to[2] = {sides[k + 1].corner_x - x, sides[k + 1].corner_y - y};
        const double part = from[0] * to[1] - to[0] * from[1];
        area += part;
        sum[0] += part * (from[0] + to[0]);
        sum[1] += part * (from[1] + to[1]);
    }
    centroid[0] = x + (area == 0 ? (sides[1].corner_x - x) / 2 : sum[0] / area / 3);
    centroid[1] = y + (area == 0 ? (sides[1].corner_y - y) / 2 : sum[1] / area / 3);
}

/* Writes the arrow of the force on a polygon, from the image of its centroid that is in the box. */
static void write_force(const struct picture_scene *scene, size_t polygon, double unit,
                        FILE *stream)
{
    const double momentum =
        unit * (scene->snapshot->time - scene->extras.hits_from); /* of 1 pixel */
    const struct boundary *boundary = &scene->snapshot->system->boundary;
    const struct polygon *shape = &scene->extras.hits->polygons->list[polygon];
    const struct polygon_hit *hit = &scene->extras.hits->list[polygon];
    const double way[2] = {sum_value(&hit->momentum_x) / momentum,
                           0 - sum_value(&hit->momentum_y) / momentum}; /* 0 -: there is no -0 */
    double centroid[2];
    double begin[2];
    if (sqrt(way[0] * way[0] + way[1] * way[1]) < 1)
        return;
    find_centroid(scene->extras.hits->polygons->sides + shape->first_side, shape->side_count,
                  centroid);
    if (boundary->periodic & PERIODIC_X)
        centroid[0] -= floor(centroid[0] / boundary->width) * boundary->width;
    if (boundary->periodic & PERIODIC_Y)
        centroid[1] -= floor(centroid[1] / boundary->height) * boundary->height;
    picture_layout_project(&scene->layout,
                           picture_layout_strip(&scene->layout, centroid[0], centroid[1]),
                           centroid[0], centroid[1], begin);
    write_force_arrow(begin, way, stream);
}

void picture_stream_write_arrows(const struct picture_scene *scene, FILE *stream)
{
    const struct force_scale scale = find_scale(scene);
    if (!stream_of(scene)->draw)
        return;
    if (stream_of(scene)->speed != 0)
        write_direction(scene, stream);
    for (size_t k = 0; scale.largest > 0 && k < scene->extras.hits->count; k++)
        if (!scene->extras.hits->polygons->list[k].is_domain)
            write_force(scene, k, scale.unit, stream);
}
