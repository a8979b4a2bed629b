/* Tests of what all schedules promise: first predictions can be made part by part, by
 * schedule_predict or by schedule_next, and an advance is no event; neither makes a difference. */
#include "agreement.h"
#include "check.h"
#include "run/dynamics.h"
#include "schedule/schedules.h"
#include "witness.h"

/* The textbook schedule, the first, is slow where there are many particles. */
static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};

/* Runs `system`, having asked for `parts` of the predictions, up to `stop`; or, without `stopper`,
 * as nothing observes it. */
static enum status run(struct system *system, enum schedule_kind kind, int parts,
                       struct stopper *stopper, struct notifications stop)
{
    const double end_time = 2;
    struct schedule *schedule = NULL;
    struct observers observers = {0};
    if (stopper)
        stopper_join(stopper, stop, &observers);
    if (!CHECK(schedule_create(kind, system, NULL, &schedule, &failure) == STATUS_DONE))
        return STATUS_NO_MEMORY;
    for (int k = 0; k < parts; k++)
        schedule_predict(schedule);
    enum status status = simulation_run(schedule, end_time, &observers, &failure);
    if (!status)
        CHECK(schedule_predict(schedule) == 1);
    if (status)
        CHECK(strcmp(failure.message, "interrupted at time 0") == 0);
    schedule_free(schedule);
    return status;
}

RANDOM_TEST(predictions_in_parts, 40)
{
    for (size_t count = 1; count < 2500; count = 3 * count + 1) {
        OWNED(system, plain) = random_system(random, count, 0.2, 1);
        OWNED(system, start) = system_copy(&plain);
        CHECK(run(&plain, SCHEDULE_ARRAY, 0, NULL, NEVER) == STATUS_DONE);
        for (int parts = 0; parts < 4; parts++) {
            for (size_t k = count > 200; k < LENGTH(kinds); k++) {
                struct stopper stopper = {.part = 1};
                OWNED(system, system) = system_copy(&start);
                CHECK(!run(&system, kinds[k], parts, parts % 2 ? &stopper : NULL, NEVER));
                CHECK(agreement_is_same(&system, &plain));
                CHECK(stopper.part == 1);
            }
        }
    }
}

RANDOM_TEST(an_interruption_while_predicting, 41)
{
    for (size_t k = 0; k < LENGTH(kinds); k++) {
        OWNED(system, start) = random_system(random, k == 0 ? 200 : 2500, 0.2, 1);
        struct system system = system_copy(&start);
        struct stopper stopper;
        struct notifications middle = NEVER;
        CHECK(run(&system, kinds[k], 0, &stopper, NEVER) == STATUS_DONE);
        CHECK(stopper.notified.predictions > 1);
        system_free(&system);
        system = system_copy(&start);
        middle.predictions = stopper.notified.predictions / 2;
        CHECK(run(&system, kinds[k], 0, &stopper, middle) == STATUS_INTERRUPTED);
        CHECK(stopper.notified.predictions == middle.predictions && stopper.part < 1);
        CHECK(agreement_is_same(&system, &start));
        system_free(&system);
    }
}

/* A system with any of seams, streams, walls that act, kinds and losses. */
static struct system any_system(struct random_generator *random, size_t count)
{
    const size_t kind = random_below(random, MIXED_KINDS + 1);
    const double part = 0.05 + 0.4 * random_unit(random);
    struct system system = kind == MIXED_KINDS
                               ? random_system(random, count, part, 1)
                               : mixed_system(random, (enum mixed_kind)kind, count, part);
    if (kind != MIXED_KINDS || random_below(random, 2))
        system.law = (struct system_law){RULE_ELASTIC, random_below(random, 2) ? 1 : 0.9, 0.01};
    if (random_below(random, 2))
        random_periodic(random, &system, random_axes(random));
    random_stream(random, &system);
    random_walls(random, &system);
    return system;
}

static struct schedule *create_kind(size_t kind, struct system *system)
{
    static const struct schedule_threads threads = {2, 4};
    struct schedule *schedule = NULL;
    CHECK(!(kind == LENGTH(kinds)
                ? tiles_create(system, &threads, &schedule, &failure)
                : schedule_create(kinds[kind], system, NULL, &schedule, &failure)));
    return schedule;
}

/* Advances to times between 0 and `end_time`, some again, some at an event, and to that. */
static void run_with_stops(struct schedule *schedule, double end_time, size_t stops,
                           struct random_generator *random)
{
    double time = 0;
    for (size_t k = 0; k < stops; k++) {
        const double left = (end_time - time) / (double)(stops - k);
        const double last = system_last_time(schedule->system);
        time = fmin(time + 2 * left * random_unit(random), end_time);
        if (random_below(random, 4) == 0)
            time = fmax(last, time - 2 * left);
        CHECK(!simulation_run(schedule, time, NULL, &failure));
        CHECK(system_last_time(schedule->system) <= time);
    }
    CHECK(!simulation_run(schedule, end_time, NULL, &failure));
}

RANDOM_TEST(an_advance_is_no_event, 49)
{
    const int rounds = check_is_thorough() ? 300 : 16;
    for (int round = 0; round < rounds; round++) {
        OWNED(system, start) = any_system(random, 2 + random_below(random, 80));
        OWNED(system, plain) = system_copy(&start);
        const double end_time = agreement_time(&start, 400);
        CHECK(!agreement_run(SCHEDULE_CELLS, &plain, end_time, &failure));
        for (size_t kind = 0; kind <= LENGTH(kinds); kind++) {
            OWNED(system, system) = system_copy(&start);
            struct schedule *schedule = create_kind(kind, &system);
            run_with_stops(schedule, end_time, 1 + random_below(random, 60), random);
            schedule_free(schedule);
            CHECK(agreement_is_same(&system, &plain));
        }
    }
}
