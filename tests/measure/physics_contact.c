/* Compares time-stepped hard disks, the constraint `contact` without compliance, with the exact
 * answer, which the event-driven simulation gives: how far off disks are, and how many collisions
 * are counted, for five lengths of steps. Prints tables; if something is out of bounds, it fails.
 *
 * Collisions multiply errors, so a comparison ends some time after the first error: then disks of
 * both runs have nothing to do with each other any more, though both are right on average. How soon
 * is told by a last line, of another exact run, in which the first disk begins off by 10^-9 of its
 * radius.
 *
 * `physics_contact FOLDER`: the assignment's files are in that folder, usually in data. */
#include "gas.h"
#include "input/input.h"
#include "measure.h"
#include "stepped.h"

enum { LENGTHS = 5, TIMES = 3 };

/* The longest step, and how much longer it is than the next one. */
static const double LONGEST = 0.1, RATIO = 4;

/* How far off the first disk begins in the last line; and what is off by more is displaced. Radii.
 */
static const double SHIFT = 1e-9, DISPLACED = 1e-6;

/* A comparison: disks, and at which times. */
struct test_case {
    const char *name;     /* a file of the assignment; NULL: a gas */
    double times[TIMES];  /* one after the other, each a multiple of the first */
    double largest_error; /* of the shortest steps at the first of them, radii */
};

/* The state of a run at one time. */
struct state {
    double *x, *y;     /* of each disk, without the seams that it has passed; owned */
    double collisions; /* so far, with walls and of two */
};

/* A run, seen at its times. */
struct history {
    struct observer observer; /* the first member: see observer.h */
    const double *times;
    size_t seen;
    struct state states[TIMES];
};

static double *allocate(size_t count)
{
    double *numbers = memory_allocate(count, sizeof *numbers, "a history", &failure);
    if (!numbers)
        measure_fail(failure.message);
    return numbers;
}

static void history_free(struct history *history)
{
    for (size_t k = 0; k < history->seen; k++) {
        memory_free(history->states[k].x);
        memory_free(history->states[k].y);
    }
}

/* Notes the state of a run, if its time is one of those. */
static void note(void *context, const struct snapshot *snapshot)
{
    struct history *history = context;
    const size_t count = snapshot->system->count;
    if (history->seen == TIMES || snapshot->time < history->times[history->seen])
        return;
    struct state *state = &history->states[history->seen++];
    *state = (struct state){allocate(count), allocate(count), 0};
    for (size_t k = 0; k < count; k++) {
        const struct particle_counts counts = snapshot_counts(snapshot, k);
        snapshot_unwrapped(snapshot, k, &state->x[k], &state->y[k]);
        state->collisions += (double)counts.walls + (double)counts.particles / 2;
    }
}

static enum status look(struct observer *observer, const struct snapshot *snapshot,
                        struct error *error)
{
    struct history *history = (struct history *)observer;
    (void)error;
    note(history, snapshot);
    observer->next_sample =
        history->seen < TIMES ? history->times[history->seen] : (double)INFINITY;
    return STATUS_DONE;
}

static struct system create(const struct test_case *test, const char *folder)
{
    struct system system = {.law = {.rule = RULE_ELASTIC, .restitution = 1}};
    char path[4096];
    if (!test->name)
        return gas_create(1000, 0.3, 1);
    snprintf(path, sizeof path, "%s/%s", folder, test->name);
    if (input_read(&(struct input_request){.path = path}, &system, &failure))
        measure_fail(failure.message);
    return system;
}

/* An exact run. */
static void run_exactly(const struct test_case *test, struct system *system,
                        struct history *history)
{
    static const struct observer_operations operations = {.sample = look};
    *history = (struct history){
        {.operations = &operations, .next_sample = test->times[0]}, test->times, 0, {{0}}};
    gas_run(system, SCHEDULE_CELLS, test->times[TIMES - 1], &history->observer);
}

static void run_in_steps(const struct test_case *test, struct system *system, double step,
                         struct history *history)
{
    struct stepped run =
        STEPPED(step, 1, .parts = "constraint contact", .end_time = test->times[TIMES - 1],
                .every = test->times[0], .sample = note, .context = history);
    *history = (struct history){.times = test->times};
    stepped_must_run(&run, system);
}

/* How two runs differ at one time. */
struct difference {
    double error;      /* the largest distance between a disk in one and in the other, radii */
    size_t displaced;  /* disks */
    double collisions; /* of the second run, less those of the first */
};

static struct difference find_difference(const struct system *system, const struct state *a,
                                         const struct state *b)
{
    struct difference difference = {0, 0, b->collisions - a->collisions};
    for (size_t k = 0; k < system->count; k++) {
        const double error = hypot(a->x[k] - b->x[k], a->y[k] - b->y[k]) / system->radius;
        difference.error = fmax(difference.error, error);
        difference.displaced += error > DISPLACED;
    }
    return difference;
}

static void print_row(const struct system *system, const char *name, const struct history *exact,
                      const struct history *other)
{
    printf("| %s |", name);
    for (size_t k = 0; k < TIMES; k++) {
        const struct difference difference =
            find_difference(system, &exact->states[k], &other->states[k]);
        printf(" %.1e | %zu | %+g |", difference.error, difference.displaced,
               difference.collisions);
    }
    printf("\n");
}

static void print_head(const struct test_case *test, const struct history *exact)
{
    printf("\n%s\n\n| dt |", test->name ? test->name : "1000 disks at area fraction 0.3");
    for (size_t k = 0; k < TIMES; k++)
        printf(" at %g | displaced | of %g collisions |", test->times[k],
               exact->states[k].collisions);
    printf("\n|---:|");
    for (size_t k = 0; k < TIMES; k++)
        printf("---:|---:|---:|");
    printf("\n");
}

static void judge(const struct test_case *test, const struct system *system,
                  const struct history *exact, const struct history *finest)
{
    const struct difference difference =
        find_difference(system, &exact->states[0], &finest->states[0]);
    const int is_well = difference.error <= test->largest_error && difference.collisions == 0;
    measure_check(is_well);
    if (!is_well)
        printf("out of bounds: at most %g, and no difference of collisions\n", test->largest_error);
}

/* The last line: how errors grow by themselves. */
static void show_chaos(const struct test_case *test, const char *folder,
                       const struct history *exact)
{
    static struct history other;
    OWNED(system, moved) = create(test, folder);
    moved.particles[0].x += SHIFT * moved.radius;
    run_exactly(test, &moved, &other);
    print_row(&moved, "exact, moved", exact, &other);
    history_free(&other);
}

static void compare(const struct test_case *test, const char *folder)
{
    static struct history exact;
    static struct history other;
    struct system system = create(test, folder);
    run_exactly(test, &system, &exact);
    system_free(&system);
    print_head(test, &exact);
    double step = LONGEST;
    for (size_t k = 0; k < LENGTHS; k++, step /= RATIO) {
        char name[32];
        system = create(test, folder);
        run_in_steps(test, &system, step, &other);
        snprintf(name, sizeof name, "%g", step);
        print_row(&system, name, &exact, &other);
        if (k == LENGTHS - 1)
            judge(test, &system, &exact, &other);
        history_free(&other);
        system_free(&system);
    }
    show_chaos(test, folder, &exact);
    history_free(&exact);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"walls_only.txt", {100, 200, 500}, 1e-5},
        {"particles_walls.txt", {100, 200, 500}, 1e-5},
        {"particles_only.txt", {100, 200, 500}, 1e-5},
        {NULL, {1, 4, 10}, 1e-5},
    };
    for (size_t k = 0; k < LENGTH(cases); k++)
        compare(&cases[k], argc > 1 ? argv[1] : "data");
    return measure_finish();
}
