/*
 * Tests of the observer behind --stats: what it computes for runs that can be done by hand, how it
 * writes that, and when.
 */
#include "base/memory.h"
#include "check.h"
#include "io/record.h"
#include "model/polygons.h"
#include "observe/tally.h"
#include "observe/writers.h"
#include "observed.h"
#include "random_system.h"
#include "run/dynamics.h"
#include "schedule/schedule.h"
#include "scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "figures"; /* of the file */

/* Each look at this clock takes a quarter of a second. */
static double fake_clock(void)
{
    static double now;
    return now += 0.25;
}

/* Makes an observer of the figures from a time on: in the file or, if there is one, as a table. */
static enum status create(double from, double to, FILE *table, struct observer **observer,
                          struct error *error)
{
    const struct run_settings run = {.from = from, .to = to, .clock = fake_clock};
    const struct statistics_settings settings = {{.name = table ? NULL : name}, table};
    return observer_create(&statistics_operations, &run, &settings.output, observer, error);
}

static struct particle lonely_particle = {.x = 5, .y = 5, .u = 1};
static const struct system lonely = {.count = 1,
                                     .radius = 1,
                                     .boundary.width = 10,
                                     .boundary.height = 10,
                                     .particles = &lonely_particle,
                                     .counts = (struct particle_counts[1]){{0}}};

/* All that is written of a run: the file and the table. */
struct figures {
    char lines[5000];
    char table[5000];
};

static void read_all(FILE *stream, char text[5000])
{
    rewind(stream);
    text[fread(text, 1, 4999, stream)] = '\0';
    fclose(stream);
}

/*
 * The figures of a run from time `from` on. It takes half a second by
 * the clock.
 */
static struct figures figures_from(struct system *system, double from, double end_time)
{
    struct figures figures = {"", ""};
    struct observers observers = {0};
    struct observer *observer[2];
    struct schedule *schedule = NULL;
    struct error error;
    FILE *table = tmpfile();
    if (!CHECK(table != NULL) || !CHECK(!create(from, end_time, NULL, &observer[0], &error)) ||
        !CHECK(!create(from, end_time, table, &observer[1], &error)))
        return figures;
    observers_add(&observers, observer[0]);
    observers_add(&observers, observer[1]);
    CHECK(!observers_begin(&observers, system, &error));
    CHECK(!schedule_create(SCHEDULE_ARRAY, system, NULL, &schedule, &error));
    CHECK(!simulation_run(schedule, end_time, &observers, &error));
    schedule_free(schedule);
    CHECK(!observers_finish(&observers, system, end_time, &error));
    observers_free(&observers);
    FILE *lines = fopen(name, "r");
    if (CHECK(lines != NULL))
        read_all(lines, figures.lines);
    read_all(table, figures.table);
    return figures;
}

static struct figures figures_of(struct system *system, double end_time)
{
    return figures_from(system, 0, end_time);
}

static int has_line(const char *text, const char *line)
{
    const char *found = strstr(text, line);
    return found && (found == text || found[-1] == '\n') && found[strlen(line)] == '\n';
}

/* The value in the line "key = value"; not a number if that is "none". */
static double figure(const struct figures *figures, const char *key)
{
    char start[64];
    snprintf(start, sizeof start, "\n%s = ", key);
    const char *found = strstr(figures->lines, start);
    if (!CHECK(found != NULL) || strncmp(found + strlen(start), "none\n", 5) == 0)
        return (double)NAN;
    return strtod(found + strlen(start), NULL);
}

static struct system box(struct particle *particles, size_t count, double width, double height)
{
    static struct particle_counts counts[3];
    for (size_t k = 0; k < count; k++)
        particles[k].id = (int32_t)k;
    return (struct system){.count = count,
                           .radius = 1,
                           .boundary.width = width,
                           .boundary.height = height,
                           .particles = particles,
                           .counts = counts,
                           .law = {.rule = RULE_ELASTIC, .restitution = 1}};
}

static int is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-14 * fabs(expected);
}

/* Between x = 1 and x = 9 at speed 2: it hits a wall at 2, 6, 10 and 14, and gives each time 4. */
TEST(one_disk_between_two_walls)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_of(&system, 16);
    CHECK(figure(&figures, "collisions") == 4 && figure(&figures, "collisions_pairs") == 0);
    CHECK(figure(&figures, "collisions_left") == 2 && figure(&figures, "collisions_right") == 2);
    CHECK(figure(&figures, "collisions_bottom") == 0 && figure(&figures, "collisions_top") == 0);
    CHECK(is_near(figure(&figures, "pressure_walls"), 16.0 / 16 / (2 * (8 + 18))));
    CHECK(is_near(figure(&figures, "pressure_virial"), 2.0 / (8 * 18)));
    CHECK(is_near(figure(&figures, "compressibility_walls"), 8 * 18 / 52.0 / 2));
    CHECK(figure(&figures, "compressibility_virial") == 1);
    CHECK(figure(&figures, "temperature_mean") == 2 && figure(&figures, "temperature_end") == 2);
    CHECK(figure(&figures, "collision_rate") == 0);
    CHECK(!isfinite(figure(&figures, "mean_free_time")) &&
          !isfinite(figure(&figures, "mean_free_path")));
    CHECK(figure(&figures, "momentum_x_start") == 2 && figure(&figures, "momentum_x_end") == 2);
    CHECK(figure(&figures, "collisions_per_second") == 8);
}

/* The walls' gain is no loss: momentum is as it should be although it has turned round. */
TEST(momentum_counts_what_walls_have_gained)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2, .v = -1};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_of(&system, 5);
    CHECK(figure(&figures, "momentum_x_end") == -2);
    CHECK(figure(&figures, "momentum_y_end") == 1);
    CHECK(figure(&figures, "momentum_drift") == 0);
}

/* Even where opposite walls have gained a million times as much as any particle has. */
TEST(momentum_after_very_many_walls)
{
    struct particle particles[3] = {{.x = 3, .y = 5, .u = 0.1, .v = 0.7},
                                    {.x = 7, .y = 5, .u = -0.3, .v = 0.9},
                                    {.x = 7, .y = 8, .u = 0.123, .v = -0.77}};
    struct system system = box(particles, 3, 10, 10);
    system.law = (struct system_law){.rule = RULE_SWAP};
    const struct figures figures = figures_of(&system, check_is_thorough() ? 4e6
                                                       : check_is_quick()  ? 1e5
                                                                           : 1e6);
    CHECK(figure(&figures, "momentum_drift") < 2e-16);
}

TEST(two_disks_head_on)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    const struct figures figures = figures_of(&system, 1.5);
    CHECK(is_near(figure(&figures, "collision_rate"), 2 / 3.0));
    CHECK(figure(&figures, "mean_free_time") == 1.5 && figure(&figures, "mean_free_path") == 1.5);
    CHECK(is_near(figure(&figures, "pressure_virial"), (1 + 4 / 3.0) / 64));
    CHECK(is_near(figure(&figures, "compressibility_virial"), 1 + 4 / 3.0));
    CHECK(figure(&figures, "pressure_walls") == 0 && figure(&figures, "energy_drift") == 0);
    CHECK(figure(&figures, "momentum_drift") == 0);
    CHECK(figure(&figures, "speed_mean") == 1 && figure(&figures, "speed_square") == 1);
    CHECK(figure(&figures, "speed_ratio") == 1 && figure(&figures, "speed_kurtosis") == 1);
    CHECK(is_near(figure(&figures, "area_fraction"), 2 * 3.14159265358979323846 / 100));
}

/* u is 2 but from 2 to 6 and from 10 to 14, where it is -2; and v is 1 up to 14, and -1 from then
 * on: so u v is 2 for 6 units of time and -2 for 10. */
TEST(the_flow_of_momentum_of_one_disk)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2, .v = 1};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_of(&system, 16);
    CHECK(is_near(figure(&figures, "pressure_xx"), 4.0 / (8 * 18)));
    CHECK(is_near(figure(&figures, "pressure_yy_kinetic"), 1.0 / (8 * 18)));
    CHECK(is_near(figure(&figures, "pressure_xy"), -0.5 / (8 * 18)));
    CHECK(figure(&figures, "pressure_xy_collisional") == 0);
}

/* With momenta m c = (1, 0) and (-1, 0), and one collision with d J = 2 2 along x. */
TEST(the_flow_of_momentum_of_two_disks)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    const struct figures figures = figures_of(&system, 1.5);
    CHECK(is_near(figure(&figures, "pressure_xx_kinetic"), 2.0 / 64));
    CHECK(is_near(figure(&figures, "pressure_xx_collisional"), 4 / 1.5 / 64));
    CHECK(figure(&figures, "pressure_yy") == 0 && figure(&figures, "pressure_xy") == 0);
}

/* Exchanged axes exchange xx and yy, and a mirror changes the sign of xy. Half of the trace is the
 * pressure. */
TEST(the_flow_of_momentum_in_a_gas)
{
    const char *const keys[3] = {"pressure_xx", "pressure_yy", "pressure_xy"};
    double tensors[3][3];
    for (int turn = 0; turn < 3; turn++) {
        struct random_generator random = random_from(5);
        OWNED(system, system) = random_system(&random, 40, 0.2, 1);
        system.law = (struct system_law){RULE_ELASTIC, 1, 0};
        for (size_t k = 0; k < system.count; k++) {
            struct particle *p = &system.particles[k];
            const struct particle was = *p;
            if (turn == 1) {
                p->x = was.y, p->y = was.x;
                p->u = was.v, p->v = was.u;
            } else if (turn == 2) {
                p->x = system.boundary.width - was.x, p->u = -was.u;
            }
        }
        if (turn == 1) {
            const double width = system.boundary.width;
            system.boundary.width = system.boundary.height;
            system.boundary.height = width;
        }
        const struct figures figures = figures_of(&system, 30);
        for (int k = 0; k < 3; k++)
            tensors[turn][k] = figure(&figures, keys[k]);
        CHECK(is_near((tensors[turn][0] + tensors[turn][1]) / 2,
                      figure(&figures, "pressure_virial")));
    }
    CHECK(fabs(tensors[0][0] - tensors[0][1]) > 1e-6 && fabs(tensors[0][2]) > 1e-6);
    CHECK(fabs(tensors[1][0] - tensors[0][1]) < 1e-9 && fabs(tensors[1][1] - tensors[0][0]) < 1e-9);
    CHECK(fabs(tensors[1][2] - tensors[0][2]) < 1e-9 && fabs(tensors[2][2] + tensors[0][2]) < 1e-9);
}

TEST(lost_energy_and_momentum_show)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    system.law.restitution = 0.5;
    struct figures figures = figures_of(&system, 2);
    CHECK(figure(&figures, "energy_drift") == -0.75); /* half the speed */
    CHECK(figure(&figures, "momentum_drift") == 0);
    CHECK(figure(&figures, "temperature_mean") == (0.5 + 0.125) / 2);
    CHECK(figure(&figures, "temperature_end") == 0.125);

    struct particle_kind kinds[2] = {{.radius = 1, .mass = 1}, {.radius = 1, .mass = 3}};
    struct particle again[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1, .kind = 1}};
    system = box(again, 2, 10, 10);
    system.kind_count = 2;
    system.kinds = kinds;
    system.law = (struct system_law){.rule = RULE_SWAP};
    figures = figures_of(&system, 2);
    CHECK(figure(&figures, "momentum_drift") == 1); /* from -2 to 2, of 4 */
    CHECK(figure(&figures, "kinds") == 2);
}

/*
 * For equal disks in a square box, p A from the walls and from the virial differ only by how much
 * the sum of m x.velocity has changed, divided by 2 t: with every run, and to the last digits.
 */
TEST(the_virial_theorem)
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
    double difference =
        64 * (figure(&figures, "pressure_walls") - figure(&figures, "pressure_virial"));
    CHECK(figure(&figures, "collisions_pairs") > 10 && figure(&figures, "collisions_top") > 5);
    CHECK(fabs(difference + change / (2 * end_time)) < 1e-13);
}

/*
 * The collision at 1 has begun a flight that counts from 1.25 on. At the time of a collision what
 * is after it counts.
 */
TEST(figures_from_a_time_on)
{
    for (int is_later = 0; is_later < 2; is_later++) {
        const double from = is_later ? 1.25 : 1;
        struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
        struct system system = box(particles, 2, 10, 10);
        const struct figures figures = figures_from(&system, from, 5);
        CHECK(figure(&figures, "stats_from") == from && figure(&figures, "end_time") == 5);
        CHECK(figure(&figures, "collisions_pairs") == 0);
        CHECK(figure(&figures, "collisions") == 2); /* at 4, with walls */
        CHECK(is_near(figure(&figures, "pressure_walls"), 4 / 32.0 / (5 - from)));
        CHECK(is_near(figure(&figures, "pressure_virial"), 1 / 64.0));
        CHECK(figure(&figures, "temperature_mean") == 0.5);
        CHECK(figure(&figures, "collisions_per_second") == 4);
    }
}

/* The walls have taken momentum before: what counts is the change since then. */
TEST(motion_at_the_time_from_which_figures_count)
{
    struct particle particle = {.x = 5, .y = 5, .u = 2, .v = -1};
    struct system system = box(&particle, 1, 10, 20);
    const struct figures figures = figures_from(&system, 2.5, 5);
    CHECK(figure(&figures, "momentum_x_start") == -2);
    CHECK(figure(&figures, "momentum_y_start") == -1 && figure(&figures, "momentum_y_end") == 1);
    CHECK(figure(&figures, "momentum_drift") == 0);
}

TEST(figures_from_the_end_on)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1}};
    struct system system = box(particles, 2, 10, 10);
    const struct figures figures = figures_from(&system, 1, 1);
    CHECK(figure(&figures, "collisions") == 0 && figure(&figures, "energy_start") == 1);
    CHECK(!isfinite(figure(&figures, "collision_rate")));
    CHECK(!isfinite(figure(&figures, "pressure_walls")));
    CHECK(!isfinite(figure(&figures, "temperature_mean")));
}

/*
 * They meet across the seam at 1, and at 4 in the middle. However fast their centre of mass moves,
 * T = E / (N - 1) = 1, and p A = N T + 4 / (2 * 2).
 */
TEST(two_disks_across_a_seam)
{
    for (int is_drifting = 0; is_drifting < 2; is_drifting++) {
        const double drift = is_drifting ? 3 : 0;
        struct particle particles[2] = {{.x = 2, .y = 5, .u = drift - 1, .v = -drift},
                                        {.x = 8, .y = 5, .u = drift + 1, .v = -drift}};
        struct system system = box(particles, 2, 10, 10);
        system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
        const struct figures figures = figures_of(&system, 2);
        CHECK(figure(&figures, "collisions") == 1 && figure(&figures, "collisions_pairs") == 1);
        CHECK(has_line(figures.lines, "collisions_left = none"));
        CHECK(has_line(figures.lines, "collisions_top = none"));
        CHECK(has_line(figures.lines, "pressure_walls = none"));
        CHECK(has_line(figures.lines, "compressibility_walls = none"));
        CHECK(is_near(figure(&figures, "energy_start"), 1 + 2 * drift * drift));
        CHECK(figure(&figures, "momentum_x_end") == 2 * drift);
        CHECK(figure(&figures, "momentum_drift") == 0);
        CHECK(is_near(figure(&figures, "temperature_mean"), 1));
        CHECK(is_near(figure(&figures, "temperature_end"), 1));
        CHECK(is_near(figure(&figures, "pressure_virial"), 0.03));
        CHECK(is_near(figure(&figures, "compressibility_virial"), 1.5));
        CHECK(is_near(figure(&figures, "pressure_reduced"), 0.12));
        CHECK(is_near(figure(&figures, "mean_free_path"), 2));
        CHECK(is_near(figure(&figures, "speed_mean"), 1));
        /* rate = 1/2 = 2 sqrt(pi) n 2R g */
        CHECK(is_near(figure(&figures, "contact_value"), 0.5 / (4 * 0.02 * 1.7724538509055160)));
    }
}

/* One axis: T = E / (N - 1/2), walls of length 10 each, A = 10 * 8. */
TEST(one_periodic_axis)
{
    struct particle particles[2] = {{.x = 2, .y = 5, .u = -1}, {.x = 8, .y = 5, .u = 1}};
    struct system system = box(particles, 2, 10, 10);
    system.boundary.periodic = PERIODIC_X;
    struct figures figures = figures_of(&system, 2);
    CHECK(is_near(figure(&figures, "temperature_mean"), 2 / 3.0));
    CHECK(is_near(figure(&figures, "pressure_virial"), (4 / 3.0 + 1) / 80));
    CHECK(has_line(figures.lines, "collisions_right = none"));
    CHECK(has_line(figures.lines, "collisions_bottom = 0"));
    CHECK(figure(&figures, "pressure_walls") == 0);

    struct particle alone = {.x = 5, .y = 5, .u = 1, .v = 2};
    system = box(&alone, 1, 10, 10);
    system.boundary.periodic = PERIODIC_X;
    figures = figures_of(&system, 16);
    CHECK(figure(&figures, "collisions") == 4 && figure(&figures, "collisions_top") == 2);
    CHECK(figure(&figures, "temperature_mean") == 4);
    CHECK(is_near(figure(&figures, "pressure_walls"), 0.05));
    CHECK(is_near(figure(&figures, "pressure_virial"), 0.05));
    CHECK(is_near(figure(&figures, "compressibility_walls"), 1));
    CHECK(figure(&figures, "momentum_drift") == 0);
}

/* The drift is that of the centre of mass, (1 * 5 + 3 * 1) / 4 = 2; E = (9 + 3) / 2. */
TEST(unequal_masses_that_drift)
{
    struct particle_kind kinds[2] = {{.radius = 1, .mass = 1}, {.radius = 0.5, .mass = 3}};
    struct particle particles[2] = {{.x = 3, .y = 3, .u = 5}, {.x = 7, .y = 7, .u = 1, .kind = 1}};
    struct system system = box(particles, 2, 10, 10);
    system.kind_count = 2;
    system.kinds = kinds;
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    const struct figures figures = figures_of(&system, 0.1);
    CHECK(is_near(figure(&figures, "temperature_mean"), 6));
    CHECK(is_near(figure(&figures, "pressure_virial"), 0.12));
    CHECK(!isfinite(figure(&figures, "contact_value")));
    CHECK(!isfinite(figure(&figures, "pressure_reduced"))); /* two radii */
}

/*
 * They meet at 1, from when on the light one has -2 and the heavy one 0: both energies are 1 in the
 * mean of 1.5, and the virial is 6, so that p A = 2 + 6 / 3, of which each has half. The fourth
 * powers are 1 + 9 up to 1, and 16 from then on.
 */
TEST(two_species_head_on)
{
    struct particle_kind kinds[2] = {{.radius = 1, .mass = 1, .species = 7},
                                     {.radius = 1, .mass = 3, .species = 4}};
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1}, {.x = 7, .y = 5, .u = -1, .kind = 1}};
    struct system system = box(particles, 2, 10, 10);
    system.kind_count = 2;
    system.kinds = kinds;
    const struct figures figures = figures_of(&system, 1.5);
    CHECK(is_near(figure(&figures, "speed_kurtosis"), 2 * 12 / 16.0));
    CHECK(is_near(figure(&figures, "temperature_7"), 1));
    CHECK(is_near(figure(&figures, "temperature_4"), 1));
    CHECK(is_near(figure(&figures, "pressure_7"), 2 / 64.0));
    CHECK(is_near(figure(&figures, "pressure_4"), 2 / 64.0));
    CHECK(is_near(figure(&figures, "collision_rate_4_7"), 1 / 1.5));
    CHECK(figure(&figures, "collision_rate_4_4") == 0);
    const double ideal = 0.02 * sqrt(8 * 3.14159265358979323846 / 3); /* n s sqrt(2 pi T / mu) */
    const double theory = figure(&figures, "collision_rate_4_7_enskog");
    CHECK(is_near(figure(&figures, "contact_value_4_7"), 1 / 1.5 / ideal));
    CHECK(is_near(figure(&figures, "contact_value_4_7_enskog"), theory / ideal));
    CHECK(is_near(theory, figure(&figures, "collision_rate_enskog")));
    CHECK(figure(&figures, "collision_rate_7_7_enskog") == 0); /* it has no partner, */
    CHECK(has_line(figures.lines, "contact_value_7_7 = none"));
    CHECK(has_line(figures.lines, "temperature_4_error = none"));
    CHECK(has_line(figures.table, "  temperature of species 4                         1  energy"));
    CHECK(strstr(figures.lines, "temperature_4") < strstr(figures.lines, "temperature_7"));
    CHECK(!strstr(figures.lines, "_7_4"));
    system.boundary.gravity = acceleration_make((double[2]){0, -0.1}); /* it works on each */
    particles[0] = (struct particle){.x = 3, .y = 5, .u = 1};
    particles[1] = (struct particle){.x = 7, .y = 5, .u = -1, .kind = 1, .id = 1};
    const struct figures fallen = figures_of(&system, 1.5);
    CHECK(has_line(fallen.lines, "temperature_4 = none") &&
          has_line(fallen.lines, "pressure_7 = none"));
}

/* More species than eight are no classes. */
TEST(one_species_and_too_many)
{
    for (int count = 1; count <= 9; count += 4) {
        struct particle_kind kinds[9];
        struct particle particles[9];
        struct particle_counts counts[9] = {{0}};
        struct system system = box(particles, 0, 40, 10);
        for (int k = 0; k < 9; k++) {
            kinds[k] =
                (struct particle_kind){.radius = 1 + 0.1 * k, .mass = 1, .species = 2 * k % count};
            particles[k] =
                (struct particle){.id = k, .x = 3 + 4 * k, .y = 5, .u = 1, .kind = (uint32_t)k};
        }
        system.count = system.kind_count = 9;
        system.kinds = kinds;
        system.counts = counts;
        const struct figures figures = figures_of(&system, 0.5);
        CHECK((strstr(figures.lines, "temperature_0") != NULL) == (count == 5));
        CHECK((strstr(figures.lines, "contact_value_1_4_enskog") != NULL) == (count == 5));
    }
}

/* Adds up what each species has, from collision to collision. */
struct species_watch {
    struct observer observer;
    const struct system *system;
    double time, energies[3], fourth; /* the integrals up to this time */
    double now[20];                   /* the energy of each particle */
    double met[3][3];                 /* collisions */
};

static int32_t species_of(const struct species_watch *watch, size_t number)
{
    return watch->system->kinds[number % 3].species;
}

static void watch_until(struct species_watch *watch, double time)
{
    for (size_t k = 0; k < watch->system->count; k++) {
        watch->energies[species_of(watch, k)] += watch->now[k] * (time - watch->time);
        watch->fourth += 4 * watch->now[k] * watch->now[k] * (time - watch->time);
    }
    watch->time = time;
}

static enum status watch_collide(struct observer *observer, const struct collision *collision,
                                 struct error *error)
{
    struct species_watch *watch = (struct species_watch *)observer;
    const struct collision_particle *both[] = {&collision->a, &collision->b};
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    (void)error;
    watch_until(watch, collision->time);
    for (int k = 0; k <= is_pair; k++) {
        const struct collision_particle *p = both[k];
        watch->now[p->number] = 0.5 * p->mass * (p->u * p->u + p->v * p->v);
        if (is_pair)
            watch->met[species_of(watch, (size_t)p->number)]
                      [species_of(watch, (size_t)both[!k]->number)]++;
    }
    return STATUS_DONE;
}

OBSERVED_TAKE(watch_take, watch_collide, NULL)

/* Temperatures, shares of the pressure and rates add up, and are those of an observer that looks at
 * all particles after each collision, also where these lose energy. */
TEST(three_species)
{
    static const struct observer_operations operations = {.watches = WATCH_PAIRS,
                                                          .take = watch_take};
    struct particle_kind kinds[3] = {{.radius = 1, .mass = 1, .species = 2},
                                     {.radius = 1, .mass = 4, .species = 0},
                                     {.radius = 1, .mass = 2, .species = 1}};
    const double members[3] = {7, 6, 7}; /* of 20, by their numbers modulo 3 */
    for (uint64_t seed = 1; seed < 5; seed++) {
        const double end_time = 40;
        struct random_generator random = random_from(seed);
        OWNED(system, system) = random_system(&random, 20, 0.3, 1);
        struct species_watch watch = {
            .observer = {.operations = &operations, .next_sample = (double)INFINITY},
            .system = &system};
        struct observers observers = {0};
        struct observer *observer = NULL;
        struct schedule *schedule = NULL;
        struct error error;
        system.law = (struct system_law){RULE_ELASTIC, seed % 2 ? 1 : 0.95, 0};
        system.kinds = kinds;
        system.kind_count = 3;
        for (size_t k = 0; k < 20; k++) {
            struct particle *p = &system.particles[k];
            p->kind = (uint32_t)k % 3;
            watch.now[k] = 0.5 * kinds[p->kind].mass * (p->u * p->u + p->v * p->v);
        }
        CHECK(!create(0, end_time, NULL, &observer, &error));
        observers_add(&observers, observer);
        observers_add(&observers, &watch.observer);
        CHECK(!observers_begin(&observers, &system, &error));
        CHECK(!schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &error));
        CHECK(!simulation_run(schedule, end_time, &observers, &error));
        CHECK(!observers_finish(&observers, &system, end_time, &error));
        watch_until(&watch, end_time);
        schedule_free(schedule);
        observers_free(&observers);
        struct figures figures = {"", ""};
        FILE *lines = fopen(name, "r");
        if (CHECK(lines != NULL))
            read_all(lines, figures.lines);
        double pressure = 0, rate = 0, energy = 0;
        for (int a = 0; a < 3; a++) {
            char key[40];
            snprintf(key, sizeof key, "temperature_%d", a);
            CHECK(fabs(figure(&figures, key) * members[a] * end_time / watch.energies[a] - 1) <
                  1e-12);
            energy += watch.energies[a];
            snprintf(key, sizeof key, "pressure_%d", a);
            pressure += figure(&figures, key);
            for (int b = a; b < 3; b++) {
                snprintf(key, sizeof key, "collision_rate_%d_%d", a, b);
                CHECK(is_near(figure(&figures, key) * members[a] * end_time, watch.met[a][b]));
                rate += figure(&figures, key) * members[a] / 20 * (a == b ? 1 : 2);
            }
        }
        CHECK(rate > 0 && fabs(rate / figure(&figures, "collision_rate") - 1) < 1e-12);
        CHECK(fabs(pressure / figure(&figures, "pressure_virial") - 1) < 1e-12);
        CHECK(fabs(figure(&figures, "speed_kurtosis") /
                       (20 * end_time * watch.fourth / (4 * energy * energy)) -
                   1) < 1e-12);
        system.kinds = NULL;
    }
}

TEST(one_disk_in_a_periodic_box)
{
    struct particle alone = {.x = 5, .y = 5, .u = 1, .v = 2};
    struct system system = box(&alone, 1, 10, 10);
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    const struct figures figures = figures_of(&system, 7);
    CHECK(figure(&figures, "collisions") == 0 && figure(&figures, "energy_end") == 2.5);
    CHECK(!isfinite(figure(&figures, "temperature_mean"))); /* it has no motion but the drift */
    CHECK(!isfinite(figure(&figures, "pressure_virial")));
}

/* Two disks that meet in a periodic box of 5 x 5, where x and y are irregular. */
static struct figures figures_of_two_disks(double restitution, double end_time)
{
    struct particle particles[2] = {{.x = 1, .y = 1, .u = 0.3, .v = 0.71},
                                    {.x = 3.5, .y = 3.2, .u = -0.53, .v = 0.19}};
    struct system system = box(particles, 2, 5, 5);
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    system.law.restitution = restitution;
    return figures_of(&system, end_time);
}

/*
 * For two disks in a periodic box everything is known. One is anywhere in A, the other one where
 * the first leaves room, A - pi (2R)^2; Z of p = T d ln(A (A - pi (2R)^2)) / dA is that.
 */
TEST(two_disks_in_equilibrium)
{
    const struct figures figures = figures_of_two_disks(1, check_is_quick() ? 2e4 : 5e5);
    const double room = 25 - 4 * 3.14159265358979323846;
    const double error = figure(&figures, "compressibility_virial_error");
    const double off = figure(&figures, "compressibility_virial") - (1 + 25 / room) / 2;
    const double part = error / figure(&figures, "compressibility_virial");
    CHECK(error > 0 && error < 0.02 && fabs(off) < 3 * error);
    CHECK(figure(&figures, "temperature_mean_error") == 0);
    CHECK(fabs(figure(&figures, "pressure_virial_error") / figure(&figures, "pressure_virial") -
               part) < 1e-9);
    CHECK(fabs(figure(&figures, "pressure_reduced_error") / figure(&figures, "pressure_reduced") -
               part) < 1e-9);
    CHECK(is_near(figure(&figures, "contact_value_error") / figure(&figures, "contact_value"),
                  figure(&figures, "collision_rate_error") / figure(&figures, "collision_rate")));
}

TEST(runs_that_do_not_tell_their_errors)
{
    const struct figures figures = figures_of_two_disks(1, 100); /* 31 collisions */
    CHECK(has_line(figures.lines, "collision_rate_error = none"));
    CHECK(has_line(figures.lines, "pressure_virial_error = none"));
    CHECK(has_line(figures.lines, "contact_value_error = none"));
    CHECK(has_line(figures.lines, "temperature_mean_error = 0")); /* but this is constant */

    const struct figures lonely_two = figures_of_two_disks(1, 0.5); /* no collision */
    CHECK(is_near(figure(&lonely_two, "compressibility_virial"), 1));
    CHECK(has_line(lonely_two.lines, "compressibility_virial_error = none"));
    CHECK(has_line(lonely_two.lines, "pressure_virial_error = none"));

    const struct figures cooling = figures_of_two_disks(0.99, 2000);
    CHECK(has_line(cooling.lines, "temperature_mean_error = none"));
    CHECK(has_line(cooling.lines, "collision_rate_error = none"));
    CHECK(has_line(cooling.lines, "contact_value = none"));
}

TEST(how_figures_are_written)
{
    struct particle particles[2] = {{.x = 3, .y = 5, .u = 1, .v = -0.0},
                                    {.x = 7, .y = 5, .u = -1, .v = -0.0}};
    struct system system = box(particles, 2, 10, 10.1);
    const struct figures figures = figures_of(&system, 1.5);
    CHECK(has_line(figures.lines, "particles = 2"));
    CHECK(has_line(figures.lines, "collisions_pairs = 1"));
    CHECK(has_line(figures.lines, "mean_free_path = 1.5"));
    CHECK(has_line(figures.lines, "box_height = 10.1"));
    CHECK(has_line(figures.lines, "momentum_y_start = 0")); /* not -0 */
    CHECK(has_line(figures.lines, "seconds = 0.5"));
    CHECK(has_line(figures.table, "  mean free path                                 1.5  length"));
    CHECK(has_line(figures.table, "particles:") && has_line(figures.table, "walls:"));
    CHECK(has_line(figures.table, "run:") && !strstr(figures.table, "stream:"));
}

static void put_number(struct record *writer, double value)
{
    record_numbers(writer, &value, 1);
}

static void put_whole(struct record *writer, uint64_t value)
{
    record_whole(writer, &value, UINT64_MAX);
}

/* Writes a checkpoint that has nothing but the sums of this observer: `pairs` collisions. */
static void save_pairs(uint64_t pairs)
{
    const uint64_t counts[7] = {pairs}; /* then walls, polygons, and reinjections */
    struct record writer = {0};
    struct error error;
    FILE *stream = fopen("saved", "w");
    if (!CHECK(stream != NULL))
        return;
    CHECK(!record_begin(&writer, stream, &error));
    put_number(&writer, 0); /* the time from which figures count, */
    put_whole(&writer, 1);  /* which has come */
    record_end_line(&writer);
    put_number(&writer, 0); /* seconds */
    put_number(&writer, 2); /* the end of all blocks */
    for (int k = 0; k < 7; k++)
        put_whole(&writer, counts[k]);
    for (int k = 0; k < 69; k++)
        put_number(&writer, 0);
    record_end_line(&writer);
    put_whole(&writer, 0); /* complete blocks of time */
    put_number(&writer, 0);
    record_end_line(&writer);
    put_whole(&writer, 0); /* and the sums of this one */
    for (int k = 0; k < COLLISION_SUMS * (1 + 2 * COLLISION_PARTS); k++)
        put_number(&writer, 0);
    record_end_line(&writer);
    record_finish(&writer);
    record_close(&writer);
    fclose(stream);
}

TEST(counts_are_written_whole)
{
    struct observer *observer = NULL;
    struct record reader;
    struct error error;
    save_pairs(999999999999999);
    CHECK(!record_open(&reader, "saved", &error));
    CHECK(!create(0, 2, NULL, &observer, &error));
    const struct snapshot start = snapshot_in_order(&lonely, 0);
    const struct snapshot end = snapshot_in_order(&lonely, 1);
    observer->has_begun = 1; /* as of a run that is resumed */
    CHECK(!observer->operations->begin(observer, &start, &error));
    observer->operations->state(observer, &reader);
    CHECK(!reader.status);
    CHECK(!observer_finish(observer, &end, &error));
    observer_free(observer);
    record_close(&reader);
    OWNED_TEXT(text) = observed_read(name);
    CHECK(text && has_line(text, "collisions = 999999999999999"));
}

/*
 * From x = 1 up to a thin wall at 10, from which it stays a radius away; at 4, 20 and 36 it hits
 * the wall, each time with 2 m u = 4, and at 12 and 28 the left side of the box.
 */
TEST(a_thin_wall)
{
    static const double triangle[3][2] = {{14, 3}, {18, 3}, {14, 6}};
    static const double wall[2][2] = {{10, 2}, {10, 8}};
    struct particle particle = {.x = 5, .y = 5, .u = 1};
    struct particle_kind kind = {.radius = 1, .mass = 2};
    struct system system = box(&particle, 1, 20, 10);
    system.kinds = &kind;
    system.kind_count = 1;
    system_add_polygon(&system, triangle, 3, 0);
    system_add_polygon(&system, wall, 2, 0);
    const double pi = 3.14159265358979323846;
    const struct figures figures = figures_of(&system, 40);
    const double area = 18 * 8 - (6 + 12 + pi) - (12 + pi);
    const double length = 2 * (18 + 8) + 12 + 2 * pi + 12 + 2 * pi;
    CHECK(figure(&figures, "collisions") == 5 && figure(&figures, "collisions_polygons") == 3);
    CHECK(figure(&figures, "collisions_polygon_0") == 0);
    CHECK(figure(&figures, "momentum_x_polygon_0") == 0);
    CHECK(figure(&figures, "collisions_polygon_1") == 3);
    CHECK(figure(&figures, "momentum_x_polygon_1") == 12);
    CHECK(figure(&figures, "momentum_y_polygon_1") == 0);
    CHECK(figure(&figures, "momentum_drift") == 0);
    CHECK(figure(&figures, "free_area") == 194 && figure(&figures, "boundary_length") == 84);
    CHECK(is_near(figure(&figures, "area_fraction"), pi / 194));
    CHECK(figure(&figures, "mean_free_path_boundary") == 8);
    CHECK(is_near(figure(&figures, "mean_free_path_boundary_theory"), pi * area / length));
    CHECK(is_near(figure(&figures, "pressure_walls"), 20 / length / 40));
    CHECK(is_near(figure(&figures, "pressure_virial"), 1 / area));
    CHECK(has_line(figures.table, "  collisions with polygon 1                        3"));
    CHECK(
        has_line(figures.table, "    momentum given to it, in x                    12  momentum"));
    polygons_free(system.boundary.polygons);
}

/* A stream past a thin wall along it has a temperature like any other motion. */
TEST(polygons_in_a_periodic_box)
{
    static const double wall[2][2] = {{4, 5}, {8, 5}};
    struct particle particles[2] = {{.x = 2, .y = 2, .u = 1}, {.x = 8, .y = 8, .u = 1}};
    struct system system = box(particles, 2, 20, 10);
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    system_add_polygon(&system, wall, 2, 0);
    const struct figures figures = figures_of(&system, 2);
    CHECK(figure(&figures, "temperature_mean") == 0.5 && figure(&figures, "speed_mean") == 1);
    CHECK(figure(&figures, "boundary_length") == 8 && figure(&figures, "free_area") == 200);
    CHECK(has_line(figures.lines, "mean_free_path_boundary = none"));
    polygons_free(system.boundary.polygons);
}

/* Figures that a run does not determine are words, not numbers. */
static void check_words(const struct figures *figures)
{
    CHECK(!strstr(figures->lines, "nan") && !strstr(figures->lines, "inf"));
    CHECK(has_line(figures->lines, "mean_free_path = none"));
    CHECK(!strstr(figures->table, "nan") && !strstr(figures->table, "inf"));
    CHECK(has_line(figures->table, "  mean free path                                   -  length"));
}

TEST(runs_that_determine_little)
{
    struct particle moving = {.x = 5, .y = 5, .u = 1};
    struct system system = box(&moving, 1, 10, 10);
    struct figures figures = figures_of(&system, 0);
    check_words(&figures);
    CHECK(!isfinite(figure(&figures, "pressure_walls")));
    CHECK(!isfinite(figure(&figures, "collision_rate")));
    CHECK(figure(&figures, "energy_start") == 0.5);

    struct particle resting[2] = {{.x = 3, .y = 5}, {.x = 7, .y = 5}};
    system = box(resting, 2, 10, 10);
    figures = figures_of(&system, 3);
    check_words(&figures);
    CHECK(figure(&figures, "pressure_virial") == 0);
    CHECK(!isfinite(figure(&figures, "compressibility_virial")));
    CHECK(!isfinite(figure(&figures, "speed_kurtosis")));

    struct particle wedged = {.x = 1, .y = 5, .v = 1};
    system = box(&wedged, 1, 2, 10);
    figures = figures_of(&system, 30);
    check_words(&figures);
    CHECK(!isfinite(figure(&figures, "pressure_walls")));
    CHECK(!isfinite(figure(&figures, "pressure_virial")));

    struct particle point = {.x = 1, .y = 5, .v = 1};
    system = box(&point, 1, 2, 10);
    system.radius = 0;
    figures = figures_of(&system, 20);
    check_words(&figures);
    CHECK(is_near(figure(&figures, "pressure_walls"), 4 / 20.0 / 24));
    CHECK(figure(&figures, "compressibility_enskog") == 1);
}

/* Begins to observe a run of one particle. */
static enum status begin(struct observers *observers, struct error *error)
{
    struct observer *observer = NULL;
    *observers = (struct observers){0};
    CHECK(!create(0, 2, NULL, &observer, error));
    observers_add(observers, observer);
    return observers_begin(observers, &lonely, error);
}

TEST(the_file_comes_when_the_run_is_over)
{
    struct error error;
    struct observers observers;
    CHECK(begin(&observers, &error) == STATUS_DONE && access(name, F_OK) != 0);
    CHECK(!observers_finish(&observers, &lonely, 2, &error) && access(name, F_OK) == 0);
    observers_free(&observers);
    CHECK(scratch_count() == 1);
}

TEST(a_run_that_is_given_up_leaves_nothing)
{
    struct error error;
    struct observers observers;
    CHECK(begin(&observers, &error) == STATUS_DONE);
    observers_free(&observers);
    CHECK(scratch_count() == 0);
    CHECK(mkdir(name, 0700) == 0);
    CHECK(begin(&observers, &error) == STATUS_CANNOT_WRITE);
    CHECK(strncmp(error.message, name, strlen(name)) == 0);
    observers_free(&observers);
}
