/*
 * Measures time-stepped runs. All pairs, as of gravitation, are compared with the arithmetic limit:
 * the time that the processor takes for the square roots and divisions alone, one of each for a
 * pair, two at a time, with nothing to wait for.
 */
#include "arranged.h"
#include "base/simd.h"
#include "measure.h"
#include "observe/observers.h"
#include "random_system.h"
#include "steps/steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Seconds by the clock: what several threads take is less than their processors' time. */
static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds for a number of substeps of a system, under gravity if that is not 0. */
static double time_run(const struct system *start, const char *text, const char *gravity,
                       double substeps, unsigned threads)
{
    struct system system = system_copy(start);
    struct steps_settings scene = {.step = 1e-3, .substeps = 1, .threads = threads};
    struct observers observers = {0};
    struct error error;
    if (steps_settings_add(&scene, strncmp(text, "contact", 7) == 0, text, &error) ||
        (gravity && steps_settings_add(&scene, 0, gravity, &error)) ||
        steps_create(&scene, &system, 1e-3 * substeps, 0, &observers.dynamics, &error))
        measure_fail(error.message);
    struct dynamics *dynamics = observers.dynamics;
    if (observers_begin(&observers, &system, &error))
        measure_fail(error.message);
    const double begin = clock_seconds();
    if (dynamics->operations->advance(dynamics, &observers, &error))
        measure_fail(error.message);
    const double seconds = clock_seconds() - begin;
    observers_free(&observers);
    dynamics_free(dynamics);
    steps_settings_free(&scene);
    system_free(&system);
    return seconds;
}

/* The best of several rounds. */
static double best_run(const struct system *start, const char *text, double substeps)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++)
        best = fmin(best, time_run(start, text, NULL, substeps, 1));
    return best;
}

/* Seconds for the square roots and the divisions of `pairs` pairs. */
static double best_limit(double pairs)
{
    enum { VALUES = 1000 };
    static double squares[VALUES];
    static volatile double kept;
    double best = (double)INFINITY;
    for (int k = 0; k < VALUES; k++)
        squares[k] = 1 + k;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        simd sum = simd_all(0);
        const double begin = measure_seconds();
        for (double done = 0; done < pairs; done += VALUES)
            for (int k = 0; k < VALUES; k += 2) {
                const simd square = simd_load(&squares[k]);
                sum += 1 / (square * simd_root(square));
            }
        best = fmin(best, measure_seconds() - begin);
        double lanes[2];
        simd_store(lanes, sum);
        kept = lanes[0] + lanes[1];
    }
    (void)kept;
    return best;
}

static void measure_all_pairs(size_t count)
{
    struct random_generator random = random_from(count);
    struct system system = arranged_points(&random, count, 1000, 1000, 0);
    const double substeps = 50;
    const double pairs = substeps * (double)count * (double)(count - 1) / 2;
    const double run = best_run(&system, "gravitation G=1 softening=10", substeps);
    const double limit = best_limit(pairs);
    printf("| %zu | %.2f | %.2f | %.2f |\n", count, 1e9 * run / pairs, 1e9 * limit / pairs,
           run / limit);
    fflush(stdout);
    system_free(&system);
}

/* Atoms on a square lattice, as dense as a liquid. */
static void measure_short_range(size_t rows)
{
    struct system system = arranged_square(rows, rows);
    const double substeps = 2e6 / (double)system.count;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].id % 2 ? 1 : -1;
    const double run = best_run(&system, "lennard-jones epsilon=1 sigma=0.85", substeps);
    printf("| %zu | %.2f |\n", system.count, 1e-6 * substeps * (double)system.count / run);
    fflush(stdout);
    system_free(&system);
}

/* Seconds for a million substeps of a particle on one core, and how many times faster two are. Both
 * are measured in turns: the speed of a machine that others use, too, changes from minute to
 * minute, and once made two cores look 1.15 times as fast that were 1.7 times as fast. */
static void measure_threads(const char *text, const char *gravity, double speed,
                            struct system system, double substeps)
{
    struct random_generator random = random_from(7);
    double best[] = {(double)INFINITY, (double)INFINITY};
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].u = speed * (2 * random_unit(&random) - 1);
        system.particles[k].v = speed * (2 * random_unit(&random) - 1);
    }
    for (int round = 0; round < 2 * MEASURE_ROUNDS; round++)
        best[round % 2] = fmin(best[round % 2],
                               time_run(&system, text, gravity, substeps, 1 + (unsigned)round % 2));
    printf("| %s%s | %zu | %.3f | %.2f |\n", text, gravity ? ", a pile" : "", system.count,
           1e6 * best[0] / substeps / (double)system.count, best[0] / best[1]);
    fflush(stdout);
    system_free(&system);
}

/* A lattice of disks or atoms, with gaps between them, in a box. */
static struct system spaced_square(size_t rows)
{
    struct system system = arranged_square(rows, rows);
    system.radius = 0.4;
    system.boundary.periodic = 0;
    return system;
}

/* Disks that lie on each other, in rows, and numbered at random if `is_mixed`. */
static struct system lying_pile(size_t rows, int is_mixed)
{
    struct system system = arranged_triangular(rows, rows);
    struct random_generator random = random_from(8);
    system.boundary.periodic = 0;
    system.boundary.width += 1;
    system.boundary.height += 1;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        struct particle *q = &system.particles[is_mixed ? random_below(&random, k + 1) : k];
        const double x = p->x + 0.5, y = p->y + 0.5;
        p->x = q->x;
        p->y = q->y;
        q->x = x;
        q->y = y;
    }
    return system;
}

int main(void)
{
    printf("\ngravitation: nanoseconds for a pair and a substep, best of %d runs\n\n",
           MEASURE_ROUNDS);
    printf("| N | gravitation | square roots and divisions alone | ratio |\n");
    printf("|---:|---:|---:|---:|\n");
    measure_all_pairs(200);
    measure_all_pairs(2000);
    printf("\nlennard-jones, cut off at 2.5 sigma, density 0.72 / sigma^2: millions of particles "
           "and substeps in a second\n\n| N | rate |\n|---:|---:|\n");
    measure_short_range(100);
    measure_short_range(300);
    printf("\ntwo cores\n\n| interaction or constraint | N | s for 10^6 substeps of a particle | "
           "speed of two cores |\n|---|---:|---:|---:|\n");
    measure_threads("lennard-jones epsilon=1 sigma=0.85", NULL, 1, spaced_square(316), 50);
    measure_threads("sph density=1 sound-speed=100 smoothing=1.3 alpha=0.1", NULL, 1,
                    spaced_square(316), 20);
    measure_threads("contact", NULL, 1, spaced_square(316), 50);
    measure_threads("contact restitution=0.3", "gravity g=-10", 0.01, lying_pile(316, 0), 20);
    measure_threads("contact restitution=0.3", "gravity g=-10", 0.01, lying_pile(316, 1), 20);
    measure_threads("spring k=1000", NULL, 1, spaced_square(316), 50);
    measure_threads("gravitation G=1 softening=10", NULL, 1, spaced_square(100), 5);
    return 0;
}
