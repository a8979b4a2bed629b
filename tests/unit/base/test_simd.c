/* Tests of several predictions at a time, in lanes, beside one by one; test_simd_four.c does the
 * same with four lanes, and test_simd_plain.c with lanes in plain C. */
#include "base/simd.h"

#include "check.h"
#include "schedule/lanes.h"

static const double never = (double)INFINITY;

/* Whether a time of pair_times is the one that pair_time gives, to the last bit. */
static int is_same_time(double lane, double time)
{
    return time == never ? !(lane < never) : lane == time;
}

/* The others in all lanes, each at its own distance of contact. */
struct others {
    struct particle particles[SIMD_LANES];
    double contacts[SIMD_LANES];
    struct pair_shift shifts[SIMD_LANES];
};

/* Compares the predictions for particle i and the others; returns how many of these it meets. */
SIMD_TARGET static size_t compare(const struct particle *i, const struct others *others,
                                  int is_latest, const struct pair_shift *shifts)
{
    const struct particle *j[SIMD_LANES];
    double times[SIMD_LANES];
    size_t met = 0;
    for (int k = 0; k < SIMD_LANES; k++)
        j[k] = &others->particles[k];
    const struct pair_repeated repeated = pair_repeat(i);
    struct pair_shifts vectors = {0};
    for (int k = 0; k < SIMD_LANES && shifts; k++) {
        vectors.x[k] = shifts[k].x;
        vectors.y[k] = shifts[k].y;
    }
    static const struct acceleration gravity = {0.3, -0.7, 1};
    struct pair_approaches approaches =
        pair_approaches(&repeated, j, simd_load(others->contacts), is_latest,
                        shifts ? &vectors : NULL, &gravity, NULL);
    simd_store(times, pair_times(&approaches));
    for (int k = 0; k < SIMD_LANES; k++)
        CHECK(is_same_time(times[k], pair_time_under(&gravity, i, j[k], others->contacts[k],
                                                     shifts ? &shifts[k] : NULL)));
    approaches = pair_approaches(&repeated, j, simd_load(others->contacts), is_latest,
                                 shifts ? &vectors : NULL, NULL, NULL);
    const double growth = 0.5;
    const struct pair_approaches growing =
        pair_approaches(&repeated, j, simd_load(others->contacts), is_latest,
                        shifts ? &vectors : NULL, NULL, &growth);
    simd_store(times, pair_growing_times(&growing));
    for (int k = 0; k < SIMD_LANES; k++)
        CHECK(is_same_time(times[k], pair_growing_time(i, j[k], others->contacts[k], growth,
                                                       shifts ? &shifts[k] : NULL)));
    simd_store(times, pair_times(&approaches));
    for (int k = 0; k < SIMD_LANES; k++) {
        double time = pair_time(i, j[k], others->contacts[k], shifts ? &shifts[k] : NULL);
        CHECK(is_same_time(times[k], time));
        met += time < never;
    }
    CHECK(pairs_meet(&approaches) == (met > 0));
    return met;
}

RANDOM_TEST(several_at_a_time_are_the_same_as_one_by_one, 77)
{
    size_t met = 0;
    for (int trial = 0; trial < (check_is_thorough() ? 1000000 : 100000); trial++) {
        struct particle i = random_particle(random);
        struct others others;
        double latest = 0;
        for (int k = 0; k < SIMD_LANES; k++) {
            others.particles[k] = random_particle(random);
            others.contacts[k] = k % 2 ? (double)random_below(random, 3) : random_unit(random);
            others.shifts[k] = (struct pair_shift){random_unit(random), -random_unit(random)};
            latest = fmax(latest, others.particles[k].t);
        }
        met += compare(&i, &others, 0, NULL);
        met += compare(&i, &others, 0, others.shifts);
        if (i.t >= latest)
            met += compare(&i, &others, 1, NULL);
    }
    CHECK(met > 1000);
}

/* The least of the lanes, and which of them it is, wherever it stands. */
SIMD_TARGET static void check_least_lane(void)
{
    for (unsigned least = 0; least < SIMD_LANES; least++) {
        double values[SIMD_LANES];
        for (int k = 0; k < SIMD_LANES; k++)
            values[k] = never;
        values[least] = -3;
        simd lanes = simd_load(values);
        CHECK(simd_least(lanes) == -3);
        CHECK(simd_bits(lanes == -3) == 1u << least);
        CHECK(COMPILER_LOWEST_BIT(1u << least) == least);
        CHECK(simd_bits(lanes < (double)NAN) == 0);
        CHECK(simd_bits((lanes <= -3) | (lanes == never)) == (1u << SIMD_LANES) - 1);
    }
}

TEST(the_least_lane)
{
    check_least_lane();
}

/* Whether this processor has so many lanes; in plain C all have. */
static int has_lanes(void)
{
#ifdef SIMD_HAS_FOUR
    return lanes_choose(&(struct system){0}, SIMD_LANES).lanes->count == SIMD_LANES;
#else
    return 1;
#endif
}

int main(void)
{
    if (has_lanes())
        return check_run_tests();
    puts("0 passed, 0 failed");
    return 0;
}
