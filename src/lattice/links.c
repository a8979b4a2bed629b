/*
 * The links of a flow that end at walls; see flow.h. Each side, of the box or a polygon, ends the
 * links of the nodes around it that cross it from its front. A node that is on a side, within
 * rounding, is solid: its neighbours' links end there.
 */
#include "flow.h"

#include "base/memory.h"
#include "model/region.h"
#include "model/wall_law.h"

#include <math.h>

/* Parts of a link: how near nodes are to be on a side, and by how much sides are too long. */
static const double NEAR = 1e-6, LONGER = 1e-9;

/* The same of walls without friction: nearer nodes would follow the wall, which follows them. */
static const double NEAR_SLIP = 0.1;

/* Sides that meet at an angle whose cosine is above this are parts of a curved wall. */
static const double SMOOTH = 0.9;

struct link_search {
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

/* Finds the node at a place, across seams and mirrored by other sides of the box; and the link that
 * the one from there in a direction then is. */
static struct flow_link links_find(const struct link_search *links, double column, double row,
                                   int d)
{
    struct flow_link link = links->link;
    double place[2] = {column, row};
    for (int axis = 0; axis < 2; axis++) {
        const double n = (double)(axis == 0 ? links->flow->columns : links->flow->rows);
        if (links->boundary->periodic & (axis == 0 ? PERIODIC_X : PERIODIC_Y)) {
            place[axis] -= n * floor(place[axis] / n);
        } else if (place[axis] < 0 || place[axis] >= n) {
            place[axis] = (place[axis] < 0 ? -1 : 2 * n - 1) - place[axis];
            *(axis == 0 ? &link.nx : &link.ny) *= -1;
            *(axis == 0 ? &link.u : &link.v) *= -1;
            d = flow_mirrored[axis][d];
        }
    }
    link.out = (struct flow_population){(size_t)place[0], (size_t)place[1], d};
    return link;
}

/* Where the search keeps the number, from 1, of the link of a population; 0: it does not end. */
static double *links_number(const struct flow *flow, struct flow_population out)
{
    return &flow->populations[flow_place(flow, out)];
}

/* Ends a link, if none of the sides before was as near; at a corner of the box the mean of
 * two walls' velocities counts. Sides of the box have no images; and one of a polygon without
 * friction, on or behind a side of the box, ends nothing, as that mirrors. A wall also ends the
 * links that meet it at the edge of an outlet. */
static void links_add(struct link_search *links, double column, double row, int d, double fraction)
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
        if (link.wall < BOUNDARY_SIDES && links->speed == 0) {
            last->u = (last->u + link.u) / 2;
            last->v = (last->v + link.v) / 2;
        }
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
    flow->links[(size_t)*number - 1] = link;
}
/* Ends the links at a side from and to a node. */
static void links_cross(struct link_search *links, double column, double row)
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
        const double shift = flow_x[d] * lx + flow_y[d] * ly, place = along + fraction * shift;
        const double part = (is_on ? along - shift : along) / links->length;
        const double height = place / links->length;
        const double bend =
            fmax(-1, fmin(1, links->bends[0] + part * (links->bends[1] - links->bends[0])));
        links->link.nx = (nx + bend * lx) / sqrt(1 + bend * bend);
        links->link.ny = (ny + bend * ly) / sqrt(1 + bend * bend);
        if (links->is_parabola)
            links->link.u = links->speed * (6 * height * (1 - height));
        if (is_on && (down > -NEAR || above > NEAR))
            links_add(links, column - flow_x[d], row - flow_y[d], d, 1);
        else if (!is_on && above > 0 && down > 0 && fraction <= 1 && place >= -LONGER &&
                 place <= links->length + LONGER)
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

/* Turns the normal of a side at its ends half-way to those of the sides there, if the wall is
 * curved. */
static void links_bend(struct link_search *links, const struct side *side)
{
    const struct polygons *polygons = links->boundary->polygons;
    const struct side *ends[2] = {polygons_side_before(polygons, side),
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
static void links_add_side(struct link_search *links, uint32_t wall, const double a[2],
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
    links->link = (struct flow_link){.wall = wall, .end = law ? FLOW_NO_SLIP : FLOW_SLIP};
    if (is_end) {
        links->link.end = links->speed * links->nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        links->link.u = links->speed;
    } else if (law) {
        links->link.u = law->speed * links->unit * links->lx;
        links->link.v = law->speed * links->unit * links->ly;
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

/* Ends all links that meet sides. */
static void links_add_all(struct link_search *links)
{
    const struct polygons *polygons = links->boundary->polygons;
    const double columns = (double)links->flow->columns, rows = (double)links->flow->rows;
    const double dx = links->boundary->width / columns, dy = links->boundary->height / rows;
    for (int side = 0; side < BOUNDARY_SIDES; side++) {
        double ends[2][2] = {{-0.5, -0.5}, {columns - 0.5, rows - 0.5}};
        ends[1 - side % 2][side / 2] = ends[side % 2][side / 2];
        if (!links->flow->is_seam[side / 2])
            links_add_side(links, (uint32_t)side, ends[0], ends[1],
                           side == 1 || side == 2 ? 1 : -1);
    }
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k], *next = polygons_next_side(polygons, side);
        const double a[2] = {side->corner_x / dx - 0.5, side->corner_y / dy - 0.5};
        const double b[2] = {next->corner_x / dx - 0.5, next->corner_y / dy - 0.5};
        if (!polygons->list[side->polygon].is_hidden) /* both sides of thin walls have one l */
            links_add_side(links, (uint32_t)(BOUNDARY_SIDES + k), a, b,
                           side->is_thin ? 1 : side->facing);
    }
}

enum status flow_find_links(struct flow *flow, const struct boundary *boundary, double speed,
                            double unit, struct error *error)
{
    const double dx = boundary->width / (double)flow->columns;
    const double dy = boundary->height / (double)flow->rows;
    struct link_search links = {
        .boundary = boundary, .flow = flow, .speed = speed, .unit = unit, .error = error};
    struct region *region;
    if (region_create(boundary, &region, error))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < flow->columns * flow->rows; k++)
        flow->is_solid[k] = !region_contains(region, ((double)(k % flow->columns) + 0.5) * dx,
                                             ((double)(k / flow->columns) + 0.5) * dy);
    region_free(region);
    links_add_all(&links);
    if (links.status)
        return links.status;
    const size_t count = flow->link_count;
    flow->link_count = 0;
    for (size_t k = 0; k < count; k++) {
        struct flow_link link = flow->links[k];
        const struct flow_population out = link.out;
        struct flow_population in = out;
        in.direction = flow_mirrored[2][in.direction];
        link.other = link.fraction > 0.5 ? in : out;
        if (link.fraction <= 0.5 && *links_number(flow, in) == 0)
            link.other = links_find(&links, (double)out.column - flow_x[out.direction],
                                    (double)out.row - flow_y[out.direction], out.direction)
                             .out;
        if (link.end == FLOW_OUTLET) { /* as of the node beyond the end, so at the one before it */
            link.other = links_find(&links, (double)out.column,
                                    (double)out.row + flow_y[out.direction], in.direction)
                             .out;
            if (flow->is_solid[link.other.column + flow->columns * link.other.row])
                link.other = in;
        }
        if (!flow->is_solid[out.column + flow->columns * out.row])
            flow->links[flow->link_count++] = link;
    }
    flow->exchanged = memory_allocate(flow->link_count, sizeof *flow->exchanged,
                                      "the walls of the lattice", error);
    return flow->exchanged ? STATUS_DONE : STATUS_NO_MEMORY;
}
