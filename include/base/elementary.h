/* The length of a vector, the exponential, the logarithm, cosine and sine, and long sums, the same
 * to the last bit on every machine: functions of C libraries may differ in it. They consist of
 * exact and rounded operations in one order, and are right to a few units in the last place. */
#ifndef PARTICLES_ELEMENTARY_H
#define PARTICLES_ELEMENTARY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define PI 3.14159265358979323846

/* The order of two numbers, lower first, for qsort; also of structs that begin with them. */
int elementary_compare(const void *one, const void *other);

/* Sorts numbers, which mostly are few and nearly in order. */
void elementary_sort_numbers(uint32_t *numbers, size_t count);

/* The length of a vector, also where squares of its components vanish; NaN of two NaNs. */
static inline double elementary_length(double x, double y)
{
    const int is_steep = fabs(y) > fabs(x);
    const double larger = fabs(is_steep ? y : x);
    const double ratio = fabs(is_steep ? x : y) / larger;
    return larger == 0 ? 0 : larger * sqrt(1 + ratio * ratio);
}

/* e^x for x <= 0; 0 where that is less than any normal double. */
double elementary_exp(double x);

/* (1 - e^-x) / x, the mean of e^-t for t from 0 to x, from x = 0. */
double elementary_mean_decay(double x);

/* The natural logarithm of a positive, finite, normal number. */
double elementary_log(double x);

/* cos(2 pi turns) and sin(2 pi turns), for any finite number of turns. */
void elementary_turn(double turns, double *cosine, double *sine);

/*
 * Sums of very many terms: 10^9 collisions added up naively would cost nine of a double's sixteen
 * digits in the worst case. A compensated sum collects what each addition rounds off, exactly, and
 * so is as accurate as a sum in twice the precision (T. Ogita, S. Rump and S. Oishi, Accurate sum
 * and dot product, SIAM J. Sci. Comput. 26, 2005, algorithm 4.4 Sum2; the exact error of one
 * addition is D. Knuth's). It takes six additions instead of one, and no branch.
 */

/* A sum so far; {0} is empty. */
struct sum {
    double rounded; /* as plain additions give it */
    double rest;    /* the rounding errors */
};

/* a + b, exactly. */
static inline struct sum sum_of_two(double a, double b)
{
    const double sum = a + b;
    const double added = sum - a;
    return (struct sum){sum, (a - (sum - added)) + (b - added)};
}

/* a b, exactly (T. Dekker 1971), where nothing under- or overflows. */
static inline struct sum sum_of_product(double a, double b)
{
    const double product = a * b;
    return (struct sum){product, fma(a, b, -product)};
}

static inline void sum_add(struct sum *sum, double term)
{
    const struct sum next = sum_of_two(sum->rounded, term);
    sum->rest += next.rest;
    sum->rounded = next.rounded;
}

static inline double sum_value(const struct sum *sum)
{
    return sum->rounded + sum->rest;
}

#endif
