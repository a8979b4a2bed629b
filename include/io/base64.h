/* Binary data as text: base64 (RFC 4648, section 4) of numbers, the lowest byte first. */
#ifndef PARTICLES_BASE64_H
#define PARTICLES_BASE64_H

#include <stdint.h>
#include <stdio.h>

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
