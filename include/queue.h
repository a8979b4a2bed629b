/*
 * The queue of the cells schedule: numbered items, each with one time; which comes next?
 *
 * It is a calendar: time ahead is cut into slices, and of the items in a slice only the set is
 * kept, until the slice begins. Then they go into a heap, the front, that puts them in order. So
 * to schedule an item takes constant time, whatever their number. (G. Paul, A complexity O(1)
 * priority queue for event driven molecular dynamics simulations, J. Comput. Phys. 221, 2007.)
 *
 * The calendar spans one turn. What is later is not kept at all: when the turn is over, the next
 * one begins empty, and the user schedules everything again. That is the time to adapt the
 * slices, too. Nothing is ever taken out: when an item's time changes it is scheduled again, and
 * the old entry, when it comes up, is recognised by its time, which is no longer the item's.
 */
#ifndef PARTICLES_QUEUE_H
#define PARTICLES_QUEUE_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * An item that has come up. Entries of one time are taken in the order of their ranks; but a rank
 * is asked for only where there is such a tie (queue_is_tied), and until then it is 0.
 */
struct queue_entry {
    double time;   /* when it was to happen */
    uint64_t rank; /* more than 0, once it is known */
    uint32_t item;
};

/* Some items of a slice, in 64 bytes. */
enum { QUEUE_CHUNK_ITEMS = 14 };
struct queue_chunk {
    uint32_t count;                    /* how many are here */
    uint32_t next;                     /* 1 + index of the chunk with more of the slice, or 0 */
    uint32_t items[QUEUE_CHUNK_ITEMS]; /* in no order */
};

struct queue {
    double begin;               /* when the turn began */
    double slice_length;        /* time of one slice */
    double slices_per_time;     /* its inverse */
    uint32_t slice_count;       /* slices in a turn */
    uint32_t slice;             /* the one that is in the front */
    uint32_t *slices;           /* for each slice 1 + index of its first chunk, or 0 */
    struct queue_chunk *chunks; /* those of all slices */
    uint32_t chunk_count;       /* of them, used */
    uint32_t chunk_capacity;    /* of them, allocated */
    struct queue_entry *front;  /* a heap of the entries of this slice and of late comers */
    size_t front_count;
    size_t front_capacity;
    uint64_t taken; /* entries that have come into the front in this turn */
};

/*
 * Makes a queue for `items` items, each numbered below 2^32. Returns STATUS_DONE, or
 * STATUS_NO_MEMORY and a queue that queue_free still frees.
 */
enum status queue_create(struct queue *queue, size_t items, struct error *error);

/* Frees the memory of a queue. */
void queue_free(struct queue *queue);

/*
 * Begins a turn, empty, at time `begin`, with slices of length `slice_length`, whose inverse must
 * be finite and more than 0. A new queue is in an empty turn.
 */
void queue_begin_turn(struct queue *queue, double begin, double slice_length);

/* What queue_schedule did with an item. */
enum queue_place {
    QUEUE_KEPT,  /* it is in the front, or kept for its slice */
    QUEUE_LATER, /* it is later than this turn, and is not kept */
    QUEUE_FULL   /* no memory is left: begin a new turn and schedule all items anew */
};

/* Schedules an item at `time`, not before the turn's begin and not infinite. */
enum queue_place queue_schedule(struct queue *queue, uint32_t item, double time);

/* Whether `time` belongs into the slice that is in the front, or before it. */
static inline int queue_is_due(const struct queue *queue, double time)
{
    return (time - queue->begin) * queue->slices_per_time < (double)queue->slice + 1;
}

/*
 * Puts an item that is due into the front. Returns 0 if no memory is left: begin a new turn then.
 * There is room for at least as many as there are items.
 */
int queue_push(struct queue *queue, uint32_t item, double time);

static inline int queue_is_empty(const struct queue *queue)
{
    return queue->front_count == 0; /* of the front: later slices do not count */
}

/* The first entry of the front, which must not be empty; and takes it out. */
static inline const struct queue_entry *queue_first(const struct queue *queue)
{
    return &queue->front[0];
}

void queue_pop(struct queue *queue);

/*
 * Whether the first entry has no rank yet, and needs one, for others have the same time. Then
 * give it its rank with queue_rank_first, and ask for the first entry again.
 */
static inline int queue_is_tied(const struct queue *queue)
{
    const struct queue_entry *front = queue->front;
    return front[0].rank == 0 && ((queue->front_count > 1 && front[1].time == front[0].time) ||
                                  (queue->front_count > 2 && front[2].time == front[0].time));
}

void queue_rank_first(struct queue *queue, uint64_t rank);

/*
 * Goes on to the next slice that has items. Returns the first chunk of them, for the user to push
 * those that are due (queue_is_due; the others are entries of times that have changed); NULL if
 * the turn is over. The next chunk is queue_more(queue, chunk), until NULL.
 */
const struct queue_chunk *queue_next_slice(struct queue *queue);

static inline const struct queue_chunk *queue_more(const struct queue *queue,
                                                   const struct queue_chunk *chunk)
{
    return chunk->next > 0 ? &queue->chunks[chunk->next - 1] : NULL;
}

/*
 * The first chunk of the slice `ahead` of the present one, or NULL: to fetch in advance what its
 * items need.
 */
static inline const struct queue_chunk *queue_peek(const struct queue *queue, uint32_t ahead)
{
    uint32_t slice = queue->slice + ahead;
    uint32_t first = slice < queue->slice_count ? queue->slices[slice] : 0;
    return first > 0 ? &queue->chunks[first - 1] : NULL;
}

#endif
