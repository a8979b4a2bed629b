/* Chooses the schedule for a system. */
#include "schedule/schedule.h"

#include "base/memory.h"
#include "base/thread_pool.h"
#include "schedules.h"

#include <inttypes.h>
#include <math.h>

/*
 * Up to TEXTBOOK_MAX particles the assignment's algorithm is quick enough: with 16 it takes 2
 * microseconds a collision. From there on up to ARRAY_MAX the array is quicker than the cells where
 * particles cross many cells between collisions. As measured, that is where their number times the
 * root of their area fraction is less than ARRAY_CROWDING: at area fraction 0.01 up to 60 disks, at
 * 0.0001 up to 400. In a periodic box, where they compare all images of a pair, neither textbook
 * nor array is quick; but points hardly meet.
 */
enum { TEXTBOOK_MAX = 16, ARRAY_MAX = 400, ARRAY_CROWDING = 6 };

/* From how many particles on several threads pay; and tiles on one. */
enum { THREADS_FROM = 20000, TILES_FROM = 200000 };

static enum schedule_kind schedule_choose(enum schedule_kind kind, uint64_t count)
{
    if (kind != SCHEDULE_AUTO)
        return kind;
    return count <= TEXTBOOK_MAX ? SCHEDULE_TEXTBOOK
           : count <= ARRAY_MAX  ? SCHEDULE_ARRAY
                                 : SCHEDULE_CELLS;
}

/* The schedule that `auto` stands for, once the particles are known. */
static enum schedule_kind choose_for(const struct system *system)
{
    const int has_points = !system->kinds && system->radius == 0;
    const double count = (double)system->count;
    if (system->boundary.periodic && !has_points)
        return SCHEDULE_CELLS;
    if (system->count <= TEXTBOOK_MAX || system->count > ARRAY_MAX)
        return SCHEDULE_AUTO;
    double part = 0; /* of the box that disks cover, over pi */
    for (size_t k = 0; k < system->count; k++) {
        const double radius = system_radius(system, &system->particles[k]);
        part += radius / system->boundary.width * (radius / system->boundary.height);
    }
    return count * sqrt(3.14 * part) < ARRAY_CROWDING ? SCHEDULE_ARRAY : SCHEDULE_CELLS;
}

/* Checks that an array can hold all potential collisions, each of which takes `bytes_each`. */
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
    switch (schedule_choose(kind, count)) {
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

enum status schedule_create(enum schedule_kind kind, struct system *system, double end_time,
                            const struct schedule_threads *threads, struct schedule **schedule,
                            struct error *error)
{
    enum status status = schedule_check(kind, system->count, error);
    if (status)
        return status;
    struct schedule_threads chosen = {.count = 1};
    if (threads)
        chosen = (struct schedule_threads){schedule_choose_threads(threads, system->count),
                                           threads->tile_side};
    if (kind == SCHEDULE_AUTO)
        kind = chosen.tile_side > 0 ? SCHEDULE_CELLS : choose_for(system);
    switch (schedule_choose(kind, system->count)) {
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
