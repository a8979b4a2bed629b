/* Tests of baths: diffusion, temperature and the spread in a harmonic well against theory, within
 * four standard errors of what is sampled; pinned particles; and interrupted runs. */
#include "check.h"
#include "resumed.h"
#include "stepped.h"

/* Means over particles, with 1 / sqrt(count) as the standard error of each, in units of theory. */
struct spread {
    double square, speed; /* of the distances from the start; of speeds */
    double mean;          /* of the distances along x */
};

enum { COUNT = 2000 };

/* Runs points, of which number 0 is pinned, from (50, 50). */
static struct spread spread_points(const char *parts, double mass, double dt, uint32_t substeps,
                                   uint64_t seed)
{
    struct spread spread = {0};
    OWNED(system, system) = stepped_disks(COUNT + 1, 100, 100);
    struct stepped run =
        STEPPED(dt * substeps, substeps, .parts = parts, .end_time = dt * substeps, .seed = seed);
    system.radius = 0;
    system.boundary.periodic = PERIODIC_X | PERIODIC_Y;
    arranged_kinds(&system, 1);
    system.kinds[0] = (struct particle_kind){.mass = mass};
    for (size_t k = 0; k <= COUNT; k++)
        set_particle(&system, k, 50, 50, 0, 0);
    stepped_check(&run, &system);
    CHECK(system.particles[0].x == 50 && system.particles[0].u == 0);
    for (size_t k = 1; k <= COUNT; k++) {
        const struct particle *p = &system.particles[k];
        const double x = p->x - 50 + 100 * (double)system.counts[k].x_image;
        const double y = p->y - 50 + 100 * (double)system.counts[k].y_image;
        spread.square += (x * x + y * y) / COUNT;
        spread.speed += (p->u * p->u + p->v * p->v) / COUNT;
        spread.mean += x / COUNT;
    }
    return spread;
}

/* Compares a mean over all particles of a sum of two squares, which has an exponential
 * distribution. */
static void compare(const char *what, double measured, double theory, double slack)
{
    const double error = measured / theory - 1;
    if (!CHECK(fabs(error) < 4 / sqrt(COUNT) + slack) || check_is_thorough())
        printf("%s: off by %.4f, the standard error is %.4f\n", what, error, 1 / sqrt(COUNT));
}

/* Free particles have D = T / c = 1 / 2 and m v^2 = 2 T, with x = c dt / m from 0.1 to 10. From
 * rest they are late by 3 m / 2 c. */
TEST(free_particles_diffuse)
{
    for (uint64_t seed = 1; seed <= (check_is_thorough() ? 40 : 2); seed++) {
        const double dt = seed % 2 ? 0.1 : 10;
        const uint32_t substeps = seed % 2 ? 1000 : 200;
        const struct spread spread =
            spread_points("interaction langevin temperature=1.5 friction=3\n"
                          "interaction gravity g=0.5 direction=0\nconstraint pin particles=0",
                          3, dt, substeps, seed);
        const double time = dt * substeps - (seed % 2 ? 1.5 : 5);
        const double drift = 0.5 * (dt * substeps - 1);
        CHECK(fabs(spread.mean - drift) < 4 * sqrt(time / COUNT) + (seed % 2 ? 0.1 : 5));
        compare("diffusion", spread.square - spread.mean * spread.mean, 2 * time, 0.01);
    }
}

/* In a harmonic well k x^2 = T in each direction, where dt is not small: omega dt = 0.3. */
TEST(a_well_has_the_temperature)
{
    static const struct {
        const char *bath;
        double friction;
    } cases[] = {{"interaction langevin temperature=2 friction=0.5\n", 0.5},
                 {"interaction langevin temperature=2 friction=20\n", 20}};
    char bonds[COUNT * 20] = "", parts[300];
    char *end = bonds;
    for (int k = 1; k <= COUNT; k++)
        end += sprintf(end, "0 %d 1e-9\n", k);
    scratch_write("bonds", bonds);
    for (uint64_t seed = 1; seed <= (check_is_thorough() ? 40 : 4); seed++) {
        snprintf(parts, sizeof parts,
                 "%sinteraction bond file=bonds k=4\nconstraint pin particles=0",
                 cases[seed % 2].bath);
        const struct spread spread = spread_points(parts, 1, 0.15, seed % 2 ? 400 : 300, seed);
        const double x = cases[seed % 2].friction * 0.15;
        compare("well", 4 * spread.square, 4, 0);
        compare("speeds", spread.speed, 4 * (1 - 0.3 * 0.3 / 4 * tanh(x / 2) / (x / 2)), 0);
    }
}

/* Other seeds give other kicks; another length of the text of the scene, or other particles, not.
 */
TEST(kicks_depend_on_seed_and_particle)
{
    double x[3];
    static const uint64_t seeds[] = {1, 2, 1};
    for (size_t n = 0; n < 3; n++) {
        OWNED(system, system) = stepped_disks(n == 2 ? 7 : 3, 100, 100);
        struct stepped run =
            STEPPED(0.1, 3,
                    .parts = n == 2 ? "interaction langevin  friction=1 temperature=1.0"
                                    : "interaction langevin temperature=1 friction=1",
                    .end_time = 1, .seed = seeds[n]);
        for (size_t k = 0; k < system.count; k++)
            set_particle(&system, k, 50, 50, 0, 0);
        CHECK(stepped_run(&run, &system) == STATUS_DONE);
        x[n] = system.particles[2].x;
        CHECK(x[n] != system.particles[1].x);
    }
    CHECK(x[0] != x[1] && x[0] == x[2]);
}

static void write_pairs(int is_resumed)
{
    scratch_write("links", is_resumed ? "nonsense" : "0 1 2.5\n1 2 2.5\n");
    scratch_write("links2", is_resumed ? "nonsense" : "2 3 2.5\n");
}

/* Interrupted and resumed, without the file of bonds, a run ends as one that is not. */
TEST(interruptions_leave_no_trace)
{
    enum { SUBSTEPS = 60 };
    OWNED(system, system) = stepped_disks(4, 9, 20);
    OWNED(options, options) = resumed_steps(3, 0.5, 0.5, SUBSTEPS / 6);
    OWNED(resumed, whole);
    options.steps.seed = 7;
    CHECK(!steps_settings_add(&options.steps, 0, "langevin temperature=1 friction=2", &failure));
    CHECK(!steps_settings_add(&options.steps, 0, "bond file=links k=3 damping=0.2", &failure));
    CHECK(!steps_settings_add(&options.steps, 1, "link file=links2", &failure));
    CHECK(!steps_settings_add(&options.steps, 1, "contact restitution=0.5", &failure));
    for (size_t k = 0; k < 4; k++) {
        set_particle(&system, k, 3, 4 + 2.5 * (double)k, 0, 0);
        system.particles[k].id = (int32_t)k;
    }
    write_pairs(0);
    resumed_run(&whole, &options, &system, NEVER);
    resumed_check_stops(&whole, &system, SUBSTEPS, check_is_thorough() ? 5 : 17, write_pairs);
}
