/*
 * What observers have measured, for the report (observe/report.h), which asks them when they have
 * finished.
 */
#ifndef PARTICLES_MEASURED_H
#define PARTICLES_MEASURED_H

#include "block_sums.h"
#include "blocks.h"
#include "observe/fields.h"
#include "observe/tally.h"

/* The sums and figures of an observer of statistics_create; owned by it. */
struct measured {
    const double *values; /* FIGURES of them: see figures.h */
    const struct tally *tally;
    const struct blocks *blocks;
    int is_sampled; /* they are of the last part of the time: see statistics.h */
};

struct measured statistics_measured(const struct observer *observer);

/* Something that takes rows of numbers: a file, or a report. */
struct row_sink {
    void (*take)(void *to, const char *quantity, const char *species, double x,
                 struct estimate estimate);
    void *to;
};

/* Tells all that an observer of structure_create has measured, in the order of its file. */
void structure_tell(const struct observer *observer, const struct snapshot *snapshot,
                    const struct row_sink *sink);

/*
 * Tells the mean forces on each obstacle that an observer of forces_create has measured: "force_x"
 * and "force_y" with the obstacle's number; and the force on all obstacles together, "force_x_at"
 * and "force_y_at", with times: the middles of stretches of which these are the means.
 */
void forces_tell(const struct observer *observer, const struct snapshot *snapshot,
                 const struct row_sink *sink);

/* Why the forces that an observer of forces_create has measured should not be trusted: a sentence,
 * owned by it; or NULL. */
const char *forces_warning(const struct observer *observer);

/* The fields that an observer of fields_create has measured; owned by it. */
struct field_map fields_map(const struct observer *observer, const struct snapshot *snapshot);

/*
 * The density now, by counting the particles in cells that are nearly square, 96 along the longer
 * side of the box. `grid` and `free_parts`, {0} and NULL before, are what the map refers to; in any
 * case the caller frees them, by field_grid_free and memory_free. Returns STATUS_DONE or
 * STATUS_NO_MEMORY.
 */
enum status fields_count_now(const struct snapshot *snapshot, struct field_grid *grid,
                             double **free_parts, struct field_map *map, struct error *error);

#endif
