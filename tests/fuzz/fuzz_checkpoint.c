/* Fuzzing the reader of checkpoints: the bytes are what stands in one between its first line and
 * its last two, which are added, the checksum being right: so the file is a forged one. It may be
 * refused, or be nonsense; but it must not make the program crash or run without end. What is
 * accepted is run for a while, with the schedule that the first byte chooses.
 *
 * A number with one of its digits changed is seldom an extreme one; so every second time a
 * whole word is replaced by such a number, by a count, or by another word of the file. */
#include "fuzz.h"
#include "io/record.h"
#include "lattice/lattice.h"
#include "observe/writers.h"
#include "random_system.h"
#include "run/dynamics.h"
#include "schedule/schedule.h"
#include "steps/steps.h"
#include "witness.h"

#include <float.h>
#include <inttypes.h>
#include <unistd.h>

enum { MAX_EVENTS = 300, MAX_BYTES = 4000 };

/* Writes the checkpoint into a file that is made once, and removed in the end. Returns its name. */
static char file_name[200];

static void remove_file(void)
{
    unlink(file_name);
}

static const char *write_file(const uint8_t *data, size_t size)
{
    static struct crc64 crc64;
    char text[CRC64_TEXT_SIZE];
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
    crc64_begin(&crc64);
    crc64_add(&crc64, RECORD_FIRST, strlen(RECORD_FIRST));
    crc64_add(&crc64, data, size);
    crc64_add(&crc64, RECORD_END, strlen(RECORD_END));
    fputs(RECORD_FIRST, stream);
    fwrite(data, 1, size, stream);
    fprintf(stream, "%s%s%s\n", RECORD_END, RECORD_CHECKSUM, crc64_text(&crc64, text));
    fuzz_expect(fclose(stream) == 0, "no room for a test");
    return file_name;
}

/* A word that a forger might write; returns its length. */
static size_t make_word(char *text, size_t room, struct random_generator *random)
{
    static const double extremes[] = {0, DBL_TRUE_MIN, DBL_MIN, 1e-126, 1e-85, 1e-40, 1e-20,
                                      1, 1e20,         1e40,    1e85,   1e126, 1e200, DBL_MAX};
    static const uint64_t counts[] = {0, 1, 2, 3, 255, 1u << 28, INT32_MAX, UINT32_MAX, UINT64_MAX};
    double value = extremes[random_below(random, LENGTH(extremes))];
    switch (random_below(random, 4)) {
    case 0:
        return (size_t)snprintf(text, room, "%" PRIu64,
                                counts[random_below(random, LENGTH(counts))]);
    case 1:
        value = nextafter(value, random_below(random, 2) ? 0 : (double)INFINITY);
        break;
    case 2:
        value = ldexp(1 + random_unit(random), (int)random_below(random, 64) - 32);
        break;
    default:
        break;
    }
    if (random_below(random, 2))
        value = -value;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (size_t)snprintf(text, room, "%016" PRIx64, bits);
}

/* Finds the word around `place`. Returns its length, and where it begins. */
static size_t find_word(const uint8_t *data, size_t size, size_t place, size_t *begin)
{
    size_t end = place;
    while (place > 0 && data[place - 1] > ' ')
        place--;
    while (end < size && data[end] > ' ')
        end++;
    *begin = place;
    return end - place;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    char word[100];
    struct random_generator random = random_from(seed);
    if (size == 0 || random_below(&random, 2))
        return LLVMFuzzerMutate(data, size, room);
    size_t begin;
    size_t length = find_word(data, size, random_below(&random, size), &begin);
    size_t wanted = make_word(word, sizeof word, &random);
    if (random_below(&random, 4) == 0) {
        size_t other;
        size_t copied = find_word(data, size, random_below(&random, size), &other);
        wanted = copied < sizeof word ? copied : sizeof word;
        memcpy(word, data + other, wanted);
    }
    if (size - length + wanted > room)
        return LLVMFuzzerMutate(data, size, room);
    memmove(data + begin + wanted, data + begin + length, size - begin - length);
    memcpy(data + begin, word, wanted);
    return size - length + wanted;
}

static void run(struct system *system, enum schedule_kind kind, double end_time)
{
    struct schedule *schedule = NULL;
    struct stopper stopper;
    struct notifications stop = NEVER;
    struct observers observers = {0};
    stop.collisions = MAX_EVENTS;
    stop.quiescent_points = 20 * MAX_EVENTS; /* with passages of seams, of which there is no end */
    stopper_join(&stopper, stop, &observers);
    if (!schedule_create(kind, system, NULL, &schedule, &failure))
        simulation_run(schedule, end_time, &observers, &failure);
    schedule_free(schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record reader = {0};
    OWNED(system, system) = {0};
    struct error error = {""};
    double time = 0, end_time = 0;
    OWNED(steps_settings, steps) = {0};
    struct lattice_settings lattice = {0};
    if (size < 1 || size > MAX_BYTES)
        return 0;
    const char *name = write_file(data + 1, size - 1);
    enum status status =
        checkpoint_read_system(&reader, name, &system, &time, &end_time, &steps, &lattice, &error);
    if (!status) {
        struct observers none = {0};
        fuzz_expect(system.count > 0 && system.particles != NULL, "there is no particle");
        fuzz_expect(end_time >= 0 && end_time <= SYSTEM_LARGEST, "an END_TIME out of range");
        for (size_t k = 0; k < system.count; k++)
            fuzz_expect(system.kind_count == 0 || system.particles[k].kind < system.kind_count,
                        "there is no such kind");
        checkpoint_read_observers(&reader, &none, &system);
        run(&system, data[0] & 1 ? SCHEDULE_CELLS : SCHEDULE_ARRAY, end_time);
    } else {
        fuzz_expect(status == STATUS_BAD_DATA || status == STATUS_NO_MEMORY, "another status");
        fuzz_expect(strncmp(error.message, name, strlen(name)) == 0 || status == STATUS_NO_MEMORY,
                    "a message without a place");
        fuzz_expect(system.particles == NULL && system.kinds == NULL, "something is left");
    }
    record_close(&reader);
    return 0;
}
