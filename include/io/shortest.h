/*
 * Writing a double with as few digits as tell it apart from all others, fast enough for files of
 * millions of them.
 */
#ifndef PARTICLES_SHORTEST_H
#define PARTICLES_SHORTEST_H

#include <stddef.h>

enum { SHORTEST_SIZE = 32 }; /* room for any: -2.2250738585072014e-308 has 24 */

/*
 * Writes a finite number so that it reads back to the same bit, the sign of a zero included: as
 * printf("%.15g") does or, where that reads as another number, with 16 digits, or with 17, which
 * are always enough. Puts no byte 0 at the end; returns the length.
 */
size_t shortest_write(char text[SHORTEST_SIZE], double value);

#endif
