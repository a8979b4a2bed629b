/* The answer; see output_write. Several threads can make the lines; one writes them. */
#include "observe/writers.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/text.h"

#include <string.h>

enum { BLOCK_SIZE = 1 << 12 }; /* on the stack, which may be small */

/* Lines that a thread makes at a time: enough that starting it hardly counts. */
enum { LINES_OF_THREAD = 2048 };

/* Appends ", " and returns the end. */
static char *output_separate(char *text)
{
    memcpy(text, ", ", 2);
    return text + 2;
}

size_t output_line(char text[OUTPUT_LINE_SIZE], const struct snapshot *snapshot, size_t number)
{
    const struct particle_counts counts = snapshot_counts(snapshot, number);
    char *end = text;
    double x, y;
    snapshot_position(snapshot, number, &x, &y);
    end += number_write_fixed(end, x);
    end = output_separate(end);
    end += number_write_fixed(end, y);
    end = output_separate(end);
    end += number_write_whole(end, counts.walls);
    end = output_separate(end);
    end += number_write_whole(end, counts.particles);
    *end++ = '\n';
    return (size_t)(end - text);
}

struct output_sink {
    FILE *stream;
    const char *name;
    const volatile sig_atomic_t *interrupt; /* not 0: they are to end; or NULL */
    int is_writable;                        /* all lines so far have been written */
};

static int output_is_interrupted(const struct output_sink *sink)
{
    return sink->interrupt && *sink->interrupt;
}

/* Writes pieces that a pipe takes as a whole or, if a signal comes while it is full, not at all. */
static void write_lines(struct output_sink *sink, const char *text, size_t length)
{
    for (size_t done = 0; done < length && sink->is_writable; done += BLOCK_SIZE) {
        const size_t size = length - done < BLOCK_SIZE ? length - done : BLOCK_SIZE;
        sink->is_writable =
            !output_is_interrupted(sink) && fwrite(text + done, 1, size, sink->stream) == size;
    }
}

/* A signal that comes when the system has all lines is too late. */
static enum status end_lines(struct output_sink *sink, struct error *error)
{
    if (sink->is_writable || !output_is_interrupted(sink)) {
        enum status status = text_flush(sink->stream, sink->name, error);
        if (!status || !output_is_interrupted(sink))
            return status;
    }
    return error_set(error, STATUS_INTERRUPTED, "interrupted while the answer was written");
}

/* Lines for one thread to make. */
struct output_share {
    const struct snapshot *snapshot;
    size_t next, end; /* the particles whose lines are still to be made */
    char *text;       /* of those that have been made */
    size_t size, length;
};

/* Task: makes lines as long as there is room for any. */
static void make_lines(void *user, unsigned number)
{
    struct output_share *share = (struct output_share *)user + number;
    size_t next = share->next; /* others write near the share, so each member is written once */
    size_t length = 0;
    for (; next < share->end && share->size - length >= OUTPUT_LINE_SIZE; next++)
        length += output_line(share->text + length, share->snapshot, next);
    share->next = next;
    share->length = length;
}

/* Writes all lines, each time those that the threads have made at once, at most `most` of each. */
static void write_shares(struct thread_pool *pool, struct output_share *shares, size_t most,
                         size_t count, struct output_sink *sink)
{
    const unsigned threads = thread_pool_count(pool);
    for (size_t next = 0; next < count && sink->is_writable; next = shares[threads - 1].next) {
        for (unsigned k = 0; k < threads; k++) {
            shares[k].next = next;
            next += count - next < most ? count - next : most;
            shares[k].end = next;
        }
        thread_pool_run(pool, make_lines, shares);
        for (unsigned k = 0; k < threads; k++)
            write_lines(sink, shares[k].text, shares[k].length);
    }
}

enum status output_write(const struct system *system, double end_time,
                         const struct schedule_threads *threads,
                         const volatile sig_atomic_t *interrupt, FILE *stream, const char *name,
                         struct error *error)
{
    struct output_sink sink = {stream, name, interrupt, 1};
    const char *what = "the lines of the answer";
    const struct snapshot snapshot = snapshot_in_order(system, end_time);
    const unsigned chosen = threads ? schedule_choose_threads(threads, system->count) : 1;
    const size_t parts = (system->count - 1) / LINES_OF_THREAD + 1;
    const unsigned wanted = parts < chosen ? (unsigned)parts : chosen;
    const size_t size = (size_t)LINES_OF_THREAD * OUTPUT_LINE_SIZE;
    struct thread_pool *pool = thread_pool_create(wanted);
    const size_t count = thread_pool_count(pool);
    struct output_share *shares =
        count > 1 ? memory_allocate(count, sizeof *shares, what, error) : NULL;
    char *texts = shares ? memory_allocate(count, size, what, error) : NULL;
    char block[BLOCK_SIZE];
    struct output_share alone = {&snapshot, .text = block, .size = sizeof block};
    for (size_t k = 0; texts && k < count; k++)
        shares[k] = (struct output_share){&snapshot, .text = texts + k * size, .size = size};
    if (texts)
        write_shares(pool, shares, LINES_OF_THREAD, system->count, &sink);
    else
        write_shares(NULL, &alone, system->count, system->count, &sink);
    memory_free(texts);
    memory_free(shares);
    thread_pool_free(pool);
    return end_lines(&sink, error);
}
