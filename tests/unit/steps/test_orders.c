/* Tests of the order of time-stepped runs: how the errors of positions, velocities and energies
 * fall when substeps are halved. Where forces are smooth they fall to a quarter. */
#include "check.h"
#include "stepped.h"

/* A scene, and where its particles begin. */
struct smooth_case {
    const char *parts;
    double step, end_time;
    double order; /* of the errors, or more */
    size_t count;
    double radius;
    double start[3][4]; /* of three particles at most; a fluid has more */
};

enum { FLUID_COLUMNS = 18, FLUID_ROWS = 4 };

/* Places a fluid with a wave of sound along x, in a channel. */
static void place_fluid(struct system *system)
{
    for (size_t k = 0; k < system->count; k++) {
        const double x = ((double)(k % FLUID_COLUMNS) + 0.5) / 1.8;
        const double y = ((double)(k / FLUID_COLUMNS) + 0.5) / 1.8;
        set_particle(system, k, x, y, 0.1 * sin(0.62831853071795865 * x), 0);
    }
    system->boundary = (struct boundary){.width = 10, .height = 20 / 9.0, .periodic = PERIODIC_X};
}

static struct stepped run_case(const struct smooth_case *made, double step, struct system *system)
{
    struct stepped run = STEPPED(step, 1, .parts = made->parts, .end_time = made->end_time);
    *system = stepped_disks(made->count, 20, 20);
    system->radius = made->radius;
    for (size_t k = 0; k < made->count && k < 3; k++)
        set_particle(system, k, made->start[k][0], made->start[k][1], made->start[k][2],
                     made->start[k][3]);
    if (made->count > 3)
        place_fluid(system);
    stepped_check(&run, system);
    return run;
}

/* The largest error, by a run with far shorter substeps. */
static double find_error(const struct smooth_case *made, double step, const struct stepped *exact,
                         const struct system *exact_system)
{
    OWNED(system, system);
    const struct stepped run = run_case(made, step, &system);
    double largest = fmax(fabs(run.end.kinetic - exact->end.kinetic),
                          fabs(run.end.potential - exact->end.potential));
    for (size_t k = 0; k < made->count; k++) {
        const struct particle *p = &system.particles[k], *q = &exact_system->particles[k];
        largest = fmax(largest, hypot(p->x - q->x, p->y - q->y));
        largest = fmax(largest, hypot(p->u - q->u, p->v - q->v));
    }
    return largest;
}

static void check_order(const struct smooth_case *made)
{
    OWNED(system, system);
    const struct stepped exact = run_case(made, made->step / 64, &system);
    double before = find_error(made, made->step, &exact, &system);
    for (int halved = 1; halved <= 2; halved++) {
        const double error = find_error(made, made->step / (1 << halved), &exact, &system);
        const double order = log2(before / error);
        if (check_is_thorough() || !(order > made->order - 0.1))
            printf("order %.3f, error %g: %s\n", order, error, made->parts);
        CHECK(order > made->order - 0.1);
        before = error;
    }
}

#define PENDULUM "interaction gravity g=-10\nconstraint pin particles=0\nconstraint link file="
#define FLUID    "interaction sph density=3.24 sound-speed=3 smoothing=1 alpha="

#define CASE(parts, step, end_time, order, count, radius, ...)                                     \
    {                                                                                              \
        parts, step, end_time, order, count, radius,                                               \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

TEST(orders)
{
    static const struct smooth_case cases[] = {
        CASE("interaction gravitation G=1 softening=0", 0.01, 2, 2, 2, 0, {5, 5, 0, 0.5},
             {6, 5, 0, -0.5}),
        CASE("interaction gravitation G=1 softening=0.3\ninteraction drag c=0.7", 0.02, 2, 2, 3, 0,
             {5, 5, 0, 0.5}, {6, 5, 0, -0.5}, {5.5, 6.5, 0.3, 0}),
        CASE("interaction coulomb k=1 charges=1\ninteraction gravity g=-2\ninteraction drag c=1",
             0.02, 1, 2, 3, 0, {4, 5, 0.5, 0}, {6, 5, -0.5, 0.1}, {5, 6, 0, 0}),
        CASE("interaction lennard-jones epsilon=1 sigma=1 cutoff=4", 0.01, 1, 2, 3, 0,
             {5, 5, 0.5, 0}, {6.2, 5, -0.5, 0.1}, {5.6, 6.1, 0, 0}),
        CASE("interaction spring k=20", 0.005, 0.15, 2, 2, 1, {4, 5, 1, 0}, {5.8, 5.3, -0.5, 0}),
        CASE("interaction spring k=20 restitution=0.3", 0.005, 0.15, 2, 2, 1, {4, 5, 1, 0},
             {5.8, 5.3, -0.5, 0}),
        CASE(PENDULUM "one", 0.01, 1, 2, 2, 0, {5, 5, 0, 0}, {6, 5, 0, 0}),
        CASE(PENDULUM "one\ninteraction drag c=1", 0.01, 1, 2, 2, 0, {5, 5, 0, 0}, {6, 5, 0, 0}),
        CASE(PENDULUM "two", 0.005, 0.8, 2, 3, 0, {5, 5, 0, 0}, {6, 5, 0, 0}, {7, 5, 0, 0}),
        CASE("interaction bond file=two k=50 damping=0.7\ninteraction gravity g=-2\n"
             "interaction drag c=0.5\nconstraint pin particles=0",
             0.01, 1, 2, 3, 0, {5, 5, 0, 0}, {6.1, 5.1, 0, 0.3}, {7, 5, 0, 0}),
        CASE("interaction langevin temperature=0 friction=2\ninteraction gravitation G=1 "
             "softening=0.3",
             0.02, 1, 2, 2, 0, {5, 5, 0, 0.5}, {6, 5, 0, -0.5}),
        /* These are implicit, which costs an order. */
        CASE(PENDULUM "one compliance=0.1", 0.005, 1, 1, 2, 0, {5, 5, 0, 0}, {6, 5, 0, 0}),
        CASE("interaction gravity g=-10\nconstraint pin particles=0\n"
             "constraint contact compliance=0.05",
             0.005, 0.3, 1, 2, 1, {5, 5, 0, 0}, {5, 6.8, 0, 0}),
        /* The diffusion of the density, a correction, is of first order. */
        CASE(FLUID "0", 0.04, 4, 1, FLUID_COLUMNS * FLUID_ROWS, 0.1, {0}),
        CASE(FLUID "0.5", 0.04, 4, 1, FLUID_COLUMNS * FLUID_ROWS, 0.1, {0}),
        CASE(FLUID "0 kinematic-viscosity=0.2", 0.04, 4, 1, FLUID_COLUMNS * FLUID_ROWS, 0.1, {0}),
    };
    scratch_write("one", "0 1 1\n");
    scratch_write("two", "0 1 1\n1 2 1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_order(&cases[k]);
}

/* Kepler's problem, as measured from outside: a circle of radius 1 and period 2 pi. */
TEST(kepler)
{
    static const double pi = 3.14159265358979323846;
    OWNED(system, system) = STEPPED_DISKS(20, 20, {10, 10, 0, 0}, {11, 10, 0, 1});
    struct stepped run = STEPPED(0.005, 1,
                                 .parts = "interaction gravitation G=1 softening=0\n"
                                          "constraint pin particles=0",
                                 .end_time = 2 * pi);
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    const double error = hypot(system.particles[1].x - 11, system.particles[1].y - 10);
    CHECK(fabs(error - 5.2367264e-5) < 1e-10); /* by a program of twenty lines */
    CHECK(fabs(run.end.kinetic + run.end.potential + 0.5) < 1e-10);
}

static void note_speed(void *context, const struct snapshot *snapshot)
{
    double *largest = context;
    for (size_t k = 0; k < snapshot->system->count; k++)
        *largest =
            fmax(*largest, hypot(snapshot_body(snapshot, k).u, snapshot_body(snapshot, k).v));
}

/* A weight that rests on a wall, hangs on a rod or on a spring, or lies on a disk, has no speed at
 * any time. */
TEST(a_body_at_rest_has_no_energy)
{
    static const struct {
        const char *parts;
        double start[2][2], most;
    } cases[] = {
        {"interaction gravity g=-10", {{5, 1}, {10, 1}}, 1e-15},
        {PENDULUM "one", {{5, 10}, {5, 9}}, 1e-13},
        {PENDULUM "one compliance=0.01", {{5, 10}, {5, 8.9}}, 1e-13},
        {"interaction gravity g=-10\nconstraint contact",
         {{5, 1}, {5, 3}},
         0.06}, /* it sinks in a little */
    };
    scratch_write("one", "0 1 1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double largest = 0;
        OWNED(system, system) = stepped_disks(2, 20, 20);
        struct stepped run = STEPPED(0.01, 3, .parts = cases[k].parts, .end_time = 2, .every = 0.01,
                                     .sample = note_speed, .context = &largest);
        for (size_t n = 0; n < 2; n++)
            set_particle(&system, n, cases[k].start[n][0], cases[k].start[n][1], 0, 0);
        CHECK(stepped_run(&run, &system) == STATUS_DONE);
        CHECK(largest <= cases[k].most && run.end.kinetic < 1e-20);
    }
}
