/*
 * The options that say what --generate makes: their lists of values, and what they have to agree
 * in.
 */
#ifndef PARTICLES_OPTION_REQUEST_H
#define PARTICLES_OPTION_REQUEST_H

#include "cli/options.h"

/* What a message says of an area fraction that is too large. */
#define OPTION_TOO_DENSE                                                                           \
    "is too large: the densest packing of disks covers 0.9069 of a plane, and less of a box"

enum { OPTION_VALUE_SIZE = 400 }; /* of a value in a list, its end included */

/* A list of values, separated by commas, as it is read. Begin with {.rest = TEXT}. */
struct option_list {
    const char *rest;  /* what has not been read; NULL after the last value */
    const char *value; /* the last one read */
    size_t count;      /* how many have been read */
    char copy[OPTION_VALUE_SIZE];
};

/*
 * Goes on to the next value; `rest` is not NULL. Returns STATUS_DONE; or STATUS_USAGE, with a
 * message that begins with the option's name, if it is one too many or too long.
 */
enum status option_list_next(struct option_list *list, const char *name, struct error *error);

/*
 * Completes the request when all options have been read: its components, of which the numbers are
 * there, get radii and masses from the lists, the box its axes, and a stream its temperature. Of a
 * domain, what follows from it stays 0. Returns STATUS_DONE; or STATUS_USAGE if a list has another
 * length, if the area fraction is too large for walls, if a domain leaves no choice of what is
 * given, or if both a speed and a temperature are.
 */
enum status option_complete_request(struct options *options, struct error *error);

#endif
