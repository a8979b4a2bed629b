/*
 * The region that is free for particles; see region.h.
 *
 * A place is inside a polygon if a line from it to the right crosses the polygon's sides once more
 * upwards than downwards, or the other way round. Only sides at the height of the place matter: the
 * plane is cut into rows, each of which lists those that reach into it.
 */
#include "model/region.h"

#include "base/memory.h"
#include "model/polygon_grid.h"
#include "model/system.h"
#include "orientation.h"

#include <math.h>
#include <string.h>

enum { PLACES_PER_SIDE = 4 }; /* in the rows, about */

struct region {
    const struct boundary *boundary;
    int has_domain;
    uint32_t rows;   /* 0: there are no polygons */
    double height;   /* of a row, length; the first one begins at 0 */
    uint32_t *first; /* row k has the sides from `sides[first[k]]` to before sides[first[k + 1]] */
    uint32_t *sides; /* numbers of sides; owned, as `first` is */
};

/* Inside how many polygons a place is. */
struct depth {
    int domains, obstacles;
};

/* How much deeper inside a polygon a place is because a side of it is to the right of the place. */
static int find_step(const struct polygons *polygons, const struct side *side, const double at[2])
{
    const struct side *next = polygons_next_side(polygons, side);
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

/* The rows that a side reaches into, from *first to *last; none for a thin wall. */
static void find_rows(const struct region *region, const struct side *side, uint32_t *first,
                      uint32_t *last)
{
    const struct polygons *polygons = region->boundary->polygons;
    const double y = polygons_next_side(polygons, side)->corner_y;
    if (side->is_thin) {
        *first = 1;
        *last = 0;
        return;
    }
    *first = polygon_grid_locate(fmin(side->corner_y, y), region->height, region->rows);
    *last = polygon_grid_locate(fmax(side->corner_y, y), region->height, region->rows);
}

/* Makes the rows, so many that a side is in a few of them on average. */
static void set_rows(struct region *region)
{
    const struct polygons *polygons = region->boundary->polygons;
    const double sides = (double)polygons->side_count;
    double height = region->boundary->height;
    double sum = 0;
    if (region->boundary->periodic & PERIODIC_Y)
        height *= 2;
    for (size_t k = 0; k < polygons->side_count; k++)
        sum += fabs(polygons->sides[k].ly) / height;
    region->rows = (uint32_t)fmin(sides, 1 + PLACES_PER_SIDE * sides / fmax(sum, 1));
    region->height = height / region->rows;
}

/* Lists the sides of each row: first how many there are, then which. */
static enum status fill_rows(struct region *region, struct error *error)
{
    static const char what[] = "the region of particles";
    const struct polygons *polygons = region->boundary->polygons;
    uint32_t row, last;
    region->first = memory_allocate((size_t)region->rows + 2, sizeof *region->first, what, error);
    if (!region->first)
        return STATUS_NO_MEMORY;
    uint32_t *ends = region->first + 1; /* of row k: at first one further */
    memset(region->first, 0, ((size_t)region->rows + 2) * sizeof *region->first);
    for (size_t k = 0; k < polygons->side_count; k++)
        for (find_rows(region, &polygons->sides[k], &row, &last); row <= last; row++)
            ends[row + 1]++;
    for (uint32_t k = 0; k < region->rows; k++)
        ends[k + 1] += ends[k];
    region->sides =
        memory_allocate((size_t)ends[region->rows] + 1, sizeof *region->sides, what, error);
    if (!region->sides)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < polygons->side_count; k++)
        for (find_rows(region, &polygons->sides[k], &row, &last); row <= last; row++)
            region->sides[ends[row]++] = (uint32_t)k;
    return STATUS_DONE;
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
    for (size_t k = 0; k < polygons->count; k++)
        made->has_domain |= polygons->list[k].is_domain;
    set_rows(made);
    enum status status = fill_rows(made, error);
    if (status) {
        region_free(made);
        *region = NULL;
    }
    return status;
}

void region_free(struct region *region)
{
    if (!region)
        return;
    memory_free(region->first);
    memory_free(region->sides);
    memory_free(region);
}

/* Adds the polygons around a place, which need not be in the box. */
static void add_depth(const struct region *region, double x, double y, struct depth *depth)
{
    const struct polygons *polygons = region->boundary->polygons;
    const uint32_t row = polygon_grid_locate(y, region->height, region->rows);
    for (uint32_t k = region->first[row]; k < region->first[row + 1]; k++) {
        const struct side *side = &polygons->sides[region->sides[k]];
        const int step = find_step(polygons, side, (const double[]){x, y});
        *(polygons->list[side->polygon].is_domain ? &depth->domains : &depth->obstacles) += step;
    }
}

/* Inside how many polygons and images of obstacles a place is; a domain has no images. */
static struct depth find_depth(const struct region *region, double x, double y)
{
    const struct boundary *boundary = region->boundary;
    struct depth depth = {0, 0};
    const int columns = (boundary->periodic & PERIODIC_X) != 0;
    const int rows = (boundary->periodic & PERIODIC_Y) != 0;
    for (int column = 0; column <= columns && region->rows > 0; column++)
        for (int row = 0; row <= rows; row++)
            add_depth(region, x + column * boundary->width, y + row * boundary->height, &depth);
    return depth;
}

static int is_free(const struct region *region, const struct depth *depth)
{
    return depth->obstacles == 0 && (!region->has_domain || depth->domains % 2 != 0);
}

int region_contains(const struct region *region, double x, double y)
{
    const struct depth depth = find_depth(region, x, y);
    return is_free(region, &depth);
}

/* Any side of an obstacle that has this place inside it. */
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
                depth += find_step(polygons, &polygons->sides[polygon->first_side + m], at);
            if (depth != 0)
                return polygon->first_side;
        }
    }
    return 0; /* not covered: it is called for a place in an obstacle */
}

/* How far a place is from a side or an image of it; the nearest place is `part` of it along it. */
static double find_distance(const struct side *side, double x, double y, double *part)
{
    double dx = x - side->x;
    double dy = y - side->y;
    double along = (side->lx * dx + side->ly * dy) / side->length;
    *part = fmin(fmax(along / side->length, 0), 1);
    dx -= *part * side->lx;
    dy -= *part * side->ly;
    return sqrt(dx * dx + dy * dy);
}

/* How near sides are to a place: those that the grid lists there. INFINITY: none. */
struct nearness {
    double distance; /* to the nearest side, length */
    size_t side;     /* the nearest one */
    double rim[2];   /* to the nearest one of obstacles, and of the domain, that has particles
                        beside it on one side only: not of thin walls, nor hidden */
    const struct side *covered; /* a side of which all is covered, if the place is on it and not at
                                   its ends: no place for a point; or NULL */
};

static struct nearness find_nearest(const struct boundary *boundary, double x, double y,
                                    double rounding)
{
    const struct polygon_grid *grid = boundary->polygons->grid;
    const size_t column = polygon_grid_locate(x, grid->width, grid->columns);
    const size_t row = polygon_grid_locate(y, grid->height, grid->rows);
    const size_t cell = row * grid->columns + column;
    struct nearness nearest = {(double)INFINITY, 0, {(double)INFINITY, (double)INFINITY}, NULL};
    for (uint32_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const struct polygon_place *place = &grid->places[k];
        const size_t index = polygons_side(place->feature);
        const struct side *side = &boundary->polygons->sides[index];
        double part;
        double distance = find_distance(side, x - place->column * boundary->width,
                                        y - place->row * boundary->height, &part);
        const struct polygon *polygon = &boundary->polygons->list[side->polygon];
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

/*
 * Checks one particle. A point may lie on the rim of an obstacle, or of the domain: then the place
 * does not tell whether it is inside. The rounding that is accepted is a quarter of what contacts
 * with sides cope with.
 */
static void check_particle(const struct region *region, const struct particle *p, double radius,
                           struct region_fault *fault)
{
    const struct boundary *boundary = region->boundary;
    const double rounding = system_rounding(fmax(boundary->width, boundary->height));
    const struct nearness nearest = find_nearest(boundary, p->x, p->y, rounding);
    fault->distance = nearest.distance;
    fault->side = nearest.side;
    struct depth depth = find_depth(region, p->x, p->y);
    if (nearest.rim[0] <= rounding)
        depth.obstacles = 0;
    if (nearest.rim[1] <= rounding)
        depth.domains = 1;
    if (nearest.covered) {
        const struct polygons *polygons = boundary->polygons;
        fault->side = (size_t)(nearest.covered - polygons->sides);
        fault->kind =
            polygons->list[nearest.covered->polygon].is_domain ? REGION_OUTSIDE : REGION_INSIDE;
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
