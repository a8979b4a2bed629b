/*
 * The answer; see output.h. What follows after output_write is the same on several threads.
 */
#include "observe/output.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/text.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 12 }; /* on the stack, which may be small */

/* How many lines a thread makes at a time: so many that to begin and to wait do not matter. */
enum { LINES_OF_THREAD = 2048 };

/* Appends ", " and returns the end. */
static char *separate(char *text)
{
    memcpy(text, ", ", 2);
    return text + 2;
}

size_t output_line(char text[OUTPUT_LINE_SIZE], const struct snapshot *snapshot, size_t number)
{
    const struct counts counts = snapshot_counts(snapshot, number);
    char *end = text;
    double x;
    double y;
    snapshot_position(snapshot, number, &x, &y);
    end += number_write_fixed(end, x);
    end = separate(end);
    end += number_write_fixed(end, y);
    end = separate(end);
    end += number_write_whole(end, counts.walls);
    end = separate(end);
    end += number_write_whole(end, counts.particles);
    *end++ = '\n';
    return (size_t)(end - text);
}

/* Where lines go. */
struct sink {
    FILE *stream;
    const char *name;
    const volatile sig_atomic_t *interrupt; /* not 0: they are to end; or NULL */
    int is_writable;                        /* all lines so far have been written */
};

static int is_interrupted(const struct sink *sink)
{
    return sink->interrupt && *sink->interrupt;
}

/* In pieces that a pipe takes as a whole or, where a signal comes while it is full, not at all. */
static void write_lines(struct sink *sink, const char *text, size_t length)
{
    for (size_t done = 0; done < length && sink->is_writable; done += BLOCK_SIZE) {
        const size_t size = length - done < BLOCK_SIZE ? length - done : BLOCK_SIZE;
        sink->is_writable =
            !is_interrupted(sink) && fwrite(text + done, 1, size, sink->stream) == size;
    }
}

/* A signal that comes when the system has all lines is too late. */
static enum status end_lines(struct sink *sink, struct error *error)
{
    if (sink->is_writable || !is_interrupted(sink)) {
        enum status status = text_flush(sink->stream, sink->name, error);
        if (!status || !is_interrupted(sink))
            return status;
    }
    return error_set(error, STATUS_INTERRUPTED, "interrupted while the answer was written");
}

static enum status write_alone(const struct system *system, double end_time, struct sink *sink,
                               struct error *error)
{
    const struct snapshot snapshot = snapshot_in_order(system, end_time);
    char block[BLOCK_SIZE];
    size_t used = 0;
    for (size_t number = 0; number < system->count && sink->is_writable; number++) {
        used += output_line(block + used, &snapshot, number);
        if (used > sizeof block - OUTPUT_LINE_SIZE || number + 1 == system->count) {
            write_lines(sink, block, used);
            used = 0;
        }
    }
    return end_lines(sink, error);
}

enum status output_write(const struct system *system, double end_time, FILE *stream,
                         const char *name, struct error *error)
{
    struct sink sink = {.stream = stream, .name = name, .is_writable = 1};
    return write_alone(system, end_time, &sink, error);
}

/* Lines for one thread to make. */
struct part {
    const struct snapshot *snapshot;
    size_t first, count; /* of which particles */
    char *text;          /* room for LINES_OF_THREAD lines */
    size_t length;       /* of those that have been made */
};

static void make_lines(void *user, unsigned number)
{
    struct part *part = (struct part *)user + number;
    size_t length = 0; /* the parts of others are near in memory, so each is written once */
    for (size_t k = 0; k < part->count; k++)
        length += output_line(part->text + length, part->snapshot, part->first + k);
    part->length = length;
}

/* Writes all lines, each time those that the threads have made at once. */
static void write_parts(const struct system *system, struct thread_pool *pool, struct part *parts,
                        struct sink *sink)
{
    for (size_t next = 0; next < system->count && sink->is_writable;) {
        for (unsigned k = 0; k < thread_pool_count(pool); k++) {
            const size_t left = system->count - next;
            parts[k].first = next;
            parts[k].count = left < LINES_OF_THREAD ? left : LINES_OF_THREAD;
            next += parts[k].count;
        }
        thread_pool_run(pool, make_lines, parts);
        for (unsigned k = 0; k < thread_pool_count(pool); k++)
            write_lines(sink, parts[k].text, parts[k].length);
    }
}

/* How many threads have lines to make. */
static unsigned choose_threads(const struct schedule_threads *threads, size_t count)
{
    const unsigned chosen = schedule_choose_threads(threads, count);
    const size_t parts = (count - 1) / LINES_OF_THREAD + 1;
    return parts < chosen ? (unsigned)parts : chosen;
}

enum status output_write_threaded(const struct system *system, double end_time,
                                  const struct schedule_threads *threads,
                                  const volatile sig_atomic_t *interrupt, FILE *stream,
                                  const char *name, struct error *error)
{
    struct sink sink = {stream, name, interrupt, 1};
    const char *what = "the lines of the answer";
    const struct snapshot snapshot = snapshot_in_order(system, end_time);
    const unsigned wanted = choose_threads(threads, system->count);
    struct part *parts = NULL;
    char *texts = NULL;
    if (wanted == 1)
        return write_alone(system, end_time, &sink, error);
    struct thread_pool *pool = thread_pool_create(wanted, error);
    const size_t count = thread_pool_count(pool);
    const size_t size = (size_t)LINES_OF_THREAD * OUTPUT_LINE_SIZE;
    if (count > 1)
        parts = memory_allocate(count, sizeof *parts, what, error);
    if (parts)
        texts = memory_allocate(count, size, what, error);
    for (size_t k = 0; texts && k < count; k++)
        parts[k] = (struct part){.snapshot = &snapshot, .text = texts + k * size};
    if (texts)
        write_parts(system, pool, parts, &sink);
    enum status status =
        texts ? end_lines(&sink, error) : write_alone(system, end_time, &sink, error);
    memory_free(texts);
    memory_free(parts);
    thread_pool_free(pool);
    return status;
}
