/*
 * Shapes of polygons; see polygon_shape.h.
 *
 * The two vertices that are farthest apart are on the convex hull (A. Andrew, Another efficient
 * algorithm for convex hulls in two dimensions, Inf. Process. Lett. 9, 1979). While one goes around
 * it, the vertex that is farthest from the side there goes around, too: "rotating calipers" (M.
 * Shamos, Computational geometry, thesis, 1978).
 */
#include "polygon_shape.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Twice the area of the triangle a, b, c; more than 0 if they are in counter-clockwise order. */
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double square_of_distance(const double *a, const double *b)
{
    return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

static int compare(const void *one, const void *two)
{
    const double *a = one;
    const double *b = two;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Adds a point to a part of the hull, from which those go that it makes superfluous. */
static size_t add_point(double (*hull)[2], size_t least, size_t count, const double *point)
{
    while (count > least && turn(hull[count - 2], hull[count - 1], point) <= 0)
        count--;
    hull[count][0] = point[0];
    hull[count][1] = point[1];
    return count + 1;
}

/* The vertices of the convex hull of sorted points, counter-clockwise: how many. `hull` has room
 * for one more than there are points. */
static size_t find_hull(double (*points)[2], size_t count, double (*hull)[2])
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++) /* the lower part, from left to right */
        used = add_point(hull, 1, used, points[k]);
    const size_t lower = used;
    for (size_t k = count - 1; k-- > 0;) /* the upper part, back again */
        used = add_point(hull, lower, used, points[k]);
    return used - 1; /* the first point has come again */
}

static double find_diameter(double (*hull)[2], size_t count)
{
    double most = 0;
    for (size_t k = 0, far = 1; k < count; k++) {
        const double *begin = hull[k];
        const double *end = hull[(k + 1) % count];
        while (turn(begin, end, hull[(far + 1) % count]) > turn(begin, end, hull[far]))
            far = (far + 1) % count;
        most = fmax(most, square_of_distance(begin, hull[far]));
        most = fmax(most, square_of_distance(end, hull[far]));
    }
    return sqrt(most);
}

/* The centroid: that of the triangles which the first vertex makes with each side. */
static void find_centroid(const struct side *sides, size_t count, struct polygon_shape *shape)
{
    const double *first = (const double[2]){sides[0].corner_x, sides[0].corner_y};
    double area = 0;
    double x = 0;
    double y = 0;
    for (size_t k = 1; k + 1 < count; k++) {
        const double a[2] = {sides[k].corner_x, sides[k].corner_y};
        const double b[2] = {sides[k + 1].corner_x, sides[k + 1].corner_y};
        const double part = turn(first, a, b);
        area += part;
        x += part * ((a[0] - first[0]) + (b[0] - first[0]));
        y += part * ((a[1] - first[1]) + (b[1] - first[1]));
    }
    shape->x = first[0] + (count > 2 ? x / area / 3 : sides[0].lx / 2);
    shape->y = first[1] + (count > 2 ? y / area / 3 : sides[0].ly / 2);
}

enum status polygon_shape_find(const struct polygons *polygons, size_t polygon,
                               struct polygon_shape *shape, struct error *error)
{
    const size_t count = polygons->list[polygon].side_count;
    const struct side *sides = &polygons->sides[polygons->list[polygon].first_side];
    double(*points)[2] =
        memory_allocate(2 * count + 1, sizeof *points, "the shape of a polygon", error);
    double least = sides[0].corner_y;
    double most = least;
    if (!points)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        points[k][0] = sides[k].corner_x;
        points[k][1] = sides[k].corner_y;
        least = fmin(least, points[k][1]);
        most = fmax(most, points[k][1]);
    }
    qsort(points, count, sizeof *points, compare);
    *shape = (struct polygon_shape){
        .bottom = least,
        .across = most - least,
        .chord = find_diameter(points + count, find_hull(points, count, points + count))};
    find_centroid(sides, count, shape);
    memory_free(points);
    return STATUS_DONE;
}

enum status polygon_shape_largest(const struct polygons *polygons, double *chord,
                                  struct error *error)
{
    enum status status = STATUS_DONE;
    *chord = (double)NAN;
    for (size_t k = 0; polygons && k < polygons->count && !status; k++) {
        struct polygon_shape shape = {0};
        if (polygons->list[k].is_domain)
            continue;
        status = polygon_shape_find(polygons, k, &shape, error);
        *chord = fmax(*chord, shape.chord);
    }
    return status;
}
