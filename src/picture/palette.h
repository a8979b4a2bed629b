/*
 * Colours that tell quantities and kinds apart, also for those who see fewer colours.
 */
#ifndef PARTICLES_PALETTE_H
#define PARTICLES_PALETTE_H

#include <stddef.h>

/* A colour of the sRGB space, each part from 0 to 255. */
struct colour {
    int red, green, blue;
};

enum {
    PALETTE_STOPS = 10, /* between which palette_quantity interpolates, evenly spaced */
    PALETTE_KINDS = 8   /* how many kinds have colours of their own */
};

/*
 * The colour of a quantity, from 0 (dark blue) to 1 (yellow); others count as the nearer of these.
 * The map is viridis, in which equal steps look equal and which grows ever lighter: S. van der Walt
 * and N. Smith, 2015, the default of matplotlib, in the public domain (CC0); here its values at
 * 10 places.
 */
struct colour palette_quantity(double fraction);

/*
 * The colour of kind number `rank`, from 0; the kinds beyond PALETTE_KINDS get the same again. They
 * are those of M. Okabe and K. Ito, Color Universal Design, 2008, with grey in place of black.
 */
struct colour palette_kind(size_t rank);

#endif
