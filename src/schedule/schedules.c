/* The choice of the schedule for a system. */
#include "schedules.h"

#include "base/memory.h"
#include "base/thread_pool.h"

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

enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error)
{
    static const struct {
        const char *name, *entries; /* what it keeps, */
        double bytes, most;         /* in so many bytes each, and at most so many */
    } kinds[] = {
        [SCHEDULE_TEXTBOOK] = {"the textbook schedule", "potential collisions", TEXTBOOK_BYTES,
                               UINT32_MAX},
        [SCHEDULE_ARRAY] = {"the array schedule", "potential collisions", ARRAY_BYTES, UINT32_MAX},
        [SCHEDULE_CELLS] = {"a run", "positions and velocities", SCHEDULE_CELLS_BYTES,
                            SYSTEM_MAX_COUNT},
    };
    kind = schedule_choose(kind, count);
    const double number = (double)count;
    const double entries = kind == SCHEDULE_CELLS ? number : number * (number + 1) / 2;
    const double bytes = entries * kinds[kind].bytes;
    char needed[MEMORY_TEXT_SIZE];
    char present[MEMORY_TEXT_SIZE];
    if (bytes > memory_physical())
        return error_set(error, STATUS_NO_MEMORY,
                         "out of memory: %" PRIu64 " particles have %.15g %s, for which %s "
                         "needs %s, and this machine has %s",
                         count, entries, kinds[kind].entries, kinds[kind].name,
                         memory_text(needed, bytes), memory_text(present, memory_physical()));
    if (entries > kinds[kind].most || bytes > (double)SIZE_MAX)
        return error_set(error, STATUS_NO_MEMORY,
                         "%" PRIu64 " particles have %.15g %s (%s), more than %s can number", count,
                         entries, kinds[kind].entries, memory_text(needed, bytes),
                         kinds[kind].name);
    return STATUS_DONE;
}

unsigned schedule_choose_threads(const struct schedule_threads *threads, size_t count)
{
    if (threads->count > 0)
        return threads->count;
    return count >= THREADS_FROM ? threads_available() : 1;
}

enum status schedule_create(enum schedule_kind kind, struct system *system,
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
        return textbook_create(system, schedule, error);
    case SCHEDULE_ARRAY:
        return array_create(system, schedule, error);
    default:
        break;
    }
    if (chosen.count > 1 || chosen.tile_side > 0 || system->count >= TILES_FROM)
        return tiles_create(system, &chosen, schedule, error);
    return cells_create(system, schedule, error);
}
