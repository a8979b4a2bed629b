/*
 * Tests of two predictions at a time, in lanes, beside one by one; test_lanes_plain.c does the same
 * with lanes in plain C.
 */
#include "base/simd.h"

#include "check.h"
#include "model/physics_simd.h"
#include "random_system.h"

#include <math.h>

static const double never = (double)INFINITY;

/* Whether a time of physics_pair_times is the one that physics_pair_time gives, to the last bit. */
static int is_same_time(double lane, double time)
{
    return time == never ? !(lane < never) : lane == time;
}

static void test_two_at_a_time_are_the_same_as_one_by_one(void)
{
    struct random_generator random = random_from(77);
    size_t met = 0;
    for (int trial = 0; trial < (check_is_quick() ? 20000 : 2000000); trial++) {
        struct particle i = random_particle(&random);
        struct particle j = random_particle(&random);
        struct particle k = random_particle(&random);
        double radii[2] = {random_unit(&random), (double)random_below(&random, 3)};
        const struct particle *const pair[2] = {&j, &k};
        const struct physics_twins twins = physics_twins(&i);
        simd contact = simd_load(&radii[0], &radii[1]);
        simd times = physics_pair_times(&twins, pair, contact, 0, NULL);
        double first = physics_pair_time(&i, &j, radii[0], NULL);
        double second = physics_pair_time(&i, &k, radii[1], NULL);
        CHECK(is_same_time(simd_first(times), first) && is_same_time(simd_second(times), second));
        if (i.t >= j.t && i.t >= k.t) {
            times = physics_pair_times(&twins, pair, contact, 1, NULL);
            CHECK(is_same_time(simd_first(times), first));
            CHECK(is_same_time(simd_second(times), second));
        }
        met += (size_t)(first < never) + (size_t)(second < never);
    }
    CHECK(met > 1000);
}

int main(void)
{
    RUN(test_two_at_a_time_are_the_same_as_one_by_one);
    return check_finish();
}
