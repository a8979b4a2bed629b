/*
 * Measures runs on several threads: how many collisions of two disks a second one thread finds
 * without tiles, and how many times as many are found with tiles, by the clock, on 1, 2, 4 and more
 * threads, as far as there are cores. All come to the same end, to the last bit.
 *
 * With LARGE=1 in the environment there are ten million disks, too, which need 4 GB of memory.
 */
#include "agreement.h"
#include "base/thread_pool.h"
#include "gas.h"
#include "measure.h"
#include "random_system.h"
#include "run/simulation.h"
#include "schedule/schedules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 3, MAX_WAYS = 12 };

/* A way to run a system: on no threads but one, without tiles, or with tiles on so many. */
struct way {
    unsigned threads; /* 0: without tiles */
    double seconds;   /* the best so far */
};

/* How many collisions each disk has before the clock begins, and until it ends. */
static const double COLLISIONS_BEFORE = 2;
static const double COLLISIONS_MEASURED = 6;

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As the program does it where nobody watches. */
static void advance(struct system *system, struct schedule *schedule, double until)
{
    struct error error;
    if (simulation_run(schedule, until, NULL, &error))
        measure_fail(error.message);
}

static uint64_t count_collisions(const struct system *system)
{
    uint64_t halves = 0;
    for (size_t k = 0; k < system->count; k++)
        halves += system->counts[k].particles;
    return halves / 2;
}

/* The first predictions are made. */
static struct schedule *create(struct system *system, const struct way *way)
{
    struct error error;
    struct schedule *schedule = NULL;
    const struct schedule_threads threads = {way->threads, 0};
    if (way->threads > 0 ? tiles_create(system, &threads, &schedule, &error)
                         : cells_create(system, &schedule, &error))
        measure_fail(error.message);
    while (schedule_predict(schedule) < 1)
        continue;
    return schedule;
}

/* Runs a copy of `start` in this way. Returns it, in the order of the ids, and in `collisions` how
 * many there were while the clock ran. */
static struct system run(const struct system *start, const double times[2], struct way *way,
                         uint64_t *collisions)
{
    struct system system = system_copy(start);
    struct schedule *schedule = create(&system, way);
    advance(&system, schedule, times[0]);
    *collisions = count_collisions(&system);
    const double began = clock_seconds();
    advance(&system, schedule, times[1]);
    way->seconds = fmin(way->seconds, clock_seconds() - began);
    *collisions = count_collisions(&system) - *collisions;
    schedule_free(schedule);
    return system;
}

static void compare_ways(size_t count, double area_fraction, struct way *ways, size_t way_count)
{
    const double pi = 3.14159265358979323846;
    /* Enskog's rate of each disk, 4 R n sqrt(pi k T / m) g, with k T / m = 1 / 2. */
    const double rate = 4 * area_fraction / pi * sqrt(pi / 2) * gas_henderson(area_fraction);
    const double times[2] = {COLLISIONS_BEFORE / rate,
                             (COLLISIONS_BEFORE + COLLISIONS_MEASURED) / rate};
    struct system start = generated_system(count, area_fraction, 1, 1, 1);
    uint64_t collisions = 0;
    for (size_t k = 0; k < way_count; k++)
        ways[k].seconds = (double)INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        struct system known = run(&start, times, &ways[0], &collisions);
        for (size_t k = 1; k < way_count; k++) {
            struct system end = run(&start, times, &ways[k], &collisions);
            if (!agreement_is_same(&end, &known))
                measure_fail("another end with tiles");
            system_free(&end);
        }
        system_free(&known);
    }
    system_free(&start);
    printf("%9zu %9.2f %14.0f", count, area_fraction, (double)collisions / ways[0].seconds);
    for (size_t k = 1; k < way_count; k++)
        printf(" %9.2f", ways[0].seconds / ways[k].seconds);
    putchar('\n');
    fflush(stdout);
}

int main(void)
{
    struct way ways[MAX_WAYS] = {{.threads = 0}};
    const unsigned cores = threads_available();
    const size_t most = getenv("LARGE") ? 10000000 : 1000000;
    size_t count = 1;
    puts("\nTiles: collisions a second of one thread without them, by the clock, best of three "
         "runs in turn;\nand how many times as many with tiles on so many threads\n");
    printf("%9s %9s %14s", "N", "area", "without");
    for (unsigned threads = 1; threads <= cores && count < MAX_WAYS; threads *= 2) {
        ways[count++].threads = threads;
        printf(" %9u", threads);
    }
    putchar('\n');
    for (size_t disks = 10000; disks <= most; disks *= 10)
        for (int k = 0; k < 2; k++)
            compare_ways(disks, k == 0 ? 0.3 : 0.65, ways, count);
    return 0;
}
