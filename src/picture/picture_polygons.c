/*
 * The polygons of a picture; see picture_polygons.h.
 *
 * Outlines are defined once, and used in each strip and, across seams, for each image. With a
 * domain the box has the shade of what is outside; on that the domain is drawn in the colour that
 * boxes have otherwise, all of its polygons as one path, with its holes. Each obstacle is a path of
 * its own. Thin walls, which have no area, are lines of one path.
 *
 * The coordinates of a path are whole hundredths of a pixel, from the box's lower left corner, and
 * each vertex is given by the step from the one before. Vertices with the same coordinates are left
 * out: a polygon of 100 000 sides takes less than half a megabyte.
 *
 */
#include "picture_polygons.h"

#include "model/polygons.h"

#include <inttypes.h>
#include <math.h>

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

void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (!polygons_of(scene))
        return;
    fputs(polygon_style, stream);
    if (count_form(polygons_of(scene), FORM_DOMAIN) > 0)
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
    if (count_form(boundary->polygons, FORM_DOMAIN) > 0)
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
