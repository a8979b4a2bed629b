/*
 * Binary data as text: base64 (RFC 4648, section 4) of numbers whose bytes stand in one order,
 * the lowest first, on every machine.
 */
#ifndef PARTICLES_BASE64_H
#define PARTICLES_BASE64_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BASE64_LINE = 96 }; /* bytes that become one line of text, a multiple of 3 */

/* Text that is being written; initialise with {.stream = ...}, which stays the caller's. */
struct base64 {
    FILE *stream;
    size_t used; /* bytes that wait in `bytes` */
    unsigned char bytes[BASE64_LINE];
};

/* Append bytes, and numbers of 8, 4 and 2 bytes. Errors stay with the stream. */
void base64_put(struct base64 *base64, const void *bytes, size_t count);
void base64_put_double(struct base64 *base64, double value);
void base64_put_int32(struct base64 *base64, int32_t value);

/* Completes the text, and a line. The next byte begins a new one. */
void base64_finish(struct base64 *base64);

/* Put a number at `bytes`, the lowest byte first. */
void base64_store_64(unsigned char bytes[8], uint64_t value);
void base64_store_32(unsigned char bytes[4], uint32_t value);
void base64_store_16(unsigned char bytes[2], uint32_t value);

/* The same for floating-point numbers (IEEE 754, binary64 and binary32). */
void base64_store_double(unsigned char bytes[8], double value);
void base64_store_float(unsigned char bytes[4], float value);

#endif
