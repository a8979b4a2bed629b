/*
 * Tests of what all schedules promise about their first predictions: they can be made part by part,
 * by schedule_predict or by schedule_next, and it makes no difference.
 */
#include "agreement.h"
#include "check.h"
#include "random_system.h"
#include "run/simulation.h"
#include "witness.h"

#include <string.h>

/* The textbook schedule, the first, is slow where there are many particles. */
static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};

/* Runs `system`, having asked for `parts` of the predictions, up to `stop`; or, without `stopper`,
 * as nothing observes it. */
static enum status run(struct system *system, enum schedule_kind kind, int parts,
                       struct stopper *stopper, struct notifications stop)
{
    const double end_time = 2;
    struct error error;
    struct schedule *schedule = NULL;
    struct observers observers = {0};
    if (stopper)
        stopper_join(stopper, stop, &observers);
    if (!CHECK(schedule_create(kind, system, end_time, NULL, &schedule, &error) == STATUS_DONE))
        return STATUS_NO_MEMORY;
    for (int k = 0; k < parts; k++)
        schedule_predict(schedule);
    enum status status = simulation_run(system, schedule, end_time, &observers, &error);
    if (!status)
        CHECK(schedule_predict(schedule) == 1);
    if (status)
        CHECK(strcmp(error.message, "interrupted at time 0") == 0);
    schedule_free(schedule);
    system_restore_order(system);
    return status;
}

TEST(predictions_in_parts)
{
    struct random_generator random = random_from(40);
    for (size_t count = 1; count < 2500; count = 3 * count + 1) {
        OWNED(system, plain) = random_system(&random, count, 0.2, 1);
        OWNED(system, start) = system_copy(&plain);
        CHECK(run(&plain, SCHEDULE_ARRAY, 0, NULL, NEVER) == STATUS_DONE);
        for (int parts = 0; parts < 4; parts++) {
            for (size_t k = count > 200; k < sizeof kinds / sizeof kinds[0]; k++) {
                struct stopper stopper = {.part = 1};
                OWNED(system, system) = system_copy(&start);
                CHECK(run(&system, kinds[k], parts, parts % 2 ? &stopper : NULL, NEVER) ==
                      STATUS_DONE);
                CHECK(agreement_is_same(&system, &plain));
                CHECK(stopper.part == 1);
            }
        }
    }
}

TEST(an_interruption_while_predicting)
{
    struct random_generator random = random_from(41);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        OWNED(system, start) = random_system(&random, k == 0 ? 200 : 2500, 0.2, 1);
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
