/*
 * Hexadecimal floating-point numbers; see hexadecimal.h. They are the bits of a double (IEEE 754,
 * binary64) in other clothes: 52 of them are 13 digits after the point, of which zeros at the end
 * are left out; before it stands 1, or 0 if the number is smaller than the exponent can say.
 */
#include "hexadecimal.h"

#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(double) == sizeof(uint64_t), "doubles are those of IEEE 754");

enum { DIGITS = 13, BIAS = 1023, LEAST_EXPONENT = -1022, LARGEST_EXPONENT = 1023 };

static const uint64_t SIGN = (uint64_t)1 << 63;
static const uint64_t FRACTION = ((uint64_t)1 << 52) - 1;

size_t hexadecimal_write(char text[HEXADECIMAL_SIZE], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & FRACTION;
    int biased = (int)(bits >> 52 & 0x7ff);
    int exponent = biased > 0 ? biased - BIAS : fraction > 0 ? LEAST_EXPONENT : 0;
    char *end = text;
    if (bits & SIGN)
        *end++ = '-';
    *end++ = '0';
    *end++ = 'x';
    *end++ = biased > 0 ? '1' : '0';
    if (fraction > 0)
        *end++ = '.';
    for (; fraction > 0; fraction = fraction << 4 & FRACTION)
        *end++ = "0123456789abcdef"[fraction >> 48];
    *end++ = 'p';
    *end++ = exponent < 0 ? '-' : '+';
    unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
    for (unsigned place = size > 999  ? 1000
                          : size > 99 ? 100
                          : size > 9  ? 10
                                      : 1;
         place > 0; place /= 10)
        *end++ = (char)('0' + size / place % 10);
    return (size_t)(end - text);
}

unsigned hexadecimal_digit(char character)
{
    if (character >= '0' && character <= '9')
        return (unsigned)(character - '0');
    if (character >= 'a' && character <= 'f')
        return (unsigned)(character - 'a') + 10;
    return 16;
}

/* Reads the point and the digits after it, if there are any. Returns where it goes on, or NULL. */
static const char *read_fraction(const char *text, uint64_t *fraction)
{
    int digits = 0;
    unsigned digit = 0;
    *fraction = 0;
    if (*text != '.')
        return text;
    for (text++; hexadecimal_digit(*text) < 16 && digits < DIGITS; text++, digits++) {
        digit = hexadecimal_digit(*text);
        *fraction = *fraction << 4 | digit;
    }
    *fraction <<= 4 * (DIGITS - digits);
    return digit > 0 ? text : NULL; /* no zero stands at the end */
}

/* Reads the 'p' and the exponent, which is the end. Returns whether it is there. */
static int read_exponent(const char *text, int *exponent)
{
    int size = 0;
    if (text[0] != 'p' || (text[1] != '+' && text[1] != '-') || text[2] == '\0')
        return 0;
    const char *digits = text + 2;
    for (; *digits >= '0' && *digits <= '9' && size <= LARGEST_EXPONENT; digits++)
        size = 10 * size + (*digits - '0');
    *exponent = text[1] == '-' ? -size : size;
    int is_canonical = (text[2] != '0' || text[3] == '\0') && (size > 0 || text[1] == '+');
    return *digits == '\0' && is_canonical;
}

int hexadecimal_read(const char *text, double *value)
{
    uint64_t fraction;
    int exponent;
    uint64_t bits = *text == '-' ? SIGN : 0;
    text += bits ? 1 : 0;
    int is_normal = strncmp(text, "0x1", 3) == 0;
    if (!is_normal && strncmp(text, "0x0", 3) != 0)
        return 0;
    text = read_fraction(text + 3, &fraction);
    if (!text || !read_exponent(text, &exponent))
        return 0;
    int is_exponent_right = is_normal ? exponent >= LEAST_EXPONENT && exponent <= LARGEST_EXPONENT
                                      : exponent == (fraction > 0 ? LEAST_EXPONENT : 0);
    if (!is_exponent_right)
        return 0;
    bits |= fraction | (is_normal ? (uint64_t)(exponent + BIAS) << 52 : 0);
    memcpy(value, &bits, sizeof bits);
    return 1;
}
