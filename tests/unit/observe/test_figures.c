/* Tests of what a run adds up to, on runs that can be done by hand, and of how it is written. */
#include "check.h"
#include "observe/figures.h"
#include "run/simulation.h"
#include "schedule/schedule.h"

#include <math.h>
#include <string.h>

/* An observer that tallies. */
struct witness {
    struct observer observer;
    struct tally tally;
};

static enum status witness_collide(struct observer *observer, const struct system *system,
                                   const struct collision *collision, struct error *error)
{
    (void)error;
    tally_collide(&((struct witness *)observer)->tally, system, collision);
    return STATUS_DONE;
}

/* The figures of a run that "took" half a second. */
static struct figures figures_of(struct system *system, double end_time)
{
    static const struct observer_operations operations = {.collide = witness_collide};
    struct witness witness = {
        .observer = {.operations = &operations, .next_look = (double)INFINITY}};
    struct observers observers = {.count = 1, .list = {&witness.observer}};
    struct schedule *schedule = NULL;
    struct error error;
    observers.next_look = (double)INFINITY;
    tally_begin(&witness.tally, system);
    CHECK(!schedule_create(SCHEDULE_ARRAY, system, end_time, &schedule, &error));
    CHECK(!simulation_run(system, schedule, end_time, &observers, &error));
    schedule_free(schedule);
    tally_end(&witness.tally, system, end_time);
    return figures_compute(system, &witness.tally, end_time, 0.5);
}

static struct system box(struct particle *particles, size_t count, double width, double height)
{
    for (size_t k = 0; k < count; k++)
        particles[k].id = (int32_t)k;
    return (struct system){.count = count,
                           .radius = 1,
                           .width = width,
                           .height = height,
                           .particles = particles,
                           .law = {.rule = RULE_ELASTIC, .restitution = 1}};
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-14 * fabs(expected);
}

/* Between x = 1 and x = 9 at speed 2: it hits a wall at 2, 6, 10 and 14, and gives each time 4. */
static void test_one_disk_between_two_walls(void)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_of(&system, 16);
    const double *values = figures.values;
    CHECK(values[FIGURE_COLLISIONS] == 4 && values[FIGURE_COLLISIONS_PAIRS] == 0);
    CHECK(values[FIGURE_COLLISIONS_LEFT] == 2 && values[FIGURE_COLLISIONS_RIGHT] == 2);
    CHECK(values[FIGURE_COLLISIONS_BOTTOM] == 0 && values[FIGURE_COLLISIONS_TOP] == 0);
    CHECK(is_near(values[FIGURE_PRESSURE_WALLS], 16.0 / 16 / (2 * (8 + 18))));
    CHECK(is_near(values[FIGURE_PRESSURE_VIRIAL], 2.0 / (8 * 18)));
    CHECK(is_near(values[FIGURE_COMPRESSIBILITY_WALLS], 8 * 18 / 52.0 / 2));
    CHECK(values[FIGURE_COMPRESSIBILITY_VIRIAL] == 1);
    CHECK(values[FIGURE_TEMPERATURE_MEAN] == 2 && values[FIGURE_TEMPERATURE_END] == 2);
    CHECK(values[FIGURE_COLLISION_RATE] == 0);
    CHECK(!isfinite(values[FIGURE_MEAN_FREE_TIME]) && !isfinite(values[FIGURE_MEAN_FREE_PATH]));
    CHECK(values[FIGURE_MOMENTUM_X_START] == 2 && values[FIGURE_MOMENTUM_X_END] == 2);
    CHECK(values[FIGURE_COLLISIONS_PER_SECOND] == 8);
}

/* The walls' gain is no loss: momentum is as it should be although it has turned round. */
static void test_momentum_counts_what_walls_have_gained(void)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2, .v = -1};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_of(&system, 5);
    CHECK(figures.values[FIGURE_MOMENTUM_X_END] == -2);
    CHECK(figures.values[FIGURE_MOMENTUM_Y_END] == 1);
    CHECK(figures.values[FIGURE_MOMENTUM_DRIFT] == 0);
}

/* Even where opposite walls have gained a million times as much as any particle has. */
static void test_momentum_after_very_many_walls(void)
{
    struct particle particles[3] = {{.x = 3, .y = 5, .u = 0.1, .v = 0.7},
                                    {.x = 7, .y = 5, .u = -0.3, .v = 0.9},
                                    {.x = 7, .y = 8, .u = 0.123, .v = -0.77}};
    struct system system = box(particles, 3, 10, 10);
    system.law = (struct law){.rule = RULE_SWAP};
    const struct figures figures = figures_of(&system, check_is_quick() ? 1e5 : 4e6);
    CHECK(figures.values[FIGURE_MOMENTUM_DRIFT] < 2e-16);
}

static void test_two_disks_head_on(void)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    const struct figures figures = figures_of(&system, 1.5);
    const double *values = figures.values;
    CHECK(is_near(values[FIGURE_COLLISION_RATE], 2 / 3.0));
    CHECK(values[FIGURE_MEAN_FREE_TIME] == 1.5 && values[FIGURE_MEAN_FREE_PATH] == 1.5);
    CHECK(is_near(values[FIGURE_PRESSURE_VIRIAL], (1 + 4 / 3.0) / 64));
    CHECK(is_near(values[FIGURE_COMPRESSIBILITY_VIRIAL], 1 + 4 / 3.0));
    CHECK(values[FIGURE_PRESSURE_WALLS] == 0 && values[FIGURE_ENERGY_DRIFT] == 0);
    CHECK(values[FIGURE_MOMENTUM_DRIFT] == 0);
    CHECK(values[FIGURE_SPEED_MEAN] == 1 && values[FIGURE_SPEED_SQUARE] == 1);
    CHECK(values[FIGURE_SPEED_RATIO] == 1 && values[FIGURE_SPEED_KURTOSIS] == 1);
    CHECK(is_near(values[FIGURE_AREA_FRACTION], 2 * 3.14159265358979323846 / 100));
}

static void test_lost_energy_and_momentum_show(void)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    system.law.restitution = 0.5;
    struct figures figures = figures_of(&system, 2);
    CHECK(figures.values[FIGURE_ENERGY_DRIFT] == -0.75); /* half the speed */
    CHECK(figures.values[FIGURE_MOMENTUM_DRIFT] == 0);
    CHECK(figures.values[FIGURE_TEMPERATURE_MEAN] == (0.5 + 0.125) / 2);
    CHECK(figures.values[FIGURE_TEMPERATURE_END] == 0.125);

    struct kind kinds[2] = {{.radius = 1, .mass = 1}, {.radius = 1, .mass = 3}};
    struct particle again[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1, .kind = 1}};
    system = box(again, 2, 10, 10);
    system.kind_count = 2;
    system.kinds = kinds;
    system.law = (struct law){.rule = RULE_SWAP};
    figures = figures_of(&system, 2);
    CHECK(figures.values[FIGURE_MOMENTUM_DRIFT] == 1); /* from -2 to 2, of 4 */
    CHECK(figures.values[FIGURE_KINDS] == 2);
}

/*
 * For equal disks in a square box, p A from the walls and from the virial differ only by how much
 * the sum of m x.velocity has changed, divided by 2 t: with every run, and to the last digits.
 */
static void test_the_virial_theorem(void)
{
    struct particle particles[3] = {{.x = 3, .y = 5, .u = 1, .v = 0.3},
                                    {.x = 7, .y = 5.5, .u = -0.7, .v = 0.1},
                                    {.x = 4, .y = 8, .u = 0.2, .v = -0.9}};
    struct system system = box(particles, 3, 10, 10);
    double change = 0;
    for (int k = 0; k < 3; k++)
        change -= (particles[k].x - 5) * particles[k].u + (particles[k].y - 5) * particles[k].v;
    const double end_time = 200;
    const struct figures figures = figures_of(&system, end_time);
    for (int k = 0; k < 3; k++) {
        double x = particles[k].x + particles[k].u * (end_time - particles[k].t);
        double y = particles[k].y + particles[k].v * (end_time - particles[k].t);
        change += (x - 5) * particles[k].u + (y - 5) * particles[k].v;
    }
    const double *values = figures.values;
    double difference = 64 * (values[FIGURE_PRESSURE_WALLS] - values[FIGURE_PRESSURE_VIRIAL]);
    CHECK(values[FIGURE_COLLISIONS_PAIRS] > 10 && values[FIGURE_COLLISIONS_TOP] > 5);
    CHECK(fabs(difference + change / (2 * end_time)) < 1e-13);
}

/* Reads what one of the writers writes. */
static char *text_of(void (*write)(const struct figures *, FILE *), const struct figures *figures)
{
    static char text[10000];
    FILE *stream = tmpfile();
    if (!CHECK(stream != NULL))
        return strcpy(text, "");
    write(figures, stream);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    return text;
}

static int has_line(const char *text, const char *line)
{
    const char *found = strstr(text, line);
    return found && (found == text || found[-1] == '\n') && found[strlen(line)] == '\n';
}

static void test_lines(void)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10.1);
    struct figures figures = figures_of(&system, 1.5);
    const char *text = text_of(figures_write_lines, &figures);
    CHECK(has_line(text, "particles = 2"));
    CHECK(has_line(text, "collisions_pairs = 1"));
    CHECK(has_line(text, "mean_free_path = 1.5"));
    CHECK(has_line(text, "box_height = 10.1"));
    CHECK(has_line(text, "seconds = 0.5"));
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    CHECK(lines == FIGURES);
    figures.values[FIGURE_COLLISIONS] = 1e15 - 1;
    figures.values[FIGURE_MOMENTUM_X_END] = -0.0;
    text = text_of(figures_write_lines, &figures);
    CHECK(has_line(text, "collisions = 999999999999999"));
    CHECK(has_line(text, "momentum_x_end = 0"));
}

/* What a run does not determine is never printed as a number that it is not. */
static void check_words(const struct figures *figures)
{
    const char *text = text_of(figures_write_lines, figures);
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    CHECK(has_line(text, "mean_free_path = none"));
    text = text_of(figures_write_table, figures);
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    CHECK(strstr(text, "mean free path                                -  length\n") != NULL);
}

static void test_runs_that_determine_little(void)
{
    struct particle moving = {.x = 5, .y = 5, .u = 1};
    struct system system = box(&moving, 1, 10, 10);
    struct figures figures = figures_of(&system, 0);
    check_words(&figures);
    CHECK(!isfinite(figures.values[FIGURE_PRESSURE_WALLS]));
    CHECK(!isfinite(figures.values[FIGURE_COLLISION_RATE]));
    CHECK(figures.values[FIGURE_ENERGY_START] == 0.5);

    struct particle resting[2] = {{.x = 3, .y = 5}, {.x = 7, .y = 5}};
    system = box(resting, 2, 10, 10);
    figures = figures_of(&system, 3);
    check_words(&figures);
    CHECK(figures.values[FIGURE_PRESSURE_VIRIAL] == 0);
    CHECK(!isfinite(figures.values[FIGURE_COMPRESSIBILITY_VIRIAL]));
    CHECK(!isfinite(figures.values[FIGURE_SPEED_KURTOSIS]));

    struct particle wedged = {.x = 1, .y = 5, .v = 1};
    system = box(&wedged, 1, 2, 10);
    figures = figures_of(&system, 30);
    check_words(&figures);
    CHECK(!isfinite(figures.values[FIGURE_PRESSURE_WALLS]));
    CHECK(!isfinite(figures.values[FIGURE_PRESSURE_VIRIAL]));

    struct particle point = {.x = 1, .y = 5, .v = 1};
    system = box(&point, 1, 2, 10);
    system.radius = 0;
    figures = figures_of(&system, 20);
    check_words(&figures);
    CHECK(is_near(figures.values[FIGURE_PRESSURE_WALLS], 4 / 20.0 / 24));
    CHECK(figures.values[FIGURE_COMPRESSIBILITY_ENSKOG] == 1);
}

int main(void)
{
    RUN(test_one_disk_between_two_walls);
    RUN(test_momentum_counts_what_walls_have_gained);
    RUN(test_momentum_after_very_many_walls);
    RUN(test_two_disks_head_on);
    RUN(test_lost_energy_and_momentum_show);
    RUN(test_the_virial_theorem);
    RUN(test_lines);
    RUN(test_runs_that_determine_little);
    return check_finish();
}
