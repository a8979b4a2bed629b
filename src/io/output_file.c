/*
 * Output files that are complete or absent; see output_file.h.
 */
#include "io/output_file.h"

#include "base/memory.h"
#include "io/path.h"
#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEMPORARY_END[] = ".XXXXXX"; /* as mkstemp wants it */

/* So much of the file's own name is also in the temporary one, which must not be too long. */
enum { MOST_OF_NAME = 120 };

static enum status cannot(struct error *error, const char *name, const char *what)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot %s: %s", name, what,
                     strerror(errno));
}

/*
 * Gives the new file the access rights that it should have in the end: those of the file that it
 * replaces, with its owner, or those of any new file. A file system that has no such thing refuses,
 * and then it stays the user's own.
 */
void output_file_set_rights(int descriptor, int exists, const struct stat *present)
{
    mode_t mode = present->st_mode & 0777;
    if (!exists) {
        mode_t mask = umask(0);
        umask(mask);
        mode = 0666 & ~mask;
    }
    if (exists && fchown(descriptor, present->st_uid, present->st_gid) != 0)
        mode &= 0707; /* the group may be another one now */
    (void)fchmod(descriptor, mode);
}

char *output_file_temporary_name(const char *path, struct error *error)
{
    size_t length = strlen(path);
    size_t most = path_directory(path) + MOST_OF_NAME;
    return path_join(path, length < most ? length : most, TEMPORARY_END, error);
}

/* Opens a file with a name of its own beside the one that it will replace. */
static enum status open_temporary(struct output_file *file, int exists, const struct stat *present,
                                  struct error *error)
{
    file->temporary = output_file_temporary_name(file->path, error);
    if (!file->temporary)
        return STATUS_NO_MEMORY;
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        enum status status = cannot(error, file->name, "create a file in its directory");
        memory_free(file->temporary);
        file->temporary = NULL; /* there is nothing to remove */
        return status;
    }
    output_file_set_rights(descriptor, exists, present);
    file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return STATUS_DONE;
    enum status status = cannot(error, file->name, "open");
    close(descriptor);
    return status;
}

enum status output_file_open(struct output_file *file, const char *name, struct error *error)
{
    struct stat present = {0};
    *file = (struct output_file){.name = name};
    enum status status = path_follow(name, &file->path, error);
    if (status)
        return status;
    int exists = stat(file->path, &present) == 0;
    if (exists && S_ISDIR(present.st_mode)) {
        errno = EISDIR;
        status = cannot(error, name, "open");
    } else if (exists && access(file->path, W_OK) != 0) {
        status = cannot(error, name, "open"); /* a rename would not ask */
    } else if (exists && !S_ISREG(present.st_mode)) {
        file->stream = fopen(file->path, "w");
        if (!file->stream)
            status = cannot(error, name, "open");
    } else {
        status = open_temporary(file, exists, &present, error);
    }
    if (status)
        output_file_abandon(file);
    return status;
}

void output_file_forget(struct output_file *file)
{
    memory_free(file->path);
    memory_free(file->temporary);
    memory_free(file->part);
    *file = (struct output_file){0};
}

enum status output_file_sync_directory(const char *path, const char *name, struct error *error)
{
    enum status status = STATUS_DONE;
    char *directory = path_join(path, path_directory(path), ".", error);
    if (!directory)
        return STATUS_NO_MEMORY;
    int descriptor = open(directory, O_RDONLY);
    if (descriptor >= 0 && fsync(descriptor) != 0 && errno != EINVAL)
        status = cannot(error, name, "make sure of its name");
    if (descriptor >= 0)
        close(descriptor);
    memory_free(directory);
    return status;
}

enum status output_file_sync(const struct output_file *file, struct error *error)
{
    enum status status = text_flush(file->stream, file->name, error);
    if (!status && fsync(fileno(file->stream)) != 0)
        status = cannot(error, file->name, "write");
    return status;
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    const int is_durable = file->is_durable && file->temporary;
    enum status status = is_durable ? output_file_sync(file, error) : STATUS_DONE;
    if (!status) {
        status = text_close(file->stream, file->name, error);
        file->stream = NULL;
    }
    if (!status && file->temporary && rename(file->temporary, file->path) != 0)
        status = cannot(error, file->name, "give it its name");
    if (!status && is_durable)
        status = output_file_sync_directory(file->path, file->name, error);
    if (status)
        output_file_abandon(file);
    else
        output_file_forget(file);
    return status;
}

void output_file_abandon(struct output_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary && !file->is_kept)
        unlink(file->temporary);
    output_file_forget(file);
}
