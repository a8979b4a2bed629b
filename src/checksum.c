/*
 * CRC-64/XZ; see checksum.h.
 *
 * The checksum is the remainder of the bytes, taken as one long polynomial over the integers modulo
 * 2, divided by a fixed one. Table 0 says what one byte does to the remainder. Table k says the
 * same of a byte that k others follow, so that 8 bytes are taken in one step with 8 looks that do
 * not wait for each other (M. Kounavis and F. Berry, A systematic approach to building high
 * performance software-based CRC generators, 2005).
 */
#include "checksum.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t POLYNOMIAL = 0xc96c5795d7870f42u; /* of ECMA-182, lowest bit first */

void checksum_begin(struct checksum *checksum)
{
    checksum->state = ~(uint64_t)0;
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t remainder = byte;
        for (int bit = 0; bit < 8; bit++)
            remainder = (remainder >> 1) ^ (remainder & 1 ? POLYNOMIAL : 0);
        checksum->tables[0][byte] = remainder;
    }
    for (int k = 1; k < CHECKSUM_TABLES; k++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint64_t before = checksum->tables[k - 1][byte];
            checksum->tables[k][byte] = (before >> 8) ^ checksum->tables[0][before & 255];
        }
    }
}

void checksum_add(struct checksum *checksum, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    uint64_t state = checksum->state;
    for (; count >= CHECKSUM_TABLES; count -= CHECKSUM_TABLES, next += CHECKSUM_TABLES) {
        uint64_t after = 0;
        for (unsigned k = 0; k < CHECKSUM_TABLES; k++) {
            unsigned byte = ((unsigned)(state >> 8 * k) ^ next[k]) & 255;
            after ^= checksum->tables[CHECKSUM_TABLES - 1 - k][byte];
        }
        state = after;
    }
    for (; count > 0; count--, next++)
        state = (state >> 8) ^ checksum->tables[0][(state ^ *next) & 255];
    checksum->state = state;
}

uint64_t checksum_value(const struct checksum *checksum)
{
    return ~checksum->state;
}

const char *checksum_text(char text[CHECKSUM_TEXT_SIZE], uint64_t value)
{
    snprintf(text, CHECKSUM_TEXT_SIZE, "%016" PRIx64, value);
    return text;
}
