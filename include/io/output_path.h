/*
 * Whether the files that a run is to write can all be written without loss.
 */
#ifndef PARTICLES_OUTPUT_PATH_H
#define PARTICLES_OUTPUT_PATH_H

#include "base/error.h"

/* The file that an option names, or one beside it. */
struct output_name {
    const char *option;
    const char *file; /* NULL: the option was not given */
    const char *end;  /* appended to where that leads; or "" */
};

/*
 * Refuses names that lead to one and the same file, however they are spelled or linked; to INPUT;
 * or to standard input, output or error. Devices such as /dev/null may occur more than once.
 * Returns STATUS_DONE; STATUS_USAGE; STATUS_CANNOT_WRITE for a name that leads nowhere; or
 * STATUS_NO_MEMORY.
 */
enum status output_names_check(const struct output_name *names, size_t count, const char *input,
                               struct error *error);

#endif
