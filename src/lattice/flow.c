/*
 * The flow on a lattice; see flow.h. Each step goes over all nodes once: a node pulls the
 * populations that its neighbours sent, lets them relax, and writes them into the other array. The
 * loop has no branches, because a frame of nodes surrounds the lattice, and because what comes in
 * by a link that ends (an entry) is put, before the loop, where the node pulls it from: no other
 * node pulls that population.
 */
#include "flow.h"

#include "base/memory.h"
#include "base/sum.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double weights[FLOW_DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9,  1. / 36, 1. / 36,
                                                1. / 9, 1. / 9, 1. / 36, 1. / 36};

static const double MAGIC = 3. / 16; /* (1 / even - 1 / 2) (1 / odd - 1 / 2): see flow.h */

/* Nodes of a row from column `begin` up to `end`. */
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
    int in, out; /* directions: of what comes in, and of what the wall gets for that */
    size_t to;   /* where the node pulls it */
    size_t from; /* what the wall gets */
    size_t beside;
    double share;
    double motion; /* per velocity of the wall along the link */
    double value;
};

static inline int flow_opposite(int direction)
{
    return direction > 4 ? direction - 4 : direction + 4;
}

/* ---- Entries ---- */

/* The neighbour of a node in a direction, across seams. */
static size_t flow_neighbour(const struct flow *flow, size_t node, int direction)
{
    const size_t column = node % flow->columns + flow->columns + (size_t)flow_x[direction];
    const size_t row = node / flow->columns + flow->rows + (size_t)flow_y[direction];
    return column % flow->columns + row % flow->rows * flow->columns;
}

static size_t flow_node_place(const struct flow *flow, size_t node, int direction)
{
    return flow_place(flow, node % flow->columns, node / flow->columns, direction);
}

/* The link of a node in a direction, if it ends; or NULL. */
static const struct flow_link *flow_find_link(const struct flow_walls *walls, size_t node,
                                              int direction)
{
    size_t begin = 0, end = walls->count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const struct flow_link *link = &walls->links[middle];
        if (link->node == node && link->direction == direction)
            return link;
        if (link->node < node || (link->node == node && link->direction < direction))
            begin = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

/*
 * A wall without friction half-way along a row or column mirrors: what comes in by a diagonal link
 * has left the neighbour beside the node, by the link that crosses this one at the wall.
 */
static void entry_mirror(const struct flow *flow, const struct flow_walls *walls,
                         struct flow_entry *entry)
{
    const struct flow_link *link = &entry->link;
    const int d = link->direction;
    if (link->fraction != 0.5 || link->nx * link->ny != 0)
        return;
    int along = 0, out = 0;
    for (int k = 1; k < FLOW_DIRECTIONS; k++) {
        if (flow_x[k] == (link->nx != 0 ? 0 : flow_x[d]) &&
            flow_y[k] == (link->nx != 0 ? flow_y[d] : 0))
            along = k;
        if (flow_x[k] == (link->nx != 0 ? flow_x[d] : -flow_x[d]) &&
            flow_y[k] == (link->nx != 0 ? -flow_y[d] : flow_y[d]))
            out = k;
    }
    const struct flow_link *other = along ? flow_find_link(walls, link->node, along) : NULL;
    if (other) {
        if (other->end == FLOW_SLIP) /* a corner */
            entry->link.end = FLOW_NO_SLIP;
        return;
    }
    const size_t source = along ? flow_neighbour(flow, link->node, along) : link->node;
    const struct flow_link *crossed = flow_find_link(walls, source, out);
    if (!crossed || crossed->wall != link->wall || crossed->fraction != 0.5)
        return;
    entry->out = out;
    entry->from = entry->beside = flow_node_place(flow, source, out);
    entry->motion = 0;
    entry->link.end = FLOW_NO_SLIP;
}

/* Where there is no node behind, because another wall is near, walls count as half-way. */
static struct flow_entry entry_make(const struct flow *flow, const struct flow_walls *walls,
                                    const struct flow_link *link)
{
    const int out = link->direction;
    const int in = flow_opposite(out);
    const double q = link->fraction;
    struct flow_entry entry = {
        .link = *link, .in = in, .out = out, .share = 1, .motion = 6 * weights[out]};
    entry.to = flow_place(flow, link->node % flow->columns + (size_t)flow_x[out],
                          link->node / flow->columns + (size_t)flow_y[out], in);
    entry.from = entry.beside = flow_node_place(flow, link->node, out);
    if (q > 0.5) {
        entry.beside = flow_node_place(flow, link->node, in);
        entry.share = 1 / (2 * q);
        entry.motion /= 2 * q;
    } else if (q < 0.5 && !flow_find_link(walls, link->node, in)) {
        entry.beside = flow_node_place(flow, flow_neighbour(flow, link->node, in), out);
        entry.share = 2 * q;
    }
    if (link->end == FLOW_SLIP)
        entry_mirror(flow, walls, &entry);
    return entry;
}

/* ---- A step ---- */

/* Density, less 1, and momentum of populations that are `apart` from each other. */
static struct flow_state populations_sum(const double *g, size_t apart)
{
    const double east = g[apart] - g[5 * apart], north = g[2 * apart] - g[6 * apart];
    const double northeast = g[3 * apart] - g[7 * apart], northwest = g[4 * apart] - g[8 * apart];
    double density = 0;
    for (size_t k = 0; k < FLOW_DIRECTIONS; k++)
        density += g[k * apart];
    return (struct flow_state){density, east + northeast - northwest,
                               north + northeast + northwest};
}

struct flow_state flow_get(const struct flow *flow, size_t column, size_t row)
{
    struct flow_state state =
        populations_sum(&flow->populations[flow_place(flow, column, row, 0)], flow->stride);
    state.density += 1;
    return state;
}

static struct flow_state entry_state(const struct flow *flow, const struct flow_entry *entry)
{
    return flow_get(flow, entry->link.node % flow->columns, entry->link.node / flow->columns);
}

/* What comes in from walls to rows of nodes; and the frame beside these rows. */
static void flow_enter(void *user, size_t begin, size_t end)
{
    struct flow *flow = user;
    double *g = flow->populations;
    for (size_t row = begin; row < end; row++) {
        for (int d = 0; d < FLOW_DIRECTIONS; d++) {
            double *line = &g[flow_place(flow, 0, row, d)];
            line[-1] = line[flow->columns - 1];
            line[flow->columns] = line[0];
        }
        const size_t block = FLOW_DIRECTIONS * flow->stride;
        if (row == 0)
            memcpy(&g[(flow->rows + 1) * block], &g[block], block * sizeof *g);
        if (row == flow->rows - 1)
            memcpy(g, &g[flow->rows * block], block * sizeof *g);
        for (size_t k = flow->row_entries[row]; k < flow->row_entries[row + 1]; k++) {
            struct flow_entry *entry = &flow->entries[k];
            const struct flow_link *link = &entry->link;
            double u = link->u, v = link->v;
            if (link->end == FLOW_SLIP) {
                const struct flow_state state = entry_state(flow, entry);
                const double across = state.u * link->nx + state.v * link->ny;
                u = state.u - across * link->nx;
                v = state.v - across * link->ny;
            }
            entry->value = entry->share * g[entry->from] + (1 - entry->share) * g[entry->beside] -
                           entry->motion * (flow_x[entry->out] * u + flow_y[entry->out] * v);
        }
    }
}

/*
 * Sums up what walls get, and how much more mass comes in than goes out. At an outlet the sum of
 * both populations of a link is that of a density (I. Ginzburg et al., see flow.h). It is the mean
 * density, but for what a plane wave of sound has that leaves: the flow through the outlet then
 * differs from that which comes in. A lattice without outlet keeps its mass: interpolation does not
 * keep it exactly, and all nodes get an equal share of what is missing.
 */
static void flow_balance(struct flow *flow)
{
    struct sum gain = {0};
    double flux = 0, outlets = 0;
    memset(flow->impulses, 0, flow->wall_count * sizeof *flow->impulses);
    for (size_t k = 0; k < flow->row_entries[flow->rows]; k++) {
        const struct flow_entry *entry = &flow->entries[k];
        const double out = flow->populations[entry->from];
        if (entry->link.end != FLOW_OUTLET) {
            const double gained = entry->value - out;
            double *impulse = flow->impulses[entry->link.wall];
            impulse[0] += flow_x[entry->out] * out - flow_x[entry->in] * entry->value +
                          entry->link.u * gained;
            impulse[1] += flow_y[entry->out] * out - flow_y[entry->in] * entry->value +
                          entry->link.v * gained;
            sum_add(&gain, gained);
        } else if (flow_y[entry->out] == 0) {
            flux += flow_x[entry->out] * entry_state(flow, entry).u;
            outlets++;
        }
    }
    flow->source = outlets > 0 ? 0 : -sum_value(&gain) / (double)flow->nodes;
    const double density = outlets > 0 ? sqrt(3) * (flux - sum_value(&gain)) / outlets : 0;
    for (size_t k = 0; k < flow->row_entries[flow->rows] && outlets > 0; k++) {
        struct flow_entry *entry = &flow->entries[k];
        if (entry->link.end != FLOW_OUTLET)
            continue;
        const struct flow_state state = entry_state(flow, entry);
        const double along = flow_x[entry->out] * state.u + flow_y[entry->out] * state.v;
        entry->value =
            2 * weights[entry->out] *
                (density + 4.5 * along * along - 1.5 * (state.u * state.u + state.v * state.v)) -
            flow->populations[entry->from];
    }
}

/*
 * The new populations of nodes from column `begin` up to `end` of a row. Of each pair of opposite
 * directions the sum relaxes with one rate and the difference with the other one.
 */
static void flow_collide(const struct flow *flow, size_t row, size_t begin, size_t end)
{
    const double half_even = flow->even / 2, half_odd = flow->odd / 2, even = flow->even;
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
    for (size_t i = begin; i < end; i++) {
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

static void flow_move(void *user, size_t begin, size_t end)
{
    struct flow *flow = user;
    for (size_t k = flow->row_entries[begin]; k < flow->row_entries[end]; k++)
        flow->populations[flow->entries[k].to] = flow->entries[k].value;
    for (size_t row = begin; row < end; row++)
        for (size_t k = flow->row_spans[row]; k < flow->row_spans[row + 1]; k++)
            flow_collide(flow, row, flow->spans[k].begin, flow->spans[k].end);
}

void flow_step(struct flow *flow, struct thread_pool *pool)
{
    thread_pool_divide(pool, flow->rows, flow_enter, flow);
    flow_balance(flow);
    thread_pool_divide(pool, flow->rows, flow_move, flow);
    double *const old = flow->populations;
    flow->populations = flow->next;
    flow->next = old;
}

/* ---- The state ---- */

void flow_set(struct flow *flow, size_t column, size_t row, struct flow_state state)
{
    const double squares = 1.5 * (state.u * state.u + state.v * state.v);
    for (int d = 0; d < FLOW_DIRECTIONS; d++) {
        const double along = flow_x[d] * state.u + flow_y[d] * state.v;
        flow->populations[flow_place(flow, column, row, d)] =
            weights[d] * (state.density - 1 + 3 * along + 4.5 * along * along - squares);
    }
}

double flow_mass(const struct flow *flow)
{
    struct sum mass = {(double)flow->nodes, 0};
    for (size_t row = 0; row < flow->rows; row++)
        for (size_t column = 0; column < flow->columns; column++)
            sum_add(&mass, populations_sum(&flow->populations[flow_place(flow, column, row, 0)],
                                           flow->stride)
                               .density);
    return sum_value(&mass);
}

void flow_record(struct flow *flow, struct record *record)
{
    for (size_t row = 0; row < flow->rows; row++)
        for (size_t k = flow->row_spans[row]; k < flow->row_spans[row + 1] && !record->status; k++)
            for (int d = 0; d < FLOW_DIRECTIONS; d++) {
                const struct flow_span *span = &flow->spans[k];
                record_numbers(record, &flow->populations[flow_place(flow, span->begin, row, d)],
                               span->end - span->begin);
                record_end_line(record);
            }
}

/* Lists the nodes of the flow. */
static enum status flow_list_spans(struct flow *flow, struct error *error)
{
    size_t count = 0, capacity = 0;
    for (size_t row = 0; row < flow->rows; row++) {
        const unsigned char *is_solid = &flow->is_solid[row * flow->columns];
        flow->row_spans[row] = count;
        for (size_t column = 0; column < flow->columns; column++) {
            if (is_solid[column])
                continue;
            if (column == 0 || is_solid[column - 1]) {
                void *spans = memory_grow(flow->spans, count, &capacity, sizeof *flow->spans,
                                          "the rows of the lattice", error);
                if (!spans)
                    return STATUS_NO_MEMORY;
                flow->spans = spans;
                flow->spans[count++].begin = column;
            }
            flow->spans[count - 1].end = column + 1;
            flow->nodes++;
        }
    }
    flow->row_spans[flow->rows] = count;
    return STATUS_DONE;
}

/* Memory for the populations, all 0; rows begin on lines of the cache, and not all of them at the
 * same place in its sets. */
static enum status flow_allocate(struct flow *flow, struct error *error)
{
    flow->stride = (flow->columns + 2 + 7) / 8 * 8;
    if (flow->stride % 64 == 0)
        flow->stride += 8;
    const double bytes =
        2.0 * sizeof(double) * FLOW_DIRECTIONS * (double)flow->stride * ((double)flow->rows + 2);
    char text[MEMORY_TEXT_SIZE];
    if (bytes > memory_physical() || bytes > (double)SIZE_MAX / 2)
        return error_set(error, STATUS_NO_MEMORY,
                         "a lattice of %zu x %zu nodes needs %s of memory: take a coarser one",
                         flow->columns, flow->rows, memory_text(text, bytes));
    const size_t size = FLOW_DIRECTIONS * flow->stride * (flow->rows + 2);
    flow->populations = memory_allocate_lines(size, sizeof(double), "the populations", error);
    flow->next = memory_allocate_lines(size, sizeof(double), "the populations", error);
    flow->row_spans =
        memory_allocate(flow->rows + 1, sizeof(size_t), "the rows of the lattice", error);
    flow->row_entries =
        memory_allocate(flow->rows + 1, sizeof(size_t), "the rows of the lattice", error);
    flow->impulses =
        memory_allocate(flow->wall_count, sizeof *flow->impulses, "the forces on walls", error);
    if (!flow->populations || !flow->next || !flow->row_spans || !flow->row_entries ||
        !flow->impulses)
        return STATUS_NO_MEMORY;
    memset(flow->populations, 0, size * sizeof(double));
    memset(flow->next, 0, size * sizeof(double));
    memset(flow->impulses, 0, flow->wall_count * sizeof *flow->impulses);
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
                          .is_solid = walls->is_solid};
    walls->is_solid = NULL;
    flow->entries =
        memory_allocate(walls->count, sizeof *flow->entries, "the walls of the lattice", error);
    if (!flow->entries || flow_allocate(flow, error)) {
        flow_free(flow);
        return STATUS_NO_MEMORY;
    }
    for (size_t row = 0, k = 0; row <= flow->rows; row++) {
        flow->row_entries[row] = k;
        for (; k < walls->count && walls->links[k].node / flow->columns <= row; k++)
            flow->entries[k] = entry_make(flow, walls, &walls->links[k]);
    }
    flow_walls_free(walls);
    *made = flow;
    return STATUS_DONE;
}

void flow_free(struct flow *flow)
{
    if (!flow)
        return;
    memory_free(flow->populations);
    memory_free(flow->next);
    memory_free(flow->impulses);
    memory_free(flow->is_solid);
    memory_free(flow->spans);
    memory_free(flow->row_spans);
    memory_free(flow->entries);
    memory_free(flow->row_entries);
    memory_free(flow);
}
