/* Tests of adding up the hits of obstacles, one by one; test_forces.c has whole runs. */
#include "check.h"
#include "observe/force_sums.h"
#include "random_system.h"

#include <math.h>

/* A square domain, and in it a square of sides of length 2, counter-clockwise, and a thin wall. */
static struct system make_system(void)
{
    static const double room[4][2] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
    static const double square[4][2] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}};
    static const double wall[2][2] = {{10, 4}, {10, 8}};
    struct system system = {.boundary = {.width = 20, .height = 20}};
    system_add_polygon(&system, room, 4, 1);
    system_add_polygon(&system, square, 4, 0);
    system_add_polygon(&system, wall, 2, 0);
    return system;
}

enum { SQUARE = 4, WALL = 8 }; /* the first sides */

/* Sums that begin at 0, for a time of 10. */
static struct force_sums begin(const struct system *system)
{
    struct force_sums sums;
    struct error error;
    CHECK(!force_sums_create(&sums, &system->boundary, &error));
    force_sums_begin(&sums, 0, 10);
    return sums;
}

/* A disk of mass 3 at (x, y) gives the momentum (3 u, 3 v) to a feature. */
static void hit(struct force_sums *sums, double time, int32_t feature, double x, double y, double u,
                double v)
{
    const struct collision collision = {
        .time = time,
        .partner = PARTNER_BOUNDARY,
        .feature = feature,
        .a = {.x = x, .y = y, .u_before = u, .v_before = v, .mass = 3}};
    force_sums_collide(sums, &collision);
}

static double gain(const struct force_sums *sums, size_t obstacle, int axis)
{
    return force_sums_gain(sums, &sums->obstacles[obstacle], axis, 0).value;
}

static double side(const struct force_sums *sums, size_t number, int sum)
{
    return force_sums_side(sums, number, sum).value;
}

static void test_each_obstacle_has_its_own(void)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    CHECK(sums.count == 2 && sums.obstacles[1].polygon == 2);
    hit(&sums, 1, polygons_feature(2, 0), 5, 5, 1, 1); /* the domain */
    hit(&sums, 1, FEATURE_TOP, 5, 5, 1, 1);
    hit(&sums, 2, polygons_feature(SQUARE, 0), 4.5, 3, 0, 2);
    hit(&sums, 3, polygons_feature(WALL, 0), 9, 7, 1, 0);
    hit(&sums, 4, polygons_feature(WALL + 1, 0), 11, 7, -3, 0);
    force_sums_complete(&sums);
    CHECK(gain(&sums, 0, GAIN_X) == 0 && gain(&sums, 0, GAIN_Y) == 0.6);
    CHECK(gain(&sums, 0, GAIN_TORQUE) == -0.5 * 6 / 10);
    CHECK(gain(&sums, 1, GAIN_X) == -0.6 && gain(&sums, 1, GAIN_TORQUE) == (-3.0 + 9) / 10);
    CHECK(side(&sums, SQUARE, SIDE_NORMAL) == 0.6 && side(&sums, SQUARE, SIDE_ALONG) == 0);
    CHECK(force_sums_hits(&sums, SQUARE) == 1 && force_sums_hits(&sums, 2) == 0);
    CHECK(side(&sums, WALL, SIDE_NORMAL) == 0.3 && side(&sums, WALL + 1, SIDE_NORMAL) == 0.9);
    force_sums_free(&sums);
    system_free(&system);
}

/* The corner (4, 4), where side 0 begins and side 3 ends, and the ends of the wall. */
static void test_a_corner_belongs_to_the_side_that_is_nearer(void)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    hit(&sums, 1, polygons_feature(SQUARE, 1), 3.4, 3.2, 3, 4);
    CHECK(force_sums_hits(&sums, SQUARE) == 1 && side(&sums, SQUARE, SIDE_NORMAL) == 1.2);
    CHECK(side(&sums, SQUARE, SIDE_ALONG) == 0.9);
    hit(&sums, 2, polygons_feature(SQUARE, 1), 3.2, 3.4, 4, 3);
    CHECK(force_sums_hits(&sums, SQUARE + 3) == 1 && side(&sums, SQUARE + 3, SIDE_NORMAL) == 1.2);
    CHECK(side(&sums, SQUARE + 3, SIDE_ALONG) == -0.9); /* from (4, 6) downwards */
    hit(&sums, 3, polygons_feature(SQUARE, 1), 3.5, 3.5, 1, 1);
    CHECK(force_sums_hits(&sums, SQUARE) == 2);
    hit(&sums, 4, polygons_feature(WALL, 1), 9.4, 3.2, 3, 4); /* the lower end, from the left */
    hit(&sums, 5, polygons_feature(WALL + 1, 1), 10.6, 8.8, -3,
        -4); /* the upper one, from the right */
    CHECK(force_sums_hits(&sums, WALL) == 1 && force_sums_hits(&sums, WALL + 1) == 1);
    CHECK(fabs(side(&sums, WALL, SIDE_ALONG) - 1.2) < 1e-15);
    CHECK(fabs(side(&sums, WALL + 1, SIDE_ALONG) - 1.2) < 1e-15);
    force_sums_free(&sums);
    system_free(&system);
}

/* An image of the square across a seam has its centre there. */
static void test_an_image(void)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    const struct collision collision = {.time = 1,
                                        .partner = PARTNER_BOUNDARY,
                                        .feature = polygons_feature(SQUARE, 0),
                                        .a = {.x = 24.5, .y = 3, .v_before = 2, .mass = 3},
                                        .shift = {20, 0}};
    force_sums_collide(&sums, &collision);
    CHECK(gain(&sums, 0, GAIN_TORQUE) == -0.5 * 6 / 10);
    force_sums_free(&sums);
    system_free(&system);
}

/* Equal hits in each block have no error; hits in the first half only have one that blocks do not
 * tell, and a shorter time of blocks does not change that. */
static void test_errors(void)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    for (int k = 0; k < BLOCKS; k++)
        hit(&sums, (k + 0.5) * 10 / BLOCKS, polygons_feature(SQUARE, 0), 5, 3, 0, 2);
    for (int k = 0; k < BLOCKS / 2; k++)
        hit(&sums, 5, polygons_feature(WALL, 0), 9, 6, 1, 0);
    force_sums_complete(&sums);
    const struct estimate even = force_sums_gain(&sums, &sums.obstacles[0], GAIN_Y, 0);
    CHECK(fabs(even.value - 0.6 * BLOCKS) < 1e-9 && even.error == 0);
    CHECK(isnan(force_sums_gain(&sums, &sums.obstacles[0], GAIN_Y, (double)NAN).error));
    const struct estimate uneven = force_sums_gain(&sums, &sums.obstacles[1], GAIN_X, 2);
    CHECK(fabs(uneven.value - 0.3 * BLOCKS / 2) < 1e-9 && isnan(uneven.error));
    force_sums_free(&sums);
    system_free(&system);
}

static void test_what_has_been_gained_since(void)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    double gained[GAINS];
    hit(&sums, 1, polygons_feature(WALL, 0), 9, 6, 1, 0);
    force_sums_note(&sums.obstacles[1], gained);
    CHECK(gained[GAIN_X] == 3);
    force_sums_note(&sums.obstacles[1], gained);
    CHECK(gained[GAIN_X] == 0);
    force_sums_free(&sums);
    system_free(&system);
}

int main(void)
{
    RUN(test_each_obstacle_has_its_own);
    RUN(test_a_corner_belongs_to_the_side_that_is_nearer);
    RUN(test_an_image);
    RUN(test_errors);
    RUN(test_what_has_been_gained_since);
    return check_finish();
}
