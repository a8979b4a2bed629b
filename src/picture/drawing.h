/* How the state of a system becomes a picture, an SVG document: positions, sizes and colours, and
 * the parts that the picture of fields shares; plots, inline SVG of an HTML page, each with its
 * numbers in a table beneath; and the page that plays a run, a template with the data of the run.
 * Errors of writing are left in `stream`. */
#ifndef PARTICLES_DRAWING_H
#define PARTICLES_DRAWING_H

#include "observe/writers.h"
#include "run/dynamics.h"
#include "run/snapshot.h"

#include <stdio.h>

/* The files of data/embedded of the same names, which the build turns into strings. A page has the
 * styles of reports and plots once. A picture has the styles of what it shows, as elements. */
extern const char animation_template[], report_style[], report_plots[], plot_style[];
extern const char picture_drawing_style[], picture_drawing_sides_style[], polygons_style[];
extern const char outside_style[], stream_style[], joints_style[], paths_style[];
extern const char field_style[], field_polygons_style[];

/* In pixels, which are counted to the right and downwards. */
enum {
    PICTURE_MAX_WIDTH = 880, /* the box is drawn as large as fits into this width and height */
    PICTURE_MAX_HEIGHT = 720,
    PICTURE_MIN_WIDTH = 560, /* of the canvas */
    PICTURE_MARGIN = 32,
    PICTURE_HEADER = 84,      /* height of the text above the box, */
    PICTURE_HEADER_LINE = 18, /* and of a further line of it */
    PICTURE_FOOTER_TOP = 30,  /* from the box to the middle of the first row below it */
    PICTURE_STRIP_GAP = 9     /* between the strips of a box that is cut */
};

enum {
    PICTURE_MAX_STRIPS = 40,
    PICTURE_MANY = 100000 /* this number of disks has no elements: librsvg reads 10^6 of these */
};

/* Where the box is drawn. A box more slender than 1 : 10 is cut into equal strips: a wide one into
 * rows, from top to bottom, a high one into columns, from left to right. */
struct picture_layout {
    double scale_length;    /* length that is drawn as PICTURE_MAX_WIDTH pixels */
    double origin[2];       /* what is at the lower left corner, in the units of the input */
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

/* A length in pixels; the strip nearest to a point; and the upper left corner of one, in pixels. */
double picture_layout_pixels(const struct picture_layout *layout, double length);
size_t picture_layout_strip(const struct picture_layout *layout, const double position[2]);
void picture_layout_corner(const struct picture_layout *layout, size_t strip, double corner[2]);

/* Project a position to pixels: on the plane of a strip, also where it is outside of that; or on
 * the plane of the strip in which it lies, which is returned. */
void picture_layout_project(const struct picture_layout *layout, size_t strip,
                            const double position[2], double point[2]);
size_t picture_layout_locate(const struct picture_layout *layout, const double position[2],
                             double point[2]);

/* Adds a line to the data of a path, if it touches a strip; it may join the line before. With a
 * point `control` that is not NULL it is the parabola whose tangents at its ends meet there. */
void picture_layout_write_line(const struct picture_layout *layout, size_t strip,
                               const double begin[2], const double end[2], const double *control,
                               int is_joined, FILE *stream);

/* Colours are numbers 0xRRGGBB of the sRGB space. */
enum {
    PICTURE_COLOUR_STOPS = 10, /* evenly spaced; colours between them are interpolated */
    PICTURE_KIND_COLOURS = 8,  /* how many kinds have colours of their own */
    PICTURE_PATH_COLOURS = 6,  /* the first of them, for paths: seen on light and dark ground */
    PICTURE_SHADES = 32        /* number of colours for speeds */
};

/* The colour of a quantity, from 0 (dark blue) to 1 (yellow); values outside get the colour of the
 * nearer end. The map is viridis, in which equal steps look equal and larger values are lighter (S.
 * van der Walt and N. Smith, 2015, in the public domain), interpolated between 10 of its values. */
uint32_t picture_quantity_colour(double fraction);

/* The colour of kind number `rank`, from 0; they repeat after PICTURE_KIND_COLOURS. They are those
 * of M. Okabe and K. Ito, Color Universal Design, 2008, with grey instead of black. */
uint32_t picture_kind_colour(size_t rank);

/* A species, or a number of contacts, and how many particles have it. */
struct picture_species {
    int32_t species;
    size_t count;
};

/* A scale of colours and arrows. Speeds beyond it are drawn as the highest on it. */
struct picture_scale {
    double brightest; /* speed of the brightest colour; in a stream, relative to it */
    double fastest;   /* speed of the longest arrow */
    double arrow;     /* speed of an arrow of 1 pixel; 0: there are no arrows */
};

/* The speed of a particle; or, if it is to be relative, in a stream that relative to it. */
double picture_speed(const struct snapshot *snapshot, size_t number, int is_relative);

/* Chooses the scale of all frames of a run up to `end_time`, from its start: twice the root mean
 * square of the speeds, which in a gas few exceed, or the highest speed if that is more; with
 * `keeps_top_speed`, if no collision increases the highest speed, that. If all particles are at
 * rest, it is the speed that crosses the longer side of the box in that time. */
struct picture_scale picture_scale_choose(const struct snapshot *start, int keeps_top_speed,
                                          double end_time);

struct picture_paths;

/* Additions to the snapshot, not owned; {0}: none. */
struct picture_extras {
    const struct polygon_hits *hits;   /* in a stream, those of the polygons, or NULL, */
    double hits_from;                  /* from this time on */
    const struct picture_paths *paths; /* of the particles up to the snapshot, or NULL */
    const uint32_t *contacts;          /* of each disk, to be shown; 0: a rattler; or NULL */
    const struct dynamics *dynamics;   /* whose joints and fixed particles are shown, or NULL */
    const struct picture_scale *scale; /* NULL: one for this snapshot alone */
};

struct picture_scene {
    const struct snapshot *snapshot; /* not owned */
    const struct boundary *box;      /* of the snapshot, */
    size_t count;                    /* and the number of its particles */
    struct picture_layout layout;
    struct picture_extras extras;
    struct picture_scale scale;
    double outline;                  /* width of the lines around disks, in pixels; 0: none */
    size_t joints, broken, fixed;    /* numbers of joints, broken ones, and fixed particles */
    int are_enlarged;                /* some disks are drawn larger than they are */
    int are_many;                    /* PICTURE_MANY or more: dots of paths */
    int are_labelled;                /* the numbers of the particles are on the disks */
    size_t species_count;            /* 1: colours stand for speeds; more: for species */
    struct picture_species *species; /* `species_count`, ascending; owned; NULL: no kinds */
};

/* A scene up to its layout, with `lines` of header besides the lines on the box and polygons. */
struct picture_scene picture_scene_begin(const struct snapshot *snapshot, int lines);

/* Chooses how to draw a snapshot, with `extras`. Returns STATUS_DONE, or STATUS_NO_MEMORY and a
 * scene that picture_scene_free still frees. */
enum status picture_scene_create(struct picture_scene *scene, const struct snapshot *snapshot,
                                 const struct picture_extras *extras, struct error *error);
void picture_scene_free(struct picture_scene *scene);

/* The radius that a particle is drawn with, in pixels, its outline included. */
double picture_scene_radius(const struct picture_scene *scene, size_t number);

/* A disk across a seam is drawn on both sides of the box: as itself, image 0, and as images shifted
 * by a side of the box along a set of axes, `image`, as in struct boundary. Returns 1 with the
 * centre of this image, in the units of the input, if it reaches into the box as it is drawn. */
enum { PICTURE_IMAGES = 4 };
int picture_scene_image(const struct picture_scene *scene, size_t number, unsigned image,
                        double centre[2]);

/* True if a disk is so small that an arrow across it would hide it. */
int picture_scene_is_small(const struct picture_scene *scene, size_t number);

/* The arrow of a velocity, in pixels. Returns 1 if a particle has one. */
struct picture_arrow {
    double begin[2];
    double direction[2]; /* to the right and downwards; its length is 1 */
    double length;
};
int picture_scene_arrow(const struct picture_scene *scene, size_t number, size_t strip,
                        struct picture_arrow *arrow);

/* True if colours stand for species or numbers of contacts, which are listed. */
static inline int picture_scene_has_list(const struct picture_scene *scene)
{
    return scene->species_count > 1 || scene->extras.contacts;
}

/* The number of the colour of a particle, less than PICTURE_SHADES; and the colour. */
size_t picture_scene_colour_of(const struct picture_scene *scene, size_t number);
uint32_t picture_scene_colour(const struct picture_scene *scene, size_t number);

/* Writes the picture, with 8 bytes a particle. Returns STATUS_DONE or STATUS_NO_MEMORY. */
enum status picture_drawing_write(const struct snapshot *snapshot,
                                  const struct picture_extras *extras, FILE *stream,
                                  struct error *error);

/* Writes SVG or HTML as fprintf, but " for each ' of the format, shorter than TAG_FORMAT_SIZE. */
enum { TAG_FORMAT_SIZE = 600 };
void tag_write(FILE *stream, const char *format, ...) ERROR_PRINTF_LIKE(2, 3);

/* Writes a number of pixels, to two decimals, after some text. */
void svg_write_pixels(FILE *stream, const char *before, double value);

/* Writes a line: `begin`, the attributes of a rectangle, in pixels, its end, and `end`. */
void svg_write_rectangle(const char *begin, const double corner[2], const double size[2],
                         const char *end, FILE *stream);

/* Writes an arrow as data of a path; the direction has length 1, the lines of its head `head`. */
void svg_write_arrow(const double begin[2], const double direction[2], double length, double head,
                     FILE *stream);

/* Write the beginning of an SVG document up to its title; and, after the styles, the rectangle
 * behind all else, and the title in the picture. */
void picture_drawing_begin(double width, double height, const char *title, FILE *stream);
void picture_drawing_write_card(double width, double height, const char *title, FILE *stream);

/* Writes the sides of each strip, walls solid, seams dashed; they have a style of their own. */
void picture_drawing_write_sides(const struct picture_scene *scene, FILE *stream);

/* The ending of a noun after this number. */
const char *picture_plural(uint64_t count);

/* The title of a picture; and the height of all of it, legend included, in pixels. */
enum { PICTURE_TITLE_SIZE = 80 };
void picture_legend_title(const struct picture_scene *scene, char title[PICTURE_TITLE_SIZE]);
double picture_legend_bottom(const struct picture_scene *scene);

/* Write a line of the header at the height `y`; and those that say how the box is cut, and along
 * which axes it is periodic, from there downwards. Return the height of the next line. */
int picture_legend_write_line(int y, FILE *stream, const char *format, ...) ERROR_PRINTF_LIKE(3, 4);
int picture_legend_write_box(const struct picture_scene *scene, int y, FILE *stream);

void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream);

/* The largest number up to `value`, positive and normal, that is 1, 2 or 5 times a power of ten. */
double picture_legend_round(double value);

/* Writes a bar of the colours of quantities, with round numbers below it. Returns its right end. */
struct picture_bar {
    const char *label, *id; /* id: of its gradient */
    int label_width, width; /* in pixels, of the label with its distance to the bar; of the bar */
    int parts;              /* numbers are as far apart as one of these, or less */
    double low, high;
};
double picture_legend_write_bar(const struct picture_bar *bar, double y, FILE *stream);

/* Writes an arrow for scale, of a round speed, and its label; one of 1 pixel stands for `unit`. */
void picture_legend_write_arrow(const struct picture_layout *layout, double unit, const char *label,
                                double y, FILE *stream);

/* Write of polygons, if there are any: their style; the line of the header that explains them; the
 * outlines, which what follows needs; and those in a strip, above its box and below its disks. */
void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_key(const struct picture_scene *scene, int y, FILE *stream);
void picture_polygons_write_outlines(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream);

/* Writes what is above the disks: the direction of a stream, the walls that have a temperature, and
 * the forces on obstacles; and, from a position on, the arrow that shows the scale of these. */
void picture_boundary_write(const struct picture_scene *scene, FILE *stream);
void picture_forces_write_key(const struct picture_scene *scene, double x, double y, FILE *stream);

/* Write, for a scene with paths: their line of the header; in a strip, the paths, and outlines of
 * disks where paths begin and disks touch, below all disks; and collisions, above. */
void picture_paths_write_key(const struct picture_scene *scene, int y, FILE *stream);
void picture_paths_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream);
void picture_paths_write_collisions(const struct picture_scene *scene, FILE *stream);

enum { PLOT_MAX_SERIES = 3 };

enum plot_form {
    PLOT_CURVE,  /* with a band of its errors, where they are known */
    PLOT_DASHED, /* a curve to compare with */
    PLOT_SMOOTH, /* one through all points, which a polynomial connects: theory */
    PLOT_BARS,   /* at equal distances, from 0 */
    PLOT_POINTS, /* with bars of their errors */
};

struct plot_series {
    const char *quantity; /* its name in a report; NULL: none */
    const char *label;    /* its name in the plot, in a word or two */
    enum plot_form form;
};

struct plot {
    struct plot_labels {
        const char *title, *x, *y; /* plain text */
    } labels;
    const char *const *categories; /* names of whole numbers on the x axis; or NULL */
    int is_close;                  /* the y axis need not begin at 0; with bars it does */
    double level;                  /* a level to compare with, in a dotted line; NAN: none */
    size_t count;                  /* of series, from 1; of several, all have the same x */
    struct plot_series series[PLOT_MAX_SERIES];
    const struct report_series
        *points[PLOT_MAX_SERIES]; /* of each, from left to right; not empty */
};

/* Writes a plot. Coordinates are computed with nothing but + - * / and comparisons, so that the
 * same points give the same bytes everywhere. */
void plot_write(const struct plot *plot, FILE *stream);

/* A collision, or a passage of a stream's seam, as the page holds it; particles are ids. */
struct animation_event {
    double time;
    int32_t a, b;    /* b: the other particle, or the code of a feature: see model/boundary.h */
    double after[4]; /* of two particles, u and v of a, then of b; where b is a side or a corner of
                        a polygon, or the seam of a stream, u, v, x and y of a; nothing where it is
                        a wall that only mirrors */
};

/* Of a particle in a frame, little-endian: x and y, 2 bytes each, 0 to 65535 across the box; its
 * speed / the highest at the start, in a stream relative to it, a float; its collisions, 4
 * bytes. */
enum { ANIMATION_FRAME_BYTES = 12 };

struct animation_frame {
    double time;
    double wall_collisions, particle_collisions; /* of all particles, up to this time */
};

/* A run as the page holds it, without the state at the start. */
struct animation_run {
    const char *title;
    double end_time;
    double growth;      /* of radii, per time: see struct boundary */
    int is_exact;       /* it has all events, and no frames; otherwise frames */
    int has_collisions; /* of the dynamics */
    size_t joint_count;
    size_t event_count;
    struct animation_event *events; /* owned by the caller, as are all below */
    size_t frame_count;
    struct animation_frame *frames;
    unsigned char *states; /* frame by frame, and in each by id; then a bit for each joint that is
                              broken, from the lowest on, and whole bytes; then, in a periodic box,
                              the way of each joint along x and y in sides of the box, floats */
    size_t force_count;    /* the first polygons, whose momenta are recorded */
    double (*momenta)[2];  /* x and y that each has gained, frame by frame; NULL: none */
};

/* Write the page: first the template up to the data, and the state at the start, particles in the
 * order of their ids; in the end the run and the remainder of the template. */
void animation_page_begin(const struct snapshot *snapshot, const struct dynamics *dynamics,
                          FILE *stream);
void animation_page_end(const struct system *system, const struct animation_run *run, FILE *stream);

#endif
