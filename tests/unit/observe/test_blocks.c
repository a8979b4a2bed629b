/* Tests of standard errors from blocks, on series whose errors are known. */
#include "check.h"
#include "fluid.h"
#include "observe/blocks.h"
#include "observed.h"

static struct blocks blocks; /* large */
static struct tally tally;   /* of the same time */

static const struct block_term of_virial = {BLOCK_VIRIAL, 1};
static const struct block_term of_action = {BLOCK_ACTION, 1};

/* Uniform from -1 to 1, whose mean square is 1/3. */
static double draw(struct random_generator *random)
{
    return 2 * random_unit(random) - 1;
}

static double values[BLOCKS];

static void begin(double from, double to, double energy)
{
    static struct collision_sums sums[BLOCKS + 1];
    tally = (struct tally){.integrated = from, .sums = sums};
    blocks_begin(&blocks, from, to, energy);
}

/* A collision of two particles. */
static void collide(double time, double virial, double energy)
{
    blocks_reach(&blocks, &tally, time);
    tally.pairs++;
    sum_add(&tally.virial, virial);
    tally_advance(&tally, time);
    tally.changes[INTEGRAL_ENERGY] += energy;
}

/* The error of `values`, each the virial of a collision in the middle of a block. */
static double error_of_values(void)
{
    begin(0, BLOCKS, 1);
    for (int k = 0; k < BLOCKS; k++)
        collide(k + 0.5, values[k], 0);
    blocks_complete(&blocks, &tally);
    return blocks_estimate(&blocks, &of_virial, 1, 0).error;
}

/* The error of values that each are `memory` times the one before and something new. */
static double error_of_memory(uint64_t seed, double memory)
{
    double value = 0;
    struct random_generator random = random_from(seed);
    for (int k = -100; k < BLOCKS; k++) {
        value = memory * value + draw(&random);
        if (k >= 0)
            values[k] = value;
    }
    return error_of_values();
}

/* The mean square of the errors in 20 series, by what is right: 1 / (1 - memory), times 1 / (3n).
 */
static double mean_ratio(double memory, int *is_told)
{
    double squares = 0;
    *is_told = 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double error = error_of_memory(seed, memory);
        *is_told = *is_told && isfinite(error);
        squares += error * error / 20;
    }
    return squares * 3 * BLOCKS * (1 - memory) * (1 - memory);
}

TEST(errors_of_series_with_and_without_memory)
{
    static const double memories[] = {0, 0.5, 0.8, -0.5};
    for (size_t k = 0; k < LENGTH(memories); k++) {
        int is_told;
        double ratio = mean_ratio(memories[k], &is_told);
        CHECK(is_told && ratio > 0.75 && ratio < 1.25);
    }
}

TEST(what_blocks_cannot_tell)
{
    for (int k = 0; k < BLOCKS; k++)
        values[k] = k;
    CHECK(isnan(error_of_values())); /* a trend */
    CHECK(isnan(error_of_memory(1, 0.99)));

    CHECK(isfinite(error_of_memory(1, 0)));
    CHECK(isfinite(blocks_estimate(&blocks, &of_virial, 1, BLOCKS / 8).error));
    CHECK(isnan(blocks_estimate(&blocks, &of_virial, 1, BLOCKS / 8 + 1).error));
    CHECK(isnan(blocks_estimate(&blocks, &of_virial, 1, (double)NAN).error));
    const struct block_term no_weight = {BLOCK_PAIRS, (double)INFINITY};
    CHECK(isnan(blocks_estimate(&blocks, &no_weight, 1, 0).error));
}

TEST(what_is_constant_has_no_error)
{
    begin(0.1, 0.7, 0.3);
    blocks_complete(&blocks, &tally);
    CHECK(blocks_estimate(&blocks, &of_action, 1, 0).error == 0);
    CHECK(fabs(blocks_mean(&blocks, BLOCK_ACTION) - 0.3 * (0.7 - 0.1) / BLOCKS) < 1e-18);
}

/* Blocks of length 2: the energy is 4 up to 10.5, then 3, from 17 on 2. */
TEST(the_means_of_blocks)
{
    begin(10, 10 + 2 * BLOCKS, 4);
    collide(10.5, 7, -1);
    collide(12, 5, 0);
    collide(17, 7, -1);
    collide(10 + 2 * BLOCKS, 1, 0);
    blocks_complete(&blocks, &tally);
    CHECK(blocks.marks[BLOCK_PAIRS][0] == 2 &&
          blocks.marks[BLOCK_VIRIAL][0] == 12); /* 12 belongs to it */
    CHECK(blocks.marks[BLOCK_PAIRS][2] == 2 && blocks.marks[BLOCK_PAIRS][3] == 3);
    CHECK(blocks.marks[BLOCK_PAIRS][BLOCKS - 2] == 3 && blocks.marks[BLOCK_PAIRS][BLOCKS - 1] == 4);
    CHECK(blocks_mean(&blocks, BLOCK_PAIRS) * BLOCKS == 4);
    CHECK(blocks_mean(&blocks, BLOCK_VIRIAL) * BLOCKS == 20);
    CHECK(blocks_mean(&blocks, BLOCK_ACTION) * BLOCKS == 4 * 0.5 + 3 * 6.5 + 2 * (2 * BLOCKS - 7));
}

/* In blocks of length 1, the energy falls by 1 in the middle of the first 512 and of no other: the
 * means of the first are 0.5 + 511, 0.5 + 510 and so on to 0.5, of the others 0. */
TEST(the_energy_in_blocks)
{
    begin(0, BLOCKS, BLOCKS / 2);
    for (int k = 0; k < BLOCKS / 2; k++)
        collide(k + 0.5, 0, -1);
    blocks_complete(&blocks, &tally);
    CHECK(blocks_mean(&blocks, BLOCK_ACTION) == 128);
    CHECK(isnan(blocks_estimate(&blocks, &of_action, 1, 0).error)); /* a trend */
}

/* Times that are not exact: the last block ends where the run does. */
/* In a stream past an obstacle thermal energy changes at the seam and at the obstacle. Blocks add
 * up these changes, which is the energy in the end, and so is the balance of momentum. */
RANDOM_TEST(the_energy_of_a_stream, 3)
{
    static const double triangle[3][2] = {{8, 6}, {12, 7}, {9, 11}};
    OWNED(system, system) = random_lattice(random, 8, 5, 1);
    struct fluid *fluid = fluid_create(2, 60);
    system.radius = 0.5;
    system.law = ELASTIC;
    system.boundary.periodic = PERIODIC_X;
    system.boundary.stream = stream_make(1.5, 0.7, 5);
    for (size_t k = 0; k < system.count; k++) /* none in the triangle */
        if (fabs(system.particles[k].y - 8) < 4)
            system.particles[k].x = fmod(system.particles[k].x, 3) + 0.6;
    CHECK(fluid != NULL);
    system_add_polygon(&system, triangle, 3, 0);
    CHECK(!observed_run(&system, SCHEDULE_ARRAY, 60, &fluid->observer, &failure));
    CHECK(fluid->tally.reinjections > 100 && fluid->tally.polygons > 10);
    CHECK(fabs(blocks_mean(&fluid->blocks, BLOCK_ACTION) * BLOCKS / 58 -
               blocks_mean_integral(&fluid->blocks, INTEGRAL_ENERGY)) < 1e-11);
    CHECK(fabs(fluid->tally.start.thermal + sum_value(&fluid->tally.energy_gained) -
               fluid->tally.end.thermal) < 1e-12 * fluid->tally.end.thermal);
    CHECK(fluid->figures.values[FIGURE_MOMENTUM_DRIFT] < 1e-14);
    fluid_free(fluid);
}

TEST(the_last_block_ends_with_the_run)
{
    for (int k = 1; k < 1000; k++) {
        double from = 0.1 * k;
        double to = from + 0.7 / k;
        begin(from, to, 1);
        collide(to, 1, 0);
        CHECK(blocks.times.complete == BLOCKS - 1 && blocks.times.end == to);
    }
    begin(3, 3, 1); /* no time at all */
    blocks_complete(&blocks, &tally);
    CHECK(blocks_mean(&blocks, BLOCK_ACTION) == 0);
}

TEST(the_mean_and_its_error)
{
    const double nan = (double)NAN;
    const double six[SUM_BLOCKS] = {1, nan, 2, 3, nan, 4, 5, nan, nan, 6};
    struct block_estimate estimate = block_estimate(7, six);
    CHECK(estimate.value == 7); /* as it was given */
    CHECK(fabs(estimate.error - sqrt(17.5 / (6 * 5))) < 1e-15);
    const double four[SUM_BLOCKS] = {1, 2, 3, 4, nan, nan, nan, nan, nan, nan};
    CHECK(isnan(block_estimate(7, four).error));
    const double same[SUM_BLOCKS] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    CHECK(block_estimate(0.1, same).error == 0);
}

TEST(ratios)
{
    struct block_sums sums;
    struct error error;
    CHECK(block_sums_create(&sums, 3, &error) == STATUS_DONE);
    for (int block = 0; block < SUM_BLOCKS; block++) {
        double *table = block_sums_table(&sums, block);
        CHECK(table[0] == 0 && table[1] == 0 && table[2] == 0);
        table[0] = block + 1;     /* a mean of 5.5 of all, */
        table[2] = block + 1 + 1; /* divided by one of 6.5 */
    }
    struct block_estimate estimate = block_sums_ratio(&sums, 0, 2, 2);
    CHECK(block_sums_total(&sums, 0) == 55 && fabs(estimate.value - 110.0 / 65) < 1e-15);
    CHECK(estimate.error > 0 && estimate.error < 0.2);
    estimate = block_sums_ratio(&sums, 0, 1, 1); /* by nothing */
    CHECK(!isfinite(estimate.value) && isnan(estimate.error));
    block_sums_free(&sums);
    CHECK(!sums.sums && block_sums_create(&sums, SIZE_MAX / 4, &error) == STATUS_NO_MEMORY);
}
