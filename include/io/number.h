/* Numbers to text and back, fast, with the same bits and bytes as the C library's. */
#ifndef PARTICLES_NUMBER_H
#define PARTICLES_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Reads the number that begins `text` if it is a decimal number such as "-12.5e-3" that is short
 * enough for exact arithmetic: up to 18 digits (leading zeros do not count) and a size that is no
 * extreme. Returns the text after it, with `*value` the nearest double, which is what strtod gives;
 * or NULL: use strtod. `text` is read up to the first character that cannot belong to the number,
 * which need not be a byte 0.
 */
const char *number_read(const char *text, double *value);

/* Room for the texts of the functions below, the byte 0 included. */
enum {
    NUMBER_WHOLE_SIZE = 21,   /* 2^64 - 1 has 20 digits */
    NUMBER_FIXED_SIZE = 320,  /* -DBL_MAX has 317 characters */
    NUMBER_SHORTEST_SIZE = 32 /* -2.2250738585072014e-308 has 24 */
};

/* Write a number as a string, and return its length: a whole one; and a double, as "%.6f" does. */
size_t number_write_whole(char text[NUMBER_WHOLE_SIZE], uint64_t value);
size_t number_write_fixed(char text[NUMBER_FIXED_SIZE], double value);

/* A finite number so that it reads back to the same bit, the sign of a zero included: as
 * printf("%.15g") does or, where that reads as another number, as "%.17g" does: R reads one of
 * 10 000 wrong that has 16. And several, with a separator before each, at the end of a text, of
 * which the new end is returned. */
size_t number_write_shortest(char text[NUMBER_SHORTEST_SIZE], double value);
char *number_append(char *end, char separator, const double values[], size_t count);

/* The decimal numbers with a fixed number of places after the point. `scale` is 10^places, at most
 * 10^22, which a double holds exactly; or 0, where there are no such numbers and the functions
 * below treat doubles as they are. */
struct number_decimals {
    int places;
    double scale;
};

/* The decimals that lie at most `step` apart; further apart only if numbers up to `largest` would
 * otherwise have more than 15 digits, which a double can distinguish. Both are positive, in any
 * unit. Where they are too small or too large for this, there are none. */
struct number_decimals number_choose_decimals(double step, double largest);

/* The decimal nearest to `value`, whose size is at most the `largest` of number_choose_decimals. */
double number_round(const struct number_decimals *decimals, double value);

/* A finite number so that it reads back exactly: one of `decimals` without an exponent and without
 * a sign of zero, any other as number_write_shortest does. */
size_t number_write_decimal(char text[NUMBER_SHORTEST_SIZE], const struct number_decimals *decimals,
                            double value);

/* Writes a number as above, 0 without a sign; `undetermined` if it is not finite. */
void csv_put_number(FILE *stream, double value, const char *undetermined);

/* Writes fields, with a comma before each; an empty one if it is not finite. */
void csv_put_fields(FILE *stream, const double values[], size_t count);

/* Binary data as text: base64 (RFC 4648, section 4) of numbers, the lowest byte first. */

struct base64 {
    FILE *stream;            /* errors of writing are left in it */
    int has_no_lines;        /* all text is one line, without an end */
    size_t used;             /* bytes that wait in `bytes`, */
    unsigned char bytes[96]; /* which become a line of text */
};

void base64_put(struct base64 *base64, const void *bytes, size_t count);
void base64_put_double(struct base64 *base64, double value);
void base64_put_int32(struct base64 *base64, int32_t value);

/* Writes the bytes that wait; the last digits of an incomplete three bytes become '='. */
void base64_end(struct base64 *base64);

/* Store a number as bytes, for base64_put. */
void base64_store(unsigned char *bytes, size_t size, uint64_t value);
void base64_store_float(unsigned char bytes[4], float value);

#endif
