/*
 * The observer of the picture; see picture.h.
 *
 * A picture of the final state needs no record of the run. But forces in a stream need the hits of
 * obstacles, paths need collisions, and frames their number and the scale of the first one. Frames
 * have no forces: these are means, whose scale is known only at the end.
 */
#include "picture/picture.h"

#include "base/memory.h"
#include "io/output_file.h"
#include "io/record.h"
#include "observe/frames.h"
#include "picture_drawing.h"
#include "picture_paths.h"

#include <float.h>
#include <math.h>

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
