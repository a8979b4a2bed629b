/*
 * The calendar queue; see queue.h.
 *
 * Two things make it quick. The few entries of the front are looked through without a branch,
 * since to guess their order and to guess wrong takes a processor longer. And an item that goes
 * into one of very many slices is held back a little, until the memory there has been fetched.
 */
#include "queue.h"

#include "hint.h"
#include "memory.h"

#include <string.h>

_Static_assert(sizeof(struct queue_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* a turn has a slice for so many items, */
    LEAST_SLICES = 64,   /* and at least these */
    FAR_AHEAD = 32,      /* slices, from which on there is time for a delivery */
    MANY_SLICES = 6000   /* more than these are not in the processor's nearer caches */
};

enum status queue_create(struct queue *queue, size_t items, queue_rank *rank, const void *user,
                         struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + LEAST_SLICES;
    size_t chunks = 2 * items / QUEUE_CHUNK_ITEMS + LEAST_SLICES;
    *queue = (struct queue){.slice_count = (uint32_t)slices,
                            .chunk_capacity = (uint32_t)chunks,
                            .far_ahead = slices > MANY_SLICES ? FAR_AHEAD : UINT32_MAX,
                            .rank = rank,
                            .user = user};
    /* The crowd needs this much only if all happens at once; the rest is never touched. */
    queue->crowd_capacity = 2 * items + 64;
    queue->slices = memory_allocate_lines(slices + 1, sizeof *queue->slices, "the slices", error);
    if (queue->slices)
        queue->chunks = memory_allocate_lines(chunks, sizeof *queue->chunks, "the queue", error);
    if (queue->chunks)
        queue->crowd =
            memory_allocate(queue->crowd_capacity, sizeof *queue->crowd, "the front", error);
    if (!queue->crowd)
        return STATUS_NO_MEMORY;
    queue_begin_turn(queue, 0, 1);
    return STATUS_DONE;
}

void queue_free(struct queue *queue)
{
    memory_free(queue->slices);
    memory_free(queue->chunks);
    memory_free(queue->crowd);
    *queue = (struct queue){0};
}

void queue_begin_turn(struct queue *queue, double begin, double slice_length)
{
    queue->begin = begin;
    queue->slice_length = slice_length;
    queue->slices_per_time = 1 / slice_length;
    queue->slice = 0;
    queue->chunk_count = 0;
    queue->delivery_count = 0;
    queue->deliver_until = queue->slice_count;
    queue->taken = 0;
    queue->near_count = 0;
    queue->crowd_count = 0;
    for (uint32_t k = 0; k < QUEUE_NEAR; k++)
        queue->near_times[k] = QUEUE_NEVER;
    for (uint32_t k = 0; k <= queue->slice_count; k++) {
        queue->slices[k].count = 0;
        queue->slices[k].next = 0;
    }
}

/* Moves what stands in the full first chunk of a slice to one behind it. */
static void make_room(struct queue *queue, struct queue_chunk *first)
{
    queue->chunks[queue->chunk_count++] = *first;
    first->count = 0;
    first->next = queue->chunk_count;
}

/* Puts an item into its slice; what is later than the turn is kept for nothing. */
static inline void put(struct queue *queue, uint32_t item, uint32_t slice)
{
    struct queue_chunk *first = &queue->slices[slice];
    if (first->count == QUEUE_CHUNK_ITEMS)
        make_room(queue, first);
    first->items[first->count] = item;
    first->count += slice < queue->slice_count;
}

/* Delivers the first `count` of the deliveries, which have waited longest. */
static void deliver(struct queue *queue, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        put(queue, queue->deliveries[k].item, queue->deliveries[k].slice);
    queue->delivery_count -= count;
    for (uint32_t k = 0; k < queue->delivery_count; k++)
        queue->deliveries[k] = queue->deliveries[k + count];
    if (queue->delivery_count == 0)
        queue->deliver_until = queue->slice_count;
}

/* Asks for a slice's memory, and puts the item there when it has come. */
static void put_later(struct queue *queue, uint32_t item, uint32_t slice)
{
    HINT_FETCH(&queue->slices[slice]);
    if (queue->delivery_count == 0)
        queue->deliver_until = queue->slice + queue->far_ahead;
    queue->deliveries[queue->delivery_count++] = (struct queue_delivery){item, slice};
    if (queue->delivery_count == QUEUE_DELIVERIES)
        deliver(queue, QUEUE_DELIVERIES / 2);
}

/* The slice of a place in the turn, at most the last one. Which is less is hard to guess. */
static inline uint32_t slice_at(double place, uint32_t last)
{
    uint64_t bits = queue_bits(place);
    uint64_t last_bits = queue_bits((double)last);
    bits = bits < last_bits ? bits : last_bits; /* whole numbers are compared without a branch */
    memcpy(&place, &bits, sizeof place);
    return (uint32_t)place;
}

enum queue_place queue_schedule(struct queue *queue, uint32_t item, double time)
{
    double place = (time - queue->begin) * queue->slices_per_time;
    if (place < (double)queue->slice + 1)
        return queue_push(queue, item, time, 1) ? QUEUE_KEPT : QUEUE_FULL;
    if (queue->chunk_count + QUEUE_DELIVERIES > queue->chunk_capacity)
        return QUEUE_FULL; /* each delivery might need one */
    uint32_t slice = slice_at(place, queue->slice_count);
    if (slice - queue->slice > queue->far_ahead)
        put_later(queue, item, slice);
    else
        put(queue, item, slice);
    return slice < queue->slice_count ? QUEUE_KEPT : QUEUE_LATER;
}

/* Without branches, for what comes first is a toss-up. */
static inline int comes_before(const struct queue_entry *left, const struct queue_entry *right)
{
    return (left->time < right->time) | ((left->time == right->time) & (left->rank < right->rank));
}

/* Moves an entry up from `place` to where it belongs. */
static inline void sift_up(struct queue_entry *heap, size_t place, struct queue_entry entry)
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
static inline void sift_down(struct queue_entry *heap, size_t count, struct queue_entry entry)
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

int queue_push_crowd(struct queue *queue, uint32_t item, double time)
{
    if (queue->crowd_count == queue->crowd_capacity)
        return 0;
    sift_up(queue->crowd, queue->crowd_count++, (struct queue_entry){time, 0, item});
    queue->taken++;
    return 1;
}

void queue_pop_crowd(struct queue *queue)
{
    queue->crowd_count--;
    sift_down(queue->crowd, queue->crowd_count, queue->crowd[queue->crowd_count]);
}

/* Whether the first two entries of the crowd, or what passes for them, have the same time. */
static int is_crowd_tied(const struct queue *queue)
{
    const struct queue_entry *crowd = queue->crowd;
    return (queue->crowd_count > 1 && crowd[1].time == crowd[0].time) ||
           (queue->crowd_count > 2 && crowd[2].time == crowd[0].time);
}

/* Puts the true first on top of the crowd, if others there, or elsewhere, have the same time. */
static void rank_crowd(struct queue *queue, int is_tied_elsewhere)
{
    while (queue->crowd[0].rank == 0 && (is_tied_elsewhere || is_crowd_tied(queue))) {
        struct queue_entry entry = queue->crowd[0];
        entry.rank = queue->rank(queue->user, entry.item);
        sift_down(queue->crowd, queue->crowd_count, entry);
    }
}

struct queue_entry queue_first_of_many(struct queue *queue, uint64_t first)
{
    uint64_t crowd_time = queue->crowd_count > 0 ? queue_bits(queue->crowd[0].time) : QUEUE_NEVER;
    if (queue->crowd_count > 0)
        rank_crowd(queue, crowd_time == first);
    struct queue_entry entry = {.rank = UINT64_MAX};
    if (crowd_time <= first) {
        entry = queue->crowd[0];
        queue->first = QUEUE_NEAR;
    }
    if (crowd_time < first)
        return entry;
    for (uint32_t k = 0; k < queue->near_count; k++) {
        uint64_t rank = queue->near_times[k] == first
                            ? queue->rank(queue->user, queue->near_items[k])
                            : UINT64_MAX;
        if (rank < entry.rank) {
            entry = (struct queue_entry){.rank = rank, .item = queue->near_items[k]};
            memcpy(&entry.time, &first, sizeof first);
            queue->first = k;
        }
    }
    return entry;
}

const struct queue_chunk *queue_next_slice(struct queue *queue)
{
    while (queue->slice + 1 < queue->slice_count) {
        queue->slice++;
        if (queue->slice >= queue->deliver_until)
            deliver(queue, queue->delivery_count);
        const struct queue_chunk *chunk = queue_peek(queue, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
