/* Test of the dynamics of a flow: which lattices fit, the times of its states, the particles that
 * it carries, and interruptions. flow.c has a test of its own. */
#include "lattice/lattice.h"

#include "base/elementary.h"
#include "check.h"
#include "model/region.h"
#include "observed.h"
#include "resumed.h"

/* Makes a run on a lattice, and runs it to the end. */
static enum status run_lattice(struct system *system, uint32_t columns, double viscosity,
                               double end_time, struct error *error)
{
    struct lattice_settings scene = {.columns = columns, .viscosity = viscosity, .threads = 1};
    struct observers observers = {.next_sample = (double)INFINITY, .is_quiet = 1};
    struct dynamics *dynamics = NULL;
    enum status status = lattice_create(&scene, system, 0, &dynamics, error);
    if (!status)
        status = dynamics->operations->advance(dynamics, end_time, &observers, error);
    dynamics_free(dynamics);
    return status;
}

/* A viscosity at which a lattice of a few columns is neither too coarse nor too fine: that of a gas
 * whose mean free path is half a cell. */
static double moderate_viscosity(const struct system *system, uint32_t columns)
{
    return 0.5 * system->boundary.width / columns;
}

static struct system gas_in_square(struct random_generator *random)
{
    struct system system = random_system(random, 50, 0.2, 1);
    system.boundary.width = system.boundary.height =
        fmax(system.boundary.width, system.boundary.height);
    return system;
}

/* A refused number of columns comes with the nearest one that fits. */
RANDOM_TEST(a_lattice_that_does_not_fit_names_one_that_does, 1)
{
    for (int k = 0; k < 200; k++) {
        OWNED(system, system) = gas_in_square(random);
        const uint32_t cells = 2 + (uint32_t)random_below(random, 9);
        const uint32_t columns = 8 + (uint32_t)random_below(random, 30);
        system.boundary.width *= 12.0 / cells;
        const double viscosity = moderate_viscosity(&system, columns);
        const enum status status = run_lattice(&system, columns, viscosity, 0, &failure);
        const double rows = columns * cells / 12.0;
        if (rows == floor(rows) && rows >= LATTICE_MIN_COLUMNS) {
            CHECK(status == STATUS_DONE);
        } else if (CHECK(status == STATUS_USAGE)) {
            const char *advice = strstr(failure.message, "give --lattice=");
            const long best = advice ? atol(advice + strlen("give --lattice=")) : 0;
            CHECK(best >= LATTICE_MIN_COLUMNS && best * cells % 12 == 0);
            for (long nearer = columns; nearer < best; nearer++)
                CHECK(nearer * cells % 12 != 0 || nearer * cells / 12 < LATTICE_MIN_COLUMNS);
        }
    }
}

/* In a stream without a body all particles have its velocity; the states are at whole steps. */
RANDOM_TEST(a_stream_carries_particles_evenly, 2)
{
    for (int k = 0; k < 20; k++) {
        OWNED(system, system) = gas_in_square(random);
        system.boundary.periodic = PERIODIC_X | (k % 2 ? PERIODIC_Y : 0);
        const double speed = (k % 3 - 1.2) * 0.1;
        const double end = 20 + 0.37 * k;
        system.boundary.stream = stream_make(speed, 1, 1);
        OWNED(system, before) = system_copy(&system);
        CHECK(!run_lattice(&system, 8, moderate_viscosity(&system, 8), end, &failure));
        for (size_t n = 0; n < system.count; n++) {
            const struct particle *p = &system.particles[n];
            const double x = p->x + p->u * (end - p->t) +
                             (double)system.counts[n].x_image * system.boundary.width;
            CHECK(fabs(x - before.particles[n].x - speed * end) < 1e-10);
            CHECK(fabs(p->y - before.particles[n].y) < 1e-10);
            CHECK(p->t <= end && p->x >= 0 && p->x < system.boundary.width);
            CHECK(system.counts[n].walls == 0 && system.counts[n].particles == 0);
        }
    }
}

/* Particles in a stream past a triangle stay in the box and out of it. */
RANDOM_TEST(particles_stay_where_the_flow_is, 3)
{
    for (int k = 0; k < 10; k++) {
        OWNED(system, system) = gas_in_square(random);
        struct region *region = NULL;
        const double side = system.boundary.width;
        const double turn = (double)random_below(random, 100) / 1000 * side;
        const double triangle[][2] = {{0.3 * side, 0.3 * side + turn},
                                      {0.6 * side, 0.4 * side},
                                      {0.4 * side, 0.6 * side + turn}};
        system.radius = 0; /* points, which may be anywhere but in the triangle */
        for (size_t n = 0; n < system.count; n++)
            system.particles[n].x = 0.25 * side * (double)n / (double)system.count;
        system.boundary.periodic = PERIODIC_X;
        system.boundary.stream = stream_make(k % 2 ? 0.3 : -0.3, 1, 1);
        system_add_polygon(&system, triangle, 3, 0);
        CHECK(!run_lattice(&system, 16, moderate_viscosity(&system, 16), 60, &failure));
        CHECK(region_create(&system.boundary, &region, &failure) == STATUS_DONE);
        for (size_t n = 0; n < system.count && region; n++) {
            const struct particle *p = &system.particles[n];
            CHECK(p->y >= 0 && p->y <= side && region_contains(region, p->x, p->y));
        }
        region_free(region);
    }
}

/* Runs that are interrupted at any moment and resumed have the answer and the files of whole ones.
 */
RANDOM_TEST(interruptions_change_nothing, 4)
{
    static const char *const files[] = {"frames", "stats", "forces", "fields.csv", "final"};
    static const double wall[][2] = {{1.5, 1}, {2.5, 2.5}};
    for (int k = 0; k < 6; k++) {
        OWNED(system, system) = mixed_system(random, MIXED_TWO, 10, 0.2);
        struct options options = resumed_options(SCHEDULE_ARRAY, 20, 3);
        char *whole[5];
        struct resumed run;
        system.boundary.width = system.boundary.height =
            fmax(system.boundary.width, system.boundary.height);
        random_periodic(random, &system, PERIODIC_X);
        system.boundary.stream = stream_make(0.1, 1, 1);
        system_add_polygon(&system, wall, 2, 0);
        for (size_t n = 0; n < system.count; n++) { /* slow beside the sound */
            system.particles[n].u *= 0.05;
            system.particles[n].v *= 0.05;
        }
        const struct lattice_settings scene = {
            .columns = 24, .viscosity = 1, .force = {0.003, -0.002}, .start = (unsigned)k % 2};
        options.events.name = options.structure.name = options.report.output.name = NULL;
        options.animation.name = options.picture.output.name = options.checkpoint.output.name =
            NULL;
        options.lattice = scene;
        resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, SIZE_MAX, SIZE_MAX});
        CHECK(run.status == STATUS_DONE);
        resumed_free(&run);
        for (int file = 0; file < 5; file++)
            whole[file] = observed_read(files[file]);
        scratch_empty();
        options.checkpoint.output.name = "saved";
        options.lattice = scene;
        const size_t moment = 1 + random_below(random, 40);
        resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, SIZE_MAX, moment});
        CHECK(run.status == STATUS_INTERRUPTED);
        resumed_free(&run);
        options.lattice = (struct lattice_settings){0};
        resumed_run(&run, &options, NULL, (struct notifications){SIZE_MAX, SIZE_MAX, SIZE_MAX});
        CHECK(run.status == STATUS_DONE);
        resumed_free(&run);
        for (int file = 0; file < 5; file++) {
            OWNED_TEXT(text) = observed_read(files[file]);
            const char *clock = file == 1 ? "seconds = " : "no such text";
            char *ends[2] = {whole[file] ? strstr(whole[file], clock) : NULL,
                             text ? strstr(text, clock) : NULL};
            if (ends[0] && ends[1])
                *ends[0] = *ends[1] = '\0';
            CHECK(whole[file] && text && strcmp(whole[file], text) == 0);
            memory_free(whole[file]);
        }
        scratch_empty();
    }
}

/* A vortex (G. I. Taylor and A. E. Green, 1937) in the middle of a cell; its velocity is at most 1.
 */
static void vortex(size_t side, size_t node, double velocity[2])
{
    double x_cosine, x_sine, y_cosine, y_sine;
    elementary_turn(((double)(node % side) + 0.5) / (double)side, &x_cosine, &x_sine);
    elementary_turn(((double)(node / side) + 0.5) / (double)side, &y_cosine, &y_sine);
    velocity[0] = x_sine * y_cosine;
    velocity[1] = -x_cosine * y_sine;
}

/* Points in this part of the cells of a square, two in each, with opposite velocities beside those
 * of a vortex of this speed. The speed of sound is about 1. */
static struct system vortex_gas(struct random_generator *random, size_t side, double speed,
                                double part)
{
    struct system system = {.law = {.rule = RULE_ELASTIC, .restitution = 1},
                            .boundary = {.width = (double)side,
                                         .height = (double)side,
                                         .periodic = PERIODIC_X | PERIODIC_Y}};
    CHECK(system_reserve(&system, 2 * side * side, &failure) == STATUS_DONE);
    for (size_t node = 0; node < side * side; node++) {
        double velocity[2];
        vortex(side, node, velocity);
        if (node > 0 && random_unit(random) >= part)
            continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            struct particle *p = &system.particles[system.count++];
            p->x = (double)(node % side) + 0.5 + 0.3 * sign;
            p->y = (double)(node / side) + 0.5;
            p->u = speed * velocity[0] + sign;
            p->v = speed * velocity[1];
        }
    }
    return system;
}

/* The part of the velocities that is this vortex, and the largest error of all of them. */
static double vortex_part(const struct dynamics *dynamics, size_t side, double speed, double *worst)
{
    double product = 0, square = 0;
    *worst = 0;
    for (size_t node = 0; node < side * side; node++) {
        const struct dynamics_node state =
            dynamics->operations->flow.node(dynamics, node % side, node / side);
        double velocity[2];
        vortex(side, node, velocity);
        product += velocity[0] * state.u + velocity[1] * state.v;
        square += speed * (velocity[0] * velocity[0] + velocity[1] * velocity[1]);
        *worst =
            fmax(*worst, fabs(state.u - speed * velocity[0]) + fabs(state.v - speed * velocity[1]));
    }
    return product / square;
}

/* Particles begin a flow, which decays as theory says; cells without any are filled. */
RANDOM_TEST(particles_start_a_flow, 6)
{
    enum { SIDE = 32 };
    for (int k = 0; k < 3; k++) {
        struct lattice_settings scene = {
            .columns = SIDE, .viscosity = 0.1, .threads = 1, .start = 1};
        struct observers observers = {.next_sample = (double)INFINITY, .is_quiet = 1};
        struct dynamics *dynamics = NULL;
        double worst;
        OWNED(system, system) = vortex_gas(random, SIDE, 0.05, k == 0 ? 1 : 0.6);
        if (CHECK(lattice_create(&scene, &system, 0, &dynamics, &failure) == STATUS_DONE)) {
            const double part = vortex_part(dynamics, SIDE, 0.05, &worst);
            CHECK(worst < 0.05 * (k == 0 ? 1e-12 : 0.4));
            CHECK(dynamics->operations->advance(dynamics, 150, &observers, &failure) ==
                  STATUS_DONE);
            const double dt = dynamics->sampling / 16, wave = 2 * PI / SIDE;
            const double rate =
                -log(vortex_part(dynamics, SIDE, 0.05, &worst) / part) / (dt * floor(150 / dt));
            CHECK(fabs(rate / (2 * 0.1 * wave * wave) - 1) < 0.01);
        }
        dynamics_free(dynamics);
    }
}

/* Cells without particles take the velocities of the nearest, across seams but not across walls;
 * and particles that are too fast are refused. */
TEST(cells_without_particles)
{
    for (int k = 0; k < 3; k++) {
        struct lattice_settings scene = {.columns = 8, .viscosity = 0.1, .threads = 1, .start = 1};
        struct dynamics *dynamics = NULL;
        OWNED(system, system) = {
            .law = {.rule = RULE_ELASTIC, .restitution = 1},
            .boundary = {.width = 8, .height = 8, .periodic = k == 1 ? PERIODIC_X : 0}};
        CHECK(system_reserve(&system, 4, &failure) == STATUS_DONE);
        system.count = 4;
        for (int n = 0; n < 4; n++) /* in columns 1 and 4 of row 3 */
            system.particles[n] = (struct particle){.x = n < 2 ? 1.5 : 4.5,
                                                    .y = 3.5,
                                                    .u = n % 2 ? 1 : -1,
                                                    .v = (n < 2 ? 0.1 : -0.1) * (k == 2 ? 4 : 1)};
        const enum status status = lattice_create(&scene, &system, 0, &dynamics, &failure);
        if (k == 2) {
            CHECK(status == STATUS_USAGE && strstr(failure.message, "have Mach number 0.3"));
        } else if (CHECK(status == STATUS_DONE)) {
            const double last = dynamics->operations->flow.node(dynamics, 7, 3).v;
            CHECK(fabs(dynamics->operations->flow.node(dynamics, 1, 3).v - 0.1) < 1e-15);
            CHECK(fabs(dynamics->operations->flow.node(dynamics, 5, 3).v + 0.1) < 1e-15);
            CHECK(fabs(last - (k == 1 ? 0.1 : -0.1)) < 1e-15);
            CHECK(fabs(dynamics->operations->flow.node(dynamics, 0, 5).v - 0.1) < 1e-15);
        }
        dynamics_free(dynamics);
    }
}
