/*
 * Tests of what all schedules promise about their first predictions: they can be made part by part,
 * by schedule_predict or by schedule_next, and it makes no difference.
 */
#include "check.h"
#include "random_system.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

/* An observer that counts how often it is told about predictions, and may end the run. */
struct witness {
    struct observer observer;
    int calls, is_rising;
    double part, last_part; /* told last; and at which to interrupt the run */
    sig_atomic_t interrupt;
};

static void witness_wait(struct observer *observer, double part)
{
    struct witness *witness = (struct witness *)observer;
    witness->calls++;
    witness->is_rising &= part > witness->part && part <= 1;
    witness->part = part;
    if (part >= witness->last_part)
        witness->interrupt = 1;
}

static enum status witness_collide(struct observer *observer, const struct collision *collision,
                                   struct error *error)
{
    struct witness *witness = (struct witness *)observer;
    (void)collision;
    (void)error;
    witness->is_rising &= witness->part == 1; /* by now all are made */
    return STATUS_DONE;
}

static void witness_free(struct observer *observer)
{
    (void)observer;
}

/* The textbook schedule, the first, is slow where there are many particles. */
static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};

/* Runs `system`, having asked for `parts` of the predictions; `witness` observes it, or nothing if
 * that is NULL. */
static enum status run(struct system *system, enum schedule_kind kind, int parts,
                       struct witness *witness)
{
    static const struct observer_operations operations = {
        .wait = witness_wait, .collide = witness_collide, .free = witness_free};
    const double end_time = 2;
    struct error error;
    struct schedule *schedule = NULL;
    struct observers observers = {0};
    if (witness) {
        witness->observer =
            (struct observer){.operations = &operations, .next_look = (double)INFINITY};
        observers.interrupt = &witness->interrupt;
        observers_add(&observers, &witness->observer);
    }
    if (!CHECK(schedule_create(kind, system, end_time, &schedule, &error) == STATUS_DONE))
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

static void test_predictions_in_parts(void)
{
    struct random random = {40};
    for (size_t count = 1; count < 2500; count = 3 * count + 1) {
        struct system plain = random_system(&random, count, 0.2, 1);
        struct system start = system_copy(&plain);
        CHECK(run(&plain, SCHEDULE_ARRAY, 0, NULL) == STATUS_DONE);
        for (int parts = 0; parts < 4; parts++) {
            for (size_t k = count > 200; k < sizeof kinds / sizeof kinds[0]; k++) {
                struct witness witness = {.is_rising = 1, .last_part = 2};
                struct system system = system_copy(&start);
                CHECK(run(&system, kinds[k], parts, parts % 2 ? &witness : NULL) == STATUS_DONE);
                CHECK(memcmp(system.particles, plain.particles, count * sizeof *plain.particles) ==
                      0);
                if (parts % 2)
                    CHECK(witness.is_rising && witness.part == 1);
                system_free(&system);
            }
        }
        system_free(&plain);
        system_free(&start);
    }
}

static void test_an_interruption_while_predicting(void)
{
    struct random random = {41};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct system start = random_system(&random, k == 0 ? 200 : 2500, 0.2, 1);
        struct witness witness = {.is_rising = 1, .last_part = 0.5};
        struct system system = system_copy(&start);
        CHECK(run(&system, kinds[k], 0, &witness) == STATUS_INTERRUPTED);
        CHECK(witness.is_rising && witness.calls > 1 && witness.part >= 0.5 && witness.part < 1);
        CHECK(memcmp(system.particles, start.particles, start.count * sizeof *start.particles) ==
              0);
        system_free(&system);
        system_free(&start);
    }
}

int main(void)
{
    RUN(test_predictions_in_parts);
    RUN(test_an_interruption_while_predicting);
    return check_finish();
}
