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

void boundary_pass(const struct boundary *boundary, struct particle *particle, int32_t feature)
{
    switch ((enum feature)feature) {
    case FEATURE_LEFT:
        particle->x = boundary->width;
        break;
    case FEATURE_RIGHT:
        particle->x = 0;
        break;
    case FEATURE_BOTTOM:
        particle->y = boundary->height;
        break;
    case FEATURE_TOP:
        particle->y = 0;
        break;
    }
}

void boundary_count(const struct boundary *boundary, struct counts *counts, int32_t feature)
{
    if (!boundary_is_seam(boundary, feature))
        counts->walls++;
    else if (feature >= FEATURE_RIGHT)
        counts->x_image += feature == FEATURE_RIGHT ? 1 : -1;
    else
        counts->y_image += feature == FEATURE_TOP ? 1 : -1;
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
    double length; /* of the box */
    unsigned is_periodic;
    double radius, position, velocity; /* of the disk */
};

static inline int has_room_across_seams(const struct axis *axis)
{
    return !axis->is_periodic || axis->length >= 4 * axis->radius;
}

static inline int has_room(const struct axis *axis)
{
    return has_room_across_seams(axis) && axis->length >= 2 * axis->radius;
}

static inline double lowest_of(const struct axis *axis)
{
    return axis->is_periodic ? 0 : axis->radius;
}

static inline int is_inside(const struct axis *axis)
{
    const double lowest = lowest_of(axis);
    return axis->position >= lowest - system_rounding(axis->is_periodic ? axis->length : lowest) &&
           axis->position <= axis->length - lowest + system_rounding(axis->length);
}

static inline int is_slow(const struct axis *axis)
{
    return fabs(axis->velocity) <= SYSTEM_LARGEST;
}

/* Whether the speed is one, and there is room for a motion in this direction. */
static inline int can_move(const struct axis *axis)
{
    return is_slow(axis) &&
           (axis->velocity == 0 || axis->is_periodic || axis->length - axis->radius > axis->radius);
}

static enum status refuse_room(int32_t id, int is_y, const struct axis *axis, struct error *error)
{
    const char *side = is_y ? "height" : "width";
    if (!has_room_across_seams(axis))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too large for a periodic box: the %s, %.17g, "
                         "must be at least 4 times its radius, %.17g, or it could touch another "
                         "one on both sides at once",
                         id, side, axis->length, axis->radius);
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32 " does not fit into the box: its diameter, %.17g, is more "
                     "than the box's %s, %.17g",
                     id, 2 * axis->radius, side, axis->length);
}

static enum status refuse_place(int32_t id, int is_y, const struct axis *axis, struct error *error)
{
    return error_set(
        error, STATUS_BAD_DATA,
        "particle %" PRId32 " is not inside the box: %c = %.17g, must be from %.17g to %.17g", id,
        is_y ? 'y' : 'x', axis->position, lowest_of(axis), axis->length - lowest_of(axis));
}

static enum status refuse_velocity(int32_t id, int is_y, const struct axis *axis,
                                   struct error *error)
{
    const char component = is_y ? 'v' : 'u';
    if (!is_slow(axis))
        return error_set(error, STATUS_BAD_DATA,
                         "particle %" PRId32 " is too fast: %c = %g, must not exceed %g", id,
                         component, axis->velocity, SYSTEM_LARGEST);
    return error_set(error, STATUS_BAD_DATA,
                     "particle %" PRId32
                     " has no room to move between two walls: its velocity %c must be 0, not %g",
                     id, component, axis->velocity);
}

enum status boundary_check_particle(const struct boundary *boundary,
                                    const struct particle *particle, double radius,
                                    struct error *error)
{
    const struct axis x = {boundary->width, boundary->periodic & PERIODIC_X, radius, particle->x,
                           particle->u};
    const struct axis y = {boundary->height, boundary->periodic & PERIODIC_Y, radius, particle->y,
                           particle->v};
    if (!has_room(&x) || !has_room(&y))
        return refuse_room(particle->id, has_room(&x), has_room(&x) ? &y : &x, error);
    if (!is_inside(&x) || !is_inside(&y))
        return refuse_place(particle->id, is_inside(&x), is_inside(&x) ? &y : &x, error);
    if (!can_move(&x) || !can_move(&y))
        return refuse_velocity(particle->id, can_move(&x), can_move(&x) ? &y : &x, error);
    return STATUS_DONE;
}
