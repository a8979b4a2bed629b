/*
 * The figures of --stats: what is computed of the sums over a run, and how it is written.
 */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "blocks.h"
#include "model/system.h"
#include "observe/report.h"
#include "observe/tally.h"

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
    FIGURE_STATS_FROM,
    FIGURE_CONTACT_VALUE,
    FIGURE_PRESSURE_REDUCED,
    FIGURE_COLLISION_RATE_ERROR,
    FIGURE_TEMPERATURE_MEAN_ERROR,
    FIGURE_PRESSURE_VIRIAL_ERROR,
    FIGURE_COMPRESSIBILITY_VIRIAL_ERROR,
    FIGURE_CONTACT_VALUE_ERROR,
    FIGURE_PRESSURE_REDUCED_ERROR,
    FIGURE_COLLISIONS_POLYGONS, /* this one and those below: only of runs with polygons */
    FIGURE_FREE_AREA,
    FIGURE_BOUNDARY_LENGTH,
    FIGURE_MEAN_FREE_PATH_BOUNDARY,
    FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY,
    FIGURE_STREAM_SPEED, /* this one and those below: only of runs with a stream */
    FIGURE_STREAM_TEMPERATURE,
    FIGURE_STREAM_PASSAGES,
    FIGURE_MOMENTUM_X_SEAM,
    FIGURE_MOMENTUM_Y_SEAM,
    FIGURE_STREAM_DENSITY,
    FIGURE_STREAM_DENSITY_ERROR,
    FIGURE_STREAM_DENSITY_RATIO,
    FIGURE_FORCE_X,
    FIGURE_FORCE_Y,
    FIGURE_STREAM_SPEED_RATIO,
    FIGURE_MACH,
    FIGURE_KNUDSEN,
    FIGURES
};

/*
 * Computes the figures of a run of `system`, of which tally and blocks have the same part, up to
 * the end; it took `seconds` by the clock, and flows past things as large as `reference`, a length.
 * What the run does not determine (a rate without time) is not finite.
 */
void figures_compute(double values[FIGURES], const struct system *system, const struct tally *tally,
                     const struct blocks *blocks, double reference, double seconds);

/* Writes an aligned table with units, '-' for what is not determined. */
void figures_write_table(const double values[FIGURES], const struct boundary *boundary,
                         FILE *stream);

/* Writes lines "key = value", with all digits, "none" for what is not determined. */
void figures_write_lines(const double values[FIGURES], const struct boundary *boundary,
                         FILE *stream);

/* Lists the figures that have a meaning in this run, in their order, with what each one says.
 * Returns how many. */
size_t figures_list(const double values[FIGURES], const struct boundary *boundary,
                    struct report_figure list[FIGURES]);

/* What a figure with this value says in such a run, in a sentence or two; NULL: nothing. */
const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary);

#endif
