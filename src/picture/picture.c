/* The observer that draws pictures, and the paths that it records and draws. A picture of the final
 * state needs no record of the run. But forces in a stream need the hits of obstacles, paths need
 * collisions, and frames their number and scale. Frames have no forces, which are means whose scale
 * is known only at the end. */
#include "picture/picture.h"

#include "base/memory.h"
#include "drawing.h"
#include "io/record.h"
#include "observe/writers.h"
#include "run/dynamics.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Paths. Between two events a particle moves in a straight line or, under gravity, along a
 * parabola, whose ends observers get exactly. It is cut at seams, which follow from the velocity:
 * without them it would end whole sides away; gravity does not act across them. */

enum {
    PICTURE_MAX_PATHS = 100,     /* particles */
    PICTURE_MAX_SEGMENTS = 20000 /* of all paths, straight; and as many collisions */
};

/* The beginning of a path, and the position at which its particle got its present velocity. */
struct path_anchor {
    double start[2];
    double time;
    double position[2];
    double velocity[2];
};

struct path_segment { /* straight, or a parabola, in the box */
    int32_t number;   /* of the particle */
    double begin[2];
    double end[2];
    double time; /* that it takes, if it is a parabola; otherwise 0 */
};

struct path_collision {
    double time;
    int32_t a;
    int32_t b;            /* the other particle, or a feature of the boundary */
    double centre[2];     /* of a */
    double separation[2]; /* from there to the centre of the other particle; 0 at a feature */
};

struct picture_paths {
    size_t count;      /* of particles */
    double sides[2];   /* of the box */
    unsigned periodic; /* its axes with seams */
    double gravity[2];
    struct path_anchor anchors[PICTURE_MAX_PATHS];
    size_t finished, segment_count; /* segments up to the anchors, in the order of time; and with
                                       those after them, up to the last snapshot */
    struct path_segment segments[PICTURE_MAX_SEGMENTS];
    size_t collision_count; /* at most as many as finished segments */
    struct path_collision collisions[PICTURE_MAX_SEGMENTS];
};

/* In pixels. */
static const double DOT_RADIUS = 1.6;      /* of a collision among many, */
static const double SPOT_RADIUS = 3.5;     /* and of one of a few */
static const double TEXT_GAP = 8;          /* between that and its time, at least, */
static const double CHARACTER_WIDTH = 6.6; /* of a character of the time, about */
static const double BESIDE_BOX = 18;       /* above and below the box, for times */

enum {
    MAX_DETAILED = 24 /* collisions whose times and disks are drawn */
};

/* Makes paths, which begin where the particles are. Returns STATUS_DONE with `*paths` for
 * memory_free; STATUS_USAGE for more than PICTURE_MAX_PATHS particles; or STATUS_NO_MEMORY. */
static enum status picture_paths_create(const struct snapshot *snapshot,
                                        struct picture_paths **paths, struct error *error)
{
    const struct boundary *box = &snapshot->system->boundary;
    const size_t count = snapshot->system->count;
    struct picture_paths *made;
    *paths = NULL;
    if (count > PICTURE_MAX_PATHS)
        return error_set(error, STATUS_USAGE,
                         "--paths is for up to %d particles, and there are %zu: leave it out",
                         PICTURE_MAX_PATHS, count);
    *paths = made = memory_allocate(1, sizeof *made, "the paths of the picture", error);
    if (!made)
        return STATUS_NO_MEMORY;
    made->count = count;
    made->sides[0] = box->width;
    made->sides[1] = box->height;
    made->periodic = box->periodic;
    made->gravity[0] = box->gravity.x;
    made->gravity[1] = box->gravity.y;
    made->finished = made->segment_count = made->collision_count = 0;
    for (size_t k = 0; k < count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        struct path_anchor *anchor = &made->anchors[k];
        *anchor = (struct path_anchor){.time = snapshot->time, .velocity = {body.u, body.v}};
        snapshot_position(snapshot, k, &anchor->position[0], &anchor->position[1]);
        memcpy(anchor->start, anchor->position, sizeof anchor->start);
    }
    return STATUS_DONE;
}

/* Finds the next seam on a line that has passed `passed` seams across each axis. Returns the axis,
 * and in `*fraction` the fraction of the line before the seam; or 2 if there is none. */
static int find_seam(const struct picture_paths *paths, const double from[2], const double to[2],
                     const double passed[2], double *fraction)
{
    int next = 2;
    *fraction = 1;
    for (int axis = 0; axis < 2; axis++) {
        const double length = to[axis] - from[axis];
        const double seam = (passed[axis] + (length > 0 ? 1 : 0)) * paths->sides[axis];
        if (length == 0 || !(paths->periodic & 1u << axis) ||
            (seam - from[axis]) / length >= *fraction)
            continue;
        *fraction = (seam - from[axis]) / length;
        next = axis;
    }
    return next;
}

/* Adds the line from a particle's anchor to its position at `time`, cut into segments at seams. */
static enum status extend_path(struct picture_paths *paths, int32_t number,
                               const double position[2], double time, struct error *error)
{
    const struct path_anchor *anchor = &paths->anchors[number];
    const double *from = anchor->position;
    double to[2] = {position[0], position[1]};
    double begin = 0;          /* the fraction at which the segment begins */
    double passed[2] = {0, 0}; /* seams across each axis; less than 0 to the left or downwards */
    struct path_segment segment = {.number = number, .begin = {from[0], from[1]}};
    const int is_bent = paths->gravity[0] != 0 || paths->gravity[1] != 0;
    const double flown = is_bent ? time - anchor->time : 0;
    for (int axis = 0; axis < 2; axis++) {
        const double straight = from[axis] + anchor->velocity[axis] * (time - anchor->time);
        const double side = paths->sides[axis];
        if (paths->periodic & 1u << axis)
            to[axis] += floor((straight - position[axis]) / side + 0.5) * side;
    }
    for (;;) {
        double fraction;
        const int seam = find_seam(paths, from, to, passed, &fraction);
        const int is_last = seam == 2;
        for (int axis = 0; axis < 2; axis++) {
            const double bend = 0.5 * paths->gravity[axis] * flown * flown;
            segment.end[axis] = (is_last ? to[axis]
                                         : from[axis] + fraction * (to[axis] - from[axis]) -
                                               fraction * (1 - fraction) * bend) -
                                passed[axis] * paths->sides[axis];
        }
        segment.time = (fraction - begin) * flown;
        begin = fraction;
        const int is_upwards = !is_last && to[seam] > from[seam];
        if (!is_last)
            segment.end[seam] = is_upwards ? paths->sides[seam] : 0;
        if (paths->segment_count == PICTURE_MAX_SEGMENTS)
            return error_set(
                error, STATUS_USAGE,
                "--paths is for up to %d straight pieces of paths, and up to time %g there "
                "are more: choose an earlier END_TIME, or leave it out",
                PICTURE_MAX_SEGMENTS, time);
        paths->segments[paths->segment_count++] = segment;
        if (is_last)
            return STATUS_DONE;
        memcpy(segment.begin, segment.end, sizeof segment.begin);
        segment.begin[seam] = is_upwards ? 0 : paths->sides[seam];
        passed[seam] += is_upwards ? 1 : -1;
    }
}

/* Extends a path to where its particle gets another velocity. */
static enum status anchor_at(struct picture_paths *paths, const struct collision_particle *particle,
                             double time, struct error *error)
{
    struct path_anchor *anchor = &paths->anchors[particle->number];
    const double position[2] = {particle->x, particle->y};
    const double velocity[2] = {particle->u, particle->v};
    const enum status status = extend_path(paths, particle->number, position, time, error);
    paths->finished = paths->segment_count;
    anchor->time = time;
    memcpy(anchor->position, position, sizeof position);
    memcpy(anchor->velocity, velocity, sizeof velocity);
    return status;
}

/* Extends the paths to a collision, or a seam where a stream gives a particle another velocity.
 * Returns STATUS_DONE, or STATUS_USAGE if there are more than PICTURE_MAX_SEGMENTS segments. */
static enum status picture_paths_collide(struct picture_paths *paths,
                                         const struct collision *collision, struct error *error)
{
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    paths->segment_count = paths->finished;
    enum status status = anchor_at(paths, &collision->a, collision->time, error);
    if (!status && is_pair)
        status = anchor_at(paths, &collision->b, collision->time, error);
    if (status || collision->is_reinjection)
        return status;
    paths->collisions[paths->collision_count++] = (struct path_collision){
        .time = collision->time,
        .a = collision->a.number,
        .b = is_pair ? collision->b.number : collision->feature,
        .centre = {collision->a.x, collision->a.y},
        .separation = {is_pair ? collision->dx : 0, is_pair ? collision->dy : 0},
    };
    return STATUS_DONE;
}

/* Extends them to a snapshot, for a picture, which only replaces their last segments. */
static enum status picture_paths_follow(struct picture_paths *paths,
                                        const struct snapshot *snapshot, struct error *error)
{
    enum status status = STATUS_DONE;
    paths->segment_count = paths->finished;
    for (size_t k = 0; k < paths->count && !status; k++) {
        double position[2];
        if (!snapshot_has(snapshot, k))
            continue;
        snapshot_position(snapshot, k, &position[0], &position[1]);
        status = extend_path(paths, (int32_t)k, position, snapshot->time, error);
    }
    return status;
}

static void picture_paths_record(struct picture_paths *paths, struct record *record)
{
    const int32_t last = (int32_t)(paths->count - 1);
    for (size_t k = 0; k < paths->count && !record->status; k++) {
        struct path_anchor *anchor = &paths->anchors[k];
        record_numbers(record, anchor->start, 2);
        record_number(record, &anchor->time, 0, DBL_MAX);
        record_numbers(record, anchor->position, 2);
        record_numbers(record, anchor->velocity, 2);
        record_end_line(record);
    }
    record_count(record, &paths->finished, PICTURE_MAX_SEGMENTS, 6);
    record_count(record, &paths->collision_count, paths->finished, 7);
    record_end_line(record);
    for (size_t k = 0; k < paths->finished && !record->status; k++) {
        struct path_segment *segment = &paths->segments[k];
        record_int32(record, &segment->number, 0, last);
        record_numbers(record, segment->begin, 2);
        record_numbers(record, segment->end, 2);
        record_numbers(record, &segment->time, 1);
        record_end_line(record);
    }
    for (size_t k = 0; k < paths->collision_count && !record->status; k++) {
        struct path_collision *collision = &paths->collisions[k];
        record_number(record, &collision->time, 0, DBL_MAX);
        record_int32(record, &collision->a, 0, last);
        record_int32(record, &collision->b, INT32_MIN, last);
        record_numbers(record, collision->centre, 2);
        record_numbers(record, collision->separation, 2);
        record_end_line(record);
    }
}

/* True if collisions are so few that their times and disks are drawn. */
static int is_detailed(const struct picture_scene *scene)
{
    return scene->are_labelled && scene->extras.paths->collision_count <= MAX_DETAILED;
}

void picture_paths_write_key(const struct picture_scene *scene, int y, FILE *stream)
{
    picture_legend_write_line(y, stream,
                              "paths begin at rings; dots: collisions, whose times are tooltips%s",
                              is_detailed(scene) ? "; dashed: disks at start and contact" : "");
}

static void write_path(const struct picture_scene *scene, size_t number, size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    const struct picture_layout *layout = &scene->layout;
    const uint32_t c = picture_scene_colour(scene, picture_scene_colour_of(scene, number));
    const double *before = NULL; /* the end of the segment before */
    tag_write(stream, "<path class='path' stroke='#%06" PRIx32 "' d='", c);
    for (size_t k = 0; k < paths->segment_count; k++) {
        const struct path_segment *segment = &paths->segments[k];
        if ((size_t)segment->number != number)
            continue;
        const int is_joined = before && layout->strips == 1 && before[0] == segment->begin[0] &&
                              before[1] == segment->begin[1];
        before = segment->end;
        double control[2];
        for (int axis = 0; axis < 2; axis++)
            control[axis] = 0.5 * (segment->begin[axis] + segment->end[axis]) -
                            0.25 * paths->gravity[axis] * segment->time * segment->time;
        picture_layout_write_line(layout, strip, segment->begin, segment->end,
                                  segment->time > 0 ? control : NULL, is_joined, stream);
    }
    fputs("\"/>\n", stream);
    double start[2];
    if (picture_layout_locate(layout, paths->anchors[number].start, start) == strip)
        tag_write(stream,
                  "<circle class='start' stroke='#%06" PRIx32 "' cx='%.2f' cy='%.2f' r='%g'/>\n", c,
                  start[0], start[1], SPOT_RADIUS);
}

/* Writes the outline of a disk, and its images across seams, clipped to the box. */
static void write_ghost(const struct picture_scene *scene, size_t number, const double centre[2],
                        size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
        double position[2] = {centre[0], centre[1]};
        if (image & ~paths->periodic)
            continue;
        for (int axis = 0; axis < 2; axis++)
            if (image & 1u << axis)
                position[axis] += position[axis] < paths->sides[axis] / 2 ? paths->sides[axis]
                                                                          : -paths->sides[axis];
        picture_layout_project(&scene->layout, strip, position, position);
        tag_write(stream, "<circle class='ghost' cx='%.2f' cy='%.2f' r='%.2f'/>\n", position[0],
                  position[1], picture_scene_radius(scene, number));
    }
}

static void write_contact(const struct picture_scene *scene, const struct path_collision *collision,
                          size_t strip, FILE *stream)
{
    const double other[2] = {collision->centre[0] + collision->separation[0],
                             collision->centre[1] + collision->separation[1]};
    double from[2], to[2];
    write_ghost(scene, (size_t)collision->a, collision->centre, strip, stream);
    write_ghost(scene, (size_t)collision->b, other, strip, stream);
    picture_layout_project(&scene->layout, strip, collision->centre, from);
    picture_layout_project(&scene->layout, strip, other, to);
    tag_write(stream, "<path class='ghost centres' d='M%.2f %.2fL%.2f %.2f'/>\n", from[0], from[1],
              to[0], to[1]);
}

void picture_paths_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    for (size_t k = 0; k < paths->count && is_detailed(scene); k++)
        write_ghost(scene, k, paths->anchors[k].start, strip, stream);
    for (size_t k = 0; k < paths->collision_count && is_detailed(scene); k++)
        if (event_partner(paths->collisions[k].b) == PARTNER_PARTICLE)
            write_contact(scene, &paths->collisions[k], strip, stream);
    for (size_t k = 0; k < paths->count; k++)
        write_path(scene, k, strip, stream);
}

/* Finds the point where two disks touch, or the centre of one that meets a feature, in pixels. */
static void find_contact_point(const struct picture_scene *scene,
                               const struct path_collision *collision, double point[2])
{
    const struct picture_paths *paths = scene->extras.paths;
    double fraction = 0; /* of the distance to the other centre */
    if (event_partner(collision->b) == PARTNER_PARTICLE) {
        const double a = snapshot_body(scene->snapshot, (size_t)collision->a).radius;
        const double b = snapshot_body(scene->snapshot, (size_t)collision->b).radius;
        fraction = a + b > 0 ? a / (a + b) : 0;
    }
    for (int axis = 0; axis < 2; axis++) {
        point[axis] = collision->centre[axis] + fraction * collision->separation[axis];
        if (paths->periodic & 1u << axis)
            point[axis] -= floor(point[axis] / paths->sides[axis]) * paths->sides[axis];
    }
    picture_layout_locate(&scene->layout, point, point);
}

/* The points of collisions, and the rectangles of the times beside them, in pixels. */
struct path_labels {
    double points[MAX_DETAILED][2];
    size_t point_count, count;
    struct path_label {
        double centre[2], half[2]; /* half: of its sides */
    } list[MAX_DETAILED];
};

static double distance_from(const struct path_label *label, const double point[2])
{
    const double x = fmax(fabs(point[0] - label->centre[0]) - label->half[0], 0);
    const double y = fmax(fabs(point[1] - label->centre[1]) - label->half[1], 0);
    return sqrt(x * x + y * y);
}

/* True if a label covers no disk, no point and no other label, and is beside the box at most. */
static int has_room(const struct picture_scene *scene, const struct path_labels *labels,
                    const struct path_label *label)
{
    const struct picture_layout *layout = &scene->layout;
    int is_free = fabs(label->centre[0] - layout->width / 2) + label->half[0] < layout->width / 2 &&
                  label->centre[1] - label->half[1] > layout->box_y - BESIDE_BOX &&
                  label->centre[1] + label->half[1] < layout->bottom + BESIDE_BOX;
    for (size_t k = 0; k < labels->point_count; k++)
        is_free &= distance_from(label, labels->points[k]) > SPOT_RADIUS;
    for (size_t k = 0; k < labels->count; k++)
        is_free &= fabs(label->centre[0] - labels->list[k].centre[0]) >
                       label->half[0] + labels->list[k].half[0] ||
                   fabs(label->centre[1] - labels->list[k].centre[1]) > 2 * label->half[1];
    for (size_t k = 0; k < PICTURE_IMAGES * scene->count && is_free; k++) {
        double centre[2];
        if (!picture_scene_image(scene, k / PICTURE_IMAGES, k % PICTURE_IMAGES, centre))
            continue;
        picture_layout_locate(layout, centre, centre);
        is_free = distance_from(label, centre) > picture_scene_radius(scene, k / PICTURE_IMAGES);
    }
    return is_free;
}

/* Writes the time of a collision beside its point, or with a line to there, if there is room. */
static void write_contact_time(const struct picture_scene *scene, struct path_labels *labels,
                               const double point[2], double time, FILE *stream)
{
    enum { DIRECTIONS = 8, DISTANCES = 5 };
    static const double directions[DIRECTIONS][2] = {{1, 0},  {-1, 0},  {0, -1}, {0, 1},
                                                     {1, -1}, {-1, -1}, {1, 1},  {-1, 1}};
    struct path_label *label = &labels->list[labels->count];
    char text[32];
    label->half[0] = CHARACTER_WIDTH / 2 * snprintf(text, sizeof text, "t = %.4g", time);
    label->half[1] = CHARACTER_WIDTH;
    for (size_t k = 0; k < (size_t)DIRECTIONS * DISTANCES; k++) {
        const double *direction = directions[k % DIRECTIONS];
        const double gap = TEXT_GAP * (1 + 2 * (double)(k / DIRECTIONS));
        for (int axis = 0; axis < 2; axis++)
            label->centre[axis] = point[axis] + direction[axis] * (gap + label->half[axis]);
        if (!has_room(scene, labels, label))
            continue;
        labels->count++;
        if (k >= DIRECTIONS)
            tag_write(stream, "<path class='line' d='M%.2f %.2fl%.2f %.2f'/>\n", point[0], point[1],
                      gap * direction[0], gap * direction[1]);
        tag_write(stream, "<text class='time' x='%.2f' y='%.2f'>%s</text>\n", label->centre[0],
                  label->centre[1] + 4.1, text);
        return;
    }
}

void picture_paths_write_collisions(const struct picture_scene *scene, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    struct path_labels labels = {.point_count = 0};
    for (size_t k = 0; k < paths->collision_count; k++) {
        double point[2];
        find_contact_point(scene, &paths->collisions[k], point);
        tag_write(stream, "<circle class='meeting' cx='%.2f' cy='%.2f' r='%.2f'>", point[0],
                  point[1], is_detailed(scene) ? SPOT_RADIUS : DOT_RADIUS);
        fprintf(stream, "<title>t = %.6g</title></circle>\n", paths->collisions[k].time);
        if (is_detailed(scene))
            memcpy(labels.points[labels.point_count++], point, sizeof point);
    }
    for (size_t k = 0; k < labels.point_count; k++)
        write_contact_time(scene, &labels, labels.points[k], paths->collisions[k].time, stream);
}

/* ---- The observer ---- */

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
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < batch->count && !status; k++)
        status = picture_paths_collide(((struct picture *)observer)->paths, &batch->list[k], error);
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
