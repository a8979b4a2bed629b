/*
 * Output files that are complete or absent: written under a temporary name in the same directory,
 * and given their own name when all is written.
 *
 * Such a file can be resumable: another run continues it, after this one has been interrupted or
 * killed. FILE is then written as FILE.part until it is complete. A checkpoint notes how long the
 * part is, and the CRC-64 of its content; never its name, which the user gives again.
 */
#ifndef PARTICLES_OUTPUT_FILE_H
#define PARTICLES_OUTPUT_FILE_H

#include "base/error.h"
#include "io/output_path.h"

#include <stdio.h>

/* The end of the name of a resumable file until it is complete. */
#define OUTPUT_FILE_PART ".part"

struct record;

struct output_file {
    FILE *stream;     /* to write to; NULL if no file is open */
    const char *name; /* the user's name of it, for messages; not owned */
    int is_durable;   /* to be set after opening: when complete, it outlasts a power cut */
    char path[OUTPUT_PATH_SIZE];      /* where it goes, links followed */
    char temporary[OUTPUT_PATH_SIZE]; /* where it is until then; "": a device, which stays there */
    /* Of a resumable file; NULL for any other. */
    const int *is_saved;      /* whether a checkpoint counts on what is written; not owned */
    struct output_part *part; /* how much of it that is; owned */
};

/* Opens a file for writing. A file of that name stays as it is until output_file_complete; only a
 * device, a pipe or the like is written directly. `name` must outlive the file. Returns
 * STATUS_DONE; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY with nothing left behind. */
enum status output_file_open(struct output_file *file, const char *name, struct error *error);

/* Opens a file in two steps, if it is written only when the run is over: the first checks that it
 * can be, and leaves no file behind, not even if the run is killed; the second opens it. */
enum status output_file_prepare(struct output_file *file, const char *name, struct error *error);
enum status output_file_begin(struct output_file *file, struct error *error);

/* Removes the temporary files that killed runs of this user have left for this name. */
void output_file_remove_stale(const char *name);

/*
 * Opens a file that is resumable, and durable, if `is_resumable`; otherwise as output_file_open
 * does. STATUS_CANNOT_WRITE also for a device or a pipe, and if there is a FILE.part of another
 * run; but one of a run that was killed before its second checkpoint is replaced: so the caller has
 * made sure that there is none. From when `*is_saved` is not 0, the part is kept even if the file
 * is never completed; `is_saved` must outlive the file.
 */
enum status output_file_open_resumable(struct output_file *file, const char *name, int is_resumable,
                                       const int *is_saved, struct error *error);

/*
 * Writes into a record how long a resumable file is, after it has made sure that all of it is on
 * the disk: STATUS_CANNOT_WRITE otherwise.
 *
 * Or reads that, and opens FILE.part, durable and to be kept, to go on where it was: what came
 * later is cut off. If there is no part, because that run has completed FILE in the end, then the
 * beginning of that file becomes the part. Fails with STATUS_NO_INPUT if it is not there;
 * STATUS_BAD_DATA if it is too short, or is not what was written; STATUS_CANNOT_WRITE, also if
 * another run is writing it; or STATUS_NO_MEMORY.
 */
void output_file_record(struct output_file *file, const char *name, struct record *record);

/* Makes sure that all is written, and gives the file its name and the access rights that a new file
 * has, or that the one it replaces had. The file is closed in any case; on failure, which is
 * STATUS_CANNOT_WRITE, it is abandoned. */
enum status output_file_complete(struct output_file *file, struct error *error);

/* Closes a file, if one is open, and removes it, unless a checkpoint counts on it. */
void output_file_abandon(struct output_file *file);

#endif
