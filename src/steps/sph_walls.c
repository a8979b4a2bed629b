/*
 * The walls of a fluid; see sph.h.
 */
#include "sph.h"

#include "base/memory.h"
#include "model/polygons.h"
#include "model/region.h"

#include <inttypes.h>

/* Wall particles nearer to each other than this part of the spacing, where sides meet, are merged.
 */
static const double MERGE_DISTANCE = 0.75;

static const double MAX_WALL_PARTICLES = 1 << 20; /* of one wall or side: 64 MB */

/* The state of creating walls: a system of wall particles, so that neighbours can list them. */
struct wall_maker {
    struct system solid;   /* the wall particles; its boundary is borrowed */
    struct region *region; /* where the fluid may be; owned */
    size_t room;
    double spacing; /* length */
    int layers;     /* of wall particles */
};

/* A straight wall from (x, y) to (x + lx, y + ly); the fluid is to its left. */
struct wall_line {
    double x, y, lx, ly;
};

/* True if a position is in the solid. */
static int is_in_solid(const struct wall_maker *maker, double x, double y)
{
    const struct boundary *boundary = &maker->solid.boundary;
    if (x < 0 || x > boundary->width || y < 0 || y > boundary->height)
        return 1;
    return boundary->polygons && !region_contains(maker->region, x, y);
}

static enum status add_wall_particle(struct wall_maker *maker, double x, double y,
                                     struct error *error)
{
    const struct boundary *boundary = &maker->solid.boundary;
    if (boundary->periodic & PERIODIC_X)
        x -= floor(x / boundary->width) * boundary->width;
    if (boundary->periodic & PERIODIC_Y)
        y -= floor(y / boundary->height) * boundary->height;
    if (!is_in_solid(maker, x, y))
        return STATUS_DONE;
    struct particle *particles = part_grow(maker->solid.particles, maker->solid.count, &maker->room,
                                           sizeof *particles, "the walls of the fluid", error);
    if (!particles)
        return STATUS_NO_MEMORY;
    maker->solid.particles = particles;
    maker->solid.particles[maker->solid.count++] = (struct particle){.x = x, .y = y};
    return STATUS_DONE;
}

/* Adds the layers to the right of a line; or their continuations beyond its ends, which fill
 * corners. */
static enum status add_wall_line(struct wall_maker *maker, const struct wall_line *line,
                                 int is_beyond, struct error *error)
{
    const double length = sqrt(line->lx * line->lx + line->ly * line->ly);
    const double parts = fmax(1, floor(length / maker->spacing + 0.5));
    const struct vector along = {line->lx / length, line->ly / length};
    enum status status = STATUS_DONE;
    if ((parts + 2 * maker->layers) * maker->layers > MAX_WALL_PARTICLES)
        return error_set(error, STATUS_USAGE,
                         "sph: particles %g apart are far too small for a wall of length %g",
                         maker->spacing, length);
    const int64_t last = (int64_t)parts + maker->layers;
    for (int64_t k = -maker->layers; k < last && !status; k++) {
        if ((k < 0 || k >= (int64_t)parts) != is_beyond)
            continue;
        for (int layer = 0; layer < maker->layers && !status; layer++) {
            const double forward = ((double)k + 0.5) * (length / parts);
            const double depth = (layer + 0.5) * maker->spacing;
            status = add_wall_particle(maker, line->x + forward * along.x + depth * along.y,
                                       line->y + forward * along.y - depth * along.x, error);
        }
    }
    return status;
}

static enum status add_box_walls(struct wall_maker *maker, int is_beyond, struct error *error)
{
    const struct boundary *boundary = &maker->solid.boundary;
    const double width = boundary->width;
    const double height = boundary->height;
    const struct wall_line lines[] = {{0, 0, width, 0},
                                      {width, height, -width, 0},
                                      {width, 0, 0, height},
                                      {0, height, 0, -height}};
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < 4 && !status; k++)
        if (!(boundary->periodic & (k < 2 ? PERIODIC_Y : PERIODIC_X)))
            status = add_wall_line(maker, &lines[k], is_beyond, error);
    return status;
}

static enum status add_polygon_walls(struct wall_maker *maker, int is_beyond, struct error *error)
{
    const struct polygons *polygons = maker->solid.boundary.polygons;
    enum status status = STATUS_DONE;
    for (size_t k = 0; polygons && k < polygons->side_count && !status; k++) {
        const struct side *side = &polygons->sides[k];
        struct wall_line line = {side->x, side->y, side->lx, side->ly};
        if (polygons->list[side->polygon].is_hidden || side->cover != COVER_NONE)
            continue;
        if (side->facing < 0)
            line = (struct wall_line){side->x + side->lx, side->y + side->ly, -side->lx, -side->ly};
        status = add_wall_line(maker, &line, is_beyond, error);
    }
    return status;
}

/* Removes each particle that is too near to an earlier one that is kept. */
static enum status merge_particles(struct wall_maker *maker, struct error *error)
{
    struct system *solid = &maker->solid;
    struct neighbours near = {0};
    const double range = MERGE_DISTANCE * maker->spacing;
    enum status status = neighbours_find(&near, solid, range, error);
    size_t kept = 0;
    for (size_t i = 0; i < solid->count && !status; i++)
        solid->particles[i].id = 1;
    for (size_t i = 0; i < solid->count && !status; i++) {
        struct particle *p = &solid->particles[i];
        for (int row = -1; row <= 1; row++) {
            const struct neighbours_span span = neighbours_near(&near, i, row);
            for (uint32_t at = span.begin; at < span.end; at++) {
                const double dx = near.x[at] - p->x, dy = near.y[at] - p->y;
                const uint32_t j = near.number[at];
                if (j < i && solid->particles[j].id && dx * dx + dy * dy < range * range)
                    p->id = 0;
            }
        }
    }
    for (size_t i = 0; i < solid->count && !status; i++)
        if (solid->particles[i].id)
            solid->particles[kept++] = solid->particles[i];
    if (!status)
        solid->count = kept;
    neighbours_free(&near);
    return status;
}

static enum status make_wall_particles(struct wall_maker *maker, struct error *error)
{
    enum status status = region_create(&maker->solid.boundary, &maker->region, error);
    for (int is_beyond = 0; is_beyond <= 1; is_beyond++) {
        if (!status)
            status = add_box_walls(maker, is_beyond, error);
        if (!status)
            status = add_polygon_walls(maker, is_beyond, error);
    }
    if (!status && maker->solid.count > 0)
        status = merge_particles(maker, error);
    return status;
}

enum status sph_walls_create(struct sph_walls *walls, const struct boundary *boundary,
                             double spacing, double smoothing, struct error *error)
{
    struct wall_maker maker = {.solid.boundary = *boundary,
                               .spacing = spacing,
                               .layers = (int)ceil(2 * smoothing / spacing)};
    enum status status = make_wall_particles(&maker, error);
    walls->count = maker.solid.count;
    walls->volume = spacing * spacing;
    walls->smoothing = smoothing;
    if (!status)
        status = neighbours_find(&walls->near, &maker.solid, 2 * smoothing, error);
    if (!status) {
        walls->pressure =
            memory_allocate(walls->count, sizeof *walls->pressure, "the walls of the fluid", error);
        walls->velocity =
            memory_allocate(walls->count, sizeof *walls->velocity, "the walls of the fluid", error);
        walls->positions = memory_allocate(walls->count, sizeof *walls->positions,
                                           "the walls of the fluid", error);
        if (!walls->pressure || !walls->velocity || !walls->positions)
            status = STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < walls->count && !status; k++)
        walls->positions[k] =
            (struct vector){maker.solid.particles[k].x, maker.solid.particles[k].y};
    region_free(maker.region);
    memory_free(maker.solid.particles);
    return status;
}

void sph_walls_free(struct sph_walls *walls)
{
    neighbours_free(&walls->near);
    memory_free(walls->pressure);
    memory_free(walls->velocity);
    memory_free(walls->positions);
    *walls = (struct sph_walls){0};
}

/*
 * Calls visit(context, at, dx, dy, square) for each member `at` of a list that is within the
 * kernel's reach of a position: (dx, dy) is from it to the position.
 */
typedef void visit_near(void *context, size_t at, double dx, double dy, double square);

COMPILER_INLINE void each_near(const struct neighbours *near, double x, double y, double smoothing,
                               visit_near *visit, void *context)
{
    const uint32_t cell = neighbours_cell(near, x, y);
    for (int row = -1; row <= 1; row++) {
        const struct neighbours_span span = neighbours_around(near, cell, row);
        for (size_t at = span.begin; at < span.end; at++) {
            const double dx = x - near->x[at], dy = y - near->y[at];
            const double square = dx * dx + dy * dy;
            if (square < 4 * smoothing * smoothing)
                visit(context, at, dx, dy, square);
        }
    }
}

/* Particle i in the list of a fluid, and the walls near it. */
struct fluid_at_walls {
    const struct sph_walls *walls;
    struct sph_list *list;
    const struct sph_coefficients *coefficients;
    size_t i;
};

/* Visits the wall particles near each particle of the fluid, images excluded. */
COMPILER_INLINE void visit_walls(struct fluid_at_walls *fluid, visit_near *visit)
{
    const struct neighbours *near = &fluid->list->near;
    for (uint32_t row = 1; row + 1 < near->rows && fluid->walls->count > 0; row++) {
        const uint32_t *cells = near->first + (size_t)row * near->columns;
        for (fluid->i = cells[1]; fluid->i < cells[near->columns - 1]; fluid->i++)
            each_near(&fluid->walls->near, near->x[fluid->i], near->y[fluid->i],
                      fluid->walls->smoothing, visit, fluid);
    }
}

static void count_touch(void *context, size_t at, double dx, double dy, double square)
{
    (void)at, (void)dx, (void)dy, (void)square;
    *(int *)context = 1;
}

int sph_walls_touch(const struct sph_walls *walls, double x, double y)
{
    int touches = 0;
    if (walls->count > 0)
        each_near(&walls->near, x, y, walls->smoothing, count_touch, &touches);
    return touches;
}

static void add_wall_rate(void *context, size_t at, double dx, double dy, double square)
{
    const struct fluid_at_walls *fluid = context;
    struct sph_list *list = fluid->list;
    const double closeness = sph_closeness(square, 0.5 / fluid->walls->smoothing);
    const double separation_rate = list->u[fluid->i] * dx + list->v[fluid->i] * dy;
    (void)at;
    list->x_sum[fluid->i] +=
        fluid->walls->volume * closeness * closeness * closeness * separation_rate;
}

void sph_walls_add_rates(const struct sph_walls *walls, struct sph_list *list)
{
    struct fluid_at_walls fluid = {.walls = walls, .list = list};
    visit_walls(&fluid, add_wall_rate);
}

/* Means over the fluid near a wall particle. */
struct fluid_means {
    const struct sph_walls *walls;
    const struct sph_list *list;
    double density, weight, pressure, u, v;
};

static void add_means(void *context, size_t at, double dx, double dy, double square)
{
    struct fluid_means *means = context;
    const struct vector *gravity = &means->walls->gravity;
    const struct sph_list *list = means->list;
    const double weight = sph_kernel(square, means->walls->smoothing);
    means->weight += weight;
    means->pressure +=
        weight * (list->value[at] + means->density * (gravity->x * dx + gravity->y * dy));
    means->u += weight * list->u[at];
    means->v += weight * list->v[at];
}

void sph_walls_extrapolate(struct sph_walls *walls, const struct sph_list *list, double density)
{
    for (size_t k = 0; k < walls->count; k++) {
        struct fluid_means means = {.walls = walls, .list = list, .density = density};
        each_near(&list->near, walls->positions[k].x, walls->positions[k].y, walls->smoothing,
                  add_means, &means);
        const double per_weight = means.weight > 0 ? 1 / means.weight : 0;
        walls->pressure[k] = fmax(walls->min_pressure, means.pressure * per_weight);
        walls->velocity[k] = (struct vector){-means.u * per_weight, -means.v * per_weight};
    }
}

static void add_wall_force(void *context, size_t at, double dx, double dy, double square)
{
    const struct fluid_at_walls *fluid = context;
    const struct sph_walls *walls = fluid->walls;
    struct sph_list *list = fluid->list;
    const size_t i = fluid->i;
    const uint32_t k = walls->near.number[at];
    const double closeness = sph_closeness(square, 0.5 / walls->smoothing);
    const double separation_rate =
        (list->u[i] - walls->velocity[k].x) * dx + (list->v[i] - walls->velocity[k].y) * dy;
    const double viscous = walls->wall_friction * fluid->coefficients->viscous;
    const double push =
        list->volume[i] * walls->volume * (closeness * closeness * closeness) *
        (list->value[i] + walls->pressure[k] -
         viscous * separation_rate / (square + fluid->coefficients->regularization));
    list->x_sum[i] += push * dx;
    list->y_sum[i] += push * dy;
}

void sph_walls_add_forces(const struct sph_walls *walls, struct sph_list *list,
                          const struct sph_coefficients *coefficients)
{
    struct fluid_at_walls fluid = {.walls = walls, .list = list, .coefficients = coefficients};
    visit_walls(&fluid, add_wall_force);
}
