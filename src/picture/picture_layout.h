/*
 * Where the box goes on a picture: from lengths, in whatever unit, to a canvas of pixels.
 */
#ifndef PARTICLES_PICTURE_LAYOUT_H
#define PARTICLES_PICTURE_LAYOUT_H

#include <stddef.h>

/* All of these are pixels; they grow to the right and downwards. */
enum {
    PICTURE_MOST_WIDTH = 880, /* of the box; it fits into this width and height, */
    PICTURE_MOST_HEIGHT = 720,
    PICTURE_LEAST_WIDTH = 560, /* and the canvas has this width at least */
    PICTURE_MARGIN = 32,
    PICTURE_HEADER = 84,      /* height of what stands above the box, */
    PICTURE_HEADER_LINE = 18, /* and of a further line of it, where the box is cut */
    PICTURE_STRIP_GAP = 9     /* between the strips of a slender box */
};

enum { PICTURE_MOST_STRIPS = 40 };

/*
 * A box more slender than 1 : 10 is cut into strips of equal length, so that its disks can still
 * be seen: a wide one into rows, from top to bottom, a high one into columns, from left to right.
 */
struct picture_layout {
    double scale_length;    /* length that is drawn as PICTURE_MOST_WIDTH pixels */
    int is_tall;            /* strips are columns, cut along y */
    size_t strips;          /* 1: the box is in one piece */
    double strip_length;    /* length of each, along x or y */
    double box_x, box_y;    /* the upper left corner of the first strip */
    double strip_pixels[2]; /* width and height of a strip */
    double width;           /* of the canvas */
    double bottom;          /* the lower end of the last strip */
};

/* The layout of a box of sides `width` and `height`, both positive and within SYSTEM_LARGEST. */
struct picture_layout picture_layout_choose(double width, double height);

/* A length in pixels. */
double picture_layout_pixels(const struct picture_layout *layout, double length);

/* The strip in which a point lies; for a point beyond the ends, the nearest one. */
size_t picture_layout_strip(const struct picture_layout *layout, double x, double y);

/* The upper left corner of a strip, in pixels. */
void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2]);

/* Where a point (x, y) of the box appears, as part of a strip in which it need not lie. */
void picture_layout_place(const struct picture_layout *layout, size_t strip, double x, double y,
                          double place[2]);

#endif
