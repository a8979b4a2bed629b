/*
 * Events in their order; see tile_events.h.
 *
 * Times decide, and for events at one time the order of event_before. But one event can bring about
 * another at the same moment that would come before it: a disk that is hit passes the impulse on at
 * once to one that it touches, with lower numbers. So of the events at one time, again and again
 * the first is taken of those that can happen: whose particles have been through all their earlier
 * events, as their versions tell. The events of one tile are in that order already, so that only
 * the next one of each tile is to be looked at.
 *
 * Of a window that is told of late, the system has the end. Then the tiles have also kept what the
 * particles of each event were before it. They become that again, and the event brings them
 * forward. After the last event of each particle all is as it was.
 */
#include "tile_events.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    SLICE_ENTRIES = 4, /* events for which there is a slice of time, */
    MANY_ENTRIES = 32, /* in one, from which on it is sorted as a heap */
    FETCH_AHEAD = 12   /* events, for which memory is fetched */
};

static enum status reserve(struct tile_events *events, size_t count, uint32_t tiles,
                           struct error *error)
{
    const size_t capacity = count + count / 8 + 64;
    if (!events->runs)
        events->runs = memory_allocate(tiles, sizeof *events->runs, "the events of tiles", error);
    if (!events->runs)
        return STATUS_NO_MEMORY;
    if (events->slices && count <= events->capacity)
        return STATUS_DONE;
    memory_free(events->list);
    memory_free(events->slices);
    events->capacity = 0;
    events->slices = NULL;
    events->list = memory_allocate(capacity, sizeof *events->list, "the events of tiles", error);
    if (events->list)
        events->slices = memory_allocate(capacity / SLICE_ENTRIES + 2, sizeof *events->slices,
                                         "the events of tiles", error);
    if (!events->slices)
        return STATUS_NO_MEMORY;
    events->capacity = capacity;
    return STATUS_DONE;
}

void tile_events_free(struct tile_events *events)
{
    memory_free(events->list);
    memory_free(events->slices);
    memory_free(events->runs);
    memory_free(events->tied);
    memory_free(events->versions);
    *events = (struct tile_events){0};
}

static inline const struct tile_event *event_at(const struct tile_events *events,
                                                const struct tile_place *place)
{
    const struct tile_list *list = &events->tiling->tiles[place->tile].events[events->turn];
    return &((const struct tile_event *)list->entries)[place->number];
}

/* By time; at one time tile by tile, in each in the order in which they happened. */
static int is_earlier(const struct tile_events *events, const struct tile_place *left,
                      const struct tile_place *right)
{
    const double a = event_at(events, left)->time;
    const double b = event_at(events, right)->time;
    if (a != b)
        return a < b;
    return left->tile != right->tile ? left->tile < right->tile : left->number < right->number;
}

/* Moves an entry down in a heap of `count`, the last of all on top. */
static void sift_down(const struct tile_events *events, struct tile_place *heap, size_t count,
                      size_t place)
{
    const struct tile_place entry = heap[place];
    for (size_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
        if (child + 1 < count && is_earlier(events, &heap[child], &heap[child + 1]))
            child++;
        if (!is_earlier(events, &entry, &heap[child]))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = entry;
}

static void sort_many(const struct tile_events *events, struct tile_place *list, size_t count)
{
    for (size_t k = count / 2; k-- > 0;)
        sift_down(events, list, count, k);
    for (size_t end = count; end-- > 1;) {
        const struct tile_place last = list[0];
        list[0] = list[end];
        list[end] = last;
        sift_down(events, list, end, 0);
    }
}

static void sort_few(const struct tile_events *events, struct tile_place *list, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        const struct tile_place entry = list[k];
        size_t place = k;
        for (; place > 0 && is_earlier(events, &entry, &list[place - 1]); place--)
            list[place] = list[place - 1];
        list[place] = entry;
    }
}

/* How many of the first events of a tile nobody is told of. */
static uint32_t count_untold(const struct tile_events *events, const struct tile_list *list)
{
    const struct tile_event *entries = list->entries;
    uint32_t count = 0;
    while (count < list->count && entries[count].time <= events->tiling->told_from)
        count++;
    return count;
}

/* Counts the events in each slice of time, or puts them there, tile by tile. */
static void deal(struct tile_events *events, size_t slices, int are_counted)
{
    const struct tiling *tiling = events->tiling;
    const double begin = fmax(tiling->begin, tiling->told_from);
    const double per_time = (double)slices / (tiling->end - begin);
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *told = &tiling->tiles[k].events[events->turn];
        for (uint32_t m = count_untold(events, told); m < told->count; m++) {
            const struct tile_event *event = &((const struct tile_event *)told->entries)[m];
            const double place = (event->time - begin) * per_time;
            const size_t slice = (size_t)fmin(fmax(place, 0), (double)slices - 1);
            if (are_counted) /* a slice's place is then where the next one begins */
                events->list[events->slices[slice]++] = (struct tile_place){k, m};
            else
                events->slices[slice + 1]++;
        }
    }
}

/* Finds the versions that the particles of tied events have before these. */
static void find_versions(struct tile_events *events, const struct tile_place *tied, size_t count)
{
    uint32_t *versions = events->versions;
    for (int is_known = 0; is_known < 2; is_known++) {
        for (size_t k = 0; k < count; k++) {
            const struct tile_event *event = event_at(events, &tied[k]);
            if (!is_known || event->a_version - versions[event->a] > UINT32_MAX / 2)
                versions[event->a] = event->a_version;
            if (event_partner(event->b) == PARTNER_PARTICLE &&
                (!is_known || event->b_version - versions[event->b] > UINT32_MAX / 2))
                versions[event->b] = event->b_version;
        }
    }
}

/* True if the particles of an event have been through all their events before it. */
static int is_pending(const struct tile_events *events, const struct tile_event *event)
{
    return events->versions[event->a] == event->a_version &&
           (event_partner(event->b) == PARTNER_BOUNDARY ||
            events->versions[event->b] == event->b_version);
}

/* True if one event comes before another at the same time: as event_before, by ids. */
static int is_before(const struct tile_events *events, const struct tile_event *left,
                     const struct tile_event *right)
{
    const struct particle *particles = events->tiling->system->particles;
    const struct tile_event *const sides[2] = {left, right};
    struct event by_ids[2];
    for (int k = 0; k < 2; k++)
        by_ids[k] = (struct event){sides[k]->time, particles[sides[k]->a].id,
                                   event_partner(sides[k]->b) == PARTNER_PARTICLE
                                       ? particles[sides[k]->b].id
                                       : sides[k]->b};
    return event_before(&by_ids[0], &by_ids[1]);
}

/* Takes the next of tied events, the first by rank of those pending. Returns 0 if none is. */
static int take_first(struct tile_events *events, size_t runs, struct tile_place *taken)
{
    const struct tile_event *first = NULL;
    struct tile_run *first_run = NULL;
    for (struct tile_run *run = events->runs; run < events->runs + runs; run++) {
        const struct tile_event *event = run->next < run->end ? event_at(events, run->next) : NULL;
        if (event && is_pending(events, event) && (!first || is_before(events, event, first))) {
            first = event;
            first_run = run;
        }
    }
    if (!first)
        return 0;
    *taken = *first_run->next++;
    events->versions[first->a]++;
    if (event_partner(first->b) == PARTNER_PARTICLE)
        events->versions[first->b]++;
    return 1;
}

/* Makes room for ordering `count` tied events. */
static enum status reserve_tied(struct tile_events *events, size_t count, struct error *error)
{
    const char *what = "the events of tiles";
    if (!events->versions)
        events->versions =
            memory_allocate(events->tiling->system->count, sizeof *events->versions, what, error);
    if (count > events->tied_capacity) {
        struct tile_place *tied = memory_resize(events->tied, count, sizeof *tied, what, error);
        if (!tied)
            return STATUS_NO_MEMORY;
        events->tied = tied;
        events->tied_capacity = count;
    }
    return events->versions ? STATUS_DONE : STATUS_NO_MEMORY;
}

/* Puts `count` events of one time, tile by tile, into their order. */
static enum window_outcome order_tied(struct tile_events *events, struct tile_place *list,
                                      size_t count, struct error *error)
{
    size_t runs = 0;
    if (reserve_tied(events, count, error))
        return WINDOW_NO_MEMORY;
    memcpy(events->tied, list, count * sizeof *list);
    find_versions(events, events->tied, count);
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || list[k].tile != list[k - 1].tile)
            events->runs[runs++].next = &events->tied[k];
        events->runs[runs - 1].end = &events->tied[k + 1];
    }
    for (size_t k = 0; k < count; k++)
        if (!take_first(events, runs, &list[k]))
            return WINDOW_TIED;
    return WINDOW_DONE;
}

/* Puts all events of one time into their order. */
static enum window_outcome order_all_tied(struct tile_events *events, struct error *error)
{
    enum window_outcome outcome = WINDOW_DONE;
    for (size_t k = 0, tied = 1; k < events->count && !outcome; k += tied, tied = 1) {
        const double time = event_at(events, &events->list[k])->time;
        while (k + tied < events->count && event_at(events, &events->list[k + tied])->time == time)
            tied++;
        if (tied > 1)
            outcome = order_tied(events, events->list + k, tied, error);
    }
    return outcome;
}

enum window_outcome tile_events_gather(struct tile_events *events, const struct tiling *tiling,
                                       struct error *error)
{
    events->tiling = tiling;
    events->turn = tiling->old;
    events->count = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *list = &tiling->tiles[k].events[events->turn];
        events->count += list->count - count_untold(events, list);
    }
    const size_t slices = events->count / SLICE_ENTRIES + 1;
    if (reserve(events, events->count, tile_count(tiling), error))
        return WINDOW_NO_MEMORY;
    memset(events->slices, 0, (slices + 1) * sizeof *events->slices);
    deal(events, slices, 0);
    for (size_t k = 0; k < slices; k++)
        events->slices[k + 1] += events->slices[k];
    deal(events, slices, 1);
    for (size_t k = 0, begin = 0; k < slices; k++) {
        const size_t count = events->slices[k] - begin;
        if (count > MANY_ENTRIES)
            sort_many(events, events->list + begin, count);
        else
            sort_few(events, events->list + begin, count);
        begin = events->slices[k];
    }
    return order_all_tied(events, error);
}

/* Makes a particle what it was before an event, if it has been through that already. */
static void take_back(struct particle *particle, const struct particle *before)
{
    const uint32_t ahead = particle->version - before->version;
    if (ahead > 0 && ahead <= UINT32_MAX / 2)
        *particle = *before;
}

/* Makes the particles of an event, of a window told of late, what they were before. */
static void take_back_event(const struct tile_events *events, const struct tile_place *place)
{
    const struct system *system = events->tiling->system;
    const struct tile_event *event = event_at(events, place);
    const struct tile_list *befores = &events->tiling->tiles[place->tile].befores;
    const struct particle *before =
        (const struct particle *)befores->entries + 2 * (size_t)place->number;
    take_back(&system->particles[event->a], &before[0]);
    if (event_partner(event->b) == PARTNER_PARTICLE)
        take_back(&system->particles[event->b], &before[1]);
}

/* Asks for the memory of an event that will soon happen. */
static void fetch(const struct tile_events *events, size_t place)
{
    const struct system *system = events->tiling->system;
    if (place >= events->count)
        return;
    const struct tile_event *event = event_at(events, &events->list[place]);
    const int32_t b = event_partner(event->b) == PARTNER_PARTICLE ? event->b : event->a;
    COMPILER_PREFETCH(&system->particles[event->a]);
    COMPILER_PREFETCH(&system->particles[b]);
    COMPILER_PREFETCH(&system->counts[event->a]);
    COMPILER_PREFETCH(&system->counts[b]);
}

enum status tile_events_tell(const struct tile_events *events, struct schedule_sink *sink,
                             struct error *error)
{
    const int is_late = tiling_is_told_late(events->tiling);
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < events->count && !status; k++) {
        const struct tile_event *told = event_at(events, &events->list[k]);
        const struct event event = {told->time, told->a, told->b};
        fetch(events, k + FETCH_AHEAD);
        if (is_late)
            take_back_event(events, &events->list[k]);
        status = is_late ? sink->retell(sink, &event, error) : sink->happen(sink, &event, error);
    }
    return status;
}
