/*
 * Decimal numbers: doubles that are short to write down, and writing doubles so that whoever
 * reads them gets the very same ones back.
 */
#ifndef PARTICLES_DECIMAL_H
#define PARTICLES_DECIMAL_H

#include <stddef.h>

/*
 * The decimal numbers with a fixed number of places after the point. `scale` is 10^places, at
 * most 10^22, which a double holds exactly; or 0, where there are no such numbers and all
 * functions below treat doubles as they are.
 */
struct decimals {
    int places;
    double scale;
};

/*
 * The decimals that lie at most `step` apart; further apart only if numbers up to `largest` would
 * otherwise have more than 15 digits, which is what a double can tell apart. Both are positive,
 * in any unit. Where they are too small or too large for this, there are none.
 */
struct decimals decimals_choose(double step, double largest);

/* The decimal nearest to `value`, whose size is at most the `largest` of decimals_choose. */
double decimals_round(const struct decimals *decimals, double value);

enum { DECIMALS_TEXT_SIZE = 32 };

/*
 * Writes `value`, any finite number, into `text` so that it reads back exactly: one of `decimals`
 * with no more digits than it needs, any other with up to 17. Returns the length.
 */
size_t decimals_write(const struct decimals *decimals, double value, char text[DECIMALS_TEXT_SIZE]);

#endif
