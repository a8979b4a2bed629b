/*
 * The event calendar: items, each numbered and with one time; which one comes next?
 *
 * As on a calendar, the time ahead is cut into slices, and of the items in a slice only the set is
 * kept until the slice begins. Then they go into the front, which finds the first of them: a few
 * near entries in no order, all of which are looked at in every step, and a heap for those that are
 * too many for that. So to schedule an item takes constant time, whatever their number. (R. Brown,
 * Calendar queues, Comm. ACM 31, 1988; with a heap for the present slice: G. Paul, A complexity
 * O(1) priority queue for event driven molecular dynamics simulations, J. Comput. Phys. 221, 2007.)
 *
 *     | over | over | the front | slice | slice |  ...  | slice | later: not kept
 *     |<------------------------- one turn -------------------->|
 *
 * The slices span one turn. What is later is not kept at all: when the turn is over, the next one
 * begins empty, and the user schedules everything again. That is the time to choose the slices'
 * length anew, too. No entry is ever taken out: when an item's time changes, it is scheduled again,
 * and the old entry, when it comes up, is recognised by its time, which is no longer the item's.
 */
#ifndef PARTICLES_CALENDAR_H
#define PARTICLES_CALENDAR_H

#include "base/compiler.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Where an item stands among those of the same time, lowest first: from 1 up to UINT64_MAX - 1.
 * The user's answer, asked for only where there is such a tie.
 */
typedef uint64_t calendar_rank(const void *user, uint32_t item);

/* An item that has come up. */
struct calendar_entry {
    double time;   /* when it was to happen */
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

/* How many near entries there are at most. */
enum { CALENDAR_NEAR = 10 };

/* An item that is to go into a slice far ahead. */
struct calendar_pending {
    uint32_t item, slice;
};

enum { CALENDAR_PENDING = 16 };

struct calendar {
    double begin;                  /* when the turn began */
    double slice_length;           /* time of one slice */
    double slices_per_time;        /* its inverse */
    uint32_t slice_count;          /* slices in a turn, */
    uint32_t slice_capacity;       /* and for how many there is memory */
    uint32_t slice;                /* the one that is in the front */
    struct calendar_chunk *slices; /* the first chunk of each slice, and one for what is later */
    struct calendar_chunk *chunks; /* further chunks of all slices */
    uint32_t chunk_count;          /* of them, used */
    uint32_t chunk_capacity;       /* of them, allocated */
    struct calendar_pending pending[CALENDAR_PENDING]; /* while their chunks are fetched */
    uint32_t pending_count;
    uint32_t far_ahead;     /* items for slices further ahead than this are pending for a while */
    uint32_t pending_until; /* all of them are put into their slices before this one begins */
    uint64_t taken;         /* entries that have come into the front in this turn */
    calendar_rank *rank;    /* the user's ranks, */
    const void *user;       /* and the user */

    /* The front: entries of this slice and late comers. */
    uint64_t near_times[CALENDAR_NEAR]; /* as calendar_bits, those without an entry infinite */
    uint32_t near_items[CALENDAR_NEAR];
    uint32_t near_count;
    uint32_t first; /* which of them calendar_first found; CALENDAR_NEAR: that of the heap */
    struct calendar_entry *heap; /* those for which there was no room near */
    size_t heap_count;
    size_t heap_capacity;
};

/*
 * Makes a calendar for `items` items, each numbered below 2^32, that asks `rank` about `user`'s
 * items. Returns STATUS_DONE, or STATUS_NO_MEMORY and a calendar that calendar_free still frees.
 */
enum status calendar_create(struct calendar *calendar, size_t items, calendar_rank *rank,
                            const void *user, struct error *error);

/* Frees the memory of a calendar. */
void calendar_free(struct calendar *calendar);

/* How many slices the turns have from now on: at most `slice_capacity`, as they have at first. */
void calendar_set_slices(struct calendar *calendar, uint32_t count);

/*
 * Begins a turn, empty, at time `begin`, with slices of length `slice_length`, whose inverse must
 * be finite and more than 0. A new calendar is in an empty turn.
 */
void calendar_begin_turn(struct calendar *calendar, double begin, double slice_length);

/* What calendar_schedule did with an item. */
enum calendar_place {
    CALENDAR_KEPT,  /* it is in the front, or kept for its slice */
    CALENDAR_LATER, /* it is later than this turn, and is not kept */
    CALENDAR_FULL   /* no memory is left: begin a new turn and schedule all items anew */
};

/* Schedules an item at `time`, not before the turn's begin and not infinite. */
enum calendar_place calendar_schedule(struct calendar *calendar, uint32_t item, double time);

/* Whether `time` belongs into the slice that is in the front, or before it. */
static inline int calendar_is_due(const struct calendar *calendar, double time)
{
    return (time - calendar->begin) * calendar->slices_per_time < (double)calendar->slice + 1;
}

/* The bits of a time that is not negative: a whole number, in the order of the times. */
static inline uint64_t calendar_bits(double time)
{
    uint64_t bits;
    time += 0.0; /* there is no -0 */
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

#define CALENDAR_NEVER UINT64_C(0x7ff0000000000000) /* the bits of infinity */

/* calendar_push for when there is no room near. */
int calendar_push_heap(struct calendar *calendar, uint32_t item, double time);

/*
 * Puts an item into the front if it is due (`is_due` 1), and if not (0), does nothing, without a
 * branch. Returns 0 if no memory is left: begin a new turn then. There is room for at least as many
 * as there are items.
 */
static inline int calendar_push(struct calendar *calendar, uint32_t item, double time,
                                uint32_t is_due)
{
    uint32_t place = calendar->near_count;
    if (place == CALENDAR_NEAR)
        return !is_due || calendar_push_heap(calendar, item, time);
    calendar->near_times[place] =
        CALENDAR_NEVER ^ ((CALENDAR_NEVER ^ calendar_bits(time)) & (0 - (uint64_t)is_due));
    calendar->near_items[place] = item;
    calendar->near_count = place + is_due;
    calendar->taken += is_due;
    return 1;
}

/* Whether the front is empty; later slices do not count. */
static inline int calendar_is_empty(const struct calendar *calendar)
{
    return (calendar->near_count | calendar->heap_count) == 0;
}

/* calendar_first for when there is a tie or something in the heap; `first` is the earliest time
 * near, and `places` has a bit for each place that has it. */
struct calendar_entry calendar_first_of_many(struct calendar *calendar, uint64_t first,
                                             unsigned places);

/*
 * The first entry of the front, which must not be empty. A rank in it tells what it was when there
 * was a tie: if it is another one now, the item has been scheduled again, and this entry is old.
 */
static inline struct calendar_entry calendar_first(struct calendar *calendar)
{
    uint64_t first = calendar->near_times[0];
    for (uint32_t k = 1; k < CALENDAR_NEAR; k++)
        first = calendar->near_times[k] < first ? calendar->near_times[k] : first;
    unsigned places = 0;
    for (uint32_t k = 0; k < CALENDAR_NEAR; k++)
        places |= (unsigned)(calendar->near_times[k] == first) << k;
    calendar->first = COMPILER_LOWEST_BIT(places);
    if (((places & (places - 1)) != 0) | (calendar->heap_count > 0))
        return calendar_first_of_many(calendar, first, places);
    struct calendar_entry entry = {.item = calendar->near_items[calendar->first]};
    memcpy(&entry.time, &first, sizeof first);
    return entry;
}

/* calendar_pop of the heap. */
void calendar_pop_heap(struct calendar *calendar);

/* Takes out the entry that calendar_first has found last; others may have been pushed since. */
static inline void calendar_pop(struct calendar *calendar)
{
    if (calendar->first == CALENDAR_NEAR) {
        calendar_pop_heap(calendar);
        return;
    }
    uint32_t last = --calendar->near_count;
    calendar->near_times[calendar->first] = calendar->near_times[last];
    calendar->near_items[calendar->first] = calendar->near_items[last];
    calendar->near_times[last] = CALENDAR_NEVER;
}

/*
 * Goes on to the next slice that has items. Returns the first chunk of them, for the user to push
 * those that are due (calendar_is_due; the others are entries of times that have changed); NULL if
 * the turn is over. The next chunk is calendar_more(calendar, chunk), until NULL.
 */
const struct calendar_chunk *calendar_next_slice(struct calendar *calendar);

static inline const struct calendar_chunk *calendar_more(const struct calendar *calendar,
                                                         const struct calendar_chunk *chunk)
{
    return chunk->next > 0 ? &calendar->chunks[chunk->next - 1] : NULL;
}

/*
 * The first chunk of the slice `ahead` of the present one, or NULL: to fetch in advance what its
 * items need.
 */
static inline const struct calendar_chunk *calendar_peek(const struct calendar *calendar,
                                                         uint32_t ahead)
{
    uint32_t slice = calendar->slice + ahead;
    return slice < calendar->slice_count && calendar->slices[slice].count > 0
               ? &calendar->slices[slice]
               : NULL;
}

/* Whether `time` belongs into the slice `ahead` of the present one. */
static inline int calendar_is_in(const struct calendar *calendar, double time, uint32_t ahead)
{
    double place = (time - calendar->begin) * calendar->slices_per_time - (double)calendar->slice;
    return place >= ahead && place < ahead + 1;
}

#endif
