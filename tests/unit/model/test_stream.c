/*
 * Tests of streams: the distributions of the velocities that are drawn, that they depend on nothing
 * else than they should, the temperature, and passing the seam.
 */
#include "model/stream.h"

#include "check.h"
#include "model/physics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 4000, BINS = 32 };

/* A density, not normalized, as its integral up to the ends of equal cells. */
struct distribution {
    double begin, end;
    double up_to[CELLS + 1]; /* from 0 to 1 */
};

/* That of u, in thermal speeds, divided by its larger peak; s >= 0. */
static double density_flux(double w, double s)
{
    const double peak = (s + sqrt(s * s + 4)) / 2;
    return fabs(w) / peak * exp(((peak - s) * (peak - s) - (w - s) * (w - s)) / 2);
}

static double density_along(double w, double unused)
{
    (void)unused;
    return exp(-w * w / 2);
}

static void integrate(struct distribution *distribution, double (*density)(double, double),
                      double s, double begin, double end)
{
    const double width = (end - begin) / CELLS;
    distribution->begin = begin;
    distribution->end = end;
    distribution->up_to[0] = 0;
    for (size_t k = 0; k < CELLS; k++) { /* by Simpson's rule */
        const double left = begin + (double)k * width;
        distribution->up_to[k + 1] = distribution->up_to[k] + density(left, s) +
                                     4 * density(left + width / 2, s) + density(left + width, s);
    }
    for (size_t k = 0; k <= CELLS; k++)
        distribution->up_to[k] /= distribution->up_to[CELLS];
}

/* The bin of a value, of BINS that are equally likely. */
static size_t find_bin(const struct distribution *distribution, double value)
{
    const double place =
        (value - distribution->begin) / (distribution->end - distribution->begin) * CELLS;
    const size_t cell = (size_t)fmin(fmax(place, 0), CELLS - 1);
    const double part = fmin(fmax(place - (double)cell, 0), 1);
    const double up_to = distribution->up_to[cell] +
                         part * (distribution->up_to[cell + 1] - distribution->up_to[cell]);
    return (size_t)fmin(up_to * BINS, BINS - 1);
}

/* Chi square is 31 +- 7.9 if the bins are equally likely; five standard deviations. */
static int is_uniform(const size_t bins[BINS], size_t count)
{
    const double expected = (double)count / BINS;
    double chi_square = 0;
    for (size_t k = 0; k < BINS; k++)
        chi_square += ((double)bins[k] - expected) * ((double)bins[k] - expected) / expected;
    return chi_square > 4 && chi_square < 70;
}

/* Draws many velocities at a ratio s of stream and thermal speed; those of a stream to the left are
 * its mirror image. */
static void check_velocities(double s, double mass)
{
    static struct distribution flux, along;
    const size_t count = check_is_quick() ? 10000 : 40000;
    const double temperature = 2.25;
    const double sigma = sqrt(temperature / mass);
    const struct stream stream = stream_make(s * sigma, temperature, 5);
    size_t flux_bins[BINS] = {0};
    size_t along_bins[BINS] = {0};
    integrate(&flux, density_flux, fabs(s), fmin(fabs(s) - 9, 0), fabs(s) + 9);
    integrate(&along, density_along, 0, -9, 9);
    for (size_t k = 0; k < count; k++) {
        struct particle p = {.id = (int32_t)(k % 100), .draws = (uint32_t)(k / 100)};
        stream_draw(&stream, &p, mass);
        CHECK(p.u != 0);
        flux_bins[find_bin(&flux, copysign(1, s) * p.u / sigma)]++;
        along_bins[find_bin(&along, p.v / sigma)]++;
    }
    if (!CHECK(is_uniform(flux_bins, count)) || !CHECK(is_uniform(along_bins, count)))
        printf("s = %g, mass %g\n", s, mass);
}

static void test_distributions(void)
{
    static const double ratios[] = {-30, -8, -3, -1.3, -0.5, 0, 0.1, 0.3, 0.7, 1, 1.3, 2, 4, 30};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++)
        check_velocities(ratios[k], k % 3 == 0 ? 1 : k % 3 == 1 ? 100 : 0.25);
}

/* E|u| of a normal distribution of variance T / m around U. */
static void test_mean_speed(void)
{
    static const double ratios[] = {0, 1e-3, 0.5, 1, 3, 6.2, 6.4, 50};
    for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
        const double s = ratios[k];
        const double sigma = sqrt(2.0 / 4);
        const double speed = (k % 2 ? -1 : 1) * s * sigma * sqrt(2);
        const struct stream stream = stream_make(speed, 2, 0);
        const double expected =
            sigma * sqrt(2 / 3.14159265358979323846) * exp(-s * s) + fabs(speed) * erf(s);
        CHECK(fabs(stream_mean_speed(&stream, 4) - expected) < 1e-14 * expected);
    }
}

/* Two components of successive velocities, and of successive particles, do not go together. */
static void test_independence(void)
{
    enum { COUNT = 20000 };
    const struct stream stream = stream_make(0.7, 1, 9);
    double products[3] = {0};
    double u_before = 0;
    double v_before = 0;
    for (size_t k = 0; k < 2 * COUNT; k++) {
        struct particle p = {.id = (int32_t)(k < COUNT ? 0 : k),
                             .draws = (uint32_t)(k < COUNT ? k : 7)};
        stream_draw(&stream, &p, 1);
        products[0] += u_before * p.v;
        products[1] += v_before * p.v;
        products[2] += p.u * p.v;
        u_before = p.u;
        v_before = p.v;
    }
    for (int k = 0; k < 3; k++) /* each term has a variance of less than 1.5; five deviations */
        CHECK(fabs(products[k]) < 5 * sqrt(1.5 * 2 * COUNT));
}

/* On every machine. */
static void test_known_velocities(void)
{
    static const struct {
        double speed, mass;
        int32_t id;
        uint32_t draws;
        double u, v;
    } known[] = {
        {1, 1, 0, 0, 0x1.c0248845fcbccp-1, -0x1.2f06f6062f04ap-2},
        {1, 1, 0, 0, -0x1.2a3be1c158014p+0, 0x1.ca071a836ac17p-2},
        {-3, 4, 123456, 4294967295u, -0x1.81adc0c14ab7bp+1, -0x1.6aa66e8ebcf1ap-4},
        {1e-3, 0.5, 7, 12, -0x1.d50790369613dp+0, 0x1.665967fbfabc4p+0},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const struct stream stream = stream_make(known[k].speed, 2, 1 + k);
        struct particle p = {.id = known[k].id, .draws = known[k].draws};
        stream_draw(&stream, &p, known[k].mass);
        if (!CHECK(p.u == known[k].u && p.v == known[k].v))
            printf("%a, %a\n", p.u, p.v);
        CHECK(p.draws == known[k].draws + 1);
    }
}

/* A velocity depends on the seed, the number of the particle and that of the draw: on each. */
static void test_what_a_velocity_depends_on(void)
{
    struct stream stream = stream_make(1, 1, 0);
    struct particle first = {.id = 3, .draws = 4, .x = 1, .y = 2, .u = 3, .v = 4, .t = 5};
    struct particle same = {.id = 3, .draws = 4};
    stream_draw(&stream, &first, 1);
    stream_draw(&stream, &same, 1);
    CHECK(same.u == first.u && same.v == first.v);
    CHECK(first.x == 1 && first.y == 2 && first.t == 5 && first.id == 3 && first.version == 0);
    for (int k = 0; k < 3; k++) {
        struct particle other = {.id = 3 + (k == 0), .draws = 4 + (k == 1)};
        stream.seed = k == 2;
        stream_draw(&stream, &other, 1);
        CHECK(other.u != first.u && other.v != first.v);
    }
}

/* The ends of what a stream may be: every velocity is one that a particle may have, and not 0. */
static void test_extremes(void)
{
    static const double sigmas[] = {SYSTEM_SMALLEST, 1, STREAM_FASTEST};
    static const double speeds[] = {0, 1, STREAM_FASTEST};
    for (int k = 0; k < 9 * 1000; k++) {
        const double sigma = sigmas[k % 3];
        const double speed = speeds[k / 3 % 3] * (k % 2 ? 1 : -1);
        struct stream stream = stream_make(speed, sigma * sigma, (uint64_t)k);
        struct particle p = {0};
        stream_draw(&stream, &p, 1);
        CHECK(p.u != 0);
        CHECK(fabs(p.u) <= SYSTEM_LARGEST && fabs(p.v) <= SYSTEM_LARGEST);
    }
}

/* Completes the stream of three particles with these u, v and mass. */
static enum status complete(const double (*velocities)[3], double temperature,
                            struct system *system, struct error *error)
{
    static struct particle particles[3];
    static struct kind kinds[3];
    *system = (struct system){.count = 3, .particles = particles, .kinds = kinds, .kind_count = 3};
    system->boundary.stream = stream_make(1, temperature, 0);
    for (size_t k = 0; k < 3; k++) {
        particles[k] = (struct particle){
            .u = velocities[k][0], .v = velocities[k][1], .id = (int32_t)k, .kind = (uint32_t)k};
        kinds[k] = (struct kind){0, velocities[k][2], 0};
    }
    return stream_complete(system, error);
}

static void test_temperature(void)
{
    struct system system;
    struct error error;
    const double *temperature = &system.boundary.stream.temperature;
    /* The centre moves with (1, 0); the energy around it is (1 + 1 + 2 (4 + 0)) / 2. */
    const double gas[3][3] = {{1, 1, 1}, {1, -1, 1}, {1, 0, 2}};
    CHECK(complete(gas, 0, &system, &error) == STATUS_DONE && *temperature == 0.5);
    CHECK(complete(gas, 3, &system, &error) == STATUS_DONE && *temperature == 3);
    /* The mean of 0.1 is not 0.1, but the temperature is 0. */
    const double parallel[3][3] = {{0.1, 0.7, 1}, {0.1, 0.7, 3}, {0.1, 0.7, 0.3}};
    CHECK(complete(parallel, 0, &system, &error) == STATUS_BAD_DATA);
    CHECK(strstr(error.message, "give --stream-temperature=T") != NULL);
    CHECK(complete(parallel, 3, &system, &error) == STATUS_DONE && *temperature == 3);
    /* Too hot for the light one, too cold for the heavy one. */
    const double mixture[3][3] = {{1, 0, 1e-40}, {0, 1, 1}, {0, 0, 1e40}};
    CHECK(complete(mixture, 1e37, &system, &error) == STATUS_BAD_DATA);
    CHECK(strstr(error.message, "mass 1e-40 a thermal speed of 3.16228e+38") != NULL);
    CHECK(complete(mixture, 1e-41, &system, &error) == STATUS_BAD_DATA);
    CHECK(strstr(error.message, "mass 1e+40 a thermal speed of 3.16228e-41") != NULL);
    CHECK(complete(mixture, 1e-39, &system, &error) == STATUS_DONE);
}

static void test_a_lonely_particle_has_no_temperature(void)
{
    struct error error;
    struct particle particle = {.u = 1};
    struct system system = {.count = 1, .particles = &particle};
    system.boundary.stream = stream_make(1, 0, 0);
    CHECK(stream_complete(&system, &error) == STATUS_BAD_DATA);
}

/* What reaching a seam in x does, and that one in y does nothing of it. */
static void test_reaching_the_seam(void)
{
    struct particle particle = {
        .x = 3, .y = 2, .u = 1, .v = 0.5, .t = 1, .collided = -(double)INFINITY, .id = 8};
    struct counts counts = {0};
    struct system system = {.count = 1, .radius = 0.5, .particles = &particle, .counts = &counts};
    system.boundary =
        (struct boundary){.width = 4, .height = 2.5, .periodic = PERIODIC_X | PERIODIC_Y};
    system.boundary.stream = stream_make(0.1, 1, 0);

    const struct event above = {.time = 2, .a = 0, .b = FEATURE_TOP};
    physics_resolve(&system, &above);
    CHECK(particle.x == 4 && particle.y == 0 && particle.u == 1 && particle.v == 0.5);
    CHECK(particle.draws == 0 && particle_since(&particle) == 0 && counts.y_image == 1);

    int outcomes[2][2] = {{0}}; /* from the left or the right, and to there */
    for (uint32_t k = 0; k < 40; k++) {
        const int is_right = particle.u > 0;
        const int64_t image = counts.x_image;
        struct particle drawn = particle;
        stream_draw(&system.boundary.stream, &drawn, 1);
        const double time = particle.t + ((is_right ? 4 : 0) - particle.x) / particle.u;
        const struct event event = {time, 0, is_right ? FEATURE_RIGHT : FEATURE_LEFT};
        physics_resolve(&system, &event);
        CHECK(particle.u == drawn.u && particle.v == drawn.v && particle.draws == k + 1);
        CHECK(particle.x == (particle.u > 0 ? 0 : 4) && particle.t == time);
        CHECK(particle_since(&particle) == time && particle.version == k + 2);
        CHECK(counts.x_image - image == ((particle.u > 0) == is_right ? (is_right ? 1 : -1) : 0));
        CHECK(boundary_turned_back(&system.boundary, event.b, particle.u) ==
              ((particle.u > 0) != is_right));
        outcomes[is_right][particle.u > 0]++;
    }
    CHECK(outcomes[0][0] > 3 && outcomes[0][1] > 3 && outcomes[1][0] > 3 && outcomes[1][1] > 3);
    CHECK(counts.walls == 0 && counts.particles == 0);
    CHECK(!boundary_turned_back(&system.boundary, FEATURE_TOP, -1));
}

int main(void)
{
    RUN(test_distributions);
    RUN(test_mean_speed);
    RUN(test_independence);
    RUN(test_known_velocities);
    RUN(test_what_a_velocity_depends_on);
    RUN(test_extremes);
    RUN(test_temperature);
    RUN(test_a_lonely_particle_has_no_temperature);
    RUN(test_reaching_the_seam);
    return check_finish();
}
