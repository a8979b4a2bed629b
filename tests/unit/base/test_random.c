/* Tests of the random numbers: the published sequences, and that they are spread as promised. */
#include "check.h"

static void check_sequence(struct random_generator *generator, const uint64_t *expected,
                           size_t count)
{
    for (size_t k = 0; k < count; k++)
        CHECK(random_next(generator) == expected[k]);
}

/* The output of the authors' own program for the state 1, 2, 3, 4; other libraries test it too. */
TEST(the_published_generator)
{
    static const uint64_t expected[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct random_generator generator = {.state = {1, 2, 3, 4}};
    check_sequence(&generator, expected, LENGTH(expected));
}

/* The first outputs of splitmix64 for the seed 1234567, as Rosetta Code has them. */
TEST(the_published_seeding)
{
    struct random_generator generator;
    random_seed(&generator, 1234567);
    CHECK(generator.state[0] == UINT64_C(6457827717110365317));
    CHECK(generator.state[1] == UINT64_C(3203168211198807973));
    CHECK(generator.state[2] == UINT64_C(9817491932198370423));
    CHECK(generator.state[3] == UINT64_C(4593380528125082431));
}

/* Both together, for the seed that would leave a generator without seeding stuck at 0. */
TEST(the_seed_zero)
{
    static const uint64_t expected[] = {
        UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a), UINT64_C(0x1a5f849d4933e6e0),
        UINT64_C(0x6aa594f1262d2d2c), UINT64_C(0xbba5ad4a1f842e59), UINT64_C(0xffef8375d9ebcaca),
    };
    struct random_generator generator;
    random_seed(&generator, 0);
    check_sequence(&generator, expected, LENGTH(expected));
}

TEST(unit_numbers)
{
    enum { COUNT = 100000, BINS = 10 };
    struct random_generator generator;
    int bins[BINS] = {0};
    random_seed(&generator, 1);
    for (int k = 0; k < COUNT; k++) {
        double value = random_unit(&generator);
        if (CHECK(value >= 0 && value < 1))
            bins[(int)(value * BINS)]++;
    }
    for (int k = 0; k < BINS; k++) /* 10000 +- 95 in each: five standard deviations */
        CHECK(bins[k] > 9525 && bins[k] < 10475);
}

TEST(points_in_a_disc)
{
    enum { COUNT = 100000 };
    struct random_generator generator;
    double sum_x = 0, sum_y = 0, sum_squares = 0;
    random_seed(&generator, 2);
    for (int k = 0; k < COUNT; k++) {
        double x, y;
        random_in_disc(&generator, &x, &y);
        CHECK(x * x + y * y < 1);
        sum_x += x;
        sum_y += y;
        sum_squares += x * x + y * y;
    }
    /* The means are 0, 0 and 1/2; again five standard deviations. */
    CHECK(sum_x > -800 && sum_x < 800);
    CHECK(sum_y > -800 && sum_y < 800);
    CHECK(sum_squares > 49540 && sum_squares < 50460);
}

/* The mean is 0, the variance 1, the fourth moment 3; five standard deviations, once more. */
TEST(normal_numbers)
{
    enum { COUNT = 100000 };
    struct random_generator generator;
    double sums[4] = {0};
    random_seed(&generator, 3);
    for (int k = 0; k < COUNT; k++) {
        double x, y;
        random_normal(&generator, &x, &y);
        sums[0] += x + y;
        sums[1] += x * x + y * y;
        sums[2] += x * x * x * x + y * y * y * y;
        sums[3] += x * y;
    }
    CHECK(sums[0] > -2240 && sums[0] < 2240);
    CHECK(sums[1] > 2 * COUNT - 3170 && sums[1] < 2 * COUNT + 3170);
    CHECK(sums[2] > 6 * COUNT - 21900 && sums[2] < 6 * COUNT + 21900);
    CHECK(sums[3] > -1590 && sums[3] < 1590);
}

/* Draws of one owner, of one number, and of one sum begin with independent numbers. */
TEST(draws)
{
    enum { COUNT = 10000, BINS = 16 };
    for (int kind = 0; kind < 3; kind++) {
        int pairs[BINS * BINS] = {0};
        int before = 0;
        for (uint32_t k = 0; k < COUNT; k++) {
            struct random_generator generator;
            random_seed_draw(&generator, 1, kind == 0 ? 0 : k, kind == 1 ? 0 : COUNT - k);
            const int bin = (int)(random_unit(&generator) * BINS);
            pairs[before * BINS + bin]++;
            before = bin;
        }
        double chi_square = 0; /* 255 +- 22.6 */
        for (int k = 0; k < BINS * BINS; k++) {
            const double expected = (double)COUNT / (BINS * BINS);
            chi_square += (pairs[k] - expected) * (pairs[k] - expected) / expected;
        }
        CHECK(chi_square > 142 && chi_square < 368);
    }
}
