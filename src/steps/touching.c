/*
 * The list of pairs in contact; see touching.h. Both lists are sorted at the end of a substep, so
 * one pass compares them.
 */
#include "touching.h"

#include "base/memory.h"

#include <stdlib.h>

static uint64_t pair_of(size_t i, size_t j)
{
    return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* Doubles the room of `now`. */
static enum status grow_list(struct contact_list *list, struct error *error)
{
    const size_t room = list->now_room < 16 ? 16 : 2 * list->now_room;
    uint64_t *now = memory_resize(list->now, room, sizeof *now, "the pairs that touch", error);
    if (!now)
        return STATUS_NO_MEMORY;
    list->now = now;
    list->now_room = room;
    return STATUS_DONE;
}

enum status contact_list_add(struct contact_list *list, size_t i, size_t j, struct error *error)
{
    if (list->count == list->now_room && grow_list(list, error))
        return STATUS_NO_MEMORY;
    list->now[list->count++] = pair_of(i, j);
    return STATUS_DONE;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a;
    const uint64_t q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

int contact_list_had(const struct contact_list *list, size_t i, size_t j)
{
    const uint64_t pair = pair_of(i, j);
    return list->last_count > 0 &&
           bsearch(&pair, list->last, list->last_count, sizeof pair, compare_pairs) != NULL;
}

/* Moves the pairs of this substep to `last`. */
static void swap_lists(struct contact_list *list)
{
    uint64_t *last = list->last;
    const size_t room = list->room;
    list->last = list->now;
    list->room = list->now_room;
    list->last_count = list->count;
    list->now = last;
    list->now_room = room;
    list->count = 0;
}

void contact_list_end_substep(struct contact_list *list, struct counts *counts)
{
    size_t old = 0;
    if (list->count > 1)
        qsort(list->now, list->count, sizeof *list->now, compare_pairs);
    for (size_t k = 0; k < list->count; k++) {
        const uint64_t pair = list->now[k];
        while (old < list->last_count && list->last[old] < pair)
            old++;
        if (old < list->last_count && list->last[old] == pair)
            continue;
        counts[pair >> 32].particles++;
        counts[pair & UINT32_MAX].particles++;
    }
    swap_lists(list);
}

void contact_list_save(const struct contact_list *list, struct record_writer *writer)
{
    record_put_whole(writer, list->last_count);
    record_end_line(writer);
    for (size_t k = 0; k < list->last_count; k++) {
        record_put_whole(writer, list->last[k] >> 32);
        record_put_whole(writer, list->last[k] & UINT32_MAX);
        record_end_line(writer);
    }
}

void contact_list_load(struct contact_list *list, size_t particles, struct record_reader *reader)
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
            reader->status = contact_list_add(list, (size_t)i, (size_t)j, reader->error);
    }
    swap_lists(list);
}

void contact_list_free(struct contact_list *list)
{
    memory_free(list->now);
    memory_free(list->last);
    *list = (struct contact_list){0};
}
