/*
 * Tells observers what happens; see observer.h.
 */
#include "run/observer.h"

#include "base/memory.h"

#include <math.h>

static void find_next_look(struct observers *observers)
{
    observers->next_look = (double)INFINITY;
    for (size_t k = 0; k < observers->count; k++)
        observers->next_look = fmin(observers->next_look, observers->list[k]->next_look);
}

static void find_told_from(struct observers *observers)
{
    observers->told_from = (double)INFINITY;
    for (size_t k = 0; k < observers->count; k++) {
        const struct observer *observer = observers->list[k];
        if (observer->operations->collide || observer->operations->renew)
            observers->told_from = fmin(observers->told_from, observer->told_from);
    }
}

void observers_add(struct observers *observers, struct observer *observer)
{
    observer->all = observers;
    observers->list[observers->count++] = observer;
    observers->watches_pairs |=
        observer->operations->collide && !observer->operations->is_of_boundary;
    observers->rests |= observer->operations->rest != NULL;
    find_next_look(observers);
    find_told_from(observers);
}

/*
 * The particles as they are now, in whatever order; at `time`. Between two calls from outside their
 * order may have changed: these begin with forget_order. To find it anew takes a look at each
 * particle, which for a million is long.
 */
static struct snapshot look_at(struct observers *observers, const struct system *system,
                               double time)
{
    return (struct snapshot){time, system, &observers->order};
}

static void forget_order(struct observers *observers)
{
    observers->order.is_current = 0;
}

enum status observers_begin(struct observers *observers, const struct system *system,
                            struct error *error)
{
    enum status status = STATUS_DONE;
    find_next_look(observers);
    if (observers->count == 0)
        return STATUS_DONE;
    memory_free(observers->order.indices); /* of an earlier run with them */
    observers->order.indices = memory_allocate(system->count, sizeof *observers->order.indices,
                                               "the order of the particles", error);
    if (!observers->order.indices)
        return STATUS_NO_MEMORY;
    const struct snapshot snapshot = snapshot_in_order(system, system_last_time(system));
    for (size_t k = 0; k < observers->count && !status; k++) {
        struct observer *observer = observers->list[k];
        if (observer->operations->begin && !observer->has_begun)
            status = observer->operations->begin(observer, &snapshot, error);
        observer->has_begun = 1;
    }
    find_next_look(observers);
    find_told_from(observers);
    return status;
}

enum status observers_collide(struct observers *observers, const struct collision *collision,
                              struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->collide)
            status = observers->list[k]->operations->collide(observers->list[k], collision, error);
    return status;
}

enum status observers_renew(struct observers *observers, const struct collision *passage,
                            struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->renew)
            status = observers->list[k]->operations->renew(observers->list[k], passage, error);
    return status;
}

void observers_count(struct observers *observers, uint64_t events, double time)
{
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->count)
            observers->list[k]->operations->count(observers->list[k], events, time);
}

/* A signal ends the run, at `time`. */
static enum status interrupt(struct observers *observers, const struct system *system, double time,
                             struct error *error)
{
    const struct snapshot snapshot = look_at(observers, system, time);
    enum status status = error_set(error, STATUS_INTERRUPTED, "interrupted at time %g", time);
    for (size_t k = 0; k < observers->count && status == STATUS_INTERRUPTED; k++)
        if (observers->list[k]->operations->interrupt)
            status =
                observers->list[k]->operations->interrupt(observers->list[k], &snapshot, error);
    return status;
}

enum status observers_wait(struct observers *observers, const struct system *system, double time,
                           double part, struct error *error)
{
    forget_order(observers);
    if (observers->interrupt && *observers->interrupt)
        return interrupt(observers, system, time, error);
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->wait)
            observers->list[k]->operations->wait(observers->list[k], part);
    return STATUS_DONE;
}

/* All that happened before `time` has been told, and nothing later. */
static enum status rest(struct observers *observers, const struct system *system, double time,
                        struct error *error)
{
    enum status status = STATUS_DONE;
    if (observers->interrupt && *observers->interrupt)
        return interrupt(observers, system, time, error);
    const struct snapshot snapshot = look_at(observers, system, time);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->rest)
            status = observers->list[k]->operations->rest(observers->list[k], &snapshot, error);
    return status;
}

enum status observers_look(struct observers *observers, const struct system *system, double time,
                           struct error *error)
{
    forget_order(observers);
    enum status status = rest(observers, system, fmin(time, observers->next_look), error);
    while (!status && observers->next_look < time) {
        const struct snapshot snapshot = look_at(observers, system, observers->next_look);
        for (size_t k = 0; k < observers->count && !status; k++)
            if (observers->list[k]->next_look == snapshot.time)
                status = observers->list[k]->operations->look(observers->list[k], &snapshot, error);
        find_next_look(observers);
        if (!status)
            status = rest(observers, system, fmin(time, observers->next_look), error);
    }
    return status;
}

enum status observers_finish(struct observers *observers, const struct system *system,
                             double end_time, struct error *error)
{
    /* The times up to and including the end. */
    enum status status =
        observers_look(observers, system, nextafter(end_time, (double)INFINITY), error);
    const struct snapshot snapshot = look_at(observers, system, end_time);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->finish)
            status = observers->list[k]->operations->finish(observers->list[k], &snapshot, error);
    return status;
}

void observers_free(struct observers *observers)
{
    for (size_t k = 0; k < observers->count; k++)
        observers->list[k]->operations->free(observers->list[k]);
    memory_free(observers->order.indices);
    *observers = (struct observers){0};
}
