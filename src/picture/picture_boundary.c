/* What bounds the particles, in a picture: polygons, walls, and the direction of a stream, with the
 * forces on its obstacles. */
#include "drawing.h"

#include "model/boundary_law.h"
#include "model/polygons.h"

#include <inttypes.h>
#include <math.h>

/*
 * Polygons. Outlines are defined once, and used in each strip and, across seams, for each image.
 * With a domain the box has the shade of the outside; on that the domain is drawn in the colour
 * that boxes have otherwise, all of its polygons as one path, with its holes. Each obstacle is a
 * path of its own. Thin walls, which have no area, are lines of one path.
 *
 * The coordinates of a path are whole hundredths of a pixel, from the box's lower left corner, and
 * each vertex is given by the step from the one before. Vertices with the same coordinates are left
 * out: a polygon of 100 000 sides takes less than half a megabyte.
 */

enum picture_form { FORM_DOMAIN, FORM_OBSTACLE, FORM_THIN_WALL, FORMS };

static enum picture_form form_of(const struct polygon *polygon)
{
    if (polygon->is_domain)
        return FORM_DOMAIN;
    return polygon->side_count == 2 ? FORM_THIN_WALL : FORM_OBSTACLE;
}

void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (scene->box->polygons)
        fputs(polygons_style, stream);
    if (polygons_have_domain(scene->box->polygons))
        fputs(outside_style, stream);
}

static int64_t find_hundredths(const struct picture_scene *scene, double length)
{
    return (int64_t)floor(100 * picture_layout_pixels(&scene->layout, length) + 0.5);
}

/* Writes the commands of a path: a polygon, closed unless it is a thin wall. */
static void write_outline(const struct picture_scene *scene, const struct polygon *polygon,
                          FILE *stream)
{
    const struct polygon_side *sides = scene->box->polygons->sides + polygon->first_side;
    int64_t x = 0, y = 0;
    int has_step = 0;
    for (size_t k = 0; k < polygon->side_count; k++) {
        const int64_t right = find_hundredths(scene, sides[k].corner_x) - x;
        const int64_t down = -find_hundredths(scene, sides[k].corner_y) - y;
        if (k > 0 && right == 0 && down == 0)
            continue;
        const char *separator = k == 0 ? "M" : has_step == 0 ? "l" : right < 0 ? "" : " ";
        has_step = k > 0;
        fprintf(stream, "%s%" PRId64 "%s%" PRId64, separator, right, down < 0 ? "" : " ", down);
        x += right;
        y += down;
    }
    if (polygon->side_count > 2)
        fputc('z', stream);
}

/* Writes a colour from blue, of the coldest wall, to red, of the hottest one: a style. */
static void put_wall_colour(const struct wall_laws *walls, double temperature, FILE *stream)
{
    static const double ends[2][3] = {{43, 98, 214}, {214, 64, 43}};
    const double span = walls->hottest - walls->coldest;
    const double part = span > 0 ? (temperature - walls->coldest) / span : 0.5;
    for (int k = 0; k < 3; k++)
        fprintf(stream, "%s%02x", k == 0 ? "style=\"stroke:#" : "",
                (unsigned)(ends[0][k] + part * (ends[1][k] - ends[0][k]) + 0.5));
    fputs("\" ", stream);
}

/* Writes the polygons of a form: each obstacle as a path, others as one for each temperature. */
static void write_outlines(const struct picture_scene *scene, enum picture_form form,
                           const char *attributes, FILE *stream)
{
    const struct polygons *polygons = scene->box->polygons;
    const struct wall_laws *walls = scene->box->walls;
    const char *end = "";
    double before = 0; /* the temperature of the last one */
    for (size_t k = 0; k < polygons->count; k++) {
        const double temperature = walls ? walls->list[BOUNDARY_SIDES + k].temperature : 0;
        if (form_of(&polygons->list[k]) != form)
            continue;
        if (*end == '\0' || form == FORM_OBSTACLE || temperature != before) {
            tag_write(stream, "%s<path %s", end, attributes);
            if (temperature > 0)
                put_wall_colour(walls, temperature, stream);
            fputs("d=\"", stream);
        }
        before = temperature;
        write_outline(scene, &polygons->list[k], stream);
        end = "\"/>\n";
    }
    fputs(end, stream);
}

void picture_polygons_write_outlines(const struct picture_scene *scene, FILE *stream)
{
    fputs("<defs>\n", stream);
    write_outlines(scene, FORM_DOMAIN, "id=\"domain\" class=\"domain\" stroke-width=\"100\" ",
                   stream);
    tag_write(stream, "<g id='obstacles' class='obstacle' stroke-width='100'>\n");
    write_outlines(scene, FORM_OBSTACLE, "", stream);
    write_outlines(scene, FORM_THIN_WALL, "class=\"thin\" ", stream);
    fputs("</g></defs>\n", stream);
}

static void write_use(const struct picture_scene *scene, const char *name, size_t strip,
                      const double shift[2], FILE *stream)
{
    double origin[2];
    picture_layout_project(&scene->layout, strip, shift, origin);
    tag_write(stream, "<use href='#%s' transform='translate(%.2f %.2f)scale(.01)'/>\n", name,
              origin[0], origin[1]);
}

void picture_polygons_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    const struct boundary *box = scene->box;
    const int columns = (box->periodic & PERIODIC_X) != 0;
    const int rows = (box->periodic & PERIODIC_Y) != 0;
    double low[2], high[2];
    polygons_extent(box->polygons, 0, low, high);
    if (polygons_have_domain(box->polygons))
        write_use(scene, "domain", strip, (const double[2]){0, 0}, stream);
    for (int row = -rows; row <= rows; row++) {
        for (int column = -columns; column <= columns; column++) {
            const double shift[2] = {column * box->width, row * box->height};
            if (low[0] + shift[0] <= box->width && high[0] + shift[0] >= 0 &&
                low[1] + shift[1] <= box->height && high[1] + shift[1] >= 0)
                write_use(scene, "obstacles", strip, shift, stream);
        }
    }
}

void picture_polygons_write_key(const struct picture_scene *scene, int y, FILE *stream)
{
    enum { ENTRY_WIDTH = 170 };
    const struct polygons *polygons = scene->box->polygons;
    int x = PICTURE_MARGIN;
    for (enum picture_form form = FORM_DOMAIN; form < FORMS; form++) {
        size_t count = 0;
        for (size_t k = 0; polygons && k < polygons->count; k++)
            count += form_of(&polygons->list[k]) == form;
        if (count == 0)
            continue;
        if (form == FORM_THIN_WALL)
            tag_write(stream, "<path class='obstacle' stroke-width='2' d='M%d %dh18'/>", x, y - 4);
        else
            tag_write(stream, "<rect class='%s' x='%d' y='%d' width='18' height='11'/>",
                      form == FORM_DOMAIN ? "outside line" : "obstacle", x, y - 10);
        tag_write(stream, "<text class='quiet' x='%d' y='%d'>", x + 25, y);
        if (form == FORM_DOMAIN)
            fputs("outside the domain</text>\n", stream);
        else
            fprintf(stream, "%zu %s%s</text>\n", count,
                    form == FORM_OBSTACLE ? "obstacle" : "thin wall", picture_plural(count));
        x += ENTRY_WIDTH;
    }
}

/* The stream: its direction, and the forces on obstacles. The force on an obstacle is the
 * momentum that it has gained, divided by the time. The largest one is drawn MAX_FORCE_LENGTH
 * pixels long, or shorter, so that the arrows of neighbours hardly touch; if they were too short to
 * show directions, there are none. The header has an arrow for scale, of a round force. */

/* In pixels. */
static const double MAX_FORCE_LENGTH = 80; /* at most; nor a larger part than */
static const double FORCE_PART = 0.6;      /* of the side of the square that an obstacle has; */
static const double MIN_FORCE_LENGTH = 16; /* and at least */
static const double BESIDE = 12;           /* between the seam and the arrowheads beside it */

/* The scale of the arrows of forces; {0}: there are none. */
struct picture_forces {
    double largest; /* the largest force */
    double unit;    /* the force that is drawn as an arrow of 1 pixel */
};

static struct picture_forces find_scale(const struct picture_scene *scene)
{
    const struct polygon_hits *hits = scene->extras.hits;
    const double *pixels = scene->layout.strip_pixels;
    const double area = pixels[0] * pixels[1] * (double)scene->layout.strips;
    const double time = scene->snapshot->time - scene->extras.hits_from;
    double largest = 0;
    size_t obstacles = 0;
    for (size_t k = 0; hits && k < hits->count; k++) {
        const double x = sum_value(&hits->list[k].momentum_x);
        const double y = sum_value(&hits->list[k].momentum_y);
        if (hits->polygons->list[k].is_domain)
            continue;
        largest = fmax(largest, sqrt(x * x + y * y));
        obstacles++;
    }
    const double room = sqrt(area / fmax((double)obstacles, 1));
    const double longest = fmin(MAX_FORCE_LENGTH, FORCE_PART * room);
    if (largest == 0 || time <= 0 || longest < MIN_FORCE_LENGTH)
        return (struct picture_forces){0, 0};
    return (struct picture_forces){largest / time, largest / time / longest};
}

/* Writes an arrow, with a rim that sets it off from what is below it. */
static void write_force_arrow(const double begin[2], const double vector[2], FILE *stream)
{
    const double length = sqrt(vector[0] * vector[0] + vector[1] * vector[1]);
    const double direction[2] = {vector[0] / length, vector[1] / length};
    for (int k = 0; k < 2; k++) {
        tag_write(stream, "<path class='%s' d='", k == 0 ? "rim" : "force");
        svg_write_arrow(begin, direction, length, fmin(11, length / 2), stream);
        fputs("\"/>\n", stream);
    }
}

void picture_forces_write_key(const struct picture_scene *scene, double x, double y, FILE *stream)
{
    const struct picture_forces scale = find_scale(scene);
    if (scale.largest == 0)
        return;
    const double force = picture_legend_round(scale.largest);
    const double vector[2] = {force / scale.unit, 0};
    write_force_arrow((const double[2]){x, y}, vector, stream);
    tag_write(stream,
              "<text class='quiet' x='%.2f' y='%g'>%.4g: mean force on an obstacle from time "
              "%.4g on</text>\n",
              x + vector[0] + 8, y + 4, force, scene->extras.hits_from);
}

/* Lines beside the sides of the box that have a temperature, and arrowheads where they move, in the
 * strips whose edges they are. The upright ones are drawn as if they lay, and turned. */
static void write_walls(const struct picture_scene *scene, FILE *stream)
{
    const struct wall_laws *walls = scene->box->walls;
    const double *size = scene->layout.strip_pixels;
    const double offsets[BOUNDARY_SIDES][2] = {
        {-3, size[1]}, {size[0] + 3, size[1]}, {0, size[1] + 3}, {0, -3}};
    const double ends[2][2] = {{0, 0}, {scene->box->width, scene->box->height}};
    for (size_t n = 0; walls && n < BOUNDARY_SIDES * scene->layout.strips; n++) {
        const int k = (int)(n % BOUNDARY_SIDES);
        const double length = size[k < 2], head = walls->list[k].speed < 0 ? -8 : 8;
        double corner[2], point[2]; /* of the strip, and of the side */
        picture_layout_corner(&scene->layout, n / BOUNDARY_SIDES, corner);
        picture_layout_project(&scene->layout, n / BOUNDARY_SIDES, ends[k % 2], point);
        if (walls->list[k].temperature == 0 || boundary_is_seam(scene->box, FEATURE_LEFT - k) ||
            fabs(corner[k / 2] + offsets[k][k / 2] - point[k / 2]) > 4)
            continue;
        tag_write(stream, "<g transform='translate(%.2f %.2f)rotate(%d)'><path ",
                  corner[0] + offsets[k][0], corner[1] + offsets[k][1], k < 2 ? -90 : 0);
        put_wall_colour(walls, walls->list[k].temperature, stream);
        tag_write(stream, "stroke-width='4' d='M0 0h%.2f'/><path class='arrow' d='M0 0", length);
        for (int part = 1; part < 5 && walls->list[k].speed != 0; part++)
            fprintf(stream, "M%.2f-3.5l%g 3.5 %g 3.5", part * length / 5 - head / 2, head, -head);
        fputs("\"/></g>\n", stream);
    }
}

/* A floor that is shaken, where it is. */
static void write_floor(const struct picture_scene *scene, FILE *stream)
{
    const double *size = scene->layout.strip_pixels;
    const double time = scene->snapshot->time;
    const double at[2] = {0, boundary_floor(&scene->box->shake, time).height};
    for (size_t strip = 0; strip < scene->layout.strips; strip++) {
        double corner[2], point[2];
        picture_layout_corner(&scene->layout, strip, corner);
        picture_layout_project(&scene->layout, strip, at, point);
        if (point[1] >= corner[1] && point[1] <= corner[1] + size[1])
            tag_write(stream, "<path class='line' style='stroke-width:2' d='M%.2f %.2fh%.2f'/>\n",
                      corner[0], point[1], size[0]);
    }
}

/* Arrowheads beside the seam, on both sides of the box: they point downstream. */
static void write_direction(const struct picture_scene *scene, FILE *stream)
{
    enum { HEADS = 4 };
    const struct picture_layout *layout = &scene->layout;
    const double sign = scene->box->stream.speed > 0 ? 1 : -1;
    double left[2], right[2];
    picture_layout_corner(layout, 0, left);
    picture_layout_corner(layout, layout->strips - 1, right);
    const double x[2] = {left[0] - BESIDE, right[0] + layout->strip_pixels[0] + BESIDE};
    const double y[2] = {left[1], right[1]};
    tag_write(stream, "<path class='heads' d='");
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < HEADS; k++)
            fprintf(stream, "M%.2f %.2fl%g 5l%g 5", x[side] - 2.5 * sign,
                    y[side] + (k + 0.5) / HEADS * layout->strip_pixels[1] - 5, 5 * sign, -5 * sign);
    fputs("\"/>\n", stream);
}

/* Writes the arrows of the forces on obstacles, each from the image of the centroid in the box. */
static void write_forces(const struct picture_scene *scene, FILE *stream)
{
    const struct boundary *box = scene->box;
    const struct polygon_hits *hits = scene->extras.hits;
    const struct picture_forces scale = find_scale(scene);
    const double momentum = /* of 1 pixel */
        scale.unit * (scene->snapshot->time - scene->extras.hits_from);
    for (size_t k = 0; scale.largest > 0 && k < hits->count; k++) {
        const struct polygon_hit *hit = &hits->list[k];
        const double vector[2] = {sum_value(&hit->momentum_x) / momentum,
                                  0 - sum_value(&hit->momentum_y) / momentum}; /* there is no -0 */
        double centroid[2], begin[2];
        if (hits->polygons->list[k].is_domain ||
            sqrt(vector[0] * vector[0] + vector[1] * vector[1]) < 1)
            continue;
        polygons_centroid(hits->polygons, k, centroid);
        if (box->periodic & PERIODIC_X)
            centroid[0] -= floor(centroid[0] / box->width) * box->width;
        if (box->periodic & PERIODIC_Y)
            centroid[1] -= floor(centroid[1] / box->height) * box->height;
        picture_layout_locate(&scene->layout, centroid, begin);
        write_force_arrow(begin, vector, stream);
    }
}

void picture_boundary_write(const struct picture_scene *scene, FILE *stream)
{
    if (scene->box->stream.speed != 0)
        write_direction(scene, stream);
    write_walls(scene, stream);
    if (scene->box->shake.acts)
        write_floor(scene, stream);
    write_forces(scene, stream);
}
