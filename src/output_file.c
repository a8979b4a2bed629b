/*
 * Output files that are complete or absent; see output_file.h.
 */
#include "output_file.h"

#include "memory.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEMPORARY_END[] = ".XXXXXX"; /* as mkstemp wants it */

static enum status cannot(struct error *error, const char *name, const char *what)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot %s: %s", name, what,
                     strerror(errno));
}

/* A string of our own: `text` and `end`. */
static char *join(const char *text, const char *end, struct error *error)
{
    size_t length = strlen(text);
    size_t end_length = strlen(end) + 1;
    char *joined = memory_allocate(length + end_length, 1, "a file's name", error);
    if (joined) {
        memcpy(joined, text, length);
        memcpy(joined + length, end, end_length);
    }
    return joined;
}

/* The path of the file itself, where `name` may be a link to it. */
static char *follow(const char *name, struct error *error)
{
    char *resolved = realpath(name, NULL);
    char *path = join(resolved ? resolved : name, "", error);
    free(resolved); /* the C library's */
    return path;
}

/* The access rights that the file should have in the end. */
static mode_t choose_mode(int exists, const struct stat *present)
{
    if (exists)
        return present->st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Opens a file with a name of its own beside the one that it will replace. */
static enum status open_temporary(struct output_file *file, mode_t mode, struct error *error)
{
    file->temporary = join(file->path, TEMPORARY_END, error);
    if (!file->temporary)
        return STATUS_NO_MEMORY;
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0) {
        enum status status = cannot(error, file->name, "create a file beside it");
        memory_free(file->temporary);
        file->temporary = NULL; /* there is nothing to remove */
        return status;
    }
    if (fchmod(descriptor, mode) == 0)
        file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return STATUS_DONE;
    enum status status = cannot(error, file->name, "open");
    close(descriptor);
    return status;
}

enum status output_file_open(struct output_file *file, const char *name, struct error *error)
{
    struct stat present;
    int exists = stat(name, &present) == 0;
    enum status status = STATUS_DONE;
    *file = (struct output_file){.name = name};
    file->path = follow(name, error);
    if (!file->path)
        return STATUS_NO_MEMORY;
    if (exists && S_ISDIR(present.st_mode)) {
        errno = EISDIR;
        status = cannot(error, name, "open");
    } else if (exists && access(name, W_OK) != 0) {
        status = cannot(error, name, "open"); /* a rename would not ask */
    } else if (exists && !S_ISREG(present.st_mode)) {
        file->stream = fopen(file->path, "w");
        if (!file->stream)
            status = cannot(error, name, "open");
    } else {
        status = open_temporary(file, choose_mode(exists, &present), error);
    }
    if (status)
        output_file_abandon(file);
    return status;
}

/* Frees what a file has, and forgets it. */
static void forget(struct output_file *file)
{
    memory_free(file->path);
    memory_free(file->temporary);
    *file = (struct output_file){0};
}

enum status output_file_complete(struct output_file *file, struct error *error)
{
    enum status status = text_close(file->stream, file->name, error);
    file->stream = NULL;
    if (!status && file->temporary && rename(file->temporary, file->path) != 0)
        status = cannot(error, file->name, "give it its name");
    if (status) {
        output_file_abandon(file);
    } else {
        forget(file);
    }
    return status;
}

void output_file_abandon(struct output_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    forget(file);
}
