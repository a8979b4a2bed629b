/*
 * The array schedule: the assignment's algorithm.
 *
 * One array holds every potential collision: N of a particle with a wall (the earlier of its two)
 * and N(N-1)/2 of two particles. The first one is the next event. Then the 2N - 1 entries that
 * involve the particles which collided are predicted again and moved by insertion, and so on.
 *
 * It is fast because the array is sorted only where the order matters. It has three zones:
 *
 *     |  front: sorted  |  middle: in no order, none before the front  |  back: in no order  |
 *     0               front                                         middle                count
 *
 *   - The back holds collisions that do not matter yet: of particles that miss or leave each other,
 *     or meet only after `horizon`, the limit of the first advance. Disks that are far apart rarely
 *     aim at each other: of some hundred particles, all but a few pairs in a hundred are here. An
 *     advance beyond the horizon doubles it, and predicts the back anew: that is seldom.
 *   - The front holds the few collisions that come next. Only this zone is sorted, by insertion.
 *   - The middle holds collisions that are later than the whole front. When the front has been used
 *     up, the earliest FRONT_SIZE entries of the middle are selected (Hoare's FIND, 1961) and
 *     sorted: they are the new front. When insertions have made the front too long, its later half
 *     joins the middle: no entry moves, only the border does.
 *
 * A zone is left by swapping with the entry at its border, which then moves by one.
 *
 * The 2N - 1 entries to predict again are found without a scan: `slots` says, for every pair of
 * particles and every particle with its wall, where in the array its entry is. Most of them were in
 * the back and stay there: they cost a prediction and a read of `slots`.
 */
#include "schedules.h"

#include "base/memory.h"
#include "lanes.h"
#include "model/physics.h"

/* The length of a new front: 16 and 32 are the best; for 50 particles 128 is half as fast. Tests
   use less, so that the front overflows. */
#ifndef FRONT_SIZE
#define FRONT_SIZE 32
#endif

enum { PREDICTIONS_AT_ONCE = 100000 }; /* some hundred microseconds */

struct array {
    struct schedule base;
    double begin;     /* when the first advance began */
    double horizon;   /* collisions up to this time are in the front or the middle */
    size_t count;     /* N(N+1)/2 */
    size_t front;     /* entries[0 .. front) are the front */
    size_t middle;    /* entries[front .. middle) are the middle, the others the back */
    size_t predicted; /* number of particles that are paired with all particles of lower index */
    struct event *entries;      /* `count` potential collisions */
    uint32_t *slots;            /* where in `entries` a potential collision is: see pair_index */
    struct lanes_search search; /* how pairs are predicted several at a time, */
    double *times;              /* and when one particle meets each of all */
};

/* The number of a pair i < j, or with i = j of particle i and its wall. */
static inline size_t pair_index(size_t i, size_t j)
{
    return j * (j + 1) / 2 + i;
}

/* Stores `event` at `slot`, and its slot in the index. */
static inline void array_put(struct array *array, size_t slot, struct event event)
{
    size_t i = (size_t)event.a;
    size_t j = event_partner(event.b) == PARTNER_PARTICLE ? (size_t)event.b : i;
    array->entries[slot] = event;
    array->slots[pair_index(i, j)] = (uint32_t)slot;
}

static void swap(struct array *array, size_t left, size_t right)
{
    struct event event = array->entries[left];
    array_put(array, left, array->entries[right]);
    array_put(array, right, event);
}

/* Moves the entry at `slot` down to its position among the sorted ones before it. */
static void array_insert(struct array *array, size_t slot)
{
    const struct event event = array->entries[slot];
    for (; slot > 0 && event_before(&event, &array->entries[slot - 1]); slot--)
        array_put(array, slot, array->entries[slot - 1]);
    array_put(array, slot, event);
}

/* Takes the entry at `slot` out of the front: it becomes the first of the middle. */
static void leave_front(struct array *array, size_t slot)
{
    const struct event event = array->entries[slot];
    for (; slot + 1 < array->front; slot++)
        array_put(array, slot, array->entries[slot + 1]);
    array_put(array, slot, event);
    array->front--;
}

/* Takes the entry at `slot` in the middle into the front, and shortens a front grown too long. */
static void join_front(struct array *array, size_t slot)
{
    swap(array, slot, array->front);
    array_insert(array, array->front);
    array->front++;
    if (array->front > 2 * FRONT_SIZE)
        array->front = FRONT_SIZE;
}

/* Replaces the entry at `slot` by `event`, a new prediction of the same potential collision, and
 * moves it to the zone and the position where it now belongs. */
static void array_replace(struct array *array, size_t slot, struct event event)
{
    array->entries[slot] = event;
    if (slot < array->front) {
        leave_front(array, slot);
        slot = array->front;
    }
    if (event.time > array->horizon) {
        if (slot < array->middle)
            swap(array, slot, --array->middle);
        return;
    }
    if (slot >= array->middle) {
        swap(array, slot, array->middle);
        slot = array->middle++;
    }
    if (array->front > 0 && event_before(&event, &array->entries[array->front - 1]))
        join_front(array, slot);
}

/* Splits entries [low, high) into those before one of them, it, and others; returns its slot. */
static size_t partition(struct array *array, size_t low, size_t high)
{
    swap(array, low + (high - low) / 2, high - 1);
    const struct event pivot = array->entries[high - 1];
    size_t border = low;
    for (size_t slot = low; slot < high - 1; slot++)
        if (event_before(&array->entries[slot], &pivot))
            swap(array, slot, border++);
    swap(array, border, high - 1);
    return border;
}

/* Makes a new front of the earliest entries of the middle; the front was empty. */
static void renew_front(struct array *array)
{
    size_t wanted = array->middle < FRONT_SIZE ? array->middle : FRONT_SIZE;
    size_t low = 0;
    size_t high = array->middle;
    while (low < wanted && wanted < high) {
        size_t border = partition(array, low, high);
        if (border < wanted)
            low = border + 1;
        else
            high = border;
    }
    for (size_t slot = 0; slot < wanted; slot++)
        array_insert(array, slot);
    array->front = wanted;
}

/* Takes the collisions up to `limit`, and as long after it, from the back into the middle. What is
 * in the back is not kept up to date (update_entry). */
static void extend_horizon(struct array *array, double limit)
{
    const int is_first = array->horizon < array->begin;
    array->horizon = is_first ? limit : limit + (limit - array->begin);
    for (size_t slot = array->middle; slot < array->count; slot++) {
        struct event *entry = &array->entries[slot];
        const size_t i = (size_t)entry->a;
        if (!is_first)
            *entry =
                physics_event(array->base.system, i,
                              event_partner(entry->b) == PARTNER_PARTICLE ? (size_t)entry->b : i);
        if (entry->time <= array->horizon)
            swap(array, slot, array->middle++);
    }
}

/* Predicts the pairs of at least one more particle; all are in the back at first. */
static double array_predict(struct schedule *schedule)
{
    struct array *array = (struct array *)schedule;
    const size_t count = schedule->system->count;
    for (size_t left = PREDICTIONS_AT_ONCE; left > 0 && array->predicted < count;) {
        const size_t j = array->predicted++;
        for (size_t i = 0; i <= j; i++)
            array_put(array, pair_index(i, j), physics_event(schedule->system, i, j));
        left -= left < j + 1 ? left : j + 1;
    }
    return (double)pair_index(0, array->predicted) / (double)array->count;
}

static int array_next(struct schedule *schedule, double limit, struct event *event)
{
    struct array *array = (struct array *)schedule;
    while (array->predicted < schedule->system->count)
        array_predict(schedule);
    if (limit > array->horizon)
        extend_horizon(array, limit);
    if (array->front == 0)
        renew_front(array);
    if (array->front == 0)
        return 0;
    *event = array->entries[0];
    return event->time <= limit;
}

/* Takes a new prediction of a potential collision; most were in the back and stay there. */
static inline void update_entry(struct array *array, struct event event, size_t i, size_t j)
{
    size_t slot = array->slots[pair_index(i, j)];
    if (slot < array->middle || event.time <= array->horizon)
        array_replace(array, slot, event);
}

/* Takes the collision of particles i < j, at a time that is known. */
static inline void update_pair(struct array *array, size_t i, size_t j, double time)
{
    update_entry(array, (struct event){time, (int32_t)i, (int32_t)j}, i, j);
}

/* Predicts all potential collisions of a particle that has just collided: for a pair, their own one
 * twice, which does no harm. Several pairs are predicted at a time, but images, and all under
 * gravity or of disks that grow, one by one. */
static void update_particle(struct array *array, size_t particle)
{
    const struct system *system = array->base.system;
    if (system->boundary.periodic || system->boundary.gravity.acts || system->boundary.growth > 0)
        for (size_t other = 0; other < system->count; other++)
            array->times[other] = physics_first_contact(system, &system->particles[particle],
                                                        &system->particles[other])
                                      .time;
    else
        array->search.lanes->times(&array->search, (uint32_t)particle, array->times);
    for (size_t other = 0; other < particle; other++)
        update_pair(array, other, particle, array->times[other]);
    update_entry(array, physics_boundary_event(system, particle), particle, particle);
    for (size_t other = particle + 1; other < system->count; other++)
        update_pair(array, particle, other, array->times[other]);
}

static void array_update(struct schedule *schedule, const struct event *event)
{
    struct array *array = (struct array *)schedule;
    update_particle(array, (size_t)event->a);
    if (event_partner(event->b) == PARTNER_PARTICLE)
        update_particle(array, (size_t)event->b);
}

static void array_free(struct schedule *schedule)
{
    struct array *array = (struct array *)schedule;
    memory_free(array->entries);
    memory_free(array->slots);
    memory_free(array->times);
    memory_free(array);
}

enum status array_create(struct system *system, struct schedule **schedule, struct error *error)
{
    static const struct schedule_operations operations = {
        .predict = array_predict, .next = array_next, .update = array_update, .free = array_free};
    struct array *array = memory_allocate(1, sizeof *array, "a schedule", error);
    if (!array)
        return STATUS_NO_MEMORY;
    *array = (struct array){
        .base = {.operations = &operations, .system = system},
        .begin = system_last_time(system),
        .horizon = -(double)INFINITY,
        .count = system->count * (system->count + 1) / 2,
        .search = lanes_choose(system, LANES_MAX),
    };
    array->entries =
        memory_allocate(array->count, sizeof *array->entries, "the potential collisions", error);
    array->slots = memory_allocate(array->count, sizeof *array->slots,
                                   "the index of potential collisions", error);
    array->times =
        memory_allocate(system->count, sizeof *array->times, "the times of collisions", error);
    if (!array->entries || !array->slots || !array->times) {
        array_free(&array->base);
        return STATUS_NO_MEMORY;
    }
    *schedule = &array->base;
    return STATUS_DONE;
}
