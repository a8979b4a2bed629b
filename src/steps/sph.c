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
 * Comput. Phys. Commun. 180, 861, 2009). The hydrostatic gradient does not diffuse (M. Antuono et
 * al., Comput. Phys. Commun. 181, 532, 2010); here the forces give it, at a surface not exactly. So
 * that still water does not rise, 100 times the largest speed replaces c if that is less.
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
#include "base/simd.h"
#include "model/polygons.h"
#include "model/region.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The particles of a fluid in the order of a list of neighbours, their pairs, and the sums over
 * these.
 *
 * Each pair is computed once, from the particle that is first in the list, with forces of opposite
 * sign, so momentum is conserved. The sums of images belong to their particles. Pairs are listed in
 * each substep, because the order of the sums must follow from the present positions.
 *
 * Each thread has some rows of cells. A particle has two sums: one over partners in its own row and
 * the row above, and one over partners in the row below, which another thread may have. So no two
 * threads add to the same sum, and the order does not depend on their number.
 */

struct sph_list {
    struct neighbours near;
    double *u, *v;   /* velocities, length/time; u is owned, with all these */
    double *volume;  /* mass / density at pressure 0, area */
    double *value;   /* pressure, or density that diffuses: see the sums */
    double *x_slope; /* half of the hydrostatic gradient of that density */
    double *y_slope;
    struct vector *sums; /* two of each particle; owned */
    uint32_t *counts;    /* how many partners each particle has, even; owned with the sums */
    uint32_t *partners;  /* twice the index in the list, plus 1 in the row above. A particle itself,
                            which adds 0, makes their number even; owned */
    size_t *begins;      /* of each cell, where its first particle's partners are; owned */
    size_t room, partner_room, cell_room; /* allocated elements */
    double per_reach;                     /* 1 / (2 h), 1 / length */
    double lag;            /* of rates: how much older velocities are than positions, time */
    double damping;        /* artificial viscosity, pressure times time */
    double regularization; /* added to r^2, against division by 0, length^2 */
    double shear;          /* pressure times time / length^2 */
};

/* Adds what a particle and its partners add to each other to their sums. */
typedef void add_partners_of(const struct sph_list *list, size_t i, const uint32_t *partners,
                             size_t count);

/* Takes a member of a list within the kernel's reach; (dx, dy) is from it to the position. */
typedef void visit_near(void *context, size_t at, double dx, double dy, double square);

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
    double *densities;     /* of each particle, mass/area */
    struct sph_list list;
    struct sph_walls walls;
    add_partners_of *add;  /* what is summed; */
    visit_near *add_wall;  /* adds what a wall particle adds, to a struct sph_wall_sum */
    thread_pool_part *use; /* uses the sums of a span of the list */
    double kept;           /* by which all densities are multiplied */
    atomic_int has_failed; /* a density is not a positive number */
    int is_listed;         /* the list has the present positions and velocities */
};

/* ---- The list ---- */

/* Makes room for the list, whose contents are lost. */
static enum status reserve_list(struct sph_list *list, struct error *error)
{
    double **const arrays[] = {&list->u,     &list->v,       &list->volume,
                               &list->value, &list->x_slope, &list->y_slope};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    list->u =
        memory_reserve(list->u, &list->room, list->near.count,
                       ARRAYS * sizeof *list->u + 2 * sizeof *list->sums + sizeof *list->counts,
                       "the fluid", error);
    if (!list->u)
        return STATUS_NO_MEMORY;
    for (size_t k = 1; k < ARRAYS; k++)
        *arrays[k] = list->u + k * list->room;
    list->sums = (struct vector *)(list->u + ARRAYS * list->room);
    list->counts = (uint32_t *)(list->sums + 2 * list->room);
    return STATUS_DONE;
}

static enum status reserve_partners(struct sph_list *list, struct error *error)
{
    const size_t columns = list->near.grid.columns, cells = columns * (list->near.grid.rows - 1);
    size_t sum = 0;
    list->begins = memory_reserve(list->begins, &list->cell_room, cells, sizeof *list->begins,
                                  "the fluid", error);
    for (size_t cell = columns + 1; cell + 1 < cells && list->begins; cell++) {
        const uint32_t *first = list->near.grid.first + cell;
        const size_t members = first[1] - first[0];
        list->begins[cell] = sum;
        sum += members * (first[2] - first[0] + 2 + first[columns + 2] - first[columns - 1]);
    }
    list->partners = memory_reserve(list->partners, &list->partner_room, sum,
                                    sizeof *list->partners, "the fluid", error);
    return list->begins && list->partners ? STATUS_DONE : STATUS_NO_MEMORY;
}

static void copy_part(void *user, size_t begin, size_t end)
{
    const struct sph *self = user;
    const struct sph_list *list = &self->list;
    const struct system *system = self->term.steps->system;
    for (size_t at = begin; at < end; at++) {
        const struct particle *p = &system->particles[list->near.number[at]];
        list->u[at] = p->u;
        list->v[at] = p->v;
        list->volume[at] = system_mass(system, p) / self->density;
    }
}

/* Adds the partners of i in a span of the list, behind which there is one more element; without a
 * branch, which would often be mispredicted. Returns their end. */
COMPILER_INLINE uint32_t *list_partners(const struct sph_list *list, size_t i, uint32_t begin,
                                        uint32_t end, uint32_t is_above, uint32_t *next)
{
    const double x = list->near.x[i], y = list->near.y[i];
    const double reach = 1 / (list->per_reach * list->per_reach);
    for (uint32_t at = begin; at < end; at += 2) {
        const simd dx = simd_load(list->near.x + at) - x, dy = simd_load(list->near.y + at) - y;
        const unsigned bits = simd_bits(dx * dx + dy * dy < simd_all(reach));
        next[0] = 2 * at + is_above;
        next += bits & 1;
        next[0] = 2 * (at + 1) + is_above;
        next += bits >> 1 & (at + 1 < end);
    }
    return next;
}

/* The rows of cells of a thread: those that begin in its share of the list. */
static struct neighbours_span thread_rows(const struct sph *self, unsigned number)
{
    const struct neighbours *near = &self->list.near;
    const struct thread_pool *pool = self->term.steps->pool;
    uint32_t ends[2], row = 1;
    for (unsigned k = 0; k < 2; k++) {
        const size_t share = thread_pool_share(pool, near->count, number + k);
        while (row + 1 < near->grid.rows &&
               near->grid.first[(size_t)row * near->grid.columns] < share)
            row++;
        ends[k] = row;
    }
    return (struct neighbours_span){ends[0], ends[1]};
}

static void list_rows(void *user, unsigned number)
{
    const struct sph *self = user;
    const struct sph_list *list = &self->list;
    const size_t columns = list->near.grid.columns;
    const struct neighbours_span rows = thread_rows(self, number);
    for (size_t cell = rows.begin * columns; cell < rows.end * columns; cell++) {
        const uint32_t *first = list->near.grid.first + cell, *above = first + columns;
        const size_t column = cell % columns;
        if (column == 0 || column == columns - 1)
            continue;
        uint32_t *end = list->partners + list->begins[cell];
        for (uint32_t i = first[0]; i < first[1]; i++) {
            const uint32_t *begin = end;
            end = list_partners(list, i, i + 1, first[2], 0, end);
            end = list_partners(list, i, above[-1], above[2], 1, end);
            if ((end - begin) % 2 == 1)
                *end++ = 2 * i;
            list->counts[i] = (uint32_t)(end - begin);
        }
    }
}

/* Lists the fluid at its present positions and velocities, unless it is. */
static enum status list_fluid(struct sph *self, struct steps *steps)
{
    struct sph_list *list = &self->list;
    if (self->is_listed)
        return STATUS_DONE;
    if (neighbours_find(&list->near, steps->system, 2 * self->smoothing, steps->pool,
                        steps->error) ||
        reserve_list(list, steps->error) || reserve_partners(list, steps->error))
        return STATUS_NO_MEMORY;
    thread_pool_divide(steps->pool, list->near.count, copy_part, self);
    thread_pool_run(steps->pool, list_rows, self);
    self->is_listed = 1;
    return STATUS_DONE;
}

/* ---- The sums over pairs ---- */

struct sph_wall_sum {
    const struct sph *fluid;
    size_t i; /* the particle in the list */
    struct vector sum;
};

COMPILER_INLINE simd load_partners(const double *values, const uint32_t *partners)
{
    const double *const sources[] = {values + partners[0] / 2, values + partners[1] / 2};
    return simd_load_one(sources);
}

COMPILER_INLINE simd load_closeness(simd square, double per_reach)
{
    const simd left = 1 - simd_root(square) * per_reach;
    const simd closeness = simd_larger(left + left, simd_all(0));
    return closeness * closeness * closeness;
}

/*
 * Adds to the sum along x of each i, over the others j near it,
 *
 *     V_j c^3 ((u_i - u_j) . (r_i - r_j) + value_i - value_j - (slope_i + slope_j) . (r_i - r_j)),
 *
 * with the closeness c, and with the positions of `lag` ago. The rate of a particle is the total
 * over it and its images.
 */
static void add_rates(const struct sph_list *list, size_t i, const uint32_t *partners, size_t count)
{
    const double x = list->near.x[i], y = list->near.y[i], u = list->u[i], v = list->v[i];
    const double volume = list->volume[i], value = list->value[i];
    const double x_slope = list->x_slope[i], y_slope = list->y_slope[i];
    simd sum = simd_all(0);
    for (size_t k = 0; k < count; k += 2) {
        const uint32_t *pair = partners + k;
        const simd du = u - load_partners(list->u, pair);
        const simd dv = v - load_partners(list->v, pair);
        const simd dx = x - load_partners(list->near.x, pair) - du * list->lag;
        const simd dy = y - load_partners(list->near.y, pair) - dv * list->lag;
        const simd weight = load_closeness(dx * dx + dy * dy, list->per_reach);
        const simd rate = du * dx + dv * dy;
        const simd excess = value - load_partners(list->value, pair) -
                            (x_slope + load_partners(list->x_slope, pair)) * dx -
                            (y_slope + load_partners(list->y_slope, pair)) * dy;
        const simd others = volume * weight * (rate - excess);
        sum += load_partners(list->volume, pair) * weight * (rate + excess);
        list->sums[pair[0]].x += others[0];
        list->sums[pair[1]].x += others[1];
    }
    list->sums[2 * i].x += sum[0] + sum[1];
}

/*
 * Adds to the sums of each i, over the others j near it,
 *
 *     V_i V_j c^3 ((value_i + value_j - damping w) (r_i - r_j) - shear (u_i - u_j)),
 *
 * with w = (u_i - u_j) . (r_i - r_j) / (r^2 + regularization).
 */
static void add_forces(const struct sph_list *list, size_t i, const uint32_t *partners,
                       size_t count)
{
    const double x = list->near.x[i], y = list->near.y[i], u = list->u[i], v = list->v[i];
    const double volume = list->volume[i], value = list->value[i];
    simd x_sum = simd_all(0), y_sum = x_sum;
    for (size_t k = 0; k < count; k += 2) {
        const uint32_t *pair = partners + k;
        const simd dx = x - load_partners(list->near.x, pair);
        const simd dy = y - load_partners(list->near.y, pair);
        const simd square = dx * dx + dy * dy;
        const simd du = u - load_partners(list->u, pair), dv = v - load_partners(list->v, pair);
        const simd weight =
            volume * load_partners(list->volume, pair) * load_closeness(square, list->per_reach);
        const simd push = value + load_partners(list->value, pair) -
                          list->damping * (du * dx + dv * dy) / (square + list->regularization);
        const simd x_push = weight * (push * dx - list->shear * du);
        const simd y_push = weight * (push * dy - list->shear * dv);
        for (size_t n = 0; n < 2; n++) {
            list->sums[pair[n]].x -= x_push[n];
            list->sums[pair[n]].y -= y_push[n];
        }
        x_sum += x_push;
        y_sum += y_push;
    }
    list->sums[2 * i].x += x_sum[0] + x_sum[1];
    list->sums[2 * i].y += y_sum[0] + y_sum[1];
}

/* ---- The walls ---- */

/* Calls `visit` for each member of a list nearer to a position than `range`. */
COMPILER_INLINE void each_near(const struct neighbours *near, double x, double y, double range,
                               visit_near *visit, void *context)
{
    const uint32_t cell = neighbours_cell(near, x, y);
    for (int row = -1; row <= 1; row++) {
        const struct neighbours_span span = neighbours_around(near, cell, row);
        for (size_t at = span.begin; at < span.end; at++) {
            const double dx = x - near->x[at], dy = y - near->y[at];
            const double square = dx * dx + dy * dy;
            if (square < range * range)
                visit(context, at, dx, dy, square);
        }
    }
}

/* In units of the spacing. Wall particles nearer to each other, where sides meet, are merged. */
static const double MERGE_DISTANCE = 0.75;

static const double MAX_WALL_PARTICLES = 1 << 20; /* of one wall or side: 64 MB */

/* The state of creating walls: a system of wall particles, so that neighbours can list them. */
struct sph_wall_maker {
    struct system solid;   /* the wall particles; its boundary is borrowed */
    struct region *region; /* where the fluid may be; owned */
    size_t room;
    double spacing; /* length */
    int layers;     /* of wall particles */
};

/* A straight wall from (x, y) to (x + lx, y + ly); the fluid is to its left. */
struct sph_wall_line {
    double x, y, lx, ly;
};

static enum status add_wall_particle(struct sph_wall_maker *maker, double x, double y,
                                     struct error *error)
{
    const struct boundary *boundary = &maker->solid.boundary;
    if (boundary->periodic & PERIODIC_X)
        x -= floor(x / boundary->width) * boundary->width;
    if (boundary->periodic & PERIODIC_Y)
        y -= floor(y / boundary->height) * boundary->height;
    if (x >= 0 && x <= boundary->width && y >= 0 && y <= boundary->height &&
        !(boundary->polygons && !region_contains(maker->region, x, y)))
        return STATUS_DONE; /* not in the solid */
    maker->solid.particles =
        memory_extend(maker->solid.particles, maker->solid.count, &maker->room,
                      sizeof *maker->solid.particles, "the walls of the fluid", error);
    if (!maker->solid.particles)
        return STATUS_NO_MEMORY;
    maker->solid.particles[maker->solid.count++] = (struct particle){.x = x, .y = y};
    return STATUS_DONE;
}

/* Adds the layers to the right of a line; or those beyond its ends, which fill corners. */
static enum status add_wall_line(struct sph_wall_maker *maker, const struct sph_wall_line *line,
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

static enum status add_walls(struct sph_wall_maker *maker, int is_beyond, struct error *error)
{
    const struct boundary *boundary = &maker->solid.boundary;
    const struct polygons *polygons = boundary->polygons;
    const double width = boundary->width, height = boundary->height;
    const struct sph_wall_line lines[] = {{0, 0, width, 0},
                                          {width, height, -width, 0},
                                          {width, 0, 0, height},
                                          {0, height, 0, -height}};
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < 4 && !status; k++)
        if (!(boundary->periodic & (k < 2 ? PERIODIC_Y : PERIODIC_X)))
            status = add_wall_line(maker, &lines[k], is_beyond, error);
    for (size_t k = 0; polygons && k < polygons->side_count && !status; k++) {
        const struct polygon_side *side = &polygons->sides[k];
        struct sph_wall_line line = {side->x, side->y, side->lx, side->ly};
        if (side->facing < 0)
            line = (struct sph_wall_line){side->x + side->lx, side->y + side->ly, -side->lx,
                                          -side->ly};
        if (!polygons->list[side->polygon].is_hidden && side->cover == COVER_NONE)
            status = add_wall_line(maker, &line, is_beyond, error);
    }
    return status;
}

struct sph_wall_merge {
    const struct neighbours *near;
    struct particle *particles;
    size_t i; /* the one that stays */
};

static void merge_with(void *context, size_t at, double dx, double dy, double square)
{
    const struct sph_wall_merge *merge = context;
    (void)dx, (void)dy, (void)square;
    if (merge->near->number[at] > merge->i)
        merge->particles[merge->near->number[at]].id = 0;
}

static enum status merge_particles(struct sph_wall_maker *maker, struct error *error)
{
    struct system *solid = &maker->solid;
    struct neighbours near = {0};
    const double range = MERGE_DISTANCE * maker->spacing;
    enum status status = neighbours_find(&near, solid, range, NULL, error);
    size_t kept = 0;
    for (size_t i = 0; i < solid->count; i++)
        solid->particles[i].id = 1;
    for (size_t i = 0; i < solid->count && !status; i++) {
        const struct particle p = solid->particles[i];
        struct sph_wall_merge merge = {&near, solid->particles, i};
        if (!p.id)
            continue;
        each_near(&near, p.x, p.y, range, merge_with, &merge);
        solid->particles[kept++] = p;
    }
    solid->count = kept;
    neighbours_free(&near);
    return status;
}

enum status sph_walls_create(struct sph_walls *walls, const struct boundary *boundary,
                             double spacing, double smoothing, struct error *error)
{
    struct sph_wall_maker maker = {.solid.boundary = *boundary,
                                   .spacing = spacing,
                                   .layers = (int)ceil(2 * smoothing / spacing)};
    enum status status = region_create(boundary, &maker.region, error);
    for (int is_beyond = 0; is_beyond <= 1 && !status; is_beyond++)
        status = add_walls(&maker, is_beyond, error);
    if (!status && maker.solid.count > 0)
        status = merge_particles(&maker, error);
    walls->count = maker.solid.count;
    walls->volume = spacing * spacing;
    walls->smoothing = smoothing;
    if (!status &&
        !(status = neighbours_find(&walls->near, &maker.solid, 2 * smoothing, NULL, error)) &&
        !(walls->particles = memory_allocate(walls->count, sizeof *walls->particles,
                                             "the walls of the fluid", error)))
        status = STATUS_NO_MEMORY;
    for (size_t k = 0; k < walls->count && !status; k++)
        walls->particles[k] = (struct sph_wall_particle){.x = maker.solid.particles[k].x,
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

/* Sums over the pairs of a thread's rows, and over the walls near their particles. */
static void sum_rows(void *user, unsigned number)
{
    const struct sph *self = user;
    const struct sph_list *list = &self->list;
    const size_t columns = list->near.grid.columns;
    const struct neighbours_span rows = thread_rows(self, number);
    for (size_t cell = rows.begin * columns; cell < rows.end * columns; cell++) {
        const size_t column = cell % columns;
        if (column == 0 || column == columns - 1)
            continue;
        const uint32_t *partners = list->partners + list->begins[cell];
        for (size_t i = list->near.grid.first[cell]; i < list->near.grid.first[cell + 1]; i++) {
            struct sph_wall_sum walls = {self, i, {0, 0}};
            self->add(list, i, partners, list->counts[i]);
            partners += list->counts[i];
            if (self->walls.count > 0)
                each_near(&self->walls.near, list->near.x[i], list->near.y[i], 2 * self->smoothing,
                          self->add_wall, &walls);
            vector_add(&list->sums[2 * i], 1, &walls.sum);
        }
    }
}

static void clear_sums(void *user, size_t begin, size_t end)
{
    const struct sph_list *list = &((struct sph *)user)->list;
    memset(list->sums + 2 * begin, 0, 2 * (end - begin) * sizeof *list->sums);
}

static void sph_sum(struct sph *self, add_partners_of *add, visit_near *add_wall)
{
    self->add = add;
    self->add_wall = add_wall;
    thread_pool_divide(self->term.steps->pool, self->list.near.count, clear_sums, self);
    thread_pool_run(self->term.steps->pool, sum_rows, self);
}

/* The sum of a particle, or of one of its images. */
static struct vector total_sum(const struct sph_list *list, size_t at)
{
    const struct vector *sums = list->sums + 2 * at;
    return (struct vector){sums[0].x + sums[1].x, sums[0].y + sums[1].y};
}

/* The part of a row of cells whose particles have no images, and are none. */
static struct neighbours_span single_members(const struct sph *self, uint32_t row)
{
    const struct grid *grid = &self->list.near.grid;
    const unsigned periodic = self->term.steps->system->boundary.periodic;
    const uint32_t columns = periodic & PERIODIC_X ? 2 : 0, rows = periodic & PERIODIC_Y ? 2 : 0;
    const uint32_t *first = grid->first + (size_t)row * grid->columns;
    const int is_single = row >= rows && row + rows < grid->rows;
    return (struct neighbours_span){first[is_single ? columns : 0],
                                    first[is_single ? grid->columns - columns : 0]};
}

static void use_rows(void *user, unsigned number)
{
    struct sph *self = user;
    const struct neighbours_span rows = thread_rows(self, number);
    for (uint32_t row = rows.begin; row < rows.end; row++) {
        const struct neighbours_span members = single_members(self, row);
        self->use(self, members.begin, members.end);
    }
}

/* Uses the sums of all; those of a particle and its images one after the other, in their order. */
static void use_sums(struct sph *self, thread_pool_part *use)
{
    size_t end = 0;
    self->use = use;
    thread_pool_run(self->term.steps->pool, use_rows, self);
    for (uint32_t row = 0; row < self->list.near.grid.rows; row++) {
        const struct neighbours_span members = single_members(self, row);
        use(self, end, members.begin);
        end = members.end;
    }
    use(self, end, self->list.near.count);
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
        each_near(&walls->near, x, y, 2 * walls->smoothing, count_touch, &touches);
    return touches;
}

static void add_wall_rate(void *context, size_t at, double dx, double dy, double square)
{
    struct sph_wall_sum *walls = context;
    const struct sph *self = walls->fluid;
    const struct sph_list *list = &self->list;
    const double u = list->u[walls->i], v = list->v[walls->i];
    (void)at, (void)square;
    dx -= u * list->lag;
    dy -= v * list->lag;
    const double closeness = sph_closeness(dx * dx + dy * dy, list->per_reach);
    walls->sum.x += self->walls.volume * closeness * closeness * closeness * (u * dx + v * dy);
}

struct sph_means {
    const struct sph *fluid;
    double weight, pressure, u, v;
};

static void add_means(void *context, size_t at, double dx, double dy, double square)
{
    struct sph_means *means = context;
    const struct sph *fluid = means->fluid;
    const double weight = sph_kernel(square, fluid->smoothing);
    means->weight += weight;
    means->pressure += weight * (fluid->list.value[at] +
                                 fluid->density * (fluid->gravity.x * dx + fluid->gravity.y * dy));
    means->u += weight * fluid->list.u[at];
    means->v += weight * fluid->list.v[at];
}

/* Extrapolates the fluid to the wall particles. Walls pull only where particles are shifted. */
static void extrapolate_part(void *user, size_t begin, size_t end)
{
    struct sph *self = user;
    for (size_t k = begin; k < end; k++) {
        struct sph_wall_particle *wall = &self->walls.particles[k];
        struct sph_means means = {.fluid = self};
        each_near(&self->list.near, wall->x, wall->y, 2 * self->smoothing, add_means, &means);
        const double per_weight = means.weight > 0 ? 1 / means.weight : 0;
        wall->pressure = means.pressure * per_weight;
        if (self->shifting == 0)
            wall->pressure = fmax(0, wall->pressure);
        wall->u = -means.u * per_weight;
        wall->v = -means.v * per_weight;
    }
}

static void add_wall_force(void *context, size_t at, double dx, double dy, double square)
{
    struct sph_wall_sum *walls = context;
    const struct sph *self = walls->fluid;
    const struct sph_list *list = &self->list;
    const size_t i = walls->i;
    const struct sph_wall_particle *wall = &self->walls.particles[self->walls.near.number[at]];
    const double closeness = sph_closeness(square, list->per_reach);
    const double weight =
        list->volume[i] * self->walls.volume * (closeness * closeness * closeness);
    const double push = list->value[i] + wall->pressure;
    walls->sum.x += weight * (push * dx - list->shear * (list->u[i] - wall->u));
    walls->sum.y += weight * (push * dy - list->shear * (list->v[i] - wall->v));
}

/* ---- The fluid ---- */

static const double DIFFUSION = 0.1; /* the usual value */

/* The fraction of a smoothing length that sound may travel in a substep. Still water is stable with
 * 0.8, too; the margin is for fluid under impacts. */
static const double COURANT = 0.4;

/* In units of the spacing of the particles. With 1.3 waves are 5 % too fast. */
static const double DEFAULT_SMOOTHING = 2;
static const double MIN_SMOOTHING = 0.9;
static const double MAX_SMOOTHING = 4;

static void sph_free(struct term *term)
{
    struct sph *self = (struct sph *)term;
    memory_free(self->list.partners);
    memory_free(self->list.begins);
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

static double sph_density(const void *fluid, size_t k)
{
    return ((const struct sph *)fluid)->densities[k];
}

static double sph_pressure(const void *fluid, size_t k)
{
    return pressure_of(fluid, sph_density(fluid, k));
}

static double mean_spacing(const struct steps *steps)
{
    return sqrt(steps->fluid_area / (double)steps->system->count);
}

/* Refuses other spacings, and substeps in which sound or viscosity would reach too far. */
static enum status sph_check(const struct sph *self, const struct steps *steps)
{
    const struct system *system = steps->system;
    const double dt = steps->step / steps->substeps;
    const double most = fmin(COURANT * self->smoothing / (self->sound * fmax(1, self->alpha)),
                             self->smoothing * self->smoothing / (8 * self->viscosity));
    for (size_t k = 0; k < system->count; k++) {
        const double mass = system_mass(system, &system->particles[k]);
        const double spacing = sqrt(mass / self->density);
        if (self->smoothing < MIN_SMOOTHING * spacing || self->smoothing > MAX_SMOOTHING * spacing)
            return error_set(steps->error, STATUS_USAGE,
                             "sph: particle %zu of mass %g in a fluid of density %g takes a square "
                             "of side %g, and smoothing=%g should be about 2 times that: choose "
                             "another smoothing, or masses of density times spacing squared",
                             k, mass, self->density, spacing, self->smoothing);
    }
    if (dt <= most)
        return STATUS_DONE;
    return error_set(steps->error, STATUS_USAGE,
                     "sph: a substep of %g is too long: with this sound-speed, smoothing and "
                     "viscosity, it may be %g; reduce --step, or raise --substeps",
                     dt, most);
}

static enum status sph_create(struct term *term, const struct text_arguments *arguments,
                              struct steps *steps)
{
    const double *numbers = arguments->numbers;
    const struct system *system = steps->system;
    struct sph *self = (struct sph *)term;
    double mass = 0;
    self->density = numbers[0];
    self->sound = numbers[1];
    for (size_t k = 0; k < system->count; k++)
        mass += system_mass(system, &system->particles[k]);
    steps->fluid_area = mass / self->density;
    self->smoothing = numbers[2] > 0 ? numbers[2] : DEFAULT_SMOOTHING * mean_spacing(steps);
    self->viscosity = numbers[3];
    self->alpha = numbers[4];
    self->shifting = numbers[5];
    self->list.per_reach = 0.5 / self->smoothing;
    self->list.damping =
        self->density * fmax(0, self->alpha * self->smoothing * self->sound - 8 * self->viscosity);
    self->list.shear = 2 * self->density * self->viscosity;
    self->list.regularization = 0.01 * self->smoothing * self->smoothing;
    steps->max_move = fmin(steps->max_move, self->smoothing / 2);
    self->densities = term->memory =
        memory_allocate(system->count, sizeof *self->densities, "the densities", steps->error);
    if (!self->densities)
        return STATUS_NO_MEMORY;
    steps->dynamics.columns[0] = (struct dynamics_column){"density", self, sph_density};
    steps->dynamics.columns[1] = (struct dynamics_column){"pressure", self, sph_pressure};
    enum status status =
        neighbours_check(&system->boundary, "sph", 2 * self->smoothing, steps->error);
    return status ? status : sph_check(self, steps);
}

/* A particle in its column, which is as wide as two spacings and along gravity. */
struct sph_column {
    double column;
    double depth; /* along gravity, length */
    size_t k;
};

static int compare_members(const void *left, const void *right)
{
    const struct sph_column *a = left, *b = right;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->k < b->k ? -1 : 1;
}

/*
 * Sets the densities of a fluid at rest: each particle carries the column above it, whose surface
 * is half a spacing above its highest particle. In a column that does not stand on a wall there is
 * no pressure, because a drop falls.
 */
static enum status set_rest_densities(struct sph *self, struct steps *steps, double spacing)
{
    const struct system *system = steps->system;
    const double g = vector_length(&self->gravity);
    const struct vector down = {g > 0 ? self->gravity.x / g : 0, g > 0 ? self->gravity.y / g : 0};
    struct sph_column *members =
        memory_allocate(system->count, sizeof *members, "the fluid's columns", steps->error);
    if (!members)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        members[k] = (struct sph_column){floor((p->y * down.x - p->x * down.y) / (2 * spacing)),
                                         p->x * down.x + p->y * down.y, k};
    }
    qsort(members, system->count, sizeof *members, compare_members);
    for (size_t top = 0, end; top < system->count; top = end) {
        for (end = top + 1; end < system->count && members[end].column == members[top].column &&
                            members[end].depth - members[end - 1].depth < 2 * spacing;)
            end++; /* a column ends at a gap */
        const struct particle *lowest = &system->particles[members[end - 1].k];
        const double weight =
            sph_walls_touch(&self->walls, lowest->x, lowest->y) ? self->density * g : 0;
        for (size_t k = top; k < end; k++) {
            const double pressure =
                weight * (members[k].depth - members[top].depth + 0.5 * spacing);
            self->densities[members[k].k] =
                self->density / elementary_exp(-elementary_log(1 + pressure / stiffness(self)) / 7);
        }
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
    const double spacing = mean_spacing(steps);
    self->gravity = (struct vector){boundary->periodic & PERIODIC_X ? 0 : steps->gravity.x,
                                    boundary->periodic & PERIODIC_Y ? 0 : steps->gravity.y};
    enum status status =
        sph_walls_create(&self->walls, boundary, spacing, self->smoothing, steps->error);
    self->slope = sph_slope(self->smoothing) / sph_lattice_moment(self->smoothing, spacing);
    return status || steps->is_resumed ? status : set_rest_densities(self, steps, spacing);
}

static void pressure_part(void *user, size_t begin, size_t end)
{
    const struct sph *self = user;
    for (size_t at = begin; at < end; at++)
        self->list.value[at] = pressure_of(self, self->densities[self->list.near.number[at]]);
}

static void force_part(void *user, size_t begin, size_t end)
{
    const struct sph *self = user;
    for (size_t at = begin; at < end; at++) {
        const struct vector sum = total_sum(&self->list, at);
        vector_add(&self->term.steps->force[self->list.near.number[at]], self->slope, &sum);
    }
}

static enum status sph_add_forces(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    const struct sph_list *list = &self->list;
    if (list_fluid(self, steps))
        return STATUS_NO_MEMORY;
    thread_pool_divide(steps->pool, list->near.count, pressure_part, self);
    thread_pool_divide(steps->pool, self->walls.count, extrapolate_part, self);
    sph_sum(self, add_forces, add_wall_force);
    use_sums(self, force_part);
    return STATUS_DONE;
}

/* Shifts the particles. With a pressure of 1/2 the sums of forces become sums of grad W. */
static enum status sph_advance(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    struct sph_list *list = &self->list;
    const double spread = self->shifting * self->smoothing * self->sound * steps->dt * self->slope;
    const double damping = list->damping, shear = list->shear;
    if (spread == 0)
        return STATUS_DONE;
    if (list_fluid(self, steps))
        return STATUS_NO_MEMORY;
    list->damping = list->shear = 0;
    for (size_t at = 0; at < list->near.count; at++)
        list->value[at] = 0.5;
    for (size_t k = 0; k < self->walls.count; k++)
        self->walls.particles[k].pressure = 0.5;
    sph_sum(self, add_forces, add_wall_force);
    list->damping = damping;
    list->shear = shear;
    for (size_t at = 0; at < list->near.count; at++) {
        struct particle *p = &steps->system->particles[list->near.number[at]];
        const struct vector sum = total_sum(list, at);
        p->x += spread * sum.x / list->volume[at];
        p->y += spread * sum.y / list->volume[at];
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
static void diffusing_part(void *user, size_t begin, size_t end)
{
    const struct sph *self = user;
    struct steps *steps = self->term.steps;
    const struct sph_list *list = &self->list;
    const double fastest = thread_pool_raised(&steps->largest_move) / steps->dt;
    const double scale =
        2 * DIFFUSION * self->smoothing / self->density * fmin(self->sound, 100 * fastest);
    const double half = 0.5 * scale * self->density / (self->sound * self->sound);
    for (size_t at = begin; at < end; at++) {
        const uint32_t k = list->near.number[at];
        const double per_mass = 1 / system_mass(steps->system, &steps->system->particles[k]);
        list->value[at] = scale * self->densities[k];
        list->x_slope[at] = half * (steps->gravity.x - steps->force[k].x * per_mass);
        list->y_slope[at] = half * (steps->gravity.y - steps->force[k].y * per_mass);
    }
}

/* The forces then use velocities that the last ones have advanced to the end of the substep. */
static void density_part(void *user, size_t begin, size_t end)
{
    const struct sph *self = user;
    const struct steps *steps = self->term.steps;
    const struct sph_list *list = &self->list;
    for (size_t at = begin; at < end; at++) {
        const size_t k = list->near.number[at];
        const struct vector acceleration = steps_acceleration(steps, k);
        const double half = 0.5 * self->slope * steps->dt * total_sum(list, at).x;
        self->densities[k] *= (1 - half) / (1 + half);
        list->u[at] += acceleration.x * steps->dt / 2;
        list->v[at] += acceleration.y * steps->dt / 2;
    }
}

static void keep_part(void *user, size_t begin, size_t end)
{
    struct sph *self = user;
    for (size_t k = begin; k < end; k++) {
        self->densities[k] *= self->kept;
        if (!(self->densities[k] > 0 && isfinite(self->densities[k])))
            self->has_failed = 1;
    }
}

static enum status sph_change_densities(struct term *term, struct steps *steps)
{
    struct sph *self = (struct sph *)term;
    struct sph_list *list = &self->list;
    self->is_listed = 0;
    if (list_fluid(self, steps))
        return STATUS_NO_MEMORY;
    list->lag = steps->dt / 2;
    const double before = self->shifting > 0 ? mean_density(self, steps->system) : 0;
    thread_pool_divide(steps->pool, list->near.count, diffusing_part, self);
    sph_sum(self, add_rates, add_wall_rate);
    use_sums(self, density_part);
    self->kept = self->shifting > 0 ? before / mean_density(self, steps->system) : 1;
    self->has_failed = 0;
    thread_pool_divide(steps->pool, steps->system->count, keep_part, self);
    for (size_t k = 0; self->has_failed; k++)
        if (!(self->densities[k] > 0 && isfinite(self->densities[k])))
            return error_set(steps->error, STATUS_BAD_DATA,
                             "the density at particle %zu became %g in substep %" PRIu64
                             ": reduce --step, raise --substeps, or take a larger sound-speed",
                             k, self->densities[k], steps->done + 1);
    return STATUS_DONE;
}

/* The integral of p / rho over the density, times the volumes. The virial is 2 p V. */
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
    self->is_listed &= !record->is_reading;
}

const struct term_kind sph_kind = {
    .name = "sph",
    .size = sizeof(struct sph),
    .traits = {.is_single = 1, .is_fluid = 1},
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
