/* Test of the loop of time-stepped runs: its times, its integration, interruptions, and what it
 * refuses. Interactions and constraints have tests of their own. */
#include "steps/steps.h"

#include "check.h"
#include "observed.h"
#include "resumed.h"
#include "stepped.h"

/* Runs a system step by step, with parts as stepped.h has them. */
static enum status run_steps(struct system *system, double step, uint32_t substeps,
                             const char *parts, double end_time, struct error *error)
{
    struct stepped run = {.step = step, .substeps = substeps, .parts = parts, .end_time = end_time};
    const enum status status = stepped_run(&run, system);
    *error = run.error;
    return status;
}

/* A particle alone in a large box. */
static struct system lone_particle(double u, double v)
{
    struct random_generator random = random_from(1);
    struct system system = random_system(&random, 1, 0.1, 1);
    system.boundary.width = system.boundary.height = 1000;
    system.particles[0].x = system.particles[0].y = 500;
    system.particles[0].u = u;
    system.particles[0].v = v;
    return system;
}

TEST(the_last_step_ends_at_the_end)
{
    static const double steps[] = {0.1, 0.3, 1.0 / 3, 0.7, 1, 2, 1e-3, 0.25 + 1e-9};
    for (size_t k = 0; k < LENGTH(steps); k++) {
        OWNED(system, system) = lone_particle(3, -2);
        CHECK(run_steps(&system, steps[k], 7, "", 1, &failure) == STATUS_DONE);
        const struct particle *p = &system.particles[0];
        CHECK(p->t == 1);
        CHECK(fabs(p->x - 503) < 1e-9 && fabs(p->y - 498) < 1e-9);
        CHECK(p->u == 3 && p->v == -2); /* free flight changes no velocity, not by the last bit */
    }
}

TEST(an_end_at_the_start_moves_nothing)
{
    OWNED(system, system) = lone_particle(3, -2);
    CHECK(run_steps(&system, 0.1, 7, "", 0, &failure) == STATUS_DONE);
    CHECK(system.particles[0].x == 500 && system.particles[0].t == 0);
}

/* Nor is a step too long to reach an end however near. */
TEST(an_end_far_within_a_step_is_reached)
{
    OWNED(system, system) = lone_particle(3e6, 0);
    CHECK(run_steps(&system, 1, 7, "", 1e-7, &failure) == STATUS_DONE);
    CHECK(fabs(system.particles[0].x - 500.3) < 1e-9 && system.particles[0].t == 1e-7);
}

/* Under a constant force the method is exact. */
TEST(a_field_accelerates)
{
    for (uint32_t substeps = 1; substeps <= 64; substeps *= 4) {
        OWNED(system, system) = lone_particle(1, 2);
        CHECK(!run_steps(&system, 0.1, substeps, "interaction gravity g=-10", 2, &failure));
        const struct particle *p = &system.particles[0];
        CHECK(fabs(p->x - 502) < 1e-9);
        CHECK(fabs(p->y - (504 - 5 * 4)) < 1e-9);
        CHECK(fabs(p->v - (2 - 20)) < 1e-11);
    }
}

TEST(drag_slows_down_whatever_the_step)
{
    for (double step = 0.001; step < 3; step *= 3) {
        OWNED(system, system) = lone_particle(1, 0);
        CHECK(run_steps(&system, step, 3, "interaction drag c=2", 3, &failure) == STATUS_DONE);
        CHECK(fabs(system.particles[0].u - exp(-6)) < 1e-12);
    }
}

/* Under gravity the velocity is exact, whatever the step: g / c (1 - e^(-c t)), up to g / c. So it
 * is with more than one drag, and one that hardly acts. */
TEST(drag_and_gravity_give_the_terminal_velocity)
{
    static const struct {
        const char *parts;
        double c;
    } scenes[] = {{"interaction gravity g=3\ninteraction drag c=2", 2},
                  {"interaction drag c=0.5\ninteraction gravity g=3\ninteraction drag c=1.5", 2},
                  {"interaction gravity g=3\ninteraction drag c=1e-9", 1e-9},
                  {"interaction gravity g=3\ninteraction drag c=0", 0}};
    static const double steps[] = {0.001, 0.05, 0.1, 1, 4};
    for (size_t k = 0; k < 20; k++) {
        const double c = scenes[k / 5].c;
        const double expected = c > 0 ? -3 / c * expm1(-4 * c) : 12;
        OWNED(system, system) = lone_particle(0, 0);
        CHECK(run_steps(&system, steps[k % 5], 1, scenes[k / 5].parts, 4, &failure) == STATUS_DONE);
        CHECK(fabs(system.particles[0].v / expected - 1) < 1e-12);
    }
}

/* Passing seams: where a particle would be without them is known. */
TEST(seams_are_passed)
{
    OWNED(system, system) = lone_particle(3001, -1503);
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    CHECK(run_steps(&system, 0.01, 5, "", 10, &failure) == STATUS_DONE);
    const struct particle *p = &system.particles[0];
    const struct particle_counts *counts = &system.counts[0];
    CHECK(p->x >= 0 && p->x < 1000 && p->y >= 0 && p->y < 1000);
    CHECK(fabs(p->x + 1000.0 * (double)counts->x_image - 30510) < 1e-6);
    CHECK(fabs(p->y + 1000.0 * (double)counts->y_image + 14530) < 1e-6);
    CHECK(counts->walls == 0 && counts->particles == 0);
}

TEST(a_velocity_without_bounds_ends_the_run)
{
    OWNED(system, system) = lone_particle(1e200, 0);
    system.boundary.periodic = PERIODIC_X; /* walls would hold it */
    CHECK(run_steps(&system, 1, 1, "", 2, &failure) == STATUS_BAD_DATA);
    CHECK(strstr(failure.message, "particle 0 ") && strstr(failure.message, "--substeps"));
    CHECK(system.counts[0].x_image == 0); /* so many images cannot be counted, nor those of nan */
}

/* A file without what the clock has made of it, at the end of the statistics. */
static char *read_untimed(const char *name)
{
    char *text = observed_read(name);
    char *clock = text ? strstr(text, "\nseconds = ") : NULL;
    if (clock)
        *clock = '\0';
    observed_remove_run(text);
    return text;
}

/* The files of a run that is interrupted between substeps and resumed are those of one that is not;
 * also with figures for the report only. */
static void check_interruptions(int has_stats)
{
    static const char *const files[] = {"frames", "structure", "picture", "page",
                                        "final",  "report",    "stats"};
    enum { ALL = LENGTH(files), SUBSTEPS = 30 };
    const size_t count = has_stats ? ALL : ALL - 1;
    struct random_generator random = random_from(3);
    OWNED(system, system) = random_system(&random, 20, 0.2, 1);
    OWNED(options, options) = resumed_options(SCHEDULE_AUTO, 1, 0.25);
    struct resumed run;
    char *expected[ALL];
    options.events.name = NULL;
    options.stats.output.is_wanted = has_stats;
    options.stats.output.name = has_stats ? "stats" : NULL;
    options.run.from = 0.3;
    options.steps = (struct steps_settings){.step = 0.2, .substeps = SUBSTEPS / 5};
    CHECK(steps_settings_add(&options.steps, 0, "gravity g=-10", &failure) == STATUS_DONE);
    resumed_run(&run, &options, &system, NEVER);
    CHECK(run.status == STATUS_DONE);
    for (size_t k = 0; k < count; k++)
        expected[k] = read_untimed(files[k]);
    resumed_free(&run);
    for (size_t stop = 1; stop < SUBSTEPS; stop += check_is_thorough() ? 1 : 7) {
        resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, SIZE_MAX, stop});
        CHECK(run.status == STATUS_INTERRUPTED);
        resumed_free(&run);
        resumed_run(&run, &options, NULL, NEVER);
        CHECK(run.status == STATUS_DONE);
        for (size_t k = 0; k < count; k++) {
            OWNED_TEXT(taken) = read_untimed(files[k]);
            if (CHECK(expected[k] && taken))
                CHECK(strcmp(expected[k], taken) == 0);
        }
        resumed_free(&run);
    }
    scratch_empty();
    for (size_t k = 0; k < count; k++)
        memory_free(expected[k]);
}

TEST(interruptions_leave_no_trace)
{
    check_interruptions(1);
    check_interruptions(0);
}
