/* Tests of the writing of numbers that read back, mostly by comparison with the C library. */
#include "check.h"
#include "io/shortest.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

static int rounds(void)
{
    return check_is_quick() ? 5000 : 400000;
}

static double random_sign(struct random *random)
{
    return random_below(random, 2) ? 1 : -1;
}

/* Any finite double at all; every second one has a short significand, as round numbers have. */
static double random_double(struct random *random)
{
    double value = ldexp(0.5 + random_uniform(random) / 2, (int)random_below(random, 2096) - 1072);
    if (random_below(random, 2)) {
        int exponent;
        double significand = frexp(value, &exponent);
        double scale = ldexp(1, (int)random_below(random, 53));
        value = ldexp(floor(significand * scale) / scale, exponent);
    }
    return random_sign(random) * value;
}

/* A number as simulations have them. */
static double random_coordinate(struct random *random)
{
    double value = random_sign(random) * random_uniform(random);
    return random_below(random, 2) ? 1000 * value
                                   : value * pow(10, 28 * random_uniform(random) - 11);
}

/* A number of few decimal digits, or the double beside it. */
static double random_decimal(struct random *random)
{
    char text[TEXT_SIZE];
    double digits = floor(random_uniform(random) * pow(10, 1 + (double)random_below(random, 17)));
    snprintf(text, sizeof text, "%.0fe%d", digits, (int)random_below(random, 40) - 25);
    double value = strtod(text, NULL);
    switch (random_below(random, 3)) {
    case 0:
        return nextafter(value, 0);
    case 1:
        return nextafter(value, (double)INFINITY);
    default:
        return value;
    }
}

/* Checks that a number reads back to the bit, and is what printf writes with the fewest digits. */
static int is_written_well(double value)
{
    char text[TEXT_SIZE];
    char expected[TEXT_SIZE];
    double back;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        if (strtod(expected, NULL) == value)
            break;
    }
    memset(text, '!', sizeof text);
    size_t length = shortest_write(text, value);
    int is_within = length < SHORTEST_SIZE && text[SHORTEST_SIZE] == '!';
    text[length] = '\0';
    back = strtod(text, NULL);
    if (is_within && memcmp(&back, &value, sizeof value) == 0 && strcmp(text, expected) == 0)
        return 1;
    printf("    %a is written as '%s' instead of '%s'\n", value, text, expected);
    return 0;
}

static int is_written_well_around(double value)
{
    return is_written_well(value) && is_written_well(nextafter(value, -INFINITY)) &&
           is_written_well(nextafter(value, (double)INFINITY)) && is_written_well(-value);
}

static void test_random_numbers(void)
{
    struct random random = {21};
    for (int k = 0; k < rounds(); k++) {
        CHECK(is_written_well(random_double(&random)));
        CHECK(is_written_well(random_coordinate(&random)));
        CHECK(is_written_well(random_decimal(&random)));
    }
}

static void test_subnormals(void)
{
    struct random random = {22};
    CHECK(is_written_well(0x1p-1074) && is_written_well(-DBL_MIN));
    for (int k = 0; k < rounds() / 10; k++)
        CHECK(is_written_well(ldexp(floor(random_uniform(&random) * 0x1p52), -1074)));
}

static void test_powers(void)
{
    for (int exponent = -1073; exponent < 1024; exponent++) /* where the next doubles are near */
        CHECK(is_written_well_around(ldexp(1, exponent)));
    for (int exponent = -320; exponent <= 308; exponent++) {
        char text[TEXT_SIZE];
        snprintf(text, sizeof text, "1e%d", exponent);
        CHECK(is_written_well_around(strtod(text, NULL)));
    }
    CHECK(is_written_well(DBL_MAX) && is_written_well(-DBL_MAX));
}

/* Numbers with an exact decimal number half-way between two that are shorter. */
static void test_ties(void)
{
    for (double value = 600000000000000.125; value < 600000000000064; value += 0.125)
        CHECK(is_written_well(value));
    for (double value = 70000000000000 + 0x1p-6; value < 70000000000004; value += 0x1p-6)
        CHECK(is_written_well(value));
}

static int is(double value, const char *expected)
{
    char text[SHORTEST_SIZE];
    size_t length = shortest_write(text, value);
    return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

static void test_how_numbers_look(void)
{
    CHECK(is(0, "0") && is(-0.0, "-0"));
    CHECK(is(1, "1") && is(-20, "-20") && is(123456, "123456"));
    CHECK(is(0.1, "0.1") && is(0.1 + 0.2, "0.30000000000000004"));
    CHECK(is(1e14, "100000000000000") && is(1e15, "1e+15"));
    CHECK(is(0.000125, "0.000125") && is(-0.0000125, "-1.25e-05"));
    CHECK(is(1e-9, "1e-09") && is(1e-10, "1e-10"));
}

int main(void)
{
    RUN(test_random_numbers);
    RUN(test_subnormals);
    RUN(test_powers);
    RUN(test_ties);
    RUN(test_how_numbers_look);
    return check_finish();
}
