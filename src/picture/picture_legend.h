/*
 * The text of a picture, and the legend that explains its colours and arrows.
 */
#ifndef PARTICLES_PICTURE_LEGEND_H
#define PARTICLES_PICTURE_LEGEND_H

#include "picture_scene.h"

#include <stdio.h>

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

/* Write the SVG elements above the box, and those below it. Errors are left in `stream`. */
void picture_legend_write_header(const struct picture_scene *scene, FILE *stream);
void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream);

/*
 * The largest number not above `value` that is 1, 2 or 5 times a power of ten. `value` is positive
 * and normal.
 */
double picture_legend_round(double value);

#endif
