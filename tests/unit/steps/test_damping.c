/* Tests of the damping of links and contacts: it takes energy from what changes distances, at its
 * rate, and none from what turns; it adds none. */
#include "check.h"
#include "stepped.h"
#include "steps/term.h"

static const double pi = 3.14159265358979323846;

/* After so many steps nothing vibrates faster than they follow. */
enum { SETTLED = 20 };

/* The energy, and angular momentum, at the ends of steps. */
struct watch {
    struct stepped *run;
    size_t count;
    double first, least;      /* energy: at the start; the least from SETTLED on */
    double gain, rise;        /* the most above either, if more than 0 */
    double momentum[3], lost; /* at the start: along x, y, angular; the most that any has changed */
};

static void watch_step(void *context, const struct snapshot *snapshot)
{
    struct watch *watch = context;
    double kinetic, potential, momentum[3] = {0};
    CHECK(!steps_operations.samples.energy(&watch->run->steps->dynamics, &kinetic, &potential,
                                           &failure));
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        momentum[0] += body.mass * body.u;
        momentum[1] += body.mass * body.v;
        momentum[2] += body.mass * ((body.x - 100) * body.v - (body.y - 100) * body.u);
    }
    const double energy = kinetic + potential;
    if (watch->count++ == SETTLED)
        watch->least = energy;
    if (watch->count == 1) {
        watch->first = energy;
        memcpy(watch->momentum, momentum, sizeof momentum);
    }
    watch->gain = fmax(watch->gain, energy - watch->first);
    watch->rise = fmax(watch->rise, watch->count > SETTLED ? energy - watch->least : 0);
    watch->least = fmin(watch->least, energy);
    for (size_t k = 0; k < 3; k++)
        watch->lost = fmax(watch->lost, fabs(momentum[k] - watch->momentum[k]));
}

/* Runs a system with a scene, watched if there is a watch. */
static struct stepped run(struct system *system, const char *parts, double dt, double end_time,
                          struct watch *watch)
{
    struct stepped stepped = {.step = dt, .substeps = 1, .parts = parts, .end_time = end_time};
    if (watch) {
        *watch = (struct watch){.run = &stepped};
        stepped.every = dt;
        stepped.sample = watch_step;
        stepped.context = watch;
    }
    stepped_check(&stepped, system);
    return stepped;
}

/* Two particles that turn about their middle stretch their link by the centripetal force m v^2 / r
 * times the compliance, whatever the damping and the step. */
TEST(a_rotor_is_stretched_by_its_turning)
{
    static const double steps[] = {0.1, 0.01, 0.001, 1e-4};
    static const char *const dampings[] = {"1414", "1e5"};
    scratch_write("link", "0 1 2");
    for (size_t k = 0; k < 8; k++) {
        char scene[100];
        OWNED(system, system) = STEPPED_DISKS(10, 10, {4, 5, 0, -1}, {6, 5, 0, 1});
        snprintf(scene, sizeof scene, "constraint link file=link compliance=1e-6 damping=%s",
                 dampings[k / 4]);
        const struct stepped stepped = run(&system, scene, steps[k % 4], 10, NULL);
        const double x = system.particles[1].x - system.particles[0].x;
        const double y = system.particles[1].y - system.particles[0].y;
        CHECK(fabs(hypot(x, y) - 2 - 1e-6) < 1e-8);
        CHECK(fabs(stepped.end.kinetic - 1 + 1e-6) < 1e-8); /* its arm is longer by half of that */
    }
}

/* A pendulum of 5 that falls from the horizontal, strongly damped: the solution by Runge and
 * Kutta's method has the energy 196.1813, and all that the link has given is in 100 time 8.6e-4. */
TEST(a_pendulum_swings_on)
{
    static const double steps[] = {0.01, 0.002};
    scratch_write("link", "0 1 5");
    for (size_t k = 0; k < 2; k++) {
        struct watch watch;
        OWNED(system, system) = STEPPED_DISKS(20, 20, {10, 10, 0, 0}, {15, 10, 0, 0});
        const struct stepped stepped =
            run(&system,
                "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                "constraint link file=link compliance=0.0001 damping=1000000",
                steps[k], 100, &watch);
        CHECK(fabs(stepped.end.kinetic + stepped.end.potential - 196.1813) < 5e-4);
        CHECK(fabs(stepped.end.deviation - 8.56e-4) < 1e-5);
        CHECK(watch.gain < 1e-12);
    }
}

/* A vibration of two bodies decays as theory says: as e^(-c t) if c is less than critical, else as
 * the sum of two exponentials. Errors are in proportion to dt. */
TEST(vibrations_decay)
{
    static const struct {
        double stiffness, damping, dt, end;
    } cases[] = {{50, 0.3, 2e-5, 2}, {5, 0.05, 2e-5, 3}, {0.5, 5, 1e-4, 3}, {10, 100, 1e-5, 1}};
    scratch_write("link", "0 1 2");
    for (size_t k = 0; k < 4; k++) {
        const double c = cases[k].damping, omega = c * c - 2 * cases[k].stiffness;
        const double root = sqrt(fabs(omega)), t = cases[k].end;
        const double wave = omega < 0 ? sin(root * t) / root : sinh(root * t) / root;
        char scene[200];
        OWNED(system, system) = STEPPED_DISKS(20, 20, {9, 10, -0.5, 0.25}, {11, 10, 0.5, 0.25});
        snprintf(scene, sizeof scene, "constraint link file=link compliance=%.17g damping=%.17g",
                 1 / cases[k].stiffness, c);
        run(&system, scene, cases[k].dt, t, NULL);
        const double stretch = system.particles[1].x - system.particles[0].x - 2;
        CHECK(fabs(stretch - exp(-c * t) * wave) < 0.003 * fmax(exp(-c * t) * wave, 0.1 / c));
    }
}

/* Places a tree of links of length 1, of random masses, at its lengths, with random velocities. */
static struct system make_tree(struct random_generator *random, size_t count)
{
    char text[20 * 40] = "";
    struct system system = stepped_disks(count, 200, 200);
    arranged_kinds(&system, count);
    system.radius = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t above = k > 0 ? random_next(random) % k : 0;
        const double angle = 2 * pi * random_unit(random);
        system.kinds[k] = (struct particle_kind){.mass = pow(10, random_unit(random))};
        set_particle(&system, k, k > 0 ? system.particles[above].x + cos(angle) : 100,
                     k > 0 ? system.particles[above].y + sin(angle) : 100,
                     random_unit(random) - 0.5, random_unit(random) - 0.5);
        system.particles[k].kind = (uint32_t)k;
        if (k > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%zu %zu 1\n", k, above);
    }
    scratch_write("tree", text);
    return system;
}

/* Damped trees of any masses never gain energy over that of the start; after that it rises by no
 * more than errors of second order. Momentum and angular momentum stay. */
TEST(damped_trees_gain_no_energy)
{
    struct random_generator random;
    random_seed(&random, 5);
    for (int trial = 0; trial < (check_is_thorough() ? 3000 : 200); trial++) {
        char scene[200];
        struct watch watch;
        OWNED(system, system) = make_tree(&random, 2 + random_next(&random) % 12);
        const double compliance = pow(10, -6 * random_unit(&random));
        const double damping = pow(10, -2 + 10 * random_unit(&random));
        const double dt = pow(10, -2 - 1.5 * random_unit(&random));
        snprintf(scene, sizeof scene, "constraint link file=tree compliance=%.17g damping=%.17g%s",
                 compliance, damping, trial % 4 == 3 ? "\nconstraint pin particles=0" : "");
        run(&system, scene, dt, 300 * dt, &watch);
        CHECK(!(watch.gain > 1e-12 * watch.first));
        CHECK(watch.rise < 30 * dt * dt * watch.first);
        CHECK(trial % 4 == 3 || watch.lost < 3e-11);
    }
}

/* A chain whose links are in two files, and a net, whose links are relaxed one by one: what one
 * link does to another in a substep is damped in the next. */
TEST(no_move_escapes_damping)
{
    enum { SIDE = 10 };
    char text[2 * SIDE * SIDE * 20] = "", *end = text;
    OWNED(system, chain) = stepped_disks(3, 20, 20), net = stepped_disks(SIDE * SIDE, 40, 40);
    scratch_write("first", "0 1 3\n");
    scratch_write("second", "1 2 2\n");
    for (size_t k = 0; k < 3; k++)
        set_particle(&chain, k, k < 2 ? 10 + 3 * (double)k : 15, 15, 0, 0);
    const struct stepped swung = run(&chain,
                                     "interaction gravity g=-9.81\nconstraint pin particles=0\n"
                                     "constraint link file=first compliance=1e-4 damping=1e6\n"
                                     "constraint link file=second compliance=1e-4 damping=1e6",
                                     0.002, 20, NULL);
    CHECK(fabs(swung.end.kinetic + swung.end.potential - 441.407) < 0.02);
    for (int k = 0; k < SIDE * SIDE; k++) {
        const double x = k % SIDE - 4.5, y = k / SIDE - 4.5;
        set_particle(&net, (size_t)k, 20 + x, 20 + y, -0.3 * y, 0.3 * x);
        end += k % SIDE > 0 ? sprintf(end, "%d %d 1\n", k, k - 1) : 0;
        end += k >= SIDE ? sprintf(end, "%d %d 1\n", k, k - SIDE) : 0;
    }
    scratch_write("net", text);
    const struct stepped turned =
        run(&net, "constraint link file=net compliance=1e-4 damping=1e6", 0.005, 10, NULL);
    CHECK(fabs(turned.end.kinetic + turned.end.potential - 74.2488) < 0.002);
    CHECK(turned.end.deviation < 3e-5);
    system_free(&net);
}

/* Disks that attract each other and circle in contact overlap by what their weight less the
 * centripetal force presses, times the compliance, whatever the damping. */
TEST(contacts_do_not_damp_turning)
{
    static const char *const dampings[] = {"0", "100", "3000"};
    for (size_t k = 0; k < 3; k++) {
        char scene[200];
        OWNED(system, system) = STEPPED_DISKS(10, 10, {4.5, 5, 0, -0.5}, {5.5, 5, 0, 0.5});
        system.radius = 0.5;
        snprintf(scene, sizeof scene,
                 "interaction gravitation G=1 softening=0\n"
                 "constraint contact compliance=0.001 damping=%s",
                 dampings[k]);
        const struct stepped stepped = run(&system, scene, 0.001, 20, NULL);
        CHECK(fabs(stepped.end.deviation - 0.0005) < 2e-5);
    }
}
