/*
 * Polygons; see polygons.h. This file has the exact orientation of points, then the sides of
 * polygons, the grid, the physics of a contact, the search for the first contact, and shapes.
 *
 * The grid is filled twice, first to count the features of each cell and then to write them. A side
 * is near the cells of a strip along it: in each row its part there, and a reach around that.
 *
 * A disk is on one side of each line, and the formulas know which. So a disk that rounding has
 * taken a little too near, or a point that it has taken across, overlaps, and is met as soon as it
 * approaches. None gets through. A disk may overlap by up to its radius, a point by `depth`; a
 * centre that is further behind a line is beyond the polygon. Only at a thin wall a point may be on
 * either side of one line. So there it is treated as a disk, larger than rounding and much smaller
 * than anything else: 128 units in the last place of the box. So it is at a corner that touches
 * another polygon or a wall: there more than two lines meet, and a point might be reflected from
 * one to the next for ever.
 */
#include "model/polygons.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_CELLS = 256, MAX_CELLS = 1 << 22, PLACES_PER_SIDE = 64 };

enum { TERMS = 16 }; /* of a determinant: twice 2 x 2 products of two doubles each */

/* The sign of an exact sum: the sign of its largest part, once no two parts overlap. */
static int find_sign(const double terms[TERMS])
{
    double parts[TERMS];
    for (size_t count = 0; count < TERMS; count++) {
        struct sum sum = {terms[count], 0};
        for (size_t k = 0; k < count; k++) {
            sum = sum_of_two(sum.rounded, parts[k]);
            parts[k] = sum.rest;
        }
        parts[count] = sum.rounded;
    }
    for (size_t k = TERMS; k > 0; k--)
        if (parts[k - 1] != 0)
            return parts[k - 1] > 0 ? 1 : -1;
    return 0;
}

static int orient_exactly(const double a[2], const double b[2], const double c[2])
{
    double terms[TERMS];
    double *term = terms;
    for (int axis = 0; axis < 2; axis++) { /* the products x y, less the products y x */
        const struct sum from_a = sum_of_two(a[axis], -c[axis]);
        const struct sum from_b = sum_of_two(b[1 - axis], -c[1 - axis]);
        for (int k = 0; k < 4; k++) {
            const struct sum product = sum_of_product(k < 2 ? from_a.rounded : from_a.rest,
                                                      k % 2 ? from_b.rest : from_b.rounded);
            *term++ = axis ? -product.rest : product.rest;
            *term++ = axis ? -product.rounded : product.rounded;
        }
    }
    return find_sign(terms);
}

/* A bound of the error is enough in nearly all cases. */
int orientation(const double a[2], const double b[2], const double c[2])
{
    const double bound = (3 + 8 * DBL_EPSILON) * (DBL_EPSILON / 2); /* Shewchuk's ccwerrboundA */
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    double difference = left - right;
    double error = bound * (fabs(left) + fabs(right));
    if (difference > error)
        return 1;
    return difference < -error ? -1 : orient_exactly(a, b, c);
}

int compare_points(const void *one, const void *other)
{
    const double *a = one, *b = other;
    const int axis = a[0] == b[0];
    return (a[axis] > b[axis]) - (a[axis] < b[axis]);
}

/* True if the vertices of a polygon are in counter-clockwise order: then of the sides at the
 * leftmost vertex (the lowest such one) the lowest begins there, otherwise it ends there. This is
 * exact, also where the polygon touches itself. */
static int is_counter_clockwise(const struct polygon_side *sides, size_t count)
{
    double least[2] = {(double)INFINITY, 0}, lowest[2] = {0, 0};
    int is_leaving = -1; /* of the lowest side; none is known */
    for (size_t k = 0; k < count; k++) {
        const double corner[2] = {sides[k].corner_x, sides[k].corner_y};
        if (compare_points(corner, least) < 0)
            memcpy(least, corner, sizeof least);
    }
    for (size_t k = 0; k < 2 * count; k++) {
        const struct polygon_side *side = &sides[k / 2];
        const struct polygon_side *other = &sides[(k / 2 + (k % 2 ? 1 : count - 1)) % count];
        const double end[2] = {other->corner_x, other->corner_y};
        if (side->corner_x != least[0] || side->corner_y != least[1])
            continue;
        if (is_leaving < 0 || orientation(least, lowest, end) < 0) {
            memcpy(lowest, end, sizeof lowest);
            is_leaving = k % 2 == 1;
        }
    }
    return is_leaving;
}

void polygons_set_inside(struct polygons *polygons, size_t polygon, int is_inside)
{
    const size_t count = polygons->list[polygon].side_count;
    struct polygon_side *sides = &polygons->sides[polygons->list[polygon].first_side];
    const int is_left = is_counter_clockwise(sides, count) == is_inside;
    for (size_t k = 0; k < count; k++) {
        const struct polygon_side *before = &sides[(k + count - 1) % count];
        struct polygon_side *side = &sides[k];
        side->facing = (int8_t)((count == 2 ? k == 0 : is_left) ? 1 : -1);
        /* It juts out where the particles' side of it has an angle of more than pi. */
        const double angle = side->facing * (before->lx * side->ly - before->ly * side->lx);
        side->corner = side->is_thin || angle < 0 ? CORNER_SOLID : CORNER_HOLLOW;
    }
    polygons->list[polygon].is_inside = is_inside;
}

void polygons_set_line(struct polygons *polygons, size_t side, const double from[2],
                       const double to[2])
{
    struct polygon_side *changed = &polygons->sides[side];
    changed->x = from[0];
    changed->y = from[1];
    changed->lx = to[0] - from[0];
    changed->ly = to[1] - from[1];
    changed->length = elementary_length(changed->lx, changed->ly);
}

void polygons_set_vertices(struct polygons *polygons, size_t polygon, const double (*vertices)[2])
{
    const struct polygon *changed = &polygons->list[polygon];
    const size_t count = changed->side_count;
    for (size_t k = 0; k < count; k++) {
        const size_t line = count == 2 ? 0 : k; /* both sides of a thin wall have one line */
        polygons->sides[changed->first_side + k] =
            (struct polygon_side){.corner_x = vertices[k][0],
                                  .corner_y = vertices[k][1],
                                  .polygon = (uint32_t)polygon,
                                  .is_thin = count == 2};
        polygons_set_line(polygons, changed->first_side + k, vertices[line],
                          vertices[(line + 1) % count]);
    }
    polygons_set_inside(polygons, polygon, changed->is_inside);
}

double polygons_area(const struct polygons *polygons, size_t polygon)
{
    const struct polygon *p = &polygons->list[polygon];
    const struct polygon_side *first = &polygons->sides[p->first_side];
    double twice = 0;
    for (size_t k = 0; k < p->side_count && p->side_count > 2 && !p->is_hidden; k++) {
        const struct polygon_side *side = &first[k], *next = polygons_next_side(polygons, side);
        twice += (side->corner_x - first->corner_x) * (next->corner_y - side->corner_y) -
                 (side->corner_y - first->corner_y) * (next->corner_x - side->corner_x);
    }
    return p->is_inside ? fabs(twice) / 2 : -fabs(twice) / 2;
}

int polygons_extent(const struct polygons *polygons, int is_domain, double low[2], double high[2])
{
    low[0] = low[1] = (double)INFINITY;
    high[0] = high[1] = -(double)INFINITY;
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        if (polygons->list[side->polygon].is_domain != is_domain)
            continue;
        low[0] = fmin(low[0], side->corner_x);
        low[1] = fmin(low[1], side->corner_y);
        high[0] = fmax(high[0], side->corner_x);
        high[1] = fmax(high[1], side->corner_y);
    }
    return low[0] <= high[0];
}

enum status polygons_add(struct polygons *polygons, const double (*vertices)[2], size_t count,
                         int is_domain, int is_inside, struct error *error)
{
    static const char what[] = "the polygons";
    polygons->list = memory_extend(polygons->list, polygons->count, &polygons->room,
                                   sizeof *polygons->list, what, error);
    polygons->sides = memory_extend(polygons->sides, polygons->side_count + count - 1,
                                    &polygons->side_room, sizeof *polygons->sides, what, error);
    if (!polygons->list || !polygons->sides)
        return STATUS_NO_MEMORY;
    polygons->list[polygons->count] = (struct polygon){.first_side = polygons->side_count,
                                                       .side_count = count,
                                                       .is_domain = is_domain,
                                                       .is_inside = is_inside};
    polygons_set_vertices(polygons, polygons->count, vertices);
    polygons->side_count += count;
    polygons->count++;
    return STATUS_DONE;
}

struct polygon_filling {
    struct polygons *polygons; /* whose grid it is */
    const struct boundary *boundary;
    double reach; /* of a centre to a line, length */
    struct polygon_image image;
};

/* Puts the image into the columns of a row that are within the reach of [left, right]. */
static void polygon_grid_put_row(struct polygon_filling *filling, uint32_t row, double left,
                                 double right)
{
    struct grid *grid = &filling->polygons->grid;
    const size_t first = (size_t)row * grid->columns;
    uint32_t last = boundary_locate(right + filling->reach, grid->width, grid->columns);
    for (uint32_t column = boundary_locate(left - filling->reach, grid->width, grid->columns);
         column <= last; column++) {
        const uint32_t at = grid_put(grid, first + column);
        if (filling->polygons->images)
            filling->polygons->images[at] = filling->image;
    }
}

/* Puts the image into all cells that are near the line from (x, y) to (x + lx, y + ly). */
static void polygon_grid_put_line(struct polygon_filling *filling, double x, double y, double lx,
                                  double ly)
{
    const struct grid *grid = &filling->polygons->grid;
    const struct boundary *boundary = filling->boundary;
    const double reach = filling->reach;
    const double bottom = fmin(y, y + ly) - reach, top = fmax(y, y + ly) + reach;
    if (top < 0 || bottom > boundary->height)
        return;
    /* Rounding could remove any part of a line that is nearly horizontal. */
    const double rounding = pair_rounding(boundary->height + fabs(y) + reach);
    uint32_t last = boundary_locate(top, grid->height, grid->rows);
    for (uint32_t row = boundary_locate(bottom, grid->height, grid->rows); row <= last; row++) {
        double low = fmax(bottom + reach, row * grid->height - reach) - rounding;
        double high = fmin(top - reach, (row + 1) * grid->height + reach) + rounding;
        double begin = ly != 0 ? fmin(fmax((low - y) / ly, 0), 1) : 0;
        double end = ly != 0 ? fmin(fmax((high - y) / ly, 0), 1) : 1;
        double left = x + fmin(lx * begin, lx * end), right = x + fmax(lx * begin, lx * end);
        if (right + reach >= 0 && left - reach <= boundary->width)
            polygon_grid_put_row(filling, row, left, right);
    }
}

/* Puts all features and their images into the grid; without memory for them they are counted. */
static void polygon_grid_fill(struct polygon_filling *filling)
{
    const struct boundary *boundary = filling->boundary;
    struct pair_shift images[BOUNDARY_IMAGES];
    const int count = boundary_images(boundary, images);
    for (size_t k = 0; k < filling->polygons->side_count; k++) {
        const struct polygon_side *side = &filling->polygons->sides[k];
        for (const struct pair_shift *image = images; image < images + count; image++) {
            filling->image = (struct polygon_image){polygons_feature(k, 0),
                                                    (int16_t)(image->x / boundary->width),
                                                    (int16_t)(image->y / boundary->height)};
            polygon_grid_put_line(filling, side->x + image->x, side->y + image->y, side->lx,
                                  side->ly);
            filling->image.feature = polygons_feature(k, 1);
            if (side->corner != CORNER_HOLLOW)
                polygon_grid_put_line(filling, side->corner_x + image->x, side->corner_y + image->y,
                                      0, 0);
        }
    }
}

/* About as many cells as particles or sides, none of them smaller than the largest radius; fewer as
 * long as there would be too many images, of long sides. */
enum status polygons_prepare(struct polygons *polygons, struct boundary *boundary, double largest,
                             size_t particles, struct error *error)
{
    static const char what[] = "the grid of polygons";
    struct grid *grid = &polygons->grid;
    const double width = boundary->width, height = boundary->height;
    const size_t sides = polygons->side_count;
    double cells = fmin(fmax(fmax((double)particles, 4 * (double)sides), MIN_CELLS), MAX_CELLS);
    const uint64_t most = PLACES_PER_SIDE * (uint64_t)sides + 4 * (uint64_t)cells;
    struct polygon_filling filling = {.polygons = polygons,
                                      .boundary = boundary,
                                      .reach = largest * (1 + 1e-9) +
                                               16 * pair_rounding(fmax(width, height))};
    size_t count;
    boundary->polygons = polygons;
    memory_free(polygons->images);
    polygons->images = NULL;
    do {
        const double side = fmax(sqrt(width / cells) * sqrt(height), largest);
        grid->columns = (uint32_t)fmin(fmax(floor(width / side), 1), cells);
        grid->rows = (uint32_t)fmin(fmax(floor(height / side), 1), cells);
        grid->width = width / grid->columns;
        grid->height = height / grid->rows;
        if (grid_count(grid, what, error))
            return STATUS_NO_MEMORY;
        polygon_grid_fill(&filling);
        count = grid_begin(grid);
        cells /= 4;
    } while (count > most && cells >= 1);
    polygons->images = memory_allocate(count + 1, sizeof *polygons->images, what, error);
    if (!polygons->images)
        return STATUS_NO_MEMORY;
    polygon_grid_fill(&filling);
    return STATUS_DONE;
}

void polygons_free(struct polygons *polygons)
{
    if (!polygons)
        return;
    memory_free(polygons->grid.first);
    memory_free(polygons->images);
    memory_free(polygons->list);
    memory_free(polygons->sides);
    memory_free(polygons);
}

static const struct polygon_side *side_of(const struct boundary *boundary, int32_t feature)
{
    return &boundary->polygons->sides[polygons_side(feature)];
}

/* A bound of the rounding error of a centre's position. */
static double polygons_find_depth(const struct boundary *boundary)
{
    return 4 * pair_rounding(fmax(boundary->width, boundary->height));
}

/* The radius with which a particle meets a side or its corner: its own but for points. */
static double find_radius(const struct boundary *boundary, const struct polygon_side *side,
                          int32_t feature, double radius)
{
    const int is_kept_away =
        side->is_thin || (side->corner == CORNER_TOUCHED && polygons_is_corner(feature));
    return is_kept_away ? fmax(radius, 2 * polygons_find_depth(boundary)) : radius;
}

/* How far the rim of a disk, which grows at a speed, is from the line of a side, and how fast that
 * grows. */
struct polygon_approach {
    double gap, rate;
};

static struct polygon_approach find_approach(const struct polygon_side *side,
                                             const struct particle *p, double radius,
                                             double growing, const struct pair_shift *shift)
{
    double dx = (p->x - side->x) - shift->x, dy = (p->y - side->y) - shift->y;
    double distance = side->facing * ((side->lx * dy - side->ly * dx) / side->length);
    double rate = side->facing * ((side->lx * p->v - side->ly * p->u) / side->length);
    return (struct polygon_approach){distance - radius, rate - growing};
}

/* True if the part of a side that can be met ends at the corner where another side begins. */
static int goes_to(const struct polygon_side *side, const struct polygon_side *corner, double depth)
{
    const double from = fmax(fabs(side->x - corner->corner_x), fabs(side->y - corner->corner_y));
    const double to = fmax(fabs(side->x + side->lx - corner->corner_x),
                           fabs(side->y + side->ly - corner->corner_y));
    return side->cover == COVER_NONE && fmin(from, to) <= depth;
}

/* True if a point is behind a side, by no more than rounding, because it has moved around a corner
 * that juts out, to the front of the other side there: at a sharp corner that takes no time. */
COMPILER_APART static int is_around_corner(const struct boundary *boundary,
                                           const struct polygon_side *side,
                                           const struct particle *p, const struct pair_shift *shift,
                                           double gap)
{
    const struct polygon_side *next = polygons_next_side(boundary->polygons, side);
    const struct polygon_side *before = polygons_side_before(boundary->polygons, side);
    const double depth = polygons_find_depth(boundary);
    return (next->corner != CORNER_HOLLOW && goes_to(next, next, depth) &&
            find_approach(next, p, 0, 0, shift).gap > gap) ||
           (side->corner != CORNER_HOLLOW && goes_to(before, side, depth) &&
            find_approach(before, p, 0, 0, shift).gap > gap);
}

/* `growth` is that of the boundary, or a constant 0, here and below. */
COMPILER_INLINE double find_side_time(const struct boundary *boundary,
                                      const struct polygon_side *side, const struct particle *p,
                                      double radius, const struct pair_shift *shift, double growth)
{
    const double growing = growth > 0 ? growth * radius : 0;
    const double leaving = growth > 0 ? growing * side->length : 0;
    if (!(side->facing * (side->lx * p->v - side->ly * p->u) < leaving) || side->cover)
        return (double)INFINITY; /* it leaves, as half of all do */
    const double depth = polygons_find_depth(boundary);
    if (growth > 0)
        radius *= 1 + growth * p->t;
    if (side->is_thin)
        radius = fmax(radius, 2 * depth);
    const struct polygon_approach approach = find_approach(side, p, radius, growing, shift);
    if (!(approach.rate < 0) || approach.gap <= -fmax(depth, radius) ||
        (approach.gap < 0 && radius <= depth &&
         is_around_corner(boundary, side, p, shift, approach.gap)))
        return (double)INFINITY;
    const double wait = approach.gap > 0 ? approach.gap / -approach.rate : 0;
    double dx = ((p->x - side->x) - shift->x) + p->u * wait;
    double dy = ((p->y - side->y) - shift->y) + p->v * wait;
    double along = (side->lx * dx + side->ly * dy) / side->length;
    if (along < -depth || along > side->length + depth)
        return (double)INFINITY;
    return p->t + wait;
}

/* A corner, or an image of it, as a particle at rest beside another one. */
static struct particle as_particle(const struct polygon_side *side, const struct particle *p,
                                   const struct pair_shift *shift)
{
    return (struct particle){
        .x = side->corner_x + shift->x, .y = side->corner_y + shift->y, .t = p->t};
}

/* Built into the search through a cell's list: that saves points in a domain 2 % of their time. */
COMPILER_INLINE double find_feature_time(const struct boundary *boundary,
                                         const struct particle *particle, double radius,
                                         int32_t feature, const struct pair_shift *shift,
                                         double growth)
{
    const struct polygon_side *side = side_of(boundary, feature);
    if (!polygons_is_corner(feature))
        return find_side_time(boundary, side, particle, radius, shift, growth);
    const double dx = side->corner_x + shift->x - particle->x;
    const double dy = side->corner_y + shift->y - particle->y;
    if (side->corner == CORNER_HOLLOW ||
        (growth == 0 && !(dx * -particle->u + dy * -particle->v < 0)))
        return (double)INFINITY;
    const struct particle corner = as_particle(side, particle, shift);
    radius = find_radius(boundary, side, feature, radius);
    return growth > 0 ? pair_growing_time(particle, &corner, radius, growth, NULL)
                      : pair_time(particle, &corner, radius, NULL);
}

/*
 * Under gravity. The distance to a line is a quadratic function of time, and is down to the radius,
 * approaching, once at most. The square of the distance to a corner is of the fourth degree. Half
 * of its derivative is the rate d.w, with d the distance and w the velocity; between the two roots
 * of the rate's own derivative it rises or falls. So there are up to three turns from approach to
 * retreat or back, each of which is bracketed, and up to two approaches, in each of which the
 * distance falls. All are evaluated where the particle is then, not by coefficients, in which
 * digits cancel; and halving a bracket until it is two neighbouring numbers gives the same bits
 * everywhere.
 */
static double fall_to_line(const struct boundary *boundary, const struct polygon_side *side,
                           const struct particle *p, double radius, const struct pair_shift *shift)
{
    const double depth = polygons_find_depth(boundary);
    if (side->is_thin)
        radius = fmax(radius, 2 * depth);
    const struct polygon_approach approach = find_approach(side, p, radius, 0, shift);
    const double gx = boundary->gravity.x, gy = boundary->gravity.y;
    const double pull = -side->facing * ((side->lx * gy - side->ly * gx) / side->length);
    const int is_behind = approach.gap <= -fmax(depth, radius) ||
                          (approach.gap < 0 && radius <= depth &&
                           is_around_corner(boundary, side, p, shift, approach.gap));
    /* What is behind may come to the front, beyond an end, and then back. */
    const double square = approach.rate * approach.rate + 2 * pull * approach.gap;
    if (side->cover || (is_behind && !(approach.rate > 0 && pull > 0 && square > 0)))
        return (double)INFINITY;
    const double wait = motion_wait(approach.gap, -approach.rate, pull);
    if (!(wait < (double)INFINITY))
        return wait;
    const double dx = ((p->x - side->x) - shift->x) + (p->u + 0.5 * gx * wait) * wait;
    const double dy = ((p->y - side->y) - shift->y) + (p->v + 0.5 * gy * wait) * wait;
    const double along = (side->lx * dx + side->ly * dy) / side->length;
    return along < -depth || along > side->length + depth ? (double)INFINITY : p->t + wait;
}

/* A particle that falls, as its corner sees it. */
struct polygon_fall {
    const struct acceleration *gravity;
    struct particle start; /* at time 0 */
    double contact;
};

/* The square of the distance, less that at contact; or the rate. */
static double fall_value(const struct polygon_fall *fall, int is_rate, double time)
{
    const struct motion d = motion_at(fall->gravity, &fall->start, time);
    return is_rate ? d.x * d.u + d.y * d.v
                   : (d.x * d.x + d.y * d.y) - fall->contact * fall->contact;
}

/* When a value that is negative at one end of a bracket, and not at the other, has changed. */
static double fall_bisect(const struct polygon_fall *fall, int is_rate, double begin, double end)
{
    const int is_negative = fall_value(fall, is_rate, end) < 0;
    for (;;) {
        const double middle = begin + 0.5 * (end - begin);
        if (!(middle > begin && middle < end))
            return end;
        if ((fall_value(fall, is_rate, middle) < 0) == is_negative)
            end = middle;
        else
            begin = middle;
    }
}

/* The ends of the times in which the rate rises or falls, from time 0 on; after the last it rises,
 * and is positive there. Returns how many there are. */
static int fall_find_ends(const struct polygon_fall *fall, double ends[3])
{
    const struct particle *p = &fall->start;
    const double gx = fall->gravity->x, gy = fall->gravity->y;
    const double square = gx * gx + gy * gy, slope = p->u * gx + p->v * gy;
    const double middle = -slope / square;
    const double c = (p->u * p->u + p->v * p->v) + (p->x * gx + p->y * gy);
    const double apart = middle * middle - 2 * c / (3 * square);
    double last = fmax(fmax(middle, 0) + sqrt(fmax(apart, 0)), DBL_MIN);
    int count = 0;
    for (int k = -1; k <= 1 && apart > 0; k += 2)
        if (middle + k * sqrt(apart) > 0)
            ends[count++] = middle + k * sqrt(apart);
    while (fall_value(fall, 1, last) < 0)
        last *= 2;
    ends[count++] = last;
    return count;
}

static double fall_to_corner(const struct boundary *boundary, const struct polygon_side *side,
                             const struct particle *p, double radius,
                             const struct pair_shift *shift)
{
    const double x = (p->x - side->corner_x) - shift->x, y = (p->y - side->corner_y) - shift->y;
    const struct polygon_fall fall = {
        &boundary->gravity, {.x = x, .y = y, .u = p->u, .v = p->v}, radius};
    double ends[3], begin = 0;
    int approaches = fall_value(&fall, 1, 0) < 0;
    double since = 0; /* when it began to approach */
    if (radius == 0 || side->corner == CORNER_HOLLOW)
        return (double)INFINITY; /* a point that comes to a corner meets a side there */
    const int count = fall_find_ends(&fall, ends);
    for (int k = 0; k < count; k++) {
        if ((fall_value(&fall, 1, ends[k]) < 0) != approaches) {
            const double turn = fall_bisect(&fall, 1, begin, ends[k]);
            if (approaches && fall_value(&fall, 0, since) <= 0)
                return p->t + since;
            if (approaches && fall_value(&fall, 0, turn) <= 0)
                return p->t + fall_bisect(&fall, 0, since, turn);
            approaches = !approaches;
            since = turn;
        }
        begin = ends[k];
    }
    return (double)INFINITY;
}

COMPILER_APART static double fall_to_feature(const struct boundary *boundary,
                                             const struct particle *p, double radius,
                                             int32_t feature, const struct pair_shift *shift)
{
    const struct polygon_side *side = side_of(boundary, feature);
    if (!polygons_is_corner(feature))
        return fall_to_line(boundary, side, p, radius, shift);
    return fall_to_corner(boundary, side, p, find_radius(boundary, side, feature, radius), shift);
}

double polygons_feature_time(const struct boundary *boundary, const struct particle *particle,
                             double radius, int32_t feature, const struct pair_shift *shift)
{
    return boundary->gravity.acts
               ? fall_to_feature(boundary, particle, radius, feature, shift)
               : find_feature_time(boundary, particle, radius, feature, shift, boundary->growth);
}

struct pair_shift polygons_image(const struct boundary *boundary, const struct particle *particle,
                                 double radius, int32_t feature)
{
    struct pair_shift images[BOUNDARY_IMAGES], first = {0, 0};
    const int count = boundary_images(boundary, images);
    double earliest = (double)INFINITY;
    for (int k = 0; k < count; k++) {
        const double time = polygons_feature_time(boundary, particle, radius, feature, &images[k]);
        if (time < earliest) {
            earliest = time;
            first = images[k];
        }
    }
    return first;
}

struct polygon_normal polygons_normal(const struct boundary *boundary,
                                      const struct particle *particle, double radius,
                                      int32_t feature, const struct pair_shift *shift)
{
    const struct polygon_side *side = side_of(boundary, feature);
    radius = find_radius(boundary, side, feature, radius);
    if (!polygons_is_corner(feature)) {
        const double scale = side->facing / side->length;
        return (struct polygon_normal){-side->ly * scale, side->lx * scale,
                                       find_approach(side, particle, radius, 0, shift).gap, 1};
    }
    const struct particle corner = as_particle(side, particle, shift);
    double nx = particle->x - corner.x, ny = particle->y - corner.y;
    const double distance = elementary_length(nx, ny), depth = polygons_find_depth(boundary);
    if (distance <= depth) {
        nx = -particle->u;
        ny = -particle->v;
    }
    const double length = elementary_length(nx, ny);
    return (struct polygon_normal){nx / length, ny / length, distance - radius,
                                   distance > 3 * depth && distance > radius / 2};
}

/* a b + c d */
static struct sum sum_of_products(double a, double b, double c, double d)
{
    struct sum left = sum_of_product(a, b), right = sum_of_product(c, d);
    struct sum sum = sum_of_two(left.rounded, right.rounded);
    sum.rest += left.rest + right.rest;
    return sum;
}

/* speed - factor * length, rounded once. */
static double subtract_product(double speed, const struct sum *factor, double length)
{
    struct sum product = sum_of_product(factor->rounded, length);
    struct sum difference = sum_of_two(speed, -product.rounded);
    return difference.rounded + (difference.rest - product.rest - factor->rest * length);
}

/*
 * Gives a velocity the square of the speed that it had before, as far as the last bit of the
 * smaller component allows; a very small one would have to change too much, and is left alone.
 *
 * Rounding errors would add up, in polygons whose sides have few directions to 2 10^-12 in 10^8
 * hits. So the square is rounded to 51 binary digits, which the next hit finds again, for hardly
 * any hit is off by half of the last of them.
 */
static void restore_speed(struct particle *p, double before)
{
    const double rounded = 5 * before - (5 * before - before); /* Dekker 1971 */
    const struct sum after = sum_of_products(p->u, p->u, p->v, p->v);
    const double lost = (rounded - after.rounded) - after.rest;
    const int is_u = fabs(p->u) < fabs(p->v);
    double *smaller = is_u ? &p->u : &p->v;
    if (fabs(*smaller) > fabs(is_u ? p->v : p->u) / 16)
        *smaller += lost / (2 * *smaller);
}

/* Reflects a velocity along the direction n, of any length: w - 2 (w.n) n / n.n. Each component is
 * rounded once. A normalised n would be too long or too short by rounding, and each hit on a side
 * would heat or cool a gas by the same last bit. */
static void reflect(struct particle *p, double nx, double ny)
{
    const double before = sum_of_products(p->u, p->u, p->v, p->v).rounded;
    struct sum along = sum_of_products(p->u, nx, p->v, ny);
    struct sum square = sum_of_products(nx, nx, ny, ny);
    double value = 2 * along.rounded / square.rounded;
    double rest =
        fma(-value, square.rounded, 2 * along.rounded) + 2 * along.rest - value * square.rest;
    const struct sum factor = {value, rest / square.rounded};
    p->u = subtract_product(p->u, &factor, nx);
    p->v = subtract_product(p->v, &factor, ny);
    restore_speed(p, before);
}

/* Changes a velocity that by rounding still approaches, in steps from the last bit on, by the
 * direction n of this length to the particle. That of a disk whose rim grows is relative to the
 * rim.
 */
static void leave(struct particle *p, double nx, double ny, double length, double growing)
{
    if (growing > 0) {
        p->u += 2 * growing * (nx / length);
        p->v += 2 * growing * (ny / length);
    }
    double speed = DBL_EPSILON * (fabs(p->u) + fabs(p->v)) + DBL_MIN;
    for (; nx * p->u + ny * p->v < growing * length; speed *= 2) {
        p->u += speed * (nx / length);
        p->v += speed * (ny / length);
    }
}

void polygons_leave(const struct boundary *boundary, struct particle *particle, int32_t feature,
                    const struct pair_shift *shift)
{
    const struct polygon_side *side = side_of(boundary, feature);
    const struct particle corner = as_particle(side, particle, shift);
    const double nx = particle->x - corner.x, ny = particle->y - corner.y;
    if (polygons_is_corner(feature))
        leave(particle, nx, ny, elementary_length(nx, ny), 0);
    else
        leave(particle, side->facing * -side->ly, side->facing * side->lx, side->length, 0);
}

/* Moves a particle along its path, or back, by no more than the rounding of the time explains,
 * until it just touches the feature that it meets: otherwise, late in a run, it could be behind the
 * feature, or beyond another one nearby. */
static void reach(const struct acceleration *gravity, struct particle *p, double wait)
{
    const double most = 2 * DBL_EPSILON * p->t;
    const struct particle here = {.x = p->x, .y = p->y, .u = p->u, .v = p->v};
    const struct motion at = motion_at(gravity, &here, fmin(fmax(wait, -most), most));
    p->x = at.x;
    p->y = at.y;
    p->u = at.u;
    p->v = at.v;
}

/* A point meets a corner only if it is aimed at it exactly. Then its velocity is reversed, also in
 * front of a corner that touches something. So is the velocity of a disk whose centre is, by
 * rounding, too near to the corner for a direction. A disk that rounding has taken past the corner
 * already leaves. */
static void resolve_corner(const struct boundary *boundary, const struct polygon_side *side,
                           struct particle *p, double radius, double growing,
                           const struct pair_shift *shift)
{
    const double depth = polygons_find_depth(boundary);
    const struct particle corner = as_particle(side, p, shift);
    const double dx = p->x - corner.x, dy = p->y - corner.y;
    const double rate = dx * p->u + dy * p->v - growing * radius;
    /* The distance depends on the square of the time: near contact nearly linearly. */
    if (rate < 0)
        reach(&boundary->gravity, p, (dx * dx + dy * dy - radius * radius) / (-2 * rate));
    const double nx = p->x - corner.x, ny = p->y - corner.y;
    const int is_point = radius <= depth;
    const int is_kept_away =
        side->corner == CORNER_TOUCHED && !side->is_thin && radius <= 2 * depth;
    if (is_point) {
        p->x = corner.x;
        p->y = corner.y;
    } else if (!(nx * p->u + ny * p->v < growing * radius)) {
        return;
    }
    if (is_point || is_kept_away || fmax(fabs(nx), fabs(ny)) < radius / 4) {
        p->u = -p->u;
        p->v = -p->v;
    } else {
        reflect(p, nx, ny);
        leave(p, nx, ny, elementary_length(nx, ny), growing);
    }
}

void polygons_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature, const struct pair_shift *shift)
{
    const struct polygon_side *side = side_of(boundary, feature);
    const double growing = boundary->growth * radius;
    radius = find_radius(boundary, side, feature, radius * (1 + boundary->growth * particle->t));
    if (polygons_is_corner(feature)) {
        resolve_corner(boundary, side, particle, radius, growing, shift);
        return;
    }
    const struct polygon_approach approach = find_approach(side, particle, radius, growing, shift);
    if (approach.rate < 0)
        reach(&boundary->gravity, particle, approach.gap / -approach.rate);
    reflect(particle, -side->ly, side->lx);
    leave(particle, side->facing * -side->ly, side->facing * side->lx, side->length, growing);
}

/* `falls`, whether gravity acts, and `growth` are constants in each caller. */
COMPILER_INLINE void consider_cell(const struct boundary *boundary, const struct particle *p,
                                   double radius, size_t cell, int falls, double growth,
                                   struct boundary_contact *next)
{
    const struct polygons *polygons = boundary->polygons;
    for (uint32_t k = polygons->grid.first[cell]; k < polygons->grid.first[cell + 1]; k++) {
        const struct polygon_image *image = &polygons->images[k];
        const struct pair_shift shift = {image->column * boundary->width,
                                         image->row * boundary->height};
        double time = falls
                          ? fall_to_feature(boundary, p, radius, image->feature, &shift)
                          : find_feature_time(boundary, p, radius, image->feature, &shift, growth);
        if (time < next->time || (time == next->time && image->feature > next->feature))
            *next = (struct boundary_contact){time, image->feature};
    }
}

/* When a coordinate reaches the end of a column (or row) with this side; see motion_exit. */
COMPILER_INLINE double find_exit(const double at[4], double side, uint32_t column, double now,
                                 int falls, int *is_up)
{
    const double x = at[0], u = at[1], t = at[3];
    if (falls)
        return motion_exit(at, (const double[]){column * side, (column + 1) * side}, now, is_up);
    *is_up = u > 0;
    return u == 0 ? (double)INFINITY : t + ((u > 0 ? column + 1 : column) * side - x) / u;
}

/* The path is followed from cell to cell, until the contact found is before the next cell. */
COMPILER_INLINE struct boundary_contact follow_path(const struct boundary *boundary,
                                                    const struct particle *p, double radius,
                                                    double from, double until, int falls,
                                                    double growth)
{
    const struct grid *grid = &boundary->polygons->grid;
    const struct acceleration *gravity = &boundary->gravity;
    const struct motion begin = motion_at(gravity, p, from);
    const double x[] = {p->x, p->u, gravity->x, p->t}, y[] = {p->y, p->v, gravity->y, p->t};
    struct boundary_contact next = {(double)INFINITY, INT32_MIN};
    uint32_t column = boundary_locate(begin.x, grid->width, grid->columns);
    uint32_t row = boundary_locate(begin.y, grid->height, grid->rows);
    int is_right, is_up;
    while (column < grid->columns && row < grid->rows) {
        consider_cell(boundary, p, radius, (size_t)row * grid->columns + column, falls, growth,
                      &next);
        double x_exit = find_exit(x, grid->width, column, from, falls, &is_right);
        double y_exit = find_exit(y, grid->height, row, from, falls, &is_up);
        from = fmin(x_exit, y_exit);
        if (from >= fmin(next.time, until))
            break;
        if (x_exit < y_exit)
            column += is_right ? 1 : UINT32_MAX; /* beyond the first one there is none */
        else
            row += is_up ? 1 : UINT32_MAX;
    }
    return next;
}

COMPILER_APART static struct boundary_contact follow_fall(const struct boundary *boundary,
                                                          const struct particle *particle,
                                                          double radius, double from, double until)
{
    return follow_path(boundary, particle, radius, from, until, 1, 0);
}

struct boundary_contact polygons_next(const struct boundary *boundary,
                                      const struct particle *particle, double radius, double from,
                                      double until)
{
    if (boundary->gravity.acts)
        return follow_fall(boundary, particle, radius, from, until);
    return boundary->growth > 0
               ? follow_path(boundary, particle, radius, from, until, 0, boundary->growth)
               : follow_path(boundary, particle, radius, from, until, 0, 0);
}

void polygons_centroid(const struct polygons *polygons, size_t polygon, double centroid[2])
{
    const size_t count = polygons->list[polygon].side_count;
    const struct polygon_side *sides = polygons->sides + polygons->list[polygon].first_side;
    const double x = sides[0].corner_x, y = sides[0].corner_y;
    double area = 0; /* twice the area of the triangles */
    double sum[2] = {0, 0};
    for (size_t k = 1; k + 1 < count; k++) {
        const double from[2] = {sides[k].corner_x - x, sides[k].corner_y - y};
        const double to[2] = {sides[k + 1].corner_x - x, sides[k + 1].corner_y - y};
        const double part = from[0] * to[1] - from[1] * to[0];
        area += part;
        sum[0] += part * (from[0] + to[0]);
        sum[1] += part * (from[1] + to[1]);
    }
    centroid[0] = x + (count > 2 ? sum[0] / area / 3 : sides[0].lx / 2);
    centroid[1] = y + (count > 2 ? sum[1] / area / 3 : sides[0].ly / 2);
}

/* The two vertices that are farthest apart are on the convex hull (A. Andrew, Inf. Process. Lett.
 * 9, 1979). While one goes around it, the vertex that is farthest from the side there goes around,
 * too: "rotating calipers" (M. Shamos, Computational geometry, thesis, 1978). */

static double square_of_distance(const double *a, const double *b)
{
    return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

/* Adds a point to a part of the hull, and drops those that it makes superfluous. */
static size_t add_point(double (*hull)[2], size_t least, size_t count, const double *point)
{
    while (count > least && polygons_turn(hull[count - 2], hull[count - 1], point) <= 0)
        count--;
    memcpy(hull[count], point, sizeof *hull);
    return count + 1;
}

/* Finds the convex hull of sorted points, counter-clockwise, in `hull`, with room for one more. */
static size_t find_hull(double (*points)[2], size_t count, double (*hull)[2])
{
    size_t used = 0;
    for (size_t k = 0; k < count; k++) /* the lower part, from left to right */
        used = add_point(hull, 1, used, points[k]);
    const size_t lower = used;
    for (size_t k = count - 1; k-- > 0;) /* the upper part, back again */
        used = add_point(hull, lower, used, points[k]);
    return used - 1; /* the last point is the first one again */
}

static double find_diameter(double (*hull)[2], size_t count)
{
    double most = 0;
    for (size_t k = 0, far = 1; k < count; k++) {
        const double *begin = hull[k], *end = hull[(k + 1) % count];
        while (polygons_turn(begin, end, hull[(far + 1) % count]) >
               polygons_turn(begin, end, hull[far]))
            far = (far + 1) % count;
        most = fmax(most, square_of_distance(begin, hull[far]));
        most = fmax(most, square_of_distance(end, hull[far]));
    }
    return sqrt(most);
}

enum status polygon_shape_find(const struct polygons *polygons, size_t polygon,
                               struct polygon_shape *shape, struct error *error)
{
    const size_t count = polygons->list[polygon].side_count;
    const struct polygon_side *sides = &polygons->sides[polygons->list[polygon].first_side];
    double(*points)[2] =
        memory_allocate(2 * count + 1, sizeof *points, "the shape of a polygon", error);
    double least = sides[0].corner_y, most = least;
    double centroid[2];
    if (!points)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        points[k][0] = sides[k].corner_x;
        points[k][1] = sides[k].corner_y;
        least = fmin(least, points[k][1]);
        most = fmax(most, points[k][1]);
    }
    qsort(points, count, sizeof *points, compare_points);
    polygons_centroid(polygons, polygon, centroid);
    *shape = (struct polygon_shape){
        .x = centroid[0],
        .y = centroid[1],
        .bottom = least,
        .across = most - least,
        .chord = find_diameter(points + count, find_hull(points, count, points + count))};
    memory_free(points);
    return STATUS_DONE;
}

enum status polygon_shape_extremes(const struct polygons *polygons, double *least, double *most,
                                   struct error *error)
{
    enum status status = STATUS_DONE;
    *least = *most = (double)NAN;
    for (size_t k = 0; polygons && k < polygons->count && !status; k++) {
        struct polygon_shape shape = {0};
        if (polygons->list[k].is_domain)
            continue;
        status = polygon_shape_find(polygons, k, &shape, error);
        *least = fmin(*least, shape.chord);
        *most = fmax(*most, shape.chord);
    }
    return status;
}
