/*
 * Validation of the box and its particles.
 *
 * Decimal numbers become doubles by rounding, so disks that touch each other or a wall on paper
 * may overlap by a few units in the last place here. That much is accepted everywhere (the
 * formulas of physics.h cope with it); anything more is refused. Whether disks overlap each other
 * is found out in overlap.c.
 */
#include "model/system.h"

#include "base/memory.h"

#include <math.h>

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

enum status system_check_sides(const struct system *system, struct error *error)
{
    const double sides[2] = {system->width, system->height};
    for (int k = 0; k < 2; k++)
        if (!is_size(sides[k]))
            return error_set(
                error, STATUS_BAD_DATA, "the box's %s must be from %g to %g, not %.17g",
                k == 0 ? "width" : "height", SYSTEM_SMALLEST, SYSTEM_LARGEST, sides[k]);
    return STATUS_DONE;
}

enum status system_check_box(const struct system *system, struct error *error)
{
    const double sides[2] = {system->width, system->height};
    enum status status = system_check_sides(system, error);
    for (int k = 0; k < 2 && !status; k++)
        if (sides[k] < 2 * system->radius)
            status = error_set(error, STATUS_BAD_DATA,
                               "the box's %s, %.17g, is less than a particle's diameter, %.17g",
                               k == 0 ? "width" : "height", sides[k], 2 * system->radius);
    return status;
}

enum status system_check_kind(const struct kind *kind, struct error *error)
{
    if (kind->radius != 0 && !is_size(kind->radius))
        return error_set(error, STATUS_BAD_DATA,
                         "a particle's radius must be 0 or from %g to %g, not %.17g",
                         SYSTEM_SMALLEST, SYSTEM_LARGEST, kind->radius);
    if (!(kind->mass >= SYSTEM_LEAST_MASS && kind->mass <= SYSTEM_LARGEST_MASS))
        return error_set(error, STATUS_BAD_DATA,
                         "a particle's mass must be from %g to %g, not %.17g", SYSTEM_LEAST_MASS,
                         SYSTEM_LARGEST_MASS, kind->mass);
    return STATUS_DONE;
}

/* Checks that there is room in the box for a particle of a kind. */
static enum status check_room(const struct system *system, size_t index, struct error *error)
{
    double diameter = 2 * system_radius(system, &system->particles[index]);
    const double sides[2] = {system->width, system->height};
    for (int k = 0; k < 2; k++)
        if (sides[k] < diameter)
            return error_set(error, STATUS_BAD_DATA,
                             "particle %zu does not fit into the box: its diameter, %.17g, is "
                             "more than the box's %s, %.17g",
                             index, diameter, k == 0 ? "width" : "height", sides[k]);
    return STATUS_DONE;
}

/* Checks one coordinate of a particle against its two walls. */
static enum status check_coordinate(const struct system *system, size_t index, char name,
                                    double value, double length, struct error *error)
{
    double lowest = system_radius(system, &system->particles[index]);
    double highest = length - lowest;
    if (value >= lowest - system_rounding(lowest) && value <= highest + system_rounding(length))
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "particle %zu is not inside the box: %c = %.17g, must be from %.17g to %.17g",
                     index, name, value, lowest, highest);
}

/* Checks a velocity component, and that there is room for a motion in its direction. */
static enum status check_velocity(const struct system *system, size_t index, char name,
                                  double value, double length, struct error *error)
{
    double radius = system_radius(system, &system->particles[index]);
    if (fabs(value) > SYSTEM_LARGEST)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %zu is too fast: %c = %g, must not exceed %g", index, name,
                         value, SYSTEM_LARGEST);
    if (value != 0 && length - radius <= radius)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %zu has no room to move between two walls: its velocity %c "
                         "must be 0, not %g",
                         index, name, value);
    return STATUS_DONE;
}

enum status system_check_particle(const struct system *system, size_t index, struct error *error)
{
    const struct particle *particle = &system->particles[index];
    enum status status = system->kinds ? check_room(system, index, error) : STATUS_DONE;
    if (!status)
        status = check_coordinate(system, index, 'x', particle->x, system->width, error);
    if (!status)
        status = check_coordinate(system, index, 'y', particle->y, system->height, error);
    if (!status)
        status = check_velocity(system, index, 'u', particle->u, system->width, error);
    if (!status)
        status = check_velocity(system, index, 'v', particle->v, system->height, error);
    return status;
}

double system_fastest(const struct system *system)
{
    double fastest = 0;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        fastest = fmax(fastest, fmax(fabs(p->u), fabs(p->v)));
    }
    return fastest;
}

double system_last_time(const struct system *system)
{
    double time = 0;
    for (size_t k = 0; k < system->count; k++)
        time = fmax(time, system->particles[k].t);
    return time;
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
    memory_free(system->kinds);
    *system = (struct system){0};
}
