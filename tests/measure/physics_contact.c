/*
 * Compares time-stepped hard disks, the constraint `contact` without compliance, with the exact
 * answer, which the event-driven simulation gives: how far off disks are, and how many collisions
 * are counted, for five lengths of steps. Prints tables; if something is out of bounds, it fails.
 *
 * Collisions multiply errors, so a comparison ends some time after the first error: then disks of
 * both runs have nothing to do with each other any more, though both are right on average. How soon
 * is told by a last line, of another exact run, in which the first disk begins off by 10^-9 of its
 * radius.
 *
 * physics_contact FOLDER: the assignment's files are in there.
 */
#include "base/memory.h"
#include "cli/input.h"
#include "gas.h"
#include "measure.h"
#include "stepped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBSTEPS = 20, LENGTHS = 5, TIMES = 4 };

static const double SHIFT = 1e-9; /* radii */

static int is_out_of_bounds;

/* What is compared: disks, and at which times. */
struct test_case {
    const char *name;    /* a file of the assignment; NULL: disks of a gas */
    double times[TIMES]; /* one after the other, each a multiple of the first */
    double step;         /* the longest DT */
    size_t compared;     /* the first of these times are before chaos: the error of */
    double largest_error, largest_missed; /* the shortest step is at most that at the last of them,
                                             in radii and in parts of the collisions */
};

/* What a run is like at one time. */
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
    struct error error;
    double *numbers = memory_allocate(count, sizeof *numbers, "a history", &error);
    if (!numbers)
        measure_fail(error.message);
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
        const struct counts counts = snapshot_counts(snapshot, k);
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
    observer->next_look = history->seen < TIMES ? history->times[history->seen] : (double)INFINITY;
    return STATUS_DONE;
}

static struct system create(const struct test_case *test, const char *folder)
{
    struct error error;
    struct system system = {.law = {.rule = RULE_ELASTIC, .restitution = 1}};
    char path[4096];
    if (!test->name)
        return gas_create(1000, 0.3, 1);
    snprintf(path, sizeof path, "%s/%s", folder, test->name);
    if (input_read(path, SCHEDULE_AUTO, NULL, 0, &system, &error))
        measure_fail(error.message);
    return system;
}

/* An exact run. */
static void run_exactly(const struct test_case *test, struct system *system,
                        struct history *history)
{
    static const struct observer_operations operations = {.look = look};
    *history = (struct history){
        {.operations = &operations, .next_look = test->times[0]}, test->times, 0, {{0}}};
    gas_run(system, SCHEDULE_CELLS, test->times[TIMES - 1], &history->observer);
}

static void run_in_steps(const struct test_case *test, struct system *system, double step,
                         struct history *history)
{
    struct stepped run = {.step = step,
                          .substeps = SUBSTEPS,
                          .parts = "constraint contact",
                          .end_time = test->times[TIMES - 1],
                          .every = test->times[0],
                          .look = note,
                          .context = history};
    *history = (struct history){.times = test->times};
    if (stepped_run(&run, system))
        measure_fail(run.error.message);
}

/* The root of the mean square of the distances of all disks in two runs, in radii. */
static double find_error(const struct system *system, const struct state *a, const struct state *b)
{
    double sum = 0;
    for (size_t k = 0; k < system->count; k++)
        sum +=
            (a->x[k] - b->x[k]) * (a->x[k] - b->x[k]) + (a->y[k] - b->y[k]) * (a->y[k] - b->y[k]);
    return sqrt(sum / (double)system->count) / system->radius;
}

/* Prints how far off a run is at each time, and how many collisions it has. */
static void print_row(const struct system *system, const char *name, const struct history *exact,
                      const struct history *other)
{
    printf("| %s |", name);
    for (size_t k = 0; k < TIMES; k++)
        printf(" %.1e | %+g |", find_error(system, &exact->states[k], &other->states[k]),
               other->states[k].collisions - exact->states[k].collisions);
    printf("\n");
    fflush(stdout);
}

static void print_head(const struct test_case *test, const struct history *exact)
{
    printf("\n%s\n\n| DT |", test->name ? test->name : "1000 disks at area fraction 0.3");
    for (size_t k = 0; k < TIMES; k++)
        printf(" at %g | of %g collisions |", test->times[k], exact->states[k].collisions);
    printf("\n|---:|");
    for (size_t k = 0; k < TIMES; k++)
        printf("---:|---:|");
    printf("\n");
}

static void judge(const struct test_case *test, const struct system *system,
                  const struct history *exact, const struct history *finest)
{
    const struct state *a = &exact->states[test->compared - 1];
    const struct state *b = &finest->states[test->compared - 1];
    const double error = find_error(system, a, b);
    const double missed = fabs(b->collisions - a->collisions) / a->collisions;
    if (error <= test->largest_error && missed <= test->largest_missed)
        return;
    printf("out of bounds: %g, at most %g; %g of the collisions, at most %g\n", error,
           test->largest_error, missed, test->largest_missed);
    is_out_of_bounds = 1;
}

static void compare(const struct test_case *test, const char *folder)
{
    static struct history exact;
    static struct history other;
    struct system system = create(test, folder);
    run_exactly(test, &system, &exact);
    print_head(test, &exact);
    for (int k = 0; k < LENGTHS; k++) {
        const double step = ldexp(test->step, -k);
        struct system copy = create(test, folder);
        char name[32];
        run_in_steps(test, &copy, step, &other);
        snprintf(name, sizeof name, "%g", step);
        print_row(&system, name, &exact, &other);
        if (k == LENGTHS - 1)
            judge(test, &system, &exact, &other);
        history_free(&other);
        system_free(&copy);
    }
    struct system moved = create(test, folder);
    moved.particles[0].x += SHIFT * moved.radius;
    run_exactly(test, &moved, &other);
    print_row(&system, "exact, moved", &exact, &other);
    history_free(&other);
    history_free(&exact);
    system_free(&moved);
    system_free(&system);
}

int main(int argc, char **argv)
{
    static const struct test_case cases[] = {
        {"walls_only.txt", {100, 200, 400, 800}, 2, 3, 0.01, 0},
        {"particles_walls.txt", {100, 200, 400, 800}, 1, 3, 0.001, 0},
        {"particles_only.txt", {50, 100, 200, 500}, 4, 3, 0.01, 0},
        {NULL, {1, 2, 8, 20}, 1, 2, 0.001, 0.002},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        compare(&cases[k], argc > 1 ? argv[1] : "data");
    return is_out_of_bounds ? EXIT_FAILURE : EXIT_SUCCESS;
}
