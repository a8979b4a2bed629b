/*
 * The event calendar: items, each numbered and with one time; which one comes next?
 *
 * As on a calendar, the time ahead is cut into slices, and the items in a slice are kept unsorted
 * until the slice begins. Then they are sorted into the front: a few near entries, and a heap for
 * the others, if there are more. So the time to schedule an item does not depend on their number.
 * (R. Brown, Calendar queues, Comm. ACM 31, 1988; with a heap for the present slice: G. Paul, A
 * complexity O(1) priority queue for event driven molecular dynamics simulations, J. Comput. Phys.
 * 221, 2007.)
 *
 *     | over | over | the front | slice | slice |  ...  | slice | later: not kept
 *     |<------------------------- one cycle ------------------->|
 *
 * The slices make up one cycle. Later items are not kept: when the cycle is over, the next one
 * begins empty, and the user schedules everything again. No entry is ever taken out: when an item's
 * time changes, it is scheduled again. The old entry is recognised by its time.
 */
#ifndef PARTICLES_CALENDAR_H
#define PARTICLES_CALENDAR_H

#include "base/compiler.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The user's function that orders items of the same time, called only where there may be such a
 * tie. It returns the rank of an item at a time, lowest first, from 1 on; items of one rank are one
 * event, so that one entry is enough for all; UINT64_MAX if the item is not due then.
 */
typedef uint64_t calendar_rank(const void *user, uint32_t item, double time);

/* An item that has come up. */
struct calendar_entry {
    double time;   /* for which it was scheduled */
    uint64_t rank; /* its rank when there was a tie; 0 if it was not asked for */
    uint32_t item;
};

/* Some items of a slice, in 64 bytes. */
enum { CALENDAR_CHUNK_ITEMS = 14 };
struct calendar_chunk {
    uint32_t count;                       /* how many are here */
    uint32_t next;                        /* 1 + index of the chunk with more of the slice, or 0 */
    uint32_t items[CALENDAR_CHUNK_ITEMS]; /* in no order */
};

/* An item that is to go into a slice. */
struct calendar_pending {
    uint32_t item, slice;
};

/* How many near entries, a power of 2, and how many pending items, there are at most. */
enum { CALENDAR_NEAR = 32, CALENDAR_PENDING = 16 };

struct calendar {
    double begin;                  /* when the cycle began */
    double slice_length;           /* time of one slice */
    double slices_per_time;        /* its inverse */
    uint32_t slice_count;          /* slices in a cycle: before it begins they may be changed, */
    uint32_t slice_capacity;       /* as many as there was memory for at first, at most */
    uint32_t slice;                /* the one that is in the front, */
    double slice_end;              /* and where it ends: its number + 1; */
    double cycle_end;              /* where the cycle does: slice_count */
    struct calendar_chunk *slices; /* the first chunk of each slice, and one for what is later */
    struct calendar_chunk *chunks; /* further chunks of all slices */
    uint32_t chunk_count;          /* of them, used */
    uint32_t chunk_most;           /* with more of them used no item is taken any more */
    struct calendar_pending pending[CALENDAR_PENDING]; /* until this slice is over */
    uint32_t pending_count;
    uint64_t taken; /* entries that have come into the front in this cycle */
    calendar_rank *rank;
    const void *user; /* for `rank` */

    /* The front: entries of this slice and those that were scheduled for it after it began. */
    double near_times[CALENDAR_NEAR]; /* of the near entries, as they came, with those that have */
    uint32_t near_items[CALENDAR_NEAR]; /* been popped */
    uint32_t near_count;
    uint64_t near_keys[CALENDAR_NEAR + 2]; /* one for each, earliest first, */
    uint32_t near_first;                   /* from this index up to CALENDAR_NEVER */
    int is_heap_first; /* the entry that calendar_first found last is on top of the heap: */
    struct calendar_entry *heap; /* the entries for which there was no room near */
    size_t heap_count;
    size_t heap_capacity;
};

/* Makes a calendar for `items` items, each numbered below 2^32, that asks `rank` about `user`'s
 * items. Returns STATUS_DONE, or STATUS_NO_MEMORY and a calendar that calendar_free still frees. */
enum status calendar_create(struct calendar *calendar, size_t items, calendar_rank *rank,
                            const void *user, struct error *error);

void calendar_free(struct calendar *calendar);

/* Begins a cycle, empty, at time `begin`, with slices of length `slice_length`, whose inverse must
 * be finite and more than 0. A new calendar is in an empty cycle. */
void calendar_begin_cycle(struct calendar *calendar, double begin, double slice_length);

/* calendar_schedule for an item of the present slice. */
int calendar_insert(struct calendar *calendar, uint32_t item, double time);

/* Puts the pending items into their slices. */
void calendar_put_pending(struct calendar *calendar);

/* The slice of a time, in slices from the cycle's begin; a branch would be unpredictable. */
static inline uint32_t calendar_slice_at(double position, double cycle_end)
{
    uint64_t bits;
    uint64_t end;
    COMPILER_COPY(&bits, &position, sizeof bits);
    COMPILER_COPY(&end, &cycle_end, sizeof end);
    bits = bits < end ? bits : end; /* whole numbers are compared without a branch */
    COMPILER_COPY(&position, &bits, sizeof position);
    return (uint32_t)position;
}

/* Schedules an item at `time`, not before the cycle's begin and not infinite. Returns 0 if no
 * memory is left: begin a new cycle then and schedule all anew. */
static inline int calendar_schedule(struct calendar *calendar, uint32_t item, double time)
{
    const double position = (time - calendar->begin) * calendar->slices_per_time;
    if (position < calendar->slice_end)
        return calendar_insert(calendar, item, time);
    if (calendar->pending_count == CALENDAR_PENDING)
        calendar_put_pending(calendar);
    if (calendar->chunk_count > calendar->chunk_most)
        return 0; /* each pending item may need one */
    const uint32_t slice = calendar_slice_at(position, calendar->cycle_end);
    COMPILER_PREFETCH(&calendar->slices[slice]);
    calendar->pending[calendar->pending_count++] = (struct calendar_pending){item, slice};
    return 1;
}

/* True if `time` belongs into the slice that is in the front, or before it. */
static inline int calendar_is_due(const struct calendar *calendar, double time)
{
    return (time - calendar->begin) * calendar->slices_per_time < calendar->slice_end;
}

/* A key is the bits of a time, a whole number, with the entry's slot in the lowest of them. */
#define CALENDAR_NEVER UINT64_C(0x7fe0000000000000) /* more than the key of any entry */

/* Puts an item of the present slice into the heap, where there is no room near. Returns 0 if no
 * memory is left: begin a new cycle then. There is room for at least as many as there are items. */
int calendar_push_heap(struct calendar *calendar, uint32_t item, double time);

/*
 * Puts an item of the slice that begins at a slot of the front below CALENDAR_NEAR; where it is
 * not due (`is_due` 0, not 1) the next one takes that. Returns the next slot, at last the new
 * `near_count`; calendar_sort must follow. There are no branches.
 */
static inline uint32_t calendar_push(struct calendar *calendar, uint32_t slot, uint32_t item,
                                     double time, uint32_t is_due)
{
    calendar->near_times[slot] = time + 0.0; /* there is no -0 */
    calendar->near_items[slot] = item;
    return slot + is_due;
}

/* Sorts what has been pushed into the front. */
void calendar_sort(struct calendar *calendar);

/* True if the front is empty; later slices do not count. */
static inline int calendar_is_empty(const struct calendar *calendar)
{
    return (calendar->near_keys[calendar->near_first] == CALENDAR_NEVER) &
           (calendar->heap_count == 0);
}

/* The first near entry, if there is one. */
static inline struct calendar_entry calendar_near_first(const struct calendar *calendar)
{
    const uint64_t slot = calendar->near_keys[calendar->near_first] % CALENDAR_NEAR;
    return (struct calendar_entry){.time = calendar->near_times[slot],
                                   .item = calendar->near_items[slot]};
}

/* calendar_first for when there may be a tie or something is in the heap. */
struct calendar_entry calendar_first_of_many(struct calendar *calendar);

/* The first entry of the front, which must not be empty. If its item now has another rank, it has
 * been scheduled again, and this entry is old. */
static inline struct calendar_entry calendar_first(struct calendar *calendar)
{
    const uint64_t *keys = &calendar->near_keys[calendar->near_first];
    calendar->is_heap_first = 0;
    if (((keys[0] ^ keys[1]) < CALENDAR_NEAR) | (calendar->heap_count > 0))
        return calendar_first_of_many(calendar);
    return calendar_near_first(calendar);
}

/* calendar_pop of the heap. */
void calendar_pop_heap(struct calendar *calendar);

/* Takes out the entry that calendar_first has just found. */
static inline void calendar_pop(struct calendar *calendar)
{
    if (calendar->is_heap_first)
        calendar_pop_heap(calendar);
    else
        calendar->near_first++;
}

/*
 * Goes on to the next slice that has items, when the front is empty. Returns the first chunk of
 * them, for the user to push those that are due (calendar_is_due; the others are old entries); NULL
 * if the cycle is over. calendar_more gives the next chunk, or NULL.
 */
const struct calendar_chunk *calendar_next_slice(struct calendar *calendar);

static inline const struct calendar_chunk *calendar_more(const struct calendar *calendar,
                                                         const struct calendar_chunk *chunk)
{
    return chunk->next > 0 ? &calendar->chunks[chunk->next - 1] : NULL;
}

/* The first chunk of the slice that is `ahead` slices after the present one, or NULL. */
static inline const struct calendar_chunk *calendar_peek(const struct calendar *calendar,
                                                         uint32_t ahead)
{
    uint32_t slice = calendar->slice + ahead;
    return slice < calendar->slice_count && calendar->slices[slice].count > 0
               ? &calendar->slices[slice]
               : NULL;
}

#endif
