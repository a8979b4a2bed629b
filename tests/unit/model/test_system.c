/* Tests of what is accepted as a system, and of the order of its particles. */
#include "check.h"

static int radius_is_fine(double radius)
{
    return system_check_kind(&(struct particle_kind){radius, 1, 0}, &failure) == STATUS_DONE;
}

TEST(radius)
{
    CHECK(radius_is_fine(0) && radius_is_fine(0.5) && radius_is_fine(1e-40));
    CHECK(!radius_is_fine(-1) && !radius_is_fine(-1e-300));
    CHECK(!radius_is_fine(1e41) && !radius_is_fine(1e-41));
}

static int box_is_fine(double radius, double width, double height, unsigned periodic)
{
    struct particle particle = {.x = radius, .y = radius};
    struct system system =
        arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, radius, width, height);
    system.boundary.periodic = periodic;
    return system_check_box(&system.boundary, &failure) == STATUS_DONE &&
           system_check_particle(&system, 0, &failure) == STATUS_DONE;
}

TEST(box)
{
    const unsigned both = PERIODIC_X | PERIODIC_Y;
    CHECK(box_is_fine(1, 2, 2, 0) && box_is_fine(0, 1, 1e-10, 0) && box_is_fine(0.3, 0.6, 9, 0));
    CHECK(!box_is_fine(1, 1.99, 20, 0) && !box_is_fine(1, 20, 1.99, 0));
    CHECK(!box_is_fine(0, 0, 1, 0) && !box_is_fine(0, 1, 0, 0) && !box_is_fine(0, -1, 1, 0));
    CHECK(!box_is_fine(0, 1e300, 1, 0) && !box_is_fine(0, 1, 1e-300, 0));
    CHECK(box_is_fine(1, 4, 4, both) && box_is_fine(1, 4, 2, PERIODIC_X));
    CHECK(!box_is_fine(1, 3.99, 4, both) && !box_is_fine(1, 20, 3.99, PERIODIC_Y));
}

static int particle_is_fine(double x, double y, double u)
{
    /* radius 0.1, so that x from 0.1 to 0.2 and y from 0.1 to 0.9 are inside */
    struct particle particle = {.x = x, .y = y, .u = u};
    const struct system system =
        arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 0.1, 0.3, 1);
    return system_check_particle(&system, 0, &failure) == STATUS_DONE;
}

TEST(particles_must_be_inside)
{
    CHECK(particle_is_fine(0.15, 0.5, 1));
    CHECK(particle_is_fine(0.1, 0.1, 1));
    CHECK(particle_is_fine(0.2, 0.9, 1)); /* touches, though 0.3 - 0.1 < 0.2 in binary */
    CHECK(!particle_is_fine(0.0999999, 0.5, 1) && !particle_is_fine(0.2000001, 0.5, 1));
    CHECK(!particle_is_fine(0.15, 0.0999999, 1) && !particle_is_fine(0.15, 0.9000001, 1));
    CHECK(!particle_is_fine(-5, 0.5, 1) && !particle_is_fine(0.15, 1e30, 1));
    CHECK(!particle_is_fine(0.15, 0.5, 1e200) && !particle_is_fine(0.15, 0.5, -1e200));
}

TEST(the_fastest_and_the_last)
{
    struct particle particles[] = {{.u = 1, .v = 2}, {.u = -4, .v = 3, .t = 7}, {.v = -5, .t = 6}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 0, 0, 0);
    CHECK(system_fastest(&system) == 4 && system_last_time(&system) == 7);
    system.count = 3;
    CHECK(system_fastest(&system) == 5 && system_last_time(&system) == 7);
    system.count = 0;
    CHECK(system_fastest(&system) == 0 && system_last_time(&system) == 0);
}

/* Shuffled particles come back with their counts, few by exchanges and many by another block. */
static void check_order(size_t count, size_t from)
{
    struct random_generator random = random_from(count);
    OWNED(system, system) = {.count = count};
    if (!CHECK(system_reserve(&system, count, &failure) == STATUS_DONE))
        return;
    for (size_t k = 0; k < count; k++) {
        system.particles[k].x = (double)k;
        system.counts[k] = (struct particle_counts){k, 2 * k, 3 * (int64_t)k, -(int64_t)k};
    }
    for (size_t k = from; k < count; k++)
        system_exchange(&system, k, k + random_below(&random, count - k));
    system_restore_order(&system);
    int is_right = 1;
    for (size_t k = 0; k < count; k++) {
        const struct particle_counts *counts = &system.counts[k];
        is_right &= system.particles[k].id == (int32_t)k && system.particles[k].x == (double)k;
        is_right &= counts->walls == k && counts->particles == 2 * k &&
                    counts->x_image == 3 * (int64_t)k && counts->y_image == -(int64_t)k;
    }
    CHECK(is_right);
}

TEST(the_order_is_restored)
{
    check_order(1, 0);
    check_order(2, 0);
    check_order(1000, 0);
    check_order(100000, 0);
    check_order(100000, 5000);
    check_order(100000, 99990);
    check_order(100000, 100000);
}
