/* CRC-64/XZ; see crc64.h. The bytes are taken as one long polynomial over the integers modulo 2 and
 * divided by a fixed one; the CRC is the remainder. Table 0 has the remainder of each byte. Table k
 * has the CRC of the byte followed by k zeros, so that 8 bytes are divided in one step by 8
 * look-ups, which do not depend on each other ("slicing by 8": M. Kounavis and F. Berry, A
 * systematic approach to building high performance software-based CRC generators, 2005). */
#include "crc64.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t POLYNOMIAL = 0xc96c5795d7870f42u; /* of ECMA-182, lowest bit first */

void crc64_begin(struct crc64 *crc64)
{
    crc64->state = ~(uint64_t)0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = (remainder >> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
        crc64->tables[0][byte] = remainder;
    }
    for (int k = 1; k < CRC64_TABLES; k++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t before = crc64->tables[k - 1][byte];
            crc64->tables[k][byte] = (before >> 8) ^ crc64->tables[0][before & 255];
        }
    }
}

void crc64_add(struct crc64 *crc64, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t state = crc64->state;
    for (; count >= CRC64_TABLES; count -= CRC64_TABLES, next += CRC64_TABLES) {
        uint64_t after = 0;
        for (unsigned k = 0; k < CRC64_TABLES; k++) {
            unsigned byte = ((unsigned)(state >> 8 * k) ^ next[k]) & 255;
            after ^= crc64->tables[CRC64_TABLES - 1 - k][byte];
        }
        state = after;
    }
    for (; count > 0; count--, next++)
        state = (state >> 8) ^ crc64->tables[0][(state ^ *next) & 255];
    crc64->state = state;
}

const char *crc64_text(const struct crc64 *crc64, char text[CRC64_TEXT_SIZE])
{
    snprintf(text, CRC64_TEXT_SIZE, "%016" PRIx64, ~crc64->state);
    return text;
}
