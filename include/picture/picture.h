/*
 * The observer behind --picture: draws the final state, to scale, as an SVG file.
 */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "run/observer.h"

/*
 * Makes an observer that draws the particles at the end of the run into the file `name`. The file
 * is opened now, so that a wrong name is reported before a long run; in the end it is complete or
 * absent. `name` must outlive the observer. Returns STATUS_DONE with `*observer` for observers_add,
 * or STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 *
 * With `has_stream`, for a system with a stream, it also draws the mean force on each obstacle from
 * time `from` on. For that it remembers hits, and becomes a part of checkpoints.
 *
 * While it draws, it takes 8 bytes of memory for each disk, and as many for each time that one is
 * drawn again, across a seam or a cut. The same state gives the same bytes with every
 * compiler and on every machine.
 */
enum status picture_create(const char *name, int has_stream, double from,
                           struct observer **observer, struct error *error);

#endif
