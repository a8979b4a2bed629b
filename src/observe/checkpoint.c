/*
 * Writing and reading checkpoints; see checkpoint.h. The manual page, "CHECKPOINT FILE", has
 * the format.
 *
 * The anchors are enough to go on from: a schedule can be made from them at any moment between two
 * collisions, and it predicts the same collisions to the last bit, for each predicted time is a
 * function of two anchors. So a checkpoint holds the system, particles in the order of their ids,
 * and what each observer saves.
 *
 * Each number that is read must be within the bounds that a run can reach, so that a forged file
 * does no harm. Whether particles are in the box is not checked: the rounding of positions and
 * times may put an anchor outside, and how far depends on how large both have become in the run.
 * But no square of a coordinate or velocity may overflow: the schedules rely on times that are
 * numbers, and on particles that cross the borders of cells one after the other.
 */
#include "observe/checkpoint.h"

#include "base/memory.h"
#include "base/pace.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "model/polygon_check.h"
#include "model/stream.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const double LONGEST_QUICK = 0.01; /* seconds between looks at the clock; see pace.h */

/*
 * Collisions can give all energy to the lightest particle. An input has at most 2^31 particles,
 * with masses up to 1e40 and speeds up to 1.5e40: with all that energy a mass of 1e-40 has a speed
 * of 1e85. In the longest run, 1e40, it goes no farther than 1e125.
 */
static const double LARGEST_SPEED = 1e85;
static const double LARGEST_COORDINATE = 1e126;
static const double MOST_IMAGES = 1e15; /* a run with more passages of seams is refused: stall.c */

struct checkpoint {
    struct observer observer;
    struct checkpoint_request request;
    struct pace pace;
    double written;               /* when the last one was written, by the clock */
    double time;                  /* of the simulation at that moment */
    int has_failed;               /* the last one could not be written */
    struct record_writer *writer; /* owned */
};

static void put_law(struct record_writer *writer, const struct law *law)
{
    record_put_word(writer, "law");
    record_put_word(writer, law->rule == RULE_SWAP ? "swap" : "elastic");
    record_put_number(writer, law->restitution);
    record_put_number(writer, law->contact_time);
    record_end_line(writer);
}

static void put_kinds(struct record_writer *writer, const struct system *system)
{
    record_put_word(writer, "kinds");
    record_put_whole(writer, system->kind_count);
    record_end_line(writer);
    for (size_t k = 0; k < system->kind_count; k++) {
        record_put_number(writer, system->kinds[k].radius);
        record_put_number(writer, system->kinds[k].mass);
        record_put_whole(writer, (uint64_t)system->kinds[k].species);
        record_end_line(writer);
    }
}

/* The vertices of each polygon; they are where its sides begin. */
static void put_polygons(struct record_writer *writer, const struct polygons *polygons)
{
    record_put_word(writer, "polygons");
    record_put_whole(writer, polygons ? polygons->count : 0);
    record_end_line(writer);
    for (size_t k = 0; polygons && k < polygons->count; k++) {
        const struct polygon *polygon = &polygons->list[k];
        record_put_whole(writer, polygon->side_count);
        record_put_whole(writer, (uint64_t)polygon->is_domain);
        record_end_line(writer);
        for (size_t m = 0; m < polygon->side_count; m++) {
            const struct side *side = &polygons->sides[polygon->first_side + m];
            record_put_number(writer, side->corner_x);
            record_put_number(writer, side->corner_y);
            record_end_line(writer);
        }
    }
}

static void put_particle(struct record_writer *writer, const struct particle *particle,
                         const struct counts *counts)
{
    record_put_number(writer, particle->x);
    record_put_number(writer, particle->y);
    record_put_number(writer, particle->u);
    record_put_number(writer, particle->v);
    record_put_number(writer, particle->t);
    record_put_number(writer, particle_since(particle));
    record_put_whole(writer, counts->walls);
    record_put_whole(writer, counts->particles);
    record_put_number(writer, (double)counts->x_image);
    record_put_number(writer, (double)counts->y_image);
    record_put_whole(writer, particle->kind);
    record_put_whole(writer, particle->draws);
    record_end_line(writer);
}

static void put_particles(struct record_writer *writer, const struct snapshot *snapshot)
{
    record_put_word(writer, "particles");
    record_put_whole(writer, snapshot->system->count);
    record_end_line(writer);
    for (size_t number = 0; number < snapshot->system->count; number++) {
        const struct particle particle = snapshot_anchor(snapshot, number);
        const struct counts counts = snapshot_counts(snapshot, number);
        put_particle(writer, &particle, &counts);
    }
}

static void put_line(struct record_writer *writer, const char *word, double value)
{
    record_put_word(writer, word);
    record_put_number(writer, value);
    record_end_line(writer);
}

/* A temperature of 0 says that there is no stream. */
static void put_stream(struct record_writer *writer, const struct stream *stream)
{
    record_put_word(writer, "stream");
    record_put_number(writer, stream->speed);
    record_put_number(writer, stream->temperature);
    record_put_whole(writer, stream->seed);
    record_end_line(writer);
}

/* The texts of the parts as bytes, for they have blanks. A step of 0 says that there is no scene.
 */
static void put_scene(struct record_writer *writer, const struct scene *scene)
{
    record_put_word(writer, "scene");
    record_put_number(writer, scene->step);
    record_put_whole(writer, scene->substeps);
    record_put_whole(writer, scene->count);
    record_end_line(writer);
    for (size_t k = 0; k < scene->count; k++) {
        const struct scene_part *part = &scene->parts[k];
        record_put_whole(writer, (uint64_t)part->is_constraint);
        record_put_whole(writer, strlen(part->text));
        record_put_bytes(writer, part->text, strlen(part->text));
        record_end_line(writer);
    }
}

static void put_system(struct checkpoint *checkpoint, const struct snapshot *snapshot)
{
    const struct system *system = snapshot->system;
    struct record_writer *writer = checkpoint->writer;
    put_line(writer, "time", checkpoint->time);
    put_line(writer, "end-time", checkpoint->request.end_time);
    put_law(writer, &system->law);
    record_put_word(writer, "box");
    record_put_number(writer, system->boundary.width);
    record_put_number(writer, system->boundary.height);
    record_put_whole(writer, system->boundary.periodic);
    record_end_line(writer);
    put_stream(writer, &system->boundary.stream);
    put_line(writer, "radius", system->radius);
    put_kinds(writer, system);
    put_polygons(writer, system->boundary.polygons);
    put_scene(writer, checkpoint->request.scene);
    put_particles(writer, snapshot);
}

/* Begins with the list of observers, so that a run that lacks one fails before it begins. */
static enum status put_observers(struct checkpoint *checkpoint, const struct snapshot *snapshot,
                                 struct error *error)
{
    const struct observers *observers = checkpoint->observer.all;
    struct record_writer *writer = checkpoint->writer;
    enum status status = STATUS_DONE;
    record_put_word(writer, "observers");
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->save)
            record_put_word(writer, observers->list[k]->operations->option);
    record_end_line(writer);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->save)
            status =
                observers->list[k]->operations->save(observers->list[k], snapshot, writer, error);
    return status;
}

/*
 * Writes the file. If that fails, `has_failed` tells whether it was the checkpoint that could not
 * be written. If it was the file of an observer, the run must not go on.
 */
static enum status write_file(struct checkpoint *checkpoint, const struct snapshot *snapshot,
                              struct error *error)
{
    struct output_file file;
    checkpoint->has_failed = 1;
    enum status status = output_file_open(&file, checkpoint->request.name, error);
    if (status)
        return status;
    file.is_durable = 1;
    record_begin(checkpoint->writer, file.stream);
    put_system(checkpoint, snapshot);
    status = put_observers(checkpoint, snapshot, error);
    if (status) {
        checkpoint->has_failed = 0;
        output_file_abandon(&file);
        return status;
    }
    record_finish(checkpoint->writer);
    status = output_file_complete(&file, error);
    if (!status)
        checkpoint->has_failed = 0;
    return status;
}

/* Writes a checkpoint. The files of the observers are kept from then on, even if the run fails. */
static enum status write_checkpoint(struct checkpoint *checkpoint, const struct snapshot *snapshot,
                                    struct error *error)
{
    const struct observers *observers = checkpoint->observer.all;
    double before = checkpoint->time;
    checkpoint->time = system_last_time(snapshot->system);
    enum status status = write_file(checkpoint, snapshot, error);
    checkpoint->written = checkpoint->request.clock();
    if (status)
        checkpoint->time = before;
    for (size_t k = 0; k < observers->count && !status; k++)
        observers->list[k]->is_saved = 1;
    return status;
}

/* Refuses the name of another run's checkpoint, or of something that is not a file. */
static enum status check_name(const struct checkpoint_request *request, struct error *error)
{
    struct stat state;
    if (stat(request->name, &state) != 0)
        return STATUS_DONE;
    if (!S_ISREG(state.st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: a checkpoint cannot be written there: it is not a file",
                         request->name);
    if (!request->may_replace)
        return error_set(error, STATUS_USAGE,
                         "%.2000s is there already: if it is the checkpoint of a run that was "
                         "interrupted, go on with that by --resume=%.2000s; otherwise remove it",
                         request->name, request->name);
    return STATUS_DONE;
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    checkpoint->writer = memory_allocate(1, sizeof *checkpoint->writer, "the checkpoint", error);
    if (!checkpoint->writer)
        return STATUS_NO_MEMORY;
    output_file_remove_stale(checkpoint->request.name);
    pace_begin(&checkpoint->pace, checkpoint->request.clock,
               fmin(LONGEST_QUICK, checkpoint->request.every / 10));
    return write_checkpoint(checkpoint, snapshot, error);
}

static enum status rest(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const int had_failed = checkpoint->has_failed;
    double now;
    if (!pace_count(&checkpoint->pace, &now) ||
        now - checkpoint->written < checkpoint->request.every)
        return STATUS_DONE;
    enum status status = write_checkpoint(checkpoint, snapshot, error);
    if (status != STATUS_CANNOT_WRITE || !checkpoint->has_failed)
        return status;
    if (!had_failed) {
        struct error warning;
        error_set(&warning, status, "%.5000s: the run goes on, and the checkpoint of time %g stays",
                  error->message, checkpoint->time);
        checkpoint->observer.all->warn(&warning);
    }
    return STATUS_DONE;
}

static enum status interrupt(struct observer *observer, const struct snapshot *snapshot,
                             struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const struct error message = *error;
    enum status status = write_checkpoint(checkpoint, snapshot, error);
    if (status)
        return status;
    return error_set(error, STATUS_INTERRUPTED,
                     "%.500s: to go on, give --resume=%.4100s and the same files to write",
                     message.message, checkpoint->request.name);
}

static void free_checkpoint(struct observer *observer)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    memory_free(checkpoint->writer);
    memory_free(checkpoint);
}

enum status checkpoint_create(const struct checkpoint_request *request, struct observer **observer,
                              struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin, .rest = rest, .interrupt = interrupt, .free = free_checkpoint};
    enum status status = check_name(request, error);
    if (status)
        return status;
    struct checkpoint *checkpoint = memory_allocate(1, sizeof *checkpoint, "checkpoints", error);
    if (!checkpoint)
        return STATUS_NO_MEMORY;
    *checkpoint =
        (struct checkpoint){.observer = {.operations = &operations, .next_look = (double)INFINITY},
                            .request = *request};
    *observer = &checkpoint->observer;
    return STATUS_DONE;
}

static void take_line(struct record_reader *reader, const char *word, double most, double *value)
{
    record_expect(reader, word);
    *value = record_take_number(reader, 0, most);
    record_expect_line_end(reader);
}

static void take_law(struct record_reader *reader, struct law *law)
{
    char rule[16];
    record_expect(reader, "law");
    record_take_word(reader, rule, sizeof rule);
    if (strcmp(rule, "swap") != 0 && strcmp(rule, "elastic") != 0)
        record_refuse(reader, "expected 'swap' or 'elastic'");
    law->rule = strcmp(rule, "swap") == 0 ? RULE_SWAP : RULE_ELASTIC;
    law->restitution = record_take_number(reader, 0, 1);
    law->contact_time = record_take_number(reader, 0, SYSTEM_LARGEST);
    record_expect_line_end(reader);
}

/* Makes a failed check of the system a failure of the reader. */
static enum status check(struct record_reader *reader, enum status status)
{
    if (status && !reader->status) {
        reader->status = status;
        error_locate(reader->error, reader->name, reader->line);
    }
    return reader->status;
}

static void take_stream(struct record_reader *reader, struct boundary *boundary)
{
    record_expect(reader, "stream");
    const double speed = record_take_number(reader, -STREAM_FASTEST, STREAM_FASTEST);
    const double temperature = record_take_number(reader, 0, STREAM_HOTTEST);
    const uint64_t seed = record_take_whole(reader, UINT64_MAX);
    if (temperature > 0 && !(boundary->periodic & PERIODIC_X))
        record_refuse(reader, "there is a stream, but no seam through which it flows");
    if (temperature > 0)
        boundary->stream = stream_make(speed, temperature, seed);
    record_expect_line_end(reader);
}

static enum status take_box(struct record_reader *reader, struct system *system)
{
    record_expect(reader, "box");
    system->boundary.width = record_take_number(reader, 0, SYSTEM_LARGEST);
    system->boundary.height = record_take_number(reader, 0, SYSTEM_LARGEST);
    system->boundary.periodic = (unsigned)record_take_whole(reader, PERIODIC_X | PERIODIC_Y);
    record_expect_line_end(reader);
    if (!reader->status)
        check(reader, boundary_check(&system->boundary, reader->error));
    take_stream(reader, &system->boundary);
    take_line(reader, "radius", SYSTEM_LARGEST, &system->radius);
    if (!reader->status)
        check(reader, system_check_radius(system, reader->error));
    return reader->status;
}

static enum status take_kind(struct record_reader *reader, const struct system *system,
                             struct kind *kind)
{
    kind->radius = record_take_number(reader, 0, SYSTEM_LARGEST);
    kind->mass = record_take_number(reader, SYSTEM_LEAST_MASS, SYSTEM_LARGEST_MASS);
    kind->species = (int32_t)record_take_whole(reader, INT32_MAX);
    record_expect_line_end(reader);
    if (!reader->status)
        check(reader, system_check_kind(kind, reader->error));
    if (kind->radius > boundary_largest_radius(&system->boundary))
        record_refuse(reader, "a particle of this radius does not fit into the box");
    return reader->status;
}

static enum status take_kinds(struct record_reader *reader, struct system *system)
{
    record_expect(reader, "kinds");
    system->kind_count = record_take_count(reader, SYSTEM_MAX_COUNT, 3);
    record_expect_line_end(reader);
    if (reader->status)
        return reader->status;
    if (system->kind_count == 0)
        return check(reader, system_check_box(system, reader->error));
    system->kinds = memory_allocate(system->kind_count, sizeof *system->kinds,
                                    "the kinds of particles", reader->error);
    if (!system->kinds)
        return reader->status = STATUS_NO_MEMORY;
    for (size_t k = 0; k < system->kind_count && !reader->status; k++)
        take_kind(reader, system, &system->kinds[k]);
    return reader->status;
}

/* Whether two vertices in a row are equal; the first one comes after the last. */
static int has_empty_side(const double (*vertices)[2], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const double *next = vertices[(k + 1) % count];
        if (vertices[k][0] == next[0] && vertices[k][1] == next[1])
            return 1;
    }
    return 0;
}

/* Takes a polygon. */
static enum status take_polygon(struct record_reader *reader, const struct boundary *boundary,
                                struct polygons *polygons)
{
    const size_t most = POLYGONS_MOST_SIDES - polygons->side_count;
    const size_t count = record_take_count(reader, most, 2);
    const int is_domain = (int)record_take_whole(reader, 1);
    record_expect_line_end(reader);
    if (count < 2)
        record_refuse(reader, "a polygon has less than two vertices");
    if (reader->status)
        return reader->status;
    double(*vertices)[2] =
        memory_allocate(count, sizeof *vertices, "the vertices of polygons", reader->error);
    if (!vertices)
        return reader->status = STATUS_NO_MEMORY;
    for (size_t k = 0; k < count; k++) {
        vertices[k][0] = record_take_number(reader, 0, 2 * boundary->width);
        vertices[k][1] = record_take_number(reader, 0, 2 * boundary->height);
        record_expect_line_end(reader);
    }
    if (has_empty_side((const double(*)[2])vertices, count))
        record_refuse(reader, "a polygon has a side of length 0");
    if (!reader->status && polygons_add(polygons, (const double(*)[2])vertices, count, is_domain,
                                        is_domain, reader->error))
        reader->status = STATUS_NO_MEMORY;
    memory_free(vertices);
    return reader->status;
}

/*
 * Takes the polygons, or NULL if there are none; they are for polygons_attach. How they are nested
 * is found out anew.
 */
static enum status take_polygons(struct record_reader *reader, const struct boundary *boundary,
                                 struct polygons **polygons)
{
    struct polygon_fault fault = {POLYGON_SOUND, 0, 0};
    record_expect(reader, "polygons");
    const size_t count = record_take_count(reader, POLYGONS_MOST_SIDES, 6);
    record_expect_line_end(reader);
    if (reader->status || count == 0)
        return reader->status;
    *polygons = memory_allocate(1, sizeof **polygons, "the polygons", reader->error);
    if (!*polygons)
        return reader->status = STATUS_NO_MEMORY;
    **polygons = (struct polygons){0};
    for (size_t k = 0; k < count && !reader->status; k++)
        take_polygon(reader, boundary, *polygons);
    if (!reader->status && polygons_check(*polygons, boundary, &fault, reader->error))
        reader->status = STATUS_NO_MEMORY;
    if (fault.kind != POLYGON_SOUND)
        record_refuse(reader, "the polygons cross");
    return reader->status;
}

static enum status take_part(struct record_reader *reader, struct scene *scene)
{
    char text[SCENE_TEXT_SIZE] = "";
    const int is_constraint = (int)record_take_whole(reader, 1);
    const size_t length = record_take_count(reader, SCENE_TEXT_SIZE - 1, 1);
    if (length > 0)
        record_take_bytes(reader, text, length);
    record_expect_line_end(reader);
    if (!reader->status)
        check(reader, scene_add(scene, is_constraint, text, reader->error));
    return reader->status;
}

static void take_scene(struct record_reader *reader, struct scene *scene)
{
    record_expect(reader, "scene");
    scene->step = record_take_number(reader, 0, SYSTEM_LARGEST);
    scene->substeps = (uint32_t)record_take_whole(reader, SCENE_MOST_SUBSTEPS);
    const size_t count = record_take_count(reader, SCENE_MOST_PARTS, 2);
    record_expect_line_end(reader);
    if (scene->step > 0 && scene->substeps == 0)
        record_refuse(reader, "a step has no substeps");
    for (size_t k = 0; k < count && !reader->status; k++)
        take_part(reader, scene);
}

static void take_particle(struct record_reader *reader, const struct system *system, size_t id,
                          double end_time)
{
    uint64_t most_kind = system->kind_count > 0 ? system->kind_count - 1 : 0;
    struct particle *particle = &system->particles[id];
    struct counts *counts = &system->counts[id];
    particle->x = record_take_number(reader, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    particle->y = record_take_number(reader, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    particle->u = record_take_number(reader, -LARGEST_SPEED, LARGEST_SPEED);
    particle->v = record_take_number(reader, -LARGEST_SPEED, LARGEST_SPEED);
    particle->t = record_take_number(reader, 0, end_time);
    double since = record_take_number(reader, 0, particle->t);
    counts->walls = record_take_whole(reader, UINT64_MAX);
    counts->particles = record_take_whole(reader, UINT64_MAX);
    counts->x_image = (int64_t)record_take_number(reader, -MOST_IMAGES, MOST_IMAGES);
    counts->y_image = (int64_t)record_take_number(reader, -MOST_IMAGES, MOST_IMAGES);
    particle->kind = (uint32_t)record_take_whole(reader, most_kind);
    particle->draws =
        (uint32_t)record_take_whole(reader, system->boundary.stream.draw ? UINT32_MAX : 0);
    if (counts->walls + counts->particles > 0 || particle->draws > 0)
        particle->collided = since;
    record_expect_line_end(reader);
}

static enum status take_particles(struct record_reader *reader, struct system *system,
                                  double end_time)
{
    record_expect(reader, "particles");
    system->count = record_take_count(reader, SYSTEM_MAX_COUNT, 12);
    record_expect_line_end(reader);
    if (system->count == 0)
        record_refuse(reader, "there is no particle");
    if (reader->status)
        return reader->status;
    if (system_reserve(system, 0, system->count, reader->error))
        return reader->status = STATUS_NO_MEMORY;
    for (size_t id = 0; id < system->count && !reader->status; id++)
        take_particle(reader, system, id, end_time);
    return reader->status;
}

enum status checkpoint_read_system(struct record_reader *reader, const char *name,
                                   struct system *system, double *end_time, struct scene *scene,
                                   struct error *error)
{
    double time;
    struct polygons *polygons = NULL;
    *system = (struct system){0};
    enum status status = record_open(reader, name, error);
    if (status)
        return status;
    output_file_remove_stale(name);
    take_line(reader, "time", SYSTEM_LARGEST, &time);
    take_line(reader, "end-time", SYSTEM_LARGEST, end_time);
    take_law(reader, &system->law);
    status = take_box(reader, system);
    if (!status)
        status = take_kinds(reader, system);
    if (!status)
        status = take_polygons(reader, &system->boundary, &polygons);
    if (!status)
        take_scene(reader, scene);
    if (!reader->status)
        status = take_particles(reader, system, *end_time);
    if (!status && system->boundary.stream.draw)
        status = check(reader, stream_complete(system, error));
    if (!status && polygons)
        status = polygons_attach(polygons, system, error);
    else
        polygons_free(polygons);
    if (status)
        system_free(system);
    return status;
}

/* The first observer from number `k` on that saves something; or `count`, if there is none. */
static size_t find_next(const struct observers *observers, size_t k)
{
    while (k < observers->count && !observers->list[k]->operations->load)
        k++;
    return k;
}

/*
 * Compares the observers with the list in the checkpoint. Both are in the order in which this
 * program makes observers.
 */
static enum status compare(struct record_reader *reader, const struct observers *observers,
                           struct error *error)
{
    size_t k = find_next(observers, 0);
    record_expect(reader, "observers");
    while (!reader->status && !reader->is_line_end) {
        char option[32];
        record_take_word(reader, option, sizeof option);
        size_t same = k;
        while (same < observers->count &&
               strcmp(observers->list[same]->operations->option, option) != 0)
            same = find_next(observers, same + 1);
        if (reader->status)
            break;
        if (same == observers->count)
            return error_set(error, STATUS_USAGE,
                             "%.4100s is the checkpoint of a run with %s: give it again",
                             reader->name, option);
        if (same != k)
            break;
        k = find_next(observers, k + 1);
    }
    if (!reader->status && k < observers->count)
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run without %s, which cannot begin in the "
                         "middle of a run: leave it out",
                         reader->name, observers->list[k]->operations->option);
    return reader->status;
}

enum status checkpoint_read_observers(struct record_reader *reader, struct observers *observers,
                                      const struct system *system, struct error *error)
{
    const struct snapshot snapshot = snapshot_in_order(system, system_last_time(system));
    enum status status = compare(reader, observers, error);
    for (size_t k = find_next(observers, 0); k < observers->count && !status;
         k = find_next(observers, k + 1)) {
        struct observer *observer = observers->list[k];
        observer->has_begun = 1;
        observer->is_saved = 1;
        status = observer->operations->load(observer, &snapshot, reader, error);
    }
    return status ? status : record_expect_end(reader);
}
