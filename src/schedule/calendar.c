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

_Static_assert(sizeof(struct calendar_chunk) == 64, "a chunk is a line of the processor's cache");

enum {
    ITEMS_PER_SLICE = 3, /* items for which a cycle has a slice, */
    MIN_SLICES = 64      /* and at least these */
};

enum status calendar_create(struct calendar *calendar, size_t items,
                            const struct calendar_order *order, const void *user,
                            struct error *error)
{
    size_t slices = items / ITEMS_PER_SLICE + MIN_SLICES;
    size_t chunks = 2 * items / CALENDAR_CHUNK_ITEMS + MIN_SLICES;
    *calendar = (struct calendar){.slice_count = (uint32_t)slices,
                                  .slice_capacity = (uint32_t)slices,
                                  .chunk_most = (uint32_t)chunks - CALENDAR_PENDING,
                                  .order = *order,
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
    calendar->pushed_count = 0;
    calendar_sort(calendar);
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

int calendar_insert(struct calendar *calendar, uint32_t item, double time)
{
    if (calendar->near_end == CALENDAR_NEAR)
        return calendar_push_heap(calendar, item, time);
    const uint64_t bits = calendar_bits(time);
    uint32_t place = ++calendar->near_end;
    calendar->near_times[place] = CALENDAR_NEVER;
    for (place--; place > calendar->near_first && calendar->near_times[place - 1] > bits; place--) {
        calendar->near_times[place] = calendar->near_times[place - 1];
        calendar->near_items[place] = calendar->near_items[place - 1];
    }
    calendar->near_times[place] = bits;
    calendar->near_items[place] = item;
    calendar->taken++;
    return 1;
}

/* Without branches, for which comes first cannot be guessed. */
static inline int calendar_comes_before(const struct calendar_entry *left,
                                        const struct calendar_entry *right)
{
    return (left->time < right->time) | ((left->time == right->time) & (left->rank < right->rank));
}

static inline void sift_up(struct calendar_entry *heap, size_t place, struct calendar_entry entry)
{
    while (place > 0 && calendar_comes_before(&entry, &heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = entry;
}

/*
 * Puts an entry into a heap of `count` whose first place is free. The free place goes down to a
 * leaf first, by the earlier child, and the entry up from there: a number of steps that is always
 * the same can be guessed by a processor.
 */
static inline void calendar_sift_down(struct calendar_entry *heap, size_t count,
                                      struct calendar_entry entry)
{
    size_t place = 0;
    size_t child = 1;
    for (; child + 1 < count; child = 2 * place + 1) {
        child += (size_t)calendar_comes_before(&heap[child + 1], &heap[child]);
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
        entry.rank = calendar->order.rank(calendar->user, entry.item);
        calendar_sift_down(calendar->heap, calendar->heap_count, entry);
    }
}

/* Puts the first by rank of the earliest near entries, all of one time, in front of the others. */
static uint64_t rank_near(struct calendar *calendar)
{
    const uint32_t first = calendar->near_first;
    const uint64_t time = calendar->near_times[first];
    uint64_t least = UINT64_MAX;
    for (uint32_t k = first; k < calendar->near_end && calendar->near_times[k] == time; k++) {
        const uint32_t item = calendar->near_items[k];
        const uint64_t rank = calendar->order.rank(calendar->user, item);
        if (rank < least) {
            least = rank;
            calendar->near_items[k] = calendar->near_items[first];
            calendar->near_items[first] = item;
        }
    }
    return least;
}

/* Leaves out the first of two near entries of one time that are the same item, or of exactly two
 * that are the same event. */
static int join_two(struct calendar *calendar)
{
    const uint32_t first = calendar->near_first;
    const uint32_t *items = &calendar->near_items[first];
    const int are_one =
        items[0] == items[1] || (calendar->near_times[first] != calendar->near_times[first + 2] &&
                                 calendar->order.are_same(calendar->user, items[0], items[1]));
    calendar->near_first += (uint32_t)are_one;
    return are_one;
}

struct calendar_entry calendar_first_of_many(struct calendar *calendar)
{
    if (calendar->heap_count == 0 && join_two(calendar))
        return calendar_first(calendar);
    const uint64_t near_time = calendar->near_times[calendar->near_first];
    uint64_t heap_time = CALENDAR_NEVER;
    if (calendar->heap_count > 0) {
        heap_time = calendar_bits(calendar->heap[0].time);
        rank_heap(calendar, heap_time == near_time);
    }
    calendar->is_heap_first = heap_time < near_time;
    if (calendar->is_heap_first)
        return calendar->heap[0];
    const uint64_t rank = rank_near(calendar);
    calendar->is_heap_first = heap_time == near_time && calendar->heap[0].rank < rank;
    if (calendar->is_heap_first)
        return calendar->heap[0];
    struct calendar_entry entry = calendar_near_first(calendar);
    entry.rank = rank;
    return entry;
}

const struct calendar_chunk *calendar_next_slice(struct calendar *calendar)
{
    calendar_put_pending(calendar);
    while (calendar->slice + 1 < calendar->slice_count) {
        calendar->slice++;
        calendar->slice_end++;
        const struct calendar_chunk *chunk = calendar_peek(calendar, 0);
        if (chunk)
            return chunk;
    }
    return NULL;
}
