/* Compares flows on a lattice with experiments and other computations: a cavity under a lid that
 * moves (O. Botella and R. Peyret, Computers & Fluids 27, 421, 1998; U. Ghia, K. N. Ghia and C. T.
 * Shin, J. Comput. Phys. 48, 387, 1982), a cylinder in a wide stream, that in the channel of M.
 * Schaefer and S. Turek (Notes on Numerical Fluid Mechanics 52, 547, 1996), and an airfoil. Prints
 * a table, and ends with 1 if a value is out of bounds. It takes about two minutes on two cores. */
#include "channel.h"
#include "measure.h"
#include "outline.h"

static struct thread_pool *pool;

/* What the last part of a run has: times in units of D / U, coefficients of a body. */
struct drag {
    double mean, largest, largest_lift, lift, strouhal;
};

/* Runs a flow for so many `units` of time D / U, and sees the last `watched` ones. */
static struct drag run(struct flow *flow, double speed, double diameter, double units,
                       double watched)
{
    struct drag drag = {0};
    const size_t steps = (size_t)(units * diameter / speed);
    const size_t from = steps - (size_t)(watched * diameter / speed);
    const double unit = 0.5 * speed * speed * diameter;
    double before = 0, first = 0, last = 0, turns = -1;
    for (size_t k = 0; k < steps; k++) {
        double force[2];
        flow_step(flow, pool);
        channel_force(flow, force);
        const double lift = force[1] / unit;
        if (k >= from) {
            drag.mean += force[0] / unit / (double)(steps - from);
            drag.lift += lift / (double)(steps - from);
            drag.largest = fmax(drag.largest, force[0] / unit);
            drag.largest_lift = fmax(drag.largest_lift, lift);
            if (before < 0 && lift >= 0) {
                last = (double)k - lift / (lift - before);
                first = turns < 0 ? last : first;
                turns++;
            }
        }
        before = lift;
    }
    drag.strouhal = turns > 0 ? turns * diameter / speed / (last - first) : 0;
    return drag;
}

/* A row whose deviation is a part of what is expected. */
static void report(const char *quantity, double expected, double measured, double bound)
{
    measure_row(quantity, expected, measured, measured / expected - 1, bound);
}

/* How long the wake is behind a place, in a row of nodes: where the flow turns forward again. */
static double wake(const struct flow *flow, double x, size_t row)
{
    for (size_t column = (size_t)x + 2; column + 1 < flow->columns; column++) {
        const double u = flow_get(flow, column, row).u;
        const double next = flow_get(flow, column + 1, row).u;
        if (u < 0 && next >= 0)
            return (double)column + 0.5 + u / (u - next) - x;
    }
    return 0;
}

/* A cylinder of diameter 14 in a stream 40 diameters wide. */
static void measure_cylinder(double reynolds, double units, double drag, double length,
                             double strouhal)
{
    enum { DIAMETER = 14, ROWS = 40 * DIAMETER + 1, COLUMNS = 50 * DIAMETER };
    const double speed = 0.1, x = 18 * DIAMETER;
    const struct outline outline =
        outline_regular(x, ROWS / 2.0 + (strouhal > 0 ? 0.3 : 0), DIAMETER / 2.0, 200);
    struct channel channel =
        CHANNEL(COLUMNS, ROWS, .periodic = PERIODIC_Y, .stream = speed,
                .viscosity = speed * DIAMETER / reynolds, CHANNEL_AROUND(outline));
    channel.walls[BOUNDARY_SIDES] = channel_rough(0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    const struct drag found = run(flow, speed, DIAMETER, units, units / 3);
    report(measure_text("cylinder, Re %g, C_D", reynolds), drag, found.mean, 0.05);
    if (length > 0)
        report(measure_text("cylinder, Re %g, length of the wake / D", reynolds), length,
               wake(flow, x + DIAMETER / 2.0, ROWS / 2) / DIAMETER, 0.05);
    if (strouhal > 0)
        report(measure_text("cylinder, Re %g, Strouhal number", reynolds), strouhal, found.strouhal,
               0.04);
}

/* A cylinder without friction, anywhere between nodes, in a periodic stream 8 diameters wide. The
 * drag is that with twice the resolution. */
static void measure_smooth(double x, double y)
{
    enum { DIAMETER = 20 };
    const double speed = 0.05;
    const struct outline outline =
        outline_regular(4 * DIAMETER + x, 4 * DIAMETER + y, DIAMETER / 2.0, 128);
    struct channel channel =
        CHANNEL(10 * DIAMETER, 8 * DIAMETER, .periodic = PERIODIC_Y, .stream = speed,
                .viscosity = speed * DIAMETER / 20, CHANNEL_AROUND(outline));
    OWNED_FLOW(flow) = channel_flow(&channel);
    const struct drag found = run(flow, speed, DIAMETER, 24, 2);
    report(measure_text("cylinder without friction at %g, %g, Re 20, C_D", x, y), 1.54, found.mean,
           0.05);
    measure_row("the same, C_L", 0, found.lift, found.lift, 0.2);
}

/* The channel of Schaefer and Turek with so many nodes across the cylinder. */
static void measure_channel(double reynolds, double diameter, double units)
{
    const double speed = reynolds > 50 ? 0.05 : 0.03, unit = 10 * diameter;
    const struct outline outline = outline_regular(0.2 * unit, 0.2 * unit, diameter / 2, 256);
    struct channel channel =
        CHANNEL((size_t)(2.2 * unit + 0.5), (size_t)(0.41 * unit + 0.5), .stream = speed,
                .viscosity = speed * diameter / reynolds, CHANNEL_AROUND(outline));
    for (int k = 2; k <= BOUNDARY_SIDES; k++)
        channel.walls[k] = channel_rough(0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    const struct drag found = run(flow, speed, diameter, units, units / 4);
    printf("| channel, Re %g, %g nodes across the cylinder | | | | |\n", reynolds, diameter);
    if (reynolds < 50) {
        report("C_D", 5.5795, found.mean, 0.01);
        measure_row("C_L", 0.0106, found.lift, found.lift - 0.0106, 0.003);
    } else {
        report("largest C_D", 3.23, found.largest, 0.05);
        report("largest C_L", 1.0, found.largest_lift, 0.08);
        report("Strouhal number", 0.3, found.strouhal, 0.03);
    }
}

/* An airfoil NACA 0012 at Re 200 of its chord. */
static struct drag measure_airfoil(double degrees)
{
    enum { CHORD = 60, ROWS = 6 * CHORD, COLUMNS = 8 * CHORD };
    const double speed = 0.08;
    struct outline outline = outline_naca(0, 0.4, 0.12, 50);
    for (size_t k = 0; k < outline.count; k++) {
        outline.vertices[k][0] = CHORD * (outline.vertices[k][0] + 2.5);
        outline.vertices[k][1] = CHORD * outline.vertices[k][1] + ROWS / 2.0;
    }
    outline_turn(&outline, 3.0 * CHORD, ROWS / 2.0, -degrees);
    struct channel channel = CHANNEL(COLUMNS, ROWS, .periodic = PERIODIC_Y, .stream = speed,
                                     .viscosity = speed * CHORD / 200, CHANNEL_AROUND(outline));
    channel.walls[BOUNDARY_SIDES] = channel_rough(0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    const struct drag found = run(flow, speed, CHORD, 15, 5);
    return found;
}

/* The extreme of values at 0, 1, 2, by a parabola. */
static double peak(const double values[3])
{
    const double slope = (values[2] - values[0]) / 2, bend = values[0] - 2 * values[1] + values[2];
    return values[1] - slope * slope / (2 * bend);
}

/* The least u on the middle line along y, and the extremes of v on that along x, in a square with
 * an odd number of nodes along each side, / the speed of the lid. */
static void measure_cavity(double reynolds, size_t side, const double expected[3], double bound)
{
    const double speed = 0.1;
    struct channel channel = CHANNEL(side, side, .viscosity = speed * (double)side / reynolds);
    for (int k = 0; k < BOUNDARY_SIDES; k++)
        channel.walls[k] = channel_rough(k == 3 ? speed : 0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    for (size_t k = 0; k < (reynolds > 200 ? 500 : 300) * side; k++)
        flow_step(flow, pool);
    double found[3] = {0, 0, 0};
    for (size_t k = 0; k + 2 < side; k++) {
        double u[3], v[3];
        for (size_t j = 0; j < 3; j++) {
            u[j] = flow_get(flow, side / 2, k + j).u / speed;
            v[j] = flow_get(flow, k + j, side / 2).v / speed;
        }
        if (u[1] < u[0] && u[1] < u[2])
            found[0] = fmin(found[0], peak(u));
        if (v[1] > v[0] && v[1] > v[2])
            found[1] = fmax(found[1], peak(v));
        if (v[1] < v[0] && v[1] < v[2])
            found[2] = fmin(found[2], peak(v));
    }
    printf("| cavity, Re %g, %zu x %zu nodes | | | | |\n", reynolds, side, side);
    for (int k = 0; k < 3; k++) {
        report(measure_text("%s %c", k == 1 ? "largest" : "least", k == 0 ? 'u' : 'v'), expected[k],
               found[k], bound);
    }
}

int main(void)
{
    static const double at_100[3] = {-0.2140424, 0.1795728, -0.2538030}; /* Botella and Peyret */
    static const double at_400[3] = {-0.32726, 0.30203, -0.44993};       /* Ghia, Ghia and Shin */
    pool = thread_pool_create(2);
    measure_begin_table();
    measure_cavity(100, 33, at_100, 0.016);
    measure_cavity(100, 65, at_100, 0.004);
    measure_cavity(100, 129, at_100, 0.001);
    measure_cavity(400, 65, at_400, 0.007);
    measure_smooth(0.5, 0.5);
    measure_smooth(0.8, 0.7);
    measure_smooth(0.1, 0.9);
    measure_smooth(0.56, 0.44);
    measure_channel(20, 20, 40);
    measure_channel(100, 20, 80);
    measure_cylinder(20, 40, 2.025, 0.93, 0);
    measure_cylinder(40, 70, 1.52, 2.25, 0);
    measure_cylinder(100, 150, 1.34, 0, 0.1655);
    const struct drag level = measure_airfoil(0), up = measure_airfoil(4);
    const struct drag down = measure_airfoil(-4);
    measure_row("airfoil at 0 degrees, C_L", 0, level.lift, level.lift, 0.002);
    report("airfoil at 4 degrees, C_L, and at -4", -down.lift, up.lift, 0.01);
    measure_row("the same, C_L is positive: 1", 1, up.lift > 0.1, (up.lift > 0.1) - 1, 0);
    measure_row("drag is less at 0: 1", 1, level.mean < up.mean, (level.mean < up.mean) - 1, 0);
    thread_pool_free(pool);
    return measure_finish();
}
