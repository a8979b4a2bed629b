/*
 * The figures of --stats: how they are computed from the sums over a run, and how they are written.
 */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "model/enskog.h"
#include "run/dynamics.h"
#include "tally.h"

struct blocks;

/* The figures of a run of events, in the order in which they are printed. */
enum figure {
    FIGURE_PARTICLES,
    FIGURE_KINDS,
    FIGURE_BOX_WIDTH,
    FIGURE_BOX_HEIGHT,
    FIGURE_AREA_FRACTION,
    FIGURE_COLLISIONS_PAIRS,
    FIGURE_COLLISION_RATE,
    FIGURE_COLLISION_RATE_ENSKOG,
    FIGURE_MEAN_FREE_TIME,
    FIGURE_MEAN_FREE_PATH,
    FIGURE_CONTACT_VALUE,
    FIGURE_TEMPERATURE_MEAN,
    FIGURE_TEMPERATURE_END,
    FIGURE_PRESSURE_VIRIAL,
    FIGURE_COMPRESSIBILITY_VIRIAL,
    FIGURE_COMPRESSIBILITY_ENSKOG,
    FIGURE_PRESSURE_REDUCED,
    FIGURE_PRESSURE_XX, /* the tensor, and its two parts */
    FIGURE_PRESSURE_YY,
    FIGURE_PRESSURE_XY,
    FIGURE_PRESSURE_XX_KINETIC,
    FIGURE_PRESSURE_YY_KINETIC,
    FIGURE_PRESSURE_XY_KINETIC,
    FIGURE_PRESSURE_XX_COLLISIONAL,
    FIGURE_PRESSURE_YY_COLLISIONAL,
    FIGURE_PRESSURE_XY_COLLISIONAL,
    FIGURE_SPEED_MEAN,
    FIGURE_SPEED_SQUARE,
    FIGURE_SPEED_RATIO,
    FIGURE_SPEED_KURTOSIS,
    FIGURE_FRAME_VELOCITY_X,
    FIGURE_FRAME_VELOCITY_Y,
    FIGURE_ENERGY_START,
    FIGURE_ENERGY_END,
    FIGURE_ENERGY_DRIFT,
    FIGURE_MOMENTUM_X_START,
    FIGURE_MOMENTUM_X_END,
    FIGURE_MOMENTUM_Y_START,
    FIGURE_MOMENTUM_Y_END,
    FIGURE_MOMENTUM_DRIFT,
    FIGURE_COLLISIONS_LEFT, /* here the walls begin */
    FIGURE_COLLISIONS_RIGHT,
    FIGURE_COLLISIONS_BOTTOM,
    FIGURE_COLLISIONS_TOP,
    FIGURE_PRESSURE_WALLS,
    FIGURE_COMPRESSIBILITY_WALLS,
    FIGURE_COLLISIONS_POLYGONS, /* from here on, only of runs with polygons */
    FIGURE_FREE_AREA,
    FIGURE_BOUNDARY_LENGTH,
    FIGURE_MEAN_FREE_PATH_BOUNDARY,
    FIGURE_MEAN_FREE_PATH_BOUNDARY_THEORY,
    FIGURE_STREAM_SPEED, /* from here on, only of runs with a stream */
    FIGURE_STREAM_TEMPERATURE,
    FIGURE_STREAM_PASSAGES,
    FIGURE_MOMENTUM_X_SEAM,
    FIGURE_MOMENTUM_Y_SEAM,
    FIGURE_STREAM_DENSITY,
    FIGURE_STREAM_DENSITY_RATIO,
    FIGURE_FORCE_X,
    FIGURE_FORCE_Y,
    FIGURE_STREAM_SPEED_RATIO,
    FIGURE_MACH,
    FIGURE_KNUDSEN,
    FIGURE_END_TIME, /* from here on, of all runs again: what the run was */
    FIGURE_COLLISIONS,
    FIGURE_SECONDS,
    FIGURE_COLLISIONS_PER_SECOND,
    FIGURE_STATS_FROM,
    FIGURES
};

/* The figures, and the standard errors of those whose form is FIGURE_MEASURED. */
struct figure_table {
    double values[FIGURES], errors[FIGURES];
};

/* Computes the figures of a run of `system`, for the time that tally and blocks cover, up to the
 * end; it took `seconds` by the clock, and `reference` is the length of its Knudsen number. A
 * figure that the run does not determine (a rate without time) is not finite. */
void figures_compute(struct figure_table *table, const struct system *system,
                     const struct tally *tally, const struct blocks *blocks, double reference,
                     double seconds);

/* What a figure with this value means in such a run, in a sentence or two; NULL: nothing. */
const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary);

/* Lists the figures that runs with this boundary have, in their order. Returns their number. */
size_t figures_list(const struct figure_table *table, const struct boundary *boundary,
                    struct dynamics_figure list[FIGURES]);

#endif
