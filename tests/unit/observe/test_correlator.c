/* Tests of correlations in time: their lags, free flights, and random walks, step by step. */
#include "observe/correlations.h"

#include "check.h"

struct scene {
    struct system system;
    struct classes classes;
    struct correlator correlator;
};

static void begin(struct scene *scene, struct system system, uint64_t frames)
{
    scene->system = system;
    const struct snapshot snapshot = snapshot_in_order(&scene->system, 0);
    CHECK(classes_create(&scene->classes, &snapshot, &failure) == STATUS_DONE);
    CHECK(correlator_create(&scene->correlator, scene->system.count, &scene->classes, frames,
                            &failure) == STATUS_DONE);
}

static void add(struct scene *scene, double time, int block)
{
    const struct snapshot snapshot = snapshot_in_order(&scene->system, time);
    correlator_add(&scene->correlator, &snapshot, 0, 0, block);
}

static void end(struct scene *scene)
{
    correlator_free(&scene->correlator);
    classes_free(&scene->classes);
    system_free(&scene->system);
}

RANDOM_TEST(the_lags, 1)
{
    static const uint64_t expected[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14,
                                        16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112};
    struct scene scene;
    for (size_t k = 0; k < LENGTH(expected); k++)
        CHECK(correlator_lag(k) == expected[k]);
    static const uint64_t frames[][2] = {{0, 1},  {1, 1},  {8, 1},  {9, 2},
                                         {16, 2}, {17, 3}, {33, 4}, {1000000001, 28}};
    for (size_t k = 0; k < LENGTH(frames); k++) {
        begin(&scene, arranged_points(random, 1, 1, 1, 0), frames[k][0]);
        CHECK(scene.correlator.levels == frames[k][1]);
        end(&scene);
    }
    begin(&scene, arranged_points(random, 70000, 1, 1, 0), 100); /* five levels */
    CHECK(scene.correlator.tracers == (1 << 18) / 5);
    end(&scene);
}

/* Without collisions the mean square displacement is <v^2> t^2, through seams, too. */
RANDOM_TEST(free_flights, 41)
{
    struct scene scene;
    begin(&scene, arranged_points(random, 50, 1, 1, PERIODIC_X), 100);
    double square = 0;
    for (size_t k = 0; k < 50; k++) {
        const struct particle *p = &scene.system.particles[k];
        square += (p->u * p->u + p->v * p->v) / 50;
    }
    for (int k = 0; k < 100; k++)
        add(&scene, 0.25 * k, k / SUM_BLOCKS);
    CHECK(correlator_lags(&scene.correlator) == 24);
    for (size_t lag = 0; correlator_lag(lag) < 100; lag++) {
        const double time = 0.25 * (double)correlator_lag(lag);
        const double expected = square * time * time;
        CHECK(fabs(correlator_mean(&scene.correlator, lag, 0, CORRELATOR_DISPLACEMENT).value -
                   expected) <= 1e-12 * expected);
        CHECK(fabs(correlator_mean(&scene.correlator, lag, 0, CORRELATOR_VELOCITY).value - square) <
              1e-12);
    }
    end(&scene);
}

enum { WALKERS = 7, STEPS = 77 };

/* A mean over all walkers of a class, of pairs of steps so far apart, the first a multiple. */
static double correlate(double walks[STEPS][WALKERS][4], uint64_t lag, uint64_t multiple,
                        size_t first, int is_velocity)
{
    double sum = 0, count = 0;
    for (uint64_t step = 0; step + lag < STEPS; step += multiple) {
        for (size_t k = first; k < WALKERS; k += 2, count++) {
            const double *a = walks[step][k];
            const double *b = walks[step + lag][k];
            sum += is_velocity ? a[2] * b[2] + a[3] * b[3]
                               : (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
        }
    }
    return sum / count;
}

RANDOM_TEST(random_walks, 42)
{
    static double walks[STEPS][WALKERS][4];
    struct particle_kind kinds[2] = {{0, 1, 5}, {0, 1, 2}};
    struct scene scene;
    struct system system = arranged_points(random, WALKERS, 1, 1, PERIODIC_X | PERIODIC_Y);
    system.kinds = kinds;
    system.kind_count = 2;
    for (size_t k = 0; k < WALKERS; k++)
        system.particles[k].kind = k % 2; /* so those with an even number have species 5 */
    begin(&scene, system, STEPS);
    for (size_t step = 0; step < STEPS; step++) {
        for (size_t k = 0; k < WALKERS; k++) {
            struct particle *p = &scene.system.particles[k];
            struct particle_counts *counts = &scene.system.counts[k];
            p->x = random_unit(random);
            p->y = random_unit(random);
            p->u = random_unit(random) - 0.5;
            p->v = random_unit(random) - 0.5;
            counts->x_image += (int64_t)random_below(random, 3) - 1;
            counts->y_image += (int64_t)random_below(random, 3) - 1;
            double *walk = walks[step][k];
            walk[0] = p->x + (double)counts->x_image;
            walk[1] = p->y + (double)counts->y_image;
            walk[2] = p->u;
            walk[3] = p->v;
        }
        add(&scene, 0, (int)(step * SUM_BLOCKS / STEPS));
    }
    for (size_t lag = 0; correlator_lag(lag) < STEPS; lag++) {
        const uint64_t multiple = lag < 8 ? 1 : (uint64_t)1 << ((lag - 8) / 4 + 1);
        for (size_t group = 1; group <= 2; group++) { /* species 2, which is odd, and 5 */
            const double square = correlate(walks, correlator_lag(lag), multiple, group % 2, 0);
            const double product = correlate(walks, correlator_lag(lag), multiple, group % 2, 1);
            CHECK(
                fabs(correlator_mean(&scene.correlator, lag, group, CORRELATOR_DISPLACEMENT).value -
                     square) <= 1e-12 * square);
            CHECK(fabs(correlator_mean(&scene.correlator, lag, group, CORRELATOR_VELOCITY).value -
                       product) < 1e-12);
        }
    }
    scene.system.kinds = NULL;
    end(&scene);
}
