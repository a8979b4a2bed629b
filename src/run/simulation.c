/* The simulation loop (assignment, "Discrete Event Simulation"): take the next collision, resolve
 * it, predict again what it changes. Below are runs that never end, and the dynamics. */
#include "run/simulation.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "model/physics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* How far the last collisions have taken a run: see "Runs that never end". */
struct stall {
    double since;            /* the time when counting began */
    struct schedule_sum sum; /* of the events since then */
    uint64_t check_at;       /* the number of them at which to check whether the run goes on */
    double reached;          /* the end of the last batch, not before `since` */
};

struct simulation {
    struct schedule_sink sink; /* of schedule_advance */
    struct system *system;
    struct observers *observers;
    struct stall stall;
    double end_time;
};

COMPILER_APART static enum status stall_judge(struct simulation *run, const struct event *event,
                                              struct error *error);

static enum status simulation_sample(const struct simulation *run, const struct event *event,
                                     struct error *error)
{
    if (observers_are_idle(run->observers, event->time))
        return STATUS_DONE;
    return observers_sample(run->observers, run->system, event->time, error);
}

static enum status simulation_resolve(const struct simulation *run, struct system *system,
                                      const struct event *event, struct error *error)
{
    if (event->time <= run->sink.notify_from)
        physics_resolve(system, event);
    else if (run->observers->sums_pairs && event_partner(event->b) == PARTNER_PARTICLE)
        physics_resolve_impact(system, event, observers_next_impact(run->observers));
    else
        return observers_resolve(run->observers, system, event, error);
    return STATUS_DONE;
}

/* Counts an event, and ends a run that will not reach its end. */
COMPILER_INLINE enum status simulation_count(struct simulation *run, const struct event *event,
                                             struct error *error)
{
    struct schedule_sum *sum = &run->stall.sum;
    if (run->observers->wants_counts)
        observers_count(run->observers, !boundary_is_seam(&run->system->boundary, event->b),
                        event->time);
    if (event_partner(event->b) == PARTNER_BOUNDARY) {
        sum->hits++;
        sum->passages += (uint64_t)boundary_is_seam(&run->system->boundary, event->b);
    }
    return ++sum->events < run->stall.check_at ? STATUS_DONE : stall_judge(run, event, error);
}

static enum status simulation_loop(struct simulation *run, struct schedule *schedule,
                                   struct error *error)
{
    struct event event;
    enum status status = STATUS_DONE;
    while (!status && schedule_next(schedule, &event)) {
        status = simulation_sample(run, &event, error);
        if (!status)
            status = simulation_resolve(run, run->system, &event, error);
        if (!status)
            status = simulation_count(run, &event, error);
        schedule_update(schedule, &event);
    }
    return status;
}

/*
 * ---- Runs that never end ----
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
 * So the loop measures the time that a large number of collisions takes, and begins to count again
 * whenever time advances as it should. At one time there can be one collision for every particle
 * and wall or, in a row of touching disks, for every pair that have collided since then.
 */

enum { MANY_COLLISIONS = 100000 };
static const double MAX_COLLISIONS = 1e15; /* three years of them, at ten million a second */
static const double MAX_OF_A_BURST = 1e9;

/* Up to this number nothing is judged, so that the check of all particles costs little. */
static uint64_t most_hits(const struct system *system)
{
    return MANY_COLLISIONS + 4 * (uint64_t)system->count;
}

static void stall_begin(struct stall *stall, const struct system *system, double since)
{
    *stall = (struct stall){.since = since, .reached = since, .check_at = most_hits(system)};
}

/* True after more collisions than there can be at one time. */
static int is_time_to_judge(const struct stall *stall, const struct system *system)
{
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
static int is_wedged(const struct stall *stall, const struct system *system, double elapsed)
{
    if (stall->sum.passages > stall->sum.events / 10 * 9)
        return 0;
    double rounding = pair_rounding(fmax(system->boundary.width, system->boundary.height));
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
        for (size_t k = 0; k < system->count; k++) {
            const struct particle *p = &system->particles[k];
            const double radius = system_radius(system, p);
            double x, y;
            physics_position(system, k, time, &x, &y);
            links[k] = is_upright ? (struct stall_link){x, y, radius, p->v}
                                  : (struct stall_link){y, x, radius, p->u};
        }
        is_found =
            find_full_row(links, system->count, is_upright ? boundary->height : boundary->width,
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

static int is_late(const struct stall *stall, double elapsed, double end_time)
{
    return (double)stall->sum.events * end_time > MAX_COLLISIONS * elapsed;
}

/* Counts the events of a batch, up to `time`; the system is as before them. Returns 0, and counts
 * nothing, if time has advanced too little: then they must be counted one by one. The time of the
 * last check is not known; `reached` is before it. */
static int stall_pass(struct simulation *run, const struct schedule_sum *sum, double time)
{
    struct stall next = run->stall;
    next.sum.events += sum->events;
    next.sum.hits += sum->hits;
    next.sum.passages += sum->passages;
    if (next.sum.events >= next.check_at) {
        const double elapsed = time - next.since;
        if (is_wedged(&next, run->system, elapsed) || is_late(&next, elapsed, run->end_time))
            return 0;
        const uint64_t events = (next.sum.events - next.check_at) % most_hits(run->system);
        stall_begin(&next, run->system, run->stall.reached);
        next.sum.events = events;
    }
    run->stall = next;
    run->stall.reached = time;
    return 1;
}

COMPILER_APART static enum status stall_judge(struct simulation *run, const struct event *event,
                                              struct error *error)
{
    const struct system *system = run->system;
    struct stall *stall = &run->stall;
    const double elapsed = event->time - stall->since;
    const int is_wedged_now = is_wedged(stall, system, elapsed);
    stall->check_at += most_hits(system);
    if ((double)stall->sum.events < longest_burst(system))
        return STATUS_DONE; /* more collisions decide */
    if (!is_wedged_now && !is_late(stall, elapsed, run->end_time)) {
        stall_begin(stall, system, event->time);
        return STATUS_DONE;
    }
    if (!is_time_to_judge(stall, system) && !(is_wedged_now && has_full_row(system, event->time)))
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
                     run->end_time, MAX_COLLISIONS,
                     stall->sum.passages > 0 ? " and passages of seams" : "", stall->sum.events,
                     show_exactly(stall->since).text, show_exactly(event->time).text);
}

/* ---- Many events at once: the tiles schedule ---- */

static enum status simulation_on_event(struct schedule_sink *sink, struct system *system,
                                       const struct event *event, struct error *error)
{
    struct simulation *run = (struct simulation *)sink;
    if (system != run->system)
        return simulation_resolve(run, system, event, error);
    enum status status = simulation_sample(run, event, error);
    if (!status)
        status = simulation_resolve(run, system, event, error);
    return status ? status : simulation_count(run, event, error);
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
    if (!stall_pass(run, sum, time))
        return 0;
    observers_count(run->observers, sum->events - sum->passages, time);
    return 1;
}

/* From batch to batch. One ends where an observer samples. */
static enum status simulation_loop_batches(struct simulation *run, struct schedule *schedule,
                                           double time, struct error *error)
{
    enum status status = STATUS_DONE;
    while (!status) {
        const double limit = fmin(run->end_time, run->observers->next_sample);
        status = schedule_advance(schedule, limit, &run->sink, &time, error);
        if (time >= run->end_time)
            break;
        if (!status)
            status = observers_sample(run->observers, run->system, nextafter(time, run->end_time),
                                      error);
    }
    return status;
}

/* ---- A run ---- */

enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct observers *observers, struct error *error)
{
    const double time = system_last_time(system);
    struct observers none = {.next_sample = (double)INFINITY,
                             .notify_from = (double)INFINITY,
                             .warn = observers ? observers->warn : NULL};
    if (!observers || observers->count == 0)
        observers = &none;
    const struct observer *summer = observers->summer;
    const struct impact_frame *frame = summer ? summer->operations->frame(summer) : NULL;
    struct simulation run = {.sink = {.notify_from = observers->notify_from > 0
                                                         ? observers->notify_from
                                                         : -(double)INFINITY, /* at 0, too */
                                      .wants_no_pairs = !observers->watches_pairs,
                                      .wants_quiescence = observers->wants_quiescence,
                                      .interrupt = observers->interrupt,
                                      .on_event = simulation_on_event,
                                      .on_sums = simulation_on_sums,
                                      .frame = frame,
                                      .on_progress = simulation_on_progress,
                                      .commit_batch = simulation_commit_batch,
                                      .warn = observers->warn},
                             .system = system,
                             .observers = observers,
                             .end_time = end_time};
    enum status status = STATUS_DONE;
    stall_begin(&run.stall, system, time);
    for (double part = 0; part < 1 && !status;) { /* the first predictions can take long */
        part = schedule_predict(schedule);
        status = observers_progress(observers, system, time, part, error);
    }
    if (status)
        return status;
    status = schedule_is_batched(schedule) ? simulation_loop_batches(&run, schedule, time, error)
                                           : simulation_loop(&run, schedule, error);
    observers_meet(observers);
    return status;
}

/* ---- The dynamics ---- */

struct event_dynamics {
    struct dynamics dynamics; /* the first member */
    enum schedule_kind kind;
    struct schedule_threads threads;
    struct system *system; /* not owned */
    double end_time;
};

static enum status simulation_advance(struct dynamics *dynamics, struct observers *observers,
                                      struct error *error)
{
    const struct event_dynamics *events = (const struct event_dynamics *)dynamics;
    struct schedule *schedule = NULL;
    enum status status = schedule_create(events->kind, events->system, events->end_time,
                                         &events->threads, &schedule, error);
    if (!status)
        status = simulation_run(events->system, schedule, events->end_time, observers, error);
    schedule_free(schedule);
    return status;
}

enum status simulation_create(enum schedule_kind kind, const struct schedule_threads *threads,
                              struct system *system, double end_time, struct dynamics **dynamics,
                              struct error *error)
{
    static const struct dynamics_operations operations = {.counted = "events",
                                                          .advance = simulation_advance};
    struct event_dynamics *events = memory_allocate(1, sizeof *events, "the simulation", error);
    if (!events)
        return STATUS_NO_MEMORY;
    *events = (struct event_dynamics){{&operations, NULL, 0}, kind, *threads, system, end_time};
    *dynamics = &events->dynamics;
    return STATUS_DONE;
}
