/* Tests of the forces that single hits give to obstacles, and of what comes in at the seam of a
 * stream; tests/command/forces.sh has whole runs. */
#include "check.h"
#include "observe/blocks.h"
#include "observe/figures.h"
#include "observed.h"

/* A square domain, and in it a square of sides of length 2, counter-clockwise, and a thin wall: the
 * obstacles 0 and 1. The particles are so fast that blocks need not be joined. */
static struct system make_system(size_t count)
{
    static const double room[4][2] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}};
    static const double square[4][2] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}};
    static const double wall[2][2] = {{10, 4}, {10, 8}};
    struct system system = arranged_disks(count, 0, 20, 20, 0);
    for (size_t k = 0; k < count; k++)
        system.particles[k] = (struct particle){.x = 1, .y = 1, .u = 1e9};
    system_add_polygon(&system, room, 4, 1);
    system_add_polygon(&system, square, 4, 0);
    system_add_polygon(&system, wall, 2, 0);
    return system;
}

enum { SQUARE = 4, WALL = 8 }; /* the first sides */

/* A run from 0 to 10, and the file that it writes. */
struct measurement {
    struct system system;
    struct observers observers;
    struct observer *observer;
    char *text; /* after `finish`, which `end` frees */
};

/* With a series, if the interval is not 0; `speed` is that of a stream, if it is not 0. */
static void begin(struct measurement *run, size_t count, double interval, double speed)
{
    *run = (struct measurement){.system = make_system(count)};
    if (speed > 0)
        run->system.boundary.stream = stream_make(speed, 1, 0);
    const struct run_settings settings = {.to = 10, .interval = interval, .reference = 1};
    const struct snapshot start = {0, &run->system, NULL};
    CHECK(!observer_create(&forces_operations, &settings, &(struct output_settings){.name = "file"},
                           &run->observer, &failure));
    run->observers.is_quiet = 1;
    observers_add(&run->observers, run->observer);
    CHECK(!observer_begin(run->observer, &start, &failure));
}

static void finish(struct measurement *run)
{
    const struct snapshot now = {10, &run->system, NULL};
    CHECK(!observer_finish(run->observer, &now, &failure));
    run->text = observed_read("file");
}

static void measurement_free(struct measurement *run)
{
    observers_free(&run->observers);
    memory_free(run->text);
    system_free(&run->system);
}

/* A value and its error, by the beginning of its row: NAN if they are not there. */
static struct block_estimate row(const struct measurement *run, const char *begin)
{
    struct block_estimate found = {(double)NAN, (double)NAN};
    char text[100];
    snprintf(text, sizeof text, "\n%s,", begin);
    const char *line = run->text ? strstr(run->text, text) : NULL;
    if (line) {
        char *rest;
        found.value = strtod(line + strlen(text), &rest);
        if (rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9')
            found.error = strtod(rest + 1, NULL);
    }
    return found;
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-12 * (1 + fabs(expected));
}

static void collide(struct measurement *run, const struct collision *collision)
{
    run->observer->operations->collide(run->observer, collision);
}

/* A disk of mass 3 at (x, y) gives the momentum (3 u, 3 v) to a feature. */
static void hit(struct measurement *run, double time, int32_t feature, double x, double y, double u,
                double v)
{
    const struct collision collision = {
        .time = time,
        .partner = PARTNER_BOUNDARY,
        .feature = feature,
        .a = {.x = x, .y = y, .u_before = u, .v_before = v, .mass = 3}};
    collide(run, &collision);
}

/* Pressures are momentum / (10 length), the length of the sides being 2, and 4 of the wall. */
TEST(each_obstacle_has_its_own)
{
    OWNED(measurement, run);
    begin(&run, 1, 0, 0);
    hit(&run, 1, polygons_feature(2, 0), 5, 5, 1, 1); /* the domain */
    hit(&run, 1, FEATURE_TOP, 5, 5, 1, 1);
    hit(&run, 2, polygons_feature(SQUARE, 0), 4.5, 3, 0, 2);
    hit(&run, 3, polygons_feature(WALL, 0), 9, 7, 1, 0);
    hit(&run, 4, polygons_feature(WALL + 1, 0), 11, 7, -3, 0);
    finish(&run);
    CHECK(row(&run, "0,all,force_x").value == 0 && row(&run, "0,all,force_y").value == 0.6);
    CHECK(row(&run, "0,all,torque").value == -0.5 * 6 / 10);
    CHECK(row(&run, "1,all,force_x").value == -0.6);
    CHECK(row(&run, "1,all,torque").value == (-3.0 + 9) / 10);
    CHECK(row(&run, "0,0,pressure").value == 0.6 / 2 && row(&run, "0,0,shear").value == 0);
    CHECK(row(&run, "0,all,hits").value == 1 && row(&run, "0,0,hits").value == 1);
    CHECK(row(&run, "0,2,hits").value == 0 && row(&run, "1,all,hits").value == 2);
    CHECK(is_near(row(&run, "1,0,pressure").value, 0.3 / 4));
    CHECK(is_near(row(&run, "1,1,pressure").value, 0.9 / 4));
    CHECK(isnan(row(&run, "2,all,force_x").value));
}

/* The corner (4, 4), where side 0 begins and side 3 ends, and the ends of the wall. */
TEST(a_corner_belongs_to_the_side_that_is_nearer)
{
    OWNED(measurement, run);
    begin(&run, 1, 0, 0);
    hit(&run, 1, polygons_feature(SQUARE, 1), 3.4, 3.2, 3, 4);
    hit(&run, 2, polygons_feature(SQUARE, 1), 3.2, 3.4, 4, 3);
    hit(&run, 4, polygons_feature(WALL, 1), 9.4, 3.2, 3, 4); /* the lower end, from the left */
    hit(&run, 5, polygons_feature(WALL + 1, 1), 10.6, 8.8, -3,
        -4); /* the upper one, from the right */
    finish(&run);
    CHECK(row(&run, "0,0,hits").value == 1 && is_near(row(&run, "0,0,pressure").value, 1.2 / 2));
    CHECK(is_near(row(&run, "0,0,shear").value, 0.9 / 2));
    CHECK(row(&run, "0,3,hits").value == 1 && is_near(row(&run, "0,3,pressure").value, 1.2 / 2));
    CHECK(is_near(row(&run, "0,3,shear").value, -0.9 / 2)); /* from (4, 6) downwards */
    CHECK(row(&run, "1,0,hits").value == 1 && row(&run, "1,1,hits").value == 1);
    CHECK(is_near(row(&run, "1,0,shear").value, 1.2 / 4));
    CHECK(is_near(row(&run, "1,1,shear").value, 1.2 / 4));
}

/* In the middle between two sides, a corner belongs to the side that begins there. */
TEST(a_corner_in_the_middle)
{
    OWNED(measurement, run);
    begin(&run, 1, 0, 0);
    hit(&run, 3, polygons_feature(SQUARE, 1), 3.5, 3.5, 1, 1);
    finish(&run);
    CHECK(row(&run, "0,0,hits").value == 1 && row(&run, "0,3,hits").value == 0);
}

/* An image of the square across a seam has its centre there. */
TEST(an_image)
{
    OWNED(measurement, run);
    const struct collision collision = {.time = 1,
                                        .partner = PARTNER_BOUNDARY,
                                        .feature = polygons_feature(SQUARE, 0),
                                        .a = {.x = 24.5, .y = 3, .v_before = 2, .mass = 3},
                                        .shift = {20, 0}};
    begin(&run, 1, 0, 0);
    collide(&run, &collision);
    finish(&run);
    CHECK(row(&run, "0,all,torque").value == -0.5 * 6 / 10);
}

/* Equal hits in each block have no error; hits in the first half only have one that blocks do not
 * show. */
TEST(errors)
{
    OWNED(measurement, run);
    begin(&run, 1, 0, 0);
    for (int k = 0; k < BLOCKS; k++) {
        hit(&run, (k + 0.5) * 10 / BLOCKS, polygons_feature(SQUARE, 0), 5, 3, 0, 2);
        if (k < BLOCKS / 2)
            hit(&run, (k + 0.5) * 10 / BLOCKS, polygons_feature(WALL, 0), 9, 6, 1, 0);
    }
    finish(&run);
    const struct block_estimate even = row(&run, "0,all,force_y");
    CHECK(fabs(even.value - 0.6 * BLOCKS) < 1e-9 && even.error == 0);
    const struct block_estimate uneven = row(&run, "1,all,force_x");
    CHECK(fabs(uneven.value - 0.3 * BLOCKS / 2) < 1e-9 && isnan(uneven.error));
}

/* Each row of a series has what has been gained since the one before. */
TEST(a_series)
{
    OWNED(measurement, run);
    begin(&run, 1, 5, 0);
    CHECK(run.observer->next_sample == 5);
    hit(&run, 1, polygons_feature(WALL, 0), 9, 6, 1, 0);
    for (int k = 1; k <= 2; k++) {
        const struct snapshot now = {5 * k, &run.system, NULL};
        CHECK(!run.observer->operations->sample(run.observer, &now, &failure));
    }
    finish(&run);
    CHECK(strstr(run.text, "\n1,all,force_x,0.6,,0,5\n") != NULL);
    CHECK(strstr(run.text, "\n1,all,force_x,0,,5,10\n") != NULL);
    const char *mean = strstr(run.text, "\n1,all,force_x,0.3,");
    CHECK(mean && strstr(mean, ",0,10\n") == strchr(mean + 1, '\n') - strlen(",0,10"));
}

/* A particle with this mass comes in at y. */
static void come_in(struct measurement *run, double time, double mass, double y)
{
    const struct collision passage = {.time = time,
                                      .partner = PARTNER_BOUNDARY,
                                      .feature = FEATURE_LEFT,
                                      .is_reinjection = 1,
                                      .a = {.y = y, .mass = mass}};
    collide(run, &passage);
}

/* Particles of two masses come in everywhere, and the square is hit; with `is_uneven`, as many come
 * in only above the square, which is at a tenth of the height. */
static void flow(struct measurement *run, size_t count, int is_uneven)
{
    begin(run, count, 0, 2);
    for (int k = 0; k < 1000; k++) {
        const double time = (k + 0.5) / 100;
        const double mass = k % 4 == 0 ? 4 : 1;
        come_in(run, time, mass, 20 * fmod(k * 0.381966, 1));
        if (is_uneven)
            come_in(run, time, mass, 10 + 5 * fmod(k * 0.381966, 1));
        hit(run, time, polygons_feature(SQUARE, 0), 5, 3, 0, k % 4 == 0 ? 2 : 1);
    }
    finish(run);
}

/* Coefficients are divided by q, of the speed 2, and the length 1 or that of a side, 2. */
TEST(inflow)
{
    struct measurement run;
    const struct stream stream = stream_make(2, 1, 0);
    const double mean[2] = {20 * stream_mean_speed(&stream, 1, 1),
                            20 * stream_mean_speed(&stream, 4, 1)};
    const double number = 75 / mean[0] + 25 / mean[1];
    const double mass = 75 / mean[0] + 100 / mean[1];
    const double ratio = 3 * 125 / mass;
    const double free_area = 20 * 20 - 2 * 2;
    const size_t count = (size_t)(number * free_area + 0.5);
    flow(&run, count, 0);
    CHECK(fabs(row(&run, ",all,stream_density").value - number) < 1e-9);
    CHECK(fabs(row(&run, ",all,stream_density_ratio").value - number * free_area / (double)count) <
          1e-9);
    const struct block_estimate lift = row(&run, "0,all,lift_coefficient");
    CHECK(fabs(lift.value - ratio / 2) < 1e-9);
    /* Both go up and down together, so that their ratio is known better than either. */
    const struct block_estimate force = row(&run, "0,all,force_y");
    const double uneven = (number * free_area / (double)count - 1) / 2 * lift.value;
    CHECK(lift.error > fabs(uneven));
    CHECK(sqrt(lift.error * lift.error - uneven * uneven) / lift.value < force.error / force.value);
    const struct block_estimate side = row(&run, "0,0,pressure_coefficient");
    CHECK(fabs(side.value + number / (2 * mass) - ratio / 4) < 1e-9);
    CHECK(side.error < 0.01 * ratio / 4);
    const struct block_estimate inflow = row(&run, "0,all,inflow_ratio");
    CHECK(fabs(inflow.value - 1) < 0.05 && inflow.error < 0.05);
    measurement_free(&run);
    flow(&run, count, 1);
    CHECK(fabs(row(&run, "0,all,inflow_ratio").value - 0.5) < 0.1);
    measurement_free(&run);
}

/* Whether there is a warning of a force that is `first` in each block of the first half and
 * `second` in those of the second, both obstacles together, and 1 more or less in every other part
 * of 64 blocks; with these words. */
static int warns(double first, double second, const char *words)
{
    struct measurement run;
    begin(&run, 1, 0, 2);
    for (int k = 0; k < BLOCKS; k++) {
        const double force = (k < BLOCKS / 2 ? first : second) + (k / 64 % 2 ? 1 : -1);
        hit(&run, (k + 0.5) * 10 / BLOCKS, polygons_feature(SQUARE, 0), 5, 3, force / 4, 0);
        hit(&run, (k + 0.5) * 10 / BLOCKS, polygons_feature(WALL, 0), 9, 6, force / 12, 0);
    }
    finish(&run);
    const char *warning = forces_warning(run.observer);
    const int is_there = warning && strstr(warning, words);
    measurement_free(&run);
    return is_there;
}

/* Parts scatter by 64 around the mean of their half, so its error is 64 / sqrt(7). */
TEST(drift)
{
    CHECK(!warns(3, 3, "differs") && !warns(3, 5.1, "differs"));
    CHECK(warns(3, 5.2, "by 4.1 standard errors"));
    CHECK(warns(3, 3003, "by 5612.5 standard errors"));
    CHECK(warns(-1, -3001, "by 5612.5 standard errors"));
}
