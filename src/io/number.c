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
 * multiplication by a number from a table; here it is exact, for sizes are not extreme. The first
 * 15 digits are those of the fraction after half the way is added, whether 15 are enough or not.
 * All three numbers are computed, and the digits are written eight at a time, without a branch that
 * depends on them.
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

/* 5^power, times a power of two so that the highest bit is set. */
static const uint64_t fives[MAX_POWER_OF_FIVE + 1] = {
    UINT64_C(0x8000000000000000), UINT64_C(0xa000000000000000), UINT64_C(0xc800000000000000),
    UINT64_C(0xfa00000000000000), UINT64_C(0x9c40000000000000), UINT64_C(0xc350000000000000),
    UINT64_C(0xf424000000000000), UINT64_C(0x9896800000000000), UINT64_C(0xbebc200000000000),
    UINT64_C(0xee6b280000000000), UINT64_C(0x9502f90000000000), UINT64_C(0xba43b74000000000),
    UINT64_C(0xe8d4a51000000000), UINT64_C(0x9184e72a00000000), UINT64_C(0xb5e620f480000000),
    UINT64_C(0xe35fa931a0000000), UINT64_C(0x8e1bc9bf04000000), UINT64_C(0xb1a2bc2ec5000000),
    UINT64_C(0xde0b6b3a76400000), UINT64_C(0x8ac7230489e80000), UINT64_C(0xad78ebc5ac620000),
    UINT64_C(0xd8d726b7177a8000), UINT64_C(0x878678326eac9000), UINT64_C(0xa968163f0a57b400),
    UINT64_C(0xd3c21bcecceda100), UINT64_C(0x84595161401484a0), UINT64_C(0xa56fa5b99019a5c8),
    UINT64_C(0xcecb8f27f4200f3a)};

/* How many bits 5^power has after the first one; the factor is log 5 to base 2. */
static inline int bits_of_five(int power)
{
    return power * 1217359 >> 19;
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
    const uint64_t divisor = fives[power]; /* 10^power = divisor 2^(power - zeros), with so many */
    const int zeros = 63 - bits_of_five(power); /* before 5^power */
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

/* Eight digits, less than 10^8, the first one in the lowest byte: two numbers of four digits, then
 * four of two, then eight of one, each in as many bits. */
static inline uint64_t spread(uint64_t digits)
{
    const uint64_t fours = (digits << 32) - digits / 10000 * ((UINT64_C(10000) << 32) - 1);
    const uint64_t hundreds = (fours * 5243 >> 19) & UINT64_C(0x7f0000007f);
    const uint64_t twos = (fours << 16) - hundreds * ((100 << 16) - 1);
    const uint64_t tens_of_twos = (twos * 103 >> 10) & UINT64_C(0xf000f000f000f);
    return (twos << 8) - tens_of_twos * ((10 << 8) - 1);
}

static const uint64_t ZEROS = UINT64_C(0x3030303030303030); /* as characters */

/* Writes eight characters, of which the first is in the lowest byte. Compilers make one store. */
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
    size_t length = value < eight ? 0 : number_write_whole(text, value / eight);
    uint64_t last = spread(length == 0 ? value : value % eight);
    const unsigned zeros = length == 0 ? COMPILER_LOWEST_BIT(last | UINT64_C(1) << 56) / 8 : 0;
    write_eight(text + length, (last + ZEROS) >> 8 * zeros);
    length += 8 - zeros;
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
static const uint64_t MIN_BITS = UINT64_C(994) << 52;     /* 2^-29 */
static const uint64_t BEYOND_BITS = UINT64_C(1072) << 52; /* 2^49 */

/* One, in units of the 17th digit, as a fixed-point number. */
static const uint64_t ONE = UINT64_C(1) << 57;

/* A double times a power of ten, and half the way to the next double: the sum is exactly (whole +
 * fraction / ONE), where `whole` has 17 digits, the first `places` of them before the point. */
struct scaled {
    uint64_t whole, fraction;
    uint64_t above; /* half the way to the next double, in the same units, rounded down; */
    uint64_t below; /* and to the one before */
    int places;
};

/* Scales a number from SHORTEST_MIN to SHORTEST_BEYOND. It is m 2^exponent, where m has 53 bits; m
 * times a power of 5 is an integer, of which the last 7 bits below the point and more are 0. */
static inline struct scaled scale(uint64_t bits)
{
    static const double limits[] = {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1,
                                    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                    1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    const int exponent = (int)(bits >> 52) - 1075;
    /* The power of two below, 2^(exponent + 52), is at least 10^(place - 10). */
    const int place = ((exponent + 52) * 78913 + (10 << 18)) >> 18;
    uint64_t limit;
    memcpy(&limit, &limits[place], sizeof limit);
    const int places = place - 9 + (bits >= limit);
    const uint64_t five = fives[17 - places];
    const int shift = 18 - places + exponent + bits_of_five(17 - places); /* 1 to 5 */
    const uint64_t above = five >> (8 - shift);
    uint64_t whole;
    uint64_t fraction;
    number_multiply(m << shift, five, &whole, &fraction);
    fraction = (fraction >> 7) + above;
    return (struct scaled){whole + fraction / ONE, fraction % ONE, above,
                           above >> (m == UINT64_C(1) << 52), places};
}

/* The digits of a number: 15 of them, and two more as characters. Of these `count` are to be
 * written; or, if it `is_fifteen`, all of the 15 but zeros at their end. `places` stand before the
 * point. */
struct digits {
    uint64_t fifteen, two;
    int count, is_fifteen, places;
};

/* The nearest number of 15 digits if it reads back, or else the nearest of 16 or 17; of two, the
 * even one. If it has 16 or 17, the last one is no 9 that is rounded up, for then fewer digits
 * would do. There is no branch, as it would be guessed wrong every second time. */
static inline struct digits round_digits(const struct scaled *scaled)
{
    const uint64_t fifteen = scaled->whole / 100;
    const uint64_t beyond = (scaled->whole - 100 * fifteen) * ONE + scaled->fraction;
    const uint64_t is_fifteen = beyond <= scaled->above + scaled->below;
    const uint64_t from_hundred = beyond - scaled->above; /* of no use if 15 digits do */
    const uint64_t two = from_hundred / ONE;
    const uint64_t ten = two * 103 >> 10;
    const uint64_t from_ten = from_hundred - ten * (10 * ONE);
    const uint64_t is_up = from_ten + (ten & 1) > 5 * ONE;
    const uint64_t is_up_last = from_hundred % ONE + (two & 1) > ONE / 2;
    const uint64_t is_sixteen =
        (is_up & (from_ten + scaled->above >= 10 * ONE)) | (from_ten <= scaled->below);
    const uint64_t characters = (two << 8) - ten * ((10 << 8) - 1) + 0x3030;
    return (struct digits){.fifteen = fifteen,
                           .two = characters + (is_up & is_sixteen) + (is_up_last << 8),
                           .count = 17 - (int)is_sixteen,
                           .is_fifteen = (int)is_fifteen,
                           .places = scaled->places};
}

enum { MIN_PLACES = -3, MAX_PLACES = 7 };

/* Writes digits with MIN_PLACES to MAX_PLACES before the point. */
static inline size_t write_in_place(char *text, const struct digits *digits)
{
    const uint64_t eight = 100000000;
    const uint64_t last = spread(digits->fifteen % eight);
    const uint64_t seven = spread(digits->fifteen / eight) >> 8;
    const int zeros = (digits->places < 1) * (1 - digits->places); /* in front of them, */
    const int point = digits->places + zeros;
    const uint64_t head = (seven << 8 * zeros) + ZEROS;
    const uint64_t after = head & (~UINT64_C(0) << 8 * point);
    char *start = text + zeros + 1;
    write_eight(start, seven + ZEROS); /* where they are behind the point */
    write_eight(start + 7, last + ZEROS);
    start[15] = (char)digits->two;
    start[16] = (char)(digits->two >> 8);
    write_eight(text, (head ^ after) | (uint64_t)'.' << 8 * point | after << 8);
    int count = digits->count;
    if (digits->is_fifteen)
        count = last ? 8 + COMPILER_HIGHEST_BIT(last) / 8 : 1 + COMPILER_HIGHEST_BIT(seven | 1) / 8;
    const int length = count > digits->places ? zeros + count + 1 : digits->places;
    text[length] = '\0';
    return (size_t)length;
}

/* Writes a decimal number without its sign, as printf("%g") or, if `is_fixed`, no exponent. */
static size_t write_digits(char *text, const struct decimal *decimal, int is_fixed)
{
    char digits[NUMBER_WHOLE_SIZE];
    const size_t count = number_write_whole(digits, decimal->digits);
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

/* A number from SHORTEST_MIN to SHORTEST_BEYOND. */
static inline size_t write_usual(char text[NUMBER_SHORTEST_SIZE - 1], uint64_t bits)
{
    const struct scaled scaled = scale(bits);
    const struct digits digits = round_digits(&scaled);
    if (digits.places >= MIN_PLACES && digits.places <= MAX_PLACES &&
        digits.fifteen < UINT64_C(1000000000000000))
        return write_in_place(text, &digits);
    struct decimal decimal = {.digits = digits.fifteen, .exponent = digits.places - 15};
    for (int k = 15; k < digits.count && !digits.is_fifteen; k++, decimal.exponent--)
        decimal.digits = 10 * decimal.digits + (digits.two >> 8 * (k - 15) & 15);
    for (; decimal.digits % 10 == 0; decimal.digits /= 10)
        decimal.exponent++;
    return write_digits(text, &decimal, 0);
}

size_t number_write_shortest(char text[NUMBER_SHORTEST_SIZE], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits); /* IEEE 754 binary64 */
    const size_t sign = (size_t)(bits >> 63);
    bits = bits << 1 >> 1;
    text[0] = '-';
    if (bits - MIN_BITS < BEYOND_BITS - MIN_BITS)
        return sign + write_usual(text + sign, bits);
    if (bits != 0)
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
