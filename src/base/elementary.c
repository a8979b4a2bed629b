/* Elementary functions, from a few terms of their series near 0; see elementary.h. */
#include "base/elementary.h"

#include <math.h>
#include <stdlib.h>

/* ln 2 as a sum: the first has so few digits that its products with exponents are exact. */
static const double ln_2_high = 0x1.62e42fefa38p-1;
static const double ln_2_low = 0x1.ef35793c7673p-45;

int elementary_compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* With x = k ln 2 + r and |r| <= ln 2 / 2: 2^k (1 + r (1 + r/2 (1 + r/3 ...))). */
double elementary_exp(double x)
{
    if (!(x >= -708))
        return 0;
    const double k = floor(x / (ln_2_high + ln_2_low) + 0.5);
    const double r = (x - k * ln_2_high) - k * ln_2_low;
    double sum = 1;
    for (int n = 14; n > 0; n--)
        sum = 1 + r * sum / n;
    return ldexp(sum, (int)k);
}

/* With x = 2^k m and m near 1: k ln 2 + 2 artanh z, z = (m - 1) / (m + 1), |z| < 0.172, and
 * artanh z = z + z^3/3 + z^5/5 ... */
double elementary_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752) {
        m *= 2;
        k--;
    }
    const double z = (m - 1) / (m + 1);
    double sum = 0;
    for (int n = 23; n > 0; n -= 2)
        sum = sum * z * z + 1.0 / n;
    return k * ln_2_high + (k * ln_2_low + 2 * z * sum);
}

/* With the angle q pi / 2 + r and |r| <= pi / 4: the series of r, then q rotations. */
void elementary_turn(double turns, double *cosine, double *sine)
{
    const double part = turns - floor(turns + 0.5);
    const double q = floor(4 * part + 0.5);
    const double r = 2 * PI * (part - q / 4);
    double c = 1, s = 1;
    for (int n = 15; n > 0; n -= 2) { /* the divisions are of constants */
        c = 1 - r * r * (1.0 / (n * (n + 1))) * c;
        s = 1 - r * r * (1.0 / ((n + 1) * (n + 2))) * s;
    }
    s *= r;
    *cosine = q == 0 ? c : q == 1 ? -s : q == -1 ? s : -c;
    *sine = q == 0 ? s : q == 1 ? c : q == -1 ? -c : -s;
}

/* Where x is small, the difference would cancel: there by its series. */
double elementary_mean_decay(double x)
{
    double sum = 1;
    if (x > 0.125)
        return (1 - elementary_exp(-x)) / x;
    for (int n = 12; n > 1; n--)
        sum = 1 - x / n * sum;
    return sum;
}

static int compare_numbers(const void *a, const void *b)
{
    return (*(const uint32_t *)a > *(const uint32_t *)b) -
           (*(const uint32_t *)a < *(const uint32_t *)b);
}

void elementary_sort_numbers(uint32_t *numbers, size_t count)
{
    enum { FEW = 64 };
    if (count > FEW) {
        qsort(numbers, count, sizeof *numbers, compare_numbers);
        return;
    }
    for (size_t k = 1; k < count; k++) {
        const uint32_t number = numbers[k];
        size_t n = k;
        for (; n > 0 && numbers[n - 1] > number; n--)
            numbers[n] = numbers[n - 1];
        numbers[n] = number;
    }
}
