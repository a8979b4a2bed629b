/*
 * The event calendar; see calendar.h.
 *
 * Three measures make it quick. A slice is sorted once, when it begins, without branches: if each
 * step searched for the earliest of its entries, a run of 10^4 disks would take 7 % longer, and
 * with a heap 14 %. Most entries of one time are two of one event: one of them is left out. And an
 * item is kept pending until the present slice is over: until its time is known, and the memory of
 * its slice has been fetched, a processor goes on with the next event.
 */
#include "calendar.h"

#include "base/memory.h"
#include "base/simd.h"

_Static_assert(sizeof(struct calendar_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* items for which a cycle has a slice, */
    MIN_SLICES = 64,     /* and at least these */
    SORTED_AT_ONCE = 8   /* near entries */
};

#define CALENDAR_LATEST 0x1p1023 /* as a key CALENDAR_NEVER */

enum status calendar_create(struct calendar *calendar, size_t items, calendar_rank *rank,
                            const void *user, struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + MIN_SLICES;
    size_t chunks = 2 * items / CALENDAR_CHUNK_ITEMS + MIN_SLICES;
    *calendar = (struct calendar){.slice_count = (uint32_t)slices,
                                  .slice_capacity = (uint32_t)slices,
                                  .chunk_most = (uint32_t)chunks - CALENDAR_PENDING,
                                  .rank = rank,
                                  .user = user};
    /* The heap needs this much only if all come at once; memory beyond that is never touched. */
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
    calendar_begin_cycle(calendar, 0, 1);
    return STATUS_DONE;
}

void calendar_free(struct calendar *calendar)
{
    memory_free(calendar->slices);
    memory_free(calendar->chunks);
    memory_free(calendar->heap);
    *calendar = (struct calendar){0};
}

void calendar_begin_cycle(struct calendar *calendar, double begin, double slice_length)
{
    calendar->begin = begin;
    calendar->slice_length = slice_length;
    calendar->slices_per_time = 1 / slice_length;
    calendar->slice = 0;
    calendar->slice_end = 1;
    calendar->cycle_end = calendar->slice_count;
    calendar->chunk_count = 0;
    calendar->pending_count = 0;
    calendar->taken = 0;
    calendar->heap_count = 0;
    calendar->near_count = 0;
    calendar->near_first = 0;
    calendar->near_keys[0] = CALENDAR_NEVER;
    for (uint32_t k = 0; k <= calendar->slice_count; k++) {
        calendar->slices[k].count = 0;
        calendar->slices[k].next = 0;
    }
}

/* Puts an item into a slice whose first chunk is full: its items move to a further chunk. */
COMPILER_APART static void put_into_full(struct calendar *calendar, uint32_t item,
                                         struct calendar_chunk *first)
{
    calendar->chunks[calendar->chunk_count++] = *first;
    first->count = 1;
    first->next = calendar->chunk_count;
    first->items[0] = item;
}

/* Puts an item into its slice, unless it is later than the cycle. */
static inline void calendar_put(struct calendar *calendar, uint32_t item, uint32_t slice)
{
    struct calendar_chunk *first = &calendar->slices[slice];
    if (first->count == CALENDAR_CHUNK_ITEMS) {
        put_into_full(calendar, item, first);
        return;
    }
    first->items[first->count] = item;
    first->count += slice < calendar->slice_count;
}

void calendar_put_pending(struct calendar *calendar)
{
    for (uint32_t k = 0; k < calendar->pending_count; k++)
        calendar_put(calendar, calendar->pending[k].item, calendar->pending[k].slice);
    calendar->pending_count = 0;
}

/* Puts the near entry at `slot` of those that came into their order. */
static void insert_near(struct calendar *calendar, uint32_t slot)
{
    uint64_t key;
    uint64_t *next = &calendar->near_keys[calendar->near_first];
    COMPILER_COPY(&key, &calendar->near_times[slot], sizeof key);
    for (key = key - key % CALENDAR_NEAR + slot; key != CALENDAR_NEVER; next++) {
        const uint64_t later = key < *next ? *next : key;
        *next = key < *next ? key : *next;
        key = later;
    }
    *next = CALENDAR_NEVER;
    calendar->taken++;
}

int calendar_insert(struct calendar *calendar, uint32_t item, double time)
{
    const uint32_t slot = calendar->near_count;
    if (slot == CALENDAR_NEAR)
        return calendar_push_heap(calendar, item, time);
    calendar->near_count = calendar_push(calendar, slot, item, time, 1);
    insert_near(calendar, slot);
    return 1;
}

static inline void put_in_order(simd *one, simd *other)
{
    const simd earlier = simd_smaller(*one, *other);
    *other = simd_larger(*one, *other);
    *one = earlier;
}

/* Sorts 4 keys that rise once and fall once, seen as a ring. */
static inline void merge_keys(simd a, simd b, uint64_t *keys)
{
    put_in_order(&a, &b);
    simd even = {a[0], b[0]};
    simd odd = {a[1], b[1]};
    put_in_order(&even, &odd);
    simd_store((double *)keys, (simd){even[0], odd[0]});
    simd_store((double *)keys + 2, (simd){even[1], odd[1]});
}

/* The keys of the first are sorted as numbers, without branches, for which of two is earlier cannot
 * be guessed: those of each lane, and then both are merged (K. E. Batcher, Sorting networks and
 * their applications, 1968). */
void calendar_sort(struct calendar *calendar)
{
    static const uint64_t lowest_bits[] = {CALENDAR_NEAR - 1, CALENDAR_NEAR - 1};
    static const uint64_t slots[4][2] = {{0, 4}, {1, 5}, {2, 6}, {3, 7}};
    const double *times = calendar->near_times;
    const uint32_t count = calendar->near_count;
    simd keys[4];
    if (count < SORTED_AT_ONCE)
        calendar->near_times[count] = CALENDAR_LATEST;
    for (int k = 0; k < 4; k++) /* not by twos: these would have to reach the cache first */
        keys[k] = simd_either(simd_except((simd_mask)simd_load((const double *)lowest_bits),
                                          (simd){times[k], times[k + 4]}),
                              simd_load((const double *)slots[k]));
    for (int k = 1; k < 4; k++)
        for (int m = k; m > 0; m--)
            put_in_order(&keys[m - 1], &keys[m]);
    simd early[] = {{keys[0][0], keys[1][0]}, {keys[2][0], keys[3][0]}};
    simd late[] = {{keys[3][1], keys[2][1]}, {keys[1][1], keys[0][1]}};
    put_in_order(&early[0], &late[0]);
    put_in_order(&early[1], &late[1]);
    merge_keys(early[0], early[1], calendar->near_keys);
    merge_keys(late[0], late[1], calendar->near_keys + SORTED_AT_ONCE / 2);
    calendar->near_first = 0;
    const uint32_t sorted = count < SORTED_AT_ONCE ? count : SORTED_AT_ONCE;
    calendar->near_keys[sorted] = CALENDAR_NEVER;
    calendar->taken += sorted;
    for (uint32_t k = SORTED_AT_ONCE; k < count; k++)
        insert_near(calendar, k);
}

/* Without branches, for which comes first cannot be guessed. */
static inline int calendar_comes_before(const struct calendar_entry *left,
                                        const struct calendar_entry *right)
{
    return (left->time < right->time) | ((left->time == right->time) & (left->rank < right->rank));
}

static inline void sift_up(struct calendar_entry *heap, size_t slot, struct calendar_entry entry)
{
    while (slot > 0 && calendar_comes_before(&entry, &heap[(slot - 1) / 2])) {
        heap[slot] = heap[(slot - 1) / 2];
        slot = (slot - 1) / 2;
    }
    heap[slot] = entry;
}

/*
 * Puts an entry into a heap of `count` whose first slot is free. The free slot goes down to a
 * leaf first, by the earlier child, and the entry up from there: a number of steps that is always
 * the same can be guessed by a processor.
 */
static inline void calendar_sift_down(struct calendar_entry *heap, size_t count,
                                      struct calendar_entry entry)
{
    size_t slot = 0;
    size_t child = 1;
    for (; child + 1 < count; child = 2 * slot + 1) {
        child += (size_t)calendar_comes_before(&heap[child + 1], &heap[child]);
        heap[slot] = heap[child];
        slot = child;
    }
    if (child < count) {
        heap[slot] = heap[child];
        slot = child;
    }
    sift_up(heap, slot, entry);
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
    calendar_sift_down(calendar->heap, calendar->heap_count, calendar->heap[calendar->heap_count]);
}

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
        entry.rank = calendar->rank(calendar->user, entry.item, entry.time);
        calendar_sift_down(calendar->heap, calendar->heap_count, entry);
    }
}

/* Puts the first, by time and rank, of the near entries whose keys are tied in front of the others.
 * Of two alone that are one event, which is the next of all, one is left. Returns the rank. */
static uint64_t rank_near(struct calendar *calendar)
{
    uint64_t *first = &calendar->near_keys[calendar->near_first];
    uint64_t *next = first;
    double time = (double)INFINITY;
    uint64_t least = 0;
    int are_one = 0;
    for (; (*next ^ *first) < CALENDAR_NEAR; next++) {
        const uint64_t key = *next;
        const uint64_t slot = key % CALENDAR_NEAR;
        const double other = calendar->near_times[slot];
        const uint64_t rank = calendar->rank(calendar->user, calendar->near_items[slot], other);
        are_one = other == time && rank == least;
        if (other < time || (other == time && rank < least)) {
            time = other;
            least = rank;
            *next = *first;
            *first = key;
        }
    }
    if (are_one && next == first + 2 && calendar->heap_count == 0) {
        first[1] = first[0];
        calendar->near_first++;
    }
    return least;
}

struct calendar_entry calendar_first_of_many(struct calendar *calendar)
{
    struct calendar_entry near = {.time = (double)INFINITY};
    if (calendar->near_keys[calendar->near_first] != CALENDAR_NEVER) {
        const uint64_t rank = rank_near(calendar);
        near = calendar_near_first(calendar);
        near.rank = rank;
    }
    if (calendar->heap_count > 0) {
        rank_heap(calendar, calendar->heap[0].time == near.time);
        calendar->is_heap_first = calendar_comes_before(&calendar->heap[0], &near);
    }
    near.rank = 0; /* it is as it is now */
    return calendar->is_heap_first ? calendar->heap[0] : near;
}

const struct calendar_chunk *calendar_next_slice(struct calendar *calendar)
{
    calendar_put_pending(calendar);
    calendar->near_count = 0;
    for (int k = 0; k < SORTED_AT_ONCE; k++) /* those that will not be pushed are the last */
        calendar->near_times[k] = CALENDAR_LATEST;
    while (calendar->slice + 1 < calendar->slice_count) {
        calendar->slice++;
        calendar->slice_end++;
        const struct calendar_chunk *chunk = calendar_peek(calendar, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
