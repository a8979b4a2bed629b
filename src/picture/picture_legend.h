/*
 * The words of a picture, and what explains its colours and arrows.
 */
#ifndef PARTICLES_PICTURE_LEGEND_H
#define PARTICLES_PICTURE_LEGEND_H

#include "picture_scene.h"

#include <stdio.h>

/* Text that the picture's title element and its header begin with: how many, and when. */
enum { PICTURE_TITLE_SIZE = 80 };
void picture_legend_title(const struct picture_scene *scene, char title[PICTURE_TITLE_SIZE]);

/* The height of the whole picture, legend included, in pixels. */
double picture_legend_bottom(const struct picture_scene *scene);

/* Write SVG elements: what stands above the box, and what below. Errors stay with `stream`. */
void picture_legend_write_header(const struct picture_scene *scene, FILE *stream);
void picture_legend_write_footer(const struct picture_scene *scene, FILE *stream);

/*
 * The largest number of the kind 1, 2 or 5 times a power of ten that is not above `value`, which
 * is positive and normal.
 */
double picture_legend_round(double value);

#endif
