/* Tests of the region that polygons leave: places in and out of it, on random obstacles, across
 * seams, compared with angles; sizes that are known, and counted on a fine grid; and particles that
 * overlap or are outside. */
#include "check.h"
#include "model/region.h"

static const double pi = 3.14159265358979323846;

/* A box of 20 x 16 without polygons yet. */
static struct system make_box(unsigned periodic)
{
    return arranged_disks(1, 0.5, 20, 16, periodic);
}

/* Gives it polygons: they are checked, and must be sound. */
static void attach(struct system *system, struct polygons *polygons)
{
    struct polygon_fault fault;
    CHECK(polygons_check(polygons, &system->boundary, &fault, &failure) == STATUS_DONE);
    CHECK(fault.kind == POLYGON_SOUND);
    CHECK(system_attach_polygons(system, polygons, &failure) == STATUS_DONE);
}

static struct polygons *make_polygons(void)
{
    struct polygons *polygons = calloc(1, sizeof *polygons);
    if (!polygons)
        exit(EXIT_FAILURE);
    return polygons;
}

static void add(struct polygons *polygons, const double (*vertices)[2], size_t count, int is_domain)
{
    CHECK(polygons_add(polygons, vertices, count, is_domain, is_domain, &failure) == STATUS_DONE);
}

static struct region *make_region(const struct system *system)
{
    struct region *region;
    must(region_create(&system->boundary, &region, &failure));
    return region;
}

/* Whether a place is in one of the polygons, by the angle under which their sides are seen. */
static int is_inside(const struct polygons *polygons, double x, double y)
{
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        const struct polygon_side *sides = &polygons->sides[polygon->first_side];
        double angle = 0;
        for (size_t m = 0; m < polygon->side_count; m++) {
            const struct polygon_side *next = &sides[(m + 1) % polygon->side_count];
            double ax = sides[m].corner_x - x;
            double ay = sides[m].corner_y - y;
            double bx = next->corner_x - x;
            double by = next->corner_y - y;
            angle += atan2(ax * by - ay * bx, ax * bx + ay * by);
        }
        if (fabs(angle) > pi)
            return 1;
    }
    return 0;
}

/* A star around a place. */
static void add_star(struct polygons *polygons, struct random_generator *random, double x, double y)
{
    double vertices[12][2];
    const size_t count = 3 + random_below(random, 10);
    for (size_t k = 0; k < count; k++) {
        const double angle = 2 * pi * (double)k / (double)count;
        const double radius = 0.3 + 0.4 * random_unit(random);
        vertices[k][0] = x + radius * cos(angle);
        vertices[k][1] = y + radius * sin(angle);
    }
    add(polygons, (const double(*)[2])vertices, count, 0);
}

RANDOM_TEST(random_places, 5)
{
    for (unsigned periodic = 0; periodic < 4; periodic++) {
        OWNED(system, system) = make_box(periodic);
        struct polygons *polygons = make_polygons();
        const int columns = 6 + (periodic & PERIODIC_X ? 1 : 0); /* the last ones cross the seam */
        const int rows = 4 + (periodic & PERIODIC_Y ? 1 : 0);
        for (int k = 0; k < columns * rows; k++)
            add_star(polygons, random, k % columns == 6 ? 19.9 : 1.5 + 3 * (k % columns),
                     k / columns == 4 ? 15.9 : 1.5 + 3.2 * (k / columns));
        attach(&system, polygons);
        struct region *region = make_region(&system);
        int wrong = 0;
        for (int k = 0; k < (check_is_thorough() ? 20000 : 4000); k++) {
            const double x = 20 * random_unit(random);
            const double y = 16 * random_unit(random);
            int expected = 1;
            for (int image = 0; image < 4; image++)
                expected &= !((image & ~(int)periodic) == 0 &&
                              is_inside(polygons, x + 20 * (image & 1), y + 16 * (image >> 1)));
            wrong += region_contains(region, x, y) != expected;
        }
        CHECK(wrong == 0);
        region_free(region);
    }
}

/* Whether centres at this distance have this area and length. */
static int is_size(const struct system *system, double radius, double area, double length)
{
    const struct region_reach reach = reach_find(&system->boundary, radius);
    return fabs(reach.width * reach.height - area) < 1e-13 * area &&
           fabs(reach.length - length) < 1e-13 * length;
}

TEST(sizes)
{
    static const double square[4][2] = {{8, 6}, {12, 6}, {12, 10}, {8, 10}};
    static const double outer[4][2] = {{2, 2}, {18, 2}, {18, 14}, {2, 14}};
    static const double inner[3][2] = {{9, 7}, {10, 7}, {10, 8}};
    static const double wall[2][2] = {{2, 2}, {2, 7}};
    struct system system = make_box(0);
    struct polygons *polygons = make_polygons();
    add(polygons, square, 4, 0);
    add(polygons, inner, 3, 0); /* hidden in the square */
    add(polygons, wall, 2, 0);
    attach(&system, polygons);
    CHECK(is_size(&system, 0, 304, 72 + 16 + 10));
    CHECK(is_size(&system, 0.5, 19 * 15 - (16 + 8 + pi / 4) - (5 + pi / 4), 68 + 26 + 2 * pi));
    system_free(&system);

    system = make_box(0);
    polygons = make_polygons();
    add(polygons, outer, 4, 1);
    add(polygons, square, 4, 1); /* a hole */
    add(polygons, inner, 3, 0);  /* in it: outside the domain */
    attach(&system, polygons);
    CHECK(is_size(&system, 0, 192 - 16, 56 + 16));
    CHECK(is_size(&system, 0.25, 15.5 * 11.5 - (16 + 4 + pi / 16), 54 + 16 + pi / 2));
    system_free(&system);
}

/* On walls, beside another one, and from seam to seam: sides that nothing is beside. */
TEST(sizes_of_what_touches)
{
    static const double step[4][2] = {{8, 0}, {12, 0}, {12, 3}, {8, 3}};
    static const double next[4][2] = {{12, 0}, {14, 0}, {14, 3}, {12, 3}};
    static const double plate[2][2] = {{3, 16}, {7, 16}};
    static const double floor[4][2] = {{0, 0}, {20, 0}, {20, 1}, {0, 1}};
    struct system system = make_box(0);
    struct polygons *polygons = make_polygons();
    add(polygons, step, 4, 0);
    add(polygons, next, 4, 0);
    add(polygons, plate, 2, 0);
    attach(&system, polygons);
    CHECK(is_size(&system, 0, 320 - 18, 72 + 6));
    const double removed = 18 + 6 * 0.5 - 2 * 0.25 + pi / 8; /* above a height of R */
    CHECK(is_size(&system, 0.5, 19 * 15 - removed, 68 + 6 - 2 + pi / 2));
    system_free(&system);

    system = make_box(PERIODIC_X);
    polygons = make_polygons();
    add(polygons, floor, 4, 0);
    attach(&system, polygons);
    CHECK(is_size(&system, 0, 20 * 15, 40));
    CHECK(is_size(&system, 0.5, 20 * 14, 40));
    system_free(&system);
}

/* The area that a disk can reach beside a star, counted on a grid. */
TEST(the_size_around_a_star)
{
    static const double star[5][2] = {{10, 4}, {13, 9}, {10.5, 8}, {6, 12}, {7, 6}};
    const int n = check_is_thorough() ? 600 : 150;
    const double radius = 0.6;
    OWNED(system, system) = make_box(0);
    struct polygons *polygons = make_polygons();
    struct region_fault fault;
    double counted = 0;
    add(polygons, star, 5, 0);
    system.radius = radius;
    system.count = 1;
    attach(&system, polygons);
    const struct region_reach reach = reach_find(&system.boundary, radius);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            system.particles[0].x = (i + 0.5) / n * (20 - 2 * radius) + radius;
            system.particles[0].y = (j + 0.5) / n * (16 - 2 * radius) + radius;
            CHECK(region_check(&system, &fault, &failure) == STATUS_DONE);
            counted += (fault.kind == REGION_FREE);
        }
    }
    counted *= (20 - 2 * radius) * (16 - 2 * radius) / ((double)n * n);
    CHECK(fabs(counted - reach.width * reach.height) < 30.0 / n);
}

static struct system empty_box(unsigned periodic)
{
    return (struct system){.boundary = {.width = 20, .height = 10, .periodic = periodic}};
}

TEST(the_size_of_a_box)
{
    struct system system = empty_box(0);
    CHECK(is_size(&system, 0, 200, 60) && is_size(&system, 1, 18 * 8, 2 * (18 + 8)));
    system = empty_box(PERIODIC_X);
    CHECK(is_size(&system, 1, 20 * 8, 40));
    system = empty_box(PERIODIC_X | PERIODIC_Y);
    const struct region_reach reach = reach_find(&system.boundary, 1);
    CHECK(reach.width == 20 && reach.height == 10 && reach.length == 0);
    system = empty_box(0);
    CHECK(!isfinite(reach_find(&system.boundary, 5).length));
}

/* Around a convex obstacle: its area, a strip along it, and a disk. */
TEST(sizes_around_obstacles)
{
    static const double triangle[3][2] = {{4, 3}, {8, 3}, {4, 6}}; /* sides of 4, 5 and 3 */
    static const double backwards[3][2] = {{4, 3}, {4, 6}, {8, 3}};
    static const double wall[2][2] = {{12, 4}, {15, 8}}; /* of length 5 */
    struct system system = empty_box(0);
    system_add_polygon(&system, triangle, 3, 0);
    CHECK(is_size(&system, 0, 194, 72));
    CHECK(is_size(&system, 0.5, 19 * 9 - 6 - 6 - pi / 4, 2 * (19 + 9) + 12 + pi));
    system_add_polygon(&system, wall, 2, 0);
    CHECK(is_size(&system, 0, 194, 82));
    CHECK(is_size(&system, 0.5, 19 * 9 - 6 - 6 - 5 - pi / 2, 2 * (19 + 9) + 12 + 10 + 2 * pi));
    system.boundary.polygons->list[0].is_hidden = 1;
    CHECK(is_size(&system, 0, 200, 70));
    system_free(&system);
    system = empty_box(PERIODIC_X | PERIODIC_Y);
    system_add_polygon(&system, backwards, 3, 0);
    CHECK(is_size(&system, 1, 200 - 6 - 12 - pi, 12 + 2 * pi));
    system_free(&system);
}

/* The inscribed circle of a triangle with sides 3, 4 and 5 has the radius 1. */
TEST(sizes_of_domains)
{
    static const double triangle[3][2] = {{4, 3}, {8, 3}, {4, 6}};
    static const double ell[6][2] = {{1, 1}, {9, 1}, {9, 4}, {5, 4}, {5, 9}, {1, 9}};
    struct system system = empty_box(0);
    system_add_polygon(&system, triangle, 3, 1);
    CHECK(is_size(&system, 0, 6, 12) && is_size(&system, 0.5, 1.5, 6));
    CHECK(!isfinite(reach_find(&system.boundary, 1.001).width));
    system_free(&system);
    system = empty_box(0);
    system_add_polygon(&system, ell, 6, 1); /* a corner that juts out: a quarter of a circle */
    CHECK(is_size(&system, 0, 8 * 3 + 4 * 5, 32));
    CHECK(is_size(&system, 0.5, 44 - 16 + (5 - pi / 4) / 4, 32 - (5 - pi / 4)));
    system_free(&system);
}

/* Blocks that stand on the domain's floor, on a wall of it and a part of its floor, on each other.
 */
TEST(sizes_beside_flush_obstacles)
{
    static const double domain[4][2] = {{2, 1}, {18, 1}, {18, 9}, {2, 9}};
    static const double block[4][2] = {{5, 1}, {8, 1}, {8, 3}, {5, 3}};
    static const double corner[4][2] = {{14, 1}, {18, 1}, {18, 4}, {14, 4}};
    static const double second[4][2] = {{13, 4}, {15, 4}, {15, 5}, {13, 5}};
    OWNED(system, system) = empty_box(0);
    struct polygon_fault fault;
    system_add_polygon(&system, domain, 4, 1);
    system_add_polygon(&system, block, 4, 0);
    CHECK(!polygons_check(system.boundary.polygons, &system.boundary, &fault, &failure));
    CHECK(fault.kind == POLYGON_SOUND && is_size(&system, 0, 16 * 8 - 6, 48 + 4));
    CHECK(is_size(&system, 0.5, 15 * 7 - 4 * 1.5 - 1.5 - pi / 8, 2 * (15 + 7) - 4 + 6 + pi / 2));
    system_add_polygon(&system, corner, 4, 0);
    system_add_polygon(&system, second, 4, 0);
    CHECK(!polygons_check(system.boundary.polygons, &system.boundary, &fault, &failure));
    CHECK(fault.kind == POLYGON_SOUND && is_size(&system, 0, 16 * 8 - 6 - 12 - 2, 48 + 4 + 4));
    CHECK(system.boundary.polygons->sides[9].cover == COVER_OBSTACLE);
    CHECK(system.boundary.polygons->sides[12].length == 1);
}

/* A regular polygon that is nearly a circle. */
TEST(the_size_of_a_circle)
{
    enum { SIDES = 1024 };
    static double vertices[SIDES][2];
    for (int k = 0; k < SIDES; k++) {
        vertices[k][0] = 10 + 4 * cos(2 * pi * k / SIDES);
        vertices[k][1] = 5 + 4 * sin(2 * pi * k / SIDES);
    }
    for (int is_domain = 0; is_domain < 2; is_domain++) {
        OWNED(system, system) = empty_box(0);
        system_add_polygon(&system, (const double(*)[2])vertices, SIDES, is_domain);
        const struct region_reach reach = reach_find(&system.boundary, 0.5);
        const double area = is_domain ? pi * 3.5 * 3.5 : 19 * 9 - pi * 4.5 * 4.5;
        CHECK(fabs(reach.width * reach.height / area - 1) < 1e-5);
        CHECK(fabs(reach.length / (is_domain ? 7 * pi : 56 + 9 * pi) - 1) < 1e-5);
    }
}

/* The result of region_check for a particle at this place. */
static struct region_fault check_place(struct system *system, double x, double y)
{
    struct region_fault fault;
    system->particles[0].x = x;
    system->particles[0].y = y;
    CHECK(region_check(system, &fault, &failure) == STATUS_DONE);
    return fault;
}

TEST(particles)
{
    static const double square[4][2] = {{8, 6}, {12, 6}, {12, 10}, {8, 10}};
    static const double across[4][2] = {{19, 1}, {22, 1}, {22, 3}, {19, 3}};
    static const double wall[2][2] = {{2, 12}, {6, 12}};
    OWNED(system, system) = make_box(PERIODIC_X);
    struct polygons *polygons = make_polygons();
    add(polygons, square, 4, 0);
    add(polygons, across, 4, 0);
    add(polygons, wall, 2, 0);
    attach(&system, polygons);
    CHECK(check_place(&system, 10, 5.5).kind == REGION_FREE); /* touching is allowed */
    CHECK(check_place(&system, 10, 5.5 + 1e-15).kind == REGION_FREE);
    struct region_fault fault = check_place(&system, 10, 5.75);
    CHECK(fault.kind == REGION_OVERLAPS_SIDE && fault.side == 0 && fault.distance == 0.25);
    fault = check_place(&system, 7.7, 5.6); /* a corner, the end of sides 0 and 3 */
    CHECK(fault.kind == REGION_FREE);
    fault = check_place(&system, 7.7, 5.7);
    CHECK(fault.kind == REGION_OVERLAPS_SIDE && fault.side == 0);
    fault = check_place(&system, 10, 8);
    CHECK(fault.kind == REGION_INSIDE && polygons->sides[fault.side].polygon == 0);
    fault = check_place(&system, 1, 2); /* in an image */
    CHECK(fault.kind == REGION_INSIDE && polygons->sides[fault.side].polygon == 1);
    fault = check_place(&system, 2.25, 2);
    CHECK(fault.kind == REGION_OVERLAPS_SIDE && fault.distance == 0.25);
    CHECK(check_place(&system, 4, 12.25).kind == REGION_OVERLAPS_SIDE);
    CHECK(check_place(&system, 4, 11.5).kind == REGION_FREE);
    system.radius = 0; /* a point may lie on a side, and on either side of a thin wall */
    CHECK(check_place(&system, 10, 6).kind == REGION_FREE);
    CHECK(check_place(&system, 8, 6).kind == REGION_FREE);
    CHECK(check_place(&system, 4, 12).kind == REGION_FREE);
    CHECK(check_place(&system, 10, 6.001).kind == REGION_INSIDE);
}

/* The rim of what has no particles beside it says nothing of what is around it. */
TEST(points_on_rims)
{
    static const double outer[4][2] = {{2, 2}, {10, 2}, {10, 14}, {2, 14}};
    static const double obstacle[4][2] = {{4, 4}, {8, 4}, {8, 8}, {4, 8}};
    static const double hidden[4][2] = {{5, 5}, {6, 5}, {6, 6}, {5, 6}};
    static const double wall[2][2] = {{14, 4}, {14, 8}};
    static const double beyond[4][2] = {{16, 4}, {18, 4}, {18, 6}, {16, 6}};
    OWNED(system, system) = make_box(0);
    struct polygons *polygons = make_polygons();
    add(polygons, outer, 4, 1);
    add(polygons, obstacle, 4, 0);
    add(polygons, hidden, 4, 0);
    add(polygons, wall, 2, 0);
    add(polygons, beyond, 4, 0);
    system.radius = 0;
    attach(&system, polygons);
    CHECK(check_place(&system, 2, 3).kind == REGION_FREE);
    CHECK(check_place(&system, 4, 5).kind == REGION_FREE);
    CHECK(check_place(&system, 5, 5.5).kind == REGION_INSIDE);
    CHECK(check_place(&system, 14, 5).kind == REGION_OUTSIDE);
    CHECK(check_place(&system, 16, 5).kind != REGION_FREE);
}
