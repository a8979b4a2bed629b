/*
 * Random numbers that are the same on every machine for the same seed. The generator is
 * xoshiro256** (D. Blackman and S. Vigna, Scrambled linear pseudorandom number generators, ACM
 * Transactions on Mathematical Software 47, 2021); its state is filled by splitmix64 (G. L. Steele,
 * D. Lea and C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
 */
#ifndef PARTICLES_RANDOM_H
#define PARTICLES_RANDOM_H

#include <stdint.h>

/* The state of a sequence of random numbers; set by random_seed. */
struct random_generator {
    uint64_t state[4]; /* not all of them 0 */
};

/* Begins the sequence that belongs to `seed`; every value is a seed, and all are equally good. */
void random_seed(struct random_generator *generator, uint64_t seed);

/* The next 64 random bits. The sequence repeats itself after 2^256 - 1 of them. */
uint64_t random_next(struct random_generator *generator);

/* A uniform number in [0, 1), a multiple of 2^-53. */
double random_unit(struct random_generator *generator);

/* Begins a sequence for `seed`, a particle's number `owner`, and the number of draws that it has
 * made, `draw`: so the numbers of a particle do not depend on other particles. */
void random_seed_draw(struct random_generator *generator, uint64_t seed, uint32_t owner,
                      uint32_t draw);

/* The bits of a number mixed, one to one: the next output of splitmix64 in this state. */
uint64_t random_mix(uint64_t k);

/* A point uniform in the disc of radius 1 around the origin, rim excluded. */
void random_in_disc(struct random_generator *generator, double *x, double *y);

/* Two independent numbers from the normal distribution of mean 0 and variance 1. */
void random_normal(struct random_generator *generator, double *x, double *y);

#endif
