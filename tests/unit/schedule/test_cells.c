/* Tests of the cells schedule's answers: they are those of the array schedule, byte for byte, and
 * of the textbook version where that is quick; in random systems, and in special cases that these
 * never show or that were once wrong. How it comes to its answers is in test_predictor.c. */
#include "agreement.h"
#include "check.h"
#include "odd_system.h"
#include "run/dynamics.h"
#include "schedule/large_disks.h"

#include <unistd.h>

/* How many inputs of each kind. */
static int rounds(int most)
{
    return check_is_thorough() ? most : (most + 9) / 10;
}

/* Compares the schedules up to the time of about `events` collisions; frees the system. */
static void compare(const char *name, int round, struct system *system, int events)
{
    double end_time = agreement_time(system, check_is_quick() ? events / 10 + 1 : events);
    size_t count = system->count;
    if (!agreement_check(system, end_time, count * count * (size_t)events < 500000))
        printf("this was %s, round %d: %zu disks up to %.17g\n", name, round, count, end_time);
    system_free(system);
}

RANDOM_TEST(random_systems, 50)
{
    for (int round = 0; round < rounds(500); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
        size_t count = 1 + random_below(random, most);
        double area_fraction = 1e-3 + 0.4 * random_unit(random);
        struct system system = random_system(random, count, area_fraction, random_aspect(random));
        compare("random", round, &system, 1 + (int)random_below(random, 1500));
    }
}

RANDOM_TEST(dense_systems, 51)
{
    for (int round = 0; round < rounds(250); round++) {
        size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 60;
        const size_t count = 1 + random_below(random, most);
        const double area_fraction = 0.3 + 0.5 * random_unit(random);
        const double aspect = random_aspect(random);
        struct system system = generated_system(count, area_fraction, 0.5, aspect, (uint64_t)round);
        compare("dense", round, &system, 1 + (int)random_below(random, 1500));
    }
}

RANDOM_TEST(unequal_particles, 58)
{
    for (int kind = 0; kind < MIXED_KINDS; kind++) {
        for (int round = 0; round < rounds(50); round++) {
            size_t most = round % 20 == 0 ? 500 : round % 5 == 0 ? 150 : 40;
            size_t count = 1 + random_below(random, most);
            struct system system = mixed_system(random, (enum mixed_kind)kind, count,
                                                1e-3 + 0.6 * random_unit(random));
            system.law = (struct system_law){round % 4 ? RULE_ELASTIC : RULE_SWAP,
                                             round % 3 ? 1 : random_unit(random), 1e-4};
            compare("unequal", round, &system, 1 + (int)random_below(random, 1500));
        }
    }
}

RANDOM_TEST(long_runs, 52)
{
    static const size_t counts[] = {3, 20, 50, 100, 200};
    for (int round = 0; round < 3; round++) {
        struct system system =
            random_system(random, counts[round], 0.1 + 0.05 * round, 1 - 0.1 * round);
        compare("long", round, &system, check_is_thorough() ? 100000 : 20000);
    }
}

RANDOM_TEST(systems_full_of_ties, 53)
{
    for (int kind = 0; kind < TIED_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "tied kind %d", kind);
        for (int round = 0; round < rounds(30); round++) {
            struct system system = tied_system(random, (enum tied_kind)kind);
            compare(name, round, &system, 1 + (int)random_below(random, 1000));
        }
    }
}

RANDOM_TEST(odd_shapes, 54)
{
    for (int kind = 0; kind < ODD_KINDS; kind++) {
        char name[40];
        snprintf(name, sizeof name, "odd kind %d", kind);
        for (int round = 0; round < rounds(30); round++) {
            struct system system = odd_system(random, (enum odd_kind)kind);
            /* Between groups that are far apart disks pass a million cells. */
            size_t most = kind == ODD_GROUPS ? 100 : 1000;
            compare(name, round, &system, 1 + (int)random_below(random, most));
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

/* Systems full of ties, of odd shapes and of unequal particles, with seams. */
RANDOM_TEST(periodic_boxes, 73)
{
    for (int round = 0; round < rounds(100); round++) {
        const enum mixed_kind kind = (enum mixed_kind)(round / 4 % MIXED_KINDS);
        size_t most = round % 20 == 3 ? 500 : 60;
        struct system system = round % 4 < 3
                                   ? any_system(random, round)
                                   : mixed_system(random, kind, 1 + random_below(random, most),
                                                  1e-3 + 0.6 * random_unit(random));
        system.law = (struct system_law){random_below(random, 2) ? RULE_ELASTIC : RULE_SWAP,
                                         random_below(random, 3) ? 1 : random_unit(random), 1e-4};
        random_periodic(random, &system, random_axes(random));
        random_stream(random, &system);
        random_walls(random, &system);
        compare("periodic", round, &system, 1 + (int)random_below(random, 400));
    }
}

/* Large disks, among few others, where their blocks of cells reach around the box, and many. */
RANDOM_TEST(large_disks_across_seams, 74)
{
    for (int round = 0; round < rounds(60); round++) {
        struct system system =
            mixed_system(random, MIXED_FEW_LARGE, 10 + random_below(random, round % 2 ? 40 : 490),
                         0.05 + 0.5 * random_unit(random));
        system.law = ELASTIC;
        random_periodic(random, &system, random_axes(random));
        compare("large disks, periodic", round, &system, round % 2 ? 6000 : 400);
    }
}

/* Many large disks, ten times as large as others, at walls, seams and around a polygon. */
RANDOM_TEST(sizes_ten_to_one, 76)
{
    size_t large_disks = 0;
    for (int round = 0; round < rounds(120); round++) {
        struct large_disks chosen;
        struct system system =
            mixed_system(random, MIXED_TENTH, 100 + random_below(random, round % 4 ? 100 : 400),
                         0.1 + 0.5 * random_unit(random));
        system.law = ELASTIC;
        CHECK(large_disks_create(&chosen, &system, 1000, &failure) == STATUS_DONE);
        large_disks += chosen.count;
        large_disks_free(&chosen);
        if (round % 3 == 1) {
            random_periodic(random, &system, random_axes(random));
        } else if (round % 3 == 2) {
            const double x = system.boundary.width, y = system.boundary.height;
            const double triangle[][2] = {{x + 2, 0.2 * y}, {x + 4, 0.5 * y}, {x + 2, 0.8 * y}};
            system.boundary.width += 6;
            system_add_polygon(&system, triangle, 3, 0);
        }
        compare("ten to one", round, &system, 500 + (int)random_below(random, 1000));
    }
    CHECK(large_disks > (size_t)rounds(120));
}

/* Anchors are all that a run needs to go on, with either schedule after either. */
RANDOM_TEST(a_run_can_be_continued, 56)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_ARRAY, SCHEDULE_CELLS};
    for (int round = 0; round < rounds(60); round++) {
        OWNED(system, start) = any_system(random, round);
        double end_time = agreement_time(&start, 400);
        double stop = random_below(random, 4) ? end_time * random_unit(random) : end_time;
        OWNED(system, whole) = system_copy(&start);
        enum status status = agreement_run(SCHEDULE_ARRAY, &whole, end_time, &failure);
        for (int way = 0; way < 4; way++) {
            OWNED(system, parts) = system_copy(&start);
            CHECK(agreement_run(kinds[way / 2], &parts, stop, &failure) == STATUS_DONE);
            CHECK(agreement_run(kinds[way % 2], &parts, end_time, &failure) == status);
            CHECK(agreement_is_same(&parts, &whole));
        }
    }
}

/* As if the run had been going on for long: times have few digits left for what comes now. */
RANDOM_TEST(late_anchors, 57)
{
    static const double starts[] = {1e3, 1e6, 0x1p20, 1e9};
    for (int round = 0; round < rounds(60); round++) {
        OWNED(system, system) = any_system(random, round);
        double wait = agreement_time(&system, 500);
        double start = starts[round % 4] * wait;
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].t = start;
        CHECK(agreement_check(&system, start + wait, system.count < 20));
    }
}

/* Touching disks that approach, and disks at walls, collide at END_TIME 0. */
RANDOM_TEST(end_time_zero, 55)
{
    for (int round = 0; round < rounds(60); round++) {
        OWNED(system, system) = tied_system(random, round % 2 ? TIED_BLOCK : TIED_POINTS);
        CHECK(agreement_check(&system, 0, 1));
    }
}

/* The cells leave the particles in the memory's order, and still tell which is which. */
RANDOM_TEST(particles_keep_their_ids, 59)
{
    OWNED(system, system) = random_system(random, 300, 0.2, 2);
    struct schedule *schedule = NULL;
    CHECK(schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &failure) == STATUS_DONE);
    CHECK(simulation_run(schedule, 5, NULL, &failure) == STATUS_DONE);
    int moved = 0;
    for (size_t k = 0; k < system.count; k++)
        moved += system.particles[k].id != (int32_t)k;
    CHECK(moved > 0);
    schedule_free(schedule);
    for (size_t k = 0; k < system.count; k++)
        CHECK(system.particles[k].id == (int32_t)k);
}

/* A dense cluster so far from the origin that coordinates have few digits left for it, or none. */
RANDOM_TEST(far_from_the_origin, 72)
{
    for (int round = 0; round < rounds(100); round++) {
        const double side = pow(10, 12 + 4 * random_unit(random));
        const size_t count = 20 + random_below(random, 100);
        const double area_fraction = 0.55 + 0.25 * random_unit(random);
        OWNED(system, system) = generated_system(count, area_fraction, 1, 1, (uint64_t)round);
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].x += side - system.boundary.width;
            system.particles[k].y += side - system.boundary.height;
        }
        system.boundary.width = system.boundary.height = side;
        if (!agreement_check(&system, 4, 0))
            printf("this was round %d: a box of %g\n", round, side);
    }
}

/* Where END_TIME comes before anything, nothing happens. */
RANDOM_TEST(nothing_happens_before_the_end, 70)
{
    for (size_t count = 1; count < 100; count += 7) {
        OWNED(system, system) = random_system(random, count, 0.1, 1);
        OWNED(system, still) = system_copy(&system);
        CHECK(agreement_check(&system, 1e-9, 0));
        CHECK(agreement_is_same(&system, &still));
        for (size_t k = 0; k < count; k++)
            still.particles[k].u = still.particles[k].v = 0;
        CHECK(agreement_check(&still, SYSTEM_LARGEST, 0));
    }
}

/* A forged checkpoint may have particles so far from the box that they seem to stand still. */
RANDOM_TEST(particles_far_out_of_the_box, 74)
{
    static const double places[] = {1e20, -1e30, 1e126};
    for (int round = 0; round < 12; round++) {
        OWNED(system, system) = odd_system(random, ODD_GROUPS); /* for which cells are folded */
        if (round % 4 > 0)
            random_periodic(random, &system, (unsigned)round % 4);
        system.particles[0].x = places[round % 3];
        system.particles[1].y = places[round / 3 % 3];
        alarm(60); /* it has been seen to hang */
        (void)agreement_run(SCHEDULE_CELLS, &system, 1, &failure);
        alarm(0);
    }
}

/* The only event is so soon that the inverse of its time is infinite. */
RANDOM_TEST(an_event_almost_at_once, 71)
{
    OWNED(system, system) = random_lattice(random, 2, 1, 1);
    system.radius = 0;
    memset(system.particles, 0, sizeof *system.particles);
    system.particles[0].y = 0.5;
    system.particles[0].x = 1e-305;
    system.particles[0].u = -1e5;
    system.particles[1].u = system.particles[1].v = 0;
    alarm(60); /* it has been seen to hang */
    CHECK(agreement_check(&system, 1e-6, 1));
    alarm(0);
}

/* Many particles that cross many cells without an event have to arrive; once they never did. */
RANDOM_TEST(many_crossings_without_an_event, 1)
{
    for (int round = 0; round < 2; round++) {
        OWNED(system, system) = random_lattice(random, 30, 30, 0.5);
        system.boundary.width = round == 0 ? 10000 : 100;
        system.boundary.height = round == 1 ? 10000 : 100;
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = round == 0;
            system.particles[k].v = round == 1;
        }
        alarm(60);
        CHECK(agreement_check(&system, 12000, 0));
        alarm(0);
    }
}

/* A large disk comes back from a wall among many at rest, on both sides of its way. */
RANDOM_TEST(a_large_disk_that_meets_two_at_once, 75)
{
    OWNED(system, system) = random_lattice(random, 20, 30, 6);
    struct particle_kind *kinds = memory_allocate(2, sizeof *kinds, "the kinds", &failure);
    kinds[0] = (struct particle_kind){.radius = 1, .mass = 1};
    kinds[1] = (struct particle_kind){.radius = 16, .mass = 1};
    system.boundary.width = system.boundary.height = 256;
    system.kinds = kinds;
    system.kind_count = 2;
    system.law = ELASTIC;
    for (size_t k = 0; k < system.count; k++) {
        const size_t row = k / 20 < 15 ? k / 20 : k / 20 + 1;
        const double x = 96 + 8 * (double)(k % 20);
        system.particles[k] = (struct particle){.x = x, .y = 8 + 8 * (double)row, .id = (int32_t)k};
    }
    system.particles[599] = (struct particle){.x = 32, .y = 128, .u = -1, .id = 599, .kind = 1};
    CHECK(agreement_check(&system, 250, 0));
    CHECK(system.counts[599].particles > 1 && system.counts[599].walls == 1);
}

/* More than a chain of cells can number are refused before anything is done, even if a checkpoint
 * has them. */
TEST(too_many_particles)
{
    struct schedule *schedule = NULL;
    struct system system = SYSTEM(((size_t)1 << 28) + 1, 9, 9, .radius = 1);
    CHECK(schedule_check(SCHEDULE_CELLS, 1000000, &failure) == STATUS_DONE);
    CHECK(schedule_check(SCHEDULE_CELLS, UINT64_MAX, &failure) == STATUS_NO_MEMORY);
    CHECK(schedule_check(SCHEDULE_CELLS, system.count, &failure) != STATUS_DONE);
    CHECK(schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &failure) != STATUS_DONE);
    CHECK(schedule == NULL);
}
