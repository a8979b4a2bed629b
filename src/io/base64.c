#include "io/base64.h"

#include <string.h>

_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "numbers are those of IEEE 754");

void base64_end(struct base64 *base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[sizeof base64->bytes / 3 * 4 + 1];
    const size_t used = base64->used;
    size_t length = 0;
    if (used == 0)
        return;
    memset(base64->bytes + used, 0, sizeof base64->bytes - used);
    for (size_t k = 0; k < used; k += 3) {
        const unsigned char *three = base64->bytes + k;
        line[length++] = digits[three[0] >> 2];
        line[length++] = digits[(three[0] & 3) << 4 | three[1] >> 4];
        line[length++] = k + 1 < used ? digits[(three[1] & 15) << 2 | three[2] >> 6] : '=';
        line[length++] = k + 2 < used ? digits[three[2] & 63] : '=';
    }
    if (!base64->has_no_lines)
        line[length++] = '\n';
    fwrite(line, 1, length, base64->stream);
    base64->used = 0;
}

void base64_put(struct base64 *base64, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    for (size_t k = 0; k < count; k++) {
        base64->bytes[base64->used++] = next[k];
        if (base64->used == sizeof base64->bytes)
            base64_end(base64);
    }
}

void base64_store(unsigned char *bytes, size_t size, uint64_t value)
{
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(value >> (8 * k) & 255);
}

void base64_store_float(unsigned char bytes[4], float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    base64_store(bytes, sizeof bits, bits);
}

void base64_put_double(struct base64 *base64, double value)
{
    unsigned char bytes[8];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    base64_store(bytes, sizeof bytes, bits);
    base64_put(base64, bytes, sizeof bytes);
}

void base64_put_int32(struct base64 *base64, int32_t value)
{
    unsigned char bytes[4];
    base64_store(bytes, sizeof bytes, (uint32_t)value);
    base64_put(base64, bytes, sizeof bytes);
}
