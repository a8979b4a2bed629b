/* The positions of all particles at equal intervals; see observe/writers.h. The columns have the
 * names that programs for such files expect. "species" must be a chemical element in XYZ, so that
 * is called "type"; it comes first and the position next, as in plain XYZ. "unwrapped_position" is
 * GPUMD's name. OVITO takes "velo" and "mass"; ASE has velocities as "momenta" / "masses", and "Z"
 * is its atomic number. OVITO takes "omegaz", LAMMPS's name of a spin, which LAMMPS has as a
 * vector. In a file of LAMMPS velocities need "vz", too, "Z" would be a position to OVITO, and
 * ITEM: TIME stands where LAMMPS's own reader skips it (reader_native.cpp). */
#include "observe/writers.h"

#include "base/memory.h"
#include "correlations.h"
#include "io/number.h"
#include "io/record.h"
#include "io/text.h"
#include "run/dynamics.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_LINE_SIZE = (23 + DYNAMICS_MAX_COLUMNS) * NUMBER_SHORTEST_SIZE + 4 * NUMBER_WHOLE_SIZE + 20,
    MAX_ATOMIC_NUMBER = 118
};

struct trajectory {
    struct observer observer;
    struct trajectory_settings settings;
    uint64_t next_frame;
    struct neighbours_map map;
    struct bond_order *bonds; /* of each particle, for these; owned; NULL: there are none */
    int is_dump;              /* of LAMMPS, and not XYZ */
    int has_unwrapped;        /* beside the position */
};

static int has_column(const struct trajectory *trajectory, int column)
{
    return trajectory->settings.columns >> column & 1;
}

static enum status trajectory_begin(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    const struct system *system = snapshot->system;
    const char *end = strrchr(observer->file->name, '.');
    trajectory->is_dump = end && strcmp(end, ".lammpstrj") == 0;
    trajectory->has_unwrapped = trajectory->is_dump ? has_column(trajectory, COLUMN_UNWRAPPED)
                                                    : system->boundary.periodic &&
                                                          !has_column(trajectory, COLUMN_UNWRAPPED);
    observer->next_sample = 0;
    for (size_t k = 0; k < system->kind_count && !trajectory->is_dump; k++)
        if (has_column(trajectory, COLUMN_SPECIES) && system->kinds[k].species > MAX_ATOMIC_NUMBER)
            return error_set(error, STATUS_BAD_DATA,
                             "--trajectory-columns=species: the species %ld is no atomic number",
                             (long)system->kinds[k].species);
    if (!has_column(trajectory, COLUMN_PSI6) && !has_column(trajectory, COLUMN_VORONOI))
        return STATUS_DONE;
    trajectory->bonds = memory_allocate(system->count, sizeof *trajectory->bonds,
                                        "the columns of the trajectory", error);
    return trajectory->bonds
               ? neighbours_map_create(&trajectory->map, &system->boundary, system->count, error)
               : STATUS_NO_MEMORY;
}

static void trajectory_state(struct observer *observer, struct record *record)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    const uint32_t content = trajectory->settings.columns << 1 | (uint32_t)trajectory->is_dump;
    uint32_t saved = content;
    record_setting(record, "--every", observer->run->interval, NULL);
    record_uint32(record, &saved, UINT32_MAX);
    if (!record->status && saved != content)
        record_refuse_run(record, "with other --trajectory-columns or another format of that file",
                          "give the same ones");
    record_whole(record, &trajectory->next_frame, (uint64_t)FRAMES_MAX + 2);
    observer->next_sample = frames_time(&observer->run->frames, trajectory->next_frame);
}

/* The columns that are at the end, by COLUMN_: what they are called in XYZ and in a dump, and
 * where each one ends in the list of values. */
enum { COLUMNS_AT_END = COLUMN_SPECIES + 1 };
static const struct {
    const char *names[2];
    size_t end;
} columns_known[COLUMNS_AT_END] = {
    {{":psi6:R:2", " psi6_re psi6_im"}, 2},
    {{":neighbours:I:1:voronoi_area:R:1", " neighbours voronoi_area"}, 4},
    {{":Z:I:1", " species"}, 5}};

static char *append_columns(char *end, const struct trajectory *trajectory,
                            const struct snapshot_particle *body, size_t number)
{
    const struct bond_order bonds =
        trajectory->bonds ? trajectory->bonds[number] : (struct bond_order){0};
    const double values[] = {bonds.real, bonds.imaginary, (double)bonds.count, bonds.area,
                             (double)body->species};
    size_t first = 0;
    for (int k = 0; k < COLUMNS_AT_END; first = columns_known[k++].end)
        if (has_column(trajectory, k))
            end = number_append(end, ' ', values + first, columns_known[k].end - first);
    return end;
}

/* z has a point: Jmol takes a file whose fourth line has whole numbers only for one of MDL. */
static char *append_position(char *end, const struct snapshot *snapshot, size_t number,
                             int is_unwrapped)
{
    double position[2];
    (is_unwrapped ? snapshot_unwrapped : snapshot_position)(snapshot, number, &position[0],
                                                            &position[1]);
    return stpcpy(number_append(end, ' ', position, 2), " 0.0");
}

static size_t format_particle(char line[MAX_LINE_SIZE], const struct trajectory *trajectory,
                              const struct snapshot *snapshot, size_t number)
{
    const struct dynamics_column *column = observers_dynamics(trajectory->observer.all)->columns;
    const struct snapshot_particle body = snapshot_body(snapshot, number);
    const double mass = body.mass, masses[] = {mass, mass * body.u, mass * body.v, 0, mass};
    const int is_dump = trajectory->is_dump;
    const double label = is_dump ? (double)body.species + 1 : (double)number;
    char *end = line + number_write_whole(line, is_dump ? number + 1 : (uint64_t)body.species);
    if (is_dump)
        end = number_append(end, ' ', &label, 1);
    end = append_position(end, snapshot, number,
                          has_column(trajectory, COLUMN_UNWRAPPED) && !is_dump);
    end = number_append(end, ' ', (const double[]){body.u, body.v, 0, body.radius, mass},
                        is_dump ? 5 : 4);
    if (!is_dump)
        end = number_append(end, ' ', &label, 1);
    if (trajectory->has_unwrapped)
        end = append_position(end, snapshot, number, 1);
    if (!is_dump)
        end = number_append(end, ' ', masses, 5); /* with the momenta between them */
    end = append_columns(end, trajectory, &body, number);
    if (snapshot->system->spins)
        end = number_append(end, ' ', (const double[]){0, 0, snapshot_spin(snapshot, number)}, 3);
    for (; column->name; column++)
        end = number_append(end, ' ', (const double[]){column->value(column->of, number)}, 1);
    *end++ = '\n';
    return (size_t)(end - line);
}

static void trajectory_write_head(const struct trajectory *trajectory,
                                  const struct snapshot *snapshot, FILE *stream)
{
    const size_t count = system_present(snapshot->system);
    const struct dynamics_column *column = observers_dynamics(trajectory->observer.all)->columns;
    const struct boundary *box = &snapshot->system->boundary;
    const int is_x = (box->periodic & PERIODIC_X) != 0, is_y = (box->periodic & PERIODIC_Y) != 0;
    const struct error_number width = show_exactly(box->width), height = show_exactly(box->height);
    const int is_dump = trajectory->is_dump;
    if (is_dump && has_column(trajectory, COLUMN_TIME))
        fprintf(stream, "ITEM: TIME\n%s\n", show_exactly(snapshot->time).text);
    if (is_dump)
        fprintf(stream,
                "ITEM: TIMESTEP\n%" PRIu64 "\nITEM: NUMBER OF ATOMS\n%zu\n"
                "ITEM: BOX BOUNDS %s %s ff\n0 %s\n0 %s\n-0.5 0.5\n"
                "ITEM: ATOMS id type x y z vx vy vz radius mass%s",
                trajectory->next_frame, count, is_x ? "pp" : "ff", is_y ? "pp" : "ff", width.text,
                height.text, trajectory->has_unwrapped ? " xu yu zu" : "");
    else
        fprintf(stream,
                "%zu\nLattice=\"%s 0 0 0 %s 0 0 0 1\" Origin=\"0 0 0\" pbc=\"%c %c F\" Properties="
                "type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1%s:masses:R:1:momenta:R:3:mass:R:1",
                count, width.text, height.text, is_x ? 'T' : 'F', is_y ? 'T' : 'F',
                trajectory->has_unwrapped ? ":unwrapped_position:R:3" : "");
    for (int k = 0; k < COLUMNS_AT_END; k++)
        fputs(has_column(trajectory, k) ? columns_known[k].names[is_dump] : "", stream);
    if (snapshot->system->spins)
        fputs(is_dump ? " omegax omegay omegaz" : ":angular_velocity:R:3", stream);
    for (; column->name; column++)
        fprintf(stream, is_dump ? " %s" : ":%s:R:1", column->name);
    if (!is_dump)
        fprintf(stream, " Time=%s", show_exactly(snapshot->time).text);
    fputc('\n', stream);
}

static enum status trajectory_sample(struct observer *observer, const struct snapshot *snapshot,
                                     struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    FILE *stream = observer->file->stream;
    enum status status = STATUS_DONE;
    double order;
    if (trajectory->bonds) {
        neighbours_map_take(&trajectory->map, snapshot);
        status = bond_order_find(&trajectory->map, trajectory->bonds, &order, &order, error);
    }
    if (status)
        return status;
    trajectory_write_head(trajectory, snapshot, stream);
    for (size_t number = 0; number < snapshot->system->count && !ferror(stream); number++) {
        char line[MAX_LINE_SIZE];
        if (!snapshot_has(snapshot, number))
            continue;
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
    neighbours_map_free(&trajectory->map);
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
