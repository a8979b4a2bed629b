/*
 * Measures the array schedule against the textbook version of the same algorithm: both run the
 * same systems in one process, in turn, and must end with the same bytes.
 */
#include "measure.h"
#include "random_system.h"
#include "run/simulation.h"

#include <stdio.h>
#include <string.h>

/* Runs `system` to its end and returns how long that took, without the first predictions. */
static double run(struct system *system, enum schedule_kind kind, double end_time)
{
    struct error error;
    struct schedule *schedule = NULL;
    if (schedule_create(kind, system, NULL, &schedule, &error))
        measure_fail(error.message);
    while (schedule_predict(schedule) < 1)
        continue;
    double start = measure_seconds();
    if (simulation_run(schedule, end_time, NULL, &error))
        measure_fail(error.message);
    double elapsed = measure_seconds() - start;
    schedule_free(schedule);
    return elapsed;
}

/* Collisions in a finished system: those of two particles are counted by both. */
static double count_events(const struct system *system)
{
    uint64_t walls = 0;
    uint64_t halves = 0;
    for (size_t k = 0; k < system->count; k++) {
        walls += system->counts[k].walls;
        halves += system->counts[k].particles;
    }
    return (double)walls + (double)halves / 2;
}

/* The best time of several runs of a system, which is left as the last run left it. */
static double best_run(const struct system *start, struct system *end, enum schedule_kind kind,
                       double end_time)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        memcpy(end->particles, start->particles, start->count * sizeof *start->particles);
        memcpy(end->counts, start->counts, start->count * sizeof *start->counts);
        best = fmin(best, run(end, kind, end_time));
    }
    return best;
}

static void compare(size_t count, double area_fraction, double end_time)
{
    struct random_generator random = random_from(count);
    struct system start = random_system(&random, count, area_fraction, 1);
    struct system array = system_copy(&start);
    struct system textbook = system_copy(&start);
    double textbook_time = best_run(&start, &textbook, SCHEDULE_TEXTBOOK, end_time);
    double array_time = best_run(&start, &array, SCHEDULE_ARRAY, end_time);
    if (memcmp(array.particles, textbook.particles, count * sizeof *array.particles) != 0)
        measure_fail("the array and the textbook version differ");
    double events = count_events(&array);
    printf("%6zu %9.1f %10.0f %14.0f %14.0f %8.1f\n", count, area_fraction, events,
           events / textbook_time, events / array_time, textbook_time / array_time);
    fflush(stdout);
    system_free(&start);
    system_free(&array);
    system_free(&textbook);
}

int main(void)
{
    static const struct {
        size_t count;
        double end_time;
    } cases[] = {{50, 200}, {100, 100}, {200, 30}, {500, 5}};
    printf("events (collisions) per second, best of %d runs each\n", MEASURE_ROUNDS);
    printf("%6s %9s %10s %14s %14s %8s\n", "N", "area", "events", "textbook", "array", "ratio");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        compare(cases[k].count, 0.1, 4 * cases[k].end_time);
        compare(cases[k].count, 0.4, cases[k].end_time);
    }
    return 0;
}
