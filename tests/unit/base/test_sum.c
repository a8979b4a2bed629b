/* Tests of the compensated sum. */
#include "base/elementary.h"
#include "check.h"

TEST(what_addition_rounds_off_is_kept)
{
    struct sum sum = {0};
    sum_add(&sum, 1e16);
    for (int k = 0; k < 1000; k++)
        sum_add(&sum, 1); /* each rounds to nothing, or to 2, in a plain sum */
    sum_add(&sum, -1e16);
    CHECK(sum_value(&sum) == 1000);
}

TEST(a_large_term_after_small_ones)
{
    struct sum sum = {0};
    sum_add(&sum, 1);
    sum_add(&sum, 1e17);
    sum_add(&sum, -1e17);
    CHECK(sum_value(&sum) == 1);
}

TEST(many_terms)
{
    struct sum sum = {0};
    double plain = 0;
    for (int k = 0; k < 1000000; k++) {
        sum_add(&sum, 0.1);
        plain += 0.1;
    }
    CHECK(fabs(sum_value(&sum) - 100000) <= 2e-11);
    CHECK(fabs(plain - 100000) > 1e-7); /* what it is good for */
}

TEST(nothing)
{
    const struct sum sum = {0};
    CHECK(sum_value(&sum) == 0);
}
