/*
 * Averages fields over time; see fields.h.
 *
 * A particle moves straight on from when it got its velocity, by a collision or from a stream,
 * until it gets another one. Such a path is added to the cells that it passes (field_grid.h) when
 * it ends, or what is left of it when the run ends. Nothing has to be done in between, nor when the
 * averages begin: of a path that began before, only the part after that counts. When an interval of
 * a series ends, so do all paths, and the sums begin anew.
 *
 * The virial of a collision counts in the cell where the two disks touch. There the momentum passes
 * from one to the other: that is the middle of the line of centres, over which it is spread in the
 * local pressure of J. Irving and J. Kirkwood, The statistical mechanical theory of transport
 * processes IV, J. Chem. Phys. 18, 1950. (Half of it at either centre would be further off.) So the
 * sum of pressure times area over all cells is just that of the whole (figures.c), and cells
 * without a free area have no part in it: no disk reaches in there.
 */
#include "observe/fields.h"

#include "base/memory.h"
#include "classes.h"
#include "field_grid.h"
#include "free_area.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "measured.h"
#include "model/reach.h"
#include "observe/frames.h"
#include "observe/statistics.h"
#include "observe/tally.h"
#include "observe/trajectory.h"

#include <float.h>
#include <math.h>

/* of the density at one moment, along the longer side of the box */
enum { CELLS_NOW = 96 };

/* With fewer velocities, the temperature of a cell is too small by a tenth or more. */
enum { MIN_PIECES = 10 };

struct fields {
    struct observer observer; /* the first member: see observer.h */
    struct fields_request request;
    struct output_file file;
    struct field_grid grid;
    struct classes species;
    double *free;         /* the part of each cell that is free; owned; NULL: all */
    double since;         /* the sums are of the time from here on */
    struct frames frames; /* of a series: when its intervals end, */
    uint64_t next_frame;  /* and at which the one that has begun does */
};

/* Adds what counts of a path that ends at a time and a place. */
static void add_path(struct fields *fields, struct field_path path, double since, double time)
{
    path.duration = time - fmax(since, fields->since);
    path.is_first = since <= fields->since;
    field_grid_add(&fields->grid, &path);
}

/* Adds the path that a collision ends, or a stream. */
static void end_path(struct fields *fields, const struct participant *p, double x, double time)
{
    const struct field_path path = {.x = x,
                                    .y = p->y,
                                    .u = p->u_before,
                                    .v = p->v_before,
                                    .mass = p->mass,
                                    .species = fields->species.list[p->number]};
    add_path(fields, path, p->since, time);
}

/* Adds what there has been of all paths up to the time of the snapshot. */
static void end_all_paths(struct fields *fields, const struct snapshot *snapshot)
{
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        const struct field_path path = {.x = body.x,
                                        .y = body.y,
                                        .u = body.u,
                                        .v = body.v,
                                        .mass = body.mass,
                                        .species = fields->species.list[k]};
        add_path(fields, path, body.since, snapshot->time);
    }
}

/* The last interval of a series is written when the run ends, as all is without a series. */
static void set_next_look(struct fields *fields)
{
    const int has_frame =
        fields->request.interval > 0 && frames_is_before_end(&fields->frames, fields->next_frame);
    fields->observer.next_look =
        has_frame ? frames_time(&fields->frames, fields->next_frame) : (double)INFINITY;
}

static enum status prepare(struct fields *fields, const struct snapshot *snapshot,
                           struct error *error)
{
    const struct fields_request *request = &fields->request;
    const struct boundary *boundary = &snapshot->system->boundary;
    enum status status = classes_create(&fields->species, snapshot, error);
    if (!status)
        status = field_grid_create(&fields->grid, boundary, request->columns, request->rows,
                                   fields->species.count, error);
    if (status)
        return status;
    return free_area_create(boundary, request->columns, request->rows, &fields->free, error);
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    fields->since = fields->request.from;
    if (fields->request.interval > 0) {
        fields->next_frame = frames_first(&fields->frames, fields->since);
        if (frames_time(&fields->frames, fields->next_frame) <= fields->since)
            fields->next_frame++;
    }
    set_next_look(fields);
    enum status status = prepare(fields, snapshot, error);
    if (status)
        return status;
    return output_file_open_resumable(&fields->file, fields->request.name, observer->is_resumable,
                                      &observer->is_saved, error);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct participant *a = &collision->a;
    (void)error;
    end_path(fields, a, a->x, collision->time);
    if (collision->partner != PARTNER_PARTICLE)
        return STATUS_DONE;
    end_path(fields, &collision->b, collision->b.x, collision->time);
    /* From time 0 on, the collisions at 0 count, too: see statistics.c. */
    if (collision->time > fields->request.from || fields->request.from == 0) {
        const double radii = a->radius + collision->b.radius;
        const double part = radii > 0 ? a->radius / radii : 0;
        field_grid_push(&fields->grid, a->x + part * collision->dx, a->y + part * collision->dy,
                        tally_virial(collision));
    }
    return STATUS_DONE;
}

/* A path ends at one side of the box, and the next one begins at the other. */
static enum status renew(struct observer *observer, const struct collision *passage,
                         struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct participant *a = &passage->a;
    const double left = passage->feature == FEATURE_LEFT ? 0 : fields->grid.boundary->width;
    (void)error;
    end_path(fields, a, left, passage->time);
    if (passage->time > fields->since)
        field_grid_enter(&fields->grid, a->x, a->y, a->u, a->v);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    (void)snapshot;
    record_put_number(writer, fields->request.from);
    record_put_number(writer, fields->request.interval);
    record_put_whole(writer, fields->request.columns);
    record_put_whole(writer, fields->request.rows);
    record_put_number(writer, fields->since);
    record_put_whole(writer, fields->next_frame);
    record_end_line(writer);
    field_grid_save(&fields->grid, writer);
    return output_file_save(&fields->file, writer, error);
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct fields_request *request = &fields->request;
    const double from = record_take_number(reader, 0, DBL_MAX);
    const double interval = record_take_number(reader, 0, DBL_MAX);
    const size_t columns = (size_t)record_take_whole(reader, FIELDS_MOST_ALONG);
    const size_t rows = (size_t)record_take_whole(reader, FIELDS_MOST_ALONG);
    fields->since = record_take_number(reader, 0, DBL_MAX);
    fields->next_frame = record_take_whole(reader, (uint64_t)TRAJECTORY_MOST_FRAMES + 2);
    record_expect_line_end(reader);
    if (!reader->status && from != request->from)
        return statistics_refuse_from(reader->name, from, error);
    if (!reader->status && (columns != request->columns || rows != request->rows))
        return error_set(
            error, STATUS_USAGE,
            "%.4100s is the checkpoint of a run with --fields-grid=%zux%zu: give it again",
            reader->name, columns, rows);
    if (!reader->status && interval != request->interval)
        return error_set(error, STATUS_USAGE,
                         interval > 0 ? "%.4100s is the checkpoint of a run with --every=%.17g for "
                                        "--fields: give it again"
                                      : "%.4100s is the checkpoint of a run whose --fields are no "
                                        "series: give it again, without --every for them",
                         reader->name, interval);
    enum status status = reader->status ? reader->status : prepare(fields, snapshot, error);
    if (status)
        return status;
    field_grid_load(&fields->grid, reader);
    set_next_look(fields);
    return reader->status ? reader->status
                          : output_file_load(&fields->file, request->name, reader, error);
}

struct field_values field_map_values(const struct field_map *map, size_t column, size_t row)
{
    const size_t index = row * map->columns + column;
    const struct field_cell *cell = &map->grid->cells[index];
    const double duration = map->is_instant ? 1 : map->snapshot->time - map->from;
    const double time = field_cell_sum(cell, FIELD_TIME);
    const double mass = field_cell_sum(cell, FIELD_MASS);
    struct field_values values = {
        .x = ((double)column + 0.5) * map->width,
        .y = ((double)row + 0.5) * map->height,
        .area = map->width * map->height * (map->free ? map->free[index] : 1),
        .samples = cell->visits,
        .density = (double)NAN,
        .mass_density = (double)NAN,
        .u = (double)NAN,
        .v = (double)NAN,
        .temperature = (double)NAN,
        .pressure_ideal = (double)NAN,
        .pressure_collisional = (double)NAN,
        .mach = (double)NAN,
        .count = time / duration,
        .is_scarce = cell->pieces < MIN_PIECES,
    };
    double thermal = 0;
    if (mass > 0) {
        const double momentum_x = field_cell_sum(cell, FIELD_MOMENTUM_X);
        const double momentum_y = field_cell_sum(cell, FIELD_MOMENTUM_Y);
        values.u = momentum_x / mass;
        values.v = momentum_y / mass;
        const double drift = 0.5 * (momentum_x * values.u + momentum_y * values.v);
        thermal = fmax(0, field_cell_sum(cell, FIELD_ENERGY) - drift);
        values.temperature = thermal / time;
        if (!values.is_scarce)
            values.mach = sqrt(drift / thermal);
    }
    if (values.area > 0 && duration > 0) {
        values.density = time / duration / values.area;
        values.mass_density = mass / duration / values.area;
        values.pressure_ideal = thermal / duration / values.area;
        values.pressure_collisional =
            field_cell_sum(cell, FIELD_VIRIAL) / 2 / duration / values.area;
    }
    return values;
}

double field_map_count(const struct field_map *map, size_t column, size_t row, size_t species)
{
    const struct field_grid *grid = map->grid;
    if (!grid->times)
        return field_map_values(map, column, row).count;
    return sum_value(&grid->times[(row * map->columns + column) * grid->species + species]) /
           (map->snapshot->time - map->from);
}

double field_map_mean_density(const struct field_map *map)
{
    const struct system *system = map->snapshot->system;
    return (double)system->count / reach_area(&system->boundary);
}

double field_map_mach(const struct field_map *map)
{
    const struct system *system = map->snapshot->system;
    const struct stream *stream = &system->boundary.stream;
    struct sum mass = {0};
    for (size_t k = 0; k < system->count; k++)
        sum_add(&mass, system_mass(system, &system->particles[k]));
    return stream->draw ? fabs(stream->speed) / sqrt(2 * stream->temperature *
                                                     (double)system->count / sum_value(&mass))
                        : (double)NAN;
}

struct field_map fields_map(const struct observer *observer, const struct snapshot *snapshot)
{
    const struct fields *fields = (const struct fields *)observer;
    const struct fields_request *request = &fields->request;
    const struct boundary *boundary = &snapshot->system->boundary;
    return (struct field_map){.snapshot = snapshot,
                              .from = fields->since,
                              .is_of_series = request->interval > 0,
                              .is_continued = fields->since > request->from,
                              .shown = request->shown,
                              .columns = request->columns,
                              .rows = request->rows,
                              .width = boundary->width / (double)request->columns,
                              .height = boundary->height / (double)request->rows,
                              .grid = &fields->grid,
                              .free = fields->free,
                              .species = &fields->species};
}

enum status fields_count_now(const struct snapshot *snapshot, struct field_grid *grid,
                             double **free_parts, struct field_map *map, struct error *error)
{
    const struct boundary *box = &snapshot->system->boundary;
    const double side = fmax(box->width, box->height) / CELLS_NOW;
    const size_t columns = (size_t)fmax(1, floor(box->width / side));
    const size_t rows = (size_t)fmax(1, floor(box->height / side));
    enum status status = field_grid_create(grid, box, columns, rows, 1, error);
    if (!status)
        status = free_area_create(box, columns, rows, free_parts, error);
    for (size_t k = 0; k < snapshot->system->count && !status; k++) {
        double x;
        double y;
        snapshot_position(snapshot, k, &x, &y);
        field_grid_count(grid, x, y);
    }
    *map = (struct field_map){.snapshot = snapshot,
                              .is_instant = 1,
                              .columns = columns,
                              .rows = rows,
                              .width = box->width / (double)columns,
                              .height = box->height / (double)rows,
                              .grid = grid,
                              .free = *free_parts};
    return status;
}

/* Writes the means of the time since the last ones. */
static enum status write_map(struct fields *fields, const struct snapshot *snapshot,
                             struct error *error)
{
    end_all_paths(fields, snapshot);
    const struct field_map map = fields_map(&fields->observer, snapshot);
    return fields->request.write(&map, fields->file.stream, error);
}

/* An interval of a series has ended. */
static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const enum status status = write_map(fields, snapshot, error);
    field_grid_clear(&fields->grid);
    fields->since = snapshot->time;
    fields->next_frame++;
    set_next_look(fields);
    if (!status && ferror(fields->file.stream))
        return text_flush(fields->file.stream, fields->request.name, error);
    return status;
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const enum status status = write_map(fields, snapshot, error);
    return status ? status : output_file_complete(&fields->file, error);
}

static void free_fields(struct observer *observer)
{
    struct fields *fields = (struct fields *)observer;
    output_file_abandon(&fields->file);
    field_grid_free(&fields->grid);
    classes_free(&fields->species);
    memory_free(fields->free);
    memory_free(fields);
}

enum status fields_create(const struct fields_request *request, struct observer **observer,
                          struct error *error)
{
    static const struct observer_operations operations = {
        .begin = begin,
        .collide = collide,
        .renew = renew,
        .look = look,
        .finish = finish,
        .option = "--fields",
        .save = save,
        .load = load,
        .free = free_fields,
    };
    struct fields *fields = memory_allocate(1, sizeof *fields, "the fields", error);
    if (!fields)
        return STATUS_NO_MEMORY;
    *fields = (struct fields){.observer = {.operations = &operations, /* until it begins */
                                           .next_look = (double)INFINITY,
                                           .told_from = request->from},
                              .request = *request,
                              .frames = {request->interval, request->to}};
    *observer = &fields->observer;
    return STATUS_DONE;
}
