/* Small systems made of arbitrary bytes, for fuzzing: most of them valid, and full of what is rare
 * elsewhere: exact touches, ties, points, wedged disks, extreme units. */
#ifndef PARTICLES_TESTS_BYTE_SYSTEM_H
#define PARTICLES_TESTS_BYTE_SYSTEM_H

#include "fuzz.h"
#include "model/system.h"

enum { BYTE_SYSTEM_MAX = 12 }; /* particles */

/* Uses up bytes for a system and an END_TIME. Returns 1 if it is one that the reader would accept,
 * which the caller frees with system_free; 0 if it is not, and then there is nothing to free. */
int byte_system(struct fuzz_bytes *bytes, struct system *system, double *end_time);

/* How far two particles are apart that differ by (dx, dy), each up to a side of the box; along
 * periodic axes, the nearest images. */
double byte_system_distance(const struct boundary *boundary, double dx, double dy);

#endif
