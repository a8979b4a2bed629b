/*
 * The cells schedule: for many particles.
 *
 * Each particle has one plan: its next event, and when it leaves its cell (forecast.c). A queue
 * tells whose plan comes next (queue.c). This file connects the two:
 *
 *   - a plan that comes up as a crossing is carried out, and the particle goes on;
 *   - a plan whose partner has collided in the meantime is made anew;
 *   - any other plan is the next event. When it has happened, those involved are forecast anew.
 *
 * So a collision costs the forecast of two particles, each among the dozen around it, about one
 * further forecast of somebody whose plan it has spoilt, some crossings, and a few operations on
 * the queue: nothing that grows with N.
 *
 * Now and then, at the end of a turn of the queue, the particles have moved far from those that
 * stand beside them in memory. Then they are sorted, the grid is chosen anew for where they are
 * now, and all plans are made again. No prediction depends on any of this.
 *
 * That the answer is that of the array schedule, to the byte: predicted times are pure functions
 * of anchors, so the same collision has the same time in both. Two particles that touch are
 * neighbours, and whichever was forecast last has planned for their collision or for something
 * before it. So the first event of all is always somebody's plan, and events of the same time
 * leave the queue in the order of event_before.
 */
#include "schedule_cells.h"

#include "forecast.h"
#include "memory.h"
#include "queue.h"

#include <math.h>

struct schedule_cells {
    struct schedule base;
    struct forecast forecast;
    struct queue queue;
    double end_time;
    double now;         /* the time of the last event */
    uint64_t crossings; /* since the particles were sorted */
};

enum {
    SLICE_ENTRIES = 12,     /* how many entries of the queue a slice should have */
    CROSSINGS_TO_SORT = 16, /* after how many crossings of each particle all are sorted anew */
    FETCH_PLANS = 3,        /* how many slices ahead memory is fetched: first the plans, */
    FETCH_SURROUNDINGS = 1  /* then what they are about */
};

/* Whether the plan of particle k comes up before the end. */
static inline int is_waiting(const struct schedule_cells *cells, uint32_t k)
{
    return cells->forecast.plans[k].key <= cells->end_time;
}

static int push(struct schedule_cells *cells, uint32_t k)
{
    const struct queue_entry entry = {cells->forecast.plans[k].key,
                                      forecast_rank(&cells->forecast, k), k};
    return queue_push(&cells->queue, &entry);
}

/* Puts the plan of particle k into the queue. Returns 0 if the queue has no memory left. */
static inline int enqueue(struct schedule_cells *cells, uint32_t k)
{
    if (!is_waiting(cells, k))
        return 1;
    enum queue_place place = queue_schedule(&cells->queue, k, cells->forecast.plans[k].key);
    return place == QUEUE_FRONT ? push(cells, k) : place != QUEUE_FULL;
}

/*
 * How long a slice should be for the next turn: as tried in the last one, or for the first, as if
 * all particles waited `sum` / `waiting` on average.
 */
static double choose_slice(const struct queue *queue, double sum, double waiting)
{
    double length = SLICE_ENTRIES * sum / (waiting * waiting);
    if (queue->taken > 0) {
        double per_slice = (double)queue->taken / ((double)queue->slice + 1);
        length = queue->slice_length * fmin(4, fmax(0.25, SLICE_ENTRIES / per_slice));
    }
    return length > 0 ? length : 1;
}

/* Begins a turn of the queue with all plans. Returns 0 if none is left. */
static int begin_turn(struct schedule_cells *cells)
{
    const uint32_t count = (uint32_t)cells->forecast.system->count;
    if (cells->crossings > CROSSINGS_TO_SORT * (uint64_t)count) {
        forecast_renew(&cells->forecast, cells->now);
        cells->crossings = 0;
    }
    double begin = (double)INFINITY;
    double sum = 0;
    double waiting = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (is_waiting(cells, k)) {
            double key = cells->forecast.plans[k].key;
            begin = fmin(begin, key);
            sum += key - cells->now;
            waiting++;
        }
    }
    if (waiting == 0)
        return 0;
    queue_begin_turn(&cells->queue, begin, choose_slice(&cells->queue, sum, waiting));
    for (uint32_t k = 0; k < count; k++)
        enqueue(cells, k);
    return 1;
}

/* Puts the plan of particle k into the queue, even if that takes a new turn. */
static inline void schedule_plan(struct schedule_cells *cells, uint32_t k)
{
    if (!enqueue(cells, k))
        begin_turn(cells);
}

/* Fetches from memory what the slices to come will need. */
static void fetch_ahead(const struct schedule_cells *cells)
{
    const struct queue *queue = &cells->queue;
    const struct queue_chunk *chunk = queue_peek(queue, FETCH_PLANS);
    if (chunk)
        for (uint32_t m = 0; m < chunk->count; m++)
            forecast_fetch_plan(&cells->forecast, chunk->items[m]);
    chunk = queue_peek(queue, FETCH_SURROUNDINGS);
    if (chunk)
        for (uint32_t m = 0; m < chunk->count; m++)
            forecast_fetch_surroundings(&cells->forecast, chunk->items[m]);
}

/* Fills the empty front of the queue. Returns 0 if no plan is left. */
static int advance(struct schedule_cells *cells)
{
    struct queue *queue = &cells->queue;
    const struct queue_chunk *chunk = queue_next_slice(queue);
    if (!chunk)
        return begin_turn(cells);
    for (; chunk; chunk = queue_more(queue, chunk)) {
        for (uint32_t m = 0; m < chunk->count; m++) {
            uint32_t k = chunk->items[m];
            if (is_waiting(cells, k) && queue_is_due(queue, cells->forecast.plans[k].key) &&
                !push(cells, k))
                return begin_turn(cells);
        }
    }
    fetch_ahead(cells);
    return 1;
}

static int cells_next(struct schedule *schedule, struct event *event)
{
    struct schedule_cells *cells = (struct schedule_cells *)schedule;
    struct forecast *forecast = &cells->forecast;
    for (;;) {
        if (queue_is_empty(&cells->queue)) {
            if (!advance(cells))
                return 0;
            continue;
        }
        const struct queue_entry *first = queue_first(&cells->queue);
        const uint32_t k = first->item;
        const struct plan *plan = &forecast->plans[k];
        int is_current = plan->key == first->time && forecast_rank(forecast, k) == first->rank;
        int is_crossing = plan->key < plan->time;
        if (is_current && !is_crossing && !forecast_is_stale(forecast, k)) {
            *event = forecast_event(forecast, k);
            return 1;
        }
        queue_pop(&cells->queue);
        if (!is_current)
            continue; /* an entry of a plan that was made anew */
        if (is_crossing) {
            forecast_cross(forecast, k);
            cells->crossings++;
        } else {
            forecast_particle(forecast, k);
        }
        schedule_plan(cells, k);
    }
}

static void cells_update(struct schedule *schedule, const struct event *event)
{
    struct schedule_cells *cells = (struct schedule_cells *)schedule;
    const uint32_t a = (uint32_t)event->a;
    cells->now = event->time;
    forecast_particle(&cells->forecast, a);
    if (event->b < 0) {
        schedule_plan(cells, a);
    } else {
        const uint32_t b = (uint32_t)event->b;
        forecast_particle(&cells->forecast, b);
        /* A new turn, if that is what one of them takes, takes in both. */
        if (!enqueue(cells, a) || !enqueue(cells, b))
            begin_turn(cells);
    }
}

static void cells_free(struct schedule *schedule)
{
    struct schedule_cells *cells = (struct schedule_cells *)schedule;
    forecast_free(&cells->forecast);
    queue_free(&cells->queue);
    memory_free(cells);
}

enum status schedule_cells_create(struct system *system, double end_time,
                                  struct schedule **schedule, struct error *error)
{
    static const struct schedule_operations operations = {cells_next, cells_update, cells_free};
    struct schedule_cells *cells = memory_allocate(1, sizeof *cells, "a schedule", error);
    if (!cells)
        return STATUS_NO_MEMORY;
    *cells = (struct schedule_cells){.base.operations = &operations, .end_time = end_time};
    for (size_t k = 0; k < system->count; k++)
        cells->now = fmax(cells->now, system->particles[k].t);
    enum status status = forecast_create(&cells->forecast, system, error);
    if (!status)
        status = queue_create(&cells->queue, system->count, error);
    if (status) {
        cells_free(&cells->base);
        return status;
    }
    forecast_renew(&cells->forecast, cells->now);
    begin_turn(cells);
    *schedule = &cells->base;
    return STATUS_DONE;
}
