/* The reader of files of pairs; see pair_file.h. */
#include "input/pair_file.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 3 }; /* in a line */
static const char a_pair[] = "i j length, two particles and the distance between them";

static enum status chosen_pairs_add(struct chosen_pairs *pairs, const struct chosen_pair *pair,
                                    struct error *error)
{
    pairs->list = memory_extend(pairs->list, pairs->count, &pairs->room, sizeof *pairs->list,
                                "the pairs", error);
    if (!pairs->list)
        return STATUS_NO_MEMORY;
    pairs->list[pairs->count++] = *pair;
    return STATUS_DONE;
}

/* The reason why a pair is invalid; or NULL. */
static const char *pair_problem(const struct system *system, uint64_t i, uint64_t j, double length)
{
    const struct boundary *boundary = &system->boundary;
    const struct shift periods = boundary_periods(boundary);
    if (i >= system->count || j >= system->count)
        return "there is no such particle";
    if (i == j)
        return "it joins two particles, not one with itself";
    if (!(length >= SYSTEM_SMALLEST && length <= SYSTEM_LARGEST))
        return "the length must be from 1e-40 to 1e+40";
    if (length > elementary_length(boundary->width, boundary->height))
        return "the length is more than the diagonal of the box";
    if (length > fmin(periods.x, periods.y) / 2)
        return "the length is more than half of a periodic side of the box";
    return NULL;
}

static enum status add_pair_words(struct chosen_pairs *pairs, char words[WORDS][TEXT_WORD_SIZE],
                                  const char *name, const struct system *system,
                                  struct error *error)
{
    uint64_t i = 0, j = 0;
    double length = 0;
    size_t at = 0; /* of the word that has a problem */
    const char *problem = text_whole_number(words[at], &i);
    if (!problem)
        problem = text_whole_number(words[at = 1], &j);
    if (!problem)
        problem = text_number(words[at = 2], &length);
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "expected %s: '%.40s' %s", a_pair, words[at],
                         problem);
    problem = pair_problem(system, i, j, length);
    if (problem)
        return error_set(error, STATUS_BAD_DATA, "%s %.40s %.40s %.40s: %s", name, words[0],
                         words[1], words[2], problem);
    const struct chosen_pair pair = {.i = (uint32_t)i, .j = (uint32_t)j, .length = length};
    return chosen_pairs_add(pairs, &pair, error);
}

/* Reads the next line that has words, and its pair; sets `*is_end` at the end of the file. */
static enum status read_pair_line(struct text_reader *reader, struct chosen_pairs *pairs,
                                  const char *name, const struct system *system, int *is_end,
                                  struct error *error)
{
    char words[WORDS][TEXT_WORD_SIZE]; /* of the line */
    size_t count = 0;
    enum text_piece piece = text_next(reader, 0);
    const size_t line = reader->line;
    for (; piece == TEXT_WORD || piece == TEXT_TOO_LONG_WORD; piece = text_next(reader, 1)) {
        if (count < WORDS)
            memcpy(words[count], reader->word, TEXT_WORD_SIZE);
        count++;
    }
    *is_end = piece != TEXT_LINE_END;
    enum status status = STATUS_DONE;
    if (count == WORDS)
        status = add_pair_words(pairs, words, name, system, error);
    else if (count > 0)
        status = error_set(error, STATUS_BAD_DATA, "expected %s, found %zu %s", a_pair, count,
                           count == 1 ? "word" : "words");
    if (status || count == 0)
        reader->line = line; /* for messages */
    return status;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/* Refuses a pair that is there twice: sorted by keys, i * 2^32 + j for i < j, they are neighbours.
 */
static enum status chosen_pairs_check(const struct chosen_pairs *pairs, const char *name,
                                      struct error *error)
{
    if (pairs->count == 0)
        return error_set(error, STATUS_BAD_DATA, "there is no %s", name);
    uint64_t *keys = memory_allocate(pairs->count, sizeof *keys, "the pairs", error);
    if (!keys)
        return STATUS_NO_MEMORY;
    for (size_t k = 0; k < pairs->count; k++) {
        const uint64_t i = pairs->list[k].i, j = pairs->list[k].j;
        keys[k] = i < j ? i << 32 | j : j << 32 | i;
    }
    qsort(keys, pairs->count, sizeof *keys, compare_keys);
    enum status status = STATUS_DONE;
    for (size_t k = 1; k < pairs->count && !status; k++)
        if (keys[k] == keys[k - 1])
            status = error_set(error, STATUS_BAD_DATA,
                               "there are two %ss of particles %" PRIu64 " and %" PRIu64, name,
                               keys[k] >> 32, keys[k] & UINT32_MAX);
    memory_free(keys);
    return status;
}

enum status chosen_pairs_read(struct chosen_pairs *pairs, const char *file, const char *name,
                              const struct system *system, struct error *error)
{
    struct text_reader *reader;
    enum status status = text_reader_open(&reader, file, "the reader of pairs", error);
    if (status)
        return status;
    for (int is_end = 0; !status && !is_end;)
        status = read_pair_line(reader, pairs, name, system, &is_end, error);
    if (!status && !reader->failure)
        status = chosen_pairs_check(pairs, name, error);
    if (status == STATUS_BAD_DATA)
        error_locate(error, status, file, reader->line);
    return text_reader_close(reader, status, file, error);
}

void chosen_pairs_record(struct chosen_pairs *pairs, const struct system *system,
                         struct record *record)
{
    size_t count = pairs->count;
    record_count(record, &count, SIZE_MAX, 4);
    record_end_line(record);
    for (size_t k = 0; k < count && !record->status; k++) {
        struct chosen_pair pair = {0};
        if (!record->is_reading)
            pair = pairs->list[k];
        record_uint32(record, &pair.i, UINT32_MAX);
        record_uint32(record, &pair.j, UINT32_MAX);
        record_number(record, &pair.length, 0, SYSTEM_LARGEST);
        record_flag(record, &pair.is_broken);
        record_end_line(record);
        const char *problem = pair_problem(system, pair.i, pair.j, pair.length);
        if (record->is_reading && problem)
            record_refuse(record, "%s", problem);
        if (record->is_reading && !record->status)
            record->status = chosen_pairs_add(pairs, &pair, record->error);
    }
}
