/* Tests of decimal numbers: how they look, and that they read back exactly. */
#include "base/random.h"
#include "check.h"
#include "io/decimal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static int is_written(const struct decimals *decimals, double value, const char *expected)
{
    char text[DECIMALS_TEXT_SIZE];
    size_t length = decimals_write(decimals, value, text);
    return length == strlen(expected) && strcmp(text, expected) == 0;
}

static void test_the_choice(void)
{
    CHECK(decimals_choose(1, 1000).places == 0 && decimals_choose(1, 1000).scale == 1);
    CHECK(decimals_choose(1e-3, 1000).places == 3 && decimals_choose(1e-3, 1000).scale == 1000);
    CHECK(decimals_choose(0.5e-3, 1000).places == 4);
    CHECK(decimals_choose(1e6, 1e12).places == 0);
    CHECK(decimals_choose(1e-9, 9e9).places == 5); /* no more than 15 digits */
    CHECK(decimals_choose(1e-22, 1e-10).places == 22);
    CHECK(decimals_choose(1e-24, 1e-10).scale == 0);
    CHECK(decimals_choose(1, 1e15).scale == 0);
    CHECK(decimals_choose(1e30, 1e40).scale == 0);
}

static void test_how_numbers_look(void)
{
    const struct decimals three = decimals_choose(1e-3, 1e6);
    CHECK(is_written(&three, 0, "0"));
    CHECK(is_written(&three, 1, "1"));
    CHECK(is_written(&three, 10, "10"));
    CHECK(is_written(&three, 120.5, "120.5"));
    CHECK(is_written(&three, -0.05, "-0.05"));
    CHECK(is_written(&three, 0.001, "0.001"));
    CHECK(is_written(&three, -999999.999, "-999999.999"));
    CHECK(is_written(&three, 0.0001, "0.0001")); /* not one of them */
    CHECK(is_written(&three, 1e30, "1e+30"));
    CHECK(is_written(&three, 1.0 / 3, "0.3333333333333333"));
    CHECK(is_written(&three, 0.1 + 0.2, "0.30000000000000004"));
    const struct decimals none = {0};
    CHECK(is_written(&none, 0.1, "0.1"));
    CHECK(is_written(&none, -DBL_MAX, "-1.7976931348623157e+308"));
}

static void test_decimals_read_back_exactly(void)
{
    struct random_generator generator;
    random_seed(&generator, 1);
    for (int places = 0; places <= 22; places++) {
        double step = 1;
        for (int k = 0; k < places; k++)
            step /= 10;
        double largest = 9e14 * step;
        const struct decimals decimals = decimals_choose(step * 1.001, largest);
        CHECK(decimals.places == places);
        for (int k = 0; k < 500; k++) {
            char text[DECIMALS_TEXT_SIZE];
            double size = k % 2 ? largest : largest / 1e9;
            double value = size * (2 * random_unit(&generator) - 1);
            double rounded = decimals_round(&decimals, value);
            CHECK(rounded - value <= step && value - rounded <= step);
            CHECK(decimals_write(&decimals, rounded, text) <= 25);
            CHECK(strtod(text, NULL) == rounded);
            CHECK(strchr(text, 'e') == NULL); /* the quick way */
            decimals_write(&decimals, value, text);
            CHECK(strtod(text, NULL) == value);
        }
    }
}

int main(void)
{
    RUN(test_the_choice);
    RUN(test_how_numbers_look);
    RUN(test_decimals_read_back_exactly);
    return check_finish();
}
