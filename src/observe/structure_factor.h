/*
 * The structure factor S(k) = |sum of exp(i k.r) over all particles|^2 / N, of the wave vectors
 * that fit the box, k = 2 pi (m / Lx, n / Ly) with whole m and n: its mean in shells of |k|. Along
 * an axis with walls m or n is 0; without a periodic axis there is none.
 */
#ifndef PARTICLES_STRUCTURE_FACTOR_H
#define PARTICLES_STRUCTURE_FACTOR_H

#include "block_sums.h"
#include "frame.h"

struct structure_factor {
    size_t shells; /* up to k = 8 pi / diameter */
    double width;  /* of a shell, 1 / length */
    double pitch_x,
        pitch_y;  /* of the wave vectors, 1 / length; INFINITY along an axis with walls */
    size_t count; /* of wave vectors */
    size_t capacity;
    struct wave *waves;    /* owned */
    struct phases *phases; /* those of some particles; owned */
    double *sums;          /* of exp(i k.r), real and imaginary parts by turns; owned */
    struct block_sums
        blocks; /* for each shell the sum of S, and then for each how many were added */
};

/*
 * Chooses wave vectors: all of the first shells, and from the other shells a sample. `diameter` is
 * the mean one, or for points their mean spacing. Returns STATUS_DONE or STATUS_NO_MEMORY; in any
 * case structure_factor_free frees it.
 */
enum status structure_factor_create(struct structure_factor *factor, const struct frame *frame,
                                    double diameter, struct error *error);
void structure_factor_free(struct structure_factor *factor);

/* Adds a frame to a block. */
void structure_factor_add(struct structure_factor *factor, const struct frame *frame, int block);

/* S in a shell; not determined if no wave vector is in it. */
struct estimate structure_factor_value(const struct structure_factor *factor, size_t shell);

#endif
