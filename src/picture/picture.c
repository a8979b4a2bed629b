/* The observer that draws pictures. A picture of the final state needs no record of the run. But
 * forces in a stream need the hits of obstacles, paths need collisions, and frames their number and
 * scale. Frames have no forces, which are means whose scale is known only at the end. */
#include "picture/picture.h"

#include "base/memory.h"
#include "drawing.h"
#include "io/record.h"
#include "observe/writers.h"
#include "run/dynamics.h"

#include <float.h>

struct picture {
    struct observer observer; /* the first member: see observer.h */
    struct picture_settings settings;
    const struct polygon_hits *hits; /* in a stream, for the picture of the end; or NULL */
    const struct packing *packing;   /* whose contacts are shown; or NULL */
    struct picture_paths *paths;     /* owned, or NULL */
    uint64_t next_frame;
    struct picture_scale scale; /* of frames */
};

static enum status picture_draw(struct observer *observer, const struct snapshot *snapshot,
                                struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    struct picture_extras extras = {
        .hits = picture->hits,
        .hits_from = observer->run->from,
        .paths = picture->paths,
        .dynamics = observers_dynamics(observer->all),
        .scale = observer->output->frames.pattern ? &picture->scale : NULL,
    };
    uint32_t *contacts = NULL;
    enum status status =
        picture->paths ? picture_paths_follow(picture->paths, snapshot, error) : STATUS_DONE;
    if (!status && picture->packing) {
        extras.contacts = contacts = packing_contacts(picture->packing, error);
        status = contacts ? STATUS_DONE : STATUS_NO_MEMORY;
    }
    if (!status)
        status = picture_drawing_write(snapshot, &extras, observer->file->stream, error);
    memory_free(contacts);
    return status;
}

static enum status picture_draw_frame(struct observer *observer, const struct snapshot *snapshot,
                                      struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    char name[OUTPUT_PATH_SIZE];
    output_pattern_format(&observer->output->frames, picture->next_frame, name);
    observer->next_sample = frames_time(&observer->run->frames, ++picture->next_frame);
    return observer_write_file(observer, name, snapshot, picture_draw, error);
}

static enum status picture_begin(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    const struct run_settings *run = observer->run;
    const struct boundary *boundary = &snapshot->system->boundary;
    enum status status = STATUS_DONE;
    if (observer->output->frames.pattern) {
        const int keeps_top_speed = snapshot->system->law.rule == RULE_SWAP &&
                                    observers_traits(observer->all)->has_collisions &&
                                    !boundary->walls;
        picture->scale = picture_scale_choose(snapshot, keeps_top_speed, run->to);
        observer->next_sample = 0;
    } else if (picture->settings.has_stream) {
        status = polygon_hits_record(observer, run->from, snapshot, &picture->hits, error);
    }
    if (!status && picture->settings.has_paths)
        status = picture_paths_create(snapshot, &picture->paths, error);
    if (!status && picture->settings.has_contacts)
        status = packing_record(observer, run->from, snapshot, &picture->packing, error);
    if (!status && picture->settings.has_contacts && !picture->packing)
        status = error_set(error, STATUS_USAGE,
                           "--colour-contacts is only for --grow=RATE: elsewhere no contacts last");
    return status;
}

static enum status picture_take(struct observer *observer, const struct collision_batch *batch,
                                struct error *error)
{
    struct picture *picture = (struct picture *)observer;
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < batch->count && !status; k++)
        status = picture_paths_collide(picture->paths, &batch->list[k], error);
    return status;
}

static void picture_state(struct observer *observer, struct record *record)
{
    struct picture *picture = (struct picture *)observer;
    const struct run_settings *run = observer->run;
    const int has_frames = observer->output->frames.pattern != NULL;
    int has_paths = picture->settings.has_paths, has_contacts = picture->settings.has_contacts;
    record_setting(record, "--stats-from", run->from, NULL);
    record_setting(record, "frames and --every", has_frames ? run->interval : 0,
                   "with one --picture, not with frames and --every");
    record_flag(record, &has_paths);
    if (has_paths && !picture->settings.has_paths)
        record_refuse_run(record, "with --paths", "give it again");
    else if (!has_paths && picture->settings.has_paths)
        record_refuse_run(record, "without --paths, which cannot begin in the middle of a run",
                          "leave it out");
    record_flag(record, &has_contacts);
    if (has_contacts && !picture->settings.has_contacts)
        record_refuse_run(record, "with --colour-contacts", "give it again");
    else if (!has_contacts && picture->settings.has_contacts)
        record_refuse_run(record, "without --colour-contacts", "leave it out");
    record_whole(record, &picture->next_frame, (uint64_t)FRAME_NAMES_MAX + 2);
    record_number(record, &picture->scale.brightest, 0, DBL_MAX);
    record_number(record, &picture->scale.fastest, 0, DBL_MAX);
    record_number(record, &picture->scale.arrow, 0, DBL_MAX);
    record_end_line(record);
    if (picture->paths)
        picture_paths_record(picture->paths, record);
    if (has_frames)
        observer->next_sample = frames_time(&run->frames, picture->next_frame);
}

static void picture_free(struct observer *observer)
{
    memory_free(((struct picture *)observer)->paths);
}

#define PICTURE_WITH_STATE                                                                         \
    .kind.size = sizeof(struct picture), .kind.file = FILE_AT_END, .begin = picture_begin,         \
    .state = picture_state, .free = picture_free

/* One that needs no record of the run has no state, and may come and go when a run is resumed. */
static enum status picture_complete(struct observer *observer, struct error *error)
{
    static const struct observer_operations with_state[2][2] = {
        /* of the end, and of frames; without paths, and with them */
        {{PICTURE_WITH_STATE, .finish = picture_draw},
         {PICTURE_WITH_STATE, .finish = picture_draw, .watches = WATCH_PAIRS,
          .take = picture_take}},
        {{PICTURE_WITH_STATE, .sample = picture_draw_frame},
         {PICTURE_WITH_STATE, .sample = picture_draw_frame, .watches = WATCH_PAIRS,
          .take = picture_take}}};
    const struct picture_settings *settings = &((const struct picture *)observer)->settings;
    const int has_frames = observer->output->frames.pattern != NULL;
    (void)error;
    if (has_frames || settings->has_paths || settings->has_contacts || settings->has_stream)
        observer->operations = &with_state[has_frames][settings->has_paths != 0];
    return STATUS_DONE;
}

const struct observer_operations picture_operations = {
    .kind = {"--picture", "the picture", sizeof(struct picture), FILE_AT_END},
    OBSERVER_SETTINGS(struct picture),
    .complete = picture_complete,
    .finish = picture_draw,
};
