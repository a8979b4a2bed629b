/*
 * Validation of the box and its particles.
 *
 * Decimal numbers become doubles by rounding, so disks that touch each other or a wall on paper
 * may overlap by a few units in the last place here. That much is accepted everywhere (the
 * formulas of physics.h cope with it); anything more is refused.
 *
 * Overlaps are found by a sweep. The box is cut into rows one diameter high, and the particles
 * are sorted by row and, within a row, by x. Whoever overlaps a particle is then in its row or in
 * the next one, less than a diameter away in x. Only a handful of disks fit into such a window
 * unless they overlap each other; so however the particles are spread, the sweep either meets an
 * overlap soon or is done after O(N) steps.
 */
#include "system.h"

#include "memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* How far rounding may move something computed from lengths up to `length`, generously. */
static double rounding_slack(double length)
{
    return 16 * DBL_EPSILON * length;
}

static int is_size(double length)
{
    return length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST;
}

enum status system_check_radius(const struct system *system, struct error *error)
{
    if (system->radius != 0 && !is_size(system->radius))
        return error_set(error, STATUS_BAD_DATA, "the radius must be 0 or from %g to %g, not %.17g",
                         SYSTEM_SMALLEST, SYSTEM_LARGEST, system->radius);
    return STATUS_DONE;
}

enum status system_check_box(const struct system *system, struct error *error)
{
    const double sides[2] = {system->width, system->height};
    for (int k = 0; k < 2; k++) {
        const char *side = k == 0 ? "width" : "height";
        if (!is_size(sides[k]))
            return error_set(error, STATUS_BAD_DATA,
                             "the box's %s must be from %g to %g, not %.17g", side, SYSTEM_SMALLEST,
                             SYSTEM_LARGEST, sides[k]);
        if (sides[k] < 2 * system->radius)
            return error_set(error, STATUS_BAD_DATA,
                             "the box's %s, %.17g, is less than a particle's diameter, %.17g", side,
                             sides[k], 2 * system->radius);
    }
    return STATUS_DONE;
}

/* Checks one coordinate of a particle against its two walls. */
static enum status check_coordinate(const struct system *system, size_t index, char name,
                                    double value, double length, struct error *error)
{
    double lowest = system->radius;
    double highest = length - system->radius;
    if (value >= lowest - rounding_slack(lowest) && value <= highest + rounding_slack(length))
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "particle %zu is not inside the box: %c = %.17g, must be from %.17g to %.17g",
                     index, name, value, lowest, highest);
}

/* Checks a velocity component, and that there is room for a motion in its direction. */
static enum status check_velocity(const struct system *system, size_t index, char name,
                                  double value, double length, struct error *error)
{
    if (fabs(value) > SYSTEM_LARGEST)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %zu is too fast: %c = %g, must not exceed %g", index, name,
                         value, SYSTEM_LARGEST);
    if (value != 0 && length - system->radius <= system->radius)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %zu has no room to move between two walls: its velocity %c "
                         "must be 0, not %g",
                         index, name, value);
    return STATUS_DONE;
}

enum status system_check_particle(const struct system *system, size_t index, struct error *error)
{
    const struct particle *particle = &system->particles[index];
    enum status status = check_coordinate(system, index, 'x', particle->x, system->width, error);
    if (!status)
        status = check_coordinate(system, index, 'y', particle->y, system->height, error);
    if (!status)
        status = check_velocity(system, index, 'u', particle->u, system->width, error);
    if (!status)
        status = check_velocity(system, index, 'v', particle->v, system->height, error);
    return status;
}

/* A particle's place in the order of the sweep. */
struct sweep_entry {
    double row, x;
    size_t index;
};

static int compare_sweep_entries(const void *left, const void *right)
{
    const struct sweep_entry *a = left;
    const struct sweep_entry *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Closer than this to the particle of `entry`, another one overlaps it. */
static double overlap_distance(const struct system *system, const struct sweep_entry *entry)
{
    double y = system->particles[entry->index].y;
    return 2 * system->radius - rounding_slack(fmax(entry->x, y) + system->radius);
}

/* Tests entries from `first` on that lie in `row` and are not too far right of `entry`. */
static int find_in_row(const struct system *system, const struct sweep_entry *entries, size_t first,
                       const struct sweep_entry *entry, double row, struct system_overlap *overlap)
{
    const struct particle *particle = &system->particles[entry->index];
    double least = overlap_distance(system, entry);
    for (size_t k = first;
         k < system->count && entries[k].row == row && entries[k].x - entry->x < least; k++) {
        const struct particle *other = &system->particles[entries[k].index];
        double distance = hypot(other->x - particle->x, other->y - particle->y);
        if (distance < least) {
            int in_order = entry->index < entries[k].index;
            overlap->found = 1;
            overlap->first = in_order ? entry->index : entries[k].index;
            overlap->second = in_order ? entries[k].index : entry->index;
            overlap->distance = distance;
            return 1;
        }
    }
    return 0;
}

/* The sweep itself, over sorted entries. */
static void sweep(const struct system *system, const struct sweep_entry *entries,
                  struct system_overlap *overlap)
{
    size_t above = 0; /* the first entry of the next row that can still matter */
    for (size_t k = 0; k < system->count; k++) {
        const struct sweep_entry *entry = &entries[k];
        double next_row = entry->row + 1;
        double left_end = entry->x - 2 * system->radius;
        while (above < system->count &&
               (entries[above].row < next_row ||
                (entries[above].row == next_row && entries[above].x <= left_end)))
            above++;
        if (find_in_row(system, entries, k + 1, entry, entry->row, overlap) ||
            find_in_row(system, entries, above, entry, next_row, overlap))
            return;
    }
}

enum status system_find_overlap(const struct system *system, struct system_overlap *overlap,
                                struct error *error)
{
    *overlap = (struct system_overlap){0};
    if (system->radius == 0)
        return STATUS_DONE; /* points have no room in which to overlap */
    struct sweep_entry *entries = memory_allocate(system->count, sizeof *entries,
                                                  "the search for overlapping particles", error);
    if (!entries)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *particle = &system->particles[k];
        entries[k].row = floor(particle->y / (2 * system->radius));
        entries[k].x = particle->x;
        entries[k].index = k;
    }
    qsort(entries, system->count, sizeof *entries, compare_sweep_entries);
    sweep(system, entries, overlap);
    memory_free(entries);
    return STATUS_DONE;
}

void system_restore_order(struct system *system)
{
    struct particle *particles = system->particles;
    for (size_t k = 0; k < system->count; k++) {
        while ((size_t)particles[k].id != k) {
            struct particle *home = &particles[particles[k].id];
            struct particle displaced = *home;
            *home = particles[k];
            particles[k] = displaced;
        }
    }
}

void system_free(struct system *system)
{
    memory_free(system->particles);
    *system = (struct system){0};
}
