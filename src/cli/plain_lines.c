/*
 * Plain lines; see plain_lines.h.
 *
 * Numbers are read where they stand in the block, without a copy of each word. On several threads,
 * the lines are cut into parts of as many bytes. First each thread counts the lines of its part, so
 * that it is known which particle each part begins with; then each reads its part. The parts after
 * a line that is not plain are read in vain, for that line may be a comment, and particles after it
 * have other numbers.
 */
#include "plain_lines.h"

#include "base/memory.h"
#include "io/number.h"

#include <string.h>
#include <unistd.h>

enum { COLUMNS = 4 };

/* How many bytes a thread reads at a time: some thousand lines, so that to begin and to wait do not
 * matter. */
enum { BLOCK_SIZE_OF_THREAD = 1 << 18 };

enum status plain_lines_place(struct system *system, size_t index, const double values[COLUMNS],
                              struct error *error)
{
    struct particle *particle = &system->particles[index];
    particle->x = values[0];
    particle->y = values[1];
    particle->u = values[2];
    particle->v = values[3];
    enum status status = system_check_particle(system, index, error);
    if (system->boundary.periodic)
        boundary_clamp(&system->boundary, system_radius(system, particle), &particle->x,
                       &particle->y);
    return status;
}

struct thread_pool *plain_lines_start(struct text_reader *reader, size_t particles,
                                      const struct input_threads *threads)
{
    struct error error; /* of no interest: one thread can do it */
    const unsigned count = schedule_choose_threads(&threads->run, particles);
    if (count == 1)
        return NULL;
    struct thread_pool *pool = thread_pool_create(count, &error);
    if (!pool)
        return NULL;
    const size_t each = threads->block_size > 0 ? threads->block_size : BLOCK_SIZE_OF_THREAD;
    const size_t size = thread_pool_count(pool) * each;
    reader->larger = memory_allocate(size, 1, "the reader of INPUT", &error);
    reader->larger_size = reader->larger ? size : 0;
    return pool;
}

/* What has not been used of the larger block goes into the small one, or is read again. */
void plain_lines_stop(struct text_reader *reader, struct thread_pool *pool)
{
    const size_t left = reader->end - reader->next;
    thread_pool_free(pool);
    if (reader->block == reader->larger) {
        const int fits = left <= sizeof reader->own;
        if (!fits && lseek(fileno(reader->stream), -(off_t)left, SEEK_CUR) < 0)
            return;
        if (fits && left > 0)
            memcpy(reader->own, reader->block + reader->next, left);
        reader->lines_end =
            fits && reader->lines_end > reader->next ? reader->lines_end - reader->next : 0;
        reader->end = fits ? left : 0;
        reader->next = 0;
        reader->block = reader->own;
    }
    memory_free(reader->larger);
    reader->larger = NULL;
}

/* Particles that threads give their first values, each a share of them. */
struct beginning {
    struct system *system;
    size_t first, end;
    const struct thread_pool *pool;
};

static void begin_share(void *user, unsigned number)
{
    const struct beginning *all = user;
    const size_t count = all->end - all->first;
    system_begin(all->system, all->first + thread_pool_share(all->pool, count, number),
                 all->first + thread_pool_share(all->pool, count, number + 1));
}

void plain_lines_begin(struct system *system, size_t first, size_t end, struct thread_pool *pool)
{
    struct beginning beginning = {system, first, end, pool};
    thread_pool_run(pool, begin_share, &beginning);
}

static inline int is_blank(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r' && character != '\n');
}

/* Reads a line. Returns the next one, or NULL if this one is not plain. */
static inline const char *read_line(const char *line, double values[COLUMNS])
{
    const char *text = line;
    for (int column = 0; column < COLUMNS; column++) {
        while (is_blank(*text))
            text++;
        text = number_take(text, &values[column]);
        if (!text || !(is_blank(*text) || *text == '\n'))
            return NULL;
    }
    while (is_blank(*text))
        text++;
    /* No word in it is too long for text_next. */
    return *text == '\n' && text - line < TEXT_WORD_SIZE ? text + 1 : NULL;
}

/* Reads lines on one thread. */
static void read_lines(struct plain_lines *lines)
{
    struct error error; /* the reader of INPUT finds it again */
    struct plain_lines rest = *lines;
    while (rest.most > 0 && rest.begin < rest.end) {
        double values[COLUMNS];
        const char *next = read_line(rest.begin, values);
        if (!next || plain_lines_place(rest.system, rest.index, values, &error))
            break;
        rest.numbers[rest.index++] = rest.number++;
        rest.most--;
        rest.begin = next;
    }
    *lines = rest;
}

/* The part of one thread: first `most` is the number of its lines, then what is left to read. */
static void count_lines(void *user, unsigned number)
{
    struct plain_lines *part = (struct plain_lines *)user + number;
    size_t count = 0;
    for (const char *c = part->begin; c < part->end; c++)
        count += *c == '\n';
    part->most = count;
}

static void read_part(void *user, unsigned number)
{
    read_lines((struct plain_lines *)user + number);
}

/* Cuts the lines into parts, each with its share of the bytes. */
static void cut(const struct plain_lines *lines, struct plain_lines *parts, unsigned count)
{
    const size_t share = (size_t)(lines->end - lines->begin) / count;
    const char *begin = lines->begin;
    for (unsigned k = 0; k < count; k++) {
        parts[k] = *lines;
        parts[k].begin = begin;
        if (k + 1 < count && (size_t)(lines->end - begin) > share)
            parts[k].end =
                (const char *)memchr(begin + share, '\n', (size_t)(lines->end - begin) - share) + 1;
        begin = parts[k].end;
    }
}

/* Tells each part, whose lines have been counted, which particles they are. */
static void number_parts(const struct plain_lines *lines, struct plain_lines *parts, unsigned count)
{
    struct plain_lines next = *lines;
    for (unsigned k = 0; k < count; k++) {
        const size_t taken = parts[k].most < next.most ? parts[k].most : next.most;
        parts[k].most = taken;
        parts[k].index = next.index;
        parts[k].number = next.number;
        next.most -= taken;
        next.index += taken;
        next.number += taken;
    }
}

void plain_lines_read(struct plain_lines *lines, struct thread_pool *pool)
{
    struct error error; /* without memory, one thread does it */
    const unsigned count = thread_pool_count(pool);
    struct plain_lines *parts =
        count > 1 ? memory_allocate(count, sizeof *parts, "the lines of INPUT", &error) : NULL;
    if (!parts) {
        read_lines(lines);
        return;
    }
    cut(lines, parts, count);
    thread_pool_run(pool, count_lines, parts);
    number_parts(lines, parts, count);
    thread_pool_run(pool, read_part, parts);
    for (unsigned k = 0; k < count; k++) {
        lines->most -= parts[k].index - lines->index;
        lines->begin = parts[k].begin;
        lines->index = parts[k].index;
        lines->number = parts[k].number;
        if (parts[k].most > 0 || parts[k].begin < parts[k].end)
            break;
    }
    memory_free(parts);
}
