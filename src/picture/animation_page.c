/*
 * The observer behind --animate: records the run and writes the page that plays it.
 *
 * The number of collisions is known only at the end of the run. So both are recorded from the
 * start: frames, and the list of events until it is too long and is dropped. The page gets the list
 * or, if it has been dropped, the frames. The state at the start is written to the file when the
 * run begins, all else at the end.
 *
 * The page cannot compute the velocities that a stream gives, so these are recorded as events; nor
 * those that walls give, so it has them where walls act, and what they absorb. In a stream frames
 * have the momenta that polygons have gained; from events the page computes them.
 *
 * Where disks grow the page scales velocities by itself, as growth_scale does, and a run that ends
 * at a pressure has its last frame then. Lines of the template that begin with //+ are for these
 * runs alone.
 *
 * The line <!-- DATA --> of data/embedded/animation_template.html is replaced by script elements
 * that browsers do not run, and that the page reads:
 *
 *     state     x y u v of each particle at the start, as doubles
 *     kinds     radius, mass (doubles) and species (4 bytes) of each kind
 *     kind-of   the kind of each particle, 4 bytes; empty if there is but one kind
 *     polygons  of each the number of its sides, 4 bytes, whether it is a domain, 4 bytes, and of
 *               each vertex x and y, in units of the box's sides, as floats; only if there are any
 *     joints    of each the numbers of its particles, 4 bytes each; of fixed ones twice the same
 *     events    or frames: drawing.h; a frame is its numbers, in a stream momenta, states
 *     run       the title, the box, the stream, counts: JSON
 *
 * What a wall has absorbed has the velocity (-0, -0) after that event, and the speed -1 in frames.
 *
 * All but the last are base64. The title is the only text in them that comes from the user: in it,
 * characters that could end a string or an element are written as \uXXXX.
 */

#include "base/memory.h"
#include "drawing.h"
#include "io/number.h"
#include "io/record.h"
#include "model/boundary_law.h"
#include "model/polygons.h"
#include "observe/writers.h"
#include "picture/picture.h"
#include "run/dynamics.h"
#include "run/growth.h"

#include <float.h>
#include <string.h>

static const char data_marker[] = "<!-- DATA -->\n", growth_marker[] = "//+";

/* Writes the template after the data; lines of growth only if disks grow. */
static void write_script(int grows, FILE *stream)
{
    const size_t mark = sizeof growth_marker - 1;
    const char *line = strstr(animation_template, data_marker) + sizeof data_marker - 1;
    while (*line) {
        const size_t length = strcspn(line, "\n") + 1;
        const size_t is_of_growth = strncmp(line, growth_marker, mark) == 0;
        if (grows || !is_of_growth)
            fwrite(line + is_of_growth * mark, 1, length - is_of_growth * mark, stream);
        line += length;
    }
}

static struct base64 begin_block(const char *id, FILE *stream)
{
    tag_write(stream, "<script type='text/plain' id='%s'>\n", id);
    return (struct base64){.stream = stream};
}

static void end_block(struct base64 *base64)
{
    base64_end(base64);
    fputs("</script>\n", base64->stream);
}

static void write_kinds(const struct snapshot *snapshot, FILE *stream)
{
    const struct system *system = snapshot->system;
    const struct particle_kind alike = {.radius = system->radius, .mass = 1};
    const struct particle_kind *kinds = system->kind_count > 0 ? system->kinds : &alike;
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
            const struct polygon_side *s = &polygons->sides[polygon->first_side + side];
            unsigned char vertex[8];
            base64_store_float(vertex, (float)(s->corner_x / boundary->width));
            base64_store_float(vertex + 4, (float)(s->corner_y / boundary->height));
            base64_put(&base64, vertex, sizeof vertex);
        }
    }
    end_block(&base64);
}

static void write_joints_block(const struct dynamics *dynamics, size_t count, FILE *stream)
{
    struct dynamics_joint joint;
    if (!dynamics->operations->traits.has_joints)
        return;
    struct base64 base64 = begin_block("joints", stream);
    for (size_t k = 0; dynamics_find_joint(dynamics, k, &joint); k++) {
        base64_put_int32(&base64, (int32_t)joint.a);
        base64_put_int32(&base64, (int32_t)joint.b);
    }
    for (size_t k = 0; k < 2 * count; k++)
        if (dynamics_is_fixed(dynamics, k / 2))
            base64_put_int32(&base64, (int32_t)(k / 2));
    end_block(&base64);
}

void animation_page_begin(const struct snapshot *snapshot, const struct dynamics *dynamics,
                          FILE *stream)
{
    const char *marker = strstr(animation_template, data_marker);
    fwrite(animation_template, 1, (size_t)(marker - animation_template), stream);
    struct base64 base64 = begin_block("state", stream);
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct snapshot_particle body = snapshot_body(snapshot, k);
        base64_put_double(&base64, body.x);
        base64_put_double(&base64, body.y);
        base64_put_double(&base64, body.u);
        base64_put_double(&base64, body.v);
    }
    end_block(&base64);
    write_kinds(snapshot, stream);
    write_polygon_block(&snapshot->system->boundary, stream);
    write_joints_block(dynamics, snapshot->system->count, stream);
}

/* The page holds the state after some events; after the others it computes that. */
static int animation_has_after(const struct animation_run *run, const struct boundary *boundary,
                               int32_t partner)
{
    return event_partner(partner) == PARTNER_PARTICLE || partner < FEATURE_TOP ||
           boundary_reinjects(boundary, partner) || wall_laws_act(boundary) ||
           boundary->gravity.acts || run->growth > 0;
}

static void write_events(const struct boundary *boundary, const struct animation_run *run,
                         FILE *stream)
{
    struct base64 base64 = begin_block("events", stream);
    for (size_t k = 0; k < run->event_count; k++) {
        const struct animation_event *event = &run->events[k];
        const int has_after = animation_has_after(run, boundary, event->b);
        base64_put_double(&base64, event->time);
        base64_put_int32(&base64, event->a);
        base64_put_int32(&base64, event->b);
        for (int i = 0; i < 4 && has_after; i++)
            base64_put_double(&base64, event->after[i]);
    }
    end_block(&base64);
}

static size_t animation_frame_size(const struct system *system, const struct animation_run *run)
{
    const size_t ways = system->boundary.periodic ? 8 * run->joint_count : 0;
    return system->count * ANIMATION_FRAME_BYTES + (run->joint_count + 7) / 8 + ways;
}

static void write_frames(const struct system *system, const struct animation_run *run, FILE *stream)
{
    const size_t size = animation_frame_size(system, run);
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

static void write_run_block(const struct system *system, const struct animation_run *run,
                            FILE *stream)
{
    const struct stream *flow = &system->boundary.stream;
    const struct wall_laws *walls = system->boundary.walls;
    const struct polygons *polygons = system->boundary.polygons;
    const size_t wall_count = BOUNDARY_SIDES + (polygons ? polygons->count : 0);
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
    if (system->boundary.gravity.acts)
        fprintf(stream, ", \"gravity\": [%.17g, %.17g]", system->boundary.gravity.x,
                system->boundary.gravity.y);
    if (run->growth > 0)
        fprintf(stream, ", \"growth\": %.17g", run->growth);
    if (system->boundary.shake.acts)
        fprintf(stream, ", \"shake\": [%.17g, %.17g]", system->boundary.shake.height,
                system->boundary.shake.period);
    if (!run->has_collisions)
        fprintf(stream, ", \"stepped\": true, \"joints\": %zu", run->joint_count);
    if (flow->draw)
        fprintf(stream,
                ",\n\"stream\": {\"speed\": %.17g, \"temperature\": %.17g, \"forces\": %zu}",
                flow->speed, flow->temperature, run->force_count);
    for (size_t k = 0; k < wall_count && wall_laws_act(&system->boundary); k++)
        fprintf(stream, "%s[%.17g, %.17g]%s", k == 0 ? ",\n\"walls\": [" : ", ",
                walls ? walls->list[k].temperature : 0, walls ? walls->list[k].speed : 0,
                k + 1 < wall_count ? "" : "]");
    fputs("}\n</script>\n", stream);
}

void animation_page_end(const struct system *system, const struct animation_run *run, FILE *stream)
{
    if (run->is_exact)
        write_events(&system->boundary, run, stream);
    else
        write_frames(system, run, stream);
    write_run_block(system, run, stream);
    write_script(run->growth > 0, stream);
}

struct animation {
    struct observer observer;
    const struct system *system; /* of the run; not owned */
    char *title;                 /* of a resumed run, from its checkpoint; owned; otherwise NULL */
    struct animation_run run;    /* its arrays are owned */
    const struct polygon_hits *hits; /* in a stream with polygons; otherwise NULL */
    size_t event_capacity;           /* in events */
    size_t planned_frames;
    double top_speed;       /* at the start; 1 if all are at rest */
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

/* Plans the frames and, in a stream, the momenta that polygons have gained at each. */
static enum status plan_frames(struct animation *animation, const struct snapshot *snapshot,
                               struct error *error)
{
    struct animation_run *run = &animation->run;
    const struct system *system = snapshot->system;
    const size_t frames = animation_count_frames(system->count, run->end_time);
    animation->planned_frames = frames;
    run->frames = memory_allocate(frames, sizeof *run->frames, "the animation's frames", error);
    run->states =
        memory_allocate(frames, animation_frame_size(system, run), "the animation's frames", error);
    if (!run->frames || !run->states)
        return STATUS_NO_MEMORY;
    if (!system->boundary.stream.draw)
        return STATUS_DONE;
    const enum status status =
        polygon_hits_record(&animation->observer, 0, snapshot, &animation->hits, error);
    if (status || !animation->hits)
        return status;
    run->force_count = animation->hits->count;
    run->momenta = memory_allocate(frames, run->force_count * sizeof *run->momenta,
                                   "the animation's forces", error);
    return run->momenta ? STATUS_DONE : STATUS_NO_MEMORY;
}

static enum status animation_begin(struct observer *observer, const struct snapshot *snapshot,
                                   struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    const struct system *system = snapshot->system;
    const struct dynamics *dynamics = observers_dynamics(observer->all);
    const int has_collisions = dynamics->operations->traits.has_collisions;
    struct dynamics_joint joint;
    if (system->count > ANIMATION_MAX_PARTICLES)
        return error_set(error, STATUS_USAGE,
                         "--animate is for up to %d particles, and there are %zu: leave it out",
                         ANIMATION_MAX_PARTICLES, system->count);
    animation->system = system;
    animation->run = (struct animation_run){.title = observer->run->title,
                                            .end_time = observer->run->to,
                                            .growth = system->boundary.growth,
                                            .has_collisions = has_collisions,
                                            .is_exact = has_collisions};
    if (system->growth.pressure > 0) /* which ends the run before disks cover the box */
        animation->run.end_time = fmin(animation->run.end_time, growth_last_time(system));
    while (dynamics_find_joint(dynamics, animation->run.joint_count, &joint))
        animation->run.joint_count++;
    for (size_t k = 0; k < system->count; k++)
        animation->top_speed = fmax(animation->top_speed, picture_speed(snapshot, k, 1));
    if (animation->top_speed == 0)
        animation->top_speed = 1;
    observer->next_sample = 0;
    if (!observer->has_begun)
        animation_page_begin(snapshot, dynamics, observer->file->stream);
    return plan_frames(animation, snapshot, error);
}

/* Adds an event to the list. One that has become too long is dropped: there are only frames. */
static enum status add_event(struct animation *animation, const struct animation_event *event,
                             struct error *error)
{
    struct animation_run *run = &animation->run;
    if (run->event_count == ANIMATION_MAX_EVENTS) {
        memory_free(run->events);
        run->events = NULL;
        run->event_count = 0;
        run->is_exact = 0;
    }
    if (!run->is_exact)
        return STATUS_DONE;
    run->events = memory_extend(run->events, run->event_count, &animation->event_capacity,
                                sizeof *run->events, "the animation's collisions", error);
    if (!run->events)
        return STATUS_NO_MEMORY;
    run->events[run->event_count++] = *event;
    return STATUS_DONE;
}

static enum status animation_collide(struct animation *animation, const struct collision *collision,
                                     struct error *error)
{
    const struct collision_particle *a = &collision->a;
    const struct collision_particle *b = &collision->b;
    struct animation_event event = {
        .time = collision->time, .a = a->number, .b = collision->feature};
    if (collision->partner == PARTNER_PARTICLE) {
        animation->particle_collisions++;
        event.b = b->number;
        memcpy(event.after, (const double[4]){a->u, a->v, b->u, b->v}, sizeof event.after);
    } else {
        animation->wall_collisions += !collision->is_reinjection;
        if (animation_has_after(&animation->run, &animation->system->boundary, event.b))
            memcpy(event.after, (const double[4]){a->u, a->v, a->x, a->y}, sizeof event.after);
        if (collision->is_absorbed)
            event.after[0] = event.after[1] = -0.0;
    }
    return add_event(animation, &event, error);
}

static enum status animation_take(struct observer *observer, const struct collision_batch *batch,
                                  struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < batch->count && !status; k++)
        status = animation_collide((struct animation *)observer, &batch->list[k], error);
    return status;
}

static enum status animation_sample(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    const size_t frame = animation->run.frame_count++;
    const size_t count = snapshot->system->count;
    const struct boundary *box = &snapshot->system->boundary;
    unsigned char *state =
        animation->run.states + frame * animation_frame_size(snapshot->system, &animation->run);
    (void)error;
    if (!animation->run.has_collisions) {
        const struct particle_counts all = snapshot_collisions(snapshot);
        animation->wall_collisions = (double)all.walls;
        animation->particle_collisions = (double)all.particles;
    }
    animation->run.frames[frame] = (struct animation_frame){
        snapshot->time, animation->wall_collisions, animation->particle_collisions};
    for (size_t k = 0; k < count; k++, state += ANIMATION_FRAME_BYTES) {
        const struct particle_counts counts = snapshot_counts(snapshot, k);
        const double speed = picture_speed(snapshot, k, 1) / animation->top_speed;
        double x, y;
        snapshot_position(snapshot, k, &x, &y);
        base64_store(state, 2, (uint32_t)(x / box->width * 65535 + 0.5));
        base64_store(state + 2, 2, (uint32_t)(y / box->height * 65535 + 0.5));
        base64_store_float(state + 4,
                           (float)(snapshot_has(snapshot, k) ? fmin(speed, FLT_MAX) : -1));
        base64_store(state + 8, 4, (uint32_t)(counts.walls + counts.particles));
    }
    for (size_t k = 0; k < animation->run.joint_count; k++) {
        struct dynamics_joint joint;
        dynamics_find_joint(observers_dynamics(observer->all), k, &joint);
        state[k / 8] =
            (unsigned char)((k % 8 ? state[k / 8] : 0) | (joint.is_broken != 0) << k % 8);
        for (int axis = 0; axis < 2 && box->periodic; axis++)
            base64_store_float(state + (animation->run.joint_count + 7) / 8 + 8 * k + 4 * axis,
                               (float)(joint.way[axis] / (axis == 0 ? box->width : box->height)));
    }
    for (size_t k = 0; k < animation->run.force_count; k++) {
        double *momentum = animation->run.momenta[frame * animation->run.force_count + k];
        momentum[0] = sum_value(&animation->hits->list[k].momentum_x);
        momentum[1] = sum_value(&animation->hits->list[k].momentum_y);
    }
    observer->next_sample = frame_time(animation, frame + 1);
    return STATUS_DONE;
}

static void record_events(struct animation *animation, const struct system *system,
                          struct record *record)
{
    const struct polygons *polygons = system->boundary.polygons;
    const int32_t last = (int32_t)(system->count - 1);
    const int32_t lowest =
        polygons ? polygons_feature(polygons->side_count - 1, 1) : FEATURE_TOP; /* of all codes */
    size_t count = animation->run.event_count;
    record_flag(record, &animation->run.is_exact);
    record_count(record, &count, ANIMATION_MAX_EVENTS, 7);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        struct animation_event event = {0};
        if (!record->is_reading)
            event = animation->run.events[k];
        record_number(record, &event.time, 0, DBL_MAX);
        record_int32(record, &event.a, 0, last);
        record_int32(record, &event.b, lowest, last);
        record_numbers(record, event.after, 4);
        record_end_line(record);
        if (record->is_reading)
            record_add_status(record, add_event(animation, &event, record->error));
    }
}

static void record_frames(struct animation *animation, size_t size, struct record *record)
{
    const size_t forces = animation->run.force_count;
    size_t count = animation->run.frame_count;
    record_count(record, &count, animation->planned_frames, 4);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        record_number(record, &animation->run.frames[k].time, 0, DBL_MAX);
        record_number(record, &animation->run.frames[k].wall_collisions, 0, DBL_MAX);
        record_number(record, &animation->run.frames[k].particle_collisions, 0, DBL_MAX);
        record_bytes(record, animation->run.states + k * size, size);
        record_end_line(record);
        for (size_t force = k * forces; force < (k + 1) * forces && !record->status; force++) {
            record_numbers(record, animation->run.momenta[force], 2);
            record_end_line(record);
        }
    }
    animation->run.frame_count = count;
}

static void animation_state(struct observer *observer, struct record *record)
{
    struct animation *animation = (struct animation *)observer;
    const struct system *system = animation->system;
    record_string(record, &animation->run.title, &animation->title, "the animation's title");
    record_number(record, &animation->top_speed, DBL_MIN, DBL_MAX);
    record_number(record, &animation->wall_collisions, 0, DBL_MAX);
    record_number(record, &animation->particle_collisions, 0, DBL_MAX);
    record_events(animation, system, record);
    record_frames(animation, animation_frame_size(system, &animation->run), record);
    observer->next_sample = frame_time(animation, animation->run.frame_count);
}

static enum status animation_finish(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct animation *animation = (struct animation *)observer;
    struct animation_run *run = &animation->run;
    if (run->growth > 0 && run->frames[run->frame_count - 1].time < snapshot->time)
        animation_sample(observer, snapshot, error);
    run->end_time = snapshot->time;
    if (run->is_exact)
        run->frame_count = 0;
    animation_page_end(snapshot->system, &animation->run, observer->file->stream);
    return STATUS_DONE;
}

static void animation_free(struct observer *observer)
{
    struct animation *animation = (struct animation *)observer;
    memory_free(animation->title);
    memory_free(animation->run.events);
    memory_free(animation->run.frames);
    memory_free(animation->run.states);
    memory_free(animation->run.momenta);
}

const struct observer_operations animation_operations = {
    .kind = {"--animate", "the animation", sizeof(struct animation), FILE_FROM_BEGIN},
    .watches = WATCH_PAIRS,
    .begin = animation_begin,
    .take = animation_take,
    .sample = animation_sample,
    .finish = animation_finish,
    .state = animation_state,
    .free = animation_free,
};
