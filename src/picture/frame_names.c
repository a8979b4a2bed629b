/*
 * The names of frames; see frame_names.h.
 *
 * A run can have a million frames. So a name is not compared with each of theirs: it is that of a
 * frame if its directory is the pattern's, and the remainder fits the pattern.
 */
#include "picture/frame_names.h"

#include "base/memory.h"
#include "io/number.h"
#include "io/output_path.h"
#include "io/text.h"
#include "picture_drawing.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DIGITS = NUMBER_WHOLE_SIZE }; /* of a number in a name, and the end of the string */

const char *frame_names_parse(struct frame_names *names, const char *name)
{
    static const char digits[] = "123456789";
    const char *percent = strchr(name, '%');
    *names = (struct frame_names){0};
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
    *names = (struct frame_names){name, (size_t)(percent - name), (size_t)(end + 1 - name), width};
    return NULL;
}

/* Writes a number as it stands in a name. */
static void format_number(const struct frame_names *names, uint64_t number, char text[MAX_DIGITS])
{
    snprintf(text, MAX_DIGITS, "%0*" PRIu64, names->width, number);
}

char *frame_names_format(const struct frame_names *names, uint64_t number, struct error *error)
{
    char text[MAX_DIGITS];
    format_number(names, number, text);
    char *start = output_path_join(names->pattern, names->start, text, error);
    if (!start)
        return NULL;
    char *name = output_path_join(start, strlen(start), names->pattern + names->end, error);
    memory_free(start);
    return name;
}

/* True if a name without a directory is that of one of the first `count` frames. */
static int is_frame_name(const struct frame_names *names, uint64_t count, const char *name)
{
    const size_t first = output_path_directory(names->pattern);
    const size_t before = names->start - first;
    const char *after = names->pattern + names->end;
    const size_t length = strlen(name);
    char digits[MAX_DIGITS];
    char text[MAX_DIGITS];
    uint64_t number = 0;
    if (length <= before + strlen(after) || strncmp(name, names->pattern + first, before) != 0 ||
        strcmp(name + length - strlen(after), after) != 0)
        return 0;
    const size_t digit_count = length - before - strlen(after);
    if (digit_count >= MAX_DIGITS)
        return 0;
    memcpy(digits, name + before, digit_count);
    digits[digit_count] = '\0';
    if (strspn(digits, "0123456789") != digit_count || text_whole_number(digits, &number))
        return 0;
    format_number(names, number, text);
    return strcmp(digits, text) == 0 && number < count;
}

/* Refuses to replace an existing file that is no picture. */
static enum status check_present(const char *name, struct error *error)
{
    struct stat state;
    if (lstat(name, &state) == 0 && S_ISREG(state.st_mode) && picture_drawing_recognise(name))
        return STATUS_DONE;
    return error_set(error, STATUS_USAGE,
                     "--picture would overwrite '%.4100s', which is no picture of an earlier run: "
                     "name other files, or remove this one",
                     name);
}

enum status frame_names_check(const struct frame_names *names, uint64_t count, struct error *error)
{
    const size_t length = output_path_directory(names->pattern);
    char *directory = output_path_join(names->pattern, length, ".", error);
    DIR *stream = directory ? opendir(directory) : NULL;
    enum status status = directory ? STATUS_DONE : STATUS_NO_MEMORY;
    if (directory && !stream)
        status = error_set(error, STATUS_CANNOT_WRITE, "%.4100s: cannot open its directory: %s",
                           names->pattern, strerror(errno));
    struct dirent *entry = stream ? readdir(stream) : NULL;
    for (; entry && !status; entry = readdir(stream)) {
        if (!is_frame_name(names, count, entry->d_name))
            continue;
        char *name = output_path_join(names->pattern, length, entry->d_name, error);
        status = name ? check_present(name, error) : STATUS_NO_MEMORY;
        memory_free(name);
    }
    if (stream)
        closedir(stream);
    memory_free(directory);
    return status;
}

enum status frame_names_include(const struct frame_names *names, uint64_t count, const char *other,
                                int *is_frame, struct error *error)
{
    char *first = frame_names_format(names, 0, error);
    char *frame = NULL;
    char *path = NULL;
    enum status status = first ? output_path_follow(first, &frame, error) : STATUS_NO_MEMORY;
    if (!status)
        status = output_path_follow(other, &path, error);
    if (!status) {
        const size_t length = output_path_directory(path);
        *is_frame = length == output_path_directory(frame) && memcmp(path, frame, length) == 0 &&
                    is_frame_name(names, count, path + length);
    }
    memory_free(first);
    memory_free(frame);
    memory_free(path);
    return status;
}
