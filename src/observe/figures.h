/*
 * The figures that describe a run, computed from its tally: one list of them, printed in two ways,
 * for people and for programs. What each means, and its formula, stands in figures.c.
 */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "tally.h"

#include <stdio.h>

/* The figures, in the order in which they are printed. */
enum figure {
    FIGURE_PARTICLES,
    FIGURE_KINDS,
    FIGURE_BOX_WIDTH,
    FIGURE_BOX_HEIGHT,
    FIGURE_AREA_FRACTION,
    FIGURE_END_TIME,
    FIGURE_COLLISIONS,
    FIGURE_COLLISIONS_PAIRS,
    FIGURE_COLLISIONS_LEFT,
    FIGURE_COLLISIONS_RIGHT,
    FIGURE_COLLISIONS_BOTTOM,
    FIGURE_COLLISIONS_TOP,
    FIGURE_COLLISION_RATE,
    FIGURE_COLLISION_RATE_ENSKOG,
    FIGURE_MEAN_FREE_TIME,
    FIGURE_MEAN_FREE_PATH,
    FIGURE_ENERGY_START,
    FIGURE_ENERGY_END,
    FIGURE_ENERGY_DRIFT,
    FIGURE_MOMENTUM_X_START,
    FIGURE_MOMENTUM_X_END,
    FIGURE_MOMENTUM_Y_START,
    FIGURE_MOMENTUM_Y_END,
    FIGURE_MOMENTUM_DRIFT,
    FIGURE_TEMPERATURE_MEAN,
    FIGURE_TEMPERATURE_END,
    FIGURE_PRESSURE_WALLS,
    FIGURE_PRESSURE_VIRIAL,
    FIGURE_COMPRESSIBILITY_WALLS,
    FIGURE_COMPRESSIBILITY_VIRIAL,
    FIGURE_COMPRESSIBILITY_ENSKOG,
    FIGURE_SPEED_MEAN,
    FIGURE_SPEED_SQUARE,
    FIGURE_SPEED_RATIO,
    FIGURE_SPEED_KURTOSIS,
    FIGURE_SECONDS,
    FIGURE_COLLISIONS_PER_SECOND,
    FIGURES
};

/* Their values; what a run does not determine (a rate without time) is not finite. */
struct figures {
    double values[FIGURES];
};

/*
 * The figures of a run of `system` from time 0 to `end_time`, which took `seconds` by the clock,
 * with its complete tally.
 */
struct figures figures_compute(const struct system *system, const struct tally *tally,
                               double end_time, double seconds);

/* Writes an aligned table with units, '-' for what is not determined. */
void figures_write_table(const struct figures *figures, FILE *stream);

/*
 * Writes lines "key = value", with all digits that a double has, "none" for what is not
 * determined.
 */
void figures_write_lines(const struct figures *figures, FILE *stream);

#endif
