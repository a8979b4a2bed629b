/* Whether all schedules come to the same end; see agreement.h. */
#include "agreement.h"

#include "check.h"
#include "run/dynamics.h"

enum status agreement_run(enum schedule_kind kind, struct system *system, double end_time,
                          struct error *error)
{
    struct schedule *schedule = NULL;
    if (!CHECK(schedule_create(kind, system, NULL, &schedule, error) == STATUS_DONE))
        exit(EXIT_FAILURE);
    enum status status = simulation_run(schedule, end_time, NULL, error);
    schedule_free(schedule);
    return status;
}

int agreement_is_same(const struct system *left, const struct system *right)
{
    return memcmp(left->particles, right->particles, left->count * sizeof *left->particles) == 0 &&
           memcmp(left->counts, right->counts, left->count * sizeof *left->counts) == 0 &&
           (!left->spins ||
            memcmp(left->spins, right->spins, left->count * sizeof *left->spins) == 0);
}

double agreement_time(const struct system *system, int events)
{
    OWNED(system, twin) = system_copy(system);
    struct schedule *schedule = NULL;
    struct event event;
    double time = 0;
    CHECK(!schedule_create(SCHEDULE_CELLS, &twin, NULL, &schedule, &failure));
    while (events-- > 0 && schedule_next(schedule, SYSTEM_LARGEST, &event)) {
        time = event.time;
        physics_resolve(&twin, &event);
        schedule_update(schedule, &event);
    }
    schedule_free(schedule);
    return events >= 0 ? 2 * time + 1 : time;
}

int agreement_check(struct system *system, double end_time, int with_textbook)
{
    struct error error = {0};
    struct error other_error = {0};
    OWNED(system, cells) = system_copy(system);
    OWNED(system, textbook) = system_copy(system);
    enum status status = agreement_run(SCHEDULE_ARRAY, system, end_time, &error);
    int same = CHECK(agreement_run(SCHEDULE_CELLS, &cells, end_time, &other_error) == status) &&
               CHECK(agreement_is_same(&cells, system));
    if (status)
        same &= CHECK(strcmp(error.message, other_error.message) == 0);
    if (with_textbook)
        same &=
            CHECK(agreement_run(SCHEDULE_TEXTBOOK, &textbook, end_time, &other_error) == status) &&
            CHECK(agreement_is_same(&textbook, system));
    return same;
}
