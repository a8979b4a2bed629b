/*
 * The positions of all particles at equal intervals; see trajectory.h.
 *
 * The columns have the names that programs for such files know. The species is called "type" there,
 * for "species" must be a chemical element. It is the first column and the position comes next, as
 * in plain XYZ. "unwrapped_position" is GPUMD's name for what along periodic axes comes last.
 */
#include "observe/trajectory.h"

#include "base/memory.h"
#include "io/number.h"
#include "io/output_file.h"
#include "io/record.h"
#include "io/text.h"
#include "observe/frames.h"

#include <float.h>
#include <string.h>

enum { LONGEST_LINE = 7 * NUMBER_SHORTEST_SIZE + 2 * NUMBER_WHOLE_SIZE + 16 };

struct trajectory {
    struct observer observer;
    const char *name; /* not owned */
    struct frames frames;
    uint64_t next_frame;
    struct output_file file;
};

static enum status begin(struct observer *observer, const struct snapshot *snapshot,
                         struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    (void)snapshot;
    return output_file_open_resumable(&trajectory->file, trajectory->name, observer->is_resumable,
                                      &observer->is_saved, error);
}

static enum status save(struct observer *observer, const struct snapshot *snapshot,
                        struct record_writer *writer, struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    (void)snapshot;
    record_put_number(writer, trajectory->frames.interval);
    record_put_whole(writer, trajectory->next_frame);
    return output_file_save(&trajectory->file, writer, error);
}

static enum status load(struct observer *observer, const struct snapshot *snapshot,
                        struct record_reader *reader, struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    (void)snapshot;
    double interval = record_take_number(reader, DBL_MIN, DBL_MAX);
    trajectory->next_frame = record_take_whole(reader, (uint64_t)TRAJECTORY_MOST_FRAMES + 2);
    if (!reader->status && interval != trajectory->frames.interval)
        return error_set(error, STATUS_USAGE,
                         "%.4100s is the checkpoint of a run with --every=%.17g: give it again",
                         reader->name, interval);
    enum status status = output_file_load(&trajectory->file, trajectory->name, reader, error);
    observer->next_look = frames_time(&trajectory->frames, trajectory->next_frame);
    return status;
}

/* Appends a space and a number to a line, and returns the end of the line. */
static char *append(char *end, double value)
{
    *end++ = ' ';
    return end + number_write_shortest(end, value);
}

static size_t format_particle(char line[LONGEST_LINE], const struct snapshot *snapshot,
                              size_t number)
{
    const struct body body = snapshot_body(snapshot, number);
    double x;
    double y;
    snapshot_position(snapshot, number, &x, &y);
    char *end = line + number_write_whole(line, (uint64_t)body.species);
    end = append(end, x);
    end = append(end, y);
    memcpy(end, " 0", 2);
    end = append(end + 2, body.u);
    end = append(end, body.v);
    memcpy(end, " 0", 2);
    end = append(end + 2, body.radius);
    *end++ = ' ';
    end += number_write_whole(end, number);
    if (snapshot->system->boundary.periodic) {
        snapshot_unwrapped(snapshot, number, &x, &y);
        end = append(end, x);
        end = append(end, y);
        memcpy(end, " 0", 2);
        end += 2;
    }
    *end++ = '\n';
    return (size_t)(end - line);
}

/* Writes the two lines before the particles. */
static void write_head(const struct snapshot *snapshot, FILE *stream)
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
            "Properties=type:I:1:pos:R:3:velo:R:3:radius:R:1:id:I:1%s Time=%s\n",
            system->count, width, height, periodic & PERIODIC_X ? 'T' : 'F',
            periodic & PERIODIC_Y ? 'T' : 'F', periodic ? ":unwrapped_position:R:3" : "", moment);
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    FILE *stream = trajectory->file.stream;
    int is_writable = 1;
    write_head(snapshot, stream);
    for (size_t number = 0; number < snapshot->system->count && is_writable; number++) {
        char line[LONGEST_LINE];
        size_t length = format_particle(line, snapshot, number);
        is_writable = fwrite(line, 1, length, stream) == length;
    }
    if (!is_writable || ferror(stream))
        return text_flush(stream, trajectory->name, error);
    observer->next_look = frames_time(&trajectory->frames, ++trajectory->next_frame);
    return STATUS_DONE;
}

static enum status finish(struct observer *observer, const struct snapshot *snapshot,
                          struct error *error)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    (void)snapshot;
    return output_file_complete(&trajectory->file, error);
}

static void free_trajectory(struct observer *observer)
{
    struct trajectory *trajectory = (struct trajectory *)observer;
    output_file_abandon(&trajectory->file);
    memory_free(trajectory);
}

enum status trajectory_create(const char *name, double interval, double end_time,
                              struct observer **observer, struct error *error)
{
    static const struct observer_operations operations = {.begin = begin,
                                                          .look = look,
                                                          .finish = finish,
                                                          .option = "--trajectory",
                                                          .save = save,
                                                          .load = load,
                                                          .free = free_trajectory};
    struct trajectory *trajectory = memory_allocate(1, sizeof *trajectory, "the trajectory", error);
    if (!trajectory)
        return STATUS_NO_MEMORY;
    *trajectory = (struct trajectory){.observer = {.operations = &operations, .next_look = 0},
                                      .name = name,
                                      .frames = {interval, end_time}};
    *observer = &trajectory->observer;
    return STATUS_DONE;
}
