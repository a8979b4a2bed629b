/*
 * The observer of the picture; see picture.h.
 *
 * Only the forces of a stream need what happened before the end: the hits of obstacles.
 */
#include "picture/picture.h"

#include "base/memory.h"
#include "io/output_file.h"
#include "io/record.h"
#include "picture_drawing.h"

#include <float.h>
#include <math.h>

struct picture {
    struct observer observer;
    struct output_file file;
    double from; /* forces are means from this time on */
    struct polygon_hits hits;
};

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    struct picture_scene scene;
    const struct picture_extras extras = {
        .hits = picture->hits.count > 0 ? &picture->hits : NULL,
        .hits_from = picture->from,
    };
    enum status status = picture_scene_create(&scene, snapshot, &extras, error);
    if (!status)
        status = output_file_begin(&picture->file, error);
    if (!status) {
        picture->file.is_durable = observer->is_resumable;
        status = picture_drawing_write(&scene, picture->file.stream, error);
    }
    if (!status)
        status = output_file_complete(&picture->file, error);
    picture_scene_free(&scene);
    return status;
}

static void free_picture(struct observer *observer)
{
    struct picture *picture = (struct picture *)observer;
    output_file_abandon(&picture->file);
    polygon_hits_free(&picture->hits);
    memory_free(picture);
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    return polygon_hits_begin(&picture->hits, &snapshot->system->boundary, error);
}

/* As in the statistics, a collision at the very time `from` counts only if that is 0. */
static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    (void)error;
    if (picture->hits.count > 0 && (collision->time > picture->from || picture->from == 0))
        polygon_hits_collide(&picture->hits, collision);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, picture->from);
    record_end_line(writer);
    polygon_hits_save(&picture->hits, writer);
    return STATUS_DONE;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    const double from = record_take_number(reader, 0, DBL_MAX);
    record_expect_line_end(reader);
    if (!reader->status && from != picture->from)
        return error_set(
            error, STATUS_USAGE,
            "%.4100s is the checkpoint of a run with --stats-from=%.17g: give it again",
            reader->name, from);
    enum status status = polygon_hits_begin(&picture->hits, &snapshot->system->boundary, error);
    if (!status)
        polygon_hits_load(&picture->hits, reader);
    return status ? status : reader->status;
}

enum status picture_create(const char *name, int has_stream, double from,
                           struct observer **observer, struct error *error)
{
    static const struct observer_operations plain = {.finish = finish, .free = free_picture};
    static const struct observer_operations streaming = {
        .begin = begin,
        .is_of_boundary = 1,
        .collide = collide,
        .finish = finish,
        .option = "--picture",
        .save = save,
        .load = load,
        .free = free_picture,
    };
    struct picture *picture = memory_allocate(1, sizeof *picture, "the picture", error);
    if (!picture)
        return STATUS_NO_MEMORY;
    *picture = (struct picture){
        .observer = {.operations = has_stream ? &streaming : &plain, .next_look = (double)INFINITY},
        .from = from};
    enum status status = output_file_prepare(&picture->file, name, error);
    if (status) {
        memory_free(picture);
        return status;
    }
    *observer = &picture->observer;
    return STATUS_DONE;
}
