/*
 * The figures of --stats: how they are computed from the sums over a run, and how they are written.
 */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "model/enskog.h"
#include "run/dynamics.h"
#include "tally.h"

struct blocks;

enum figure {
#define FIGURE(name, form, key, label, unit, meaning) FIGURE_##name,
#include "figure_list.h"
#undef FIGURE
    FIGURES,
    FIGURES_OF_SIDE = FIGURE_HEAT_RIGHT - FIGURE_HEAT_LEFT /* of the box: heat and shear stress */
};

/* The figures, and the standard errors of those whose form is FIGURE_MEASURED; those of walls that
 * act have a value only where there are such walls. */
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
