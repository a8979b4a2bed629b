/*
 * Where a file name leads; see path.h. realpath knows it for files that exist. Where there is none,
 * the name may still be a link, which tells where to create one; otherwise only the directory has
 * to exist.
 */
#include "io/path.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, LONGEST_LINK = 4096 };

size_t path_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

char *path_join(const char *start, size_t length, const char *end, struct error *error)
{
    size_t end_size = strlen(end) + 1;
    char *joined = memory_allocate(length + end_size, 1, "the name of a file", error);
    if (joined) {
        memcpy(joined, start, length);
        memcpy(joined + length, end, end_size);
    }
    return joined;
}

/*
 * Resolves a path that exists. If it cannot be done, also returns STATUS_DONE, but with `*path`
 * NULL, and errno tells why.
 */
static enum status resolve(const char *name, char **path, struct error *error)
{
    *path = NULL;
    char *resolved = realpath(name, NULL);
    if (!resolved) {
        int reason = errno;
        struct stat state;
        int exists = stat(name, &state) == 0; /* a pipe without a name, as in /dev/fd */
        errno = reason;
        if (!exists)
            return STATUS_DONE;
    }
    const char *text = resolved ? resolved : name;
    *path = path_join(text, strlen(text), "", error);
    free(resolved); /* the C library's */
    return *path ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status cannot_open(const char *name, struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open: %s", name, strerror(errno));
}

/* Follows one link: `*path`, which is one if the system says so, becomes what it leads to. */
static enum status follow_link(char **path, int *is_link, struct error *error)
{
    char target[LONGEST_LINK + 1];
    ssize_t length = readlink(*path, target, LONGEST_LINK);
    *is_link = length >= 0;
    if (length < 0)
        return STATUS_DONE;
    target[length] = '\0';
    char *joined = path_join(*path, target[0] == '/' ? 0 : path_directory(*path), target, error);
    memory_free(*path);
    *path = joined;
    return joined ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Where a file that does not exist would be created. */
static enum status place(const char *name, const char *unresolved, char **path, struct error *error)
{
    size_t length = path_directory(unresolved);
    const char *last = unresolved + length;
    char *resolved = NULL;
    if (last[0] == '\0') {
        errno = length > 0 ? EISDIR : ENOENT;
        return cannot_open(name, error);
    }
    char *directory = path_join(unresolved, length, ".", error);
    if (!directory)
        return STATUS_NO_MEMORY;
    enum status status = resolve(directory, &resolved, error);
    if (!status && !resolved)
        status = cannot_open(name, error);
    memory_free(directory);
    if (status)
        return status;
    char *with_slash = path_join(resolved, strlen(resolved), "/", error);
    if (with_slash)
        *path = path_join(with_slash, strlen(with_slash), last, error);
    memory_free(with_slash);
    memory_free(resolved);
    return *path ? STATUS_DONE : STATUS_NO_MEMORY;
}

enum status path_follow(const char *name, char **path, struct error *error)
{
    int is_link = 1;
    int links = 0;
    char *unresolved = path_join(name, strlen(name), "", error);
    enum status status = unresolved ? resolve(unresolved, path, error) : STATUS_NO_MEMORY;
    while (!status && !*path && is_link) {
        if (links++ == MOST_LINKS)
            errno = ELOOP;
        if (errno == ENOENT)
            status = follow_link(&unresolved, &is_link, error);
        else
            status = cannot_open(name, error);
        if (!status && is_link)
            status = resolve(unresolved, path, error);
    }
    if (!status && !*path)
        status = place(name, unresolved, path, error);
    memory_free(unresolved);
    return status;
}
