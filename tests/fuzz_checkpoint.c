/*
 * Fuzzing the reader of checkpoints: the bytes are what stands in one between its first line and
 * its last two, which are added, the checksum being right: so the file is one that somebody has
 * forged. It may be refused, or be nonsense; but it must not take the program down, nor keep it
 * busy for ever. What is accepted is run for a while, with the schedule that the first byte
 * chooses.
 */
#include "fuzz.h"
#include "memory.h"
#include "record_writer.h"
#include "restore.h"
#include "schedule.h"
#include "simulation.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 100, MOST_BYTES = 4000 };

/* Writes the checkpoint into a file that is made once, and removed in the end. Returns its name. */
static char file_name[200];

static void remove_file(void)
{
    unlink(file_name);
}

static const char *write_file(const uint8_t *data, size_t size)
{
    static struct checksum checksum;
    char text[CHECKSUM_TEXT_SIZE];
    if (file_name[0] == '\0') {
        const char *directory = getenv("TMPDIR");
        snprintf(file_name, sizeof file_name, "%.150s/particles.XXXXXX",
                 directory ? directory : "/tmp");
        int descriptor = mkstemp(file_name);
        fuzz_expect(descriptor >= 0 && close(descriptor) == 0, "no file for a test");
        atexit(remove_file);
    }
    FILE *stream = fopen(file_name, "wb");
    fuzz_expect(stream != NULL, "no file for a test");
    checksum_begin(&checksum);
    checksum_add(&checksum, RECORD_FIRST, strlen(RECORD_FIRST));
    checksum_add(&checksum, data, size);
    checksum_add(&checksum, RECORD_END, strlen(RECORD_END));
    fputs(RECORD_FIRST, stream);
    fwrite(data, 1, size, stream);
    fprintf(stream, "%s%s%s\n", RECORD_END, RECORD_CHECKSUM,
            checksum_text(text, checksum_value(&checksum)));
    fuzz_expect(fclose(stream) == 0, "no room for a test");
    return file_name;
}

/* Counts collisions, and ends the run after so many. */
struct counter {
    struct observer observer;
    int count;
};

static enum status count(struct observer *observer, const struct system *system,
                         const struct collision *collision, struct error *error)
{
    (void)system;
    (void)collision;
    if (++((struct counter *)observer)->count < MOST_EVENTS)
        return STATUS_DONE;
    return error_set(error, STATUS_INTERRUPTED, "enough");
}

static void run(struct system *system, enum schedule_kind kind, double end_time)
{
    static const struct observer_operations operations = {.collide = count};
    struct error error;
    struct schedule *schedule = NULL;
    struct counter counter = {
        .observer = {.operations = &operations, .next_look = (double)INFINITY}};
    struct observers observers = {0};
    observers_add(&observers, &counter.observer);
    if (!schedule_create(kind, system, end_time, &schedule, &error))
        simulation_run(system, schedule, end_time, &observers, &error);
    schedule_free(schedule);
    system_restore_order(system);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record_reader reader = {0};
    struct system system = {0};
    struct error error = {""};
    double end_time = 0;
    if (size < 1 || size > MOST_BYTES)
        return 0;
    const char *name = write_file(data + 1, size - 1);
    enum status status = restore_system(&reader, name, &system, &end_time, &error);
    if (!status) {
        struct observers none = {0};
        fuzz_expect(system.count > 0 && system.particles != NULL, "nobody is there");
        fuzz_expect(end_time >= 0 && end_time <= SYSTEM_LARGEST, "an END_TIME out of range");
        for (size_t k = 0; k < system.count; k++)
            fuzz_expect(system.kind_count == 0 || system.particles[k].kind < system.kind_count,
                        "there is no such kind");
        restore_observers(&reader, &none, &system, &error);
        run(&system, data[0] & 1 ? SCHEDULE_CELLS : SCHEDULE_ARRAY, end_time);
    } else {
        fuzz_expect(status == STATUS_BAD_DATA || status == STATUS_NO_MEMORY, "another status");
        fuzz_expect(strncmp(error.message, name, strlen(name)) == 0 || status == STATUS_NO_MEMORY,
                    "a message without a place");
        fuzz_expect(system.particles == NULL && system.kinds == NULL, "something is left");
    }
    record_close(&reader);
    system_free(&system);
    return 0;
}
