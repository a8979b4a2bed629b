/*
 * Measures the cells schedule: collisions of two particles per second, and per time of one pair
 * prediction, for systems from a thousand to a million disks; and what a periodic box costs.
 */
#include "generate/generate.h"
#include "measure.h"
#include "model/physics.h"
#include "random_system.h"
#include "run/simulation.h"

#include <stdio.h>

static uint64_t count_collisions(const struct system *system)
{
    uint64_t halves = 0;
    for (size_t k = 0; k < system->count; k++)
        halves += system->counts[k].particles;
    return halves / 2;
}

/* Collisions with walls. */
static uint64_t count_hits(const struct system *system)
{
    uint64_t hits = 0;
    for (size_t k = 0; k < system->count; k++)
        hits += system->counts[k].walls;
    return hits;
}

static struct generate_request request_for(size_t count, double area_fraction)
{
    return (struct generate_request){.count = count,
                                     .area_fraction = area_fraction,
                                     .radius = 1,
                                     .aspect = 1,
                                     .speed = 1,
                                     .seed = 1};
}

static struct system make_system(size_t count, double area_fraction, unsigned periodic)
{
    struct error error;
    struct system system;
    struct generate_request request = request_for(count, area_fraction);
    request.periodic = periodic;
    if (generate_system(&request, &system, &error))
        measure_fail(error.message);
    return system;
}

/* Time per prediction of a pair, on 16 particles that stay in the first-level cache. */
static double time_prediction(void)
{
    enum { COUNT = 16, REPEATS = 200000 };
    struct random_generator random = random_from(1);
    struct system system = random_system(&random, COUNT, 0.3, 1);
    double best = (double)INFINITY;
    double sum = 0;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double start = measure_seconds();
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            const struct particle *self = &system.particles[repeat % COUNT];
            for (size_t k = 0; k < COUNT; k++) {
                double time = pair_time(self, &system.particles[k], 2, NULL);
                sum += time < 1e9 ? time : 0;
            }
        }
        best = fmin(best, (measure_seconds() - start) / ((double)REPEATS * COUNT));
    }
    if (sum < 0)
        puts("never"); /* so that no compiler leaves the loop out */
    system_free(&system);
    return best;
}

/* Makes all first predictions. */
static void predict_all(struct schedule *schedule)
{
    while (schedule_predict(schedule) < 1)
        continue;
}

/* Runs on from `begin` for `length`; returns the time it took, and the collisions. */
static double run_on(struct system *system, double begin, double length, uint64_t *collisions)
{
    struct error error;
    struct schedule *schedule = NULL;
    uint64_t before = count_collisions(system);
    if (schedule_create(SCHEDULE_CELLS, system, NULL, &schedule, &error))
        measure_fail(error.message);
    predict_all(schedule);
    double start = measure_seconds();
    if (simulation_run(schedule, begin + length, NULL, &error))
        measure_fail(error.message);
    double elapsed = measure_seconds() - start;
    schedule_free(schedule);
    *collisions = count_collisions(system) - before;
    return elapsed;
}

/*
 * The warm-up that a system needs to forget its start. Returns how long runs of a million
 * collisions, or of one for each particle, take then; *now is when the first of them begins.
 */
static double warm_up(struct system *system, double area_fraction, double *now)
{
    const double step = 0.2 / area_fraction; /* a few collisions each */
    uint64_t collisions = 0;
    *now = 0;
    for (int round = 0; round < 2 || (collisions < system->count && round < 20); round++) {
        run_on(system, *now, step, &collisions);
        *now += step;
    }
    return step * fmax(1e6, (double)system->count) / (double)(collisions + 1);
}

/* Collisions per second, best of MEASURE_ROUNDS. */
static double measure_rate(size_t count, double area_fraction)
{
    struct system system = make_system(count, area_fraction, 0);
    double best = 0;
    double now;
    const double length = warm_up(&system, area_fraction, &now);
    uint64_t collisions = 0;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double elapsed = run_on(&system, now, length, &collisions);
        now += length;
        best = fmax(best, (double)collisions / elapsed);
    }
    system_free(&system);
    return best;
}

static void measure_rates(void)
{
    static const double area_fractions[] = {0.1, 0.3, 0.5};
    double prediction = time_prediction();
    printf("one pair prediction in the first-level cache: %.2f ns\n\n", 1e9 * prediction);
    printf("%9s %9s %18s %14s %22s\n", "N", "area", "collisions/s", "ns each",
           "in pair predictions");
    for (size_t k = 0; k < 3; k++) {
        double first = 0;
        double last = 0;
        for (size_t count = 1000; count <= 1000000; count *= 10) {
            double rate = measure_rate(count, area_fractions[k]);
            last = 1 / (rate * prediction);
            first = first > 0 ? first : last;
            printf("%9zu %9.1f %18.0f %14.0f %22.1f\n", count, area_fractions[k], rate, 1e9 / rate,
                   last);
            fflush(stdout);
        }
        printf("growth from 10^3 to 10^6: %.2f\n", last / first);
    }
}

/* A box with walls or without, and when and for how long it runs next. */
struct box {
    struct system system;
    double now, length;
};

/* Seconds for a collision of two, and for any, walls included: the best so far. */
struct cost {
    double per_pair, per_event;
};

static struct box make_box(size_t count, double area_fraction, unsigned periodic)
{
    struct box box = {.system = make_system(count, area_fraction, periodic)};
    box.length = warm_up(&box.system, area_fraction, &box.now);
    return box;
}

static void run_box(struct box *box, struct cost *cost)
{
    const uint64_t hits = count_hits(&box->system);
    uint64_t pairs;
    const double elapsed = run_on(&box->system, box->now, box->length, &pairs);
    box->now += box->length;
    cost->per_pair = fmin(cost->per_pair, elapsed / (double)pairs);
    cost->per_event =
        fmin(cost->per_event, elapsed / (double)(pairs + count_hits(&box->system) - hits));
}

/*
 * What a periodic box costs. Both boxes run in turn, so that what disturbs one disturbs both; and
 * each is once the first that gets memory, for where it lies may matter.
 */
static void measure_periodic(size_t count, double area_fraction)
{
    static const unsigned axes[2] = {0, PERIODIC_X | PERIODIC_Y};
    struct cost costs[2] = {{(double)INFINITY, (double)INFINITY},
                            {(double)INFINITY, (double)INFINITY}};
    for (int first = 0; first < 2; first++) {
        struct box boxes[2];
        boxes[first] = make_box(count, area_fraction, axes[first]);
        boxes[!first] = make_box(count, area_fraction, axes[!first]);
        for (int round = 0; round < MEASURE_ROUNDS; round++)
            for (int k = 0; k < 2; k++)
                run_box(&boxes[k], &costs[k]);
        for (int k = 0; k < 2; k++)
            system_free(&boxes[k].system);
    }
    printf("%9zu %9.1f %14.0f %14.0f %18.3f %18.3f\n", count, area_fraction,
           1e9 * costs[0].per_pair, 1e9 * costs[1].per_pair, costs[1].per_pair / costs[0].per_pair,
           costs[1].per_event / costs[0].per_event);
    fflush(stdout);
}

static void measure_boxes(void)
{
    puts("\nA periodic box against one with walls, best of ten runs of each in turn");
    printf("%9s %9s %14s %14s %18s %18s\n", "N", "area", "walls, ns", "periodic, ns",
           "ratio, pairs only", "with wall hits");
    for (size_t count = 1000; count <= 1000000; count *= 10)
        measure_periodic(count, 0.3);
}

int main(void)
{
    puts("\nThe cells schedule: processor time, collisions of two particles, best of five runs\n");
    measure_rates();
    measure_boxes();
    return 0;
}
