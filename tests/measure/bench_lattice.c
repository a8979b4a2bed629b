/*
 * Measures the flow on a lattice: updates of nodes per second beside a copy of as many bytes, on
 * one core and, by the clock, on two.
 */
#include "base/memory.h"
#include "channel.h"
#include "measure.h"
#include "outline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The shortest time of a step, seconds by the clock. */
static double time_step(struct flow *flow, struct thread_pool *pool, size_t steps)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        const double start = clock_seconds();
        for (size_t k = 0; k < steps; k++)
            flow_step(flow, pool);
        best = fmin(best, (clock_seconds() - start) / (double)steps);
    }
    return best;
}

/* The shortest time to copy the populations, seconds. */
static double time_copy(const struct flow *flow, size_t copies)
{
    struct error error;
    const size_t size = FLOW_DIRECTIONS * flow->columns * flow->rows;
    double *copy = memory_allocate_lines(2 * size, sizeof *copy, "a copy", &error);
    double best = (double)INFINITY;
    if (!copy)
        measure_fail(error.message);
    memset(copy, 1, 2 * size * sizeof *copy);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        const double start = clock_seconds();
        for (size_t k = 0; k < copies; k++)
            memcpy(copy + (k % 2) * size, copy + (1 - k % 2) * size, size * sizeof *copy);
        best = fmin(best, (clock_seconds() - start) / (double)copies);
    }
    memory_free(copy);
    return best;
}

static void measure_lattice(size_t columns, size_t rows, struct thread_pool *pool)
{
    const double side = (double)rows;
    const struct outline outline = outline_regular(side / 2, side / 2, side / 20, 100);
    struct channel channel = {.columns = columns,
                              .rows = rows,
                              .periodic = PERIODIC_Y,
                              .stream = 0.1,
                              .viscosity = 0.05,
                              .polygon_count = 1,
                              .polygons = {{(const double(*)[2])outline.vertices, outline.count}}};
    channel.walls[BOUNDARY_SIDES] = channel_rough(0);
    struct flow *flow = channel_flow(&channel);
    const double millions = 1e-6 * (double)flow->nodes;
    const size_t steps = 1 + 10000000 / flow->nodes;
    const double one = time_step(flow, NULL, steps), two = time_step(flow, pool, steps);
    const double copy = time_copy(flow, steps);
    printf("| %zu x %zu | %.1f | %.1f | %.2f | %.1f | %.2f |\n", columns, rows, millions / one,
           millions / copy, one / copy, millions / two, one / two);
    channel_free(flow);
}

int main(void)
{
    struct error error;
    struct thread_pool *pool = thread_pool_create(2);
    if (!pool)
        measure_fail(error.message);
    puts("\nlattice Boltzmann, around a cylinder\n");
    puts("| nodes | million updates a second | copies of as many bytes | ratio of the times "
         "| two threads | faster by |");
    puts("|---:|---:|---:|---:|---:|---:|");
    measure_lattice(200, 100, pool);
    measure_lattice(800, 400, pool);
    measure_lattice(2000, 1000, pool);
    thread_pool_free(pool);
    return 0;
}
