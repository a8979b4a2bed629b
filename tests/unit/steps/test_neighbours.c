/*
 * Tests of the neighbour search: what it finds near each particle, compared with all pairs of all
 * images.
 */
#include "arranged.h"
#include "base/memory.h"
#include "check.h"
#include "random_system.h"
#include "steps/neighbours.h"

#include <math.h>
#include <string.h>

/* The distance of the nearest images of two coordinates. */
static double nearest(double distance, double side, int is_periodic)
{
    return is_periodic ? distance - side * floor(distance / side + 0.5) : distance;
}

/* What a search among all pairs, or a visit of the found ones, has found: it adds up in any order.
 */
struct found {
    size_t pairs;
    uint64_t digest; /* of the numbers */
    double dx, dy;   /* sums of the distances, weighted with the numbers */
};

static void add(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct found *found = context;
    CHECK(i < j && fabs(dx * dx + dy * dy - square) <= 1e-15 * square);
    found->pairs++;
    found->digest += (i * 1000003 + j) * UINT64_C(0x9e3779b97f4a7c15);
    found->dx += dx * (double)(i + 1);
    found->dy += dy * (double)(j + 1);
}

/* Adds all pairs, but for those whose distance is `range` up to rounding: `doubtful` counts them.
 */
static struct found search_all(const struct system *system, double range, size_t *doubtful)
{
    const struct boundary *boundary = &system->boundary;
    struct found found = {0};
    for (size_t i = 0; i < system->count; i++) {
        for (size_t j = i + 1; j < system->count; j++) {
            const struct particle *p = &system->particles[i];
            const struct particle *q = &system->particles[j];
            const double dx =
                nearest(q->x - p->x, boundary->width, (boundary->periodic & PERIODIC_X) != 0);
            const double dy =
                nearest(q->y - p->y, boundary->height, (boundary->periodic & PERIODIC_Y) != 0);
            const double square = dx * dx + dy * dy;
            *doubtful += fabs(square - range * range) < 1e-12 * range * range;
            if (square < range * range)
                add(&found, i, j, dx, dy, square);
        }
    }
    return found;
}

static int finds_all(struct neighbours *neighbours, const struct system *system, double list_range,
                     double range)
{
    struct error error;
    size_t doubtful = 0;
    struct found found = {0};
    const struct found all = search_all(system, range, &doubtful);
    if (!CHECK(!neighbours_find(neighbours, system, list_range, &error)))
        return 0;
    neighbours_each(neighbours, system, range, add, &found);
    const double scale = 1e-9 * range * (double)(system->count * (all.pairs + 1));
    return doubtful > 0 || (found.pairs == all.pairs && found.digest == all.digest &&
                            fabs(found.dx - all.dx) < scale && fabs(found.dy - all.dy) < scale);
}

/* A box, square or slender, with points in it, some of which lie on its edges. */
static struct system random_points(struct random_generator *random, unsigned periodic)
{
    static const double aspects[] = {1, 1, 30, 1.0 / 30, 1e4};
    const double aspect = aspects[random_below(random, 5)];
    const size_t count = 1 + random_below(random, random_below(random, 4) ? 80 : 3);
    struct system system = arranged_points(random, count, 3 * aspect, 3, periodic);
    for (size_t k = 0; k < count; k++) {
        struct particle *p = &system.particles[k];
        if (random_below(random, 10) == 0)
            p->x = random_below(random, 2) ? 0 : system.boundary.width;
        if (random_below(random, 10) == 0)
            p->y = random_below(random, 2) ? 0 : system.boundary.height;
        if (random_below(random, 10) == 0)
            *p = system.particles[0];
        p->id = (int32_t)k;
    }
    return system;
}

static void test_all_pairs_are_found(void)
{
    struct random_generator random = random_from(18);
    struct neighbours neighbours = {0};
    for (int k = 0; k < (check_is_thorough() ? 3000 : 500); k++) {
        struct system system = random_points(&random, (unsigned)random_below(&random, 4));
        const struct boundary *boundary = &system.boundary;
        const double least = fmin(boundary->width, boundary->height);
        double range = least / 2 * random_unit(&random);
        if (random_below(&random, 10) == 0)
            range = least / 2; /* the most in a periodic box */
        if (random_below(&random, 10) == 0)
            range = 1e-9;
        if (boundary->periodic == 0 && random_below(&random, 5) == 0)
            range = 5 * boundary->width;
        const double shorter = range * random_unit(&random);
        CHECK(finds_all(&neighbours, &system, range, range));
        CHECK(finds_all(&neighbours, &system, range, shorter));
        system_free(&system);
    }
    neighbours_free(&neighbours);
}

/* Constraints may look for neighbours before particles that have passed a seam, or a wall, are
 * brought back. */
static void test_particles_outside_of_the_box(void)
{
    struct random_generator random = random_from(19);
    struct neighbours neighbours = {0};
    for (int k = 0; k < (check_is_thorough() ? 2000 : 300); k++) {
        struct system system = random_points(&random, (unsigned)random_below(&random, 4));
        const double side = fmin(system.boundary.width, system.boundary.height);
        const double range = side * (0.05 + 0.25 * random_unit(&random));
        const double outside = range / 10;
        for (size_t i = 0; i < system.count; i++) {
            struct particle *p = &system.particles[i];
            if (p->x == 0 || p->x == system.boundary.width)
                p->x += outside * (2 * random_unit(&random) - 1);
            if (p->y == 0 || p->y == system.boundary.height)
                p->y += outside * (2 * random_unit(&random) - 1);
        }
        CHECK(finds_all(&neighbours, &system, range, range - outside));
        system_free(&system);
    }
    neighbours_free(&neighbours);
}

/* Cells are in proportion to particles, however small the range is. */
static void test_memory_in_a_huge_box(void)
{
    struct random_generator random = random_from(20);
    struct neighbours neighbours = {0};
    struct error error;
    const double sides[][2] = {{1e40, 1e40}, {1e40, 1e-40}, {1e-40, 1e40}, {1e5, 1e5}};
    for (size_t k = 0; k < sizeof sides / sizeof sides[0]; k++) {
        struct system system =
            arranged_points(&random, 50, sides[k][0], sides[k][1], PERIODIC_X | PERIODIC_Y);
        CHECK(!neighbours_find(&neighbours, &system, 1e-41, &error));
        CHECK((size_t)neighbours.columns * neighbours.rows < 3000);
        CHECK(neighbours.count >= system.count && neighbours.count <= 4 * system.count);
        system_free(&system);
    }
    neighbours_free(&neighbours);
}

/* The order in which pairs come is that of numbers and positions, whatever was listed before. */
struct order {
    uint64_t digest;
};

static void note(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct order *order = context;
    uint64_t bits;
    memcpy(&bits, &square, sizeof bits);
    (void)dx;
    (void)dy;
    order->digest = (order->digest ^ ((uint64_t)i << 32) ^ j ^ bits) * UINT64_C(0x100000001b3);
}

static void test_the_order_has_no_history(void)
{
    struct random_generator random = random_from(21);
    struct neighbours used = {0};
    struct error error;
    for (int k = 0; k < 100; k++) {
        struct system system = random_points(&random, (unsigned)random_below(&random, 4));
        struct neighbours fresh = {0};
        struct order orders[2] = {{0}, {0}};
        CHECK(!neighbours_find(&used, &system, 1, &error));
        CHECK(!neighbours_find(&fresh, &system, 1, &error));
        neighbours_each(&used, &system, 1, note, &orders[0]);
        neighbours_each(&fresh, &system, 1, note, &orders[1]);
        CHECK(orders[0].digest == orders[1].digest);
        neighbours_free(&fresh);
        system_free(&system);
    }
    neighbours_free(&used);
}

/* A velocity without bounds may have made positions that are no numbers: the loop says so later. */
static void test_positions_that_are_not_finite(void)
{
    struct random_generator random = random_from(22);
    struct neighbours neighbours = {0};
    struct error error;
    struct found found = {0};
    struct system system = arranged_points(&random, 4, 3, 3, PERIODIC_X);
    system.particles[0].x = (double)NAN;
    system.particles[1].x = (double)INFINITY;
    system.particles[2].y = -(double)INFINITY;
    CHECK(!neighbours_find(&neighbours, &system, 1, &error));
    neighbours_each(&neighbours, &system, 1, add, &found);
    CHECK(found.pairs == 0);
    neighbours_free(&neighbours);
    system_free(&system);
}

static void test_ranges_too_long_for_a_seam(void)
{
    const struct boundary box = {.width = 10, .height = 4};
    struct boundary along_x = box;
    struct boundary along_y = box;
    struct error error;
    along_x.periodic = PERIODIC_X;
    along_y.periodic = PERIODIC_Y;
    CHECK(!neighbours_check(&box, "it", 1e30, &error));
    CHECK(!neighbours_check(&along_x, "it", 5, &error));
    CHECK(!neighbours_check(&along_y, "it", 2, &error));
    CHECK(neighbours_check(&along_x, "it", 5.1, &error) == STATUS_USAGE);
    CHECK(neighbours_check(&along_y, "it", 2.1, &error) == STATUS_USAGE);
    CHECK(strcmp(error.message,
                 "it reaches 2.1 far, which is more than half of a periodic side, 2: let it reach "
                 "less far, or take a larger box") == 0);
}

int main(void)
{
    RUN(test_all_pairs_are_found);
    RUN(test_particles_outside_of_the_box);
    RUN(test_memory_in_a_huge_box);
    RUN(test_the_order_has_no_history);
    RUN(test_positions_that_are_not_finite);
    RUN(test_ranges_too_long_for_a_seam);
    return check_finish();
}
