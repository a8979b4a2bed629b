/* The answer; see output_write. Several threads can make the lines; one writes them. */
#include "observe/writers.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/thread_pool.h"
#include "io/text.h"

#include <string.h>
#include <sys/stat.h>

enum { BLOCK_SIZE = 1 << 12 }; /* on the stack, which may be small */

/* Lines that a thread makes at a time: enough that starting it hardly counts. Particles are fetched
 * that are so many lines ahead. */
enum { LINES_OF_THREAD = 2048, FETCH_AHEAD = 12 };

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
    size_t piece;                           /* the bytes that are written at a time */
    int is_writable;                        /* all lines so far have been written */
};

static int output_is_interrupted(const struct output_sink *sink)
{
    return sink->interrupt && *sink->interrupt;
}

/* A pipe takes a block as a whole or, if a signal comes while it is full, not at all. Into a file
 * all lines go at once, three times as quickly. */
static size_t choose_piece(FILE *stream)
{
    struct stat state;
    return fstat(fileno(stream), &state) == 0 && S_ISREG(state.st_mode) ? SIZE_MAX : BLOCK_SIZE;
}

static void write_lines(struct output_sink *sink, const char *text, size_t length)
{
    size_t size;
    for (size_t done = 0; done < length && sink->is_writable; done += size) {
        size = length - done < sink->piece ? length - done : sink->piece;
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

static void fetch_particle(const struct snapshot *snapshot, size_t number)
{
    if (number >= snapshot->system->count || !snapshot->order)
        return;
    const size_t index = snapshot->order->indices[number];
    COMPILER_PREFETCH(&snapshot->system->particles[index]);
    COMPILER_PREFETCH(&snapshot->system->counts[index]);
}

/* Task: makes lines as long as there is room for any. */
static void make_lines(void *user, unsigned number)
{
    struct output_share *share = (struct output_share *)user + number;
    size_t next = share->next; /* others write near the share, so each member is written once */
    size_t length = 0;
    for (; next < share->end && share->size - length >= OUTPUT_LINE_SIZE; next++) {
        fetch_particle(share->snapshot, next + FETCH_AHEAD);
        length += output_line(share->text + length, share->snapshot, next);
    }
    share->next = next;
    share->length = length;
}

/* Writes all lines, each time those that the threads have made at once, at most `most` of each.
 * There are two shares for each thread: while the calling one writes the lines in one of them, the
 * others make those of the next ones. */
static void write_shares(struct thread_pool *pool, struct output_share *shares, size_t most,
                         size_t count, struct output_sink *sink)
{
    const unsigned threads = thread_pool_count(pool);
    struct output_share *written = shares + threads;
    for (size_t next = 0, done = 0; done < count && sink->is_writable;) {
        for (unsigned k = 0; k < threads; k++) {
            shares[k].next = next;
            next += count - next < most ? count - next : most;
            shares[k].end = next;
        }
        thread_pool_begin(pool, make_lines, shares);
        for (unsigned k = 0; k < threads; k++)
            write_lines(sink, written[k].text, written[k].length);
        done = written[threads - 1].next;
        thread_pool_end(pool, make_lines, shares);
        next = shares[threads - 1].next;
        struct output_share *made = shares;
        shares = written;
        written = made;
    }
}

/* Task: finds the indices of some particles. */
static void index_particles(void *user, size_t begin, size_t end)
{
    const struct snapshot *snapshot = user;
    for (size_t k = begin; k < end; k++)
        snapshot->order->indices[snapshot->system->particles[k].id] = (uint32_t)k;
}

/* Writes the lines on the threads of `pool`; few lines, and where there is no memory for texts,
 * whose message is of no interest, by way of a block. */
static void output_share_out(struct thread_pool *pool, const struct snapshot *snapshot,
                             struct output_sink *sink, struct error *error)
{
    const char *what = "the lines of the answer";
    const size_t size = (size_t)LINES_OF_THREAD * OUTPUT_LINE_SIZE;
    const size_t count = 2 * (size_t)thread_pool_count(pool);
    const int is_long = snapshot->system->count > LINES_OF_THREAD;
    struct output_share *shares =
        is_long ? memory_allocate(count, sizeof *shares, what, error) : NULL;
    char *texts = shares ? memory_allocate(count, size, what, error) : NULL;
    char block[BLOCK_SIZE];
    struct output_share alone = {snapshot, .text = block, .size = sizeof block};
    struct output_share both[2] = {alone, alone}; /* one thread never uses both at once */
    for (size_t k = 0; texts && k < count; k++)
        shares[k] = (struct output_share){snapshot, .text = texts + k * size, .size = size};
    if (texts)
        write_shares(pool, shares, LINES_OF_THREAD, snapshot->system->count, sink);
    else
        write_shares(NULL, both, snapshot->system->count, snapshot->system->count, sink);
    memory_free(texts);
    memory_free(shares);
}

enum status output_write(const struct system *system, double end_time,
                         const struct schedule_threads *threads,
                         const volatile sig_atomic_t *interrupt, FILE *stream, const char *name,
                         struct error *error)
{
    struct output_sink sink = {stream, name, interrupt, choose_piece(stream), 1};
    struct snapshot snapshot = snapshot_in_order(system, end_time);
    struct snapshot_order order = {.known = system->reorderings + 1};
    const unsigned chosen = threads ? schedule_choose_threads(threads, system->count) : 1;
    const size_t parts = (system->count - 1) / LINES_OF_THREAD + 1;
    size_t k = 0;
    while (k < system->count && (size_t)system->particles[k].id == k)
        k++;
    if (k < system->count) { /* before threads take memory, of which one can do without */
        order.indices = memory_allocate_lines(system->count, sizeof *order.indices,
                                              "the order of the particles", error);
        if (!order.indices)
            return STATUS_NO_MEMORY;
        snapshot.order = &order;
    }
    struct thread_pool *pool = thread_pool_create(parts < chosen ? (unsigned)parts : chosen);
    if (order.indices)
        thread_pool_divide(pool, system->count, index_particles, &snapshot);
    output_share_out(pool, &snapshot, &sink, error);
    thread_pool_free(pool);
    memory_free(order.indices);
    return end_lines(&sink, error);
}
