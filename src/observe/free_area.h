/*
 * Which part of each cell of a grid is free for particles: inside the domain, if there is one, and
 * outside of obstacles.
 */
#ifndef PARTICLES_FREE_AREA_H
#define PARTICLES_FREE_AREA_H

#include "base/error.h"
#include "model/boundary.h"

#include <stddef.h>

/*
 * Makes `*parts`, `columns` x `rows` numbers from 0 to 1, row by row from the bottom, which the
 * caller frees with memory_free; NULL where there are no polygons, and all is free. Centres of
 * disks do not come so close to a side as the free area reaches. Exact but for rounding, which does
 * not make a cell that is all free, or not at all, anything else. Returns STATUS_DONE or
 * STATUS_NO_MEMORY.
 */
enum status free_area_create(const struct boundary *boundary, size_t columns, size_t rows,
                             double **parts, struct error *error);

#endif
