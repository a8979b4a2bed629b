/*
 * The calendar queue; see calendar.h.
 *
 * Two things make it quick. The few entries of the front are looked through without a branch,
 * since to guess their order and to guess wrong takes a processor longer. And an item that goes
 * into one of very many slices is held back a little, until the memory there has been fetched.
 */
#include "calendar.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <string.h>

_Static_assert(sizeof(struct calendar_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* a turn has a slice for so many items, */
    LEAST_SLICES = 64,   /* and at least these */
    FAR_AHEAD = 32,      /* slices, from which on there is time for a delivery */
    MANY_SLICES = 6000   /* more than these are not in the processor's nearer caches */
};

enum status calendar_create(struct calendar *calendar, size_t items, calendar_rank *rank,
                            const void *user, struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + LEAST_SLICES;
    size_t chunks = 2 * items / CALENDAR_CHUNK_ITEMS + LEAST_SLICES;
    *calendar = (struct calendar){.slice_count = (uint32_t)slices,
                                  .chunk_capacity = (uint32_t)chunks,
                                  .far_ahead = slices > MANY_SLICES ? FAR_AHEAD : UINT32_MAX,
                                  .rank = rank,
                                  .user = user};
    /* The crowd needs this much only if all happens at once; the rest is never touched. */
    calendar->crowd_capacity = 2 * items + 64;
    calendar->slices =
        memory_allocate_lines(slices + 1, sizeof *calendar->slices, "the slices", error);
    if (calendar->slices)
        calendar->chunks =
            memory_allocate_lines(chunks, sizeof *calendar->chunks, "the queue", error);
    if (calendar->chunks)
        calendar->crowd =
            memory_allocate(calendar->crowd_capacity, sizeof *calendar->crowd, "the front", error);
    if (!calendar->crowd)
        return STATUS_NO_MEMORY;
    calendar_begin_turn(calendar, 0, 1);
    return STATUS_DONE;
}

void calendar_free(struct calendar *calendar)
{
    memory_free(calendar->slices);
    memory_free(calendar->chunks);
    memory_free(calendar->crowd);
    *calendar = (struct calendar){0};
}

void calendar_begin_turn(struct calendar *calendar, double begin, double slice_length)
{
    calendar->begin = begin;
    calendar->slice_length = slice_length;
    calendar->slices_per_time = 1 / slice_length;
    calendar->slice = 0;
    calendar->chunk_count = 0;
    calendar->delivery_count = 0;
    calendar->deliver_until = calendar->slice_count;
    calendar->taken = 0;
    calendar->near_count = 0;
    calendar->crowd_count = 0;
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

/* Delivers the first `count` of the deliveries, which have waited longest. */
static void deliver(struct calendar *calendar, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        put(calendar, calendar->deliveries[k].item, calendar->deliveries[k].slice);
    calendar->delivery_count -= count;
    for (uint32_t k = 0; k < calendar->delivery_count; k++)
        calendar->deliveries[k] = calendar->deliveries[k + count];
    if (calendar->delivery_count == 0)
        calendar->deliver_until = calendar->slice_count;
}

/* Asks for a slice's memory, and puts the item there when it has come. */
static void put_later(struct calendar *calendar, uint32_t item, uint32_t slice)
{
    COMPILER_PREFETCH(&calendar->slices[slice]);
    if (calendar->delivery_count == 0)
        calendar->deliver_until = calendar->slice + calendar->far_ahead;
    calendar->deliveries[calendar->delivery_count++] = (struct calendar_delivery){item, slice};
    if (calendar->delivery_count == CALENDAR_DELIVERIES)
        deliver(calendar, CALENDAR_DELIVERIES / 2);
}

/* The slice of a place in the turn, at most the last one. Which is less is hard to guess. */
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
    if (calendar->chunk_count + CALENDAR_DELIVERIES > calendar->chunk_capacity)
        return CALENDAR_FULL; /* each delivery might need one */
    uint32_t slice = slice_at(place, calendar->slice_count);
    if (slice - calendar->slice > calendar->far_ahead)
        put_later(calendar, item, slice);
    else
        put(calendar, item, slice);
    return slice < calendar->slice_count ? CALENDAR_KEPT : CALENDAR_LATER;
}

/* Without branches, for what comes first is a toss-up. */
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
 * leaf first, always by the earlier child, and the entry up from there: an entry from the end
 * of the heap belongs far down, and a way of one length is a way that the processor can guess.
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

int calendar_push_crowd(struct calendar *calendar, uint32_t item, double time)
{
    if (calendar->crowd_count == calendar->crowd_capacity)
        return 0;
    sift_up(calendar->crowd, calendar->crowd_count++, (struct calendar_entry){time, 0, item});
    calendar->taken++;
    return 1;
}

void calendar_pop_crowd(struct calendar *calendar)
{
    calendar->crowd_count--;
    sift_down(calendar->crowd, calendar->crowd_count, calendar->crowd[calendar->crowd_count]);
}

/* Whether the first two entries of the crowd, or what passes for them, have the same time. */
static int is_crowd_tied(const struct calendar *calendar)
{
    const struct calendar_entry *crowd = calendar->crowd;
    return (calendar->crowd_count > 1 && crowd[1].time == crowd[0].time) ||
           (calendar->crowd_count > 2 && crowd[2].time == crowd[0].time);
}

/* Puts the true first on top of the crowd, if others there, or elsewhere, have the same time. */
static void rank_crowd(struct calendar *calendar, int is_tied_elsewhere)
{
    while (calendar->crowd[0].rank == 0 && (is_tied_elsewhere || is_crowd_tied(calendar))) {
        struct calendar_entry entry = calendar->crowd[0];
        entry.rank = calendar->rank(calendar->user, entry.item);
        sift_down(calendar->crowd, calendar->crowd_count, entry);
    }
}

struct calendar_entry calendar_first_of_many(struct calendar *calendar, uint64_t first)
{
    uint64_t crowd_time =
        calendar->crowd_count > 0 ? calendar_bits(calendar->crowd[0].time) : CALENDAR_NEVER;
    if (calendar->crowd_count > 0)
        rank_crowd(calendar, crowd_time == first);
    struct calendar_entry entry = {.rank = UINT64_MAX};
    if (crowd_time <= first) {
        entry = calendar->crowd[0];
        calendar->first = CALENDAR_NEAR;
    }
    if (crowd_time < first)
        return entry;
    for (uint32_t k = 0; k < calendar->near_count; k++) {
        uint64_t rank = calendar->near_times[k] == first
                            ? calendar->rank(calendar->user, calendar->near_items[k])
                            : UINT64_MAX;
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
        if (calendar->slice >= calendar->deliver_until)
            deliver(calendar, calendar->delivery_count);
        const struct calendar_chunk *chunk = calendar_peek(calendar, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
