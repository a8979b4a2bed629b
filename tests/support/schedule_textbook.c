/*
 * The textbook schedule: after every collision, scan all N(N+1)/2 entries for those that involve
 * the particles which collided, predict these again, and insertion-sort the whole array.
 */
#include "schedule_textbook.h"

#include "base/memory.h"
#include "model/physics.h"

#include <stdlib.h>

struct textbook {
    struct schedule base;
    const struct system *system;
    double end_time;
    size_t count;
    struct event *entries;
};

/* Collisions that never happen need no order among themselves; all others have the usual one. */
static inline int sorts_before(const struct event *left, const struct event *right)
{
    return left->time < right->time || (left->time == right->time &&
                                        left->time < (double)INFINITY && event_before(left, right));
}

static void sort(struct textbook *textbook)
{
    struct event *entries = textbook->entries;
    for (size_t k = 1; k < textbook->count; k++) {
        struct event event = entries[k];
        size_t slot = k;
        for (; slot > 0 && sorts_before(&event, &entries[slot - 1]); slot--)
            entries[slot] = entries[slot - 1];
        entries[slot] = event;
    }
}

static int compare(const void *left, const void *right)
{
    return event_before(left, right) ? -1 : event_before(right, left);
}

static struct event predict(const struct system *system, size_t i, size_t j)
{
    if (i == j)
        return physics_boundary_event(system, i);
    const struct particle *p = &system->particles[i];
    const struct particle *q = &system->particles[j];
    double time = physics_pair_time(p, q, system_contact(system, p, q));
    return (struct event){time, (int32_t)i, (int32_t)j};
}

static int textbook_next(struct schedule *schedule, struct event *event)
{
    struct textbook *textbook = (struct textbook *)schedule;
    *event = textbook->entries[0];
    return event->time <= textbook->end_time;
}

static void textbook_update(struct schedule *schedule, const struct event *event)
{
    struct textbook *textbook = (struct textbook *)schedule;
    for (size_t k = 0; k < textbook->count; k++) {
        struct event *entry = &textbook->entries[k];
        int32_t b = entry->b < 0 ? entry->a : entry->b;
        if (entry->a == event->a || b == event->a ||
            (event->b >= 0 && (entry->a == event->b || b == event->b)))
            *entry = predict(textbook->system, (size_t)entry->a, (size_t)b);
    }
    sort(textbook);
}

static void textbook_free(struct schedule *schedule)
{
    struct textbook *textbook = (struct textbook *)schedule;
    memory_free(textbook->entries);
    memory_free(textbook);
}

struct schedule *schedule_textbook_create(const struct system *system, double end_time)
{
    static const struct schedule_operations operations = {
        .next = textbook_next, .update = textbook_update, .free = textbook_free};
    struct error error;
    struct textbook *textbook = memory_allocate(1, sizeof *textbook, "a schedule", &error);
    if (!textbook)
        exit(EXIT_FAILURE);
    textbook->base.operations = &operations;
    textbook->system = system;
    textbook->end_time = end_time;
    textbook->count = system->count * (system->count + 1) / 2;
    textbook->entries =
        memory_allocate(textbook->count, sizeof *textbook->entries, "collisions", &error);
    if (!textbook->entries)
        exit(EXIT_FAILURE);
    size_t k = 0;
    for (size_t i = 0; i < system->count; i++)
        for (size_t j = i; j < system->count; j++)
            textbook->entries[k++] = predict(system, i, j);
    qsort(textbook->entries, textbook->count, sizeof *textbook->entries, compare);
    return &textbook->base;
}
