/*
 * Polygons; see polygons.h. First what they are made of, then the physics of a contact, then the
 * search for the first one.
 *
 * A disk is on one side of each line, and the formulas know which. So a disk that rounding has
 * taken a little too near, or a point that it has taken across, is still on the right side: it
 * overlaps, and as soon as it approaches, it is met. None gets through. A disk may overlap by up to
 * its radius, a point by `depth`; what is further behind a line is behind the polygon. Only at a
 * thin wall a point may be on either side of one line, and where it is says on which. So there it
 * is a disk, too, larger than rounding and much smaller than anything else: 128 units in the last
 * place of the box. It stays on its side, also where thin walls meet. It is such a disk as well at
 * a corner that touches another polygon or a wall: in that very place more than two lines meet, and
 * a point might be reflected from one to the next for ever.
 */
#include "model/polygons.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/physics.h"
#include "model/polygon_grid.h"
#include "model/system.h"
#include "orientation.h"

#include <math.h>
#include <string.h>

/* The length of a vector that is not 0. The last digit of hypot differs between C libraries. */
static double find_length(double x, double y)
{
    const double larger = fmax(fabs(x), fabs(y)); /* its square might vanish */
    const double ratio = fmin(fabs(x), fabs(y)) / larger;
    return larger * sqrt(1 + ratio * ratio);
}

/* Whether a corner juts out among the particles: what they can turn by there is more than half. */
static int is_solid(const struct side *before, const struct side *side)
{
    return side->is_thin || side->facing * (before->lx * side->ly - before->ly * side->lx) < 0;
}

/*
 * Whether the vertices of a polygon, given by its sides, are in counter-clockwise order. Of the
 * sides at the leftmost vertex, the lowest one if there are several, the lowest leaves it if they
 * are, and arrives there if they are not. This is exact, also where the polygon touches itself.
 */
static int is_counter_clockwise(const struct side *sides, size_t count)
{
    double least[2] = {(double)INFINITY, 0};
    double lowest[2] = {0, 0};
    int is_leaving = -1; /* of the lowest side; none is known */
    for (size_t k = 0; k < count; k++) {
        const double x = sides[k].corner_x;
        const double y = sides[k].corner_y;
        if (x < least[0] || (x == least[0] && y < least[1])) {
            least[0] = x;
            least[1] = y;
        }
    }
    for (size_t k = 0; k < 2 * count; k++) {
        const struct side *side = &sides[k / 2];
        const struct side *other = &sides[(k / 2 + (k % 2 ? 1 : count - 1)) % count];
        const double end[2] = {other->corner_x, other->corner_y};
        if (side->corner_x != least[0] || side->corner_y != least[1])
            continue;
        if (is_leaving < 0 || orientation(least, lowest, end) < 0) {
            lowest[0] = end[0];
            lowest[1] = end[1];
            is_leaving = k % 2 == 1;
        }
    }
    return is_leaving;
}

void polygons_set_inside(struct polygons *polygons, size_t polygon, int is_inside)
{
    const size_t count = polygons->list[polygon].side_count;
    struct side *sides = &polygons->sides[polygons->list[polygon].first_side];
    const int is_left = is_counter_clockwise(sides, count) == is_inside;
    for (size_t k = 0; k < count; k++)
        sides[k].facing = (int8_t)((count == 2 ? k == 0 : is_left) ? 1 : -1);
    for (size_t k = 0; k < count; k++)
        sides[k].corner =
            is_solid(&sides[(k + count - 1) % count], &sides[k]) ? CORNER_SOLID : CORNER_HOLLOW;
    polygons->list[polygon].is_inside = is_inside;
}

/* The sides of a polygon, but for what depends on which side of them particles are. */
static void make_sides(struct side *sides, const double (*vertices)[2], size_t count,
                       uint32_t polygon)
{
    for (size_t k = 0; k < count; k++) {
        const double *corner = vertices[k];
        const double *a = count == 2 ? vertices[0] : corner;
        const double *b = count == 2 ? vertices[1] : vertices[(k + 1) % count];
        sides[k] = (struct side){.x = a[0],
                                 .y = a[1],
                                 .lx = b[0] - a[0],
                                 .ly = b[1] - a[1],
                                 .length = find_length(b[0] - a[0], b[1] - a[1]),
                                 .corner_x = corner[0],
                                 .corner_y = corner[1],
                                 .polygon = polygon,
                                 .is_thin = count == 2};
    }
}

void polygons_set_line(struct polygons *polygons, size_t side, const double from[2],
                       const double to[2])
{
    struct side *changed = &polygons->sides[side];
    changed->x = from[0];
    changed->y = from[1];
    changed->lx = to[0] - from[0];
    changed->ly = to[1] - from[1];
    changed->length = find_length(changed->lx, changed->ly);
}

void polygons_uncover(struct polygons *polygons)
{
    for (size_t k = 0; k < polygons->side_count; k++) {
        struct side *side = &polygons->sides[k];
        const struct side *next = polygons_next_side(polygons, side);
        side->cover = COVER_NONE;
        if (side->corner == CORNER_TOUCHED)
            side->corner = CORNER_SOLID;
        if (!side->is_thin)
            polygons_set_line(polygons, k, (const double[]){side->corner_x, side->corner_y},
                              (const double[]){next->corner_x, next->corner_y});
    }
}

void polygons_set_vertices(struct polygons *polygons, size_t polygon, const double (*vertices)[2])
{
    const struct polygon *changed = &polygons->list[polygon];
    make_sides(polygons->sides + changed->first_side, vertices, changed->side_count,
               (uint32_t)polygon);
    polygons_set_inside(polygons, polygon, changed->is_inside);
}

double polygons_area(const struct polygons *polygons, size_t polygon)
{
    const struct polygon *p = &polygons->list[polygon];
    const struct side *sides = &polygons->sides[p->first_side];
    double twice = 0;
    for (size_t k = 0; k < p->side_count && p->side_count > 2 && !p->is_hidden; k++) {
        const struct side *next = polygons_next_side(polygons, &sides[k]);
        const double dx = sides[k].corner_x - sides->corner_x;
        const double dy = sides[k].corner_y - sides->corner_y;
        twice +=
            dx * (next->corner_y - sides[k].corner_y) - dy * (next->corner_x - sides[k].corner_x);
    }
    return p->is_inside ? fabs(twice) / 2 : -fabs(twice) / 2;
}

/* How many of `count` things, which come one after another, there is to be room for. */
static size_t find_room(size_t count)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    return count > 0 ? room : 0;
}

enum status polygons_add(struct polygons *polygons, const double (*vertices)[2], size_t count,
                         int is_domain, int is_inside, struct error *error)
{
    const size_t polygon_room = find_room(polygons->count + 1);
    const size_t side_room = find_room(polygons->side_count + count);
    struct polygon *list = polygons->list;
    struct side *sides = polygons->sides;
    if (polygon_room != find_room(polygons->count)) {
        list = memory_resize(list, polygon_room, sizeof *list, "the polygons", error);
        if (!list)
            return STATUS_NO_MEMORY;
        polygons->list = list;
    }
    if (side_room != find_room(polygons->side_count)) {
        sides = memory_resize(sides, side_room, sizeof *sides, "the sides of polygons", error);
        if (!sides)
            return STATUS_NO_MEMORY;
        polygons->sides = sides;
    }
    list[polygons->count] = (struct polygon){.first_side = polygons->side_count,
                                             .side_count = count,
                                             .is_domain = is_domain,
                                             .is_inside = is_inside};
    polygons_set_vertices(polygons, polygons->count, vertices);
    polygons->side_count += count;
    polygons->count++;
    return STATUS_DONE;
}

enum status polygons_prepare(struct polygons *polygons, struct boundary *boundary, double largest,
                             size_t particles, struct error *error)
{
    static const struct boundary_operations operations = {polygons_next, polygons_image,
                                                          polygons_resolve, polygons_free};
    polygon_grid_free(polygons->grid);
    polygons->grid = NULL;
    boundary->polygons = polygons;
    boundary->operations = &operations;
    return polygon_grid_create(&polygons->grid, boundary, polygons, largest, particles, error);
}

enum status polygons_attach(struct polygons *polygons, struct system *system, struct error *error)
{
    double largest = system->kinds ? 0 : system->radius;
    for (size_t k = 0; k < system->kind_count; k++)
        largest = fmax(largest, system->kinds[k].radius);
    return polygons_prepare(polygons, &system->boundary, largest, system->count, error);
}

void polygons_free(struct polygons *polygons)
{
    if (!polygons)
        return;
    polygon_grid_free(polygons->grid);
    memory_free(polygons->list);
    memory_free(polygons->sides);
    memory_free(polygons);
}

static const struct side *side_of(const struct boundary *boundary, int32_t feature)
{
    return &boundary->polygons->sides[polygons_side(feature)];
}

/* How far rounding may take a centre from where it is, generously. */
static double find_depth(const struct boundary *boundary)
{
    return 4 * system_rounding(fmax(boundary->width, boundary->height));
}

/* The radius with which a particle meets a side or its corner: its own but for a point at a thin
 * wall, or at a corner that touches something. */
static double find_radius(const struct boundary *boundary, const struct side *side, int32_t feature,
                          double radius)
{
    const int is_kept_away =
        side->is_thin || (side->corner == CORNER_TOUCHED && polygons_is_corner(feature));
    return is_kept_away ? fmax(radius, 2 * find_depth(boundary)) : radius;
}

/* A disk as a side sees it: how far its rim is from the line, and how fast that grows. */
struct approach {
    double gap, rate;
};

static struct approach find_approach(const struct side *side, const struct particle *p,
                                     double radius, const struct shift *shift)
{
    double dx = (p->x - side->x) - shift->x;
    double dy = (p->y - side->y) - shift->y;
    double distance = side->facing * ((side->lx * dy - side->ly * dx) / side->length);
    double rate = side->facing * ((side->lx * p->v - side->ly * p->u) / side->length);
    return (struct approach){distance - radius, rate};
}

/* After how long the rim is at the line; INFINITY if it leaves, or is too far behind it. */
static double find_wait(const struct approach *approach, double depth)
{
    if (!(approach->rate < 0) || approach->gap <= -depth)
        return (double)INFINITY;
    return approach->gap > 0 ? approach->gap / -approach->rate : 0;
}

/* Whether the line of a side, what of it can be met, goes to the corner where another one begins.
 */
static int goes_to(const struct side *side, const struct side *corner, double depth)
{
    const double from = fmax(fabs(side->x - corner->corner_x), fabs(side->y - corner->corner_y));
    const double to = fmax(fabs(side->x + side->lx - corner->corner_x),
                           fabs(side->y + side->ly - corner->corner_y));
    return side->cover == COVER_NONE && fmin(from, to) <= depth;
}

/*
 * Whether a point that is behind a side by no more than rounding is there because it is around a
 * corner that juts out, before the other side of that: at a sharp corner that is at once.
 */
COMPILER_APART static int is_around_corner(const struct boundary *boundary, const struct side *side,
                                           const struct particle *p, const struct shift *shift,
                                           double gap)
{
    const struct polygons *polygons = boundary->polygons;
    const struct polygon *polygon = &polygons->list[side->polygon];
    const struct side *first = &polygons->sides[polygon->first_side];
    const struct side *next = polygons_next_side(polygons, side);
    const struct side *before = side > first ? side - 1 : first + polygon->side_count - 1;
    const double depth = find_depth(boundary);
    return (next->corner != CORNER_HOLLOW && goes_to(next, next, depth) &&
            find_approach(next, p, 0, shift).gap > gap) ||
           (side->corner != CORNER_HOLLOW && goes_to(before, side, depth) &&
            find_approach(before, p, 0, shift).gap > gap);
}

COMPILER_INLINE double find_side_time(const struct boundary *boundary, const struct side *side,
                                      const struct particle *p, double radius,
                                      const struct shift *shift)
{
    if (!(side->facing * (side->lx * p->v - side->ly * p->u) < 0) || side->cover)
        return (double)INFINITY; /* it leaves, as half of all do */
    const double depth = find_depth(boundary);
    if (side->is_thin)
        radius = fmax(radius, 2 * depth);
    const struct approach approach = find_approach(side, p, radius, shift);
    double wait = find_wait(&approach, fmax(depth, radius));
    if (wait == (double)INFINITY || (approach.gap < 0 && radius <= depth &&
                                     is_around_corner(boundary, side, p, shift, approach.gap)))
        return (double)INFINITY;
    double dx = ((p->x - side->x) - shift->x) + p->u * wait;
    double dy = ((p->y - side->y) - shift->y) + p->v * wait;
    double along = (side->lx * dx + side->ly * dy) / side->length;
    if (along < -depth || along > side->length + depth)
        return (double)INFINITY;
    return p->t + wait;
}

/* A corner, or an image of it, as a particle at rest beside another one. */
static struct particle as_particle(const struct side *side, const struct particle *p,
                                   const struct shift *shift)
{
    return (struct particle){
        .x = side->corner_x + shift->x, .y = side->corner_y + shift->y, .t = p->t};
}

/* Built into the search among what a cell lists: in a domain of points that saves 2 % of all
 * instructions. */
COMPILER_INLINE double find_feature_time(const struct boundary *boundary,
                                         const struct particle *particle, double radius,
                                         int32_t feature, const struct shift *shift)
{
    const struct side *side = side_of(boundary, feature);
    if (!polygons_is_corner(feature))
        return find_side_time(boundary, side, particle, radius, shift);
    const double dx = side->corner_x + shift->x - particle->x;
    const double dy = side->corner_y + shift->y - particle->y;
    if (side->corner == CORNER_HOLLOW || !(dx * -particle->u + dy * -particle->v < 0))
        return (double)INFINITY;
    const struct particle corner = as_particle(side, particle, shift);
    radius = find_radius(boundary, side, feature, radius);
    return physics_pair_time(particle, &corner, radius, NULL);
}

double polygons_feature_time(const struct boundary *boundary, const struct particle *particle,
                             double radius, int32_t feature, const struct shift *shift)
{
    return find_feature_time(boundary, particle, radius, feature, shift);
}

struct shift polygons_image(const struct boundary *boundary, const struct particle *particle,
                            double radius, int32_t feature)
{
    const int columns = (boundary->periodic & PERIODIC_X) != 0;
    const int rows = (boundary->periodic & PERIODIC_Y) != 0;
    struct shift first = {0, 0};
    double earliest = (double)INFINITY;
    for (int column = -columns; column <= columns; column++) {
        for (int row = -rows; row <= rows; row++) {
            const struct shift shift = {column * boundary->width, row * boundary->height};
            double time = polygons_feature_time(boundary, particle, radius, feature, &shift);
            if (time < earliest) {
                earliest = time;
                first = shift;
            }
        }
    }
    return first;
}

struct polygon_touch polygons_touch(const struct boundary *boundary,
                                    const struct particle *particle, double radius, int32_t feature,
                                    const struct shift *shift)
{
    const struct side *side = side_of(boundary, feature);
    radius = find_radius(boundary, side, feature, radius);
    if (!polygons_is_corner(feature)) {
        const double scale = side->facing / side->length;
        return (struct polygon_touch){-side->ly * scale, side->lx * scale,
                                      find_approach(side, particle, radius, shift).gap};
    }
    const struct particle corner = as_particle(side, particle, shift);
    double nx = particle->x - corner.x;
    double ny = particle->y - corner.y;
    const double distance = nx == 0 && ny == 0 ? 0 : find_length(nx, ny);
    if (distance <= find_depth(boundary)) {
        nx = -particle->u;
        ny = -particle->v;
    }
    const double length = find_length(nx, ny);
    return (struct polygon_touch){nx / length, ny / length, distance - radius};
}

/* A product or a sum, and what it has lost by rounding (Dekker 1971). */
struct exact {
    double value, rest;
};

static struct exact multiply(double a, double b)
{
    double product = a * b;
    return (struct exact){product, fma(a, b, -product)};
}

static struct exact add(double a, double b)
{
    double sum = a + b;
    double part = sum - a;
    return (struct exact){sum, (a - (sum - part)) + (b - part)};
}

/* a b + c d */
static struct exact sum_of_products(double a, double b, double c, double d)
{
    struct exact left = multiply(a, b);
    struct exact right = multiply(c, d);
    struct exact sum = add(left.value, right.value);
    sum.rest += left.rest + right.rest;
    return sum;
}

/* speed - factor * length, rounded once. */
static double subtract_product(double speed, const struct exact *factor, double length)
{
    struct exact product = multiply(factor->value, length);
    struct exact difference = add(speed, -product.value);
    return difference.value + (difference.rest - product.rest - factor->rest * length);
}

/*
 * Gives a velocity the square of the speed that it had before, as far as the last bit of the
 * smaller component allows. A component that is hardly any would have to change too much for that.
 *
 * What is lost and gained would add up: in polygons whose sides have few directions faster than by
 * chance, to 2 10^-12 in 10^8 hits. So the square is rounded to 51 binary digits. These the next
 * hit finds again, for hardly any hit is off by half of the last of them, and little adds up but
 * where other disks have given a new speed.
 */
static void restore_speed(struct particle *p, double before)
{
    const double rounded = 5 * before - (5 * before - before); /* Dekker 1971 */
    const struct exact after = sum_of_products(p->u, p->u, p->v, p->v);
    const double lost = (rounded - after.value) - after.rest;
    const int is_u = fabs(p->u) < fabs(p->v);
    double *smaller = is_u ? &p->u : &p->v;
    if (fabs(*smaller) > fabs(is_u ? p->v : p->u) / 16)
        *smaller += lost / (2 * *smaller);
}

/*
 * Reflects a velocity along the direction n, of any length: w - 2 (w.n) n / n.n. Each component is
 * rounded once. If n were normalised first, by rounding it would be too long or too short, and each
 * hit on a side would heat or cool a gas by the same last bit.
 */
static void reflect(struct particle *p, double nx, double ny)
{
    const double before = sum_of_products(p->u, p->u, p->v, p->v).value;
    struct exact along = sum_of_products(p->u, nx, p->v, ny);
    struct exact square = sum_of_products(nx, nx, ny, ny);
    double value = 2 * along.value / square.value;
    double rest = fma(-value, square.value, 2 * along.value) + 2 * along.rest - value * square.rest;
    const struct exact factor = {value, rest / square.value};
    p->u = subtract_product(p->u, &factor, nx);
    p->v = subtract_product(p->v, &factor, ny);
    restore_speed(p, before);
}

/* A velocity that rounding lets approach after a reflection is turned in steps that begin at the
 * last bit. */
static void leave_side(const struct side *side, struct particle *p, double radius,
                       const struct shift *shift)
{
    const double nx = side->facing * (-side->ly / side->length);
    const double ny = side->facing * (side->lx / side->length);
    double speed = DBL_EPSILON * (fabs(p->u) + fabs(p->v)) + DBL_MIN;
    for (; find_approach(side, p, radius, shift).rate < 0; speed *= 2) {
        p->u += speed * nx;
        p->v += speed * ny;
    }
}

/* The same for a corner. */
static void leave_corner(const struct particle *corner, struct particle *p)
{
    double nx = p->x - corner->x;
    double ny = p->y - corner->y;
    double length = find_length(nx, ny);
    double speed = DBL_EPSILON * (fabs(p->u) + fabs(p->v)) + DBL_MIN;
    for (; nx * p->u + ny * p->v < 0; speed *= 2) {
        p->u += speed * (nx / length);
        p->v += speed * (ny / length);
    }
}

/*
 * A late time is rounded more coarsely than a place is. So a particle goes on along its way, or
 * back, by no more than the rounding of the time explains, until it just touches what it meets:
 * then it is not behind that, nor carried past something near, however late it is.
 */
static void reach(struct particle *p, double wait)
{
    const double most = 2 * DBL_EPSILON * p->t;
    wait = fmin(fmax(wait, -most), most);
    p->x += p->u * wait;
    p->y += p->v * wait;
}

static void reach_side(const struct side *side, struct particle *p, double radius,
                       const struct shift *shift)
{
    const struct approach approach = find_approach(side, p, radius, shift);
    if (approach.rate < 0)
        reach(p, approach.gap / -approach.rate);
}

/* Time enters the distance from a corner as a square: near contact as good as linearly. */
static void reach_corner(const struct particle *corner, struct particle *p, double radius)
{
    const double dx = p->x - corner->x;
    const double dy = p->y - corner->y;
    const double rate = dx * p->u + dy * p->v;
    if (rate < 0)
        reach(p, (dx * dx + dy * dy - radius * radius) / (-2 * rate));
}

/*
 * A point meets a corner only if it is aimed at it exactly, and goes back whence it came, also from
 * before a corner that touches something. So does a disk whose centre rounding has taken so near
 * that the direction from the corner means nothing; one that has been taken past it already leaves.
 */
static void resolve_corner(const struct side *side, struct particle *p, double radius,
                           const struct shift *shift, double depth)
{
    const struct particle corner = as_particle(side, p, shift);
    reach_corner(&corner, p, radius);
    const double nx = p->x - corner.x;
    const double ny = p->y - corner.y;
    const int is_point = radius <= depth;
    const int is_kept_away =
        side->corner == CORNER_TOUCHED && !side->is_thin && radius <= 2 * depth;
    if (is_point) {
        p->x = corner.x;
        p->y = corner.y;
    } else if (!(nx * p->u + ny * p->v < 0)) {
        return;
    }
    if (is_point || is_kept_away || fmax(fabs(nx), fabs(ny)) < radius / 4) {
        p->u = -p->u;
        p->v = -p->v;
    } else {
        reflect(p, nx, ny);
        leave_corner(&corner, p);
    }
}

void polygons_resolve(const struct boundary *boundary, struct particle *particle, double radius,
                      int32_t feature, const struct shift *shift)
{
    const struct side *side = side_of(boundary, feature);
    radius = find_radius(boundary, side, feature, radius);
    if (polygons_is_corner(feature)) {
        resolve_corner(side, particle, radius, shift, find_depth(boundary));
        return;
    }
    reach_side(side, particle, radius, shift);
    reflect(particle, -side->ly, side->lx);
    leave_side(side, particle, radius, shift);
}

/* Considers the contacts with what a cell of the grid lists. */
static void consider_cell(const struct boundary *boundary, const struct particle *p, double radius,
                          size_t cell, struct boundary_contact *next)
{
    const struct polygon_grid *grid = boundary->polygons->grid;
    for (uint32_t k = grid->first[cell]; k < grid->first[cell + 1]; k++) {
        const struct polygon_place *place = &grid->places[k];
        const struct shift shift = {place->column * boundary->width, place->row * boundary->height};
        double time = find_feature_time(boundary, p, radius, place->feature, &shift);
        if (time < next->time || (time == next->time && place->feature > next->feature))
            *next = (struct boundary_contact){time, place->feature};
    }
}

/* When a coordinate reaches the end of a column (or row) with this side. */
static double find_exit(double x, double u, double t, double side, uint32_t column)
{
    return u == 0 ? (double)INFINITY : t + ((u > 0 ? column + 1 : column) * side - x) / u;
}

/* The path is followed from cell to cell, until what has been found is before the next cell. */
struct boundary_contact polygons_next(const struct boundary *boundary,
                                      const struct particle *particle, double radius, double from,
                                      double until)
{
    const struct particle *p = particle;
    const struct polygon_grid *grid = boundary->polygons->grid;
    struct boundary_contact next = {(double)INFINITY, INT32_MIN};
    uint32_t column =
        polygon_grid_locate(physics_coordinate(p->x, p->u, p->t, from), grid->width, grid->columns);
    uint32_t row =
        polygon_grid_locate(physics_coordinate(p->y, p->v, p->t, from), grid->height, grid->rows);
    while (column < grid->columns && row < grid->rows) {
        consider_cell(boundary, p, radius, (size_t)row * grid->columns + column, &next);
        double x_exit = find_exit(p->x, p->u, p->t, grid->width, column);
        double y_exit = find_exit(p->y, p->v, p->t, grid->height, row);
        if (fmin(x_exit, y_exit) >= fmin(next.time, until))
            break;
        if (x_exit < y_exit)
            column += p->u > 0 ? 1 : UINT32_MAX; /* beyond the first one there is none */
        else
            row += p->v > 0 ? 1 : UINT32_MAX;
    }
    return next;
}
