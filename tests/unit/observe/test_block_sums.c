/* Tests of means and errors from blocks, by hand. */
#include "observe/block_sums.h"

#include "check.h"

#include <math.h>

static void test_the_mean_and_its_error(void)
{
    const double nan = (double)NAN;
    const double six[SUM_BLOCKS] = {1, nan, 2, 3, nan, 4, 5, nan, nan, 6};
    struct estimate estimate = block_estimate(7, six);
    CHECK(estimate.value == 7); /* as it was given */
    CHECK(fabs(estimate.error - sqrt(17.5 / (6 * 5))) < 1e-15);
    const double four[SUM_BLOCKS] = {1, 2, 3, 4, nan, nan, nan, nan, nan, nan};
    CHECK(isnan(block_estimate(7, four).error));
    const double same[SUM_BLOCKS] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    CHECK(block_estimate(0.1, same).error == 0);
}

static void test_ratios(void)
{
    struct block_sums blocks;
    struct error error;
    CHECK(block_sums_create(&blocks, 3, &error) == STATUS_DONE);
    for (int block = 0; block < SUM_BLOCKS; block++) {
        double *table = block_sums_table(&blocks, block);
        CHECK(table[0] == 0 && table[1] == 0 && table[2] == 0);
        table[0] = block + 1;     /* a mean of 5.5 of all, */
        table[2] = block + 1 + 1; /* divided by one of 6.5 */
    }
    struct estimate estimate = block_sums_ratio(&blocks, 0, 2, 2);
    CHECK(block_sums_total(&blocks, 0) == 55 && fabs(estimate.value - 110.0 / 65) < 1e-15);
    CHECK(estimate.error > 0 && estimate.error < 0.2);
    estimate = block_sums_ratio(&blocks, 0, 1, 1); /* by nothing */
    CHECK(!isfinite(estimate.value) && isnan(estimate.error));
    block_sums_free(&blocks);
    CHECK(!blocks.sums && block_sums_create(&blocks, SIZE_MAX / 4, &error) == STATUS_NO_MEMORY);
}

int main(void)
{
    RUN(test_the_mean_and_its_error);
    RUN(test_ratios);
    return check_finish();
}
