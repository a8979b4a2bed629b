/*
 * Output files that are complete or absent: written under a temporary name in the same directory,
 * and given their own name when all is written.
 *
 * Such a file can be resumable: another run continues it, after this one has been interrupted or
 * killed. FILE is then written as FILE.part until it is complete. A checkpoint notes how long the
 * part is, and the CRC-64 of its content; never its name: that comes from the user, who names FILE
 * again.
 */
#ifndef PARTICLES_OUTPUT_FILE_H
#define PARTICLES_OUTPUT_FILE_H

#include "base/error.h"

#include <stdio.h>

/* What is appended to the name of a resumable file until it is complete. */
#define OUTPUT_FILE_PART ".part"

struct record_reader;
struct record_writer;

struct output_file {
    FILE *stream;     /* to write to; NULL if no file is open */
    const char *name; /* the user's name of it, for messages; not owned */
    char *path;       /* where it goes, links followed; owned */
    char *temporary;  /* where it is until then; owned; NULL for a device, which is not renamed */
    int is_durable;   /* to be set after opening: when complete, it outlasts a power cut */
    /* Of a resumable file; NULL for any other. */
    const int *is_saved;      /* whether a checkpoint counts on what is written; not owned */
    struct output_part *part; /* how much of it that is; owned */
};

/*
 * Opens a file for writing. What is there under the name now stays as it is until
 * output_file_complete; only a device, a pipe or the like is written directly. `name` must outlive
 * the file. Returns STATUS_DONE; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY with nothing left behind.
 */
enum status output_file_open(struct output_file *file, const char *name, struct error *error);

/*
 * The same in two steps, for a file that is written only when the run is over: the first finds out
 * whether it can be, and leaves nothing behind that a kill would leave for good; the second opens
 * it.
 */
enum status output_file_prepare(struct output_file *file, const char *name, struct error *error);
enum status output_file_begin(struct output_file *file, struct error *error);

/*
 * Removes what runs that were killed have left of files of this name: those beside it that have a
 * temporary name for it, and that this user's runs have marked and do not lock any more.
 */
void output_file_remove_stale(const char *name);

/*
 * Opens a file that is resumable, and durable, if `is_resumable`; otherwise as output_file_open
 * does. A FILE.part that is there already belongs to another run, and is not touched: that is
 * STATUS_CANNOT_WRITE, as is a device or a pipe. But one of a run that was killed before it has
 * written a checkpoint, or when it had written one as it began, is replaced: so the caller has made
 * sure that there is none. From when `*is_saved` is not 0, the part is kept
 * even if the file is never completed; `is_saved` must outlive the file.
 */
enum status output_file_open_resumable(struct output_file *file, const char *name, int is_resumable,
                                       const int *is_saved, struct error *error);

/*
 * Makes sure that all that has been written to a resumable file is on the disk, and puts a line
 * into a record that output_file_load can take. Returns STATUS_DONE or STATUS_CANNOT_WRITE.
 */
enum status output_file_save(struct output_file *file, struct record_writer *writer,
                             struct error *error);

/*
 * Opens FILE.part to go on where it was when the record was written: what came later is cut off. If
 * there is no part, because that run has completed FILE in the end, then the beginning of that file
 * becomes the part. It is durable, and is kept even if it is never completed. Returns STATUS_DONE;
 * STATUS_NO_INPUT if it is not there; STATUS_BAD_DATA if it is too short, or is not what was
 * written; STATUS_CANNOT_WRITE, also if another run is writing it; or STATUS_NO_MEMORY.
 */
enum status output_file_load(struct output_file *file, const char *name,
                             struct record_reader *reader, struct error *error);

/*
 * Makes sure that all is written, and gives the file its name and the access rights that a new
 * file has, or that the one it replaces had. The file is closed in any case; on failure, which is
 * STATUS_CANNOT_WRITE, it is abandoned.
 */
enum status output_file_complete(struct output_file *file, struct error *error);

/* Closes a file that will not be completed, and removes it, unless a checkpoint counts on it. Does
 * nothing if none is open. */
void output_file_abandon(struct output_file *file);

#endif
