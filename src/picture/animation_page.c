/*
 * The observer behind --animate: records the run and writes the page that plays it.
 *
 * The number of collisions is known only at the end of the run. So two records are kept from the
 * start: the list of events, until it becomes too long and is dropped, and frames. The page gets
 * the list or, if it has been dropped, the frames. The state at the start is written to the file
 * when the run begins; all else is kept in memory (and in checkpoints) and written in the end.
 *
 * The page cannot compute the velocities that a stream gives, so these are recorded as events.
 * Frames of a run with a stream have the momenta that polygons have gained; from events the page
 * computes them.
 *
 *
 * The line <!-- DATA --> of data/animation.html is replaced by script elements that browsers do not
 * run, and that the page reads:
 *
 *     state     x y u v of each particle at the start, as doubles
 *     kinds     radius, mass (doubles) and species (4 bytes) of each kind
 *     kind-of   the kind of each particle, 4 bytes; empty if there is but one kind
 *     polygons  of each the number of its sides, 4 bytes, whether it is a domain, 4 bytes, and of
 *               each vertex x and y, in parts of the box's sides, as floats; only if there are any
 *     events or frames: see animation_page.h. A frame is its three numbers, in a stream the momenta
 *               of the polygons, and the states
 *     run       the title, the box, the stream, counts: JSON
 *
 * All but the last are base64. The title is the only text in them that comes from the user: in it,
 * characters that could end a string or an element are written as \uXXXX.
 */
#include "animation_page.h"

#include "base/memory.h"
#include "io/base64.h"
#include "io/output_file.h"
#include "io/record.h"
#include "model/polygons.h"
#include "observe/polygon_hits.h"
#include "picture/animation.h"
#include "picture_scene.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

static const char data_marker[] = "<!-- DATA -->\n";

/* The position of the data in the template. */
static size_t find_data_marker(void)
{
    size_t position = 0;
    while (position + sizeof data_marker - 1 < animation_template_size &&
           memcmp(animation_template + position, data_marker, sizeof data_marker - 1) != 0)
        position++;
    return position;
}

static struct base64 begin_block(const char *id, FILE *stream)
{
    fprintf(stream, "<script type=\"text/plain\" id=\"%s\">\n", id);
    return (struct base64){.stream = stream};
}

static void end_block(struct base64 *base64)
{
    base64_finish(base64);
    fputs("</script>\n", base64->stream);
}

static void write_kinds(const struct snapshot *snapshot, FILE *stream)
{
    const struct system *system = snapshot->system;
    const struct kind alike = {.radius = system->radius, .mass = 1};
    const struct kind *kinds = system->kind_count > 0 ? system->kinds : &alike;
    size_t count = system->kind_count > 0 ? system->kind_count : 1;
    struct base64 base64 = begin_block("kinds", stream);
    for (size_t k = 0; k < count; k++) {
        base64_put_double(&base64, kinds[k].radius);
        base64_put_double(&base64, kinds[k].mass);
        base64_put_int32(&base64, kinds[k].species);
    }
    end_block(&base64);
    base64 = begin_block("kind-of", stream);
    for (size_t k = 0; k < system->count && count > 1; k++)
        base64_put_int32(&base64, (int32_t)snapshot_body(snapshot, k).kind);
    end_block(&base64);
}

static void put_float(struct base64 *base64, double value)
{
    unsigned char bytes[4];
    base64_store_float(bytes, (float)value);
    base64_put(base64, bytes, sizeof bytes);
}

static void write_polygon_block(const struct boundary *boundary, FILE *stream)
{
    const struct polygons *polygons = boundary->polygons;
    if (!polygons)
        return;
    struct base64 base64 = begin_block("polygons", stream);
    for (size_t k = 0; k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        base64_put_int32(&base64, (int32_t)polygon->side_count);
        base64_put_int32(&base64, polygon->is_domain);
        for (size_t side = 0; side < polygon->side_count; side++) {
            const struct side *s = &polygons->sides[polygon->first_side + side];
            put_float(&base64, s->corner_x / boundary->width);
            put_float(&base64, s->corner_y / boundary->height);
        }
    }
    end_block(&base64);
}

void animation_page_begin(const struct snapshot *snapshot, FILE *stream)
{
    fwrite(animation_template, 1, find_data_marker(), stream);
    struct base64 base64 = begin_block("state", stream);
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        base64_put_double(&base64, body.x);
        base64_put_double(&base64, body.y);
        base64_put_double(&base64, body.u);
        base64_put_double(&base64, body.v);
    }
    end_block(&base64);
    write_kinds(snapshot, stream);
    write_polygon_block(&snapshot->system->boundary, stream);
}

/* True if the page holds the state after the event; otherwise it computes that. */
static int has_after(const struct boundary *boundary, const struct animation_event *event)
{
    return event_partner(event->b) == PARTNER_PARTICLE || event->b < FEATURE_TOP ||
           boundary_renews(boundary, event->b);
}

static void write_events(const struct boundary *boundary, const struct animation_run *run,
                         FILE *stream)
{
    struct base64 base64 = begin_block("events", stream);
    for (size_t k = 0; k < run->event_count; k++) {
        const struct animation_event *event = &run->events[k];
        base64_put_double(&base64, event->time);
        base64_put_int32(&base64, event->a);
        base64_put_int32(&base64, event->b);
        for (int i = 0; i < 4 && has_after(boundary, event); i++)
            base64_put_double(&base64, event->after[i]);
    }
    end_block(&base64);
}

static void write_frames(const struct system *system, const struct animation_run *run, FILE *stream)
{
    size_t size = system->count * ANIMATION_FRAME_BYTES;
    struct base64 base64 = begin_block("frames", stream);
    for (size_t k = 0; k < run->frame_count; k++) {
        base64_put_double(&base64, run->frames[k].time);
        base64_put_double(&base64, run->frames[k].wall_collisions);
        base64_put_double(&base64, run->frames[k].particle_collisions);
        for (size_t force = k * run->force_count; force < (k + 1) * run->force_count; force++) {
            base64_put_double(&base64, run->momenta[force][0]);
            base64_put_double(&base64, run->momenta[force][1]);
        }
        base64_put(&base64, run->states + k * size, size);
    }
    end_block(&base64);
}

/* Writes a string of JSON that is safe within a script element, too. */
static void write_string(const char *text, FILE *stream)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        unsigned char character = (unsigned char)*text;
        if (character < ' ' || character == 127 || strchr("\"\\<>&'", character))
            fprintf(stream, "\\u%04x", (unsigned)character);
        else
            fputc(character, stream);
    }
    fputc('"', stream);
}

/* Writes the stream, and the number of polygons whose momenta frames have. */
static void write_stream(const struct system *system, const struct animation_run *run, FILE *stream)
{
    const struct stream *flow = &system->boundary.stream;
    if (flow->draw)
        fprintf(stream,
                ",\n\"stream\": {\"speed\": %.17g, \"temperature\": %.17g, \"forces\": %zu}",
                flow->speed, flow->temperature, run->force_count);
}

static void write_run_block(const struct system *system, const struct animation_run *run,
                            FILE *stream)
{
    fputs("<script type=\"application/json\" id=\"run\">\n{\"title\": ", stream);
    write_string(run->title, stream);
    fprintf(stream,
            ",\n\"count\": %zu, \"width\": %.17g, \"height\": %.17g, \"periodic\": %u, "
            "\"endTime\": %.17g,\n\"kinds\": %zu, \"exact\": %s, \"events\": %zu, \"frames\": "
            "%zu",
            system->count, system->boundary.width, system->boundary.height,
            system->boundary.periodic, run->end_time,
            system->kind_count > 0 ? system->kind_count : 1, run->is_exact ? "true" : "false",
            run->event_count, run->frame_count);
    write_stream(system, run, stream);
    fputs("}\n</script>\n", stream);
}

void animation_page_end(const struct system *system, const struct animation_run *run, FILE *stream)
{
    if (run->is_exact)
        write_events(&system->boundary, run, stream);
    else
        write_frames(system, run, stream);
    write_run_block(system, run, stream);
    size_t position = find_data_marker() + sizeof data_marker - 1;
    fwrite(animation_template + position, 1, animation_template_size - position, stream);
}

struct animation {
    struct observer observer;
    const char *name; /* of the file; not owned */
    struct output_file file;
    char *title;              /* of a resumed run, from its checkpoint; owned; otherwise NULL */
    struct animation_run run; /* its arrays are owned */
    struct polygon_hits hits; /* in a stream; otherwise {0} */
    size_t event_capacity;    /* in events */
    size_t planned_frames;
    double top_speed; /* at the start; 1 if all are at rest */
    int is_stepped;   /* there are frames only, and collisions are those that the particles count */
    double wall_collisions; /* so far */
    double particle_collisions;
};

size_t animation_count_frames(size_t particles, double end_time)
{
    size_t max = ANIMATION_MAX_FRAME_BYTES / (particles * ANIMATION_FRAME_BYTES);
    if (end_time == 0)
        return 1;
    return max < 2 ? 2 : max < ANIMATION_MAX_FRAMES ? max : ANIMATION_MAX_FRAMES;
}

/* The time of a frame; INFINITY after the last one. */
static double frame_time(const struct animation *animation, size_t frame)
{
    if (frame >= animation->planned_frames)
        return (double)INFINITY;
    if (frame + 1 == animation->planned_frames)
        return animation->run.end_time;
    return animation->run.end_time * ((double)frame / (double)(animation->planned_frames - 1));
}

/* Allocates the momenta that polygons in a stream have gained at each frame. */
static enum status plan_momenta(struct animation *animation, const struct boundary *boundary,
                                struct error *error)
{
    enum status status = STATUS_DONE;
    if (boundary->stream.draw)
        status = polygon_hits_begin(&animation->hits, boundary, error);
    animation->run.force_count = animation->hits.count;
    if (status || animation->hits.count == 0)
        return status;
    animation->run.momenta = memory_allocate(animation->planned_frames,
                                             animation->hits.count * sizeof *animation->run.momenta,
                                             "the animation's forces", error);
    return animation->run.momenta ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Allocates the frames. */
static enum status plan_frames(struct animation *animation, const struct system *system,
                               struct error *error)
{
    const size_t count = system->count;
    if (count > ANIMATION_MAX_PARTICLES)
        return error_set(error, STATUS_USAGE,
                         "--animate is for up to %d particles, and there are %zu: leave it out",
                         ANIMATION_MAX_PARTICLES, count);
    size_t frames = animation_count_frames(count, animation->run.end_time);
    animation->planned_frames = frames;
    animation->run.frames =
        memory_allocate(frames, sizeof *animation->run.frames, "the animation's frames", error);
    animation->run.states =
        memory_allocate(frames, count * ANIMATION_FRAME_BYTES, "the animation's frames", error);
    if (!animation->run.frames || !animation->run.states)
        return STATUS_NO_MEMORY;
    return plan_momenta(animation, &system->boundary, error);
}

static enum status animation_begin(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    enum status status = output_file_open_resumable(
        &animation->file, animation->name, observer->is_resumable, &observer->is_saved, error);
    if (!status)
        status = plan_frames(animation, snapshot->system, error);
    if (status)
        return status;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        animation->top_speed = fmax(animation->top_speed, picture_relative_speed(snapshot, &body));
    }
    if (animation->top_speed == 0)
        animation->top_speed = 1;
    observer->next_look = 0;
    animation_page_begin(snapshot, animation->file.stream);
    return STATUS_DONE;
}

/* Drops the list of events; from now on there are only frames. */
static void drop_events(struct animation *animation)
{
    memory_free(animation->run.events);
    animation->run.events = NULL;
    animation->run.event_count = 0;
    animation->run.is_exact = 0;
}

/* Adds an event to the list, until that is dropped. */
static enum status add_event(struct animation *animation, const struct animation_event *event,
                             struct error *error)
{
    if (animation->run.event_count == ANIMATION_MAX_EVENTS)
        drop_events(animation);
    if (!animation->run.is_exact)
        return STATUS_DONE;
    if (animation->run.event_count == animation->event_capacity) {
        const size_t capacity =
            animation->event_capacity > 0 ? 2 * animation->event_capacity : 1000;
        struct animation_event *events = memory_resize(
            animation->run.events, capacity, sizeof *events, "the animation's collisions", error);
        if (!events)
            return STATUS_NO_MEMORY;
        animation->run.events = events;
        animation->event_capacity = capacity;
    }
    animation->run.events[animation->run.event_count++] = *event;
    return STATUS_DONE;
}

static enum status animation_collide(struct observer *observer, const struct collision *collision,
                                     struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    const struct participant *a = &collision->a;
    const struct participant *b = &collision->b;
    struct animation_event event = {
        .time = collision->time, .a = a->number, .b = collision->feature};
    if (collision->partner == PARTNER_PARTICLE) {
        animation->particle_collisions++;
        event.b = b->number;
        memcpy(event.after, (const double[4]){a->u, a->v, b->u, b->v}, sizeof event.after);
    } else {
        animation->wall_collisions++;
        if (event.b < FEATURE_TOP)
            memcpy(event.after, (const double[4]){a->u, a->v, a->x, a->y}, sizeof event.after);
    }
    if (animation->hits.count > 0)
        polygon_hits_collide(&animation->hits, collision);
    return add_event(animation, &event, error);
}

static enum status animation_renew(struct observer *observer, const struct collision *passage,
                                   struct error *error)
{
    const struct participant *a = &passage->a;
    const struct animation_event event = {
        passage->time, a->number, passage->feature, {a->u, a->v, a->x, a->y}};
    return add_event((struct animation *)observer, &event, error);
}

/* Records the momenta that polygons have gained up to a frame. */
static void record_momenta(struct animation *animation, size_t frame)
{
    for (size_t k = 0; k < animation->hits.count; k++) {
        double *momentum = animation->run.momenta[frame * animation->hits.count + k];
        momentum[0] = sum_value(&animation->hits.list[k].momentum_x);
        momentum[1] = sum_value(&animation->hits.list[k].momentum_y);
    }
}

/* `value`, from 0 to `largest`, as a whole number from 0 to 65535. */
static uint32_t quantise(double value, double largest)
{
    return (uint32_t)(value / largest * 65535 + 0.5);
}

/* Sums the collisions of all particles, for a time-stepped run, which does not report each. */
static void count_from_snapshot(struct animation *animation, const struct snapshot *snapshot)
{
    animation->wall_collisions = 0;
    animation->particle_collisions = 0;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct counts counts = snapshot_counts(snapshot, k);
        animation->wall_collisions += (double)counts.walls;
        animation->particle_collisions += (double)counts.particles / 2;
    }
}

static enum status animation_sample(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    size_t frame = animation->run.frame_count++;
    const size_t count = snapshot->system->count;
    const struct boundary *box = &snapshot->system->boundary;
    (void)error;
    if (animation->is_stepped)
        count_from_snapshot(animation, snapshot);
    animation->run.frames[frame] = (struct animation_frame){
        snapshot->time, animation->wall_collisions, animation->particle_collisions};
    for (size_t k = 0; k < count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        const struct counts counts = snapshot_counts(snapshot, k);
        unsigned char *state = animation->run.states + (frame * count + k) * ANIMATION_FRAME_BYTES;
        double x;
        double y;
        snapshot_position(snapshot, k, &x, &y);
        base64_store_16(state, quantise(x, box->width));
        base64_store_16(state + 2, quantise(y, box->height));
        base64_store_float(
            state + 4,
            (float)fmin(picture_relative_speed(snapshot, &body) / animation->top_speed, FLT_MAX));
        base64_store_32(state + 8, (uint32_t)(counts.walls + counts.particles));
    }
    record_momenta(animation, frame);
    observer->next_look = frame_time(animation, frame + 1);
    return STATUS_DONE;
}

/* The lowest code of a feature: checkpoints hold codes less this one, which are not negative. */
static int32_t lowest_feature(const struct boundary *boundary)
{
    const struct polygons *polygons = boundary->polygons;
    return polygons ? polygons_feature(polygons->side_count - 1, 1) : FEATURE_TOP;
}

static void put_events(struct record_writer *writer, const struct animation *animation,
                       const struct boundary *boundary)
{
    const int32_t lowest = lowest_feature(boundary);
    record_put_whole(writer, (uint64_t)animation->run.is_exact);
    record_put_whole(writer, animation->run.event_count);
    record_end_line(writer);
    for (size_t k = 0; k < animation->run.event_count; k++) {
        const struct animation_event *event = &animation->run.events[k];
        record_put_number(writer, event->time);
        record_put_whole(writer, (uint64_t)event->a);
        record_put_whole(writer, (uint64_t)((int64_t)event->b - lowest));
        for (int i = 0; i < 4; i++)
            record_put_number(writer, event->after[i]);
        record_end_line(writer);
    }
}

static void put_momenta(struct record_writer *writer, const struct animation *animation,
                        size_t frame)
{
    const size_t count = animation->hits.count;
    for (size_t k = frame * count; k < (frame + 1) * count; k++) {
        record_put_number(writer, animation->run.momenta[k][0]);
        record_put_number(writer, animation->run.momenta[k][1]);
        record_end_line(writer);
    }
}

static void put_frames(struct record_writer *writer, const struct animation *animation, size_t size)
{
    record_put_whole(writer, animation->run.frame_count);
    record_end_line(writer);
    for (size_t k = 0; k < animation->run.frame_count; k++) {
        record_put_number(writer, animation->run.frames[k].time);
        record_put_number(writer, animation->run.frames[k].wall_collisions);
        record_put_number(writer, animation->run.frames[k].particle_collisions);
        record_put_bytes(writer, animation->run.states + k * size, size);
        record_end_line(writer);
        put_momenta(writer, animation, k);
    }
}

static enum status animation_save(struct observer *observer, const struct snapshot *snapshot,
                                  struct record_writer *writer, struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    size_t title_length = strlen(animation->run.title);
    record_put_whole(writer, title_length);
    record_put_bytes(writer, animation->run.title, title_length);
    record_put_number(writer, animation->top_speed);
    record_put_number(writer, animation->wall_collisions);
    record_put_number(writer, animation->particle_collisions);
    put_events(writer, animation, &snapshot->system->boundary);
    put_frames(writer, animation, snapshot->system->count * ANIMATION_FRAME_BYTES);
    polygon_hits_save(&animation->hits, writer);
    return output_file_save(&animation->file, writer, error);
}

/* Loads the title, the top speed and the numbers of collisions. */
static enum status take_head(struct record_reader *reader, struct animation *animation)
{
    size_t length = record_take_count(reader, SIZE_MAX / 2, 1);
    if (!reader->status)
        animation->title = memory_allocate(length + 1, 1, "the animation's title", reader->error);
    if (!animation->title)
        return reader->status = reader->status ? reader->status : STATUS_NO_MEMORY;
    record_take_bytes(reader, animation->title, length);
    animation->title[length] = '\0';
    animation->run.title = animation->title;
    animation->top_speed = record_take_number(reader, DBL_MIN, DBL_MAX);
    animation->wall_collisions = record_take_number(reader, 0, DBL_MAX);
    animation->particle_collisions = record_take_number(reader, 0, DBL_MAX);
    return reader->status;
}

static enum status take_events(struct record_reader *reader, struct animation *animation,
                               const struct system *system)
{
    const int32_t lowest = lowest_feature(&system->boundary);
    const uint64_t max = system->count - 1 + (uint64_t) - (int64_t)lowest;
    animation->run.is_exact = (int)record_take_whole(reader, 1);
    size_t count = record_take_count(reader, ANIMATION_MAX_EVENTS, 7);
    record_expect_line_end(reader);
    if (reader->status || count == 0)
        return reader->status;
    animation->run.events = memory_allocate(count, sizeof *animation->run.events,
                                            "the animation's collisions", reader->error);
    if (!animation->run.events)
        return reader->status = STATUS_NO_MEMORY;
    animation->event_capacity = count;
    for (size_t k = 0; k < count && !reader->status; k++) {
        struct animation_event *event = &animation->run.events[k];
        event->time = record_take_number(reader, 0, DBL_MAX);
        event->a = (int32_t)record_take_whole(reader, system->count - 1);
        event->b = (int32_t)((int64_t)record_take_whole(reader, max) + lowest);
        for (int i = 0; i < 4; i++)
            event->after[i] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        record_expect_line_end(reader);
    }
    animation->run.event_count = count;
    return reader->status;
}

static void take_momenta(struct record_reader *reader, struct animation *animation, size_t frame)
{
    const size_t count = animation->hits.count;
    for (size_t k = frame * count; k < (frame + 1) * count && !reader->status; k++) {
        animation->run.momenta[k][0] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        animation->run.momenta[k][1] = record_take_number(reader, -DBL_MAX, DBL_MAX);
        record_expect_line_end(reader);
    }
}

static enum status take_frames(struct record_reader *reader, struct animation *animation,
                               size_t size)
{
    size_t count = record_take_count(reader, animation->planned_frames, 4);
    record_expect_line_end(reader);
    for (size_t k = 0; k < count && !reader->status; k++) {
        animation->run.frames[k].time = record_take_number(reader, 0, DBL_MAX);
        animation->run.frames[k].wall_collisions = record_take_number(reader, 0, DBL_MAX);
        animation->run.frames[k].particle_collisions = record_take_number(reader, 0, DBL_MAX);
        record_take_bytes(reader, animation->run.states + k * size, size);
        record_expect_line_end(reader);
        take_momenta(reader, animation, k);
    }
    animation->run.frame_count = count;
    polygon_hits_load(&animation->hits, reader);
    return reader->status;
}

static enum status animation_load(struct observer *observer, const struct snapshot *snapshot,
                                  struct record_reader *reader, struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    enum status status = plan_frames(animation, snapshot->system, error);
    if (!status)
        status = take_head(reader, animation);
    if (!status)
        status = take_events(reader, animation, snapshot->system);
    if (!status)
        status = take_frames(reader, animation, snapshot->system->count * ANIMATION_FRAME_BYTES);
    if (!status)
        status = output_file_load(&animation->file, animation->name, reader, error);
    observer->next_look = frame_time(animation, animation->run.frame_count);
    return status;
}

static enum status animation_finish(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    if (animation->run.is_exact)
        animation->run.frame_count = 0;
    animation_page_end(snapshot->system, &animation->run, animation->file.stream);
    return output_file_complete(&animation->file, error);
}

static void animation_free(struct observer *observer)
{
    struct animation *animation = (struct animation *)observer;
    output_file_abandon(&animation->file);
    memory_free(animation->title);
    memory_free(animation->run.events);
    memory_free(animation->run.frames);
    memory_free(animation->run.states);
    memory_free(animation->run.momenta);
    polygon_hits_free(&animation->hits);
    memory_free(animation);
}

enum status animation_create(const char *name, const char *title, double end_time, int is_stepped,
                             struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {.begin = animation_begin,
                                                          .collide = animation_collide,
                                                          .renew = animation_renew,
                                                          .look = animation_sample,
                                                          .finish = animation_finish,
                                                          .option = "--animate",
                                                          .save = animation_save,
                                                          .load = animation_load,
                                                          .free = animation_free};
    struct animation *animation = memory_allocate(1, sizeof *animation, "the animation", error);
    if (!animation)
        return STATUS_NO_MEMORY;
    *animation = (struct animation){
        .observer = {.operations = &operations, .next_look = (double)INFINITY},
        .name = name,
        .is_stepped = is_stepped,
        .run = {.title = title, .end_time = end_time, .is_exact = !is_stepped},
    };
    *observer = &animation->observer;
    return STATUS_DONE;
}
