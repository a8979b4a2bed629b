/*
 * Tests of placing at random: no overlap, no disk outside, everywhere as likely, and an end where
 * there is no room.
 */
#include "generate/random_placement.h"

#include "base/memory.h"
#include "check.h"
#include "model/overlap.h"
#include "random_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct system empty_system(size_t count, double area_fraction, double aspect)
{
    struct error error;
    double area = 3.14159265358979 * (double)count / area_fraction;
    struct system system = {.count = count,
                            .radius = 1,
                            .boundary.width = fmax(2, sqrt(area * aspect)),
                            .boundary.height = fmax(2, sqrt(area / aspect))};
    if (system_reserve(&system, 0, count, &error))
        exit(EXIT_FAILURE);
    for (size_t k = 0; k < count; k++) {
        system.particles[k].u = 5;
        system.particles[k].v = 7;
    }
    return system;
}

/* Places all. Returns whether there was room. */
static int scatter(struct system *system, uint64_t seed, double step)
{
    struct error error;
    struct random_generator generator;
    const struct disk_group group = {0, system->count, 1};
    size_t placed = 0;
    const struct decimals decimals =
        number_choose_decimals(step, fmax(system->boundary.width, system->boundary.height));
    random_seed(&generator, seed);
    CHECK(place_at_random(system, &group, 1, &decimals, &generator, &placed, &error) ==
          STATUS_DONE);
    CHECK(placed <= system->count);
    const int is_placed = placed == system->count;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(p->u == 5 && p->v == 7 && p->t == 0 && p->id == (int32_t)k);
        CHECK(!is_placed || p->x == number_round(&decimals, p->x) || p->x == 1 ||
              p->x == system->boundary.width - 1);
    }
    return is_placed;
}

static void check_places(const struct system *system)
{
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(p->x >= 1 && p->x <= system->boundary.width - 1 && p->y >= 1 &&
              p->y <= system->boundary.height - 1);
        for (size_t j = 0; j < k; j++)
            CHECK(hypot(p->x - system->particles[j].x, p->y - system->particles[j].y) >= 2);
    }
}

/* Decimals may be coarse: rounding takes no disk out of the box or into another one. */
static void test_no_overlap_and_no_escape(void)
{
    struct random_generator random = random_from(1);
    int placed = 0;
    int rounds = check_is_thorough() ? 400 : 60;
    for (int round = 0; round < rounds; round++) {
        size_t count = 1 + random_below(&random, 300);
        struct system system = empty_system(count, 0.01 + 0.44 * random_unit(&random),
                                            pow(1e4, random_unit(&random) - 0.5));
        if (scatter(&system, (uint64_t)round, round % 2 ? 0.25 : 1e-6)) {
            check_places(&system);
            placed++;
        }
        system_free(&system);
    }
    CHECK(placed > rounds * 3 / 4);
}

/* Up to 0.45 there is always room, in boxes more than a few disks wide. */
static void test_there_is_room(void)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct system system = empty_system(check_is_quick() ? 1000 : 5000, 0.45, 1);
        CHECK(scatter(&system, seed, 1e-6));
        struct overlap overlap;
        struct error error;
        CHECK(overlap_find(&system, &overlap, &error) == STATUS_DONE && !overlap.found);
        system_free(&system);
    }
}

/* Where not all find a place, that is said, and soon. */
static void test_no_room(void)
{
    static const double fractions[] = {0.6, 0.9, 3};
    for (size_t k = 0; k < 3; k++) {
        struct system system = empty_system(500, fractions[k], 1);
        CHECK(!scatter(&system, 1, 1e-6));
        system_free(&system);
    }
    struct system one = empty_system(1, 0.7, 1); /* in a box it just fits into */
    CHECK(scatter(&one, 1, 1e-6));
    check_places(&one);
    system_free(&one);
}

/* Parts of the box get as many as others, whether tiles or cells end there or not. */
static void test_everywhere_is_as_likely(void)
{
    enum { PARTS = 10, COUNT = 20000 };
    for (int shape = 0; shape < 2; shape++) {
        int found[PARTS][PARTS] = {{0}};
        double sum = 0;
        struct system system = empty_system(COUNT, 1e-3, shape ? 30 : 1);
        CHECK(scatter(&system, 9, 1e-6));
        for (size_t k = 0; k < COUNT; k++) {
            const struct particle *p = &system.particles[k];
            int column = (int)(PARTS * (p->x - 1) / (system.boundary.width - 2));
            int row = (int)(PARTS * (p->y - 1) / (system.boundary.height - 2));
            found[row < PARTS ? row : PARTS - 1][column < PARTS ? column : PARTS - 1]++;
        }
        for (int k = 0; k < PARTS * PARTS; k++) {
            double excess = found[k / PARTS][k % PARTS] - COUNT / 100.0;
            sum += excess * excess / (COUNT / 100.0);
        }
        CHECK(sum > 40 && sum < 170); /* chi squared: 99, and five standard deviations of 14 */
        system_free(&system);
    }
}

static double distance(double a, double b, double length, unsigned is_periodic)
{
    double direct = fabs(a - b);
    return is_periodic ? fmin(direct, length - direct) : direct;
}

/* Groups of different disks, the largest first, in periodic boxes: no images overlap, and the room
 * at the seams is used. */
static void test_groups_and_seams(void)
{
    static const struct disk_group groups[] = {{300, 40, 2}, {0, 200, 1}, {200, 100, 0.3}};
    for (unsigned periodic = 1; periodic <= 3; periodic++) {
        struct error error;
        struct random_generator generator = random_from(periodic);
        struct system system = empty_system(340, 0.35, 1); /* 0.38 with these radii */
        const struct boundary *box = &system.boundary;
        const struct decimals decimals = number_choose_decimals(1e-9, box->width);
        size_t placed = 0;
        int near_seam = 0;
        system.boundary.periodic = periodic;
        CHECK(place_at_random(&system, groups, 3, &decimals, &generator, &placed, &error) ==
              STATUS_DONE);
        CHECK(placed == 340);
        for (size_t k = 0; k < 340; k++) {
            const struct particle *p = &system.particles[k];
            const double radius = k >= 300 ? 2 : k < 200 ? 1 : 0.3;
            CHECK(p->x >= 0 && p->x < box->width && p->y >= 0 && p->y < box->height);
            near_seam += p->x < radius || p->y < radius;
            for (size_t j = 0; j < k; j++) {
                const struct particle *q = &system.particles[j];
                const double other = j >= 300 ? 2 : j < 200 ? 1 : 0.3;
                CHECK(hypot(distance(p->x, q->x, box->width, periodic & PERIODIC_X),
                            distance(p->y, q->y, box->height, periodic & PERIODIC_Y)) >
                      radius + other);
            }
        }
        CHECK(near_seam > 0);
        system_free(&system);
    }
}

static void test_seeds(void)
{
    struct system first = empty_system(3000, 0.4, 2);
    struct system again = system_copy(&first);
    struct system other = system_copy(&first);
    CHECK(scatter(&first, 5, 1e-6) && scatter(&again, 5, 1e-6) && scatter(&other, 6, 1e-6));
    size_t bytes = first.count * sizeof *first.particles;
    CHECK(memcmp(first.particles, again.particles, bytes) == 0);
    CHECK(memcmp(first.particles, other.particles, bytes) != 0);
    system_free(&first);
    system_free(&again);
    system_free(&other);
}

int main(void)
{
    RUN(test_no_overlap_and_no_escape);
    RUN(test_there_is_room);
    RUN(test_no_room);
    RUN(test_everywhere_is_as_likely);
    RUN(test_groups_and_seams);
    RUN(test_seeds);
    return check_finish();
}
