/*
 * The textbook schedule: the assignment's algorithm, to be read beside its text ("Specifications").
 *
 * One array holds all N(N+1)/2 potential collisions: of each particle with the wall that it would
 * reach first, and of each pair of particles. Then:
 *
 *   1. Predict the time of every potential collision; INFINITY if it is not possible.
 *   2. Sort the array by time, by insertion.
 *   3. The first entry is the next collision: the loop (schedule.c) has it resolved.
 *   4. Scan the array, and predict again all entries that involve the particles that collided.
 *   5. Sort again, and go on with 3.
 *
 * Insertion suits step 5, for most entries are in order already. Each collision takes time
 * proportional to N^2 all the same. The array schedule (array.c) does the same and is 6 times as
 * fast for 50 particles, 33 times for 200; the cells schedule (cells.c) does not depend on N at
 * all. All give the same answer, to the last bit: a time depends on nothing but the two particles'
 * anchors, and at one time the order is as in event_before.
 */
#include "schedules.h"

#include "base/memory.h"
#include "model/physics.h"

enum { INSERTIONS_AT_ONCE = 1000 }; /* of the first sort, between two checks for a signal */

struct textbook {
    struct schedule base;
    size_t count;          /* N(N+1)/2 */
    size_t sorted;         /* entries[0 .. sorted) are in order: all of them after the first sort */
    struct event *entries; /* `count` potential collisions; owned */
};

/* Insertion: moves the entry at `slot` down to its position among those before it, which are
 * sorted. */
static void textbook_insert(struct event *entries, size_t slot)
{
    const struct event event = entries[slot];
    for (; slot > 0 && event_before(&event, &entries[slot - 1]); slot--)
        entries[slot] = entries[slot - 1];
    entries[slot] = event;
}

/* Does some of the first sort, which can take long. Returns the share that is done. */
static double textbook_predict(struct schedule *schedule)
{
    struct textbook *textbook = (struct textbook *)schedule;
    for (int k = 0; k < INSERTIONS_AT_ONCE && textbook->sorted < textbook->count; k++)
        textbook_insert(textbook->entries, textbook->sorted++);
    return (double)textbook->sorted / (double)textbook->count;
}

static int textbook_next(struct schedule *schedule, double limit, struct event *event)
{
    struct textbook *textbook = (struct textbook *)schedule;
    while (textbook->sorted < textbook->count)
        textbook_predict(schedule);
    *event = textbook->entries[0];
    return event->time <= limit;
}

/* True if a potential collision involves one of the particles that have just collided. */
static int involves(const struct event *entry, const struct event *resolved)
{
    const int is_pair = event_partner(resolved->b) == PARTNER_PARTICLE;
    return entry->a == resolved->a || entry->b == resolved->a ||
           (is_pair && (entry->a == resolved->b || entry->b == resolved->b));
}

static void textbook_update(struct schedule *schedule, const struct event *event)
{
    struct textbook *textbook = (struct textbook *)schedule;
    struct event *entries = textbook->entries;
    for (size_t k = 0; k < textbook->count; k++) {
        if (involves(&entries[k], event)) {
            size_t i = (size_t)entries[k].a;
            size_t j = event_partner(entries[k].b) == PARTNER_PARTICLE ? (size_t)entries[k].b : i;
            entries[k] = physics_event(schedule->system, i, j);
        }
    }
    for (size_t slot = 1; slot < textbook->count; slot++)
        textbook_insert(entries, slot);
}

static void textbook_free(struct schedule *schedule)
{
    memory_free(((struct textbook *)schedule)->entries);
    memory_free(schedule);
}

enum status textbook_create(struct system *system, struct schedule **schedule, struct error *error)
{
    static const struct schedule_operations operations = {.predict = textbook_predict,
                                                          .next = textbook_next,
                                                          .update = textbook_update,
                                                          .free = textbook_free};
    struct textbook *textbook = memory_allocate(1, sizeof *textbook, "a schedule", error);
    if (!textbook)
        return STATUS_NO_MEMORY;
    *textbook = (struct textbook){.base = {.operations = &operations, .system = system},
                                  .count = system->count * (system->count + 1) / 2};
    textbook->entries = memory_allocate(textbook->count, sizeof *textbook->entries,
                                        "the potential collisions", error);
    if (!textbook->entries) {
        textbook_free(&textbook->base);
        return STATUS_NO_MEMORY;
    }
    size_t k = 0;
    for (size_t i = 0; i < system->count; i++)
        for (size_t j = i; j < system->count; j++)
            textbook->entries[k++] = physics_event(system, i, j);
    *schedule = &textbook->base;
    return STATUS_DONE;
}
