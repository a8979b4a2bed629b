/*
 * The texts that --help and --version print.
 */
#ifndef PARTICLES_HELP_H
#define PARTICLES_HELP_H

#include "base/error.h"

#include <stdio.h>

/* The only copy of the version; the build reads it here, too. */
#define PARTICLES_VERSION "0.1.0"

/*
 * Write the text of --help and of --version. `name` says in messages what `stream` is. Return
 * STATUS_DONE or STATUS_CANNOT_WRITE.
 */
enum status help_write(FILE *stream, const char *name, struct error *error);
enum status help_write_version(FILE *stream, const char *name, struct error *error);

#endif
