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
    size_t capacity;
    enum status status;
    struct error *error;
};

/* Finds the node at a place, across seams and mirrored by other sides of the box; and the link that
 * the one from there in a direction then is. */
static struct flow_link links_find(const struct link_search *links, double column, double row,
                                   int d)
{
    const struct flow *flow = links->flow;
    struct flow_link link = links->link;
    double place[2] = {column, row};
    for (int axis = 0; axis < 2; axis++) {
        const double n = (double)(axis == 0 ? flow->columns : flow->rows);
        if (links->boundary->periodic & (axis == 0 ? PERIODIC_X : PERIODIC_Y)) {
            place[axis] -= n * floor(place[axis] / n);
        } else if (place[axis] < 0 || place[axis] >= n) {
            place[axis] = (place[axis] < 0 ? -1 : 2 * n - 1) - place[axis];
            *(axis == 0 ? &link.nx : &link.ny) *= -1;
            *(axis == 0 ? &link.u : &link.v) *= -1;
            d = flow_mirrored[axis][d];
        }
    }
    link.column = (size_t)place[0];
    link.row = (size_t)place[1];
    link.direction = d;
    return link;
}

/* Ends a link, if none of the sides before was as near; at a corner of the box the mean of
 * two walls' velocities counts. Sides of the box have no images; and one of a polygon without
 * friction, on or behind a side of the box, ends nothing, as that mirrors. */
static void links_add(struct link_search *links, double column, double row, int d, double fraction)
{
    struct flow *flow = links->flow;
    struct flow_link link = links_find(links, column, row, d);
    const size_t x = link.column + (size_t)flow_x[link.direction];
    const size_t y = link.row + (size_t)flow_y[link.direction];
    double *number = &flow->populations[flow_place(flow, link.column, link.row, link.direction)];
    struct flow_link *last = *number > 0 ? &flow->links[(size_t)*number - 1] : NULL;
    if (links->status || (link.wall < BOUNDARY_SIDES && link.direction != d) ||
        (last && last->fraction < fraction - NEAR) ||
        (link.end == FLOW_SLIP && link.direction == d && fraction > 0.5 - NEAR &&
         ((x >= flow->columns && !flow->is_seam[0]) || (y >= flow->rows && !flow->is_seam[1]))))
        return;
    if (last && last->fraction < fraction + NEAR) {
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
        const struct flow_link link = links_find(links, column, row, 0);
        links->flow->is_solid[link.column + links->flow->columns * link.row] = 1;
    }
    for (int d = 1; d < FLOW_DIRECTIONS && above > -NEAR && above < 1.5; d++) {
        const double down = -(flow_x[d] * nx + flow_y[d] * ny), fraction = above / down;
        const double shift = flow_x[d] * lx + flow_y[d] * ly, place = along + fraction * shift;
        const double part = (is_on ? along - shift : along) / links->length;
        const double bend =
            fmax(-1, fmin(1, links->bends[0] + part * (links->bends[1] - links->bends[0])));
        links->link.nx = (nx + bend * lx) / sqrt(1 + bend * bend);
        links->link.ny = (ny + bend * ly) / sqrt(1 + bend * bend);
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

/* Sets the geometry of a side from `a` to `b`; `facing` is 1 if the flow is to the left of it, -1
 * if to the right. */
static void links_place(struct link_search *links, const double a[2], const double b[2], int facing)
{
    links->ax = a[0];
    links->ay = a[1];
    links->length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    links->lx = (b[0] - a[0]) / links->length;
    links->ly = (b[1] - a[1]) / links->length;
    links->nx = -facing * links->ly;
    links->ny = facing * links->lx;
    links->bends[0] = links->bends[1] = 0;
}

/* The links that end at a side whose place is set. A stream comes in as a wall that moves; sides of
 * the box without friction mirror, and no link ends there. */
static void links_add_side(struct link_search *links, uint32_t wall, int32_t feature)
{
    const struct wall_law *law = links_law(links->boundary, feature);
    const double ax = links->ax, bx = ax + links->length * links->lx;
    const double ay = links->ay, by = ay + links->length * links->ly;
    struct flow_link *link = &links->link;
    *link = (struct flow_link){.wall = wall, .end = law ? FLOW_NO_SLIP : FLOW_SLIP};
    if (wall < 2 && links->speed != 0) {
        link->end = links->speed * links->nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        link->u = links->speed;
    } else if (law) {
        link->u = law->speed * links->unit * links->lx;
        link->v = law->speed * links->unit * links->ly;
    } else if (wall < BOUNDARY_SIDES) {
        return;
    }
    for (double row = floor(fmin(ay, by)) - 1; row <= ceil(fmax(ay, by)) + 1; row++)
        for (double column = floor(fmin(ax, bx)) - 1; column <= ceil(fmax(ax, bx)) + 1; column++)
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
        links_place(links, ends[0], ends[1], side == 1 || side == 2 ? 1 : -1);
        if (!links->flow->is_seam[side / 2])
            links_add_side(links, (uint32_t)side, FEATURE_LEFT - side);
    }
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k];
        const struct side *ends[2] = {polygons_side_before(polygons, side),
                                      polygons_next_side(polygons, side)};
        const double a[2] = {side->corner_x / dx - 0.5, side->corner_y / dy - 0.5};
        const double b[2] = {ends[1]->corner_x / dx - 0.5, ends[1]->corner_y / dy - 0.5};
        /* Both sides of a thin wall have one direction. */
        const int is_turned = (b[0] - a[0]) * side->lx + (b[1] - a[1]) * side->ly < 0;
        const int32_t feature = polygons_feature(k, 0);
        links_place(links, a, b, is_turned ? -side->facing : side->facing);
        for (int end = 0; end < 2; end++) {
            const double scale = ends[end]->facing / ends[end]->length;
            const double nx = -scale * ends[end]->ly, ny = scale * ends[end]->lx;
            if (nx * links->nx + ny * links->ny > SMOOTH && !links_law(links->boundary, feature))
                links->bends[end] = (nx * links->lx + ny * links->ly) / 2;
        }
        if (!polygons->list[side->polygon].is_hidden)
            links_add_side(links, (uint32_t)(BOUNDARY_SIDES + k), feature);
    }
}

enum status flow_find_links(struct flow *flow, const struct boundary *boundary, double speed,
                            double unit, struct error *error)
{
    struct link_search links = {
        .boundary = boundary, .flow = flow, .speed = speed, .unit = unit, .error = error};
    struct region *region = NULL;
    if (boundary->polygons && region_create(boundary, &region, error))
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < flow->columns * flow->rows; k++)
        flow->is_solid[k] =
            region &&
            !region_contains(
                region,
                ((double)(k % flow->columns) + 0.5) * (boundary->width / (double)flow->columns),
                ((double)(k / flow->columns) + 0.5) * (boundary->height / (double)flow->rows));
    region_free(region);
    links_add_all(&links);
    if (links.status)
        return links.status;
    const int has_parabola = speed != 0 && flow_is_channel(boundary);
    const size_t count = flow->link_count;
    flow->link_count = 0;
    for (size_t k = 0; k < count; k++) {
        struct flow_link link = flow->links[k];
        const double height =
            ((double)link.row + 0.5 + 0.5 * flow_y[link.direction]) / (double)flow->rows;
        const int in = flow_mirrored[2][link.direction];
        const int is_own = link.fraction > 0.5 ||
                           flow->populations[flow_place(flow, link.column, link.row, in)] > 0;
        const struct flow_link other =
            is_own ? link
                   : links_find(&links, (double)link.column - flow_x[link.direction],
                                (double)link.row - flow_y[link.direction], link.direction);
        link.other_column = other.column;
        link.other_row = other.row;
        link.other_direction = link.fraction > 0.5 ? in : other.direction;
        if (link.wall < 2 && has_parabola)
            link.u *= 6 * height * (1 - height);
        if (flow->is_solid[link.column + flow->columns * link.row])
            continue;
        link.next = flow->first_links[link.row];
        flow->links[flow->link_count++] = link;
        flow->first_links[link.row] = flow->link_count;
    }
    flow->exchanged = memory_allocate(flow->link_count, sizeof *flow->exchanged,
                                      "the walls of the lattice", error);
    return flow->exchanged ? STATUS_DONE : STATUS_NO_MEMORY;
}
