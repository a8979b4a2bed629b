/* Tests of time-stepped runs on several threads: the bytes of one thread, in all scenes, whatever
 * their number; and those of a run that is stopped between two lists of neighbours. */
#include "check.h"
#include "resumed.h"
#include "smoothed.h"
#include "stepped.h"

static const unsigned threads[] = {2, 3, 7};

/* Scenes for disks of radius 1 with random velocities up to 1. */
static const struct {
    const char *parts;
    int is_for_seams;
} scenes[] = {
    {"interaction lennard-jones epsilon=1 sigma=0.9\n", 1},
    {"interaction lennard-jones epsilon=1 sigma=0.7\ninteraction gravity g=-1\ninteraction drag "
     "c=1\n",
     1},
    {"interaction spring k=400 restitution=0.7\ninteraction gravity g=-3\n", 1},
    {"constraint contact restitution=0.8\n", 1},
    {"constraint contact restitution=0.5\ninteraction gravity g=-5\n", 1},
    {"constraint contact compliance=1e-4\ninteraction gravity g=-5 direction=20\n", 1},
    {"interaction gravitation G=1 softening=1\nconstraint contact\n", 0},
    {"interaction coulomb k=1 charges=1\nconstraint pin particles=3,5\n", 0},
};

static int is_equal(const struct system *a, const struct system *b)
{
    int is_all = 1;
    for (size_t k = 0; k < a->count; k++) {
        const struct particle *p = &a->particles[k], *q = &b->particles[k];
        is_all &= memcmp(&p->x, &q->x, 4 * sizeof p->x) == 0;
        is_all &= memcmp(&a->counts[k], &b->counts[k], sizeof a->counts[k]) == 0;
    }
    return is_all;
}

/* Runs a scene on each number of threads, or on one of them, the next one each time. */
static void check_threads(const struct system *start, const char *parts, double step, double end)
{
    OWNED(system, single) = system_copy(start);
    struct stepped run = STEPPED(step, 4, .parts = parts, .end_time = end, .threads = 1);
    if (!CHECK(!stepped_run(&run, &single)))
        fprintf(stderr, "%s: %s\n", parts, run.error.message);
    CHECK(!is_equal(start, &single));
    static size_t next;
    const size_t numbers = sizeof threads / sizeof *threads;
    for (size_t k = 0; k < (check_is_thorough() ? numbers : 1); k++) {
        run.threads = threads[next++ % numbers];
        OWNED(system, several) = system_copy(start);
        const struct stepped_end alone = run.end;
        CHECK(!stepped_run(&run, &several));
        CHECK(is_equal(&single, &several) && run.end.potential == alone.potential &&
              run.end.deviation == alone.deviation);
    }
}

TEST(disks)
{
    static const double triangle[][2] = {{6, 6}, {14, 8}, {9, 15}};
    for (unsigned seed = 0; seed < (check_is_thorough() ? 8 : 2); seed++) {
        for (size_t k = 0; k < LENGTH(scenes); k++) {
            if (!check_is_thorough() && seed % 2 != k / 2 % 2)
                continue;
            struct random_generator random = random_from(40 + seed);
            OWNED(system, system) = random_system(&random, 300, 0.4, seed % 2 ? 1 : 4);
            if (scenes[k].is_for_seams && seed % 2)
                system.boundary.periodic = PERIODIC_X | (k % 2 ? PERIODIC_Y : 0);
            if (k % 3 == 1)
                system_add_polygon(&system, triangle, 3, 0);
            check_threads(&system, scenes[k].parts, 0.02, 0.2);
        }
    }
}

/* Unequal disks, of which one is so large that cells would be crowded. */
TEST(a_large_disk_among_small_ones)
{
    for (size_t k = 2; k < 6; k++) {
        struct random_generator random = random_from(50);
        OWNED(system, system) = mixed_system(&random, MIXED_FEW_LARGE, 400, 0.3);
        system_restore_order(&system);
        check_threads(&system, scenes[k].parts, 0.02, 0.2);
    }
}

/* Piles that settle between walls, an obstacle and seams, with links and pins in them, of equal
 * disks in rows and of unequal ones in no order. */
TEST(piles)
{
    static const double wedge[][2] = {{12, 3}, {20, 3}, {16, 7}};
    static const char links[] = "0 1 2\n1 2 2\n5 30 3\n";
    scratch_write("links", links);
    for (unsigned k = 0; k < 6; k++) {
        struct random_generator random = random_from(80 + k);
        OWNED(system, system) = k % 2 ? mixed_system(&random, MIXED_RADII, 250, 0.6)
                                      : random_lattice(&random, 16, 16, 0.02);
        system_restore_order(&system);
        if (k / 2 == 1)
            system.boundary.periodic = PERIODIC_X;
        if (k / 2 == 2 && !(k % 2))
            system_add_polygon(&system, wedge, 3, 0);
        check_threads(&system,
                      k / 2 == 2 ? "interaction gravity g=-20\nconstraint contact restitution=0.2\n"
                                   "constraint walls restitution=0.5\n"
                                 : "interaction gravity g=-20\nconstraint pin particles=7\n"
                                   "constraint link file=links compliance=0.1\n"
                                   "constraint contact restitution=0.2\n",
                      k % 2 ? 0.005 : 0.02, k % 2 ? 0.15 : 0.6);
    }
}

TEST(fluids)
{
    static const char *const parts[] = {
        "interaction sph density=1 sound-speed=10 smoothing=0.078 alpha=0.1\n"
        "interaction gravity g=-1\n",
        "interaction sph density=1 sound-speed=10 smoothing=0.12 alpha=0.5 shifting=0.3\n"};
    for (unsigned periodic = 0; periodic < 4; periodic++) {
        struct random_generator random = random_from(60);
        OWNED(system, system) = smoothed_block(1.8, 0.96, periodic, 0.06, 30, 16);
        for (size_t k = 0; k < system.count; k++) {
            system.particles[k].u = random_unit(&random) - 0.5;
            system.particles[k].v = random_unit(&random) - 0.5;
        }
        check_threads(&system, parts[periodic == 3], 0.004, 0.04);
    }
}

/* A run that is stopped at any substep, and goes on with another number of threads. */
TEST(stops_between_two_lists)
{
    enum { SUBSTEPS = 40 };
    for (size_t k = 0; k < 4; k += 3) {
        struct random_generator random = random_from(70);
        OWNED(system, system) = random_system(&random, 100, 0.4, 1);
        OWNED(options, options) = resumed_steps(1, 0.25, 0.1, SUBSTEPS / 10);
        struct resumed whole, run;
        const int is_constraint = k == 3;
        options.steps.threads = 1;
        CHECK(!steps_settings_add(&options.steps, is_constraint,
                                  is_constraint ? "contact" : "lennard-jones epsilon=0.1 sigma=1.5",
                                  &failure));
        resumed_run(&whole, &options, &system, NEVER);
        for (size_t stop = 1; CHECK(!whole.status) && stop < SUBSTEPS;
             stop += check_is_thorough() ? 9 : 19) {
            options.steps.threads = 2;
            resumed_run(&run, &options, &system, (struct notifications){SIZE_MAX, SIZE_MAX, stop});
            CHECK(run.status == STATUS_INTERRUPTED);
            resumed_free(&run);
            options.steps.threads = 3;
            resumed_run(&run, &options, NULL, NEVER);
            CHECK(!run.status && is_equal(&run.system, &whole.system));
            resumed_free(&run);
        }
        resumed_free(&whole);
    }
}
