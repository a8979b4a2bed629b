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
        if (observer->operations->collide || observer->operations->reinject)
            observers->notify_from = fmin(observers->notify_from, observer->notify_from);
    }
}

void observers_add(struct observers *observers, struct observer *observer)
{
    observer->all = observers;
    observers->list[observers->count++] = observer;
    if (observer->operations->collide && !observer->operations->is_of_boundary) {
        observers->sums_pairs = observer->operations->meet != NULL &&
                                (observers->sums_pairs || !observers->watches_pairs);
        observers->summer =
            observer->operations->frame && !observers->watches_pairs ? observer : NULL;
        observers->watches_pairs = 1;
    }
    observers->wants_counts |= observer->operations->count != NULL;
    observers->wants_quiescence |= observer->operations->quiescent != NULL;
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

void observers_meet(struct observers *observers)
{
    for (size_t k = 0; k < observers->count && observers->impact_count > 0; k++)
        if (observers->list[k]->operations->meet)
            observers->list[k]->operations->meet(observers->list[k], observers->impacts,
                                                 observers->impact_count);
    observers->impact_count = 0;
}

enum status observers_notify(struct observers *observers, const struct collision *collision,
                             struct error *error)
{
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < observers->count && !status; k++) {
        const struct observer_operations *operations = observers->list[k]->operations;
        if (collision->is_reinjection && operations->reinject)
            status = operations->reinject(observers->list[k], collision, error);
        else if (!collision->is_reinjection && operations->collide)
            status = operations->collide(observers->list[k], collision, error);
    }
    return status;
}

static void begin_participant(struct participant *participant, const struct system *system,
                              const struct particle *p)
{
    participant->number = p->id;
    participant->u_before = p->u;
    participant->v_before = p->v;
    participant->since = particle_since(p);
    participant->radius = system_radius(system, p);
    participant->mass = system_mass(system, p);
}

static void complete_participant(struct participant *participant, const struct particle *p)
{
    participant->x = p->x;
    participant->y = p->y;
    participant->u = p->u;
    participant->v = p->v;
}

/* Describes a collision before it is resolved. Returns 0 if no observer watches such events. */
static int begin_collision(struct collision *collision, const struct observers *observers,
                           const struct system *system, const struct event *event)
{
    const enum partner partner = event_partner(event->b);
    const int is_seam = boundary_is_seam(&system->boundary, event->b);
    if (partner == PARTNER_PARTICLE ? !observers->watches_pairs
                                    : is_seam && !boundary_reinjects(&system->boundary, event->b))
        return 0;
    collision->time = event->time; /* what is not set is of no partner: see struct collision */
    collision->partner = partner;
    collision->feature = event->b;
    collision->is_reinjection = is_seam;
    begin_participant(&collision->a, system, &system->particles[event->a]);
    if (partner == PARTNER_PARTICLE)
        begin_participant(&collision->b, system, &system->particles[event->b]);
    return 1;
}

/* Completes it with the new state, and the shift from physics_resolve. */
static void complete_collision(struct collision *collision, const struct system *system,
                               const struct event *event, const struct shift *shift)
{
    complete_participant(&collision->a, &system->particles[event->a]);
    collision->shift = *shift;
    if (collision->partner == PARTNER_BOUNDARY)
        return;
    complete_participant(&collision->b, &system->particles[event->b]);
    collision->dx = (collision->b.x - collision->a.x) + shift->x;
    collision->dy = (collision->b.y - collision->a.y) + shift->y;
}

enum status observers_resolve(struct observers *observers, struct system *system,
                              const struct event *event, struct error *error)
{
    struct collision collision;
    if (!begin_collision(&collision, observers, system, event)) {
        physics_resolve(system, event);
        return STATUS_DONE;
    }
    const struct shift shift = physics_resolve(system, event);
    complete_collision(&collision, system, event, &shift);
    return observers_notify(observers, &collision, error);
}

void observers_count(struct observers *observers, uint64_t events, double time)
{
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->count)
            observers->list[k]->operations->count(observers->list[k], events, time);
}

static enum status observer_interrupt(struct observers *observers, const struct system *system,
                                      double time, struct error *error)
{
    const struct snapshot snapshot = {time, system, &observers->order};
    enum status status = error_set(error, STATUS_INTERRUPTED, "interrupted at time %g",
                                   time < DBL_MIN ? 0 : time); /* just after 0 */
    for (size_t k = 0; k < observers->count && status == STATUS_INTERRUPTED; k++)
        if (observers->list[k]->operations->interrupt)
            status =
                observers->list[k]->operations->interrupt(observers->list[k], &snapshot, error);
    return status;
}

enum status observers_progress(struct observers *observers, const struct system *system,
                               double time, double part, struct error *error)
{
    observers_meet(observers);
    if (observers->interrupt && *observers->interrupt)
        return observer_interrupt(observers, system, time, error);
    for (size_t k = 0; k < observers->count; k++)
        if (observers->list[k]->operations->on_progress)
            observers->list[k]->operations->on_progress(observers->list[k], part);
    return STATUS_DONE;
}

/* Calls `quiescent` of all: they know all that is before `time`, and nothing later. */
static enum status observer_quiesce(struct observers *observers, const struct system *system,
                                    double time, struct error *error)
{
    enum status status = STATUS_DONE;
    if (observers->interrupt && *observers->interrupt)
        return observer_interrupt(observers, system, time, error);
    const struct snapshot snapshot = {time, system, &observers->order};
    for (size_t k = 0; k < observers->count && !status; k++)
        if (observers->list[k]->operations->quiescent)
            status =
                observers->list[k]->operations->quiescent(observers->list[k], &snapshot, error);
    return status;
}

enum status observers_sample(struct observers *observers, const struct system *system, double time,
                             struct error *error)
{
    observers_meet(observers);
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

struct counts snapshot_collisions(const struct snapshot *snapshot)
{
    struct counts all = {0};
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
    const struct particle *p = &system->particles[index];
    const struct counts *counts = &system->counts[index];
    *x = particle_coordinate(p->x, p->u, p->t, snapshot->time) +
         (double)counts->x_image * system->boundary.width;
    *y = particle_coordinate(p->y, p->v, p->t, snapshot->time) +
         (double)counts->y_image * system->boundary.height;
}
