/* Tests of the room that walls and polygons leave, where it can be said by hand. */
#include "check.h"
#include "model/polygon_check.h"
#include "model/reach.h"
#include "random_system.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static struct system box(unsigned periodic)
{
    return (struct system){.boundary = {.width = 20, .height = 10, .periodic = periodic}};
}

/* Whether centres at this distance have this area and length. */
static int has_reach(const struct system *system, double radius, double area, double length)
{
    const struct reach reach = reach_find(&system->boundary, radius);
    return fabs(reach.width * reach.height - area) < 1e-13 * area &&
           fabs(reach.length - length) < 1e-13 * length;
}

static void test_a_box(void)
{
    struct system system = box(0);
    CHECK(has_reach(&system, 0, 200, 60) && has_reach(&system, 1, 18 * 8, 2 * (18 + 8)));
    system = box(PERIODIC_X);
    CHECK(has_reach(&system, 1, 20 * 8, 40));
    system = box(PERIODIC_X | PERIODIC_Y);
    const struct reach reach = reach_find(&system.boundary, 1);
    CHECK(reach.width == 20 && reach.height == 10 && reach.length == 0);
    system = box(0);
    CHECK(!isfinite(reach_find(&system.boundary, 5).length));
}

/* Around a convex obstacle: its area, a strip along it, and a disk. */
static void test_obstacles(void)
{
    static const double triangle[3][2] = {{4, 3}, {8, 3}, {4, 6}}; /* sides of 4, 5 and 3 */
    static const double backwards[3][2] = {{4, 3}, {4, 6}, {8, 3}};
    static const double wall[2][2] = {{12, 4}, {15, 8}}; /* of length 5 */
    struct system system = box(0);
    system_add_polygon(&system, triangle, 3, 0);
    CHECK(has_reach(&system, 0, 194, 72));
    CHECK(has_reach(&system, 0.5, 19 * 9 - 6 - 6 - pi / 4, 2 * (19 + 9) + 12 + pi));
    system_add_polygon(&system, wall, 2, 0);
    CHECK(has_reach(&system, 0, 194, 82));
    CHECK(has_reach(&system, 0.5, 19 * 9 - 6 - 6 - 5 - pi / 2, 2 * (19 + 9) + 12 + 10 + 2 * pi));
    system.boundary.polygons->list[0].is_hidden = 1;
    CHECK(has_reach(&system, 0, 200, 70));
    system_free(&system);
    system = box(PERIODIC_X | PERIODIC_Y);
    system_add_polygon(&system, backwards, 3, 0);
    CHECK(has_reach(&system, 1, 200 - 6 - 12 - pi, 12 + 2 * pi));
    system_free(&system);
}

/* The inscribed circle of a triangle with sides 3, 4 and 5 has the radius 1. */
static void test_domains(void)
{
    static const double triangle[3][2] = {{4, 3}, {8, 3}, {4, 6}};
    static const double ell[6][2] = {{1, 1}, {9, 1}, {9, 4}, {5, 4}, {5, 9}, {1, 9}};
    struct system system = box(0);
    system_add_polygon(&system, triangle, 3, 1);
    CHECK(has_reach(&system, 0, 6, 12) && has_reach(&system, 0.5, 1.5, 6));
    CHECK(!isfinite(reach_find(&system.boundary, 1.001).width));
    system_free(&system);
    system = box(0);
    system_add_polygon(&system, ell, 6, 1); /* a corner that juts out: a quarter of a circle */
    CHECK(has_reach(&system, 0, 8 * 3 + 4 * 5, 32));
    CHECK(has_reach(&system, 0.5, 44 - 16 + (5 - pi / 4) / 4, 32 - (5 - pi / 4)));
    system_free(&system);
}

/* Blocks that stand on the domain's floor, on a wall of it and a part of its floor, on each other.
 */
static void test_flush_obstacles(void)
{
    static const double domain[4][2] = {{2, 1}, {18, 1}, {18, 9}, {2, 9}};
    static const double block[4][2] = {{5, 1}, {8, 1}, {8, 3}, {5, 3}};
    static const double corner[4][2] = {{14, 1}, {18, 1}, {18, 4}, {14, 4}};
    static const double second[4][2] = {{13, 4}, {15, 4}, {15, 5}, {13, 5}};
    struct system system = box(0);
    struct polygon_fault fault;
    struct error error;
    system_add_polygon(&system, domain, 4, 1);
    system_add_polygon(&system, block, 4, 0);
    CHECK(!polygons_check(system.boundary.polygons, &system.boundary, &fault, &error));
    CHECK(fault.kind == POLYGON_SOUND && has_reach(&system, 0, 16 * 8 - 6, 48 + 4));
    CHECK(has_reach(&system, 0.5, 15 * 7 - 4 * 1.5 - 1.5 - pi / 8, 2 * (15 + 7) - 4 + 6 + pi / 2));
    system_add_polygon(&system, corner, 4, 0);
    system_add_polygon(&system, second, 4, 0);
    CHECK(!polygons_check(system.boundary.polygons, &system.boundary, &fault, &error));
    CHECK(fault.kind == POLYGON_SOUND && has_reach(&system, 0, 16 * 8 - 6 - 12 - 2, 48 + 4 + 4));
    CHECK(system.boundary.polygons->sides[9].cover == COVER_OBSTACLE);
    CHECK(system.boundary.polygons->sides[12].length == 1);
    system_free(&system);
}

/* A regular polygon that is nearly a circle. */
static void test_a_circle(void)
{
    enum { SIDES = 1024 };
    static double vertices[SIDES][2];
    for (int k = 0; k < SIDES; k++) {
        vertices[k][0] = 10 + 4 * cos(2 * pi * k / SIDES);
        vertices[k][1] = 5 + 4 * sin(2 * pi * k / SIDES);
    }
    for (int is_domain = 0; is_domain < 2; is_domain++) {
        struct system system = box(0);
        system_add_polygon(&system, (const double(*)[2])vertices, SIDES, is_domain);
        const struct reach reach = reach_find(&system.boundary, 0.5);
        const double area = is_domain ? pi * 3.5 * 3.5 : 19 * 9 - pi * 4.5 * 4.5;
        CHECK(fabs(reach.width * reach.height / area - 1) < 1e-5);
        CHECK(fabs(reach.length / (is_domain ? 7 * pi : 56 + 9 * pi) - 1) < 1e-5);
        system_free(&system);
    }
}

int main(void)
{
    RUN(test_a_box);
    RUN(test_obstacles);
    RUN(test_domains);
    RUN(test_flush_obstacles);
    RUN(test_a_circle);
    return check_finish();
}
