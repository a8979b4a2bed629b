/*
 * The positions of all particles at equal intervals; see observe/observers.h.
 *
 * The columns have the names that programs for such files expect. "species" must be a chemical
 * element there, so that is called "type"; it comes first and the position next, as in plain XYZ.
 * "unwrapped_position" is GPUMD's name. "Z" and "masses" are ASE's: the species as an atomic
 * number.
 */
#include "observe/observers.h"

#include "base/memory.h"
#include "correlations.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"

enum { MAX_LINE_SIZE = 14 * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 20 };

struct trajectory {
    struct observer observer;
    struct frames frames;
    uint64_t next_frame;
    uint32_t columns; /* that are asked for: 1 << COLUMN_ */
    struct frame frame;
    struct bonds *bonds; /* of each particle, for those columns; owned; NULL until a frame needs
                            them */
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

/* Appends the columns that are asked for, in the order of trajectory_write_head. */
static char *append_columns(char *end, const struct trajectory *trajectory, const struct body *body,
                            size_t number)
{
    const struct bonds *bonds = &trajectory->bonds[number];
    if (trajectory->columns & 1 << COLUMN_PSI6)
        end = append_numbers(end, (const double[]){bonds->real, bonds->imaginary}, 2);
    if (trajectory->columns & 1 << COLUMN_VORONOI)
        end = append_numbers(end, (const double[]){(double)bonds->count, bonds->area}, 2);
    if (trajectory->columns & 1 << COLUMN_SPECIES)
        end = append_numbers(end, (const double[]){(double)body->species}, 1);
    if (trajectory->columns & 1 << COLUMN_MASS)
        end = append_numbers(end, &body->mass, 1);
    return end;
}

static size_t format_particle(char line[MAX_LINE_SIZE], const struct trajectory *trajectory,
                              const struct snapshot *snapshot, size_t number)
{
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
    end = append_columns(end, trajectory, &body, number);
    *end++ = '\n';
    return (size_t)(end - line);
}

static void trajectory_write_head(const struct snapshot *snapshot, unsigned columns, FILE *stream)
{
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
            "Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1%s%s%s%s%s Time=%s\n",
            system->count, width, height, periodic & PERIODIC_X ? 'T' : 'F',
            periodic & PERIODIC_Y ? 'T' : 'F', periodic ? ":unwrapped_position:R:3" : "",
            columns & 1 << COLUMN_PSI6 ? ":psi6:R:2" : "",
            columns & 1 << COLUMN_VORONOI ? ":neighbours:I:1:voronoi_area:R:1" : "",
            columns & 1 << COLUMN_SPECIES ? ":Z:I:1" : "",
            columns & 1 << COLUMN_MASS ? ":masses:R:1" : "", moment);
}

/* Finds the bonds of all particles, if columns need them. */
static enum status find_columns(struct trajectory *trajectory, const struct snapshot *snapshot,
                                struct error *error)
{
    const struct system *system = snapshot->system;
    enum status status = STATUS_DONE;
    if (!(trajectory->columns & (1 << COLUMN_PSI6 | 1 << COLUMN_VORONOI)))
        return STATUS_DONE;
    if (!trajectory->bonds) {
        trajectory->bonds = memory_allocate(system->count, sizeof *trajectory->bonds,
                                            "the columns of the trajectory", error);
        status = trajectory->bonds
                     ? frame_create(&trajectory->frame, &system->boundary, system->count, error)
                     : STATUS_NO_MEMORY;
    }
    if (status)
        return status;
    frame_take(&trajectory->frame, snapshot);
    return bond_order_find(&trajectory->frame, trajectory->bonds, error);
}

static enum status trajectory_sample(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    FILE *stream = trajectory->file.stream;
    enum status status = find_columns(trajectory, snapshot, error);
    if (status)
        return status;
    trajectory_write_head(snapshot, trajectory->columns, stream);
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

enum status trajectory_create(const char *name, unsigned columns, double interval, double end_time,
                              struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {
        .sample = trajectory_sample, .state = trajectory_state, .free = trajectory_free};
    struct trajectory *trajectory = memory_allocate(1, sizeof *trajectory, "the trajectory", error);
    if (!trajectory)
        return STATUS_NO_MEMORY;
    *trajectory = (struct trajectory){
        .observer = {.operations = &operations, .option = "--trajectory", .next_sample = 0},
        .file = {.name = name},
        .columns = columns,
        .frames = {interval, end_time}};
    trajectory->observer.file = &trajectory->file;
    *observer = &trajectory->observer;
    return STATUS_DONE;
}
