/*
 * Output files that are complete or absent, and those that another run continues; see
 * output_file.h.
 *
 * Each checkpoint reads back what has been written to a part since the last one, which is still in
 * the system's memory, and adds it to the part's CRC. So an observer that writes need not know of
 * the CRC, and what is checked is what is in the file. As long as a run lasts it holds a lock on
 * its part, so that no other run resumes it at the same time.
 */
#include "io/output_file.h"

#include "base/memory.h"
#include "io/crc64.h"
#include "io/output_path.h"
#include "io/record.h"
#include "io/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEMPORARY_END[] = ".XXXXXX"; /* as mkstemp wants it */

enum {
    MOST_OF_NAME = 120, /* so much of the file's own name is in the temporary one, which must not be
                           too long */
    BLOCK_SIZE = 1 << 16
};

/*
 * A temporary file, and a part that no checkpoint counts on yet, is marked, from its creation, by a
 * right that has no other meaning for a file: if it is locked by nobody, its run was killed, and it
 * need not be kept. Where the system refuses, it is kept like any other. A part's mark goes with
 * the second checkpoint, for the first one is written when the run begins.
 */
static const mode_t FRESH = S_ISVTX;

/* How much of a part the last checkpoint has counted on, and the CRC of that. */
struct output_part {
    uint64_t length;
    struct crc64 crc64;
    unsigned char block[BLOCK_SIZE]; /* to read it; too large for the stack */
};

/* The same, as it stands in a checkpoint. */
struct noted {
    uint64_t length;
    char crc64[CRC64_TEXT_SIZE];
};

/* Fails for the reason that errno tells; `end` is appended to the file's name. */
static enum status cannot(const struct output_file *file, const char *end, const char *what,
                          struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s%s: cannot %s: %s", file->name, end, what,
                     strerror(errno));
}

/*
 * Gives the new file the access rights that it should have in the end: those of the file that it
 * replaces, with its owner, or, if `present` is NULL, those of any new file. A file system that has
 * no such thing refuses, and then it stays the user's own. `mark` is added: FRESH or 0.
 */
static void set_rights(int descriptor, const struct stat *present, mode_t mark)
{
    mode_t mode;
    if (!present) {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    } else {
        mode = present->st_mode & 0777;
        if (fchown(descriptor, present->st_uid, present->st_gid) != 0)
            mode &= 0707; /* the group may be another one now */
    }
    if (fchmod(descriptor, mode | mark) != 0)
        (void)fchmod(descriptor, mode);
}

/* The next checkpoint counts on more of a part than its beginning. */
static void unmark(int descriptor)
{
    struct stat state;
    if (fstat(descriptor, &state) == 0 && (state.st_mode & FRESH))
        (void)fchmod(descriptor, state.st_mode & 0777);
}

/* Removes a file that is marked, and that no run is writing. Returns whether that is done. */
static int remove_fresh(const char *path)
{
    struct stat state;
    int descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    int is_removed = descriptor >= 0 && fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode) &&
                     (state.st_mode & FRESH) && state.st_uid == geteuid() &&
                     lockf(descriptor, F_TLOCK, 0) == 0 && unlink(path) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return is_removed;
}

/* A name for mkstemp, in the directory of the file: as much of its name as leaves room. */
static char *temporary_name(const struct output_file *file, struct error *error)
{
    size_t length = strlen(file->path);
    size_t most = output_path_directory(file->path) + MOST_OF_NAME;
    return output_path_join(file->path, length < most ? length : most, TEMPORARY_END, error);
}

/* Frees all that a file has but its stream, and forgets it. */
static void forget(struct output_file *file)
{
    memory_free(file->path);
    memory_free(file->temporary);
    memory_free(file->part);
    *file = (struct output_file){0};
}

/* Tries to remove all in a directory that may have this temporary name. */
static void remove_similar(DIR *directory, char *temporary)
{
    char *name = temporary + output_path_directory(temporary);
    const size_t length = strlen(name);
    const struct dirent *entry;
    while ((entry = readdir(directory))) {
        if (strlen(entry->d_name) != length ||
            strncmp(entry->d_name, name, length - strlen("XXXXXX")) != 0)
            continue;
        memcpy(name, entry->d_name, length);
        (void)remove_fresh(temporary);
    }
}

void output_file_remove_stale(const char *name)
{
    struct error error; /* of no interest: they may stay */
    struct output_file file = {.name = name};
    char *place = NULL;
    if (output_path_follow(name, &file.path, &error) == STATUS_DONE)
        file.temporary = temporary_name(&file, &error);
    if (file.temporary)
        place = output_path_join(file.path, output_path_directory(file.path), ".", &error);
    DIR *directory = place ? opendir(place) : NULL;
    if (directory) {
        remove_similar(directory, file.temporary);
        closedir(directory);
    }
    memory_free(place);
    forget(&file);
}

/* Opens a file with a name of its own beside the one that it will replace. */
static enum status open_temporary(struct output_file *file, const struct stat *present,
                                  struct error *error)
{
    file->temporary = temporary_name(file, error);
    if (!file->temporary)
        return STATUS_NO_MEMORY;
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        enum status status = cannot(file, "", "create a file in its directory", error);
        memory_free(file->temporary);
        file->temporary = NULL; /* there is nothing to remove */
        return status;
    }
    set_rights(descriptor, present, lockf(descriptor, F_TLOCK, 0) == 0 ? FRESH : 0);
    file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return STATUS_DONE;
    enum status status = cannot(file, "", "open", error);
    close(descriptor);
    return status;
}

/*
 * Finds where a file is to be. `*present` becomes `state`, which tells what is there now, or NULL
 * if there is nothing.
 */
static enum status find(struct output_file *file, const char *name, struct stat *state,
                        const struct stat **present, struct error *error)
{
    *file = (struct output_file){.name = name};
    enum status status = output_path_follow(name, &file->path, error);
    if (!status)
        *present = stat(file->path, state) == 0 ? state : NULL;
    return status;
}

enum status output_file_open(struct output_file *file, const char *name, struct error *error)
{
    struct stat state;
    const struct stat *present;
    enum status status = find(file, name, &state, &present, error);
    if (status)
        return status;
    if (present && S_ISDIR(present->st_mode)) {
        errno = EISDIR;
        status = cannot(file, "", "open", error);
    } else if (present && access(file->path, W_OK) != 0) {
        status = cannot(file, "", "open", error); /* a rename would not ask */
    } else if (present && !S_ISREG(present->st_mode)) {
        file->stream = fopen(file->path, "w");
        if (!file->stream)
            status = cannot(file, "", "open", error);
    } else {
        status = open_temporary(file, present, error);
    }
    if (status)
        output_file_abandon(file);
    return status;
}

enum status output_file_prepare(struct output_file *file, const char *name, struct error *error)
{
    enum status status = output_file_open(file, name, error);
    if (!status && file->temporary) {
        status = text_close(file->stream, name, error);
        file->stream = NULL;
        output_file_abandon(file);
        file->name = name;
    }
    return status;
}

enum status output_file_begin(struct output_file *file, struct error *error)
{
    return file->stream ? STATUS_DONE : output_file_open(file, file->name, error);
}

/* Makes sure that what has been written to the file outlasts a power cut, as far as possible. */
static enum status sync_content(const struct output_file *file, struct error *error)
{
    enum status status = text_flush(file->stream, file->name, error);
    if (!status && fsync(fileno(file->stream)) != 0)
        status = cannot(file, "", "write", error);
    return status;
}

/* The same for the names in the file's directory. */
static enum status sync_directory(const struct output_file *file, struct error *error)
{
    enum status status = STATUS_DONE;
    char *directory = output_path_join(file->path, output_path_directory(file->path), ".", error);
    if (!directory)
        return STATUS_NO_MEMORY;
    int descriptor = open(directory, O_RDONLY);
    if (descriptor >= 0 && fsync(descriptor) != 0 && errno != EINVAL)
        status = cannot(file, "", "write its directory", error);
    if (descriptor >= 0)
        close(descriptor);
    memory_free(directory);
    return status;
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    struct stat state;
    const int is_durable = file->is_durable && file->temporary;
    const int is_marked = fstat(fileno(file->stream), &state) == 0 && (state.st_mode & FRESH);
    enum status status = is_durable ? sync_content(file, error) : STATUS_DONE;
    if (!status) {
        status = text_close(file->stream, file->name, error);
        file->stream = NULL;
    }
    if (!status && file->temporary && rename(file->temporary, file->path) != 0)
        status = cannot(file, "", "rename the complete file", error);
    if (!status && file->temporary && is_marked)
        (void)chmod(file->path, state.st_mode & 0777);
    if (!status && is_durable)
        status = sync_directory(file, error);
    if (status)
        output_file_abandon(file);
    else
        forget(file);
    return status;
}

void output_file_abandon(struct output_file *file)
{
    const int is_kept = file->is_saved && *file->is_saved;
    if (file->stream && is_kept)
        unmark(fileno(file->stream));
    if (file->stream)
        fclose(file->stream);
    if (file->temporary && !is_kept)
        unlink(file->temporary);
    forget(file);
}

/* Finds where a resumable file and its part are to be. */
static enum status find_part(struct output_file *file, const char *name, struct stat *state,
                             const struct stat **present, struct error *error)
{
    enum status status = find(file, name, state, present, error);
    if (status)
        return status;
    if (*present && !S_ISREG(state->st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: is not a regular file, so it could not be continued after an "
                         "interruption: leave out --checkpoint, or name a regular file",
                         name);
    if (*present && access(file->path, W_OK) != 0)
        return cannot(file, "", "open", error);
    file->temporary = output_path_join(file->path, strlen(file->path), OUTPUT_FILE_PART, error);
    file->part = memory_allocate(1, sizeof *file->part, "a part of a file", error);
    return file->temporary && file->part ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Locks the part, and makes a stream of it. */
static enum status open_stream(struct output_file *file, int descriptor, struct error *error)
{
    struct stat state;
    enum status status = STATUS_DONE;
    int is_locked = lockf(descriptor, F_TLOCK, 0) == 0 || (errno != EAGAIN && errno != EACCES);
    /* Before it was locked, another run may have removed it as a fresh one. */
    if (!is_locked || (fstat(descriptor, &state) == 0 && state.st_nlink == 0))
        status = error_set(error, STATUS_CANNOT_WRITE,
                           "%.4100s" OUTPUT_FILE_PART ": another run is writing it", file->name);
    if (!status) {
        file->stream = fdopen(descriptor, "r+");
        if (!file->stream)
            status = cannot(file, OUTPUT_FILE_PART, "open", error);
    }
    if (status)
        close(descriptor);
    file->is_durable = 1;
    return status;
}

enum status output_file_open_resumable(struct output_file *file, const char *name, int is_resumable,
                                       const int *is_saved, struct error *error)
{
    struct stat state;
    const struct stat *present;
    if (!is_resumable)
        return output_file_open(file, name, error);
    enum status status = find_part(file, name, &state, &present, error);
    int descriptor = status ? -1 : open(file->temporary, O_RDWR | O_CREAT | O_EXCL, 0600 | FRESH);
    if (!status && descriptor < 0 && errno == EEXIST) {
        if (remove_fresh(file->temporary))
            descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL, 0600 | FRESH);
        else
            errno = EEXIST;
    }
    if (!status && descriptor < 0 && errno == EEXIST)
        status = error_set(error, STATUS_CANNOT_WRITE,
                           "%.4100s" OUTPUT_FILE_PART
                           ": is there already: another run is writing it, or was "
                           "interrupted; go on with that one by --resume, or remove it",
                           name);
    else if (!status && descriptor < 0)
        status = cannot(file, OUTPUT_FILE_PART, "create", error);
    if (status) {
        forget(file); /* what is there belongs to another run */
        return status;
    }
    file->is_saved = is_saved;
    file->part->length = 0;
    crc64_begin(&file->part->crc64);
    set_rights(descriptor, present, FRESH);
    status = open_stream(file, descriptor, error);
    if (!status)
        status = sync_directory(file, error);
    if (status)
        output_file_abandon(file);
    return status;
}

enum status output_file_save(struct output_file *file, struct record_writer *writer,
                             struct error *error)
{
    char text[CRC64_TEXT_SIZE];
    struct output_part *part = file->part;
    ssize_t size;
    enum status status = sync_content(file, error);
    if (status)
        return status;
    if (*file->is_saved)
        unmark(fileno(file->stream));
    while ((size = pread(fileno(file->stream), part->block, BLOCK_SIZE, (off_t)part->length)) > 0) {
        crc64_add(&part->crc64, part->block, (size_t)size);
        part->length += (uint64_t)size;
    }
    if (size < 0)
        return cannot(file, OUTPUT_FILE_PART, "read back", error);
    record_put_whole(writer, part->length);
    record_put_word(writer, crc64_text(text, crc64_value(&part->crc64)));
    record_end_line(writer);
    return STATUS_DONE;
}

/*
 * Reads as many bytes of a file as have been noted, finds their CRC, and copies them to `copy`,
 * unless that is -1. `*is_same` tells whether they are there and have the noted CRC.
 */
static enum status verify(struct output_file *file, const struct noted *noted, int descriptor,
                          int copy, int *is_same, struct error *error)
{
    char text[CRC64_TEXT_SIZE];
    struct output_part *part = file->part;
    part->length = 0;
    crc64_begin(&part->crc64);
    while (part->length < noted->length) {
        uint64_t left = noted->length - part->length;
        ssize_t size = read(descriptor, part->block, left < BLOCK_SIZE ? (size_t)left : BLOCK_SIZE);
        if (size == 0)
            break;
        if (size > 0 && copy >= 0) {
            errno = ENOSPC; /* unless `write` says otherwise */
            size = write(copy, part->block, (size_t)size) == size ? size : -1;
        }
        if (size < 0)
            return cannot(file, OUTPUT_FILE_PART, copy >= 0 ? "copy the complete file" : "read",
                          error);
        crc64_add(&part->crc64, part->block, (size_t)size);
        part->length += (uint64_t)size;
    }
    *is_same = part->length == noted->length &&
               strcmp(crc64_text(text, crc64_value(&part->crc64)), noted->crc64) == 0;
    return STATUS_DONE;
}

static enum status not_there(const struct output_file *file, struct error *error)
{
    return error_set(error, STATUS_NO_INPUT,
                     "%.4100s" OUTPUT_FILE_PART
                     ": is missing: it holds what the interrupted run has "
                     "written, and the run cannot go on without it",
                     file->name);
}

/* Copies what has been noted from the complete file, as a part under the temporary name `name`. */
static enum status copy_complete(struct output_file *file, const struct noted *noted, int source,
                                 char *name, struct error *error)
{
    struct stat state;
    int is_same = 0;
    int copy = mkstemp(name);
    if (copy < 0)
        return cannot(file, OUTPUT_FILE_PART, "create", error);
    set_rights(copy, fstat(source, &state) == 0 ? &state : NULL, 0);
    enum status status = verify(file, noted, source, copy, &is_same, error);
    if (!status && !is_same)
        status = not_there(file, error);
    if (!status && rename(name, file->temporary) != 0)
        status = cannot(file, OUTPUT_FILE_PART, "create", error);
    if (status)
        unlink(name);
    close(copy);
    return status;
}

/*
 * There is no part: makes one of the complete file's beginning, under a temporary name, so that it
 * is complete or absent.
 */
static enum status make_part(struct output_file *file, const struct noted *noted,
                             struct error *error)
{
    int source = open(file->path, O_RDONLY);
    if (source < 0)
        return not_there(file, error);
    char *name = temporary_name(file, error);
    enum status status = name ? copy_complete(file, noted, source, name, error) : STATUS_NO_MEMORY;
    close(source);
    memory_free(name);
    return status;
}

/* Opens the part that is there, or that can be made. */
static enum status open_part(struct output_file *file, const struct noted *noted,
                             struct error *error)
{
    enum status status = STATUS_DONE;
    int descriptor = open(file->temporary, O_RDWR | O_NOFOLLOW);
    if (descriptor < 0 && errno == ENOENT) {
        status = make_part(file, noted, error);
        if (status)
            return status;
        descriptor = open(file->temporary, O_RDWR | O_NOFOLLOW);
    }
    return descriptor < 0 ? cannot(file, OUTPUT_FILE_PART, "open", error)
                          : open_stream(file, descriptor, error);
}

/* Takes an open part, as far as it has been noted, for what was written, and cuts off the rest. */
static enum status adopt(struct output_file *file, const struct noted *noted, struct error *error)
{
    struct stat state;
    int is_same = 0;
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode))
        return not_there(file, error);
    if ((uint64_t)state.st_size < noted->length)
        return error_set(error, STATUS_BAD_DATA,
                         "%.4100s" OUTPUT_FILE_PART ": is too short: it is %ju bytes long, and was "
                         "%ju when the checkpoint was written",
                         file->name, (uintmax_t)state.st_size, (uintmax_t)noted->length);
    enum status status = verify(file, noted, descriptor, -1, &is_same, error);
    if (status)
        return status;
    if (!is_same)
        return error_set(error, STATUS_BAD_DATA,
                         "%.4100s" OUTPUT_FILE_PART
                         ": is not what it was when the checkpoint was written: it was "
                         "altered, or belongs to another run",
                         file->name);
    if (ftruncate(descriptor, (off_t)noted->length) != 0 ||
        fseeko(file->stream, (off_t)noted->length, SEEK_SET) != 0)
        return cannot(file, OUTPUT_FILE_PART, "cut off its end", error);
    return STATUS_DONE;
}

enum status output_file_load(struct output_file *file, const char *name,
                             struct record_reader *reader, struct error *error)
{
    static const int is_saved = 1;
    struct stat state;
    const struct stat *present;
    struct noted noted = {.length = record_take_whole(reader, INT64_MAX)};
    record_take_word(reader, noted.crc64, sizeof noted.crc64);
    record_expect_line_end(reader);
    *file = (struct output_file){0};
    if (reader->status)
        return reader->status;
    enum status status = find_part(file, name, &state, &present, error);
    file->is_saved = &is_saved;
    if (!status)
        status = open_part(file, &noted, error);
    if (!status)
        status = adopt(file, &noted, error);
    if (!status)
        unmark(fileno(file->stream));
    if (status)
        output_file_abandon(file);
    return status;
}
