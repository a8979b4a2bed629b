/*
 * Where a file name leads.
 */
#ifndef PARTICLES_PATH_H
#define PARTICLES_PATH_H

#include "base/error.h"

/*
 * Finds the file that would be replaced or created by writing to `name`: an absolute path without
 * links, also where the file does not exist yet, or `name` is a link to one that does not. Its
 * directory must exist. What is there but has no path, such as /dev/fd/3, keeps its name. Returns
 * STATUS_DONE with `*path` set, which the caller gives to memory_free; or STATUS_CANNOT_WRITE or
 * STATUS_NO_MEMORY.
 */
enum status path_follow(const char *name, char **path, struct error *error);

/* How long the directory's part of a path is, the last '/' included; 0 if it has none. */
size_t path_directory(const char *path);

/* Puts together `length` bytes of `start`, and `end`, in a string for memory_free; or NULL. */
char *path_join(const char *start, size_t length, const char *end, struct error *error);

#endif
