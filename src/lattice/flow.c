/*
 * The flow on a lattice; see flow.h. A step goes over the nodes once: each takes the populations
 * that its neighbours sent, lets them relax, and puts them into the same places. That loop has no
 * branches: a frame of nodes surrounds the lattice, and what comes back by a link that ends is
 * put, before the loop, where the node takes it from, which no other node does.
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

/*
 * What comes back by a link: M. Bouzidi, M. Firdaouss and P. Lallemand, Phys. Fluids 13, 3452,
 * 2001, linear; A. J. C. Ladd, J. Fluid Mech. 271, 285, 1994. Where no node is behind, the wall
 * counts as half-way. Without friction a wall has the velocity of the node along the tangent at the
 * point below it: along the link, that of the flow at its end differs from this only by what is
 * stretched, as long as nothing is sheared. Beyond an outlet the flow is as at its last nodes, the
 * shear of it, too, but for the density, of which flow_enter adds the part of a wave.
 */
static void flow_return(const struct flow *flow, const struct flow_link *link, double exchanged[2])
{
    const int d = link->out.direction;
    const double *g = flow->populations, q = link->fraction;
    const double out = g[flow_place(flow, link->out)], other = g[flow_place(flow, link->other)];
    double u = link->u, v = link->v;
    if (link->end == FLOW_OUTLET) {
        exchanged[0] =
            other - weights[d] * (flow_get(flow, link->other.column, link->other.row).density - 1);
        exchanged[1] = flow_get(flow, link->out.column, link->out.row).u;
        return;
    }
    if (link->end == FLOW_SLIP) {
        const struct dynamics_node node = flow_get(flow, link->out.column, link->out.row);
        const double across = node.u * link->nx + node.v * link->ny;
        u = node.u - across * link->nx;
        v = node.v - across * link->ny;
    }
    const double still = out - 6 * weights[d] * (flow_x[d] * u + flow_y[d] * v);
    exchanged[0] =
        q > 0.5 ? (still + (2 * q - 1) * other) / (2 * q) : still + (1 - 2 * q) * (other - out);
    exchanged[1] = out;
}

/* Fills both lines of the frame beyond the ends of an axis, from node `begin` to `end`, with what
 * goes into the lattice from there: from its opposite end, or mirrored. */
static void flow_fill(const struct flow *flow, int axis, size_t begin, size_t end)
{
    const int seam = flow->is_seam[axis], *const into = axis == 0 ? flow_x : flow_y;
    const size_t step = axis == 0 ? flow->line : 1, across = axis == 0 ? 1 : flow->line;
    const size_t last = ((axis == 0 ? flow->columns : flow->rows) - 1) * across;
    for (int d = 1; d < FLOW_DIRECTIONS; d++) {
        const size_t from = flow->offsets[seam ? d : flow_mirrored[axis][d]];
        const size_t edge = (into[d] > 0) == seam ? last : 0;
        const size_t beyond = into[d] > 0 ? 0 - across : last + across;
        for (size_t k = begin; k != end && into[d] != 0; k++)
            flow->populations[flow->offsets[d] + beyond + k * step] =
                flow->populations[from + edge + k * step];
    }
}

/* Fills both ends of lines of the frame and of rows, and finds what comes back by a share of the
 * links. It changes nothing that nodes of the flow have sent, so its parts are independent. */
static void flow_prepare(void *user, size_t begin, size_t end)
{
    struct flow *flow = user;
    const size_t lines = flow->rows + 2;
    flow_fill(flow, 0, begin - 1, end - 1);
    for (size_t k = flow->link_count * begin / lines; k < flow->link_count * end / lines; k++)
        flow_return(flow, &flow->links[k], flow->exchanged[k]);
}

/* Puts what comes back by links where the nodes take it from; `wave` is that of the density at
 * outlets. */
static void flow_enter(struct flow *flow, double wave)
{
    for (size_t k = 0; k < flow->link_count; k++) {
        struct flow_population in = flow->links[k].out;
        const double more = flow->links[k].end == FLOW_OUTLET ? weights[in.direction] * wave : 0;
        in.column += (size_t)flow_x[in.direction];
        in.row += (size_t)flow_y[in.direction];
        in.direction = flow_mirrored[2][in.direction];
        flow->populations[flow_place(flow, in)] = flow->exchanged[k][0] + more;
    }
}

/*
 * Finds what walls get, and how much more mass comes in than goes out. Outlets have the mean
 * density, but for that of a plane wave of sound which leaves: by this the flow there differs from
 * what comes in. Without outlets the mass stays: interpolation at walls does not quite keep it, so
 * all nodes get an equal share of what is missing.
 */
static void flow_balance(struct flow *flow)
{
    double gain = 0, flux = 0, outlets = 0;
    for (size_t k = 0; k < 2 * flow->wall_count; k++) {
        struct flow_wall *wall = &flow->walls[k / 2];
        sum_add(&wall->past[k % 2], wall->impulse[k % 2]);
        wall->impulse[k % 2] = 0;
    }
    for (size_t k = 0; k < flow->link_count; k++) {
        const struct flow_link *link = &flow->links[k];
        const int x = flow_x[link->out.direction], y = flow_y[link->out.direction];
        const double in = flow->exchanged[k][0], out = flow->exchanged[k][1];
        if (link->end != FLOW_OUTLET) {
            flow->walls[link->wall].impulse[0] += x * (out + in) + link->u * (in - out);
            flow->walls[link->wall].impulse[1] += y * (out + in) + link->v * (in - out);
            gain += in - out;
        } else if (y == 0) {
            flux += x * out;
            outlets++;
        }
    }
    flow->source = outlets > 0 ? 0 : -gain / (double)flow->nodes;
    flow_enter(flow, outlets > 0 ? sqrt(3) * (flux - gain) / outlets : 0);
}

/*
 * The new populations of rows of nodes; those of solid ones do not count. Of each pair of opposite
 * directions the sum relaxes with one rate and the difference with the other one.
 */
COMPILER_INLINE void flow_collide(void *user, size_t begin, size_t end)
{
    const struct flow *flow = user;
    const double even = flow->even, half_even = even / 2, half_odd = flow->odd / 2;
    const double source = flow->source;
    for (size_t row = begin; row < end; row++) {
        double *g[FLOW_DIRECTIONS]; /* of what comes in a direction, then of what goes back */
        for (int d = 0; d < FLOW_DIRECTIONS; d++)
            g[d] = &flow->populations[flow_place(
                flow, (struct flow_population){0 - (size_t)flow_x[d], row - (size_t)flow_y[d], d})];
        COMPILER_INDEPENDENT
        for (size_t i = 0; i < flow->columns; i++) {
            double in[FLOW_DIRECTIONS], s[5], f[5];
            for (size_t k = 0; k < FLOW_DIRECTIONS; k++)
                in[k] = g[k][i];
            for (size_t k = 1; k < 5; k++) {
                s[k] = in[k] + in[k + 4];
                f[k] = in[k] - in[k + 4];
            }
            const double density = in[0] + ((s[1] + s[2]) + (s[3] + s[4]));
            const double u = f[1] + (f[3] - f[4]), v = f[2] + (f[3] + f[4]);
            const double along[5] = {0, u, v, u + v, v - u};
            const double base = density - 1.5 * (u * u + v * v);
            g[0][i] = in[0] - even * (in[0] - 4. / 9 * base) + source;
            for (size_t k = 1; k < 5; k++) {
                const double part = k < 3 ? 1 : 0.25, square = part * (along[k] * along[k]);
                const double a = half_even * (s[k] - (2. / 9 * part * base + square));
                const double b = half_odd * (f[k] - 2. / 3 * part * along[k]);
                g[k + 4][i] = in[k] - (a + b);
                g[k][i] = in[k + 4] - (a - b);
            }
        }
    }
}

#ifdef __x86_64__
/* The same with registers of four doubles, to the same bits. */
static __attribute__((target("avx2"))) void flow_collide_four(void *user, size_t begin, size_t end)
{
    flow_collide(user, begin, end);
}
#define FLOW_COLLIDE (__builtin_cpu_supports("avx2") ? flow_collide_four : flow_collide)
#else
#define FLOW_COLLIDE flow_collide
#endif

void flow_step(struct flow *flow, struct thread_pool *pool)
{
    size_t offsets[FLOW_DIRECTIONS];
    flow_fill(flow, 1, 0, flow->columns); /* first: its ends are in the frame's corners */
    thread_pool_divide(pool, flow->rows + 2, flow_prepare, flow);
    flow_balance(flow);
    thread_pool_divide(pool, flow->rows, FLOW_COLLIDE, flow);
    memcpy(offsets, flow->offsets, sizeof offsets);
    for (int d = 0; d < FLOW_DIRECTIONS; d++) /* where the opposite came from */
        flow->offsets[d] =
            offsets[flow_mirrored[2][d]] + (size_t)flow_x[d] + (size_t)flow_y[d] * flow->line;
}

/* ---- The state ---- */

struct dynamics_node flow_get(const struct flow *flow, size_t column, size_t row)
{
    double g[FLOW_DIRECTIONS], density = 0;
    if (flow->is_solid[column + flow->columns * row])
        return (struct dynamics_node){0};
    for (int d = 0; d < FLOW_DIRECTIONS; d++)
        density += g[d] =
            flow->populations[flow_place(flow, (struct flow_population){column, row, d})];
    return (struct dynamics_node){1 + density, g[1] - g[5] + (g[3] - g[7]) - (g[4] - g[8]),
                                  g[2] - g[6] + (g[3] - g[7]) + (g[4] - g[8])};
}

void flow_set(struct flow *flow, size_t column, size_t row, struct dynamics_node state)
{
    for (int d = 0; d < FLOW_DIRECTIONS; d++) {
        const double along = flow_x[d] * state.u + flow_y[d] * state.v;
        flow->populations[flow_place(flow, (struct flow_population){column, row, d})] =
            weights[d] * (state.density - 1 + 3 * along) +
            weights[d] * (4.5 * along * along - 1.5 * (state.u * state.u + state.v * state.v));
    }
}

double flow_mass(const struct flow *flow, double *mach)
{
    struct sum mass = {0};
    double square = 0;
    for (size_t node = 0; node < flow->columns * flow->rows; node++) {
        const struct dynamics_node state =
            flow_get(flow, node % flow->columns, node / flow->columns);
        const int is_normal = flow->is_solid[node] || (state.density > 0.5 && state.density < 2);
        sum_add(&mass, state.density);
        square = fmax(square,
                      is_normal ? 3 * (state.u * state.u + state.v * state.v) : (double)INFINITY);
    }
    *mach = sqrt(square);
    return sum_value(&mass);
}

/* What solid nodes have does not count, so it is cleared. */
void flow_record(struct flow *flow, struct record *record)
{
    for (size_t k = 0; k < 2 * flow->wall_count && !record->status; k++)
        record_sum(record, &flow->walls[k / 2].past[k % 2]);
    for (size_t k = 0; k < flow->wall_count && !record->status; k++)
        record_numbers(record, flow->walls[k].impulse, 2);
    record_end_line(record);
    for (size_t row = 0; row < flow->rows; row++)
        for (int d = 0; d < FLOW_DIRECTIONS && !record->status; d++) {
            double *line =
                &flow->populations[flow_place(flow, (struct flow_population){0, row, d})];
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
    flow->stride = (flow->columns + 17) / 8 * 8;
    flow->stride += flow->stride % 64 == 0 ? 8 : 0;
    flow->line = FLOW_DIRECTIONS * flow->stride;
    for (size_t d = 0; d < FLOW_DIRECTIONS; d++)
        flow->offsets[d] = 2 * flow->line + d * flow->stride + 8;
    flow->populations =
        memory_allocate_lines(flow->rows + 4, flow->line * sizeof(double), what, error);
    flow->is_solid = memory_allocate(flow->columns, flow->rows, what, error);
    flow->walls = memory_allocate_zeros(flow->wall_count, sizeof *flow->walls,
                                        "the walls of the lattice", error);
    if (!flow->populations || !flow->is_solid || !flow->walls)
        return STATUS_NO_MEMORY;
    memset(flow->populations, 0, (flow->rows + 4) * flow->line * sizeof(double));
    return STATUS_DONE;
}

enum status flow_create(struct flow *flow, const struct boundary *boundary, size_t columns,
                        size_t rows, double viscosity, double speed, double unit,
                        struct error *error)
{
    const size_t sides = boundary->polygons ? boundary->polygons->side_count : 0;
    *flow = (struct flow){.columns = columns,
                          .rows = rows,
                          .is_seam = {(boundary->periodic & PERIODIC_X) && speed == 0,
                                      (boundary->periodic & PERIODIC_Y) != 0},
                          .even = 1 / (3 * viscosity + 0.5),
                          .odd = 1 / (MAGIC / (3 * viscosity) + 0.5),
                          .wall_count = BOUNDARY_SIDES + sides};
    enum status status = flow_allocate(flow, error);
    if (!status)
        status = flow_find_links(flow, boundary, speed, unit, error);
    for (size_t node = 0; !status && node < columns * rows; node++) {
        flow_set(flow, node % columns, node / columns, (struct dynamics_node){1, speed, 0});
        flow->nodes += !flow->is_solid[node];
    }
    if (!status && flow->nodes == 0)
        status = error_set(error, STATUS_BAD_DATA,
                           "no node of a lattice of %zu x %zu is in the flow", columns, rows);
    return status;
}

void flow_free(struct flow *flow)
{
    memory_free(flow->populations);
    memory_free(flow->walls);
    memory_free(flow->is_solid);
    memory_free(flow->links);
    memory_free(flow->exchanged);
}
