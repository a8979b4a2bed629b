/* The loop of the simulation (assignment, "Discrete Event Simulation"): take the next collision,
 * resolve it, predict again what it changes. */
#include "schedule/schedule.h"

#include <math.h>

/* Makes the first predictions, which can take long, and tells the sink how far they are. */
static enum status schedule_begin(struct schedule *schedule, struct schedule_sink *sink,
                                  double time, struct error *error)
{
    enum status status = STATUS_DONE;
    while (!schedule->is_predicted && !status) {
        const double part = schedule_predict(schedule);
        schedule->is_predicted = part >= 1;
        status = sink->on_progress(sink, time, part, error);
    }
    return status;
}

enum status schedule_advance(struct schedule *schedule, double limit, struct schedule_sink *sink,
                             double *time, struct error *error)
{
    struct event event;
    enum status status = schedule_begin(schedule, sink, *time, error);
    if (!status && schedule->operations->advance)
        return schedule->operations->advance(schedule, limit, sink, time, error);
    while (!status && schedule_next(schedule, limit, &event)) {
        if (schedule_is_to_return(sink)) {
            *time = event.time;
            return status;
        }
        status = sink->resolve(sink, schedule->system, &event, error);
        schedule_update(schedule, &event);
        schedule_count(&sink->sum, &schedule->system->boundary, &event);
        sink->last = event;
    }
    *time = nextafter(limit, (double)INFINITY);
    return status;
}

void schedule_settle(struct schedule *schedule)
{
    if (schedule && schedule->operations->settle)
        schedule->operations->settle(schedule);
}

void schedule_end(struct schedule *schedule)
{
    if (schedule)
        schedule->operations->free(schedule);
}

void schedule_free(struct schedule *schedule)
{
    if (!schedule)
        return;
    struct system *system = schedule->system;
    schedule_end(schedule);
    system_restore_order(system);
}
