/*
 * Output files; see output_file.h. Each checkpoint reads back what has been written to a part since
 * the last one, which is still in the system's memory, and adds it to the part's CRC. So the CRC
 * does not concern observers, and belongs to the bytes in the file. As long as a run lasts it holds
 * a lock on its part, so that no other run resumes it at the same time.
 */
#include "io/output_file.h"

#include "base/memory.h"
#include "io/record.h"
#include "io/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_END ".XXXXXX" /* as mkstemp requires */

enum {
    MAX_OF_NAME = 120, /* bytes of the file's own name in the temporary one */
    BLOCK_SIZE = 1 << 16
};

/* Marks a temporary file, and a part until the second checkpoint, the first being made at the
 * beginning: a right that has no other meaning for a file. If no run locks the file, its run was
 * killed, and it need not be kept. Where the system refuses the mark, the file is kept. */
static const mode_t FRESH = S_ISVTX;

/* The length of a part that the last checkpoint has saved, and the CRC of this length. */
struct output_part {
    uint64_t length;
    struct crc64 crc64;
    unsigned char block[BLOCK_SIZE]; /* to read it; too large for the stack */
};

/* The length and the CRC of a part, as a checkpoint has them. */
struct output_saved {
    uint64_t length;
    char crc64[CRC64_TEXT_SIZE];
};

/* Fails for the reason in errno; `end` is appended to the file's name. */
static enum status cannot(const struct output_file *file, const char *end, const char *what,
                          struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s%s: cannot %s: %s", file->name, end, what,
                     strerror(errno));
}

/*
 * Gives the new file the access rights and the owner of the file that it replaces or, if that has
 * no mode, the rights of any new file; and `mark`, FRESH or 0. A file system may refuse all of it.
 */
static void set_rights(int descriptor, const struct stat *present, mode_t mark)
{
    mode_t mode;
    if (present->st_mode == 0) {
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

static void unmark(int descriptor)
{
    struct stat state;
    if (fstat(descriptor, &state) == 0 && (state.st_mode & FRESH))
        (void)fchmod(descriptor, state.st_mode & 0777);
}

/* True for a file that mkstemp has created, for a run that was killed before it marked the file. */
static int is_new(const struct stat *state)
{
    return state->st_size == 0 && (state->st_mode & 07777) == 0600;
}

/* Locks a file. Returns 0; 1 if another run has locked it; or -1 if it cannot be locked. */
static int take_lock(int descriptor)
{
    return lockf(descriptor, F_TLOCK, 0) == 0 ? 0 : errno == EAGAIN || errno == EACCES ? 1 : -1;
}

/* Removes a file that is marked, or may be new, unless a run is writing it: then it returns 1. */
static int remove_fresh(const char *path, int may_be_new)
{
    struct stat state;
    int descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return 0;
    const int is_file = fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode);
    const int lock = is_file ? take_lock(descriptor) : -1;
    if (lock == 0 && ((state.st_mode & FRESH) || (may_be_new && is_new(&state))) &&
        state.st_uid == geteuid())
        (void)unlink(path);
    close(descriptor);
    return lock > 0;
}

/* True if the open file is still where it was created: another run may have one there by now. */
static int is_in_place(const struct output_file *file)
{
    struct stat written, present;
    return fstat(fileno(file->stream), &written) == 0 && stat(file->temporary, &present) == 0 &&
           written.st_dev == present.st_dev && written.st_ino == present.st_ino;
}

/* Forms a name for mkstemp, in the directory of the file: as much of its name as leaves room. */
static void name_temporary(const struct output_file *file, char name[OUTPUT_PATH_SIZE])
{
    const size_t most = output_path_directory(file->path) + MAX_OF_NAME;
    snprintf(name, OUTPUT_PATH_SIZE, "%.*s" TEMPORARY_END, (int)most, file->path);
}

static void name_directory(const struct output_file *file, char name[OUTPUT_PATH_SIZE])
{
    snprintf(name, OUTPUT_PATH_SIZE, "%.*s.", (int)output_path_directory(file->path), file->path);
}

static void forget(struct output_file *file)
{
    memory_free(file->part);
    *file = (struct output_file){0};
}

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
        remove_fresh(temporary, 1);
    }
}

void output_file_remove_stale(const char *name)
{
    struct error error; /* of no interest: they may stay */
    struct output_file *file = memory_allocate(1, sizeof *file, "a file", &error);
    if (!file || output_path_follow(name, file->path, &error)) {
        memory_free(file);
        return;
    }
    name_directory(file, file->temporary);
    DIR *directory = opendir(file->temporary);
    if (directory) {
        name_temporary(file, file->temporary);
        remove_similar(directory, file->temporary);
        closedir(directory);
    }
    memory_free(file);
}

static enum status open_temporary(struct output_file *file, const struct stat *present,
                                  struct error *error)
{
    name_temporary(file, file->temporary);
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        file->temporary[0] = '\0'; /* there is nothing to remove */
        return cannot(file, "", "create a file in its directory", error);
    }
    set_rights(descriptor, present, take_lock(descriptor) == 0 ? FRESH : 0);
    file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return STATUS_DONE;
    enum status status = cannot(file, "", "open", error);
    close(descriptor);
    return status;
}

/* Resolves the name of a file. `*present` describes the file that exists; 0 if none does. */
static enum status output_file_find(struct output_file *file, const char *name,
                                    struct stat *present, struct error *error)
{
    *file = (struct output_file){.name = name};
    *present = (struct stat){0};
    enum status status = output_path_follow(name, file->path, error);
    if (!status)
        (void)stat(file->path, present);
    return status;
}

enum status output_file_open(struct output_file *file, const char *name, struct error *error)
{
    struct stat present;
    enum status status = output_file_find(file, name, &present, error);
    if (status)
        return status;
    const int is_directory = S_ISDIR(present.st_mode);
    if (is_directory)
        errno = EISDIR;
    if (is_directory || (present.st_mode && access(file->path, W_OK) != 0))
        status = cannot(file, "", "open", error); /* a rename would not ask */
    else if (!present.st_mode || S_ISREG(present.st_mode))
        status = open_temporary(file, &present, error);
    else if (!(file->stream = fopen(file->path, "w")))
        status = cannot(file, "", "open", error);
    if (status)
        output_file_abandon(file);
    return status;
}

enum status output_file_prepare(struct output_file *file, const char *name, struct error *error)
{
    enum status status = output_file_open(file, name, error);
    if (!status && file->temporary[0]) {
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
    struct stat state;
    const int descriptor = fileno(file->stream);
    enum status status = text_flush(file->stream, file->name, error);
    if (!status && (fsync(descriptor) != 0 || fstat(descriptor, &state) != 0))
        return cannot(file, "", "write", error);
    if (!status && (!is_in_place(file) || state.st_size != ftello(file->stream)))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.2000s: cannot be completed: while the run wrote it, %.2000s was "
                         "removed, replaced or cut off",
                         file->name, file->temporary);
    return status;
}

static enum status sync_directory(const struct output_file *file, struct error *error)
{
    enum status status = STATUS_DONE;
    char directory[OUTPUT_PATH_SIZE];
    name_directory(file, directory);
    int descriptor = open(directory, O_RDONLY);
    if (descriptor >= 0 && fsync(descriptor) != 0 && errno != EINVAL)
        status = cannot(file, "", "write its directory", error);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    struct stat state;
    const int is_durable = file->is_durable && file->temporary[0];
    const int is_marked = fstat(fileno(file->stream), &state) == 0 && (state.st_mode & FRESH);
    enum status status = is_durable ? sync_content(file, error) : STATUS_DONE;
    if (!status) {
        status = text_close(file->stream, file->name, error);
        file->stream = NULL;
    }
    if (!status && file->temporary[0] && rename(file->temporary, file->path) != 0)
        status = cannot(file, "", "rename the complete file", error);
    if (!status && file->temporary[0] && is_marked)
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
    const int is_ours = !file->stream || is_in_place(file);
    if (file->stream && is_kept)
        unmark(fileno(file->stream));
    if (file->stream)
        fclose(file->stream);
    if (file->temporary[0] && !is_kept && is_ours)
        unlink(file->temporary);
    forget(file);
}

static enum status find_part(struct output_file *file, const char *name, struct stat *present,
                             struct error *error)
{
    enum status status = output_file_find(file, name, present, error);
    if (status)
        return status;
    if (present->st_mode && !S_ISREG(present->st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: is not a regular file, so it could not be continued after an "
                         "interruption: leave out --checkpoint, or name a regular file",
                         name);
    if (present->st_mode && access(file->path, W_OK) != 0)
        return cannot(file, "", "open", error);
    if (snprintf(file->temporary, OUTPUT_PATH_SIZE, "%s" OUTPUT_FILE_PART, file->path) >=
        OUTPUT_PATH_SIZE) {
        errno = ENAMETOOLONG;
        return cannot(file, OUTPUT_FILE_PART, "open", error);
    }
    file->part = memory_allocate(1, sizeof *file->part, "a part of a file", error);
    return file->part ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status is_there(const struct output_file *file, int is_live, struct error *error)
{
    return error_set(
        error, STATUS_CANNOT_WRITE, "%.4100s" OUTPUT_FILE_PART ": is there already%s", file->name,
        is_live ? ", and another run is writing it: wait for its end, or name another file"
                : ", of a run that was interrupted, unless one on another machine is "
                  "writing it: go on with it by --resume, or remove it");
}

static enum status open_stream(struct output_file *file, int descriptor, struct error *error)
{
    struct stat state;
    enum status status = STATUS_DONE;
    /* Before it was locked, another run may have removed it as a fresh one. */
    if (take_lock(descriptor) > 0 || (fstat(descriptor, &state) == 0 && state.st_nlink == 0))
        status = is_there(file, 1, error);
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
    struct stat present;
    int descriptor = -1, is_live = 0;
    if (!is_resumable)
        return output_file_open(file, name, error);
    enum status status = find_part(file, name, &present, error);
    if (!status) {
        is_live = remove_fresh(file->temporary, 0);
        descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL, 0600 | FRESH);
    }
    if (!status && descriptor < 0)
        status = errno == EEXIST ? is_there(file, is_live, error)
                                 : cannot(file, OUTPUT_FILE_PART, "create", error);
    if (status) {
        forget(file); /* what is there belongs to another run */
        return status;
    }
    file->is_saved = is_saved;
    file->part->length = 0;
    crc64_begin(&file->part->crc64);
    set_rights(descriptor, &present, FRESH);
    status = open_stream(file, descriptor, error);
    if (!status)
        status = sync_directory(file, error);
    if (status)
        output_file_abandon(file);
    return status;
}

static enum status note_part(struct output_file *file, struct output_saved *noted,
                             struct error *error)
{
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
    noted->length = part->length;
    crc64_text(&part->crc64, noted->crc64);
    return STATUS_DONE;
}

/* Reads as many bytes of a file as have been noted, and copies them to `copy`, unless that is -1.
 * Returns STATUS_BAD_DATA if they are not there or have another CRC; or STATUS_CANNOT_WRITE. */
static enum status verify(struct output_file *file, const struct output_saved *noted,
                          int descriptor, int copy, struct error *error)
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
    if (part->length == noted->length && strcmp(crc64_text(&part->crc64, text), noted->crc64) == 0)
        return STATUS_DONE;
    return error_set(error, STATUS_BAD_DATA,
                     "%.4100s" OUTPUT_FILE_PART ": is not what it was when the checkpoint was "
                     "written: it was altered, or belongs to another run",
                     file->name);
}

static enum status not_there(const struct output_file *file, struct error *error)
{
    return error_set(error, STATUS_NO_INPUT,
                     "%.4100s" OUTPUT_FILE_PART
                     ": is missing: it holds what the interrupted run has "
                     "written, and the run cannot go on without it",
                     file->name);
}

/* Makes a missing part of the complete file's beginning; it is complete or absent, too. */
static enum status make_part(struct output_file *file, const struct output_saved *noted,
                             struct error *error)
{
    struct stat present = {0};
    char name[OUTPUT_PATH_SIZE];
    const int source = open(file->path, O_RDONLY);
    if (source < 0)
        return not_there(file, error);
    name_temporary(file, name);
    const int copy = mkstemp(name);
    enum status status = STATUS_CANNOT_WRITE;
    if (copy >= 0) {
        (void)fstat(source, &present);
        set_rights(copy, &present, 0);
        status = verify(file, noted, source, copy, error);
    }
    if (status == STATUS_BAD_DATA)
        status = not_there(file, error);
    if (copy < 0 || (!status && rename(name, file->temporary) != 0))
        status = cannot(file, OUTPUT_FILE_PART, "create", error);
    if (copy >= 0 && status)
        unlink(name);
    if (copy >= 0)
        close(copy);
    close(source);
    return status;
}

static enum status open_part(struct output_file *file, const struct output_saved *noted,
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

/* Continues an open part after its noted length, and cuts off all beyond it. */
static enum status adopt(struct output_file *file, const struct output_saved *noted,
                         struct error *error)
{
    struct stat state;
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode))
        return not_there(file, error);
    if ((uint64_t)state.st_size < noted->length)
        return error_set(error, STATUS_BAD_DATA,
                         "%.4100s" OUTPUT_FILE_PART ": is too short: it is %ju bytes long, and was "
                         "%ju when the checkpoint was written",
                         file->name, (uintmax_t)state.st_size, (uintmax_t)noted->length);
    enum status status = verify(file, noted, descriptor, -1, error);
    if (status)
        return status;
    if (ftruncate(descriptor, (off_t)noted->length) != 0 ||
        fseeko(file->stream, (off_t)noted->length, SEEK_SET) != 0)
        return cannot(file, OUTPUT_FILE_PART, "cut off its end", error);
    return STATUS_DONE;
}

static enum status resume_part(struct output_file *file, const char *name,
                               const struct output_saved *noted, struct error *error)
{
    static const int is_saved = 1;
    struct stat present;
    enum status status = find_part(file, name, &present, error);
    file->is_saved = &is_saved;
    if (!status)
        status = open_part(file, noted, error);
    if (!status)
        status = adopt(file, noted, error);
    if (!status)
        unmark(fileno(file->stream));
    if (status)
        output_file_abandon(file);
    return status;
}

void output_file_record(struct output_file *file, const char *name, struct record *record)
{
    struct output_saved noted = {0};
    if (record->is_reading)
        *file = (struct output_file){0};
    else
        record_add_status(record, note_part(file, &noted, record->error));
    record_whole(record, &noted.length, INT64_MAX);
    record_text(record, noted.crc64, sizeof noted.crc64);
    record_end_line(record);
    if (record->is_reading && !record->status)
        record->status = resume_part(file, name, &noted, record->error);
}
