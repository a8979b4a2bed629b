/*
 * The flow on a lattice; see flow.h. A step goes over the nodes once: each pulls the populations
 * that its neighbours sent, lets them relax, and writes them into the other array. That loop has no
 * branches: a frame of nodes surrounds the lattice, and what comes back by a link that ends is
 * put, before the loop, where the node pulls it from, which no other node does.
 */
#include "flow.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sum.h"
#include "model/polygons.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double weights[FLOW_DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9,  1. / 36, 1. / 36,
                                                1. / 9, 1. / 9, 1. / 36, 1. / 36};
static const double MAGIC = 3. / 16; /* (1 / even - 1 / 2) (1 / odd - 1 / 2): see flow.h */

/* ---- A step ---- */

/* The part of a population in equilibrium that is quadratic in the velocity. */
static double flow_flux(int direction, double u, double v)
{
    const double along = flow_x[direction] * u + flow_y[direction] * v;
    return weights[direction] * (4.5 * along * along - 1.5 * (u * u + v * v));
}

/* Whether a place beside a node is a node of the flow, which it then becomes across seams. */
static int flow_is_inside(const struct flow *flow, size_t *column, size_t *row)
{
    if (flow->is_seam[0])
        *column = (*column + flow->columns) % flow->columns;
    if (flow->is_seam[1])
        *row = (*row + flow->rows) % flow->rows;
    return *column < flow->columns && *row < flow->rows &&
           !flow->is_solid[*column + flow->columns * *row];
}

/*
 * What comes back from a wall without friction: what was on its way to the wall, with the mirrored
 * velocity, where the population would have come from, mirrored. There the distribution is that of
 * density, momentum and stress at the nodes around, as far as they are in the flow.
 */
static double flow_mirror(const struct flow *flow, const struct flow_link *link)
{
    const int d = link->direction;
    const double across = 2 * (flow_x[d] * link->nx + flow_y[d] * link->ny);
    const double u = across * link->nx - flow_x[d], v = across * link->ny - flow_y[d];
    const double x = flow_x[d] - (1 - link->fraction) * across * link->nx;
    const double y = flow_y[d] - (1 - link->fraction) * across * link->ny;
    double sum = 0, all = 0;
    for (int corner = 0; corner < 4 || all == 0; corner++) {
        const int is_own = corner == 4; /* there is no other */
        const double left = is_own ? 0 : floor(x) + corner % 2;
        const double low = is_own ? 0 : floor(y) + corner / 2;
        const double share = is_own ? 1 : (1 - fabs(x - left)) * (1 - fabs(y - low));
        size_t column = link->column + (size_t)(int)left, row = link->row + (size_t)(int)low;
        if (!flow_is_inside(flow, &column, &row))
            continue;
        all += share;
        for (int k = 0; k < FLOW_DIRECTIONS; k++) {
            const double along = flow_x[k] * u + flow_y[k] * v;
            const int square = flow_x[k] * flow_x[k] + flow_y[k] * flow_y[k];
            sum += share * flow->populations[flow_place(flow, column, row, k)] *
                   (2 + 3 * along + 4.5 * along * along - 1.5 * (square + u * u + v * v));
        }
    }
    return weights[d] * sum / all;
}

/*
 * What comes back by a link: M. Bouzidi, M. Firdaouss and P. Lallemand, Phys. Fluids 13, 3452,
 * 2001, linear; A. J. C. Ladd, J. Fluid Mech. 271, 285, 1994. Where no node is behind, the wall
 * counts as half-way. At an outlet the sum of the populations of a link is that of equilibrium (I.
 * Ginzburg et al., see flow.h), of which flow_enter adds the density's part.
 */
static double flow_return(const struct flow *flow, struct flow_link *link, double out)
{
    const int d = link->direction, x = flow_x[d], y = flow_y[d];
    const size_t column = link->column, row = link->row;
    const double *g = flow->populations, q = link->fraction;
    if (link->end == FLOW_SLIP)
        return flow_mirror(flow, link);
    if (link->end == FLOW_OUTLET) {
        const struct flow_state state = flow_get(flow, column, row);
        link->u = state.u;
        return 2 * flow_flux(d, state.u, state.v) - out;
    }
    const double still = out - 6 * weights[d] * (x * link->u + y * link->v);
    if (q > 0.5)
        return (still + (2 * q - 1) * g[flow_place(flow, column, row, flow_mirrored[2][d])]) /
               (2 * q);
    if (link->is_short)
        return still;
    return still +
           (1 - 2 * q) * (g[flow_place(flow, column - (size_t)x, row - (size_t)y, d)] - out);
}

/* Fills the frame, its corners last: from the opposite ends of the lattice, or mirrored. */
static void flow_fill_frame(struct flow *flow)
{
    for (int axis = 0; axis < 2; axis++) {
        const int seam = flow->is_seam[axis];
        const size_t step = axis == 0 ? 1 : FLOW_DIRECTIONS * flow->stride;
        const size_t end = (axis == 0 ? flow->columns : flow->rows) * step, last = end - step;
        const size_t lines = axis == 0 ? flow->rows : flow->columns + 2;
        for (int d = 0; d < FLOW_DIRECTIONS; d++)
            for (size_t k = 0; k < lines; k++) {
                const size_t column = axis == 0 ? 0 : k - 1, row = axis == 0 ? k : 0;
                double *to = &flow->populations[flow_place(flow, column, row, d)];
                const double *from = &flow->populations[flow_place(
                    flow, column, row, seam ? d : flow_mirrored[axis][d])];
                *(to - step) = from[seam ? last : 0];
                to[end] = from[seam ? 0 : last];
            }
    }
}

/*
 * Finds what comes back and what walls get, and how much more mass comes in than goes out. Outlets
 * have the mean density, but for that of a plane wave of sound which leaves: by this the flow there
 * differs from what comes in. Without outlets the mass stays: interpolation at walls does not quite
 * keep it, so all nodes get an equal share of what is missing.
 */
static void flow_enter(struct flow *flow)
{
    double gain = 0, flux = 0, outlets = 0;
    memset(flow->impulses, 0, flow->wall_count * sizeof *flow->impulses);
    for (size_t k = 0; k < flow->link_count; k++) {
        struct flow_link *link = &flow->links[k];
        const int x = flow_x[link->direction], y = flow_y[link->direction];
        const double out =
            flow->populations[flow_place(flow, link->column, link->row, link->direction)];
        const double in = link->value = flow_return(flow, link, out);
        if (link->end != FLOW_OUTLET) {
            flow->impulses[link->wall][0] += x * (out + in) + link->u * (in - out);
            flow->impulses[link->wall][1] += y * (out + in) + link->v * (in - out);
            gain += in - out;
        } else if (y == 0) {
            flux += x * link->u;
            outlets++;
        }
    }
    flow->source = outlets > 0 ? 0 : -gain / (double)flow->nodes;
    const double wave = sqrt(3) * (flux - gain) / outlets;
    for (size_t k = 0; k < flow->link_count; k++) {
        const struct flow_link *link = &flow->links[k];
        const int d = link->direction;
        flow->populations[flow_place(flow, link->column + (size_t)flow_x[d],
                                     link->row + (size_t)flow_y[d], flow_mirrored[2][d])] =
            link->value + (link->end == FLOW_OUTLET ? 2 * weights[d] * wave : 0);
    }
}

/*
 * The new populations of rows of nodes; those of solid ones do not count. Of each pair of opposite
 * directions the sum relaxes with one rate and the difference with the other one.
 */
COMPILER_INLINE void flow_collide(const struct flow *flow, size_t row)
{
    const double even = flow->even, half_even = even / 2, half_odd = flow->odd / 2;
    const double source = flow->source;
    const size_t stride = flow->stride, columns = flow->columns;
    const double *g[FLOW_DIRECTIONS];
    double *restrict to = &flow->next[flow_place(flow, 0, row, 0)];
    for (int d = 0; d < FLOW_DIRECTIONS; d++)
        g[d] = &flow->populations[flow_place(flow, 0, row - (size_t)flow_y[d], d)] - flow_x[d];
    COMPILER_INDEPENDENT
    for (size_t i = 0; i < columns; i++) {
        double s[5], f[5];
        for (size_t k = 1; k < 5; k++) {
            s[k] = g[k][i] + g[k + 4][i];
            f[k] = g[k][i] - g[k + 4][i];
        }
        const double density = g[0][i] + ((s[1] + s[2]) + (s[3] + s[4]));
        const double u = f[1] + (f[3] - f[4]), v = f[2] + (f[3] + f[4]);
        const double along[5] = {0, u, v, u + v, v - u};
        const double base = density - 1.5 * (u * u + v * v);
        to[i] = g[0][i] - even * (g[0][i] - 4. / 9 * base) + source;
        for (size_t k = 1; k < 5; k++) {
            const double part = k < 3 ? 1 : 0.25, square = part * (along[k] * along[k]);
            const double a = half_even * (s[k] - (2. / 9 * part * base + square));
            const double b = half_odd * (f[k] - 2. / 3 * part * along[k]);
            to[k * stride + i] = g[k][i] - (a + b);
            to[(k + 4) * stride + i] = g[k + 4][i] - (a - b);
        }
    }
}

COMPILER_INLINE void flow_move(void *user, size_t begin, size_t end)
{
    for (size_t row = begin; row < end; row++)
        flow_collide(user, row);
}

#ifdef __x86_64__
/* The same with registers of four doubles, to the same bits. */
static __attribute__((target("avx2"))) void flow_move_four(void *user, size_t begin, size_t end)
{
    flow_move(user, begin, end);
}
#define FLOW_MOVE (__builtin_cpu_supports("avx2") ? flow_move_four : flow_move)
#else
#define FLOW_MOVE flow_move
#endif

void flow_step(struct flow *flow, struct thread_pool *pool)
{
    flow_fill_frame(flow);
    flow_enter(flow);
    thread_pool_divide(pool, flow->rows, FLOW_MOVE, flow);
    double *const old = flow->populations;
    flow->populations = flow->next;
    flow->next = old;
}

/* ---- The state ---- */

struct flow_state flow_get(const struct flow *flow, size_t column, size_t row)
{
    double g[FLOW_DIRECTIONS], density = 0;
    for (int d = 0; d < FLOW_DIRECTIONS; d++)
        density += g[d] = flow->populations[flow_place(flow, column, row, d)];
    return (struct flow_state){1 + density, g[1] - g[5] + (g[3] - g[7]) - (g[4] - g[8]),
                               g[2] - g[6] + (g[3] - g[7]) + (g[4] - g[8])};
}

void flow_set(struct flow *flow, size_t column, size_t row, struct flow_state state)
{
    for (int d = 0; d < FLOW_DIRECTIONS; d++)
        flow->populations[flow_place(flow, column, row, d)] =
            weights[d] * (state.density - 1 + 3 * (flow_x[d] * state.u + flow_y[d] * state.v)) +
            flow_flux(d, state.u, state.v);
}

double flow_mass(const struct flow *flow)
{
    struct sum mass = {0};
    for (size_t node = 0; node < flow->columns * flow->rows; node++)
        if (!flow->is_solid[node])
            sum_add(&mass, flow_get(flow, node % flow->columns, node / flow->columns).density);
    return sum_value(&mass);
}

/* What solid nodes have does not count, so it is cleared. */
void flow_record(struct flow *flow, struct record *record)
{
    for (size_t row = 0; row < flow->rows; row++)
        for (int d = 0; d < FLOW_DIRECTIONS && !record->status; d++) {
            double *line = &flow->populations[flow_place(flow, 0, row, d)];
            for (size_t column = 0; column < flow->columns; column++)
                line[column] = flow->is_solid[column + flow->columns * row] ? 0 : line[column];
            record_numbers(record, line, flow->columns);
            record_end_line(record);
        }
}

/* ---- Making it ---- */

/* Rows begin on lines of the cache, and not all of them at the same place of its sets. */
static enum status flow_allocate(struct flow *flow, struct error *error)
{
    char what[80];
    snprintf(what, sizeof what, "the %zu x %zu nodes of the lattice", flow->columns, flow->rows);
    flow->stride = (flow->columns + 9) / 8 * 8;
    flow->stride += flow->stride % 64 == 0 ? 8 : 0;
    const size_t line = FLOW_DIRECTIONS * flow->stride;
    flow->memory = memory_allocate_lines(2 * (flow->rows + 2), line * sizeof(double), what, error);
    flow->is_solid = flow->memory ? memory_allocate(flow->columns, flow->rows, what, error) : NULL;
    flow->impulses = memory_allocate_zeros(flow->wall_count, sizeof *flow->impulses,
                                           "the walls of the lattice", error);
    if (!flow->is_solid || !flow->impulses)
        return STATUS_NO_MEMORY;
    memset(flow->memory, 0, 2 * (flow->rows + 2) * line * sizeof(double));
    flow->populations = flow->memory;
    flow->next = flow->memory + (flow->rows + 2) * line;
    return STATUS_DONE;
}

enum status flow_create(const struct boundary *boundary, size_t columns, size_t rows,
                        double viscosity, double speed, double unit, struct flow **made,
                        struct error *error)
{
    struct flow *flow = *made = memory_allocate(1, sizeof *flow, "the flow", error);
    if (!flow)
        return STATUS_NO_MEMORY;
    *flow = (struct flow){.columns = columns,
                          .rows = rows,
                          .is_seam = {(boundary->periodic & PERIODIC_X) && speed == 0,
                                      (boundary->periodic & PERIODIC_Y) != 0},
                          .even = 1 / (3 * viscosity + 0.5),
                          .odd = 1 / (MAGIC / (3 * viscosity) + 0.5),
                          .wall_count = BOUNDARY_SIDES};
    flow->wall_count += boundary->polygons ? boundary->polygons->side_count : 0;
    enum status status = flow_allocate(flow, error);
    if (!status)
        status = flow_find_links(flow, boundary, speed, unit, error);
    if (status) {
        flow_free(flow);
        *made = NULL;
    }
    return status;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    memory_free(flow->memory);
    memory_free(flow->impulses);
    memory_free(flow->is_solid);
    memory_free(flow->links);
    memory_free(flow);
}
