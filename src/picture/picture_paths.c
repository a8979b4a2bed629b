/*
 * Records the paths of the particles, and draws them; see picture_paths.h.
 *
 * Between two events a particle moves in a straight line, and observers are told exactly where its
 * collisions are. Where it passes seams in between follows: it ends a whole number of sides away
 * from where the line would end without seams, and its velocity says how many. There the line is
 * cut.
 */
#include "picture_paths.h"

#include "base/memory.h"
#include "io/record.h"

#include <float.h>
#include <math.h>

/* Where a particle was when it got the velocity that it has. */
struct turn {
    double time;
    double place[2];
    double velocity[2];
};

/* A straight part of a path, in the box. */
struct piece {
    int32_t number; /* of the particle */
    double begin[2];
    double end[2];
};

struct piece_list {
    size_t count, room;
    struct piece *pieces; /* owned */
};

/* A collision. */
struct meeting {
    double time;
    int32_t a;
    int32_t b;        /* the other particle, or a feature of the boundary */
    double centre[2]; /* of a */
    double way[2];    /* from there to the centre of the other particle; otherwise 0 */
};

struct picture_paths {
    size_t count;           /* of particles */
    double sides[2];        /* of the box */
    unsigned periodic;      /* its axes with seams */
    double (*starts)[2];    /* where each began; owned, as are all below */
    struct turn *turns;     /* the last of each */
    struct piece_list past; /* up to these turns, in the order in which they happened; */
    struct piece_list last; /* and from there on, up to the snapshot that was followed last */
    size_t meeting_count, meeting_room;
    struct meeting *meetings;
};

/* In pixels. */
static const double DOT_RADIUS = 1.6;  /* of a collision among many, */
static const double SPOT_RADIUS = 3.5; /* and of one of a few */
static const double TEXT_GAP = 8;      /* between that and its time */

enum {
    MOST_DETAILED = 24, /* collisions whose times and disks are drawn */
    PATH_COLOURS = 6    /* of the kinds: those that are seen on light and dark ground */
};

static const char style[] =
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
    if (count > PICTURE_MOST_PATHS)
        return error_set(error, STATUS_USAGE,
                         "--paths is for up to %d particles, and there are %zu: leave it out",
                         PICTURE_MOST_PATHS, count);
    struct picture_paths *made = memory_allocate(1, sizeof *made, what, error);
    if (!made)
        return STATUS_NO_MEMORY;
    *made = (struct picture_paths){
        .count = count, .sides = {box->width, box->height}, .periodic = box->periodic};
    made->starts = memory_allocate(count, sizeof *made->starts, what, error);
    made->turns = memory_allocate(count, sizeof *made->turns, what, error);
    if (!made->starts || !made->turns) {
        picture_paths_free(made);
        return STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        struct turn *turn = &made->turns[k];
        *turn = (struct turn){.time = snapshot->time, .velocity = {body.u, body.v}};
        snapshot_position(snapshot, k, &turn->place[0], &turn->place[1]);
        made->starts[k][0] = turn->place[0];
        made->starts[k][1] = turn->place[1];
    }
    *paths = made;
    return STATUS_DONE;
}

void picture_paths_free(struct picture_paths *paths)
{
    if (!paths)
        return;
    memory_free(paths->starts);
    memory_free(paths->turns);
    memory_free(paths->past.pieces);
    memory_free(paths->last.pieces);
    memory_free(paths->meetings);
    memory_free(paths);
}

static enum status add_piece(struct picture_paths *paths, struct piece_list *list,
                             const struct piece *piece, double time, struct error *error)
{
    if (paths->past.count + paths->last.count == PICTURE_MOST_PIECES)
        return error_set(
            error, STATUS_USAGE,
            "--paths is for up to %d straight pieces of paths, and up to time %g there "
            "are more: choose an earlier END_TIME, or leave it out",
            PICTURE_MOST_PIECES, time);
    if (list->count == list->room) {
        const size_t room = list->room > 0 ? 2 * list->room : 256;
        struct piece *pieces =
            memory_resize(list->pieces, room, sizeof *pieces, "the paths of the picture", error);
        if (!pieces)
            return STATUS_NO_MEMORY;
        list->pieces = pieces;
        list->room = room;
    }
    list->pieces[list->count++] = *piece;
    return STATUS_DONE;
}

/*
 * Finds the seam that a line meets next after having passed `passed` of those across each axis.
 * Returns the axis, and in `*part` how much of the line is before it; or 2 if there is none.
 */
static int find_seam(const struct picture_paths *paths, const double from[2], const double to[2],
                     const double passed[2], double *part)
{
    int next = 2;
    *part = 1;
    for (int axis = 0; axis < 2; axis++) {
        const double length = to[axis] - from[axis];
        const double seam = (passed[axis] + (length > 0 ? 1 : 0)) * paths->sides[axis];
        if (length == 0 || !(paths->periodic & 1u << axis) || (seam - from[axis]) / length >= *part)
            continue;
        *part = (seam - from[axis]) / length;
        next = axis;
    }
    return next;
}

/* Adds a line that begins in the box, and is cut into pieces at the seams that it passes. */
static enum status add_line(struct picture_paths *paths, struct piece_list *list, int32_t number,
                            const double to[2], double time, struct error *error)
{
    const double *from = paths->turns[number].place;
    double passed[2] = {0, 0}; /* seams across each axis; less than 0 to the left or downwards */
    struct piece piece = {.number = number, .begin = {from[0], from[1]}};
    for (;;) {
        double part;
        const int seam = find_seam(paths, from, to, passed, &part);
        const int is_last = seam == 2;
        for (int axis = 0; axis < 2; axis++)
            piece.end[axis] = (is_last ? to[axis] : from[axis] + part * (to[axis] - from[axis])) -
                              passed[axis] * paths->sides[axis];
        const int is_upwards = !is_last && to[seam] > from[seam];
        if (!is_last)
            piece.end[seam] = is_upwards ? paths->sides[seam] : 0;
        const enum status status = add_piece(paths, list, &piece, time, error);
        if (status || is_last)
            return status;
        piece.begin[0] = piece.end[0];
        piece.begin[1] = piece.end[1];
        piece.begin[seam] = is_upwards ? 0 : paths->sides[seam];
        passed[seam] += is_upwards ? 1 : -1;
    }
}

/* Adds a line from the last turn of a particle to a place in the box, where it is at `time`. */
static enum status go_to(struct picture_paths *paths, struct piece_list *list, int32_t number,
                         const double place[2], double time, struct error *error)
{
    const struct turn *turn = &paths->turns[number];
    double to[2] = {place[0], place[1]};
    for (int axis = 0; axis < 2; axis++) {
        const double straight = turn->place[axis] + turn->velocity[axis] * (time - turn->time);
        const double side = paths->sides[axis];
        if (paths->periodic & 1u << axis)
            to[axis] += floor((straight - place[axis]) / side + 0.5) * side;
    }
    return add_line(paths, list, number, to, time, error);
}

/* Takes a particle to where it gets another velocity. */
static enum status turn_at(struct picture_paths *paths, const struct participant *particle,
                           double time, struct error *error)
{
    const struct turn turn = {time, {particle->x, particle->y}, {particle->u, particle->v}};
    const enum status status =
        go_to(paths, &paths->past, particle->number, turn.place, time, error);
    paths->turns[particle->number] = turn;
    return status;
}

static enum status add_meeting(struct picture_paths *paths, const struct collision *collision,
                               struct error *error)
{
    const int is_pair = collision->partner == PARTNER_PARTICLE;
    if (paths->meeting_count == paths->meeting_room) {
        const size_t room = paths->meeting_room > 0 ? 2 * paths->meeting_room : 128;
        struct meeting *meetings = memory_resize(paths->meetings, room, sizeof *meetings,
                                                 "the collisions of the picture", error);
        if (!meetings)
            return STATUS_NO_MEMORY;
        paths->meetings = meetings;
        paths->meeting_room = room;
    }
    paths->meetings[paths->meeting_count++] = (struct meeting){
        .time = collision->time,
        .a = collision->a.number,
        .b = is_pair ? collision->b.number : collision->feature,
        .centre = {collision->a.x, collision->a.y},
        .way = {is_pair ? collision->dx : 0, is_pair ? collision->dy : 0},
    };
    return STATUS_DONE;
}

enum status picture_paths_collide(struct picture_paths *paths, const struct collision *collision,
                                  struct error *error)
{
    paths->last.count = 0;
    enum status status = turn_at(paths, &collision->a, collision->time, error);
    if (!status && collision->partner == PARTNER_PARTICLE)
        status = turn_at(paths, &collision->b, collision->time, error);
    return status ? status : add_meeting(paths, collision, error);
}

enum status picture_paths_renew(struct picture_paths *paths, const struct collision *passage,
                                struct error *error)
{
    paths->last.count = 0;
    return turn_at(paths, &passage->a, passage->time, error);
}

enum status picture_paths_follow(struct picture_paths *paths, const struct snapshot *snapshot,
                                 struct error *error)
{
    enum status status = STATUS_DONE;
    paths->last.count = 0;
    for (size_t k = 0; k < paths->count && !status; k++) {
        double place[2];
        snapshot_position(snapshot, k, &place[0], &place[1]);
        status = go_to(paths, &paths->last, (int32_t)k, place, snapshot->time, error);
    }
    return status;
}

static void put_pair(struct record_writer *writer, const double pair[2])
{
    record_put_number(writer, pair[0]);
    record_put_number(writer, pair[1]);
}

static void take_pair(struct record_reader *reader, double pair[2])
{
    pair[0] = record_take_number(reader, -DBL_MAX, DBL_MAX);
    pair[1] = record_take_number(reader, -DBL_MAX, DBL_MAX);
}

/* Features are saved as whole numbers from 0 on, before particles. */
static const int64_t LOWEST = INT32_MIN;

void picture_paths_save(const struct picture_paths *paths, struct record_writer *writer)
{
    for (size_t k = 0; k < paths->count; k++) {
        const struct turn *turn = &paths->turns[k];
        put_pair(writer, paths->starts[k]);
        record_put_number(writer, turn->time);
        put_pair(writer, turn->place);
        put_pair(writer, turn->velocity);
        record_end_line(writer);
    }
    record_put_whole(writer, paths->past.count);
    record_put_whole(writer, paths->meeting_count);
    record_end_line(writer);
    for (size_t k = 0; k < paths->past.count; k++) {
        const struct piece *piece = &paths->past.pieces[k];
        record_put_whole(writer, (uint64_t)piece->number);
        put_pair(writer, piece->begin);
        put_pair(writer, piece->end);
        record_end_line(writer);
    }
    for (size_t k = 0; k < paths->meeting_count; k++) {
        const struct meeting *meeting = &paths->meetings[k];
        record_put_number(writer, meeting->time);
        record_put_whole(writer, (uint64_t)meeting->a);
        record_put_whole(writer, (uint64_t)(meeting->b - LOWEST));
        put_pair(writer, meeting->centre);
        put_pair(writer, meeting->way);
        record_end_line(writer);
    }
}

/* Loads the pieces and the collisions, for which there is room. */
static void take_lists(struct picture_paths *paths, struct record_reader *reader)
{
    for (size_t k = 0; k < paths->past.count && !reader->status; k++) {
        struct piece *piece = &paths->past.pieces[k];
        piece->number = (int32_t)record_take_whole(reader, paths->count - 1);
        take_pair(reader, piece->begin);
        take_pair(reader, piece->end);
        record_expect_line_end(reader);
    }
    for (size_t k = 0; k < paths->meeting_count && !reader->status; k++) {
        struct meeting *meeting = &paths->meetings[k];
        const uint64_t most = (uint64_t)((int64_t)paths->count - 1 - LOWEST);
        meeting->time = record_take_number(reader, 0, DBL_MAX);
        meeting->a = (int32_t)record_take_whole(reader, paths->count - 1);
        meeting->b = (int32_t)((int64_t)record_take_whole(reader, most) + LOWEST);
        take_pair(reader, meeting->centre);
        take_pair(reader, meeting->way);
        record_expect_line_end(reader);
    }
}

enum status picture_paths_load(struct picture_paths *paths, struct record_reader *reader)
{
    for (size_t k = 0; k < paths->count && !reader->status; k++) {
        struct turn *turn = &paths->turns[k];
        take_pair(reader, paths->starts[k]);
        turn->time = record_take_number(reader, 0, DBL_MAX);
        take_pair(reader, turn->place);
        take_pair(reader, turn->velocity);
        record_expect_line_end(reader);
    }
    const size_t pieces = record_take_count(reader, PICTURE_MOST_PIECES, 5);
    const size_t meetings = record_take_count(reader, PICTURE_MOST_PIECES, 7);
    record_expect_line_end(reader);
    if (reader->status)
        return reader->status;
    paths->past.pieces = memory_allocate(pieces + 1, sizeof *paths->past.pieces,
                                         "the paths of the picture", reader->error);
    paths->meetings = memory_allocate(meetings + 1, sizeof *paths->meetings,
                                      "the collisions of the picture", reader->error);
    if (!paths->past.pieces || !paths->meetings)
        return reader->status = STATUS_NO_MEMORY;
    paths->past.count = pieces;
    paths->past.room = pieces + 1;
    paths->meeting_count = meetings;
    paths->meeting_room = meetings + 1;
    take_lists(paths, reader);
    return reader->status;
}

/* Whether there is room for the times of collisions, and for the disks that took part. */
static int is_detailed(const struct picture_scene *scene)
{
    return scene->are_labelled && scene->extras.paths->meeting_count <= MOST_DETAILED;
}

void picture_paths_write_style(const struct picture_scene *scene, FILE *stream)
{
    if (scene->extras.paths)
        fputs(style, stream);
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

static void write_piece(const struct picture_scene *scene, const struct piece *piece,
                        const struct piece *before, size_t strip, FILE *stream)
{
    const struct picture_layout *layout = &scene->layout;
    const size_t first = picture_layout_strip(layout, piece->begin[0], piece->begin[1]);
    const size_t last = picture_layout_strip(layout, piece->end[0], piece->end[1]);
    double from[2];
    double to[2];
    if ((strip < first && strip < last) || (strip > first && strip > last))
        return;
    picture_layout_place(layout, strip, piece->begin[0], piece->begin[1], from);
    picture_layout_place(layout, strip, piece->end[0], piece->end[1], to);
    if (!before || layout->strips > 1 || before->end[0] != piece->begin[0] ||
        before->end[1] != piece->begin[1])
        fprintf(stream, "M%.2f %.2f", from[0], from[1]);
    fprintf(stream, "L%.2f %.2f\n", to[0], to[1]);
}

static void write_path(const struct picture_scene *scene, size_t number, size_t strip, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    const struct piece_list *const lists[] = {&paths->past, &paths->last};
    const struct body body = snapshot_body(scene->snapshot, number);
    const struct colour c = scene->species_count > 1
                                ? picture_scene_colour(scene, picture_scene_colour_of(scene, &body))
                                : picture_palette_kind(number % PATH_COLOURS);
    const struct piece *before = NULL;
    fprintf(stream, "<path class=\"path\" stroke=\"#%02x%02x%02x\" d=\"", c.red, c.green, c.blue);
    for (size_t list = 0; list < 2; list++) {
        for (size_t k = 0; k < lists[list]->count; k++) {
            const struct piece *piece = &lists[list]->pieces[k];
            if ((size_t)piece->number != number)
                continue;
            write_piece(scene, piece, before, strip, stream);
            before = piece;
        }
    }
    fputs("\"/>\n", stream);
}

/* Writes the outline of a disk at a place, which may be beside the box: it is cut at seams. */
static void write_ghost(const struct picture_scene *scene, size_t number, const double centre[2],
                        size_t strip, FILE *stream)
{
    const struct body body = snapshot_body(scene->snapshot, number);
    const struct picture_paths *paths = scene->extras.paths;
    for (unsigned image = 0; image < PICTURE_IMAGES; image++) {
        double place[2] = {centre[0], centre[1]};
        if (image & ~paths->periodic)
            continue;
        for (int axis = 0; axis < 2; axis++)
            if (image & 1u << axis)
                place[axis] +=
                    place[axis] < paths->sides[axis] / 2 ? paths->sides[axis] : -paths->sides[axis];
        picture_layout_place(&scene->layout, strip, place[0], place[1], place);
        fprintf(stream, "<circle class=\"ghost\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", place[0],
                place[1], picture_scene_radius(scene, &body));
    }
}

/* Writes the disks of a collision of two particles, and the line of their centres. */
static void write_pair(const struct picture_scene *scene, const struct meeting *meeting,
                       size_t strip, FILE *stream)
{
    const double other[2] = {meeting->centre[0] + meeting->way[0],
                             meeting->centre[1] + meeting->way[1]};
    double from[2];
    double to[2];
    write_ghost(scene, (size_t)meeting->a, meeting->centre, strip, stream);
    write_ghost(scene, (size_t)meeting->b, other, strip, stream);
    picture_layout_place(&scene->layout, strip, meeting->centre[0], meeting->centre[1], from);
    picture_layout_place(&scene->layout, strip, other[0], other[1], to);
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
    for (size_t k = 0; k < paths->meeting_count && is_detailed(scene); k++)
        if (event_partner(paths->meetings[k].b) == PARTNER_PARTICLE)
            write_pair(scene, &paths->meetings[k], strip, stream);
    for (size_t k = 0; k < paths->count; k++)
        write_path(scene, k, strip, stream);
}

/* Where a collision is marked: two disks touch there, or a centre turns; in pixels. */
static void find_mark(const struct picture_scene *scene, const struct meeting *meeting,
                      double mark[2])
{
    const struct picture_paths *paths = scene->extras.paths;
    double part = 0; /* of the way to the other centre */
    if (event_partner(meeting->b) == PARTNER_PARTICLE) {
        const double a = snapshot_body(scene->snapshot, (size_t)meeting->a).radius;
        const double b = snapshot_body(scene->snapshot, (size_t)meeting->b).radius;
        part = a + b > 0 ? a / (a + b) : 0;
    }
    for (int axis = 0; axis < 2; axis++) {
        mark[axis] = meeting->centre[axis] + part * meeting->way[axis];
        if (paths->periodic & 1u << axis)
            mark[axis] -= floor(mark[axis] / paths->sides[axis]) * paths->sides[axis];
    }
    picture_layout_place(&scene->layout, picture_layout_strip(&scene->layout, mark[0], mark[1]),
                         mark[0], mark[1], mark);
}

/* Writes the time of a collision beside its mark, off the path: towards the wall. */
static void write_time(const struct meeting *meeting, const double mark[2], FILE *stream)
{
    const char *anchor = "start";
    double place[2] = {mark[0] + TEXT_GAP, mark[1] + 4};
    if (meeting->b == FEATURE_LEFT) {
        anchor = "end";
        place[0] = mark[0] - TEXT_GAP;
    } else if (meeting->b == FEATURE_TOP || meeting->b == FEATURE_BOTTOM) {
        anchor = "middle";
        place[0] = mark[0];
        place[1] = mark[1] + (meeting->b == FEATURE_TOP ? -TEXT_GAP - 1 : TEXT_GAP + 10);
    }
    fprintf(stream,
            "<text class=\"time\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">t = %.4g</text>\n",
            place[0], place[1], anchor, meeting->time);
}

void picture_paths_write_collisions(const struct picture_scene *scene, FILE *stream)
{
    const struct picture_paths *paths = scene->extras.paths;
    for (size_t k = 0; paths && k < paths->meeting_count; k++) {
        double mark[2];
        find_mark(scene, &paths->meetings[k], mark);
        fprintf(stream, "<circle class=\"meeting\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", mark[0],
                mark[1], is_detailed(scene) ? SPOT_RADIUS : DOT_RADIUS);
        if (is_detailed(scene))
            write_time(&paths->meetings[k], mark, stream);
    }
}
