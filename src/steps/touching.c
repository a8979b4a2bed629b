/*
 * Remembers which pairs touch; see touching.h. Both lists are in order when a substep has ended, so
 * they are compared in one pass.
 */
#include "touching.h"

#include "base/memory.h"

#include <stdlib.h>

static uint64_t pair_of(size_t i, size_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* Makes room for one more pair in `now`. */
static enum status grow(struct touching *touching, struct error *error)
{
    const size_t room = touching->now_room < 16 ? 16 : 2 * touching->now_room;
    uint64_t *now = memory_resize(touching->now, room, sizeof *now, "the pairs that touch", error);
    if (!now)
        return STATUS_NO_MEMORY;
    touching->now = now;
    touching->now_room = room;
    return STATUS_DONE;
}

enum status touching_add(struct touching *touching, size_t i, size_t j, struct error *error)
{
    if (touching->count == touching->now_room && grow(touching, error))
        return STATUS_NO_MEMORY;
    touching->now[touching->count++] = pair_of(i, j);
    return STATUS_DONE;
}

static int compare(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a;
    const uint64_t q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

int touching_lasts(const struct touching *touching, size_t i, size_t j)
{
    const uint64_t pair = pair_of(i, j);
    return touching->lasted > 0 &&
           bsearch(&pair, touching->last, touching->lasted, sizeof pair, compare) != NULL;
}

/* Lets the pairs of this substep be those of the last one. */
static void turn(struct touching *touching)
{
    uint64_t *last = touching->last;
    const size_t room = touching->room;
    touching->last = touching->now;
    touching->room = touching->now_room;
    touching->lasted = touching->count;
    touching->now = last;
    touching->now_room = room;
    touching->count = 0;
}

void touching_end(struct touching *touching, struct counts *counts)
{
    size_t old = 0;
    if (touching->count > 1)
        qsort(touching->now, touching->count, sizeof *touching->now, compare);
    for (size_t k = 0; k < touching->count; k++) {
        const uint64_t pair = touching->now[k];
        while (old < touching->lasted && touching->last[old] < pair)
            old++;
        if (old < touching->lasted && touching->last[old] == pair)
            continue;
        counts[pair >> 32].particles++;
        counts[pair & UINT32_MAX].particles++;
    }
    turn(touching);
}

void touching_save(const struct touching *touching, struct record_writer *writer)
{
    record_put_whole(writer, touching->lasted);
    record_end_line(writer);
    for (size_t k = 0; k < touching->lasted; k++) {
        record_put_whole(writer, touching->last[k] >> 32);
        record_put_whole(writer, touching->last[k] & UINT32_MAX);
        record_end_line(writer);
    }
}

void touching_load(struct touching *touching, size_t particles, struct record_reader *reader)
{
    uint64_t before = 0;
    const size_t count = record_take_count(reader, SIZE_MAX, 2);
    record_expect_line_end(reader);
    for (size_t k = 0; k < count && !reader->status; k++) {
        const uint64_t i = record_take_whole(reader, particles - 1);
        const uint64_t j = record_take_whole(reader, particles - 1);
        record_expect_line_end(reader);
        const uint64_t pair = i << 32 | j;
        if (!reader->status && (i >= j || pair <= before))
            record_refuse(reader, "pairs that touch are not in order");
        before = pair;
        if (!reader->status)
            reader->status = touching_add(touching, (size_t)i, (size_t)j, reader->error);
    }
    turn(touching);
}

void touching_free(struct touching *touching)
{
    memory_free(touching->now);
    memory_free(touching->last);
    *touching = (struct touching){0};
}
