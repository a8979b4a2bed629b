/*
 * The drawing of a picture: an SVG document of what a scene shows.
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

#endif
