/* Measures how fast the program is: bench [NAME]..., the parts with these names, or all.
 *
 * array: the array schedule against the textbook version of the same algorithm; both run the same
 * systems in turn, and must end with the same bytes.
 * rates: collisions of two particles a second with the cells schedule, from a thousand to a million
 * disks, and the machine's name.
 * boxes: what a periodic box costs.
 * tiles: how many collisions of two disks a second one thread finds without tiles, and how many
 * times as many are found with tiles, by the clock, on 1, 2, 4 and more threads, as far as there
 * are cores. All come to the same end, to the last bit. With LARGE=1 in the environment there are
 * ten million disks, too, which need 4 GB of memory.
 * steps: time-stepped runs. All pairs, as of gravitation, are compared with the arithmetic limit:
 * the time that the processor takes for the square roots and divisions alone, one of each for a
 * pair, two at a time, with nothing to wait for.
 * sph: smoothed particle hydrodynamics, particles times substeps a second on one core, and memory a
 * particle.
 * lattice: the flow on a lattice, updates of nodes a second beside a copy of as many bytes, on one
 * core and, by the clock, on two. */
#include "agreement.h"
#include "arranged.h"
#include "base/simd.h"
#include "base/thread_pool.h"
#include "channel.h"
#include "gas.h"
#include "measure.h"
#include "model/physics.h"
#include "observe/writers.h"
#include "outline.h"
#include "random_system.h"
#include "run/dynamics.h"
#include "schedule/schedules.h"
#include "smoothed.h"
#include "steps/steps.h"

#include <sys/resource.h>

#ifdef __clang__
#define COMPILER_NAME __VERSION__
#else
#define COMPILER_NAME "gcc " __VERSION__
#endif

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

/* Makes all first predictions. */
static void predict_all(struct schedule *schedule)
{
    while (schedule_predict(schedule) < 1)
        continue;
}

/* Lets a schedule advance its system to a time, as the program does it without observers. */
static void advance_to(struct schedule *schedule, double until)
{
    must(simulation_run(schedule, until, NULL, &failure));
}

/* Runs a system to a time, and returns how long that took, without the first predictions. */
static double run_kind(struct system *system, enum schedule_kind kind, double end_time)
{
    struct schedule *schedule = NULL;
    must(schedule_create(kind, system, NULL, &schedule, &failure));
    predict_all(schedule);
    double start = measure_seconds();
    advance_to(schedule, end_time);
    double elapsed = measure_seconds() - start;
    schedule_free(schedule);
    return elapsed;
}

/* ---- array ---- */

/* The best time of several runs of a system, which is left as the last run_kind left it. */
static double best_kind(const struct system *start, struct system *end, enum schedule_kind kind,
                        double end_time)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        memcpy(end->particles, start->particles, start->count * sizeof *start->particles);
        memcpy(end->counts, start->counts, start->count * sizeof *start->counts);
        best = fmin(best, run_kind(end, kind, end_time));
    }
    return best;
}

static void compare_kinds(size_t count, double area_fraction, double end_time)
{
    struct random_generator random = random_from(count);
    OWNED(system, start) = random_system(&random, count, area_fraction, 1);
    OWNED(system, array) = system_copy(&start);
    OWNED(system, textbook) = system_copy(&start);
    double textbook_time = best_kind(&start, &textbook, SCHEDULE_TEXTBOOK, end_time);
    double array_time = best_kind(&start, &array, SCHEDULE_ARRAY, end_time);
    if (memcmp(array.particles, textbook.particles, count * sizeof *array.particles) != 0)
        measure_fail("the array and the textbook version differ");
    double events = (double)(count_collisions(&array) + count_hits(&array));
    printf("%6zu %9.1f %10.0f %14.0f %14.0f %8.1f\n", count, area_fraction, events,
           events / textbook_time, events / array_time, textbook_time / array_time);
}
static void bench_array(void)
{
    static const struct {
        size_t count;
        double end_time;
    } cases[] = {{50, 200}, {100, 100}, {200, 30}, {500, 5}};
    printf("events (collisions) per second, best of %d runs each\n", MEASURE_ROUNDS);
    printf("%6s %9s %10s %14s %14s %8s\n", "N", "area", "events", "textbook", "array", "ratio");
    for (size_t k = 0; k < LENGTH(cases); k++) {
        compare_kinds(cases[k].count, 0.1, 4 * cases[k].end_time);
        compare_kinds(cases[k].count, 0.4, cases[k].end_time);
    }
}

/* ---- rates ---- */

/* Runs on from `begin` for `length`; returns the time it took, and the collisions. */
static double run_on(struct system *system, double begin, double length, uint64_t *collisions)
{
    const uint64_t before = count_collisions(system);
    const double elapsed = run_kind(system, SCHEDULE_CELLS, begin + length);
    *collisions = count_collisions(system) - before;
    return elapsed;
}

/* The warm-up that a system needs to forget its start. Returns how long runs of a million
 * collisions, or of one for each particle, take then; *now is when the first of them begins. */
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

enum { RATE_ROUNDS = 3 };

/* Collisions of elastic disks a second in a periodic box, best of RATE_ROUNDS. */
static double measure_rate(size_t count, double area_fraction)
{
    OWNED(system, system) = gas_create_periodic(count, area_fraction, 1);
    double best = 0;
    double now;
    const double length = warm_up(&system, area_fraction, &now);
    uint64_t collisions = 0;
    for (int round = 0; round < RATE_ROUNDS; round++) {
        double elapsed = run_on(&system, now, length, &collisions);
        now += length;
        best = fmax(best, (double)collisions / elapsed);
    }
    return best;
}

/* The name of the processor, where Linux knows it, and how many cores there are. */
static void print_machine(void)
{
    char line[200] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file) && strncmp(line, "model name", 10) != 0)
        continue;
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
    const char *colon = strncmp(line, "model name", 10) == 0 ? strstr(line, ": ") : NULL;
    printf("%s, %u cores, %s\n\n", colon ? colon + 2 : "an unnamed processor", threads_available(),
           COMPILER_NAME);
}

static void bench_rates(void)
{
    static const double area_fractions[] = {0.1, 0.3, 0.5, 0.65};
    puts("\nMillion collisions of two disks a second on one core: the cells schedule, elastic, "
         "periodic,\nprocessor time without the start, best of three runs\n");
    print_machine();
    puts("| N | 0.1 | 0.3 | 0.5 | 0.65 |\n|---:|---:|---:|---:|---:|");
    for (size_t count = 1000; count <= 1000000; count *= 10) {
        printf("| %zu |", count);
        for (size_t k = 0; k < LENGTH(area_fractions); k++)
            printf(" %.2f |", 1e-6 * measure_rate(count, area_fractions[k]));
        putchar('\n');
    }
}

/* ---- boxes ---- */

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
    struct box box = {.system = generated_gas(count, area_fraction, 1, periodic)};
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

/* What a periodic box costs. Both boxes run in turn, so that what disturbs one disturbs both; and
 * each is once the first that gets memory, for where it lies may matter. */
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
}

static void bench_boxes(void)
{
    puts("\nA periodic box against one with walls, best of ten runs of each in turn");
    printf("%9s %9s %14s %14s %18s %18s\n", "N", "area", "walls, ns", "periodic, ns",
           "ratio, pairs only", "with wall hits");
    for (size_t count = 1000; count <= 1000000; count *= 10)
        measure_periodic(count, 0.3);
}

/* ---- tiles ---- */

enum { WAY_ROUNDS = 3, MAX_WAYS = 12 };

/* A way to run_way a system: on no threads but one, without tiles, or with tiles on so many. */
struct way {
    unsigned threads; /* 0: without tiles */
    double seconds;   /* the best so far */
};

/* How many collisions each disk has before the clock begins, and until it ends. */
static const double COLLISIONS_BEFORE = 2;
static const double COLLISIONS_MEASURED = 6;

/* The first predictions are made. */
static struct schedule *create_for(struct system *system, const struct way *way)
{
    struct schedule *schedule = NULL;
    const struct schedule_threads threads = {way->threads, 0};
    if (way->threads > 0 ? tiles_create(system, &threads, &schedule, &failure)
                         : cells_create(system, &schedule, &failure))
        measure_fail(failure.message);
    predict_all(schedule);
    return schedule;
}

/* Runs a copy of `start` in this way. Returns it, in the order of the ids, and in `collisions` how
 * many there were while the clock ran. */
static struct system run_way(const struct system *start, const double times[2], struct way *way,
                             uint64_t *collisions)
{
    struct system system = system_copy(start);
    struct schedule *schedule = create_for(&system, way);
    advance_to(schedule, times[0]);
    *collisions = count_collisions(&system);
    const double began = measure_clock();
    advance_to(schedule, times[1]);
    way->seconds = fmin(way->seconds, measure_clock() - began);
    *collisions = count_collisions(&system) - *collisions;
    schedule_free(schedule);
    return system;
}

static void compare_ways(size_t count, double area_fraction, struct way *ways, size_t way_count)
{
    /* Enskog's rate of each disk, 4 R n sqrt(pi k T / m) g, with k T / m = 1 / 2. */
    const double rate = 4 * area_fraction / pi * sqrt(pi / 2) * gas_henderson(area_fraction);
    const double times[2] = {COLLISIONS_BEFORE / rate,
                             (COLLISIONS_BEFORE + COLLISIONS_MEASURED) / rate};
    OWNED(system, start) = generated_system(count, area_fraction, 1, 1, 1);
    uint64_t collisions = 0;
    for (size_t k = 0; k < way_count; k++)
        ways[k].seconds = (double)INFINITY;
    for (int round = 0; round < WAY_ROUNDS; round++) {
        OWNED(system, known) = run_way(&start, times, &ways[0], &collisions);
        for (size_t k = 1; k < way_count; k++) {
            OWNED(system, end) = run_way(&start, times, &ways[k], &collisions);
            if (!agreement_is_same(&end, &known))
                measure_fail("another end with tiles");
        }
    }
    printf("%9zu %9.2f %14.0f", count, area_fraction, (double)collisions / ways[0].seconds);
    for (size_t k = 1; k < way_count; k++)
        printf(" %9.2f", ways[0].seconds / ways[k].seconds);
    putchar('\n');
}
static void bench_tiles(void)
{
    struct way ways[MAX_WAYS] = {{.threads = 0}};
    const unsigned cores = threads_available();
    const size_t most = getenv("LARGE") ? 10000000 : 1000000;
    size_t count = 1;
    puts("\nTiles: collisions a second of one thread without them, by the clock, best of three "
         "runs in turn;\nand how many times as many with tiles on so many threads\n");
    printf("%9s %9s %14s", "N", "area", "without");
    for (unsigned threads = 1; threads <= cores && count < MAX_WAYS; threads *= 2) {
        ways[count++].threads = threads;
        printf(" %9u", threads);
    }
    putchar('\n');
    for (size_t disks = 10000; disks <= most; disks *= 10)
        for (int k = 0; k < 2; k++)
            compare_ways(disks, k == 0 ? 0.3 : 0.65, ways, count);
}

/* ---- steps ---- */

/* Seconds for a number of substeps of a system, under gravity if that is not 0. */
static double time_steps(const struct system *start, const char *text, const char *gravity,
                         double substeps, unsigned threads)
{
    OWNED(system, system) = system_copy(start);
    OWNED(steps_settings, scene) = {.step = 1e-3, .substeps = 1, .threads = threads};
    struct observers observers = {0};
    if (steps_settings_add(&scene, strncmp(text, "contact", 7) == 0, text, &failure) ||
        (gravity && steps_settings_add(&scene, 0, gravity, &failure)) ||
        steps_create(&scene, &system, 0, &observers.dynamics, &failure))
        measure_fail(failure.message);
    struct dynamics *dynamics = observers.dynamics;
    must(observers_begin(&observers, &system, &failure));
    const double begin = measure_clock();
    must(dynamics->operations->advance(dynamics, 1e-3 * substeps, &observers, &failure));
    const double seconds = measure_clock() - begin;
    observers_free(&observers);
    dynamics_free(dynamics);
    return seconds;
}

/* The best of several rounds. */
static double best_steps(const struct system *start, const char *text, double substeps)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++)
        best = fmin(best, time_steps(start, text, NULL, substeps, 1));
    return best;
}

/* Seconds for the square roots and the divisions of `pairs` pairs. */
static double best_limit(double pairs)
{
    enum { VALUES = 1000 };
    static double squares[VALUES];
    static volatile double kept;
    double best = (double)INFINITY;
    for (int k = 0; k < VALUES; k++)
        squares[k] = 1 + k;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        simd sum = simd_all(0);
        const double begin = measure_seconds();
        for (double done = 0; done < pairs; done += VALUES)
            for (int k = 0; k < VALUES; k += 2) {
                const simd square = simd_load(&squares[k]);
                sum += 1 / (square * simd_root(square));
            }
        best = fmin(best, measure_seconds() - begin);
        double lanes[2];
        simd_store(lanes, sum);
        kept = lanes[0] + lanes[1];
    }
    (void)kept;
    return best;
}

static void measure_all_pairs(size_t count)
{
    struct random_generator random = random_from(count);
    OWNED(system, system) = arranged_points(&random, count, 1000, 1000, 0);
    const double substeps = 50;
    const double pairs = substeps * (double)count * (double)(count - 1) / 2;
    const double run = best_steps(&system, "gravitation G=1 softening=10", substeps);
    const double limit = best_limit(pairs);
    printf("| %zu | %.2f | %.2f | %.2f |\n", count, 1e9 * run / pairs, 1e9 * limit / pairs,
           run / limit);
}

/* Atoms on a square lattice, as dense as a liquid. */
static void measure_short_range(size_t rows)
{
    OWNED(system, system) = arranged_square(rows, rows);
    const double substeps = 2e6 / (double)system.count;
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].id % 2 ? 1 : -1;
    const double run = best_steps(&system, "lennard-jones epsilon=1 sigma=0.85", substeps);
    printf("| %zu | %.2f |\n", system.count, 1e-6 * substeps * (double)system.count / run);
}

/* Seconds for a million substeps of a particle on one core, and how many times faster two are. Both
 * are measured in turns: the speed of a machine that others use, too, changes from minute to
 * minute, and once made two cores look 1.15 times as fast that were 1.7 times as fast. */
static void measure_threads(const char *text, const char *gravity, double speed,
                            struct system system, double substeps)
{
    struct random_generator random = random_from(7);
    double best[] = {(double)INFINITY, (double)INFINITY};
    for (size_t k = 0; k < system.count; k++) {
        system.particles[k].u = speed * (2 * random_unit(&random) - 1);
        system.particles[k].v = speed * (2 * random_unit(&random) - 1);
    }
    for (int round = 0; round < 2 * MEASURE_ROUNDS; round++)
        best[round % 2] = fmin(
            best[round % 2], time_steps(&system, text, gravity, substeps, 1 + (unsigned)round % 2));
    printf("| %s%s | %zu | %.3f | %.2f |\n", text, gravity ? ", a pile" : "", system.count,
           1e6 * best[0] / substeps / (double)system.count, best[0] / best[1]);
    system_free(&system);
}

/* A lattice of disks or atoms, with gaps between them, in a box. */
static struct system spaced_square(size_t rows)
{
    struct system system = arranged_square(rows, rows);
    system.radius = 0.4;
    system.boundary.periodic = 0;
    return system;
}

/* Disks that lie on each other, in rows, and numbered at random if `is_mixed`. */
static struct system lying_pile(size_t rows, int is_mixed)
{
    struct system system = arranged_triangular(rows, rows);
    struct random_generator random = random_from(8);
    system.boundary.periodic = 0;
    system.boundary.width += 1;
    system.boundary.height += 1;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        struct particle *q = &system.particles[is_mixed ? random_below(&random, k + 1) : k];
        const double x = p->x + 0.5, y = p->y + 0.5;
        p->x = q->x;
        p->y = q->y;
        q->x = x;
        q->y = y;
    }
    return system;
}
static void bench_steps(void)
{
    printf("\ngravitation: nanoseconds for a pair and a substep, best of %d runs\n\n",
           MEASURE_ROUNDS);
    printf("| N | gravitation | square roots and divisions alone | ratio |\n");
    printf("|---:|---:|---:|---:|\n");
    measure_all_pairs(200);
    measure_all_pairs(2000);
    printf("\nlennard-jones, cut off at 2.5 sigma, density 0.72 / sigma^2: millions of particles "
           "and substeps in a second\n\n| N | rate |\n|---:|---:|\n");
    measure_short_range(100);
    measure_short_range(300);
    printf("\ntwo cores\n\n| interaction or constraint | N | s for 10^6 substeps of a particle | "
           "speed of two cores |\n|---|---:|---:|---:|\n");
    measure_threads("lennard-jones epsilon=1 sigma=0.85", NULL, 1, spaced_square(316), 50);
    measure_threads("sph density=1 sound-speed=100 smoothing=1.3 alpha=0.1", NULL, 1,
                    spaced_square(316), 20);
    measure_threads("contact", NULL, 1, spaced_square(316), 50);
    measure_threads("contact restitution=0.3", "gravity g=-10", 0.01, lying_pile(316, 0), 20);
    measure_threads("contact restitution=0.3", "gravity g=-10", 0.01, lying_pile(316, 1), 20);
    measure_threads("spring k=1000", NULL, 1, spaced_square(316), 50);
    measure_threads("gravitation G=1 softening=10", NULL, 1, spaced_square(100), 5);
}

/* ---- sph ---- */

enum { SUBSTEPS = 20 };

/* The most memory that this process has used, bytes. */
static double memory_used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* A tank with `side` times `side` particles, each of which sees about 20 others. */
static void measure_tank(size_t side)
{
    const double spacing = 1.0 / (double)side;
    char fluid[200];
    double best = 0;
    const double before = memory_used();
    snprintf(fluid, sizeof fluid, "sph density=1 sound-speed=20 smoothing=%.17g alpha=0.1",
             1.3 * spacing);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        OWNED(system, system) = smoothed_block(1, 1.2, 0, spacing, side, side);
        struct smoothed run = {.step = spacing / 80, .parts = {fluid, "gravity g=-1"}};
        double start = measure_seconds();
        if (smoothed_run(&run, &system, &failure)) /* what only a start takes */
            measure_fail(failure.message);
        const double begun = measure_seconds() - start;
        run.end_time = SUBSTEPS * run.step;
        start = measure_seconds();
        must(smoothed_run(&run, &system, &failure));
        const double elapsed = measure_seconds() - start - begun;
        best = fmax(best, SUBSTEPS * (double)(side * side) / elapsed);
    }
    printf("| %zu | %.2f | %.0f |\n", side * side, best / 1e6,
           (memory_used() - before) / (double)(side * side));
}
static void bench_sph(void)
{
    puts("\nsmoothed particle hydrodynamics with 20 neighbours\n");
    puts("| particles | million particle-substeps per second | bytes a particle |");
    puts("|---:|---:|---:|");
    measure_tank(32);
    measure_tank(100);
    measure_tank(316);
}

/* ---- lattice ---- */

/* The shortest time of a step, seconds by the clock. */
static double time_step(struct flow *flow, struct thread_pool *pool, size_t steps)
{
    double best = (double)INFINITY;
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        const double start = measure_clock();
        for (size_t k = 0; k < steps; k++)
            flow_step(flow, pool);
        best = fmin(best, (measure_clock() - start) / (double)steps);
    }
    return best;
}

/* The shortest time to copy the populations, seconds. */
static double time_copy(const struct flow *flow, size_t copies)
{
    const size_t size = FLOW_DIRECTIONS * flow->columns * flow->rows;
    double *copy = memory_allocate_lines(2 * size, sizeof *copy, "a copy", &failure);
    double best = (double)INFINITY;
    if (!copy)
        measure_fail(failure.message);
    memset(copy, 1, 2 * size * sizeof *copy);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        const double start = measure_clock();
        for (size_t k = 0; k < copies; k++)
            memcpy(copy + (k % 2) * size, copy + (1 - k % 2) * size, size * sizeof *copy);
        best = fmin(best, (measure_clock() - start) / (double)copies);
    }
    memory_free(copy);
    return best;
}

static void measure_lattice(size_t columns, size_t rows, struct thread_pool *pool)
{
    const double side = (double)rows;
    const struct outline outline = outline_regular(side / 2, side / 2, side / 20, 100);
    struct channel channel = CHANNEL(columns, rows, .periodic = PERIODIC_Y, .stream = 0.1,
                                     .viscosity = 0.05, CHANNEL_AROUND(outline));
    channel.walls[BOUNDARY_SIDES] = channel_rough(0);
    OWNED_FLOW(flow) = channel_flow(&channel);
    const double millions = 1e-6 * (double)flow->nodes;
    const size_t steps = 1 + 10000000 / flow->nodes;
    const double one = time_step(flow, NULL, steps), two = time_step(flow, pool, steps);
    const double copy = time_copy(flow, steps);
    printf("| %zu x %zu | %.1f | %.1f | %.2f | %.1f | %.2f |\n", columns, rows, millions / one,
           millions / copy, one / copy, millions / two, one / two);
}
static void bench_lattice(void)
{
    struct thread_pool *pool = thread_pool_create(2);
    if (!pool)
        measure_fail("there is no second thread");
    puts("\nlattice Boltzmann, around a cylinder\n");
    puts("| nodes | million updates a second | copies of as many bytes | ratio of the times "
         "| two threads | faster by |");
    puts("|---:|---:|---:|---:|---:|---:|");
    measure_lattice(200, 100, pool);
    measure_lattice(800, 400, pool);
    measure_lattice(2000, 1000, pool);
    thread_pool_free(pool);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*measure)(void);
    } parts[] = {{"array", bench_array},    {"rates", bench_rates}, {"boxes", bench_boxes},
                 {"tiles", bench_tiles},    {"steps", bench_steps}, {"sph", bench_sph},
                 {"lattice", bench_lattice}};
    int found = 1;
    for (size_t k = 0; k < LENGTH(parts); k++) {
        int is_wanted = argc == 1;
        for (int a = 1; a < argc; a++)
            is_wanted |= strcmp(argv[a], parts[k].name) == 0;
        found += is_wanted;
        if (is_wanted)
            parts[k].measure();
    }
    if (found < argc)
        measure_fail("bench has the parts array rates boxes tiles steps sph lattice");
    return 0;
}
