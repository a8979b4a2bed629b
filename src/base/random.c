/* Random numbers; see random.h. No compiler and no library can change a sequence. */
#include "base/random.h"

#include "base/elementary.h"

#include <math.h>

/* The next output of splitmix64. */
static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_mix(uint64_t k)
{
    return splitmix(&k);
}

void random_seed(struct random_generator *generator, uint64_t seed)
{
    /* Four outputs in a row are all different, so they cannot all be 0. */
    for (int k = 0; k < 4; k++)
        generator->state[k] = splitmix(&seed);
}

void random_seed_draw(struct random_generator *generator, uint64_t seed, uint32_t owner,
                      uint32_t draw)
{
    uint64_t state = splitmix(&seed) ^ ((uint64_t)owner << 32 | draw);
    random_seed(generator, splitmix(&state));
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

uint64_t random_next(struct random_generator *generator)
{
    uint64_t *s = generator->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_unit(struct random_generator *generator)
{
    return (double)(random_next(generator) >> 11) * 0x1p-53;
}

void random_in_disc(struct random_generator *generator, double *x, double *y)
{
    do {
        *x = 2 * random_unit(generator) - 1;
        *y = 2 * random_unit(generator) - 1;
    } while (*x * *x + *y * *y >= 1);
}

/* The polar method (G. Marsaglia and T. A. Bray, A convenient method for generating normal
 * variables, SIAM Review 6, 1964). */
void random_normal(struct random_generator *generator, double *x, double *y)
{
    double square;
    do {
        random_in_disc(generator, x, y);
        square = *x * *x + *y * *y;
    } while (square == 0);
    const double factor = sqrt(-2 * elementary_log(square) / square);
    *x *= factor;
    *y *= factor;
}
