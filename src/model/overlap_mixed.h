/*
 * The search for overlaps among disks of different radii. How it works is told in overlap_mixed.c.
 */
#ifndef PARTICLES_OVERLAP_MIXED_H
#define PARTICLES_OVERLAP_MIXED_H

#include "model/overlap.h"

/* What overlap_find does where the radii are not all equal. */
enum status overlap_mixed_find(const struct system *system, struct overlap *overlap,
                               struct error *error);

#endif
