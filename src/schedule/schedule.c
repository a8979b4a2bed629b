/*
 * Chooses among the schedules; and how those advance that find one event after the other.
 */
#include "schedule/schedule.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "schedules.h"

#include <inttypes.h>
#include <math.h>

/*
 * Up to TEXTBOOK_MOST particles the assignment's algorithm is quick enough: with 16 it takes 2
 * microseconds a collision. From there on up to ARRAY_MOST the array is quicker than the cells
 * where particles are so far apart that they cross many cells from one collision to the next. As
 * measured, that is where their number times the root of their area fraction is less than
 * ARRAY_CROWDING: at area fraction 0.01 up to 60 disks, at 0.0001 up to 400. In a periodic box,
 * where they compare all images of a pair, neither textbook nor array is quick; but points hardly
 * meet.
 */
enum { TEXTBOOK_MOST = 16, ARRAY_MOST = 400, ARRAY_CROWDING = 6 };

/* From how many particles on several threads pay; and tiles on one. */
enum { THREADS_FROM = 20000, TILES_FROM = 200000 };

static enum schedule_kind choose(enum schedule_kind kind, uint64_t count)
{
    if (kind != SCHEDULE_AUTO)
        return kind;
    return count <= TEXTBOOK_MOST ? SCHEDULE_TEXTBOOK
           : count <= ARRAY_MOST  ? SCHEDULE_ARRAY
                                  : SCHEDULE_CELLS;
}

/* What `auto` means for a system whose particles are known. */
static enum schedule_kind choose_for(const struct system *system)
{
    const int has_points = !system->kinds && system->radius == 0;
    const double count = (double)system->count;
    if (system->boundary.periodic && !has_points)
        return SCHEDULE_CELLS;
    if (system->count <= TEXTBOOK_MOST || system->count > ARRAY_MOST)
        return SCHEDULE_AUTO;
    double part = 0; /* of the box that disks cover, over pi */
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        part += radius / system->boundary.width * (radius / system->boundary.height);
    }
    return count * sqrt(3.14 * part) < ARRAY_CROWDING ? SCHEDULE_ARRAY : SCHEDULE_CELLS;
}

/* Whether an array can hold all potential collisions, each of which takes `bytes_each`. */
static enum status check_array(const char *name, uint64_t count, size_t bytes_each,
                               struct error *error)
{
    double entries = (double)count * ((double)count + 1) / 2;
    double bytes = entries * (double)bytes_each;
    char needed[MEMORY_TEXT_SIZE];
    char present[MEMORY_TEXT_SIZE];
    memory_text(needed, bytes);
    if (bytes > memory_physical())
        return error_set(error, STATUS_NO_MEMORY,
                         "out of memory: %" PRIu64
                         " particles have %.15g potential collisions, for which the %s schedule "
                         "needs %s, and this machine has %s",
                         count, entries, name, needed, memory_text(present, memory_physical()));
    if (entries > (double)UINT32_MAX || bytes > (double)SIZE_MAX)
        return error_set(error, STATUS_NO_MEMORY,
                         "%" PRIu64 " particles have %.15g potential collisions (%s), more than "
                         "the %s schedule can number",
                         count, entries, needed, name);
    return STATUS_DONE;
}

enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error)
{
    switch (choose(kind, count)) {
    case SCHEDULE_TEXTBOOK:
        return check_array("textbook", count, TEXTBOOK_BYTES, error);
    case SCHEDULE_ARRAY:
        return check_array("array", count, ARRAY_BYTES, error);
    default:
        return cells_check(count, error);
    }
}

unsigned schedule_choose_threads(const struct schedule_threads *threads, size_t count)
{
    if (threads->count > 0)
        return threads->count;
    return count >= THREADS_FROM ? threads_available() : 1;
}

enum status schedule_create_threaded(enum schedule_kind kind, struct system *system,
                                     double end_time, const struct schedule_threads *threads,
                                     struct schedule **schedule, struct error *error)
{
    enum status status = schedule_check(kind, system->count, error);
    if (status)
        return status;
    if (kind == SCHEDULE_AUTO)
        kind = threads->tile_side > 0 ? SCHEDULE_CELLS : choose_for(system);
    const struct schedule_threads chosen = {schedule_choose_threads(threads, system->count),
                                            threads->tile_side};
    switch (choose(kind, system->count)) {
    case SCHEDULE_TEXTBOOK:
        return textbook_create(system, end_time, schedule, error);
    case SCHEDULE_ARRAY:
        return array_create(system, end_time, schedule, error);
    default:
        break;
    }
    if ((chosen.count > 1 || chosen.tile_side > 0 || system->count >= TILES_FROM) &&
        !tiles_create(system, end_time, &chosen, schedule, error))
        return STATUS_DONE;
    return cells_create(system, end_time, schedule, error);
}

enum status schedule_create(enum schedule_kind kind, struct system *system, double end_time,
                            struct schedule **schedule, struct error *error)
{
    const struct schedule_threads alone = {.count = 1};
    return schedule_create_threaded(kind, system, end_time, &alone, schedule, error);
}

enum status schedule_wait(struct schedule *schedule, double time, struct schedule_sink *sink,
                          struct error *error)
{
    enum status status = STATUS_DONE;
    for (double part = 0; part < 1 && !status;) {
        part = schedule_predict(schedule);
        status = sink->wait(sink, time, part, error);
    }
    return status;
}

enum status schedule_advance(struct schedule *schedule, double limit, struct schedule_sink *sink,
                             double *time, struct error *error)
{
    if (schedule->operations->advance)
        return schedule->operations->advance(schedule, limit, sink, time, error);
    struct event event;
    enum status status = STATUS_DONE;
    while (!status && schedule_next(schedule, &event) && event.time <= limit) {
        status = sink->happen(sink, &event, error);
        schedule_update(schedule, &event);
    }
    *time = limit;
    return status;
}
