/* Tests of streams: the distributions of the velocities that are drawn, that they depend on nothing
 * else than they should, the temperature, and passing the seam. */

#include "check.h"

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

/* Draws many velocities at a side, at a ratio s of stream and thermal speed; those of a stream to
 * the left are its mirror image. Through the seam in y there is no stream. */
static void check_velocities(double s, double mass, int32_t side)
{
    static struct distribution flux, along;
    const int is_y = side < FEATURE_RIGHT;
    const double across = is_y ? 0 : fabs(s);
    const size_t count = check_is_quick() ? 10000 : 40000;
    const double temperature = 2.25;
    const double sigma = sqrt(temperature / mass);
    const struct stream stream = stream_make(s * sigma, temperature, 5);
    size_t flux_bins[BINS] = {0}, along_bins[BINS] = {0};
    integrate(&flux, density_flux, across, fmin(across - 9, 0), across + 9);
    integrate(&along, density_along, 0, -9, 9);
    for (size_t k = 0; k < count; k++) {
        struct particle p = {.id = (int32_t)(k % 100), .draws = (uint32_t)(k / 100)};
        stream_draw(&stream, &p, mass, side);
        CHECK((is_y ? p.v : p.u) != 0);
        flux_bins[find_bin(&flux, is_y ? p.v / sigma : copysign(1, s) * p.u / sigma)]++;
        along_bins[find_bin(&along, is_y ? p.u / sigma - s : p.v / sigma)]++;
    }
    if (!CHECK(is_uniform(flux_bins, count)) || !CHECK(is_uniform(along_bins, count)))
        printf("s = %g, mass %g, side %d\n", s, mass, (int)side);
}

TEST(distributions)
{
    static const double ratios[] = {-30, -8, -3, -1.3, -0.5, 0, 0.1, 0.3, 0.7, 1, 1.3, 2, 4, 30};
    for (size_t k = 0; k < LENGTH(ratios); k++) {
        check_velocities(ratios[k], k % 3 == 0 ? 1 : k % 3 == 1 ? 100 : 0.25, FEATURE_LEFT);
        check_velocities(ratios[k], k % 3 == 0 ? 1 : k % 3 == 1 ? 100 : 0.25, FEATURE_TOP);
    }
}

/* E|u| of a normal distribution of variance T / m around U. */
TEST(mean_speed)
{
    static const double ratios[] = {0, 1e-3, 0.5, 1, 3, 6.2, 6.4, 50};
    for (size_t k = 0; k < LENGTH(ratios); k++) {
        const double s = ratios[k];
        const double sigma = sqrt(2.0 / 4);
        const double speed = (k % 2 ? -1 : 1) * s * sigma * sqrt(2);
        const struct stream stream = stream_make(speed, 2, 0);
        const double expected =
            sigma * sqrt(2 / 3.14159265358979323846) * exp(-s * s) + fabs(speed) * erf(s);
        CHECK(fabs(stream_mean_speed(&stream, 4, 1) - expected) < 1e-14 * expected);
    }
}

/* That of the speed, against sums over a fine lattice of velocities, which are as exact. */
TEST(mean_speed_in_the_plane)
{
    static const double ratios[] = {0, 0.3, 1, 2, 6.3, 6.4};
    const double step = 0.05;
    for (size_t k = 0; k < LENGTH(ratios); k++) {
        const double s = ratios[k];
        const struct stream stream = stream_make(-3 * s, 9, 0); /* sigma is 3 / sqrt(2) */
        double sum = 0, weights = 0;
        for (double u = s - 7 + step / 3; u < s + 7; u += step) {
            for (double v = step / 2; v < 7; v += step) {
                const double weight = exp(-(u - s) * (u - s) - v * v);
                sum += weight * hypot(u, v);
                weights += weight;
            }
        }
        const double expected = 3 * sum / weights;
        if (!CHECK(fabs(stream_mean_speed(&stream, 2, 2) - expected) < 2e-5 * expected))
            printf("s = %g: %.10g, not %.10g\n", s, stream_mean_speed(&stream, 2, 2), expected);
    }
}

/* Two components of successive velocities, and of successive particles, do not go together. */
TEST(independence)
{
    enum { COUNT = 20000 };
    const struct stream stream = stream_make(0.7, 1, 9);
    double products[3] = {0}, u_before = 0, v_before = 0;
    for (size_t k = 0; k < 2 * COUNT; k++) {
        struct particle p = {.id = (int32_t)(k < COUNT ? 0 : k),
                             .draws = (uint32_t)(k < COUNT ? k : 7)};
        stream_draw(&stream, &p, 1, FEATURE_LEFT);
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
TEST(known_velocities)
{
    static const struct {
        double speed, mass;
        int32_t side, id;
        uint32_t draws;
        double u, v;
    } known[] = {
        {1, 1, FEATURE_LEFT, 0, 0, 0x1.c0248845fcbccp-1, -0x1.2f06f6062f04ap-2},
        {1, 1, FEATURE_LEFT, 0, 0, -0x1.2a3be1c158014p+0, 0x1.ca071a836ac17p-2},
        {-3, 4, FEATURE_RIGHT, 123456, 4294967295u, -0x1.81adc0c14ab7bp+1, -0x1.6aa66e8ebcf1ap-4},
        {1e-3, 0.5, FEATURE_RIGHT, 7, 12, -0x1.d50790369613dp+0, 0x1.665967fbfabc4p+0},
        {1, 1, FEATURE_TOP, 0, 0, 0x1.013727cdd1b79p+1, -0x1.0da2b46bd9bbep+1},
        {-3, 4, FEATURE_BOTTOM, 123456, 4294967295u, -0x1.9e6116571cf1fp+1, -0x1.223ff674a17e3p-2},
    };
    for (size_t k = 0; k < LENGTH(known); k++) {
        const struct stream stream = stream_make(known[k].speed, 2, 1 + k);
        struct particle p = {.id = known[k].id, .draws = known[k].draws};
        stream_draw(&stream, &p, known[k].mass, known[k].side);
        if (!CHECK(p.u == known[k].u && p.v == known[k].v))
            printf("%a, %a\n", p.u, p.v);
        CHECK(p.draws == known[k].draws + 1);
    }
}

/* A velocity depends on the seed, the number of the particle and that of the draw: on each. */
TEST(what_a_velocity_depends_on)
{
    struct stream stream = stream_make(1, 1, 0);
    struct particle first = {.id = 3, .draws = 4, .x = 1, .y = 2, .u = 3, .v = 4, .t = 5};
    struct particle same = {.id = 3, .draws = 4};
    stream_draw(&stream, &first, 1, FEATURE_RIGHT);
    stream_draw(&stream, &same, 1, FEATURE_RIGHT);
    CHECK(same.u == first.u && same.v == first.v);
    CHECK(first.x == 1 && first.y == 2 && first.t == 5 && first.id == 3 && first.version == 0);
    for (int k = 0; k < 3; k++) {
        struct particle other = {.id = 3 + (k == 0), .draws = 4 + (k == 1)};
        stream.seed = k == 2;
        stream_draw(&stream, &other, 1, FEATURE_RIGHT);
        CHECK(other.u != first.u && other.v != first.v);
    }
}

/* The ends of what a stream may be: every velocity is one that a particle may have, and not 0. */
TEST(extremes)
{
    static const double sigmas[] = {SYSTEM_SMALLEST, 1, STREAM_FASTEST};
    static const double speeds[] = {0, 1, STREAM_FASTEST};
    for (int k = 0; k < 9 * 1000; k++) {
        const double sigma = sigmas[k % 3];
        const double speed = speeds[k / 3 % 3] * (k % 2 ? 1 : -1);
        struct stream stream = stream_make(speed, sigma * sigma, (uint64_t)k);
        struct particle p = {0};
        stream_draw(&stream, &p, 1, FEATURE_LEFT);
        CHECK(p.u != 0);
        CHECK(fabs(p.u) <= SYSTEM_LARGEST && fabs(p.v) <= SYSTEM_LARGEST);
    }
}

/* Completes the stream of three particles with these u, v and mass. */
static enum status complete(const double (*velocities)[3], double temperature,
                            struct system *system, struct error *error)
{
    static struct particle particles[3];
    static struct particle_kind kinds[3];
    *system = (struct system){.count = 3, .particles = particles, .kinds = kinds, .kind_count = 3};
    system->boundary.stream = stream_make(1, temperature, 0);
    for (size_t k = 0; k < 3; k++) {
        particles[k] = (struct particle){
            .u = velocities[k][0], .v = velocities[k][1], .id = (int32_t)k, .kind = (uint32_t)k};
        kinds[k] = (struct particle_kind){0, velocities[k][2], 0};
    }
    return stream_complete(system, error);
}

TEST(temperature)
{
    struct system system;
    const double *temperature = &system.boundary.stream.temperature;
    /* The centre moves with (1, 0); the energy around it is (1 + 1 + 2 (4 + 0)) / 2. */
    const double gas[3][3] = {{1, 1, 1}, {1, -1, 1}, {1, 0, 2}};
    CHECK(complete(gas, 0, &system, &failure) == STATUS_DONE && *temperature == 0.5);
    CHECK(complete(gas, 3, &system, &failure) == STATUS_DONE && *temperature == 3);
    /* The mean of 0.1 is not 0.1, but the temperature is 0. */
    const double parallel[3][3] = {{0.1, 0.7, 1}, {0.1, 0.7, 3}, {0.1, 0.7, 0.3}};
    CHECK(complete(parallel, 0, &system, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "give --stream-temperature=T") != NULL);
    CHECK(complete(parallel, 3, &system, &failure) == STATUS_DONE && *temperature == 3);
    /* Too hot for the light one, too cold for the heavy one. */
    const double mixture[3][3] = {{1, 0, 1e-40}, {0, 1, 1}, {0, 0, 1e40}};
    CHECK(complete(mixture, 1e37, &system, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "mass 1e-40 a thermal speed of 3.16228e+38") != NULL);
    CHECK(complete(mixture, 1e-41, &system, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "mass 1e+40 a thermal speed of 3.16228e-41") != NULL);
    CHECK(complete(mixture, 1e-39, &system, &failure) == STATUS_DONE);
}

TEST(a_lonely_particle_has_no_temperature)
{
    struct particle particle = {.u = 1};
    struct system system = {.count = 1, .particles = &particle};
    system.boundary.stream = stream_make(1, 0, 0);
    CHECK(stream_complete(&system, &failure) == STATUS_BAD_DATA);
}

/* What reaching a seam does, in x and in y: the particle passes it, or goes back, as the new
 * velocity leads; the other coordinate stays. */
TEST(reaching_a_seam)
{
    static const double lengths[2] = {4, 2.5};
    struct particle particle = {
        .x = 3, .y = 2, .u = 1, .v = 0.5, .t = 1, .collided = -(double)INFINITY, .id = 8};
    struct particle_counts counts = {0};
    struct system system = arranged_few(&particle, &counts, 1, 0.5, 0, 0);
    system.boundary =
        (struct boundary){.width = 4, .height = 2.5, .periodic = PERIODIC_X | PERIODIC_Y};
    system.boundary.stream = stream_make(0.1, 1, 0);

    int outcomes[2][2][2] = {{{0}}}; /* of each axis, from the lower or the upper side, and to it */
    for (uint32_t k = 0; k < 120; k++) {
        const struct boundary_contact next = boundary_next(&system.boundary, &particle, 0.5);
        const double time = next.time;
        const int axis = next.feature < FEATURE_RIGHT;
        const int is_up = next.feature == FEATURE_RIGHT || next.feature == FEATURE_TOP;
        const int64_t image = axis ? counts.y_image : counts.x_image;
        const struct event event = {time, 0, next.feature};
        struct particle drawn = particle;
        stream_draw(&system.boundary.stream, &drawn, 1, event.b);
        const int goes_up = (axis ? drawn.v : drawn.u) > 0;
        const double along = axis ? particle.x + particle.u * (time - particle.t)
                                  : particle.y + particle.v * (time - particle.t);
        physics_resolve(&system, &event);
        CHECK(particle.u == drawn.u && particle.v == drawn.v && particle.draws == k + 1);
        CHECK((axis ? particle.y : particle.x) == (goes_up ? 0 : lengths[axis]));
        CHECK((axis ? particle.x : particle.y) == along && particle.t == time);
        CHECK(particle_since(&particle) == time && particle.version == k + 1);
        CHECK((axis ? counts.y_image : counts.x_image) - image ==
              (goes_up == is_up ? (is_up ? 1 : -1) : 0));
        CHECK(boundary_turned_back(&system.boundary, event.b, &particle) == (goes_up != is_up));
        outcomes[axis][is_up][goes_up]++;
    }
    for (int k = 0; k < 8; k++)
        CHECK(outcomes[k / 4][k / 2 % 2][k % 2] > 3);
    CHECK(counts.walls == 0 && counts.particles == 0);
    system.boundary.periodic = PERIODIC_X;
    CHECK(!boundary_reinjects(&system.boundary, FEATURE_TOP));
    CHECK(!boundary_turned_back(&system.boundary, FEATURE_TOP, &particle));
}
