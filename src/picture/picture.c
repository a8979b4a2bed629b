/*
 * The observer that draws pictures.
 *
 * A picture of the final state needs no record of the run. But forces in a stream need the hits of
 * obstacles, paths need collisions, and frames their number and scale. Frames have no forces, which
 * are means whose scale is known only at the end.
 */
#include "picture/picture.h"

#include "base/memory.h"
#include "io/output_file.h"
#include "io/output_path.h"
#include "io/record.h"
#include "observe/observers.h"
#include "picture_drawing.h"
#include "run/dynamics.h"

#include <float.h>
#include <math.h>

struct picture {
    struct observer observer;
    struct observer_request request;
    struct output_file file;
    struct polygon_hits hits;    /* in a stream, for the picture of the end; otherwise {0} */
    struct picture_paths *paths; /* owned, or NULL */
    struct frames frames;
    uint64_t next_frame;
    struct picture_scale scale; /* of frames */
};

static enum status picture_draw(struct picture *picture, const struct snapshot *snapshot,
                                struct error *error)
{
    const struct picture_extras extras = {
        .hits = picture->hits.count > 0 ? &picture->hits : NULL,
        .hits_from = picture->request.from,
        .paths = picture->paths,
        .dynamics = picture->observer.all->dynamics,
        .scale = picture->request.frame_names.pattern ? &picture->scale : NULL,
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
    frame_names_format(&picture->request.frame_names, picture->next_frame, name);
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
    if (picture->request.frame_names.pattern) /* the last one has been drawn */
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
    if (picture->request.has_stream && !picture->request.frame_names.pattern)
        status = polygon_hits_begin(&picture->hits, &snapshot->system->boundary, error);
    if (!status && picture->request.has_paths)
        status = picture_paths_create(snapshot, &picture->paths, error);
    return status;
}

static enum status picture_begin(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    if (picture->request.frame_names.pattern) {
        const int keeps_top_speed = picture->request.keeps_top_speed &&
                                    observers_see_collisions(observer->all) &&
                                    !snapshot->system->boundary.walls;
        picture->scale = picture_scale_choose(snapshot, keeps_top_speed, picture->request.to);
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
                   picture->request.frame_names.pattern ? picture->frames.interval : 0,
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
    if (picture->request.frame_names.pattern)
        observer->next_sample = frames_time(&picture->frames, picture->next_frame);
}

enum status picture_create(const struct observer_request *request, struct observer **observer,
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
    const int has_frames = request->frame_names.pattern != NULL;
    const int is_plain = !has_frames && !request->has_paths && !request->has_stream;
    struct picture *picture = memory_allocate(1, sizeof *picture, "the picture", error);
    if (!picture)
        return STATUS_NO_MEMORY;
    *picture = (struct picture){
        .observer = {.operations = is_plain ? &plain : &remembering,
                     .next_sample = (double)INFINITY,
                     .notify_from = request->has_paths ? 0 : request->from},
        .request = *request,
        .frames = {request->interval, request->to},
    };
    if (!is_plain)
        picture->observer.option = "--picture";
    char first[OUTPUT_PATH_SIZE];
    if (has_frames)
        frame_names_format(&request->frame_names, 0, first);
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
