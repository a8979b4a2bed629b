/*
 * The names of pictures that each show one frame of a run: a pattern such as out/%06d.svg, in which
 * a number replaces %06d.
 */
#ifndef PARTICLES_FRAME_NAMES_H
#define PARTICLES_FRAME_NAMES_H

#include "base/error.h"

#include <stdint.h>

/* How many frames there may be: more files in one directory are hard to use. */
#define FRAME_NAMES_MAX 1e6

/* A pattern, taken apart; {0} is none. */
struct frame_names {
    const char *pattern; /* not owned; NULL if there is none */
    size_t start;        /* where its %d or %0Nd is, */
    size_t end;          /* and what follows that */
    int width;           /* N: the least number of digits; otherwise 0 */
};

/*
 * Takes a name of a file apart, which the names keep. One without a '%' is no pattern, and leaves
 * {0}. A pattern has exactly one %d or %0Nd, N from 1 to 9, after the last '/', and no other '%'.
 * Returns NULL, or what is wrong with it: the end of a sentence.
 */
const char *frame_names_parse(struct frame_names *names, const char *name);

/* The name of frame `number`, a string for memory_free; or NULL, with a message. */
char *frame_names_format(const struct frame_names *names, uint64_t number, struct error *error);

/*
 * Refuses the names of `count` frames if one would overwrite something else. What exists under such
 * a name must be a regular file that begins as a picture does: an earlier run has left it. Returns
 * STATUS_DONE, STATUS_USAGE, STATUS_CANNOT_WRITE for a directory that cannot be read, or
 * STATUS_NO_MEMORY.
 */
enum status frame_names_check(const struct frame_names *names, uint64_t count, struct error *error);

/*
 * Finds out whether the path `other`, which need not exist yet, is that of one of these frames.
 * Returns STATUS_DONE with `*is_frame`; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 */
enum status frame_names_include(const struct frame_names *names, uint64_t count, const char *other,
                                int *is_frame, struct error *error);

#endif
