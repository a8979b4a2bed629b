/*
 * The observer that draws pictures, and the names of their files.
 *
 * A picture of the final state needs no record of the run. But forces in a stream need the hits of
 * obstacles, paths need collisions, and frames their number and the scale of the first one. Frames
 * have no forces: these are means, whose scale is known only at the end.
 *
 * A run can have a million frames. So a name is not compared with each of theirs: it is that of a
 * frame if its directory is the pattern's, and the remainder fits the pattern.
 */
#include "picture/picture.h"

#include "base/memory.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "io/record.h"
#include "io/text.h"
#include "observe/frames.h"
#include "picture_drawing.h"
#include "picture_paths.h"

#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
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

struct picture {
    struct observer observer;
    struct picture_request request;
    struct output_file file;
    struct polygon_hits hits;    /* in a stream, for the picture of the end; otherwise {0} */
    struct picture_paths *paths; /* owned, or NULL */
    struct frames frames;
    uint64_t next_frame;
    struct picture_scale scale; /* of frames */
};

static int has_frames(const struct picture *picture)
{
    return picture->request.names.pattern != NULL;
}

/* Draws a snapshot into the file, which is open. */
static enum status picture_draw(struct picture *picture, const struct snapshot *snapshot,
                                struct error *error)
{
    struct picture_scene scene;
    const struct picture_extras extras = {
        .hits = picture->hits.count > 0 ? &picture->hits : NULL,
        .hits_from = picture->request.from,
        .paths = picture->paths,
        .scale = has_frames(picture) ? &picture->scale : NULL,
    };
    picture->file.is_durable = picture->observer.is_resumable;
    enum status status = STATUS_DONE;
    if (picture->paths)
        status = picture_paths_follow(picture->paths, snapshot, error);
    if (status)
        return status;
    status = picture_scene_create(&scene, snapshot, &extras, error);
    if (!status)
        status = picture_drawing_write(&scene, picture->file.stream, error);
    picture_scene_free(&scene);
    return status ? status : output_file_complete(&picture->file, error);
}

/* Draws a frame into a file of its own. */
static enum status picture_draw_frame(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    char *name = frame_names_format(&picture->request.names, picture->next_frame, error);
    enum status status = name ? output_file_open(&picture->file, name, error) : STATUS_NO_MEMORY;
    if (!status)
        status = picture_draw(picture, snapshot, error);
    output_file_abandon(&picture->file);
    memory_free(name);
    observer->next_look = frames_time(&picture->frames, ++picture->next_frame);
    return status;
}

static enum status picture_finish(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    if (has_frames(picture)) /* the last one has been drawn */
        return STATUS_DONE;
    const enum status status = output_file_begin(&picture->file, error);
    return status ? status : picture_draw(picture, snapshot, error);
}

static void picture_free(struct observer *observer)
{
    struct picture *picture = (struct picture *)observer;
    output_file_abandon(&picture->file);
    polygon_hits_free(&picture->hits);
    picture_paths_free(picture->paths);
    memory_free(picture);
}

/* Creates what the picture records during the run. */
static enum status picture_prepare(struct picture *picture, const struct snapshot *snapshot,
                                   struct error *error)
{
    enum status status = STATUS_DONE;
    if (picture->request.has_stream && !has_frames(picture))
        status = polygon_hits_begin(&picture->hits, &snapshot->system->boundary, error);
    if (!status && picture->request.has_paths)
        status = picture_paths_create(snapshot, &picture->paths, error);
    return status;
}

static enum status picture_begin(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    if (has_frames(picture)) {
        picture->scale = picture_scale_choose(snapshot, picture->request.keeps_top_speed,
                                              picture->request.end_time);
        observer->next_look = 0;
    }
    return picture_prepare(picture, snapshot, error);
}

/* As in the statistics, a collision at the very time `from` counts only if that is 0. */
static enum status picture_collide(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    const double from = picture->request.from;
    if (picture->hits.count > 0 && (collision->time > from || from == 0))
        polygon_hits_collide(&picture->hits, collision);
    return picture->paths ? picture_paths_collide(picture->paths, collision, error) : STATUS_DONE;
}

static enum status picture_renew(struct observer *observer, const struct collision *passage,
                                 struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    return picture->paths ? picture_paths_renew(picture->paths, passage, error) : STATUS_DONE;
}

static enum status picture_save(struct observer *observer, const struct snapshot *snapshot,
                                struct record_writer *writer, struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, picture->request.from);
    record_put_number(writer, has_frames(picture) ? picture->frames.interval : 0);
    record_put_whole(writer, (uint64_t)picture->request.has_paths);
    record_put_whole(writer, picture->next_frame);
    record_put_number(writer, picture->scale.brightest);
    record_put_number(writer, picture->scale.fastest);
    record_put_number(writer, picture->scale.arrow);
    record_end_line(writer);
    polygon_hits_save(&picture->hits, writer);
    if (picture->paths)
        picture_paths_save(picture->paths, writer);
    return STATUS_DONE;
}

/* The options of a run, as its checkpoint has them. */
struct saved_options {
    double from;
    double interval; /* 0: without frames */
    int has_paths;
};

/* Refuses a checkpoint of a run with other options. */
static enum status check_options(const struct picture *picture, const struct saved_options *saved,
                                 const char *name, struct error *error)
{
    const double interval = has_frames(picture) ? picture->frames.interval : 0;
    if (saved->from != picture->request.from)
        return error_set(
            error, STATUS_USAGE,
            "%.4100s is the checkpoint of a run with --stats-from=%.17g: give it again", name,
            saved->from);
    if (saved->has_paths != picture->request.has_paths)
        return error_set(error, STATUS_USAGE,
                         saved->has_paths
                             ? "%.4100s is the checkpoint of a run with --paths: give it again"
                             : "%.4100s is the checkpoint of a run without --paths, which cannot "
                               "begin in the middle of a run: leave it out",
                         name);
    if (saved->interval == interval)
        return STATUS_DONE;
    if (saved->interval == 0)
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run with one --picture: frames cannot "
                         "begin in the middle of a run, so name one file",
                         name);
    return error_set(error, STATUS_USAGE,
                     "%.4100s is the checkpoint of a run with frames and --every=%.17g: give a "
                     "--picture such as %%06d.svg and this again",
                     name, saved->interval);
}

static enum status picture_load(struct observer *observer, const struct snapshot *snapshot,
                                struct record_reader *reader, struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    struct saved_options saved;
    saved.from = record_take_number(reader, 0, DBL_MAX);
    saved.interval = record_take_number(reader, 0, DBL_MAX);
    saved.has_paths = (int)record_take_whole(reader, 1);
    picture->next_frame = record_take_whole(reader, (uint64_t)FRAME_NAMES_MAX + 2);
    picture->scale.brightest = record_take_number(reader, 0, DBL_MAX);
    picture->scale.fastest = record_take_number(reader, 0, DBL_MAX);
    picture->scale.arrow = record_take_number(reader, 0, DBL_MAX);
    record_expect_line_end(reader);
    enum status status = reader->status;
    if (!status)
        status = check_options(picture, &saved, reader->name, error);
    if (!status)
        status = picture_prepare(picture, snapshot, error);
    if (status)
        return status;
    polygon_hits_load(&picture->hits, reader);
    if (picture->paths && !reader->status)
        picture_paths_load(picture->paths, reader);
    if (has_frames(picture))
        observer->next_look = frames_time(&picture->frames, picture->next_frame);
    return reader->status;
}

/* Checks that the file, or that of the first frame, can be written. */
static enum status picture_check_file(struct picture *picture, struct error *error)
{
    if (!has_frames(picture))
        return output_file_prepare(&picture->file, picture->request.name, error);
    char *name = frame_names_format(&picture->request.names, 0, error);
    const enum status status =
        name ? output_file_prepare(&picture->file, name, error) : STATUS_NO_MEMORY;
    output_file_abandon(&picture->file);
    memory_free(name);
    return status;
}

enum status picture_create(const struct picture_request *request, struct observer **observer,
                           struct error *error)
{
    static const struct observer_operations plain = {.finish = picture_finish,
                                                     .free = picture_free};
    static const struct observer_operations remembering = {.begin = picture_begin,
                                                           .collide = picture_collide,
                                                           .renew = picture_renew,
                                                           .look = picture_draw_frame,
                                                           .finish = picture_finish,
                                                           .option = "--picture",
                                                           .save = picture_save,
                                                           .load = picture_load,
                                                           .free = picture_free};
    const int is_plain = !request->names.pattern && !request->has_paths && !request->has_stream;
    struct picture *picture = memory_allocate(1, sizeof *picture, "the picture", error);
    if (!picture)
        return STATUS_NO_MEMORY;
    *picture = (struct picture){
        .observer = {.operations = is_plain ? &plain : &remembering,
                     .next_look = (double)INFINITY,
                     .told_from = request->has_paths ? 0 : request->from},
        .request = *request,
        .frames = {request->interval, request->end_time},
    };
    enum status status = picture_check_file(picture, error);
    if (status) {
        memory_free(picture);
        return status;
    }
    *observer = &picture->observer;
    return STATUS_DONE;
}
