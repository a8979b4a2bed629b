/*
 * Where the files that a run writes are to be, and whether all of them can be written without loss.
 */
#ifndef PARTICLES_OUTPUT_PATH_H
#define PARTICLES_OUTPUT_PATH_H

#include "base/error.h"

/*
 * Finds the file that would be replaced or created by writing to `name`: an absolute path without
 * links, also where the file does not exist yet, or `name` is a link to one that does not. Its
 * directory must exist. What is there but has no path, such as /dev/fd/3, keeps its name. Returns
 * STATUS_DONE with `*path` set, which the caller gives to memory_free; or STATUS_CANNOT_WRITE or
 * STATUS_NO_MEMORY.
 */
enum status output_path_follow(const char *name, char **path, struct error *error);

/* How long the directory's part of a path is, the last '/' included; 0 if it has none. */
size_t output_path_directory(const char *path);

/* Puts together `length` bytes of `start`, and `end`, in a string for memory_free; or NULL. */
char *output_path_join(const char *start, size_t length, const char *end, struct error *error);

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
enum status output_path_check(const struct output_name *names, size_t count, const char *input,
                              struct error *error);

#endif
