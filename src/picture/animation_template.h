/*
 * The bytes of data/animation.html, which the build turns into an array.
 */
#ifndef PARTICLES_ANIMATION_TEMPLATE_H
#define PARTICLES_ANIMATION_TEMPLATE_H

#include <stddef.h>

extern const unsigned char animation_template[];
extern const size_t animation_template_size; /* in bytes; no byte 0 follows them */

#endif
