/*
 * Tests of relaxation: whatever is said to be placed overlaps nowhere, and what cannot be is not.
 */
#include "generate/relaxation.h"

#include "base/memory.h"
#include "check.h"
#include "random_system.h"

#include <math.h>
#include <stdlib.h>

/* Half of the disks with radius 1, the others with `ratio`, in a box with periodic axes. */
static struct system mixture(size_t count, double ratio, double area_fraction, unsigned periodic)
{
    struct error error;
    double area = 3.14159265358979 * (double)count * (1 + ratio * ratio) / 2 / area_fraction;
    struct system system = {.count = count, .radius = 1, .kind_count = 2};
    system.boundary.width = 1.5 * sqrt(area / 1.5);
    system.boundary.height = sqrt(area / 1.5);
    system.boundary.periodic = periodic;
    if (system_reserve(&system, 0, count, &error))
        exit(EXIT_FAILURE);
    system.kinds = memory_allocate(2, sizeof *system.kinds, "the kinds", &error);
    if (!system.kinds)
        exit(EXIT_FAILURE);
    system.kinds[0] = (struct kind){1, 1, 0};
    system.kinds[1] = (struct kind){ratio, 1, 1};
    for (size_t k = 0; k < count; k++)
        system.particles[k].kind = k % 2;
    return system;
}

static double distance(double a, double b, double length, unsigned is_periodic)
{
    double direct = fabs(a - b);
    return is_periodic ? fmin(direct, length - direct) : direct;
}

/* No two overlap, by brute force, and all are in the box and at decimals. */
static void check_places(const struct system *system, const struct decimals *decimals)
{
    const struct boundary *box = &system->boundary;
    const unsigned x_periodic = box->periodic & PERIODIC_X;
    const unsigned y_periodic = box->periodic & PERIODIC_Y;
    for (size_t j = 0; j < system->count; j++) {
        const struct particle *q = &system->particles[j];
        const double x_margin = x_periodic ? 0 : system_radius(system, q);
        const double y_margin = y_periodic ? 0 : system_radius(system, q);
        CHECK(q->x >= x_margin && q->x <= box->width - x_margin);
        CHECK(q->y >= y_margin && q->y <= box->height - y_margin);
        CHECK(q->x == number_round(decimals, q->x) || q->x == x_margin ||
              q->x == box->width - x_margin);
        CHECK(q->u == 0 && q->v == 0 && q->t == 0 && q->kind == j % 2);
        for (size_t i = 0; i < j; i++) {
            const struct particle *p = &system->particles[i];
            double dx = distance(p->x, q->x, box->width, x_periodic);
            double dy = distance(p->y, q->y, box->height, y_periodic);
            CHECK(sqrt(dx * dx + dy * dy) > system_contact(system, p, q));
        }
    }
}

/* Places the disks and checks them. Returns whether there was room. */
static int relax(struct system *system, uint64_t seed)
{
    struct error error;
    struct random_generator generator = random_from(seed);
    const struct decimals decimals =
        number_choose_decimals(1e-9, fmax(system->boundary.width, system->boundary.height));
    int is_placed = -1;
    CHECK(place_by_relaxation(system, &decimals, &generator, &is_placed, &error) == STATUS_DONE);
    CHECK(is_placed == 0 || is_placed == 1);
    if (is_placed)
        check_places(system, &decimals);
    return is_placed;
}

static void test_all_densities_and_boxes(void)
{
    struct random_generator random = random_from(1);
    const int rounds = check_is_thorough() ? 200 : 30;
    for (int round = 0; round < rounds; round++) {
        const double fraction = 0.2 + 0.58 * random_unit(&random);
        struct system system =
            mixture(100 + random_below(&random, 300), 0.2 + 2 * random_unit(&random), fraction,
                    (unsigned)random_below(&random, 4));
        CHECK(relax(&system, (uint64_t)round) || fraction > 0.7);
        system_free(&system);
    }
}

/* As dense as can be asked for, without walls. */
static void test_the_densest(void)
{
    struct system system = mixture(500, 1.4, RELAXATION_MAX_AREA_FRACTION, PERIODIC_X | PERIODIC_Y);
    CHECK(relax(&system, 7));
    system_free(&system);
}

/* More than any packing holds. */
static void test_no_room(void)
{
    struct system system = mixture(60, 1.4, 0.95, 0);
    CHECK(!relax(&system, 1));
    system_free(&system);
}

int main(void)
{
    RUN(test_all_densities_and_boxes);
    RUN(test_the_densest);
    RUN(test_no_room);
    return check_finish();
}
