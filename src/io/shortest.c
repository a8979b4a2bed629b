/*
 * Numbers as short as they read back; see shortest.h.
 *
 * A double of usual size times a power of ten, so that its whole part has 17 digits, is an exact
 * fraction with a power of two below. All decimal numbers that are nearer to it than to the next
 * double read as this double (Steele and White 1990, "How to print floating-point numbers
 * accurately"). Half the way to the next one is 0.5 to 12 units of the 17th digit, and is known
 * exactly, too; so whether the nearest number of 15 digits lies within, or the nearest one of 16,
 * is decided by comparing integers, and the nearest one of 17 always does. Numbers of other sizes
 * are left to the C library.
 */
#include "io/shortest.h"

#include "io/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here up to there, shortest_write does not need the library. */
static const double SHORTEST_LEAST = 1e-9;
static const double SHORTEST_BEYOND = 1e15;
static const double LOG10_OF_2 = 0.30102999566398120;

/* A decimal number: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* A double times a power of ten, exactly: (whole + fraction / 2^shift). */
struct scaled {
    uint64_t whole;
    uint64_t fraction; /* less than 2^shift */
    int shift;         /* 1 to 57 */
    uint64_t above;    /* how far away the next double is, in units of 2^-shift */
    uint64_t below;    /* and the one before; rounded down */
};

/* The 128 bits of a * b. */
static void multiply(uint64_t a, uint64_t b, uint64_t *upper, uint64_t *lower)
{
    uint64_t a_upper = a >> 32;
    uint64_t a_lower = a & UINT32_MAX;
    uint64_t b_upper = b >> 32;
    uint64_t b_lower = b & UINT32_MAX;
    uint64_t last = a_lower * b_lower;
    uint64_t middle = a_upper * b_lower + (last >> 32);
    uint64_t other = a_lower * b_upper + (middle & UINT32_MAX);
    *upper = a_upper * b_upper + (middle >> 32) + (other >> 32);
    *lower = other << 32 | (last & UINT32_MAX);
}

/*
 * m 2^exponent times 10^power, where m has 53 bits: m 5^power is an integer, and the rest a shift.
 * The power is that for a whole part of 17 digits, or one more.
 */
static struct scaled scale(uint64_t m, int exponent, int power)
{
    uint64_t five = number_fives[power];
    int shift = -(exponent + power);
    uint64_t upper;
    uint64_t lower;
    multiply(m, five, &upper, &lower);
    return (struct scaled){.whole = upper << (64 - shift) | lower >> shift,
                           .fraction = lower & ((UINT64_C(1) << shift) - 1),
                           .shift = shift,
                           .above = five,
                           .below = m == UINT64_C(1) << 52 ? five / 2 : five};
}

/* Whether `candidate` is nearer to the number than half the way to the next double. */
static int reads_back(const struct scaled *scaled, uint64_t candidate)
{
    const uint64_t far_away = 12;
    if (candidate > scaled->whole) {
        uint64_t distance = candidate - scaled->whole;
        return distance < far_away &&
               2 * ((distance << scaled->shift) - scaled->fraction) <= scaled->above;
    }
    uint64_t distance = scaled->whole - candidate;
    return distance < far_away &&
           2 * ((distance << scaled->shift) + scaled->fraction) <= scaled->below;
}

/* The multiple of `unit`, 1 or an even number, that is nearest; of two, the even one. */
static uint64_t round_to(const struct scaled *scaled, uint64_t unit)
{
    uint64_t rest = scaled->whole % unit;
    uint64_t lower = scaled->whole - rest;
    uint64_t half = unit == 1 ? UINT64_C(1) << (scaled->shift - 1) : 0;
    int is_tie = rest == unit / 2 && scaled->fraction == half;
    int is_above = rest > unit / 2 || (rest == unit / 2 && scaled->fraction > half);
    return is_above || (is_tie && lower / unit % 2 == 1) ? lower + unit : lower;
}

/* The decimal number with the fewest digits, but not fewer than 15 unless these are zeros, that
 * reads as `size`, which is from SHORTEST_LEAST to SHORTEST_BEYOND. */
static struct decimal shorten(double size)
{
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits); /* IEEE 754 binary64 */
    uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int exponent = (int)(bits >> 52) - 1075;
    int power = 16 - (int)floor(LOG10_OF_2 * (exponent + 52)); /* or one too many */
    struct scaled scaled = scale(m, exponent, power);
    if (scaled.whole >= UINT64_C(100000000000000000))
        scaled = scale(m, exponent, --power);
    uint64_t digits = round_to(&scaled, 100);
    if (!reads_back(&scaled, digits))
        digits = round_to(&scaled, 10);
    if (!reads_back(&scaled, digits))
        digits = round_to(&scaled, 1);
    for (; digits % 100000 == 0; digits /= 100000)
        power -= 5;
    for (; digits % 10 == 0; digits /= 10)
        power--;
    return (struct decimal){.digits = digits, .exponent = -power};
}

/* Writes a decimal number that is not 0 as printf("%g") would, with all its digits. */
static size_t write_decimal(char *text, const struct decimal *decimal)
{
    char digits[NUMBER_WHOLE_SIZE];
    size_t count = number_write_whole(digits, decimal->digits);
    int places = (int)count + decimal->exponent; /* before the point */
    size_t length = 0;
    if (places < -3) {
        text[length++] = digits[0];
        if (count > 1) {
            text[length++] = '.';
            memcpy(text + length, digits + 1, count - 1);
            length += count - 1;
        }
        memcpy(text + length, "e-0", 3); /* never beyond -9 */
        text[length + 3] = (char)('1' - places);
        return length + 4;
    }
    if (places <= 0) {
        memcpy(text, "0.000", 5);
        length = (size_t)(2 - places);
        memcpy(text + length, digits, count);
        return length + count;
    }
    size_t before = (size_t)places < count ? (size_t)places : count;
    memcpy(text, digits, before);
    if (before < count) {
        text[before] = '.';
        memcpy(text + before + 1, digits + before, count - before);
        return count + 1;
    }
    memset(text + count, '0', (size_t)places - count);
    return (size_t)places;
}

/* Asks the library, until the number reads back. */
static size_t write_by_library(char text[SHORTEST_SIZE], double value)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, SHORTEST_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return length > 0 ? (size_t)length : 0;
}

size_t shortest_write(char text[SHORTEST_SIZE], double value)
{
    double size = fabs(value);
    size_t sign = signbit(value) ? 1 : 0;
    text[0] = '-';
    if (size >= SHORTEST_LEAST && size < SHORTEST_BEYOND) {
        struct decimal decimal = shorten(size);
        return sign + write_decimal(text + sign, &decimal);
    }
    if (size == 0) {
        text[sign] = '0';
        return sign + 1;
    }
    return write_by_library(text, value);
}
