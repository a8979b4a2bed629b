/* A run from event to event: what happens to each event that the loop of schedule.c takes. It is
 * resolved, counted, and shown to observers, which sample the system in between. */
#include "run/dynamics.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/physics.h"
#include "run/growth.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/*
 * Runs that never end.
 *
 * The number of collisions up to a given time is finite unless disks are wedged: moving, and with
 * no room between two walls and each other, or touching all around a periodic axis. Such a run
 * would have infinitely many collisions at one time, or, where rounding leaves a last bit of room,
 * time would advance by almost nothing. (In free space that is impossible. Let Phi be the sum of
 * x.velocity over all particles. When two of them, touching and approaching, switch velocities, Phi
 * grows by -d.w > 0 while no position changes; and N velocities can be assigned to N particles in
 * finitely many ways only. Elastic collisions of any masses are as finite in number.) Collisions
 * that lose energy can be infinitely many in a finite time, which is the inelastic collapse that
 * the law's contact time prevents, unless it is too short. And a very late END_TIME makes a run far
 * too long; or endless, where a particle passes seams faster than the digits of the time resolve.
 *
 * So the run measures the time that a large number of collisions takes, and begins to count again
 * whenever time advances as it should. At one time there can be one collision for every particle
 * and wall or, in a row of touching disks, for every pair that have collided since then.
 */

/* How far the last collisions have taken a run. */
struct stall {
    const struct system *system; /* not owned */
    double end_time;             /* up to which the run is to go */
    double since;                /* the time when counting began */
    struct schedule_sum sum;     /* of the events since then, which the run adds, */
    uint64_t check_at;           /* and the number of them at which it is to be judged */
    double reached;              /* the end of the last batch, not before `since` */
};

enum { MANY_COLLISIONS = 100000 };
static const double MAX_COLLISIONS = 1e15; /* three years of them, at ten million a second */
static const double MAX_OF_A_BURST = 1e9;

/* Of the contact time: a pile of disks that rest on each other under gravity has a few collisions
 * of each disk in one contact time. */
static const double MIN_PROGRESS = 1e-6;

/* Up to this number nothing is judged, so that the check of all particles costs little. */
static uint64_t most_hits(const struct system *system)
{
    return MANY_COLLISIONS + 4 * (uint64_t)system->count;
}

static void stall_begin(struct stall *stall, const struct system *system, double since,
                        double end_time)
{
    *stall = (struct stall){.system = system,
                            .end_time = end_time,
                            .since = since,
                            .check_at = most_hits(system),
                            .reached = since};
}

/* True after more collisions than there can be at one time. */
static int is_time_to_judge(const struct stall *stall)
{
    const struct system *system = stall->system;
    uint64_t colliding = 0;
    if (stall->sum.hits >= most_hits(system))
        return 1;
    for (size_t k = 0; k < system->count; k++)
        colliding += system->particles[k].collided >= stall->since;
    return stall->sum.events >= MANY_COLLISIONS + colliding * colliding;
}

/* True if the fastest particle moves less, from one event to the next, than the rounding error of
 * its position. If nearly all events are passages of seams, no disks are wedged, but a particle is
 * too fast for the digits of the time: wedged disks pass a seam a few times with each collision. */
static int is_wedged(const struct stall *stall, double elapsed)
{
    const struct system *system = stall->system;
    if (stall->sum.passages > stall->sum.events / 10 * 9)
        return 0;
    double rounding = pair_rounding(fmax(system->boundary.width, system->boundary.height));
    if (system->boundary.gravity.acts && elapsed > MIN_PROGRESS * system->law.contact_time)
        return 0;
    return system_fastest(system) * elapsed <= rounding * (double)stall->sum.events;
}

/* A disk in a row along an axis: its position across and along it, and its speed along it. */
struct stall_link {
    double across, along, radius, speed;
};

static int compare_links(const void *one, const void *other)
{
    const struct stall_link *a = one;
    const struct stall_link *b = other;
    if (a->across != b->across)
        return a->across < b->across ? -1 : 1;
    return (a->along > b->along) - (a->along < b->along);
}

/* True if a row of touching disks, where one moves along it, leaves no room on its axis. */
static int find_full_row(struct stall_link *links, size_t count, double length, int is_periodic)
{
    const double slack = pair_rounding(length);
    size_t begin = 0; /* of the row */
    int moves = 0;
    qsort(links, count, sizeof *links, compare_links);
    for (size_t k = 0; k < count; k++) {
        const struct stall_link *link = &links[k];
        moves |= link->speed != 0;
        if (k + 1 < count && link[1].across == link->across &&
            link[1].along - link->along <= link->radius + link[1].radius + slack)
            continue;
        const double before = links[begin].along - links[begin].radius;
        const double behind = length - (link->along + link->radius);
        if (moves && (is_periodic ? before + behind : fmax(before, behind)) <= slack)
            return 1;
        begin = k + 1;
        moves = 0;
    }
    return 0;
}

/* True if disks are wedged in a straight row, the usual case. More collisions show bent ones. */
static int has_full_row(const struct system *system, double time)
{
    const struct boundary *boundary = &system->boundary;
    struct error error; /* without memory, more collisions decide */
    struct stall_link *links = memory_allocate(system->count, sizeof *links, "the rows", &error);
    int is_found = 0;
    for (int is_upright = 0; links && is_upright < 2 && !is_found; is_upright++) {
        size_t count = 0;
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *p = &system->particles[k];
            if (particle_is_absorbed(p))
                continue;
            const double radius = system_radius(system, p) * system_grown(system, time);
            double x, y;
            physics_position(system, k, time, &x, &y);
            links[count++] = is_upright ? (struct stall_link){x, y, radius, p->v}
                                        : (struct stall_link){y, x, radius, p->u};
        }
        is_found =
            find_full_row(links, count, is_upright ? boundary->height : boundary->width,
                          (boundary->periodic & (is_upright ? PERIODIC_Y : PERIODIC_X)) != 0);
    }
    memory_free(links);
    return is_found;
}

/* The number of collisions that may follow one another quickly and then end. A light particle that
 * a heavy one presses against a wall or another heavy one has about pi times the square root of the
 * ratio of their masses (G. Galperin, Playing pool with pi, Regular and Chaotic Dynamics 8, 2003).
 * There may be a few such particles. Longer bursts than MAX_OF_A_BURST are not waited for. */
static double longest_burst(const struct system *system)
{
    double lightest = SYSTEM_LARGEST;
    double heaviest = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        lightest = fmin(lightest, system->kinds[k].mass);
        heaviest = fmax(heaviest, system->kinds[k].mass);
    }
    double most = 10 * sqrt(heaviest / lightest);
    return most <= MAX_OF_A_BURST ? most : 0;
}

static int is_late(const struct stall *stall, double elapsed)
{
    return (double)stall->sum.events * stall->end_time > MAX_COLLISIONS * elapsed;
}

/* Counts the events of a batch, up to `time`; the system is as before them. Returns 0, and counts
 * nothing, if time has advanced too little: then they must be counted one by one. The time of the
 * last check is not known; `reached` is before it. */
static int stall_pass(struct stall *stall, const struct schedule_sum *sum, double time)
{
    struct stall next = *stall;
    schedule_add(&next.sum, sum);
    if (next.sum.events >= next.check_at) {
        const double elapsed = time - next.since;
        if (is_wedged(&next, elapsed) || is_late(&next, elapsed))
            return 0;
        const uint64_t events = (next.sum.events - next.check_at) % most_hits(stall->system);
        stall_begin(&next, stall->system, stall->reached, stall->end_time);
        next.sum.events = events;
    }
    *stall = next;
    stall->reached = time;
    return 1;
}

/* Judges the run when `check_at` events have been counted, with this one as the last. Returns
 * STATUS_DONE, or STATUS_BAD_DATA if the run will not reach its end. */
COMPILER_APART static enum status stall_judge(struct stall *stall, const struct event *event,
                                              struct error *error)
{
    const struct system *system = stall->system;
    const double elapsed = event->time - stall->since;
    const int is_wedged_now = is_wedged(stall, elapsed);
    stall->check_at += most_hits(system);
    if ((double)stall->sum.events < longest_burst(system))
        return STATUS_DONE; /* more collisions decide */
    if (!is_wedged_now && !is_late(stall, elapsed)) {
        stall_begin(stall, system, event->time, stall->end_time);
        return STATUS_DONE;
    }
    if (!is_time_to_judge(stall) && !(is_wedged_now && has_full_row(system, event->time)))
        return STATUS_DONE;
    if (is_wedged_now && system->law.rule == RULE_ELASTIC && system->law.restitution < 1)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %s collisions follow one another without end, because they "
                         "lose energy or because disks are wedged: against the loss, a contact "
                         "time longer than %g helps; particle %" PRId32 " was the last to collide",
                         show_exactly(event->time).text, system->law.contact_time,
                         system->particles[event->a].id);
    if (is_wedged_now)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %s disks are wedged: they move but have no room%s, or are too "
                         "fast for time to advance; particle %" PRId32 " was the last to collide",
                         show_exactly(event->time).text,
                         system->boundary.walls ? ", or walls whose --wall has a speed press one "
                                                  "into a corner"
                                                : "",
                         system->particles[event->a].id);
    return error_set(error, STATUS_BAD_DATA,
                     "END_TIME %g is out of reach: it takes more than %g collisions%s; the "
                     "last %" PRIu64 " took the run from time %s to %s only",
                     stall->end_time, MAX_COLLISIONS,
                     stall->sum.passages > 0 ? " and passages of seams" : "", stall->sum.events,
                     show_exactly(stall->since).text, show_exactly(event->time).text);
}

/* ---- The events ---- */

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
