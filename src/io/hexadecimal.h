/*
 * Doubles as hexadecimal floating-point numbers, such as -0x1.8p+3 for -12: the exact value, in one
 * way of writing it only, that of glibc's printf("%a"). C and most languages read it.
 */
#ifndef PARTICLES_HEXADECIMAL_H
#define PARTICLES_HEXADECIMAL_H

#include <stddef.h>

enum { HEXADECIMAL_SIZE = 24 }; /* of -0x1.fffffffffffffp-1022, without a byte 0 */

/* Writes a finite `value`, without a byte 0 at the end, and returns the length. */
size_t hexadecimal_write(char text[HEXADECIMAL_SIZE], double value);

/*
 * Reads all of `text`, if it is what hexadecimal_write makes of a number. Returns 1 with `*value`,
 * the very same; or 0.
 */
int hexadecimal_read(const char *text, double *value);

/* The value of a hexadecimal digit, 0 to 9 and a to f; 16 for anything else. */
unsigned hexadecimal_digit(char character);

#endif
