/* Tests of S(k): the Bragg peaks of lattices, ideal gases, and sums made one by one. */
#include "observe/correlations.h"

#include "check.h"

static const double pi = 3.14159265358979323846;

/* Measures one or more frames. */
struct scene {
    struct classes classes;
    struct neighbours_map map;
    struct structure_factor factor;
};

static void add(struct scene *scene, const struct system *system, double diameter, int block)
{
    const struct snapshot snapshot = snapshot_in_order(system, 0);
    if (block == 0) {
        CHECK(!neighbours_map_create(&scene->map, &system->boundary, system->count, &failure));
        CHECK(classes_create(&scene->classes, &snapshot, &failure) == STATUS_DONE);
        CHECK(structure_factor_create(&scene->factor, &scene->map, &scene->classes, diameter,
                                      &failure) == STATUS_DONE);
    }
    neighbours_map_take(&scene->map, &snapshot);
    structure_factor_add(&scene->factor, &scene->map, block);
}

static void scene_free(struct scene *scene)
{
    structure_factor_free(&scene->factor);
    neighbours_map_free(&scene->map);
    classes_free(&scene->classes);
}

/* How many wave vectors a shell has. */
static double count_waves(const struct scene *scene, size_t shell)
{
    return block_sums_table(&scene->factor.blocks,
                            0)[classes_slots(&scene->classes) * scene->factor.shells + shell];
}

/* 16 x 16 disks: S is 256 where m and n are multiples of 16, and 0 elsewhere. In half the plane
 * (1, 0) and (0, 1) are such, (1, 1) and (-1, 1), and so on, all at most 8 pi long. */
TEST(bragg_peaks)
{
    OWNED(system, square) = arranged_square(16, 16);
    struct scene scene;
    add(&scene, &square, 1, 0);
    CHECK(scene.factor.shells == 64 && fabs(scene.factor.width - pi / 8) < 1e-12);
    /* All wave vectors are within reach in the first 36 shells: pi 36^2 / 2 = 2036. */
    for (size_t shell = 0; shell < 36; shell++) {
        double expected = 0, waves = 0;
        for (int m = -40; m <= 40; m++) {
            for (int n = 0; n <= 40; n++) {
                const double k = sqrt(m * m + n * n);
                if ((n == 0 && m <= 0) || floor(k) != (double)shell)
                    continue;
                waves++;
                expected += m % 16 == 0 && n % 16 == 0 ? 256 : 0;
            }
        }
        const double value = structure_factor_value(&scene.factor, 0, shell).value;
        CHECK(count_waves(&scene, shell) == waves);
        CHECK(waves == 0 ? !isfinite(value) : fabs(value - expected / waves) < 1e-9);
    }
    CHECK(structure_factor_value(&scene.factor, 0, 16).value > 1); /* the first peak is there */
    scene_free(&scene);
}

/* Compares shells with the sums of cosines and sines of their wave vectors. */
static void check_shells(const struct scene *scene, const struct system *system)
{
    static double expected[200];
    const struct structure_factor *factor = &scene->factor;
    for (size_t k = 0; k < 200; k++)
        expected[k] = 0;
    for (double m = -60; m <= 60; m++) {
        for (double n = 0; n <= 60; n++) {
            const double kx = m == 0 ? 0 : m * factor->pitch_x;
            const double ky = n == 0 ? 0 : n * factor->pitch_y;
            const double shell = floor(sqrt(kx * kx + ky * ky) / factor->width + 1e-9);
            double real = 0, imaginary = 0;
            if ((n == 0 && m <= 0) || !(shell < 200))
                continue;
            for (size_t k = 0; k < system->count; k++) {
                const struct particle *p = &system->particles[k];
                real += cos(kx * p->x + ky * p->y);
                imaginary += sin(kx * p->x + ky * p->y);
            }
            expected[(size_t)shell] += (real * real + imaginary * imaginary);
        }
    }
    for (size_t k = 0; k < 12 && k < factor->shells; k++) {
        const double value = structure_factor_value(factor, 0, k).value;
        const double sum = expected[k] / (double)system->count;
        CHECK(count_waves(scene, k) == 0 ||
              fabs(value * count_waves(scene, k) - sum) < 1e-9 * (1 + sum));
    }
}

RANDOM_TEST(sums_one_by_one, 31)
{
    for (unsigned periodic = 1; periodic < 4; periodic++) {
        for (int round = 0; round < (check_is_thorough() ? 4 : 2); round++) {
            OWNED(system, gas) = arranged_points(random, 1 + random_below(random, 600), 3,
                                                 round % 2 ? 3 : 1.7, periodic);
            OWNED(scene, scene);
            add(&scene, &gas, 3 / sqrt((double)gas.count), 0);
            check_shells(&scene, &gas);
        }
    }
}

/* Shells of disks so tiny are wider than whole wave vectors are apart, by any factor. */
RANDOM_TEST(tiny_disks, 5)
{
    for (unsigned periodic = 1; periodic < 4; periodic++) {
        for (double diameter = 1e-10; diameter > 1e-40; diameter *= 1e-3) {
            OWNED(system, gas) = arranged_points(random, 8, 1, 2, periodic);
            OWNED(scene, scene);
            add(&scene, &gas, diameter, 0);
            CHECK(scene.factor.count <= 16 * 128 && count_waves(&scene, 0) <= 16);
        }
    }
}

/* With the weights N_a / N, sqrt(N_a N_b) / N twice, and N_b / N the partial ones add up to S; each
 * species has the S of a system of it alone. */
RANDOM_TEST(partial_sums, 33)
{
    struct particle_kind kinds[2] = {{0, 1, 3}, {0, 1, 7}};
    OWNED(system, both) = arranged_points(random, 300, 2, 3, PERIODIC_X | PERIODIC_Y);
    OWNED(system, first) = arranged_points(random, 100, 2, 3, PERIODIC_X | PERIODIC_Y);
    struct scene scene;
    struct scene alone;
    for (size_t k = 0; k < 300; k++) {
        both.particles[k].kind = k % 3 > 0;
        if (k % 3 == 0) {
            first.particles[k / 3].x = both.particles[k].x;
            first.particles[k / 3].y = both.particles[k].y;
        }
    }
    both.kinds = kinds;
    both.kind_count = 2;
    add(&scene, &both, 0.1, 0);
    both.kinds = NULL;
    add(&alone, &first, 0.1, 0);
    for (size_t shell = 0; shell < 20; shell++) {
        double s[4];
        for (size_t slot = 0; slot < 4; slot++)
            s[slot] = structure_factor_value(&scene.factor, slot, shell).value;
        if (!isfinite(s[0]))
            continue;
        CHECK(fabs(s[0] - (s[1] + sqrt(2) * 2 * s[2] + 2 * s[3]) / 3) < 1e-12 * (1 + s[0]));
        CHECK(fabs(s[1] - structure_factor_value(&alone.factor, 0, shell).value) <
              1e-11 * (1 + s[1]));
    }
    scene_free(&scene);
    scene_free(&alone);
}

RANDOM_TEST(an_ideal_gas_has_1, 32)
{
    for (unsigned periodic = 0; periodic < 4; periodic++) {
        OWNED(scene, scene);
        const size_t many = check_is_thorough() ? 20000 : 5000;
        const size_t count = periodic == 3 ? many : 300;
        for (int k = 0; k < SUM_BLOCKS; k++) {
            OWNED(system, gas) = arranged_points(random, count, 2, 3, periodic);
            add(&scene, &gas, sqrt(6.0 / (double)count), k);
        }
        double sum = 0, used = 0;
        for (size_t shell = 0; shell < scene.factor.shells; shell++) {
            const struct block_estimate value = structure_factor_value(&scene.factor, 0, shell);
            sum += isfinite(value.value) ? value.value : 0;
            used += isfinite(value.value);
        }
        CHECK(periodic == 0 ? scene.factor.shells == 0 : used > 50 && fabs(sum / used - 1) < 0.15);
        CHECK(scene.factor.count < 2 * 2048 + 16 * 128);
    }
}
