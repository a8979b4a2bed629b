/*
 * Measures smoothed particle hydrodynamics: particles times substeps per second on one core, memory
 * a particle, and whether the loops over pairs were compiled for several pairs at a time.
 */
#include "measure.h"
#include "smoothed.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

enum { SUBSTEPS = 20 };

/* The most memory that this process has used, bytes. */
static double memory_used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* A tank with `side` times `side` particles, each of which sees about 20 others. */
static void measure_tank(size_t side)
{
    struct error error;
    const double spacing = 1.0 / (double)side;
    char fluid[200];
    double best = 0;
    const double before = memory_used();
    snprintf(fluid, sizeof fluid, "sph density=1 sound-speed=20 smoothing=%.17g alpha=0.1",
             1.3 * spacing);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        struct system system = smoothed_block(1, 1.2, 0, spacing, side, side);
        struct smoothed run = {.step = spacing / 80, .parts = {fluid, "gravity g=-1"}};
        double start = measure_seconds();
        if (smoothed_run(&run, &system, &error)) /* what only a start takes */
            measure_fail(error.message);
        const double begun = measure_seconds() - start;
        run.end_time = SUBSTEPS * run.step;
        start = measure_seconds();
        if (smoothed_run(&run, &system, &error))
            measure_fail(error.message);
        const double elapsed = measure_seconds() - start - begun;
        best = fmax(best, SUBSTEPS * (double)(side * side) / elapsed);
        system_free(&system);
    }
    printf("| %zu | %.2f | %.0f |\n", side * side, best / 1e6,
           (memory_used() - before) / (double)(side * side));
}

int main(void)
{
    puts("\nsmoothed particle hydrodynamics with 20 neighbours\n");
    puts("| particles | million particle-substeps per second | bytes a particle |");
    puts("|---:|---:|---:|");
    measure_tank(32);
    measure_tank(100);
    measure_tank(316);
    return 0;
}
