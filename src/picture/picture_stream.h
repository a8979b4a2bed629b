/*
 * The stream of a picture: where it streams to, tracers, and the forces on obstacles.
 */
#ifndef PARTICLES_PICTURE_STREAM_H
#define PARTICLES_PICTURE_STREAM_H

#include "picture_scene.h"

#include <stdio.h>

/* Whether a particle is a tracer, drawn in another colour, so that the eye can follow the stream.
 */
int picture_stream_is_tracer(const struct picture_scene *scene, size_t number);

/* Their colour: vermilion of picture_kind_colour, which is not among those of speeds. */
extern const struct colour picture_stream_tracer_colour;

/*
 * Write the style, and the two lines of the header that explain the rest, the first at the height
 * `y` in pixels; the tracers, above all disks; and the direction of the stream, beside the seam,
 * with an arrow on each obstacle for the mean force on it. Without a stream they write nothing.
 * Errors are left in `stream`.
 */
void picture_stream_write_style(const struct picture_scene *scene, FILE *stream);
void picture_stream_write_key(const struct picture_scene *scene, int y, FILE *stream);
void picture_stream_write_tracers(const struct picture_scene *scene, FILE *stream);
void picture_stream_write_arrows(const struct picture_scene *scene, FILE *stream);

#endif
