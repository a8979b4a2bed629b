/*
 * The observer behind --picture: the final state, to scale, as a picture in SVG.
 */
#ifndef PARTICLES_PICTURE_H
#define PARTICLES_PICTURE_H

#include "run/observer.h"

/*
 * Makes an observer that draws where the particles are at the end, into the file `name`. The file
 * is opened now, so that a wrong name shows before a long run, and it is complete or absent in the
 * end. `name` must outlive the observer. Returns STATUS_DONE and the observer, which the caller
 * gives to observers_add; or STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 *
 * It takes 8 N bytes of passing memory when it draws. The same state gives the same bytes, with any
 * compiler on any machine.
 */
enum status picture_create(const char *name, struct observer **observer, struct error *error);

#endif
