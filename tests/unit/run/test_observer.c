/* Tests of which observer is notified of what, and in which order. */
#include "run/observer.h"

#include "agreement.h"
#include "check.h"
#include "observed.h"
#include "witness.h"

/* The system of all observers but those of runs. */
static const struct system nothing = {.count = 0};

TEST(the_beginning)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.c.times[0] = 0.25;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(watch.a.observer.has_begun && watch.b.observer.has_begun && watch.c.observer.has_begun);
    CHECK(watch.observers.count == 3 && watch.observers.next_sample == 0.25);
    CHECK(observers_begin(&watch.observers, &nothing, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "")); /* once is enough */
    observers_free(&watch.observers);
}

/* As when a checkpoint has been loaded for some, and the others are new. */
TEST(only_those_begin_that_have_not)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.has_begun = 1;
    watch.a.observer.next_sample = 7;
    watch.b.times[0] = 8;
    watch.c.observer.operations = &witness_nothing;
    watch.c.observer.next_sample = (double)INFINITY;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "b begin 0, "));
    CHECK(watch.c.observer.has_begun);
    CHECK(watch.observers.next_sample == 7);
    observers_free(&watch.observers);
}

TEST(adding_finds_the_next_look)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.next_sample = 5;
    watch.b.observer.next_sample = 3;
    watch.c.observer.next_sample = 4;
    observers_add(&watch.observers, &watch.a.observer);
    CHECK(watch.observers.next_sample == 5);
    observers_add(&watch.observers, &watch.b.observer);
    CHECK(watch.observers.next_sample == 3);
    observers_add(&watch.observers, &watch.c.observer);
    CHECK(watch.observers.next_sample == 3);
    CHECK(watch.observers.list[0] == &watch.a.observer &&
          watch.observers.list[1] == &watch.b.observer &&
          watch.observers.list[2] == &watch.c.observer);
    observers_free(&watch.observers);
}

/* The earliest time of the observers that want events; found again when they have begun. */
TEST(from_when_events_are_told)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.notify_from = 5;
    watch.b.observer.notify_from = 3;
    watch.c.observer.notify_from = 1;
    watch.c.observer.operations = &witness_nothing;
    observers_add(&watch.observers, &watch.c.observer);
    CHECK(watch.observers.notify_from == (double)INFINITY);
    observers_add(&watch.observers, &watch.a.observer);
    CHECK(watch.observers.notify_from == 5);
    observers_add(&watch.observers, &watch.b.observer);
    CHECK(watch.observers.notify_from == 3);
    watch.b.observer.notify_from = 4;
    CHECK(observers_begin(&watch.observers, &nothing, &watch.error) == STATUS_DONE);
    CHECK(watch.observers.notify_from == 4);
    observers_free(&watch.observers);
}

static enum status notify(struct witnesses *watch, const struct collision *collision)
{
    watch->observers.batch.list[watch->observers.batch.count++] = *collision;
    return observers_hand_over(&watch->observers, 1, collision->time, &watch->error);
}

TEST(collisions_and_the_end)
{
    const struct collision collision = {.time = 2.5};
    struct witnesses watch;
    witnesses_make(&watch);
    watch.b.observer.operations = &witness_nothing;
    watch.b.observer.next_sample = (double)INFINITY;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(notify(&watch, &collision) == STATUS_DONE);
    CHECK(observers_finish(&watch.observers, &nothing, 4, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a begin 0, c begin 0, a collide 2.5, c collide 2.5, a finish 4, "
                                  "c finish 4, "));
    observers_free(&watch.observers);
    CHECK(witnesses_wrote(&watch, "a free 0, b free 0, c free 0, "));
    CHECK(watch.observers.count == 0 && watch.observers.interrupt == NULL);
}

/* Observers with such an operation are notified of a new velocity, up to one that fails. */
TEST(renewals)
{
    const struct collision passage = {.time = 1.5, .is_reinjection = 1};
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.operations = watch.c.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(notify(&watch, &passage) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a reinject 1.5, c reinject 1.5, "));
    watch.a.fails = "reinject";
    CHECK(notify(&watch, &passage) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_wrote(&watch, "a reinject 1.5, "));
    observers_free(&watch.observers);
}

/* An observer that fails ends it: those after it are not notified; its status and message stay. */
TEST(a_failure_stops_the_others)
{
    const struct collision collision = {.time = 1};
    static const char *const operations[] = {"begin", "collide", "sample", "quiescent", "finish"};
    static const char *const expected[] = {
        "a begin 0, b begin 0, ",
        "a quiescent 0, b quiescent 0, c quiescent 0, a collide 1, b collide 1, ",
        "a quiescent 0, b quiescent 0, c quiescent 0, a sample 0.5, b sample 0.5, ",
        "a quiescent 0, b quiescent 0, ", "a finish 3, b finish 3, "};
    for (int k = 0; k < 5; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.b.fails = operations[k];
        if (k > 0 && k < 4)
            watch.a.observer.operations = watch.b.observer.operations =
                watch.c.observer.operations = &witness_all;
        if (k == 2)
            watch.a.times[0] = watch.b.times[0] = watch.c.times[0] = 0.5;
        enum status status = witnesses_begin(&watch);
        if (k > 0)
            CHECK(!status && witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
        if (k > 0 && k < 4)
            status = observers_sample(&watch.observers, &nothing, 1, &watch.error);
        if (k == 1) {
            CHECK(status == STATUS_DONE);
            status = notify(&watch, &collision);
        }
        if (k == 4)
            status = observers_finish(&watch.observers, &nothing, 3, &watch.error);
        CHECK(status == STATUS_CANNOT_WRITE);
        CHECK(strcmp(watch.error.message, "b has failed") == 0);
        CHECK(witnesses_wrote(&watch, expected[k]));
        CHECK(k > 0 || !watch.c.observer.has_begun);
        observers_free(&watch.observers);
    }
}

/* If a sample at the end fails, no observer finishes: nothing is completed. */
TEST(a_failing_last_look)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.c.times[0] = 3;
    watch.c.fails = "sample";
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 3, &watch.error) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_wrote(&watch, "c sample 3, "));
    observers_free(&watch.observers);
}

/* In the order of times, and at one time in the order in which observers were added. */
TEST(samples_in_the_order_of_their_times)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.times[0] = 2;
    watch.a.times[1] = 4;
    watch.b.times[0] = 1;
    watch.b.times[1] = 2;
    watch.b.times[2] = 3;
    watch.c.times[0] = 2;
    watch.c.times[1] = 2.5;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_sample(&watch.observers, &nothing, 1, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "")); /* the collision at 1 comes first */
    CHECK(observers_sample(&watch.observers, &nothing, 1.5, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "b sample 1, ") && watch.observers.next_sample == 2);
    CHECK(observers_sample(&watch.observers, &nothing, 2.75, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a sample 2, b sample 2, c sample 2, c sample 2.5, "));
    CHECK(watch.observers.next_sample == 3);
    CHECK(observers_finish(&watch.observers, &nothing, 4, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "b sample 3, a sample 4, a finish 4, b finish 4, c finish 4, "));
    observers_free(&watch.observers);
}

/* The end is included, and nothing after it. */
TEST(the_last_look)
{
    static const double ends[] = {0, 1, 1e-40, 1e40};
    for (int k = 0; k < 4; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.a.times[0] = ends[k];
        watch.b.times[0] = nextafter(ends[k], (double)INFINITY);
        watch.c.times[0] = nextafter(ends[k], -1);
        CHECK(witnesses_begin(&watch) == STATUS_DONE);
        CHECK(observers_finish(&watch.observers, &nothing, ends[k], &watch.error) == STATUS_DONE);
        CHECK(watch.a.samples == 1 && watch.b.samples == 0 && watch.c.samples == 1);
        observers_free(&watch.observers);
    }
}

/* Before each time of a sample, and before the time that was asked for: once each. */
TEST(quiescent_points)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.times[0] = 1;
    watch.a.times[1] = 2;
    watch.b.times[0] = 1;
    watch.b.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_sample(&watch.observers, &nothing, 0.5, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "b quiescent 0, "));
    CHECK(observers_sample(&watch.observers, &nothing, 3, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(
        &watch,
        "b quiescent 0, a sample 1, b sample 1, b quiescent 0, a sample 2, b quiescent 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 3, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "b quiescent 0, a finish 3, b finish 3, c finish 3, "));
    observers_free(&watch.observers);
}

/* A signal has come: no observer samples, finishes or writes a checkpoint; the message has the
 * time. */
TEST(an_interruption)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.observer.operations = watch.c.observer.operations = &witness_all;
    watch.b.times[0] = 4.5;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    watch.transcript.flag = 15;
    CHECK(observers_sample(&watch.observers, &nothing, 4.25, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_wrote(&watch, "a interrupt 0, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 4.25, as a knows, as c knows") == 0);
    CHECK(observers_sample(&watch.observers, &nothing, 5, &watch.error) == STATUS_INTERRUPTED);
    CHECK(strcmp(watch.error.message, "interrupted at time 4.5, as a knows, as c knows") == 0);
    CHECK(witnesses_wrote(&watch, "a interrupt 0, c interrupt 0, "));
    CHECK(observers_finish(&watch.observers, &nothing, 9, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_wrote(&watch, "a interrupt 0, c interrupt 0, "));
    watch.a.fails = "interrupt"; /* such as a checkpoint that cannot be written */
    CHECK(observers_sample(&watch.observers, &nothing, 5, &watch.error) == STATUS_CANNOT_WRITE);
    CHECK(witnesses_wrote(&watch, "a interrupt 0, "));
    CHECK(strcmp(watch.error.message, "a has failed") == 0);
    watch.observers.interrupt = NULL; /* a run without a flag ignores signals */
    CHECK(observers_sample(&watch.observers, &nothing, 4.25, &watch.error) == STATUS_DONE);
    CHECK(witnesses_wrote(&watch, "a quiescent 0, c quiescent 0, "));
    observers_free(&watch.observers);
}

/* A signal in the middle of samples: all of this time are taken, so that all know the same. */
TEST(an_interruption_between_two_samples)
{
    struct witnesses watch;
    witnesses_make(&watch);
    watch.a.times[0] = watch.b.times[0] = 1;
    watch.a.times[1] = watch.b.times[1] = 2;
    watch.a.raises = "sample";
    watch.c.observer.operations = &witness_all;
    CHECK(witnesses_begin(&watch) == STATUS_DONE &&
          witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, "));
    CHECK(observers_sample(&watch.observers, &nothing, 3, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_wrote(&watch, "c quiescent 0, a sample 1, b sample 1, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 2, as c knows") == 0);
    observers_free(&watch.observers);
}

TEST(without_observers)
{
    OWNED(observers, observers) = {0};
    CHECK(observers_begin(&observers, &nothing, &failure) == STATUS_DONE);
    CHECK(observers.next_sample == (double)INFINITY);
    CHECK(observers_sample(&observers, &nothing, 1, &failure) == STATUS_DONE);
    CHECK(observers_hand_over(&observers, 1, 1, &failure) == STATUS_DONE);
    CHECK(observers_finish(&observers, &nothing, 1, &failure) == STATUS_DONE);
}

/* An observer that checks batches. */
struct ledger {
    struct observer observer;    /* the first member */
    const struct system *system; /* of the run; not owned */
    volatile sig_atomic_t flag;
    uint64_t fails, raises; /* at this collision it fails, and raises the flag; 0: at none */
    uint64_t events, pairs, hits, mixed; /* mixed batches have both */
    uint64_t after;                      /* operations after it has failed */
    double time, sampled, sum;           /* sum: depends on the order of collisions */
    struct particle_counts interrupted;
};

static enum status ledger_take(struct observer *observer, const struct collision_batch *batch,
                               struct error *error)
{
    struct ledger *ledger = (struct ledger *)observer;
    uint64_t pairs = 0;
    CHECK(batch->count <= BATCH_COLLISIONS);
    ledger->events += batch->events;
    for (size_t k = 0; k < batch->count; k++) {
        const struct collision *collision = &batch->list[k];
        const int is_pair = collision->partner == PARTNER_PARTICLE;
        CHECK(collision->time >= ledger->time && collision->time > ledger->sampled);
        ledger->time = collision->time;
        pairs += (uint64_t)is_pair;
        ledger->sum = 0.9 * ledger->sum + collision->time * collision->a.u +
                      (is_pair ? collision->b.v * collision->dx : collision->feature);
        if (ledger->pairs + pairs + ledger->hits + (k + 1 - pairs) == ledger->raises)
            ledger->flag = 1;
        if (ledger->pairs + pairs + ledger->hits + (k + 1 - pairs) == ledger->fails)
            return error_set(error, STATUS_CANNOT_WRITE, "full");
    }
    CHECK(ledger->time <= batch->time);
    ledger->mixed += pairs > 0 && pairs < batch->count;
    ledger->pairs += pairs;
    ledger->hits += batch->count - pairs;
    return STATUS_DONE;
}

static enum status ledger_sample(struct observer *observer, const struct snapshot *snapshot,
                                 struct error *error)
{
    struct ledger *ledger = (struct ledger *)observer;
    (void)error;
    CHECK(ledger->time <= snapshot->time);
    ledger->sampled = snapshot->time;
    observer->next_sample = snapshot->time + 1.7;
    return STATUS_DONE;
}

static enum status ledger_interrupt(struct observer *observer, const struct snapshot *snapshot,
                                    struct error *error)
{
    struct ledger *ledger = (struct ledger *)observer;
    (void)error;
    CHECK(ledger->time <= snapshot->time);
    ledger->interrupted = snapshot_collisions(snapshot);
    return STATUS_INTERRUPTED;
}

/* Counts what it is notified of, and that nothing is notified after a failure. */
static enum status ledger_count(struct observer *observer, const struct collision_batch *batch,
                                struct error *error)
{
    struct ledger *ledger = (struct ledger *)observer;
    (void)error;
    ledger->events += batch->events;
    for (size_t k = 0; k < batch->count; k++)
        ledger->hits += batch->list[k].partner == PARTNER_BOUNDARY;
    return STATUS_DONE;
}

enum { LEDGERS = 3 }; /* of pairs, of the boundary alone, and of events alone */

static const struct observer_operations ledger_operations[LEDGERS] = {
    {.watches = WATCH_PAIRS,
     .take = ledger_take,
     .sample = ledger_sample,
     .interrupt = ledger_interrupt},
    {.watches = WATCH_BOUNDARY, .take = ledger_count},
    {.watches = WATCH_EVENTS, .take = ledger_count}};

/* The ways to find collisions; tiles on two threads last. */
enum { WAYS = 5 };
static const enum schedule_kind way_kinds[WAYS] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY,
                                                   SCHEDULE_CELLS, SCHEDULE_CELLS, SCHEDULE_CELLS};
static const uint32_t way_sides[WAYS] = {0, 0, 0, 2, 5};

/* Runs the disks of a seed with some of the ledgers, which are made before. */
static enum status keep_ledgers(int way, unsigned periodic, struct ledger *ledgers, int first,
                                int count, struct system *system)
{
    const struct schedule_threads threads = {way_sides[way] > 0 ? 2 : 1, way_sides[way]};
    struct random_generator random = random_from(3);
    struct observers observers = {.interrupt = &ledgers->flag};
    struct schedule *schedule = NULL;
    *system = random_system(&random, 150, 0.4, 1);
    system->boundary.periodic = periodic;
    for (int k = first; k < first + count; k++) {
        ledgers[k].observer = (struct observer){.operations = &ledger_operations[k],
                                                .next_sample = k == 0 ? 1.7 : (double)INFINITY};
        observers_add(&observers, &ledgers[k].observer);
    }
    CHECK(!schedule_create(way_kinds[way], system, &threads, &schedule, &failure));
    const enum status status = simulation_run(schedule, 9, &observers, &failure);
    schedule_free(schedule);
    return status;
}

static void check_counts(const struct system *system, uint64_t pairs, uint64_t hits)
{
    const struct snapshot snapshot = snapshot_in_order(system, 9);
    const struct particle_counts counts = snapshot_collisions(&snapshot);
    CHECK(counts.particles == pairs && counts.walls == hits);
}

/* Collisions with walls and of two are in the order of time, and the same in all ways, before each
 * sample. Some are listed for others: an observer of the boundary alone gets the same hits. */
TEST(batches_in_the_order_of_time)
{
    double sum = 0;
    for (int way = 0; way < WAYS; way++)
        for (int alone = 0; alone < 2; alone++) {
            struct ledger ledgers[LEDGERS] = {{.time = 0}};
            OWNED(system, system) = {0};
            CHECK(!keep_ledgers(way, PERIODIC_X, ledgers, alone, LEDGERS - alone, &system));
            const struct ledger *walls = &ledgers[1];
            CHECK(walls->hits > 20 && walls->events == ledgers[2].events);
            if (alone)
                continue;
            check_counts(&system, ledgers->pairs, ledgers->hits);
            CHECK(ledgers->pairs > 500 && ledgers->hits == walls->hits && ledgers->mixed > 5);
            CHECK(ledgers->events == ledgers->pairs + ledgers->hits);
            CHECK(ledgers->events == walls->events && ledgers->sampled > 8);
            sum = way == 0 ? ledgers->sum : sum;
            CHECK(ledgers->sum == sum);
        }
}

/* An observer that fails in the middle of a batch ends the run. */
TEST(a_failing_batch)
{
    for (int way = 0; way < WAYS; way++)
        for (uint64_t fails = 1; fails < 400; fails += check_is_thorough() ? 57 : 133) {
            struct ledger ledgers[LEDGERS] = {{.fails = fails}};
            OWNED(system, system) = {0};
            CHECK(keep_ledgers(way, 0, ledgers, 0, 1, &system) == STATUS_CANNOT_WRITE);
            CHECK(ledgers->pairs + ledgers->hits <= fails);
        }
}

/* A signal, whenever it comes: observers know all collisions that the system has had. */
TEST(a_signal_in_a_batch)
{
    for (int way = 0; way < WAYS; way++)
        for (uint64_t raises = 1; raises < 400; raises += check_is_thorough() ? 57 : 133) {
            struct ledger ledgers[LEDGERS] = {{.raises = raises}};
            OWNED(system, system) = {0};
            CHECK(keep_ledgers(way, 0, ledgers, 0, 1, &system) == STATUS_INTERRUPTED);
            CHECK(ledgers->interrupted.particles == ledgers->pairs &&
                  ledgers->interrupted.walls == ledgers->hits);
            CHECK(ledgers->pairs + ledgers->hits >= raises);
        }
}

/* A run that witness a observes: a disk that hits the walls at the times 4, 20 and so on. The
 * samples at 4 and 20, which is the end, come after the collisions. */
static enum status run(struct witnesses *watch, enum schedule_kind kind, double notify_from)
{
    struct random_generator random = random_from(1);
    OWNED(system, system) = random_lattice(&random, 1, 1, 4);
    system.boundary.width = 18;
    system.particles[0].u = -1;
    system.particles[0].v = 0;
    watch->a.observer.operations = &witness_all;
    watch->a.times[0] = 4;
    watch->a.times[1] = 20;
    watch->a.times[2] = 21;
    watch->a.observer.notify_from = notify_from;
    enum status status = observed_run(&system, kind, 20, &watch->a.observer, &watch->error);
    return status;
}

TEST(a_run)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_ARRAY, SCHEDULE_CELLS};
    for (int k = 0; k < 2; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        CHECK(run(&watch, kinds[k], 0) == STATUS_DONE);
        CHECK(witnesses_wrote(
            &watch,
            "a begin 0, a quiescent 0, a collide 4, a quiescent 0, a sample 4, a quiescent 0, "
            "a collide 20, a quiescent 0, a sample 20, a quiescent 0, a finish 20, a free 0, "));
        observers_free(&watch.observers);
        witnesses_make(&watch);
        CHECK(run(&watch, kinds[k], 4) == STATUS_DONE);
        CHECK(witnesses_wrote(
            &watch,
            "a begin 0, a quiescent 0, a quiescent 0, a sample 4, a quiescent 0, "
            "a collide 20, a quiescent 0, a sample 20, a quiescent 0, a finish 20, a free 0, "));
        observers_free(&watch.observers);
    }
}

/* A signal during a collision: all are notified of it before anything else; none finishes. */
RANDOM_TEST(an_interrupted_run, 1)
{
    struct witnesses watch;
    struct schedule *schedule = NULL;
    OWNED(system, system) = random_lattice(random, 1, 1, 4);
    system.particles[0].u = 1;
    system.particles[0].v = 0;
    witnesses_make(&watch);
    watch.a.raises = "collide";
    watch.c.observer.operations = &witness_all;
    watch.c.times[0] = 6;
    CHECK(witnesses_begin(&watch) == STATUS_DONE);
    CHECK(!schedule_create(SCHEDULE_ARRAY, &system, NULL, &schedule, &watch.error));
    CHECK(simulation_run(schedule, 40, &watch.observers, &watch.error) == STATUS_INTERRUPTED);
    CHECK(witnesses_wrote(&watch, "a begin 0, b begin 0, c begin 0, c quiescent 0, a collide 4, "
                                  "b collide 4, c collide 4, c interrupt 0, "));
    CHECK(strcmp(watch.error.message, "interrupted at time 6, as c knows") == 0);
    CHECK(system.counts[0].walls == 1);
    schedule_free(schedule);
    observers_free(&watch.observers);
}

/* One that fails in a run ends it, does not finish, and is freed. */
TEST(a_run_that_fails)
{
    static const char *const operations[] = {"begin", "quiescent", "collide", "sample", "finish"};
    static const char *const expected[] = {
        "a begin 0, a free 0, ", "a begin 0, a quiescent 0, a free 0, ",
        "a begin 0, a quiescent 0, a collide 4, a free 0, ",
        "a begin 0, a quiescent 0, a collide 4, a quiescent 0, a sample 4, a free 0, ",
        ("a begin 0, a quiescent 0, a collide 4, a quiescent 0, a sample 4, a quiescent 0, a "
         "collide 20, a quiescent 0, "
         "a sample 20, a quiescent 0, a finish 20, a free 0, ")};
    for (int k = 0; k < 5; k++) {
        struct witnesses watch;
        witnesses_make(&watch);
        watch.a.fails = operations[k];
        CHECK(run(&watch, SCHEDULE_ARRAY, 0) == STATUS_CANNOT_WRITE);
        CHECK(witnesses_wrote(&watch, expected[k]));
        observers_free(&watch.observers);
    }
}

/* Observers can write checkpoints often, but a run does not pause for them after each collision. */
TEST(pauses_of_a_run)
{
    static const enum schedule_kind kinds[] = {SCHEDULE_TEXTBOOK, SCHEDULE_ARRAY, SCHEDULE_CELLS};
    for (int k = 0; k < 3; k++) {
        struct observers observers = {.count = 0};
        struct stopper stopper;
        struct schedule *schedule = NULL;
        struct random_generator random = random_from(9);
        struct system system = random_system(&random, 60, 0.3, 1);
        stopper_join(&stopper, NEVER, &observers);
        CHECK(!observers_begin(&observers, &system, &failure));
        CHECK(!schedule_create(kinds[k], &system, NULL, &schedule, &failure));
        CHECK(!simulation_run(schedule, agreement_time(&system, 1000), &observers, &failure));
        const size_t collisions = stopper.notified.collisions;
        const size_t pauses = stopper.notified.quiescent_points;
        CHECK(collisions > 500 && pauses > collisions / 50 && pauses < collisions / 8);
        schedule_free(schedule);
        system_free(&system);
        observers_free(&observers);
    }
}

/* Whoever moves particles in memory, a snapshot has them by their numbers. */
RANDOM_TEST(a_snapshot_outlives_the_order, 8)
{
    OWNED(system, system) = random_system(random, 50, 0.2, 1);
    uint32_t indices[50];
    struct snapshot_order order = {.indices = indices};
    const struct snapshot snapshot = {0, &system, &order};
    for (int round = 0; round < 20; round++) {
        system_exchange(&system, random_below(random, 50), random_below(random, 50));
        if (round % 7 == 6)
            system_restore_order(&system);
        for (size_t k = 0; k < 50; k++)
            CHECK(snapshot_anchor(&snapshot, k).id == (int32_t)k);
    }
}
