/* Shapes of polygons; see outline.h. */
#include "outline.h"

#include "base/elementary.h"

#include <math.h>

/* Adds a vertex on a circle; the angle is in turns. */
static void put(struct outline *outline, double x, double y, double radius, double turns)
{
    double *vertex = outline->vertices[outline->count++];
    double cosine, sine;
    elementary_turn(turns, &cosine, &sine);
    vertex[0] = x + radius * cosine;
    vertex[1] = y + radius * sine;
}

struct outline outline_stadium(void)
{
    enum { HALF = OUTLINE_MAX / 2 };
    struct outline outline = {.count = 0};
    for (int k = 0; k < OUTLINE_MAX; k++)
        put(&outline, k < HALF ? 3.25 : 1.25, 1.25, 1,
            (k < HALF ? -0.25 : 0.25) + 0.5 * (k % HALF) / (HALF - 1));
    return outline;
}

struct outline outline_regular(double x, double y, double radius, size_t count)
{
    struct outline outline = {.count = 0};
    for (size_t k = 0; k < count; k++)
        put(&outline, x, y, radius, (double)k / (double)count);
    return outline;
}

struct outline outline_star(double x, double y, double radius)
{
    struct outline outline = {.count = 0};
    for (int k = 0; k < 10; k++)
        put(&outline, x, y, k % 2 ? radius / 2 : radius, k / 10.0);
    return outline;
}

void outline_turn(struct outline *outline, double x, double y, double degrees)
{
    double cosine, sine;
    elementary_turn(degrees / 360, &cosine, &sine);
    for (size_t k = 0; k < outline->count; k++) {
        double *vertex = outline->vertices[k];
        const double dx = vertex[0] - x;
        const double dy = vertex[1] - y;
        vertex[0] = x + cosine * dx - sine * dy;
        vertex[1] = y + sine * dx + cosine * dy;
    }
}

/* The vertex of an airfoil at c of the chord, on its upper side (1) or lower side (-1). */
static void put_naca(struct outline *outline, double m, double p, double t, double c, double side)
{
    double *vertex = outline->vertices[outline->count++];
    const double half =
        5 * t * (0.2969 * sqrt(c) + c * (-0.1260 + c * (-0.3516 + c * (0.2843 - 0.1036 * c))));
    double camber = 0, slope = 0;
    if (m > 0) {
        const double factor = c < p ? m / (p * p) : m / ((1 - p) * (1 - p));
        camber = factor * (c < p ? c * (2 * p - c) : (1 - c) * (1 + c - 2 * p));
        slope = 2 * factor * (p - c);
    }
    const double across = side * half / sqrt(1 + slope * slope);
    vertex[0] = c - across * slope;
    vertex[1] = camber + across;
}

struct outline outline_naca(double m, double p, double t, size_t half)
{
    struct outline outline = {.count = 0};
    for (size_t k = 0; k < 2 * half; k++) {
        double cosine, sine; /* from the trailing edge over the upper side to the nose, and back */
        elementary_turn((double)k / (double)(4 * half), &cosine, &sine);
        put_naca(&outline, m, p, t, cosine * cosine, k < half ? 1 : -1);
    }
    return outline;
}

double outline_area(const struct outline *outline)
{
    double twice = 0;
    for (size_t k = 0; k < outline->count; k++) {
        const double *a = outline->vertices[k];
        const double *b = outline->vertices[(k + 1) % outline->count];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return twice / 2;
}

double outline_perimeter(const struct outline *outline)
{
    double sum = 0;
    for (size_t k = 0; k < outline->count; k++) {
        const double *a = outline->vertices[k];
        const double *b = outline->vertices[(k + 1) % outline->count];
        const double dx = b[0] - a[0];
        const double dy = b[1] - a[1];
        sum += sqrt(dx * dx + dy * dy);
    }
    return sum;
}
