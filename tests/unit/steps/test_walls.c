/* Tests of the walls of time-stepped runs: bounces keep their height and rest stays rest; contacts
 * are counted once; and nothing gets through a wall or a side of a polygon, whatever the step. */
#include "check.h"
#include "model/region.h"
#include "stepped.h"

/* The heights at which a ball turns around. */
struct heights {
    double before, rate; /* the last height, and how it has changed before */
    double sum;
    size_t count;
};

static void watch(void *context, const struct snapshot *snapshot)
{
    struct heights *heights = context;
    const double height = snapshot_body(snapshot, 0).y;
    const double rate = height - heights->before;
    if (rate < 0 && heights->rate >= 0 && snapshot->time > 1) {
        heights->sum += heights->before;
        heights->count++;
    }
    heights->before = height;
    heights->rate = rate;
}

/* Restitution 1: after thousands of bounces a ball still comes as high, on average. */
TEST(bounces_keep_their_height)
{
    static const double steps[] = {0.001, 0.007, 0.031};
    for (size_t k = 0; k < LENGTH(steps); k++) {
        const double bounces = (k == 0 ? 1000 : 10000) / (check_is_thorough() ? 1 : 5);
        OWNED(system, system) = stepped_disks(1, 10, 10);
        struct heights heights = {0};
        struct stepped run =
            STEPPED(steps[k], 1, .parts = "interaction gravity g=-2", .end_time = 4 * bounces,
                    .every = steps[k], .sample = watch, .context = &heights);
        set_particle(&system, 0, 5, 5, 0, 0); /* 4 above the ground: 2 seconds down */
        CHECK(stepped_run(&run, &system) == STATUS_DONE);
        CHECK(fabs((double)system.counts[0].walls - bounces) <= 0.01 * bounces);
        CHECK(fabs(heights.sum / (double)heights.count - 1 - 4) < 0.04);
    }
}

TEST(what_lies_stays)
{
    OWNED(system, system) = stepped_disks(2, 10, 10);
    struct stepped run = STEPPED(0.01, 3, .parts = "interaction gravity g=-9.81", .end_time = 10);
    set_particle(&system, 0, 5, 1, 0.25, 0); /* slides */
    set_particle(&system, 1, 2, 1, 0, 0);
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    CHECK(system.particles[0].y == 1 && system.particles[1].y == 1);
    CHECK(system.particles[0].u == 0.25 && system.particles[0].v == 0);
    CHECK(system.counts[0].walls == 1 && system.counts[1].walls == 1);
}

/* Each bounce leaves half of the speed: after 4 (h)^(1/2) of time it lies, having lost its energy.
 */
TEST(restitution)
{
    OWNED(system, system) = STEPPED_DISKS(10, 10, {5, 5, 0, 0});
    struct stepped run =
        STEPPED(0.001, 1, .parts = "interaction gravity g=-2\nconstraint walls restitution=0.5",
                .end_time = 2 + 2 + 0.001);
    CHECK(stepped_run(&run, &system) == STATUS_DONE); /* the top of the second flight, 1 high */
    CHECK(system.counts[0].walls == 2 && fabs(system.particles[0].y - 1) < 0.01);
    run.end_time = 20;
    set_particle(&system, 0, 5, 5, 0, 0);
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    CHECK(system.particles[0].y == 1 && system.particles[0].v == 0);
    CHECK(system.counts[0].walls > 6 && system.counts[0].walls < 20);
}

/* Without forces a bounce is exact, also in a corner and many times in a substep. */
TEST(a_huge_step)
{
    OWNED(system, system) = STEPPED_DISKS(10, 6, {2, 3, 3.5, -1});
    struct stepped run = {.step = 4, .substeps = 1, .parts = "", .end_time = 4};
    CHECK(stepped_run(&run, &system) == STATUS_DONE);
    CHECK(fabs(system.particles[0].x - 2) < 1e-12); /* 7 to the right, 7 back; */
    CHECK(fabs(system.particles[0].y - 3) < 1e-12); /* 2 down, 2 up */
    CHECK(system.particles[0].u == -3.5 && system.particles[0].v == 1);
    CHECK(system.counts[0].walls == 2);
}

/* Whether all particles are where they may be at the ends of substeps. */
struct places {
    struct region *region;
    int are_right;
};

static void check_places(void *context, const struct snapshot *snapshot)
{
    struct places *places = context;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct particle *p = &snapshot->system->particles[k];
        places->are_right &= region_contains(places->region, p->x, p->y);
    }
}

/* Particles among polygons, with steps of all sizes: none gets through a side. */
TEST(no_side_lets_through)
{
    static const double triangle[3][2] = {{4, 3}, {9, 4}, {5, 8}};
    static const double wall[2][2] = {{11, 0}, {12, 15}};
    static const double radii[] = {0, 0.25, 1};
    static const double steps[] = {0.003, 0.1, 3};
    for (size_t k = 0; k < 9; k++) {
        struct random_generator random = random_from(k);
        OWNED(system, system) = stepped_disks(8, 16, 15);
        struct places places = {.are_right = 1};
        struct stepped run =
            STEPPED(steps[k % 3], 2,
                    .parts = "interaction gravity g=-5 direction=70\n"
                             "constraint walls restitution=0.9",
                    .end_time = check_is_quick() ? 6 : 60, .every = steps[k % 3] / 2,
                    .sample = check_places, .context = &places);
        system.radius = radii[k / 3];
        system.boundary.periodic = k % 2 ? PERIODIC_Y : 0;
        system_add_polygon(&system, triangle, 3, 0);
        if (!system.boundary.periodic) /* it divides the box */
            system_add_polygon(&system, wall, 2, 0);
        CHECK(region_create(&system.boundary, &places.region, &failure) == STATUS_DONE);
        for (size_t j = 0; j < system.count; j++)
            set_particle(&system, j, j % 2 ? 14 : 2, 2 + (double)j, 20 * random_unit(&random) - 10,
                         20 * random_unit(&random) - 10);
        CHECK(stepped_run(&run, &system) == STATUS_DONE);
        CHECK(places.are_right);
        for (size_t j = 0; j < system.count; j++)
            CHECK(system.boundary.periodic ||
                  (system.particles[j].x < 11 + system.particles[j].y / 15) == (j % 2 == 0));
        region_free(places.region);
    }
}

/* What moves too far ends the run, though walls would bring it to rest. */
TEST(walls_hide_no_growth_without_bounds)
{
    static const char *const parts[] = {"interaction lennard-jones epsilon=1 sigma=1",
                                        "interaction gravity g=1e40", "interaction gravity g=-2e7"};
    static const double widths[] = {4, 10, 16};
    for (size_t k = 0; k < 9; k++) {
        OWNED(system, system) = STEPPED_DISKS(widths[k % 3], 10, {widths[k % 3] / 2, 5, 0, 0},
                                              {widths[k % 3] / 2 + 0.5, 5, 0, 0});
        struct stepped run = {.step = 0.001, .substeps = 1, .parts = parts[k / 3], .end_time = 0.2};
        system.radius = 0.1;
        CHECK(stepped_run(&run, &system) == STATUS_BAD_DATA);
        CHECK(strstr(run.error.message, "in a substep"));
    }
}
