/*
 * The picture of fields: a map of one of them, with arrows of the mean velocity.
 */
#ifndef PARTICLES_FIELD_PICTURE_H
#define PARTICLES_FIELD_PICTURE_H

#include "observe/fields.h"

/*
 * Writes the map as SVG. Colours are those of speeds in other pictures, light where the value is
 * high; the hundredth of the cells with the least values and that with the most do not stretch the
 * scale. Densities are relative to the mean. An arrow is the mean velocity in several cells, where
 * these are small, around its middle. Obstacles are drawn, and what is outside a domain. The same
 * bytes on every machine. Takes 9 bytes of memory a cell.
 */
field_writer field_picture_write;

#endif
