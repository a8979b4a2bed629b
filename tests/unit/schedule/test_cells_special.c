/*
 * Special cases of the cells schedule: what random systems never show, and what was once wrong.
 */
#include "agreement.h"
#include "base/memory.h"
#include "check.h"
#include "odd_system.h"
#include "run/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How many inputs of each kind. */
static int rounds(int most)
{
    return check_is_thorough() ? most : (most + 9) / 10;
}

/* Touching disks that approach, and disks at walls, collide at END_TIME 0. */
static void test_end_time_zero(void)
{
    struct random_generator random = random_from(55);
    for (int round = 0; round < rounds(60); round++) {
        struct system system = tied_system(&random, round % 2 ? TIED_BLOCK : TIED_POINTS);
        CHECK(agreement_check(&system, 0, 1));
        system_free(&system);
    }
}

/* Rows from wall to wall that have no room to move, among others that have. */
static void test_wedged_disks_are_noticed_by_both(void)
{
    struct random_generator random = random_from(58);
    for (size_t columns = 1; columns <= (check_is_thorough() ? 4 : 2); columns++) {
        for (size_t rows = 1; rows <= 3; rows += 2) {
            struct system system = random_lattice(&random, columns, rows, 0);
            struct error error = {0};
            struct error other_error = {0};
            system.boundary.height += 3;
            for (size_t k = 0; k < system.count; k++)
                system.particles[k].u = k % 2 ? -1 : 1;
            struct system twin = system_copy(&system);
            CHECK(agreement_run(SCHEDULE_ARRAY, &system, 10, &error) == STATUS_BAD_DATA);
            CHECK(agreement_run(SCHEDULE_CELLS, &twin, 10, &other_error) == STATUS_BAD_DATA);
            CHECK(agreement_is_same(&system, &twin));
            CHECK(strcmp(error.message, other_error.message) == 0);
            system_free(&system);
            system_free(&twin);
        }
    }
}

/* The cells leave the particles in the memory's order, and still tell which is which. */
static void test_particles_keep_their_ids(void)
{
    struct random_generator random = random_from(59);
    struct error error;
    struct system system = random_system(&random, 300, 0.2, 2);
    struct schedule *schedule = NULL;
    CHECK(schedule_create(SCHEDULE_CELLS, &system, 5, &schedule, &error) == STATUS_DONE);
    CHECK(simulation_run(&system, schedule, 5, NULL, &error) == STATUS_DONE);
    schedule_free(schedule);
    int moved = 0;
    for (size_t k = 0; k < system.count; k++)
        moved += system.particles[k].id != (int32_t)k;
    CHECK(moved > 0);
    system_restore_order(&system);
    for (size_t k = 0; k < system.count; k++)
        CHECK(system.particles[k].id == (int32_t)k);
    system_free(&system);
}

/* A dense cluster so far from the origin that coordinates have few digits left for it, or none. */
static void test_far_from_the_origin(void)
{
    struct random_generator random = random_from(72);
    for (int round = 0; round < rounds(100); round++) {
        const double side = pow(10, 12 + 4 * random_unit(&random));
        const size_t count = 20 + random_below(&random, 100);
        const double area_fraction = 0.55 + 0.25 * random_unit(&random);
        struct system system = generated_system(count, area_fraction, 1, 1, (uint64_t)round);
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].x += side - system.boundary.width;
            system.particles[k].y += side - system.boundary.height;
        }
        system.boundary.width = system.boundary.height = side;
        if (!agreement_check(&system, 4, 0))
            printf("this was round %d: a box of %g\n", round, side);
        system_free(&system);
    }
}

/* Where END_TIME comes before anything, nothing happens. */
static void test_nothing_happens_before_the_end(void)
{
    struct random_generator random = random_from(70);
    for (size_t count = 1; count < 100; count += 7) {
        struct system system = random_system(&random, count, 0.1, 1);
        struct system still = system_copy(&system);
        CHECK(agreement_check(&system, 1e-9, 0));
        CHECK(agreement_is_same(&system, &still));
        for (size_t k = 0; k < count; k++)
            still.particles[k].u = still.particles[k].v = 0;
        CHECK(agreement_check(&still, SYSTEM_LARGEST, 0));
        system_free(&system);
        system_free(&still);
    }
}

/* A forged checkpoint may have particles so far from the box that they seem to stand still. */
static void test_particles_far_out_of_the_box(void)
{
    static const double places[] = {1e20, -1e30, 1e126};
    struct random_generator random = random_from(74);
    for (int round = 0; round < 12; round++) {
        struct system system = odd_system(&random, ODD_GROUPS); /* for which cells are folded */
        struct error error;
        if (round % 4 > 0)
            random_periodic(&random, &system, (unsigned)round % 4);
        system.particles[0].x = places[round % 3];
        system.particles[1].y = places[round / 3 % 3];
        alarm(60); /* it has been seen to hang */
        (void)agreement_run(SCHEDULE_CELLS, &system, 1, &error);
        alarm(0);
        system_free(&system);
    }
}

/* The only event is so soon that the inverse of its time is infinite. */
static void test_an_event_almost_at_once(void)
{
    struct random_generator random = random_from(71);
    struct system system = random_lattice(&random, 2, 1, 1);
    system.radius = 0;
    memset(system.particles, 0, sizeof *system.particles);
    system.particles[0].y = 0.5;
    system.particles[0].x = 1e-305;
    system.particles[0].u = -1e5;
    system.particles[1].u = system.particles[1].v = 0;
    alarm(60); /* it has been seen to hang */
    CHECK(agreement_check(&system, 1e-6, 1));
    alarm(0);
    system_free(&system);
}

/* Many particles that cross many cells without an event have to arrive; once they never did. */
static void test_many_crossings_without_an_event(void)
{
    struct random_generator random = random_from(1);
    for (int round = 0; round < 2; round++) {
        struct system system = random_lattice(&random, 30, 30, 0.5);
        system.boundary.width = round == 0 ? 10000 : 100;
        system.boundary.height = round == 1 ? 10000 : 100;
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = round == 0;
            system.particles[k].v = round == 1;
        }
        alarm(60);
        CHECK(agreement_check(&system, 12000, 0));
        alarm(0);
        system_free(&system);
    }
}

/* A large disk comes back from a wall among many at rest, on both sides of its way. */
static void test_a_large_disk_that_meets_two_at_once(void)
{
    struct random_generator random = random_from(75);
    struct error error;
    struct system system = random_lattice(&random, 20, 30, 6);
    struct kind *kinds = memory_allocate(2, sizeof *kinds, "the kinds", &error);
    kinds[0] = (struct kind){.radius = 1, .mass = 1};
    kinds[1] = (struct kind){.radius = 16, .mass = 1};
    system.boundary.width = system.boundary.height = 256;
    system.kinds = kinds;
    system.kind_count = 2;
    system.law = (struct law){.rule = RULE_ELASTIC, .restitution = 1};
    for (size_t k = 0; k < system.count; k++) {
        const size_t row = k / 20 < 15 ? k / 20 : k / 20 + 1;
        const double x = 96 + 8 * (double)(k % 20);
        system.particles[k] = (struct particle){.x = x, .y = 8 + 8 * (double)row, .id = (int32_t)k};
    }
    system.particles[599] = (struct particle){.x = 32, .y = 128, .u = -1, .id = 599, .kind = 1};
    CHECK(agreement_check(&system, 250, 0));
    CHECK(system.counts[599].particles > 1 && system.counts[599].walls == 1);
    system_free(&system);
}

/* More than a chain of cells can number are refused before anything is done, even if a checkpoint
 * has them. */
static void test_too_many_particles(void)
{
    struct error error;
    struct schedule *schedule = NULL;
    struct system system = {
        .count = ((size_t)1 << 28) + 1, .radius = 1, .boundary.width = 9, .boundary.height = 9};
    CHECK(schedule_check(SCHEDULE_CELLS, 1000000, &error) == STATUS_DONE);
    CHECK(schedule_check(SCHEDULE_CELLS, UINT64_MAX, &error) == STATUS_NO_MEMORY);
    CHECK(schedule_check(SCHEDULE_CELLS, system.count, &error) != STATUS_DONE);
    CHECK(schedule_create(SCHEDULE_CELLS, &system, 1, &schedule, &error) != STATUS_DONE);
    CHECK(schedule == NULL);
}

int main(void)
{
    RUN(test_end_time_zero);
    RUN(test_wedged_disks_are_noticed_by_both);
    RUN(test_particles_keep_their_ids);
    RUN(test_far_from_the_origin);
    RUN(test_nothing_happens_before_the_end);
    RUN(test_particles_far_out_of_the_box);
    RUN(test_an_event_almost_at_once);
    RUN(test_many_crossings_without_an_event);
    RUN(test_a_large_disk_that_meets_two_at_once);
    RUN(test_too_many_particles);
    return check_finish();
}
