/* Tests of adding up the hits of obstacles, one by one, and what comes in at the seam of a stream;
 * tests/command/forces.sh has whole runs. */
#include "check.h"
#include "model/stream.h"
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
    return force_sums_mean(sums, &sums->obstacles[obstacle].gains[axis], 0).value;
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
    const struct estimate even = force_sums_mean(&sums, &sums.obstacles[0].gains[GAIN_Y], 0);
    CHECK(fabs(even.value - 0.6 * BLOCKS) < 1e-9 && even.error == 0);
    CHECK(isnan(force_sums_mean(&sums, &sums.obstacles[0].gains[GAIN_Y], (double)NAN).error));
    const struct estimate uneven = force_sums_mean(&sums, &sums.obstacles[1].gains[GAIN_X], 2);
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

/* A particle with this mass comes in at y. */
static void come_in(struct force_sums *sums, double time, double mass, double y)
{
    const struct collision passage = {.time = time,
                                      .partner = PARTNER_BOUNDARY,
                                      .feature = FEATURE_LEFT,
                                      .a = {.y = y, .mass = mass}};
    force_sums_renew(sums, &passage);
}

/* Of two masses, and in the rows of the square, which is at a tenth of the height, or not. */
static void test_inflow(void)
{
    struct system system = make_system();
    system.boundary.stream = stream_make(2, 1, 0);
    struct force_sums sums = begin(&system);
    const double mean[2] = {stream_mean_speed(&system.boundary.stream, 1),
                            stream_mean_speed(&system.boundary.stream, 4)};
    for (int k = 0; k < 1000; k++) {
        come_in(&sums, (k + 0.5) / 100, k % 4 == 0 ? 4 : 1, 20 * fmod(k * 0.381966, 1));
        hit(&sums, (k + 0.5) / 100, polygons_feature(SQUARE, 0), 5, 3, 0, k % 4 == 0 ? 2 : 1);
    }
    force_sums_complete(&sums);
    const struct course *number = &sums.inflow[INFLOW_NUMBER];
    const struct course *mass = &sums.inflow[INFLOW_MASS];
    CHECK(fabs(force_sums_mean(&sums, number, 0).value - (75 / mean[0] + 25 / mean[1])) < 1e-9);
    CHECK(fabs(force_sums_mean(&sums, mass, 0).value - (75 / mean[0] + 100 / mean[1])) < 1e-9);
    const struct course *force = &sums.obstacles[0].gains[GAIN_Y];
    const struct estimate ratio = force_sums_ratio(&sums, force, mass, 0);
    CHECK(fabs(ratio.value - 3 * 125 / (75 / mean[0] + 100 / mean[1])) < 1e-9);
    /* Both go up and down together, so that their ratio is known better than either. */
    const double relative = force_sums_mean(&sums, force, 0).error / sum_value(&force->sum) * 10;
    CHECK(ratio.error > 0 && ratio.error / ratio.value < relative);
    const struct estimate side_ratio = force_sums_side_ratio(&sums, SQUARE, SIDE_NORMAL);
    CHECK(fabs(side_ratio.value - ratio.value) < 1e-9 && side_ratio.error < 0.01 * ratio.value);
    const struct estimate inflow = force_sums_inflow(&sums, &sums.obstacles[0]);
    CHECK(fabs(inflow.value - 1) < 0.05 && inflow.error < 0.05);
    for (int k = 0; k < 1000; k++)
        come_in(&sums, (k + 0.5) / 100, k % 4 == 0 ? 4 : 1, 10 + 5 * fmod(k * 0.381966, 1));
    CHECK(fabs(force_sums_inflow(&sums, &sums.obstacles[0]).value - 0.5) < 0.1);
    force_sums_free(&sums);
    system_free(&system);
}

/* Of a force that is `first` in each block of the first half and `second` in those of the second,
 * both obstacles together, and 1 more or less in every other part of 64 blocks. */
static double drift(double first, double second)
{
    struct system system = make_system();
    struct force_sums sums = begin(&system);
    for (int k = 0; k < BLOCKS; k++) {
        const double force = (k < BLOCKS / 2 ? first : second) + (k / 64 % 2 ? 1 : -1);
        hit(&sums, (k + 0.5) * 10 / BLOCKS, polygons_feature(SQUARE, 0), 5, 3, force / 4, 0);
        hit(&sums, (k + 0.5) * 10 / BLOCKS, polygons_feature(WALL, 0), 9, 6, force / 12, 0);
    }
    force_sums_complete(&sums);
    const double found = force_sums_drift(&sums);
    force_sums_free(&sums);
    system_free(&system);
    return found;
}

/* Parts scatter by 64 around the mean of their half, so its error is 64 / sqrt(7). */
static void test_drift(void)
{
    CHECK(fabs(drift(3, 3)) < 1e-9);
    CHECK(fabs(drift(3, 5) - 2 / sqrt(2.0 / 7)) < 1e-9);
    CHECK(fabs(drift(-1, -4) + 3 / sqrt(2.0 / 7)) < 1e-9);
}

int main(void)
{
    RUN(test_each_obstacle_has_its_own);
    RUN(test_a_corner_belongs_to_the_side_that_is_nearer);
    RUN(test_an_image);
    RUN(test_errors);
    RUN(test_what_has_been_gained_since);
    RUN(test_inflow);
    RUN(test_drift);
    return check_finish();
}
