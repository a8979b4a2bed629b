/* Tests of the interactions between two particles: each force is minus the derivative of the
 * energy, forces add up to nothing, and interruptions leave no trace. */
#include "check.h"
#include "resumed.h"
#include "stepped.h"
#include "steps/term.h"

/* Interactions for particles that are up to 1 apart. */
static const struct {
    const char *text;
    int is_for_seams, is_conservative;
} interactions[] = {
    {"lennard-jones epsilon=2 sigma=0.3", 1, 1},
    {"lennard-jones epsilon=0.7 sigma=0.4 cutoff=0.5", 1, 1},
    {"spring k=50", 1, 1},
    {"spring k=50 restitution=0.3", 1, 0},
    {"spring k=50 restitution=0", 1, 0},
    {"gravitation G=1.5 softening=0.3", 0, 1},
    {"gravitation G=1.5 softening=0", 0, 1},
    {"coulomb k=2", 0, 1},
    {"coulomb k=2 charges=0.5,-3", 0, 1},
};

/* A system with one interaction, and the run that it belongs to. */
struct scenario {
    struct system system;
    struct steps_settings scene;
    struct steps *steps;
    struct error error;
};

static enum status prepare(struct scenario *made, const struct system *system, const char *text)
{
    made->scene = (struct steps_settings){.step = 1e-9, .substeps = 1};
    made->system = *system;
    CHECK(!steps_settings_add(&made->scene, 0, text, &made->error));
    struct dynamics *dynamics = NULL;
    const enum status status =
        steps_create(&made->scene, &made->system, 0, &dynamics, &made->error);
    made->steps = (struct steps *)dynamics;
    return status;
}

static void scenario_free(struct scenario *made)
{
    dynamics_free((struct dynamics *)made->steps);
    steps_settings_free(&made->scene);
    system_free(&made->system);
}

/* Unequal particles of two species; some overlap by up to a third. */
static struct system scattered(struct random_generator *random, size_t count, unsigned periodic)
{
    struct system system = mixed_system(random, MIXED_TWO, count, 0.3);
    const double scale = 0.2;                                       /* of the radii 1 and 0.5 */
    system.boundary.width = fmax(2, system.boundary.width * scale); /* twice a cutoff */
    system.boundary.height = fmax(2, system.boundary.height * scale);
    system.boundary.periodic = periodic;
    for (size_t k = 0; k < system.kind_count; k++) {
        system.kinds[k].radius *= 1.5 * scale;
        system.kinds[k].species = (int32_t)k % 2;
    }
    system_restore_order(&system);
    for (size_t k = 0; k < count; k++) {
        system.particles[k].x *= scale;
        system.particles[k].y *= scale;
    }
    return system;
}

static double energy_of(struct scenario *made)
{
    struct term *term = made->steps->terms[0];
    made->steps->potential = 0;
    CHECK(!term->kind->act[PHASE_ENERGY](term, made->steps));
    return made->steps->potential;
}

static void find_forces(struct scenario *made)
{
    struct term *term = made->steps->terms[0];
    memset(made->steps->force, 0, made->system.count * sizeof *made->steps->force);
    made->steps->dt = 1e-9;
    CHECK(!term->kind->act[PHASE_FORCES](term, made->steps));
}

/* Minus the derivative of the energy with respect to a coordinate, by central differences. */
static double downhill(struct scenario *made, double *coordinate)
{
    const double step = 1e-5;
    const double place = *coordinate;
    *coordinate = place + step;
    const double after = energy_of(made);
    *coordinate = place - step;
    const double before = energy_of(made);
    *coordinate = place;
    return (before - after) / (2 * step);
}

static void check_derivatives(const char *text, unsigned periodic)
{
    struct random_generator random = random_from(5 + periodic);
    struct system system = scattered(&random, 12, periodic);
    OWNED(scenario, made);
    if (CHECK(!prepare(&made, &system, text))) {
        double scale = 0;
        find_forces(&made);
        for (size_t k = 0; k < system.count; k++)
            scale = fmax(scale, fabs(made.steps->force[k].x));
        CHECK(scale > 0.01);
        for (size_t k = 0; k < system.count; k++) {
            struct particle *p = &made.system.particles[k];
            const struct vector force = made.steps->force[k];
            CHECK(fabs(force.x - downhill(&made, &p->x)) < 1e-6 * scale);
            CHECK(fabs(force.y - downhill(&made, &p->y)) < 1e-6 * scale);
        }
    }
}

TEST(forces_are_derivatives_of_the_energy)
{
    for (size_t k = 0; k < LENGTH(interactions); k++) {
        if (!interactions[k].is_conservative)
            continue;
        check_derivatives(interactions[k].text, 0);
        if (interactions[k].is_for_seams)
            check_derivatives(interactions[k].text, PERIODIC_X | PERIODIC_Y);
    }
}

/* Without seams the sum of distance times force over pairs is that of position times force. */
TEST(the_virial_is_that_of_the_forces)
{
    for (size_t k = 0; k < LENGTH(interactions); k++) {
        struct random_generator random = random_from(k + 1);
        struct system system = scattered(&random, 40, 0);
        OWNED(scenario, made);
        double sum = 0, size = 0;
        CHECK(!prepare(&made, &system, interactions[k].text));
        find_forces(&made);
        for (size_t i = 0; i < system.count; i++) {
            const struct particle *p = &made.system.particles[i];
            const struct vector force = made.steps->force[i];
            sum += p->x * force.x + p->y * force.y;
            size += fabs(p->x * force.x) + fabs(p->y * force.y);
        }
        energy_of(&made);
        CHECK(size > 0 && fabs(sum - made.steps->virial) <= 1e-12 * size);
    }
}

TEST(forces_add_up_to_nothing)
{
    for (size_t k = 0; k < LENGTH(interactions); k++) {
        for (size_t count = 1; count < 60; count += 7) {
            struct random_generator random = random_from(count);
            struct system system =
                scattered(&random, count, interactions[k].is_for_seams ? PERIODIC_X : 0);
            OWNED(scenario, made);
            double sum_x = 0, sum_y = 0, size = 0;
            CHECK(!prepare(&made, &system, interactions[k].text));
            find_forces(&made);
            for (size_t i = 0; i < count; i++) {
                sum_x += made.steps->force[i].x;
                sum_y += made.steps->force[i].y;
                size += fabs(made.steps->force[i].x) + fabs(made.steps->force[i].y);
            }
            CHECK(count == 1 ? size == 0 : size > 0);
            CHECK(fabs(sum_x) <= 1e-13 * size && fabs(sum_y) <= 1e-13 * size);
        }
    }
}

/* Two particles of mass 1, this far apart. */
static struct system make_pair(double distance)
{
    struct random_generator random = random_from(1);
    struct system system = arranged_points(&random, 2, 10, 10, 0);
    system.particles[0].x = 2;
    system.particles[1].x = 2 + distance;
    system.particles[0].y = system.particles[1].y = 5;
    for (size_t k = 0; k < 2; k++)
        system.particles[k].u = system.particles[k].v = 0;
    return system;
}

/* The force of the second particle on the first, and the energy, at a distance. */
static void check_pair(const char *text, double distance, double force, double energy)
{
    struct system system = make_pair(distance);
    OWNED(scenario, made);
    if (CHECK(!prepare(&made, &system, text))) {
        find_forces(&made);
        CHECK(fabs(made.steps->force[0].x - force) <= 1e-12 * fabs(force));
        CHECK(made.steps->force[1].x == -made.steps->force[0].x);
        CHECK(made.steps->force[0].y == 0);
        CHECK(fabs(energy_of(&made) - energy) <= 1e-12 * fabs(energy));
    }
}

TEST(pairs_by_hand)
{
    check_pair("gravitation G=6 softening=0", 2, 6.0 / 4, -6.0 / 2);
    check_pair("gravitation G=6 softening=3", 4, 6.0 * 4 / 125, -6.0 / 5);
    check_pair("coulomb k=6", 2, -6.0 / 4, 6.0 / 2);
    check_pair("coulomb k=6 charges=-2", 2, -6.0, 12);
    /* Cut at 2 sigma: F there is 24 epsilon / 2 (2 / 4096 - 1 / 64), U is 4 epsilon (1 / 4096 -
     * 1 / 64). */
    const double edge = 12 * (2.0 / 4096 - 1.0 / 64);
    check_pair("lennard-jones epsilon=1 sigma=1 cutoff=2", 1, -(24 - edge),
               -4 * (1.0 / 4096 - 1.0 / 64) - edge);
    check_pair("lennard-jones epsilon=1 sigma=1 cutoff=2", 2, 0, 0);
    check_pair("lennard-jones epsilon=1 sigma=1 cutoff=2", 3, 0, 0);
    check_pair("lennard-jones epsilon=3 sigma=0.5", 1.25, 0, 0); /* 2.5 sigma is the usual */
}

/* Checks the message with which a text is refused, for these particles in a box of 10 x 10. */
static void check_refusal(const char *text, unsigned periodic, double step, const char *message)
{
    OWNED(system, system) = make_pair(1);
    OWNED(steps_settings, scene) = {.step = step, .substeps = 2};
    struct dynamics *dynamics = NULL;
    system.boundary.periodic = periodic;
    CHECK(!steps_settings_add(&scene, 0, text, &failure));
    CHECK(steps_create(&scene, &system, 0, &dynamics, &failure) == STATUS_USAGE);
    if (!CHECK(strcmp(failure.message, message) == 0))
        error_print(&failure);
}

TEST(what_does_not_fit_is_refused)
{
    check_refusal("gravitation G=1 softening=0", PERIODIC_X, 0.1,
                  "gravitation is not for --periodic: it would reach images without end");
    check_refusal("coulomb k=1", PERIODIC_Y, 0.1,
                  "coulomb is not for --periodic: it would reach images without end");
    check_refusal("coulomb k=1 charges=1,2x", 0, 0.1,
                  "coulomb: charges takes numbers with commas between them, one for each species, "
                  "and '2x' is not a number");
    check_refusal("coulomb k=1 charges=,1", 0, 0.1,
                  "coulomb: charges takes numbers with commas between them, one for each species, "
                  "and '' is not a number");
    check_refusal("coulomb k=1 charges=1e300", 0, 0.1,
                  "coulomb: charges takes numbers with commas between them, one for each species, "
                  "and '1e300' is too large");
    check_refusal("lennard-jones epsilon=1 sigma=1 cutoff=6", PERIODIC_X, 0.01,
                  "the cutoff of lennard-jones reaches 6 far, which is more than half of a "
                  "periodic side, 5: let it reach less far, or take a larger box");
    check_refusal("lennard-jones epsilon=1 sigma=1", 0, 0.1,
                  "lennard-jones: two of the lightest particles swing with a period of 0.587722, "
                  "and it takes 20 substeps or more to follow that: reduce --step to 0.0587716, or "
                  "raise --substeps to 4");
    check_refusal("lennard-jones epsilon=1 sigma=1 cutoff=0.9", 0, 0.1,
                  "lennard-jones: the cutoff 0.9 is nearer than sigma, 1, where two still repel "
                  "each other; 2.5 is usual");
    check_refusal("spring k=100", 0, 0.1,
                  "spring: two of the lightest particles swing with a period of 0.444288, and it "
                  "takes 40 substeps or more to follow that: reduce --step to 0.0222142, or raise "
                  "--substeps to 10");
    check_refusal("spring k=1e40", 0, 0.1,
                  "spring: two of the lightest particles swing with a period of 4.44288e-20, and "
                  "it takes 40 substeps or more to follow that: reduce --step to 2.22142e-21");
}

/* How a run of this system, which it changes, ends; with parts as stepped.h has them. */
static enum status run(struct system *system, const char *parts, double step, double end_time,
                       struct error *error)
{
    struct stepped stepped = {.step = step, .substeps = 1, .parts = parts, .end_time = end_time};
    const enum status status = stepped_run(&stepped, system);
    *error = stepped.error;
    return status;
}

/* With which part of their velocity two disks of radius 1/2 part. */
static double bounce(const double masses[2], double restitution, double phase)
{
    struct particle_kind kinds[2] = {{0.5, masses[0], 0}, {0.5, masses[1], 0}};
    OWNED(system, system) = make_pair(1.1 + phase);
    char text[64];
    system.kinds = kinds;
    system.kind_count = 2;
    system.particles[1].kind = 1;
    system.particles[0].u = 1 / masses[0];
    system.particles[1].u = -1 / masses[1];
    const double closing = system.particles[0].u - system.particles[1].u;
    snprintf(text, sizeof text, "interaction spring k=1e5 restitution=%.17g", restitution);
    const double period = 6.283185307179586 / sqrt(1e5 * (1 / masses[0] + 1 / masses[1]));
    CHECK(!run(&system, text, period / 200, 0.25, &failure));
    CHECK(system.counts[0].particles == 1 && system.counts[1].particles == 1);
    const double parting = system.particles[1].u - system.particles[0].u;
    const double momentum = masses[0] * system.particles[0].u + masses[1] * system.particles[1].u;
    CHECK(fabs(momentum) < 1e-12);
    system.kinds = NULL;
    return parting / closing;
}

TEST(disks_part_with_their_restitution)
{
    static const double masses[][2] = {{1, 1}, {1, 9}, {0.2, 0.3}};
    static const double restitutions[] = {1, 0.9, 0.5, 0.1, 0.01};
    for (size_t k = 0; k < LENGTH(masses); k++) {
        for (size_t n = 0; n < LENGTH(restitutions); n++) {
            double worst = 0;
            for (double phase = 0; phase < 0.02; phase += 0.0017)
                worst =
                    fmax(worst, fabs(bounce(masses[k], restitutions[n], phase) - restitutions[n]));
            CHECK(worst < 0.005);
        }
        CHECK(fabs(bounce(masses[k], 0, 0)) < 0.001); /* they stay together */
    }
}

/* Points do not touch, and those at one place are pushed apart. */
TEST(springs_of_points_and_at_one_place)
{
    OWNED(system, points) = make_pair(0);
    points.radius = 0;
    CHECK(!run(&points, "interaction spring k=1", 0.1, 1, &failure));
    CHECK(points.particles[0].x == 2 && points.counts[0].particles == 0);
    OWNED(system, disks) = make_pair(0);
    disks.radius = 0.5;
    CHECK(!run(&disks, "interaction spring k=1", 0.1, 1, &failure));
    CHECK(disks.particles[0].x < 2 && disks.particles[1].x > 2);
    CHECK(disks.counts[0].particles == 1 && disks.counts[1].particles == 1);
}

/* A run that is interrupted while disks touch, and resumed, ends with the same bytes. */
RANDOM_TEST(interruptions_leave_no_trace, 8)
{
    enum { SUBSTEPS = 60 };
    OWNED(system, system) = random_system(random, 30, 0.4, 1);
    OWNED(options, options) = resumed_steps(1, 0.25, 0.1, SUBSTEPS / 10);
    OWNED(resumed, whole);
    CHECK(!steps_settings_add(&options.steps, 0, "spring k=30 restitution=0.5", &failure));
    CHECK(!steps_settings_add(&options.steps, 0, "gravitation G=0.01 softening=1", &failure));
    CHECK(!steps_settings_add(&options.steps, 0, "lennard-jones epsilon=0.01 sigma=1", &failure));
    resumed_run(&whole, &options, &system, NEVER);
    resumed_check_stops(&whole, &system, SUBSTEPS, check_is_thorough() ? 1 : 7, NULL);
}

/* Particles without a charge are not charged by chance. */
RANDOM_TEST(each_species_needs_a_charge, 3)
{
    OWNED(system, system) = scattered(random, 10, 0);
    struct scenario made;
    CHECK(prepare(&made, &system, "coulomb k=1 charges=1") == STATUS_USAGE);
    CHECK(strcmp(made.error.message, "coulomb: charges=1 has those of 1 species, 0 to 0, and "
                                     "there are particles of others") == 0);
    steps_settings_free(&made.scene);
}

/* Two that fall onto each other: no substep resolves how they meet. */
static void check_fall(const char *text, const char *part_of_message)
{
    OWNED(system, system) = make_pair(1);
    CHECK(run(&system, text, 0.01, 10, &failure) == STATUS_BAD_DATA);
    if (!CHECK(strstr(failure.message, part_of_message) &&
               strstr(failure.message, "reduce --step")))
        error_print(&failure);
}

TEST(a_step_too_large_ends_the_run)
{
    check_fall("interaction gravitation G=1 softening=0", "how gravitation moves them");
    check_fall("interaction gravitation G=1 softening=0.01", ", or the softening");
    check_fall("interaction gravitation G=1e10 softening=0",
               "particles 0 and 1 are so near to each other at time 0 ");
}
