/* Tests of standard errors from blocks, on series whose errors are known. */
#include "check.h"
#include "observe/blocks.h"
#include "random_system.h"
#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct blocks blocks; /* large */

static const struct block of_pairs = {.pairs = 1};
static const struct block of_action = {.action = 1};

/* Uniform from -1 to 1, whose mean square is 1/3. */
static double draw(struct random_generator *random)
{
    return 2 * random_unit(random) - 1;
}

static double values[BLOCKS];

/* The error of `values`: a collision in the middle of each block has as many pairs. */
static double error_of_values(void)
{
    blocks_begin(&blocks, 0, BLOCKS, 1);
    for (int k = 0; k < BLOCKS; k++) {
        const struct transfer transfer = {.pairs = values[k]};
        blocks_add(&blocks, k + 0.5, &transfer);
    }
    blocks_complete(&blocks);
    return blocks_error(&blocks, &of_pairs, 0);
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

static void test_errors_of_series_with_and_without_memory(void)
{
    static const double memories[] = {0, 0.5, 0.8, -0.5};
    for (size_t k = 0; k < sizeof memories / sizeof memories[0]; k++) {
        int is_told;
        double ratio = mean_ratio(memories[k], &is_told);
        CHECK(is_told && ratio > 0.75 && ratio < 1.25);
    }
}

static void test_what_blocks_cannot_tell(void)
{
    for (int k = 0; k < BLOCKS; k++)
        values[k] = k;
    CHECK(isnan(error_of_values())); /* a trend */
    CHECK(isnan(error_of_memory(1, 0.99)));

    CHECK(isfinite(error_of_memory(1, 0)));
    CHECK(isfinite(blocks_error(&blocks, &of_pairs, BLOCKS / 8)));
    CHECK(isnan(blocks_error(&blocks, &of_pairs, BLOCKS / 8 + 1)));
    CHECK(isnan(blocks_error(&blocks, &of_pairs, (double)NAN)));
    const struct block no_weight = {.pairs = (double)INFINITY};
    CHECK(isnan(blocks_error(&blocks, &no_weight, 0)));
}

static void test_what_is_constant_has_no_error(void)
{
    blocks_begin(&blocks, 0.1, 0.7, 0.3);
    blocks_complete(&blocks);
    CHECK(blocks_error(&blocks, &of_action, 0) == 0);
    CHECK(fabs(blocks_mean(&blocks).action - 0.3 * (0.7 - 0.1) / BLOCKS) < 1e-18);
}

/* Blocks of length 2; what happens at the end of one belongs to it. */
static void test_the_sums_of_a_block(void)
{
    const struct transfer pair = {.pairs = 1, .virial = 7, .energy = -1};
    blocks_begin(&blocks, 10, 10 + 2 * BLOCKS, 4);
    blocks_add(&blocks, 10.5, &pair);
    blocks_add(&blocks, 12, &pair);
    blocks_add(&blocks, 17, &pair);
    blocks_add(&blocks, 10 + 2 * BLOCKS, &pair);
    blocks_complete(&blocks);
    CHECK(blocks.list[0].pairs == 2 && blocks.list[0].virial == 14);
    CHECK(blocks.list[0].action == 4 * 0.5 + 3 * 1.5);
    CHECK(blocks.list[1].pairs == 0 && blocks.list[1].action == 4);
    CHECK(blocks.list[3].pairs == 1 && blocks.list[3].action == 2 + 1);
    CHECK(blocks.list[4].action == 2);
    CHECK(blocks.list[BLOCKS - 1].pairs == 1 && blocks.energy == 0);
    CHECK(blocks_mean(&blocks).virial == 28.0 / BLOCKS);
}

/* Times that are not exact: the last block ends where the run does. */
static void test_the_last_block_ends_with_the_run(void)
{
    const struct transfer pair = {.pairs = 1};
    for (int k = 1; k < 1000; k++) {
        double from = 0.1 * k;
        double to = from + 0.7 / k;
        blocks_begin(&blocks, from, to, 1);
        blocks_add(&blocks, to, &pair);
        CHECK(blocks.present == BLOCKS - 1 && blocks.end == to);
    }
    blocks_begin(&blocks, 3, 3, 1); /* no time at all */
    blocks_complete(&blocks);
    CHECK(blocks_mean(&blocks).action == 0);
}

/* Fills a part of the blocks. */
static void add_some(double from, double to, uint64_t seed)
{
    struct random_generator random = random_from(seed);
    for (double time = from; time < to; time += random_unit(&random)) {
        const struct transfer transfer = {1, draw(&random), draw(&random)};
        blocks_add(&blocks, time, &transfer);
    }
}

static void test_blocks_that_are_saved_and_loaded(void)
{
    static struct record_writer writer;
    static struct blocks whole;
    struct record_reader reader;
    struct error error;
    scratch_enter();
    blocks_begin(&blocks, 3, 500, 2);
    add_some(3, 200, 1);
    FILE *stream = fopen("saved", "w");
    if (!CHECK(stream != NULL))
        return;
    record_begin(&writer, stream);
    blocks_save(&blocks, &writer);
    record_finish(&writer);
    fclose(stream);
    add_some(200, 500, 2);
    blocks_complete(&blocks);
    whole = blocks;
    memset(&blocks, 1, sizeof blocks);
    CHECK(!record_open(&reader, "saved", &error));
    blocks_load(&blocks, 3, 500, &reader);
    CHECK(!record_expect_end(&reader));
    record_close(&reader);
    add_some(200, 500, 2);
    blocks_complete(&blocks);
    CHECK(memcmp(&blocks, &whole, sizeof blocks) == 0);
    scratch_leave();
}

int main(void)
{
    RUN(test_errors_of_series_with_and_without_memory);
    RUN(test_what_blocks_cannot_tell);
    RUN(test_what_is_constant_has_no_error);
    RUN(test_the_sums_of_a_block);
    RUN(test_the_last_block_ends_with_the_run);
    RUN(test_blocks_that_are_saved_and_loaded);
    return check_finish();
}
