/*
 * The simulation loop (assignment, "Discrete Event Simulation"): take the next collision, let it
 * happen, predict again what it changes.
 */
#include "run/simulation.h"

#include "model/physics.h"
#include "stall.h"

/* Makes the first predictions as the observers watch. */
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

/* Lets an event happen as the observers watch. */
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
    struct stall stall;
    struct event event;
    stall_begin(&stall, system, system_last_time(system));
    if (is_observed)
        status = predict_observed(system, schedule, observers, error);
    while (!status && schedule_next(schedule, &event)) {
        if (is_observed)
            status = resolve_observed(system, &event, observers, error);
        else
            physics_resolve(system, &event);
        schedule_update(schedule, &event);
        if (!status)
            status = stall_check(&stall, system, &event, end_time, error);
    }
    return status;
}
