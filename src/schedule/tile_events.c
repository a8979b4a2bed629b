/*
 * Events in their order; see tile_events.h.
 *
 * Times decide, and for events at one time the order of event_before. But one event can bring about
 * another at the same moment that would come before it: a disk that is hit passes the impulse on at
 * once to one that it touches, with lower numbers. So of the events at one time, again and again
 * the first is taken of those that can happen: whose particles have been through all their earlier
 * events, as their versions tell. The events of one tile are in that order already, so that only
 * the next one of each tile is to be looked at.
 */
#include "tile_events.h"

#include "base/compiler.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
    SLICE_ENTRIES = 4, /* events for which there is a slice of time, */
    MANY_ENTRIES = 32, /* and from how many on one is sorted by the library */
    FETCH_AHEAD = 12   /* events, for which memory is fetched */
};

static enum status reserve(struct tile_events *events, size_t count, uint32_t tiles,
                           struct error *error)
{
    const size_t capacity = count + count / 4 + 64;
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
    *events = (struct tile_events){0};
}

/* By time; at one time tile by tile, in each in the order in which they happened. */
static int compare(const void *left, const void *right)
{
    const struct tile_event *a = left;
    const struct tile_event *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->tile != b->tile)
        return a->tile < b->tile ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Sorts the events of a slice, in which they stand tile by tile. */
static void sort_slice(struct tile_event *list, size_t count)
{
    if (count > MANY_ENTRIES) {
        qsort(list, count, sizeof *list, compare);
        return;
    }
    for (size_t k = 1; k < count; k++) {
        const struct tile_event event = list[k];
        size_t place = k;
        for (; place > 0 && event.time < list[place - 1].time; place--)
            list[place] = list[place - 1];
        list[place] = event;
    }
}

/* The slice of a time in the window. */
static inline size_t find_slice(const struct tiling *tiling, double time, double per_time,
                                size_t last)
{
    const double place = (time - tiling->begin) * per_time;
    return place > 0 ? place < (double)last ? (size_t)place : last : 0;
}

/* Puts the events of all tiles into slices of time, tile by tile. */
static void put_into_slices(struct tile_events *events, const struct tiling *tiling, size_t slices)
{
    const double per_time = (double)slices / (tiling->end - tiling->begin);
    for (size_t k = 0; k <= slices; k++)
        events->slices[k] = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *told = &tiling->tiles[k].events;
        for (size_t m = 0; m < told->count; m++) {
            const struct tile_event *event = &((const struct tile_event *)told->entries)[m];
            events->slices[find_slice(tiling, event->time, per_time, slices - 1) + 1]++;
        }
    }
    for (size_t k = 0; k < slices; k++)
        events->slices[k + 1] += events->slices[k];
    for (uint32_t k = 0; k < tile_count(tiling); k++) {
        const struct tile_list *told = &tiling->tiles[k].events;
        for (size_t m = 0; m < told->count; m++) {
            const struct tile_event *event = &((const struct tile_event *)told->entries)[m];
            const size_t slice = find_slice(tiling, event->time, per_time, slices - 1);
            events->list[events->slices[slice]++] = *event; /* now it is where the next begins */
        }
    }
}

enum status tile_events_gather(struct tile_events *events, const struct tiling *tiling,
                               struct error *error)
{
    events->count = 0;
    for (uint32_t k = 0; k < tile_count(tiling); k++)
        events->count += tiling->tiles[k].events.count;
    const size_t slices = events->count / SLICE_ENTRIES + 1;
    enum status status = reserve(events, events->count, tile_count(tiling), error);
    if (status)
        return status;
    put_into_slices(events, tiling, slices);
    for (size_t k = 0, begin = 0; k < slices; k++) {
        sort_slice(events->list + begin, events->slices[k] - begin);
        begin = events->slices[k];
    }
    return STATUS_DONE;
}

/* Lets one event happen. */
static enum status tell(const struct tile_event *told, struct schedule_sink *sink,
                        struct error *error)
{
    const struct event event = {told->time, told->a, told->b};
    return sink->happen(sink, &event, error);
}

/* Whether the particles of an event have been through all that happened to them before it. */
static int can_happen(const struct system *system, const struct tile_event *event)
{
    return system->particles[event->a].version == event->a_version &&
           (event_partner(event->b) == PARTNER_BOUNDARY ||
            system->particles[event->b].version == event->b_version);
}

/* Whether one event comes before another at the same time: as event_before, by ids. */
static int is_before(const struct system *system, const struct tile_event *left,
                     const struct tile_event *right)
{
    const struct tile_event *const sides[2] = {left, right};
    struct event events[2];
    for (int k = 0; k < 2; k++)
        events[k] = (struct event){sides[k]->time, system->particles[sides[k]->a].id,
                                   event_partner(sides[k]->b) == PARTNER_PARTICLE
                                       ? system->particles[sides[k]->b].id
                                       : sides[k]->b};
    return event_before(&events[0], &events[1]);
}

/* Lets `count` events at one time happen, from place `begin` of the list on. */
static enum status tell_tied(struct tile_events *events, size_t begin, size_t count,
                             const struct system *system, struct schedule_sink *sink,
                             struct error *error)
{
    const struct tile_event *list = events->list;
    enum status status = STATUS_DONE;
    size_t runs = 0;
    for (size_t k = begin; k < begin + count; k++) {
        if (k == begin || list[k].tile != list[k - 1].tile)
            events->runs[runs++] = (struct tile_run){k, k};
        events->runs[runs - 1].end = k + 1;
    }
    for (size_t done = 0; done < count && !status; done++) {
        struct tile_run *first = NULL;
        for (struct tile_run *run = events->runs; run < events->runs + runs; run++)
            if (run->next < run->end && can_happen(system, &list[run->next]) &&
                (!first || is_before(system, &list[run->next], &list[first->next])))
                first = run;
        status = tell(&list[first->next++], sink, error);
    }
    return status;
}

enum status tile_events_tell(struct tile_events *events, const struct system *system,
                             struct schedule_sink *sink, struct error *error)
{
    const struct tile_event *list = events->list;
    enum status status = STATUS_DONE;
    for (size_t k = 0, tied = 1; k < events->count && !status; k += tied, tied = 1) {
        if (k + FETCH_AHEAD < events->count) {
            const struct tile_event *ahead = &list[k + FETCH_AHEAD];
            const int32_t b = event_partner(ahead->b) == PARTNER_PARTICLE ? ahead->b : ahead->a;
            COMPILER_PREFETCH(&system->particles[ahead->a]);
            COMPILER_PREFETCH(&system->particles[b]);
            COMPILER_PREFETCH(&system->counts[ahead->a]);
            COMPILER_PREFETCH(&system->counts[b]);
        }
        while (k + tied < events->count && list[k + tied].time == list[k].time)
            tied++;
        status = tied == 1 ? tell(&list[k], sink, error)
                           : tell_tied(events, k, tied, system, sink, error);
    }
    return status;
}
