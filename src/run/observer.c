/* Notifies observers, and shows them the particles; see observer.h, snapshot.h. */
#include "run/observer.h"

#include "model/physics.h"

#include <float.h>
#include <math.h>

void observers_find_times(struct observers *observers)
{
    observers->next_sample = observers->notify_from = (double)INFINITY;
    for (size_t k = 0; k < observers->count; k++) {
        const struct observer *observer = observers->list[k];
        observers->next_sample = fmin(observers->next_sample, observer->next_sample);
        if (observer->operations->watches >= WATCH_BOUNDARY)
            observers->notify_from = fmin(observers->notify_from, observer->notify_from);
    }
}

void observers_add(struct observers *observers, struct observer *observer)
{
    const enum observer_watch watches = observer->operations->watches;
    observer->all = observers;
    observers->list[observers->count++] = observer;
    observers->watches = watches > observers->watches ? watches : observers->watches;
    observers->wants_pauses |= watches == WATCH_EVENTS || observer->operations->quiescent;
    observers_find_times(observers);
}

const struct observer *observers_find(const struct observers *observers,
                                      const struct observer_operations *operations)
{
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations == operations)
            return observers->list[k];
    return NULL;
}

struct collision_basis *observers_basis(const struct observers *observers)
{
    struct collision_basis *basis = NULL;
    size_t count = 0;
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->watches == WATCH_PAIRS) {
            basis = observers->list[k]->basis;
            count++;
        }
    return count == 1 ? basis : NULL;
}

/* Gives an observer the batch, and those collisions of it that count one by one. */
static enum status observer_take(struct observer *observer, const struct collision_batch *batch,
                                 struct error *error)
{
    const struct observer_operations *operations = observer->operations;
    const double from = observer->notify_from;
    for (const struct collision *k = batch->list; k < batch->list + batch->count; k++)
        if (operations->collide && (k->time > from || from == 0))
            operations->collide(observer, k);
    return operations->take ? operations->take(observer, batch, error) : STATUS_DONE;
}

enum status observers_hand_over(struct observers *observers, uint64_t events, double time,
                                struct error *error)
{
    enum status status = STATUS_DONE;
    observers->batch.events = events;
    observers->batch.time = time;
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->watches > WATCH_NOTHING)
            status = observer_take(observers->list[k], &observers->batch, error);
    observers->batch.count = 0;
    return status;
}

/* Calls `interrupt` of all if the run is to end at this time; otherwise returns STATUS_DONE. */
static enum status observers_interrupt(struct observers *observers, const struct system *system,
                                       double time, struct error *error)
{
    const struct snapshot snapshot = {time, system, &observers->order};
    if (!observers->interrupt || !*observers->interrupt)
        return STATUS_DONE;
    enum status status = error_set(error, STATUS_INTERRUPTED, "interrupted at time %g",
                                   time < DBL_MIN ? 0 : time); /* just after 0 */
    for (size_t k = 0; k < observers->count && status == STATUS_INTERRUPTED; k++) {
        struct observer *observer = observers->list[k];
        if (observer->operations->interrupt)
            status = observer->operations->interrupt(observer, &snapshot, error);
    }
    return status;
}

enum status observers_progress(struct observers *observers, const struct system *system,
                               double time, double part, struct error *error)
{
    enum status status =
        observers->batch.count > 0 ? observers_hand_over(observers, 0, time, error) : STATUS_DONE;
    if (!status)
        status = observers_interrupt(observers, system, time, error);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->on_progress)
            observers->list[k]->operations->on_progress(observers->list[k], part);
    return status;
}

/* Calls `quiescent` of all: they know all that is before `time`, and nothing later. */
static enum status observer_quiesce(struct observers *observers, const struct system *system,
                                    double time, struct error *error)
{
    const struct snapshot snapshot = {time, system, &observers->order};
    enum status status = observers_interrupt(observers, system, time, error);
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->quiescent)
            status =
                observers->list[k]->operations->quiescent(observers->list[k], &snapshot, error);
    return status;
}

enum status observers_sample(struct observers *observers, const struct system *system, double time,
                             struct error *error)
{
    enum status status =
        observer_quiesce(observers, system, fmin(time, observers->next_sample), error);
    while (!status && observers->next_sample < time) {
        const struct snapshot snapshot = {observers->next_sample, system, &observers->order};
        for (size_t k = 0; k < observers->count && !status; k++)
            if (observers->list[k]->next_sample == snapshot.time)
                status =
                    observers->list[k]->operations->sample(observers->list[k], &snapshot, error);
        observers_find_times(observers);
        if (!status)
            status = observer_quiesce(observers, system, fmin(time, observers->next_sample), error);
    }
    return status;
}

void snapshot_find_order(const struct snapshot *snapshot)
{
    struct snapshot_order *order = snapshot->order;
    for (size_t k = 0; k < snapshot->system->count; k++)
        order->indices[snapshot->system->particles[k].id] = (uint32_t)k;
    order->known = snapshot->system->reorderings + 1;
}

struct particle_counts snapshot_collisions(const struct snapshot *snapshot)
{
    struct particle_counts all = {0};
    for (size_t k = 0; k < snapshot->system->count; k++) {
        all.walls += snapshot->system->counts[k].walls;
        all.particles += snapshot->system->counts[k].particles;
    }
    all.particles /= 2;
    return all;
}

void snapshot_position(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    physics_position(snapshot->system, snapshot_index(snapshot, number), snapshot->time, x, y);
}

void snapshot_unwrapped(const struct snapshot *snapshot, size_t number, double *x, double *y)
{
    const struct system *system = snapshot->system;
    const size_t index = snapshot_index(snapshot, number);
    const struct motion at =
        motion_shown(&system->boundary.gravity, &system->particles[index], snapshot->time);
    const struct particle_counts *counts = &system->counts[index];
    *x = at.x + (double)counts->x_image * system->boundary.width;
    *y = at.y + (double)counts->y_image * system->boundary.height;
}
