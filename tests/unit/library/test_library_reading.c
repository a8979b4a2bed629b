/*
 * Tests of what the library says of a system that it has read: its box, what its particles are, the
 * names of its figures; and of callbacks that come and go between advances.
 */
#include "check.h"

#include <particles.h>

#include <math.h>

enum { COUNT = 3 };
static const char input[] = "3\n0.5\n20 10\n2 5 1 0\n8 5 -1 0 0.25 2 7\n12 5 0 0.5\n";

static struct particles *read_system(int has_figures)
{
    struct particles *p = particles_create();
    scratch_write("input", input);
    CHECK(particles_set(p, "rule", "elastic") == 0);
    CHECK(!has_figures || particles_set(p, "stats", NULL) == 0);
    CHECK(particles_read(p, "input") == 0);
    return p;
}

TEST(box_and_kinds)
{
    struct particles *p = read_system(0);
    double box[2], radius[COUNT], mass[COUNT];
    int species[COUNT];
    CHECK(particles_abi() == PARTICLES_ABI);
    CHECK(particles_box(p, box) == 0 && box[0] == 20 && box[1] == 10 &&
          particles_box(p, NULL) == 0);
    CHECK(particles_kinds(p, radius, mass, species) == 0 &&
          particles_kinds(p, NULL, NULL, NULL) == 0);
    CHECK(radius[0] == 0.5 && radius[1] == 0.25 && mass[1] == 2 && mass[2] == 1);
    CHECK(species[0] == 0 && species[1] == 7);
    CHECK(particles_figure_name(p, 0) == NULL);
    particles_free(p);
    p = particles_create();
    CHECK(particles_box(p, box) == PARTICLES_USAGE && strstr(particles_error(p), "no system"));
    CHECK(particles_kinds(p, radius, mass, species) == PARTICLES_USAGE);
    CHECK(particles_figure_name(p, 0) == NULL && particles_box(NULL, box) == PARTICLES_USAGE);
    CHECK(particles_kinds(NULL, NULL, NULL, NULL) == PARTICLES_USAGE &&
          !particles_figure_name(NULL, 0));
    particles_free(p);
}

TEST(spins)
{
    static const char text[] = "2\n1\n20 10\n5 5 1 0 1 1 0 -3.5\n9 5 -1 0\n";
    double spin[COUNT], u[COUNT], v[COUNT];
    struct particles *p = read_system(0);
    CHECK(particles_spins(p, spin) == 0 && spin[1] == 0 && particles_spins(p, NULL) == 0);
    particles_free(p);
    CHECK(particles_spins(NULL, spin) == PARTICLES_USAGE);
    p = particles_create();
    CHECK(particles_set(p, "rule", "elastic") == 0 && particles_set(p, "roughness", "1") == 0);
    CHECK(particles_read_text(p, text, sizeof text - 1) == 0);
    CHECK(particles_spins(p, spin) == 0 && spin[0] == -3.5 && spin[1] == 0);
    CHECK(particles_advance(p, 2) == 0 && particles_spins(p, spin) == 0);
    CHECK(particles_state(p, NULL, NULL, u, v) == 0);
    /* The surfaces slip with -3.5: both spins gain 2/3 of that, and velocities go up and down. */
    CHECK(fabs(spin[0] + 3.5 - 3.5 * 2 / 3) < 1e-14 && fabs(spin[1] - 3.5 * 2 / 3) < 1e-14);
    CHECK(u[0] == -1 && u[1] == 1 && fabs(v[0] - 3.5 / 3) < 1e-14 && fabs(v[0] + v[1]) < 1e-15);
    particles_free(p);
}

/* Spins in arrays are those of a text, also for the default contact time, and are changed as
 * velocities are. */
TEST(spins_in_arrays)
{
    static const char text[] = "2\n1\n20 10\n5 5 1 0 1 1 0 -3.5\n9 5 -1 0\n";
    static const double box[] = {20, 10}, radius[] = {1, 1}, odd[] = {0, 2e40, (double)NAN, 0};
    static const double start[4][2] = {{5, 9}, {5, 5}, {1, -1}, {-3.5, 0}};
    double spin[3][2], x[3][2], value, wide[] = {1, 4};
    for (int k = 0; k < 3; k++) { /* the last one is changed */
        struct particles *p = particles_create();
        CHECK(particles_set(p, "rule", "elastic") == 0 && particles_set(p, "stats", NULL) == 0);
        CHECK(particles_set(p, "roughness", "1") == 0 && particles_set(p, "inertia", "0.4") == 0);
        CHECK(particles_set(p, "restitution", "0.9") == 0);
        CHECK(k == 0 ? particles_read_text(p, text, sizeof text - 1) == 0
                     : particles_place_rough(p, 2, box, start[0], start[1], start[2], NULL, radius,
                                             NULL, NULL, start[3]) == 0);
        for (int bad = 1; bad < 3; bad++)
            CHECK(particles_change_rough(p, NULL, NULL, start[0], NULL, NULL, NULL, odd + bad) ==
                      PARTICLES_BAD_DATA &&
                  strstr(particles_error(p), "particle 0 spins too fast: "));
        CHECK(particles_advance(p, 10) == 0);
        CHECK(particles_figure(p, "energy_start", &value, NULL) == 0 &&
              fabs(value - (1 + 0.2 * 3.5 * 3.5)) < 1e-15);
        if (k == 2)
            CHECK(particles_change_rough(p, NULL, NULL, NULL, NULL, NULL, NULL, start[0]) == 0 &&
                  particles_spins(p, spin[k]) == 0 && spin[k][0] == 5 && spin[k][1] == 9);
        CHECK(particles_advance(p, 50) == 0 && particles_spins(p, spin[k]) == 0 &&
              particles_state(p, x[k], NULL, NULL, NULL) == 0);
        CHECK(particles_figure(p, "stats_from", &value, NULL) == 0 && value == (k == 2 ? 10 : 0));
        particles_free(p);
    }
    CHECK(memcmp(spin[0], spin[1], sizeof spin[0]) == 0 && memcmp(x[0], x[1], sizeof x[0]) == 0);
    CHECK(spin[2][0] != spin[1][0] && x[2][0] != x[1][0]);
    struct particles *p = particles_create();
    CHECK(particles_place_rough(p, 2, box, start[0], start[1], NULL, NULL, radius, NULL, NULL,
                                start[3]) == PARTICLES_BAD_DATA &&
          strcmp(particles_error(p), "particle 0 has a spin, and that needs roughness") == 0);
    CHECK(particles_place(p, 2, box, start[0], start[1], NULL, NULL, radius, NULL, NULL) == 0);
    CHECK(particles_change_rough(p, NULL, NULL, NULL, NULL, NULL, NULL, start[3]) ==
              PARTICLES_USAGE &&
          strstr(particles_error(p), "need the option 'roughness'"));
    CHECK(particles_change_rough(p, NULL, NULL, NULL, NULL, wide, NULL, NULL) ==
          PARTICLES_BAD_DATA);
    particles_free(p);
}

/* Whatever order a schedule has them in, the spins that are changed are those of these particles.
 */
TEST(spins_of_all_schedules)
{
    enum { MANY = 300 };
    static const char *const schedules[][2] = {
        {"schedule", "array"}, {"schedule", "cells"}, {"tile-side", "4"}};
    static double spin[3][MANY], u[3][MANY];
    for (int k = 0; k < 3; k++) {
        struct particles *p = particles_create();
        CHECK(particles_set(p, "rule", "elastic") == 0 && particles_set(p, "roughness", "1") == 0);
        CHECK(particles_set(p, schedules[k][0], schedules[k][1]) == 0);
        CHECK(k < 2 || particles_set(p, "threads", "2") == 0);
        CHECK(particles_set(p, "periodic", "xy") == 0 && particles_generate(p, "300") == 0);
        for (int step = 1; step < 4; step++) {
            CHECK(particles_advance(p, 3 * step) == 0 && particles_spins(p, spin[k]) == 0);
            for (int n = 0; n < MANY; n += 2)
                spin[k][n] += 0.01 * n;
            CHECK(particles_change_rough(p, NULL, NULL, NULL, NULL, NULL, NULL, spin[k]) == 0);
        }
        CHECK(particles_advance(p, 12) == 0 && particles_spins(p, spin[k]) == 0 &&
              particles_state(p, NULL, NULL, u[k], NULL) == 0);
        CHECK(memcmp(spin[0], spin[k], sizeof spin[0]) == 0);
        CHECK(memcmp(u[0], u[k], sizeof u[0]) == 0);
        particles_free(p);
    }
}

TEST(names_of_figures)
{
    struct particles *p = read_system(1);
    const char *name;
    size_t count = 0;
    CHECK(particles_figure_name(p, 0) == NULL && strstr(particles_error(p), "beyond"));
    CHECK(particles_advance(p, 5) == 0);
    CHECK(strcmp(particles_figure_name(p, 0), "particles") == 0);
    CHECK(strcmp(particles_figure_name(p, 1), "kinds") == 0);
    while ((name = particles_figure_name(p, count)) != NULL) {
        char copy[64];
        double value;
        CHECK(snprintf(copy, sizeof copy, "%s", name) < (int)sizeof copy);
        CHECK(particles_figure(p, copy, &value, NULL) == 0);
        count++;
    }
    CHECK(count > 50 && particles_figure_name(p, SIZE_MAX) == NULL);
    particles_free(p);
}

static void count_collisions(void *user, const struct particles_collision *list, size_t count)
{
    (void)list;
    *(size_t *)user += count;
}

static int stop(void *user, double time)
{
    (void)user, (void)time;
    return 1;
}

/* What is counted by callbacks that are there for a part of the time, and by the simulation, is the
 * same. */
TEST(callbacks_between_advances)
{
    struct particles *p = read_system(1), *whole = read_system(1);
    size_t counted = 0;
    double first, last, value, expected, x[COUNT], y[COUNT];
    CHECK(particles_advance(p, 10) == 0 && particles_figure(p, "collisions", &first, NULL) == 0);
    CHECK(particles_on_collisions(p, count_collisions, &counted) == 0);
    CHECK(particles_advance(p, 60) == 0 && particles_figure(p, "collisions", &last, NULL) == 0);
    CHECK(counted > 5 && last - first == (double)counted);
    CHECK(particles_on_collisions(p, NULL, NULL) == 0);
    CHECK(particles_on_progress(p, stop, NULL) == 0 && particles_on_progress(p, NULL, NULL) == 0);
    CHECK(particles_advance(p, 100) == 0 && last - first == (double)counted);
    CHECK(particles_advance(whole, 100) == 0);
    CHECK(particles_state(p, x, NULL, NULL, NULL) == 0 &&
          particles_state(whole, y, NULL, NULL, NULL) == 0);
    CHECK(memcmp(x, y, sizeof x) == 0);
    CHECK(particles_figure(p, "mean_free_path", &value, NULL) == 0);
    CHECK(particles_figure(whole, "mean_free_path", &expected, NULL) == 0 && value == expected);
    particles_free(p);
    particles_free(whole);
}
