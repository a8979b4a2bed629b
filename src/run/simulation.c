/*
 * The simulation loop (assignment, "Discrete Event Simulation"): take the next collision, let it
 * happen, predict again what it changes.
 */
#include "run/simulation.h"

#include "model/physics.h"
#include "stall.h"

#include <math.h>

/* A particle that is about to collide. */
static struct participant participant_before(const struct system *system, const struct particle *p)
{
    return (struct participant){.number = p->id,
                                .u_before = p->u,
                                .v_before = p->v,
                                .since = particle_since(p),
                                .radius = system_radius(system, p),
                                .mass = system_mass(system, p)};
}

/* The same, now that it has collided. */
static void complete_participant(struct participant *participant, const struct particle *p)
{
    participant->x = p->x;
    participant->y = p->y;
    participant->u = p->u;
    participant->v = p->v;
}

/* Whether an event is shown to observers: passing a seam is not, but for what a stream does there,
 * nor are collisions of two particles if nobody watches these. */
static int is_shown(const struct boundary *boundary, const struct observers *observers,
                    int32_t partner)
{
    if (event_partner(partner) == PARTNER_PARTICLE)
        return observers->watches_pairs;
    return !boundary_is_seam(boundary, partner) || boundary_renews(boundary, partner);
}

/* A run: where its events happen. */
struct run {
    struct schedule_sink sink;
    struct system *system;
    struct observers *observers; /* NULL: nobody watches */
    struct stall stall;
    double end_time;
};

/* Lets an event happen, and tells the observers. */
static enum status resolve_told(const struct run *run, const struct event *event,
                                struct error *error)
{
    struct system *system = run->system;
    const struct particle *a = &system->particles[event->a];
    if (!is_shown(&system->boundary, run->observers, event->b)) {
        physics_resolve(system, event);
        return STATUS_DONE;
    }
    struct collision collision = {.time = event->time,
                                  .partner = event_partner(event->b),
                                  .feature = event->b,
                                  .a = participant_before(system, a)};
    if (collision.partner == PARTNER_PARTICLE)
        collision.b = participant_before(system, &system->particles[event->b]);
    const struct shift shift = physics_resolve(system, event);
    complete_participant(&collision.a, a);
    collision.shift = shift;
    if (collision.partner == PARTNER_PARTICLE) {
        complete_participant(&collision.b, &system->particles[event->b]);
        collision.dx = (collision.b.x - collision.a.x) + shift.x;
        collision.dy = (collision.b.y - collision.a.y) + shift.y;
    }
    return boundary_is_seam(&system->boundary, event->b)
               ? observers_renew(run->observers, &collision, error)
               : observers_collide(run->observers, &collision, error);
}

/* Lets an event happen as the observers watch. */
static enum status resolve_observed(const struct run *run, const struct event *event,
                                    struct error *error)
{
    enum status status = STATUS_DONE;
    if (!observers_are_idle(run->observers, event->time))
        status = observers_look(run->observers, run->system, event->time, error);
    if (status)
        return status;
    if (event->time > run->sink.told_from)
        return resolve_told(run, event, error);
    physics_resolve(run->system, event);
    return STATUS_DONE;
}

static enum status happen(struct schedule_sink *sink, const struct event *event,
                          struct error *error)
{
    struct run *run = (struct run *)sink;
    enum status status = STATUS_DONE;
    if (run->observers) {
        status = resolve_observed(run, event, error);
        if (!status)
            observers_count(run->observers, !boundary_is_seam(&run->system->boundary, event->b),
                            event->time);
    } else {
        physics_resolve(run->system, event);
    }
    if (!status)
        status = stall_check(&run->stall, run->system, event, run->end_time, error);
    return status;
}

static enum status wait(struct schedule_sink *sink, double time, double part, struct error *error)
{
    struct run *run = (struct run *)sink;
    if (!run->observers)
        return STATUS_DONE;
    return observers_wait(run->observers, run->system, time, part, error);
}

static int pass(struct schedule_sink *sink, const struct schedule_sum *sum, double time)
{
    struct run *run = (struct run *)sink;
    if (!stall_pass(&run->stall, run->system, sum, time, run->end_time))
        return 0;
    if (run->observers)
        observers_count(run->observers, sum->events - sum->passages, time);
    return 1;
}

/* What has been counted, and has let nobody rest, is told of. */
static enum status retell(struct schedule_sink *sink, const struct event *event,
                          struct error *error)
{
    return resolve_told((struct run *)sink, event, error);
}

/* Observers that are to be told of what happens after time 0 are to be told of all. */
static struct run prepare(struct system *system, double time, double end_time,
                          struct observers *observers)
{
    struct run run = {.sink = {.happen = happen, .wait = wait, .pass = pass, .retell = retell},
                      .system = system,
                      .observers = observers && observers->count > 0 ? observers : NULL,
                      .end_time = end_time};
    run.sink.told_from = (double)INFINITY;
    run.sink.warn = observers ? observers->warn : NULL;
    if (run.observers) {
        run.sink.told_from = observers->told_from > 0 ? observers->told_from : -(double)INFINITY;
        run.sink.rests = observers->rests;
        run.sink.interrupt = observers->interrupt;
    }
    stall_begin(&run.stall, system, time);
    return run;
}

/* Up to when the schedule is to go on at once: those who are told of each event look in between. */
static double choose_limit(const struct run *run, double time)
{
    if (!run->observers || time >= run->sink.told_from)
        return run->end_time;
    return fmin(run->end_time, run->observers->next_look);
}

enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct observers *observers, struct error *error)
{
    double time = system_last_time(system);
    struct run run = prepare(system, time, end_time, observers);
    enum status status = STATUS_DONE;
    if (run.observers)
        status = schedule_wait(schedule, time, &run.sink, error);
    while (!status) {
        status = schedule_advance(schedule, choose_limit(&run, time), &run.sink, &time, error);
        if (time >= end_time)
            break;
        if (!status)
            status = observers_look(observers, system, nextafter(time, end_time), error);
    }
    return status;
}
