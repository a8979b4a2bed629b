/*
 * The region that is free for particles; see region.h.
 *
 * A position is inside a polygon if a line from it to the right crosses the polygon's sides once
 * more upwards than downwards, or the other way round. Only sides at its height matter: the plane
 * is cut into rows, and each row lists the sides that reach into it.
 *
 * The reach of centres: let the free area be A, its boundary have the length P, and the boundary
 * turn by the angles a at its corners, a > 0 where the free side has less than half a turn. If
 * centres stay R away, area = A - R P + R^2 F, length = P - 2 R F, F = sum of tan(a / 2) where a >
 * 0, and of a / 2 where a < 0, because boundaries at a distance R from two sides meet, or an arc
 * connects them. (For a convex obstacle this is Steiner's formula.) In a box the corners give F =
 * 4, and the product of its sides, each 2R shorter, is the same.
 */
#include "model/region.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>

enum { PLACES_PER_SIDE = 4 }; /* in the rows, about */

struct region {
    const struct boundary *boundary;
    int has_domain;
    struct grid grid; /* of one column: rows that list the sides at their height; no row: there are
                         no polygons; owned */
    uint32_t *sides;  /* numbers of sides; owned */
};

/* Inside how many polygons a position is. */
struct region_depth {
    int domains, obstacles;
};

/* How much deeper inside its polygon a position is because this side is to the right of it. */
static int region_find_step(const struct polygons *polygons, const struct polygon_side *side,
                            const double at[2])
{
    const struct polygon_side *next = polygons_next_side(polygons, side);
    const int is_up = next->corner_y > at[1];
    if ((side->corner_y > at[1]) == is_up || side->is_thin ||
        (side->corner_x <= at[0] && next->corner_x <= at[0]))
        return 0;
    const double from[2] = {side->corner_x, side->corner_y};
    const double to[2] = {next->corner_x, next->corner_y};
    if (orientation(is_up ? from : to, is_up ? to : from, at) <= 0)
        return 0;
    const int is_left = (side->facing > 0) == polygons->list[side->polygon].is_inside;
    return is_left == is_up ? 1 : -1;
}

/* Lists a side in the rows that it reaches into, or counts it, without memory for them; a thin wall
 * in none. */
static void list_side(struct region *region, size_t number)
{
    const struct polygons *polygons = region->boundary->polygons;
    const struct polygon_side *side = &polygons->sides[number];
    const double y = polygons_next_side(polygons, side)->corner_y;
    const size_t last = grid_cell(&region->grid, 0, fmax(side->corner_y, y));
    for (size_t row = grid_cell(&region->grid, 0, fmin(side->corner_y, y));
         row <= last && !side->is_thin; row++) {
        const uint32_t at = grid_put(&region->grid, row);
        if (region->sides)
            region->sides[at] = (uint32_t)number;
    }
}

/* Makes rows so high that a side is in a few of them on average. */
static enum status make_rows(struct region *region, struct error *error)
{
    static const char what[] = "the region of particles";
    const struct boundary *box = region->boundary;
    const struct polygons *polygons = box->polygons;
    const double sides = (double)polygons->side_count;
    const double height = box->height * (box->periodic & PERIODIC_Y ? 2 : 1);
    double sum = 0;
    for (size_t k = 0; k < polygons->side_count; k++)
        sum += fabs(polygons->sides[k].ly) / height;
    region->grid = (struct grid){.columns = 1, .width = 1};
    region->grid.rows = (uint32_t)fmin(sides, 1 + PLACES_PER_SIDE * sides / fmax(sum, 1));
    region->grid.height = height / region->grid.rows;
    if (grid_count(&region->grid, what, error))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < polygons->side_count; k++)
        list_side(region, k);
    const size_t count = grid_begin(&region->grid);
    region->sides = memory_allocate(count + 1, sizeof *region->sides, what, error);
    for (size_t k = 0; k < polygons->side_count && region->sides; k++)
        list_side(region, k);
    return region->sides ? STATUS_DONE : STATUS_NO_MEMORY;
}

enum status region_create(const struct boundary *boundary, struct region **region,
                          struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    struct region *made = memory_allocate(1, sizeof *made, "the region of particles", error);
    *region = made;
    if (!made)
        return STATUS_NO_MEMORY;
    *made = (struct region){.boundary = boundary};
    if (!polygons || polygons->side_count == 0)
        return STATUS_DONE;
    made->has_domain = polygons_have_domain(polygons);
    if (!make_rows(made, error))
        return STATUS_DONE;
    region_free(made);
    *region = NULL;
    return STATUS_NO_MEMORY;
}

void region_free(struct region *region)
{
    if (!region)
        return;
    memory_free(region->grid.first);
    memory_free(region->sides);
    memory_free(region);
}

static void add_depth(const struct region *region, double x, double y, struct region_depth *depth)
{
    const struct polygons *polygons = region->boundary->polygons;
    const size_t row = grid_cell(&region->grid, 0, y);
    for (uint32_t k = region->grid.first[row]; k < region->grid.first[row + 1]; k++) {
        const struct polygon_side *side = &polygons->sides[region->sides[k]];
        const int step = region_find_step(polygons, side, (const double[]){x, y});
        *(polygons->list[side->polygon].is_domain ? &depth->domains : &depth->obstacles) += step;
    }
}

static struct region_depth region_find_depth(const struct region *region, double x, double y)
{
    const struct boundary *boundary = region->boundary;
    struct region_depth depth = {0, 0};
    const int columns = (boundary->periodic & PERIODIC_X) != 0;
    const int rows = (boundary->periodic & PERIODIC_Y) != 0;
    for (int column = 0; column <= columns && region->grid.rows > 0; column++)
        for (int row = 0; row <= rows; row++)
            add_depth(region, x + column * boundary->width, y + row * boundary->height, &depth);
    return depth;
}

static int is_free(const struct region *region, const struct region_depth *depth)
{
    return depth->obstacles == 0 && (!region->has_domain || depth->domains % 2 != 0);
}

int region_contains(const struct region *region, double x, double y)
{
    const struct region_depth depth = region_find_depth(region, x, y);
    return is_free(region, &depth);
}

/* Any side of an obstacle that has this position inside it. */
static size_t find_obstacle(const struct region *region, double x, double y)
{
    const struct boundary *boundary = region->boundary;
    const struct polygons *polygons = boundary->polygons;
    const int images = boundary->periodic ? 4 : 1;
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        for (int image = 0; image < images && !polygon->is_domain; image++) {
            const double at[2] = {x + (image & 1) * boundary->width,
                                  y + (image >> 1) * boundary->height};
            int depth = 0;
            for (size_t m = 0; m < polygon->side_count; m++)
                depth += region_find_step(polygons, &polygons->sides[polygon->first_side + m], at);
            if (depth != 0)
                return polygon->first_side;
        }
    }
    return 0; /* not covered: it is called for a position in an obstacle */
}

/* How far a position is from a side; the nearest point is `part` of its length along it. */
static double find_distance(const struct polygon_side *side, double x, double y, double *part)
{
    double dx = x - side->x, dy = y - side->y;
    double along = (side->lx * dx + side->ly * dy) / side->length;
    *part = fmin(fmax(along / side->length, 0), 1);
    dx -= *part * side->lx;
    dy -= *part * side->ly;
    return sqrt(dx * dx + dy * dy);
}

/* How near sides are that the grid lists at a position; INFINITY: none. */
struct region_nearness {
    double distance; /* to the nearest side, length */
    size_t side;     /* the nearest one */
    double rim[2];   /* to sides of obstacles, and of the domain; not thin, not hidden */
    const struct polygon_side *covered; /* a side, all covered, that the position is on; or NULL */
};

static struct region_nearness find_nearest(const struct boundary *boundary, double x, double y,
                                           double rounding)
{
    const struct polygons *polygons = boundary->polygons;
    const struct grid *grid = &polygons->grid;
    const size_t cell = grid_cell(grid, x, y);
    struct region_nearness nearest = {
        (double)INFINITY, 0, {(double)INFINITY, (double)INFINITY}, NULL};
    for (uint32_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const struct polygon_image *image = &polygons->images[k];
        const size_t index = polygons_side(image->feature);
        const struct polygon_side *side = &polygons->sides[index];
        double part;
        double distance = find_distance(side, x - image->column * boundary->width,
                                        y - image->row * boundary->height, &part);
        const struct polygon *polygon = &polygons->list[side->polygon];
        double *rim = &nearest.rim[polygon->is_domain];
        if (side->cover && !side->is_thin) {
            if (distance <= rounding && fmin(part, 1 - part) * side->length > rounding)
                nearest.covered = side;
            continue;
        }
        if (!side->is_thin && !polygon->is_hidden)
            *rim = fmin(*rim, distance);
        if (distance < nearest.distance || (distance == nearest.distance && index < nearest.side)) {
            nearest.distance = distance;
            nearest.side = index;
        }
    }
    return nearest;
}

double region_gap(const struct boundary *boundary, double x, double y)
{
    return find_nearest(boundary, x, y, 0).distance;
}

/* A point may lie on the rim of an obstacle, or of the domain: then it is not inside, or outside.
 * The rounding that is accepted is a quarter of what contacts with sides cope with. */
static void check_particle(const struct region *region, const struct particle *p, double radius,
                           struct region_fault *fault)
{
    const struct boundary *boundary = region->boundary;
    const double rounding = pair_rounding(fmax(boundary->width, boundary->height));
    const struct region_nearness nearest = find_nearest(boundary, p->x, p->y, rounding);
    fault->distance = nearest.distance;
    fault->side = nearest.side;
    struct region_depth depth = region_find_depth(region, p->x, p->y);
    if (nearest.rim[0] <= rounding)
        depth.obstacles = 0;
    if (nearest.rim[1] <= rounding)
        depth.domains = 1;
    if (nearest.covered) {
        const struct polygons *polygons = boundary->polygons;
        const int is_domain = polygons->list[nearest.covered->polygon].is_domain;
        fault->side = (size_t)(nearest.covered - polygons->sides);
        fault->kind = is_domain ? REGION_OUTSIDE : REGION_INSIDE;
    } else if (depth.obstacles != 0) {
        fault->kind = REGION_INSIDE;
        fault->side = find_obstacle(region, p->x, p->y);
    } else if (!is_free(region, &depth)) {
        fault->kind = REGION_OUTSIDE;
    } else if (nearest.distance < radius - rounding) {
        fault->kind = REGION_OVERLAPS_SIDE;
    }
}

enum status region_check(const struct system *system, struct region_fault *fault,
                         struct error *error)
{
    struct region *region;
    *fault = (struct region_fault){.kind = REGION_FREE};
    enum status status = region_create(&system->boundary, &region, error);
    if (status)
        return status;
    for (size_t k = 0; k < system->count && fault->kind == REGION_FREE; k++) {
        const struct particle *p = &system->particles[k];
        fault->particle = k;
        check_particle(region, p, system_radius(system, p), fault);
    }
    region_free(region);
    return STATUS_DONE;
}

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

/* The term of F of the corner between two sides. Where one of them lies on a wall, the boundary
 * goes on along the wall, the other way; beside another obstacle, straight on if both are flush. */
static double corner_term(const struct polygon_side *before, const struct polygon_side *side)
{
    const int way = (before->cover == COVER_WALL) == (side->cover == COVER_WALL) ? 1 : -1;
    const double lengths = way * before->length * side->length;
    const double sine = side->facing * (before->lx * side->ly - before->ly * side->lx) / lengths;
    const double cosine = (before->lx * side->lx + before->ly * side->ly) / lengths;
    if (before->cover == COVER_OBSTACLE || side->cover == COVER_OBSTACLE ||
        (before->cover && side->cover))
        return 0;
    if (side->is_thin)
        return side->cover || before->cover ? 0 : -PI / 2;
    if (sine > 0)
        return cosine > 0 ? sine / (1 + cosine) : (1 - cosine) / sine;
    return cosine > 0 ? arc_tangent(sine / (1 + cosine))
                      : -PI / 2 - arc_tangent(sine / (1 - cosine));
}

/* The sides of the box, which are no boundary where it is periodic. */
static struct region_reach find_box(const struct boundary *boundary, double radius)
{
    const unsigned periodic = boundary->periodic;
    struct region_reach box = {.width = boundary->width - (periodic & PERIODIC_X ? 0 : 2 * radius),
                               .height =
                                   boundary->height - (periodic & PERIODIC_Y ? 0 : 2 * radius)};
    if (!(box.width > 0 && box.height > 0))
        box.width = box.height = (double)NAN;
    box.length =
        2 * ((periodic & PERIODIC_Y ? 0 : box.width) + (periodic & PERIODIC_X ? 0 : box.height));
    return box;
}

struct region_reach reach_find(const struct boundary *boundary, double radius)
{
    const struct polygons *polygons = boundary->polygons;
    const struct region_reach box = find_box(boundary, radius);
    double area = 0, length = 0, corners = 0; /* F */
    if (!polygons)
        return box;
    for (size_t k = 0; k < polygons->count; k++)
        area += polygons_area(polygons, k);
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        if (polygons->list[side->polygon].is_hidden)
            continue;
        if (side->cover == COVER_NONE)
            length += side->length;
        if (side->cover == COVER_WALL) /* which it covers, too */
            length -= side->length;
        corners += corner_term(polygons_side_before(polygons, side), side);
    }
    struct region_reach reach = {.width = area - radius * length + radius * radius * corners,
                                 .height = 1,
                                 .length = length - 2 * radius * corners};
    if (!polygons_have_domain(polygons)) {
        reach.width += box.width * box.height;
        reach.length += box.length;
    }
    if (!(reach.width > 0 && reach.length > 0))
        reach.width = reach.length = (double)NAN;
    return reach;
}

double reach_area(const struct boundary *boundary)
{
    const struct region_reach points = reach_find(boundary, 0);
    return points.width * points.height;
}
