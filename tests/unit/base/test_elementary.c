/* Tests of the elementary functions: against those of the C library, and where they are exact. */
#include "base/elementary.h"

#include "check.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

/* The difference in units of the second number's rounding. */
static double off(double value, double expected)
{
    return fabs(value - expected) / (DBL_EPSILON * fabs(expected));
}

TEST(the_exponential)
{
    double worst = 0;
    for (double x = 0; x > -708; x -= 0.0137)
        worst = fmax(worst, off(elementary_exp(x), exp(x)));
    CHECK(worst < 4);
    CHECK(elementary_exp(0) == 1 && elementary_exp(-0.0) == 1 && elementary_exp(-1e-300) == 1);
    CHECK(elementary_exp(-709) == 0 && elementary_exp(-(double)INFINITY) == 0);
    CHECK(elementary_exp((double)NAN) == 0);
}

TEST(the_logarithm)
{
    double worst = 0;
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        worst = fmax(worst, off(elementary_log(x), log(x)));
    for (double x = 0.5; x < 2; x += 0.00137)
        worst = fmax(worst, off(elementary_log(x), log(x)));
    CHECK(worst < 4);
    CHECK(elementary_log(1) == 0);
    CHECK(off(elementary_log(1 + DBL_EPSILON), DBL_EPSILON) < 1);
}

TEST(mean_decays)
{
    double worst = 0;
    for (double x = 1e-9; x < 100; x *= 1.01)
        worst = fmax(worst, off(elementary_mean_decay(x), -expm1(-x) / x));
    CHECK(worst < 8);
    CHECK(elementary_mean_decay(0) == 1);
}

TEST(turns)
{
    double c, s;
    double worst = 0;
    for (double turns = -3; turns < 3; turns += 0.00137) {
        elementary_turn(turns, &c, &s);
        const double angle = 2 * pi * (turns - floor(turns + 0.5));
        worst = fmax(worst, fmax(fabs(c - cos(angle)), fabs(s - sin(angle))));
    }
    CHECK(worst < 4 * DBL_EPSILON);
    for (int quarter = -9; quarter < 9; quarter++) {
        elementary_turn(quarter / 4.0, &c, &s);
        CHECK(c == (quarter % 2 ? 0 : quarter % 4 ? -1 : 1));
        CHECK(s == (quarter % 2 == 0 ? 0 : (quarter + 100) % 4 == 1 ? 1 : -1));
    }
    elementary_turn(1e300, &c, &s);
    CHECK(c == 1 && s == 0);
}
