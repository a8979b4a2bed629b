/* Tests of the array schedule: its next event is always the first of all predictions. */
#include "check.h"
#include "physics.h"
#include "random_system.h"
#include "schedule_array.h"

#include <math.h>
#include <string.h>

/* The first potential collision of the system as it stands, by looking at all of them. */
static struct event first_of_all(const struct system *system)
{
    struct event first = physics_wall_event(system, 0);
    for (size_t i = 0; i < system->count; i++) {
        struct event event = physics_wall_event(system, i);
        if (event_before(&event, &first))
            first = event;
        for (size_t j = i + 1; j < system->count; j++) {
            event.time =
                physics_pair_time(&system->particles[i], &system->particles[j], 2 * system->radius);
            event.b = (int32_t)j;
            if (event_before(&event, &first))
                first = event;
        }
    }
    return first;
}

/* Runs a system, comparing every event with first_of_all. Returns how many there were. */
static int follow(struct system *system, double end_time)
{
    struct error error;
    struct schedule *schedule = NULL;
    struct event event;
    int events = 0;
    if (!CHECK(schedule_array_create(system, end_time, &schedule, &error) == STATUS_DONE))
        return 0;
    while (schedule_next(schedule, &event)) {
        struct event expected = first_of_all(system);
        struct event again;
        if (!CHECK(event.time == expected.time && event.a == expected.a && event.b == expected.b))
            break;
        CHECK(schedule_next(schedule, &again) && memcmp(&again, &event, sizeof event) == 0);
        CHECK(event.time <= end_time);
        physics_resolve(system, &event);
        schedule_update(schedule, &event);
        events++;
    }
    CHECK(first_of_all(system).time > end_time);
    schedule_free(schedule);
    return events;
}

static void test_random_systems(void)
{
    struct random random = {5};
    for (int round = 0; round < 60; round++) {
        size_t count = 1 + random_below(&random, 40);
        struct system system = random_system(&random, count, 0.02 + 0.4 * random_uniform(&random),
                                             0.2 + 2 * random_uniform(&random));
        follow(&system, 20 * random_uniform(&random));
        system_free(&system);
    }
}

/* Enough particles that the front overflows, runs empty and is renewed many times. */
static void test_many_fronts(void)
{
    struct random random = {6};
    struct system system = random_system(&random, 120, 0.4, 1);
    CHECK(follow(&system, 8) > 400);
    system_free(&system);
}

static void test_lattices_full_of_ties(void)
{
    struct random random = {7};
    for (int round = 0; round < 30; round++) {
        struct system system = random_lattice(&random, 1 + random_below(&random, 6),
                                              1 + random_below(&random, 6), 0.5);
        follow(&system, 10);
        system_free(&system);
    }
}

static void test_nothing_ever_happens(void)
{
    struct random random = {8};
    struct system system = random_system(&random, 5, 0.1, 1);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].v = 0;
    CHECK(follow(&system, SYSTEM_LARGEST) == 0);
    system_free(&system);
}

static void test_too_many_particles_are_refused_with_the_memory_they_need(void)
{
    struct error error;
    CHECK(schedule_array_check(1, &error) == STATUS_DONE);
    CHECK(schedule_array_check(1000, &error) == STATUS_DONE);
    CHECK(schedule_array_check(1000000, &error) == STATUS_NO_MEMORY);
    CHECK(strstr(error.message, "500000500000 potential collisions") != NULL);
    CHECK(strstr(error.message, "10.0 TB") != NULL);
    CHECK(schedule_array_check(UINT64_MAX, &error) == STATUS_NO_MEMORY);
}

int main(void)
{
    RUN(test_random_systems);
    RUN(test_many_fronts);
    RUN(test_lattices_full_of_ties);
    RUN(test_nothing_ever_happens);
    RUN(test_too_many_particles_are_refused_with_the_memory_they_need);
    return check_finish();
}
