/*
 * Whether all files can be written without loss; see output_path.h. A file that exists is known by
 * its numbers in the system, one that does not by its path.
 */
#include "io/output_path.h"

#include "base/memory.h"
#include "io/path.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    enum status status = path_follow(name->file, &path, error);
    if (status)
        return status;
    place->path = path_join(path, strlen(path), name->end, error);
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

enum status output_names_check(const struct output_name *names, size_t count, const char *input,
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
