/*
 * The flow on a lattice; see flow.h. A step goes over the nodes once: each pulls the populations
 * that its neighbours sent, lets them relax, and writes them into the other array. That loop has no
 * branches: a frame of nodes surrounds the lattice, and what comes in by a link that ends (an
 * entry) is put, before the loop, where the node pulls it from, which no other node does.
 */
#include "flow.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/sum.h"

#include <math.h>
#include <string.h>

static const double weights[FLOW_DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9,  1. / 36, 1. / 36,
                                                1. / 9, 1. / 9, 1. / 36, 1. / 36};

static const double MAGIC = 3. / 16; /* (1 / even - 1 / 2) (1 / odd - 1 / 2): see flow.h */

/* Nodes of a row, from column `begin` up to `end`. */
struct flow_span {
    size_t begin, end;
};

/*
 * What comes in by a link that ends: share * populations[from] + (1 - share) *
 * populations[beside], less what the motion of the wall takes. (M. Bouzidi, M. Firdaouss and P.
 * Lallemand, Phys. Fluids 13, 3452, 2001, linear; A. J. C. Ladd, J. Fluid Mech. 271, 285, 1994.)
 */
struct flow_entry {
    struct flow_link link;
    size_t to;     /* where the node pulls it */
    size_t from;   /* what the wall gets, in the direction `out` */
    size_t beside; /* another population of the node, or of that behind it */
    double share;
    double motion; /* per velocity of the wall along the link */
    double value;
    int out;
};

/* ---- A step ---- */

static int flow_opposite(int direction)
{
    return direction > 4 ? direction - 4 : direction + 4;
}

/* The part of a population in equilibrium that is quadratic in the velocity. */
static double flow_flux(int direction, double u, double v)
{
    const double along = flow_x[direction] * u + flow_y[direction] * v;
    return weights[direction] * (4.5 * along * along - 1.5 * (u * u + v * v));
}

/*
 * What comes in. At an outlet the sum of the populations of a link is that of equilibrium (I.
 * Ginzburg et al., see flow.h); flow_enter adds the density's part. A wall without friction moves
 * along itself as the flow does.
 */
static double entry_find(const struct flow *flow, const struct flow_entry *entry)
{
    const struct flow_link *link = &entry->link;
    const double *g = flow->populations;
    double u = link->u, v = link->v;
    if (link->end != FLOW_NO_SLIP) {
        const struct flow_state state =
            flow_get(flow, link->node % flow->columns, link->node / flow->columns);
        const double across = state.u * link->nx + state.v * link->ny;
        if (link->end == FLOW_OUTLET)
            return 2 * flow_flux(link->direction, state.u, state.v) - g[entry->from];
        u = state.u - across * link->nx;
        v = state.v - across * link->ny;
    }
    return entry->share * g[entry->from] + (1 - entry->share) * g[entry->beside] -
           entry->motion * (flow_x[link->direction] * u + flow_y[link->direction] * v);
}

/* Fills the frame from the opposite ends of the lattice. */
static void flow_fill_frame(struct flow *flow)
{
    const size_t size = FLOW_DIRECTIONS * flow->stride;
    double *line = flow->populations + size;
    for (size_t k = 0; k < FLOW_DIRECTIONS * flow->rows; k++, line += flow->stride) {
        line[0] = line[flow->columns];
        line[flow->columns + 1] = line[1];
    }
    memcpy(line, flow->populations + size, size * sizeof *line);
    memcpy(flow->populations, line - size, size * sizeof *line);
}

/*
 * Finds what comes in and what walls get, and how much more mass comes in than goes out. Outlets
 * have the mean density, but for that of a plane wave of sound which leaves: by this the flow there
 * differs from what comes in. Without outlets the mass stays: interpolation at walls does not quite
 * keep it, so all nodes get an equal share of what is missing.
 */
static void flow_enter(struct flow *flow)
{
    struct sum gain = {0};
    double flux = 0, outlets = 0;
    memset(flow->impulses, 0, flow->wall_count * sizeof *flow->impulses);
    for (size_t k = 0; k < flow->entry_count; k++) {
        struct flow_entry *entry = &flow->entries[k];
        const struct flow_link *link = &entry->link;
        const double in = entry_find(flow, entry), out = flow->populations[entry->from];
        entry->value = in;
        if (link->end != FLOW_OUTLET) {
            double *impulse = flow->impulses[link->wall];
            impulse[0] +=
                flow_x[entry->out] * out + flow_x[link->direction] * in + link->u * (in - out);
            impulse[1] +=
                flow_y[entry->out] * out + flow_y[link->direction] * in + link->v * (in - out);
            sum_add(&gain, in - out);
        } else if (flow_y[link->direction] == 0) {
            flux -=
                link->nx * flow_get(flow, link->node % flow->columns, link->node / flow->columns).u;
            outlets++;
        }
    }
    flow->source = outlets > 0 ? 0 : -sum_value(&gain) / (double)flow->nodes;
    const double wave = sqrt(3) * (flux - sum_value(&gain)) / outlets;
    for (size_t k = 0; k < flow->entry_count; k++) {
        const struct flow_entry *entry = &flow->entries[k];
        const int is_outlet = entry->link.end == FLOW_OUTLET;
        flow->populations[entry->to] =
            entry->value + (is_outlet ? 2 * weights[entry->link.direction] * wave : 0);
    }
}

/*
 * The new populations of nodes of a row. Of each pair of opposite directions the sum relaxes with
 * one rate and the difference with the other one.
 */
COMPILER_INLINE void flow_collide(const struct flow *flow, size_t row, const struct flow_span *span)
{
    const double even = flow->even, half_even = even / 2, half_odd = flow->odd / 2;
    const double source = flow->source;
    const double *from[FLOW_DIRECTIONS];
    for (int d = 0; d < FLOW_DIRECTIONS; d++)
        from[d] = &flow->populations[flow_place(flow, 0, row - (size_t)flow_y[d], d)] - flow_x[d];
    const double *const rest = from[0], *const east = from[1], *const west = from[5];
    const double *const north = from[2], *const south = from[6];
    const double *const northeast = from[3], *const southwest = from[7];
    const double *const northwest = from[4], *const southeast = from[8];
    const size_t stride = flow->stride;
    double *restrict to = &flow->next[flow_place(flow, 0, row, 0)];
    COMPILER_INDEPENDENT
    for (size_t i = span->begin; i < span->end; i++) {
        const double s1 = east[i] + west[i], d1 = east[i] - west[i];
        const double s2 = north[i] + south[i], d2 = north[i] - south[i];
        const double s3 = northeast[i] + southwest[i], d3 = northeast[i] - southwest[i];
        const double s4 = northwest[i] + southeast[i], d4 = northwest[i] - southeast[i];
        const double density = rest[i] + ((s1 + s2) + (s3 + s4));
        const double u = d1 + (d3 - d4), v = d2 + (d3 + d4);
        const double uu = u * u, vv = v * v, sum = u + v, difference = v - u;
        const double base = density - 1.5 * (uu + vv);
        const double straight = 2. / 9 * base, diagonal = 1. / 18 * base;
        const double a1 = half_even * (s1 - (straight + uu));
        const double a2 = half_even * (s2 - (straight + vv));
        const double a3 = half_even * (s3 - (diagonal + 0.25 * (sum * sum)));
        const double a4 = half_even * (s4 - (diagonal + 0.25 * (difference * difference)));
        const double b1 = half_odd * (d1 - 2. / 3 * u);
        const double b2 = half_odd * (d2 - 2. / 3 * v);
        const double b3 = half_odd * (d3 - 1. / 6 * sum);
        const double b4 = half_odd * (d4 - 1. / 6 * difference);
        to[i] = rest[i] - even * (rest[i] - 4. / 9 * base) + source;
        to[stride + i] = east[i] - (a1 + b1);
        to[2 * stride + i] = north[i] - (a2 + b2);
        to[3 * stride + i] = northeast[i] - (a3 + b3);
        to[4 * stride + i] = northwest[i] - (a4 + b4);
        to[5 * stride + i] = west[i] - (a1 - b1);
        to[6 * stride + i] = south[i] - (a2 - b2);
        to[7 * stride + i] = southwest[i] - (a3 - b3);
        to[8 * stride + i] = southeast[i] - (a4 - b4);
    }
}

COMPILER_INLINE void flow_collide_rows(const struct flow *flow, size_t begin, size_t end)
{
    for (size_t row = begin; row < end; row++)
        for (size_t k = flow->row[row]; k < flow->row[row + 1]; k++)
            flow_collide(flow, row, &flow->spans[k]);
}

#ifdef __x86_64__
/* The same with registers of four doubles, to the same bits. */
static __attribute__((target("avx2"))) void flow_move_four(void *user, size_t begin, size_t end)
{
    flow_collide_rows(user, begin, end);
}
#endif

static void flow_move(void *user, size_t begin, size_t end)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        flow_move_four(user, begin, end);
        return;
    }
#endif
    flow_collide_rows(user, begin, end);
}

void flow_step(struct flow *flow, struct thread_pool *pool)
{
    flow_fill_frame(flow);
    flow_enter(flow);
    thread_pool_divide(pool, flow->rows, flow_move, flow);
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

void flow_record(struct flow *flow, struct record *record)
{
    for (size_t row = 0; row < flow->rows; row++)
        for (size_t k = flow->row[row]; k < flow->row[row + 1] && !record->status; k++)
            for (int d = 0; d < FLOW_DIRECTIONS; d++) {
                const struct flow_span *span = &flow->spans[k];
                record_numbers(record, &flow->populations[flow_place(flow, span->begin, row, d)],
                               span->end - span->begin);
                record_end_line(record);
            }
}

/* ---- Making it ---- */

/* The link of the same node as link `number` in a direction, if it ends; or NULL. */
static const struct flow_link *link_beside(const struct flow_walls *walls, size_t number,
                                           int direction)
{
    const struct flow_link *link = &walls->links[number], *first = link;
    while (first > walls->links && first[-1].node == link->node)
        first--;
    for (; first < walls->links + walls->count && first->node == link->node; first++)
        if (first->direction == direction)
            return first;
    return NULL;
}

/* The place of a population of the next node in a direction, across seams. */
static size_t flow_place_beyond(const struct flow *flow, size_t node, int direction, int population)
{
    const size_t column = node % flow->columns + flow->columns + (size_t)flow_x[direction];
    const size_t row = node / flow->columns + flow->rows + (size_t)flow_y[direction];
    return flow_place(flow, column % flow->columns, row % flow->rows, population);
}

/* A side of the box without friction mirrors: what comes in by a diagonal link has left the next
 * node along the side, unless a wall is between them. */
static void entry_mirror(const struct flow *flow, const struct flow_walls *walls, size_t number,
                         struct flow_entry *entry)
{
    static const int directions[3][3] = {{7, 6, 8}, {5, 0, 1}, {4, 2, 3}}; /* [y + 1][x + 1] */
    const struct flow_link *link = &entry->link;
    const int x = flow_x[link->direction], y = flow_y[link->direction];
    const int along = link->nx != 0 ? directions[y + 1][1] : directions[1][x + 1];
    const struct flow_link *beside = along ? link_beside(walls, number, along) : NULL;
    if (link->end != FLOW_SLIP || link->wall >= BOUNDARY_SIDES ||
        (beside && beside->end != FLOW_SLIP))
        return;
    entry->motion = 0;
    if (beside)
        return; /* a corner turns back */
    entry->out = link->nx != 0 ? directions[1 - y][x + 1] : directions[y + 1][1 - x];
    entry->from = entry->beside = flow_place_beyond(flow, link->node, along, entry->out);
}

/* Where there is no node behind, because another wall is near, walls count as half-way. */
static struct flow_entry entry_make(const struct flow *flow, const struct flow_walls *walls,
                                    size_t number)
{
    const struct flow_link *link = &walls->links[number];
    const int out = link->direction, in = flow_opposite(out);
    const size_t column = link->node % flow->columns, row = link->node / flow->columns;
    const double q = link->fraction;
    struct flow_entry entry = {.link = *link, .out = out, .share = 1, .motion = 6 * weights[out]};
    entry.to = flow_place(flow, column + (size_t)flow_x[out], row + (size_t)flow_y[out], in);
    entry.from = entry.beside = flow_place(flow, column, row, out);
    if (q > 0.5) {
        entry.beside = flow_place(flow, column, row, in);
        entry.share = 1 / (2 * q);
        entry.motion /= 2 * q;
    } else if (q < 0.5 && !link_beside(walls, number, in)) {
        entry.beside = flow_place_beyond(flow, link->node, in, out);
        entry.share = 2 * q;
    }
    entry_mirror(flow, walls, number, &entry);
    return entry;
}

/* Lists the nodes of the flow. Returns STATUS_DONE or STATUS_NO_MEMORY. */
static enum status flow_list_spans(struct flow *flow, struct error *error)
{
    size_t count = 0, capacity = 0;
    for (size_t node = 0; node < flow->columns * flow->rows; node++) {
        const size_t column = node % flow->columns;
        if (column == 0)
            flow->row[node / flow->columns] = count;
        if (flow->is_solid[node])
            continue;
        if (column == 0 || flow->is_solid[node - 1]) {
            flow->spans = memory_extend(flow->spans, count, &capacity, sizeof *flow->spans,
                                        "the rows of the lattice", error);
            if (!flow->spans)
                return STATUS_NO_MEMORY;
            flow->spans[count++].begin = column;
        }
        flow->spans[count - 1].end = column + 1;
        flow->nodes++;
    }
    flow->row[flow->rows] = count;
    return STATUS_DONE;
}

/* Rows begin on lines of the cache, and not all of them at the same place of its sets. */
static enum status flow_allocate(struct flow *flow, const struct flow_walls *walls,
                                 struct error *error)
{
    flow->stride = (flow->columns + 9) / 8 * 8;
    flow->stride += flow->stride % 64 == 0 ? 8 : 0;
    const size_t size = FLOW_DIRECTIONS * flow->stride * (flow->rows + 2);
    flow->memory = memory_allocate_lines(2 * size, sizeof(double), "the populations", error);
    flow->row =
        memory_allocate(flow->rows + 1, sizeof *flow->row, "the rows of the lattice", error);
    flow->entries =
        memory_allocate(walls->count, sizeof *flow->entries, "the walls of the lattice", error);
    flow->impulses = memory_allocate(flow->wall_count, sizeof *flow->impulses,
                                     "the walls of the lattice", error);
    if (!flow->memory || !flow->row || !flow->entries || !flow->impulses)
        return STATUS_NO_MEMORY;
    memset(flow->memory, 0, 2 * size * sizeof(double));
    memset(flow->impulses, 0, flow->wall_count * sizeof *flow->impulses);
    flow->populations = flow->memory;
    flow->next = flow->memory + size;
    return flow_list_spans(flow, error);
}

enum status flow_create(struct flow_walls *walls, double viscosity, struct flow **made,
                        struct error *error)
{
    struct flow *flow = memory_allocate(1, sizeof *flow, "the flow", error);
    if (!flow)
        return STATUS_NO_MEMORY;
    *flow = (struct flow){.columns = walls->columns,
                          .rows = walls->rows,
                          .even = 1 / (3 * viscosity + 0.5),
                          .odd = 1 / (MAGIC / (3 * viscosity) + 0.5),
                          .wall_count = walls->wall_count,
                          .entry_count = walls->count,
                          .is_solid = walls->is_solid};
    walls->is_solid = NULL;
    const enum status status = flow_allocate(flow, walls, error);
    if (status) {
        flow_free(flow);
        return status;
    }
    for (size_t k = 0; k < walls->count; k++)
        flow->entries[k] = entry_make(flow, walls, k);
    flow_walls_free(walls);
    *made = flow;
    return STATUS_DONE;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    memory_free(flow->memory);
    memory_free(flow->impulses);
    memory_free(flow->is_solid);
    memory_free(flow->spans);
    memory_free(flow->row);
    memory_free(flow->entries);
    memory_free(flow);
}
