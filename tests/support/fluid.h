/* Measuring a fluid that fills a periodic box evenly, with the sums, figures and standard errors of
 * --stats: so what is compared with the literature is what users get. */
#ifndef PARTICLES_TESTS_FLUID_H
#define PARTICLES_TESTS_FLUID_H

#include "measure.h"
#include "observe/blocks.h"
#include "observe/figures.h"
#include "observe/tally.h"
#include "run/observer.h"

/* An observer; larger than a stack frame should be. */
struct fluid {
    struct observer observer;
    double to;
    int is_counting;
    struct tally tally;
    struct collision_sums sums[BLOCKS + 1];
    struct blocks blocks;
    struct figure_table figures; /* after the run */
};

/* Makes an observer of the time from `from`, which is after time 0, to `to`, where the run ends.
 * The caller gives it to fluid_free. */
struct fluid *fluid_create(double from, double to);
void fluid_free(struct fluid *fluid);

/* A figure and its standard error, NAN if the run does not tell. */
struct measured_mean fluid_estimate(const struct fluid *fluid, enum figure figure);

/* The contact value of the collision rate less that of the pressure, (Z - 1) / (2 area fraction).
 * Both come from the same collisions and vary together: this is the error of their difference. */
struct measured_mean fluid_contact_difference(const struct fluid *fluid);

#endif
