/*
 * Why an argument is refused as an option, and which option may have been meant.
 */
#ifndef PARTICLES_OPTION_REFUSAL_H
#define PARTICLES_OPTION_REFUSAL_H

#include "base/error.h"

#include <getopt.h>

/* What ends the message about a command line that makes no sense. */
#define TRY_HELP "; try 'particles --help'"

/*
 * Says what is wrong with `argument`, which getopt_long has refused: its value is missing (as
 * `is_missing` tells), it is a negative number, it has a value that it does not take, it may be
 * several options of `list`, which are named, or it is none: then those are named whose names are
 * nearest. `list` is the one that getopt_long got. Returns STATUS_USAGE.
 */
enum status option_refuse(const char *argument, int is_missing, const struct option *list,
                          struct error *error);

#endif
