/*
 * The figures of --stats: how they are computed from the sums over a run, and how they are written.
 */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "model/system.h"
#include "run/dynamics.h"
#include "tally.h"

/* There are predictions up to this area fraction, at which equal disks freeze, about, and for so
 * many kinds of particles. */
#define ENSKOG_MAX_AREA_FRACTION 0.7
enum { ENSKOG_MAX_KINDS = 64 };

/*
 * A prediction of Enskog's kinetic theory for a fluid of hard disks in equilibrium; NAN where there
 * is none. It assumes that the velocities of two disks that collide are independent, but accounts
 * for their density by the contact value: how much more often than in an ideal gas two centres are
 * one contact distance apart.
 */
struct enskog {
    double collision_rate;  /* with other particles, per particle and time */
    double compressibility; /* p A / (N k T) */
    double sound_speed;     /* c, length per time */
};

/* The fraction of the free area that the disks cover: sum of pi R^2 / area. */
double enskog_area_fraction(const struct system *system);

/* The prediction for `system`, but `crowding` times as many particles, spread evenly over the box,
 * at k T = `temperature`, an energy. There is one only if collisions conserve energy and momentum.
 */
struct enskog enskog_predict(const struct system *system, double temperature, double crowding);

struct blocks;

/* The figures of a run of events, in the order in which they are printed. */
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

/* Computes the figures of a run of `system`, for the time that tally and blocks cover, up to the
 * end; it took `seconds` by the clock, and `reference` is the length of its Knudsen number. A
 * figure that the run does not determine (a rate without time) is not finite. */
void figures_compute(double values[FIGURES], const struct system *system, const struct tally *tally,
                     const struct blocks *blocks, double reference, double seconds);

/* The meaning of a figure with this value in such a run, in a sentence or two; NULL: it has none.
 */
const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary);

/* Lists the figures that runs with this boundary have, in their order. Returns their number. */
size_t figures_list(const double values[FIGURES], const struct boundary *boundary,
                    struct dynamics_figure list[FIGURES]);

#endif
