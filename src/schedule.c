/*
 * Chooses among the schedules.
 */
#include "schedule.h"

#include "schedule_array.h"

enum status schedule_create(enum schedule_kind kind, const struct system *system, double end_time,
                            struct schedule **schedule, struct error *error)
{
    switch (kind) {
    case SCHEDULE_AUTO:
    case SCHEDULE_ARRAY:
        break;
    }
    return schedule_array_create(system, end_time, schedule, error);
}

enum status schedule_check(enum schedule_kind kind, uint64_t count, struct error *error)
{
    switch (kind) {
    case SCHEDULE_AUTO:
    case SCHEDULE_ARRAY:
        break;
    }
    return schedule_array_check(count, error);
}
