/* Tests of the lengths and the centre of polygons. */
#include "check.h"
#include "outline.h"

/* The shape of a polygon with these vertices. */
static struct polygon_shape shape_of(const double (*vertices)[2], size_t count)
{
    struct system system = {.boundary = {.width = 100, .height = 100}};
    struct polygon_shape shape = {0};
    system_add_polygon(&system, vertices, count, 0);
    CHECK(!polygon_shape_find(system.boundary.polygons, 0, &shape, &failure));
    polygons_free(system.boundary.polygons);
    return shape;
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-13 * fabs(expected);
}

TEST(simple_shapes)
{
    static const double wall[2][2] = {{10, 2}, {14, 5}};
    static const double triangle[3][2] = {{10, 10}, {22, 10}, {10, 15}};
    static const double plate[4][2] = {{10, 10}, {10, 11}, {30, 11}, {30, 10}}; /* clockwise */
    struct polygon_shape shape = shape_of(wall, 2);
    CHECK(shape.x == 12 && shape.y == 3.5 && shape.across == 3 && shape.chord == 5);
    shape = shape_of(triangle, 3);
    CHECK(is_near(shape.x, 14) && is_near(shape.y, 35.0 / 3));
    CHECK(shape.across == 5 && shape.chord == 13);
    shape = shape_of(plate, 4);
    CHECK(is_near(shape.x, 20) && is_near(shape.y, 10.5));
    CHECK(shape.across == 1 && is_near(shape.chord, sqrt(401)));
}

/* A regular polygon's centroid is its centre, and a star's chord is that of its tips. */
TEST(round_shapes)
{
    const double pi = 3.14159265358979323846;
    const struct outline even = outline_regular(50, 40, 3, 256);
    const struct outline odd = outline_regular(50, 40, 3, 7);
    const struct outline star = outline_star(50, 40, 3);
    struct polygon_shape shape = shape_of(even.vertices, even.count);
    CHECK(is_near(shape.x, 50) && is_near(shape.y, 40) && is_near(shape.chord, 6));
    shape = shape_of(odd.vertices, odd.count);
    CHECK(is_near(shape.x, 50) && is_near(shape.chord, 6 * cos(pi / 14)));
    shape = shape_of(star.vertices, star.count);
    CHECK(is_near(shape.y, 40) && is_near(shape.chord, 6 * cos(pi / 10)));
}

static double farthest(const double (*vertices)[2], size_t count)
{
    double most = 0;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++)
            most =
                fmax(most, hypot(vertices[a][0] - vertices[b][0], vertices[a][1] - vertices[b][1]));
    return most;
}

/* Polygons around a centre at distances of chance, many of them on a coarse grid: with points on a
 * line, and sides that are parallel. */
RANDOM_TEST(the_chord_is_that_of_all_pairs, 5)
{
    const double pi = 3.14159265358979323846;
    for (int tries = 0; tries < (check_is_thorough() ? 3000 : 300); tries++) {
        double vertices[40][2];
        const size_t count = 3 + (size_t)(random_unit(random) * 37);
        const double step = tries % 2 ? 1 : 0;
        for (size_t k = 0; k < count; k++) {
            const double angle = 2 * pi * ((double)k + 0.9 * random_unit(random)) / (double)count;
            const double radius = 5 + 20 * random_unit(random);
            const double x = 50 + radius * cos(angle);
            const double y = 50 + radius * sin(angle);
            vertices[k][0] = step > 0 ? rint(x) : x;
            vertices[k][1] = step > 0 ? rint(y) : y;
            if (k > 0 && vertices[k][0] == vertices[k - 1][0] &&
                vertices[k][1] == vertices[k - 1][1])
                vertices[k][0] += 0.5; /* no side has length 0 */
        }
        const double(*polygon)[2] = (const double(*)[2])vertices;
        CHECK(is_near(shape_of(polygon, count).chord, farthest(polygon, count)));
    }
}

TEST(the_least_and_the_largest_obstacle)
{
    static const double large[2][2] = {{0, 0}, {90, 0}};
    static const double small[2][2] = {{10, 2}, {14, 5}}, smaller[2][2] = {{10, 20}, {11, 20}};
    struct system system = {.boundary = {.width = 100, .height = 100}};
    double chord = 0, least = 0;
    CHECK(!polygon_shape_extremes(NULL, &least, &chord, &failure) && isnan(chord) && isnan(least));
    system_add_polygon(&system, large, 2, 1);
    CHECK(!polygon_shape_extremes(system.boundary.polygons, &least, &chord, &failure) &&
          isnan(chord));
    system_add_polygon(&system, small, 2, 0);
    CHECK(!polygon_shape_extremes(system.boundary.polygons, &least, &chord, &failure) &&
          chord == 5);
    system_add_polygon(&system, smaller, 2, 0);
    CHECK(!polygon_shape_extremes(system.boundary.polygons, &least, &chord, &failure) &&
          chord == 5);
    CHECK(least == 1);
    polygons_free(system.boundary.polygons);
}
