/* Resolves the names of the files that a run writes, and checks that none overwrites another. */
#ifndef PARTICLES_OUTPUT_PATH_H
#define PARTICLES_OUTPUT_PATH_H

#include "base/error.h"

#include <stdint.h>

enum { OUTPUT_PATH_SIZE = 4096 + 16 }; /* no system call takes a longer path */

/* Finds the file that would be replaced or created by writing to `name`: an absolute path without
 * links, also where the file does not exist yet, or `name` is a link to one that does not. Its
 * directory must exist: otherwise STATUS_CANNOT_WRITE. A file without a path, as /dev/fd/3, keeps
 * its name. */
enum status output_path_follow(const char *name, char path[OUTPUT_PATH_SIZE], struct error *error);

/* The length of the directory in a path, the last '/' included; 0 if it has none. */
size_t output_path_directory(const char *path);

/* The most frames: more files in one directory are hard to use. */
#define FRAME_NAMES_MAX 1e6

/* A pattern such as out/%06d.svg, in which a number replaces %06d, taken apart; {0} is none. */
struct frame_names {
    const char *pattern;   /* not owned; NULL if there is none */
    size_t start;          /* where its %d or %0Nd is, */
    size_t end;            /* and what follows that */
    int width;             /* N: the least number of digits; otherwise 0 */
    const char *beginning; /* of each of these files, up to 100 characters */
};

/* What an option asks to be written: the first member of the settings of every observer. */
struct output_settings {
    const char *name;          /* of the file; NULL: none */
    int is_wanted;             /* the observer is asked for without a file, too */
    struct frame_names frames; /* if the name is a pattern for files; otherwise {0} */
};

/* Splits the name of a file at its pattern; the names keep a pointer to it. One without a '%' is no
 * pattern, and leaves {0}. A pattern has exactly one %d or %0Nd, N from 1 to 9, after the last '/',
 * and no other '%'. Returns NULL, or what is wrong with it: the end of a sentence. */
const char *frame_names_parse(struct frame_names *names, const char *name);

/* Forms the name of frame `number`; cut if it is too long, but then no file can have it. */
void frame_names_format(const struct frame_names *names, uint64_t number,
                        char name[OUTPUT_PATH_SIZE]);

/* Forms the name of a list of all: out/a.pvd of out/a_%06d.vti, out/fields.pvd of out/%06d.vti. */
void frame_names_list(const struct frame_names *names, char name[OUTPUT_PATH_SIZE]);

enum { OUTPUT_PATTERNS = 2 }; /* the most in one run */

/* The files that a run writes and reads. Begin with {.error = ...}; a failure sets `status`. */
struct output_names {
    const struct frame_names *frames[OUTPUT_PATTERNS]; /* such a file stands for all; or NULL */
    uint64_t frame_count;                              /* of each pattern */
    size_t count, capacity;
    struct output_name *list; /* owned */
    enum status status;
    struct error *error;
};

/* Adds a file, unless `file` is NULL: one to be written, which `option` names and whose resolved
 * name is followed by `end`; or, if `option` is NULL, one that is read, and may be missing, such as
 * "a file of options" (`content`; NULL: INPUT). None that is written may be one of the others,
 * however it is spelled or linked, a frame, or standard input, output or error, but for devices
 * such as /dev/null. What exists under the name of a frame must be a regular file with the
 * beginning of its pattern: an earlier run has left it. Fails with STATUS_USAGE;
 * STATUS_CANNOT_WRITE for a name that leads nowhere; or STATUS_NO_MEMORY. Names must outlive the
 * list. */
void output_names_add(struct output_names *names, const char *option, const char *file,
                      const char *end, const char *content);

/* Frees the list, and returns its status. */
enum status output_names_free(struct output_names *names);

#endif
