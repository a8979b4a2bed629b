/* Tests of number conversion, mostly by comparison with the C library. */
#include "check.h"
#include "io/number.h"
#include "random_system.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4000, TEXT_SIZE = 400 };

static uint64_t random_bits(struct random *random)
{
    uint64_t upper = (uint64_t)(random_uniform(random) * 0x1p32);
    return upper << 32 | (uint64_t)(random_uniform(random) * 0x1p32);
}

/* Any double at all; NaN and infinity are among them. */
static double random_double(struct random *random)
{
    uint64_t bits = random_bits(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A double as files have them: of any of 25 orders of magnitude, or of just one. */
static double random_coordinate(struct random *random)
{
    double value = 2000 * random_uniform(random) - 1000;
    if (random_below(random, 2) == 0)
        value *= pow(10, 25 * random_uniform(random) - 15);
    return value;
}

/* Checks that `text` reads as strtod has it, to the last bit, or is left to it. */
static int agrees_with_strtod(const char *text)
{
    const double untouched = -12345;
    double value = untouched;
    char *end;
    double expected = strtod(text, &end);
    if (!number_read(text, &value))
        return value == untouched;
    if (end != text && *end == '\0' && memcmp(&value, &expected, sizeof value) == 0)
        return 1;
    printf("    '%s' reads as %a instead of %a\n", text, value, expected);
    return 0;
}

/* The same, and that the library need not be asked. */
static int is_read_fast(const char *text)
{
    double value;
    return number_read(text, &value) && agrees_with_strtod(text);
}

static void test_reading_what_files_have(void)
{
    struct random random = {1};
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        double value = random_coordinate(&random);
        snprintf(text, sizeof text, "%.6f", value);
        CHECK(is_read_fast(text) || fabs(value) > 1e11);
        snprintf(text, sizeof text, "%.17g", value);
        CHECK(fabs(value) < 1e-10 || fabs(value) > 1e16 ? agrees_with_strtod(text)
                                                        : is_read_fast(text));
        snprintf(text, sizeof text, "%.15g", value);
        CHECK(agrees_with_strtod(text));
        snprintf(text, sizeof text, "%g", value);
        CHECK(is_read_fast(text));
    }
}

static void test_reading_any_double(void)
{
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.18e", "%g", "%a"};
    struct random random = {2};
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        snprintf(text, sizeof text, formats[k % 6], random_double(&random));
        CHECK(agrees_with_strtod(text));
    }
}

static char *append_digits(char *text, struct random *random, size_t count)
{
    for (; count > 0; count--)
        *text++ = (char)('0' + random_below(random, 10));
    return text;
}

static char *append_zeros(char *text, size_t count)
{
    memset(text, '0', count);
    return text + count;
}

/* Strings of digits with points, signs and exponents at random places. */
static void test_reading_random_strings(void)
{
    struct random random = {3};
    char text[TEXT_SIZE];
    int fast = 0;
    for (int k = 0; k < 4 * ROUNDS; k++) {
        char *end = text;
        double value;
        if (random_below(&random, 2))
            *end++ = "+-"[random_below(&random, 2)];
        end = append_zeros(end, random_below(&random, 3));
        end = append_digits(end, &random, random_below(&random, 14));
        if (random_below(&random, 4))
            *end++ = '.';
        end = append_zeros(end, random_below(&random, 3) ? 0 : random_below(&random, 12));
        end = append_digits(end, &random, random_below(&random, 12));
        end = append_zeros(end, random_below(&random, 3));
        *end = '\0';
        if (random_below(&random, 2))
            snprintf(end, 16, "%c%+d", "eE"[random_below(&random, 2)],
                     (int)random_below(&random, 80) - 40);
        CHECK(agrees_with_strtod(text));
        fast += number_read(text, &value);
    }
    CHECK(fast > ROUNDS);
}

/* Numbers half-way between two doubles, exactly or as nearly as can be told. */
static void test_reading_halfway_cases(void)
{
    struct random random = {4};
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        /* middle / 2^power = middle * 5^power / 10^power, and middle has one bit too many */
        int power = k % 4;
        uint64_t digits = (UINT64_C(1) << 53) | random_bits(&random) >> 11 | 1;
        for (int times = 0; times < power; times++)
            digits *= 5;
        for (uint64_t neighbour = digits - 1; neighbour <= digits + 1; neighbour++) {
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", neighbour, power);
            CHECK(is_read_fast(text));
        }
        double value = random_coordinate(&random);
        long double middle = ((long double)value + (long double)nextafter(value, 1e300)) / 2;
        snprintf(text, sizeof text, "%.*Lg", 16 + k % 3, middle);
        CHECK(agrees_with_strtod(text));
    }
}

static void test_reading_boundaries(void)
{
    static const char *const texts[] = {
        "0", "-0", "+0", "0.0", "-.0", "0.", "00000000000000000000000000001", "1.", ".5", "+.5e0",
        /* 2^53 and 2^63, about where the ways of reading change */
        "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994",
        "9007199254740993e22", "9007199254740992e22", "9007199254740993e-22", "922337203685477579",
        "922337203685477580", "922337203685477581", "9223372036854775799", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "99999999999999999999999999",
        /* the ends of the tables of powers */
        "1e22", "1e23", "1e-22", "1e-23", "1e-27", "1e-28", "123456789012345678e-27",
        "123456789012345678e-28", "1e-26", "3e-27", "999999999999999999e-27",
        /* the ends of what a double can tell */
        "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "2.2250738585072014e-308",
        "2.2250738585072011e-308", "4.9406564584124654e-324", "2e-324", "0e999999999999",
        "1e99999999999999999999", "1e-99999999999999999999", "1e+5", "1e00000000000000000005"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        CHECK(agrees_with_strtod(texts[k]));
    double value = 1;
    CHECK(number_read("-0", &value) && value == 0 && signbit(value));
}

static void test_what_is_not_a_plain_number_is_left_alone(void)
{
    static const char *const texts[] = {
        "",   "-",  "+",   ".",   "-.",   "e5",  ".e5", "1e",    "1e+", "1e-",  "1e+-1", " 1",
        "1 ", "1x", "--1", "+-1", "0x10", "nan", "inf", "1.2.3", "1,5", "1e5.", "1e5e5"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double value = -12345;
        if (!CHECK(!number_read(texts[k], &value) && value == -12345))
            printf("    accepted: '%s'\n", texts[k]);
    }
}

/* Checks that `value` is written as printf does it. */
static int agrees_with_printf(double value)
{
    char text[NUMBER_DECIMALS_SIZE];
    char expected[TEXT_SIZE];
    size_t length = number_write_decimals(text, value);
    if (snprintf(expected, sizeof expected, "%.6f", value) == (int)length &&
        memcmp(text, expected, length) == 0)
        return 1;
    printf("    %a is written as '%.*s' instead of '%s'\n", value, (int)length, text, expected);
    return 0;
}

/* The same for a value, its two neighbours, and its negative. */
static int agrees_around(double value)
{
    return agrees_with_printf(value) && agrees_with_printf(nextafter(value, -INFINITY)) &&
           agrees_with_printf(nextafter(value, (double)INFINITY)) && agrees_with_printf(-value);
}

static void test_writing_what_printf_writes(void)
{
    struct random random = {5};
    for (int k = 0; k < ROUNDS; k++) {
        CHECK(agrees_with_printf(random_coordinate(&random)));
        CHECK(agrees_with_printf(random_double(&random)));
    }
}

static void test_writing_ties(void)
{
    struct random random = {6};
    for (int k = 0; k < 60; k++)
        CHECK(agrees_around(ldexp(1, -k)) && agrees_around(3 * ldexp(1, -k)));
    for (int k = 0; k < ROUNDS; k++) {
        double whole = floor(random_uniform(&random) * pow(10, (double)(k % 16)));
        CHECK(agrees_around((whole + 0.5) * 1e-6));  /* as near a tie as a double comes */
        CHECK(agrees_around((2 * whole + 1) / 128)); /* seven decimals, the last a 5: a tie */
    }
}

static void test_writing_boundaries(void)
{
    static const double values[] = {0.0,
                                    1.0,
                                    0.9999995,
                                    0.99999949999999,
                                    9.9999995,
                                    1e6,
                                    0x1p52,
                                    0x1p53,
                                    0x1p63,
                                    0x1p64,
                                    1e22,
                                    1e40,
                                    DBL_MAX,
                                    DBL_MIN,
                                    4.9e-324,
                                    0x1p-11,
                                    0x1p-12,
                                    0x1p-64,
                                    0x1p-65,
                                    5e-7,
                                    4.9999e-7,
                                    1e-300,
                                    4503599627370495.5,
                                    9007199254740991.0};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++)
        CHECK(agrees_around(values[k]));
    CHECK(agrees_with_printf((double)INFINITY) && agrees_with_printf(-(double)INFINITY));
    CHECK(agrees_with_printf((double)NAN));
}

static void test_writing_whole_numbers(void)
{
    uint64_t value = 0;
    for (int k = 0; k < 60; k++, value = value * 10 + (uint64_t)k % 10) {
        const uint64_t around[] = {value, value - 1, UINT64_MAX - value, UINT64_C(1) << k};
        for (size_t j = 0; j < 4; j++) {
            char text[NUMBER_WHOLE_SIZE];
            char expected[TEXT_SIZE];
            int length = snprintf(expected, sizeof expected, "%" PRIu64, around[j]);
            CHECK(number_write_whole(text, around[j]) == (size_t)length);
            CHECK(memcmp(text, expected, (size_t)length) == 0);
        }
    }
}

int main(void)
{
    RUN(test_reading_what_files_have);
    RUN(test_reading_any_double);
    RUN(test_reading_random_strings);
    RUN(test_reading_halfway_cases);
    RUN(test_reading_boundaries);
    RUN(test_what_is_not_a_plain_number_is_left_alone);
    RUN(test_writing_what_printf_writes);
    RUN(test_writing_ties);
    RUN(test_writing_boundaries);
    RUN(test_writing_whole_numbers);
    return check_finish();
}
