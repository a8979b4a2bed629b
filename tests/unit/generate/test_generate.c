/* Tests of generated systems: properties that hold for every request. */
#include "check.h"
#include "generate/generate.h"
#include "input/input.h"
#include "model/overlap.h"

#include "base/elementary.h"
#include <unistd.h>

static const double ASPECTS[] = {1e-3, 0.3, 1, 1.7, 1e3};

static struct generate_request request_of(size_t count, double area_fraction, double aspect)
{
    return (struct generate_request){.count = count,
                                     .area_fraction = area_fraction,
                                     .radius = 1,
                                     .aspect = aspect,
                                     .speed = 1,
                                     .seed = 1};
}

static double area_fraction_of(const struct system *system)
{
    double covered = 0;
    for (size_t k = 0; k < system->count; k++) {
        double radius = system_radius(system, &system->particles[k]);
        covered += PI * (radius / system->boundary.width) * (radius / system->boundary.height);
    }
    return covered;
}

/* No overlap, not even by rounding; all pairs where that is quick. */
static void check_distances(const struct system *system)
{
    const struct boundary *box = &system->boundary;
    struct overlap overlap = {0};
    CHECK(overlap_find(system, NULL, &overlap, &failure) == STATUS_DONE && !overlap.found);
    for (size_t j = 0; j < system->count && system->count <= 1000; j++) {
        const struct particle *q = &system->particles[j];
        for (size_t i = 0; i < j; i++) {
            const struct particle *p = &system->particles[i];
            double dx = axis_distance(p->x, q->x, box->width, box->periodic & PERIODIC_X);
            double dy = axis_distance(p->y, q->y, box->height, box->periodic & PERIODIC_Y);
            CHECK(sqrt(dx * dx + dy * dy) > system_contact(system, p, q));
        }
    }
}

/* Inside the box, as far as the disks reach to its walls. */
static int is_inside(double coordinate, double length, double radius, unsigned is_periodic)
{
    if (is_periodic)
        return coordinate >= 0 && coordinate < length;
    return coordinate >= radius && coordinate <= length - radius;
}

/* Whether everything about a system is as generate.h promises; but for its area fraction. */
static void check_system(const struct generate_request *request, const struct system *system)
{
    CHECK(system->count == request->count && system->radius == request->radius);
    CHECK(system_check_kind(&(struct particle_kind){system->radius, 1, 0}, &failure) ==
          STATUS_DONE);
    const struct boundary *box = &system->boundary;
    CHECK(box->periodic == request->periodic);
    CHECK(fmin(box->width, box->height) >= 2.1 * system->radius);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        const double radius = system_radius(system, p);
        CHECK(system_check_particle(system, k, &failure) == STATUS_DONE);
        CHECK(is_inside(p->x, box->width, radius, box->periodic & PERIODIC_X));
        CHECK(is_inside(p->y, box->height, radius, box->periodic & PERIODIC_Y));
        CHECK((p->u != 0 && p->v != 0) || box->periodic);
        CHECK(p->t == 0 && isinf(p->collided));
    }
    check_distances(system);
}

/* Generates a system and checks it. Returns its area fraction, or 0. */
static double check_request(const struct generate_request *request)
{
    struct system system;
    if (!CHECK(generate_system(request, &system, &failure) == STATUS_DONE))
        return 0;
    check_system(request, &system);
    double area_fraction = area_fraction_of(&system);
    CHECK(area_fraction <= request->area_fraction * (1 + 1e-12));
    system_free(&system);
    return area_fraction;
}

/* The sum of the decimals that are written for a component of the velocities, in 10^-11. */
static int64_t sum_of(const struct system *system, size_t first, size_t count, int is_upright)
{
    int64_t sum = 0;
    for (size_t k = first; k < first + count; k++) {
        const struct particle *p = &system->particles[k];
        sum += llround((is_upright ? p->v : p->u) * 1e11);
    }
    return sum;
}

static void check_momentum(const struct system *system, size_t first, size_t count)
{
    for (int axis = 0; axis < 2; axis++)
        if (system->boundary.periodic & (axis ? PERIODIC_Y : PERIODIC_X))
            CHECK(sum_of(system, first, count, axis) == 0);
}

/* Any size, shape and density: the box that is asked for, or one that is hardly another. */
RANDOM_TEST(periodic_boxes, 3)
{
    const int rounds = check_is_thorough() ? 1500 : 150;
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
        OWNED(system, system);
        const double fraction = 0.01 + 0.87 * random_unit(random);
        struct generate_request request =
            request_of(1 + random_below(random, 400), fraction, 0.25 + 3.75 * random_unit(random));
        request.periodic = 1 + (unsigned)random_below(random, 3);
        if (request.periodic == (PERIODIC_X | PERIODIC_Y))
            request.area_fraction *= 0.9 / 0.88;
        request.seed = (uint64_t)round;
        if (generate_system(&request, &system, &failure)) {
            CHECK(strstr(failure.message, "at least 4 times the largest radius, 1: ") != NULL);
            CHECK(request.count < 100);
            refused++;
            continue;
        }
        check_system(&request, &system);
        check_momentum(&system, 0, system.count);
        CHECK(area_fraction_of(&system) >= 0.6 * request.area_fraction || request.count < 20);
        if (request.area_fraction <= 0.7 && request.count >= 100) {
            const double aspect = system.boundary.width / system.boundary.height;
            CHECK(fabs(area_fraction_of(&system) / request.area_fraction - 1) < 1e-3);
            CHECK(fabs(aspect / request.aspect - 1) < 1e-3);
        }
    }
    CHECK(refused < rounds / 4);
}

/* Where a lattice without empty sites fits, even the densest box is as it was asked for. */
TEST(crystals)
{
    static const struct {
        size_t columns, rows;
    } crystals[] = {{29, 30}, {6, 8}, {100, 100}, {3, 4}, {71, 10}};
    const double SQRT_3 = 1.7320508075688772;
    for (size_t k = 0; k < LENGTH(crystals); k++)
        for (int is_upright = 0; is_upright < 2; is_upright++) {
            OWNED(system, system);
            double aspect = (double)crystals[k].columns / (double)crystals[k].rows * 2 / SQRT_3;
            struct generate_request request = request_of(crystals[k].columns * crystals[k].rows,
                                                         0.9, is_upright ? 1 / aspect : aspect);
            request.periodic = PERIODIC_X | PERIODIC_Y;
            if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
                continue;
            check_system(&request, &system);
            CHECK(fabs(area_fraction_of(&system) / 0.9 - 1) < 1e-7);
            CHECK(fabs(system.boundary.width / system.boundary.height / request.aspect - 1) < 1e-7);
        }
}

/* From an aspect nearby the same crystal is found, and hardly stretched. */
TEST(the_nearest_crystal)
{
    struct system system;
    struct generate_request request = request_of(870, 0.9, 1);
    request.periodic = PERIODIC_X | PERIODIC_Y;
    if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
        return;
    check_system(&request, &system);
    CHECK(fabs(area_fraction_of(&system) / 0.9 - 1) < 1e-7);
    CHECK(fabs(system.boundary.width / system.boundary.height - 1.11620) < 5e-4);
    system_free(&system);
}

/* One disk is at rest where momentum is conserved; two are opposite. */
TEST(one_and_two)
{
    for (unsigned periodic = 1; periodic <= 3; periodic++)
        for (size_t count = 1; count <= 2; count++) {
            OWNED(system, system);
            struct generate_request request = request_of(count, 0.1, 1);
            request.periodic = periodic;
            if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
                continue;
            const struct particle *p = system.particles;
            check_system(&request, &system);
            check_momentum(&system, 0, count);
            if (count == 1) {
                CHECK((p->u == 0) == ((periodic & PERIODIC_X) != 0));
                CHECK((p->v == 0) == ((periodic & PERIODIC_Y) != 0));
            } else {
                CHECK(!(periodic & PERIODIC_X) || p[0].u == -p[1].u);
                CHECK(!(periodic & PERIODIC_Y) || p[0].v == -p[1].v);
            }
        }
}

static struct generate_request mixture_of(size_t large, size_t small, double ratio,
                                          double area_fraction)
{
    struct generate_request request = request_of(large + small, area_fraction, 1);
    request.component_count = 2;
    request.components[0] = (struct generate_component){large, 1, 1};
    request.components[1] = (struct generate_component){small, ratio, 4};
    return request;
}

/* The kinds, one after the other, at one temperature. */
static void check_mixture(const struct generate_request *request, const struct system *system)
{
    size_t first = 0;
    CHECK(system->kind_count == request->component_count);
    for (size_t k = 0; k < request->component_count; k++) {
        const struct generate_component *component = &request->components[k];
        double sum = 0;
        for (size_t j = first; j < first + component->count; j++) {
            const struct particle *p = &system->particles[j];
            CHECK(system_species(system, p) == (int32_t)k);
            CHECK(system_radius(system, p) == component->radius);
            CHECK(system_mass(system, p) == component->mass);
            sum += component->mass * (p->u * p->u + p->v * p->v);
        }
        CHECK(fabs(sum / (double)component->count - request->components[0].mass) < 1e-7 ||
              component->count == 1);
        check_momentum(system, first, component->count);
        first += component->count;
    }
}

TEST(mixtures)
{
    static const double fractions[] = {0.1, 0.4, 0.5, 0.65, 0.77};
    static const double ratios[] = {0.01, 0.5, 0.9, 1, 1.5};
    for (unsigned periodic = 0; periodic <= 3; periodic++)
        for (size_t i = 0; i < LENGTH(fractions); i++)
            for (size_t j = 0; j < LENGTH(ratios); j++) {
                if (!check_is_thorough() && !check_is_quick() && (periodic + i + j) % 2)
                    continue;
                OWNED(system, system);
                struct generate_request request = mixture_of(300, 200, ratios[j], fractions[i]);
                request.periodic = periodic;
                if (generate_system(&request, &system, &failure)) {
                    CHECK(strstr(failure.message, "cannot be reached with these radii") != NULL);
                    CHECK(fractions[i] > 0.45 && ratios[j] == 0.01);
                    continue;
                }
                check_system(&request, &system);
                check_mixture(&request, &system);
                CHECK(fabs(area_fraction_of(&system) / fractions[i] - 1) < 1e-6);
            }
}

/* By chance and on a lattice: each half of the box has half of each component. */
TEST(mixtures_are_mixed)
{
    for (int is_dense = 0; is_dense < 2; is_dense++) {
        OWNED(system, system);
        struct generate_request request = mixture_of(5000, 5000, 0.9, is_dense ? 0.7 : 0.3);
        size_t right = 0, above = 0;
        if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
            continue;
        for (size_t k = 0; k < 5000; k++) {
            right += system.particles[k].x > system.boundary.width / 2;
            above += system.particles[k].y > system.boundary.height / 2;
        }
        CHECK(right > 2300 && right < 2700 && above > 2300 && above < 2700);
    }
}

TEST(a_mixture_beyond_all_measure)
{
    struct system system;
    struct generate_request request = mixture_of(100, 100, 0.5, 0.81);
    CHECK(generate_system(&request, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "area fraction 0.81 cannot be reached") != NULL);
    CHECK(system.particles == NULL && system.kinds == NULL && system.count == 0);
    request = mixture_of(100, 100, 0.5, 0.3);
    request.components[1].mass = SYSTEM_MIN_MASS;
    request.speed = GENERATE_MAX_SPEED;
    CHECK(generate_system(&request, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "speeds from 5e+39 to 5e+59") != NULL);
}

TEST(any_number_in_any_box)
{
    static const size_t counts[] = {1, 2, 3, 5, 7, 37, 100};
    static const double fractions[] = {1e-40, 1e-6, 0.01, 0.3, 0.4, 0.41, 0.6, 0.75, 0.88};
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (size_t j = 0; j < LENGTH(fractions); j++)
            for (size_t k = 0; k < LENGTH(ASPECTS); k++) {
                struct generate_request request = request_of(counts[i], fractions[j], ASPECTS[k]);
                request.seed = i + j + k;
                check_request(&request);
            }
}

TEST(the_area_fraction_of_many)
{
    static const double fractions[] = {0.3, 0.7, 0.88};
    for (size_t j = 0; j < LENGTH(fractions); j++)
        for (size_t k = 0; k < LENGTH(ASPECTS); k++) {
            struct generate_request request = request_of(10000, fractions[j], ASPECTS[k]);
            double area_fraction = check_request(&request);
            CHECK(area_fraction >= 0.99 * fractions[j]);
            if (fractions[j] <= 0.7)
                CHECK(area_fraction >= (1 - 1e-8) * fractions[j]);
        }
}

TEST(boxes_that_walls_crowd)
{
    for (size_t count = 1; count <= 40; count++) {
        struct generate_request request = request_of(count, 0.7, 1);
        double area_fraction = check_request(&request);
        CHECK(area_fraction >= (count < 10 ? 0.5 : 0.6));
    }
}

TEST(the_aspect)
{
    for (size_t k = 0; k < LENGTH(ASPECTS); k++) {
        struct generate_request request = request_of(10000, 0.2, ASPECTS[k]);
        struct system system;
        if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
            return;
        CHECK(fabs(system.boundary.width / system.boundary.height / ASPECTS[k] - 1) < 1e-8);
        system_free(&system);
        request.area_fraction = 0.8;
        request.aspect = fmin(fmax(ASPECTS[k], 0.02), 50); /* a lattice has to have some room */
        if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
            return;
        CHECK(fabs(system.boundary.width / system.boundary.height / request.aspect - 1) < 0.25);
        system_free(&system);
    }
}

/* The root mean square of the speeds, and the mean velocity, in units of `speed`. */
static void measure_speeds(const struct system *system, double speed, double *square, double *drift)
{
    double sum = 0;
    *drift = 0;
    for (size_t k = 0; k < system->count; k++) {
        double u = system->particles[k].u / speed;
        double v = system->particles[k].v / speed;
        sum += u * u + v * v;
        *drift += (u + v) / (double)system->count;
    }
    *square = sqrt(sum / (double)system->count);
}

/* The speed is the root mean square of the very numbers that are written. */
TEST(the_speed)
{
    static const size_t counts[] = {1, 2, 3, 5, 10, 100, 10000};
    static const double speeds[] = {1, 250, 1.0 / 3, 7e-12, 1e-40, GENERATE_MAX_SPEED};
    struct system system;
    double square, drift;
    for (size_t i = 0; i < LENGTH(counts); i++)
        for (size_t j = 0; j < LENGTH(speeds); j++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                struct generate_request request = request_of(counts[i], 0.5, 1);
                request.speed = speeds[j];
                request.seed = seed;
                if (!CHECK(generate_system(&request, &system, &failure) == STATUS_DONE))
                    return;
                measure_speeds(&system, speeds[j], &square, &drift);
                CHECK(fabs(square - 1) < 1e-8);
                CHECK(fabs(drift) < 0.05 || counts[i] < 10000);
                system_free(&system);
            }
}

/* Writes a system into a new file, whose name goes into `path`. Returns whether that is done. */
static int write_file(const struct generate_request *request, char path[32])
{
    const struct polygon_files none = {0};
    strcpy(path, "/tmp/particles-test-XXXXXX");
    int descriptor = mkstemp(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!CHECK(stream != NULL))
        return 0;
    CHECK(generate_input(request, &none, stream, NULL, &failure) == STATUS_DONE);
    fclose(stream);
    return 1;
}

static void check_reading_back(const struct generate_request *request)
{
    char path[32];
    struct error error = {""};
    struct system system;
    struct system read = {.boundary.periodic = request->periodic, .law.rule = RULE_ELASTIC};
    if (!CHECK(generate_system(request, &system, &error) == STATUS_DONE) ||
        !write_file(request, path))
        return;
    if (CHECK(input_read(&(struct input_request){.path = path}, &read, &error) == STATUS_DONE)) {
        CHECK(read.count == system.count && read.radius == system.radius);
        CHECK(read.boundary.width == system.boundary.width &&
              read.boundary.height == system.boundary.height);
        for (size_t k = 0; k < system.count; k++) {
            const struct particle *p = &system.particles[k];
            const struct particle *q = &read.particles[k];
            CHECK(p->x == q->x && p->y == q->y && p->u == q->u && p->v == q->v);
            CHECK(system_radius(&system, p) == system_radius(&read, q));
            CHECK(system_mass(&system, p) == system_mass(&read, q));
            CHECK(system_species(&system, p) == system_species(&read, q));
        }
        system_free(&read);
    } else {
        printf("    %s\n", error.message);
    }
    unlink(path);
    system_free(&system);
}

TEST(what_is_written_reads_back)
{
    static const double units[] = {1e-40, 1e-30, 1e-9, 0.1, 1.0 / 3, 1, 12345.678, 1e9, 1e25};
    for (size_t k = 0; k < LENGTH(units); k++) {
        struct generate_request request = request_of(200, k % 2 ? 0.3 : 0.8, 2);
        request.radius = units[k];
        request.speed = 2 * units[k];
        check_reading_back(&request);
        check_request(&request);
    }
    struct generate_request sparse = request_of(200, 1e-30, 1e-3);
    check_reading_back(&sparse);
    for (unsigned periodic = 0; periodic <= 3; periodic++) {
        struct generate_request mixture = mixture_of(150, 50, 1.0 / 3, 0.3);
        mixture.periodic = periodic;
        check_reading_back(&mixture);
    }
    struct generate_request alike = request_of(20, 0.8, 1); /* but for the species */
    alike.component_count = 2;
    alike.components[0] = alike.components[1] = (struct generate_component){10, 1, 1};
    check_reading_back(&alike);
}

/* Whether two requests give the same particles. */
static int are_alike(const struct generate_request *left, const struct generate_request *right)
{
    OWNED(system, a);
    struct system b;
    int alike = 0;
    if (CHECK(generate_system(left, &a, &failure) == STATUS_DONE) &&
        CHECK(generate_system(right, &b, &failure) == STATUS_DONE)) {
        alike = memcmp(a.particles, b.particles, a.count * sizeof *a.particles) == 0;
        system_free(&b);
    }
    return alike;
}

TEST(seeds)
{
    for (int k = 0; k < 2; k++) {
        const struct generate_request request = request_of(50, k ? 0.2 : 0.8, 1);
        struct generate_request other = request;
        CHECK(are_alike(&request, &other));
        other.seed = 2;
        CHECK(!are_alike(&request, &other));
        other.seed = UINT64_MAX;
        CHECK(!are_alike(&request, &other));
    }
}

/* Moments of the velocities of one component of a gas that streams with 0.7 at temperature 0.5. */
static void check_component(const struct system *system, size_t first, size_t count)
{
    const double variance = 0.5 / system_mass(system, &system->particles[first]);
    double sums[5] = {0};
    for (size_t k = first; k < first + count; k++) {
        const struct particle *p = &system->particles[k];
        const double c[2] = {p->u - 0.7, p->v};
        for (int j = 0; j < 2; j++) {
            sums[j] += c[j];
            sums[2 + j] += c[j] * c[j];
            sums[4] += c[j] * c[j] * c[j] * c[j];
        }
    }
    const double n = (double)count;
    for (int j = 0; j < 2; j++) { /* five standard deviations */
        CHECK(fabs(sums[j]) < 5 * sqrt(n * variance));
        CHECK(fabs(sums[2 + j] - n * variance) < 5 * variance * sqrt(2 * n));
    }
    CHECK(fabs(sums[4] - 6 * n * variance * variance) < 5 * variance * variance * sqrt(192 * n));
}

TEST(streams)
{
    struct system system;
    struct generate_request request = mixture_of(9000, 6000, 0.5, 0.2);
    request.periodic = PERIODIC_X;
    request.stream = stream_make(0.7, 0.5, 0);
    if (CHECK(generate_system(&request, &system, &failure) == STATUS_DONE)) {
        CHECK(system_mass(&system, &system.particles[0]) !=
              system_mass(&system, &system.particles[9000]));
        check_component(&system, 0, 9000);
        check_component(&system, 9000, 6000);
        system_free(&system);
    }
    request = mixture_of(150, 50, 0.5, 0.3);
    request.periodic = PERIODIC_X;
    for (int k = 0; k < 4; k++) { /* fast, slow, in other units */
        static const double streams[4][2] = {{-3e7, 1}, {0, 1e-60}, {1e38, 1e30}, {1e-30, 1e-58}};
        request.stream = stream_make(streams[k][0], streams[k][1], 0);
        check_reading_back(&request);
    }
    request.stream.temperature = 1e77;
    CHECK(generate_system(&request, &system, &failure) == STATUS_USAGE);
    CHECK(strstr(failure.message, "they must be from 2e-40 to 1e+38") != NULL);
}

TEST(a_box_beyond_all_measure)
{
    OWNED(system, system);
    struct generate_request request = request_of(100, 0.3, 1);
    request.radius = 1e39;
    CHECK(generate_system(&request, &system, &failure) == STATUS_USAGE);
    CHECK(system.particles == NULL && system.count == 0);
    request = request_of(1, 0.88, 1e40);
    CHECK(generate_system(&request, &system, &failure) == STATUS_DONE);
}

/* A uniform spread has the deviation (high - low) / sqrt(12); the momentum is that of all sizes. */
TEST(radii_are_spread)
{
    static const struct generate_spread spreads[] = {{0.5, 1, 0, NULL}, {0.7, 0, 0.25, NULL}};
    static const size_t counts[] = {2000, 100, 9, 1};
    for (size_t round = 0; round < 2 * LENGTH(counts); round++) {
        const struct generate_spread *spread = &spreads[round % 2];
        struct generate_request request = request_of(counts[round / 2], round % 3 ? 0.3 : 0.6, 1);
        OWNED(system, system);
        double sums[4] = {0};
        request.spread = *spread;
        request.periodic = request.count > 9 ? PERIODIC_X : 0;
        CHECK(generate_system(&request, &system, &failure) == STATUS_DONE);
        CHECK(system.kind_count <= GENERATE_MAX_SIZES);
        for (size_t k = 0; k < system.count; k++) {
            const struct particle *p = &system.particles[k];
            const double radius = system_radius(&system, p);
            const double x = spread->largest > 0 ? radius : log(radius / spread->radius);
            CHECK(system_species(&system, p) == 0 && system_mass(&system, p) == 1);
            CHECK(spread->largest > 0 ? radius >= spread->radius && radius <= spread->largest
                                      : fabs(x) <= 3 * spread->deviation);
            sums[0] += x;
            sums[1] += x * x;
            sums[2] += p->u;
            sums[3] += p->u * p->u;
        }
        const double mean = sums[0] / (double)system.count;
        const double deviation = sqrt(sums[1] / (double)system.count - mean * mean);
        CHECK(fabs(sums[2]) < 1e-8 || !request.periodic);
        CHECK(sums[3] > 0);
        CHECK(fabs(mean - (spread->largest > 0 ? 0.75 : 0)) < 0.01);
        if (system.count > 50)
            CHECK(fabs(deviation / (spread->largest > 0 ? 0.5 / sqrt(12) : 0.25) - 1) < 0.02);
        CHECK(fabs(area_fraction_of(&system) - request.area_fraction) < 0.01 || system.count < 10);
        check_distances(&system);
    }
}
