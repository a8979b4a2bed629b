/*
 * Tests of figures of a run whose end is not known: they do not depend on when the run is stopped
 * and asked for them, are those of a run that ends there, and go on from a checkpoint.
 */
#include "check.h"
#include "lattice/lattice.h"
#include "observe/figures.h"
#include "observe/writers.h"
#include "observed.h"
#include "random_system.h"
#include "run/dynamics.h"
#include "steps/steps.h"

#include <math.h>
#include <string.h>

enum { TEXT_SIZE = 100 };

/* The figures at one time; strings are those of the program. */
struct listed {
    size_t count;
    struct dynamics_figure list[DYNAMICS_MAX_FIGURES];
    char keys[DYNAMICS_MAX_FIGURES][TEXT_SIZE];
};

static double no_clock(void)
{
    return 0;
}

/* A run, of the dynamics of a case. */
struct open_run {
    struct system system;
    struct dynamics *dynamics;
    struct observers observers;
    struct observer *statistics;
};

/* What is run. */
struct open_case {
    enum schedule_kind schedule;
    struct schedule_threads threads;
    const char *term; /* of a run in steps; NULL: in another */
    uint32_t columns; /* of a lattice */
    double from;
};

static void create_dynamics(struct open_run *run, const struct open_case *made, int is_resumed)
{
    struct lattice_settings lattice = {.columns = made->columns,
                                       .viscosity = 0.05 * run->system.boundary.width,
                                       .temperature = 1,
                                       .threads = 1};
    struct steps_settings steps = {.step = 0.01, .substeps = 2, .threads = 1};
    struct error error;
    if (made->term)
        CHECK(!steps_settings_add(&steps, made->term[0] == 'c', made->term + 2, &error) &&
              !steps_create(&steps, &run->system, is_resumed, &run->dynamics, &error));
    else if (made->columns > 0)
        CHECK(!lattice_create(&lattice, &run->system, is_resumed, &run->dynamics, &error));
    else
        CHECK(!simulation_create(made->schedule, &made->threads, &run->system, &run->dynamics,
                                 &error));
    steps_settings_free(&steps);
}

/* Begins a run up to `to`; or takes up another one, which is at rest. */
static void begin(struct open_run *run, const struct open_case *made, const struct system *system,
                  double to, struct open_run *other)
{
    const struct run_settings settings = {.from = made->from, .to = to, .clock = no_clock};
    const struct statistics_settings own = {{.name = NULL}, NULL};
    struct record record = {0};
    struct error error;
    *run = (struct open_run){.system = system_copy(system)};
    create_dynamics(run, made, other != NULL);
    run->dynamics->is_open = !isfinite(to);
    run->observers.dynamics = run->dynamics;
    CHECK(
        !observer_create(&statistics_operations, &settings, &own.output, &run->statistics, &error));
    observers_add(&run->observers, run->statistics);
    run->statistics->has_begun = other != NULL;
    if (other) {
        const struct snapshot snapshot =
            snapshot_in_order(&run->system, system_last_time(&run->system));
        CHECK(!record_begin(&record, NULL, &error));
        if (other->dynamics->operations->traits.has_state)
            other->dynamics->operations->state(other->dynamics, &record);
        statistics_operations.state(other->statistics, &record);
        record_rewind(&record);
        CHECK(!observer_begin(run->statistics, &snapshot, &error));
        if (other->dynamics->operations->traits.has_state)
            run->dynamics->operations->state(run->dynamics, &record);
        statistics_operations.state(run->statistics, &record);
        CHECK(!record.status && record.next == record.size);
        record_close(&record);
    }
    CHECK(!observers_begin(&run->observers, &run->system, &error));
}

static void advance(struct open_run *run, double time)
{
    struct error error;
    if (!CHECK(!run->dynamics->operations->advance(run->dynamics, time, &run->observers, &error)))
        error_print(&error);
}

static void list(struct open_run *run, struct listed *listed)
{
    const struct figure_sources measured = statistics_measured(run->statistics);
    listed->count = measured.figure_count;
    for (size_t k = 0; k < listed->count; k++) {
        listed->list[k] = measured.figures[k];
        snprintf(listed->keys[k], TEXT_SIZE, "%s", measured.figures[k].description.key);
    }
}

static void ask(struct open_run *run, double time, struct listed *listed)
{
    const struct snapshot snapshot = {time, &run->system, &run->observers.order};
    struct error error;
    CHECK(!statistics_update(run->statistics, &snapshot, &error));
    list(run, listed);
}

static void end(struct open_run *run)
{
    observers_free(&run->observers);
    dynamics_free(run->dynamics);
    system_free(&run->system);
}

static int is_same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_same(const struct listed *a, const struct listed *b)
{
    int is_same = CHECK(a->count == b->count && a->count > 5);
    for (size_t k = 0; k < a->count && is_same; k++) {
        is_same = strcmp(a->keys[k], b->keys[k]) == 0 &&
                  is_same_number(a->list[k].value, b->list[k].value) &&
                  (a->list[k].description.form != FIGURE_MEASURED ||
                   is_same_number(a->list[k].error, b->list[k].error));
        if (!CHECK(is_same))
            fprintf(stderr, "%s: %.17g and %.17g, %.17g and %.17g\n", a->keys[k], a->list[k].value,
                    b->list[k].value, a->list[k].error, b->list[k].error);
    }
}

/* The same values, if they are determined, and about the same errors, within a factor. */
static void check_alike(const struct listed *a, const struct listed *b, double factor,
                        int is_in_steps)
{
    size_t errors = 0;
    CHECK(a->count == b->count);
    for (size_t k = 0; k < a->count; k++) {
        const double x = a->list[k].value, y = b->list[k].value;
        const double scale = fmax(fmax(fabs(x), fabs(y)), 1e-6);
        if (is_in_steps && strcmp(a->keys[k], "pressure_virial") == 0)
            continue; /* forces are summed at other steps */
        if (!CHECK(isfinite(x) == isfinite(y) && !(fabs(x - y) > 1e-9 * scale)))
            fprintf(stderr, "%s: %.17g and %.17g\n", a->keys[k], x, y);
        if (a->list[k].description.form != FIGURE_MEASURED || !(a->list[k].error > 0) ||
            !(b->list[k].error > 0) || b->list[k].error < 1e-9 * scale)
            continue;
        errors++;
        if (!CHECK(fabs(log(a->list[k].error / b->list[k].error)) < log(factor)))
            fprintf(stderr, "error of %s: %g and %g\n", a->keys[k], a->list[k].error,
                    b->list[k].error);
    }
    CHECK(factor == (double)INFINITY || errors > 0);
}

/* Figures after 1, 3 and 50 stops, from a run that is resumed, and from one that ends. */
static void check_case(const struct open_case *made, const struct system *system, double time,
                       double factor, uint64_t seed)
{
    static const size_t stops[] = {1, 3, 50};
    struct random_generator random = random_from(seed);
    static struct listed first, other;
    struct open_run run, resumed;
    struct error error;
    for (size_t k = 0; k < 3; k++) {
        begin(&run, made, system, (double)INFINITY, NULL);
        double at = 0;
        for (size_t n = 1; n < stops[k]; n++) {
            at += (time - at) * random_unit(&random) * 2 / (double)(stops[k] - n + 1);
            if (at > time)
                break;
            advance(&run, at);
            if (random_below(&random, 2))
                ask(&run, at, &other);
            if (random_below(&random, 5) == 0 && run.dynamics->operations->rest)
                CHECK(!run.dynamics->operations->rest(run.dynamics, &error));
        }
        advance(&run, time);
        ask(&run, time, k == 0 ? &first : &other);
        if (k > 0)
            check_same(&first, &other);
        end(&run);
    }
    begin(&run, made, system, (double)INFINITY, NULL);
    advance(&run, time * (0.1 + 0.8 * random_unit(&random)));
    CHECK(!run.dynamics->operations->rest || !run.dynamics->operations->rest(run.dynamics, &error));
    begin(&resumed, made, &run.system, (double)INFINITY, &run);
    advance(&resumed, time);
    ask(&resumed, time, &other);
    check_same(&first, &other);
    end(&run);
    end(&resumed);
    begin(&run, made, system, time, NULL);
    advance(&run, time);
    CHECK(!observers_finish(&run.observers, &run.system, time, &error));
    list(&run, &other);
    check_alike(&first, &other, factor, made->term != NULL);
    end(&run);
}

TEST(gases)
{
    const struct schedule_threads alone = {.count = 1}, tiles = {.count = 2, .tile_side = 4};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 20 : 3); seed++) {
        const struct open_case made = {.schedule = seed % 2 ? SCHEDULE_CELLS : SCHEDULE_ARRAY,
                                       .threads = seed % 4 == 1 ? tiles : alone,
                                       .from = seed % 3 ? 0 : 1.7};
        OWNED(system, system) = generated_system(100, 0.3, 1, 1, seed);
        system.law = (struct system_law){RULE_ELASTIC, 1, 0};
        if (seed % 4 > 1)
            system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
        check_case(&made, &system, 60, 1.5, seed);
    }
}

/* Mixtures, walls that act, polygons and streams. */
TEST(others)
{
    const struct schedule_threads alone = {.count = 1}, tiles = {.count = 2, .tile_side = 4};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 50 : 6); seed++) {
        struct random_generator random = random_from(seed);
        const struct open_case made = {.schedule = seed % 2 ? SCHEDULE_CELLS : SCHEDULE_ARRAY,
                                       .threads = seed % 4 == 1 ? tiles : alone,
                                       .from = seed % 3 ? 0 : 1.7};
        OWNED(system, system) = mixed_system(&random, seed % 2 ? MIXED_TWO : MIXED_RADII, 40, 0.3);
        const double x = system.boundary.width, y = system.boundary.height;
        const double triangle[][2] = {{x + 2, 0.2 * y}, {x + 4, 0.5 * y}, {x + 2, 0.8 * y}};
        system.law = (struct system_law){RULE_ELASTIC, seed % 5 ? 1 : 0.9, 1e-4};
        system.boundary.width += 6;
        if (seed % 3 == 1)
            system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
        system_add_polygon(&system, triangle, 3, 0);
        if (seed % 3 == 1)
            random_stream(&random, &system);
        else
            random_walls(&random, &system);
        system_restore_order(&system);
        check_case(&made, &system, 5 + 60 * random_unit(&random), (double)INFINITY, seed);
    }
}

TEST(steps_and_lattices)
{
    static const char *const terms[] = {"i langevin temperature=1 friction=2", "c contact",
                                        "i lennard-jones epsilon=1 sigma=0.8"};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 30 : 4); seed++) {
        struct random_generator random = random_from(seed);
        const struct open_case made = {.term = seed % 4 < 3 ? terms[seed % 4] : NULL,
                                       .columns = 12,
                                       .from = seed % 3 ? 0 : 0.237};
        OWNED(system, system) = random_system(&random, 20, 0.2, 1);
        system.boundary.width = system.boundary.height =
            fmax(system.boundary.width, system.boundary.height);
        check_case(&made, &system, 1 + 25 * random_unit(&random), (double)INFINITY, seed);
    }
}

/* Before `from`, and after less than there are blocks for, nothing is claimed. */
TEST(early_figures)
{
    static struct listed listed;
    const struct open_case made = {.schedule = SCHEDULE_ARRAY, .threads.count = 1, .from = 1};
    struct open_run run;
    OWNED(system, system) = generated_system(50, 0.3, 1, 1, 3);
    begin(&run, &made, &system, (double)INFINITY, NULL);
    advance(&run, 0.5);
    ask(&run, 0.5, &listed);
    CHECK(listed.count == 0);
    for (double time = 1 + 0x1p-50; time < 1.1; time += time - 1) {
        advance(&run, time);
        ask(&run, time, &listed);
        CHECK(listed.count > 0);
        for (size_t k = 0; k < listed.count && time < 1.0001; k++)
            CHECK(listed.list[k].description.form != FIGURE_MEASURED ||
                  !isfinite(listed.list[k].error));
    }
    end(&run);
}
