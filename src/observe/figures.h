/* The figures of --stats, how they are computed from the sums over a run; and the measurements of
 * observers that have finished, for the report (observe/writers.h). */
#ifndef PARTICLES_FIGURES_H
#define PARTICLES_FIGURES_H

#include "blocks.h"
#include "run/dynamics.h"
#include "tally.h"

enum figure {
#define FIGURE(name, form, key, label, unit, meaning) FIGURE_##name,
#include "figure_list.h"
#undef FIGURE
    FIGURES,
    FIGURES_OF_MIXTURE = 2 * CLASSES_MAX + 4 * CLASS_PAIRS, /* of species and pairs of them */
    FIGURES_OF_SIDE = FIGURE_HEAT_RIGHT - FIGURE_HEAT_LEFT  /* of the box: heat and shear stress */
};

/* The figures, and the standard errors of figures whose form is FIGURE_MEASURED. Figures of walls
 * that act have a value only where there are such walls. */
struct figure_table {
    double values[FIGURES], errors[FIGURES];
    int has_growth; /* it has the figures of disks that grow */
};

/* Computes the figures of a run of `system`, for the time that tally and blocks cover, up to the
 * end; it took `seconds` by the clock, and `reference` is the length of its Knudsen number. A
 * figure that the run does not determine (a rate without time) is not finite. */
void figures_compute(struct figure_table *table, const struct system *system,
                     const struct tally *tally, const struct blocks *blocks, double reference,
                     double seconds);

/* Computes the figures of disks that grow (observe/writers.h). Returns STATUS_DONE or
 * STATUS_NO_MEMORY. */
struct packing;
enum status packing_measure(const struct packing *packing, const struct snapshot *snapshot,
                            double values[FIGURES], struct error *error);

/* What a figure with this value means in such a run, in a sentence or two; NULL: nothing. */
const char *figure_meaning(enum figure figure, double value, const struct boundary *boundary);

/* Lists the figures that runs with this boundary have, in their order. Returns their number. */
size_t figures_list(const struct figure_table *table, const struct boundary *boundary,
                    struct dynamics_figure list[FIGURES]);

/* The key and the label of a figure of species. */
struct figure_name {
    char key[64], label[64];
};

/* Lists the figures of species, if there are several classes, which the blocks have. Their names
 * get into `names`, which must last. Returns their number. */
size_t figures_list_species(const struct figure_table *table, const struct system *system,
                            const struct classes *classes, const struct blocks *blocks,
                            struct figure_name names[FIGURES_OF_MIXTURE],
                            struct dynamics_figure list[FIGURES_OF_MIXTURE]);

/* The figures of --stats; owned by it. A dynamics has no more than its list, and FIGURE_SECONDS. */
struct figure_sources {
    const struct figure_table *table;
    const struct dynamics_figure *figures;
    size_t figure_count;
    const struct tally *tally;
    const struct blocks *blocks;
};

/* After `finish`, or statistics_update. */
struct figure_sources statistics_measured(const struct observer *observer);

/* The receiver of rows of numbers: a file, or a report. */
struct figure_sink {
    void (*take)(void *to, const char *quantity, const char *species, double x,
                 struct block_estimate estimate);
    void *to;
};

/* Lists all that the observer of --structure has measured, in the order of its file. */
void structure_list(const struct observer *observer, const struct figure_sink *sink);

/* Lists the mean forces that --forces has measured: on each obstacle, "force_x" and "force_y" with
 * its number; and on all, "force_x_at" and "force_y_at" with the middles of short intervals. */
void forces_list(const struct observer *observer, const struct figure_sink *sink);

/* Why the forces of the observer of --forces should not be trusted: its sentence; or NULL. */
const char *forces_warning(const struct observer *observer);

#endif
