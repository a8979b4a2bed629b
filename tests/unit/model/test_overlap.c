/* Tests of the search for overlaps; of disks of several radii in test_overlap_mixed.c. */
#include "model/overlap.h"

#include "base/memory.h"
#include "check.h"
#include "random_system.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* The same question for equal disks, answered by looking at all pairs. */
static int overlaps_by_all_pairs(const struct system *system)
{
    for (size_t i = 0; i < system->count; i++)
        for (size_t j = i + 1; j < system->count; j++)
            if (hypot(system->particles[i].x - system->particles[j].x,
                      system->particles[i].y - system->particles[j].y) <
                2 * system->radius * (1 - 1e-12))
                return 1;
    return 0;
}

static struct overlap find(const struct system *system)
{
    struct error error;
    struct overlap overlap;
    CHECK(overlap_find(system, &overlap, &error) == STATUS_DONE);
    return overlap;
}

/* Disks anywhere, overlapping or not, in boxes of many shapes: about half have an overlap. */
static void test_overlaps_are_found_exactly_where_they_are(void)
{
    struct random random = {3};
    int found = 0;
    for (int round = 0; round < 2000; round++) {
        size_t count = 2 + random_below(&random, 12);
        struct system system = random_system(&random, count, 0.02, 0.02 + random_uniform(&random));
        for (size_t k = 0; k < count; k++) {
            system.particles[k].x = 1 + (system.boundary.width - 2) * random_uniform(&random);
            system.particles[k].y = 1 + (system.boundary.height - 2) * random_uniform(&random);
        }
        struct overlap overlap = find(&system);
        CHECK(overlap.found == overlaps_by_all_pairs(&system));
        if (overlap.found) {
            found++;
            const struct particle *p = &system.particles[overlap.first];
            const struct particle *q = &system.particles[overlap.second];
            CHECK(overlap.first < overlap.second);
            CHECK(overlap.distance == hypot(p->x - q->x, p->y - q->y));
            CHECK(overlap.distance < 2);
        }
        system_free(&system);
    }
    CHECK(found > 500 && found < 1500);
}

static void test_touching_is_not_overlapping(void)
{
    struct random random = {4};
    struct system lattice = random_lattice(&random, 30, 20, 0);
    CHECK(!find(&lattice).found);
    lattice.particles[17].x -= 1e-9;
    CHECK(find(&lattice).found);
    system_free(&lattice);
}

/* Where a grid or a plain sweep would take N^2 steps: the alarm would end the program. */
static void test_no_shape_makes_the_search_quadratic(void)
{
    enum { COUNT = 400000 };
    alarm(60);
    struct error error;
    struct particle *particles = memory_allocate(COUNT, sizeof *particles, "particles", &error);
    if (!CHECK(particles != NULL))
        return;
    memset(particles, 0, COUNT * sizeof *particles);
    struct system system = {.count = COUNT,
                            .radius = 0.5,
                            .boundary.width = 1e9,
                            .boundary.height = 1e9,
                            .particles = particles};
    for (size_t k = 0; k < COUNT; k++) { /* a square in a corner of a huge box */
        particles[k].x = 0.5 + (double)(k % 600);
        particles[k].y = 0.5 + (double)(k / 600);
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < COUNT; k++) { /* a column */
        particles[k].x = 0.5;
        particles[k].y = 0.5 + (double)k;
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < COUNT; k++) /* a row */
        particles[k].x = particles[k].y;
    for (size_t k = 0; k < COUNT; k++)
        particles[k].y = 0.5;
    CHECK(!find(&system).found);
    for (size_t k = 1; k < COUNT; k += 2) { /* two rows */
        particles[k].x = particles[k - 1].x;
        particles[k].y = 1.5;
    }
    CHECK(!find(&system).found);
    for (size_t k = 0; k < COUNT; k++) { /* two far corners, each a square */
        double corner = k % 2 ? 1e9 - 1000 : 0.5;
        particles[k].x = corner + (double)(k / 2 % 500);
        particles[k].y = corner + (double)(k / 2 / 500);
    }
    CHECK(!find(&system).found);
    particles[COUNT - 1].y -= 0.1;
    CHECK(find(&system).found && find(&system).second == COUNT - 1);
    system.radius = 1e-20; /* more rows than a double can count */
    CHECK(!find(&system).found);
    system.radius = 0.5;
    for (size_t k = 0; k < COUNT; k++) /* all at one place */
        particles[k].x = particles[k].y = 7;
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 1);
    system.radius = 1e-20; /* as good as points, all at one place */
    CHECK(!find(&system).found);
    system_free(&system);
    alarm(0);
}

/* Kinds that do not differ in size are no reason for another search. */
static void test_kinds_of_equal_radii(void)
{
    struct kind kinds[] = {{2, 1, 0}, {2, 5, 1}};
    struct particle particles[] = {
        {.x = 5, .y = 5}, {.x = 9, .y = 5, .kind = 1}, {.x = 13, .y = 5}};
    struct system system = {.count = 3,
                            .radius = 1,
                            .boundary.width = 1e9,
                            .boundary.height = 1e9,
                            .particles = particles,
                            .counts = (struct counts[3]){{0}},
                            .kind_count = 2,
                            .kinds = kinds};
    CHECK(!find(&system).found);
    particles[1].x = 8.5;
    CHECK(find(&system).found && find(&system).first == 0 && find(&system).second == 1);
}

int main(void)
{
    RUN(test_overlaps_are_found_exactly_where_they_are);
    RUN(test_touching_is_not_overlapping);
    RUN(test_no_shape_makes_the_search_quadratic);
    RUN(test_kinds_of_equal_radii);
    return check_finish();
}
