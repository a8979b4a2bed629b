/* Tests of the links that end at walls, compared with all sides of all polygons, one by one. */
#include "channel.h"
#include "check.h"
#include "outline.h"

/* Where a link from a node crosses the sides of a polygon first, as a part of it; 2: nowhere. */
static double crossing(const double (*vertices)[2], size_t count, double x, double y, int direction)
{
    double first = 2;
    for (size_t k = 0; k < count; k++) {
        const double *a = vertices[k], *b = vertices[(k + 1) % count];
        const double lx = b[0] - a[0], ly = b[1] - a[1];
        const double cx = flow_x[direction], cy = flow_y[direction];
        const double across = cx * ly - cy * lx;
        const double fraction = ((a[0] - x) * ly - (a[1] - y) * lx) / across;
        const double along = ((a[0] - x) * cy - (a[1] - y) * cx) / across;
        if (across != 0 && along >= 0 && along <= 1 && fraction >= 0 && fraction <= 1)
            first = fmin(first, fraction);
    }
    return first;
}

/* The link of a node in a direction, if it ends. */
static const struct flow_link *find_link(const struct flow *flow, size_t node, int direction)
{
    for (size_t k = 0; k < flow->link_count; k++)
        if (flow->links[k].out.column + flow->columns * flow->links[k].out.row == node &&
            flow->links[k].out.direction == direction)
            return &flow->links[k];
    return NULL;
}

/* Compares the links of an outline in the middle of a box with seams. */
static void check_links(const double (*vertices)[2], size_t count)
{
    enum { SIDE = 24 };
    struct channel channel =
        CHANNEL(SIDE, SIDE, .viscosity = 1, .periodic = PERIODIC_X | PERIODIC_Y, .polygon_count = 1,
                .polygons = {{vertices, count}});
    channel.walls[4] = channel_rough(0.5);
    struct flow *flow = channel_flow(&channel);
    size_t listed = 0;
    for (size_t node = 0; node < (size_t)(SIDE * SIDE); node++)
        for (int d = 1; d < FLOW_DIRECTIONS; d++) {
            const size_t column = (node % SIDE + SIDE + (size_t)flow_x[d]) % SIDE;
            const size_t row = (node / SIDE + SIDE + (size_t)flow_y[d]) % SIDE;
            const double expected = crossing(vertices, count, (double)(node % SIDE) + 0.5,
                                             (double)(node / SIDE) + 0.5, d);
            const struct flow_link *link = find_link(flow, node, d);
            const int is_listed = link != NULL;
            listed += (size_t)is_listed;
            if (flow->is_solid[node]) {
                CHECK(!is_listed);
                continue;
            }
            if (!CHECK(is_listed == (expected <= 1 || flow->is_solid[column + SIDE * row])))
                fprintf(stderr, "count %zu node %zu %zu d %d expected %g listed %d solid %d\n",
                        count, node % SIDE, node / SIDE, d, expected, is_listed,
                        flow->is_solid[column + SIDE * row]);
            if (!is_listed || expected > 1)
                continue;
            CHECK(fabs(link->fraction - expected) < 1e-5 && link->fraction > 0);
            CHECK(link->end == FLOW_NO_SLIP && link->wall >= BOUNDARY_SIDES);
            CHECK(flow_x[d] * link->nx + flow_y[d] * link->ny < 1e-5);
            CHECK(fabs(link->u * link->nx + link->v * link->ny) < 1e-15);
            const int is_oblique = fabs(link->nx * link->ny) > 1e-6;
            const double speed = sqrt(link->u * link->u + link->v * link->v);
            const double along = flow_x[d] * link->ny - flow_y[d] * link->nx;
            int is_corner = !is_oblique && fabs(along) > 0.5;
            for (size_t k = 0; k < count; k++)
                is_corner |= fabs(vertices[k][0] - link->x) + fabs(vertices[k][1] - link->y) < 1e-5;
            CHECK(fabs(speed - 0.5) < 1e-15 || (speed == 0 && is_corner));
        }
    CHECK(listed == flow->link_count);
    channel_free(&flow);
}

RANDOM_TEST(polygons, 1)
{
    for (int k = 0; k < (check_is_thorough() ? 200 : 20); k++) {
        const double x = 11 + 2 * random_unit(random), y = 11 + 2 * random_unit(random);
        struct outline star = outline_star(x, y, 2 + 7 * random_unit(random));
        struct outline polygon = outline_regular(x, y, 0.2 + 8 * random_unit(random), 40);
        outline_turn(&star, x, y, 360 * random_unit(random));
        check_links((const double(*)[2])star.vertices, star.count);
        check_links((const double(*)[2])polygon.vertices, polygon.count);
        check_links((const double(*)[2])star.vertices, 2);
    }
}

/* Nodes at corners and on sides: they are solid. */
TEST(nodes_on_sides)
{
    static const double square[4][2] = {{3.5, 3.5}, {8.5, 3.5}, {8.5, 8.5}, {3.5, 8.5}};
    static const double diamond[4][2] = {{8.5, 3.5}, {13.5, 8.5}, {8.5, 13.5}, {3.5, 8.5}};
    static const double level[2][2] = {{3.2, 8.5}, {10, 8.5}};
    static const double oblique[2][2] = {{3.5, 3.5}, {10.5, 10.5}};
    check_links(square, 4);
    check_links(diamond, 4);
    check_links(level, 2);
    check_links(oblique, 2);
}

/* The sides of a box: half-way, with their laws; without friction they mirror. */
TEST(box)
{
    struct channel channel = {.columns = 5, .rows = 4, .viscosity = 1};
    channel.walls[2] = channel_rough(0.1);
    struct flow *flow = channel_flow(&channel);
    CHECK(flow->link_count == 3 * 5);
    for (size_t k = 0; k < flow->link_count; k++) {
        const struct flow_link *link = &flow->links[k];
        CHECK(link->fraction == 0.5);
        CHECK((link->end == FLOW_NO_SLIP) == (link->wall == 2));
        const int is_corner = (link->out.column == 0 && link->out.direction == 7) ||
                              (link->out.column == 4 && link->out.direction == 8);
        CHECK(link->u == (link->wall == 2 && !is_corner ? 0.1 : 0) && link->v == 0);
    }
    channel_free(&flow);
    for (int side = 0; side < BOUNDARY_SIDES; side++)
        channel.walls[side] = channel_rough(side == 2 ? 0.1 : 0);
    flow = channel_flow(&channel);
    CHECK(find_link(flow, 0, 7)->u == 0 && find_link(flow, 4, 8)->u == 0);
    channel_free(&flow);
    channel.walls[0] = channel.walls[1] = (struct wall_law){0};
    channel.stream = -0.08;
    flow = channel_flow(&channel);
    double mean = 0;
    for (size_t k = 0; k < flow->link_count; k++) {
        const struct flow_link *link = &flow->links[k];
        CHECK((link->end == FLOW_OUTLET) == (link->wall == 0));
        if (link->wall == 1 && link->out.direction == 1)
            mean += link->u / 4;
    }
    CHECK(fabs(mean / -0.08 - (1 + 1. / 32)) < 1e-14);
    channel_free(&flow);
}
