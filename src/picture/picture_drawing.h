/*
 * The drawing of a picture: an SVG document of what a scene shows, and the parts that the picture
 * of fields shares. Errors of writing are left in `stream`.
 */
#ifndef PARTICLES_PICTURE_DRAWING_H
#define PARTICLES_PICTURE_DRAWING_H

#include "picture_scene.h"

#include <stdio.h>

/*
 * Writes the picture of `scene`. It takes 8 bytes of memory for each disk, and as many for each
 * time that one is drawn again, across a seam or a cut. The same scene gives the same bytes with
 * every compiler and on every machine. Returns STATUS_DONE, with errors of writing left in
 * `stream`; or STATUS_NO_MEMORY.
 */
enum status picture_drawing_write(const struct picture_scene *scene, FILE *stream,
                                  struct error *error);

/* The sides of a box, of each strip if it is cut: walls solid, seams dashed; and their style. */
extern const char picture_drawing_sides_style[];
void picture_drawing_write_sides(const struct picture_scene *scene, FILE *stream);

/* True if an existing file begins as these pictures do. */
int picture_drawing_recognise(const char *name);

/* Makes the text of the title element, with which the header begins, too: N and the time. */
enum { PICTURE_TITLE_SIZE = 80 };
void picture_legend_title(const struct picture_scene *scene, char title[PICTURE_TITLE_SIZE]);

/* The height of the whole picture, legend included, in pixels. */
double picture_legend_bottom(const struct picture_scene *scene);

/*
 * Writes the lines of the header that say how the box is cut, and along which axes it is periodic,
 * if it is, from the height `y` in pixels downwards. Returns the height of the next line.
 */
int picture_legend_write_box(const struct picture_scene *scene, int y, FILE *stream);

/* Writes the SVG elements below the box. */
void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream);

/*
 * The largest number not above `value` that is 1, 2 or 5 times a power of ten. `value` is positive
 * and normal.
 */
double picture_legend_round(double value);

/* Defines the gradient of the colours of quantities, from left to right, under a name. */
void picture_legend_write_colours(const char *name, FILE *stream);

/* Write the style of polygons, and the line of the header that explains them, at the height `y` in
 * pixels; without polygons, nothing. */
void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_key(const struct picture_scene *scene, int y, FILE *stream);

/* True if a domain is among the polygons. */
int picture_polygons_have_domain(const struct picture_scene *scene);

/* Where there are polygons: write their outlines, which the next one needs; and the polygons in a
 * strip, above its box and below its disks. */
void picture_polygons_write_outlines(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream);

/* True if a particle is a tracer, drawn in another colour, so that the eye can follow the stream.
 */
int picture_stream_is_tracer(const struct picture_scene *scene, size_t number);

/* Their colour: vermilion of picture_kind_colour, which is not among those of speeds. */
extern const struct colour picture_stream_tracer_colour;

/*
 * Write the style, and the two lines of the header that explain the rest, the first at the height
 * `y` in pixels; the tracers, above all disks; and the direction of the stream, beside the seam,
 * with an arrow on each obstacle for the mean force on it. Without a stream they write nothing.
 */
void picture_stream_write_style(const struct picture_scene *scene, FILE *stream);
void picture_stream_write_key(const struct picture_scene *scene, int y, FILE *stream);
void picture_stream_write_tracers(const struct picture_scene *scene, FILE *stream);
void picture_stream_write_arrows(const struct picture_scene *scene, FILE *stream);

#endif
