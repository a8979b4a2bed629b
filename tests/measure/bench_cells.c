/*
 * Measures the cells schedule: collisions of two particles per second, and per time of one pair
 * prediction, for systems from a thousand to a million disks; how long reading, predicting,
 * running and writing take for a million; what a periodic box costs; and the event calendar and the
 * cell list by themselves.
 */
#include "base/memory.h"
#include "cli/input.h"
#include "generate/generate.h"
#include "measure.h"
#include "model/physics.h"
#include "observe/output.h"
#include "random_system.h"
#include "run/simulation.h"
#include "schedule/calendar.h"
#include "schedule/cell_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
                double time = physics_pair_time(self, &system.particles[k], 2, NULL);
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
    if (schedule_create(SCHEDULE_CELLS, system, begin + length, &schedule, &error))
        measure_fail(error.message);
    predict_all(schedule);
    double start = measure_seconds();
    if (simulation_run(system, schedule, begin + length, NULL, &error))
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

/* A million disks from file to file; in a process of its own, whose memory is then known. */
static void measure_split(void)
{
    char path[] = "/tmp/particles-bench-XXXXXX";
    const size_t count = 1000000;
    struct error error;
    struct system system = make_system(count, 0.3, 0);
    const struct generate_request request = request_for(count, 0.3);
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!file || generate_write(&request, &system, file, path, &error) || fclose(file))
        measure_fail("cannot write a file for a million disks");
    system_free(&system);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct schedule *schedule = NULL;
        double times[5] = {measure_seconds()};
        FILE *nowhere = fopen("/dev/null", "w");
        int failed = input_read(path, SCHEDULE_CELLS, NULL, 0, &system, &error) != STATUS_DONE;
        times[1] = measure_seconds();
        failed = failed || schedule_create(SCHEDULE_CELLS, &system, 2, &schedule, &error);
        if (schedule)
            predict_all(schedule);
        times[2] = measure_seconds();
        failed = failed || simulation_run(&system, schedule, 2, NULL, &error);
        times[3] = measure_seconds();
        system_restore_order(&system);
        failed = failed || output_write(&system, 2, nowhere, "nowhere", &error);
        times[4] = measure_seconds();
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        if (failed)
            measure_fail(error.message);
        printf("a million disks, area fraction 0.3, END_TIME 2, seconds: read and validate %.2f, "
               "predict %.2f,\nrun %.2f (%.1f collisions each), write %.2f; at most %.0f bytes of "
               "memory a disk\n\n",
               times[1] - times[0], times[2] - times[1], times[3] - times[2],
               2 * (double)count_collisions(&system) / (double)count, times[4] - times[3],
               1024.0 * (double)usage.ru_maxrss / (double)count);
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    unlink(path);
    if (status != 0)
        measure_fail("the run of a million disks failed");
}

/* Times at random are hardly ever the same. */
static uint64_t rank_of(const void *user, uint32_t item)
{
    (void)user;
    return 1 + item;
}

static int are_same(const void *user, uint32_t item, uint32_t other)
{
    (void)user;
    return item == other;
}

/* An item scheduled, brought to the front and taken, with a million items waiting. */
static void measure_calendar(void)
{
    enum { ITEMS = 1000000 };
    static const struct calendar_order order = {rank_of, are_same};
    struct error error;
    struct calendar calendar;
    struct random_generator random = random_from(1);
    double *times = memory_allocate(ITEMS, sizeof *times, "the times", &error);
    if (!times || calendar_create(&calendar, ITEMS, &order, NULL, &error))
        measure_fail(error.message);
    for (uint32_t item = 0; item < ITEMS; item++)
        times[item] = random_unit(&random);
    double start = measure_seconds();
    calendar_begin_turn(&calendar, 0, 8.0 / ITEMS);
    for (uint32_t item = 0; item < ITEMS; item++)
        calendar_schedule(&calendar, item, times[item]);
    uint64_t taken = 0;
    for (;;) {
        for (; !calendar_is_empty(&calendar); taken++) {
            calendar_first(&calendar);
            calendar_pop(&calendar);
        }
        const struct calendar_chunk *chunk = calendar_next_slice(&calendar);
        if (!chunk)
            break;
        for (; chunk; chunk = calendar_more(&calendar, chunk))
            for (uint32_t k = 0; k < chunk->count; k++)
                calendar_push(&calendar, chunk->items[k], times[chunk->items[k]], 1);
        calendar_sort(&calendar);
    }
    printf("calendar: %.1f ns to schedule and take an item, of a million\n",
           1e9 * (measure_seconds() - start) / (double)taken);
    calendar_free(&calendar);
    memory_free(times);
}

/* A member taken out of its cell and put into the next one, with 0.6 members a cell. */
static void measure_cell_list(void)
{
    enum { MOVES = 5000000, SIDE = 100, MEMBERS = 6000 };
    static uint32_t cells[MEMBERS];
    struct error error;
    struct cell_list cell_list;
    struct random_generator random = random_from(1);
    const struct cell_list_shape shape = {0, 0, 1, 1, SIDE, SIDE, 0, 0};
    if (cell_list_create(&cell_list, (SIDE + 2) * (SIDE + 2), MEMBERS, &error))
        measure_fail(error.message);
    cell_list_reset(&cell_list, &shape);
    for (uint32_t member = 0; member < MEMBERS; member++) {
        cells[member] = cell_list_locate(&cell_list, SIDE * random_unit(&random),
                                         (SIDE - 1) * random_unit(&random));
        cell_list_add(&cell_list, cells[member], member);
    }
    double start = measure_seconds();
    for (uint32_t move = 0; move < MOVES; move++) {
        uint32_t member = move % MEMBERS;
        cell_list_remove(&cell_list, cells[member], member);
        cells[member] += move / MEMBERS % 2 ? -cell_list.stride : cell_list.stride;
        cell_list_add(&cell_list, cells[member], member);
    }
    printf("cell list: %.1f ns to move a member to the next cell\n",
           1e9 * (measure_seconds() - start) / MOVES);
    cell_list_free(&cell_list);
}

int main(void)
{
    puts("\nThe cells schedule: processor time, collisions of two particles, best of five runs\n");
    measure_split();
    measure_calendar();
    measure_cell_list();
    measure_rates();
    measure_boxes();
    return 0;
}
