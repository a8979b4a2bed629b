/*
 * Numbers to text and back; see number.h. Numbers that do not fit into these schemes are left to
 * the C library.
 *
 * Reading. A decimal number is a whole number, its digits, times or over a power of ten. If both
 * are doubles exactly, the one operation that is left rounds correctly, and that is the answer (W.
 * D. Clinger, How to read floating point numbers accurately, PLDI 1990). With 17 digits, as many as
 * distinguish all doubles, the digits are too long for that: they are divided by long division of
 * integers instead, to more bits than a double has, and a remainder only counts as "a bit more".
 * The one rounding is then that of an integer to a double.
 *
 * Writing six places. The fraction of a double of usual size is an exact multiple of 2^-64. Times
 * 10^6, in integers, it shows the digits and, exactly, on which side of a half the remainder lies.
 *
 * Writing the shortest number that reads back. A double of usual size times a power of ten, so that
 * its whole part has 17 digits, is an exact fraction with a power of two below. All decimal numbers
 * that are nearer to it than to the next double read as this double (G. Steele and J. White, How to
 * print floating-point numbers accurately, PLDI 1990). Half the way to the next one is 0.5 to 12
 * units of the 17th digit, and is known exactly, too; so whether the nearest number of 15 digits
 * lies within, or the nearest one of 16, is decided by comparing integers, and the nearest one of
 * 17 always does. As in U. Adams, Ryu: fast float-to-string conversion, PLDI 2018, that takes one
 * multiplication by a number from a table; here it is exact, for sizes are not extreme. All three
 * numbers are computed, and the digits are written eight at a time, without a branch that depends
 * on them: so a number takes half as long.
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

/* 5^power, which fits into 64 bits up to MAX_POWER_OF_FIVE. */
static inline uint64_t five_to(int power)
{
    static const uint64_t fives[] = {1,       5,        25,        125,        625,
                                     3125,    15625,    78125,     390625,     1953125,
                                     9765625, 48828125, 244140625, 1220703125, 6103515625};
    return fives[power / 2] * fives[power - power / 2];
}

/* A decimal number: digits * 10^exponent, and its sign. */
struct decimal {
    uint64_t digits; /* less than 2^63 */
    long exponent;
    int is_negative;
};

/* Appends the digits at `text`. Returns what follows them, or NULL if they are too many. */
static const char *read_digits(const char *text, struct decimal *decimal)
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
static const char *read_exponent(const char *text, struct decimal *decimal)
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
static const char *read_decimal(const char *text, struct decimal *decimal)
{
    *decimal = (struct decimal){.is_negative = *text == '-'};
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
    int zeros = 63 - power * 1217359 / 524288;  /* before 5^power; the factor is log 5 to base 2 */
    uint64_t divisor = five_to(power) << zeros; /* 10^power = divisor 2^(power - zeros) */
    int exponent = zeros - power - 64;
    for (; digits < UINT64_C(1) << 57; digits <<= 6) /* so that the quotient has 58 to 64 bits, */
        exponent -= 6;
    uint64_t remainder = digits;
    uint64_t quotient = next_32_bits(&remainder, divisor) << 32;
    quotient |= next_32_bits(&remainder, divisor);
    quotient |= remainder != 0; /* the last of which is not needed but to break a tie */
    return ldexp((double)quotient, exponent);
}

const char *number_read(const char *text, double *value)
{
    struct decimal decimal;
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

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Writes the digits of a whole number so that they end before `end`. Returns where they begin. */
static char *write_backwards(char *end, uint64_t value)
{
    for (; value >= 100; value /= 100) {
        end -= 2;
        memcpy(end, &pairs[2 * (value % 100)], 2);
    }
    if (value < 10) {
        *--end = (char)('0' + value);
        return end;
    }
    end -= 2;
    memcpy(end, &pairs[2 * value], 2);
    return end;
}

size_t number_write_whole(char text[NUMBER_WHOLE_SIZE], uint64_t value)
{
    size_t length = 1;
    for (uint64_t limit = 10; length < NUMBER_WHOLE_SIZE - 1 && value >= limit; limit *= 10)
        length++;
    write_backwards(text + length, value);
    text[length] = '\0';
    return length;
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
    uint32_t millionths = round_to_millionths(fraction);
    if (millionths == 1000000) {
        millionths = 0;
        whole++;
    }
    size_t length = 0;
    if (signbit(value))
        text[length++] = '-';
    length += number_write_whole(text + length, whole);
    text[length++] = '.';
    memcpy(text + length, &pairs[2 * (millionths / 10000)], 2);
    memcpy(text + length + 2, &pairs[2 * (millionths / 100 % 100)], 2);
    memcpy(text + length + 4, &pairs[2 * (millionths % 100)], 2);
    text[length + 6] = '\0';
    return length + 6;
}

/* From here up to there, number_write_shortest does not need the library. */
static const double SHORTEST_MIN = 1e-9;
static const double SHORTEST_BEYOND = 1e15;

/* A double times a power of ten, exactly: (whole + fraction / 2^shift), where `whole` has 17
 * digits, the first `places` of them before the point. */
struct scaled {
    uint64_t whole;
    uint64_t fraction; /* less than 2^shift */
    int shift;         /* 1 to 57 */
    int places;
    uint64_t above; /* half the way to the next double, in units of 2^-shift, rounded down; */
    uint64_t below; /* and to the one before */
};

/* Scales a number from SHORTEST_MIN to SHORTEST_BEYOND. It is m 2^exponent, where m has 53 bits; m
 * times a power of 5 is an integer, and the power of 2 a shift. */
static struct scaled scale(double size)
{
    static const double limits[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1,
                                    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                    1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits); /* IEEE 754 binary64 */
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const int exponent = (int)(bits >> 52) - 1075;
    /* The power of two below, 2^(exponent + 52), is at least 10^(limit - 10). */
    const int limit = ((exponent + 52) * 78913 + (10 << 18)) >> 18;
    const int places = limit - 9 + (size >= limits[limit]);
    const uint64_t five = five_to(17 - places);
    const int shift = places - 17 - exponent;
    uint64_t upper;
    uint64_t lower;
    number_multiply(m, five, &upper, &lower);
    return (struct scaled){.whole = upper << (64 - shift) | lower >> shift,
                           .fraction = lower & ((UINT64_C(1) << shift) - 1),
                           .shift = shift,
                           .places = places,
                           .above = five / 2,
                           .below = m == UINT64_C(1) << 52 ? five / 4 : five / 2};
}

/* The multiple of `unit`, up to 100, that is nearest; of two, the even one. Without branches, as
 * they would be guessed wrong every second time. */
COMPILER_INLINE uint64_t round_to(const struct scaled *scaled, uint64_t unit, int *reads_back)
{
    const uint64_t lower = scaled->whole / unit;
    const uint64_t down = ((scaled->whole - unit * lower) << scaled->shift) + scaled->fraction;
    const uint64_t up = (unit << scaled->shift) - down;
    const uint64_t is_up = up < down + (lower & 1);
    *reads_back = (int)((up <= scaled->above) & is_up) | (down <= scaled->below);
    return unit * (lower + is_up);
}

/* Eight digits as characters, the first one in the lowest byte: two numbers of four digits, then
 * four of two, then eight of one, each in as many bits. */
static uint64_t spread(uint64_t digits)
{
    const uint64_t fours = digits / 10000 | (digits % 10000) << 32;
    const uint64_t hundreds = (fours * 5243 >> 19) & UINT64_C(0x7f0000007f);
    const uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    const uint64_t tens_of_twos = (twos * 103 >> 10) & UINT64_C(0xf000f000f000f);
    return (tens_of_twos | (twos - 10 * tens_of_twos) << 8) + UINT64_C(0x3030303030303030);
}

/* Writes eight characters, of which the first is in the lowest byte. Compilers make one store. */
static inline void write_eight(char *text, uint64_t characters)
{
    char bytes[8];
    for (int k = 0; k < 8; k++)
        bytes[k] = (char)(characters >> 8 * k);
    memcpy(text, bytes, sizeof bytes);
}

enum { MIN_PLACES = -3, MAX_PLACES = 7 };

/* Writes `count` of 17 digits, of which `places` stand before the point, from MIN_PLACES to
 * MAX_PLACES. Nothing here depends on the digits: a branch that is guessed wrong would cost as much
 * as all of this. */
static size_t write_seventeen(char text[NUMBER_SHORTEST_SIZE - 1], uint64_t digits, int count,
                              int places)
{
    const uint64_t eight = 100000000;
    const uint64_t last = spread(digits % eight);
    const uint64_t middle = spread(digits / eight % eight);
    const uint64_t first = ('0' + digits / eight / eight) | middle << 8;
    const int zeros = (places < 1) * (1 - places); /* in front of them, */
    const int point = places + zeros;
    const uint64_t before = (UINT64_C(1) << 8 * zeros) - 1;
    const uint64_t head = first << 8 * zeros | (UINT64_C(0x3030303030303030) & before);
    const uint64_t whole = (UINT64_C(1) << 8 * point) - 1;
    write_eight(text + zeros + 2, middle); /* the second digit and more behind the point */
    write_eight(text + zeros + 10, last);
    write_eight(text, (head & whole) | (uint64_t)'.' << 8 * point | (head & ~whole) << 8);
    const int length = count > places ? zeros + count + 1 : places;
    text[length] = '\0';
    return (size_t)length;
}

/* Writes a decimal number without its sign, as printf("%g") or, if `is_fixed`, no exponent. */
static size_t write_digits(char *text, const struct decimal *decimal, int is_fixed)
{
    char buffer[NUMBER_WHOLE_SIZE] = "";
    char *end = buffer + sizeof buffer - 1;
    const char *digits = write_backwards(end, decimal->digits);
    size_t count = (size_t)(end - digits);
    long places = (long)count + decimal->exponent; /* before the point */
    if (places < -3 && !is_fixed) {
        size_t length = 0;
        text[length++] = digits[0];
        if (count > 1) {
            text[length++] = '.';
            memcpy(text + length, digits + 1, count - 1);
            length += count - 1;
        }
        memcpy(text + length, "e-0?", 5); /* never beyond -9 */
        text[length + 3] = (char)('1' - places);
        return length + 4;
    }
    if (places <= 0) {
        size_t start = (size_t)(2 - places);
        memset(text, '0', start);
        text[1] = '.';
        memcpy(text + start, digits, count + 1);
        return start + count;
    }
    size_t before = (size_t)places < count ? (size_t)places : count;
    memcpy(text, digits, before);
    if (before < count) {
        text[before] = '.';
        memcpy(text + before + 1, digits + before, count - before + 1);
        return count + 1;
    }
    memset(text + count, '0', (size_t)places - count);
    text[places] = '\0';
    return (size_t)places;
}

static size_t write_by_library(char text[NUMBER_SHORTEST_SIZE], double value)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, NUMBER_SHORTEST_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return length > 0 ? (size_t)length : 0;
}

/* A number from SHORTEST_MIN to SHORTEST_BEYOND. If 15 digits do, fewer may. */
static size_t write_usual(char text[NUMBER_SHORTEST_SIZE - 1], double size)
{
    const struct scaled scaled = scale(size);
    int fifteen;
    int sixteen;
    int seventeen;
    const uint64_t with_fifteen = round_to(&scaled, 100, &fifteen);
    const uint64_t with_sixteen = round_to(&scaled, 10, &sixteen);
    const uint64_t with_seventeen = round_to(&scaled, 1, &seventeen);
    int count = 17 - sixteen;
    int places = scaled.places;
    uint64_t digits = with_seventeen + (uint64_t)sixteen * (with_sixteen - with_seventeen);
    if (fifteen) {
        uint64_t significant = with_fifteen;
        for (count = 17; significant % 100000 == 0; significant /= 100000)
            count -= 5;
        for (; significant % 10 == 0; significant /= 10)
            count--;
        digits = with_fifteen;
    }
    if (digits == UINT64_C(100000000000000000)) {
        digits /= 10;
        count = 1;
        places++;
    }
    if (places >= MIN_PLACES && places <= MAX_PLACES)
        return write_seventeen(text, digits, count, places);
    for (int k = count; k < 17; k++)
        digits /= 10;
    const struct decimal decimal = {.digits = digits, .exponent = places - count};
    return write_digits(text, &decimal, 0);
}

size_t number_write_shortest(char text[NUMBER_SHORTEST_SIZE], double value)
{
    const double size = fabs(value);
    const size_t sign = signbit(value) ? 1 : 0;
    text[0] = '-';
    if (size >= SHORTEST_MIN && size < SHORTEST_BEYOND)
        return sign + write_usual(text + sign, size);
    if (size != 0)
        return write_by_library(text, value);
    memcpy(text + sign, "0", 2);
    return sign + 1;
}

static const double MAX_UNITS = 1e15; /* below that, k is exact, and so is k + 0.5 */

struct decimals number_choose_decimals(double step, double largest)
{
    int places = 0;
    while (places <= MAX_POWER_OF_TEN && tens[places] * step < 1 &&
           tens[places] * 10 * largest < MAX_UNITS)
        places++;
    if (places > MAX_POWER_OF_TEN || tens[places] * largest >= MAX_UNITS)
        return (struct decimals){0};
    return (struct decimals){.places = places, .scale = tens[places]};
}

/* How many units of the last place `value` has, rounded to the nearest. */
static double count_units(const struct decimals *decimals, double value)
{
    return floor(value * decimals->scale + 0.5);
}

double number_round(const struct decimals *decimals, double value)
{
    return decimals->scale > 0 ? count_units(decimals, value) / decimals->scale : value;
}

size_t number_write_decimal(char text[NUMBER_SHORTEST_SIZE], const struct decimals *decimals,
                            double value)
{
    double size = fabs(value);
    double units = count_units(decimals, size);
    size_t sign = value < 0 ? 1 : 0;
    if (decimals->scale == 0 || size * decimals->scale >= MAX_UNITS ||
        units / decimals->scale != size)
        return number_write_shortest(text, value);
    struct decimal decimal = {.digits = (uint64_t)units, .exponent = -decimals->places};
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
