/* Tests of the lines of the answer. */
#include "check.h"
#include "observe/writers.h"

#include <inttypes.h>

/* The line of output_write for one particle at rest. */
static const char *line_of(struct particle particle, struct particle_counts counts, char line[200])
{
    const struct system system = arranged_few(&particle, &counts, 1, 0, 1e20, 1e20);
    FILE *stream = tmpfile();
    line[0] = '\0';
    if (CHECK(stream != NULL)) {
        CHECK(output_write(&system, 1, NULL, NULL, stream, "a file", &failure) == STATUS_DONE);
        rewind(stream);
        line[fread(line, 1, 199, stream)] = '\0';
        fclose(stream);
    }
    return line;
}

TEST(the_format)
{
    char line[200];
    struct particle particle = {.x = 1.5, .y = 2e6};
    CHECK(strcmp(line_of(particle, (struct particle_counts){.walls = 3}, line),
                 "1.500000, 2000000.000000, 3, 0\n") == 0);
    particle = (struct particle){.x = 0.0000005, .y = 0.9999996};
    CHECK(strcmp(line_of(particle, (struct particle_counts){.particles = 12}, line),
                 "0.000000, 1.000000, 0, 12\n") == 0);
}

TEST(counts_beyond_32_bits)
{
    char line[200];
    const struct particle particle = {0};
    const struct particle_counts counts = {.walls = 5000000000, .particles = UINT64_MAX};
    CHECK(strcmp(line_of(particle, counts, line),
                 "0.000000, 0.000000, 5000000000, 18446744073709551615\n") == 0);
}

TEST(zero_has_no_sign)
{
    char line[200];
    const struct particle particle = {.x = 0, .u = -1e-17};
    CHECK(strcmp(line_of(particle, (struct particle_counts){0}, line),
                 "0.000000, 0.000000, 0, 0\n") == 0);
}

/* More lines than one block holds, of all lengths, and each as printf writes it. */
RANDOM_TEST(many_lines, 8)
{
    enum { COUNT = 5000 };
    static struct particle particles[COUNT];
    static struct particle_counts counts[COUNT];
    const struct system system = arranged_few(particles, counts, COUNT, 0, 1e40, 1e40);
    for (size_t k = 0; k < COUNT; k++) {
        particles[k] = (struct particle){.id = (int32_t)k,
                                         .x = pow(10, 48 * random_unit(random) - 8),
                                         .y = pow(10, 20 * random_unit(random) - 8)};
        counts[k] =
            (struct particle_counts){.walls = random_below(random, 1000),
                                     .particles = (uint64_t)pow(10, 19 * random_unit(random))};
    }
    FILE *stream = tmpfile();
    if (!CHECK(stream != NULL))
        return;
    CHECK(output_write(&system, 1, NULL, NULL, stream, "a file", &failure) == STATUS_DONE);
    rewind(stream);
    char line[200];
    char expected[200];
    for (size_t k = 0; k < COUNT; k++) {
        const struct particle *p = &particles[k];
        snprintf(expected, sizeof expected, "%.6f, %.6f, %" PRIu64 ", %" PRIu64 "\n", p->x, p->y,
                 counts[k].walls, counts[k].particles);
        CHECK(fgets(line, sizeof line, stream) != NULL && strcmp(line, expected) == 0);
    }
    CHECK(fgetc(stream) == EOF);
    fclose(stream);
}

/* All of a stream; the caller frees it. */
static char *read_back(FILE *stream, size_t *size)
{
    *size = (size_t)ftell(stream);
    char *text = malloc(*size + 1);
    if (!text)
        exit(EXIT_FAILURE);
    rewind(stream);
    CHECK(fread(text, 1, *size, stream) == *size && fgetc(stream) == EOF);
    fclose(stream);
    return text;
}

/* So many particles that several threads make the lines, and their last parts are not full. */
RANDOM_TEST(threads_write_the_same, 9)
{
    enum { COUNT = 20500 };
    OWNED(system, system) = arranged_disks(COUNT, 0, 1e6, 1e6, 0);
    for (size_t k = 0; k < COUNT; k++) {
        system.particles[k].x = pow(10, 12 * random_unit(random) - 6);
        system.particles[k].y = 1e6 * random_unit(random);
        system.counts[k].particles = random_below(random, 1000);
    }
    size_t size;
    FILE *stream = tmpfile();
    CHECK(output_write(&system, 1, NULL, NULL, stream, "a file", &failure) == STATUS_DONE);
    char *expected = read_back(stream, &size);
    for (unsigned count = 0; count <= 4; count++) {
        const struct schedule_threads threads = {.count = count};
        size_t length;
        stream = tmpfile();
        CHECK(output_write(&system, 1, &threads, NULL, stream, "a file", &failure) == STATUS_DONE);
        char *text = read_back(stream, &length);
        CHECK(length == size && memcmp(text, expected, size) == 0);
        free(text);
        /* Also if the particles are in another order. */
        for (size_t k = 0; k < COUNT; k++)
            system_exchange(&system, k, random_below(random, COUNT));
    }
    free(expected);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        const struct schedule_threads three = {.count = 3};
        failure.message[0] = '\0';
        CHECK(output_write(&system, 1, &three, NULL, full, "a file", &failure) ==
              STATUS_CANNOT_WRITE);
        CHECK(strcmp(failure.message, "a file: cannot write: No space left on device") == 0);
        fclose(full);
    }
}

TEST(a_full_disk_is_an_error)
{
    struct particle particle = {.x = 1};
    const struct system system =
        arranged_few(&particle, (struct particle_counts[1]){{0}}, 1, 0, 2, 2);
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return; /* a system without /dev/full */
    CHECK(output_write(&system, 1, NULL, NULL, full, "a file", &failure) == STATUS_CANNOT_WRITE);
    fclose(full);
}

/* A signal before the last line ends the answer, on any number of threads. */
TEST(a_signal)
{
    enum { COUNT = 5000 };
    OWNED(system, system) = arranged_disks(COUNT, 0, 2, 2, 0);
    for (sig_atomic_t interrupt = 0; interrupt <= 1; interrupt++) {
        for (unsigned count = 1; count <= 3; count++) {
            const struct schedule_threads threads = {.count = count};
            FILE *stream = tmpfile();
            CHECK(output_write(&system, 1, &threads, &interrupt, stream, "a file", &failure) ==
                  (interrupt ? STATUS_INTERRUPTED : STATUS_DONE));
            size_t size;
            free(read_back(stream, &size));
            CHECK((size == 0) == interrupt);
        }
    }
}
