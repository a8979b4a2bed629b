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

#include <stdint.h>
#include <stdio.h>

enum { OUTPUT_PATH_SIZE = 4096 + 16 }; /* no system call takes a longer path */

/* Finds the file that would be replaced or created by writing to `name`: an absolute path without
 * links, also where the file does not exist yet, or `name` is a link to one that does not. Its
 * directory must exist: otherwise STATUS_CANNOT_WRITE. A file without a path, as /dev/fd/3, keeps
 * its name. */
enum status output_path_follow(const char *name, char path[OUTPUT_PATH_SIZE], struct error *error);

/* The length of the directory in a path, the last '/' included; 0 if it has none. */
size_t output_path_directory(const char *path);

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

/* The names of the files that a run writes; none overwrites another. In output_path.c, as are the
 * two functions of paths above. */

/* The most frames: more files in one directory are hard to use. */
#define FRAME_NAMES_MAX 1e6

/* A pattern such as out/%06d.svg, in which a number replaces %06d, taken apart; {0} is none. */
struct output_pattern {
    const char *pattern;   /* not owned; NULL if there is none */
    size_t start;          /* where its %d or %0Nd is, */
    size_t end;            /* and what follows that */
    int width;             /* N: the least number of digits; otherwise 0 */
    const char *beginning; /* of each of these files, up to 100 characters */
};

/* What an option asks to be written: the first member of the settings of every observer. */
struct output_settings {
    const char *name;             /* of the file; NULL: none */
    int is_wanted;                /* the observer is asked for without a file, too */
    struct output_pattern frames; /* if the name is a pattern for files; otherwise {0} */
};

/* Splits the name of a file at its pattern; the names keep a pointer to it. One without a '%' is no
 * pattern, and leaves {0}. A pattern has exactly one %d or %0Nd, N from 1 to 9, after the last '/',
 * and no other '%'. Returns NULL, or what is wrong with it: the end of a sentence. */
const char *output_pattern_parse(struct output_pattern *names, const char *name);

/* Forms the name of frame `number`; cut if it is too long, but then no file can have it. */
void output_pattern_format(const struct output_pattern *names, uint64_t number,
                           char name[OUTPUT_PATH_SIZE]);

/* Forms the name of a list of all: out/a.pvd of out/a_%06d.vti, out/fields.pvd of out/%06d.vti. */
void output_pattern_list(const struct output_pattern *names, char name[OUTPUT_PATH_SIZE]);

enum { OUTPUT_PATTERNS = 2 }; /* the most in one run */

/* The files that a run writes and reads. Begin with {.error = ...}; a failure sets `status`. */
struct output_names {
    const struct output_pattern *frames[OUTPUT_PATTERNS]; /* such a file stands for all; or NULL */
    uint64_t frame_count;                                 /* of each pattern */
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
