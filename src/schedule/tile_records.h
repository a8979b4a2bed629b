/*
 * Whether neighbouring tiles agree: what each of them has recorded in the cells on both sides of
 * their common border.
 */
#ifndef PARTICLES_TILE_RECORDS_H
#define PARTICLES_TILE_RECORDS_H

#include "tiling.h"

/* Adds an entry of `size` bytes to a list and returns it, not initialised; NULL: no memory. */
void *tile_list_add(struct tile_list *list, size_t size);

void tile_list_free(struct tile_list *list);

/*
 * Compares what a tile has recorded with what the tile in a direction has (tile_directions): true
 * if all that matters to both is the same, to the bit, and in the same order.
 */
int tile_records_agree(const struct tile *tile, const struct tile *other, uint32_t direction);

#endif
