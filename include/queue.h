/*
 * The queue of the cells schedule: numbered items, each with one time; which comes next?
 *
 * It is a calendar: time ahead is cut into slices, and of the items in a slice only the set is
 * kept, until the slice begins. Then they go into the front, which finds the first of them: a few
 * entries that are looked through at every step, and a heap, the crowd, for those that are too
 * many for that. So to schedule an item takes constant time, whatever their number. (G. Paul, A
 * complexity O(1) priority queue for event driven molecular dynamics simulations, J. Comput. Phys.
 * 221, 2007.)
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
#include <string.h>

/*
 * Where an item stands among those of the same time, lowest first: from 1 up to UINT64_MAX - 1.
 * The user's answer, asked for only where there is such a tie.
 */
typedef uint64_t queue_rank(const void *user, uint32_t item);

/* An item that has come up. */
struct queue_entry {
    double time;   /* when it was to happen */
    uint64_t rank; /* its rank when there was a tie; 0 if nobody has asked for it */
    uint32_t item;
};

/* Some items of a slice, in 64 bytes. */
enum { QUEUE_CHUNK_ITEMS = 14 };
struct queue_chunk {
    uint32_t count;                    /* how many are here */
    uint32_t next;                     /* 1 + index of the chunk with more of the slice, or 0 */
    uint32_t items[QUEUE_CHUNK_ITEMS]; /* in no order */
};

/* How many entries of the front stand in no order, and are looked through at every step. */
enum { QUEUE_NEAR = 8 };

/* An item on its way to a slice that is far ahead. */
struct queue_delivery {
    uint32_t item, slice;
};

enum { QUEUE_DELIVERIES = 16 };

struct queue {
    double begin;               /* when the turn began */
    double slice_length;        /* time of one slice */
    double slices_per_time;     /* its inverse */
    uint32_t slice_count;       /* slices in a turn */
    uint32_t slice;             /* the one that is in the front */
    struct queue_chunk *slices; /* the first chunk of each slice, and one for what is later */
    struct queue_chunk *chunks; /* further chunks of all slices */
    uint32_t chunk_count;       /* of them, used */
    uint32_t chunk_capacity;    /* of them, allocated */
    struct queue_delivery deliveries[QUEUE_DELIVERIES]; /* while their chunks are fetched */
    uint32_t delivery_count;
    uint32_t far_ahead;     /* so many slices ahead of the present one there are deliveries */
    uint32_t deliver_until; /* all of them before this slice begins */
    uint64_t taken;         /* entries that have come into the front in this turn */
    queue_rank *rank;       /* the user's ranks, */
    const void *user;       /* and the user */

    /* The front: entries of this slice and late comers. */
    uint64_t near_times[QUEUE_NEAR]; /* as queue_bits, those without an entry infinite */
    uint32_t near_items[QUEUE_NEAR];
    uint32_t near_count;
    uint32_t first;            /* which of them queue_first found; QUEUE_NEAR: that of the crowd */
    struct queue_entry *crowd; /* a heap of those for which there was no room near */
    size_t crowd_count;
    size_t crowd_capacity;
};

/*
 * Makes a queue for `items` items, each numbered below 2^32, that asks `rank` about `user`'s items.
 * Returns STATUS_DONE, or STATUS_NO_MEMORY and a queue that queue_free still frees.
 */
enum status queue_create(struct queue *queue, size_t items, queue_rank *rank, const void *user,
                         struct error *error);

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

/* The bits of a time that is not negative: a whole number, in the order of the times. */
static inline uint64_t queue_bits(double time)
{
    uint64_t bits;
    time += 0.0; /* there is no -0 */
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

#define QUEUE_NEVER UINT64_C(0x7ff0000000000000) /* the bits of infinity */

/* queue_push for when there is no room near. */
int queue_push_crowd(struct queue *queue, uint32_t item, double time);

/*
 * Puts an item into the front if it is due (`is_due` 1), and if not (0), does nothing, without a
 * branch. Returns 0 if no memory is left: begin a new turn then. There is room for at least as many
 * as there are items.
 */
static inline int queue_push(struct queue *queue, uint32_t item, double time, uint32_t is_due)
{
    uint32_t place = queue->near_count;
    if (place == QUEUE_NEAR)
        return !is_due || queue_push_crowd(queue, item, time);
    queue->near_times[place] =
        QUEUE_NEVER ^ ((QUEUE_NEVER ^ queue_bits(time)) & (0 - (uint64_t)is_due));
    queue->near_items[place] = item;
    queue->near_count = place + is_due;
    queue->taken += is_due;
    return 1;
}

/* Whether the front is empty; later slices do not count. */
static inline int queue_is_empty(const struct queue *queue)
{
    return (queue->near_count | queue->crowd_count) == 0;
}

/* queue_first for when there is a tie or a crowd; `first` is the earliest time near. */
struct queue_entry queue_first_of_many(struct queue *queue, uint64_t first);

/*
 * The first entry of the front, which must not be empty. A rank in it tells what it was when there
 * was a tie: if it is another one now, the item has been scheduled again, and this entry is old.
 */
static inline struct queue_entry queue_first(struct queue *queue)
{
    uint64_t first = queue->near_times[0];
    uint64_t second = QUEUE_NEVER;
    uint64_t place = 0;
    for (uint64_t k = 1; k < QUEUE_NEAR; k++) {
        uint64_t time = queue->near_times[k];
        uint64_t is_earlier = time < first;
        uint64_t later = is_earlier ? first : time;
        first = is_earlier ? time : first;
        place ^= (place ^ k) & (0 - is_earlier);
        second = later < second ? later : second;
    }
    queue->first = (uint32_t)place;
    if ((first == second) | (queue->crowd_count > 0))
        return queue_first_of_many(queue, first);
    struct queue_entry entry = {.item = queue->near_items[place]};
    memcpy(&entry.time, &first, sizeof first);
    return entry;
}

/* queue_pop of the crowd. */
void queue_pop_crowd(struct queue *queue);

/* Takes out the entry that queue_first has found last; others may have been pushed since. */
static inline void queue_pop(struct queue *queue)
{
    if (queue->first == QUEUE_NEAR) {
        queue_pop_crowd(queue);
        return;
    }
    uint32_t last = --queue->near_count;
    queue->near_times[queue->first] = queue->near_times[last];
    queue->near_items[queue->first] = queue->near_items[last];
    queue->near_times[last] = QUEUE_NEVER;
}

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
    return slice < queue->slice_count && queue->slices[slice].count > 0 ? &queue->slices[slice]
                                                                        : NULL;
}

/* Whether `time` belongs into the slice `ahead` of the present one. */
static inline int queue_is_in(const struct queue *queue, double time, uint32_t ahead)
{
    double place = (time - queue->begin) * queue->slices_per_time - (double)queue->slice;
    return place >= ahead && place < ahead + 1;
}

#endif
