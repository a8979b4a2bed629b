/*
 * The orientation of three points; see orientation.h. First with a bound of the error, which is
 * enough in nearly all cases; then with all products and sums exact. There a number is a sum of
 * doubles that do not overlap, in the order of their size.
 */
#include "orientation.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { TERMS = 16 }; /* of a determinant: twice 2 x 2 products of two doubles each */

/* a + b, and what it has lost by rounding (Knuth). */
static double add(double a, double b, double *rest)
{
    double sum = a + b;
    double part = sum - a;
    *rest = (a - (sum - part)) + (b - part);
    return sum;
}

/* Puts the four products of (a[0] + a[1]) (b[0] + b[1]), times `sign`, exactly into 8 terms. */
static void multiply(const double a[2], const double b[2], double sign, double terms[TERMS / 2])
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            double product = a[i] * b[j];
            *terms++ = sign * fma(a[i], b[j], -product);
            *terms++ = sign * product;
        }
    }
}

/* The sign of the exact sum: that of its largest part, once no two parts overlap. */
static int find_sign(const double terms[TERMS])
{
    double parts[TERMS];
    for (size_t count = 0; count < TERMS; count++) {
        double sum = terms[count];
        for (size_t k = 0; k < count; k++)
            sum = add(sum, parts[k], &parts[k]);
        parts[count] = sum;
    }
    for (size_t k = TERMS; k > 0; k--)
        if (parts[k - 1] != 0)
            return parts[k - 1] > 0 ? 1 : -1;
    return 0;
}

static int find_exactly(const double a[2], const double b[2], const double c[2])
{
    double terms[TERMS];
    double ux[2], uy[2], vx[2], vy[2]; /* from c to a and to b: the differences, and their rests */
    ux[0] = add(a[0], -c[0], &ux[1]);
    uy[0] = add(a[1], -c[1], &uy[1]);
    vx[0] = add(b[0], -c[0], &vx[1]);
    vy[0] = add(b[1], -c[1], &vy[1]);
    multiply(ux, vy, 1, terms);
    multiply(uy, vx, -1, terms + TERMS / 2);
    return find_sign(terms);
}

int orientation(const double a[2], const double b[2], const double c[2])
{
    const double bound = (3 + 8 * DBL_EPSILON) * (DBL_EPSILON / 2); /* Shewchuk's ccwerrboundA */
    double left = (a[0] - c[0]) * (b[1] - c[1]);
    double right = (a[1] - c[1]) * (b[0] - c[0]);
    double difference = left - right;
    double error = bound * (fabs(left) + fabs(right));
    if (difference > error)
        return 1;
    return difference < -error ? -1 : find_exactly(a, b, c);
}
