/* Tests of the checksums of what a run would print if it ended earlier. */
#include "check.h"
#include "observe/writers.h"
#include "run/dynamics.h"
#include "schedule/schedule.h"

struct watched {
    struct observers observers;
    struct answer_digest digest;
};

/* Runs a system up to `end_time`; the observers are the caller's to free. */
static struct answer_digest *run(struct system *system, enum schedule_kind kind, double end_time,
                                 struct watched *watched)
{
    struct observers *observers = &watched->observers;
    struct schedule *schedule = NULL;
    *observers = (struct observers){0};
    answer_digest_init(&watched->digest, end_time);
    observers_add(observers, &watched->digest.observer);
    CHECK(observers_begin(observers, system, &failure) == STATUS_DONE);
    CHECK(schedule_create(kind, system, NULL, &schedule, &failure) == STATUS_DONE);
    CHECK(simulation_run(schedule, end_time, observers, &failure) == STATUS_DONE);
    CHECK(observers_finish(observers, system, end_time, &failure) == STATUS_DONE);
    schedule_free(schedule);
    return &watched->digest;
}

/* A particle that prints (x, 5.000000) where it is at rest. */
static struct system lonely(struct particle *particle, struct particle_counts *counts, double x,
                            double u)
{
    *particle = (struct particle){.x = x, .y = 5, .u = u};
    return arranged_few(particle, counts, 1, 1, 10, 10);
}

/* Whether particles at x and at other_x print the same at the start. */
static int print_alike(double x, double other_x)
{
    struct particle particles[2];
    struct particle_counts counts[2] = {{0}};
    struct system systems[2] = {lonely(&particles[0], &counts[0], x, 0),
                                lonely(&particles[1], &counts[1], other_x, 0)};
    struct watched watched[2];
    const struct answer_digest *a = run(&systems[0], SCHEDULE_ARRAY, 0, &watched[0]);
    const struct answer_digest *b = run(&systems[1], SCHEDULE_ARRAY, 0, &watched[1]);
    int alike = answer_digest_are_alike(a, b, 0);
    CHECK(a->taken == 1 && !answer_digest_are_alike(a, b, 1));
    observers_free(&watched[0].observers);
    observers_free(&watched[1].observers);
    return alike;
}

TEST(what_is_printed_is_compared)
{
    CHECK(print_alike(5, 5));
    CHECK(print_alike(5, 5.00000049));
    CHECK(!print_alike(5, 5.00000051));
    CHECK(!print_alike(5, 6));
}

TEST(counts_and_numbers_count)
{
    struct particle one[2] = {{.x = 2, .y = 2, .id = 0}, {.x = 7, .y = 7, .id = 1}};
    struct particle other[2] = {{.x = 7, .y = 7, .id = 0}, {.x = 2, .y = 2, .id = 1}};
    struct particle_counts counts[2][2] = {{{0}}};
    struct system systems[2];
    struct watched watched[2];
    for (int k = 0; k < 2; k++)
        systems[k] = arranged_few(k == 0 ? one : other, counts[k], 2, 1, 10, 10);
    const struct answer_digest *a = run(&systems[0], SCHEDULE_ARRAY, 0, &watched[0]);
    const struct answer_digest *b = run(&systems[1], SCHEDULE_ARRAY, 0, &watched[1]);
    CHECK(!answer_digest_are_alike(a, b, 0)); /* the same lines in another order */
    observers_free(&watched[1].observers);
    other[0] = one[0];
    other[1] = one[1];
    b = run(&systems[1], SCHEDULE_ARRAY, 0, &watched[1]);
    CHECK(answer_digest_are_alike(a, b, 0));
    observers_free(&watched[1].observers);
    counts[1][1].walls = 1;
    b = run(&systems[1], SCHEDULE_ARRAY, 0, &watched[1]);
    CHECK(!answer_digest_are_alike(a, b, 0));
    observers_free(&watched[0].observers);
    observers_free(&watched[1].observers);
}

TEST(every_tested_time_is_looked_at)
{
    struct particle particles[2];
    struct particle_counts counts[2] = {{0}};
    struct system systems[2] = {lonely(&particles[0], &counts[0], 2, 1),
                                lonely(&particles[1], &counts[1], 2, 1)};
    struct watched watched[2];
    const struct answer_digest *a = run(&systems[0], SCHEDULE_ARRAY, 20, &watched[0]);
    systems[1].boundary.width = 11; /* so it turns at 8 instead of 7 */
    const struct answer_digest *b = run(&systems[1], SCHEDULE_ARRAY, 20, &watched[1]);
    CHECK(a->steps == ANSWER_DIGEST_MAX_STEPS && a->taken == ANSWER_DIGEST_MAX);
    for (size_t k = 0; k <= a->steps; k++)
        CHECK(answer_digest_are_alike(a, b, k) == (k < 350));
    observers_free(&watched[0].observers);
    observers_free(&watched[1].observers);
}

/* Times rise from 0 to END_TIME, and with END_TIME 2, say, number 333 is 0.666. */
TEST(times)
{
    const double end_times[] = {2, 1e-7, 0.1, 1 / 3.0, 100, 3.14159265358979, 1e13, 1e40, 1e-40};
    struct particle particle;
    struct particle_counts counts = {0};
    struct system system = lonely(&particle, &counts, 2, 0);
    struct watched watched;
    for (size_t k = 0; k < LENGTH(end_times); k++) {
        const struct answer_digest *a = run(&system, SCHEDULE_ARRAY, end_times[k], &watched);
        CHECK(a->steps == ANSWER_DIGEST_MAX_STEPS && a->taken == ANSWER_DIGEST_MAX);
        CHECK(answer_digest_time(a, 0) == 0 && answer_digest_time(a, a->steps) == end_times[k]);
        for (size_t j = 1; j <= a->steps; j++) {
            double exact = (double)j * end_times[k] / ANSWER_DIGEST_MAX_STEPS;
            CHECK(answer_digest_time(a, j) > answer_digest_time(a, j - 1));
            CHECK(fabs(answer_digest_time(a, j) - exact) <= 1e-6 * end_times[k]);
        }
        observers_free(&watched.observers);
    }
    const struct answer_digest *a = run(&system, SCHEDULE_ARRAY, 0.3, &watched);
    CHECK(answer_digest_time(a, 1) == 0.0003 && answer_digest_time(a, 877) == 0.2631);
    observers_free(&watched.observers);
    a = run(&system, SCHEDULE_ARRAY, 5e-324, &watched);
    CHECK(a->steps == 1 && a->taken == 2);
    observers_free(&watched.observers);
}

RANDOM_TEST(many_particles_are_looked_at_less_often, 7)
{
    struct system systems[2] = {random_lattice(random, 150, 150, 0.5)};
    systems[1] = system_copy(&systems[0]);
    struct watched watched[2];
    const struct answer_digest *a = run(&systems[0], SCHEDULE_CELLS, 0.1, &watched[0]);
    CHECK(a->steps == 444 && a->taken == 445);
    systems[1].particles[9].x += 1e-5;
    const int is_long = check_is_thorough(); /* else the beginning is enough */
    const struct answer_digest *b =
        run(&systems[1], SCHEDULE_CELLS, is_long ? 0.1 : 0, &watched[1]);
    CHECK(b->taken == (is_long ? a->taken : 1) && !answer_digest_are_alike(a, b, 0));
    CHECK(!is_long || !answer_digest_are_alike(a, b, 200));
    for (int k = 0; k < 2; k++) {
        observers_free(&watched[k].observers);
        system_free(&systems[k]);
    }
}
