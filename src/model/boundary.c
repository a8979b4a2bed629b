/*
 * The box, its walls and its seams; the prediction of contacts stands in boundary.h.
 *
 * Decimal numbers become doubles by rounding, so disks that touch each other or a wall on paper
 * may overlap by a few units in the last place here. That much is accepted everywhere (the
 * formulas of boundary.h and physics.h cope with it); anything more is refused.
 */
#include "model/boundary.h"

#include "model/system.h"

#include <inttypes.h>

void boundary_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature)
{
    switch ((enum feature)feature) { /* not covered: a fifth wall */
    case FEATURE_LEFT:
        particle->x = radius;
        particle->u = -particle->u;
        break;
    case FEATURE_RIGHT:
        particle->x = boundary->width - radius;
        particle->u = -particle->u;
        break;
    case FEATURE_BOTTOM:
        particle->y = radius;
        particle->v = -particle->v;
        break;
    case FEATURE_TOP:
        particle->y = boundary->height - radius;
        particle->v = -particle->v;
        break;
    }
}

void boundary_pass(const struct boundary *boundary, struct particle *particle,
                   struct counts *counts, int32_t feature)
{
    switch ((enum feature)feature) {
    case FEATURE_LEFT:
        particle->x = boundary->width;
        counts->x_image--;
        break;
    case FEATURE_RIGHT:
        particle->x = 0;
        counts->x_image++;
        break;
    case FEATURE_BOTTOM:
        particle->y = boundary->height;
        counts->y_image--;
        break;
    case FEATURE_TOP:
        particle->y = 0;
        counts->y_image++;
        break;
    }
}

struct shift boundary_image(const struct boundary *boundary, const struct counts *counts)
{
    return (struct shift){(double)counts->x_image * boundary->width,
                          (double)counts->y_image * boundary->height};
}

static double clamp(double value, double lowest, double highest)
{
    if (value > highest)
        value = highest;
    return value > lowest ? value : lowest; /* for -0 and 0, the latter */
}

/* Into [0, length), for what is in it but for rounding. */
static double wrap(double value, double length)
{
    return value < length ? clamp(value, 0, length) : 0;
}

void boundary_clamp(const struct boundary *boundary, double radius, double *x, double *y)
{
    *x = boundary->periodic & PERIODIC_X ? wrap(*x, boundary->width)
                                         : clamp(*x, radius, boundary->width - radius);
    *y = boundary->periodic & PERIODIC_Y ? wrap(*y, boundary->height)
                                         : clamp(*y, radius, boundary->height - radius);
}

const char *boundary_name(int32_t feature)
{
    static const char *const names[BOUNDARY_SIDES] = {"left", "right", "bottom", "top"};
    return names[FEATURE_LEFT - feature];
}

double boundary_largest_radius(const struct boundary *boundary)
{
    return fmin(boundary->width / (boundary->periodic & PERIODIC_X ? 4 : 2),
                boundary->height / (boundary->periodic & PERIODIC_Y ? 4 : 2));
}

enum status boundary_check(const struct boundary *boundary, struct error *error)
{
    const double sides[2] = {boundary->width, boundary->height};
    for (int k = 0; k < 2; k++)
        if (!(sides[k] >= SYSTEM_SMALLEST && sides[k] <= SYSTEM_LARGEST))
            return error_set(
                error, STATUS_BAD_DATA, "the box's %s must be from %g to %g, not %.17g",
                k == 0 ? "width" : "height", SYSTEM_SMALLEST, SYSTEM_LARGEST, sides[k]);
    return STATUS_DONE;
}

/* A disk, and one axis of the box, as the checks of a particle see them. */
struct axis {
    int32_t id;
    double radius;
    unsigned is_periodic;
    const char *side;           /* of the box */
    double length;              /* of that side */
    char coordinate, component; /* their names: x and u, or y and v */
    double position, velocity;
};

static enum status check_room(const struct axis *axis, struct error *error)
{
    if (axis->is_periodic && axis->length < 4 * axis->radius)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too large for a periodic box: the %s, %.17g, "
                         "must be at least 4 times its radius, %.17g, or it could touch another "
                         "one on both sides at once",
                         axis->id, axis->side, axis->length, axis->radius);
    if (axis->length >= 2 * axis->radius)
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32 " does not fit into the box: its diameter, %.17g, is more "
                     "than the box's %s, %.17g",
                     axis->id, 2 * axis->radius, axis->side, axis->length);
}

static enum status check_coordinate(const struct axis *axis, struct error *error)
{
    double lowest = axis->is_periodic ? 0 : axis->radius;
    double highest = axis->length - lowest;
    if (axis->position >= lowest - system_rounding(axis->is_periodic ? axis->length : lowest) &&
        axis->position <= highest + system_rounding(axis->length))
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32
                     " is not inside the box: %c = %.17g, must be from %.17g to %.17g",
                     axis->id, axis->coordinate, axis->position, lowest, highest);
}

/* Checks the speed, and that there is room for a motion in this direction. */
static enum status check_velocity(const struct axis *axis, struct error *error)
{
    if (fabs(axis->velocity) > SYSTEM_LARGEST)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too fast: %c = %g, must not exceed %g", axis->id,
                         axis->component, axis->velocity, SYSTEM_LARGEST);
    if (axis->velocity != 0 && !axis->is_periodic && axis->length - axis->radius <= axis->radius)
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32
                         " has no room to move between two walls: its velocity %c must be 0, not "
                         "%g",
                         axis->id, axis->component, axis->velocity);
    return STATUS_DONE;
}

enum status boundary_check_particle(const struct boundary *boundary,
                                    const struct particle *particle, double radius,
                                    struct error *error)
{
    const struct axis axes[2] = {{particle->id, radius, boundary->periodic & PERIODIC_X, "width",
                                  boundary->width, 'x', 'u', particle->x, particle->u},
                                 {particle->id, radius, boundary->periodic & PERIODIC_Y, "height",
                                  boundary->height, 'y', 'v', particle->y, particle->v}};
    enum status (*const checks[])(const struct axis *,
                                  struct error *) = {check_room, check_coordinate, check_velocity};
    enum status status = STATUS_DONE;
    for (size_t check = 0; check < sizeof checks / sizeof checks[0]; check++)
        for (int k = 0; k < 2 && !status; k++)
            status = checks[check](&axes[k], error);
    return status;
}
