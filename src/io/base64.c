/*
 * Binary data as text; see base64.h.
 */
#include "io/base64.h"

#include <string.h>

_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "numbers are those of IEEE 754");

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Writes what waits as a line. The last digits of an incomplete three bytes become '='. */
static void write_line(struct base64 *base64)
{
    char line[BASE64_LINE / 3 * 4 + 1];
    size_t length = 0;
    size_t used = base64->used;
    memset(base64->bytes + used, 0, sizeof base64->bytes - used);
    for (size_t k = 0; k < used; k += 3) {
        const unsigned char *three = base64->bytes + k;
        line[length++] = digits[three[0] >> 2];
        line[length++] = digits[(three[0] & 3) << 4 | three[1] >> 4];
        line[length++] = digits[(three[1] & 15) << 2 | three[2] >> 6];
        line[length++] = digits[three[2] & 63];
    }
    for (size_t k = used; k % 3 != 0; k++)
        line[length - (3 - k % 3)] = '=';
    line[length++] = '\n';
    fwrite(line, 1, length, base64->stream);
    base64->used = 0;
}

void base64_put(struct base64 *base64, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    while (count > 0) {
        size_t room = sizeof base64->bytes - base64->used;
        size_t taken = count < room ? count : room;
        memcpy(base64->bytes + base64->used, next, taken);
        base64->used += taken;
        next += taken;
        count -= taken;
        if (base64->used == sizeof base64->bytes)
            write_line(base64);
    }
}

void base64_finish(struct base64 *base64)
{
    if (base64->used > 0)
        write_line(base64);
}

void base64_store_64(unsigned char bytes[8], uint64_t value)
{
    for (int k = 0; k < 8; k++)
        bytes[k] = (unsigned char)(value >> (8 * k) & 255);
}

void base64_store_32(unsigned char bytes[4], uint32_t value)
{
    for (int k = 0; k < 4; k++)
        bytes[k] = (unsigned char)(value >> (8 * k) & 255);
}

void base64_store_16(unsigned char bytes[2], uint32_t value)
{
    bytes[0] = (unsigned char)(value & 255);
    bytes[1] = (unsigned char)(value >> 8 & 255);
}

void base64_store_double(unsigned char bytes[8], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    base64_store_64(bytes, bits);
}

void base64_store_float(unsigned char bytes[4], float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    base64_store_32(bytes, bits);
}

void base64_put_double(struct base64 *base64, double value)
{
    unsigned char bytes[8];
    base64_store_double(bytes, value);
    base64_put(base64, bytes, sizeof bytes);
}

void base64_put_int32(struct base64 *base64, int32_t value)
{
    unsigned char bytes[4];
    base64_store_32(bytes, (uint32_t)value);
    base64_put(base64, bytes, sizeof bytes);
}
