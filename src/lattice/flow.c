/*
 * The flow on a lattice; see flow.h. A step goes over the nodes once: each takes the populations
 * that its neighbours sent, lets them relax, and puts them into the same elements. That loop has no
 * branches: ghost nodes surround the lattice, and what comes back by a link that ends is
 * put, before the loop, where only its node takes it from.
 */
#include "flow.h"

#include "base/compiler.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "model/boundary_law.h"
#include "model/region.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double weights[FLOW_DIRECTIONS] = {4. / 9, 1. / 9, 1. / 9,  1. / 36, 1. / 36,
                                                1. / 9, 1. / 9, 1. / 36, 1. / 36};
static const double MAGIC = 3. / 16; /* (1 / even - 1 / 2) (1 / odd - 1 / 2): see flow.h */

/* Parts of a link. A node nearer to a side than the first is on the side. So is one nearer than the
 * second if the side has no friction, because it and the wall would follow each other. Sides
 * count as longer by the last. */
static const double NEAR = 1e-6, NEAR_SLIP = 0.1, LONGER = 1e-9;

/* Fewer links are sooner entered by one thread. */
enum { LINKS_FOR_THREADS = 400 };

/* Sides that meet at an angle whose cosine is above this are parts of a curved wall. */
static const double SMOOTH = 0.9;

/* ---- A step ---- */

/*
 * What comes back by a link: M. Bouzidi, M. Firdaouss and P. Lallemand, Phys. Fluids 13, 3452,
 * 2001, linear; A. J. C. Ladd, J. Fluid Mech. 271, 285, 1994. Where no node is behind, the wall
 * counts as half-way. Without friction a wall has the velocity of the node along the tangent at the
 * point below it. Along the link the flow at its end differs only by its stretching, for nothing is
 * sheared. Beyond an outlet velocity and shear are as at the last nodes. The density has the part
 * of a wave more, which flow_enter adds.
 */
static void flow_return(const struct flow *flow, const struct flow_link *link, double exchanged[2])
{
    const int d = link->out.direction;
    const double *g = flow->populations, q = link->fraction;
    const double out = g[flow_index(flow, link->out)], other = g[flow_index(flow, link->other)];
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

/* Fills both lines of ghost nodes beyond the ends of an axis, from node `begin` to `end`, with what
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

/* Fills both ends of lines of ghost nodes and of rows, and finds what comes back by a share of the
 * links. It changes nothing that nodes of the flow have sent, so its parts are independent. */
static void flow_prepare(void *user, size_t begin, size_t end)
{
    struct flow *flow = user;
    const size_t lines = flow->rows + 2;
    flow_fill(flow, 0, begin - 1, end - 1);
    for (size_t k = flow->link_count * begin / lines; k < flow->link_count * end / lines; k++)
        flow_return(flow, &flow->links[k], flow->exchanged[k]);
}

/* Task: puts what comes back by links where nodes take it from. */
static void flow_enter(void *user, size_t begin, size_t end)
{
    struct flow *flow = user;
    for (size_t k = begin; k < end; k++) {
        struct flow_population in = flow->links[k].out;
        const double more =
            flow->links[k].end == FLOW_OUTLET ? weights[in.direction] * flow->wave : 0;
        in.column += (size_t)flow_x[in.direction];
        in.row += (size_t)flow_y[in.direction];
        in.direction = flow_mirrored[2][in.direction];
        flow->populations[flow_index(flow, in)] = flow->exchanged[k][0] + more;
    }
}

/*
 * Finds what walls get, and how much more mass comes in than goes out. Outlets have the mean
 * density, but for a plane wave of sound which leaves: by this the flow there differs from what
 * comes in. Without outlets the mass stays: interpolation at walls does not quite keep it, so all
 * nodes get an equal share of what is missing.
 */
static void flow_balance(struct flow *flow)
{
    double gain = 0, flux = 0, outlets = 0;
    for (size_t k = 0; k < 3 * flow->wall_count; k++) {
        struct flow_wall *wall = &flow->walls[k / 3];
        sum_add(&wall->past[k % 3], wall->impulse[k % 3]);
        wall->impulse[k % 3] = 0;
    }
    for (size_t k = 0; k < flow->link_count; k++) {
        const struct flow_link *link = &flow->links[k];
        const int x = flow_x[link->out.direction], y = flow_y[link->out.direction];
        const double in = flow->exchanged[k][0], out = flow->exchanged[k][1];
        if (link->end != FLOW_OUTLET) {
            double *impulse = flow->walls[link->wall].impulse;
            const double px = link->image[0] * (x * (out + in) + link->u * (in - out));
            const double py = link->image[1] * (y * (out + in) + link->v * (in - out));
            impulse[0] += px;
            impulse[1] += py;
            impulse[2] += link->x * py - link->y * px;
            gain += in - out;
        } else if (y == 0) {
            flux += x * out;
            outlets++;
        }
    }
    flow->source = outlets > 0 ? 0 : -gain / (double)flow->nodes;
    flow->wave = outlets > 0 ? sqrt(3) * (flux - gain) / outlets : 0;
}

/*
 * The new populations of rows of nodes; solid nodes do not count. Of each pair of opposite
 * directions the sum relaxes with one rate and the difference with the other one. A force F adds 3
 * w c F to what goes out, and the squares are of u + F / even: of second order in time (Z. Guo, C.
 * Zheng and B. Shi, Phys. Rev. E 65, 046308, 2002), but for a uniform stress of order F^2.
 */
COMPILER_INLINE void flow_collide(void *user, size_t begin, size_t end)
{
    const struct flow *flow = user;
    const double even = flow->even, half_even = even / 2, half_odd = flow->odd / 2;
    const double source = flow->source, fx = flow->force[0] / even, fy = flow->force[1] / even;
    const double rate = (flow->odd - even) / 3; /* the differences relax to u + F / even, too */
    const double push[5] = {0, rate * fx, rate * fy, rate / 4 * (fx + fy), rate / 4 * (fy - fx)};
    for (size_t row = begin; row < end; row++) {
        double *g[FLOW_DIRECTIONS]; /* of what comes in a direction, then of what goes back */
        for (int d = 0; d < FLOW_DIRECTIONS; d++)
            g[d] = &flow->populations[flow_index(
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
            const double u = f[1] + (f[3] - f[4]) + fx, v = f[2] + (f[3] + f[4]) + fy;
            const double along[5] = {0, u, v, u + v, v - u};
            const double base = density - 1.5 * (u * u + v * v);
            g[0][i] = in[0] - even * (in[0] - 4. / 9 * base) + source;
            for (size_t k = 1; k < 5; k++) {
                const double part = k < 3 ? 1 : 0.25, square = part * (along[k] * along[k]);
                const double a = half_even * (s[k] - (2. / 9 * part * base + square));
                const double b = half_odd * (f[k] - 2. / 3 * part * along[k]) + push[k];
                g[k + 4][i] = in[k] - (a + b);
                g[k][i] = in[k + 4] - (a - b);
            }
        }
    }
}

#ifdef __x86_64__
/* The same with registers of four doubles, or of eight, to the same bits. */
static __attribute__((target("avx2"))) void flow_collide_four(void *user, size_t begin, size_t end)
{
    flow_collide(user, begin, end);
}
static __attribute__((target("avx512f"))) void flow_collide_eight(void *user, size_t begin,
                                                                  size_t end)
{
    flow_collide(user, begin, end);
}
#define FLOW_COLLIDE                                                                               \
    (__builtin_cpu_supports("avx512f") ? flow_collide_eight                                        \
     : __builtin_cpu_supports("avx2")  ? flow_collide_four                                         \
                                       : flow_collide)
#else
#define FLOW_COLLIDE flow_collide
#endif

void flow_step(struct flow *flow, struct thread_pool *pool)
{
    size_t offsets[FLOW_DIRECTIONS];
    flow_fill(flow, 1, 0, flow->columns); /* first: its ends are the corners of the ghost nodes */
    thread_pool_divide(pool, flow->rows + 2, flow_prepare, flow);
    flow_balance(flow);
    thread_pool_divide(flow->link_count < LINKS_FOR_THREADS ? NULL : pool, flow->link_count,
                       flow_enter, flow);
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
            flow->populations[flow_index(flow, (struct flow_population){column, row, d})];
    return (struct dynamics_node){1 + density,
                                  g[1] - g[5] + (g[3] - g[7]) - (g[4] - g[8]) - flow->force[0] / 2,
                                  g[2] - g[6] + (g[3] - g[7]) + (g[4] - g[8]) - flow->force[1] / 2};
}

void flow_set(struct flow *flow, size_t column, size_t row, struct dynamics_node state)
{
    state.u += flow->force[0] / 2;
    state.v += flow->force[1] / 2;
    for (int d = 0; d < FLOW_DIRECTIONS; d++) {
        const double along = flow_x[d] * state.u + flow_y[d] * state.v;
        flow->populations[flow_index(flow, (struct flow_population){column, row, d})] =
            weights[d] * (state.density - 1 + 3 * along) +
            weights[d] * (4.5 * along * along - 1.5 * (state.u * state.u + state.v * state.v));
    }
}

double flow_mass(const struct flow *flow)
{
    struct sum mass = {0};
    for (size_t k = 0; k < flow->columns * flow->rows; k++)
        sum_add(&mass, flow_get(flow, k % flow->columns, k / flow->columns).density);
    return sum_value(&mass);
}

struct flow_mach_task {
    const struct flow *flow;
    atomic_ullong square; /* of the largest Mach number */
};

/* Task: finds the largest Mach number in rows. */
static void flow_raise_mach(void *user, size_t begin, size_t end)
{
    struct flow_mach_task *task = user;
    const struct flow *flow = task->flow;
    double square = 0;
    for (size_t k = flow->columns * begin; k < flow->columns * end; k++) {
        const struct dynamics_node node = flow_get(flow, k % flow->columns, k / flow->columns);
        const int is_normal = flow->is_solid[k] || (node.density > 0.5 && node.density < 2);
        square =
            fmax(square, is_normal ? 3 * (node.u * node.u + node.v * node.v) : (double)INFINITY);
    }
    thread_pool_raise(&task->square, square);
}

double flow_mach(const struct flow *flow, struct thread_pool *pool)
{
    struct flow_mach_task task = {.flow = flow};
    thread_pool_divide(pool, flow->rows, flow_raise_mach, &task);
    return sqrt(thread_pool_raised(&task.square));
}

/* What solid nodes have does not count, so it is cleared. */
void flow_record(struct flow *flow, struct record *record)
{
    for (size_t k = 0; k < 3 * flow->wall_count && !record->status; k++)
        record_sum(record, &flow->walls[k / 3].past[k % 3]);
    for (size_t k = 0; k < flow->wall_count && !record->status; k++)
        record_numbers(record, flow->walls[k].impulse, 3);
    record_end_line(record);
    for (size_t row = 0; row < flow->rows; row++)
        for (int d = 0; d < FLOW_DIRECTIONS && !record->status; d++) {
            double *line =
                &flow->populations[flow_index(flow, (struct flow_population){0, row, d})];
            for (size_t column = 0; column < flow->columns; column++)
                line[column] = flow->is_solid[column + flow->columns * row] ? 0 : line[column];
            record_numbers(record, line, flow->columns);
            record_end_line(record);
        }
}

/*
 * ---- Links that end ----
 *
 * Each side, of the box or a polygon, ends the links of the nodes around it that cross it from its
 * front. A node that is on a side, within rounding, is solid: its neighbours' links end there.
 */

struct flow_link_search {
    const struct boundary *boundary;
    struct flow *flow;
    double speed, unit;    /* see flow_create */
    struct flow_link link; /* what those at a side have in common */
    double ax, ay;         /* where the side begins, */
    double lx, ly, nx, ny; /* its unit vectors along it and into the flow, */
    double length;         /* in units of the lattice, with nodes at whole numbers; */
    double bends[2];       /* and the tangents of the angles by which the normal of a curved
                              wall is turned towards the end, at its beginning and end */
    int is_parabola;       /* a stream comes in at it with this profile */
    size_t capacity;
    enum status status;
    struct error *error;
};

/* Finds the node at a position, across seams and mirrored by other sides of the box; and the link
 * that the one from there in a direction then is. */
static struct flow_link links_find(const struct flow_link_search *links, double column, double row,
                                   int d)
{
    struct flow_link link = links->link;
    double at[2] = {column, row};
    for (int axis = 0; axis < 2; axis++) {
        const double n = (double)(axis == 0 ? links->flow->columns : links->flow->rows);
        if (links->boundary->periodic & (axis == 0 ? PERIODIC_X : PERIODIC_Y)) {
            at[axis] -= n * floor(at[axis] / n);
        } else if (at[axis] < 0 || at[axis] >= n) {
            at[axis] = (at[axis] < 0 ? -1 : 2 * n - 1) - at[axis];
            *(axis == 0 ? &link.nx : &link.ny) *= -1;
            *(axis == 0 ? &link.u : &link.v) *= -1;
            link.image[axis] *= -1;
            d = flow_mirrored[axis][d];
        }
    }
    link.out = (struct flow_population){(size_t)at[0], (size_t)at[1], d};
    return link;
}

/* Where the search keeps the number, from 1, of the link of a population; 0: none is listed. */
static double *links_number(const struct flow *flow, struct flow_population out)
{
    return &flow->populations[flow_index(flow, out)];
}

/* True if the walls at two links move in the same way, or are parts of one curved wall. */
static int links_move_alike(const struct flow_link *a, const struct flow_link *b)
{
    const double du = a->u - b->u, dv = a->v - b->v;
    return du * du + dv * dv <= 2 * (1 - SMOOTH) * (b->u * b->u + b->v * b->v);
}

/* Ends a link, if none of the sides before was as near. Where two sides meet that move differently,
 * neither drags the flow along, unless one is a seam of a stream. Sides of the box have no images.
 * A side of a polygon without friction that is on or behind a side of the box ends nothing, because
 * the side of the box mirrors. A wall also ends the links that meet it at the edge of an outlet. */
static void links_add(struct flow_link_search *links, double column, double row, int d,
                      double fraction)
{
    struct flow *flow = links->flow;
    struct flow_link link = links_find(links, column, row, d);
    const int is_image = link.out.direction != d;
    const size_t x = link.out.column + (size_t)flow_x[link.out.direction];
    const size_t y = link.out.row + (size_t)flow_y[link.out.direction];
    const int is_out =
        (x >= flow->columns && !flow->is_seam[0]) || (y >= flow->rows && !flow->is_seam[1]);
    double *number = links_number(flow, link.out);
    struct flow_link *last = *number > 0 ? &flow->links[(size_t)*number - 1] : NULL;
    if (links->status || (link.wall < BOUNDARY_SIDES && is_image) ||
        (last && last->fraction < fraction - NEAR) ||
        (link.end == FLOW_SLIP && !is_image && fraction > 0.5 - NEAR && is_out))
        return;
    if (last && last->fraction < fraction + NEAR && last->end != FLOW_OUTLET) {
        if (!links_move_alike(last, &link) && (links->speed == 0 || last->wall >= 2))
            last->u = last->v = 0;
        return;
    }
    if (!last) {
        flow->links = memory_extend(flow->links, flow->link_count, &links->capacity,
                                    sizeof *flow->links, "the walls of the lattice", links->error);
        links->status = flow->links ? STATUS_DONE : STATUS_NO_MEMORY;
        if (!flow->links)
            return;
        *number = (double)++flow->link_count;
    }
    link.fraction = fraction;
    link.x = column + 0.5 + fraction * flow_x[d];
    link.y = row + 0.5 + fraction * flow_y[d];
    flow->links[(size_t)*number - 1] = link;
}

/* Ends the links at a side from and to a node. */
static void links_cross(struct flow_link_search *links, double column, double row)
{
    const double nx = links->nx, ny = links->ny, lx = links->lx, ly = links->ly;
    const double above = (column - links->ax) * nx + (row - links->ay) * ny;
    const double along = (column - links->ax) * lx + (row - links->ay) * ly;
    const double reach = links->link.end == FLOW_SLIP ? NEAR_SLIP : NEAR;
    const int is_on =
        above > -NEAR && above < reach && along > -NEAR && along < links->length + NEAR;
    if (is_on) {
        const struct flow_population at = links_find(links, column, row, 0).out;
        links->flow->is_solid[at.column + links->flow->columns * at.row] = 1;
    }
    for (int d = 1; d < FLOW_DIRECTIONS && above > -NEAR && above < 1.5; d++) {
        const double down = -(flow_x[d] * nx + flow_y[d] * ny), fraction = above / down;
        const double shift = flow_x[d] * lx + flow_y[d] * ly, met = along + fraction * shift;
        const double part = (is_on ? along - shift : along) / links->length;
        const double height = met / links->length;
        const double bend =
            fmax(-1, fmin(1, links->bends[0] + part * (links->bends[1] - links->bends[0])));
        links->link.nx = (nx + bend * lx) / sqrt(1 + bend * bend);
        links->link.ny = (ny + bend * ly) / sqrt(1 + bend * bend);
        if (links->is_parabola)
            links->link.u = links->speed * (6 * height * (1 - height));
        if (is_on && (down > -NEAR || above > NEAR))
            links_add(links, column - flow_x[d], row - flow_y[d], d, 1);
        else if (!is_on && above > 0 && down > 0 && fraction <= 1 && met >= -LONGER &&
                 met <= links->length + LONGER)
            links_add(links, column, row, d, fraction);
    }
}

/* The law of a wall that holds the flow; NULL: it has no friction. */
static const struct wall_law *links_law(const struct boundary *boundary, int32_t feature)
{
    const struct wall_law *law = wall_laws_find(boundary, feature);
    return law && law->temperature > 0 && law->accommodation > 0 ? law : NULL;
}

int flow_is_channel(const struct boundary *boundary)
{
    return !(boundary->periodic & PERIODIC_Y) && links_law(boundary, FEATURE_BOTTOM) &&
           links_law(boundary, FEATURE_TOP);
}

/* Turns the normal at the ends of a side half-way to the next normals of a curved wall. */
static void links_bend(struct flow_link_search *links, const struct polygon_side *side)
{
    const struct polygons *polygons = links->boundary->polygons;
    const struct polygon_side *ends[2] = {polygons_side_before(polygons, side),
                                          polygons_next_side(polygons, side)};
    for (int end = 0; end < 2; end++) {
        const double scale = ends[end]->facing / ends[end]->length;
        const double nx = -scale * ends[end]->ly, ny = scale * ends[end]->lx;
        if (nx * links->nx + ny * links->ny > SMOOTH)
            links->bends[end] = (nx * links->lx + ny * links->ly) / 2;
    }
}

/* Ends the links that meet a side from `a` to `b`; `facing` is 1 if the flow is to the left of it,
 * -1 if to the right. A stream comes in as a wall that moves; sides of the box without friction
 * mirror, and no link ends there. */
static void links_add_side(struct flow_link_search *links, uint32_t wall, const double a[2],
                           const double b[2], int facing)
{
    const struct boundary *boundary = links->boundary;
    const int is_of_box = wall < BOUNDARY_SIDES, is_end = wall < 2 && links->speed != 0;
    const struct wall_law *law =
        links_law(boundary, is_of_box ? FEATURE_LEFT - (int32_t)wall
                                      : polygons_feature(wall - BOUNDARY_SIDES, 0));
    const double x = b[0] - a[0], y = b[1] - a[1], length = sqrt(x * x + y * y);
    links->ax = a[0];
    links->ay = a[1];
    links->length = length;
    links->lx = x / length;
    links->ly = y / length;
    links->nx = -facing * links->ly;
    links->ny = facing * links->lx;
    links->bends[0] = links->bends[1] = 0;
    links->is_parabola = is_end && flow_is_channel(boundary);
    links->link =
        (struct flow_link){.wall = wall, .end = law ? FLOW_NO_SLIP : FLOW_SLIP, .image = {1, 1}};
    if (is_end) {
        links->link.end = links->speed * links->nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        links->link.u = links->speed;
    } else if (law) {
        const double speed = law->speed * links->unit * (is_of_box ? 1 : -facing);
        links->link.u = speed * links->lx;
        links->link.v = speed * links->ly;
    } else if (is_of_box) {
        return;
    } else {
        links_bend(links, &boundary->polygons->sides[wall - BOUNDARY_SIDES]);
    }
    for (double row = floor(fmin(a[1], b[1])) - 1; row <= ceil(fmax(a[1], b[1])) + 1; row++)
        for (double column = floor(fmin(a[0], b[0])) - 1; column <= ceil(fmax(a[0], b[0])) + 1;
             column++)
            links_cross(links, column, row);
}

/* Ends all links that meet sides; (dx, dy) are the sides of a cell. */
static void links_add_all(struct flow_link_search *links, double dx, double dy)
{
    const struct polygons *polygons = links->boundary->polygons;
    const double columns = (double)links->flow->columns, rows = (double)links->flow->rows;
    for (int side = 0; side < BOUNDARY_SIDES; side++) {
        double ends[2][2] = {{-0.5, -0.5}, {columns - 0.5, rows - 0.5}};
        ends[1 - side % 2][side / 2] = ends[side % 2][side / 2];
        if (!links->flow->is_seam[side / 2])
            links_add_side(links, (uint32_t)side, ends[0], ends[1],
                           side == 1 || side == 2 ? 1 : -1);
    }
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct polygon_side *side = &polygons->sides[k],
                                  *next = polygons_next_side(polygons, side);
        const double a[2] = {side->corner_x / dx - 0.5, side->corner_y / dy - 0.5};
        const double b[2] = {next->corner_x / dx - 0.5, next->corner_y / dy - 0.5};
        if (!polygons->list[side->polygon].is_hidden) /* both sides of thin walls have one l */
            links_add_side(links, (uint32_t)(BOUNDARY_SIDES + k), a, b,
                           side->is_thin ? 1 : side->facing);
    }
}

/*
 * True if the wall drags the flow along at a link. Two links that meet a wall along an axis
 * at one point, from both sides of it, bring as much mass as they take: together they carry a flux
 * of speed / 6 within the wall. Where the wall ends one of them meets something else: then the
 * other brings nothing, either, and the flux turns into the flow. At the ends of a stream it goes
 * on.
 */
static int links_drags(const struct flow_link_search *links, const struct flow_link *link)
{
    const struct flow *flow = links->flow;
    const struct flow_population out = link->out;
    const int axis = fabs(link->nx) < NEAR ? 0 : 1; /* along the wall */
    const int x = axis == 0 ? flow_x[out.direction] : 0;
    const int y = axis == 1 ? flow_y[out.direction] : 0, d = flow_mirrored[axis][out.direction];
    const struct flow_population at =
        links_find(links, (double)out.column + x, (double)out.row + y, d).out;
    const double number = *links_number(flow, at);
    const struct flow_link *other = number > 0 ? &flow->links[(size_t)number - 1] : link;
    return (x == 0 && y == 0) || fabs(link->nx * link->ny) > NEAR || link->end != FLOW_NO_SLIP ||
           (links->speed != 0 && out.column % (flow->columns - 1) == 0) ||
           (other != link && !flow->is_solid[at.column + flow->columns * at.row] &&
            fabs(other->fraction - link->fraction) < NEAR && links_move_alike(other, link));
}

/* Finds the solid nodes and the links of a flow, whose populations are all 0, and are overwritten.
 */
static enum status flow_find_links(struct flow *flow, const struct boundary *boundary, double speed,
                                   double unit, struct error *error)
{
    const double dx = boundary->width / (double)flow->columns;
    const double dy = boundary->height / (double)flow->rows;
    struct flow_link_search links = {
        .boundary = boundary, .flow = flow, .speed = speed, .unit = unit, .error = error};
    struct region *region;
    if (region_create(boundary, &region, error))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < flow->columns * flow->rows; k++)
        flow->is_solid[k] = !region_contains(region, ((double)(k % flow->columns) + 0.5) * dx,
                                             ((double)(k / flow->columns) + 0.5) * dy);
    region_free(region);
    links_add_all(&links, dx, dy);
    if (links.status)
        return links.status;
    const size_t count = flow->link_count;
    flow->exchanged =
        memory_allocate(count, sizeof *flow->exchanged, "the walls of the lattice", error);
    if (!flow->exchanged)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++)
        flow->exchanged[k][0] = links_drags(&links, &flow->links[k]);
    flow->link_count = 0;
    for (size_t k = 0; k < count; k++) {
        struct flow_link link = flow->links[k];
        link.u *= flow->exchanged[k][0];
        link.v *= flow->exchanged[k][0];
        const struct flow_population out = link.out;
        const int d = out.direction, back = flow_mirrored[2][d];
        const double column = (double)out.column, row = (double)out.row;
        const struct flow_population in = {out.column, out.row, back};
        link.other = link.fraction > 0.5 ? in : out;
        if (link.end == FLOW_OUTLET) /* as of the node beyond the end, so at the one before it */
            link.other = links_find(&links, column, row + flow_y[d], back).out;
        else if (link.fraction <= 0.5 && *links_number(flow, in) == 0)
            link.other = links_find(&links, column - flow_x[d], row - flow_y[d], d).out;
        if (link.end == FLOW_OUTLET &&
            flow->is_solid[link.other.column + flow->columns * link.other.row])
            link.other = in;
        if (!flow->is_solid[out.column + flow->columns * out.row])
            flow->links[flow->link_count++] = link;
    }
    return STATUS_DONE;
}

/* ---- Making it ---- */

enum status flow_create(struct flow *flow, const struct boundary *boundary, size_t columns,
                        size_t rows, double viscosity, double speed, double unit,
                        const double force[2], struct error *error)
{
    char what[80];
    const size_t sides = boundary->polygons ? boundary->polygons->side_count : 0;
    *flow = (struct flow){.columns = columns,
                          .rows = rows,
                          .is_seam = {(boundary->periodic & PERIODIC_X) && speed == 0,
                                      (boundary->periodic & PERIODIC_Y) != 0},
                          .even = 1 / (3 * viscosity + 0.5),
                          .odd = 1 / (MAGIC / (3 * viscosity) + 0.5),
                          .force = {force[0], force[1]},
                          .wall_count = BOUNDARY_SIDES + sides};
    /* Rows begin on lines of the cache, and not all of them in the same set. */
    flow->stride = (columns + 17) / 8 * 8;
    flow->stride += flow->stride % 64 == 0 ? 8 : 0;
    flow->line = FLOW_DIRECTIONS * flow->stride;
    for (size_t d = 0; d < FLOW_DIRECTIONS; d++)
        flow->offsets[d] = 2 * flow->line + d * flow->stride + 8;
    snprintf(what, sizeof what, "the %zu x %zu nodes of the lattice", columns, rows);
    flow->populations = memory_allocate_lines(rows + 4, flow->line * sizeof(double), what, error);
    flow->is_solid = flow->populations ? memory_allocate(columns, rows, what, error) : NULL;
    flow->walls = memory_allocate_zeros(flow->wall_count, sizeof *flow->walls,
                                        "the walls of the lattice", error);
    if (!flow->populations || !flow->is_solid || !flow->walls)
        return STATUS_NO_MEMORY;
    memset(flow->populations, 0, (rows + 4) * flow->line * sizeof(double));
    enum status status = flow_find_links(flow, boundary, speed, unit, error);
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
