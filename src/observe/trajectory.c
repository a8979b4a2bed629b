/*
 * The positions of all particles at equal intervals; see observe/observers.h.
 *
 * The columns have the names that programs for such files expect. "species" must be a chemical
 * element there, so that is called "type"; it comes first and the position next, as in plain XYZ.
 * "unwrapped_position" is GPUMD's name. OVITO takes "velo" for velocities, and ASE computes them as
 * "momenta" / "masses"; "Z" is its atomic number.
 */
#include "observe/observers.h"

#include "base/memory.h"
#include "correlations.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "run/dynamics.h"

enum {
    MAX_LINE_SIZE = (18 + DYNAMICS_MAX_COLUMNS) * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 20
};

struct trajectory {
    struct observer observer;
    struct frames frames;
    uint64_t next_frame;
    uint32_t columns; /* that are asked for: 1 << COLUMN_ */
    struct frame frame;
    struct bonds *bonds; /* of each particle, for these; owned; NULL before the first frame */
    struct output_file file;
};

static void trajectory_state(struct observer *observer, const struct snapshot *snapshot,
                             struct record *record)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    uint32_t columns = trajectory->columns;
    (void)snapshot;
    record_setting(record, "--every", trajectory->frames.interval, NULL);
    record_uint32(record, &columns, UINT32_MAX);
    if (!record->status && columns != trajectory->columns)
        record_refuse_run(record, "with other --trajectory-columns", "give the same ones");
    record_whole(record, &trajectory->next_frame, (uint64_t)FRAMES_MAX + 2);
    output_file_record(&trajectory->file, trajectory->file.name, record);
    observer->next_sample = frames_time(&trajectory->frames, trajectory->next_frame);
}

/* Appends numbers to a line, with a space before each, and returns the end of the line. */
static char *append_numbers(char *end, const double values[], size_t count)
{
    for (size_t k = 0; k < count; k++) {
        *end++ = ' ';
        end += number_write_shortest(end, values[k]);
    }
    return end;
}

/* The columns that can be asked for, by COLUMN_, and where each one ends in the list of values. */
static const struct {
    const char *property;
    size_t end;
} columns_known[] = {{":psi6:R:2", 2}, {":neighbours:I:1:voronoi_area:R:1", 4}, {":Z:I:1", 5}};

static char *append_columns(char *end, const struct trajectory *trajectory, const struct body *body,
                            size_t number)
{
    const struct bonds *bonds = &trajectory->bonds[number];
    const double values[] = {bonds->real, bonds->imaginary, (double)bonds->count, bonds->area,
                             (double)body->species};
    for (size_t k = 0, first = 0; k < COLUMN_COUNT; first = columns_known[k++].end)
        if (trajectory->columns >> k & 1)
            end = append_numbers(end, values + first, columns_known[k].end - first);
    return end;
}

static size_t format_particle(char line[MAX_LINE_SIZE], const struct trajectory *trajectory,
                              const struct snapshot *snapshot, size_t number)
{
    const struct dynamics *dynamics = trajectory->observer.all->dynamics;
    const struct dynamics_column *column = observers_columns(trajectory->observer.all);
    const struct body body = snapshot_body(snapshot, number);
    double values[7] = {0, 0, 0, body.u, body.v, 0, body.radius};
    snapshot_position(snapshot, number, &values[0], &values[1]);
    char *end = line + number_write_whole(line, (uint64_t)body.species);
    end = append_numbers(end, values, 7);
    *end++ = ' ';
    end += number_write_whole(end, number);
    if (snapshot->system->boundary.periodic) {
        snapshot_unwrapped(snapshot, number, &values[0], &values[1]);
        end = append_numbers(end, values, 3);
    }
    const double ase[4] = {body.mass, body.mass * body.u, body.mass * body.v, 0};
    end = append_numbers(end, ase, 4);
    if (trajectory->columns)
        end = append_columns(end, trajectory, &body, number);
    for (; column && column->name; column++)
        end = append_numbers(end, (const double[]){column->value(dynamics, number)}, 1);
    *end++ = '\n';
    return (size_t)(end - line);
}

static void trajectory_write_head(const struct trajectory *trajectory,
                                  const struct snapshot *snapshot, FILE *stream)
{
    const struct dynamics_column *column = observers_columns(trajectory->observer.all);
    const struct system *system = snapshot->system;
    const unsigned periodic = system->boundary.periodic;
    char width[NUMBER_SHORTEST_SIZE];
    char height[NUMBER_SHORTEST_SIZE];
    char moment[NUMBER_SHORTEST_SIZE];
    number_write_shortest(width, system->boundary.width);
    number_write_shortest(height, system->boundary.height);
    number_write_shortest(moment, snapshot->time);
    fprintf(stream,
            "%zu\n"
            "Lattice=\"%s 0 0 0 %s 0 0 0 1\" Origin=\"0 0 0\" pbc=\"%c %c F\" "
            "Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1%s:masses:R:1:momenta:R:3",
            system->count, width, height, periodic & PERIODIC_X ? 'T' : 'F',
            periodic & PERIODIC_Y ? 'T' : 'F', periodic ? ":unwrapped_position:R:3" : "");
    for (size_t k = 0; k < COLUMN_COUNT; k++)
        fputs(trajectory->columns >> k & 1 ? columns_known[k].property : "", stream);
    for (; column && column->name; column++)
        fprintf(stream, ":%s:R:1", column->name);
    fprintf(stream, " Time=%s\n", moment);
}

static enum status trajectory_find_columns(struct trajectory *trajectory,
                                           const struct snapshot *snapshot, struct error *error)
{
    const struct system *system = snapshot->system;
    enum status status = STATUS_DONE;
    double order;
    if (!trajectory->bonds)
        status = frame_create(&trajectory->frame, &system->boundary, system->count, error);
    if (!status && !trajectory->bonds)
        trajectory->bonds = memory_allocate(system->count, sizeof *trajectory->bonds,
                                            "the columns of the trajectory", error);
    if (!trajectory->bonds)
        return STATUS_NO_MEMORY;
    frame_take(&trajectory->frame, snapshot);
    return bond_order_find(&trajectory->frame, trajectory->bonds, &order, &order, error);
}

static enum status trajectory_sample(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    FILE *stream = trajectory->file.stream;
    if (trajectory->columns && trajectory_find_columns(trajectory, snapshot, error) != STATUS_DONE)
        return STATUS_NO_MEMORY;
    trajectory_write_head(trajectory, snapshot, stream);
    for (size_t number = 0; number < snapshot->system->count && !ferror(stream); number++) {
        char line[MAX_LINE_SIZE];
        fwrite(line, 1, format_particle(line, trajectory, snapshot, number), stream);
    }
    if (ferror(stream))
        return text_flush(stream, trajectory->file.name, error);
    observer->next_sample = frames_time(&trajectory->frames, ++trajectory->next_frame);
    return STATUS_DONE;
}

static void trajectory_free(struct observer *observer)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    frame_free(&trajectory->frame);
    memory_free(trajectory->bonds);
    memory_free(trajectory);
}

enum status trajectory_create(const struct observer_request *request, struct observer **observer,
                              struct error *error)
{
    static const struct observer_operations operations = {
        .sample = trajectory_sample, .state = trajectory_state, .free = trajectory_free};
    struct trajectory *trajectory = memory_allocate(1, sizeof *trajectory, "the trajectory", error);
    if (!trajectory)
        return STATUS_NO_MEMORY;
    *trajectory = (struct trajectory){
        .observer = {.operations = &operations, .option = "--trajectory", .next_sample = 0},
        .file = {.name = request->name},
        .columns = request->trajectory_columns,
        .frames = {request->interval, request->to}};
    trajectory->observer.file = &trajectory->file;
    *observer = &trajectory->observer;
    return STATUS_DONE;
}
