/*
 * What tiles have recorded; see tile_records.h.
 */
#include "tile_records.h"

#include "base/memory.h"

#include <string.h>

void *tile_list_add(struct tile_list *list, size_t size)
{
    if (list->count == list->capacity) {
        struct error error;
        const size_t capacity = list->capacity + list->capacity / 8 + 64;
        void *entries = memory_resize(list->entries, capacity, size, "a tile", &error);
        if (!entries)
            return NULL;
        list->entries = entries;
        list->capacity = capacity;
    }
    return (char *)list->entries + list->count++ * size;
}

void tile_list_free(struct tile_list *list)
{
    memory_free(list->entries);
    *list = (struct tile_list){0};
}

/* The next record of a list from `place` on that matters in a direction; NULL: there is none. */
static const struct tile_record *find(const struct tile_list *records, size_t *place,
                                      uint32_t direction)
{
    const struct tile_record *list = records->entries;
    while (*place < records->count)
        if (list[(*place)++].directions >> direction & 1)
            return &list[*place - 1];
    return NULL;
}

/* Whether two records tell the same. The directions are those of each tile. */
static int is_same(const struct tile_record *a, const struct tile_record *b)
{
    return memcmp(&a->operation, &b->operation, sizeof a->operation) == 0 && a->from == b->from &&
           a->to == b->to && memcmp(&a->particle, &b->particle, sizeof a->particle) == 0;
}

int tile_records_agree(const struct tile *tile, const struct tile *other, uint32_t direction)
{
    size_t here = 0;
    size_t there = 0;
    for (;;) {
        const struct tile_record *a = find(&tile->records, &here, direction);
        const struct tile_record *b =
            find(&other->records, &there, TILE_DIRECTIONS - 1 - direction);
        if (!a || !b)
            return !a && !b;
        if (!is_same(a, b))
            return 0;
    }
}
