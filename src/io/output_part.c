/*
 * Output files that another run can continue; see output_part.h.
 *
 * The checksum runs along: each checkpoint reads back what has been written since the last one,
 * which is still in the system's memory. So nobody who writes has to know of it, and what is
 * checked is what is in the file. As long as a run lasts it holds a lock on its part, so that
 * nobody resumes it twice.
 */
#include "io/output_part.h"

#include "base/memory.h"
#include "io/path.h"
#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output_part {
    uint64_t length; /* of the file, as of the last checkpoint, */
    struct crc64 crc64;
};

enum { BLOCK_SIZE = 1 << 16 };

static enum status cannot(const struct output_file *file, const char *what, struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s" OUTPUT_PART_END ": cannot %s: %s",
                     file->name, what, strerror(errno));
}

/* Finds where the file and its part are to be, and what is there now. */
static enum status find(struct output_file *file, const char *name, int *exists,
                        struct stat *present, struct error *error)
{
    *file = (struct output_file){.name = name};
    enum status status = path_follow(name, &file->path, error);
    if (status)
        return status;
    *exists = stat(file->path, present) == 0;
    if (*exists && !S_ISREG(present->st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: is no file that could be continued after an interruption: "
                         "leave out --checkpoint, or name a file",
                         name);
    if (*exists && access(file->path, W_OK) != 0)
        return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open: %s", name,
                         strerror(errno));
    file->temporary = path_join(file->path, strlen(file->path), OUTPUT_PART_END, error);
    file->part = memory_allocate(1, sizeof *file->part, "a part of a file", error);
    if (!file->temporary || !file->part)
        return STATUS_NO_MEMORY;
    file->part->length = 0;
    crc64_begin(&file->part->crc64);
    return STATUS_DONE;
}

/* Locks the part, and makes a stream of it. */
static enum status open_stream(struct output_file *file, int descriptor, struct error *error)
{
    enum status status = STATUS_DONE;
    if (lockf(descriptor, F_TLOCK, 0) != 0 && (errno == EAGAIN || errno == EACCES))
        status = error_set(error, STATUS_CANNOT_WRITE,
                           "%.4100s" OUTPUT_PART_END ": another run is writing it", file->name);
    if (!status) {
        file->stream = fdopen(descriptor, "r+");
        if (!file->stream)
            status = cannot(file, "open", error);
    }
    if (status)
        close(descriptor);
    file->is_durable = 1;
    return status;
}

/* Gives up a file whose opening has failed. */
static enum status fail(struct output_file *file, enum status status)
{
    if (file->stream)
        fclose(file->stream);
    output_file_forget(file);
    return status;
}

enum status output_part_open(struct output_file *file, const char *name, struct error *error)
{
    int exists;
    struct stat present;
    enum status status = find(file, name, &exists, &present, error);
    if (status)
        return fail(file, status);
    int descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor < 0 && errno == EEXIST)
        return fail(file, error_set(error, STATUS_CANNOT_WRITE,
                                    "%.4100s" OUTPUT_PART_END
                                    ": is there already: another run is writing it, or was "
                                    "interrupted; go on with that one by --resume, or remove it",
                                    name));
    if (descriptor < 0)
        return fail(file, cannot(file, "create", error));
    output_file_set_rights(descriptor, exists, &present);
    status = open_stream(file, descriptor, error);
    if (!status)
        status = output_file_sync_directory(file->path, name, error);
    if (status)
        output_file_abandon(file);
    return status;
}

enum status output_part_save(struct output_file *file, struct record_writer *writer,
                             struct error *error)
{
    unsigned char block[BLOCK_SIZE];
    struct output_part *part = file->part;
    enum status status = output_file_sync(file, error);
    if (status)
        return status;
    for (;;) {
        ssize_t size = pread(fileno(file->stream), block, sizeof block, (off_t)part->length);
        if (size < 0)
            return cannot(file, "read back", error);
        if (size == 0)
            break;
        crc64_add(&part->crc64, block, (size_t)size);
        part->length += (uint64_t)size;
    }
    char text[CRC64_TEXT_SIZE];
    record_put_whole(writer, part->length);
    record_put_word(writer, crc64_text(text, crc64_value(&part->crc64)));
    record_end_line(writer);
    return STATUS_DONE;
}

/*
 * Reads `length` bytes of a file into the part's checksum, and copies them to `copy`, unless that
 * is -1. Returns whether they are there and have the checksum `expected`; errno is 0 if they are
 * not, and otherwise tells what went wrong.
 */
static int verify(struct output_part *part, int descriptor, int copy, uint64_t length,
                  const char *expected)
{
    unsigned char block[BLOCK_SIZE];
    char text[CRC64_TEXT_SIZE];
    while (part->length < length) {
        uint64_t left = length - part->length;
        ssize_t size = read(descriptor, block, left < sizeof block ? (size_t)left : sizeof block);
        if (size == 0)
            errno = 0;
        if (size <= 0)
            return 0;
        ssize_t written = copy >= 0 ? write(copy, block, (size_t)size) : size;
        if (written >= 0 && written != size)
            errno = ENOSPC;
        if (written != size)
            return 0;
        crc64_add(&part->crc64, block, (size_t)size);
        part->length += (uint64_t)size;
    }
    errno = 0;
    return strcmp(crc64_text(text, crc64_value(&part->crc64)), expected) == 0;
}

static enum status not_there(const struct output_file *file, struct error *error)
{
    return error_set(error, STATUS_NO_INPUT,
                     "%.4100s" OUTPUT_PART_END ": is not there: it holds what the interrupted run "
                     "has written, which cannot go on without it",
                     file->name);
}

/*
 * There is no part: makes one of the complete file's beginning, under a temporary name, so that it
 * is complete or absent.
 */
static enum status copy_complete(struct output_file *file, uint64_t length, const char *expected,
                                 struct error *error)
{
    int source = open(file->path, O_RDONLY);
    if (source < 0)
        return not_there(file, error);
    enum status status = STATUS_DONE;
    struct stat present = {0};
    char *name = output_file_temporary_name(file->path, error);
    int copy = name ? mkstemp(name) : -1;
    if (!name) {
        status = STATUS_NO_MEMORY;
    } else if (copy < 0) {
        status = cannot(file, "create", error);
    } else {
        int exists = fstat(source, &present) == 0;
        output_file_set_rights(copy, exists, &present);
        if (!verify(file->part, source, copy, length, expected))
            status = errno ? cannot(file, "copy the complete file", error) : not_there(file, error);
        if (!status && rename(name, file->temporary) != 0)
            status = cannot(file, "create", error);
        if (status)
            unlink(name);
        close(copy);
    }
    close(source);
    memory_free(name);
    return status;
}

/* Opens the part that is there, or that can be made. */
static enum status open_present(struct output_file *file, uint64_t length, const char *expected,
                                int *descriptor, struct error *error)
{
    *descriptor = open(file->temporary, O_RDWR | O_NOFOLLOW);
    if (*descriptor < 0 && errno == ENOENT) {
        enum status status = copy_complete(file, length, expected, error);
        if (status)
            return status;
        *descriptor = open(file->temporary, O_RDWR | O_NOFOLLOW);
        file->part->length = 0;
        crc64_begin(&file->part->crc64);
    }
    return *descriptor < 0 ? cannot(file, "open", error) : STATUS_DONE;
}

/* Takes an open part up to `length` for what was written, and cuts off the rest. */
static enum status adopt(struct output_file *file, uint64_t length, const char *expected,
                         struct error *error)
{
    struct stat state;
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &state) != 0 || !S_ISREG(state.st_mode))
        return not_there(file, error);
    if ((uint64_t)state.st_size < length)
        return error_set(error, STATUS_BAD_DATA,
                         "%.4100s" OUTPUT_PART_END ": is too short: it is %ju bytes long, and was "
                         "%ju when the checkpoint was written",
                         file->name, (uintmax_t)state.st_size, (uintmax_t)length);
    if (!verify(file->part, descriptor, -1, length, expected))
        return errno ? cannot(file, "read", error)
                     : error_set(error, STATUS_BAD_DATA,
                                 "%.4100s" OUTPUT_PART_END
                                 ": is not what it was when the checkpoint was written: it was "
                                 "altered, or belongs to another run",
                                 file->name);
    if (ftruncate(descriptor, (off_t)length) != 0 || fseeko(file->stream, (off_t)length, SEEK_SET))
        return cannot(file, "cut off its end", error);
    return STATUS_DONE;
}

enum status output_part_load(struct output_file *file, const char *name,
                             struct record_reader *reader, struct error *error)
{
    int exists;
    int descriptor;
    struct stat present;
    char expected[CRC64_TEXT_SIZE];
    uint64_t length = record_take_whole(reader, INT64_MAX);
    record_take_word(reader, expected, sizeof expected);
    record_expect_line_end(reader);
    *file = (struct output_file){0};
    if (reader->status)
        return reader->status;
    enum status status = find(file, name, &exists, &present, error);
    if (!status)
        status = open_present(file, length, expected, &descriptor, error);
    if (!status)
        status = open_stream(file, descriptor, error);
    if (!status)
        status = adopt(file, length, expected, error);
    file->is_kept = 1;
    return status ? fail(file, status) : STATUS_DONE;
}
