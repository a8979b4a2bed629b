/* Tests of numbers to text and back, mostly by comparison with the C library. */
#include "check.h"
#include "io/number.h"

#include <float.h>
#include <inttypes.h>

enum { ROUNDS = 4000, TEXT_SIZE = 400 };

/* Any double at all; NaN and infinity are among them. */
static double random_double(struct random_generator *random)
{
    uint64_t bits = random_next(random);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A double as files have them: of any of 28 orders of magnitude, or of just one. */
static double random_coordinate(struct random_generator *random)
{
    double value = 2000 * random_unit(random) - 1000;
    if (random_below(random, 2) == 0)
        value *= pow(10, 28 * random_unit(random) - 15);
    return value;
}

/* Reads all of `text` as a number. */
static int is_read(const char *text, double *value)
{
    double number;
    const char *end = number_read(text, &number);
    if (!end || *end != '\0')
        return 0;
    *value = number;
    return 1;
}

/* Checks that `text` reads as strtod has it, to the last bit, or is left to it. */
static int agrees_with_strtod(const char *text)
{
    const double untouched = -12345;
    double value = untouched;
    char *end;
    double expected = strtod(text, &end);
    if (!is_read(text, &value))
        return value == untouched;
    if (end != text && *end == '\0' && memcmp(&value, &expected, sizeof value) == 0)
        return 1;
    printf("    '%s' reads as %a instead of %a\n", text, value, expected);
    return 0;
}

/* Whether a number is read as strtod reads it, and without calling it. */
static int is_read_fast(const char *text)
{
    double value;
    return is_read(text, &value) && agrees_with_strtod(text);
}

RANDOM_TEST(reading_what_files_have, 1)
{
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        double value = random_coordinate(random);
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

RANDOM_TEST(reading_any_double, 2)
{
    static const char *const formats[] = {"%.17g", "%.16g", "%.15g", "%.18e", "%g", "%a"};
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        snprintf(text, sizeof text, formats[k % 6], random_double(random));
        CHECK(agrees_with_strtod(text));
    }
}

static char *append_digits(char *text, struct random_generator *random, size_t count)
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
RANDOM_TEST(reading_random_strings, 3)
{
    char text[TEXT_SIZE];
    int fast = 0;
    for (int k = 0; k < 4 * ROUNDS; k++) {
        char *end = text;
        double value;
        if (random_below(random, 2))
            *end++ = "+-"[random_below(random, 2)];
        end = append_zeros(end, random_below(random, 3));
        end = append_digits(end, random, random_below(random, 14));
        if (random_below(random, 4))
            *end++ = '.';
        end = append_zeros(end, random_below(random, 3) ? 0 : random_below(random, 12));
        end = append_digits(end, random, random_below(random, 12));
        end = append_zeros(end, random_below(random, 3));
        *end = '\0';
        if (random_below(random, 2))
            snprintf(end, 16, "%c%+d", "eE"[random_below(random, 2)],
                     (int)random_below(random, 80) - 40);
        CHECK(agrees_with_strtod(text));
        fast += is_read(text, &value);
    }
    CHECK(fast > ROUNDS);
}

/* Numbers half-way between two doubles, exactly or as nearly as doubles allow. */
RANDOM_TEST(reading_halfway_cases, 4)
{
    char text[TEXT_SIZE];
    for (int k = 0; k < ROUNDS; k++) {
        /* middle / 2^power = middle * 5^power / 10^power, and middle has one bit too many */
        int power = k % 4;
        uint64_t digits = (UINT64_C(1) << 53) | random_next(random) >> 11 | 1;
        for (int times = 0; times < power; times++)
            digits *= 5;
        for (uint64_t neighbour = digits - 1; neighbour <= digits + 1; neighbour++) {
            snprintf(text, sizeof text, "%" PRIu64 "e-%d", neighbour, power);
            CHECK(is_read_fast(text));
        }
        double value = random_coordinate(random);
        long double middle = ((long double)value + (long double)nextafter(value, 1e300)) / 2;
        snprintf(text, sizeof text, "%.*Lg", 16 + k % 3, middle);
        CHECK(agrees_with_strtod(text));
    }
}

TEST(reading_boundaries)
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
    for (size_t k = 0; k < LENGTH(texts); k++)
        CHECK(agrees_with_strtod(texts[k]));
    double value = 1;
    CHECK(is_read("-0", &value) && value == 0 && signbit(value));
}

TEST(what_is_not_a_plain_number_is_left_alone)
{
    static const char *const texts[] = {
        "",   "-",  "+",   ".",   "-.",   "e5",  ".e5", "1e",    "1e+", "1e-",  "1e+-1", " 1",
        "1 ", "1x", "--1", "+-1", "0x10", "nan", "inf", "1.2.3", "1,5", "1e5.", "1e5e5"};
    for (size_t k = 0; k < LENGTH(texts); k++) {
        double value = -12345;
        if (!CHECK(!is_read(texts[k], &value) && value == -12345))
            printf("    accepted: '%s'\n", texts[k]);
    }
}

/* Checks that `value` is written as printf does it. */
static int agrees_with_printf(double value)
{
    char text[NUMBER_FIXED_SIZE];
    char expected[TEXT_SIZE];
    size_t length = number_write_fixed(text, value);
    if (snprintf(expected, sizeof expected, "%.6f", value) == (int)length &&
        strcmp(text, expected) == 0)
        return 1;
    printf("    %a is written as '%s' instead of '%s'\n", value, text, expected);
    return 0;
}

/* Checks a value, its two neighbours, and its negative. */
static int agrees_around(double value)
{
    return agrees_with_printf(value) && agrees_with_printf(nextafter(value, -INFINITY)) &&
           agrees_with_printf(nextafter(value, (double)INFINITY)) && agrees_with_printf(-value);
}

RANDOM_TEST(writing_six_places, 5)
{
    for (int k = 0; k < ROUNDS; k++) {
        CHECK(agrees_with_printf(random_coordinate(random)));
        CHECK(agrees_with_printf(random_double(random)));
    }
}

RANDOM_TEST(writing_ties_of_six_places, 6)
{
    for (int k = 0; k < 60; k++)
        CHECK(agrees_around(ldexp(1, -k)) && agrees_around(3 * ldexp(1, -k)));
    for (int k = 0; k < ROUNDS; k++) {
        double whole = floor(random_unit(random) * pow(10, (double)(k % 16)));
        CHECK(agrees_around((whole + 0.5) * 1e-6));  /* as near a tie as a double comes */
        CHECK(agrees_around((2 * whole + 1) / 128)); /* seven decimals, the last a 5: a tie */
    }
}

TEST(writing_boundaries_of_six_places)
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
    for (size_t k = 0; k < LENGTH(values); k++)
        CHECK(agrees_around(values[k]));
    CHECK(agrees_with_printf((double)INFINITY) && agrees_with_printf(-(double)INFINITY));
    CHECK(agrees_with_printf((double)NAN));
}

TEST(writing_whole_numbers)
{
    uint64_t value = 0;
    for (int k = 0; k < 60; k++, value = value * 10 + (uint64_t)k % 10) {
        const uint64_t around[] = {value, value - 1, UINT64_MAX - value, UINT64_C(1) << k};
        for (size_t j = 0; j < 4; j++) {
            char text[NUMBER_WHOLE_SIZE];
            char expected[TEXT_SIZE];
            int length = snprintf(expected, sizeof expected, "%" PRIu64, around[j]);
            CHECK(number_write_whole(text, around[j]) == (size_t)length);
            CHECK(strcmp(text, expected) == 0);
        }
    }
}

static int rounds(void)
{
    return check_is_thorough() ? 400000 : 40000;
}

static double random_sign(struct random_generator *random)
{
    return random_below(random, 2) ? 1 : -1;
}

/* Any finite double at all; every second one has a short significand, as round numbers have. */
static double random_short_double(struct random_generator *random)
{
    double value = ldexp(0.5 + random_unit(random) / 2, (int)random_below(random, 2096) - 1072);
    if (random_below(random, 2)) {
        int exponent;
        double significand = frexp(value, &exponent);
        double scale = ldexp(1, (int)random_below(random, 53));
        value = ldexp(floor(significand * scale) / scale, exponent);
    }
    return random_sign(random) * value;
}

/* A number of few decimal digits, or the double beside it. */
static double random_decimal(struct random_generator *random)
{
    char text[TEXT_SIZE];
    double digits = floor(random_unit(random) * pow(10, 1 + (double)random_below(random, 17)));
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

/* Checks that a number reads back to the bit, and is what printf writes with 15 or 17 digits. */
static int is_written_well(double value)
{
    char text[TEXT_SIZE];
    char expected[TEXT_SIZE];
    double back;
    for (int digits = 15; digits <= 17; digits += 2) {
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        if (strtod(expected, NULL) == value)
            break;
    }
    memset(text, '!', sizeof text);
    size_t length = number_write_shortest(text, value);
    int is_within = length < NUMBER_SHORTEST_SIZE && text[NUMBER_SHORTEST_SIZE] == '!';
    back = strtod(text, NULL);
    if (is_within && text[length] == '\0' && memcmp(&back, &value, sizeof value) == 0 &&
        strcmp(text, expected) == 0)
        return 1;
    printf("    %a is written as '%s' instead of '%s'\n", value, text, expected);
    return 0;
}

static int is_written_well_around(double value)
{
    return is_written_well(value) && is_written_well(nextafter(value, -INFINITY)) &&
           is_written_well(nextafter(value, (double)INFINITY)) && is_written_well(-value);
}

RANDOM_TEST(shortest_random_numbers, 21)
{
    for (int k = 0; k < rounds(); k++) {
        CHECK(is_written_well(random_short_double(random)));
        CHECK(is_written_well(random_coordinate(random)));
        CHECK(is_written_well(random_decimal(random)));
    }
}

RANDOM_TEST(shortest_subnormals, 22)
{
    CHECK(is_written_well(0x1p-1074) && is_written_well(-DBL_MIN));
    for (int k = 0; k < rounds() / 10; k++)
        CHECK(is_written_well(ldexp(floor(random_unit(random) * 0x1p52), -1074)));
}

TEST(shortest_powers)
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
TEST(shortest_ties)
{
    for (double value = 600000000000000.125; value < 600000000000064; value += 0.125)
        CHECK(is_written_well(value));
    for (double value = 70000000000000 + 0x1p-6; value < 70000000000004; value += 0x1p-6)
        CHECK(is_written_well(value));
}

static int is_shortest(double value, const char *expected)
{
    char text[NUMBER_SHORTEST_SIZE];
    return number_write_shortest(text, value) == strlen(expected) && strcmp(text, expected) == 0;
}

TEST(how_shortest_numbers_look)
{
    CHECK(is_shortest(0, "0") && is_shortest(-0.0, "-0"));
    CHECK(is_shortest(1, "1") && is_shortest(-20, "-20") && is_shortest(123456, "123456"));
    CHECK(is_shortest(0.1, "0.1") && is_shortest(0.1 + 0.2, "0.30000000000000004"));
    CHECK(is_shortest(1e14, "100000000000000") && is_shortest(1e15, "1e+15"));
    CHECK(is_shortest(0.000125, "0.000125") && is_shortest(-0.0000125, "-1.25e-05"));
    CHECK(is_shortest(1e-9, "1e-09") && is_shortest(1e-10, "1e-10"));
}

static int is_decimal(const struct number_decimals *decimals, double value, const char *expected)
{
    char text[NUMBER_SHORTEST_SIZE];
    size_t length = number_write_decimal(text, decimals, value);
    return length == strlen(expected) && strcmp(text, expected) == 0;
}

static int are_chosen(double step, double largest, int places, double scale)
{
    const struct number_decimals decimals = number_choose_decimals(step, largest);
    return decimals.places == places && decimals.scale == scale;
}

TEST(the_choice_of_decimals)
{
    CHECK(are_chosen(1, 1000, 0, 1) && are_chosen(1e6, 1e12, 0, 1));
    CHECK(are_chosen(1e-3, 1000, 3, 1000) && are_chosen(0.5e-3, 1000, 4, 10000));
    CHECK(are_chosen(1e-9, 9e9, 5, 1e5)); /* no more than 15 digits */
    CHECK(are_chosen(1e-22, 1e-10, 22, 1e22));
    CHECK(are_chosen(1e-24, 1e-10, 0, 0)); /* there are none */
    CHECK(are_chosen(1, 1e15, 0, 0) && are_chosen(1e30, 1e40, 0, 0));
}

TEST(how_decimals_look)
{
    const struct number_decimals three = number_choose_decimals(1e-3, 1e6);
    CHECK(is_decimal(&three, 0, "0"));
    CHECK(is_decimal(&three, 1, "1"));
    CHECK(is_decimal(&three, 10, "10"));
    CHECK(is_decimal(&three, 120.5, "120.5"));
    CHECK(is_decimal(&three, -0.05, "-0.05"));
    CHECK(is_decimal(&three, 0.001, "0.001"));
    CHECK(is_decimal(&three, -999999.999, "-999999.999"));
    CHECK(is_decimal(&three, 0.0001, "0.0001")); /* not one of them */
    CHECK(is_decimal(&three, 1e30, "1e+30"));
    CHECK(is_decimal(&three, 1.0 / 3, "0.33333333333333331"));
    CHECK(is_decimal(&three, 0.1 + 0.2, "0.30000000000000004"));
    const struct number_decimals none = {0};
    CHECK(is_decimal(&none, 0.1, "0.1"));
    CHECK(is_decimal(&none, -DBL_MAX, "-1.7976931348623157e+308"));
}

TEST(decimals_read_back_exactly)
{
    struct random_generator generator;
    random_seed(&generator, 1);
    for (int places = 0; places <= 22; places++) {
        double step = 1;
        for (int k = 0; k < places; k++)
            step /= 10;
        double largest = 9e14 * step;
        const struct number_decimals decimals = number_choose_decimals(step * 1.001, largest);
        CHECK(decimals.places == places);
        for (int k = 0; k < 500; k++) {
            char text[NUMBER_SHORTEST_SIZE];
            double size = k % 2 ? largest : largest / 1e9;
            double value = size * (2 * random_unit(&generator) - 1);
            double rounded = number_round(&decimals, value);
            CHECK(rounded - value <= step && value - rounded <= step);
            CHECK(number_write_decimal(text, &decimals, rounded) <= 25);
            CHECK(strtod(text, NULL) == rounded);
            CHECK(strchr(text, 'e') == NULL); /* the quick way */
            number_write_decimal(text, &decimals, value);
            CHECK(strtod(text, NULL) == value);
        }
    }
}
