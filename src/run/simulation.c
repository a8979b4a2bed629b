/* A run from event to event: what happens to each event that the loop of schedule.c takes. It is
 * resolved, counted, and shown to observers, which sample the system in between. */
#include "run/dynamics.h"

#include "base/memory.h"
#include "model/physics.h"
#include "run/growth.h"
#include "stall.h"

#include <math.h>

enum { EVENTS_AT_ONCE = 16 }; /* for observers that count them, or want quiescence */

struct simulation {
    struct schedule_sink sink; /* the first member */
    struct system *system;
    struct observers *observers;
    struct stall stall;
    uint64_t collisions; /* of which observers have not been notified */
};

/* Passages of seams are no collisions, but where a stream gives a particle another velocity. */
static inline int is_watched(const struct observers *observers, const struct boundary *boundary,
                             int32_t partner)
{
    if (event_partner(partner) == PARTNER_PARTICLE)
        return observers->watches == WATCH_PAIRS;
    return !boundary_is_seam(boundary, partner) || boundary_reinjects(boundary, partner);
}

static enum status simulation_resolve(struct schedule_sink *sink, struct system *system,
                                      const struct event *event, struct error *error)
{
    struct observers *observers = ((struct simulation *)sink)->observers;
    struct collision_batch *batch = &observers->batch;
    if (event->time <= sink->notify_from || !is_watched(observers, &system->boundary, event->b)) {
        physics_resolve(system, event);
        return STATUS_DONE;
    }
    physics_resolve_collision(system, event, &batch->list[batch->count++]);
    return batch->count < BATCH_COLLISIONS ? STATUS_DONE
                                           : observers_hand_over(observers, 0, event->time, error);
}

/* Counts the events that have been resolved in the system. */
static void simulation_count(struct simulation *run)
{
    struct schedule_sum *sum = &run->sink.sum;
    run->collisions += sum->events - sum->passages;
    run->system->growth.collisions += sum->events - sum->passages;
    schedule_add(&run->stall.sum, sum);
    *sum = (struct schedule_sum){0};
}

/* Chooses after how many events the schedule is to return. */
static void simulation_choose_most(struct simulation *run)
{
    const struct system_growth *growth = &run->system->growth;
    run->sink.most = run->stall.check_at - run->stall.sum.events;
    if (run->system->boundary.growth > 0 && run->sink.most > growth->next - growth->collisions)
        run->sink.most = growth->next - growth->collisions;
    const uint64_t pause = run->observers->pause > 0 ? run->observers->pause : EVENTS_AT_ONCE;
    if (run->observers->wants_pauses && run->sink.most > pause)
        run->sink.most = pause;
}

static enum status simulation_on_progress(struct schedule_sink *sink, double time, double part,
                                          struct error *error)
{
    struct simulation *run = (struct simulation *)sink;
    return observers_progress(run->observers, run->system, time, part, error);
}

static int simulation_commit_batch(struct schedule_sink *sink, const struct schedule_sum *sum,
                                   double time)
{
    struct simulation *run = (struct simulation *)sink;
    struct system_growth *growth = &run->system->growth;
    const uint64_t collisions = sum->events - sum->passages;
    simulation_count(run);
    if (run->system->boundary.growth > 0 && collisions >= growth->next - growth->collisions)
        return 0; /* the last of those before velocities are scaled is to be found */
    const int is_committed = stall_pass(&run->stall, sum, time);
    if (is_committed) {
        run->collisions += collisions;
        growth->collisions += collisions;
    }
    simulation_choose_most(run);
    if (is_committed && run->observers->wants_pauses)
        sink->most = 0;
    return is_committed;
}

enum status simulation_run(struct schedule *schedule, double end_time, struct observers *observers,
                           struct error *error)
{
    struct observers none = {.next_sample = (double)INFINITY,
                             .notify_from = (double)INFINITY,
                             .warn = observers ? observers->warn : NULL};
    if (!observers || observers->count == 0)
        observers = &none;
    struct simulation run = {.sink = {.notify_from = observers->notify_from > 0
                                                         ? observers->notify_from
                                                         : -(double)INFINITY, /* at 0, too */
                                      .wants_no_pairs = observers->watches < WATCH_PAIRS,
                                      .interrupt = observers->interrupt,
                                      .resolve = simulation_resolve,
                                      .basis = observers_basis(observers),
                                      .on_progress = simulation_on_progress,
                                      .commit_batch = simulation_commit_batch,
                                      .warn = observers->warn},
                             .system = schedule->system,
                             .observers = observers};
    double time = schedule->operations->last_time ? schedule->operations->last_time(schedule)
                                                  : system_last_time(run.system);
    enum status status = STATUS_DONE;
    stall_begin(&run.stall, run.system, time, end_time);
    for (int is_first = 1; !status && time <= end_time && !growth_is_due(run.system);
         is_first = 0) {
        const double limit = fmin(end_time, observers->next_sample);
        simulation_choose_most(&run);
        if (is_first && observers->wants_pauses)
            run.sink.most = 0;
        status = schedule_advance(schedule, limit, &run.sink, &time, error);
        simulation_count(&run);
        if (growth_is_due(run.system)) /* in other states than these what follows is to be seen */
            time = run.sink.last.time;
        if (!status)
            status = observers_hand_over(observers, run.collisions, time, error);
        run.collisions = 0;
        if (!status && run.stall.sum.events >= run.stall.check_at) {
            schedule_settle(schedule);
            status = stall_judge(&run.stall, &run.sink.last, error);
        }
        if (!status && time <= end_time) {
            schedule_settle(schedule);
            status = observers_sample(observers, run.system, time, error);
        }
    }
    return status;
}

/* ---- The dynamics ---- */

struct event_dynamics {
    struct dynamics dynamics; /* the first member */
    enum schedule_kind kind;
    struct schedule_threads threads;
    struct system *system;     /* not owned */
    struct schedule *schedule; /* owned; NULL: it is still to be made */
};

static enum status simulation_rest(struct dynamics *dynamics, struct error *error)
{
    struct event_dynamics *events = (struct event_dynamics *)dynamics;
    (void)error;
    schedule_free(events->schedule);
    events->schedule = NULL;
    return STATUS_DONE;
}

static enum status simulation_advance(struct dynamics *dynamics, double limit,
                                      struct observers *observers, struct error *error)
{
    struct event_dynamics *events = (struct event_dynamics *)dynamics;
    struct system *system = events->system;
    enum status status = STATUS_DONE;
    int is_due = 1;
    while (!status && is_due && !dynamics->is_over) {
        if (!events->schedule)
            status =
                schedule_create(events->kind, system, &events->threads, &events->schedule, error);
        if (status)
            break;
        events->schedule->is_watched = dynamics->is_open || (observers && observers->count > 0);
        status = simulation_run(events->schedule, limit, observers, error);
        is_due = !status && growth_is_due(system);
        if (is_due) {
            simulation_rest(dynamics, error);
            status = growth_scale(system, &dynamics->is_over, error);
        }
    }
    if (dynamics->is_open) /* or `rest` does it, in less memory */
        schedule_settle(events->schedule);
    return status;
}

static void simulation_end(struct dynamics *dynamics)
{
    struct event_dynamics *events = (struct event_dynamics *)dynamics;
    schedule_end(events->schedule);
    events->schedule = NULL;
}

static void simulation_free(struct dynamics *dynamics)
{
    simulation_end(dynamics);
    memory_free(dynamics);
}

static const struct dynamics_operations simulation_operations = {
    .traits = {.has_collisions = 1, .has_schedule = 1},
    .counted = "events",
    .advance = simulation_advance,
    .rest = simulation_rest,
    .settle = simulation_rest,
    .end = simulation_end,
    .free = simulation_free};

const struct dynamics *observers_dynamics(const struct observers *observers)
{
    static const struct dynamics none = {.operations = &simulation_operations};
    return observers && observers->dynamics ? observers->dynamics : &none;
}

enum status simulation_create(enum schedule_kind kind, const struct schedule_threads *threads,
                              struct system *system, struct dynamics **dynamics,
                              struct error *error)
{
    struct event_dynamics *events = memory_allocate(1, sizeof *events, "the simulation", error);
    if (!events)
        return STATUS_NO_MEMORY;
    *events = (struct event_dynamics){
        {.operations = &simulation_operations}, kind, *threads, system, NULL};
    *dynamics = &events->dynamics;
    return STATUS_DONE;
}
