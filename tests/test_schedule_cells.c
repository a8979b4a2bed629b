/*
 * Tests of the cells schedule's answers: they are those of the array schedule, byte for byte, and
 * of the textbook version where that is quick. How it comes to them is in test_forecast.c.
 */
#include "check.h"
#include "generate.h"
#include "odd_system.h"
#include "physics.h"
#include "schedule_textbook.h"
#include "simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many inputs of each kind; under valgrind fewer. */
static int rounds(int usual)
{
    return check_is_quick() ? (usual + 29) / 30 : usual;
}

static enum status run_with(struct schedule *schedule, struct system *system, double end_time,
                            struct error *error)
{
    enum status status = simulation_run(system, schedule, end_time, NULL, error);
    schedule_free(schedule);
    system_restore_order(system);
    return status;
}

static enum status run(enum schedule_kind kind, struct system *system, double end_time,
                       struct error *error)
{
    struct schedule *schedule = NULL;
    if (!CHECK(schedule_create(kind, system, end_time, &schedule, error) == STATUS_DONE))
        exit(EXIT_FAILURE);
    return run_with(schedule, system, end_time, error);
}

static int same_particles(const struct system *left, const struct system *right)
{
    return memcmp(left->particles, right->particles, left->count * sizeof *left->particles) == 0;
}

/*
 * A time up to which the system has about `events` collisions, which is the time of one of them,
 * or, where it does not come so far, a late time. The system stays as it is.
 */
static double time_of(const struct system *system, int events)
{
    struct error error;
    struct system twin = system_copy(system);
    struct schedule *schedule = NULL;
    struct event event;
    double time = 0;
    CHECK(!schedule_create(SCHEDULE_CELLS, &twin, SYSTEM_LARGEST, &schedule, &error));
    while (events-- > 0 && schedule_next(schedule, &event)) {
        time = event.time;
        physics_resolve(&twin, &event);
        schedule_update(schedule, &event);
    }
    schedule_free(schedule);
    system_free(&twin);
    return events >= 0 ? 2 * time + 1 : time;
}

/* Whether array, cells and, if wanted, textbook agree. Leaves the system in its last state. */
static int agree(struct system *system, double end_time, int with_textbook)
{
    struct error error = {0};
    struct error other_error = {0};
    struct system cells = system_copy(system);
    struct system textbook = system_copy(system);
    enum status status = run(SCHEDULE_ARRAY, system, end_time, &error);
    int same = CHECK(run(SCHEDULE_CELLS, &cells, end_time, &other_error) == status) &&
               CHECK(same_particles(&cells, system));
    if (status)
        same &= CHECK(strcmp(error.message, other_error.message) == 0);
    if (with_textbook) {
        struct schedule *schedule = schedule_textbook_create(&textbook, end_time);
        same &= CHECK(run_with(schedule, &textbook, end_time, &other_error) == status);
        same &= CHECK(same_particles(&textbook, system));
    }
    system_free(&cells);
    system_free(&textbook);
    return same;
}

/* The same up to the time of about `events` collisions; then frees the system. */
static void compare(const char *name, int round, struct system *system, int events)
{
    double end_time = time_of(system, check_is_quick() ? events / 10 + 1 : events);
    size_t count = system->count;
    if (!agree(system, end_time, count * count * (size_t)events < 500000))
        printf("this was %s, round %d: %zu disks up to %.17g\n", name, round, count, end_time);
    system_free(system);
}

static double random_aspect(struct random *random)
{
    return 0.02 * pow(2500, random_uniform(random)); /* 0.02 to 50 */
}

static void test_random_systems(void)
{
    struct random random = {50};
    for (int round = 0; round < rounds(1000); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
        size_t count = 1 + random_below(&random, most);
        double area_fraction = 1e-3 + 0.4 * random_uniform(&random);
        struct system system = random_system(&random, count, area_fraction, random_aspect(&random));
        compare("random", round, &system, 1 + (int)random_below(&random, 1500));
    }
}

static void test_dense_systems(void)
{
    struct random random = {51};
    for (int round = 0; round < rounds(500); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 60;
        const struct generate_request request = {.count = 1 + random_below(&random, most),
                                                 .area_fraction =
                                                     0.3 + 0.5 * random_uniform(&random),
                                                 .radius = 0.5,
                                                 .aspect = random_aspect(&random),
                                                 .speed = 1,
                                                 .seed = (uint64_t)round};
        struct system system;
        struct error error;
        if (CHECK(generate_system(&request, &system, &error) == STATUS_DONE))
            compare("dense", round, &system, 1 + (int)random_below(&random, 1500));
    }
}

static void test_unequal_particles(void)
{
    struct random random = {58};
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        for (int round = 0; round < rounds(100); round++) {
            size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
            size_t count = 1 + random_below(&random, most);
            struct system system = mixed_system(&random, (enum mixed_kind)kind, count,
                                                1e-3 + 0.6 * random_uniform(&random));
            system.law = (struct law){round % 4 ? RULE_ELASTIC : RULE_SWAP,
                                      round % 3 ? 1 : random_uniform(&random), 1e-4};
            compare("unequal", round, &system, 1 + (int)random_below(&random, 1500));
        }
    }
}

static void test_elastic_collisions(void)
{
    struct random random = {59};
    for (int round = 0; round < rounds(200); round++) {
        struct system system = random_system(&random, 1 + random_below(&random, 60), 0.4, 1);
        system.law = (struct law){RULE_ELASTIC, round % 2 ? 1 : random_uniform(&random), 1e-4};
        compare("elastic", round, &system, 1 + (int)random_below(&random, 1500));
    }
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        for (int round = 0; round < rounds(40); round++) {
            struct system system = tied_system(&random, (enum tied_kind)kind);
            system.law = (struct law){RULE_ELASTIC, 1, 0};
            compare("elastic and tied", round, &system, 400);
        }
    }
}

static void test_long_runs(void)
{
    struct random random = {52};
    static const size_t counts[] = {3, 20, 50, 100, 200};
    for (int round = 0; round < rounds(5); round++) {
        struct system system =
            random_system(&random, counts[round], 0.1 + 0.05 * round, 1 - 0.1 * round);
        compare("long", round, &system, 100000);
    }
}

static void test_systems_full_of_ties(void)
{
    struct random random = {53};
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "tied kind %d", kind);
        for (int round = 0; round < rounds(60); round++) {
            struct system system = tied_system(&random, (enum tied_kind)kind);
            compare(name, round, &system, 1 + (int)random_below(&random, 1000));
        }
    }
}

static void test_odd_shapes(void)
{
    struct random random = {54};
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "odd kind %d", kind);
        for (int round = 0; round < rounds(60); round++) {
            struct system system = odd_system(&random, (enum odd_kind)kind);
            compare(name, round, &system, 1 + (int)random_below(&random, 1000));
        }
    }
}

/* Touching disks that approach, and disks at walls, collide at END_TIME 0. */
static void test_end_time_zero(void)
{
    struct random random = {55};
    for (int round = 0; round < rounds(60); round++) {
        struct system system = tied_system(&random, round % 2 ? TIED_BLOCK : TIED_POINTS);
        CHECK(agree(&system, 0, 1));
        system_free(&system);
    }
}

static struct system any_system(struct random *random, int round)
{
    if (round % 3 == 0)
        return tied_system(random, (enum tied_kind)(round / 3 % TIED_KINDS));
    if (round % 3 == 1)
        return odd_system(random, (enum odd_kind)(round / 3 % ODD_KINDS));
    return random_system(random, 1 + random_below(random, 60), 0.3, 1);
}

/* Anchors are all that a run needs to go on, with either schedule after either. */
static void test_a_run_can_be_continued(void)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_ARRAY, SCHEDULE_CELLS};
    struct random random = {56};
    struct error error;
    for (int round = 0; round < rounds(120); round++) {
        struct system start = any_system(&random, round);
        double end_time = time_of(&start, 400);
        double stop = random_below(&random, 4) ? end_time * random_uniform(&random) : end_time;
        struct system whole = system_copy(&start);
        enum status status = run(SCHEDULE_ARRAY, &whole, end_time, &error);
        for (int way = 0; way < 4; way++) {
            struct system parts = system_copy(&start);
            CHECK(run(kinds[way / 2], &parts, stop, &error) == STATUS_DONE);
            CHECK(run(kinds[way % 2], &parts, end_time, &error) == status);
            CHECK(same_particles(&parts, &whole));
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
    struct random random = {57};
    for (int round = 0; round < rounds(120); round++) {
        struct system system = any_system(&random, round);
        double wait = time_of(&system, 500);
        double start = starts[round % 4] * wait;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].t = start;
        CHECK(agree(&system, start + wait, system.count < 20));
        system_free(&system);
    }
}

/* Rows from wall to wall that have no room to move, among others that have. */
static void test_wedged_disks_are_noticed_by_both(void)
{
    struct random random = {58};
    for (size_t columns = 1; columns <= (check_is_quick() ? 1 : 4); columns++) {
        for (size_t rows = 1; rows <= 3; rows += 2) {
            struct system system = random_lattice(&random, columns, rows, 0);
            struct error error = {0};
            struct error other_error = {0};
            system.height += 3;
            for (size_t k = 0; k < system.count; k++)
                system.particles[k].u = k % 2 ? -1 : 1;
            struct system twin = system_copy(&system);
            CHECK(run(SCHEDULE_ARRAY, &system, 10, &error) == STATUS_BAD_DATA);
            CHECK(run(SCHEDULE_CELLS, &twin, 10, &other_error) == STATUS_BAD_DATA);
            CHECK(same_particles(&system, &twin));
            CHECK(strcmp(error.message, other_error.message) == 0);
            system_free(&system);
            system_free(&twin);
        }
    }
}

/* The cells leave the particles in the memory's order, and still tell which is which. */
static void test_particles_keep_their_ids(void)
{
    struct random random = {59};
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
    struct random random = {72};
    for (int round = 0; round < rounds(100); round++) {
        const double side = pow(10, 12 + 4 * random_uniform(&random));
        const struct generate_request request = {.count = 20 + random_below(&random, 100),
                                                 .area_fraction =
                                                     0.55 + 0.25 * random_uniform(&random),
                                                 .radius = 1,
                                                 .aspect = 1,
                                                 .speed = 1,
                                                 .seed = (uint64_t)round};
        struct system system;
        struct error error;
        if (!CHECK(generate_system(&request, &system, &error) == STATUS_DONE))
            continue;
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].x += side - system.width;
            system.particles[k].y += side - system.height;
        }
        system.width = system.height = side;
        if (!agree(&system, 4, 0))
            printf("this was round %d: a box of %g\n", round, side);
        system_free(&system);
    }
}

/* Where END_TIME comes before anything, nothing happens. */
static void test_nothing_happens_before_the_end(void)
{
    struct random random = {70};
    for (size_t count = 1; count < 100; count += 7) {
        struct system system = random_system(&random, count, 0.1, 1);
        struct system still = system_copy(&system);
        CHECK(agree(&system, 1e-9, 0));
        CHECK(same_particles(&system, &still));
        for (size_t k = 0; k < count; k++)
            still.particles[k].u = still.particles[k].v = 0;
        CHECK(agree(&still, SYSTEM_LARGEST, 0));
        system_free(&system);
        system_free(&still);
    }
}

/* The only event is so soon that the inverse of its time is infinite. */
static void test_an_event_almost_at_once(void)
{
    struct random random = {71};
    struct system system = random_lattice(&random, 2, 1, 1);
    system.radius = 0;
    memset(system.particles, 0, sizeof *system.particles);
    system.particles[0].y = 0.5;
    system.particles[0].x = 1e-305;
    system.particles[0].u = -1e5;
    system.particles[1].u = system.particles[1].v = 0;
    alarm(60); /* it has been seen to hang */
    CHECK(agree(&system, 1e-6, 1));
    alarm(0);
    system_free(&system);
}

/* A crowd that marches through many cells without an event has to arrive; once it never did. */
static void test_a_crowd_on_the_march(void)
{
    struct random random = {1};
    for (int round = 0; round < 2; round++) {
        struct system system = random_lattice(&random, 30, 30, 0.5);
        system.width = round == 0 ? 10000 : 100;
        system.height = round == 1 ? 10000 : 100;
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = round == 0;
            system.particles[k].v = round == 1;
        }
        alarm(60);
        CHECK(agree(&system, 12000, 0));
        alarm(0);
        system_free(&system);
    }
}

/* More than a chain of cells can number are refused before anything is done, even if a checkpoint
 * has them. */
static void test_too_many_particles(void)
{
    struct error error;
    struct schedule *schedule = NULL;
    struct system system = {.count = ((size_t)1 << 28) + 1, .radius = 1, .width = 9, .height = 9};
    CHECK(schedule_check(SCHEDULE_CELLS, 1000000, &error) == STATUS_DONE);
    CHECK(schedule_check(SCHEDULE_CELLS, UINT64_MAX, &error) == STATUS_NO_MEMORY);
    CHECK(schedule_check(SCHEDULE_CELLS, system.count, &error) != STATUS_DONE);
    CHECK(schedule_create(SCHEDULE_CELLS, &system, 1, &schedule, &error) != STATUS_DONE);
    CHECK(schedule == NULL);
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
    RUN(test_end_time_zero);
    RUN(test_a_run_can_be_continued);
    RUN(test_late_anchors);
    RUN(test_wedged_disks_are_noticed_by_both);
    RUN(test_particles_keep_their_ids);
    RUN(test_far_from_the_origin);
    RUN(test_nothing_happens_before_the_end);
    RUN(test_an_event_almost_at_once);
    RUN(test_a_crowd_on_the_march);
    RUN(test_too_many_particles);
    return check_finish();
}
