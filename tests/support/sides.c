/* Distances from sides, and ways through them; see sides.h. */
#include "sides.h"

#include <math.h>

/* A place as a side sees it, or an image of the side, in units of length. */
struct view {
    double along;  /* from the side's beginning to the foot of the place */
    double across; /* from the side's line, to the left */
};

static struct view view_from(const struct boundary *boundary, const struct polygon_side *side,
                             int image, double x, double y)
{
    const double dx = x - side->x - (image / 3 - 1) * boundary->width;
    const double dy = y - side->y - (image % 3 - 1) * boundary->height;
    return (struct view){(dx * side->lx + dy * side->ly) / side->length,
                         (side->lx * dy - side->ly * dx) / side->length};
}

/* Of the images 0 to 8, of which 4 is the side itself, whether a boundary has this one. */
static int has_image(const struct boundary *boundary, int image)
{
    return (image / 3 == 1 || boundary->periodic & PERIODIC_X) &&
           (image % 3 == 1 || boundary->periodic & PERIODIC_Y);
}

double sides_distance(const struct boundary *boundary, double x, double y)
{
    double least = (double)INFINITY;
    for (size_t k = 0; k < boundary->polygons->side_count; k++) {
        const struct polygon_side *side = &boundary->polygons->sides[k];
        for (int image = 0; image < 9; image++) {
            if (!has_image(boundary, image))
                continue;
            const struct view view = view_from(boundary, side, image, x, y);
            const double beyond = fmax(fmax(-view.along, view.along - side->length), 0);
            least = fmin(least, hypot(beyond, view.across));
        }
    }
    return least;
}

int sides_are_crossed(const struct boundary *boundary, const double from[2], const double to[2],
                      double slack)
{
    for (size_t k = 0; k < boundary->polygons->side_count; k++) {
        const struct polygon_side *side = &boundary->polygons->sides[k];
        for (int image = 0; image < 9; image++) {
            if (!has_image(boundary, image))
                continue;
            const struct view a = view_from(boundary, side, image, from[0], from[1]);
            const struct view b = view_from(boundary, side, image, to[0], to[1]);
            if (fmin(fabs(a.across), fabs(b.across)) <= slack || (a.across > 0) == (b.across > 0))
                continue;
            const double part = a.across / (a.across - b.across);
            const double along = a.along + part * (b.along - a.along);
            if (along > slack && along < side->length - slack)
                return 1;
        }
    }
    return 0;
}
