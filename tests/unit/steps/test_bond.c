/* Tests of bonds: oscillations that keep their period and energy or lose it as theory says,
 * momentum, and steps that are too long. Files of pairs are tested with links. */
#include "check.h"
#include "stepped.h"
#include "steps/term.h"

static const double pi = 3.14159265358979323846;

/* The largest error of the energy at the ends of substeps. */
struct energies {
    struct stepped *run;
    double first, largest;
    size_t count;
};

static void note_energy(void *context, const struct snapshot *snapshot)
{
    struct energies *energies = context;
    double kinetic, potential;
    (void)snapshot;
    CHECK(!steps_operations.samples.energy(&energies->run->steps->dynamics, &kinetic, &potential,
                                           &failure));
    if (energies->count++ == 0)
        energies->first = kinetic + potential;
    energies->largest = fmax(energies->largest, fabs(kinetic + potential - energies->first));
}

/* Two particles of mass 1 swing about their distance with the frequency sqrt(2 k). */
TEST(an_oscillation_keeps_its_energy)
{
    enum { PERIODS = 100, SUBSTEPS = 100 };
    const double period = 2 * pi / sqrt(2 * 50.0);
    OWNED(system, system) = STEPPED_DISKS(20, 20, {0.6, 10, 0, 0}, {18.5, 10, 0, 0});
    struct energies energies = {0};
    struct stepped run = STEPPED(period, SUBSTEPS, .parts = "interaction bond file=bond k=50",
                                 .end_time = PERIODS * period, .every = period / SUBSTEPS,
                                 .sample = note_energy, .context = &energies);
    energies.run = &run;
    scratch_write("bond", "1 0 2\n");
    system.boundary.periodic = PERIODIC_X; /* the bond is across the seam */
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    const double first = 50 * 0.1 * 0.1 / 2;
    CHECK(fabs(energies.first - first) < 1e-12);
    CHECK(energies.largest < 1.1 * pi * pi / SUBSTEPS / SUBSTEPS * first); /* (omega dt)^2 / 4 */
    CHECK(fabs(system.particles[0].x - 0.6) < 0.1 * 0.1);                  /* late by 0.1 radian */
    CHECK(system.particles[0].y == 10);
}

/* With damping the amplitude falls as e^(-c t), for the reduced mass is 1 / 2. */
TEST(damping)
{
    OWNED(system, system) = STEPPED_DISKS(20, 20, {8, 10, -0.5, 0}, {10, 10, 0.5, 0});
    const double c = 0.3, frequency = sqrt(2 * 50 - c * c), periods = 5 * 2 * pi / frequency;
    struct stepped run = STEPPED(
        periods, 2000, .parts = "interaction bond file=bond k=50 damping=0.3", .end_time = periods);
    scratch_write("bond", "0 1 2\n");
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    CHECK(fabs(system.particles[1].u - 0.5 * exp(-c * periods)) < 1e-4);
    CHECK(fabs(system.particles[1].x - 10) < 1e-4);
}

/* A random heap of bonds conserves both momenta, and its energy to second order. */
TEST(a_heap_of_bonds)
{
    enum { COUNT = 30 };
    struct random_generator random;
    random_seed(&random, 3);
    for (int trial = 0; trial < 5; trial++) {
        char text[COUNT * 40] = "";
        double drift[2];
        OWNED(system, start) = stepped_disks(COUNT, 100, 100);
        for (size_t k = 0; k < COUNT; k++)
            set_particle(&start, k, 40 + 20 * random_unit(&random), 40 + 20 * random_unit(&random),
                         random_unit(&random), random_unit(&random));
        for (int k = 1; k < COUNT; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%d %d 12\n", k,
                     (int)(random_next(&random) % (uint64_t)k));
        scratch_write("bonds", text);
        for (int half = 0; half < 2; half++) {
            double u = 0, v = 0;
            OWNED(system, system) = system_copy(&start);
            struct energies energies = {0};
            struct stepped run =
                STEPPED(0.1, half ? 32 : 16, .parts = "interaction bond file=bonds k=2",
                        .end_time = 5, .every = 0.1, .sample = note_energy, .context = &energies);
            energies.run = &run;
            CHECK(stepped_run(&run, &system) == STATUS_DONE);
            for (size_t k = 0; k < COUNT; k++) {
                u += system.particles[k].u - start.particles[k].u;
                v += system.particles[k].v - start.particles[k].v;
            }
            CHECK(fabs(u) < 1e-11 && fabs(v) < 1e-11);
            drift[half] = energies.largest / energies.first;
        }
        CHECK(drift[0] < 1e-3 && drift[1] < drift[0] / 3.5);
    }
}

/* The shortest period is that of the masses and bonds that there are: of three in a row 2 pi /
 * sqrt(3 k). */
TEST(long_steps_are_refused)
{
    static const struct {
        double step;
        const char *parts, *message;
    } cases[] = {
        {0.181, "interaction bond file=chain k=1", NULL},
        {0.182, "interaction bond file=chain k=1",
         "bond: particles with bonds swing with a period of 3.6276, and it takes 20 substeps"},
        {0.31, "interaction bond file=chain k=1\nconstraint pin particles=1", NULL},
        {0.1, "interaction bond file=chain k=1e-9 damping=1", NULL},
        {0.11, "interaction bond file=chain k=1e-9 damping=1", "swing with a period of 2.0944"},
    };
    scratch_write("chain", "0 1 3\n1 2 3\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        OWNED(system, system) = stepped_disks(3, 20, 20);
        struct stepped run = STEPPED(cases[k].step, 1, .parts = cases[k].parts, .end_time = 1);
        for (size_t n = 0; n < 3; n++)
            set_particle(&system, n, 4 + 3 * (double)n, 4, 0, 0);
        CHECK(stepped_run(&run, &system) == (cases[k].message ? STATUS_USAGE : STATUS_DONE));
        if (cases[k].message && !CHECK(strstr(run.error.message, cases[k].message)))
            error_print(&run.error);
    }
}
