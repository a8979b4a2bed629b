/*
 * The links of a flow that end at walls; see flow.h. All links are on four families of lines: rows,
 * columns and both diagonals. So each side of a polygon is followed through the lines that it
 * crosses, and each crossing ends the link of one node and the opposite link of the next.
 *
 * A node that is on a side, within rounding, is solid: its neighbours' links end there.
 */
#include "flow.h"

#include "base/memory.h"
#include "model/polygons.h"
#include "model/region.h"
#include "model/wall_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a link: how near nodes are to be on a side; and by how much sides are too long. */
static const double NEAR = 1e-6, LONGER = 1e-9;

struct links {
    const struct boundary *boundary;
    double speed, unit; /* see flow.h */
    struct flow_walls *walls;
    size_t capacity;
    struct error *error;
    int is_full; /* there was no memory */
};

/* The node beside a place in the lattice that is up to one column and row outside of it; or -1. */
static int links_find_node(const struct links *links, double column, double row, size_t *node)
{
    const double columns = (double)links->walls->columns, rows = (double)links->walls->rows;
    const int is_seam_x = (links->boundary->periodic & PERIODIC_X) && links->speed == 0;
    if (is_seam_x)
        column -= columns * floor(column / columns);
    if (links->boundary->periodic & PERIODIC_Y)
        row -= rows * floor(row / rows);
    if (!(column >= 0 && column < columns && row >= 0 && row < rows))
        return 0;
    *node = (size_t)column + (size_t)row * links->walls->columns;
    return 1;
}

static void links_add(struct links *links, struct flow_link link)
{
    struct flow_walls *walls = links->walls;
    void *list = memory_grow(walls->links, walls->count, &links->capacity, sizeof link,
                             "the walls of the lattice", links->error);
    links->is_full |= !list;
    if (!list)
        return;
    walls->links = list;
    walls->links[walls->count++] = link;
}

/* Sets the velocity of a wall, and whether it holds the flow; (x, y) is the direction of its speed.
 */
static void link_set_law(const struct links *links, struct flow_link *link, size_t number, double x,
                         double y)
{
    const struct wall_laws *laws = links->boundary->walls;
    const struct wall_law *law = laws ? &laws->list[number] : &wall_law_smooth;
    const int is_rough = law->temperature > 0 && law->accommodation > 0;
    link->end = is_rough ? FLOW_NO_SLIP : FLOW_SLIP;
    link->u = is_rough ? law->speed * links->unit * x : 0;
    link->v = is_rough ? law->speed * links->unit * y : 0;
}

/* ---- The box ---- */

static int links_are_seams(const struct links *links, int side)
{
    if (side < 2 && links->speed != 0)
        return 0;
    return (links->boundary->periodic & (side < 2 ? PERIODIC_X : PERIODIC_Y)) != 0;
}

/* What a side of the box is to the flow. A stream comes in as a wall that moves. */
static struct flow_link links_side(const struct links *links, int side)
{
    static const double normals[BOUNDARY_SIDES][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    struct flow_link link = {.wall = (uint32_t)side, .fraction = 0.5};
    link.nx = normals[side][0];
    link.ny = normals[side][1];
    if (side >= 2 || links->speed == 0) {
        link_set_law(links, &link, (size_t)side, side < 2 ? 0 : 1, side < 2 ? 1 : 0);
    } else {
        link.end = links->speed * link.nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        link.u = link.end == FLOW_OUTLET ? 0 : links->speed;
    }
    return link;
}

/* The links that leave the box at a side, for nodes from (column, row) on; where a link leaves it
 * at a corner, both sides have it. */
static void links_of_side(struct links *links, int side)
{
    const size_t columns = links->walls->columns, rows = links->walls->rows;
    const size_t first = side == 1 ? columns - 1 : side == 3 ? columns * (rows - 1) : 0;
    const size_t count = side < 2 ? rows : columns;
    struct flow_link link = links_side(links, side);
    if (links_are_seams(links, side))
        return;
    const int is_channel = !links_are_seams(links, 2) && side < 2 && links->speed != 0 &&
                           links_side(links, 2).end == FLOW_NO_SLIP &&
                           links_side(links, 3).end == FLOW_NO_SLIP;
    const double speed = link.u;
    for (size_t k = 0; k < count; k++) {
        const double y = ((double)k + 0.5) / (double)count;
        link.node = first + k * (side < 2 ? columns : 1);
        if (is_channel)
            link.u = 6 * y * (1 - y) * speed;
        for (int d = 1; d < FLOW_DIRECTIONS; d++) {
            link.direction = (uint8_t)d;
            if (flow_x[d] * link.nx + flow_y[d] * link.ny < 0)
                links_add(links, link);
        }
    }
}

/* ---- Polygons ---- */

/* Ends the link at a wall that leads from a node in a direction. */
static void links_add_from(struct links *links, struct flow_link link, double x, double y,
                           int direction, double fraction)
{
    link.direction = (uint8_t)direction;
    link.fraction = fraction;
    if (links_find_node(links, x, y, &link.node))
        links_add(links, link);
}

/* A node on a side: all links to it from the side's nodes end there. */
static void links_add_solid(struct links *links, const struct flow_link *link, double x, double y)
{
    size_t node;
    if (links_find_node(links, x, y, &node))
        links->walls->is_solid[node] = 1;
    for (int d = 1; d < FLOW_DIRECTIONS; d++)
        if (flow_x[d] * link->nx + flow_y[d] * link->ny < NEAR)
            links_add_from(links, *link, x - flow_x[d], y - flow_y[d], d, 1);
}

/* Ends links along a direction, from 1 to 4, or its opposite, at a side from `a` to `b` in units of
 * the lattice, with nodes at whole numbers. `link` is the same for all of them. */
static void links_cross(struct links *links, int d, const double a[2], const double b[2],
                        const struct flow_link *link)
{
    const double x = flow_x[d], y = flow_y[d];
    const double from = y * a[0] - x * a[1], to = y * b[0] - x * b[1]; /* number of the line */
    const int is_forward = x * link->nx + y * link->ny < 0;
    if (fabs(to - from) < LONGER)
        return; /* along the line; others cross it */
    for (double line = ceil(fmin(from, to) - LONGER); line <= fmax(from, to) + LONGER; line++) {
        const double t = fmin(1, fmax(0, (line - from) / (to - from)));
        const double along = x != 0 ? x * (a[0] + t * (b[0] - a[0])) : a[1] + t * (b[1] - a[1]);
        const double nearest = floor(along + 0.5);
        const int is_on_node = fabs(along - nearest) < NEAR;
        const double node = is_on_node ? nearest : floor(along) + (is_forward ? 0 : 1);
        const double column = x != 0 ? x * node : line;
        const double row = x != 0 ? x * (y * column - line) : node;
        if (is_on_node)
            links_add_solid(links, link, column, row);
        else
            links_add_from(links, *link, column, row, is_forward ? d : d + 4, fabs(along - node));
    }
}

static void links_of_polygons(struct links *links, const struct polygons *polygons)
{
    const double dx = links->boundary->width / (double)links->walls->columns;
    const double dy = links->boundary->height / (double)links->walls->rows;
    for (size_t k = 0; k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k];
        const struct side *next = polygons_next_side(polygons, side);
        const double a[2] = {side->corner_x / dx - 0.5, side->corner_y / dy - 0.5};
        const double b[2] = {next->corner_x / dx - 0.5, next->corner_y / dy - 0.5};
        const double lx = b[0] - a[0], ly = b[1] - a[1];
        const double length = sqrt(lx * lx + ly * ly);
        struct flow_link link = {.wall = (uint32_t)(BOUNDARY_SIDES + k)};
        if (polygons->list[side->polygon].is_hidden || !(length > 0))
            continue;
        link.nx = -side->facing * ly / length;
        link.ny = side->facing * lx / length;
        link_set_law(links, &link, BOUNDARY_SIDES + side->polygon, lx / length, ly / length);
        for (int d = 1; d <= 4; d++)
            links_cross(links, d, a, b, &link);
    }
}

/* Marks the nodes outside of the region. Returns STATUS_DONE or STATUS_NO_MEMORY. */
static enum status links_find_solid(struct links *links)
{
    struct flow_walls *walls = links->walls;
    const double dx = links->boundary->width / (double)walls->columns;
    const double dy = links->boundary->height / (double)walls->rows;
    struct region *region;
    memset(walls->is_solid, 0, walls->columns * walls->rows);
    if (!links->boundary->polygons)
        return STATUS_DONE;
    if (region_create(links->boundary, &region, links->error))
        return STATUS_NO_MEMORY;
    for (size_t row = 0; row < walls->rows; row++)
        for (size_t column = 0; column < walls->columns; column++)
            walls->is_solid[column + row * walls->columns] =
                !region_contains(region, ((double)column + 0.5) * dx, ((double)row + 0.5) * dy);
    region_free(region);
    return STATUS_DONE;
}

/* ---- All of them ---- */

/* The order of links: by node and direction, then the nearest first; at a corner of the box bottom
 * and top count, so that a channel's inflow has no corners of its own. */
static int links_compare(const void *left, const void *right)
{
    const struct flow_link *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->direction != b->direction)
        return a->direction < b->direction ? -1 : 1;
    if (a->fraction != b->fraction)
        return a->fraction < b->fraction ? -1 : 1;
    const uint32_t i = a->wall < BOUNDARY_SIDES ? BOUNDARY_SIDES - 1 - a->wall : a->wall;
    const uint32_t j = b->wall < BOUNDARY_SIDES ? BOUNDARY_SIDES - 1 - b->wall : b->wall;
    return (i > j) - (i < j);
}

/* Keeps the first link of each node and direction; none of solid nodes. */
static void links_sort(struct flow_walls *walls)
{
    size_t count = 0;
    if (walls->count > 0)
        qsort(walls->links, walls->count, sizeof *walls->links, links_compare);
    for (size_t k = 0; k < walls->count; k++) {
        const struct flow_link *link = &walls->links[k], *last = &walls->links[count - (count > 0)];
        if (walls->is_solid[link->node] ||
            (count > 0 && link->node == last->node && link->direction == last->direction))
            continue;
        walls->links[count++] = *link;
    }
    walls->count = count;
}

enum status flow_walls_find(const struct boundary *boundary, size_t columns, size_t rows,
                            double speed, double unit, struct flow_walls *walls,
                            struct error *error)
{
    struct links links = {
        .boundary = boundary, .speed = speed, .unit = unit, .walls = walls, .error = error};
    const struct polygons *polygons = boundary->polygons;
    *walls =
        (struct flow_walls){.columns = columns,
                            .rows = rows,
                            .wall_count = BOUNDARY_SIDES + (polygons ? polygons->side_count : 0)};
    walls->is_solid = memory_allocate(columns, rows, "the nodes of the lattice", error);
    if (!walls->is_solid || links_find_solid(&links))
        goto no_memory;
    if (polygons)
        links_of_polygons(&links, polygons);
    for (int side = 0; side < BOUNDARY_SIDES; side++)
        links_of_side(&links, side);
    if (links.is_full)
        goto no_memory;
    links_sort(walls);
    if (!memchr(walls->is_solid, 0, columns * rows)) {
        flow_walls_free(walls);
        return error_set(error, STATUS_BAD_DATA,
                         "no node of a lattice of %zu x %zu is in the flow: take a finer one",
                         columns, rows);
    }
    return STATUS_DONE;
no_memory:
    flow_walls_free(walls);
    return STATUS_NO_MEMORY;
}

void flow_walls_free(struct flow_walls *walls)
{
    memory_free(walls->links);
    memory_free(walls->is_solid);
    *walls = (struct flow_walls){0};
}
