/*
 * The links of a flow that end at walls; see flow.h. All links are on four families of lines: rows,
 * columns and both diagonals. So each side, of the box or a polygon, is followed through the lines
 * that it crosses, and each crossing ends the link of the node in front of the side. A node that is
 * on a side, within rounding, is solid: its neighbours' links end there.
 */
#include "flow.h"

#include "base/memory.h"
#include "model/region.h"
#include "model/wall_law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a link: how near nodes are to be on a side; by how much sides are too long; and what
 * positions are rounded to, so that half-way is 1/2. */
static const double NEAR = 1e-6, LONGER = 1e-9, UNIT = 1. / (1 << 30);

struct link_search {
    const struct boundary *boundary;
    double speed, unit; /* see flow.h */
    int is_channel;     /* the stream comes in between walls that hold it */
    struct flow_walls *walls;
    size_t capacity;
    enum status status;
    struct error *error;
};

/* True if a side of the box is a seam of the flow. */
static int links_are_seams(const struct link_search *links, int side)
{
    return side < 2 ? (links->boundary->periodic & PERIODIC_X) && links->speed == 0
                    : (links->boundary->periodic & PERIODIC_Y) != 0;
}

/* Finds the node at a place up to one column and row outside of the lattice; 0: there is none. */
static int links_find_node(const struct link_search *links, double column, double row, size_t *node)
{
    const double columns = (double)links->walls->columns, rows = (double)links->walls->rows;
    if (links_are_seams(links, 0))
        column -= columns * floor(column / columns);
    if (links_are_seams(links, 2))
        row -= rows * floor(row / rows);
    *node = (size_t)fmax(0, column) + (size_t)fmax(0, row) * links->walls->columns;
    return column >= 0 && column < columns && row >= 0 && row < rows;
}

/* Ends the link that leads from a node in a direction. */
static void links_add(struct link_search *links, const struct flow_link *link, double column,
                      double row, int direction, double fraction)
{
    struct flow_walls *walls = links->walls;
    size_t node;
    if (links->status || !links_find_node(links, column, row, &node))
        return;
    walls->links = memory_extend(walls->links, walls->count, &links->capacity, sizeof *walls->links,
                                 "the walls of the lattice", links->error);
    if (!walls->links) {
        links->status = STATUS_NO_MEMORY;
        return;
    }
    struct flow_link *list = walls->links + walls->count++;
    *list = *link;
    list->node = node;
    list->direction = (uint8_t)direction;
    list->fraction = fraction;
    const double y = (row + 0.5) / (double)walls->rows;
    if (link->wall < 2 && links->is_channel)
        list->u *= 6 * y * (1 - y);
}

/* A node on a side: all links to it from the front of the side end there. */
static void links_add_solid(struct link_search *links, const struct flow_link *link, double column,
                            double row)
{
    size_t node;
    if (links_find_node(links, column, row, &node))
        links->walls->is_solid[node] = 1;
    for (int d = 1; d < FLOW_DIRECTIONS; d++)
        if (flow_x[d] * link->nx + flow_y[d] * link->ny < NEAR)
            links_add(links, link, column - flow_x[d], row - flow_y[d], d, 1);
}

/* Ends links along a direction, from 1 to 4, or its opposite, at a side from `a` to `b` in units of
 * the lattice, with nodes at whole numbers. `link` is what all of them have in common. */
static void links_cross(struct link_search *links, int d, const double a[2], const double b[2],
                        const struct flow_link *link)
{
    const double x = flow_x[d], y = flow_y[d];
    const double from = y * a[0] - x * a[1], to = y * b[0] - x * b[1]; /* numbers of lines */
    const int is_forward = x * link->nx + y * link->ny < 0;
    if (fabs(to - from) < LONGER)
        return; /* along a line; others cross it */
    for (double line = ceil(fmin(from, to) - LONGER); line <= fmax(from, to) + LONGER; line++) {
        const double t = fmin(1, fmax(0, (line - from) / (to - from)));
        const double place = x != 0 ? x * (a[0] + t * (b[0] - a[0])) : a[1] + t * (b[1] - a[1]);
        const double along = UNIT * floor(place / UNIT + 0.5);
        const int is_on_node = fabs(along - floor(along + 0.5)) < NEAR;
        const double node = floor(along + (is_on_node ? 0.5 : !is_forward));
        const double column = x != 0 ? x * node : line;
        const double row = x != 0 ? x * (y * column - line) : node;
        if (is_on_node)
            links_add_solid(links, link, column, row);
        else
            links_add(links, link, column, row, is_forward ? d : d + 4, fabs(along - node));
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
    const double lx = b[0] - a[0], ly = b[1] - a[1], length = sqrt(lx * lx + ly * ly);
    struct flow_link link = {.wall = wall, .nx = -facing * ly / length, .ny = facing * lx / length};
    const struct wall_law *law = links_law(links, law_number);
    if (!(length > 0))
        return;
    if (wall < 2 && links->speed != 0) {
        link.end = links->speed * link.nx > 0 ? FLOW_NO_SLIP : FLOW_OUTLET;
        link.u = links->speed;
    } else if (law) {
        link.u = law->speed * links->unit * lx / length;
        link.v = law->speed * links->unit * ly / length;
    } else {
        link.end = FLOW_SLIP;
    }
    for (int d = 1; d <= 4; d++)
        links_cross(links, d, a, b, &link);
}

static void links_of_box(struct link_search *links)
{
    const double right = (double)links->walls->columns - 0.5;
    const double top = (double)links->walls->rows - 0.5;
    const double corners[BOUNDARY_SIDES][2][2] = {{{-0.5, -0.5}, {-0.5, top}},
                                                  {{right, -0.5}, {right, top}},
                                                  {{-0.5, -0.5}, {right, -0.5}},
                                                  {{-0.5, top}, {right, top}}};
    for (int side = 0; side < BOUNDARY_SIDES; side++)
        if (!links_are_seams(links, side))
            links_add_side(links, (uint32_t)side, (size_t)side, corners[side][0], corners[side][1],
                           side == 1 || side == 2 ? 1 : -1);
}

static void links_of_polygons(struct link_search *links, double dx, double dy)
{
    const struct polygons *polygons = links->boundary->polygons;
    for (size_t k = 0; polygons && k < polygons->side_count; k++) {
        const struct side *side = &polygons->sides[k];
        const struct side *next = polygons_next_side(polygons, side);
        const double a[2] = {side->corner_x / dx - 0.5, side->corner_y / dy - 0.5};
        const double b[2] = {next->corner_x / dx - 0.5, next->corner_y / dy - 0.5};
        /* Both sides of a thin wall have one direction. */
        const int is_turned = (b[0] - a[0]) * side->lx + (b[1] - a[1]) * side->ly < 0;
        if (!polygons->list[side->polygon].is_hidden)
            links_add_side(links, (uint32_t)(BOUNDARY_SIDES + k), BOUNDARY_SIDES + side->polygon, a,
                           b, is_turned ? -side->facing : side->facing);
    }
}

/* Marks the nodes outside of the region. Returns STATUS_DONE or STATUS_NO_MEMORY. */
static enum status links_find_solid(struct link_search *links, double dx, double dy)
{
    struct flow_walls *walls = links->walls;
    struct region *region;
    memset(walls->is_solid, 0, walls->columns * walls->rows);
    if (!links->boundary->polygons)
        return STATUS_DONE;
    if (region_create(links->boundary, &region, links->error))
        return STATUS_NO_MEMORY;
    for (size_t node = 0; node < walls->columns * walls->rows; node++)
        walls->is_solid[node] =
            !region_contains(region, ((double)(node % walls->columns) + 0.5) * dx,
                             ((double)(node / walls->columns) + 0.5) * dy);
    region_free(region);
    return STATUS_DONE;
}

/* The order of links: by node and direction, then the nearest first. At a corner of the box a
 * stream comes in or leaves, so that as much leaves as comes in. */
static int links_compare(const void *left, const void *right)
{
    const struct flow_link *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->direction != b->direction)
        return a->direction < b->direction ? -1 : 1;
    if (a->fraction != b->fraction)
        return a->fraction < b->fraction ? -1 : 1;
    return (a->wall > b->wall) - (a->wall < b->wall);
}

/* Sorts links, and keeps the first one of each node and direction; none of solid nodes. */
static void links_sort(struct flow_walls *walls)
{
    const size_t all = walls->count;
    const struct flow_link *last = NULL;
    qsort(walls->links, all, sizeof *walls->links, links_compare);
    walls->count = 0;
    for (const struct flow_link *link = walls->links; link < walls->links + all; link++) {
        if (walls->is_solid[link->node] ||
            (last && link->node == last->node && link->direction == last->direction))
            continue;
        last = &walls->links[walls->count++];
        walls->links[walls->count - 1] = *link;
    }
}

enum status flow_walls_find(const struct boundary *boundary, size_t columns, size_t rows,
                            double speed, double unit, struct flow_walls *walls,
                            struct error *error)
{
    const struct polygons *polygons = boundary->polygons;
    const double dx = boundary->width / (double)columns, dy = boundary->height / (double)rows;
    struct link_search links = {
        .boundary = boundary, .speed = speed, .unit = unit, .walls = walls, .error = error};
    const double bytes = 2.0 * sizeof(double) * FLOW_DIRECTIONS * (double)columns * (double)rows;
    char text[MEMORY_TEXT_SIZE];
    *walls = (struct flow_walls){0};
    if (bytes > fmin(memory_physical(), (double)(SIZE_MAX / 2)))
        return error_set(error, STATUS_NO_MEMORY,
                         "out of memory: a lattice of %zu x %zu nodes needs %s", columns, rows,
                         memory_text(text, bytes));
    *walls = (struct flow_walls){columns, rows, BOUNDARY_SIDES, 0, NULL, NULL};
    walls->wall_count += polygons ? polygons->side_count : 0;
    walls->is_solid = memory_allocate(columns, rows, "the nodes of the lattice", error);
    links.status = walls->is_solid ? links_find_solid(&links, dx, dy) : STATUS_NO_MEMORY;
    links.is_channel = !links_are_seams(&links, 2) && links_law(&links, 2) && links_law(&links, 3);
    if (!links.status) {
        links_of_polygons(&links, dx, dy);
        links_of_box(&links);
    }
    if (!links.status && !memchr(walls->is_solid, 0, columns * rows))
        links.status = error_set(error, STATUS_BAD_DATA,
                                 "no node of a lattice of %zu x %zu is in the flow", columns, rows);
    if (links.status)
        flow_walls_free(walls);
    else if (walls->count > 0)
        links_sort(walls);
    return links.status;
}

void flow_walls_free(struct flow_walls *walls)
{
    memory_free(walls->links);
    memory_free(walls->is_solid);
    *walls = (struct flow_walls){0};
}
