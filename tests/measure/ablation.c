/*
 * What the parts of a collision cost in the cells schedule, by leaving them out. A run is recorded:
 * what the calendar finds, one after the other, and what each prediction and each collision gives.
 * Then it is repeated from its start, again and again, with one part or another taken from the
 * record. What is left out changes nothing that follows, so all repeats do the same.
 *
 * Nanoseconds for a collision of two disks: from the least times of blocks of 500, over repeats of
 * all variants in turn. With the number of disks, the area fraction and that of repeats.
 */
#include "generate/generate.h"
#include "measure.h"
#include "schedule/cells.c"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCK = 500, TIMED_BLOCKS = 40, MAX_STEPS = 4 * BLOCK * TIMED_BLOCKS };

/* What the calendar finds: an event, a stale prediction or a crossing; and what follows. */
enum step_kind { STEP_EVENT, STEP_STALE, STEP_CROSSING };

static struct step {
    struct event event;
    enum step_kind kind;
    uint32_t k;
} steps[MAX_STEPS];
static struct prediction predicted[MAX_STEPS][2];
static struct particle resolved[MAX_STEPS][2];
static size_t block_ends[TIMED_BLOCKS];

/* What is taken from the record: which step is next; predictions after events and of stale ones;
 * and after crossings; the anchors after events. Nothing is put into the calendar; the next step
 * has to wait for the last one's prediction. And one way to make the record. */
enum {
    FOUND = 1,
    PREDICTED = 2,
    CROSSED = 4,
    RESOLVED = 8,
    UNSCHEDULED = 16,
    CHAINED = 32,
    MAKE = 64
};

#define VARIANTS(X)                                                                                \
    X("all", 0)                                                                                    \
    X("no anchors computed", RESOLVED)                                                             \
    X("no predictions after events", PREDICTED)                                                    \
    X("no predictions at all", PREDICTED | CROSSED)                                                \
    X("calendar only", PREDICTED | CROSSED | RESOLVED)                                             \
    X("steps from the record", FOUND)                                                              \
    X("and nothing scheduled", FOUND | UNSCHEDULED)                                                \
    X("and each waits for the last", FOUND | UNSCHEDULED | CHAINED)                                \
    X("anchors only", FOUND | UNSCHEDULED | PREDICTED | CROSSED)                                   \
    X("predictions only", FOUND | UNSCHEDULED | RESOLVED)                                          \
    X("crossings only", FOUND | UNSCHEDULED | RESOLVED | PREDICTED)                                \
    X("nothing but stores of the record", FOUND | UNSCHEDULED | RESOLVED | PREDICTED | CROSSED)    \
    X("all, without counts", 0)

#define VARIANT_NAME(name, set) name,
static const char *const names[] = {VARIANTS(VARIANT_NAME)};
enum { VARIANT_COUNT = sizeof names / sizeof names[0] };

/* The memory that a run changes, and a copy of it. */
static struct region {
    void *memory, *copy;
    size_t size;
} regions[8];
static size_t region_count;

static void keep(void *memory, size_t size)
{
    void *copy = malloc(size);
    if (!copy)
        measure_fail("out of memory");
    memcpy(copy, memory, size);
    regions[region_count++] = (struct region){memory, copy, size};
}

static void keep_run(struct cells *cells)
{
    struct system *system = cells->predictor.system;
    struct calendar *calendar = &cells->calendar;
    keep(cells, sizeof *cells);
    keep(system->particles, system->count * sizeof *system->particles);
    keep(cells->predictor.predictions, system->count * sizeof *cells->predictor.predictions);
    keep(cells->predictor.cell_list.cells,
         (cells->predictor.cell_list.most_cells + system->count / CELL_LIST_MEMBERS + 1) *
             sizeof(struct cell));
    keep(calendar->slices, (calendar->slice_capacity + 1) * sizeof *calendar->slices);
    keep(calendar->chunks, calendar->chunk_most * sizeof *calendar->chunks);
}

/* As cells_next, but for crossings and stale predictions, too. */
static inline void find_step(struct cells *cells, struct step *step)
{
    struct predictor *predictor = &cells->predictor;
    for (;;) {
        cells->crossings = 0; /* disks are never sorted anew */
        while (calendar_is_empty(&cells->calendar))
            if (!cells_fill_front(cells))
                measure_fail("the run is over");
        const struct calendar_entry first = calendar_first(&cells->calendar);
        const uint32_t k = first.item;
        const struct prediction *prediction = &predictor->predictions[k];
        calendar_pop(&cells->calendar);
        cells->now = first.time;
        if (prediction->key != first.time ||
            (first.rank != 0 && first.rank != predictor_rank(predictor, k, first.time)))
            continue;
        const int is_crossing = prediction->key < prediction->time;
        step->k = k;
        step->kind = is_crossing                        ? STEP_CROSSING
                     : predictor_is_stale(predictor, k) ? STEP_STALE
                                                        : STEP_EVENT;
        step->event = prediction_event(predictor->system, k, prediction);
        if (step->kind != STEP_EVENT)
            step->event = (struct event){first.time, (int32_t)k, FEATURE_LEFT};
        return;
    }
}

/* Step `at` of the record changes particle k, the first or second of its event. */
COMPILER_INLINE void change(struct cells *cells, size_t at, uint32_t k, int second, int parts)
{
    struct predictor *predictor = &cells->predictor;
    const struct step *step = &steps[at];
    if (parts & (step->kind == STEP_CROSSING ? CROSSED : PREDICTED)) {
        if (step->kind == STEP_CROSSING) {
            cell_list_remove(&predictor->cell_list, predictor->predictions[k].cell, k);
            cell_list_add(&predictor->cell_list, predicted[at][second].cell, k);
        }
        predictor->predictions[k] = predicted[at][second];
    } else if (step->kind == STEP_CROSSING) {
        predictor_cross(predictor, k, step->event.time);
    } else if (step->kind == STEP_STALE) {
        predictor_predict(predictor, k, step->event.time);
    } else if (step->event.b < 0) {
        predictor_predict_latest(predictor, k);
    } else if (!second) {
        predictor_predict_pair(predictor, k, (uint32_t)step->event.b);
    }
    if (parts & MAKE)
        predicted[at][second] = predictor->predictions[k];
}

COMPILER_INLINE void do_step(struct cells *cells, size_t at, int parts)
{
    struct system *system = cells->predictor.system;
    const struct step *step = &steps[at];
    const uint32_t a = (uint32_t)step->event.a;
    const uint32_t b = step->event.b < 0 ? a : (uint32_t)step->event.b;
    if (step->kind == STEP_EVENT && parts & RESOLVED) {
        system->particles[a] = resolved[at][0];
        system->particles[b] = resolved[at][1];
    } else if (step->kind == STEP_EVENT) {
        physics_resolve(system, &step->event);
    }
    if (parts & MAKE) {
        resolved[at][0] = system->particles[a];
        resolved[at][1] = system->particles[b];
    }
    change(cells, at, a, 0, parts);
    if (b != a)
        change(cells, at, b, 1, parts);
    if (!(parts & UNSCHEDULED) &&
        !(cells_add_to_calendar(cells, a) & (b == a || cells_add_to_calendar(cells, b))))
        measure_fail("the calendar is full");
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

COMPILER_INLINE void repeat(struct cells *cells, int parts, double *least)
{
    size_t at = 0;
    for (size_t block = 0; block < TIMED_BLOCKS; block++) {
        const double start = nanoseconds();
        for (; at < block_ends[block]; at++) {
            if (!(parts & FOUND))
                find_step(cells, &steps[at]);
            if (parts & CHAINED && at > 0) { /* this adds 0 to the number of the disk */
                uint64_t bits;
                memcpy(&bits, &cells->predictor.predictions[steps[at - 1].k].key, sizeof bits);
                steps[at].event.a += (int32_t)(bits >> 63);
            }
            do_step(cells, at, parts);
        }
        least[block] = fmin(least[block], nanoseconds() - start);
    }
}

static void repeat_all(struct cells *cells, double least[VARIANT_COUNT][TIMED_BLOCKS])
{
    struct counts *counts = cells->predictor.system->counts;
    int variant = 0;
#define VARIANT_RUN(name, set)                                                                     \
    for (size_t k = 0; k < region_count; k++)                                                      \
        memcpy(regions[k].memory, regions[k].copy, regions[k].size);                               \
    cells->predictor.system->counts = variant + 1 < VARIANT_COUNT ? counts : NULL;                 \
    repeat(cells, (set), least[variant++]);
    VARIANTS(VARIANT_RUN)
    cells->predictor.system->counts = counts;
}

/* Records blocks of collisions of two, after a warm-up of 30 steps a disk. */
static void record(struct cells *cells)
{
    size_t pairs = 0, numbers[3] = {0}, end = 0;
    for (size_t k = 0; k < 30 * cells->predictor.system->count; k++) {
        find_step(cells, &steps[0]);
        do_step(cells, 0, 0);
    }
    keep_run(cells);
    for (; pairs < (size_t)BLOCK * TIMED_BLOCKS && end < MAX_STEPS; end++) {
        find_step(cells, &steps[end]);
        do_step(cells, end, MAKE);
        numbers[steps[end].kind]++;
        if (steps[end].kind == STEP_EVENT && steps[end].event.b >= 0 && ++pairs % BLOCK == 0)
            block_ends[pairs / BLOCK - 1] = end + 1;
    }
    if (end == MAX_STEPS)
        measure_fail("too many crossings");
    printf("a collision has %.2f events, %.2f stale predictions and %.2f crossings\n",
           (double)numbers[STEP_EVENT] / (double)pairs, (double)numbers[STEP_STALE] / (double)pairs,
           (double)numbers[STEP_CROSSING] / (double)pairs);
}

int main(int argument_count, char **arguments)
{
    static double least[VARIANT_COUNT][TIMED_BLOCKS];
    const double numbers[] = {argument_count > 1 ? atof(arguments[1]) : 1000,
                              argument_count > 2 ? atof(arguments[2]) : 0.65,
                              argument_count > 3 ? atof(arguments[3]) : 50};
    const struct generate_request request = {.count = (size_t)numbers[0],
                                             .area_fraction = numbers[1],
                                             .radius = 1,
                                             .aspect = 1,
                                             .speed = 1,
                                             .seed = 1};
    struct error error;
    struct system system;
    struct schedule *schedule;
    if (generate_system(&request, &system, &error))
        measure_fail(error.message);
    system.law = (struct law){.rule = RULE_ELASTIC, .restitution = 1};
    if (cells_create(&system, &schedule, &error))
        measure_fail(error.message);
    record((struct cells *)schedule);
    for (size_t k = 0; k < VARIANT_COUNT * TIMED_BLOCKS; k++)
        least[k / TIMED_BLOCKS][k % TIMED_BLOCKS] = (double)INFINITY;
    for (int round = 0; round < numbers[2]; round++)
        repeat_all((struct cells *)schedule, least);
    for (int variant = 0; variant < VARIANT_COUNT; variant++) {
        double sum = 0;
        for (size_t block = 0; block < TIMED_BLOCKS; block++)
            sum += least[variant][block];
        printf("%-36s %6.1f\n", names[variant], sum / (BLOCK * TIMED_BLOCKS));
    }
    schedule_free(schedule);
    system_free(&system);
    return 0;
}
