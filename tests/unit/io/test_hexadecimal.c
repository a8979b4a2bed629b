/* Tests of hexadecimal floating-point numbers, against the C library's. */
#include "check.h"
#include "io/hexadecimal.h"
#include "random_system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether a number is written as printf("%a") and strtod have it, and read back. */
static int goes_round(double value)
{
    char text[HEXADECIMAL_SIZE + 1];
    double back = 0;
    size_t length = hexadecimal_write(text, value);
    text[length] = '\0';
    return length <= HEXADECIMAL_SIZE && same_bits(strtod(text, NULL), value) &&
           hexadecimal_read(text, &back) && same_bits(back, value);
}

static int is_written(double value, const char *expected)
{
    char text[HEXADECIMAL_SIZE];
    size_t length = hexadecimal_write(text, value);
    return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

static void test_known_numbers(void)
{
    CHECK(is_written(0, "0x0p+0") && is_written(-0.0, "-0x0p+0"));
    CHECK(is_written(1, "0x1p+0") && is_written(-12, "-0x1.8p+3"));
    CHECK(is_written(0.1, "0x1.999999999999ap-4"));
    CHECK(is_written(DBL_MAX, "0x1.fffffffffffffp+1023") && is_written(DBL_MIN, "0x1p-1022"));
    CHECK(is_written(-nextafter(DBL_MIN, 1), "-0x1.0000000000001p-1022"));
    CHECK(is_written(nextafter(0, 1), "0x0.0000000000001p-1022"));
    CHECK(is_written(nextafter(DBL_MIN, 0), "0x0.fffffffffffffp-1022"));
}

static void test_all_sorts_of_numbers(void)
{
    const double odd[] = {
        0,   -0.0, 1,    -1,    DBL_MAX, -DBL_MAX, DBL_MIN, DBL_MIN / 2, nextafter(0, 1),
        0.1, 1e9,  1e99, 1e-99, 1e300};
    struct random random = {1};
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++)
        CHECK(goes_round(odd[k]));
    for (int k = 0; k < 100000; k++) {
        uint64_t bits = (uint64_t)random_below(&random, (size_t)1 << 32) << 32 |
                        random_below(&random, (size_t)1 << 32);
        bits &= k % 3 ? ~(uint64_t)0 : ~(uint64_t)0 << random_below(&random, 52);
        double value;
        memcpy(&value, &bits, sizeof value);
        CHECK(!isfinite(value) || goes_round(value));
    }
}

static void test_nothing_else_is_read(void)
{
    static const char *const others[] = {"",
                                         "0x",
                                         "-",
                                         "1",
                                         "0x1",
                                         "0x1p",
                                         "0x1p+",
                                         "0x1p0",
                                         "0x1p+00",
                                         "0x1p+01",
                                         "0x1p-0",
                                         "0x1.p+0",
                                         "0x1.0p+0",
                                         "0x1.80p+0",
                                         "0x2p+0",
                                         "0X1p+0",
                                         "0x1P+0",
                                         "0x1.Ap+0",
                                         "+0x1p+0",
                                         " 0x1p+0",
                                         "0x1p+0 ",
                                         "0x0p+1",
                                         "0x0p-1022",
                                         "0x0.8p+0",
                                         "0x0.8p-1021",
                                         "0x1p+1024",
                                         "0x1p-1023",
                                         "0x1p+99999999999",
                                         "inf",
                                         "nan",
                                         "0x1.00000000000001p+0",
                                         "--0x1p+0",
                                         "0x1p++1",
                                         "0x1p+1x",
                                         "0x1.gp+0"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        double value = 7;
        CHECK(!hexadecimal_read(others[k], &value) && value == 7);
    }
}

static void test_digits(void)
{
    static const char digits[] = "0123456789abcdef";
    for (int code = 0; code < 256; code++) {
        const char *place = code > 0 ? strchr(digits, code) : NULL;
        CHECK(hexadecimal_digit((char)code) == (place ? (unsigned)(place - digits) : 16));
    }
}

int main(void)
{
    RUN(test_digits);
    RUN(test_known_numbers);
    RUN(test_all_sorts_of_numbers);
    RUN(test_nothing_else_is_read);
    return check_finish();
}
