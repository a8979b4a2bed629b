/*
 * Averages fields over time; see fields.h.
 *
 * A particle moves straight on from when it got its velocity, by a collision or from a stream,
 * until it gets another one. Such a path is added to the cells that it passes (field_grid.h) when
 * it ends, or what is left of it when the run ends. Nothing has to be done in between, nor when the
 * averages begin: of a path that began before, only the part after that counts.
 */
#include "observe/fields.h"

#include "base/memory.h"
#include "field_grid.h"
#include "free_area.h"
#include "io/output_file.h"
#include "io/record.h"
#include "measured.h"
#include "observe/statistics.h"

#include <float.h>
#include <math.h>

/* of the density at one moment, along the longer side of the box */
enum { CELLS_NOW = 96 };

struct fields {
    struct observer observer; /* the first member: see observer.h */
    struct fields_request request;
    struct output_file file;
    struct field_grid grid;
    double *free; /* the part of each cell that is free; owned; NULL: all */
};

/* Adds what counts of a path that ends at a time and a place. */
static void add_path(struct fields *fields, struct field_path path, double since, double time)
{
    path.duration = time - fmax(since, fields->request.from);
    path.is_first = since <= fields->request.from;
    field_grid_add(&fields->grid, &path);
}

/* Adds the path that a collision ends, or a stream. */
static void end_path(struct fields *fields, const struct participant *p, double x, double time)
{
    const struct field_path path = {
        .x = x, .y = p->y, .u = p->u_before, .v = p->v_before, .mass = p->mass};
    add_path(fields, path, p->since, time);
}

static enum status prepare(struct fields *fields, const struct snapshot *snapshot,
                           struct error *error)
{
    const struct fields_request *request = &fields->request;
    const struct boundary *boundary = &snapshot->system->boundary;
    enum status status =
        field_grid_create(&fields->grid, boundary, request->columns, request->rows, error);
    if (!status)
        status = free_area_create(boundary, request->columns, request->rows, &fields->free, error);
    return status ? status : output_file_prepare(&fields->file, request->name, error);
}

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    return prepare((struct fields *)observer, snapshot, error);
}

static enum status collide(struct observer *observer, const struct collision *collision,
                           struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    (void)error;
    end_path(fields, &collision->a, collision->a.x, collision->time);
    if (collision->partner == PARTNER_PARTICLE)
        end_path(fields, &collision->b, collision->b.x, collision->time);
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
    if (passage->time > fields->request.from)
        field_grid_enter(&fields->grid, a->x, a->y, a->u, a->v);
    return STATUS_DONE;
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    const struct fields *fields = (struct fields *)observer;
    (void)snapshot;
    (void)error;
    record_put_number(writer, fields->request.from);
    record_put_whole(writer, fields->request.columns);
    record_put_whole(writer, fields->request.rows);
    record_end_line(writer);
    field_grid_save(&fields->grid, writer);
    return STATUS_DONE;
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    const struct fields_request *request = &fields->request;
    const double from = record_take_number(reader, 0, DBL_MAX);
    const size_t columns = (size_t)record_take_whole(reader, FIELDS_MOST_ALONG);
    const size_t rows = (size_t)record_take_whole(reader, FIELDS_MOST_ALONG);
    record_expect_line_end(reader);
    if (!reader->status && from != request->from)
        return statistics_refuse_from(reader->name, from, error);
    if (!reader->status && (columns != request->columns || rows != request->rows))
        return error_set(
            error, STATUS_USAGE,
            "%.4100s is the checkpoint of a run with --fields-grid=%zux%zu: give it again",
            reader->name, columns, rows);
    enum status status = reader->status ? reader->status : prepare(fields, snapshot, error);
    if (!status)
        field_grid_load(&fields->grid, reader);
    return status ? status : reader->status;
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
    };
    if (values.area > 0 && duration > 0) {
        values.density = time / duration / values.area;
        values.mass_density = mass / duration / values.area;
    }
    if (mass > 0) {
        const double momentum_x = field_cell_sum(cell, FIELD_MOMENTUM_X);
        const double momentum_y = field_cell_sum(cell, FIELD_MOMENTUM_Y);
        values.u = momentum_x / mass;
        values.v = momentum_y / mass;
        const double drift = 0.5 * (momentum_x * values.u + momentum_y * values.v);
        values.temperature = fmax(0, field_cell_sum(cell, FIELD_ENERGY) - drift) / time;
    }
    return values;
}

struct field_map fields_map(const struct observer *observer, const struct snapshot *snapshot)
{
    const struct fields *fields = (const struct fields *)observer;
    const struct fields_request *request = &fields->request;
    const struct boundary *boundary = &snapshot->system->boundary;
    return (struct field_map){.snapshot = snapshot,
                              .from = request->from,
                              .columns = request->columns,
                              .rows = request->rows,
                              .width = boundary->width / (double)request->columns,
                              .height = boundary->height / (double)request->rows,
                              .grid = &fields->grid,
                              .free = fields->free};
}

enum status fields_count_now(const struct snapshot *snapshot, struct field_grid *grid,
                             double **free_parts, struct field_map *map, struct error *error)
{
    const struct boundary *box = &snapshot->system->boundary;
    const double side = fmax(box->width, box->height) / CELLS_NOW;
    const size_t columns = (size_t)fmax(1, floor(box->width / side));
    const size_t rows = (size_t)fmax(1, floor(box->height / side));
    enum status status = field_grid_create(grid, box, columns, rows, error);
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

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct fields *fields = (struct fields *)observer;
    for (size_t k = 0; k < snapshot->system->count; k++) {
        const struct body body = snapshot_body(snapshot, k);
        const struct field_path path = {
            .x = body.x, .y = body.y, .u = body.u, .v = body.v, .mass = body.mass};
        add_path(fields, path, body.since, snapshot->time);
    }
    const struct field_map map = fields_map(observer, snapshot);
    enum status status = output_file_begin(&fields->file, error);
    if (status)
        return status;
    fields->file.is_durable = observer->is_resumable;
    status = fields->request.write(&map, fields->file.stream, error);
    return status ? status : output_file_complete(&fields->file, error);
}

static void free_fields(struct observer *observer)
{
    struct fields *fields = (struct fields *)observer;
    output_file_abandon(&fields->file);
    field_grid_free(&fields->grid);
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
        .finish = finish,
        .option = "--fields",
        .save = save,
        .load = load,
        .free = free_fields,
    };
    struct fields *fields = memory_allocate(1, sizeof *fields, "the fields", error);
    if (!fields)
        return STATUS_NO_MEMORY;
    *fields = (struct fields){.observer = {.operations = &operations, /* it never looks */
                                           .next_look = (double)INFINITY,
                                           .told_from = request->from},
                              .request = *request};
    *observer = &fields->observer;
    return STATUS_DONE;
}
