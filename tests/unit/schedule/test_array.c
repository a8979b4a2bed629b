/* Tests of the array schedule: its next event is always the first of all predictions, and its
 * zones and its index are always what they should be. The schedule is compiled into this program
 * a second time, with a front so short that it overflows and runs empty all the time. */
#define FRONT_SIZE   2
#define array_create short_front_create
#define array_check  short_front_check
#include "schedule/array.c"
#undef array_create
#undef array_check

#include "check.h"

/* The array's promises, entry by entry. */
static void check_zones(const struct array *array)
{
    const struct event *entries = array->entries;
    CHECK(array->front <= array->middle && array->middle <= array->count);
    CHECK(array->front <= 2 * FRONT_SIZE);
    for (size_t slot = 0; slot < array->count; slot++) {
        size_t i = (size_t)entries[slot].a;
        size_t j = entries[slot].b < 0 ? i : (size_t)entries[slot].b;
        CHECK(array->slots[pair_index(i, j)] == slot);
        if (slot >= array->middle)
            continue; /* in the back not even the time matters */
        struct event event = physics_event(array->base.system, i, j);
        CHECK(entries[slot].time == event.time && entries[slot].b == event.b);
        CHECK(event.time <= array->horizon);
        if (slot > 0 && array->front > 0)
            CHECK(event_before(&entries[(slot < array->front ? slot : array->front) - 1],
                               &entries[slot]));
    }
}

/* The first potential collision of the system as it stands, by looking at all of them. */
static struct event first_of_all(const struct system *system)
{
    struct event first = physics_boundary_event(system, 0);
    for (size_t i = 0; i < system->count; i++) {
        struct event event = physics_boundary_event(system, i);
        if (event_before(&event, &first))
            first = event;
        for (size_t j = i + 1; j < system->count; j++) {
            event.time =
                physics_first_contact(system, &system->particles[i], &system->particles[j]).time;
            event.b = (int32_t)j;
            if (event_before(&event, &first))
                first = event;
        }
    }
    return first;
}

/* Runs a system with a schedule, comparing every event with first_of_all. Returns how many there
 * were. */
static int follow_with(struct schedule *schedule, int is_short, struct system *system,
                       double end_time)
{
    struct event event;
    int events = 0;
    while (schedule_next(schedule, end_time, &event)) {
        struct event expected = first_of_all(system);
        struct event again;
        if (!CHECK(event.time == expected.time && event.a == expected.a && event.b == expected.b))
            break;
        CHECK(schedule_next(schedule, end_time, &again) &&
              memcmp(&again, &event, sizeof event) == 0);
        CHECK(event.time <= end_time);
        physics_resolve(system, &event);
        schedule_update(schedule, &event);
        if (is_short)
            check_zones((const struct array *)schedule);
        events++;
    }
    CHECK(first_of_all(system).time > end_time);
    schedule_free(schedule);
    return events;
}

/* Follows a system with the schedule of the program and with that of the short front. */
static int follow(struct system *system, double end_time)
{
    struct schedule *schedule = NULL;
    OWNED(system, twin) = system_copy(system);
    CHECK(schedule_create(SCHEDULE_ARRAY, system, NULL, &schedule, &failure) == STATUS_DONE);
    int events = follow_with(schedule, 0, system, end_time);
    CHECK(short_front_create(&twin, &schedule, &failure) == STATUS_DONE);
    CHECK(follow_with(schedule, 1, &twin, end_time) == events);
    CHECK(memcmp(twin.particles, system->particles, twin.count * sizeof *twin.particles) == 0);
    return events;
}

RANDOM_TEST(random_systems, 5)
{
    for (int round = 0; round < 60; round++) {
        size_t count = 1 + random_below(random, 40);
        OWNED(system, system) = random_system(random, count, 0.02 + 0.4 * random_unit(random),
                                              0.2 + 2 * random_unit(random));
        if (round % 2)
            random_periodic(random, &system, random_axes(random));
        random_stream(random, &system);
        random_walls(random, &system);
        follow(&system, 20 * random_unit(random));
    }
}

/* Enough particles that fronts of the usual length are used up and renewed, too. */
RANDOM_TEST(many_fronts, 6)
{
    OWNED(system, system) = random_system(random, 120, 0.4, 1);
    CHECK(follow(&system, 8) > 400);
}

RANDOM_TEST(lattices_full_of_ties, 7)
{
    for (int round = 0; round < 30; round++) {
        OWNED(system, system) =
            random_lattice(random, 1 + random_below(random, 6), 1 + random_below(random, 6), 0.5);
        if (round % 2)
            random_periodic(random, &system, random_axes(random));
        random_stream(random, &system);
        follow(&system, 10);
    }
}

RANDOM_TEST(nothing_ever_happens, 8)
{
    OWNED(system, system) = random_system(random, 5, 0.1, 1);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].v = 0;
    CHECK(follow(&system, SYSTEM_LARGEST) == 0);
}

TEST(too_many_particles_are_refused_with_the_memory_they_need)
{
    CHECK(schedule_check(SCHEDULE_ARRAY, 1, &failure) == STATUS_DONE);
    CHECK(schedule_check(SCHEDULE_ARRAY, 1000, &failure) == STATUS_DONE);
    CHECK(schedule_check(SCHEDULE_ARRAY, 1000000, &failure) == STATUS_NO_MEMORY);
    CHECK(strstr(failure.message, "500000500000 potential collisions") != NULL);
    CHECK(strstr(failure.message, "10.0 TB") != NULL);
    CHECK(schedule_check(SCHEDULE_ARRAY, UINT64_MAX, &failure) == STATUS_NO_MEMORY);
}
