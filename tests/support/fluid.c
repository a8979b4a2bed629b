/* Measuring a fluid in a periodic box; see fluid.h. */
#include "fluid.h"
#include "observed.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static enum status fluid_sample(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct fluid *fluid = (struct fluid *)observer;
    (void)error;
    memset(fluid->sums, 0, sizeof fluid->sums);
    tally_begin(&fluid->tally, snapshot, fluid->to, fluid->sums);
    blocks_begin(&fluid->blocks, snapshot->time, fluid->to, fluid->tally.start.thermal);
    fluid->is_counting = 1;
    observer->next_sample = (double)INFINITY;
    return STATUS_DONE;
}

static enum status fluid_collide(struct observer *observer, const struct collision *collision,
                                 struct error *error)
{
    struct fluid *fluid = (struct fluid *)observer;
    (void)error;
    if (fluid->is_counting) {
        blocks_reach(&fluid->blocks, &fluid->tally, collision->time);
        tally_collide(&fluid->tally, collision);
    }
    return STATUS_DONE;
}

OBSERVED_TAKE(fluid_take, fluid_collide, fluid_collide)

static enum status fluid_finish(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct fluid *fluid = (struct fluid *)observer;
    (void)error;
    tally_end(&fluid->tally, snapshot);
    blocks_complete(&fluid->blocks, &fluid->tally);
    figures_compute(&fluid->figures, snapshot->system, &fluid->tally, &fluid->blocks, (double)NAN,
                    0);
    return STATUS_DONE;
}

/* Its owner frees it, by fluid_free. */
static void fluid_keep(struct observer *observer)
{
    (void)observer;
}

struct fluid *fluid_create(double from, double to)
{
    static const struct observer_operations operations = {.watches = WATCH_PAIRS,
                                                          .take = fluid_take,
                                                          .sample = fluid_sample,
                                                          .finish = fluid_finish,
                                                          .free = fluid_keep};
    struct error error;
    struct fluid *fluid = memory_allocate(1, sizeof *fluid, "the sums of a fluid", &error);
    if (!fluid)
        measure_fail(error.message);
    *fluid = (struct fluid){.observer = {.operations = &operations, .next_sample = from}, .to = to};
    return fluid;
}

void fluid_free(struct fluid *fluid)
{
    memory_free(fluid);
}

struct measured_mean fluid_estimate(const struct fluid *fluid, enum figure figure)
{
    return (struct measured_mean){fluid->figures.values[figure], fluid->figures.errors[figure]};
}

struct measured_mean fluid_contact_difference(const struct fluid *fluid)
{
    const double *figures = fluid->figures.values;
    const double rate = figures[FIGURE_CONTACT_VALUE];
    const double pressure =
        (figures[FIGURE_COMPRESSIBILITY_VIRIAL] - 1) / (2 * figures[FIGURE_AREA_FRACTION]);
    const struct block_term terms[] = {
        {BLOCK_PAIRS, rate / blocks_mean(&fluid->blocks, BLOCK_PAIRS)},
        {BLOCK_VIRIAL, -pressure / blocks_mean(&fluid->blocks, BLOCK_VIRIAL)}};
    return (struct measured_mean){rate - pressure,
                                  blocks_estimate(&fluid->blocks, terms, 2, 1).error};
}
