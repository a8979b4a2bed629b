/*
 * Numbers to text and back; see number.h. Numbers that do not fit into these schemes are left to
 * the C library.
 *
 * Reading. A decimal number is a whole number, its digits, times or over a power of ten. If both
 * are doubles exactly, the one operation that is left rounds correctly, and that is the answer (W.
 * D. Clinger, How to read floating point numbers accurately, PLDI 1990). With 17 digits, as many as
 * distinguish all doubles, the digits are too long for that: they are divided by long division of
 * integers instead, to more bits than a double has, and a remainder only counts as "a bit more".
 * The one rounding is then the rounding of an integer to a double.
 *
 * Writing six places. The fraction of a double of usual size is an exact multiple of 2^-64. Times
 * 10^6, in integers, it shows the digits and, exactly, on which side of a half the remainder lies.
 *
 * Writing the shortest number that reads back. A double of usual size times a power of ten, so that
 * its whole part has 15 digits, is an exact fraction with a power of two below. All decimal numbers
 * that are nearer to it than to the next double read as this double (G. Steele and J. White, How to
 * print floating-point numbers accurately, PLDI 1990). Half the way to the next one is 0.005 to
 * 0.12 units of the 15th digit, and is known exactly, too; so whether the nearest number of 15
 * digits lies within, or the nearest one of 16, is decided by comparing integers, and the nearest
 * one of 17 always does. As in R. Giulietti, The Schubfach way to render doubles, 2020, that takes
 * one multiplication by a power of ten from a table; here it is exact, for sizes are not extreme.
 * All three numbers are computed, and the digits are written eight at a time, without a branch
 * that depends on them.
 *
 * Decimals. A whole number k of up to 15 digits and a power of ten up to 10^22 are both doubles
 * without rounding. The quotient k / 10^p is therefore rounded once, to the double nearest to the
 * decimal number, and that is the double that reading its digits gives, too. So such a number is
 * written with the digits of k.
 */
#include "io/number.h"

#include "base/compiler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POWER_OF_TEN = 22, MAX_POWER_OF_FIVE = 27 };

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const uint64_t fives[MAX_POWER_OF_FIVE + 1] = {
    0x0000000000000001, 0x0000000000000005, 0x0000000000000019, 0x000000000000007d,
    0x0000000000000271, 0x0000000000000c35, 0x0000000000003d09, 0x000000000001312d,
    0x000000000005f5e1, 0x00000000001dcd65, 0x00000000009502f9, 0x0000000002e90edd,
    0x000000000e8d4a51, 0x0000000048c27395, 0x000000016bcc41e9, 0x000000071afd498d,
    0x0000002386f26fc1, 0x000000b1a2bc2ec5, 0x000003782dace9d9, 0x00001158e460913d,
    0x000056bc75e2d631, 0x0001b1ae4d6e2ef5, 0x000878678326eac9, 0x002a5a058fc295ed,
    0x00d3c21bcecceda1, 0x0422ca8b0a00a425, 0x14adf4b7320334b9, 0x6765c793fa10079d};

/* A decimal number: digits * 10^exponent, and its sign. */
struct number_parts {
    uint64_t digits; /* less than 2^63 */
    long exponent;
    int is_negative;
};

/* Appends the digits at `text`. Returns what follows them, or NULL if they are too many. */
static const char *read_digits(const char *text, struct number_parts *decimal)
{
    uint64_t digits = decimal->digits;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (digits > (INT64_MAX - 9) / 10)
            return NULL;
        digits = 10 * digits + (uint64_t)(*text - '0');
    }
    decimal->digits = digits;
    return text;
}

/* Adds the exponent at `text`, behind an 'e'. Returns what follows it, or NULL if there is none. */
static const char *read_exponent(const char *text, struct number_parts *decimal)
{
    long exponent = 0;
    int is_negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++)
        if (exponent < 100000) /* larger ones have the same effect */
            exponent = 10 * exponent + (*text - '0');
    decimal->exponent += is_negative ? -exponent : exponent;
    return text;
}

/* Splits the number that begins `text`. Returns the text after it, or NULL: none, or too long. */
static const char *read_decimal(const char *text, struct number_parts *decimal)
{
    *decimal = (struct number_parts){.is_negative = *text == '-'};
    text += *text == '-' || *text == '+';
    const char *start = text;
    text = read_digits(text, decimal);
    if (!text)
        return NULL;
    long count = text - start;
    if (*text == '.') {
        start = text + 1;
        text = read_digits(start, decimal);
        if (!text)
            return NULL;
        decimal->exponent = start - text;
        count += text - start;
    }
    if (count > 0 && (*text == 'e' || *text == 'E'))
        text = read_exponent(text + 1, decimal);
    return count > 0 ? text : NULL;
}

/* The whole part of *remainder * 2^32 / divisor, where *remainder < divisor and the divisor's
 * highest bit is set; `*remainder` becomes what remains. The first estimate, by the divisor's upper
 * half, is at most 2 too large (Knuth, "The Art of Computer Programming" 2, 4.3.1, theorem B). */
static uint64_t next_32_bits(uint64_t *remainder, uint64_t divisor)
{
    uint64_t upper = divisor >> 32;
    uint64_t lower = divisor & UINT32_MAX;
    uint64_t quotient = *remainder / upper;
    uint64_t rest = *remainder % upper;
    while (rest <= UINT32_MAX && quotient * lower > rest << 32) {
        quotient--;
        rest += upper;
    }
    *remainder = (rest << 32) - quotient * lower; /* modulo 2^64, and it is less than that */
    return quotient;
}

/* The double nearest to digits / 10^power; digits from 1 to 2^63 - 1. */
static double divide(uint64_t digits, int power)
{
    const int zeros = 63 - COMPILER_HIGHEST_BIT(fives[power]); /* bits before it */
    const uint64_t divisor = fives[power] << zeros;            /* 10^power 2^(zeros - power) */
    int exponent = zeros - power - 64;
    for (; digits < UINT64_C(1) << 57; digits <<= 6) /* so that the quotient has 58 to 64 bits, */
        exponent -= 6;
    uint64_t remainder = digits;
    uint64_t quotient = next_32_bits(&remainder, divisor) << 32;
    quotient |= next_32_bits(&remainder, divisor);
    quotient |= remainder != 0; /* the last bit serves only to break a tie */
    return ldexp((double)quotient, exponent);
}

const char *number_read(const char *text, double *value)
{
    struct number_parts decimal;
    double size = 0;
    const char *end = read_decimal(text, &decimal);
    if (!end)
        return NULL;
    int is_exact = decimal.digits <= UINT64_C(1) << 53;
    if (is_exact && decimal.exponent <= 0 && decimal.exponent >= -MAX_POWER_OF_TEN)
        size = (double)decimal.digits / tens[-decimal.exponent];
    else if (is_exact && decimal.exponent > 0 && decimal.exponent <= MAX_POWER_OF_TEN)
        size = (double)decimal.digits * tens[decimal.exponent];
    else if (decimal.digits > 0 && decimal.exponent <= 0 && decimal.exponent >= -MAX_POWER_OF_FIVE)
        size = divide(decimal.digits, (int)-decimal.exponent);
    else
        return NULL;
    *value = decimal.is_negative ? -size : size;
    return end;
}

/* Eight digits, less than 10^8, with the first one in the lowest byte: two numbers of four digits
 * are made, then four of two and eight of one, each in as many bits. */
static inline uint64_t spread(uint64_t digits)
{
    const uint64_t fours =
        (digits << 32) - (uint32_t)digits / 10000 * ((UINT64_C(10000) << 32) - 1);
    const uint64_t hundreds = (fours * 5243 >> 19) & UINT64_C(0x7f0000007f);
    const uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
    const uint64_t tens_of_twos = (twos * 103 >> 10) & UINT64_C(0xf000f000f000f);
    return (twos << 8) - tens_of_twos * ((10 << 8) - 1);
}

static const uint64_t ZEROS = UINT64_C(0x3030303030303030); /* as characters */

/* Writes eight characters, the first one from the lowest byte. Compilers make one store. */
static inline void write_eight(char *text, uint64_t characters)
{
    char bytes[8];
    for (int k = 0; k < 8; k++)
        bytes[k] = (char)(characters >> 8 * k);
    memcpy(text, bytes, sizeof bytes);
}

size_t number_write_whole(char text[NUMBER_WHOLE_SIZE], uint64_t value)
{
    const uint64_t eight = 100000000;
    if (value < eight) {
        const uint64_t digits = spread(value);
        const unsigned zeros = COMPILER_LOWEST_BIT(digits | UINT64_C(1) << 56) / 8;
        write_eight(text, (digits + ZEROS) >> 8 * zeros);
        text[8 - zeros] = '\0';
        return 8 - zeros;
    }
    const size_t length = number_write_whole(text, value / eight);
    write_eight(text + length, spread(value % eight) + ZEROS);
    text[length + 8] = '\0';
    return length + 8;
}

/* The 128 bits of a * b. */
static void number_multiply(uint64_t a, uint64_t b, uint64_t *upper, uint64_t *lower)
{
#ifdef __SIZEOF_INT128__
    __extension__ const unsigned __int128 product = (unsigned __int128)a * b;
    *upper = (uint64_t)(product >> 64);
    *lower = (uint64_t)product;
#else
    uint64_t a_upper = a >> 32;
    uint64_t a_lower = a & UINT32_MAX;
    uint64_t b_upper = b >> 32;
    uint64_t b_lower = b & UINT32_MAX;
    uint64_t last = a_lower * b_lower;
    uint64_t middle = a_upper * b_lower + (last >> 32);
    uint64_t other = a_lower * b_upper + (middle & UINT32_MAX);
    *upper = a_upper * b_upper + (middle >> 32) + (other >> 32);
    *lower = other << 32 | (last & UINT32_MAX);
#endif
}

/* Rounds fraction * 10^6 / 2^64 to a whole number, and a tie to the even one, as printf does. */
static uint32_t round_to_millionths(uint64_t fraction)
{
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t whole;
    uint64_t remainder;
    number_multiply(fraction, 1000000, &whole, &remainder);
    return (uint32_t)whole + (remainder > half || (remainder == half && whole % 2 == 1));
}

size_t number_write_fixed(char text[NUMBER_FIXED_SIZE], double value)
{
    double size = fabs(value);
    if (!(size < 0x1p63))
        return (size_t)snprintf(text, NUMBER_FIXED_SIZE, "%.6f", value);
    uint64_t whole = (uint64_t)size;
    double scaled = (size - (double)whole) * 0x1p64; /* both operations are exact */
    uint64_t fraction = (uint64_t)scaled;
    if ((double)fraction != scaled) /* tiny, with bits below 2^-64 */
        return (size_t)snprintf(text, NUMBER_FIXED_SIZE, "%.6f", value);
    const uint32_t millionths = round_to_millionths(fraction);
    size_t length = signbit(value) ? 1 : 0;
    text[0] = '-';
    length += number_write_whole(text + length, whole + millionths / 1000000);
    write_eight(text + length, (spread(millionths % 1000000) + ZEROS) >> 8);
    text[length] = '.';
    text[length + 7] = '\0';
    return length + 7;
}

/* The digits of a number: 15 of them, and two more as characters. Of these `count` are to be
 * written; or, if it `is_fifteen`, all of the 15 but zeros at their end. `before` stand before the
 * point. */
struct number_digits {
    uint64_t fifteen;
    unsigned two;
    int is_fifteen;
    long count, before;
};

/* Of a size from 2^-29 to 2^49, the nearest number of 15 digits if it reads back, or else the
 * nearest of 17; of two, the even one. The two last of these are no 99 that is rounded up, for then
 * 15 digits would do. There is no branch, as it would be guessed wrong every second time. Powers of
 * two must have up to 15 digits, for the double before such a one is nearer than the next. */
static inline struct number_digits find_digits(uint64_t bits) /* IEEE 754 binary64 */
{
    static const double limits[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1,
                                    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                    1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    /* The number is m 2^(exponent - 1075), from 2^(exponent - 1023) >= 10^(index - 10) on. */
    const uint64_t exponent = bits >> 52;
    const uint64_t index = (exponent * 78913 - (1023 * 78913 - (10 << 18))) >> 18;
    uint64_t limit;
    memcpy(&limit, &limits[index], sizeof limit);
    const uint64_t power = 24 - index - (bits >= limit);
    /* 2^(exponent - 1075) in units of 2^-64 of the 15th digit, a multiple of 64 */
    const uint64_t unit = fives[power] << (exponent + power - 1011);
    uint64_t fifteen;
    uint64_t fraction, two, rest;
    number_multiply(m, unit, &fifteen, &fraction);
    const uint64_t above = fraction + unit / 2; /* modulo 2^64 */
    number_multiply(fraction, 100, &two, &rest);
    two += rest > (UINT64_C(1) << 63) - two % 2;
    return (struct number_digits){.fifteen = fifteen + (above < fraction),
                                  .two = 0x3030 + (unsigned)(two / 10 | two % 10 << 8),
                                  .count = 17 - (two % 10 == 0),
                                  .is_fifteen = above <= unit,
                                  .before = 15 - (long)power};
}

/* Writes digits with -3 to 7 of them before the point. */
static inline size_t write_in_place(char *text, const struct number_digits *digits)
{
    const uint64_t eight = 100000000;
    const uint64_t both[2] = {spread(digits->fifteen / eight), spread(digits->fifteen % eight)};
    const long zeros = (digits->before < 1) * (1 - digits->before); /* in front of them, */
    const long point = digits->before + zeros;
    const uint64_t head = (both[0] >> 8 << 8 * zeros) + ZEROS;
    const uint64_t after = head & (~UINT64_C(0) << 8 * point);
    char *start = text + zeros; /* a 0, and the digits where they are behind the point */
    write_eight(start, both[0] + ZEROS);
    write_eight(start + 8, both[1] + ZEROS);
    start[16] = (char)digits->two;
    start[17] = (char)(digits->two >> 8);
    write_eight(text, head + (after << 8) - after);
    text[point] = '.';
    long count = digits->count;
    if (digits->is_fifteen)
        count = both[1] ? 8 + COMPILER_HIGHEST_BIT(both[1]) / 8 : COMPILER_HIGHEST_BIT(both[0]) / 8;
    const long length = count > digits->before ? zeros + count + 1 : point;
    text[length] = '\0';
    return (size_t)length;
}

/* Writes a decimal number without its sign, as printf("%g") or, if `is_fixed`, no exponent. */
static size_t write_digits(char *text, const struct number_parts *decimal, int is_fixed)
{
    char digits[NUMBER_WHOLE_SIZE];
    const size_t count = number_write_whole(digits, decimal->digits);
    long point = (long)count + decimal->exponent; /* before the point */
    if (point < -3 && !is_fixed) {
        const size_t length = count > 1 ? count + 1 : 1;
        memcpy(text + 1, digits, count);
        text[0] = digits[0];
        text[1] = '.';
        memcpy(text + length, "e-0?", 5); /* never beyond -9 */
        text[length + 3] = (char)('1' - point);
        return length + 4;
    }
    if (point <= 0) {
        size_t start = (size_t)(2 - point);
        memset(text, '0', start);
        text[1] = '.';
        memcpy(text + start, digits, count + 1);
        return start + count;
    }
    size_t before = (size_t)point < count ? (size_t)point : count;
    memcpy(text, digits, before);
    if (before < count) {
        text[before] = '.';
        memcpy(text + before + 1, digits + before, count - before + 1);
        return count + 1;
    }
    memset(text + count, '0', (size_t)point - count);
    text[point] = '\0';
    return (size_t)point;
}

/* The size of a number that is not written in place. */
COMPILER_APART static size_t write_unusual(char *text, uint64_t bits)
{
    int exponent;
    double size;
    size_t length = 0;
    memcpy(&size, &bits, sizeof size);
    if (size == 0)
        return (size_t)(stpcpy(text, "0") - text);
    if (!(size >= 0x1p-29 && size < 0x1p49) || frexp(size, &exponent) == 0.5 /* power of two */) {
        for (int k = 15; k <= 17 && (length == 0 || strtod(text, NULL) != size); k += 2)
            length = (size_t)snprintf(text, NUMBER_SHORTEST_SIZE, "%.*g", k, size);
        return length;
    }
    const struct number_digits digits = find_digits(bits);
    struct number_parts decimal = {.digits = digits.fifteen, .exponent = digits.before - 15};
    for (int k = 15; k < digits.count && !digits.is_fifteen; k++, decimal.exponent--)
        decimal.digits = 10 * decimal.digits + (digits.two >> 8 * (k - 15) & 15);
    for (; decimal.digits % 10 == 0; decimal.digits /= 10)
        decimal.exponent++;
    return write_digits(text, &decimal, 0);
}

size_t number_write_shortest(char text[NUMBER_SHORTEST_SIZE], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const size_t sign = (size_t)(bits >> 63);
    text[0] = '-';
    bits = bits << 1 >> 1; /* they ascend with sizes; from 1e-4 on, below 1e7: */
    if (bits - UINT64_C(0x3f1a36e2eb1c432d) < UINT64_C(0x0248dbed14e3bcd3)) {
        const struct number_digits digits = find_digits(bits);
        if (digits.fifteen < UINT64_C(1000000000000000))
            return sign + write_in_place(text + sign, &digits);
    }
    return sign + write_unusual(text + sign, bits);
}

__attribute__((flatten)) char *number_append(char *end, char separator, const double values[],
                                             size_t count)
{
    for (size_t k = 0; k < count; k++) {
        *end++ = separator;
        end += number_write_shortest(end, values[k]);
    }
    return end;
}

static const double MAX_UNITS = 1e15; /* below that, k is exact, and so is k + 0.5 */

struct number_decimals number_choose_decimals(double step, double largest)
{
    int places = 0;
    while (places <= MAX_POWER_OF_TEN && tens[places] * step < 1 &&
           tens[places] * 10 * largest < MAX_UNITS)
        places++;
    if (places > MAX_POWER_OF_TEN || tens[places] * largest >= MAX_UNITS)
        return (struct number_decimals){0};
    return (struct number_decimals){.places = places, .scale = tens[places]};
}

/* How many units of the last place `value` has, rounded to the nearest. */
static double count_units(const struct number_decimals *decimals, double value)
{
    return floor(value * decimals->scale + 0.5);
}

double number_round(const struct number_decimals *decimals, double value)
{
    return decimals->scale > 0 ? count_units(decimals, value) / decimals->scale : value;
}

size_t number_write_decimal(char text[NUMBER_SHORTEST_SIZE], const struct number_decimals *decimals,
                            double value)
{
    double size = fabs(value);
    double units = count_units(decimals, size);
    size_t sign = value < 0 ? 1 : 0;
    if (decimals->scale == 0 || size * decimals->scale >= MAX_UNITS ||
        units / decimals->scale != size)
        return number_write_shortest(text, value);
    struct number_parts decimal = {.digits = (uint64_t)units, .exponent = -decimals->places};
    for (; decimal.exponent < 0 && decimal.digits % 10 == 0; decimal.digits /= 10)
        decimal.exponent++;
    text[0] = '-';
    return sign + write_digits(text + sign, &decimal, 1);
}

void csv_put_number(FILE *stream, double value, const char *undetermined)
{
    char text[NUMBER_SHORTEST_SIZE];
    if (isfinite(value))
        number_write_shortest(text, value + 0.0); /* + 0.0: there is no -0 */
    fputs(isfinite(value) ? text : undetermined, stream);
}

void csv_put_fields(FILE *stream, const double values[], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fputc(',', stream);
        csv_put_number(stream, values[k], "");
    }
}

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
