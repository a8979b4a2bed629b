/*
 * Sums of very many terms: 10^9 collisions added up naively would cost nine of a double's sixteen
 * digits in the worst case. A compensated sum collects what each addition rounds off, exactly, and
 * so is as good as one in twice the precision (T. Ogita, S. Rump and S. Oishi, Accurate sum and
 * dot product, SIAM J. Sci. Comput. 26, 2005, algorithm 4.4 Sum2; the exact error of one addition
 * is D. Knuth's). It takes six additions instead of one, and no branch.
 */
#ifndef PARTICLES_SUM_H
#define PARTICLES_SUM_H

/* A sum so far; {0} is empty. */
struct sum {
    double rounded; /* as plain additions give it */
    double rest;    /* what they have rounded off */
};

static inline void sum_add(struct sum *sum, double term)
{
    double before = sum->rounded;
    double after = before + term;
    double added = after - before;
    sum->rest += (before - (after - added)) + (term - added);
    sum->rounded = after;
}

static inline double sum_value(const struct sum *sum)
{
    return sum->rounded + sum->rest;
}

#endif
