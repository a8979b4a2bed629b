/* Tests of the search for the closest calls of a run. */
#include "check.h"
#include "observe/near_miss.h"
#include "run/simulation.h"
#include "schedule/schedule.h"

#include <math.h>

/* Runs a system up to `end_time`; the observers, in `observers`, are the caller's to free. */
static struct near_miss *run(struct system *system, double end_time, struct observers *observers)
{
    struct error error;
    struct near_miss *call = NULL;
    struct schedule *schedule = NULL;
    *observers = (struct observers){0};
    CHECK(near_miss_create(&call, &error) == STATUS_DONE);
    observers_add(observers, &call->observer);
    CHECK(observers_begin(observers, system, &error) == STATUS_DONE);
    CHECK(schedule_create(SCHEDULE_ARRAY, system, end_time, &schedule, &error) == STATUS_DONE);
    CHECK(simulation_run(system, schedule, end_time, observers, &error) == STATUS_DONE);
    CHECK(observers_finish(observers, system, end_time, &error) == STATUS_DONE);
    schedule_free(schedule);
    return call;
}

/* It goes to the right wall, at 1, and to the top, at 1.25; and then to the left, at 9. */
static void test_one_particle(void)
{
    struct particle particle = {.x = 8, .y = 6.5, .u = 1, .v = 2};
    struct system system = {
        .count = 1, .radius = 1, .width = 10, .height = 10, .particles = &particle};
    struct observers observers;
    const struct near_miss *call = run(&system, 1, &observers);
    CHECK(isinf(call->gap) && isinf(call->cosine));
    observers_free(&observers);
    particle = (struct particle){.x = 8, .y = 6.5, .u = 1, .v = 2};
    call = run(&system, 20, &observers);
    CHECK(call->gap == 0.25 && call->particle == 0);
    CHECK(call->first.time == 1 && call->first.other == WALL_RIGHT);
    CHECK(call->second.time == 1.25 && call->second.other == WALL_TOP);
    CHECK(isinf(call->cosine));
    observers_free(&observers);
}

/*
 * Particle 2 meets 0, at 1, which then meets 1, at 1.5; 1 goes to the right wall, at 3.
 */
static void test_particles(void)
{
    struct particle particles[3] = {
        {.x = 5, .y = 5, .id = 0}, {.x = 7.5, .y = 5, .id = 1}, {.x = 2, .y = 5, .u = 1, .id = 2}};
    struct system system = {
        .count = 3, .radius = 1, .width = 10, .height = 10, .particles = particles};
    struct observers observers;
    const struct near_miss *call = run(&system, 3, &observers);
    CHECK(call->gap == 0.5 && call->particle == 0);
    CHECK(call->first.time == 1 && call->first.other == 2);
    CHECK(call->second.time == 1.5 && call->second.other == 1);
    CHECK(call->cosine == 1 && call->time == 1 && call->a == 0 && call->b == 2);
    observers_free(&observers);
}

/* Centres 1.6 apart across the motion touch at cosine 0.6; a graze has 0; points have none. */
static void test_cosine(void)
{
    const double across[] = {1.6, 2, 0};
    const double cosines[] = {0.6, 0, 1};
    for (int k = 0; k < 3; k++) {
        struct particle particles[2] = {{.x = 2, .y = 5, .u = 1, .id = 0},
                                        {.x = 6, .y = 5 + across[k], .id = 1}};
        struct system system = {
            .count = 2, .radius = 1, .width = 10, .height = 10, .particles = particles};
        struct observers observers;
        const struct near_miss *call = run(&system, 5, &observers);
        CHECK(fabs(call->cosine - cosines[k]) < 1e-12);
        CHECK(call->a == 0 && call->b == 1 && fabs(call->time - (4 - 2 * cosines[k])) < 1e-12);
        observers_free(&observers);
        particles[0] = (struct particle){.x = 2, .y = 5, .u = 1, .id = 0};
        particles[1] = (struct particle){.x = 6, .y = 5, .id = 1};
        system.radius = 0;
        call = run(&system, 5, &observers);
        CHECK(particles[0].particle_collisions == 1 && isinf(call->cosine));
        observers_free(&observers);
    }
}

int main(void)
{
    RUN(test_one_particle);
    RUN(test_particles);
    RUN(test_cosine);
    return check_finish();
}
