/*
 * The polygons of a picture: what is outside the domain, and the obstacles.
 */
#ifndef PARTICLES_PICTURE_POLYGONS_H
#define PARTICLES_PICTURE_POLYGONS_H

#include "picture_scene.h"

#include <stdio.h>

/* Write the style of polygons, and the line of the header that explains them, at the height `y` in
 * pixels; without polygons, nothing. Errors are left in `stream`, here and below. */
void picture_polygons_write_style(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_key(const struct picture_scene *scene, int y, FILE *stream);

/* Where there are polygons: write their outlines, which the next one needs; and the polygons in a
 * strip, above its box and below its disks. */
void picture_polygons_write_outlines(const struct picture_scene *scene, FILE *stream);
void picture_polygons_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream);

#endif
