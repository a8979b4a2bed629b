/* Tests of the orientation of three points: against whole numbers, which are exact. */
#include "check.h"

/* The sign by whole numbers of up to 61 bits, as sums of products of halves. */
static int find_sign(const int64_t a[2], const int64_t b[2], const int64_t c[2])
{
    const int64_t left[2] = {a[0] - c[0], b[1] - c[1]};
    const int64_t right[2] = {a[1] - c[1], b[0] - c[0]};
    int64_t parts[3] = {0, 0, 0}; /* times 2^64, 2^32 and 1 */
    for (int sign = 1; sign >= -1; sign -= 2) {
        const int64_t *factor = sign > 0 ? left : right;
        const int64_t high[2] = {factor[0] >> 32, factor[1] >> 32};
        const int64_t low[2] = {factor[0] & UINT32_MAX, factor[1] & UINT32_MAX};
        const uint64_t product = (uint64_t)low[0] * (uint64_t)low[1];
        parts[0] += sign * high[0] * high[1];
        parts[1] += sign * (high[0] * low[1] + high[1] * low[0] + (int64_t)(product >> 32));
        parts[2] += sign * (int64_t)(product & UINT32_MAX);
    }
    parts[1] += parts[2] >> 32;
    parts[2] &= UINT32_MAX;
    parts[0] += parts[1] >> 32;
    parts[1] &= UINT32_MAX;
    if (parts[0] != 0)
        return parts[0] > 0 ? 1 : -1;
    return parts[1] != 0 || parts[2] != 0;
}

/* Compares, with the whole numbers times 2^exponent. */
static int agrees(const int64_t points[3][2], int exponent)
{
    double scaled[3][2];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 2; axis++)
            scaled[k][axis] = ldexp((double)points[k][axis], exponent);
    int sign = find_sign(points[0], points[1], points[2]);
    return orientation(scaled[0], scaled[1], scaled[2]) == sign &&
           orientation(scaled[1], scaled[2], scaled[0]) == sign &&
           orientation(scaled[2], scaled[1], scaled[0]) == -sign;
}

static int64_t random_whole(struct random_generator *random, int bits)
{
    return (int64_t)(random_next(random) >> (64 - bits)) - ((int64_t)1 << (bits - 1));
}

RANDOM_TEST(points_near_a_line, 1)
{
    const int cases = check_is_thorough() ? 200000 : 40000;
    int failures = 0;
    for (int k = 0; k < cases; k++) {
        int64_t points[3][2];
        for (int axis = 0; axis < 2; axis++) {
            const int64_t step = random_whole(random, 25);
            const int far = 1 + (int)random_below(random, 1000000);
            points[0][axis] = random_whole(random, 45);
            points[1][axis] = points[0][axis] + step;
            points[2][axis] = points[0][axis] + far * step + (int)random_below(random, 3) - 1;
        }
        for (int m = 1; m < 3 && k % 4 == 0; m++) /* exactly on it */
            for (int axis = 0; axis < 2; axis++)
                points[m][axis] =
                    points[0][axis] + (m == 1 ? 1 : 3) * (points[1][axis] - points[0][axis]);
        failures += !agrees((const int64_t(*)[2])points, (int)random_below(random, 200) - 200);
    }
    CHECK(failures == 0);
}

RANDOM_TEST(any_points, 2)
{
    int failures = 0;
    for (int k = 0; k < 20000; k++) {
        int64_t points[3][2];
        const int bits = 2 + (int)random_below(random, 44);
        for (int m = 0; m < 3; m++)
            for (int axis = 0; axis < 2; axis++)
                points[m][axis] = random_whole(random, bits);
        failures += !agrees((const int64_t(*)[2])points, 0);
    }
    CHECK(failures == 0);
}

/* Where a difference of coordinates is no double. */
TEST(coordinates_of_very_different_size)
{
    const double a[2] = {1e-100, 1e-100};
    const double b[2] = {1e40, 1e40};
    const double c[2] = {3e-90, 3e-90};
    const double d[2] = {3e-90, nextafter(3e-90, 1)};
    CHECK(orientation(a, b, c) == 0);
    CHECK(orientation(a, b, d) == 1);
    CHECK(orientation(b, a, d) == -1);
    CHECK(orientation(a, a, d) == 0);
}
