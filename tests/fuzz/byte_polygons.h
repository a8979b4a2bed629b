/* Polygons made of arbitrary bytes, for fuzzing: full of what is rare elsewhere. Vertices are on
 * the same grid as particles, so that these meet them exactly; sides are parallel, on one line,
 * shorter than a radius; thin walls meet in corners; obstacles touch the box and cross seams. */
#ifndef PARTICLES_TESTS_BYTE_POLYGONS_H
#define PARTICLES_TESTS_BYTE_POLYGONS_H

#include "fuzz.h"
#include "model/system.h"

/* Uses up bytes for up to `most` groups of polygons, and makes those that the reader would accept a
 * part of the boundary of a system whose box and kinds are known. The unit of its coordinates is
 * `quantum`. */
void byte_polygons(struct fuzz_bytes *bytes, unsigned most, double quantum, struct system *system);

/* Whether the reader would accept this particle beside the polygons of its system. */
int byte_polygons_leave(const struct system *system, const struct particle *particle);

#endif
