/*
 * Whether several threads find what one finds: the same events in the same order, and the same end.
 */
#ifndef PARTICLES_TESTS_TILED_H
#define PARTICLES_TESTS_TILED_H

#include "base/random.h"
#include "schedule/schedules.h"

/* Resolves events and keeps a list of them, of those too that observers are not notified of. */
struct listener {
    struct schedule_sink sink;
    struct system *system;
    struct event *events; /* by ids; owned */
    size_t count, capacity;
    uint64_t resolved; /* how many have been resolved, each of them once, notified or not */
    size_t most;       /* events, after which the run is ended: STATUS_INTERRUPTED */
};

/* A listener of `system`, at most up to that event; listener_free frees it. */
void listener_init(struct listener *listener, struct system *system, size_t most);

/* Lets all events up to `limit` happen. */
enum status listener_advance(struct listener *listener, struct schedule *schedule, double limit,
                             struct error *error);

void listener_free(struct listener *listener);

/* Runs copies of `start` up to `end_time`, or to event number `most`, with the cells schedule, with
 * tiles where observers are notified of each event, or each from some event on, in a few steps, and
 * with tiles where none is: checks that all are the same to the last bit, with the same message if
 * the run does not get there. What becomes of the tiles is added to `outcomes`. Returns whether all
 * was the same. */
int tiled_check(const struct system *start, double end_time, size_t most,
                const struct schedule_threads *threads, struct random_generator *random,
                uint64_t outcomes[TILES_OUTCOMES]);

#endif
