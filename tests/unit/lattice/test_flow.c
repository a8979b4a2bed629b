/* Tests of the flow on a lattice: exact flows between walls, second order for vortices, mass and
 * momentum, the bytes of one thread on several, and the state. */
#include "base/elementary.h"
#include "channel.h"
#include "check.h"
#include "outline.h"

static void step(struct flow *flow, size_t steps)
{
    for (size_t k = 0; k < steps; k++)
        flow_step(flow, NULL);
}

TEST(parabola_is_exact_for_any_viscosity)
{
    static const double viscosities[] = {0.01, 1. / 6, 1, 4};
    enum { ROWS = 6, COLUMNS = 3 };
    for (size_t k = 0; k < 4; k++) {
        struct channel channel =
            CHANNEL(COLUMNS, ROWS, .periodic = PERIODIC_X, .viscosity = viscosities[k]);
        const double push = channel.force[0] = 1e-3 * viscosities[k];
        channel.walls[2] = channel.walls[3] = channel_rough(0);
        OWNED_FLOW(flow) = channel_flow(&channel);
        step(flow, (size_t)(400 / viscosities[k]) + 2000);
        for (size_t row = 0; row < ROWS; row++) {
            const double y = (double)row + 0.5;
            const double exact = push / (2 * viscosities[k]) * y * (ROWS - y);
            CHECK(fabs(flow_get(flow, 1, row).u - exact) < 1e-14);
        }
        CHECK(fabs(flow->walls[2].impulse[0] - push * COLUMNS * ROWS / 2) < 1e-14);
    }
}

/* The largest error of the flow along thin walls of slope 1/2, one above the other by `rows`,
 * relative to the fastest. */
static double oblique_error(size_t rows)
{
    const double n = (double)rows, low = 0.3141 * n, x = 2 * (n - low), root = sqrt(5);
    const double walls[2][2][2] = {{{0, low}, {x, n}}, {{x, 0}, {2 * n, low}}};
    struct channel channel =
        CHANNEL(2 * rows, rows, .periodic = PERIODIC_X | PERIODIC_Y, .viscosity = 1,
                .polygon_count = 2, .polygons = {{walls[0], 2}, {walls[1], 2}});
    channel.walls[4] = channel.walls[5] = channel_rough(0);
    const double push = 1e-4, high = 2 * n / root, fastest = push * high * high / 8;
    double worst = 0;
    channel.force[0] = 2 * push / root;
    channel.force[1] = push / root;
    OWNED_FLOW(flow) = channel_flow(&channel);
    step(flow, 3 * rows * rows / 2);
    for (size_t node = 0; node < 2 * rows * rows; node++) {
        const struct dynamics_node state = flow_get(flow, node % (2 * rows), node / (2 * rows));
        double above =
            (2 * ((double)(node / (2 * rows)) + 0.5 - low) - ((double)(node % (2 * rows)) + 0.5)) /
            root;
        above -= high * floor(above / high);
        const double exact = push / 2 * above * (high - above);
        worst = fmax(worst, fabs((2 * state.u + state.v) / root - exact) / fastest);
        worst = fmax(worst, fabs(2 * state.v - state.u) / root / fastest);
    }
    return worst;
}

TEST(oblique_walls_are_of_second_order)
{
    const double coarse = oblique_error(10), fine = oblique_error(40);
    if (!CHECK(coarse < 0.05 && coarse / fine > 12))
        fprintf(stderr, "%g %g\n", coarse, fine);
}

/* The largest error of a stream in a channel half its height behind the inflow, and at the last
 * nodes before the outlet, relative to the fastest. */
static double inflow_error(size_t rows)
{
    const double n = (double)rows;
    struct channel channel =
        CHANNEL(3 * rows, rows, .periodic = PERIODIC_X, .stream = 0.4 / n, .viscosity = 0.2);
    channel.walls[2] = channel.walls[3] = channel_rough(0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    double worst = 0;
    step(flow, 12 * rows * rows);
    for (size_t k = 0; k < 2 * rows; k++) {
        const double y = ((double)(k / 2) + 0.5) / n, exact = 6 * channel.stream * y * (1 - y);
        const struct dynamics_node state = flow_get(flow, k % 2 ? rows / 2 : 3 * rows - 1, k / 2);
        worst = fmax(worst, fabs(state.u - exact) / (1.5 * channel.stream));
    }
    return worst;
}

TEST(inflow_between_walls_is_of_second_order)
{
    const double coarse = inflow_error(10), fine = inflow_error(20);
    if (!CHECK(coarse < 0.01 && coarse / fine > 3.5))
        fprintf(stderr, "%g %g\n", coarse, fine);
}

/* Along oblique walls without friction a flow stays as it is. */
TEST(oblique_walls_without_friction)
{
    enum { ROWS = 20 };
    const double low = 0.3141 * ROWS, x = 2 * (ROWS - low), root = sqrt(5), speed = 0.05;
    const double walls[2][2][2] = {{{0, low}, {x, ROWS}}, {{x, 0}, {2 * ROWS, low}}};
    for (int k = 0; k < 3; k++) {
        const struct channel channel = CHANNEL(2 * ROWS, ROWS, .periodic = PERIODIC_X | PERIODIC_Y,
                                               .viscosity = k == 0 ? 0.01 : k, .polygon_count = 2,
                                               .polygons = {{walls[0], 2}, {walls[1], 2}});
        OWNED_FLOW(flow) = channel_flow(&channel);
        double force[2], worst = 0;
        for (size_t node = 0; node < 2 * ROWS * ROWS; node++)
            flow_set(flow, node % (2 * ROWS), node / (2 * ROWS),
                     (struct dynamics_node){1, 2 * speed / root, speed / root});
        step(flow, 500);
        channel_force(flow, force);
        for (size_t node = 0; node < 2 * ROWS * ROWS; node++) {
            const struct dynamics_node state = flow_get(flow, node % (2 * ROWS), node / (2 * ROWS));
            if (!flow->is_solid[node])
                worst =
                    fmax(worst, fabs(state.u - 2 * speed / root) + fabs(state.v - speed / root));
        }
        CHECK(worst < 1e-14 && fabs(force[0]) + fabs(force[1]) < 1e-14);
    }
}

/* A round wall without friction lets the gas in it turn: where the wall held it, four in five parts
 * of the spin would be lost in this time. Only those nodes count that are in the circle. */
RANDOM_TEST(round_walls_without_friction, 11)
{
    enum { SIDE = 28, STEPS = 200 };
    for (int k = 0; k < 6; k++) {
        const double x = 13.5 + random_unit(random), y = 13.5 + random_unit(random);
        struct outline outline = outline_regular(x, y, 10, 60 + (size_t)random_below(random, 100));
        outline_turn(&outline, x, y, 360 * random_unit(random));
        const struct channel channel =
            CHANNEL(SIDE, SIDE, .viscosity = 0.1, .domains = 1, CHANNEL_AROUND(outline));
        OWNED_FLOW(flow) = channel_flow(&channel);
        double spin[2] = {0, 0};
        for (int is_end = 0; is_end < 2; is_end++) {
            for (size_t node = 0; node < SIDE * SIDE; node++) {
                const double dx = (double)(node % SIDE) + 0.5 - x;
                const double dy = (double)(node / SIDE) + 0.5 - y;
                if (!is_end)
                    flow_set(flow, node % SIDE, node / SIDE,
                             (struct dynamics_node){1, -0.001 * dy, 0.001 * dx});
                const struct dynamics_node state = flow_get(flow, node % SIDE, node / SIDE);
                spin[is_end] += flow->is_solid[node] ? 0 : dx * state.v - dy * state.u;
            }
            step(flow, is_end ? 0 : STEPS);
        }
        if (!CHECK(spin[1] / spin[0] > 0.94 && spin[1] / spin[0] < 1.001))
            fprintf(stderr, "%zu sides: %g\n", outline.count, spin[1] / spin[0]);
    }
}

TEST(shear_between_moving_walls)
{
    enum { ROWS = 5, COLUMNS = 4 };
    struct channel channel = CHANNEL(COLUMNS, ROWS, .periodic = PERIODIC_X, .viscosity = 0.1);
    channel.walls[2] = channel_rough(-0.02);
    channel.walls[3] = channel_rough(0.08);
    OWNED_FLOW(flow) = channel_flow(&channel);
    step(flow, 4000);
    for (size_t row = 0; row < ROWS; row++) {
        const struct dynamics_node state = flow_get(flow, 2, row);
        CHECK(fabs(state.u - (-0.02 + 0.1 * ((double)row + 0.5) / ROWS)) < 1e-13);
        CHECK(fabs(state.v) < 1e-14 && fabs(state.density - 1) < 1e-13);
    }
    const double stress = 0.1 * 0.1 / ROWS * COLUMNS;
    CHECK(fabs(flow->walls[2].impulse[0] - stress) < 1e-13);
    CHECK(fabs(flow->walls[3].impulse[0] + stress) < 1e-13);
}

/* The largest error of vortices (G. I. Taylor and A. E. Green, 1937) on `side` x `side` nodes after
 * a fixed time, relative to the speed; between walls without friction half a period each way. */
static double vortex_error(size_t side, int has_walls)
{
    struct channel channel =
        CHANNEL(side, side, .periodic = has_walls ? 0 : PERIODIC_X | PERIODIC_Y, .viscosity = 0.05);
    struct flow *flow = channel_flow(&channel);
    const double speed = 0.5 / (double)side, wave = (has_walls ? PI : 2 * PI) / (double)side;
    const size_t steps = side * side / 2;
    double worst = 0;
    for (int is_end = 0; is_end < 2; is_end++) {
        const double decay =
            is_end ? elementary_exp(-2 * wave * wave * channel.viscosity * (double)steps) : 1;
        for (size_t node = 0; node < side * side; node++) {
            double x_cosine, x_sine, y_cosine, y_sine;
            const double turn = (has_walls ? 0.5 : 1) / (double)side;
            elementary_turn(turn * ((double)(node % side) + 0.5), &x_cosine, &x_sine);
            elementary_turn(turn * ((double)(node / side) + 0.5), &y_cosine, &y_sine);
            const double u = speed * decay * x_sine * y_cosine;
            const double v = -speed * decay * x_cosine * y_sine;
            const double squares = x_cosine * x_cosine + y_cosine * y_cosine - 1;
            if (!is_end) {
                flow_set(flow, node % side, node / side,
                         (struct dynamics_node){1 + 1.5 * speed * speed * squares, u, v});
                continue;
            }
            const struct dynamics_node state = flow_get(flow, node % side, node / side);
            worst = fmax(worst, fmax(fabs(state.u - u), fabs(state.v - v)) / speed);
        }
        if (!is_end)
            step(flow, steps);
    }
    channel_free(&flow);
    return worst;
}

TEST(vortices_are_of_second_order)
{
    for (int has_walls = 0; has_walls < 2; has_walls++) {
        const double coarse = vortex_error(16, has_walls), fine = vortex_error(32, has_walls);
        if (!CHECK(coarse < 0.02 && coarse / fine > 3.5 && coarse / fine < 4.6))
            fprintf(stderr, "%d: %g %g\n", has_walls, coarse, fine);
    }
}

/* An obstacle, a thin wall, a wedge on a side, and walls of all kinds, or a box that `is_rough`,
 * around random flow. */
static struct flow *random_flow(struct random_generator *random, struct outline *star, double speed,
                                double stream, int is_rough)
{
    static const double plate[2][2] = {{3.2, 20.1}, {12.7, 23.6}};
    static const double wedge[3][2] = {{29.3, 0}, {36.1, 0}, {29.9, 4.7}};
    struct channel channel =
        CHANNEL(40, 30, .periodic = random_unit(random) < 0.5 ? PERIODIC_Y : 0, .stream = stream,
                .viscosity = 0.02 + 0.2 * random_unit(random), .polygon_count = 3,
                .polygons = {{NULL, 0}, {plate, 2}, {wedge, 3}});
    *star = outline_star(16 + 8 * random_unit(random), 11 + 3 * random_unit(random), 7);
    channel.polygons[0].vertices = (const double(*)[2])star->vertices;
    channel.polygons[0].count = star->count;
    for (size_t k = 0; k < 7; k++)
        if (random_unit(random) < 0.6 || (k < BOUNDARY_SIDES && is_rough))
            channel.walls[k] = channel_rough(speed);
    if (!is_rough)
        channel.walls[2] = (struct wall_law){0}; /* the wedge has an image */
    struct flow *flow = channel_flow(&channel);
    for (size_t node = 0; node < flow->columns * flow->rows; node++)
        if (!flow->is_solid[node])
            flow_set(flow, node % flow->columns, node / flow->columns,
                     (struct dynamics_node){1 + 0.02 * random_unit(random),
                                            stream + 0.02 * random_unit(random),
                                            0.02 * random_unit(random)});
    return flow;
}

RANDOM_TEST(mass_and_momentum, 7)
{
    struct outline star;
    for (int k = 0; k < (check_is_quick() ? 2 : 6); k++) {
        OWNED_FLOW(flow) = random_flow(random, &star, k % 2 ? 0.05 : 0, 0, k % 2 == 0);
        const double mass = flow_mass(flow);
        double worst = 0;
        const size_t steps = check_is_thorough() ? 100000 : 400;
        for (size_t n = 0; n < steps; n++) {
            double momentum[3] = {0}, lost[3] = {0}; /* and angular momentum */
            for (int is_after = 0; is_after < 2; is_after++) {
                for (size_t node = 0; node < flow->columns * flow->rows && n < 50; node++) {
                    const struct dynamics_node state =
                        flow_get(flow, node % flow->columns, node / flow->columns);
                    const double x = (double)(node % flow->columns) + 0.5;
                    const double y = (double)(node / flow->columns) + 0.5;
                    const int sign = flow->is_solid[node] ? 0 : is_after ? 1 : -1;
                    momentum[0] += sign * state.u;
                    momentum[1] += sign * state.v;
                    momentum[2] += sign * (x * state.v - y * state.u);
                }
                if (!is_after)
                    flow_step(flow, NULL);
            }
            for (size_t wall = 0; wall < flow->wall_count; wall++)
                for (int axis = 0; axis < 3; axis++)
                    lost[axis] += flow->walls[wall].impulse[axis];
            if (n < 50 && k % 2 == 0)
                for (int axis = 0; axis < (flow->is_seam[1] ? 2 : 3); axis++)
                    worst = fmax(worst, fabs(momentum[axis] + lost[axis]));
        }
        CHECK(worst < 1e-12);
        if (!CHECK(fabs(flow_mass(flow) / mass - 1) < (check_is_thorough() ? 2e-13 : 1e-14)))
            fprintf(stderr, "%d: %g\n", k, flow_mass(flow) / mass - 1);
    }
}

/* Where nothing holds it a gas falls; in a closed box it rests, and its pressure balances the
 * force: exactly, but for terms of order F^2 at walls that mirror a force along them. */
TEST(force)
{
    enum { COLUMNS = 5, ROWS = 7 };
    for (int k = 0; k < 8; k++) {
        struct channel channel =
            CHANNEL(COLUMNS, ROWS, .periodic = k < 4 ? PERIODIC_X | PERIODIC_Y : 0,
                    .viscosity = k % 2 ? 0.02 : 0.4, .force = {2e-5, -3e-5});
        for (size_t wall = 0; wall < BOUNDARY_SIDES && k > 5; wall++)
            channel.walls[wall] = channel_rough(0);
        OWNED_FLOW(flow) = channel_flow(&channel);
        const size_t steps = k < 4 ? (size_t)(1 + 100 * (k / 2)) : 20000;
        step(flow, steps);
        for (size_t node = 0; node < COLUMNS * ROWS; node++) {
            const double x = (double)(node % COLUMNS) - 2, y = (double)(node / COLUMNS) - 3;
            const struct dynamics_node state = flow_get(flow, node % COLUMNS, node / COLUMNS);
            const double time = k < 4 ? (double)steps : 0, weight = k < 4 ? 0 : 3;
            const double bound = k / 2 == 2 ? 5e-9 : 1e-14;
            CHECK(fabs(state.u - 2e-5 * time) < bound && fabs(state.v + 3e-5 * time) < bound);
            CHECK(fabs(state.density - 1 - weight * (2e-5 * x - 3e-5 * y)) < bound);
        }
    }
}

/* The torque on the inner of two cylinders, of radii 8 and 16, that turns with this speed, divided
 * by that of A. Couette (1890); and its force, which should be 0, times its radius. */
static void couette(double x, double y, double speed, double viscosity, double ratios[2])
{
    enum { SIDE = 36 };
    const struct outline outer = outline_regular(x, y, 16, 160),
                         inner = outline_regular(x, y, 8, 80);
    struct channel channel =
        CHANNEL(SIDE, SIDE, .viscosity = viscosity, .polygon_count = 2, .domains = 1,
                .polygons = {{(const double(*)[2])outer.vertices, outer.count},
                             {(const double(*)[2])inner.vertices, inner.count}});
    channel.walls[4] = channel_rough(0);
    channel.walls[5] = channel_rough(speed);
    OWNED_FLOW(flow) = channel_flow(&channel);
    double got[3] = {0};
    step(flow, (size_t)(400 / viscosity));
    for (size_t wall = BOUNDARY_SIDES + outer.count; wall < flow->wall_count; wall++)
        for (int k = 0; k < 3; k++)
            got[k] += flow->walls[wall].impulse[k];
    const double couette = -4 * PI * viscosity * (speed / 8) * 64 * 256 / (256 - 64);
    ratios[0] = (got[2] - (x * got[1] - y * got[0])) / couette;
    ratios[1] = sqrt(got[0] * got[0] + got[1] * got[1]) * 8 / fabs(couette);
}

TEST(torque_between_cylinders)
{
    static const double places[3][2] = {{18, 18}, {18.5, 18.5}, {17.8, 18.3}};
    for (int k = 0; k < 3; k++) {
        double ratios[2];
        couette(places[k][0], places[k][1], k % 2 ? -0.01 : 0.02, k < 2 ? 0.2 : 0.5, ratios);
        if (!CHECK(fabs(ratios[0] - 1) < 0.03 && ratios[1] < 0.02))
            fprintf(stderr, "%d: %g %g\n", k, ratios[0], ratios[1]);
    }
}

/* A body on a side of the box without friction is half of one in a box twice as high: it gets the
 * momentum, and the angular momentum, of that half. */
TEST(half_a_body_on_a_mirror)
{
    enum { ROWS = 12 };
    static const double whole[6][2] = {{10.3, 7.7},  {14.3, 7.7},  {16.3, ROWS},
                                       {14.3, 16.3}, {10.3, 16.3}, {9.3, ROWS}};
    static const double half[4][2] = {{9.3, 0}, {16.3, 0}, {14.3, 4.3}, {10.3, 4.3}};
    double got[2][3] = {{0}};
    for (int is_half = 0; is_half < 2; is_half++) {
        struct channel channel =
            CHANNEL(40, is_half ? ROWS : 2 * ROWS, .stream = 0.05, .viscosity = 0.1,
                    .polygon_count = 1, .polygons = {{is_half ? half : whole, is_half ? 4 : 6}});
        channel.walls[BOUNDARY_SIDES] = channel_rough(0);
        OWNED_FLOW(flow) = channel_flow(&channel);
        step(flow, 300);
        for (size_t side = is_half ? 1 : 2; side < (is_half ? 4 : 5); side++)
            for (int k = 0; k < 3; k++)
                got[is_half][k] += flow->walls[BOUNDARY_SIDES + side].impulse[k];
    }
    got[0][2] += ROWS * got[0][0];
    for (int k = 0; k < 3; k++)
        if (!CHECK(fabs(got[0][k]) > 1e-3 && fabs(got[0][k] - got[1][k]) < 1e-12))
            fprintf(stderr, "%d: %g %g\n", k, got[0][k], got[1][k]);
}

/* A rectangle whose sides are half-way between nodes, free or on sides of the box, with two nodes
 * beside it or more: with one only, a wave from node to node would last. */
static void random_rectangle(struct random_generator *random, size_t side, double corners[4][2])
{
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        const size_t length = 1 + random_below(random, 3);
        low[axis] = 2 * (double)random_below(random, side / 2 - length + 1);
        high[axis] = low[axis] + 2 * (double)length;
    }
    const double places[4][2] = {
        {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}};
    memcpy(corners, places, sizeof places);
}

/* In a closed box the steady flow through any column and any row is 0, wherever walls that move end
 * at others: at sides of the box, with friction or without it, and of bodies, which move, too; and
 * in a domain. */
RANDOM_TEST(no_gas_leaks_through_corners, 23)
{
    enum { SIDE = 12, STEPS = 3000 };
    static const double speed = 0.02;
    for (int k = 0; k < (check_is_quick() ? 8 : 24); k++) {
        double corners[4][2];
        struct channel channel = {.columns = SIDE, .rows = SIDE, .viscosity = 0.5};
        for (size_t wall = 0; wall <= BOUNDARY_SIDES; wall++)
            if (wall >= 3 || random_unit(random) < 0.8)
                channel.walls[wall] = channel_rough(speed * ((double)random_below(random, 3) - 1));
        random_rectangle(random, SIDE, corners);
        channel.polygons[0].vertices = (const double(*)[2])corners;
        if (k % 3 > 0) {
            channel.polygon_count = 1;
            channel.domains = k % 3 == 2 && random_unit(random) < 0.5;
            channel.polygons[0].count = 4;
        }
        if (k % 3 == 0) { /* a thin wall across a part of the box or all of it */
            const double x = 2 + 2 * (double)random_below(random, 5);
            const double plate[2][2] = {{x, SIDE}, {x, k % 2 ? 0 : 4}};
            memcpy(corners, plate, sizeof plate);
            channel.polygon_count = 1;
            channel.polygons[0].count = 2;
            channel.walls[4].speed = 0;
        }
        OWNED_FLOW(flow) = channel_flow(&channel);
        step(flow, STEPS);
        for (size_t line = 0; line < SIDE; line++) {
            double through[2] = {0, 0};
            for (size_t node = 0; node < SIDE; node++) {
                through[0] += flow_get(flow, line, node).u;
                through[1] += flow_get(flow, node, line).v;
            }
            if (!CHECK(fabs(through[0]) < 1e-8 * speed && fabs(through[1]) < 1e-8 * speed))
                fprintf(stderr, "%d, %zu: %g %g\n", k, line, through[0], through[1]);
        }
    }
}

TEST(threads_and_state)
{
    for (unsigned threads = 2; threads <= 5; threads++) {
        struct outline star;
        struct random_generator random = random_from(threads), same = random;
        struct flow *flow = random_flow(&random, &star, 0.03, threads % 2 ? 0.1 : 0, 0);
        OWNED_FLOW(alone) = random_flow(&same, &star, 0.03, threads % 2 ? 0.1 : 0, 0);
        struct thread_pool *pool = thread_pool_create(threads);
        for (int k = 0; k < 100; k++) {
            flow_step(flow, pool);
            flow_step(alone, NULL);
            CHECK(memcmp(flow->walls, alone->walls, flow->wall_count * sizeof *flow->walls) == 0);
        }
        CHECK(flow_mach(flow, pool) > 0 && flow_mach(flow, pool) == flow_mach(alone, NULL));
        for (size_t node = 0; node < flow->columns * flow->rows; node++)
            for (int d = 0; d < FLOW_DIRECTIONS; d++) {
                const size_t place = flow_index(
                    flow, (struct flow_population){node % flow->columns, node / flow->columns, d});
                CHECK(flow->populations[place] == alone->populations[place]);
            }
        thread_pool_free(pool);
        channel_free(&flow);
    }
}

/* A stream that nothing disturbs stays as it is; one that starts at rest becomes it, because sound
 * leaves. */
TEST(stream)
{
    for (int k = 0; k < 4; k++) {
        struct channel channel = CHANNEL(40, 12, .periodic = k % 2 ? PERIODIC_Y : 0,
                                         .stream = k < 2 ? 0.1 : -0.1, .viscosity = 0.02);
        OWNED_FLOW(flow) = channel_flow(&channel);
        step(flow, 300);
        for (size_t node = 0; node < 480; node++) {
            const struct dynamics_node state = flow_get(flow, node % 40, node / 40);
            CHECK(fabs(state.u - channel.stream) < 1e-13 && fabs(state.v) < 1e-13);
            CHECK(fabs(state.density - 1) < 1e-13);
            flow_set(flow, node % 40, node / 40, (struct dynamics_node){1, 0, 0});
        }
        step(flow, 3000);
        for (size_t node = 0; node < 480; node++)
            CHECK(fabs(flow_get(flow, node % 40, node / 40).u - channel.stream) < 1e-4);
    }
}

TEST(sizes)
{
    struct flow flow;
    const struct boundary boundary = {.width = 1, .height = 1};
    CHECK(flow_create(&flow, &boundary, (size_t)1 << 31, (size_t)1 << 31, 1, 0, 1,
                      (const double[2]){0, 0}, &failure) == STATUS_NO_MEMORY);
    CHECK(strstr(failure.message, "2147483648 x 2147483648 nodes") != NULL);
    flow_free(&flow);
}
