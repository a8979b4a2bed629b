/* Tests of polygons: single contacts that can be computed by hand; paths in polygons that are known
 * by unfolding; and on random ones, full of ties or not, that the grid finds what is nearest. */
#include "agreement.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

/* A box of 20 x 16 with `count` disks of this radius, all at the origin yet. */
static struct system box_with(size_t count, double radius, unsigned periodic)
{
    return arranged_disks(count, radius, 20, 16, periodic);
}

/* The first contact of particle 0 with a polygon. */
static struct boundary_contact first_contact(const struct system *system)
{
    return polygons_next(&system->boundary, &system->particles[0], system->radius, 0, 1000);
}

TEST(a_side_and_a_corner)
{
    static const double square[4][2] = {{8, 6}, {12, 6}, {12, 10}, {8, 10}};
    for (int is_clockwise = 0; is_clockwise < 2; is_clockwise++) {
        OWNED(system, system) = box_with(1, 0.5, 0);
        double vertices[4][2];
        for (int k = 0; k < 4; k++)
            for (int axis = 0; axis < 2; axis++)
                vertices[k][axis] = square[is_clockwise ? 3 - k : k][axis];
        system_add_polygon(&system, (const double(*)[2])vertices, 4, 0);
        set_particle(&system, 0, 10, 2, 0.25, 1); /* from below on the lower side */
        struct boundary_contact contact = first_contact(&system);
        CHECK(contact.time == 3.5);
        CHECK(contact.feature == polygons_feature(is_clockwise ? 2 : 0, 0));
        physics_resolve(&system, &(struct event){contact.time, 0, contact.feature});
        CHECK(system.particles[0].u == 0.25 && system.particles[0].v == -1);
        CHECK(system.counts[0].walls == 1);
        CHECK(isinf(first_contact(&system).time));

        system.particles[0].t = 0;
        set_particle(&system, 0, 4, 10.5 - 0.25, 1, 0); /* beside the upper left corner */
        contact = first_contact(&system);
        CHECK(contact.feature == polygons_feature(is_clockwise ? 0 : 3, 1));
        CHECK(fabs(contact.time - (4 - sqrt(0.25 - 0.0625))) < 1e-15);
    }
}

/* Whatever the polygon is, what leaves it or passes by does not meet it. */
TEST(what_does_not_approach_is_not_met)
{
    static const double wall[2][2] = {{8, 4}, {8, 12}};
    OWNED(system, system) = box_with(1, 0, 0);
    system_add_polygon(&system, wall, 2, 0);
    set_particle(&system, 0, 7, 5, -1, 0);
    CHECK(isinf(first_contact(&system).time));
    set_particle(&system, 0, 7, 5, 0, 1);
    CHECK(isinf(first_contact(&system).time));
    set_particle(&system, 0, 7, 3.9, 1, 0);
    CHECK(isinf(first_contact(&system).time));
    set_particle(&system, 0, 7, 4, 1,
                 0); /* the end itself, up to rounding, as all points at thin walls */
    CHECK(fabs(first_contact(&system).time - 1) < 1e-12);
    set_particle(&system, 0, 9, 5, -1, 0); /* from the other side */
    CHECK(fabs(first_contact(&system).time - 1) < 1e-12);
    CHECK(first_contact(&system).feature == polygons_feature(0, 0) ||
          first_contact(&system).feature == polygons_feature(1, 0));
}

/* Disks and points that hardly approach a side or a corner, by a last bit of their velocity, leave
 * it after one contact: otherwise they would meet it again at once, without end. */
RANDOM_TEST(what_grazes_leaves, 11)
{
    static const struct pair_shift none = {0, 0};
    int met = 0;
    for (int m = 0; m < 4000; m++) {
        const double radius = m % 2 ? 0.7 : 0;
        const int is_corner = m % 4 > 1;
        const double wall[2][2] = {{3, 2}, {9 + random_unit(random), 8 + random_unit(random)}};
        OWNED(system, system) = box_with(1, radius, 0);
        system_add_polygon(&system, wall, 2, 0);
        const struct polygon_side *side = &system.boundary.polygons->sides[0];
        const double x = side->lx / side->length; /* along the wall */
        const double y = side->ly / side->length;
        const double way = is_corner ? 0 : 1 + random_unit(random);
        const double tilt = 4e-16 * (random_unit(random) - 0.5);
        set_particle(&system, 0, 3 + way * x - radius * y, 2 + way * y + radius * x, x - tilt * y,
                     y + tilt * x);
        struct particle *p = &system.particles[0];
        const int32_t feature = polygons_feature(0, is_corner);
        if (isfinite(polygons_feature_time(&system.boundary, p, radius, feature, &none))) {
            met++;
            polygons_resolve(&system.boundary, p, radius, feature, &none);
            CHECK(isinf(polygons_feature_time(&system.boundary, p, radius, feature, &none)));
            CHECK(fabs(hypot(p->u, p->v) - 1) < 1e-14);
        }
    }
    CHECK(met > 100);
}

/* An obstacle that crosses a seam is met on both sides of it. */
TEST(images)
{
    static const double square[4][2] = {{19, 6}, {21, 6}, {21, 10}, {19, 10}};
    OWNED(system, system) = box_with(1, 0.5, PERIODIC_X);
    system_add_polygon(&system, square, 4, 0);
    set_particle(&system, 0, 5, 8, -1, 0);
    CHECK(first_contact(&system).time == 3.5);
    struct pair_shift shift =
        polygons_image(&system.boundary, &system.particles[0], 0.5, polygons_feature(1, 0));
    CHECK(shift.x == -20 && shift.y == 0);
    set_particle(&system, 0, 15, 8, 1, 0);
    CHECK(first_contact(&system).time == 3.5);
}

/* In an equilateral triangle a path is known by unfolding: it goes straight on in a plane that is
 * tiled with triangles, and is folded back. With a height of 1 the distances from the three sides
 * are coordinates: on the straight line they change linearly, and their fractions, or what is
 * missing to 1, are where the point is in its triangle, but for the order of the three. */
TEST(unfolding_an_equilateral_triangle)
{
    const double side = 2 / sqrt(3);
    const double triangle[3][2] = {{5, 5}, {5 + side, 5}, {5 + side / 2, 6}};
    OWNED(system, system) = box_with(1, 0, 0);
    system_add_polygon(&system, triangle, 3, 1);
    set_particle(&system, 0, 5 + side / 2 + 0.1, 5.3, 0.6, 0.8);
    const double start[3] = {0.3, sqrt(0.75) * (side / 2 - 0.1) - 0.5 * 0.3,
                             sqrt(0.75) * (side / 2 + 0.1) - 0.5 * 0.3};
    const double rate[3] = {0.8, -sqrt(0.75) * 0.6 - 0.5 * 0.8, sqrt(0.75) * 0.6 - 0.5 * 0.8};
    const double end_time = 5000.25;
    CHECK(agreement_run(SCHEDULE_ARRAY, &system, end_time, &failure) == STATUS_DONE);
    double x, y;
    physics_position(&system, 0, end_time, &x, &y);
    double expected[3];
    double found[3] = {y - 5, sqrt(0.75) * (5 + side - x) - 0.5 * (y - 5),
                       sqrt(0.75) * (x - 5) - 0.5 * (y - 5)};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double line = start[k] + rate[k] * end_time;
        expected[k] = line - floor(line);
        sum += expected[k];
    }
    for (int k = 0; k < 3 && sum > 1.5; k++) /* in a triangle that stands on its tip */
        expected[k] = 1 - expected[k];
    for (int k = 0; k < 3; k++)
        for (int m = k + 1; m < 3; m++) {
            if (expected[m] < expected[k]) {
                double swap = expected[k];
                expected[k] = expected[m];
                expected[m] = swap;
            }
            if (found[m] < found[k]) {
                double swap = found[k];
                found[k] = found[m];
                found[m] = swap;
            }
        }
    for (int k = 0; k < 3; k++)
        CHECK(fabs(found[k] - expected[k]) < 1e-8);
    CHECK(system.counts[0].walls > 5000);
}

/* A disk in a wedge of 1 degree leaves it after at most 180 hits and a few by rounding. */
TEST(a_wedge)
{
    const double angle = pi / 180;
    const double wedge[3][2] = {{2, 2}, {18, 2}, {18, 2 + 16 * tan(angle)}};
    for (int is_point = 0; is_point < 2; is_point++) {
        OWNED(system, system) = box_with(1, is_point ? 0 : 0.05, 0);
        system_add_polygon(&system, wedge, 3, 1);
        set_particle(&system, 0, 17, 2.1, -1, is_point ? 0.004 : 0.001);
        CHECK(agreement_run(SCHEDULE_ARRAY, &system, 40, &failure) == STATUS_DONE);
        CHECK(system.counts[0].walls > 100 && system.counts[0].walls <= 365);
        CHECK(system.particles[0].y > 2 - 1e-13 && system.particles[0].x < 18 + 1e-13);
    }
}

/* Points that are aimed at a vertex, or start in it, stay on their side. */
RANDOM_TEST(points_at_vertices, 3)
{
    static const double room[4][2] = {{5, 3}, {15, 3}, {15, 13}, {5, 13}};
    static const double hexagon[6][2] = {{12, 8}, {11, 9.75}, {9, 9.75},
                                         {8, 8},  {9, 6.25},  {11, 6.25}};
    for (int trial = 0; trial < 500; trial++) {
        OWNED(system, system) = box_with(1, 0, 0);
        const int is_inside = trial % 2;
        const double(*polygon)[2] = is_inside ? room : hexagon;
        const size_t count = is_inside ? 4 : 6;
        const double *aim = polygon[random_below(random, count)];
        system_add_polygon(&system, polygon, count, is_inside);
        double x = is_inside ? 6 + (double)random_below(random, 9) : 1 + 18 * random_unit(random);
        double y = is_inside ? 4 + (double)random_below(random, 9) : 0.5 + 4 * random_unit(random);
        set_particle(&system, 0, x, y, aim[0] - x, aim[1] - y);
        CHECK(!agreement_run(SCHEDULE_ARRAY, &system, 1 + 10 * random_unit(random), &failure));
        const struct particle *p = &system.particles[0];
        CHECK(!is_inside ||
              (p->x > 5 - 1e-13 && p->x < 15 + 1e-13 && p->y > 3 - 1e-13 && p->y < 13 + 1e-13));
    }
}

/* Adds a polygon of 3 to 9 sides around a point, convex or a star; or one that makes ties. */
static void add_any_polygon(struct random_generator *random, struct system *system, double x,
                            double y, double radius, int is_inside)
{
    double vertices[18][2];
    size_t count = 3 + random_below(random, 7);
    int is_star = random_below(random, 2) && count > 3;
    double phase = random_below(random, 3) ? 2 * pi * random_unit(random) : 0;
    if (random_below(random, 3) == 0) {
        count = 4; /* a square whose sides have slope 1, with exact coordinates */
        const double whole = fmax(floor(radius), 0.5);
        for (size_t k = 0; k < 4; k++) {
            vertices[k][0] = floor(x) + (k % 2 ? 0 : k == 0 ? whole : -whole);
            vertices[k][1] = floor(y) + (k % 2 ? (k == 1 ? whole : -whole) : 0);
        }
    } else {
        count *= is_star ? 2 : 1;
        for (size_t k = 0; k < count; k++) {
            double reach = is_star && k % 2 ? 0.3 * radius : radius;
            double angle = phase + 2 * pi * (double)k / (double)count;
            vertices[k][0] = x + reach * cos(angle);
            vertices[k][1] = y + reach * sin(angle);
        }
    }
    system_add_polygon(system, (const double(*)[2])vertices, count, is_inside);
}

/* Polygons in a box: a domain, obstacles, thin walls, or some of them. */
static void add_polygons(struct random_generator *random, struct system *system)
{
    switch (random_below(random, 4)) {
    case 0:
        add_any_polygon(random, system, 10, 8, 7.5, 1);
        return;
    case 1:
        for (int k = 0; k < 6; k++)
            add_any_polygon(random, system, 3.5 + k % 3 * 6.5, 4 + k / 3 * 8, 2.5, 0);
        return;
    case 2:
        for (int k = 0; k < 4; k++) {
            const double wall[2][2] = {{3 + 4 * k, 2 + k % 2},
                                       {5 + 4 * k, 13 - random_unit(random)}};
            system_add_polygon(system, wall, 2, 0);
        }
        return;
    default:
        add_any_polygon(random, system, 10, 8, 3, 0);
    }
}

/* Sides far from a particle are found like near ones, with any grid. */
RANDOM_TEST(the_grid_misses_nothing, 17)
{
    for (int trial = 0; trial < (check_is_thorough() ? 2000 : 300); trial++) {
        OWNED(system, system) = box_with(1 + random_below(random, 100), random_unit(random), 0);
        if (random_below(random, 2))
            system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
        add_polygons(random, &system);
        for (size_t k = 0; k < system.count; k++) {
            double x = 20 * random_unit(random);
            double y = 16 * random_unit(random);
            set_particle(&system, k, x, y, random_unit(random) - 0.5, random_unit(random) - 0.5);
            const struct particle *p = &system.particles[k];
            const struct boundary box = {.width = 20, .height = 16, .periodic = 3};
            const double until = boundary_next(&box, p, 0).time; /* where it leaves the box */
            struct boundary_contact expected = {(double)INFINITY, INT32_MIN};
            for (size_t m = 0; m < 2 * system.boundary.polygons->side_count; m++) {
                const int32_t feature = polygons_feature(m / 2, m % 2);
                const struct pair_shift shift =
                    polygons_image(&system.boundary, p, system.radius, feature);
                double time =
                    polygons_feature_time(&system.boundary, p, system.radius, feature, &shift);
                if (time < expected.time)
                    expected = (struct boundary_contact){time, feature};
            }
            struct boundary_contact found =
                polygons_next(&system.boundary, p, system.radius, 0, until);
            CHECK(expected.time > until ||
                  (found.time == expected.time && found.feature == expected.feature));
            if (expected.time <= until) { /* from wherever it is looked for, also at that time */
                const double from = trial % 2 ? expected.time : expected.time * random_unit(random);
                found = polygons_next(&system.boundary, p, system.radius, from, expected.time);
                CHECK(found.time == expected.time && found.feature == expected.feature);
            }
        }
    }
}

/* A side that rounding has made not quite level is found along all of it, and so is its image. */
RANDOM_TEST(nearly_level_sides_are_found, 23)
{
    for (int trial = 0; trial < 400; trial++) {
        const int is_image = trial % 2; /* that at the top of the box, of a side at its bottom */
        const double y = is_image ? 0.1 + 0.3 * random_unit(random) : 1 + random_unit(random);
        const double tilt = ((int)random_below(random, 9) - 4) * DBL_EPSILON / 2;
        const double triangle[3][2] = {{21, y}, {17, 10}, {13, y + tilt}};
        const double met = y - 0.5 + 16 * is_image;
        OWNED(system, system) = box_with(1, 0.5, PERIODIC_X | PERIODIC_Y);
        system_add_polygon(&system, triangle, 3, 0);
        for (double x = 13.25; x < 21; x += 0.25) {
            set_particle(&system, 0, x < 20 ? x : x - 20, met - 0.25, 0, 1);
            const struct boundary_contact found =
                polygons_next(&system.boundary, &system.particles[0], 0.5, 0, 10);
            CHECK(fabs(found.time - 0.25) < 1e-13);
        }
    }
}
