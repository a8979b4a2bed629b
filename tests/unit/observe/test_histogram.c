/* Tests of histograms that grow: what they hold does not depend on the order of the numbers. */
#include "observe/blocks.h"

#include "check.h"

enum { MAX = 3000 };

/* Counts numbers, each in the block of its place modulo 10, from the first on or from the last. */
static void fill(struct histogram *histogram, const double *values, size_t count, int is_backwards)
{
    CHECK(histogram_create(histogram, &failure) == STATUS_DONE);
    for (size_t k = 0; k < count; k++) {
        const size_t place = is_backwards ? count - 1 - k : k;
        histogram_add(histogram, (int)(place % SUM_BLOCKS), values[place]);
    }
}

RANDOM_TEST(the_order_does_not_matter, 3)
{
    for (int round = 0; round < 20; round++) {
        static double values[MAX];
        OWNED(histogram, forwards);
        OWNED(histogram, backwards);
        double largest = 0;
        for (size_t k = 0; k < MAX; k++) {
            values[k] = random_below(random, 9) == 0 ? 0 : ldexp(random_unit(random), round - 10);
            if (round % 2)
                values[k] = pow(values[k], 7);
            largest = fmax(largest, values[k]);
        }
        fill(&forwards, values, MAX, 0);
        fill(&backwards, values, MAX, 1);
        CHECK(forwards.limit == backwards.limit && forwards.limit > largest);
        CHECK(forwards.limit <= 2 * largest);
        CHECK(memcmp(forwards.counts.sums, backwards.counts.sums,
                     SUM_BLOCKS * (HISTOGRAM_BINS + 1) * sizeof(double)) == 0);
        CHECK(histogram_count(&forwards) == MAX);
        double sum = 0;
        for (size_t bin = 0; bin < histogram_used(&forwards); bin++) {
            double count = 0;
            for (size_t k = 0; k < MAX; k++)
                count += values[k] >= histogram_edge(&forwards, bin) &&
                         values[k] < histogram_edge(&forwards, bin + 1);
            CHECK(block_sums_total(&forwards.counts, bin) == count);
            sum += histogram_density(&forwards, bin).value * forwards.limit / HISTOGRAM_BINS;
        }
        CHECK(fabs(sum - 1) < 1e-12);
    }
}

TEST(extremes)
{
    struct histogram histogram;
    static const double values[] = {0, 1e-300, 1e-320, 1e300, 1};
    fill(&histogram, values, 1, 0);
    CHECK(histogram_used(&histogram) == 0 && histogram_count(&histogram) == 1);
    histogram_free(&histogram);
    fill(&histogram, values, 3, 0);
    CHECK(histogram_used(&histogram) > 0 && block_sums_total(&histogram.counts, 0) == 2);
    histogram_free(&histogram);
    fill(&histogram, values, 5, 0);
    CHECK(block_sums_total(&histogram.counts, 0) == 4 && histogram_count(&histogram) == 5);
    CHECK(histogram_used(&histogram) > HISTOGRAM_BINS / 2);
    histogram_free(&histogram);
}
