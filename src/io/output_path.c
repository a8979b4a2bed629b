/*
 * Where output files are to be; see output_path.h. A file that exists is known by its numbers in
 * the system, one that does not by its path. realpath knows the path of files that exist. Where
 * there is none, the name may still be a link, which tells where to create one; otherwise only the
 * directory has to exist.
 */
#include "io/output_path.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_LINK = 4096 };

size_t output_path_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

char *output_path_join(const char *start, size_t length, const char *end, struct error *error)
{
    size_t end_size = strlen(end) + 1;
    char *joined = memory_allocate(length + end_size, 1, "the name of a file", error);
    if (joined) {
        memcpy(joined, start, length);
        memcpy(joined + length, end, end_size);
    }
    return joined;
}

static enum status cannot_open(const char *name, int reason, struct error *error)
{
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open: %s", name,
                     strerror(reason));
}

/*
 * Resolves `place`, to which `name` leads. Returns STATUS_DONE with `*path`; STATUS_NO_INPUT if
 * nothing is there; STATUS_CANNOT_WRITE or STATUS_NO_MEMORY.
 */
static enum status resolve(const char *name, const char *place, char **path, struct error *error)
{
    struct stat state;
    char *resolved = realpath(place, NULL);
    int reason = errno;
    if (!resolved && stat(place, &state) != 0) { /* a pipe without a name exists, as in /dev/fd */
        enum status status = cannot_open(name, reason, error);
        return reason == ENOENT ? STATUS_NO_INPUT : status;
    }
    const char *text = resolved ? resolved : place;
    *path = output_path_join(text, strlen(text), "", error);
    free(resolved); /* the C library's */
    return *path ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Follows one link: `*place`, which is one if the system says so, becomes what it leads to. */
static enum status follow_link(char **place, int *is_link, struct error *error)
{
    char target[LONGEST_LINK + 1];
    ssize_t length = readlink(*place, target, LONGEST_LINK);
    *is_link = length >= 0;
    if (length < 0)
        return STATUS_DONE;
    target[length] = '\0';
    size_t start = target[0] == '/' ? 0 : output_path_directory(*place);
    char *joined = output_path_join(*place, start, target, error);
    memory_free(*place);
    *place = joined;
    return joined ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Finds the path of a file that is to be created at `place`, to which `name` leads. */
static enum status find_new(const char *name, const char *place, char **path, struct error *error)
{
    size_t length = output_path_directory(place);
    const char *last = place + length;
    char *resolved = NULL;
    if (last[0] == '\0')
        return cannot_open(name, length > 0 ? EISDIR : ENOENT, error);
    char *directory = output_path_join(place, length, ".", error);
    if (!directory)
        return STATUS_NO_MEMORY;
    enum status status = resolve(name, directory, &resolved, error);
    memory_free(directory);
    if (status)
        return status == STATUS_NO_INPUT ? STATUS_CANNOT_WRITE : status;
    char *with_slash = output_path_join(resolved, strlen(resolved), "/", error);
    if (with_slash)
        *path = output_path_join(with_slash, strlen(with_slash), last, error);
    memory_free(with_slash);
    memory_free(resolved);
    return *path ? STATUS_DONE : STATUS_NO_MEMORY;
}

enum status output_path_follow(const char *name, char **path, struct error *error)
{
    int is_link = 1; /* or may be one */
    char *place = output_path_join(name, strlen(name), "", error);
    *path = NULL;
    enum status status = place ? resolve(name, place, path, error) : STATUS_NO_MEMORY;
    while (status == STATUS_NO_INPUT && is_link) { /* the system refuses links without end */
        status = follow_link(&place, &is_link, error);
        if (!status)
            status =
                is_link ? resolve(name, place, path, error) : find_new(name, place, path, error);
    }
    memory_free(place);
    return status;
}

/* Where a name leads. */
struct place {
    struct stat state;
    int exists;
    char *path; /* owned */
};

static enum status find_place(const struct output_name *name, struct place *place,
                              struct error *error)
{
    char *path = NULL;
    enum status status = output_path_follow(name->file, &path, error);
    if (status)
        return status;
    place->path = output_path_join(path, strlen(path), name->end, error);
    memory_free(path);
    if (!place->path)
        return STATUS_NO_MEMORY;
    place->exists = stat(place->path, &place->state) == 0;
    return STATUS_DONE;
}

static int is_one_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether writing to both loses something, or mixes it. */
static int is_in_conflict(const struct place *a, const struct place *b)
{
    if (a->exists != b->exists)
        return 0;
    if (!a->exists)
        return strcmp(a->path, b->path) == 0;
    return is_one_file(&a->state, &b->state) && !S_ISCHR(a->state.st_mode);
}

/* Compares with what is open from the beginning. */
static enum status check_streams(const struct output_name *name, const struct place *place,
                                 struct error *error)
{
    static const char *const streams[] = {"standard input", "standard output", "standard error"};
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        struct stat state;
        if (place->exists && fstat(descriptor, &state) == 0 && is_one_file(&place->state, &state) &&
            (!S_ISCHR(state.st_mode) || isatty(descriptor)))
            return error_set(error, STATUS_USAGE,
                             "%s needs a file of its own, and '%.4100s%s' is %s", name->option,
                             name->file, name->end, streams[descriptor]);
    }
    return STATUS_DONE;
}

static enum status check_input(const struct output_name *name, const struct place *place,
                               const char *input, struct error *error)
{
    struct stat state;
    if (place->exists && stat(input, &state) == 0 && is_one_file(&place->state, &state) &&
        !S_ISCHR(state.st_mode))
        return error_set(error, STATUS_USAGE,
                         "%s would overwrite INPUT: '%.4100s%s' is the same file", name->option,
                         name->file, name->end);
    return STATUS_DONE;
}

/* Checks name number k, and compares it with those before it. */
static enum status check_name(const struct output_name *names, struct place *places, size_t k,
                              const char *input, struct error *error)
{
    enum status status = find_place(&names[k], &places[k], error);
    if (!status)
        status = check_streams(&names[k], &places[k], error);
    if (!status && strcmp(input, "-") != 0)
        status = check_input(&names[k], &places[k], input, error);
    for (size_t j = 0; j < k && !status; j++)
        if (names[j].file && is_in_conflict(&places[j], &places[k]))
            status = error_set(
                error, STATUS_USAGE,
                "%s and %s need a file each, and '%.2000s%s' and '%.2000s%s' are the same file",
                names[j].option, names[k].option, names[j].file, names[j].end, names[k].file,
                names[k].end);
    return status;
}

enum status output_path_check(const struct output_name *names, size_t count, const char *input,
                              struct error *error)
{
    enum status status = STATUS_DONE;
    struct place *places = memory_allocate(count, sizeof *places, "the names of files", error);
    if (!places)
        return STATUS_NO_MEMORY;
    memset(places, 0, count * sizeof *places);
    for (size_t k = 0; k < count && !status; k++)
        if (names[k].file)
            status = check_name(names, places, k, input, error);
    for (size_t k = 0; k < count; k++)
        memory_free(places[k].path);
    memory_free(places);
    return status;
}
