/*
 * Chooses among the schedules.
 */
#include "schedule/schedule.h"

#include "schedules.h"

/* Up to this many particles the array is quick enough, and it is what the assignment asks for. */
enum { ARRAY_MOST = 200 };

static enum schedule_kind choose(enum schedule_kind kind, uint64_t count)
{
    if (kind != SCHEDULE_AUTO)
        return kind;
    return count <= ARRAY_MOST ? SCHEDULE_ARRAY : SCHEDULE_CELLS;
}

enum status schedule_create(enum schedule_kind kind, struct system *system, double end_time,
                            struct schedule **schedule, struct error *error)
{
    if (choose(kind, system->count) == SCHEDULE_ARRAY)
        return array_create(system, end_time, schedule, error);
    return cells_create(system, end_time, schedule, error);
}

enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error)
{
    if (choose(kind, count) == SCHEDULE_ARRAY)
        return array_check(count, error);
    return cells_check(count, error);
}
