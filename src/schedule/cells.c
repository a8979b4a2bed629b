/*
 * The cells schedule: for many particles.
 *
 * For each particle one prediction is kept: its next event, and when it leaves its cell
 * (predictor.c). An event calendar finds the prediction that comes due next (calendar.c). This file
 * connects the two. The prediction that comes due is one of three:
 *
 *   - A crossing: the particle goes on to the next cell, and the particles that come into reach
 *     there are considered for its prediction.
 *   - A stale event: the collision partner has collided since. The particle's event is predicted
 *     anew.
 *   - Any other event is the next of all. When it has been resolved, the events of the particles in
 * it are predicted anew.
 *
 * So a collision costs predictions for two particles, each among the half dozen around it; now and
 * then one for a third, whose event has become stale; some crossings; and a few operations on the
 * calendar: nothing that grows with N.
 *
 * In the course of time particles move away from those that are beside them in memory. When they
 * have crossed 16 cells each on average, and the calendar's cycle ends, they are sorted anew, cells
 * are chosen for their present positions, and all is predicted again.
 *
 * The answer is the answer of the array schedule, to the byte, for three reasons. Predicted times
 * are pure functions of anchors, so the same collision has the same time in both. Two particles
 * that touch are in neighbouring cells, and the one of them that was predicted last has found their
 * collision or an event before it, so the first event of all always is in some particle's
 * prediction. And events of the same time leave the calendar in the order of event_before.
 */
#include "schedules.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "calendar.h"
#include "predictor.h"

#include <math.h>

struct cells {
    struct schedule base;
    struct predictor predictor;
    struct calendar calendar;
    double begin;       /* the time when the schedule was made */
    double horizon;     /* the calendar has predictions that come due up to this time; up to */
    double until;       /* this, or to when the cells are too narrow, if that is earlier */
    double now;         /* the time that the calendar has reached */
    uint64_t crossings; /* since the particles were sorted */
    uint32_t predicted; /* number of particles that have their first prediction */
};

enum {
    PREDICTIONS_AT_ONCE = 256, /* how many particles get their first prediction in one step */
    SLICE_ENTRIES = 6,         /* how many entries of the calendar a slice should have */
    CROSSINGS_TO_SORT = 16     /* after how many crossings of each particle all are sorted anew */
};

/* True if the prediction for particle k comes due before the horizon, and before cells are too
 * narrow. */
static inline int is_waiting(const struct cells *cells, uint32_t k)
{
    return cells->predictor.predictions[k].key <= cells->until;
}

/* Returns 0 if the calendar has no memory left. */
static inline int cells_add_to_calendar(struct cells *cells, uint32_t k)
{
    if (!is_waiting(cells, k))
        return 1;
    return calendar_schedule(&cells->calendar, k, cells->predictor.predictions[k].key);
}

/* The length of a slice for the next cycle: from the entries counted in the last one or, for the
 * first cycle, from the mean time, `sum` / `waiting`, until the predictions come due. */
static double choose_slice(const struct calendar *calendar, double sum, double waiting)
{
    double length = SLICE_ENTRIES * sum / (waiting * waiting);
    if (calendar->taken > 0) {
        double per_slice = (double)calendar->taken / ((double)calendar->slice + 1);
        length = calendar->slice_length * fmin(4, fmax(0.25, SLICE_ENTRIES / per_slice));
    }
    return fmin(fmax(length, 1e-300), 1e300);
}

static void cells_refresh(struct cells *cells)
{
    predictor_choose_cells(&cells->predictor, cells->now);
    for (uint32_t k = 0; k < cells->predictor.system->count; k++)
        predictor_predict(&cells->predictor, k, cells->now);
    cells->until = fmin(cells->horizon, cells->predictor.valid_until);
    cells->crossings = 0;
}

/* Begins a cycle of the calendar with all predictions, having sorted the particles before if that
 * is due and `may_sort`. Returns 0 if no prediction comes due before the horizon. */
static int cells_begin_cycle(struct cells *cells, int may_sort)
{
    const uint32_t count = (uint32_t)cells->predictor.system->count;
    if (may_sort && cells->crossings > CROSSINGS_TO_SORT * (uint64_t)count)
        cells_refresh(cells);
    double begin = (double)INFINITY;
    double sum = 0;
    double waiting = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (is_waiting(cells, k)) {
            double key = cells->predictor.predictions[k].key;
            begin = key < begin ? key : begin;
            sum += key - cells->now;
            waiting++;
        }
    }
    if (waiting == 0 && may_sort && cells->until < cells->horizon) {
        cells->now = cells->until;
        cells_refresh(cells);
        return cells_begin_cycle(cells, 1);
    }
    if (waiting == 0)
        return 0;
    calendar_begin_cycle(&cells->calendar, begin, choose_slice(&cells->calendar, sum, waiting));
    for (uint32_t k = 0; k < count; k++)
        cells_add_to_calendar(cells, k);
    return 1;
}

static double cells_predict(struct schedule *schedule)
{
    struct cells *cells = (struct cells *)schedule;
    const uint32_t count = (uint32_t)cells->predictor.system->count;
    for (int k = 0; k < PREDICTIONS_AT_ONCE && cells->predicted < count; k++)
        predictor_predict(&cells->predictor, cells->predicted++, cells->now);
    return (double)cells->predicted / count;
}

/* Puts the horizon to `limit` and, unless that is the first one, as long after it: so cycles are
 * seldom cut short. */
COMPILER_APART static void extend_horizon(struct cells *cells, double limit)
{
    const int is_first = cells->horizon < cells->begin;
    while (cells->predicted < cells->predictor.system->count)
        cells_predict(&cells->base);
    cells->horizon = is_first ? limit : limit + (limit - cells->begin);
    cells->until = fmin(cells->horizon, cells->predictor.valid_until);
    cells->calendar.taken = 0;
    cells_begin_cycle(cells, 0);
}

/* Takes a step of fetching for the predictions that come due in the slice `ahead`. */
static inline void fetch_slice(const struct cells *cells, uint32_t ahead, enum predictor_step step)
{
    const struct calendar_chunk *chunk = calendar_peek(&cells->calendar, ahead);
    if (!chunk)
        return;
    for (uint32_t m = 0; m < chunk->count; m++)
        predictor_fetch(&cells->predictor, chunk->items[m], step);
}

/* Fills the empty front of the calendar. Returns 0 if no prediction comes due before the horizon.
 */
static int cells_fill_front(struct cells *cells)
{
    if (predictor_fill_front(&cells->predictor, &cells->calendar, cells->until) <= 0)
        return cells_begin_cycle(cells, 1);
    if (cells->predictor.system->count >= PREDICTION_FETCH_FROM) {
        fetch_slice(cells, 4, PREDICTOR_FETCH_PREDICTION);
        fetch_slice(cells, 3, PREDICTOR_FETCH_CELLS);
        fetch_slice(cells, 2, PREDICTOR_FETCH_MEMBERS);
    }
    return 1;
}

/* Looks at what comes up after the present event before predictions are made for that, which take
 * long: meanwhile a processor that has guessed a branch wrong finds out, and then guesses the same
 * branch in cells_next right. And what will be needed is fetched. */
COMPILER_INLINE void cells_look_ahead(const struct cells *cells)
{
    const struct predictor *predictor = &cells->predictor;
    if (calendar_is_empty(&cells->calendar))
        return;
    const uint32_t k = calendar_near_first(&cells->calendar).item;
    const struct prediction *prediction = &predictor->predictions[k];
    COMPILER_PREFETCH(&predictor->system->particles[k]);
    if (prediction->key < prediction->time)
        COMPILER_PREFETCH(&predictor->cell_list.cells[prediction->cell]);
    else if (event_partner(prediction->partner) == PARTNER_PARTICLE &&
             !predictor_is_stale(predictor, k))
        COMPILER_PREFETCH(&predictor->predictions[prediction->partner]);
}

COMPILER_UNGUARDED static int cells_next(struct schedule *schedule, double limit,
                                         struct event *event)
{
    struct cells *cells = (struct cells *)schedule;
    struct predictor *predictor = &cells->predictor;
    if (limit > cells->horizon)
        extend_horizon(cells, limit);
    for (;;) {
        if (calendar_is_empty(&cells->calendar)) {
            if (!cells_fill_front(cells))
                return 0;
            continue;
        }
        const struct calendar_entry first = calendar_first(&cells->calendar);
        const uint32_t k = first.item;
        const struct prediction *prediction = &predictor->predictions[k];
        int is_current = predictor_is_current(predictor, first);
        int is_crossing = prediction->key < prediction->time;
        if (is_current && !is_crossing && !predictor_is_stale(predictor, k)) {
            *event = prediction_event(predictor->system, k, prediction);
            return first.time <= limit;
        }
        if (first.time > limit)
            return 0;
        calendar_pop(&cells->calendar);
        cells->now =
            first.time; /* also of a crossing: many may follow each other without an event */
        if (!is_current)
            continue; /* an entry of an earlier prediction */
        if (is_crossing) {
            predictor_cross(predictor, k, cells->now);
            cells->crossings++;
        } else {
            predictor_predict(predictor, k, cells->now);
        }
        if (!cells_add_to_calendar(cells, k))
            cells_begin_cycle(cells, 1);
    }
}

static void cells_update(struct schedule *schedule, const struct event *event)
{
    struct cells *cells = (struct cells *)schedule;
    const uint32_t a = (uint32_t)event->a;
    const uint32_t b = event_partner(event->b) == PARTNER_PARTICLE ? (uint32_t)event->b : a;
    cells->now = event->time;
    calendar_pop(&cells->calendar); /* the entry of this event */
    cells_look_ahead(cells);
    if (boundary_is_seam(&cells->predictor.system->boundary, event->b)) {
        const struct particle *p = &cells->predictor.system->particles[a];
        predictor_move(&cells->predictor, a,
                       cell_list_locate(&cells->predictor.cell_list, p->x, p->y));
    }
    predictor_predict_latest(&cells->predictor, a, b);
    /* If there is no memory for one of them, a new cycle begins, with both. */
    if (!cells_add_to_calendar(cells, a) || (b != a && !cells_add_to_calendar(cells, b)))
        cells_begin_cycle(cells, 0);
}

static void cells_free(struct schedule *schedule)
{
    struct cells *cells = (struct cells *)schedule;
    predictor_free(&cells->predictor);
    calendar_free(&cells->calendar);
    memory_free(cells);
}

enum status cells_create(struct system *system, struct schedule **schedule, struct error *error)
{
    static const struct schedule_operations operations = {
        .predict = cells_predict, .next = cells_next, .update = cells_update, .free = cells_free};
    struct cells *cells = memory_allocate(1, sizeof *cells, "a schedule", error);
    if (!cells)
        return STATUS_NO_MEMORY;
    *cells = (struct cells){.base = {.operations = &operations, .system = system},
                            .horizon = -(double)INFINITY};
    cells->begin = cells->now = system_last_time(system);
    enum status status = predictor_create(&cells->predictor, system, error);
    if (!status)
        status = calendar_create(&cells->calendar, system->count, predictor_rank, &cells->predictor,
                                 error);
    if (status) {
        cells_free(&cells->base);
        return status;
    }
    predictor_choose_cells(&cells->predictor, cells->now);
    *schedule = &cells->base;
    return STATUS_DONE;
}
