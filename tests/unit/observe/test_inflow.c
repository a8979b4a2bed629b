/* Tests of the density of a stream, by particles that come in from a uniform gas;
 * tests/unit/run/test_stream_runs.c and tests/measure/free_molecules.c have whole runs. */
#include "check.h"
#include "measure.h"
#include "observe/tally.h"

static const double width = 12;
static const double height = 5;

/* A particle of each radius, past a thin wall and a triangle. */
static struct system make_system(unsigned periodic, double radius)
{
    static const double wall[2][2] = {{3, 1.5}, {5, 2.5}};
    static const double triangle[3][2] = {{6, 2}, {6, 3}, {5.5, 2.5}};
    struct random_generator random = random_from(1);
    struct system system = random_lattice(&random, 1, 1, 0);
    system.radius = radius;
    system.boundary = (struct boundary){
        .width = width, .height = height, .periodic = periodic, .stream = stream_make(-1.5, 2, 3)};
    system_add_polygon(&system, wall, 2, 0);
    system_add_polygon(&system, triangle, 3, 0);
    return system;
}

static struct inflow_gauge make_gauge(const struct system *system)
{
    return inflow_gauge_make(&(struct snapshot){0, system, NULL});
}

/* A particle of a mass comes in at a side, somewhere. */
static struct collision come_in(const struct stream *stream, struct random_generator *random,
                                int32_t side, double mass, uint32_t number)
{
    const int is_y = side < FEATURE_RIGHT;
    struct particle p = {.id = (int32_t)number};
    stream_draw(stream, &p, mass, side);
    p.x = is_y ? width * random_unit(random) : p.u > 0 ? 0 : width;
    p.y = is_y ? (p.v > 0 ? 0 : height) : height * random_unit(random);
    return (struct collision){.partner = PARTNER_BOUNDARY,
                              .feature = side,
                              .a = {.x = p.x, .y = p.y, .u = p.u, .v = p.v, .mass = mass}};
}

/* From a gas of one particle per area a density of 1 comes in, by either way to find it. */
static void check_uniform_gas(const struct inflow_gauge *gauge, double mass)
{
    enum { COUNT = 20000, PARTS = 20 };
    const struct stream *stream = &gauge->boundary->stream;
    const struct stream still = stream_make(0, stream->temperature, 0);
    const double fluxes[2] = {height * stream_mean_speed(stream, mass, 1),
                              width * stream_mean_speed(&still, mass, 1)};
    struct random_generator random = random_from(7);
    double parts[PARTS] = {0};
    for (uint32_t k = 0; k < COUNT; k++) {
        const int is_x = random_unit(&random) * (fluxes[0] + fluxes[1]) < fluxes[0];
        const struct collision passage =
            come_in(stream, &random, is_x ? FEATURE_RIGHT : FEATURE_TOP, mass, k);
        parts[k % PARTS] +=
            inflow_gauge_weigh(gauge, &passage) * (fluxes[0] + fluxes[1]) / COUNT * PARTS;
    }
    const struct measured_mean density = measure_estimate(parts, PARTS);
    if (!CHECK(fabs(density.mean - 1) < 5 * density.error && density.error < 0.02))
        printf("    %g +- %g\n", density.mean, density.error);
}

TEST(a_uniform_gas)
{
    OWNED(system, system) = make_system(PERIODIC_X | PERIODIC_Y, 0);
    struct inflow_gauge gauge = make_gauge(&system);
    CHECK(gauge.x == 4.5 && gauge.y == 2.25 && gauge.weight == 1);
    CHECK(fabs(gauge.radius - hypot(1.5, 0.75)) < 1e-15);
    for (int k = 0; k < 3; k++) {
        gauge.weight = k * 0.5;
        check_uniform_gas(&gauge, 1);
        check_uniform_gas(&gauge, 4);
    }
}

/* The denser the gas, the less what leads to obstacles counts. */
TEST(parts)
{
    OWNED(system, system) = make_system(PERIODIC_X | PERIODIC_Y, 0.25);
    const double path = width * height / (sqrt(8) * 0.5);
    const double longer = stream_mean_speed(&system.boundary.stream, 1, 2) / sqrt(acos(-1));
    CHECK(fabs(make_gauge(&system).weight - exp(-2.25 / (path * longer))) < 1e-12);
}

/* Without a seam in y, and where the circle would reach over one, only those at the seam in x
 * count, all in the same way. */
static void check_seam_in_x(const struct system *system)
{
    const struct inflow_gauge gauge = make_gauge(system);
    struct random_generator random = random_from(3);
    for (uint32_t k = 0; k < 200; k++) {
        const int32_t side = -1 - (int32_t)(k % 4);
        const struct collision passage = come_in(&system->boundary.stream, &random, side, 1, k);
        const double expected = 1 / (height * stream_mean_speed(&system->boundary.stream, 1, 1));
        CHECK(inflow_gauge_weigh(&gauge, &passage) == (side >= FEATURE_RIGHT ? expected : 0));
    }
}

TEST(the_seam_in_x)
{
    static const double beside[2][2] = {{11, 2}, {11.5, 2}};
    struct system system = make_system(PERIODIC_X, 0);
    check_seam_in_x(&system);
    system_free(&system);
    system = make_system(PERIODIC_X | PERIODIC_Y, 0);
    system_add_polygon(&system, beside, 2, 0);
    check_seam_in_x(&system);
    system_free(&system);
}
