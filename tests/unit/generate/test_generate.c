/* Tests of generated systems: properties that hold for every request. */
#include "check.h"
#include "cli/input.h"
#include "generate/generate.h"
#include "model/overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double PI = 3.14159265358979323846;
static const double ASPECTS[] = {1e-3, 0.3, 1, 1.7, 1e3};
enum { ASPECT_COUNT = sizeof ASPECTS / sizeof ASPECTS[0] };

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
    return (double)system->count * PI * (system->radius / system->boundary.width) *
           (system->radius / system->boundary.height);
}

/* No overlap, not even by rounding; all pairs where that is quick. */
static void check_distances(const struct system *system)
{
    const double diameter = 2 * system->radius;
    struct overlap overlap = {0};
    struct error error;
    CHECK(overlap_find(system, &overlap, &error) == STATUS_DONE && !overlap.found);
    for (size_t j = 0; j < system->count && system->count <= 100; j++) {
        const struct particle *q = &system->particles[j];
        for (size_t i = 0; i < j; i++) {
            const struct particle *p = &system->particles[i];
            CHECK(hypot(p->x - q->x, p->y - q->y) > diameter);
        }
    }
}

/* Whether everything about a system is as generate.h promises; but for its area fraction. */
static void check_system(const struct generate_request *request, const struct system *system)
{
    struct error error;
    CHECK(system->count == request->count && system->radius == request->radius);
    CHECK(system_check_radius(system, &error) == STATUS_DONE);
    CHECK(system_check_box(system, &error) == STATUS_DONE);
    CHECK(fmin(system->boundary.width, system->boundary.height) >= 2.1 * system->radius);
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        CHECK(system_check_particle(system, k, &error) == STATUS_DONE);
        CHECK(p->x >= system->radius && p->x <= system->boundary.width - system->radius);
        CHECK(p->y >= system->radius && p->y <= system->boundary.height - system->radius);
        CHECK(p->u != 0 && p->v != 0 && hypot(p->u, p->v) <= 2 * request->speed);
        CHECK(p->t == 0 && isinf(p->collided));
    }
    check_distances(system);
}

/* Generates a system and checks it. Returns its area fraction, or 0. */
static double check_request(const struct generate_request *request)
{
    struct system system;
    struct error error;
    if (!CHECK(generate_system(request, &system, &error) == STATUS_DONE))
        return 0;
    check_system(request, &system);
    double area_fraction = area_fraction_of(&system);
    CHECK(area_fraction <= request->area_fraction * (1 + 1e-12));
    system_free(&system);
    return area_fraction;
}

static void test_any_number_in_any_box(void)
{
    static const size_t counts[] = {1, 2, 3, 5, 7, 37, 100};
    static const double fractions[] = {1e-40, 1e-6, 0.01, 0.3, 0.4, 0.41, 0.6, 0.75, 0.88};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t j = 0; j < sizeof fractions / sizeof fractions[0]; j++)
            for (size_t k = 0; k < ASPECT_COUNT; k++) {
                struct generate_request request = request_of(counts[i], fractions[j], ASPECTS[k]);
                request.seed = i + j + k;
                check_request(&request);
            }
}

static void test_the_area_fraction_of_many(void)
{
    static const double fractions[] = {0.3, 0.7, 0.88};
    for (size_t j = 0; j < sizeof fractions / sizeof fractions[0]; j++)
        for (size_t k = 0; k < ASPECT_COUNT; k++) {
            struct generate_request request = request_of(10000, fractions[j], ASPECTS[k]);
            double area_fraction = check_request(&request);
            CHECK(area_fraction >= 0.99 * fractions[j]);
            if (fractions[j] <= 0.7)
                CHECK(area_fraction >= (1 - 1e-8) * fractions[j]);
        }
}

static void test_boxes_that_walls_crowd(void)
{
    for (size_t count = 1; count <= 40; count++) {
        struct generate_request request = request_of(count, 0.7, 1);
        double area_fraction = check_request(&request);
        CHECK(area_fraction >= (count < 10 ? 0.5 : 0.6));
    }
}

static void test_the_aspect(void)
{
    struct error error;
    for (size_t k = 0; k < ASPECT_COUNT; k++) {
        struct generate_request request = request_of(10000, 0.2, ASPECTS[k]);
        struct system system;
        if (!CHECK(generate_system(&request, &system, &error) == STATUS_DONE))
            return;
        CHECK(fabs(system.boundary.width / system.boundary.height / ASPECTS[k] - 1) < 1e-8);
        system_free(&system);
        request.area_fraction = 0.8;
        request.aspect = fmin(fmax(ASPECTS[k], 0.02), 50); /* a lattice has to have some room */
        if (!CHECK(generate_system(&request, &system, &error) == STATUS_DONE))
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
static void test_the_speed(void)
{
    static const size_t counts[] = {1, 2, 3, 5, 10, 100, 10000};
    static const double speeds[] = {1, 250, 1.0 / 3, 7e-12, 1e-40, GENERATE_MAX_SPEED};
    struct error error;
    struct system system;
    double square;
    double drift;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t j = 0; j < sizeof speeds / sizeof speeds[0]; j++)
            for (uint64_t seed = 0; seed < 20; seed++) {
                struct generate_request request = request_of(counts[i], 0.5, 1);
                request.speed = speeds[j];
                request.seed = seed;
                if (!CHECK(generate_system(&request, &system, &error) == STATUS_DONE))
                    return;
                measure_speeds(&system, speeds[j], &square, &drift);
                CHECK(fabs(square - 1) < 1e-8);
                CHECK(fabs(drift) < 0.05 || counts[i] < 10000);
                system_free(&system);
            }
}

/* Writes a system into a new file, whose name goes into `path`. Returns whether that is done. */
static int write_file(const struct generate_request *request, const struct system *system,
                      char path[32])
{
    struct error error;
    strcpy(path, "/tmp/particles-test-XXXXXX");
    int descriptor = mkstemp(path);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!CHECK(stream != NULL))
        return 0;
    CHECK(generate_write(request, system, stream, path, &error) == STATUS_DONE);
    fclose(stream);
    return 1;
}

static void check_reading_back(const struct generate_request *request)
{
    char path[32];
    struct error error = {""};
    struct system system;
    struct system read = {0};
    if (!CHECK(generate_system(request, &system, &error) == STATUS_DONE) ||
        !write_file(request, &system, path))
        return;
    if (CHECK(input_read(path, SCHEDULE_AUTO, &read, &error) == STATUS_DONE)) {
        CHECK(read.count == system.count && read.radius == system.radius);
        CHECK(read.boundary.width == system.boundary.width &&
              read.boundary.height == system.boundary.height);
        for (size_t k = 0; k < system.count; k++) {
            const struct particle *p = &system.particles[k];
            const struct particle *q = &read.particles[k];
            CHECK(p->x == q->x && p->y == q->y && p->u == q->u && p->v == q->v);
        }
        system_free(&read);
    } else {
        printf("    %s\n", error.message);
    }
    unlink(path);
    system_free(&system);
}

static void test_what_is_written_reads_back(void)
{
    static const double units[] = {1e-40, 1e-30, 1e-9, 0.1, 1.0 / 3, 1, 12345.678, 1e9, 1e25};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        struct generate_request request = request_of(200, k % 2 ? 0.3 : 0.8, 2);
        request.radius = units[k];
        request.speed = 2 * units[k];
        check_reading_back(&request);
        check_request(&request);
    }
    struct generate_request sparse = request_of(200, 1e-30, 1e-3);
    check_reading_back(&sparse);
}

/* Whether two requests give the same particles. */
static int are_alike(const struct generate_request *left, const struct generate_request *right)
{
    struct error error;
    struct system a;
    struct system b;
    int alike = 0;
    if (CHECK(generate_system(left, &a, &error) == STATUS_DONE) &&
        CHECK(generate_system(right, &b, &error) == STATUS_DONE)) {
        alike = memcmp(a.particles, b.particles, a.count * sizeof *a.particles) == 0;
        system_free(&b);
    }
    system_free(&a);
    return alike;
}

static void test_seeds(void)
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

static void test_a_box_beyond_all_measure(void)
{
    struct error error;
    struct system system;
    struct generate_request request = request_of(100, 0.3, 1);
    request.radius = 1e39;
    CHECK(generate_system(&request, &system, &error) == STATUS_USAGE);
    CHECK(system.particles == NULL && system.count == 0);
    request = request_of(1, 0.88, 1e40);
    CHECK(generate_system(&request, &system, &error) == STATUS_DONE);
    system_free(&system);
}

int main(void)
{
    RUN(test_any_number_in_any_box);
    RUN(test_the_area_fraction_of_many);
    RUN(test_boxes_that_walls_crowd);
    RUN(test_the_aspect);
    RUN(test_the_speed);
    RUN(test_what_is_written_reads_back);
    RUN(test_seeds);
    RUN(test_a_box_beyond_all_measure);
    return check_finish();
}
