/*
 * Sums of very many terms: 10^9 collisions added up naively would cost nine of a double's sixteen
 * digits in the worst case. A compensated sum collects what each addition rounds off, exactly, and
 * so is as accurate as a sum in twice the precision (T. Ogita, S. Rump and S. Oishi, Accurate sum
 * and dot product, SIAM J. Sci. Comput. 26, 2005, algorithm 4.4 Sum2; the exact error of one
 * addition is D. Knuth's). It takes six additions instead of one, and no branch.
 */
#ifndef PARTICLES_SUM_H
#define PARTICLES_SUM_H

#include <math.h>

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
