/*
 * The calendar queue; see queue.h.
 */
#include "queue.h"

#include "memory.h"

#include <string.h>

_Static_assert(sizeof(struct queue_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* a turn has a slice for so many items, */
    LEAST_SLICES = 64    /* and at least these */
};

enum status queue_create(struct queue *queue, size_t items, struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + LEAST_SLICES;
    size_t chunks = slices + 2 * items / QUEUE_CHUNK_ITEMS + 1;
    *queue = (struct queue){.slice_count = (uint32_t)slices, .chunk_capacity = (uint32_t)chunks};
    /* The front needs this much only if all happens at once; the rest is never touched. */
    queue->front_capacity = 2 * items + 64;
    queue->slices = memory_allocate(slices, sizeof *queue->slices, "the slices", error);
    if (queue->slices)
        queue->chunks = memory_allocate_lines(chunks, sizeof *queue->chunks, "the queue", error);
    if (queue->chunks)
        queue->front =
            memory_allocate(queue->front_capacity, sizeof *queue->front, "the front", error);
    if (!queue->front)
        return STATUS_NO_MEMORY;
    queue_begin_turn(queue, 0, 1);
    return STATUS_DONE;
}

void queue_free(struct queue *queue)
{
    memory_free(queue->slices);
    memory_free(queue->chunks);
    memory_free(queue->front);
    *queue = (struct queue){0};
}

void queue_begin_turn(struct queue *queue, double begin, double slice_length)
{
    queue->begin = begin;
    queue->slice_length = slice_length;
    queue->slices_per_time = 1 / slice_length;
    queue->slice = 0;
    queue->chunk_count = 0;
    queue->front_count = 0;
    queue->taken = 0;
    memset(queue->slices, 0, queue->slice_count * sizeof *queue->slices);
}

enum queue_place queue_schedule(struct queue *queue, uint32_t item, double time)
{
    double place = (time - queue->begin) * queue->slices_per_time;
    if (place < (double)queue->slice + 1)
        return queue_push(queue, item, time) ? QUEUE_KEPT : QUEUE_FULL;
    if (!(place < (double)queue->slice_count))
        return QUEUE_LATER;
    uint32_t slice = (uint32_t)place;
    uint32_t first = queue->slices[slice];
    struct queue_chunk *chunk = &queue->chunks[first - (first > 0)];
    if (first == 0 || chunk->count == QUEUE_CHUNK_ITEMS) {
        if (queue->chunk_count == queue->chunk_capacity)
            return QUEUE_FULL;
        chunk = &queue->chunks[queue->chunk_count++];
        chunk->count = 0;
        chunk->next = first;
        queue->slices[slice] = queue->chunk_count;
    }
    chunk->items[chunk->count++] = item;
    return QUEUE_KEPT;
}

/* Without branches, for what comes first is a toss-up. */
static inline int comes_before(const struct queue_entry *left, const struct queue_entry *right)
{
    return (left->time < right->time) | ((left->time == right->time) & (left->rank < right->rank));
}

/* Moves an entry up from `place` to where it belongs. */
static inline void sift_up(struct queue_entry *front, size_t place, struct queue_entry entry)
{
    while (place > 0 && comes_before(&entry, &front[(place - 1) / 2])) {
        front[place] = front[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    front[place] = entry;
}

/*
 * Puts an entry into a heap of `count` whose first place is free. The free place goes down to a
 * leaf first, always by the earlier child, and the entry up from there: an entry from the end
 * of the heap belongs far down, and a way of one length is a way that the processor can guess.
 */
static inline void sift_down(struct queue_entry *front, size_t count, struct queue_entry entry)
{
    size_t place = 0;
    size_t child = 1;
    for (; child + 1 < count; child = 2 * place + 1) {
        child += (size_t)comes_before(&front[child + 1], &front[child]);
        front[place] = front[child];
        place = child;
    }
    if (child < count) {
        front[place] = front[child];
        place = child;
    }
    sift_up(front, place, entry);
}

int queue_push(struct queue *queue, uint32_t item, double time)
{
    if (queue->front_count == queue->front_capacity)
        return 0;
    sift_up(queue->front, queue->front_count++, (struct queue_entry){time, 0, item});
    queue->taken++;
    return 1;
}

void queue_pop(struct queue *queue)
{
    queue->front_count--;
    sift_down(queue->front, queue->front_count, queue->front[queue->front_count]);
}

void queue_rank_first(struct queue *queue, uint64_t rank)
{
    struct queue_entry entry = queue->front[0];
    entry.rank = rank;
    sift_down(queue->front, queue->front_count, entry);
}

const struct queue_chunk *queue_next_slice(struct queue *queue)
{
    while (queue->slice + 1 < queue->slice_count) {
        queue->slice++;
        const struct queue_chunk *chunk = queue_peek(queue, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
