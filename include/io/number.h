/*
 * Numbers to text and back, as fast as millions of them need it and to the same bit and byte as
 * the C library has it.
 */
#ifndef PARTICLES_NUMBER_H
#define PARTICLES_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads all of `text` if it is a decimal number such as "-12.5e-3" that is short enough for exact
 * arithmetic: up to 18 digits (leading zeros do not count) and a size that is no extreme. Returns
 * 1 with `*value` the nearest double, which is what strtod gives. Returns 0, and leaves `*value`
 * alone, if `text` is anything else: a longer number, perhaps, or none; strtod has to tell.
 */
int number_read(const char *text, double *value);

enum {
    NUMBER_DECIMALS_SIZE = 320, /* room for what number_write_decimals writes: -DBL_MAX has 317 */
    NUMBER_WHOLE_SIZE = 20      /* and number_write_whole: 2^64 - 1 has 20 */
};

/* Writes `value` as printf("%.6f") does, without a byte 0 at its end; returns its length. */
size_t number_write_decimals(char text[NUMBER_DECIMALS_SIZE], double value);

/* The same for a whole number, as printf("%" PRIu64) writes it. */
size_t number_write_whole(char text[NUMBER_WHOLE_SIZE], uint64_t value);

/* The powers of five that fit into 64 bits: 5^0 to 5^27. */
enum { NUMBER_FIVES = 28 };
extern const uint64_t number_fives[NUMBER_FIVES];

#endif
