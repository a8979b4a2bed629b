/* Tests of bonds and links in periodic boxes: a pair keeps the image that it has at the start,
 * whatever becomes of its length, in forces, energies, pictures and checkpoints. */
#include "check.h"
#include "resumed.h"
#include "run/dynamics.h"
#include "stepped.h"
#include "steps/term.h"

enum { MAX_COUNT = 12, BIG = 1000 };

/* What a run shows at its end. */
struct seen {
    struct stepped *run;
    double potential, virial;
    size_t broken, stretched;      /* joints, those longer than half of a side of the small box */
    double way[2 * MAX_COUNT + 2]; /* of each joint */
    double sides[2];
};

static void see(void *context, const struct snapshot *snapshot)
{
    struct seen *seen = context;
    struct steps *steps = seen->run->steps;
    double kinetic;
    struct dynamics_joint joint;
    (void)snapshot;
    CHECK(!steps_operations.samples.energy(&steps->dynamics, &kinetic, &seen->potential, &failure));
    seen->virial = steps->virial;
    seen->broken = seen->stretched = 0;
    for (size_t k = 0; dynamics_find_joint(&steps->dynamics, k, &joint); k++) {
        seen->broken += joint.is_broken != 0;
        seen->stretched += fabs(joint.way[0]) > seen->sides[0] / 2 && !joint.is_broken;
        memcpy(&seen->way[2 * k], joint.way, sizeof joint.way);
    }
}

static double off_by_images(double difference, double side)
{
    return fabs(difference - side * floor(difference / side + 0.5));
}

/* Runs the scene in a small periodic box and, not wrapped, in the middle of a big one: all is the
 * same. Returns how many joints are longer than half of a side at the end. */
static size_t compare(const struct system *open, const char *scene, const double sides[2],
                      unsigned periodic)
{
    struct system systems[2];
    struct seen seen[2];
    for (int is_open = 0; is_open < 2; is_open++) {
        struct system *system = &systems[is_open];
        struct stepped stepped = STEPPED(0.01, 2, .parts = scene, .end_time = 4, .every = 4,
                                         .sample = see, .context = &seen[is_open]);
        seen[is_open] = (struct seen){.run = &stepped, .sides = {sides[0], sides[1]}};
        *system = system_copy(open);
        if (!is_open) {
            system->boundary.periodic = periodic;
            system->boundary.width = periodic & PERIODIC_X ? sides[0] : BIG;
            system->boundary.height = periodic & PERIODIC_Y ? sides[1] : BIG;
            for (size_t k = 0; k < system->count; k++)
                boundary_wrap(&system->boundary, &system->particles[k],
                              &(struct particle_counts){.x_image = 0});
        }
        stepped_check(&stepped, system);
    }
    for (size_t k = 0; k < open->count; k++) {
        const struct particle *p = &systems[0].particles[k], *q = &systems[1].particles[k];
        CHECK(off_by_images(p->x - q->x, periodic & PERIODIC_X ? sides[0] : BIG) < 1e-7);
        CHECK(off_by_images(p->y - q->y, periodic & PERIODIC_Y ? sides[1] : BIG) < 1e-7);
        CHECK(fabs(p->u - q->u) < 1e-7 && fabs(p->v - q->v) < 1e-7);
    }
    for (size_t k = 0; k + 1 < open->count; k++)
        CHECK(hypot(seen[0].way[2 * k] - seen[1].way[2 * k],
                    seen[0].way[2 * k + 1] - seen[1].way[2 * k + 1]) < 1e-7);
    CHECK(fabs(seen[0].potential - seen[1].potential) < 1e-6);
    CHECK(fabs(seen[0].virial - seen[1].virial) < 1e-5);
    CHECK(seen[0].broken == seen[1].broken);
    for (int k = 0; k < 2; k++)
        system_free(&systems[k]);
    return seen[0].stretched;
}

/* Random trees of weak bonds and links, that pass seams many times and stretch over boxes. */
RANDOM_TEST(pairs_keep_their_images, 8)
{
    static const double sides[2] = {4, 7};
    size_t stretched = 0;
    for (unsigned trial = 0; trial < (check_is_thorough() ? 400 : 40); trial++) {
        const size_t count = 2 + random_below(random, MAX_COUNT - 1);
        char text[MAX_COUNT * 40] = "", scene[300];
        OWNED(system, system) = stepped_disks(count, BIG, BIG);
        system.radius = 0;
        for (size_t k = 0; k < count; k++) {
            const size_t above = k > 0 ? random_below(random, k) : 0;
            set_particle(
                &system, k,
                (k > 0 ? system.particles[above].x : BIG / 2) + 3.8 * (random_unit(random) - 0.5),
                (k > 0 ? system.particles[above].y : BIG / 2) + 6.8 * (random_unit(random) - 0.5),
                20 * (random_unit(random) - 0.5), 20 * (random_unit(random) - 0.5));
            if (k > 0)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%zu %zu %.3f\n", k,
                         above, 0.5 + random_unit(random));
        }
        scratch_write("pairs", text);
        snprintf(scene, sizeof scene,
                 trial % 2 ? "constraint link file=pairs compliance=%g damping=%g strength=%g"
                           : "interaction bond file=pairs k=%g damping=%g",
                 trial % 2 ? 0.3 : 2.0, trial % 3 ? 0.0 : 0.5, 60.0);
        stretched += compare(&system, scene, sides, 1 + trial % 3);
    }
    CHECK(stretched > 40);
}

/* The oscillation of a pair that is drawn out from 4 to 6.8 in a box of 10, and back. */
static struct system far_pair(void)
{
    struct system system = stepped_disks(2, 10, 10);
    system.boundary.periodic = PERIODIC_X;
    system.radius = 0.1;
    set_particle(&system, 0, 1, 5, -2, 0);
    set_particle(&system, 1, 5, 5, 2, 0);
    system.particles[1].id = 1;
    scratch_write("far", "0 1 4\n");
    return system;
}

TEST(a_pair_oscillates_over_half_of_the_box)
{
    OWNED(system, system) = far_pair();
    struct stepped run = STEPPED(0.001, 1, .parts = "interaction bond file=far k=1", .end_time = 3);
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    const double half = 2 + sqrt(2) * sin(3 * sqrt(2)); /* of the distance: x'' = -2 k x */
    CHECK(fabs(system.particles[0].x - (3 - half)) < 1e-5);
    CHECK(fabs(system.particles[1].x - (3 + half)) < 1e-5);
}

/* So does one that is interrupted while it is stretched, and resumed; and a link over a seam. */
TEST(interruptions_keep_images)
{
    static const char *const pairs[] = {"bond file=far k=1", "link file=far compliance=1",
                                        "link file=far compliance=1 damping=0.01"};
    for (int k = 0; k < 3; k++) {
        OWNED(system, system) = far_pair();
        OWNED(options, options) = resumed_steps(3, 0.5, 0.01, 1);
        OWNED(resumed, whole);
        CHECK(!steps_settings_add(&options.steps, k > 0, pairs[k], &failure));
        resumed_run(&whole, &options, &system, NEVER);
        CHECK(fabs(whole.system.particles[0].x - 2.26) < 0.08);
        resumed_check_stops(&whole, &system, 300, check_is_thorough() ? 7 : 60, NULL);
    }
}

/* A final state with a pair that is not at its nearest image is refused, and none is written. */
TEST(a_stretched_pair_has_no_final_state)
{
    OWNED(system, system) = far_pair();
    for (int is_far = 0; is_far < 2; is_far++) {
        OWNED(options, options) = resumed_steps(is_far ? 1 : 0.25, 0.5, 0.01, 1);
        OWNED(resumed, run);
        struct error error;
        CHECK(!steps_settings_add(&options.steps, 0, "bond file=far k=1", &error));
        remove("final");
        resumed_run(&run, &options, &system, NEVER);
        CHECK(run.status == (is_far ? STATUS_BAD_DATA : STATUS_DONE));
        CHECK(!is_far || strstr(run.error.message, "particles 0 and 1 are further apart"));
        CHECK((remove("final") == 0) == !is_far);
    }
}

/* A particle that begins at L is at 0, and its pair at the image that it had. */
TEST(pairs_begin_at_a_seam)
{
    OWNED(system, system) = far_pair();
    struct seen seen;
    struct stepped run = STEPPED(0.01, 1, .parts = "interaction bond file=far k=1", .end_time = 0.1,
                                 .every = 0.05, .sample = see, .context = &seen);
    seen = (struct seen){.run = &run, .sides = {10, 10}};
    set_particle(&system, 0, 10, 5, 0, 0);
    set_particle(&system, 1, 4, 5, 0, 0);
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    CHECK(fabs(seen.way[0] - 4) < 1e-12 && system.particles[0].x == 0);
}
