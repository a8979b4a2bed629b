/*
 * Decimal numbers; see decimal.h.
 *
 * A whole number k of up to 15 digits and a power of ten up to 10^22 are both doubles without
 * rounding. The quotient k / 10^p is therefore rounded once, to the double nearest to the decimal
 * number, and that is the double that reading its digits must give, too (W. D. Clinger, How to
 * read floating point numbers accurately, PLDI 1990). So such numbers can be written down digit by
 * digit, many times faster than printf writes a double, and the same with every C library.
 */
#include "io/decimal.h"

#include "io/shortest.h"

#include <math.h>
#include <stdint.h>

static const double MOST_UNITS = 1e15; /* below that, k is exact, and so is k + 0.5 */
enum { MOST_PLACES = 22 };             /* 10^22 is the last power of ten without rounding */

struct decimals decimals_choose(double step, double largest)
{
    struct decimals decimals = {.places = 0, .scale = 1};
    while (decimals.places <= MOST_PLACES && decimals.scale * step < 1 &&
           decimals.scale * 10 * largest < MOST_UNITS) {
        decimals.places++;
        decimals.scale *= 10;
    }
    if (decimals.places > MOST_PLACES || decimals.scale * largest >= MOST_UNITS)
        decimals = (struct decimals){0};
    return decimals;
}

/* How many units of the last place `value` has, rounded to the nearest. */
static double count_units(const struct decimals *decimals, double value)
{
    return floor(value * decimals->scale + 0.5);
}

double decimals_round(const struct decimals *decimals, double value)
{
    return decimals->scale > 0 ? count_units(decimals, value) / decimals->scale : value;
}

/* Writes `units` of the last place with the point where it belongs; no zeros after the last digit
 * that needs none. Returns the length. */
static size_t write_units(uint64_t units, int places, int is_negative,
                          char text[DECIMALS_TEXT_SIZE])
{
    char digits[DECIMALS_TEXT_SIZE]; /* the last comes first */
    size_t count = 0;
    for (; places > 0 && units % 10 == 0; places--)
        units /= 10;
    const int point = places;
    do {
        digits[count++] = (char)('0' + units % 10);
        units /= 10;
        if (--places == 0 && point > 0)
            digits[count++] = '.';
    } while (units > 0 || places >= 0);
    size_t length = 0;
    if (is_negative)
        text[length++] = '-';
    while (count > 0)
        text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

size_t decimals_write(const struct decimals *decimals, double value, char text[DECIMALS_TEXT_SIZE])
{
    double size = fabs(value);
    if (decimals->scale > 0 && size * decimals->scale < MOST_UNITS) {
        double units = count_units(decimals, size);
        if (units / decimals->scale == size)
            return write_units((uint64_t)units, decimals->places, value < 0, text);
    }
    size_t length = shortest_write(text, value);
    text[length] = '\0';
    return length;
}
