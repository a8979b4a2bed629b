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

/* Lets an event happen as the observers watch. */
static enum status resolve_observed(struct system *system, const struct event *event,
                                    struct observers *observers, struct error *error)
{
    const struct particle *a = &system->particles[event->a];
    enum status status = STATUS_DONE;
    if (!observers_are_idle(observers, event->time))
        status = observers_look(observers, system, event->time, error);
    if (status)
        return status;
    if (!is_shown(&system->boundary, observers, event->b)) {
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
               ? observers_renew(observers, &collision, error)
               : observers_collide(observers, &collision, error);
}

/* A run: where its events happen. */
struct run {
    struct schedule_sink sink;
    struct system *system;
    struct observers *observers; /* NULL: nobody watches */
    struct stall stall;
    double end_time;
};

static enum status happen(struct schedule_sink *sink, const struct event *event,
                          struct error *error)
{
    struct run *run = (struct run *)sink;
    enum status status = STATUS_DONE;
    if (run->observers)
        status = resolve_observed(run->system, event, run->observers, error);
    else
        physics_resolve(run->system, event);
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

static int pass(struct schedule_sink *sink, const struct schedule_sum *sum)
{
    struct run *run = (struct run *)sink;
    return stall_pass(&run->stall, run->system, sum);
}

static struct run prepare(struct system *system, double end_time, struct observers *observers)
{
    struct run run = {.sink = {.happen = happen, .wait = wait, .pass = pass},
                      .system = system,
                      .observers = observers && observers->count > 0 ? observers : NULL,
                      .end_time = end_time};
    if (observers) {
        run.sink.warn = observers->warn;
        run.sink.is_told = observers->watch_events;
        run.sink.rests = observers->rests;
        run.sink.interrupt = observers->count > 0 ? observers->interrupt : NULL;
    }
    stall_begin(&run.stall, system, system_last_time(system));
    return run;
}

/* Those who are told of each event look in between; the others when the run has come so far. */
enum status simulation_run(struct system *system, struct schedule *schedule, double end_time,
                           struct observers *observers, struct error *error)
{
    struct run run = prepare(system, end_time, observers);
    const int looks = run.observers && !run.sink.is_told;
    enum status status = STATUS_DONE;
    double time = 0;
    if (run.observers)
        status = schedule_wait(schedule, system_last_time(system), &run.sink, error);
    while (!status) {
        const double limit = looks ? fmin(end_time, observers->next_look) : end_time;
        status = schedule_advance(schedule, limit, &run.sink, &time, error);
        if (time >= end_time)
            break;
        if (!status)
            status = observers_look(observers, system, nextafter(time, end_time), error);
    }
    return status;
}
