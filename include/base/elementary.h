/* The length of a vector, the exponential, the logarithm, and cosine and sine, the same to the last
 * bit on every machine: functions of C libraries may differ in it. They consist of exact and
 * rounded operations in one order, and are right to a few units in the last place. */
#ifndef PARTICLES_ELEMENTARY_H
#define PARTICLES_ELEMENTARY_H

#include <math.h>

#define PI 3.14159265358979323846

/* The order of two numbers, lower first, for qsort; also of structs that begin with them. */
int elementary_compare(const void *one, const void *other);

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

#endif
