/*
 * Relaxation; see relaxation.h.
 *
 * In a sweep each disk looks for disks that it overlaps, and each such pair is pushed apart, both
 * by the same way, a little further than contact. That may push them into others, which the next
 * sweeps push on. The overlaps become fewer and smaller; below the density at which disks jam, none
 * are left in the end. (For half of the disks 1.4 times as large as the others, that is an area
 * fraction of 0.842: C. S. O'Hern, L. E. Silbert, A. J. Liu and S. R. Nagel, Jamming at zero
 * temperature and zero applied stress, Physical Review E 68, 2003.) A sweep that pushes none has
 * seen all pairs where they are, and is the proof that no two overlap.
 */
#include "relaxation.h"

#include "base/memory.h"
#include "grid.h"

#include <math.h>

enum { MAX_SWEEPS = 2000 };

static const double MIN_GAP = 1e-6;    /* in contact distances: rounding cannot close it */
static const double PUSHED_GAP = 5e-3; /* between two that have been pushed apart */

/* The system that is relaxed, and the cells in which its disks are. */
struct relaxation {
    struct system *system;
    struct grid grid;
    int32_t *next; /* of each disk: another one in its cell, or GRID_END */
};

/* Scatters the disks over the room that their centres have. */
static void scatter_disks(struct system *system, struct random_generator *generator)
{
    const struct boundary *box = &system->boundary;
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        const double x_margin = box->periodic & PERIODIC_X ? 0 : radius;
        const double y_margin = box->periodic & PERIODIC_Y ? 0 : radius;
        p->x = x_margin + (box->width - 2 * x_margin) * random_unit(generator);
        p->y = y_margin + (box->height - 2 * y_margin) * random_unit(generator);
    }
}

/* Enters all disks into their cells. */
static void fill_cells(struct relaxation *relaxation)
{
    const struct system *system = relaxation->system;
    struct grid *grid = &relaxation->grid;
    grid_clear(grid);
    for (size_t k = 0; k < system->count; k++) {
        size_t cell = grid_cell(grid, system->particles[k].x, system->particles[k].y);
        relaxation->next[k] = grid->first[cell];
        grid->first[cell] = (int32_t)k;
    }
}

/* The coordinate that is `value` modulo `length`, for one that is less than that out of the box. */
static double wrap_once(double value, double length)
{
    if (value < 0)
        return value + length;
    return value >= length ? value - length : value;
}

/* Moves a disk, through seams but not into walls. */
static void relaxation_move(const struct system *system, struct particle *p, double dx, double dy)
{
    const struct boundary *box = &system->boundary;
    p->x = box->periodic & PERIODIC_X ? wrap_once(p->x + dx, box->width) : p->x + dx;
    p->y = box->periodic & PERIODIC_Y ? wrap_once(p->y + dy, box->height) : p->y + dy;
    boundary_clamp(box, system_radius(system, p), &p->x, &p->y);
}

/* The component of a distance to the nearest image. */
static double nearest_image(double distance, double length, unsigned is_periodic)
{
    if (!is_periodic || fabs(distance) <= length / 2)
        return distance;
    return distance > 0 ? distance - length : distance + length;
}

/* Pushes two disks apart if they overlap. Returns whether they do. */
static int relaxation_push(const struct system *system, struct particle *p, struct particle *q)
{
    const struct boundary *box = &system->boundary;
    const double contact = system_contact(system, p, q);
    const double least = contact * (1 + MIN_GAP);
    double dx = nearest_image(q->x - p->x, box->width, box->periodic & PERIODIC_X);
    double dy = nearest_image(q->y - p->y, box->height, box->periodic & PERIODIC_Y);
    const double square = dx * dx + dy * dy;
    if (square > least * least)
        return 0;
    const double distance = sqrt(square);
    if (distance == 0)
        dx = 1; /* any direction */
    const double half = (contact * (1 + PUSHED_GAP) - distance) / 2 / (distance > 0 ? distance : 1);
    relaxation_move(system, p, -half * dx, -half * dy);
    relaxation_move(system, q, half * dx, half * dy);
    return 1;
}

/* Pushes all pairs apart that overlap. Returns how many do. */
static size_t relaxation_sweep(struct relaxation *relaxation)
{
    struct system *system = relaxation->system;
    size_t pushed = 0;
    fill_cells(relaxation);
    for (size_t i = 0; i < system->count; i++) {
        struct particle *p = &system->particles[i];
        size_t cells[GRID_NEIGHBOURS];
        size_t count = grid_neighbours(&relaxation->grid, p->x, p->y, cells);
        for (size_t k = 0; k < count; k++)
            for (int32_t j = relaxation->grid.first[cells[k]]; j != GRID_END;
                 j = relaxation->next[j])
                if ((size_t)j > i)
                    pushed += (size_t)relaxation_push(system, p, &system->particles[j]);
    }
    return pushed;
}

/* Rounds the places, which are in the box. */
static void round_places(struct system *system, const struct decimals *decimals)
{
    for (size_t k = 0; k < system->count; k++) {
        struct particle *p = &system->particles[k];
        p->x = number_round(decimals, p->x);
        p->y = number_round(decimals, p->y);
        boundary_clamp(&system->boundary, system_radius(system, p), &p->x, &p->y);
    }
}

enum status place_by_relaxation(struct system *system, const struct decimals *decimals,
                                struct random_generator *generator, int *is_placed,
                                struct error *error)
{
    struct relaxation relaxation = {.system = system};
    double largest = system->kinds ? 0 : system->radius;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    *is_placed = 0;
    relaxation.next = memory_allocate(system->count, sizeof *relaxation.next,
                                      "the lists of the relaxation", error);
    if (!relaxation.next)
        return STATUS_NO_MEMORY;
    enum status status = grid_create(&relaxation.grid, &system->boundary, system->count,
                                     2 * largest * (1 + PUSHED_GAP), error);
    if (!status) {
        scatter_disks(system, generator);
        for (int k = 0; k < MAX_SWEEPS && !*is_placed; k++)
            *is_placed = relaxation_sweep(&relaxation) == 0;
        round_places(system, decimals);
        grid_free(&relaxation.grid);
    }
    memory_free(relaxation.next);
    return status;
}
