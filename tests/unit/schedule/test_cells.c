/*
 * Tests of the cells schedule's answers: they are those of the array schedule, byte for byte, and
 * of the textbook version where that is quick. Special cases are in test_cells_special.c;
 * how it comes to its answers is in test_predictor.c.
 */
#include "agreement.h"
#include "check.h"
#include "odd_system.h"

#include <stdio.h>

/* How many inputs of each kind. */
static int rounds(int most)
{
    return check_is_thorough() ? most : (most + 9) / 10;
}

/* The same up to the time of about `events` collisions; then frees the system. */
static void compare(const char *name, int round, struct system *system, int events)
{
    double end_time = agreement_time(system, check_is_quick() ? events / 10 + 1 : events);
    size_t count = system->count;
    if (!agreement_check(system, end_time, count * count * (size_t)events < 500000))
        printf("this was %s, round %d: %zu disks up to %.17g\n", name, round, count, end_time);
    system_free(system);
}

static void test_random_systems(void)
{
    struct random_generator random = random_from(50);
    for (int round = 0; round < rounds(500); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
        size_t count = 1 + random_below(&random, most);
        double area_fraction = 1e-3 + 0.4 * random_unit(&random);
        struct system system = random_system(&random, count, area_fraction, random_aspect(&random));
        compare("random", round, &system, 1 + (int)random_below(&random, 1500));
    }
}

static void test_dense_systems(void)
{
    struct random_generator random = random_from(51);
    for (int round = 0; round < rounds(250); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 60;
        const size_t count = 1 + random_below(&random, most);
        const double area_fraction = 0.3 + 0.5 * random_unit(&random);
        const double aspect = random_aspect(&random);
        struct system system = generated_system(count, area_fraction, 0.5, aspect, (uint64_t)round);
        compare("dense", round, &system, 1 + (int)random_below(&random, 1500));
    }
}

static void test_unequal_particles(void)
{
    struct random_generator random = random_from(58);
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        for (int round = 0; round < rounds(50); round++) {
            size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
            size_t count = 1 + random_below(&random, most);
            struct system system = mixed_system(&random, (enum mixed_kind)kind, count,
                                                1e-3 + 0.6 * random_unit(&random));
            system.law = (struct law){round % 4 ? RULE_ELASTIC : RULE_SWAP,
                                      round % 3 ? 1 : random_unit(&random), 1e-4};
            compare("unequal", round, &system, 1 + (int)random_below(&random, 1500));
        }
    }
}

static void test_elastic_collisions(void)
{
    struct random_generator random = random_from(59);
    for (int round = 0; round < rounds(100); round++) {
        struct system system = random_system(&random, 1 + random_below(&random, 60), 0.4, 1);
        system.law = (struct law){RULE_ELASTIC, round % 2 ? 1 : random_unit(&random), 1e-4};
        compare("elastic", round, &system, 1 + (int)random_below(&random, 1500));
    }
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        for (int round = 0; round < rounds(20); round++) {
            struct system system = tied_system(&random, (enum tied_kind)kind);
            system.law = (struct law){RULE_ELASTIC, 1, 0};
            compare("elastic and tied", round, &system, 400);
        }
    }
}

static void test_long_runs(void)
{
    struct random_generator random = random_from(52);
    static const size_t counts[] = {3, 20, 50, 100, 200};
    for (int round = 0; round < 3; round++) {
        struct system system =
            random_system(&random, counts[round], 0.1 + 0.05 * round, 1 - 0.1 * round);
        compare("long", round, &system, check_is_thorough() ? 100000 : 20000);
    }
}

static void test_systems_full_of_ties(void)
{
    struct random_generator random = random_from(53);
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "tied kind %d", kind);
        for (int round = 0; round < rounds(30); round++) {
            struct system system = tied_system(&random, (enum tied_kind)kind);
            compare(name, round, &system, 1 + (int)random_below(&random, 1000));
        }
    }
}

static void test_odd_shapes(void)
{
    struct random_generator random = random_from(54);
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "odd kind %d", kind);
        for (int round = 0; round < rounds(30); round++) {
            struct system system = odd_system(&random, (enum odd_kind)kind);
            /* Between groups that are far apart disks pass a million cells. */
            size_t most = kind == ODD_GROUPS ? 100 : 1000;
            compare(name, round, &system, 1 + (int)random_below(&random, most));
        }
    }
}

static struct system any_system(struct random_generator *random, int round)
{
    if (round % 3 == 0)
        return tied_system(random, (enum tied_kind)(round / 3 % TIED_KINDS));
    if (round % 3 == 1)
        return odd_system(random, (enum odd_kind)(round / 3 % ODD_KINDS));
    return random_system(random, 1 + random_below(random, 60), 0.3, 1);
}

/* The same systems, and unequal particles, with seams. */
static void test_periodic_boxes(void)
{
    struct random_generator random = random_from(73);
    for (int round = 0; round < rounds(100); round++) {
        const enum mixed_kind kind = (enum mixed_kind)(round / 4 % MIXED_KINDS);
        size_t most = round % 20 == 3 ? 500 : 60;
        struct system system = round % 4 < 3
                                   ? any_system(&random, round)
                                   : mixed_system(&random, kind, 1 + random_below(&random, most),
                                                  1e-3 + 0.6 * random_unit(&random));
        system.law = (struct law){random_below(&random, 2) ? RULE_ELASTIC : RULE_SWAP,
                                  random_below(&random, 3) ? 1 : random_unit(&random), 1e-4};
        random_periodic(&random, &system, random_axes(&random));
        random_stream(&random, &system);
        compare("periodic", round, &system, 1 + (int)random_below(&random, 400));
    }
}

/* Large disks, among few others, where their blocks of cells reach around the box, and many. */
static void test_large_disks_across_seams(void)
{
    struct random_generator random = random_from(74);
    for (int round = 0; round < rounds(60); round++) {
        struct system system =
            mixed_system(&random, MIXED_FEW_LARGE, 10 + random_below(&random, round % 2 ? 40 : 490),
                         0.05 + 0.5 * random_unit(&random));
        system.law = (struct law){RULE_ELASTIC, 1, 0};
        random_periodic(&random, &system, random_axes(&random));
        compare("large disks, periodic", round, &system, round % 2 ? 6000 : 400);
    }
}

/* Anchors are all that a run needs to go on, with either schedule after either. */
static void test_a_run_can_be_continued(void)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_ARRAY, SCHEDULE_CELLS};
    struct random_generator random = random_from(56);
    struct error error;
    for (int round = 0; round < rounds(60); round++) {
        struct system start = any_system(&random, round);
        double end_time = agreement_time(&start, 400);
        double stop = random_below(&random, 4) ? end_time * random_unit(&random) : end_time;
        struct system whole = system_copy(&start);
        enum status status = agreement_run(SCHEDULE_ARRAY, &whole, end_time, &error);
        for (int way = 0; way < 4; way++) {
            struct system parts = system_copy(&start);
            CHECK(agreement_run(kinds[way / 2], &parts, stop, &error) == STATUS_DONE);
            CHECK(agreement_run(kinds[way % 2], &parts, end_time, &error) == status);
            CHECK(agreement_is_same(&parts, &whole));
            system_free(&parts);
        }
        system_free(&whole);
        system_free(&start);
    }
}

/* As if the run had been going on for long: times have few digits left for what comes now. */
static void test_late_anchors(void)
{
    static const double starts[] = {1e3, 1e6, 0x1p20, 1e9};
    struct random_generator random = random_from(57);
    for (int round = 0; round < rounds(60); round++) {
        struct system system = any_system(&random, round);
        double wait = agreement_time(&system, 500);
        double start = starts[round % 4] * wait;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].t = start;
        CHECK(agreement_check(&system, start + wait, system.count < 20));
        system_free(&system);
    }
}

int main(void)
{
    RUN(test_random_systems);
    RUN(test_dense_systems);
    RUN(test_unequal_particles);
    RUN(test_elastic_collisions);
    RUN(test_long_runs);
    RUN(test_systems_full_of_ties);
    RUN(test_odd_shapes);
    RUN(test_periodic_boxes);
    RUN(test_large_disks_across_seams);
    RUN(test_a_run_can_be_continued);
    RUN(test_late_anchors);
    return check_finish();
}
