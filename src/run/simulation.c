/*
 * The simulation loop: take the next collision, let it happen, tell the observers, predict again
 * what it changes.
 *
 * The number of collisions up to a given time is finite unless disks are wedged: moving, and with
 * no room between two walls and each other. Such a run would go on for ever at one moment.
 * (Without walls it cannot. Let Phi be the sum of x.velocity over all particles. When two of
 * them, touching and approaching, switch velocities, Phi grows by -d.w > 0 while no position
 * changes; and there are only finitely many ways to deal N velocities to N particles. Elastic
 * collisions of any masses are as finite in number. Those that lose energy are not: disks can come
 * to rest with each other after infinitely many collisions in a finite time, which is the inelastic
 * collapse that the law's contact time prevents, unless it is too short.) Where rounding leaves
 * wedged disks a last bit of room, time goes on, but as good as not at all. And a very late
 * END_TIME makes a run that is finite but will not end in anybody's lifetime.
 *
 * So the loop watches how far a large number of collisions takes it. At one moment there can be
 * one for every particle and wall, or, in a row of touching disks, for every pair of particles that
 * collide at all; only beyond that does it judge. A few that are wedged somewhere among a million
 * would otherwise take 10^12 collisions to be found.
 */
#include "run/simulation.h"

#include "model/physics.h"

#include <inttypes.h>

enum { MANY_COLLISIONS = 100000 };
static const double MOST_COLLISIONS = 1e15; /* three years of them, at ten million a second */
static const double MOST_OF_A_BURST = 1e9;

/* How far the last collisions have taken the simulation. */
struct headway {
    double since;    /* the time when counting began */
    uint64_t events; /* collisions since then */
    uint64_t hits;   /* those of them with walls */
    uint64_t look;   /* at how many of them to look whether it is time to judge */
};

/* Up to here there is nothing to look at; so that it costs nothing to look at all particles. */
static uint64_t most_hits(const struct system *system)
{
    return MANY_COLLISIONS + 4 * (uint64_t)system->count;
}

/* Begins to count anew, now that the last collision was at time `since`. */
static void begin_counting(struct headway *headway, const struct system *system, double since)
{
    *headway = (struct headway){.since = since, .look = most_hits(system)};
}

/* Whether there have been more collisions than there can be at one moment. */
static int is_time_to_judge(struct headway *headway, const struct system *system)
{
    uint64_t colliding = 0;
    headway->look = headway->events + most_hits(system);
    if (headway->hits >= most_hits(system))
        return 1;
    for (size_t k = 0; k < system->count; k++) {
        const struct particle *p = &system->particles[k];
        colliding += p->t >= headway->since && p->wall_collisions + p->particle_collisions > 0;
    }
    return headway->events >= MANY_COLLISIONS + colliding * colliding;
}

/* Whether the fastest particle covers, from one collision to the next, less than rounding does. */
static int is_wedged(const struct system *system, const struct headway *headway, double elapsed)
{
    double rounding = system_rounding(fmax(system->width, system->height));
    return system_fastest(system) * elapsed <= rounding * (double)headway->events;
}

/*
 * How many collisions may follow one another quickly, and then be over. A light particle that a
 * heavy one presses against a wall or another heavy one has about pi times the square root of the
 * ratio of their masses (G. Galperin, Playing pool with pi, Regular and Chaotic Dynamics 8, 2003);
 * if they touch, all at one moment. There may be a few such at once. More than MOST_OF_A_BURST are
 * not waited for.
 */
static double longest_burst(const struct system *system)
{
    double lightest = SYSTEM_LARGEST;
    double heaviest = 0;
    for (size_t k = 0; k < system->kind_count; k++) {
        lightest = fmin(lightest, system->kinds[k].mass);
        heaviest = fmax(heaviest, system->kinds[k].mass);
    }
    double most = 10 * sqrt(heaviest / lightest);
    return most <= MOST_OF_A_BURST ? most : 0;
}

/*
 * Judges the headway made up to `event`, and begins to count anew. Returns STATUS_BAD_DATA if the
 * simulation will not come to an end.
 */
static enum status judge_headway(struct headway *headway, const struct system *system,
                                 const struct event *event, double end_time, struct error *error)
{
    double elapsed = event->time - headway->since;
    if ((double)headway->events < longest_burst(system))
        return STATUS_DONE; /* counting on will show */
    int is_wedged_now = is_wedged(system, headway, elapsed);
    if (is_wedged_now && system->law.rule == RULE_ELASTIC && system->law.restitution < 1)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %.17g collisions follow one another without end, because they "
                         "lose energy or because disks are wedged: a contact time longer than %g "
                         "helps against the former; particle %" PRId32 " was the last to collide",
                         event->time, system->law.contact_time, system->particles[event->a].id);
    if (is_wedged_now)
        return error_set(error, STATUS_BAD_DATA,
                         "at time %.17g disks are wedged: they move, and have no room to; particle "
                         "%" PRId32 " was the last to collide",
                         event->time, system->particles[event->a].id);
    if ((double)headway->events * end_time > MOST_COLLISIONS * elapsed)
        return error_set(error, STATUS_BAD_DATA,
                         "END_TIME %g is out of reach: it takes more than %g collisions, for the "
                         "last %" PRIu64 " led only from time %.17g to %.17g",
                         end_time, MOST_COLLISIONS, headway->events, headway->since, event->time);
    begin_counting(headway, system, event->time);
    return STATUS_DONE;
}

/* Makes the first predictions before the eyes of the observers. */
static enum status predict_observed(const struct system *system, struct schedule *schedule,
                                    struct observers *observers, struct error *error)
{
    const double time = system_last_time(system);
    enum status status = STATUS_DONE;
    for (double part = 0; part < 1 && !status;) {
        part = schedule_predict(schedule);
        status = observers_wait(observers, system, time, part, error);
    }
    return status;
}

/* Lets an event happen before the eyes of the observers. */
static enum status resolve_observed(struct system *system, const struct event *event,
                                    struct observers *observers, struct error *error)
{
    enum status status = observers_look(observers, system, event->time, error);
    if (status)
        return status;
    struct collision collision = {.event = *event};
    for (int k = 0; k < 2; k++) {
        int32_t index = k == 0 ? event->a : event->b;
        if (index >= 0) {
            collision.before[k] = system->particles[index];
            collision.after[k] = &system->particles[index];
        }
    }
    physics_resolve(system, event);
    return observers_collide(observers, system, &collision, error);
}

enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct observers *observers, struct error *error)
{
    const int is_observed = observers && observers->count > 0;
    enum status status = STATUS_DONE;
    struct headway headway;
    struct event event;
    begin_counting(&headway, system, system_last_time(system));
    if (is_observed)
        status = predict_observed(system, schedule, observers, error);
    while (!status && schedule_next(schedule, &event)) {
        if (is_observed)
            status = resolve_observed(system, &event, observers, error);
        else
            physics_resolve(system, &event);
        schedule_update(schedule, &event);
        headway.hits += event.b < 0;
        if (!status && ++headway.events >= headway.look && is_time_to_judge(&headway, system))
            status = judge_headway(&headway, system, &event, end_time, error);
    }
    return status;
}
