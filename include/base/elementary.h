/*
 * The exponential, the logarithm, and cosine and sine, the same to the last bit on every machine:
 * those of the C library may differ in it. They are made of additions, multiplications and exact
 * operations in one order, and are right to a few units in the last place.
 */
#ifndef PARTICLES_ELEMENTARY_H
#define PARTICLES_ELEMENTARY_H

/* e^x for x <= 0; 0 where that is less than any normal double. */
double elementary_exp(double x);

/* The natural logarithm of a positive, finite, normal number. */
double elementary_log(double x);

/* cos(2 pi turns) and sin(2 pi turns), for any finite number of turns. */
void elementary_turn(double turns, double *cosine, double *sine);

#endif
