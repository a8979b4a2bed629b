/*
 * Output files that are complete or absent: written under a temporary name in the same directory,
 * and given their own name when all is written.
 */
#ifndef PARTICLES_OUTPUT_FILE_H
#define PARTICLES_OUTPUT_FILE_H

#include "base/error.h"

#include <stdio.h>

struct output_file {
    FILE *stream;     /* to write to; NULL if no file is open */
    const char *name; /* the user's name of it, for messages; not owned */
    char *path;       /* where it goes, links followed; owned */
    char *temporary;  /* where it is until then; owned; NULL for what cannot be renamed: a device */
    int is_durable;   /* to be set after opening: when complete, it outlasts a power cut; */
    int is_kept;      /* and what is written stays there, even if it is never completed */
    struct output_part *part; /* what output_part.c keeps of it; owned; or NULL */
};

/*
 * Opens a file for writing. What is there under the name now stays as it is until
 * output_file_complete; only a device, a pipe or the like is written directly. `name` must outlive
 * the file. Returns STATUS_DONE; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY with nothing left behind.
 */
enum status output_file_open(struct output_file *file, const char *name, struct error *error);

/*
 * Makes sure that all is written, and gives the file its name and the access rights that a new
 * file has, or that the one it replaces had. The file is closed in any case; on failure, which is
 * STATUS_CANNOT_WRITE, nothing is left behind.
 */
enum status output_file_complete(struct output_file *file, struct error *error);

/* Closes a file that will not be completed, and removes it, unless it is to be kept. Does nothing
 * if none is open. */
void output_file_abandon(struct output_file *file);

/*
 * For output_part.c. A name for mkstemp, in the directory of `path`, which leads to a file: as much
 * of that as leaves room, and ".XXXXXX". The caller owns it; NULL: out of memory.
 */
char *output_file_temporary_name(const char *path, struct error *error);

/*
 * For output_part.c. Gives a new file the access rights of the one that it will replace, which is
 * `present` if it `exists`.
 */
struct stat;
void output_file_set_rights(int descriptor, int exists, const struct stat *present);

/*
 * Make sure that what has been written to the file, and the names in the directory of `path`,
 * outlast a power cut, as far as the system can do that. They return STATUS_DONE,
 * STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 */
enum status output_file_sync(const struct output_file *file, struct error *error);
enum status output_file_sync_directory(const char *path, const char *name, struct error *error);

/* Frees all that a file has but its stream, and forgets it. */
void output_file_forget(struct output_file *file);

#endif
