/*
 * Tests of who is told what, and in which order.
 */
#include "run/observer.h"

#include "check.h"
#include "observed.h"
#include "random_system.h"
#include "run/simulation.h"
#include "witness.h"

#include <math.h>
#include <string.h>

/* A system of which observers are told, but for runs. */
static const struct system nothing = {.count = 0};

static void test_the_beginning(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.c.looks[0] = 0.25;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(watch.a.observer.has_begun && watch.b.observer.has_begun && watch.c.observer.has_begun);
    CHECK(watch.observers.count == 3 && watch.observers.next_look == 0.25);
    CHECK(observers_begin(&watch.observers, &nothing, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "")); /* once is enough */
    observers_free(&watch.observers);
}

/* As when a checkpoint has been loaded for some, and the others are new. */
static void test_only_those_begin_that_have_not(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.has_begun = 1;
    watch.a.observer.next_look = 7;
    watch.b.looks[0] = 8;
    watch.c.observer.operations = &witness_nothing;
    watch.c.observer.next_look = (double)INFINITY;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b begin 0, "));
    CHECK(watch.c.observer.has_begun);
    CHECK(watch.observers.next_look == 7);
    observers_free(&watch.observers);
}

static void test_adding_finds_the_next_look(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.next_look = 5;
    watch.b.observer.next_look = 3;
    watch.c.observer.next_look = 4;
    observers_add(&watch.observers, &watch.a.observer);
    CHECK(watch.observers.next_look == 5);
    observers_add(&watch.observers, &watch.b.observer);
    CHECK(watch.observers.next_look == 3);
    observers_add(&watch.observers, &watch.c.observer);
    CHECK(watch.observers.next_look == 3);
    CHECK(watch.observers.list[0] == &watch.a.observer &&
          watch.observers.list[1] == &watch.b.observer &&
          watch.observers.list[2] == &watch.c.observer);
    observers_free(&watch.observers);
}

/* Only of those that are told of events; and anew when they have begun. */
static void test_from_when_events_are_told(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.told_from = 5;
    watch.b.observer.told_from = 3;
    watch.c.observer.told_from = 1;
    watch.c.observer.operations = &witness_nothing;
    observers_add(&watch.observers, &watch.c.observer);
    CHECK(watch.observers.told_from == (double)INFINITY);
    observers_add(&watch.observers, &watch.a.observer);
    CHECK(watch.observers.told_from == 5);
    observers_add(&watch.observers, &watch.b.observer);
    CHECK(watch.observers.told_from == 3);
    watch.b.observer.told_from = 4;
    CHECK(observers_begin(&watch.observers, &nothing, &watch.error) == STATUS_DONE);
    CHECK(watch.observers.told_from == 4);
    observers_free(&watch.observers);
}

static void test_collisions_and_the_end(void)
{
    const struct collision collision = {.time = 2.5};
    struct witnesses watch;
    witnesses_make(&watch);
    watch.b.observer.operations = &witness_nothing;
    watch.b.observer.next_look = (double)INFINITY;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(observers_collide(&watch.observers, &collision, &watch.error) == STATUS_DONE);
    CHECK(observers_finish(&watch.observers, &nothing, 4, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a begin 0, c begin 0, a collide 2.5, c collide 2.5, a finish 4, "
                                 "c finish 4, "));
    observers_free(&watch.observers);
    CHECK(witnesses_told(&watch, "a free 0, b free 0, c free 0, "));
    CHECK(watch.observers.count == 0 && watch.observers.interrupt == NULL);
}

/* Those are told of a new velocity that want to know, up to one that fails. */
static void test_renewals(void)
{
    const struct collision passage = {.time = 1.5};
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.operations = watch.c.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_renew(&watch.observers, &passage, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a renew 1.5, c renew 1.5, "));
    watch.a.fails = "renew";
    CHECK(observers_renew(&watch.observers, &passage, &watch.error) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_told(&watch, "a renew 1.5, "));
    observers_free(&watch.observers);
}

/* One that fails ends it: those after it are not told, and its status and message stay. */
static void test_a_failure_stops_the_others(void)
{
    const struct collision collision = {.time = 1};
    static const char *const operations[] = {"begin", "collide", "look", "rest", "finish"};
    static const char *const expected[] = {
        "a begin 0, b begin 0, ", "a rest 0, b rest 0, c rest 0, a collide 1, b collide 1, ",
        "a rest 0, b rest 0, c rest 0, a look 0.5, b look 0.5, ", "a rest 0, b rest 0, ",
        "a finish 3, b finish 3, "};
    for (int k = 0; k < 5; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.b.fails = operations[k];
        if (k > 0 && k < 4)
            watch.a.observer.operations = watch.b.observer.operations =
                watch.c.observer.operations = &witness_all;
        if (k == 2)
            watch.a.looks[0] = watch.b.looks[0] = watch.c.looks[0] = 0.5;
        enum status status = witnesses_begin(&watch);
        if (k > 0)
            CHECK(!status && witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
        if (k > 0 && k < 4)
            status = observers_look(&watch.observers, &nothing, 1, &watch.error);
        if (k == 1) {
            CHECK(status == STATUS_DONE);
            status = observers_collide(&watch.observers, &collision, &watch.error);
        }
        if (k == 4)
            status = observers_finish(&watch.observers, &nothing, 3, &watch.error);
        CHECK(status == STATUS_CANNOT_WRITE);
        CHECK(strcmp(watch.error.message, "b has failed") == 0);
        CHECK(witnesses_told(&watch, expected[k]));
        CHECK(k > 0 || !watch.c.observer.has_begun);
        observers_free(&watch.observers);
    }
}

/* If a look at the end fails, no observer finishes: nothing is completed. */
static void test_a_failing_last_look(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.c.looks[0] = 3;
    watch.c.fails = "look";
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 3, &watch.error) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_told(&watch, "c look 3, "));
    observers_free(&watch.observers);
}

/* Each time in turn, and all that look at one time in the order in which they were added. */
static void test_looks_in_the_order_of_their_times(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.looks[0] = 2;
    watch.a.looks[1] = 4;
    watch.b.looks[0] = 1;
    watch.b.looks[1] = 2;
    watch.b.looks[2] = 3;
    watch.c.looks[0] = 2;
    watch.c.looks[1] = 2.5;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_look(&watch.observers, &nothing, 1, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "")); /* the collision at 1 comes first */
    CHECK(observers_look(&watch.observers, &nothing, 1.5, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b look 1, ") && watch.observers.next_look == 2);
    CHECK(observers_look(&watch.observers, &nothing, 2.75, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a look 2, b look 2, c look 2, c look 2.5, "));
    CHECK(watch.observers.next_look == 3);
    CHECK(observers_finish(&watch.observers, &nothing, 4, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b look 3, a look 4, a finish 4, b finish 4, c finish 4, "));
    observers_free(&watch.observers);
}

/* The end is included, and nothing after it. */
static void test_the_last_look(void)
{
    static const double ends[] = {0, 1, 1e-40, 1e40};
    for (int k = 0; k < 4; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.a.looks[0] = ends[k];
        watch.b.looks[0] = nextafter(ends[k], (double)INFINITY);
        watch.c.looks[0] = nextafter(ends[k], -1);
        CHECK(witnesses_begin(&watch) == STATUS_DONE);
        CHECK(observers_finish(&watch.observers, &nothing, ends[k], &watch.error) == STATUS_DONE);
        CHECK(watch.a.looked == 1 && watch.b.looked == 0 && watch.c.looked == 1);
        observers_free(&watch.observers);
    }
}

/* Before each time of looks, and before the time that was asked for: once each. */
static void test_rests(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.looks[0] = 1;
    watch.a.looks[1] = 2;
    watch.b.looks[0] = 1;
    watch.b.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_look(&watch.observers, &nothing, 0.5, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b rest 0, "));
    CHECK(observers_look(&watch.observers, &nothing, 3, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b rest 0, a look 1, b look 1, b rest 0, a look 2, b rest 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 3, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "b rest 0, a finish 3, b finish 3, c finish 3, "));
    observers_free(&watch.observers);
}

/* A signal has come: no observer rests, looks or finishes; the message tells the time. */
static void test_an_interruption(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.operations = watch.c.observer.operations = &witness_all;
    watch.b.looks[0] = 4.5;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    watch.transcript.flag = 15;
    CHECK(observers_look(&watch.observers, &nothing, 4.25, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_told(&watch, "a interrupt 0, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 4.25, as a knows, as c knows") == 0);
    CHECK(observers_look(&watch.observers, &nothing, 5, &watch.error) == STATUS_INTERRUPTED);
    CHECK(strcmp(watch.error.message, "interrupted at time 4.5, as a knows, as c knows") == 0);
    CHECK(witnesses_told(&watch, "a interrupt 0, c interrupt 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 9, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_told(&watch, "a interrupt 0, c interrupt 0, "));
    watch.a.fails = "interrupt"; /* such as a checkpoint that cannot be written */
    CHECK(observers_look(&watch.observers, &nothing, 5, &watch.error) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_told(&watch, "a interrupt 0, "));
    CHECK(strcmp(watch.error.message, "a has failed") == 0);
    watch.observers.interrupt = NULL; /* a run without a flag ignores signals */
    CHECK(observers_look(&watch.observers, &nothing, 4.25, &watch.error) == STATUS_DONE);
    CHECK(witnesses_told(&watch, "a rest 0, c rest 0, "));
    observers_free(&watch.observers);
}

/* A signal in the middle of looks: those of this time are told, so that all know the same. */
static void test_an_interruption_between_two_looks(void)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.looks[0] = watch.b.looks[0] = 1;
    watch.a.looks[1] = watch.b.looks[1] = 2;
    watch.a.raises = "look";
    watch.c.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_look(&watch.observers, &nothing, 3, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_told(&watch, "c rest 0, a look 1, b look 1, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 2, as c knows") == 0);
    observers_free(&watch.observers);
}

static void test_without_observers(void)
{
    const struct collision collision = {.time = 1};
    struct observers observers = {0};
    struct error error;
    CHECK(observers_begin(&observers, &nothing, &error) == STATUS_DONE);
    CHECK(observers.next_look == (double)INFINITY);
    CHECK(observers_look(&observers, &nothing, 1, &error) == STATUS_DONE);
    CHECK(observers_collide(&observers, &collision, &error) == STATUS_DONE);
    CHECK(observers_finish(&observers, &nothing, 1, &error) == STATUS_DONE);
    observers_free(&observers);
}

/*
 * A run that witness a observes: a disk that hits the walls at the times 4, 20 and so on. The
 * looks at 4 and 20, which is the end, come after the collisions.
 */
static enum status run(struct witnesses *watch, enum schedule_kind kind, double told_from)
{
    struct random_generator random = random_from(1);
    struct system system = random_lattice(&random, 1, 1, 4);
    system.boundary.width = 18;
    system.particles[0].u = -1;
    system.particles[0].v = 0;
    watch->a.observer.operations = &witness_all;
    watch->a.looks[0] = 4;
    watch->a.looks[1] = 20;
    watch->a.looks[2] = 21;
    watch->a.observer.told_from = told_from;
    enum status status = observed_run(&system, kind, 20, &watch->a.observer, &watch->error);
    system_free(&system);
    return status;
}

static void test_a_run(void)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_ARRAY, SCHEDULE_CELLS};
    for (int k = 0; k < 2; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        CHECK(run(&watch, kinds[k], 0) == STATUS_DONE);
        CHECK(witnesses_told(
            &watch, "a begin 0, a rest 0, a collide 4, a rest 0, a look 4, a rest 0, "
                    "a collide 20, a rest 0, a look 20, a rest 0, a finish 20, a free 0, "));
        observers_free(&watch.observers);
        witnesses_make(&watch);
        CHECK(run(&watch, kinds[k], 4) == STATUS_DONE);
        CHECK(witnesses_told(
            &watch, "a begin 0, a rest 0, a rest 0, a look 4, a rest 0, a rest 0, "
                    "a collide 20, a rest 0, a look 20, a rest 0, a finish 20, a free 0, "));
        observers_free(&watch.observers);
    }
}

/* A signal during a collision: before anything else happens, all are told; none finishes. */
static void test_an_interrupted_run(void)
{
    struct witnesses watch;
    struct schedule *schedule = NULL;
    struct random_generator random = random_from(1);
    struct system system = random_lattice(&random, 1, 1, 4);
    system.particles[0].u = 1;
    system.particles[0].v = 0;
    witnesses_make(&watch);
    watch.a.raises = "collide";
    watch.c.observer.operations = &witness_all;
    watch.c.looks[0] = 6;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(!schedule_create(SCHEDULE_ARRAY, &system, 40, &schedule, &watch.error));
    CHECK(simulation_run(&system, schedule, 40, &watch.observers, &watch.error) ==
          STATUS_INTERRUPTED);
    CHECK(witnesses_told(&watch, "a begin 0, b begin 0, c begin 0, c rest 0, a collide 4, "
                                 "b collide 4, c collide 4, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 6, as c knows") == 0);
    CHECK(system.counts[0].walls == 1);
    schedule_free(schedule);
    system_free(&system);
    observers_free(&watch.observers);
}

/* One that fails in a run ends it, does not finish, and is freed. */
static void test_a_run_that_fails(void)
{
    static const char *const operations[] = {"begin", "rest", "collide", "look", "finish"};
    static const char *const expected[] = {
        "a begin 0, a free 0, ", "a begin 0, a rest 0, a free 0, ",
        "a begin 0, a rest 0, a collide 4, a free 0, ",
        "a begin 0, a rest 0, a collide 4, a rest 0, a look 4, a free 0, ",
        ("a begin 0, a rest 0, a collide 4, a rest 0, a look 4, a rest 0, a collide 20, a rest 0, "
         "a look 20, a rest 0, a finish 20, a free 0, ")};
    for (int k = 0; k < 5; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.a.fails = operations[k];
        CHECK(run(&watch, SCHEDULE_ARRAY, 0) == STATUS_CANNOT_WRITE);
        CHECK(witnesses_told(&watch, expected[k]));
        observers_free(&watch.observers);
    }
}

int main(void)
{
    RUN(test_the_beginning);
    RUN(test_only_those_begin_that_have_not);
    RUN(test_adding_finds_the_next_look);
    RUN(test_from_when_events_are_told);
    RUN(test_collisions_and_the_end);
    RUN(test_renewals);
    RUN(test_a_failure_stops_the_others);
    RUN(test_a_failing_last_look);
    RUN(test_looks_in_the_order_of_their_times);
    RUN(test_the_last_look);
    RUN(test_rests);
    RUN(test_an_interruption);
    RUN(test_an_interruption_between_two_looks);
    RUN(test_without_observers);
    RUN(test_a_run);
    RUN(test_an_interrupted_run);
    RUN(test_a_run_that_fails);
    return check_finish();
}
