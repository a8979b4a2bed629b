/*
 * Numbers to text and back; see number.h.
 *
 * Reading. A decimal number is a whole number, its digits, times or over a power of ten. If both
 * are doubles exactly, the one operation that is left rounds correctly, and that is the answer
 * (Clinger 1990, "How to read floating point numbers accurately"). With 17 digits, as many as tell
 * all doubles apart, the digits are too long for that: they are divided by long division of
 * integers instead, to more bits than a double has, and what remains only counts as "a bit more".
 * The one rounding is then that of an integer to a double.
 *
 * Writing. The fraction of a double of usual size is an exact multiple of 2^-64. Times 10^6, in
 * integers, it shows the digits and, exactly, on which side of a half the rest lies.
 *
 * What does not fit into these schemes is left to the C library.
 */
#include "io/number.h"

#include <math.h>
#include <stdio.h>

/* A decimal number: digits * 10^exponent, and its sign. */
struct decimal {
    uint64_t digits; /* less than 2^63 */
    long exponent;
    int is_negative;
};

/*
 * Appends the digits at `text` to those of `decimal`. Returns what follows them, or NULL if they
 * are too many.
 */
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

/*
 * Adds the exponent at `text`, behind an 'e', to that of `decimal`. Returns what follows it, or
 * NULL if there is none.
 */
static const char *read_exponent(const char *text, struct decimal *decimal)
{
    long exponent = 0;
    int is_negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++)
        if (exponent < 100000) /* all that is larger is as good as this */
            exponent = 10 * exponent + (*text - '0');
    decimal->exponent += is_negative ? -exponent : exponent;
    return text;
}

/* Takes `text` apart. Returns 0 if it is no decimal number, or too long a one. */
static int read_decimal(const char *text, struct decimal *decimal)
{
    *decimal = (struct decimal){.is_negative = *text == '-'};
    text += *text == '-' || *text == '+';
    const char *start = text;
    text = read_digits(text, decimal);
    if (!text)
        return 0;
    long count = text - start;
    if (*text == '.') {
        start = text + 1;
        text = read_digits(start, decimal);
        if (!text)
            return 0;
        decimal->exponent = start - text;
        count += text - start;
    }
    if (count > 0 && (*text == 'e' || *text == 'E'))
        text = read_exponent(text + 1, decimal);
    return count > 0 && text && *text == '\0';
}

const uint64_t number_fives[NUMBER_FIVES] = {UINT64_C(1),
                                             UINT64_C(5),
                                             UINT64_C(25),
                                             UINT64_C(125),
                                             UINT64_C(625),
                                             UINT64_C(3125),
                                             UINT64_C(15625),
                                             UINT64_C(78125),
                                             UINT64_C(390625),
                                             UINT64_C(1953125),
                                             UINT64_C(9765625),
                                             UINT64_C(48828125),
                                             UINT64_C(244140625),
                                             UINT64_C(1220703125),
                                             UINT64_C(6103515625),
                                             UINT64_C(30517578125),
                                             UINT64_C(152587890625),
                                             UINT64_C(762939453125),
                                             UINT64_C(3814697265625),
                                             UINT64_C(19073486328125),
                                             UINT64_C(95367431640625),
                                             UINT64_C(476837158203125),
                                             UINT64_C(2384185791015625),
                                             UINT64_C(11920928955078125),
                                             UINT64_C(59604644775390625),
                                             UINT64_C(298023223876953125),
                                             UINT64_C(1490116119384765625),
                                             UINT64_C(7450580596923828125)};

/* How many bits of 64 stand unused before 5^power. */
static int zeros_before_five(int power)
{
    return 63 - power * 1217359 / 524288; /* which is 2.321928..., the logarithm of 5 to base 2 */
}

/*
 * The whole part of *remainder * 2^32 / divisor, where *remainder < divisor and the divisor's
 * highest bit is set; `*remainder` becomes what remains. The first estimate, by the divisor's upper
 * half, is at most 2 too large (Knuth, "The Art of Computer Programming" 2, 4.3.1, theorem B).
 */
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

/* The double nearest to digits / 10^power; digits from 1 to 2^63 - 1, power below NUMBER_FIVES. */
static double divide(uint64_t digits, int power)
{
    int zeros = zeros_before_five(power);
    uint64_t divisor = number_fives[power] << zeros; /* 10^power = divisor 2^(power - zeros) */
    int exponent = zeros - power - 64;
    for (; digits < UINT64_C(1) << 57; digits <<= 6) /* so that the quotient has 58 to 64 bits, */
        exponent -= 6;
    uint64_t remainder = digits;
    uint64_t quotient = next_32_bits(&remainder, divisor) << 32;
    quotient |= next_32_bits(&remainder, divisor);
    quotient |= remainder != 0; /* the last of which is not needed but to break a tie */
    return ldexp((double)quotient, exponent);
}

int number_read(const char *text, double *value)
{
    static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = sizeof exact_powers / sizeof exact_powers[0] - 1;
    struct decimal decimal;
    double size = 0;
    if (!read_decimal(text, &decimal))
        return 0;
    int is_exact = decimal.digits <= UINT64_C(1) << 53;
    if (is_exact && decimal.exponent <= 0 && decimal.exponent >= -most)
        size = (double)decimal.digits / exact_powers[-decimal.exponent];
    else if (is_exact && decimal.exponent > 0 && decimal.exponent <= most)
        size = (double)decimal.digits * exact_powers[decimal.exponent];
    else if (decimal.digits > 0 && decimal.exponent <= 0 && decimal.exponent > -NUMBER_FIVES)
        size = divide(decimal.digits, (int)-decimal.exponent);
    else
        return 0;
    *value = decimal.is_negative ? -size : size;
    return 1;
}

size_t number_write_whole(char text[NUMBER_WHOLE_SIZE], uint64_t value)
{
    size_t length = 1;
    for (uint64_t rest = value; rest >= 10; rest /= 10)
        length++;
    for (size_t k = length; k > 0; value /= 10)
        text[--k] = (char)('0' + value % 10);
    return length;
}

/*
 * Rounds fraction * 10^6 / 2^64 to the nearest whole number, from 0 to 10^6, and a tie to the even
 * one, as printf does.
 */
static uint32_t round_to_millionths(uint64_t fraction)
{
    const uint64_t million = 1000000;
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t lower = (fraction & UINT32_MAX) * million;
    uint64_t upper = (fraction >> 32) * million + (lower >> 32);
    uint32_t whole = (uint32_t)(upper >> 32);
    uint64_t rest = upper << 32 | (lower & UINT32_MAX);
    return whole + (rest > half || (rest == half && whole % 2 == 1));
}

size_t number_write_decimals(char text[NUMBER_DECIMALS_SIZE], double value)
{
    double size = fabs(value);
    if (!(size < 0x1p63))
        return (size_t)snprintf(text, NUMBER_DECIMALS_SIZE, "%.6f", value);
    uint64_t whole = (uint64_t)size;
    double scaled = (size - (double)whole) * 0x1p64; /* both operations are exact */
    uint64_t fraction = (uint64_t)scaled;
    if ((double)fraction != scaled) /* tiny, with bits below 2^-64 */
        return (size_t)snprintf(text, NUMBER_DECIMALS_SIZE, "%.6f", value);
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
    for (size_t k = 6; k > 0; millionths /= 10)
        text[length + --k] = (char)('0' + millionths % 10);
    return length + 6;
}
