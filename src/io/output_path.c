/* Resolves the names of files; see output_file.h. realpath knows the path of files that exist.
 * Where there is none, the name may still be a link, to where it is to be created; otherwise only
 * the directory has to exist. Files that exist are compared by their numbers in the system. */
#include "io/output_file.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t output_path_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces all of a path from `length` on. Returns 0, or ENAMETOOLONG. */
static int put_end(char path[OUTPUT_PATH_SIZE], size_t length, const char *end)
{
    const size_t end_size = strlen(end) + 1;
    if (length + end_size > OUTPUT_PATH_SIZE)
        return ENAMETOOLONG;
    memcpy(path + length, end, end_size);
    return 0;
}

/* Resolves a path in place. Returns 0, or why it cannot: ENOENT if nothing is there. */
static int resolve(char path[OUTPUT_PATH_SIZE])
{
    struct stat state;
    char *resolved = realpath(path, NULL);
    int reason = resolved ? put_end(path, 0, resolved) : errno;
    free(resolved); /* the C library's */
    /* A pipe without a name exists, as in /dev/fd. */
    return !resolved && stat(path, &state) == 0 ? 0 : reason;
}

/* Resolves all but what follows the last '/', which is kept in `last`. */
static int resolve_directory(char path[OUTPUT_PATH_SIZE], char last[OUTPUT_PATH_SIZE])
{
    const size_t length = output_path_directory(path);
    strcpy(last, path + length);
    if (last[0] == '\0')
        return length > 0 ? EISDIR : ENOENT;
    int reason;
    if ((reason = put_end(path, length, ".")) || (reason = resolve(path)) ||
        (reason = put_end(path, strlen(path), "/")))
        return reason;
    return put_end(path, strlen(path), last);
}

enum status output_path_follow(const char *name, char path[OUTPUT_PATH_SIZE], struct error *error)
{
    char target[OUTPUT_PATH_SIZE];
    int reason = put_end(path, 0, name);
    if (!reason)
        reason = resolve(path);
    while (reason == ENOENT) { /* the system refuses links without end */
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) {
            reason = resolve_directory(path, target);
            break;
        }
        target[length] = '\0';
        reason = put_end(path, target[0] == '/' ? 0 : output_path_directory(path), target);
        if (!reason)
            reason = resolve(path);
    }
    if (!reason)
        return STATUS_DONE;
    return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open: %s", name,
                     strerror(reason));
}

/* A run can have a million frames. So a name is not compared with each of them: it names a frame if
 * it fits the pattern, its directory included. */

const char *output_pattern_parse(struct output_pattern *names, const char *name)
{
    static const char digits[] = "123456789";
    const char *percent = strchr(name, '%');
    *names = (struct output_pattern){0};
    if (!percent)
        return NULL;
    const char *end = percent + 1;
    int width = 0;
    if (end[0] == '0' && end[1] != '\0' && strchr(digits, end[1])) {
        width = end[1] - '0';
        end += 2;
    }
    if (*end != 'd')
        return "has a '%' that does not begin %d or, with leading zeros, %06d";
    if (strchr(end, '%'))
        return "has more than one '%', and a frame has one number";
    if (strchr(end, '/'))
        return "has the number of the frame in the name of a directory";
    *names = (struct output_pattern){name, (size_t)(percent - name), (size_t)(end + 1 - name),
                                     width, NULL};
    return NULL;
}

void output_pattern_format(const struct output_pattern *names, uint64_t number,
                           char name[OUTPUT_PATH_SIZE])
{
    snprintf(name, OUTPUT_PATH_SIZE, "%.*s%0*" PRIu64 "%s", (int)names->start, names->pattern,
             names->width, number, names->pattern + names->end);
}

void output_pattern_list(const struct output_pattern *names, char name[OUTPUT_PATH_SIZE])
{
    const size_t directory = output_path_directory(names->pattern);
    size_t length = names->start;
    while (length > directory && strchr("_-.", names->pattern[length - 1]))
        length--;
    snprintf(name, OUTPUT_PATH_SIZE, "%.*s%s.pvd", (int)length, names->pattern,
             length > directory ? "" : "fields");
}

/* True if a name without a directory names one of the first `count` frames. */
static int is_frame_name(const struct output_pattern *names, uint64_t count, const char *name)
{
    const size_t directory = output_path_directory(names->pattern);
    const size_t before = names->start - directory; /* the number */
    const uint64_t number = strlen(name) > before ? strtoull(name + before, NULL, 10) : 0;
    char expected[OUTPUT_PATH_SIZE];
    output_pattern_format(names, number, expected);
    return number < count && strcmp(name, expected + directory) == 0;
}

/* Refuses a name that is there unless it is of a file that begins with this text, of up to 100
 * characters. */
static enum status check_present(const char *name, const char *option, const char *beginning,
                                 struct error *error)
{
    char text[100];
    struct stat state;
    FILE *stream = lstat(name, &state) == 0 && S_ISREG(state.st_mode) ? fopen(name, "r") : NULL;
    const size_t length = stream ? fread(text, 1, strlen(beginning), stream) : 0;
    if (stream)
        fclose(stream);
    if (length == strlen(beginning) && memcmp(text, beginning, length) == 0)
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "%s would overwrite '%.4100s', which is no picture or map of an earlier run: "
                     "name other files, or remove this one",
                     option, name);
}

static enum status output_pattern_check(const struct output_pattern *names, uint64_t count,
                                        const char *option, struct error *error)
{
    const int length = (int)output_path_directory(names->pattern);
    enum status status = STATUS_DONE;
    char name[OUTPUT_PATH_SIZE];
    snprintf(name, sizeof name, "%.*s.", length, names->pattern);
    DIR *stream = opendir(name);
    if (!stream)
        return error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open its directory: %s",
                         names->pattern, strerror(errno));
    struct dirent *entry = readdir(stream);
    for (; entry && !status; entry = readdir(stream)) {
        snprintf(name, sizeof name, "%.*s%s", length, names->pattern, entry->d_name);
        if (is_frame_name(names, count, entry->d_name))
            status = check_present(name, option, names->beginning, error);
    }
    closedir(stream);
    return status;
}

struct output_name {
    const char *option;                  /* that names a file to write; NULL: it is read */
    const char *file, *end;              /* its name, and the end of that */
    const char *content;                 /* of a file that is read; NULL: INPUT */
    const struct output_pattern *frames; /* for which it stands; or NULL */
    char path[OUTPUT_PATH_SIZE];         /* "": it has not been found */
    int exists;
    struct stat state;
};

static int output_path_is_one_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True if writing to one of them overwrites the other, or mixes both. */
static int is_in_conflict(const struct output_name *a, const struct output_name *b)
{
    if (!a->path[0] || !b->path[0] || a->exists != b->exists)
        return 0;
    if (!a->exists)
        return strcmp(a->path, b->path) == 0;
    return output_path_is_one_file(&a->state, &b->state) && !S_ISCHR(a->state.st_mode);
}

/* True if `a` stands for frames, and writing to `b`, or to a frame of `b`, overwrites one. */
static int is_one_of_frames(const struct output_names *names, const struct output_name *a,
                            const struct output_name *b)
{
    const size_t length = output_path_directory(a->path);
    char frame[OUTPUT_PATH_SIZE];
    if (!a->frames || !b->option || output_path_directory(b->path) != length ||
        strncmp(a->path, b->path, length) != 0)
        return 0;
    if (!b->frames)
        return is_frame_name(a->frames, names->frame_count, b->path + length);
    for (uint64_t k = 0; k < names->frame_count; k++) {
        output_pattern_format(b->frames, k, frame);
        if (is_frame_name(a->frames, names->frame_count, frame + output_path_directory(frame)))
            return 1;
    }
    return 0;
}

static enum status check_streams(const struct output_name *name, struct error *error)
{
    static const char *const streams[] = {"standard input", "standard output", "standard error"};
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        struct stat state;
        if (name->exists && fstat(descriptor, &state) == 0 &&
            output_path_is_one_file(&name->state, &state) &&
            (!S_ISCHR(state.st_mode) || isatty(descriptor)))
            return error_set(error, STATUS_USAGE,
                             "%s needs a file of its own, and '%.4100s%s' is %s", name->option,
                             name->file, name->end, streams[descriptor]);
    }
    return STATUS_DONE;
}

static enum status refuse_pair(const struct output_name *first, const struct output_name *second,
                               struct error *error)
{
    const struct output_name *written = first->option ? first : second;
    const struct output_name *read = first->option ? second : first;
    if (read->option)
        return error_set(
            error, STATUS_USAGE,
            "%s and %s need a file each, and '%.2000s%s' and '%.2000s%s' are the same file",
            first->option, second->option, first->file, first->end, second->file, second->end);
    if (read->content)
        return error_set(error, STATUS_USAGE, "%s would overwrite '%.4100s%s', %s", written->option,
                         written->file, written->end, read->content);
    return error_set(error, STATUS_USAGE, "%s would overwrite INPUT: '%.4100s%s' is the same file",
                     written->option, written->file, written->end);
}

static enum status output_path_check(const struct output_names *names, struct output_name *name)
{
    struct error *error = names->error;
    enum status status = output_path_follow(name->file, name->path, error);
    if (status || put_end(name->path, strlen(name->path), name->end))
        name->path[0] = '\0';
    name->exists = stat(name->path, &name->state) == 0;
    if (!name->option)
        status = STATUS_DONE; /* what is read is opened by others, or is in a checkpoint */
    else if (!status)
        status = check_streams(name, error);
    for (const struct output_name *other = names->list; other < name && !status; other++)
        if (((other->option || name->option) && is_in_conflict(other, name)) ||
            is_one_of_frames(names, other, name) || is_one_of_frames(names, name, other))
            status = refuse_pair(other, name, error);
    return status;
}

void output_names_add(struct output_names *names, const char *option, const char *file,
                      const char *end, const char *content)
{
    if (names->status || !file)
        return;
    names->list = memory_extend(names->list, names->count, &names->capacity, sizeof *names->list,
                                "the names of files", names->error);
    if (!names->list) {
        names->status = STATUS_NO_MEMORY;
        return;
    }
    struct output_name *name = &names->list[names->count++];
    *name = (struct output_name){.option = option, .file = file, .end = end, .content = content};
    for (int k = 0; k < OUTPUT_PATTERNS; k++)
        if (names->frames[k] && names->frames[k]->pattern == file && !*end)
            name->frames = names->frames[k];
    names->status = output_path_check(names, name);
    if (!names->status && name->frames)
        names->status =
            output_pattern_check(name->frames, names->frame_count, option, names->error);
}

enum status output_names_free(struct output_names *names)
{
    memory_free(names->list);
    return names->status;
}
