/*
 * The observer that draws pictures, and the names of their files.
 *
 * A picture of the final state needs no record of the run. But forces in a stream need the hits of
 * obstacles, paths need collisions, and frames their number and scale. Frames have no forces, which
 * are means whose scale is known only at the end.
 *
 * A run can have a million frames. So a name is not compared with each of them: it is that of a
 * frame if its directory is that of the pattern, and it fits the pattern.
 */
#include "picture/picture.h"

#include "base/memory.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "io/record.h"
#include "observe/observers.h"
#include "picture_drawing.h"
#include "run/dynamics.h"

#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

void frame_names_format(const struct frame_names *names, uint64_t number,
                        char name[OUTPUT_PATH_SIZE])
{
    snprintf(name, OUTPUT_PATH_SIZE, "%.*s%0*" PRIu64 "%s", (int)names->start, names->pattern,
             names->width, number, names->pattern + names->end);
}

/* True if a name without a directory is that of one of the first `count` frames. */
static int is_frame_name(const struct frame_names *names, uint64_t count, const char *name)
{
    const size_t directory = output_path_directory(names->pattern);
    const size_t before = names->start - directory; /* the number */
    const uint64_t number = strlen(name) > before ? strtoull(name + before, NULL, 10) : 0;
    char expected[OUTPUT_PATH_SIZE];
    frame_names_format(names, number, expected);
    return number < count && strcmp(name, expected + directory) == 0;
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
            status = check_present(name, error);
    }
    closedir(stream);
    return status;
}

enum status frame_names_include(const struct frame_names *names, uint64_t count, const char *other,
                                int *is_frame, struct error *error)
{
    char(*paths)[OUTPUT_PATH_SIZE] = memory_allocate(3, sizeof *paths, "names of files", error);
    if (!paths)
        return STATUS_NO_MEMORY;
    const char *frame = paths[0];
    const char *path = paths[1];
    frame_names_format(names, 0, paths[2]);
    enum status status = output_path_follow(paths[2], paths[0], error);
    if (!status)
        status = output_path_follow(other, paths[1], error);
    if (!status) {
        const size_t length = output_path_directory(path);
        *is_frame = length == output_path_directory(frame) && memcmp(path, frame, length) == 0 &&
                    is_frame_name(names, count, path + length);
    }
    memory_free(paths);
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

/* Draws a snapshot into the file, which is open. */
static enum status picture_draw(struct picture *picture, const struct snapshot *snapshot,
                                struct error *error)
{
    const struct picture_extras extras = {
        .hits = picture->hits.count > 0 ? &picture->hits : NULL,
        .hits_from = picture->request.from,
        .paths = picture->paths,
        .dynamics = picture->observer.all->dynamics,
        .scale = picture->request.names.pattern ? &picture->scale : NULL,
    };
    picture->file.is_durable = picture->observer.is_resumable;
    enum status status = STATUS_DONE;
    if (picture->paths)
        status = picture_paths_follow(picture->paths, snapshot, error);
    if (!status)
        status = picture_drawing_write(snapshot, &extras, picture->file.stream, error);
    return status ? status : output_file_complete(&picture->file, error);
}

static enum status picture_draw_frame(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    char name[OUTPUT_PATH_SIZE];
    frame_names_format(&picture->request.names, picture->next_frame, name);
    enum status status = output_file_open(&picture->file, name, error);
    if (!status)
        status = picture_draw(picture, snapshot, error);
    output_file_abandon(&picture->file);
    observer->next_sample = frames_time(&picture->frames, ++picture->next_frame);
    return status;
}

static enum status picture_finish(struct observer *observer, const struct snapshot *snapshot,
                                  struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    if (picture->request.names.pattern) /* the last one has been drawn */
        return STATUS_DONE;
    const enum status status = output_file_begin(&picture->file, error);
    return status ? status : picture_draw(picture, snapshot, error);
}

static void picture_free(struct observer *observer)
{
    struct picture *picture = (struct picture *)observer;
    output_file_abandon(&picture->file);
    polygon_hits_free(&picture->hits);
    memory_free(picture->paths);
    memory_free(picture);
}

static enum status picture_prepare(struct picture *picture, const struct snapshot *snapshot,
                                   struct error *error)
{
    enum status status = STATUS_DONE;
    if (picture->request.has_stream && !picture->request.names.pattern)
        status = polygon_hits_begin(&picture->hits, &snapshot->system->boundary, error);
    if (!status && picture->request.has_paths)
        status = picture_paths_create(snapshot, &picture->paths, error);
    return status;
}

static enum status picture_begin(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    if (picture->request.names.pattern) {
        const int keeps_top_speed = picture->request.keeps_top_speed &&
                                    observers_see_collisions(observer->all) &&
                                    !snapshot->system->boundary.walls;
        picture->scale = picture_scale_choose(snapshot, keeps_top_speed, picture->request.end_time);
        observer->next_sample = 0;
    }
    return picture_prepare(picture, snapshot, error);
}

/* As in the statistics, a collision exactly at the time `from` counts only if that is 0. */
static enum status picture_collide(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    const double from = picture->request.from;
    if (picture->hits.count > 0 && !collision->is_reinjection &&
        (collision->time > from || from == 0))
        polygon_hits_collide(&picture->hits, collision);
    return picture->paths ? picture_paths_collide(picture->paths, collision, error) : STATUS_DONE;
}

static void picture_state(struct observer *observer, const struct snapshot *snapshot,
                          struct record *record)
{
    struct picture *picture = (struct picture *)observer;
    int has_paths = picture->request.has_paths;
    record_setting(record, "--stats-from", picture->request.from, NULL);
    record_setting(record, "frames and --every",
                   picture->request.names.pattern ? picture->frames.interval : 0,
                   "with one --picture, not with frames and --every");
    record_flag(record, &has_paths);
    if (has_paths && !picture->request.has_paths)
        record_refuse_run(record, "with --paths", "give it again");
    else if (!has_paths && picture->request.has_paths)
        record_refuse_run(record, "without --paths, which cannot begin in the middle of a run",
                          "leave it out");
    record_whole(record, &picture->next_frame, (uint64_t)FRAME_NAMES_MAX + 2);
    record_number(record, &picture->scale.brightest, 0, DBL_MAX);
    record_number(record, &picture->scale.fastest, 0, DBL_MAX);
    record_number(record, &picture->scale.arrow, 0, DBL_MAX);
    record_end_line(record);
    if (record->is_reading && !record->status)
        record->status = picture_prepare(picture, snapshot, record->error);
    if (record->status)
        return;
    polygon_hits_record(&picture->hits, record);
    if (picture->paths)
        picture_paths_record(picture->paths, record);
    if (picture->request.names.pattern)
        observer->next_sample = frames_time(&picture->frames, picture->next_frame);
}

enum status picture_create(const struct picture_request *request, struct observer **observer,
                           struct error *error)
{
    static const struct observer_operations plain = {.finish = picture_finish,
                                                     .free = picture_free};
    static const struct observer_operations remembering = {.begin = picture_begin,
                                                           .collide = picture_collide,
                                                           .reinject = picture_collide,
                                                           .sample = picture_draw_frame,
                                                           .finish = picture_finish,
                                                           .state = picture_state,
                                                           .free = picture_free};
    const int has_frames = request->names.pattern != NULL;
    const int is_plain = !has_frames && !request->has_paths && !request->has_stream;
    struct picture *picture = memory_allocate(1, sizeof *picture, "the picture", error);
    if (!picture)
        return STATUS_NO_MEMORY;
    *picture = (struct picture){
        .observer = {.operations = is_plain ? &plain : &remembering,
                     .next_sample = (double)INFINITY,
                     .notify_from = request->has_paths ? 0 : request->from},
        .request = *request,
        .frames = {request->interval, request->end_time},
    };
    if (!is_plain)
        picture->observer.option = "--picture";
    char first[OUTPUT_PATH_SIZE];
    if (has_frames)
        frame_names_format(&request->names, 0, first);
    const enum status status =
        output_file_prepare(&picture->file, has_frames ? first : request->name, error);
    if (has_frames) /* each opens its own */
        output_file_abandon(&picture->file);
    if (status)
        memory_free(picture);
    else
        *observer = &picture->observer;
    return status;
}
