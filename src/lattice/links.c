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

struct link_search {
    const struct boundary *boundary;
    struct flow *flow;
    double speed, unit; /* see flow_create */
    int is_channel;     /* the stream comes in between walls that hold it */
    size_t capacity;
    enum status status;
    struct error *error;
};

/* Finds the node at a place, across seams; 0: there is none. */
static int links_find_node(const struct flow *flow, double column, double row, size_t node[2])
{
    const double columns = (double)flow->columns, rows = (double)flow->rows;
    if (flow->is_seam[0])
        column -= columns * floor(column / columns);
    if (flow->is_seam[1])
        row -= rows * floor(row / rows);
    node[0] = (size_t)fmax(0, column);
    node[1] = (size_t)fmax(0, row);
    return column >= 0 && column < columns && row >= 0 && row < rows;
}

/* Ends the link that leads from a node in a direction, if none of the sides before was as near; a
 * side of a polygon without friction on or behind one of the box does not, as that mirrors. */
static void links_add(struct link_search *links, const struct flow_link *link, double column,
                      double row, int d, double fraction)
{
    struct flow *flow = links->flow;
    size_t node[2], beyond[2];
    if (links->status || !links_find_node(flow, column, row, node) ||
        (link->end == FLOW_SLIP && fraction > 0.5 - NEAR &&
         !links_find_node(flow, column + flow_x[d], row + flow_y[d], beyond)))
        return;
    double *number = &flow->next[flow_place(flow, node[0], node[1], d)];
    if (*number > 0 && flow->links[(size_t)*number - 1].fraction < fraction + NEAR)
        return;
    if (*number == 0) {
        struct flow_link *list =
            memory_grow(flow->links, flow->link_count, &links->capacity, sizeof *list,
                        "the walls of the lattice", links->error);
        if (!list) {
            links->status = STATUS_NO_MEMORY;
            return;
        }
        flow->links = list;
        *number = (double)++flow->link_count;
    }
    struct flow_link *added = &flow->links[(size_t)*number - 1];
    *added = *link;
    added->column = node[0];
    added->row = node[1];
    added->direction = d;
    added->fraction = fraction;
    const double y = (row + 0.5) / (double)flow->rows;
    if (link->wall < 2 && links->is_channel)
        added->u *= 6 * y * (1 - y);
}

/* Ends the links of a node at a side from `a` to `b`, in units of the lattice with nodes at whole
 * numbers; `link` is what all of them have in common. */
static void links_cross(struct link_search *links, const struct flow_link *link, const double a[2],
                        const double b[2], double column, double row)
{
    const double length = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    const double lx = (b[0] - a[0]) / length, ly = (b[1] - a[1]) / length;
    const double above = (column - a[0]) * link->nx + (row - a[1]) * link->ny;
    const double along = (column - a[0]) * lx + (row - a[1]) * ly;
    const int is_on = fabs(above) < NEAR && along > -NEAR && along < length + NEAR;
    size_t node[2];
    if (is_on && links_find_node(links->flow, column, row, node))
        links->flow->is_solid[node[0] + links->flow->columns * node[1]] = 1;
    for (int d = 1; d < FLOW_DIRECTIONS && above > -NEAR && above < 1.5; d++) {
        const double down = -(flow_x[d] * link->nx + flow_y[d] * link->ny);
        const double fraction = above / down;
        const double place = along + fraction * (flow_x[d] * lx + flow_y[d] * ly);
        if (is_on && down > -NEAR)
            links_add(links, link, column - flow_x[d], row - flow_y[d], d, 1);
        else if (!is_on && above > 0 && down > 0 && fraction <= 1 && place >= -LONGER &&
                 place <= length + LONGER)
            links_add(links, link, column, row, d, fraction);
    }
}

/* The law of a wall that holds the flow; NULL: it has no friction. */
static const struct wall_law *links_law(const struct link_search *links, size_t number)
{
    const struct wall_laws *laws = links->boundary->walls;
    const struct wall_law *law = laws ? &laws->list[number] : &wall_law_smooth;
    return law->temperature > 0 && law->accommodation > 0 ? law : NULL;
}

/* The links that end at a side; `facing` is 1 if the flow is to the left of it, -1 if to the right;
 * its law has this number. A stream comes in as a wall that moves. */
static void links_add_side(struct link_search *links, uint32_t wall, size_t law_number,
                           const double a[2], const double b[2], int facing)
{
    const struct flow *flow = links->flow;
    const double lx = b[0] - a[0], ly = b[1] - a[1], length = sqrt(lx * lx + ly * ly);
    struct flow_link link = {.wall = wall, .nx = -facing * ly / length, .ny = facing * lx / length};
    const struct wall_law *law = links_law(links, law_number);
    if (wall < 2 && links->speed != 0) {
        link.end = links->speed * link.nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        link.u = links->speed;
    } else if (law) {
        link.u = law->speed * links->unit * lx / length;
        link.v = law->speed * links->unit * ly / length;
    } else {
        link.end = FLOW_SLIP;
    }
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = floor(fmin(a[axis], b[axis])) - 1;
        high[axis] = ceil(fmax(a[axis], b[axis])) + 1;
        if (!flow->is_seam[axis]) {
            low[axis] = fmax(low[axis], -1);
            high[axis] = fmin(high[axis], (double)(axis == 0 ? flow->columns : flow->rows));
        }
    }
    for (double row = low[1]; length > 0 && row <= high[1]; row++)
        for (double column = low[0]; column <= high[0]; column++)
            links_cross(links, &link, a, b, column, row);
}

/* Sides of a box without friction mirror, and no link ends there. */
static void links_of_box(struct link_search *links)
{
    for (int side = 0; side < BOUNDARY_SIDES; side++) {
        double ends[2][2] = {{-0.5, -0.5},
                             {(double)links->flow->columns - 0.5, (double)links->flow->rows - 0.5}};
        ends[1 - side % 2][side / 2] = ends[side % 2][side / 2];
        if (!links->flow->is_seam[side / 2] &&
            (links_law(links, (size_t)side) || (side < 2 && links->speed != 0)))
            links_add_side(links, (uint32_t)side, (size_t)side, ends[0], ends[1],
                           side == 1 || side == 2 ? 1 : -1);
    }
}

/* Polygons that stand on a side of the box that mirrors have an image, which ends links, too. */
static void links_of_polygon_side(struct link_search *links, const struct side *side, double dx,
                                  double dy)
{
    const struct polygons *polygons = links->boundary->polygons;
    const struct side *next = polygons_next_side(polygons, side);
    const double sizes[2] = {(double)links->flow->columns, (double)links->flow->rows};
    const double lx = next->corner_x - side->corner_x, ly = next->corner_y - side->corner_y;
    /* Both sides of a thin wall have one direction. */
    const int facing = lx * side->lx + ly * side->ly < 0 ? -side->facing : side->facing;
    for (int mirror = -1; mirror < BOUNDARY_SIDES; mirror++) {
        double ends[2][2] = {{side->corner_x / dx - 0.5, side->corner_y / dy - 0.5},
                             {next->corner_x / dx - 0.5, next->corner_y / dy - 0.5}};
        const int axis = mirror / 2;
        for (int k = 0; k < 2 && mirror >= 0; k++)
            ends[k][axis] = (mirror % 2 ? 2 * sizes[axis] - 1 : -1) - ends[k][axis];
        if (mirror < 0 || !links->flow->is_seam[axis])
            links_add_side(links, (uint32_t)(BOUNDARY_SIDES + (side - polygons->sides)),
                           BOUNDARY_SIDES + side->polygon, ends[0], ends[1],
                           mirror < 0 ? facing : -facing);
    }
}

enum status flow_find_links(struct flow *flow, const struct boundary *boundary, double speed,
                            double unit, struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    const double dx = boundary->width / (double)flow->columns;
    const double dy = boundary->height / (double)flow->rows;
    struct link_search links = {
        .boundary = boundary, .flow = flow, .speed = speed, .unit = unit, .error = error};
    struct region *region = NULL;
    if (polygons && region_create(boundary, &region, error))
        return STATUS_NO_MEMORY;
    for (size_t node = 0; node < flow->columns * flow->rows; node++)
        flow->is_solid[node] =
            region && !region_contains(region, ((double)(node % flow->columns) + 0.5) * dx,
                                       ((double)(node / flow->columns) + 0.5) * dy);
    region_free(region);
    links.is_channel = !flow->is_seam[1] && links_law(&links, 2) && links_law(&links, 3);
    links_of_box(&links);
    for (size_t k = 0; polygons && k < polygons->side_count; k++)
        if (!polygons->list[polygons->sides[k].polygon].is_hidden)
            links_of_polygon_side(&links, &polygons->sides[k], dx, dy);
    for (size_t node = 0; node < flow->columns * flow->rows; node++)
        flow->nodes += !flow->is_solid[node];
    if (!links.status && flow->nodes == 0)
        return error_set(error, STATUS_BAD_DATA, "no node of a lattice of %zu x %zu is in the flow",
                         flow->columns, flow->rows);
    return links.status;
}
