/* The positions of all particles at equal intervals; see observe/observers.h. The columns have the
 * names that programs for such files expect. "species" must be a chemical element there, so that is
 * called "type"; it comes first and the position next, as in plain XYZ. "unwrapped_position" is
 * GPUMD's name. OVITO takes "velo" for velocities, and ASE computes them as "momenta" / "masses";
 * "Z" is its atomic number. */
#include "observe/observers.h"

#include "base/memory.h"
#include "correlations.h"
#include "io/number.h"
#include "io/record.h"
#include "io/text.h"
#include "run/dynamics.h"

enum {
    MAX_LINE_SIZE = (18 + DYNAMICS_MAX_COLUMNS) * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 20
};

struct trajectory {
    struct observer observer;
    struct trajectory_settings settings;
    uint64_t next_frame;
    struct frame frame;
    struct bonds *bonds; /* of each particle, for these; owned; NULL: there are none */
};

static enum status trajectory_begin(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    const struct system *system = snapshot->system;
    observer->next_sample = 0;
    if (!trajectory->settings.columns)
        return STATUS_DONE;
    trajectory->bonds = memory_allocate(system->count, sizeof *trajectory->bonds,
                                        "the columns of the trajectory", error);
    return trajectory->bonds
               ? frame_create(&trajectory->frame, &system->boundary, system->count, error)
               : STATUS_NO_MEMORY;
}

static void trajectory_state(struct observer *observer, struct record *record)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    uint32_t columns = trajectory->settings.columns;
    record_setting(record, "--every", observer->run->interval, NULL);
    record_uint32(record, &columns, UINT32_MAX);
    if (!record->status && columns != trajectory->settings.columns)
        record_refuse_run(record, "with other --trajectory-columns", "give the same ones");
    record_whole(record, &trajectory->next_frame, (uint64_t)FRAMES_MAX + 2);
    output_file_record(observer->file, observer->file->name, record);
    observer->next_sample = frames_time(&observer->run->frames, trajectory->next_frame);
}

/* The columns that can be asked for, by COLUMN_, and where each one ends in the list of values. */
static const struct {
    const char *property;
    size_t end;
} columns_known[] = {{":psi6:R:2", 2}, {":neighbours:I:1:voronoi_area:R:1", 4}, {":Z:I:1", 5}};

static char *append_columns(char *end, const struct trajectory *trajectory, const struct body *body,
                            size_t number)
{
    const unsigned columns = trajectory->settings.columns;
    const struct bonds *bonds = &trajectory->bonds[number];
    const double values[] = {bonds->real, bonds->imaginary, (double)bonds->count, bonds->area,
                             (double)body->species};
    for (size_t k = 0, first = 0; k < COLUMN_COUNT; first = columns_known[k++].end)
        if (columns >> k & 1)
            end = number_append(end, ' ', values + first, columns_known[k].end - first);
    return end;
}

static size_t format_particle(char line[MAX_LINE_SIZE], const struct trajectory *trajectory,
                              const struct snapshot *snapshot, size_t number)
{
    const struct dynamics_column *column = observers_dynamics(trajectory->observer.all)->columns;
    const struct body body = snapshot_body(snapshot, number);
    double values[7] = {0, 0, 0, body.u, body.v, 0, body.radius};
    snapshot_position(snapshot, number, &values[0], &values[1]);
    char *end = line + number_write_whole(line, (uint64_t)body.species);
    end = number_append(end, ' ', values, 7);
    *end++ = ' ';
    end += number_write_whole(end, number);
    if (snapshot->system->boundary.periodic) {
        snapshot_unwrapped(snapshot, number, &values[0], &values[1]);
        end = number_append(end, ' ', values, 3);
    }
    const double ase[4] = {body.mass, body.mass * body.u, body.mass * body.v, 0};
    end = number_append(end, ' ', ase, 4);
    if (trajectory->bonds)
        end = append_columns(end, trajectory, &body, number);
    for (; column->name; column++)
        end = number_append(end, ' ', (const double[]){column->value(column->of, number)}, 1);
    *end++ = '\n';
    return (size_t)(end - line);
}

static void trajectory_write_head(const struct trajectory *trajectory,
                                  const struct snapshot *snapshot, FILE *stream)
{
    const struct dynamics_column *column = observers_dynamics(trajectory->observer.all)->columns;
    const struct system *system = snapshot->system;
    const unsigned periodic = system->boundary.periodic;
    const unsigned columns = trajectory->settings.columns;
    fprintf(stream,
            "%zu\n"
            "Lattice=\"%s 0 0 0 %s 0 0 0 1\" Origin=\"0 0 0\" pbc=\"%c %c F\" "
            "Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1%s:masses:R:1:momenta:R:3",
            system->count, show_exactly(system->boundary.width).text,
            show_exactly(system->boundary.height).text, periodic & PERIODIC_X ? 'T' : 'F',
            periodic & PERIODIC_Y ? 'T' : 'F', periodic ? ":unwrapped_position:R:3" : "");
    for (size_t k = 0; k < COLUMN_COUNT; k++)
        fputs(columns >> k & 1 ? columns_known[k].property : "", stream);
    for (; column->name; column++)
        fprintf(stream, ":%s:R:1", column->name);
    fprintf(stream, " Time=%s\n", show_exactly(snapshot->time).text);
}

static enum status trajectory_sample(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    FILE *stream = observer->file->stream;
    enum status status = STATUS_DONE;
    double order;
    if (trajectory->bonds) {
        frame_take(&trajectory->frame, snapshot);
        status = bond_order_find(&trajectory->frame, trajectory->bonds, &order, &order, error);
    }
    if (status)
        return status;
    trajectory_write_head(trajectory, snapshot, stream);
    for (size_t number = 0; number < snapshot->system->count && !ferror(stream); number++) {
        char line[MAX_LINE_SIZE];
        fwrite(line, 1, format_particle(line, trajectory, snapshot, number), stream);
    }
    if (ferror(stream))
        return text_flush(stream, observer->file->name, error);
    observer->next_sample = frames_time(&observer->run->frames, ++trajectory->next_frame);
    return STATUS_DONE;
}

static void trajectory_free(struct observer *observer)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    frame_free(&trajectory->frame);
    memory_free(trajectory->bonds);
}

const struct observer_operations trajectory_operations = {
    .kind = {"--trajectory", "the trajectory", sizeof(struct trajectory), FILE_FROM_BEGIN},
    OBSERVER_SETTINGS(struct trajectory),
    .begin = trajectory_begin,
    .sample = trajectory_sample,
    .state = trajectory_state,
    .free = trajectory_free,
};
