/*
 * Smoothed particle hydrodynamics: a weakly compressible fluid. Each particle is a volume of fluid
 * with its mass. (J. J. Monaghan, J. Comput. Phys. 110, 399, 1994; interaction
 * framework report, "Smoothed Particle Hydrodynamics".) With the kernel W of sph.h, V = m /
 * density, and sums over the others near i:
 *
 *     d rho_i / dt = rho_i sum V_j (u_i - u_j) . grad W + diffusion,
 *     p = density c^2 / 7 ((rho / density)^7 - 1),
 *     force on i = - sum V_i V_j (p_i + p_j) grad W + viscous forces.
 *
 * The volumes V are those at pressure 0, which differ by about a percent from the present ones. So
 * a square lattice under a linear pressure is in balance to rounding errors; grad W is scaled to
 * make its sums exact there. The work of the forces equals the energy of the densities.
 *
 * The densities are integrated, not summed from the positions, so they are right at a free surface,
 * too. They change by the velocities and positions of the middle of a substep, and the forces at
 * its end use the new densities: for sound, too, that is of second order. Their diffusion,
 * DIFFUSION h c times the Laplacian, damps the noise of the pressure (D. Molteni and A. Colagrossi,
 * Comput. Phys. Commun. 180, 861, 2009); it is a small correction, of first order. The hydrostatic
 * gradient does not diffuse, so water at rest does not change (M. Antuono et al., Comput. Phys.
 * Commun. 181, 532, 2010; here the forces give that gradient).
 *
 * The viscous force is the Laplacian of the velocity in the form of J. P. Morris, P. J. Fox and Y.
 * Zhu (J. Comput. Phys. 136, 214, 1997). On a lattice its sums are as exact as the gradients, so
 * the flow between plates is right. At walls it meets the velocity of the fluid, turned round:
 * there is no slip.
 *
 * What is less than alpha h c / 8 is raised to it by an artificial viscosity in Monaghan's form (J.
 * J. Monaghan, Rep. Prog. Phys. 68, 1703, 2005, section 8), which keeps angular momentum. It damps
 * noise, is no friction, and so does not act at walls: along them fluid slips.
 *
 * At pressures less than 0 particles cluster. `shifting` moves them down the gradient of their
 * number density (S. J. Lind et al., J. Comput. Phys. 231, 1499, 2012).
 */
#include "sph.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "model/polygons.h"
#include "model/region.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The particles of a fluid in the order of a list of neighbours, and the sums over pairs of them.
 *
 * Each pair is computed once, from the particle that is first in the list, with forces of opposite
 * sign, so momentum is conserved. The sums of images belong to their particles. All values of a
 * pair are in contiguous arrays, and the terms of several pairs are computed at a time; they are
 * added in the order of the list.
 */
struct sph_list {
    struct neighbours near;
    double *u, *v;   /* velocities, length/time; u is owned, with all these */
    double *volume;  /* mass / density at pressure 0, area */
    double *value;   /* pressure, or density that diffuses: see the sums */
    double *x_slope; /* half of the hydrostatic gradient of that density */
    double *x_sum;   /* the sums */
    union {          /* never used together */
        double *y_slope;
        double *y_sum;
    };
    size_t room;           /* allocated elements */
    double per_reach;      /* 1 / (2 h), 1 / length */
    double lag;            /* of rates: how much older velocities are than positions, time */
    double damping;        /* artificial viscosity, pressure times time */
    double regularization; /* added to r^2, against division by 0, length^2 */
    double shear;          /* pressure times time / length^2 */
};

struct sph {
    struct term term;      /* the first member: see term.h */
    double density;        /* where the pressure is 0, mass/area */
    double sound;          /* c, length/time */
    double smoothing;      /* h, length */
    double viscosity;      /* kinematic, length^2/time */
    double alpha;          /* of the artificial viscosity */
    double shifting;       /* diffusivity of the particles, in units of h c */
    struct vector gravity; /* across walls, length/time^2 */
    double slope;          /* of the gradient of the kernel, 1 / length^4 */
    double *densities;     /* of each particle, mass/area; owned */
    struct sph_list list;
    struct sph_walls walls;
    size_t i;      /* while walls are visited: the particle in the list */
    int is_listed; /* the list has the present positions and velocities */
};

/* ---- The sums over pairs ----
 *
 * The partners of a particle are in two spans of the list: the remainder of its own cell with the
 * next cell, and three cells of the row above. Each span is computed in blocks. The loop over the
 * terms of a block has no branch, no sum, and no aliases: so compilers vectorise it, which doubles
 * its speed. (`make bench` shows whether they did.) Then four partial sums of the terms are added
 * in a fixed order.
 */

enum { BLOCK = 64 }; /* pairs */

/* Makes room for the list, whose contents are lost. */
static enum status reserve_list(struct sph_list *list, struct error *error)
{
    double **const arrays[] = {&list->u,       &list->v,     &list->volume, &list->value,
                               &list->x_slope, &list->x_sum, &list->y_sum};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    const size_t room = list->near.list_room;
    if (list->near.count <= list->room)
        return STATUS_DONE;
    list->room = 0;
    memory_free(list->u);
    list->u = memory_allocate(room, ARRAYS * sizeof *list->u, "the fluid", error);
    if (!list->u)
        return STATUS_NO_MEMORY;
    for (size_t k = 1; k < ARRAYS; k++)
        *arrays[k] = list->u + k * room;
    list->room = room;
    return STATUS_DONE;
}

/* Lists the fluid at its present positions and velocities, unless it is. */
static enum status list_fluid(struct sph *self, const struct system *system, struct error *error)
{
    struct sph_list *list = &self->list;
    if (self->is_listed)
        return STATUS_DONE;
    enum status status = neighbours_find(&list->near, system, 2 * self->smoothing, error);
    if (!status)
        status = reserve_list(list, error);
    for (size_t at = 0; at < list->near.count && !status; at++) {
        const struct particle *p = &system->particles[list->near.number[at]];
        list->u[at] = p->u;
        list->v[at] = p->v;
        list->volume[at] = system_mass(system, p) / self->density;
    }
    self->is_listed = !status;
    return status;
}

/* The sum of the terms of a block, in a fixed order. */
static double add_up(const double *terms, size_t count)
{
    double sums[4] = {0, 0, 0, 0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sums[lane] += terms[k + lane];
    for (size_t lane = 0; k < count; k++, lane++)
        sums[lane] += terms[k];
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/* Adds the rates of i and the `count` partners from `begin` on, which follow i in the list. */
static void add_rates(struct sph_list *list, size_t i, size_t begin, size_t count)
{
    const double *x = list->near.x + begin, *y = list->near.y + begin;
    const double *u = list->u + begin, *v = list->v + begin;
    const double *volume = list->volume + begin, *value = list->value + begin;
    const double x_i = list->near.x[i], y_i = list->near.y[i], u_i = list->u[i], v_i = list->v[i];
    const double volume_i = list->volume[i], value_i = list->value[i], per_reach = list->per_reach;
    const double *x_slope = list->x_slope + begin, *y_slope = list->y_slope + begin;
    const double x_slope_i = list->x_slope[i], y_slope_i = list->y_slope[i];
    double terms[BLOCK], others[BLOCK];
    const double lag = list->lag;
    for (size_t k = 0; k < count; k++) {
        const double du = u_i - u[k], dv = v_i - v[k];
        const double dx = x_i - x[k] - du * lag, dy = y_i - y[k] - dv * lag;
        const double closeness = sph_closeness(dx * dx + dy * dy, per_reach);
        const double weight = closeness * closeness * closeness;
        const double separation_rate = du * dx + dv * dy;
        const double excess =
            value_i - value[k] - (x_slope_i + x_slope[k]) * dx - (y_slope_i + y_slope[k]) * dy;
        terms[k] = volume[k] * weight * (separation_rate + excess);
        others[k] = volume_i * weight * (separation_rate - excess);
    }
    for (size_t k = 0; k < count; k++)
        list->x_sum[begin + k] += others[k];
    list->x_sum[i] += add_up(terms, count);
}

/* Adds the forces of i and the `count` partners from `begin` on. */
static void add_forces(struct sph_list *list, size_t i, size_t begin, size_t count)
{
    const double *x = list->near.x + begin, *y = list->near.y + begin;
    const double *u = list->u + begin, *v = list->v + begin;
    const double *volume = list->volume + begin, *value = list->value + begin;
    const double x_i = list->near.x[i], y_i = list->near.y[i], u_i = list->u[i], v_i = list->v[i];
    const double volume_i = list->volume[i], value_i = list->value[i], per_reach = list->per_reach;
    const double damping = list->damping, regularization = list->regularization;
    const double shear = list->shear;
    double x_terms[BLOCK], y_terms[BLOCK];
    for (size_t k = 0; k < count; k++) {
        const double dx = x_i - x[k], dy = y_i - y[k];
        const double du = u_i - u[k], dv = v_i - v[k];
        const double square = dx * dx + dy * dy;
        const double closeness = sph_closeness(square, per_reach);
        const double weight = volume_i * volume[k] * (closeness * closeness * closeness);
        const double push =
            value_i + value[k] - damping * (du * dx + dv * dy) / (square + regularization);
        x_terms[k] = weight * (push * dx - shear * du);
        y_terms[k] = weight * (push * dy - shear * dv);
    }
    for (size_t k = 0; k < count; k++) {
        list->x_sum[begin + k] -= x_terms[k];
        list->y_sum[begin + k] -= y_terms[k];
    }
    list->x_sum[i] += add_up(x_terms, count);
    list->y_sum[i] += add_up(y_terms, count);
}

typedef void add_pairs(struct sph_list *list, size_t i, size_t begin, size_t count);

/* Adds the pairs of i with a span of the list. */
COMPILER_INLINE void add_span(struct sph_list *list, size_t i, size_t begin, size_t end,
                              add_pairs *add)
{
    for (; end > begin + BLOCK; begin += BLOCK)
        add(list, i, begin, BLOCK);
    add(list, i, begin, end - begin);
}

/* Adds all pairs. */
COMPILER_INLINE void add_all(struct sph_list *list, add_pairs *add)
{
    const struct neighbours *near = &list->near;
    for (uint32_t row = 1; row + 1 < near->rows; row++) {
        for (uint32_t column = 1; column + 1 < near->columns; column++) {
            const uint32_t *cell = near->first + (size_t)row * near->columns + column;
            const uint32_t *above = cell + near->columns;
            for (size_t i = cell[0]; i < cell[1]; i++) {
                add_span(list, i, i + 1, cell[2], add);
                add_span(list, i, above[-1], above[2], add);
            }
        }
    }
}

/*
 * Sets x_sum, for each listed i, to the sum over the others j near it of
 *
 *     V_j c^3 ((u_i - u_j) . (r_i - r_j) + value_i - value_j - (slope_i + slope_j) . (r_i - r_j)),
 *
 * with the closeness c above, and with the positions of `lag` ago. The rate of a particle is the
 * total over it and its images.
 */
static void sph_sum_rates(struct sph_list *list)
{
    memset(list->x_sum, 0, list->near.count * sizeof *list->x_sum);
    add_all(list, add_rates);
}

/*
 * Sets x_sum and y_sum, for each listed i, to the sum over the others j near it of
 *
 *     V_i V_j c^3 (value_i + value_j - viscous w) (r_i - r_j),
 *
 * with w = (u_i - u_j) . (r_i - r_j) / (r^2 + regularization).
 */
static void sph_sum_forces(struct sph_list *list)
{
    memset(list->x_sum, 0, list->near.count * sizeof *list->x_sum);
    memset(list->y_sum, 0, list->near.count * sizeof *list->y_sum);
    add_all(list, add_forces);
}

/* ---- The walls ---- */

/* In units of the spacing. Wall particles nearer to each other, where sides meet, are merged. */
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
    struct particle *particles =
        memory_grow(maker->solid.particles, maker->solid.count, &maker->room, sizeof *particles,
                    "the walls of the fluid", error);
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
    const double pieces = fmax(1, floor(length / maker->spacing + 0.5));
    const struct vector along = {line->lx / length, line->ly / length};
    enum status status = STATUS_DONE;
    if ((pieces + 2 * maker->layers) * maker->layers > MAX_WALL_PARTICLES)
        return error_set(error, STATUS_USAGE,
                         "sph: particles %g apart are far too small for a wall of length %g",
                         maker->spacing, length);
    const int64_t last = (int64_t)pieces + maker->layers;
    for (int64_t k = -maker->layers; k < last && !status; k++) {
        if ((k < 0 || k >= (int64_t)pieces) != is_beyond)
            continue;
        for (int layer = 0; layer < maker->layers && !status; layer++) {
            const double forward = ((double)k + 0.5) * (length / pieces);
            const double depth = (layer + 0.5) * maker->spacing;
            status = add_wall_particle(maker, line->x + forward * along.x + depth * along.y,
                                       line->y + forward * along.y - depth * along.x, error);
        }
    }
    return status;
}

/* Adds the walls of the box, and the sides of polygons that bound the fluid. */
static enum status add_walls(struct wall_maker *maker, int is_beyond, struct error *error)
{
    const struct boundary *boundary = &maker->solid.boundary;
    const struct polygons *polygons = boundary->polygons;
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
    for (size_t k = 0; polygons && k < polygons->side_count && !status; k++) {
        const struct side *side = &polygons->sides[k];
        struct wall_line line = {side->x, side->y, side->lx, side->ly};
        if (side->facing < 0)
            line = (struct wall_line){side->x + side->lx, side->y + side->ly, -side->lx, -side->ly};
        if (!polygons->list[side->polygon].is_hidden && side->cover == COVER_NONE)
            status = add_wall_line(maker, &line, is_beyond, error);
    }
    return status;
}

static void merge_pair(void *context, size_t i, size_t j, double dx, double dy, double square)
{
    struct particle *particles = context;
    (void)dx, (void)dy, (void)square;
    if (particles[i].id)
        particles[j].id = 0;
}

/* Removes each particle that is too near to an earlier one that is kept. */
static enum status merge_particles(struct wall_maker *maker, struct error *error)
{
    struct system *solid = &maker->solid;
    struct neighbours near = {0};
    const double range = MERGE_DISTANCE * maker->spacing;
    enum status status = neighbours_find(&near, solid, range, error);
    size_t kept = 0;
    for (size_t i = 0; i < solid->count; i++)
        solid->particles[i].id = 1;
    if (!status) {
        neighbours_each(&near, solid, range, merge_pair, solid->particles);
        for (size_t i = 0; i < solid->count; i++)
            if (solid->particles[i].id)
                solid->particles[kept++] = solid->particles[i];
        solid->count = kept;
    }
    neighbours_free(&near);
    return status;
}

static enum status make_wall_particles(struct wall_maker *maker, struct error *error)
{
    enum status status = region_create(&maker->solid.boundary, &maker->region, error);
    for (int is_beyond = 0; is_beyond <= 1 && !status; is_beyond++)
        status = add_walls(maker, is_beyond, error);
    return status || maker->solid.count == 0 ? status : merge_particles(maker, error);
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
    if (!status)
        walls->particles = memory_allocate(walls->count, sizeof *walls->particles,
                                           "the walls of the fluid", error);
    if (!status && !walls->particles)
        status = STATUS_NO_MEMORY;
    for (size_t k = 0; k < walls->count && !status; k++)
        walls->particles[k] = (struct wall_particle){.x = maker.solid.particles[k].x,
                                                     .y = maker.solid.particles[k].y};
    region_free(maker.region);
    memory_free(maker.solid.particles);
    return status;
}

void sph_walls_free(struct sph_walls *walls)
{
    neighbours_free(&walls->near);
    memory_free(walls->particles);
    *walls = (struct sph_walls){0};
}

/* Calls visit(context, at, dx, dy, square) for each member `at` of a list that is within the
 * kernel's reach of a position: (dx, dy) is from it to the position. */
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

/* Visits the wall particles near each particle i of the fluid, images excluded. */
COMPILER_INLINE void visit_walls(struct sph *self, visit_near *visit)
{
    const struct neighbours *near = &self->list.near;
    for (uint32_t row = 1; row + 1 < near->rows && self->walls.count > 0; row++) {
        const uint32_t *cells = near->first + (size_t)row * near->columns;
        for (self->i = cells[1]; self->i < cells[near->columns - 1]; self->i++)
            each_near(&self->walls.near, near->x[self->i], near->y[self->i], self->smoothing, visit,
                      self);
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

/* Adds the term of a wall particle to sph_sum_rates. */
static void add_wall_rate(void *context, size_t at, double dx, double dy, double square)
{
    struct sph *self = context;
    struct sph_list *list = &self->list;
    const double u = list->u[self->i], v = list->v[self->i];
    (void)at, (void)square;
    dx -= u * list->lag;
    dy -= v * list->lag;
    const double closeness = sph_closeness(dx * dx + dy * dy, list->per_reach);
    list->x_sum[self->i] +=
        self->walls.volume * closeness * closeness * closeness * (u * dx + v * dy);
}

/* Means over the fluid near a wall particle. */
struct fluid_means {
    const struct sph *fluid;
    double weight, pressure, u, v;
};

static void add_means(void *context, size_t at, double dx, double dy, double square)
{
    struct fluid_means *means = context;
    const struct sph *fluid = means->fluid;
    const double weight = sph_kernel(square, fluid->smoothing);
    means->weight += weight;
    means->pressure += weight * (fluid->list.value[at] +
                                 fluid->density * (fluid->gravity.x * dx + fluid->gravity.y * dy));
    means->u += weight * fluid->list.u[at];
    means->v += weight * fluid->list.v[at];
}

/* Extrapolates pressures and velocities of the fluid to the wall particles. Walls pull only where
 * particles are shifted. */
static void extrapolate_to_walls(struct sph *self)
{
    for (size_t k = 0; k < self->walls.count; k++) {
        struct wall_particle *wall = &self->walls.particles[k];
        struct fluid_means means = {.fluid = self};
        each_near(&self->list.near, wall->x, wall->y, self->smoothing, add_means, &means);
        const double per_weight = means.weight > 0 ? 1 / means.weight : 0;
        wall->pressure = means.pressure * per_weight;
        if (self->shifting == 0)
            wall->pressure = fmax(0, wall->pressure);
        wall->u = -means.u * per_weight;
        wall->v = -means.v * per_weight;
    }
}

/* Adds the term of a wall particle to sph_sum_forces. */
static void add_wall_force(void *context, size_t at, double dx, double dy, double square)
{
    struct sph *self = context;
    struct sph_list *list = &self->list;
    const size_t i = self->i;
    const struct wall_particle *wall = &self->walls.particles[self->walls.near.number[at]];
    const double closeness = sph_closeness(square, list->per_reach);
    const double weight =
        list->volume[i] * self->walls.volume * (closeness * closeness * closeness);
    const double push = list->value[i] + wall->pressure;
    list->x_sum[i] += weight * (push * dx - list->shear * (list->u[i] - wall->u));
    list->y_sum[i] += weight * (push * dy - list->shear * (list->v[i] - wall->v));
}

/* ---- The fluid ---- */

static const double DIFFUSION = 0.1; /* the usual value */

/* The fraction of a smoothing length that sound may travel in a substep. Still water is stable with
 * 0.8, too; the margin is for fluid under impacts. */
static const double COURANT = 0.4;

/* The smoothing length and its range, in units of the spacing of the particles. With 1.3 waves are
 * 5 % too fast. */
static const double DEFAULT_SMOOTHING = 2;
static const double MIN_SMOOTHING = 0.9;
static const double MAX_SMOOTHING = 4;

static void sph_free(struct term *term)
{
    struct sph *self = (struct sph *)term;
    memory_free(self->densities);
    memory_free(self->list.u);
    neighbours_free(&self->list.near);
    sph_walls_free(&self->walls);
}

static double stiffness(const struct sph *self)
{
    return self->density * self->sound * self->sound / 7;
}

static double seventh_power(double x)
{
    return x * x * x * x * x * x * x;
}

static double pressure_of(const struct sph *self, double density)
{
    return stiffness(self) * (seventh_power(density / self->density) - 1);
}

/* The density at a pressure from 0. */
static double density_at(const struct sph *self, double pressure)
{
    return self->density / elementary_exp(-elementary_log(1 + pressure / stiffness(self)) / 7);
}

/* The spacing of particles of this mass, length. */
static double spacing_of(const struct sph *self, double mass)
{
    return sqrt(mass / self->density);
}

double sph_area(const struct sph *fluid, const struct system *system)
{
    double mass = 0;
    for (size_t k = 0; k < system->count; k++)
        mass += system_mass(system, &system->particles[k]);
    return mass / fluid->density;
}

static double mean_spacing(const struct sph *self, const struct system *system)
{
    return sqrt(sph_area(self, system) / (double)system->count);
}

static enum status check_spacing(const struct sph *self, const struct system *system,
                                 struct error *error)
{
    for (size_t k = 0; k < system->count; k++) {
        const double mass = system_mass(system, &system->particles[k]);
        const double spacing = spacing_of(self, mass);
        if (self->smoothing < MIN_SMOOTHING * spacing || self->smoothing > MAX_SMOOTHING * spacing)
            return error_set(error, STATUS_USAGE,
                             "sph: particle %zu of mass %g in a fluid of density %g takes a square "
                             "of side %g, and smoothing=%g should be about 2 times that: choose "
                             "another smoothing, or masses of density times spacing squared",
                             k, mass, self->density, spacing, self->smoothing);
    }
    return STATUS_DONE;
}

/* Refuses substeps in which sound or viscosity would reach too far. */
static enum status check_substep(const struct sph *self, const struct steps *steps)
{
    const double dt = steps->step / steps->substeps;
    const double most = fmin(COURANT * self->smoothing / (self->sound * fmax(1, self->alpha)),
                             self->smoothing * self->smoothing / (8 * self->viscosity));
    if (dt <= most)
        return STATUS_DONE;
    return error_set(steps->error, STATUS_USAGE,
                     "sph: a substep of %g is too long: with this sound-speed, smoothing and "
                     "viscosity, it may be %g; reduce --step, or raise --substeps",
                     dt, most);
}

static enum status sph_create(struct term *term, const struct arguments *arguments,
                              struct steps *steps)
{
    const double *numbers = arguments->numbers;
    const struct system *system = steps->system;
    struct sph *self = (struct sph *)term;
    self->density = numbers[0];
    self->sound = numbers[1];
    self->smoothing = numbers[2];
    self->viscosity = numbers[3];
    self->alpha = numbers[4];
    self->shifting = numbers[5];
    if (self->smoothing == 0)
        self->smoothing = DEFAULT_SMOOTHING * mean_spacing(self, system);
    self->list.per_reach = 0.5 / self->smoothing;
    self->list.damping =
        self->density * fmax(0, self->alpha * self->smoothing * self->sound - 8 * self->viscosity);
    self->list.shear = 2 * self->density * self->viscosity;
    self->list.regularization = 0.01 * self->smoothing * self->smoothing;
    steps_limit_move(steps, self->smoothing / 2);
    self->densities =
        memory_allocate(system->count, sizeof *self->densities, "the densities", steps->error);
    enum status status = self->densities ? STATUS_DONE : STATUS_NO_MEMORY;
    if (!status)
        status = neighbours_check(&system->boundary, "sph", 2 * self->smoothing, steps->error);
    if (!status)
        status = check_spacing(self, system, steps->error);
    return status ? status : check_substep(self, steps);
}

/* A particle in its column, which is as wide as two spacings and along gravity. */
struct column_member {
    double column;
    double depth; /* along gravity, length */
    size_t k;
};

static int compare_members(const void *left, const void *right)
{
    const struct column_member *a = left, *b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->k < b->k ? -1 : 1;
}

/* The end of a column that begins at member `begin`: at a gap. */
static size_t find_bottom(const struct column_member *members, size_t begin, size_t count,
                          double gap)
{
    size_t end = begin + 1;
    while (end < count && members[end].column == members[begin].column &&
           members[end].depth - members[end - 1].depth < gap)
        end++;
    return end;
}

/*
 * Sets the densities of a fluid at rest: each particle carries the column above it, whose surface
 * is half a spacing above its highest particle. In a column that does not stand on a wall there is
 * no pressure, because a drop falls.
 */
static enum status set_rest_densities(struct sph *self, const struct system *system, double spacing,
                                      struct error *error)
{
    const double g = vector_length(&self->gravity);
    const struct vector down = {g > 0 ? self->gravity.x / g : 0, g > 0 ? self->gravity.y / g : 0};
    struct column_member *members =
        memory_allocate(system->count, sizeof *members, "the fluid's columns", error);
    if (!members)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        members[k] = (struct column_member){floor((p->y * down.x - p->x * down.y) / (2 * spacing)),
                                            p->x * down.x + p->y * down.y, k};
    }
    qsort(members, system->count, sizeof *members, compare_members);
    for (size_t top = 0, end; top < system->count; top = end) {
        end = find_bottom(members, top, system->count, 2 * spacing);
        const struct particle *lowest = &system->particles[members[end - 1].k];
        const double weight =
            sph_walls_touch(&self->walls, lowest->x, lowest->y) ? self->density * g : 0;
        for (size_t k = top; k < end; k++)
            self->densities[members[k].k] =
                density_at(self, weight * (members[k].depth - members[top].depth + 0.5 * spacing));
    }
    memory_free(members);
    return STATUS_DONE;
}

double sph_lattice_moment(double smoothing, double spacing)
{
    const int reach = (int)ceil(2 * smoothing / spacing);
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            const double square = (double)(i * i + j * j) * spacing * spacing;
            const double closeness = sph_closeness(square, 0.5 / smoothing);
            sum += closeness * closeness * closeness * square / 2; /* x and y are equal */
        }
    }
    return sum * sph_slope(smoothing) * spacing * spacing;
}

static enum status sph_prepare(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    const struct system *system = steps->system;
    const struct boundary *boundary = &system->boundary;
    const double spacing = mean_spacing(self, system);
    self->gravity = (struct vector){boundary->periodic & PERIODIC_X ? 0 : steps->gravity.x,
                                    boundary->periodic & PERIODIC_Y ? 0 : steps->gravity.y};
    enum status status =
        sph_walls_create(&self->walls, boundary, spacing, self->smoothing, steps->error);
    self->slope = sph_slope(self->smoothing) / sph_lattice_moment(self->smoothing, spacing);
    return status || steps->is_resumed ? status
                                       : set_rest_densities(self, system, spacing, steps->error);
}

static enum status sph_add_forces(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    struct sph_list *list = &self->list;
    const double slope = self->slope;
    enum status status = list_fluid(self, steps->system, steps->error);
    if (status)
        return status;
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = pressure_of(self, self->densities[list->near.number[at]]);
    extrapolate_to_walls(self);
    sph_sum_forces(list);
    visit_walls(self, add_wall_force);
    for (size_t at = 0; at < list->near.count; at++) {
        struct vector *force = &steps->force[list->near.number[at]];
        force->x += slope * list->x_sum[at];
        force->y += slope * list->y_sum[at];
    }
    return STATUS_DONE;
}

/* Shifts the particles. With a pressure of 1/2 the sums of forces are those of grad W. */
static enum status sph_advance(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    struct sph_list *list = &self->list;
    const double spread = self->shifting * self->smoothing * self->sound * steps->dt * self->slope;
    const double damping = list->damping, shear = list->shear;
    enum status status = spread == 0 ? STATUS_DONE : list_fluid(self, steps->system, steps->error);
    if (status || spread == 0)
        return status;
    list->damping = list->shear = 0;
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = 0.5;
    for (size_t k = 0; k < self->walls.count; k++)
        self->walls.particles[k].pressure = 0.5;
    sph_sum_forces(list);
    visit_walls(self, add_wall_force);
    list->damping = damping;
    list->shear = shear;
    for (size_t at = 0; at < list->near.count; at++) {
        struct particle *p = &steps->system->particles[list->near.number[at]];
        p->x += spread * list->x_sum[at] / list->volume[at];
        p->y += spread * list->y_sum[at] / list->volume[at];
    }
    return STATUS_DONE;
}

/* With shifting, which is for a fluid without a surface, the mean density is conserved. */
static double mean_density(const struct sph *self, const struct system *system)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum += self->densities[k];
    return sum / (double)system->count;
}

/* Sets the densities that diffuse, and their hydrostatic gradients, which do not. The gradient of
 * the pressure follows from the acceleration of a particle without gravity. */
static void set_diffusing(struct sph *self, const struct steps *steps)
{
    struct sph_list *list = &self->list;
    const double scale = 2 * DIFFUSION * self->smoothing * self->sound / self->density;
    const double half = 0.5 * scale * self->density / (self->sound * self->sound);
    for (size_t at = 0; at < list->near.count; at++) {
        const uint32_t k = list->near.number[at];
        const double per_mass = 1 / system_mass(steps->system, &steps->system->particles[k]);
        list->value[at] = scale * self->densities[k];
        list->x_slope[at] = half * (steps->gravity.x - steps->force[k].x * per_mass);
        list->y_slope[at] = half * (steps->gravity.y - steps->force[k].y * per_mass);
    }
}

/* The forces then use velocities that the last ones have advanced to the end of the substep. */
static enum status sph_change_densities(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    struct sph_list *list = &self->list;
    const double rate = self->slope * steps->dt;
    self->is_listed = 0;
    enum status status = list_fluid(self, steps->system, steps->error);
    if (status)
        return status;
    list->lag = steps->dt / 2;
    const double before = mean_density(self, steps->system);
    set_diffusing(self, steps);
    sph_sum_rates(list);
    visit_walls(self, add_wall_rate);
    for (size_t at = 0; at < list->near.count; at++) { /* with images */
        const size_t k = list->near.number[at];
        const struct vector acceleration = steps_acceleration(steps, k);
        const double half = 0.5 * rate * list->x_sum[at];
        self->densities[k] *= (1 - half) / (1 + half);
        list->u[at] += acceleration.x * steps->dt / 2;
        list->v[at] += acceleration.y * steps->dt / 2;
    }
    const double kept = self->shifting > 0 ? before / mean_density(self, steps->system) : 1;
    for (size_t k = 0; k < steps->system->count; k++)
        self->densities[k] *= kept;
    for (size_t k = 0; k < steps->system->count; k++)
        if (!(self->densities[k] > 0 && isfinite(self->densities[k])))
            return error_set(steps->error, STATUS_BAD_DATA,
                             "the density at particle %zu became %g in substep %" PRIu64
                             ": reduce --step, raise --substeps, or take a larger sound-speed",
                             k, self->densities[k], steps->done + 1);
    return STATUS_DONE;
}

/* The energy of compression: the integral of p / rho over the density, times the volumes. The
 * virial is 2 p V. */
static enum status sph_add_energy(struct term *term, struct steps *steps)
{
    const struct sph *self = (const struct sph *)term;
    double sum = 0;
    for (size_t k = 0; k < steps->system->count; k++) {
        const double ratio = self->densities[k] / self->density;
        const double volume =
            system_mass(steps->system, &steps->system->particles[k]) / self->density;
        sum += volume * stiffness(self) * ((seventh_power(ratio) - 1) / 7 - elementary_log(ratio));
        steps->virial += 2 * volume * pressure_of(self, self->densities[k]);
    }
    steps->potential += sum;
    return STATUS_DONE;
}

static void sph_state(struct term *term, const struct steps *steps, struct record *record)
{
    struct sph *self = (struct sph *)term;
    for (size_t k = 0; k < steps->system->count && !record->status; k++)
        record_number(record, &self->densities[k], DBL_MIN, DBL_MAX);
    record_end_line(record);
}

const struct term_kind sph_kind = {
    .name = "sph",
    .size = sizeof(struct sph),
    .is_single = 1,
    .parameters = {{"density", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"sound-speed", NAN, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"smoothing", 0, SYSTEM_SMALLEST, SYSTEM_LARGEST},
                   {"kinematic-viscosity", 0, 0, SYSTEM_LARGEST},
                   {"alpha", 0.02, 0, 1000},
                   {"shifting", 0, 0, 1}},
    .create = sph_create,
    .act = {[PHASE_PREPARE] = sph_prepare,
            [PHASE_FORCES] = sph_add_forces,
            [PHASE_ADVANCE] = sph_advance,
            [PHASE_RATES] = sph_change_densities,
            [PHASE_ENERGY] = sph_add_energy},
    .state = sph_state,
    .free = sph_free,
};

const struct sph *sph_of(const struct steps *steps)
{
    return (const struct sph *)steps_find(steps, &sph_kind);
}

double sph_density(const struct sph *fluid, size_t k)
{
    return fluid->densities[k];
}

double sph_pressure(const struct sph *fluid, size_t k)
{
    return pressure_of(fluid, fluid->densities[k]);
}

static double density_value(const struct dynamics *dynamics, size_t number)
{
    return sph_density(sph_of((const struct steps *)dynamics), number);
}

static double pressure_value(const struct dynamics *dynamics, size_t number)
{
    return sph_pressure(sph_of((const struct steps *)dynamics), number);
}

const struct dynamics_column *sph_columns(const struct dynamics *dynamics)
{
    static const struct dynamics_column columns[DYNAMICS_MAX_COLUMNS + 1] = {
        {"density", density_value}, {"pressure", pressure_value}};
    return sph_of((const struct steps *)dynamics) ? columns : &columns[DYNAMICS_MAX_COLUMNS];
}
