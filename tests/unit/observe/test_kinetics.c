/* Tests of speeds and free paths: a particle's way by hand, and gases in equilibrium. */
#include "observe/kinetics.h"

#include "check.h"

struct scene {
    struct system system;
    struct classes classes;
    struct kinetics kinetics;
};

static void begin(struct scene *scene, struct system system)
{
    scene->system = system;
    const struct snapshot snapshot = snapshot_in_order(&scene->system, 0);
    CHECK(classes_create(&scene->classes, &snapshot, &failure) == STATUS_DONE);
    CHECK(kinetics_create(&scene->kinetics, &snapshot, &scene->classes, SIZE_MAX, 0, 10,
                          &failure) == STATUS_DONE);
}

static void scene_free(struct scene *scene)
{
    kinetics_free(&scene->kinetics);
    classes_free(&scene->classes);
    system_free(&scene->system);
}

/* Particle 0 comes to a collision at `time`, since the last one with this speed, and another may.
 */
static void collide(struct scene *scene, double time, double since, double speed, int is_wall)
{
    const struct collision collision = {
        .time = time,
        .partner = is_wall ? PARTNER_BOUNDARY : PARTNER_PARTICLE,
        .feature = FEATURE_LEFT,
        .a = {.number = 0, .u_before = 0.6 * speed, .v_before = -0.8 * speed, .since = since},
        .b = {.number = 1, .since = time},
    };
    kinetics_collide(&scene->kinetics, &collision, 1);
}

RANDOM_TEST(a_path, 51)
{
    OWNED(scene, scene);
    begin(&scene, arranged_points(random, 2, 1, 1, 0));
    const struct histogram *paths = &scene.kinetics.paths[0];
    collide(&scene, 1, 0, 3, 1); /* a wall: nothing begins */
    collide(&scene, 2, 1, 3, 0); /* the first counts as a beginning */
    CHECK(histogram_count(paths) == 0);
    collide(&scene, 4, 2, 3, 1);   /* 6 to a wall, */
    collide(&scene, 4.5, 4, 3, 1); /* 1.5 to another, */
    collide(&scene, 5, 4.5, 3, 0); /* and 1.5 more; the other one has not moved */
    CHECK(histogram_count(paths) == 2 && paths->limit == 16);
    CHECK(block_sums_total(&paths->counts, 9 * HISTOGRAM_BINS / 16) == 1);
    CHECK(block_sums_total(&paths->counts, 0) == 1);
    /* The exponential distribution with the mean 4.5, in the bin from 4.5 on. */
    const double width = 16.0 / HISTOGRAM_BINS;
    const double expected = exp(-1) * (1 - exp(-width / 4.5)) / width;
    CHECK(fabs(kinetics_exponential(&scene.kinetics, 0, HISTOGRAM_BINS * 9 / 32) - expected) <
          1e-12);
}

/* Collisions may be given in any portions, over several blocks of time. */
RANDOM_TEST(paths_in_portions, 55)
{
    enum { IMPACTS = 600, PARTICLES = 20 };
    static struct collision list[IMPACTS];
    struct scene whole, single;
    int pairs = 0;
    begin(&whole, arranged_points(random, PARTICLES, 1, 1, 0));
    begin(&single, arranged_points(random, PARTICLES, 1, 1, 0));
    for (int k = 0; k < IMPACTS; k++) {
        const double time = 10.0 * (k + 1) / IMPACTS;
        const int32_t a = (int32_t)random_below(random, PARTICLES - 1);
        list[k] = (struct collision){
            .time = time,
            .partner = k % 7 == 3 ? PARTNER_BOUNDARY : PARTNER_PARTICLE,
            .a = {.number = a,
                  .u_before = random_unit(random),
                  .v_before = -random_unit(random),
                  .since = time * random_unit(random)},
            .b = {.number = a + 1, .u_before = -random_unit(random), .since = time / 2}};
        pairs += list[k].partner == PARTNER_PARTICLE;
        kinetics_collide(&single.kinetics, &list[k], 1);
    }
    for (size_t k = 0, count; k < IMPACTS; k += count) {
        count = 1 + (size_t)random_below(random, BATCH_COLLISIONS);
        count = count < IMPACTS - k ? count : IMPACTS - k;
        kinetics_collide(&whole.kinetics, &list[k], count);
    }
    const struct block_sums *sums[2][2] = {
        {&whole.kinetics.sums, &single.kinetics.sums},
        {&whole.kinetics.paths[0].counts, &single.kinetics.paths[0].counts}};
    CHECK(histogram_count(&whole.kinetics.paths[0]) == 2 * pairs - PARTICLES);
    for (int k = 0; k < 2; k++)
        CHECK(memcmp(sums[k][0]->sums, sums[k][1]->sums,
                     SUM_BLOCKS * sums[k][0]->size * sizeof(double)) == 0);
    scene_free(&whole);
    scene_free(&single);
}

/* What does not count is in no block: it may be any number of blocks before the first one, or there
 * is no time for any. */
RANDOM_TEST(paths_before_what_counts, 56)
{
    OWNED(scene, scene);
    begin(&scene, arranged_points(random, 2, 1, 1, 0));
    scene.kinetics.from = 10; /* and `to` */
    collide(&scene, 1, 0, 3, 0);
    scene.kinetics.from = 10 - 0x1p-40;
    collide(&scene, 2, 1, 3, 1);
    collide(&scene, 10, 2, 3, 0);
    CHECK(histogram_count(&scene.kinetics.paths[0]) == 0); /* it is the beginning */
}

/* A stream gives particle 0 another velocity between two collisions: no path ends there. */
RANDOM_TEST(a_new_velocity, 54)
{
    OWNED(scene, scene);
    begin(&scene, arranged_points(random, 2, 1, 1, 0));
    const struct histogram *paths = &scene.kinetics.paths[0];
    collide(&scene, 1, 0, 3, 0);
    kinetics_collide(&scene.kinetics,
                     &(struct collision){.partner = PARTNER_BOUNDARY,
                                         .feature = FEATURE_RIGHT,
                                         .is_reinjection = 1},
                     1);
    collide(&scene, 4, 2, 1, 0); /* particle 1 ends the path that it began at 1, and 0 none */
    CHECK(histogram_count(paths) == 1);
    collide(&scene, 5, 4, 1, 0);
    CHECK(histogram_count(paths) == 3);
}

/* A normal distribution with variance 1, by the sum of twelve uniform numbers: nearly. */
static double draw(struct random_generator *random)
{
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += random_unit(random);
    return sum;
}

RANDOM_TEST(maxwell, 52)
{
    struct particle_kind kinds[2] = {{0, 1, 1}, {0, 4, 2}};
    OWNED(scene, scene);
    struct system system = arranged_points(random, 20000, 1, 1, 0);
    system.kinds = kinds;
    system.kind_count = 2;
    for (size_t k = 0; k < system.count; k++) {
        struct particle *p = &system.particles[k];
        p->kind = k % 3 == 0;
        p->u = draw(random) * (p->kind ? 0.5 : 1); /* T = 1 */
        p->v = draw(random) * (p->kind ? 0.5 : 1);
    }
    begin(&scene, system);
    const struct snapshot snapshot = snapshot_in_order(&scene.system, 0);
    kinetics_sample(&scene.kinetics, &snapshot);
    for (size_t group = 0; group < 3; group++) {
        const struct histogram *speeds = &scene.kinetics.speeds[group];
        double sum = 0, largest = 0;
        for (size_t bin = 0; bin < histogram_used(speeds); bin++) {
            const double maxwell = kinetics_maxwell(&scene.kinetics, group, bin);
            const double off = histogram_density(speeds, bin).value - maxwell;
            largest = fmax(largest, fabs(off));
            sum += maxwell * speeds->limit / HISTOGRAM_BINS;
        }
        CHECK(largest < 0.45 && sum > 0.999 && sum < 1 + 1e-12);
    }
    CHECK(fabs(block_sums_ratio(&scene.kinetics.sums, 0, 1, 1).value - 1) < 0.02);
    scene.system.kinds = NULL;
}

/* Of 100 particles at most 10 are looked at, every 16th, and the paths of every 128th followed. */
RANDOM_TEST(a_sample, 55)
{
    OWNED(scene, scene);
    begin(&scene, arranged_points(random, 100, 1, 1, 0));
    const struct snapshot snapshot = snapshot_in_order(&scene.system, 0);
    kinetics_free(&scene.kinetics);
    CHECK(kinetics_create(&scene.kinetics, &snapshot, &scene.classes, 10, 0, 10, &failure) ==
          STATUS_DONE);
    kinetics_sample(&scene.kinetics, &snapshot);
    CHECK(histogram_count(&scene.kinetics.speeds[0]) == 7);
    struct collision collision = {.partner = PARTNER_PARTICLE, .a.number = 0, .b.number = 16};
    for (int k = 0; k < 3; k++) {
        collision.time = k;
        collision.a.since = collision.b.since = k - 1;
        kinetics_collide(&scene.kinetics, &collision, 1);
    }
    CHECK(histogram_count(&scene.kinetics.paths[0]) == 2);
}

RANDOM_TEST(all_at_rest, 53)
{
    struct system system = arranged_points(random, 3, 1, 1, 0);
    OWNED(scene, scene);
    for (size_t k = 0; k < 3; k++)
        system.particles[k].u = system.particles[k].v = 0;
    begin(&scene, system);
    const struct snapshot snapshot = snapshot_in_order(&scene.system, 0);
    kinetics_sample(&scene.kinetics, &snapshot);
    CHECK(histogram_used(&scene.kinetics.speeds[0]) == 0);
    CHECK(histogram_count(&scene.kinetics.speeds[0]) == 3);
}
