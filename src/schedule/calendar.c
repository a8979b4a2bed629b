/*
 * The event calendar; see calendar.h.
 *
 * Two things make it quick. The near entries are compared without branches, because a processor
 * that guesses their order wrong loses more time than the comparisons take: with the heap alone a
 * run of 10^4 disks takes 7 % longer. And an item for one of very many slices is kept pending until
 * the memory of that slice has been fetched: without that, a run of 10^6 disks takes 1.3 times as
 * long.
 */
#include "calendar.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <string.h>

_Static_assert(sizeof(struct calendar_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* items for which a turn has a slice, */
    LEAST_SLICES = 64,   /* and at least these */
    FAR_AHEAD = 32,      /* slices, from which on there is time to fetch memory */
    MANY_SLICES = 6000   /* more than these are not in the processor's nearer caches */
};

enum status calendar_create(struct calendar *calendar, size_t items, calendar_rank *rank,
                            const void *user, struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + LEAST_SLICES;
    size_t chunks = 2 * items / CALENDAR_CHUNK_ITEMS + LEAST_SLICES;
    *calendar = (struct calendar){.slice_capacity = (uint32_t)slices,
                                  .chunk_capacity = (uint32_t)chunks,
                                  .rank = rank,
                                  .user = user};
    calendar_set_slices(calendar, (uint32_t)slices);
    /* The heap needs this much only if all happens at once; the rest is never touched. */
    calendar->heap_capacity = 2 * items + 64;
    calendar->slices =
        memory_allocate_lines(slices + 1, sizeof *calendar->slices, "the slices", error);
    if (calendar->slices)
        calendar->chunks =
            memory_allocate_lines(chunks, sizeof *calendar->chunks, "the calendar", error);
    if (calendar->chunks)
        calendar->heap =
            memory_allocate(calendar->heap_capacity, sizeof *calendar->heap, "the front", error);
    if (!calendar->heap)
        return STATUS_NO_MEMORY;
    calendar_begin_turn(calendar, 0, 1);
    return STATUS_DONE;
}

void calendar_free(struct calendar *calendar)
{
    memory_free(calendar->slices);
    memory_free(calendar->chunks);
    memory_free(calendar->heap);
    *calendar = (struct calendar){0};
}

void calendar_set_slices(struct calendar *calendar, uint32_t count)
{
    calendar->slice_count = count;
    calendar->far_ahead = count > MANY_SLICES ? FAR_AHEAD : UINT32_MAX;
}

void calendar_begin_turn(struct calendar *calendar, double begin, double slice_length)
{
    calendar->begin = begin;
    calendar->slice_length = slice_length;
    calendar->slices_per_time = 1 / slice_length;
    calendar->slice = 0;
    calendar->chunk_count = 0;
    calendar->pending_count = 0;
    calendar->pending_until = calendar->slice_count;
    calendar->taken = 0;
    calendar->near_count = 0;
    calendar->heap_count = 0;
    for (uint32_t k = 0; k < CALENDAR_NEAR; k++)
        calendar->near_times[k] = CALENDAR_NEVER;
    for (uint32_t k = 0; k <= calendar->slice_count; k++) {
        calendar->slices[k].count = 0;
        calendar->slices[k].next = 0;
    }
}

/* Moves what stands in the full first chunk of a slice to one behind it. */
static void make_room(struct calendar *calendar, struct calendar_chunk *first)
{
    calendar->chunks[calendar->chunk_count++] = *first;
    first->count = 0;
    first->next = calendar->chunk_count;
}

/* Puts an item into its slice; what is later than the turn is kept for nothing. */
static inline void put(struct calendar *calendar, uint32_t item, uint32_t slice)
{
    struct calendar_chunk *first = &calendar->slices[slice];
    if (first->count == CALENDAR_CHUNK_ITEMS)
        make_room(calendar, first);
    first->items[first->count] = item;
    first->count += slice < calendar->slice_count;
}

/* Puts the first `count` of the pending items, which have waited longest, into their slices. */
static void put_pending(struct calendar *calendar, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        put(calendar, calendar->pending[k].item, calendar->pending[k].slice);
    calendar->pending_count -= count;
    for (uint32_t k = 0; k < calendar->pending_count; k++)
        calendar->pending[k] = calendar->pending[k + count];
    if (calendar->pending_count == 0)
        calendar->pending_until = calendar->slice_count;
}

/* Asks for a slice's memory; the item is put there when that has come. */
static void put_later(struct calendar *calendar, uint32_t item, uint32_t slice)
{
    COMPILER_PREFETCH(&calendar->slices[slice]);
    if (calendar->pending_count == 0)
        calendar->pending_until = calendar->slice + calendar->far_ahead;
    calendar->pending[calendar->pending_count++] = (struct calendar_pending){item, slice};
    if (calendar->pending_count == CALENDAR_PENDING)
        put_pending(calendar, CALENDAR_PENDING / 2);
}

/* The slice of a place in the turn, at most the last one; which is less cannot be guessed. */
static inline uint32_t slice_at(double place, uint32_t last)
{
    uint64_t bits = calendar_bits(place);
    uint64_t last_bits = calendar_bits((double)last);
    bits = bits < last_bits ? bits : last_bits; /* whole numbers are compared without a branch */
    memcpy(&place, &bits, sizeof place);
    return (uint32_t)place;
}

enum calendar_place calendar_schedule(struct calendar *calendar, uint32_t item, double time)
{
    double place = (time - calendar->begin) * calendar->slices_per_time;
    if (place < (double)calendar->slice + 1)
        return calendar_push(calendar, item, time, 1) ? CALENDAR_KEPT : CALENDAR_FULL;
    if (calendar->chunk_count + CALENDAR_PENDING > calendar->chunk_capacity)
        return CALENDAR_FULL; /* each pending item may need one */
    uint32_t slice = slice_at(place, calendar->slice_count);
    if (slice - calendar->slice > calendar->far_ahead)
        put_later(calendar, item, slice);
    else
        put(calendar, item, slice);
    return slice < calendar->slice_count ? CALENDAR_KEPT : CALENDAR_LATER;
}

/* Without branches, for which comes first cannot be guessed. */
static inline int comes_before(const struct calendar_entry *left,
                               const struct calendar_entry *right)
{
    return (left->time < right->time) | ((left->time == right->time) & (left->rank < right->rank));
}

/* Moves an entry up from `place` to where it belongs. */
static inline void sift_up(struct calendar_entry *heap, size_t place, struct calendar_entry entry)
{
    while (place > 0 && comes_before(&entry, &heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = entry;
}

/*
 * Puts an entry into a heap of `count` whose first place is free. The free place goes down to a
 * leaf first, always by the earlier child, and the entry up from there. An entry from the end of
 * the heap belongs far down, and a processor can guess a number of steps that is always the same.
 */
static inline void sift_down(struct calendar_entry *heap, size_t count, struct calendar_entry entry)
{
    size_t place = 0;
    size_t child = 1;
    for (; child + 1 < count; child = 2 * place + 1) {
        child += (size_t)comes_before(&heap[child + 1], &heap[child]);
        heap[place] = heap[child];
        place = child;
    }
    if (child < count) {
        heap[place] = heap[child];
        place = child;
    }
    sift_up(heap, place, entry);
}

int calendar_push_heap(struct calendar *calendar, uint32_t item, double time)
{
    if (calendar->heap_count == calendar->heap_capacity)
        return 0;
    sift_up(calendar->heap, calendar->heap_count++, (struct calendar_entry){time, 0, item});
    calendar->taken++;
    return 1;
}

void calendar_pop_heap(struct calendar *calendar)
{
    calendar->heap_count--;
    sift_down(calendar->heap, calendar->heap_count, calendar->heap[calendar->heap_count]);
}

/* Whether the first entry of the heap has the same time as one of its children. */
static int is_heap_tied(const struct calendar *calendar)
{
    const struct calendar_entry *heap = calendar->heap;
    return (calendar->heap_count > 1 && heap[1].time == heap[0].time) ||
           (calendar->heap_count > 2 && heap[2].time == heap[0].time);
}

/* Puts the first by rank on top of the heap, if others there, or elsewhere, have the same time. */
static void rank_heap(struct calendar *calendar, int is_tied_elsewhere)
{
    while (calendar->heap[0].rank == 0 && (is_tied_elsewhere || is_heap_tied(calendar))) {
        struct calendar_entry entry = calendar->heap[0];
        entry.rank = calendar->rank(calendar->user, entry.item);
        sift_down(calendar->heap, calendar->heap_count, entry);
    }
}

struct calendar_entry calendar_first_of_many(struct calendar *calendar, uint64_t first,
                                             unsigned places)
{
    uint64_t heap_time =
        calendar->heap_count > 0 ? calendar_bits(calendar->heap[0].time) : CALENDAR_NEVER;
    if (calendar->heap_count > 0)
        rank_heap(calendar, heap_time == first);
    struct calendar_entry entry = {.rank = UINT64_MAX};
    if (heap_time <= first) {
        entry = calendar->heap[0];
        calendar->first = CALENDAR_NEAR;
    }
    if (heap_time < first)
        return entry;
    for (; places != 0; places &= places - 1) {
        const uint32_t k = COMPILER_LOWEST_BIT(places);
        const uint64_t rank = calendar->rank(calendar->user, calendar->near_items[k]);
        if (rank < entry.rank) {
            entry = (struct calendar_entry){.rank = rank, .item = calendar->near_items[k]};
            memcpy(&entry.time, &first, sizeof first);
            calendar->first = k;
        }
    }
    return entry;
}

const struct calendar_chunk *calendar_next_slice(struct calendar *calendar)
{
    while (calendar->slice + 1 < calendar->slice_count) {
        calendar->slice++;
        if (calendar->slice >= calendar->pending_until)
            put_pending(calendar, calendar->pending_count);
        const struct calendar_chunk *chunk = calendar_peek(calendar, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
