/* Resolves the names of the files that a run writes, and checks that none overwrites another. */
#ifndef PARTICLES_OUTPUT_PATH_H
#define PARTICLES_OUTPUT_PATH_H

#include "base/error.h"

enum { OUTPUT_PATH_SIZE = 4096 + 16 }; /* no system call takes a longer path */

/*
 * Finds the file that would be replaced or created by writing to `name`: an absolute path without
 * links, also where the file does not exist yet, or `name` is a link to one that does not. Its
 * directory must exist. A file without a path, such as /dev/fd/3, keeps its name. Returns
 * STATUS_DONE or STATUS_CANNOT_WRITE.
 */
enum status output_path_follow(const char *name, char path[OUTPUT_PATH_SIZE], struct error *error);

/* The length of the directory in a path, the last '/' included; 0 if it has none. */
size_t output_path_directory(const char *path);

/* The files that a run writes and reads. Begin with {.error = ...}; the first failure sets
 * `status`.
 */
struct output_names {
    size_t count, capacity;
    struct output_place *list; /* owned */
    enum status status;
    struct error *error;
};

/*
 * Adds a file, unless `file` is NULL: one to be written, which `option` names and whose resolved
 * name is followed by `end`; or, if `option` is NULL, one that is read, and may be missing, such as
 * "a file of options" (`content`; NULL: INPUT). None that is written may be one of the others,
 * however it is spelled or linked, or standard input, output or error, but for devices such as
 * /dev/null. Fails with STATUS_USAGE; STATUS_CANNOT_WRITE for a name that leads nowhere; or
 * STATUS_NO_MEMORY. Names must outlive the list.
 */
void output_names_add(struct output_names *names, const char *option, const char *file,
                      const char *end, const char *content);

/* Frees the list, and returns its status. */
enum status output_names_free(struct output_names *names);

#endif
