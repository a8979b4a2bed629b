/* Tests of what a report shows: against the figures, and of runs that determine little. */

#include "check.h"
#include "observe/fields.h"
#include "observe/figures.h"
#include "observed.h"

/* The report of the last run. */
static struct report seen;
static struct report_point points[REPORT_MAX_SERIES][2000];
static struct dynamics_figure figures[100];
static double crowd; /* particles in all cells of the density */

static enum status keep(const struct report *report, FILE *stream, struct error *error)
{
    (void)stream;
    (void)error;
    seen = *report;
    for (size_t k = 0; k < report->series_count; k++) {
        const struct report_series *series = &report->series[k];
        CHECK(series->count <= 2000);
        memcpy(points[k], series->points, series->count * sizeof *series->points);
        seen.series[k].points = points[k];
    }
    memcpy(figures, report->figures, report->figure_count * sizeof *figures);
    crowd = 0;
    for (size_t k = 0; report->crowd && k < report->crowd->columns * report->crowd->rows; k++) {
        const struct field_values cell =
            field_map_values(report->crowd, k % report->crowd->columns, k / report->crowd->columns);
        crowd += cell.density * cell.area;
    }
    return STATUS_DONE;
}

/* How runs are done: see schedule.h and writers.h. */
static struct schedule_threads threads = {.count = 1};

static double no_clock(void)
{
    return 0;
}

static void run(struct system *system, double from, double end_time)
{
    static char argument[] = "particles";
    static char *arguments[] = {argument, NULL};
    const char *name = "file";
    struct observers observers = {0};
    struct observer *observer = NULL;
    struct schedule *schedule = NULL;
    const struct run_settings run = {
        .title = "a run", .from = from, .to = end_time, .clock = no_clock};
    const struct statistics_settings figures_of = {{0}, NULL};
    const struct report_settings settings = {{.name = name}, "1", arguments, keep};
    CHECK(!observer_create(&statistics_operations, &run, &figures_of.output, &observer, &failure));
    observers_add(&observers, observer);
    CHECK(!observer_create(&report_operations, &run, &settings.output, &observer, &failure));
    observers_add(&observers, observer);
    CHECK(observers_begin(&observers, system, &failure) == STATUS_DONE);
    CHECK(schedule_create(SCHEDULE_AUTO, system, &threads, &schedule, &failure) == STATUS_DONE);
    CHECK(simulation_run(schedule, end_time, &observers, &failure) == STATUS_DONE);
    schedule_free(schedule);
    CHECK(observers_finish(&observers, system, end_time, &failure) == STATUS_DONE);
    observers_free(&observers);
    memory_free(observed_read(name));
}

static double figure(const char *key)
{
    for (size_t k = 0; k < seen.figure_count; k++)
        if (strcmp(figures[k].description.key, key) == 0)
            return figures[k].value;
    return (double)NAN;
}

/* The point of a series, counted from its end if `k` is negative. */
static struct report_point point(const char *quantity, int k)
{
    const struct report_series *series = report_find(&seen, quantity);
    const size_t place = k < 0 && series ? series->count - (size_t)-k : (size_t)k;
    if (!CHECK(series && place < series->count))
        return (struct report_point){0};
    return series->points[place];
}

/* The sum of the values of a series. */
static double total(const char *quantity)
{
    const struct report_series *series = report_find(&seen, quantity);
    double sum = 0;
    for (size_t k = 0; series && k < series->count; k++)
        sum += series->points[k].value;
    return sum;
}

static int is_near(double value, double expected, double tolerance)
{
    return fabs(value - expected) <= tolerance * fabs(expected);
}

/* From x 5 with velocity 1 it comes to the right wall at 4, then every 8 to the left and the right.
 */
TEST(one_particle)
{
    struct particle particle = {.x = 5, .y = 10, .u = 1};
    struct particle_counts counts = {0};
    struct system system = arranged_few(&particle, &counts, 1, 1, 0, 0);
    system.boundary = (struct boundary){.width = 10, .height = 20};
    run(&system, 0, 30);
    CHECK(point("walls", 0).value == 2 && point("walls", 1).value == 2);
    CHECK(point("walls", 2).value == 0 && point("walls", 3).value == 0);
    CHECK(report_find(&seen, "walls")->count == 4);
    CHECK(point("temperature", 0).value == 0.5 && point("temperature", -1).x == 30);
    CHECK(point("energy", -1).value == 0.5);
    CHECK(point("counts", 0).x == 4 && point("counts", 0).value == 1);
    CHECK(!report_find(&seen, "collision_rate"));
    CHECK(!report_find(&seen, "speeds") && !report_find(&seen, "paths"));
    CHECK(!seen.crowd && !seen.fields);
}

/* Without time there is no course of the run; the rest is there. */
RANDOM_TEST(no_time, 4)
{
    OWNED(system, system) = random_system(random, 200, 0.2, 1);
    run(&system, 0, 0);
    CHECK(!report_find(&seen, "temperature") && !report_find(&seen, "collision_rate"));
    CHECK(seen.speeds == 200 && report_find(&seen, "speeds"));
    CHECK(!report_find(&seen, "counts") && !report_find(&seen, "walls"));
    run(&system, 5, 5);
    CHECK(figure("collisions") == 0 && figure("stats_from") == 5);
}

/* What is not determined is no point: there is no theory of lossy collisions, no speed at rest. */
RANDOM_TEST(undetermined, 12)
{
    OWNED(system, system) = random_system(random, 60, 0.2, 1);
    for (size_t k = 0; k < system.count; k++)
        system.particles[k].u = system.particles[k].v = 0;
    system.law = (struct system_law){RULE_ELASTIC, 0.9, 0};
    run(&system, 0, 3);
    CHECK(!report_find(&seen, "collision_rate_enskog") && !report_find(&seen, "speeds_maxwell"));
    CHECK(point("temperature", -1).value == 0);
    for (size_t k = 0; k < seen.series_count; k++)
        for (size_t m = 0; m < seen.series[k].count; m++)
            CHECK(isfinite(seen.series[k].points[m].value));
}

/* A gas that cools: the ends of the curves are the figures; the histograms are densities. */
RANDOM_TEST(against_figures, 5)
{
    for (int is_lossy = 0; is_lossy < 2; is_lossy++) {
        OWNED(system, system) = random_system(random, 300, 0.3, 1);
        const double from = is_lossy ? 1.5 : 0;
        system.law = (struct system_law){RULE_ELASTIC, is_lossy ? 0.9 : 1, 0};
        run(&system, from, 6);
        CHECK(is_near(point("temperature", -1).value, figure("temperature_end"), 1e-12));
        CHECK(is_near(point("energy", 0).value, figure("energy_start") / 300, 1e-12));
        CHECK(is_near(point("energy", -1).value, figure("energy_end") / 300, 1e-12));
        CHECK(point("temperature", 0).x == from && point("temperature", -1).x == 6);
        CHECK((point("temperature", 0).value > 1.01 * point("temperature", -1).value) == is_lossy);
        CHECK(is_near(point("collision_rate", -1).value, figure("collision_rate"), 1e-12));
        const double error = point("collision_rate", -1).error;
        CHECK(isfinite(error) ? error == figure("collision_rate_error")
                              : !isfinite(figure("collision_rate_error")));
        CHECK(total("counts") == 300);
        CHECK(total("walls") == figure("collisions") - figure("collisions_pairs"));
        const double speeds = 2 * point("speeds", 0).x;
        const double paths = 2 * point("paths", 0).x;
        CHECK(is_near(speeds * total("speeds"), 1, 1e-12));
        CHECK(is_near(paths * total("paths"), 1, 1e-12));
        CHECK(is_near(paths * total("paths_exponential"), 1, 0.02));
        CHECK(is_near(speeds * total("speeds_maxwell"), 1, 0.1));
        CHECK(report_find(&seen, "speeds")->count <= 40);
    }
}

/* Speeds are relative to the motion of all, or to the stream: so they have Maxwell's distribution
 * beside them, and are the same however fast the gas moves. */
RANDOM_TEST(drift, 9)
{
    for (int round = 0; round < 4; round++) {
        const double speed = round / 2 ? 3 : 0;
        OWNED(system, system) = random_system(random, 300, 0.3, 1);
        system.law = ELASTIC;
        random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
        if (round % 2)
            system.boundary.stream = stream_make(speed, 0.3, 3);
        for (size_t k = 0; k < system.count; k++)
            system.particles[k].u += speed;
        run(&system, 0, 10);
        CHECK(report_find(&seen, "speeds") && report_find(&seen, "speeds_maxwell"));
        CHECK(report_find(&seen, "paths") && report_find(&seen, "paths_exponential"));
    }
}

/* Every figure has a sentence, also those of polygons and streams. */
RANDOM_TEST(meanings, 6)
{
    static const double wall[][2] = {{4, 4}, {5, 5}};
    OWNED(system, system) = random_system(random, 5, 0.01, 1);
    system_add_polygon(&system, wall, 2, 0);
    random_periodic(random, &system, PERIODIC_X);
    system.boundary.stream = stream_make(1, 0.5, 3);
    run(&system, 0, 200);
    CHECK(seen.figure_count > 55);
    for (size_t k = 0; k < seen.figure_count; k++)
        CHECK(figures[k].meaning && strlen(figures[k].meaning) > 20);
    const struct report_series *walls = report_find(&seen, "walls");
    CHECK(walls && walls->count == 3); /* bottom, top and polygons */
    CHECK(!report_find(&seen, "energy"));
    for (size_t k = 0; k < seen.figure_count; k++)
        CHECK(strcmp(figures[k].description.key, "collisions_left") != 0);
}

/* A figure that does not apply to a run is not in its report, unless it is determined. */
RANDOM_TEST(what_does_not_apply, 11)
{
    OWNED(system, system) = random_system(random, 5, 0.01, 1);
    random_periodic(random, &system, PERIODIC_X | PERIODIC_Y);
    const struct boundary *open = &system.boundary;
    CHECK(!figure_meaning(FIGURE_COLLISIONS_TOP, (double)NAN, open));
    CHECK(!figure_meaning(FIGURE_PRESSURE_WALLS, (double)NAN, open));
    CHECK(!figure_meaning(FIGURE_KNUDSEN, (double)NAN, open));
    CHECK(figure_meaning(FIGURE_KNUDSEN, 1, open) && figure_meaning(FIGURE_ENERGY_END, 1, open));
    system.boundary.periodic = PERIODIC_X;
    CHECK(!figure_meaning(FIGURE_COLLISIONS_LEFT, (double)NAN, open));
    CHECK(figure_meaning(FIGURE_COLLISIONS_TOP, 0, open));
    CHECK(strstr(figure_meaning(FIGURE_MOMENTUM_X_END, 0, open), "no wall"));
    CHECK(strstr(figure_meaning(FIGURE_MOMENTUM_Y_END, 0, open), "Walls"));
}

/* More particles than are drawn: all of them are in the density, a sample in the histograms. */
RANDOM_TEST(crowd, 7)
{
    OWNED(system, system) = random_lattice(random, 280, 250, 0.5);
    run(&system, 0, 0.001);
    CHECK(seen.crowd && is_near(crowd, 70000, 1e-9));
    CHECK(seen.speeds >= 35000 && seen.speeds / 35000 == floor(seen.speeds / 35000));
}
