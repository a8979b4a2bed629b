/*
 * The picture of fields: a map of the density, with arrows of the mean velocity.
 */
#ifndef PARTICLES_FIELD_PICTURE_H
#define PARTICLES_FIELD_PICTURE_H

#include "observe/fields.h"

/*
 * Writes the map as SVG. Colours are those of speeds in other pictures, light where the density is
 * high; the hundredth of the cells with the least density and that with the most do not stretch the
 * scale. An arrow is the mean velocity in several cells, where these are small, around its middle.
 * Obstacles are drawn, and what is outside a domain. The same bytes on every machine. Takes 9 bytes
 * of memory a cell.
 */
field_writer field_picture_write;

#endif
