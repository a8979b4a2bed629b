/*
 * How the state of a system becomes a picture: positions, sizes and colours.
 */
#ifndef PARTICLES_PICTURE_SCENE_H
#define PARTICLES_PICTURE_SCENE_H

#include "observe/polygon_hits.h"
#include "run/snapshot.h"

struct picture_paths;

/* In pixels, which are counted to the right and downwards. */
enum {
    PICTURE_MAX_WIDTH = 880, /* the box is drawn as large as fits into this width and height */
    PICTURE_MAX_HEIGHT = 720,
    PICTURE_MIN_WIDTH = 560, /* of the canvas */
    PICTURE_MARGIN = 32,
    PICTURE_HEADER = 84,      /* height of the text above the box, */
    PICTURE_HEADER_LINE = 18, /* and of a further line of it: of a box that is cut, or periodic, and
                                 of polygons */
    PICTURE_STRIP_GAP = 9     /* between the strips of a box that is cut */
};

enum { PICTURE_MAX_STRIPS = 40 };

/*
 * Where the box is drawn. A box more slender than 1 : 10 is cut into strips of equal length, so
 * that its disks can still be seen: a wide one into rows, from top to bottom, a high one into
 * columns, from left to right.
 */
struct picture_layout {
    double scale_length;    /* length that is drawn as PICTURE_MAX_WIDTH pixels */
    int is_tall;            /* strips are columns, cut along y */
    size_t strips;          /* 1: the box is in one piece */
    double strip_length;    /* of each strip, along x or y, in the units of the input */
    double box_x, box_y;    /* the upper left corner of the first strip */
    double strip_pixels[2]; /* width and height of a strip */
    double width;           /* of the canvas */
    double bottom;          /* the lower end of the last strip, or of arrows that leave the box */
};

/* The layout of a box of sides `width` and `height`, both positive and within SYSTEM_LARGEST. */
struct picture_layout picture_layout_choose(double width, double height);

/* A length in pixels. */
double picture_layout_pixels(const struct picture_layout *layout, double length);

/* The strip in which a point lies; for a point outside the box, the nearest strip. */
size_t picture_layout_strip(const struct picture_layout *layout, double x, double y);

/* The upper left corner of a strip, in pixels. */
void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2]);

/* Projects a point (x, y) of the box to pixels, on the plane of a strip; it may be outside. */
void picture_layout_project(const struct picture_layout *layout, size_t strip, double x, double y,
                            double point[2]);

/* A colour of the sRGB space, each part from 0 to 255. */
struct colour {
    int red, green, blue;
};

enum {
    PICTURE_COLOUR_STOPS = 10, /* evenly spaced; colours between them are interpolated */
    PICTURE_KIND_COLOURS = 8   /* how many kinds have colours of their own */
};

/*
 * The colour of a quantity, from 0 (dark blue) to 1 (yellow); values outside get the colour of the
 * nearer end. The map is viridis, in which equal steps look equal and larger is always lighter: S.
 * van der Walt and N. Smith, 2015, the default of matplotlib, in the public domain (CC0); here its
 * values at 10 places.
 */
struct colour picture_quantity_colour(double fraction);

/*
 * The colour of kind number `rank`, from 0; from PICTURE_KIND_COLOURS on the colours repeat. They
 * are those of M. Okabe and K. Ito, Color Universal Design, 2008, with grey in place of black.
 */
struct colour picture_kind_colour(size_t rank);

enum { PICTURE_SHADES = 32 }; /* number of colours for speeds */

/* The particles of one species. */
struct picture_species {
    int32_t species;
    size_t count;
};

/*
 * The scale of colours and arrows that all frames of a run share. Speeds beyond it are drawn as the
 * highest on it.
 */
struct picture_scale {
    double brightest; /* speed of the brightest colour; in a stream, relative to it */
    double fastest;   /* speed of the longest arrow */
    double arrow;     /* speed of an arrow of 1 pixel; 0: there are no arrows */
};

/* The speed of a body; in a stream, relative to it. */
double picture_relative_speed(const struct snapshot *snapshot, const struct body *body);

/*
 * Chooses the scale of a run up to `end_time`, from its start: twice the root mean square of the
 * speeds, which in a gas few exceed, or the highest one if that is more; with `keeps_top_speed`, in
 * a run in which no collision makes a speed higher, the highest. If all are at rest it is that
 * which crosses the longer side of the box up to the end.
 */
struct picture_scale picture_scale_choose(const struct snapshot *start, int keeps_top_speed,
                                          double end_time);

/* Additions to the snapshot; {0}: none. Not owned. */
struct picture_extras {
    const struct polygon_hits *hits;   /* in a stream, those of the polygons, or NULL, */
    double hits_from;                  /* from this time on */
    const struct picture_paths *paths; /* of the particles up to the snapshot, or NULL */
    const struct picture_scale *scale; /* NULL: one for this snapshot alone */
};

struct picture_scene {
    const struct snapshot *snapshot; /* not owned */
    struct picture_extras extras;
    struct picture_layout layout;
    struct picture_scale scale;
    double outline;                  /* width of the lines around disks, in pixels; 0: none */
    int are_enlarged;                /* some disks are drawn larger than they are */
    int are_labelled;                /* the numbers of the particles are on the disks */
    size_t species_count;            /* 1: colours stand for speeds; more: for species */
    struct picture_species *species; /* `species_count` of them, in increasing order; owned; or
                                        NULL if there are no kinds */
};

/*
 * Chooses how to draw a snapshot, with `extras`. Returns STATUS_DONE, or STATUS_NO_MEMORY and a
 * scene that picture_scene_free still frees.
 */
enum status picture_scene_create(struct picture_scene *scene, const struct snapshot *snapshot,
                                 const struct picture_extras *extras, struct error *error);

/* Frees the scene, but not the system. */
void picture_scene_free(struct picture_scene *scene);

/* The radius that a particle is drawn with, in pixels, its outline included. */
double picture_scene_radius(const struct picture_scene *scene, const struct body *body);

/*
 * A disk across a seam is seen on both sides of the box: as itself, image 0, and as images a side
 * of the box away. `image` is the set of axes, as in struct boundary, along which it is away; it is
 * less than PICTURE_IMAGES. Returns whether this image, as it is drawn, reaches into the box; if
 * so, `centre` gets its x and y, in the units of the input.
 */
enum { PICTURE_IMAGES = 4 };
int picture_scene_image(const struct picture_scene *scene, size_t number, unsigned image,
                        double centre[2]);

/* True if a disk is so small that an arrow across it would hide it. */
int picture_scene_is_small(const struct picture_scene *scene, const struct body *body);

/* The arrow of a velocity, in pixels. */
struct picture_arrow {
    double begin[2];
    double direction[2]; /* to the right and downwards; its length is 1 */
    double length;
};

/*
 * The arrow of a particle, on the plane of a strip. Returns whether it is long enough to be drawn;
 * if not, `arrow` is not set.
 */
int picture_scene_arrow(const struct picture_scene *scene, size_t number, size_t strip,
                        struct picture_arrow *arrow);

/* The number of colours of the scene; and the colour of a particle, a number from 0. */
size_t picture_scene_colour_count(const struct picture_scene *scene);
size_t picture_scene_colour_of(const struct picture_scene *scene, const struct body *body);

/* The colour with this number. */
struct colour picture_scene_colour(const struct picture_scene *scene, size_t number);

#endif
