/*
 * Writing and reading checkpoints; see writers.h. The functions named record_ are their format.
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

#include "observe/writers.h"

#include "base/memory.h"
#include "io/record.h"
#include "lattice/lattice.h"
#include "model/boundary_law.h"
#include "model/polygons.h"
#include "run/growth.h"
#include "steps/steps.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const double MAX_UNTIMED = 0.01; /* seconds; see struct pace */

/* With all energy of 2^31 particles of mass 1e40 and speed 1.5e40, the lightest particle, of mass
 * 1e-40, has a speed of 1e85. In the longest run, 1e40, it goes no farther than 1e125. */
static const double LARGEST_SPEED = 1e85;
static const double LARGEST_COORDINATE = 1e126;
static const double MAX_IMAGES = 1e15; /* more passages of seams are refused: simulation.c */

struct checkpoint {
    struct observer observer; /* the first member: see observer.h */
    struct checkpoint_settings settings;
    struct pace pace;
    double written;       /* when the last one was written, by the clock */
    double time;          /* of the simulation at that moment */
    int has_failed;       /* the last one could not be written */
    struct record record; /* the one that is being written */
};

/* Makes a check of the system one of the record, which has not failed so far. */
static void checkpoint_check(struct record *record, enum status status)
{
    record->status = error_locate(record->error, status, record->name, record->line);
}

static void record_named(struct record *record, const char *word, double *value, double max)
{
    record_word(record, word);
    record_number(record, value, 0, max);
    record_end_line(record);
}

static void record_law(struct record *record, struct system_law *law, struct surfaces *surfaces)
{
    char rule[16];
    strcpy(rule, surfaces->are_rough ? "rough" : law->rule == RULE_SWAP ? "swap" : "elastic");
    record_word(record, "law");
    record_text(record, rule, sizeof rule);
    if (strcmp(rule, "swap") != 0 && strcmp(rule, "elastic") != 0 && strcmp(rule, "rough") != 0)
        record_refuse(record, "expected 'swap', 'elastic' or 'rough'");
    law->rule = strcmp(rule, "swap") == 0 ? RULE_SWAP : RULE_ELASTIC;
    surfaces->are_rough = strcmp(rule, "rough") == 0;
    record_number(record, &law->restitution, 0, 1);
    record_number(record, &law->contact_time, 0, SYSTEM_LARGEST);
    if (surfaces->are_rough) {
        record_number(record, &surfaces->roughness, -1, 1);
        record_number(record, &surfaces->friction, 0, SYSTEM_LARGEST);
        record_number(record, &surfaces->inertia, SURFACES_LEAST_INERTIA, 1);
    }
    record_end_line(record);
}

/* A temperature of 0 says that there is no stream. */
static void record_stream(struct record *record, struct boundary *boundary)
{
    struct stream *stream = &boundary->stream;
    record_word(record, "stream");
    record_number(record, &stream->speed, -STREAM_FASTEST, STREAM_FASTEST);
    record_number(record, &stream->temperature, 0, STREAM_HOTTEST);
    record_whole(record, &stream->seed, UINT64_MAX);
    if (stream->temperature > 0 && !(boundary->periodic & PERIODIC_X))
        record_refuse(record, "there is a stream, but no seam through which it flows");
    if (record->is_reading)
        *stream = stream->temperature > 0
                      ? stream_make(stream->speed, stream->temperature, stream->seed)
                      : (struct stream){0};
    record_end_line(record);
}

/* Of a rate 0 nothing else counts. */
static void record_growth(struct record *record, double end_time, struct system *system)
{
    struct system_growth *growth = &system->growth;
    record_word(record, "growth");
    record_number(record, &system->boundary.growth, 0, SYSTEM_LARGEST);
    record_number(record, &growth->pressure, 0, SYSTEM_LARGEST);
    record_number(record, &growth->energy, 0, DBL_MAX);
    record_number(record, &growth->begin, 0, end_time);
    record_number(record, &growth->work, -DBL_MAX, DBL_MAX);
    record_number(record, &growth->action, 0, DBL_MAX);
    record_number(record, &growth->since, 0, end_time);
    record_number(record, &growth->jamming, 0, DBL_MAX);
    record_whole(record, &growth->collisions, UINT64_MAX);
    record_whole(record, &growth->next, UINT64_MAX);
    record_whole(record, &growth->each, UINT64_MAX);
    record_number(record, &growth->until, 0, DBL_MAX);
    if (system->boundary.growth > 0 && growth->next < growth->collisions)
        record_refuse(record, "velocities of disks that grow should have been scaled");
    record_end_line(record);
}

static void record_box(struct record *record, struct system *system)
{
    struct boundary *boundary = &system->boundary;
    uint32_t periodic = boundary->periodic;
    double gravity[] = {boundary->gravity.x, boundary->gravity.y};
    record_word(record, "box");
    record_number(record, &boundary->width, 0, SYSTEM_LARGEST);
    record_number(record, &boundary->height, 0, SYSTEM_LARGEST);
    record_uint32(record, &periodic, PERIODIC_X | PERIODIC_Y);
    boundary->periodic = periodic;
    record_number(record, &gravity[0], -SYSTEM_LARGEST, SYSTEM_LARGEST);
    record_number(record, &gravity[1], -SYSTEM_LARGEST, SYSTEM_LARGEST);
    boundary->gravity = acceleration_make(gravity);
    if ((gravity[0] != 0 && periodic & PERIODIC_X) || (gravity[1] != 0 && periodic & PERIODIC_Y))
        record_refuse(record, "gravity acts along a periodic axis");
    record_end_line(record);
    if (!record->status)
        checkpoint_check(record, system_check_box(boundary, record->error));
    record_stream(record, boundary);
    record_named(record, "radius", &system->radius, SYSTEM_LARGEST);
    const struct particle_kind plain = {system->radius, 1, 0};
    if (!record->status)
        checkpoint_check(record, system_check_kind(&plain, record->error));
}

static void record_kind(struct record *record, const struct system *system,
                        struct particle_kind *kind)
{
    record_number(record, &kind->radius, 0, SYSTEM_LARGEST);
    record_number(record, &kind->mass, SYSTEM_MIN_MASS, SYSTEM_LARGEST_MASS);
    record_int32(record, &kind->species, 0, INT32_MAX);
    record_end_line(record);
    if (!record->status)
        checkpoint_check(record, system_check_kind(kind, record->error));
    if (kind->radius > boundary_largest_radius(&system->boundary))
        record_refuse(record, "a particle of this radius does not fit into the box");
}

static void record_kinds(struct record *record, struct system *system)
{
    record_word(record, "kinds");
    record_count(record, &system->kind_count, SYSTEM_MAX_COUNT, 3);
    record_end_line(record);
    if (system->kind_count == 0 && system->radius > boundary_largest_radius(&system->boundary))
        record_refuse(record, "particles of this radius do not fit into the box");
    if (record->is_reading && !record->status && system->kind_count > 0) {
        system->kinds = memory_allocate(system->kind_count, sizeof *system->kinds,
                                        "the kinds of particles", record->error);
        if (!system->kinds)
            record->status = STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < system->kind_count && !record->status; k++)
        record_kind(record, system, &system->kinds[k]);
}

/* The vertices of a polygon, in a box; they are where its sides begin. Read, it is added. */
static void record_polygon(struct record *record, const struct boundary *box,
                           struct polygons *polygons, size_t number)
{
    const struct polygon *polygon = record->is_reading ? NULL : &polygons->list[number];
    size_t count = polygon ? polygon->side_count : 0;
    int is_domain = polygon ? polygon->is_domain : 0;
    double(*vertices)[2] = NULL;
    record_count(record, &count, POLYGONS_MAX_SIDES - (polygon ? 0 : polygons->side_count), 2);
    record_flag(record, &is_domain);
    record_end_line(record);
    if (count < 2)
        record_refuse(record, "a polygon has less than two vertices");
    if (!record->status)
        vertices =
            memory_allocate(count, sizeof *vertices, "the vertices of polygons", record->error);
    if (!vertices) {
        record_add_status(record, STATUS_NO_MEMORY);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (polygon) {
            vertices[k][0] = polygons->sides[polygon->first_side + k].corner_x;
            vertices[k][1] = polygons->sides[polygon->first_side + k].corner_y;
        }
        record_number(record, &vertices[k][0], 0, 2 * box->width);
        record_number(record, &vertices[k][1], 0, 2 * box->height);
        record_end_line(record);
    }
    for (size_t k = 0; k < count; k++) {
        const double *next = vertices[(k + 1) % count];
        if (vertices[k][0] == next[0] && vertices[k][1] == next[1])
            record_refuse(record, "a polygon has a side of length 0");
    }
    if (!polygon && !record->status)
        record->status = polygons_add(polygons, (const double(*)[2])vertices, count, is_domain,
                                      is_domain, record->error);
    memory_free(vertices);
}

/* The polygons, or NULL if there are none. Those that are read are for system_attach_polygons. */
static void record_polygons(struct record *record, const struct boundary *box,
                            struct polygons **polygons)
{
    struct polygon_fault fault = {POLYGON_SOUND, 0, 0};
    size_t count = *polygons ? (*polygons)->count : 0;
    record_word(record, "polygons");
    record_count(record, &count, POLYGONS_MAX_SIDES, 6);
    record_end_line(record);
    if (record->status || count == 0)
        return;
    if (record->is_reading) {
        *polygons = memory_allocate(1, sizeof **polygons, "the polygons", record->error);
        if (!*polygons) {
            record->status = STATUS_NO_MEMORY;
            return;
        }
        **polygons = (struct polygons){0};
    }
    for (size_t k = 0; k < count && !record->status; k++)
        record_polygon(record, box, *polygons, k);
    if (record->is_reading && !record->status)
        record->status = polygons_check(*polygons, box, &fault, record->error);
    if (fault.kind != POLYGON_SOUND)
        record_refuse(record, "the polygons cross");
}

/* The laws of walls; of 0 there are none. */
static void record_walls(struct record *record, const struct polygons *polygons,
                         struct system *system)
{
    struct boundary *boundary = &system->boundary;
    const size_t polygon_count = polygons ? polygons->count : 0;
    size_t count = boundary->walls ? boundary->walls->count : 0;
    uint64_t seed = boundary->walls ? boundary->walls->seed : 0;
    record_word(record, "walls");
    record_count(record, &count, SIZE_MAX, 4);
    record_whole(record, &seed, UINT64_MAX);
    record_end_line(record);
    if (count > 0 && count != BOUNDARY_SIDES + polygon_count)
        record_refuse(record, "there are other walls than those that act");
    if (count > 0 && record->is_reading && !record->status) {
        boundary->walls = wall_laws_create(polygon_count, seed, record->error);
        record->status = boundary->walls ? STATUS_DONE : STATUS_NO_MEMORY;
    }
    for (size_t k = 0; k < count && !record->status; k++) {
        for (int key = 0; key < WALL_KEY_COUNT; key++) {
            const struct wall_key *range = &wall_keys[key];
            record_number(record, &boundary->walls->list[k].values[key],
                          fmin(range->least, range->smooth), range->most);
        }
        record_end_line(record);
    }
    if (count > 0 && record->is_reading && !record->status)
        checkpoint_check(record, wall_laws_complete(boundary->walls, system, record->error));
    wall_laws_shake(boundary);
}

/* The text of a term as bytes, for it has blanks. Read, the term is added. */
static void record_term(struct record *record, struct steps_settings *settings, size_t number)
{
    char text[SETTING_SIZE] = "";
    int is_constraint = 0;
    if (!record->is_reading) {
        is_constraint = settings->terms[number].is_constraint;
        snprintf(text, sizeof text, "%s", settings->terms[number].text);
    }
    size_t length = strlen(text);
    record_flag(record, &is_constraint);
    record_count(record, &length, SETTING_SIZE - 1, 1);
    record_bytes(record, text, length);
    record_end_line(record);
    if (record->is_reading && !record->status)
        checkpoint_check(record, steps_settings_add(settings, is_constraint, text, record->error));
}

/* A step of 0 says that the run is not in steps. */
static void record_steps(struct record *record, struct steps_settings *settings)
{
    size_t count = settings->count;
    record_number(record, &settings->step, 0, SYSTEM_LARGEST);
    record_uint32(record, &settings->substeps, STEPS_MAX_SUBSTEPS);
    record_count(record, &count, STEPS_MAX_TERMS, 2);
    record_end_line(record);
    if (settings->step > 0 && settings->substeps == 0)
        record_refuse(record, "a step has no substeps");
    for (size_t k = 0; k < count && !record->status; k++)
        record_term(record, settings, k);
}

static void record_lattice(struct record *record, struct lattice_settings *settings)
{
    record_uint32(record, &settings->columns, LATTICE_MAX_COLUMNS);
    record_number(record, &settings->viscosity, 0, SYSTEM_LARGEST);
    record_number(record, &settings->temperature, 0, STREAM_HOTTEST);
    record_number(record, &settings->force[0], -SYSTEM_LARGEST, SYSTEM_LARGEST);
    record_number(record, &settings->force[1], -SYSTEM_LARGEST, SYSTEM_LARGEST);
    record_end_line(record);
    if (settings->columns < LATTICE_MIN_COLUMNS || !(settings->temperature > 0))
        record_refuse(record, "this is no lattice");
}

static void record_head(struct record *record, double *time, double *end_time,
                        struct system *system, struct polygons **polygons,
                        struct steps_settings *steps, struct lattice_settings *lattice)
{
    char kind[16];
    strcpy(kind, lattice->columns > 0 ? "lattice" : "scene");
    record_named(record, "time", time, SYSTEM_LARGEST);
    record_named(record, "end-time", end_time, SYSTEM_LARGEST);
    record_law(record, &system->law, &system->boundary.surfaces);
    record_box(record, system);
    record_growth(record, *end_time, system);
    record_kinds(record, system);
    record_polygons(record, &system->boundary, polygons);
    record_walls(record, *polygons, system);
    record_text(record, kind, sizeof kind);
    if (strcmp(kind, "lattice") == 0)
        record_lattice(record, lattice);
    else if (strcmp(kind, "scene") == 0)
        record_steps(record, steps);
    else
        record_refuse(record, "expected 'scene' or 'lattice'");
}

/* An image count, which may be negative. */
static void record_image(struct record *record, int64_t *image)
{
    double number = (double)*image;
    record_number(record, &number, -MAX_IMAGES, MAX_IMAGES);
    *image = (int64_t)number;
}

static void record_particle(struct record *record, const struct system *system, double end_time,
                            struct particle *particle, struct particle_counts *counts, double *spin)
{
    int is_absorbed = particle_is_absorbed(particle);
    double since = particle_since(particle);
    if (is_absorbed)
        particle->t = since;
    record_number(record, &particle->x, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    record_number(record, &particle->y, -LARGEST_COORDINATE, LARGEST_COORDINATE);
    record_number(record, &particle->u, -LARGEST_SPEED, LARGEST_SPEED);
    record_number(record, &particle->v, -LARGEST_SPEED, LARGEST_SPEED);
    record_number(record, &particle->t, 0, end_time);
    record_number(record, &since, 0, particle->t);
    record_whole(record, &counts->walls, UINT64_MAX);
    record_whole(record, &counts->particles, UINT64_MAX);
    record_image(record, &counts->x_image);
    record_image(record, &counts->y_image);
    record_uint32(record, &particle->kind,
                  system->kind_count > 0 ? (uint32_t)(system->kind_count - 1) : 0);
    const int has_chance = system->boundary.stream.draw || wall_laws_are_diffuse(&system->boundary);
    record_uint32(record, &particle->draws, has_chance ? UINT32_MAX : 0);
    if (since > 0 || counts->walls + counts->particles > 0 || particle->draws > 0)
        particle->collided = since;
    if (system->boundary.surfaces.are_rough) {
        const double radius = system_radius(system, particle);
        record_number(record, spin, -LARGEST_SPEED / radius, LARGEST_SPEED / radius);
        if (radius == 0)
            record_refuse(record, "a point cannot turn");
    }
    if (wall_laws_absorb(&system->boundary))
        record_flag(record, &is_absorbed);
    if (is_absorbed)
        particle_absorb(particle);
    record_end_line(record);
}

/* The particles of a system in the order of their ids; if written, of a snapshot. */
static void record_particles(struct record *record, struct system *system, double end_time,
                             const struct snapshot *snapshot)
{
    record_word(record, "particles");
    record_count(record, &system->count, SYSTEM_MAX_COUNT, 12);
    record_end_line(record);
    if (system->count == 0)
        record_refuse(record, "there is no particle");
    if (record->is_reading && !record->status)
        record->status = system_reserve(system, system->count, record->error);
    for (size_t id = 0; id < system->count && !record->status; id++) {
        if (snapshot) {
            struct particle particle = snapshot_anchor(snapshot, id);
            struct particle_counts counts = snapshot_counts(snapshot, id);
            double spin = snapshot_spin(snapshot, id);
            record_particle(record, system, end_time, &particle, &counts, &spin);
        } else {
            record_particle(record, system, end_time, &system->particles[id], &system->counts[id],
                            system->spins ? &system->spins[id] : NULL);
        }
    }
}

/* The options of those that have a state, in the order in which this program makes them. Options
 * that are read must be the options of this run: it fails before anything of it begins. */
static void record_options(struct record *record, const struct observers *observers)
{
    const char *options[1 + OBSERVERS_MAX];
    size_t count = 0;
    size_t k = 0;
    char run[100];
    if (observers_traits(observers)->has_state)
        options[count++] = observers->dynamics->operations->option;
    for (size_t j = observers->recorders; j < observers->count; j++)
        if (observers->list[j]->operations->state)
            options[count++] = observers->list[j]->option;
    record_word(record, "observers");
    for (; !record->is_reading && k < count; k++)
        record_word(record, options[k]);
    while (record->is_reading && !record->status && !record->is_line_end) {
        char option[32];
        size_t same = k;
        record_text(record, option, sizeof option);
        while (same < count && strcmp(options[same], option) != 0)
            same++;
        snprintf(run, sizeof run, "with %s", option);
        if (same == count)
            record_refuse_run(record, run, "give it again");
        if (record->status || same != k)
            break;
        k++;
    }
    if (k < count) {
        snprintf(run, sizeof run, "without %.30s, which cannot begin in the middle of a run",
                 options[k]);
        record_refuse_run(record, run, "leave it out");
    }
    record_end_line(record);
}

/* The states of the dynamics, of the observers after the list of them, each with its file, and of
 * the recorders that they have begun: the settings of a resumed run are compared before what
 * depends on them. */
static void record_states(struct record *record, const struct observers *observers,
                          const struct snapshot *snapshot)
{
    record_options(record, observers);
    if (observers_traits(observers)->has_state && !record->status)
        observers->dynamics->operations->state(observers->dynamics, record);
    for (size_t k = 0; k < observers->count && record->is_reading && !record->status; k++) {
        struct observer *observer = observers->list[k];
        if (!observer->operations->state || observer->has_begun)
            continue;
        observer->has_begun = observer->is_saved = 1;
        if (observer->operations->begin)
            record_add_status(record,
                              observer->operations->begin(observer, snapshot, record->error));
    }
    for (size_t k = 0; k < observers->count && !record->status; k++) {
        struct observer *observer = observers->list[(observers->recorders + k) % observers->count];
        if (!observer->operations->state)
            continue;
        observer->operations->state(observer, record);
        if (observer->operations->kind.file == FILE_FROM_BEGIN && !observer->output->frames.pattern)
            output_file_record(observer->file, observer->file->name, record);
        if (record->is_reading && !record->status && observer->file &&
            observer->operations->kind.file == FILE_AT_END)
            record->status =
                output_file_prepare(observer->file, observer->file->name, record->error);
    }
}

/* Writes a checkpoint into a file that is open, and completes it. */
static enum status checkpoint_put(struct record *record, const struct checkpoint_run *run,
                                  const struct observers *observers,
                                  const struct snapshot *snapshot, struct output_file *file,
                                  struct error *error)
{
    double time = run->time, end_time = fmin(run->end_time, SYSTEM_LARGEST);
    struct system system = *snapshot->system; /* copies, for what is read has to be changed */
    struct steps_settings steps = *run->steps;
    struct lattice_settings lattice = *run->lattice;
    file->is_durable = 1;
    enum status status = record_begin(record, file->stream, error);
    if (!status) {
        record_head(record, &time, &end_time, &system, &system.boundary.polygons, &steps, &lattice);
        record_particles(record, &system, end_time, snapshot);
        record_states(record, observers, snapshot);
        status = record->status;
    }
    if (status)
        output_file_abandon(file);
    else
        record_finish(record);
    return status;
}

enum status checkpoint_save(const char *name, const struct checkpoint_run *run,
                            const struct observers *observers, const struct snapshot *snapshot,
                            struct error *error)
{
    struct record record = {0};
    struct output_file *file = memory_allocate_zeros(1, sizeof *file, "the checkpoint", error);
    if (!file)
        return STATUS_NO_MEMORY;
    enum status status = output_file_open(file, name, error);
    if (!status)
        status = checkpoint_put(&record, run, observers, snapshot, file, error);
    if (!status)
        status = output_file_complete(file, error);
    record_close(&record);
    memory_free(file);
    return status;
}

/* Writes a checkpoint, and keeps the files of the observers from then on. If its own file fails,
 * `has_failed` is set; if the file of an observer does, the run must not go on. */
static enum status write_checkpoint(struct checkpoint *checkpoint, const struct snapshot *snapshot,
                                    struct error *error)
{
    const struct observers *observers = checkpoint->observer.all;
    const struct checkpoint_run run = {.time = system_last_time(snapshot->system),
                                       .end_time = checkpoint->observer.run->to,
                                       .steps = checkpoint->settings.steps,
                                       .lattice = checkpoint->settings.lattice};
    struct output_file *file = checkpoint->observer.file;
    enum status status = output_file_open(file, checkpoint->settings.output.name, error);
    checkpoint->has_failed = status != STATUS_DONE;
    if (!status &&
        !(status = checkpoint_put(&checkpoint->record, &run, observers, snapshot, file, error))) {
        status = output_file_complete(file, error);
        checkpoint->has_failed = status != STATUS_DONE;
    }
    checkpoint->written = checkpoint->observer.run->clock();
    if (!status)
        checkpoint->time = run.time;
    for (size_t k = 0; k < observers->count && !status; k++)
        observers->list[k]->is_saved = 1;
    return status;
}

/* Refuses the name of another run's checkpoint, or of something that is not a file. */
static enum status checkpoint_check_name(struct observer *observer, struct error *error)
{
    const struct checkpoint_settings *settings = &((struct checkpoint *)observer)->settings;
    const char *name = settings->output.name;
    struct stat state;
    if (stat(name, &state) != 0)
        return STATUS_DONE;
    if (!S_ISREG(state.st_mode))
        return error_set(error, STATUS_CANNOT_WRITE,
                         "%.4100s: a checkpoint cannot be written there: it is not a file", name);
    if (!settings->may_replace)
        return error_set(error, STATUS_USAGE,
                         "%.2000s is there already: if a run that goes on writes it, name another "
                         "file; if one was interrupted, go on with that by --resume=%.2000s, or "
                         "remove it",
                         name, name);
    return STATUS_DONE;
}

static enum status checkpoint_begin(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    output_file_remove_stale(checkpoint->settings.output.name);
    pace_begin(&checkpoint->pace, observer->run->clock,
               fmin(MAX_UNTIMED, checkpoint->settings.every / 10));
    return write_checkpoint(checkpoint, snapshot, error);
}

static enum status checkpoint_quiescent(struct observer *observer, const struct snapshot *snapshot,
                                        struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const int had_failed = checkpoint->has_failed;
    double now;
    if (snapshot->system->growth.has_ended || !pace_count(&checkpoint->pace, &now) ||
        now - checkpoint->written < checkpoint->settings.every)
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

static enum status checkpoint_interrupt(struct observer *observer, const struct snapshot *snapshot,
                                        struct error *error)
{
    struct checkpoint *checkpoint = (struct checkpoint *)observer;
    const struct error message = *error;
    enum status status = STATUS_DONE; /* the last one stays where the run is over */
    if (!snapshot->system->growth.has_ended)
        status = write_checkpoint(checkpoint, snapshot, error);
    if (status)
        return status;
    return error_set(error, STATUS_INTERRUPTED,
                     "%.500s: to go on, give --resume=%.4100s and the same files to write",
                     message.message, checkpoint->settings.output.name);
}

static void free_checkpoint(struct observer *observer)
{
    record_close(&((struct checkpoint *)observer)->record);
}

const struct observer_operations checkpoint_operations = {
    .kind = {"--checkpoint", "checkpoints", sizeof(struct checkpoint), FILE_OF_ITS_OWN},
    OBSERVER_SETTINGS(struct checkpoint),
    .complete = checkpoint_check_name,
    .begin = checkpoint_begin,
    .quiescent = checkpoint_quiescent,
    .interrupt = checkpoint_interrupt,
    .free = free_checkpoint,
};

enum status checkpoint_read_system(struct record *record, const char *name, struct system *system,
                                   double *time, double *end_time, struct steps_settings *steps,
                                   struct lattice_settings *lattice, struct error *error)
{
    struct polygons *polygons = NULL;
    *system = (struct system){0};
    enum status status = record_open(record, name, error);
    if (status)
        return status;
    output_file_remove_stale(name);
    record_head(record, time, end_time, system, &polygons, steps, lattice);
    if (!record->status)
        record_particles(record, system, *end_time, NULL);
    if (!record->status && system->boundary.stream.draw)
        checkpoint_check(record, stream_complete(system, error));
    if (!record->status && polygons)
        record->status = system_attach_polygons(system, polygons, error);
    else
        polygons_free(polygons);
    if (record->status)
        system_free(system);
    return record->status;
}

enum status checkpoint_read_observers(struct record *record, struct observers *observers,
                                      const struct system *system)
{
    const struct snapshot snapshot = snapshot_in_order(system, system_last_time(system));
    record_states(record, observers, &snapshot);
    return record_expect_end(record);
}
