/* The next event of each particle among its neighbours; see predictor.c. */
#ifndef PARTICLES_PREDICTOR_H
#define PARTICLES_PREDICTOR_H

#include "base/simd.h"
#include "calendar.h"
#include "cell_list.h"
#include "lanes.h"
#include "large_disks.h"
#include "model/event.h"
#include "model/system.h"
#include "prediction.h"

#include <math.h>

struct grid;

struct predictor {
    struct system *system;      /* not owned; only predictor_choose_cells reorders its particles */
    struct lanes_search search; /* how pairs are predicted several at a time */
    struct large_disks large_disks; /* those that are no members of cells */
    struct prediction *predictions; /* one a particle, in the order of the system's particles */
    uint32_t *order;                /* one a particle, for sorting them */
    struct cell_list cell_list;     /* its members are indices of particles */
    unsigned char *has_polygons;    /* for each cell: features can be met from there; or NULL */
    int has_slow_crossings;         /* the cells are folded, there is gravity, or a floor is shaken,
                                       which is met in inner cells, too */
    double valid_until;             /* from this time on the cells are too narrow */
    int is_general; /* the cells are folded, there are polygons or large disks, gravity acts or
                       disks grow: predictor_find_general */
};

/* Makes a predictor for `system`, yet without predictions. Returns STATUS_DONE, or STATUS_NO_MEMORY
 * and a predictor that predictor_free still frees. */
enum status predictor_create(struct predictor *predictor, struct system *system,
                             struct error *error);

void predictor_free(struct predictor *predictor);

/*
 * Chooses the cells anew for where the particles are at time `now`, which is not before any anchor,
 * and sorts them so that neighbours in the box are neighbours in memory. All predictions are then
 * void. The cells may be used up to `valid_until`, which is later than `now`.
 */
void predictor_choose_cells(struct predictor *predictor, double now);

/* Sets `is_general`, when cells, polygons or large disks have changed. */
void predictor_find_general(struct predictor *predictor);

/* Marks those cells of a list that overlap a cell of the polygons' grid which lists features. */
void predictor_mark_polygons(const struct cell_list *cell_list, const struct grid *grid,
                             unsigned char *has_polygons);

/* Makes a new prediction for particle k, from all that is around it at time `now`. */
void predictor_predict(struct predictor *predictor, uint32_t k, double now);

/* predictor_predict, but quicker, for the particles that have just collided; b is a where that was
 * with the boundary. */
void predictor_predict_latest(struct predictor *predictor, uint32_t a, uint32_t b);

/* Moves particle k into the cell that it enters at time `now`, and considers the particles that
 * come into reach there. */
void predictor_cross(struct predictor *predictor, uint32_t k, double now);

/* Moves particle k, which has just passed a seam, into `cell`, where it is now. */
void predictor_move(struct predictor *predictor, uint32_t k, uint32_t cell);

/* True if particle k is a large disk: once sorted, these stand last. */
static inline int predictor_is_large(const struct predictor *predictor, uint32_t k)
{
    return predictor->system->count - k <= predictor->large_disks.count;
}

/* True if the event of particle k is stale: its partner has collided since it was predicted. */
static inline int predictor_is_stale(const struct predictor *predictor, uint32_t k)
{
    const struct prediction *prediction = &predictor->predictions[k];
    return event_partner(prediction->partner) == PARTNER_PARTICLE &&
           predictor->system->particles[prediction->partner].version != prediction->version;
}

/* The order of predictions of the same time, whose user in a calendar is the predictor. */
calendar_rank predictor_rank;

/* True if an entry of the calendar is for the prediction that its particle has now. */
static inline int predictor_is_current(const struct predictor *predictor,
                                       struct calendar_entry entry)
{
    return predictor->predictions[entry.item].key == entry.time &&
           (entry.rank == 0 || entry.rank == predictor_rank(predictor, entry.item, entry.time));
}

/* Fills the empty front of a calendar with the predictions of its next slice that come due up to
 * `until`. Returns 1; 0 if the cycle is over; or -1 if the front has no room. */
int predictor_fill_front(const struct predictor *predictor, struct calendar *calendar,
                         double until);

/* The steps in which memory is fetched that will be needed when a prediction comes due. Each of
 * them needs what the one before has fetched. */
enum predictor_step {
    PREDICTOR_FETCH_PREDICTION, /* the prediction and its particle */
    PREDICTOR_FETCH_CELLS,      /* the cells around it; the partner and its prediction */
    PREDICTOR_FETCH_MEMBERS     /* the particles in these cells; the cells around the partner, whose
                                   members are mostly the same */
};

void predictor_fetch(const struct predictor *predictor, uint32_t k, enum predictor_step step);

_Static_assert(SIMD_LANES == 2, "one lane for each axis");

/*
 * Completes a prediction by the crossing of particle k, whose cell is in `column` and `row`: when
 * it reaches a border of its cell, and which cell is behind that. Both axes are side by side in a
 * vector, and there are no branches, for the signs of the velocity are unpredictable: the border
 * ahead is looked up. The outer border of an outer cell is infinitely far, as is any border for a
 * particle at rest. At a corner the particle crosses sideways first. Returns 0 if both borders
 * ahead are nearer: then the particle reaches one of them before a wall or a seam.
 */
static inline int crossing_set(const struct system *system, uint32_t k,
                               struct prediction *prediction, const struct cell_list *cell_list,
                               uint32_t column, uint32_t row)
{
    const struct particle *p = &system->particles[k];
    const simd velocity = simd_load(&p->u);
    const unsigned backward = simd_bits(velocity < 0); /* 1: left, 2: down */
    const double *const borders[] = {&cell_list->x_borders[column + 1 - (backward & 1)],
                                     &cell_list->y_borders[row + 1 - (backward >> 1)]};
    const simd distance = simd_load_one(borders) - simd_load(&p->x);
    const simd never = simd_all((double)INFINITY);
    const simd earliest = simd_only(velocity == 0, never);
    const simd waits = simd_larger(distance / velocity, earliest);
    const double wait = simd_least(waits);
    const unsigned first = simd_bits(waits == wait);
    const double time = p->t + wait;
    prediction->step = cell_list->steps[backward][first & 1];
    prediction->key = time < prediction->time ? time : prediction->time;
    return simd_bits(waits == never) != 0;
}

#endif
