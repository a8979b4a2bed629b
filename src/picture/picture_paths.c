/*
 * Records the paths of the particles, and draws them.
 *
 * Between two events a particle moves in a straight line, and observers get the exact positions of
 * collisions. The seams that it passes in between follow from its velocity: without seams, the line
 * would end a whole number of sides away. The line is cut at each seam.
 */
#include "picture_paths.h"

#include "base/memory.h"
#include "io/record.h"

#include <float.h>
#include <math.h>

/* Where a particle was when it got its present velocity. */
struct path_anchor {
    double time;
    double position[2];
    double velocity[2];
};

/* A straight part of a path, in the box. */
struct path_segment {
    int32_t number; /* of the particle */
    double begin[2];
    double end[2];
};

struct segment_list {
    size_t count, capacity;
    struct path_segment *segments; /* owned */
};

/* A collision. */
struct path_collision {
    double time;
    int32_t a;
    int32_t b;            /* the other particle, or a feature of the boundary */
    double centre[2];     /* of a */
    double separation[2]; /* from there to the centre of the other particle; 0 at a feature */
};

struct picture_paths {
    size_t count;                 /* of particles */
    double sides[2];              /* of the box */
    unsigned periodic;            /* its axes with seams */
    double (*starts)[2];          /* where each particle began; owned, as are all below */
    struct path_anchor *anchors;  /* of each particle */
    struct segment_list finished; /* up to the anchors, in the order of time; */
    struct segment_list last;     /* from the anchors on, up to the last snapshot */
    size_t collision_count, collision_capacity;
    struct path_collision *collisions;
};

/* In pixels. */
static const double DOT_RADIUS = 1.6;  /* of a collision among many, */
static const double SPOT_RADIUS = 3.5; /* and of one of a few */
static const double TEXT_GAP = 8;      /* between that and its time */

enum {
    MAX_DETAILED = 24, /* collisions whose times and disks are drawn */
    PATH_COLOURS = 6   /* of the kinds: those that are visible on light and dark ground */
};

static const char paths_style[] =
    "<style>.disks circle{fill-opacity:.8}.path{fill:none;stroke-width:1.6;stroke-linejoin:round}\n"
    ".ghost{fill:none;stroke:#626973;stroke-dasharray:4 3}.centres{stroke-dasharray:1.5 2.5}\n"
    ".meeting{fill:#14161a}.time{font-size:12px}\n"
    "@media(prefers-color-scheme:dark){.ghost{stroke:#9aa2ae}.meeting{fill:#fff}}</style>\n";

enum status picture_paths_create(const struct snapshot *snapshot, struct picture_paths **paths,
                                 struct error *error)
{
    static const char what[] = "the paths of the picture";
    const struct boundary *box = &snapshot->system->boundary;
    const size_t count = snapshot->system->count;
    *paths = NULL;
    if (count > PICTURE_MAX_PATHS)
        return error_set(error, STATUS_USAGE,
                         "--paths is for up to %d particles, and there are %zu: leave it out",
                         PICTURE_MAX_PATHS, count);
    struct picture_paths *made = memory_allocate(1, sizeof *made, what, error);
    if (!made)
        return STATUS_NO_MEMORY;
    *made = (struct picture_paths){
        .count = count, .sides = {box->width, box->height}, .periodic = box->periodic};
    made->starts = memory_allocate(count, sizeof *made->starts, what, error);
    made->anchors = memory_allocate(count, sizeof *made->anchors, what, error);
    if (!made->starts || !made->anchors) {
        picture_paths_free(made);
        return STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        struct path_anchor *anchor = &made->anchors[k];
        *anchor = (struct path_anchor){.time = snapshot->time, .velocity = {body.u, body.v}};
        snapshot_position(snapshot, k, &anchor->position[0], &anchor->position[1]);
        made->starts[k][0] = anchor->position[0];
        made->starts[k][1] = anchor->position[1];
    }
    *paths = made;
    return STATUS_DONE;
}

void picture_paths_free(struct picture_paths *paths)
{
    if (!paths)
        return;
    memory_free(paths->starts);
    memory_free(paths->anchors);
    memory_free(paths->finished.segments);
    memory_free(paths->last.segments);
    memory_free(paths->collisions);
    memory_free(paths);
}

static enum status add_segment(struct picture_paths *paths, struct segment_list *list,
                               const struct path_segment *segment, double time, struct error *error)
{
    if (paths->finished.count + paths->last.count == PICTURE_MAX_SEGMENTS)
        return error_set(
            error, STATUS_USAGE,
            "--paths is for up to %d straight pieces of paths, and up to time %g there "
            "are more: choose an earlier END_TIME, or leave it out",
            PICTURE_MAX_SEGMENTS, time);
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        struct path_segment *segments = memory_resize(list->segments, capacity, sizeof *segments,
                                                      "the paths of the picture", error);
        if (!segments)
            return STATUS_NO_MEMORY;
        list->segments = segments;
        list->capacity = capacity;
    }
    list->segments[list->count++] = *segment;
    return STATUS_DONE;
}

/*
 * Finds the next seam on a line that has passed `passed` seams across each axis. Returns the axis,
 * and in `*fraction` the part of the line before the seam; or 2 if there is none.
 */
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

/* Adds a line that begins in the box, cut into segments at the seams that it passes. */
static enum status add_path_line(struct picture_paths *paths, struct segment_list *list,
                                 int32_t number, const double to[2], double time,
                                 struct error *error)
{
    const double *from = paths->anchors[number].position;
    double passed[2] = {0, 0}; /* seams across each axis; less than 0 to the left or downwards */
    struct path_segment segment = {.number = number, .begin = {from[0], from[1]}};
    for (;;) {
        double fraction;
        const int seam = find_seam(paths, from, to, passed, &fraction);
        const int is_last = seam == 2;
        for (int axis = 0; axis < 2; axis++)
            segment.end[axis] =
                (is_last ? to[axis] : from[axis] + fraction * (to[axis] - from[axis])) -
                passed[axis] * paths->sides[axis];
        const int is_upwards = !is_last && to[seam] > from[seam];
        if (!is_last)
            segment.end[seam] = is_upwards ? paths->sides[seam] : 0;
        const enum status status = add_segment(paths, list, &segment, time, error);
        if (status || is_last)
            return status;
        segment.begin[0] = segment.end[0];
        segment.begin[1] = segment.end[1];
        segment.begin[seam] = is_upwards ? 0 : paths->sides[seam];
        passed[seam] += is_upwards ? 1 : -1;
    }
}

/* Adds a line from the anchor of a particle to its position in the box at `time`. */
static enum status extend_path(struct picture_paths *paths, struct segment_list *list,
                               int32_t number, const double position[2], double time,
                               struct error *error)
{
    const struct path_anchor *anchor = &paths->anchors[number];
    double to[2] = {position[0], position[1]};
    for (int axis = 0; axis < 2; axis++) {
        const double straight =
            anchor->position[axis] + anchor->velocity[axis] * (time - anchor->time);
        const double side = paths->sides[axis];
        if (paths->periodic & 1u << axis)
            to[axis] += floor((straight - position[axis]) / side + 0.5) * side;
    }
    return add_path_line(paths, list, number, to, time, error);
}

/* Extends a path to where its particle gets another velocity. */
static enum status anchor_at(struct picture_paths *paths, const struct participant *particle,
                             double time, struct error *error)
{
    const struct path_anchor anchor = {
        time, {particle->x, particle->y}, {particle->u, particle->v}};
    const enum status status =
        extend_path(paths, &paths->finished, particle->number, anchor.position, time, error);
    paths->anchors[particle->number] = anchor;
    return status;
}

static enum status add_collision(struct picture_paths *paths, const struct collision *collision,
                                 struct error *error)
{
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    if (paths->collision_count == paths->collision_capacity) {
        const size_t capacity = paths->collision_capacity > 0 ? 2 * paths->collision_capacity : 128;
        struct path_collision *collisions =
            memory_resize(paths->collisions, capacity, sizeof *collisions,
                          "the collisions of the picture", error);
        if (!collisions)
            return STATUS_NO_MEMORY;
        paths->collisions = collisions;
        paths->collision_capacity = capacity;
    }
    paths->collisions[paths->collision_count++] = (struct path_collision){
        .time = collision->time,
        .a = collision->a.number,
        .b = is_pair ? collision->b.number : collision->feature,
        .centre = {collision->a.x, collision->a.y},
        .separation = {is_pair ? collision->dx : 0, is_pair ? collision->dy : 0},
    };
    return STATUS_DONE;
}

enum status picture_paths_collide(struct picture_paths *paths, const struct collision *collision,
                                  struct error *error)
{
    paths->last.count = 0;
    enum status status = anchor_at(paths, &collision->a, collision->time, error);
    if (!status && collision->partner == PARTNER_PARTICLE)
        status = anchor_at(paths, &collision->b, collision->time, error);
    return status ? status : add_collision(paths, collision, error);
}

enum status picture_paths_renew(struct picture_paths *paths, const struct collision *passage,
                                struct error *error)
{
    paths->last.count = 0;
    return anchor_at(paths, &passage->a, passage->time, error);
}

enum status picture_paths_follow(struct picture_paths *paths, const struct snapshot *snapshot,
                                 struct error *error)
{
    enum status status = STATUS_DONE;
    paths->last.count = 0;
    for (size_t k = 0; k < paths->count && !status; k++) {
        double position[2];
        snapshot_position(snapshot, k, &position[0], &position[1]);
        status = extend_path(paths, &paths->last, (int32_t)k, position, snapshot->time, error);
    }
    return status;
}

static void put_vector(struct record_writer *writer, const double pair[2])
{
    record_put_number(writer, pair[0]);
    record_put_number(writer, pair[1]);
}

static void take_vector(struct record_reader *reader, double pair[2])
{
    pair[0] = record_take_number(reader, -DBL_MAX, DBL_MAX);
    pair[1] = record_take_number(reader, -DBL_MAX, DBL_MAX);
}

/* Features are saved as whole numbers from 0 on, before particles. */
static const int64_t LOWEST = INT32_MIN;

void picture_paths_save(const struct picture_paths *paths, struct record_writer *writer)
{
    for (size_t k = 0; k < paths->count; k++) {
        const struct path_anchor *anchor = &paths->anchors[k];
        put_vector(writer, paths->starts[k]);
        record_put_number(writer, anchor->time);
        put_vector(writer, anchor->position);
        put_vector(writer, anchor->velocity);
        record_end_line(writer);
    }
    record_put_whole(writer, paths->finished.count);
    record_put_whole(writer, paths->collision_count);
    record_end_line(writer);
    for (size_t k = 0; k < paths->finished.count; k++) {
        const struct path_segment *segment = &paths->finished.segments[k];
        record_put_whole(writer, (uint64_t)segment->number);
        put_vector(writer, segment->begin);
        put_vector(writer, segment->end);
        record_end_line(writer);
    }
    for (size_t k = 0; k < paths->collision_count; k++) {
        const struct path_collision *collision = &paths->collisions[k];
        record_put_number(writer, collision->time);
        record_put_whole(writer, (uint64_t)collision->a);
        record_put_whole(writer, (uint64_t)(collision->b - LOWEST));
        put_vector(writer, collision->centre);
        put_vector(writer, collision->separation);
        record_end_line(writer);
    }
}

/* Loads the segments and the collisions, which are allocated. */
static void take_segments(struct picture_paths *paths, struct record_reader *reader)
{
    for (size_t k = 0; k < paths->finished.count && !reader->status; k++) {
        struct path_segment *segment = &paths->finished.segments[k];
        segment->number = (int32_t)record_take_whole(reader, paths->count - 1);
        take_vector(reader, segment->begin);
        take_vector(reader, segment->end);
        record_expect_line_end(reader);
    }
    for (size_t k = 0; k < paths->collision_count && !reader->status; k++) {
        struct path_collision *collision = &paths->collisions[k];
        const uint64_t max = (uint64_t)((int64_t)paths->count - 1 - LOWEST);
        collision->time = record_take_number(reader, 0, DBL_MAX);
        collision->a = (int32_t)record_take_whole(reader, paths->count - 1);
        collision->b = (int32_t)((int64_t)record_take_whole(reader, max) + LOWEST);
        take_vector(reader, collision->centre);
        take_vector(reader, collision->separation);
        record_expect_line_end(reader);
    }
}

enum status picture_paths_load(struct picture_paths *paths, struct record_reader *reader)
{
    for (size_t k = 0; k < paths->count && !reader->status; k++) {
        struct path_anchor *anchor = &paths->anchors[k];
        take_vector(reader, paths->starts[k]);
        anchor->time = record_take_number(reader, 0, DBL_MAX);
        take_vector(reader, anchor->position);
        take_vector(reader, anchor->velocity);
        record_expect_line_end(reader);
    }
    const size_t segments = record_take_count(reader, PICTURE_MAX_SEGMENTS, 5);
    const size_t collisions = record_take_count(reader, PICTURE_MAX_SEGMENTS, 7);
    record_expect_line_end(reader);
    if (reader->status)
        return reader->status;
    paths->finished.segments = memory_allocate(segments + 1, sizeof *paths->finished.segments,
                                               "the paths of the picture", reader->error);
    paths->collisions = memory_allocate(collisions + 1, sizeof *paths->collisions,
                                        "the collisions of the picture", reader->error);
    if (!paths->finished.segments || !paths->collisions)
        return reader->status = STATUS_NO_MEMORY;
    paths->finished.count = segments;
    paths->finished.capacity = segments + 1;
    paths->collision_count = collisions;
    paths->collision_capacity = collisions + 1;
    take_segments(paths, reader);
    return reader->status;
}

/* True if collisions are so few that their times and disks are drawn. */
static int is_detailed(const struct picture_scene *scene)
{
    return scene->are_labelled && scene->extras.paths->collision_count <= MAX_DETAILED;
}

void picture_paths_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (scene->extras.paths)
        fputs(paths_style, stream);
}

void picture_paths_write_key(const struct picture_scene *scene, int y, FILE *stream)
{
    if (!scene->extras.paths)
        return;
    fprintf(stream,
            "<text class=\"quiet\" x=\"%d\" y=\"%d\">lines: paths of the centres; dots: "
            "collisions%s</text>\n",
            PICTURE_MARGIN, y,
            is_detailed(scene) ? "; dashed: disks at the start and where they touch" : "");
}

static void write_segment(const struct picture_scene *scene, const struct path_segment *segment,
                          const struct path_segment *before, size_t strip, FILE *stream)
{
    const struct picture_layout *layout = &scene->layout;
    const size_t first = picture_layout_strip(layout, segment->begin[0], segment->begin[1]);
    const size_t last = picture_layout_strip(layout, segment->end[0], segment->end[1]);
    double from[2];
    double to[2];
    if ((strip < first && strip < last) || (strip > first && strip > last))
        return;
    picture_layout_project(layout, strip, segment->begin[0], segment->begin[1], from);
    picture_layout_project(layout, strip, segment->end[0], segment->end[1], to);
    if (!before || layout->strips > 1 || before->end[0] != segment->begin[0] ||
        before->end[1] != segment->begin[1])
        fprintf(stream, "M%.2f %.2f", from[0], from[1]);
    fprintf(stream, "L%.2f %.2f\n", to[0], to[1]);
}

static void write_path(const struct picture_scene *scene, size_t number, size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    const struct segment_list *const lists[] = {&paths->finished, &paths->last};
    const struct body body = snapshot_body(scene->snapshot, number);
    const struct colour c = scene->species_count > 1
                                ? picture_scene_colour(scene, picture_scene_colour_of(scene, &body))
                                : picture_kind_colour(number % PATH_COLOURS);
    const struct path_segment *before = NULL;
    fprintf(stream, "<path class=\"path\" stroke=\"#%02x%02x%02x\" d=\"", c.red, c.green, c.blue);
    for (size_t list = 0; list < 2; list++) {
        for (size_t k = 0; k < lists[list]->count; k++) {
            const struct path_segment *segment = &lists[list]->segments[k];
            if ((size_t)segment->number != number)
                continue;
            write_segment(scene, segment, before, strip, stream);
            before = segment;
        }
    }
    fputs("\"/>\n", stream);
}

/* Writes the outline of a disk, and its images across seams; what is outside the box is clipped. */
static void write_ghost(const struct picture_scene *scene, size_t number, const double centre[2],
                        size_t strip, FILE *stream)
{
    const struct body body = snapshot_body(scene->snapshot, number);
    const struct picture_paths *paths = scene->extras.paths;
    for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
        double position[2] = {centre[0], centre[1]};
        if (image & ~paths->periodic)
            continue;
        for (int axis = 0; axis < 2; axis++)
            if (image & 1u << axis)
                position[axis] += position[axis] < paths->sides[axis] / 2 ? paths->sides[axis]
                                                                          : -paths->sides[axis];
        picture_layout_project(&scene->layout, strip, position[0], position[1], position);
        fprintf(stream, "<circle class=\"ghost\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n",
                position[0], position[1], picture_scene_radius(scene, &body));
    }
}

/* Writes the disks of a collision of two particles, and the line of their centres. */
static void write_contact(const struct picture_scene *scene, const struct path_collision *collision,
                          size_t strip, FILE *stream)
{
    const double other[2] = {collision->centre[0] + collision->separation[0],
                             collision->centre[1] + collision->separation[1]};
    double from[2];
    double to[2];
    write_ghost(scene, (size_t)collision->a, collision->centre, strip, stream);
    write_ghost(scene, (size_t)collision->b, other, strip, stream);
    picture_layout_project(&scene->layout, strip, collision->centre[0], collision->centre[1], from);
    picture_layout_project(&scene->layout, strip, other[0], other[1], to);
    fprintf(stream, "<path class=\"ghost centres\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", from[0],
            from[1], to[0], to[1]);
}

void picture_paths_write_strip(const struct picture_scene *scene, size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    if (!paths)
        return;
    for (size_t k = 0; k < paths->count && is_detailed(scene); k++)
        write_ghost(scene, k, paths->starts[k], strip, stream);
    for (size_t k = 0; k < paths->collision_count && is_detailed(scene); k++)
        if (event_partner(paths->collisions[k].b) == PARTNER_PARTICLE)
            write_contact(scene, &paths->collisions[k], strip, stream);
    for (size_t k = 0; k < paths->count; k++)
        write_path(scene, k, strip, stream);
}

/* Finds the point where two disks touch, or where a centre is as it meets a feature, in pixels. */
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
    picture_layout_project(&scene->layout, picture_layout_strip(&scene->layout, point[0], point[1]),
                           point[0], point[1], point);
}

/* Writes the time of a collision beside its point, towards the wall and so off the path. */
static void write_contact_time(const struct path_collision *collision, const double point[2],
                               FILE *stream)
{
    const char *anchor = "start";
    double position[2] = {point[0] + TEXT_GAP, point[1] + 4};
    if (collision->b == FEATURE_LEFT) {
        anchor = "end";
        position[0] = point[0] - TEXT_GAP;
    } else if (collision->b == FEATURE_TOP || collision->b == FEATURE_BOTTOM) {
        anchor = "middle";
        position[0] = point[0];
        position[1] = point[1] + (collision->b == FEATURE_TOP ? -TEXT_GAP - 1 : TEXT_GAP + 10);
    }
    fprintf(stream,
            "<text class=\"time\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">t = %.4g</text>\n",
            position[0], position[1], anchor, collision->time);
}

void picture_paths_write_collisions(const struct picture_scene *scene, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    for (size_t k = 0; paths && k < paths->collision_count; k++) {
        double point[2];
        find_contact_point(scene, &paths->collisions[k], point);
        fprintf(stream, "<circle class=\"meeting\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n",
                point[0], point[1], is_detailed(scene) ? SPOT_RADIUS : DOT_RADIUS);
        if (is_detailed(scene))
            write_contact_time(&paths->collisions[k], point, stream);
    }
}
