/* A run from event to event: what happens to each event that the loop of schedule.c takes. It is
 * resolved, counted, and shown to observers, which sample the system in between. */
#include "run/simulation.h"

#include "base/memory.h"
#include "model/physics.h"
#include "stall.h"

#include <math.h>

enum { EVENTS_AT_ONCE = 16 }; /* for observers that count them, or want quiescence */

struct simulation {
    struct schedule_sink sink; /* the first member */
    struct system *system;
    struct observers *observers;
    struct stall stall;
};

static enum status simulation_resolve(struct schedule_sink *sink, struct system *system,
                                      const struct event *event, struct error *error)
{
    struct observers *observers = ((struct simulation *)sink)->observers;
    if (event->time <= sink->notify_from)
        physics_resolve(system, event);
    else if (observers->sums_pairs && event_partner(event->b) == PARTNER_PARTICLE)
        physics_resolve_impact(system, event, observers_next_impact(observers));
    else
        return observers_resolve(observers, system, event, error);
    return STATUS_DONE;
}

/* Counts the events that have been resolved in the system, up to `time`. */
static void simulation_count(struct simulation *run, double time)
{
    struct schedule_sum *sum = &run->sink.sum;
    observers_count(run->observers, sum->events - sum->passages, time);
    schedule_add(&run->stall.sum, sum);
    *sum = (struct schedule_sum){0};
}

/* Chooses after how many events the schedule is to return. */
static void simulation_choose_most(struct simulation *run)
{
    run->sink.most = run->stall.check_at - run->stall.sum.events;
    const int has_pauses = run->observers->wants_counts || run->observers->wants_quiescence;
    const uint64_t pause = run->observers->pause > 0 ? run->observers->pause : EVENTS_AT_ONCE;
    if (has_pauses && run->sink.most > pause)
        run->sink.most = pause;
}

static void simulation_on_sums(struct schedule_sink *sink, const struct impact_series *sums)
{
    struct observer *summer = ((struct simulation *)sink)->observers->summer;
    summer->operations->add_sums(summer, sums);
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
    simulation_count(run, time);
    const int is_committed = stall_pass(&run->stall, sum, time);
    if (is_committed)
        observers_count(run->observers, sum->events - sum->passages, time);
    simulation_choose_most(run);
    if (is_committed && run->observers->wants_quiescence)
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
    const struct observer *summer = observers->summer;
    struct simulation run = {.sink = {.notify_from = observers->notify_from > 0
                                                         ? observers->notify_from
                                                         : -(double)INFINITY, /* at 0, too */
                                      .wants_no_pairs = !observers->watches_pairs,
                                      .interrupt = observers->interrupt,
                                      .resolve = simulation_resolve,
                                      .on_sums = simulation_on_sums,
                                      .frame = summer ? summer->operations->frame(summer) : NULL,
                                      .on_progress = simulation_on_progress,
                                      .commit_batch = simulation_commit_batch,
                                      .warn = observers->warn},
                             .system = schedule->system,
                             .observers = observers};
    double time = system_last_time(run.system);
    enum status status = STATUS_DONE;
    stall_begin(&run.stall, run.system, time, end_time);
    for (int is_first = 1; !status && time <= end_time; is_first = 0) {
        const double limit = fmin(end_time, observers->next_sample);
        simulation_choose_most(&run);
        if (is_first && observers->wants_quiescence)
            run.sink.most = 0;
        status = schedule_advance(schedule, limit, &run.sink, &time, error);
        simulation_count(&run, time);
        if (!status && run.stall.sum.events >= run.stall.check_at)
            status = stall_judge(&run.stall, &run.sink.last, error);
        if (!status && time <= end_time)
            status = observers_sample(observers, run.system, time, error);
    }
    observers_meet(observers);
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

static enum status simulation_advance(struct dynamics *dynamics, double limit,
                                      struct observers *observers, struct error *error)
{
    struct event_dynamics *events = (struct event_dynamics *)dynamics;
    enum status status = STATUS_DONE;
    if (!events->schedule)
        status = schedule_create(events->kind, events->system, &events->threads, &events->schedule,
                                 error);
    return status ? status : simulation_run(events->schedule, limit, observers, error);
}

static enum status simulation_rest(struct dynamics *dynamics, struct error *error)
{
    struct event_dynamics *events = (struct event_dynamics *)dynamics;
    (void)error;
    schedule_free(events->schedule);
    events->schedule = NULL;
    return STATUS_DONE;
}

static void simulation_free(struct dynamics *dynamics)
{
    simulation_rest(dynamics, NULL);
    memory_free(dynamics);
}

static const struct dynamics_operations simulation_operations = {
    .traits = {.has_collisions = 1, .has_schedule = 1},
    .counted = "events",
    .advance = simulation_advance,
    .rest = simulation_rest,
    .settle = simulation_rest,
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
