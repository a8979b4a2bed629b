/*
 * The room for centres; see reach.h.
 *
 * Let the free area be A, its boundary have the length P, and the boundary turn by the angles a at
 * its corners, a > 0 where the free side has less than half a turn. If centres stay R away,
 *     area = A - R P + R^2 F, length = P - 2 R F,
 *     F = sum of tan(a / 2) where a > 0, and of a / 2 where a < 0,
 * because boundaries at a distance R from two sides meet, or an arc connects them. (For a convex
 * obstacle this is Steiner's formula.) In a box the corners give F = 4, and the product of its
 * sides, each 2R shorter, is the same.
 */
#include "model/reach.h"

#include "model/polygons.h"

static const double pi = 3.14159265358979323846;

/* The inverse tangent from -1 to 1, of exact operations only, so that no C library matters. */
static double arc_tangent(double t)
{
    for (int k = 0; k < 5; k++) /* of half the angle */
        t /= 1 + sqrt(1 + t * t);
    const double square = t * t;
    double sum = 0;
    for (int k = 13; k > 0; k -= 2)
        sum = 1.0 / k - square * sum;
    return 32 * t * sum;
}

/*
 * What the corner between two sides adds to F. Where one of them lies on a wall, the path along the
 * boundary goes on along the wall, the other way. Beside another obstacle it goes on along that,
 * straight on if both are flush.
 */
static double corner_term(const struct side *before, const struct side *side)
{
    const int way = (before->cover == COVER_WALL) == (side->cover == COVER_WALL) ? 1 : -1;
    const double lengths = way * before->length * side->length;
    const double sine = side->facing * (before->lx * side->ly - before->ly * side->lx) / lengths;
    const double cosine = (before->lx * side->lx + before->ly * side->ly) / lengths;
    if (before->cover == COVER_OBSTACLE || side->cover == COVER_OBSTACLE ||
        (before->cover && side->cover))
        return 0;
    if (side->is_thin)
        return side->cover || before->cover ? 0 : -pi / 2;
    if (sine > 0)
        return cosine > 0 ? sine / (1 + cosine) : (1 - cosine) / sine;
    return cosine > 0 ? arc_tangent(sine / (1 + cosine))
                      : -pi / 2 - arc_tangent(sine / (1 - cosine));
}

/* The area, with the sign of what it adds to the free area; the length and F of polygons. */
struct measures {
    double area, length, corners;
};

static void add_polygon(struct measures *all, const struct polygon *polygon,
                        const struct side *sides)
{
    for (size_t k = 0; k < polygon->side_count; k++) {
        const struct side *side = &sides[k];
        const struct side *before = &sides[k > 0 ? k - 1 : polygon->side_count - 1];
        if (side->cover == COVER_NONE)
            all->length += side->length;
        if (side->cover == COVER_WALL) /* which it covers, too */
            all->length -= side->length;
        all->corners += corner_term(before, side);
    }
}

/* The sides of the box, which are no boundary where it is periodic. */
static struct reach find_box(const struct boundary *boundary, double radius)
{
    const unsigned periodic = boundary->periodic;
    struct reach box = {.width = boundary->width - (periodic & PERIODIC_X ? 0 : 2 * radius),
                        .height = boundary->height - (periodic & PERIODIC_Y ? 0 : 2 * radius)};
    if (!(box.width > 0 && box.height > 0))
        box.width = box.height = (double)NAN;
    box.length =
        2 * ((periodic & PERIODIC_Y ? 0 : box.width) + (periodic & PERIODIC_X ? 0 : box.height));
    return box;
}

struct reach reach_find(const struct boundary *boundary, double radius)
{
    const struct polygons *polygons = boundary->polygons;
    const struct reach box = find_box(boundary, radius);
    struct measures all = {0, 0, 0};
    int has_domain = 0;
    if (!polygons)
        return box;
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        has_domain |= polygon->is_domain;
        all.area += polygons_area(polygons, k);
        if (!polygon->is_hidden)
            add_polygon(&all, polygon, polygons->sides + polygon->first_side);
    }
    struct reach reach = {.width = all.area - radius * all.length + radius * radius * all.corners,
                          .height = 1,
                          .length = all.length - 2 * radius * all.corners};
    if (!has_domain) {
        reach.width += box.width * box.height;
        reach.length += box.length;
    }
    if (!(reach.width > 0 && reach.length > 0))
        reach.width = reach.length = (double)NAN;
    return reach;
}

double reach_area(const struct boundary *boundary)
{
    const struct reach points = reach_find(boundary, 0);
    return points.width * points.height;
}
