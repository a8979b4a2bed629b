/* Several threads against one; see tiled.h. */
#include "tiled.h"

#include "agreement.h"
#include "by_ids.h"
#include "check.h"
#include "run/dynamics.h"

static enum status replay(struct schedule_sink *sink, struct system *system,
                          const struct event *event, struct error *error)
{
    struct listener *listener = (struct listener *)sink;
    if (listener->count == listener->most)
        return error_set(error, STATUS_INTERRUPTED, "enough");
    if (event->time <= sink->notify_from) {
        physics_resolve(system, event);
        return STATUS_DONE;
    }
    if (listener->count == listener->capacity) {
        listener->capacity = 2 * listener->capacity + 64;
        listener->events = memory_resize(listener->events, listener->capacity,
                                         sizeof *listener->events, "a test", error);
        if (!listener->events)
            exit(EXIT_FAILURE);
    }
    listener->events[listener->count++] = by_ids(system, *event);
    physics_resolve(system, event);
    return STATUS_DONE;
}

static enum status resolve(struct schedule_sink *sink, struct system *system,
                           const struct event *event, struct error *error)
{
    struct listener *listener = (struct listener *)sink;
    listener->resolved += system == listener->system;
    return replay(sink, system, event, error);
}

static enum status wait(struct schedule_sink *sink, double time, double part, struct error *error)
{
    (void)sink;
    (void)time;
    (void)part;
    (void)error;
    return STATUS_DONE;
}

static int pass(struct schedule_sink *sink, const struct schedule_sum *sum, double time)
{
    (void)time;
    ((struct listener *)sink)->resolved += sum->events;
    return 1;
}

void listener_init(struct listener *listener, struct system *system, size_t most)
{
    *listener = (struct listener){.sink = {.notify_from = -(double)INFINITY,
                                           .most = UINT64_MAX,
                                           .resolve = resolve,
                                           .on_progress = wait,
                                           .commit_batch = pass},
                                  .system = system,
                                  .most = most};
}

enum status listener_advance(struct listener *listener, struct schedule *schedule, double limit,
                             struct error *error)
{
    enum status status = STATUS_DONE;
    double time = -1;
    while (!status && time <= limit) {
        const double last = time;
        status = schedule_advance(schedule, limit, &listener->sink, &time, error);
        CHECK(status || (time >= last && time <= nextafter(limit, (double)INFINITY)));
    }
    return status;
}

void listener_free(struct listener *listener)
{
    memory_free(listener->events);
}

static struct schedule *create_tiles(struct system *system, const struct schedule_threads *threads)
{
    struct schedule *schedule;
    must(tiles_create(system, threads, &schedule, &failure));
    return schedule;
}

static void add_outcomes(const struct schedule *schedule, uint64_t outcomes[TILES_OUTCOMES])
{
    for (int k = 0; k < TILES_OUTCOMES; k++)
        outcomes[k] += tiles_outcomes(schedule)[k];
}

/* Advances in a few steps, some of which end just at an event. */
static enum status advance_in_steps(struct listener *listener, struct schedule *schedule,
                                    double end_time, const struct listener *known,
                                    struct random_generator *random, struct error *error)
{
    double limits[4];
    const double start = system_last_time(listener->system);
    const size_t steps = random_below(random, 4);
    enum status status = STATUS_DONE;
    for (size_t k = 0; k < steps; k++)
        limits[k] = known->count > 0 && random_below(random, 2)
                        ? known->events[random_below(random, known->count)].time
                        : start + (end_time - start) * random_unit(random);
    limits[steps] = end_time;
    for (size_t k = 0; k <= steps && !status; k++) {
        double least = end_time; /* of those that are left: they are in no order */
        for (size_t m = k; m < steps; m++)
            if (limits[m] < least) {
                least = limits[m];
                limits[m] = limits[k];
                limits[k] = least;
            }
        status = listener_advance(listener, schedule, least, error);
    }
    return status;
}

/* With a notification of each event after `notify_from`: these and the end of `known`, whose run
 * had that status.
 */
static int check_notified(const struct system *start, double end_time, const struct listener *known,
                          enum status status, double notify_from,
                          const struct schedule_threads *threads, struct random_generator *random,
                          uint64_t outcomes[TILES_OUTCOMES])
{
    struct listener listener;
    OWNED(system, system) = system_copy(start);
    struct schedule *schedule = create_tiles(&system, threads);
    size_t first = 0;
    while (first < known->count && known->events[first].time <= notify_from)
        first++;
    const size_t count = known->count - first;
    listener_init(&listener, &system, known->most);
    listener.sink.notify_from = notify_from;
    int same =
        CHECK(status == advance_in_steps(&listener, schedule, end_time, known, random, &failure)) &&
        CHECK(listener.count == count) && CHECK(status || listener.resolved == known->count) &&
        CHECK(count == 0 ||
              memcmp(listener.events, known->events + first, count * sizeof *known->events) == 0);
    add_outcomes(schedule, outcomes);
    schedule_free(schedule);
    same = same && CHECK(agreement_is_same(&system, known->system));
    listener_free(&listener);
    return same;
}

/* Without notifications: as a run without observers ends, its status and its message. */
static int check_unnotified(const struct system *start, double end_time,
                            const struct schedule_threads *threads,
                            uint64_t outcomes[TILES_OUTCOMES])
{
    struct error error = {0};
    struct error known_error = {0};
    OWNED(system, known) = system_copy(start);
    OWNED(system, system) = system_copy(start);
    const enum status status = agreement_run(SCHEDULE_CELLS, &known, end_time, &known_error);
    struct schedule *schedule = create_tiles(&system, threads);
    int same = CHECK(simulation_run(schedule, end_time, NULL, &error) == status);
    add_outcomes(schedule, outcomes);
    schedule_free(schedule);
    same = same && CHECK(agreement_is_same(&system, &known)) &&
           CHECK(!status || strcmp(error.message, known_error.message) == 0);
    return same;
}

int tiled_check(const struct system *start, double end_time, size_t most,
                const struct schedule_threads *threads, struct random_generator *random,
                uint64_t outcomes[TILES_OUTCOMES])
{
    struct listener known;
    OWNED(system, system) = system_copy(start);
    struct schedule *schedule = NULL;
    must(schedule_create(SCHEDULE_CELLS, &system, NULL, &schedule, &failure));
    listener_init(&known, &system, most);
    const enum status status = listener_advance(&known, schedule, end_time, &failure);
    schedule_free(schedule);
    const double all = -(double)INFINITY;
    int same = check_notified(start, end_time, &known, status, all, threads, random, outcomes);
    if (!status && known.count > 0) { /* otherwise the last events of `known` are missing */
        struct random_generator other = random_from(known.count);
        const double time = known.events[random_below(&other, known.count)].time;
        same &= check_notified(start, end_time, &known, status, time, threads, &other, outcomes);
    }
    same &= check_unnotified(start, end_time, threads, outcomes);
    listener_free(&known);
    return same;
}
