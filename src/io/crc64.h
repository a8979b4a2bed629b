/* A cyclic redundancy check of 64 bits, which shows whether bytes have changed: CRC-64/XZ, as in
 * the .xz file format (version 1.1.0, section 6: the polynomial of ECMA-182, bits reflected,
 * beginning and ending with the complement). It finds every change within 64 bits in a row, and
 * misses any other with a probability of 2^-64. It does not protect against forgery. */
#ifndef PARTICLES_CRC64_H
#define PARTICLES_CRC64_H

#include <stddef.h>
#include <stdint.h>

enum { CRC64_TABLES = 8, CRC64_TEXT_SIZE = 17 };

/* A CRC that is being computed, with the tables for 8 bytes at a time; 16 kB. */
struct crc64 {
    uint64_t state;
    uint64_t tables[CRC64_TABLES][256];
};

/* Begins with the CRC of no bytes. */
void crc64_begin(struct crc64 *crc64);

/* Adds bytes. All bytes that have been added count as one string, however it was cut. */
void crc64_add(struct crc64 *crc64, const void *bytes, size_t count);

/* Writes the CRC of all that has been added as a string of hexadecimal digits; returns `text`. */
const char *crc64_text(const struct crc64 *crc64, char text[CRC64_TEXT_SIZE]);

#endif
