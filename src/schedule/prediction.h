/*
 * A prediction: the next event of one particle. It begins empty; walls and other particles are
 * considered for it, of which it keeps the earliest event; and it is completed by the time when the
 * particle leaves its cell.
 *
 * Most of the time of a run goes into considering lists of particles. It is written twice: quickly
 * in lanes.h, and plainly as prediction_consider_each, with which the tests compare it.
 */
#ifndef PARTICLES_PREDICTION_H
#define PARTICLES_PREDICTION_H

#include "cell_list.h"
#include "model/event.h"
#include "model/physics.h"
#include "model/system.h"

#include <stddef.h>

/* Particles from which on memory is fetched ahead: fewer fit into the caches; of 100 000 it halves
 * the time of a run. */
enum { PREDICTION_FETCH_FROM = 25000 };

/* The next event of a particle, among all that have been considered; 32 bytes. */
struct prediction {
    double key;       /* when it comes due: the earlier of its crossing and its event */
    double time;      /* of its event; if that is later than `key`, it crosses first */
    int32_t partner;  /* its event: with which particle, or the code of a feature */
    uint32_t version; /* of the partner for which this was predicted: its lower 32 bits */
    int32_t step;     /* its crossing: from its cell to the next one */
    uint32_t cell;    /* where it is */
};

/* Removes the event; `key`, `step` and `cell` stay. */
static inline void prediction_clear(struct prediction *prediction)
{
    prediction->time = (double)INFINITY;
    prediction->partner = FEATURE_LEFT;
}

/* The event predicted for particle k, as a schedule hands it out. */
static inline struct event prediction_event(const struct system *system, uint32_t k,
                                            const struct prediction *prediction)
{
    const struct particle *particles = system->particles;
    const uint32_t partner = (uint32_t)prediction->partner;
    const uint32_t other = event_partner(prediction->partner) == PARTNER_PARTICLE ? partner : k;
    /* Which of two comes first is unpredictable, so there is no branch. */
    const uint32_t change = (k ^ partner) & (0 - (uint32_t)(particles[other].id < particles[k].id));
    return (struct event){prediction->time, (int32_t)(k ^ change), (int32_t)(partner ^ change)};
}

/*
 * The rank of a prediction among those of its time, lowest first: events in the order of
 * event_before, by ids; crossings, which change no anchor, before all of them, also by ids. (Two
 * particles can cross towards each other at one time. Only the second to cross finds the other one
 * in reach; tiles that both simulate them must process them in one order.)
 */
uint64_t prediction_rank(const struct system *system, uint32_t k,
                         const struct prediction *prediction);

/* Considers the wall of the box that particle k meets. */
void prediction_consider_wall(const struct system *system, uint32_t k,
                              struct prediction *prediction);

/*
 * An entry of a list: the index of a particle and, in the bits above PREDICTION_INDEX_BITS, which
 * image of it may be met: the sum of a code for each axis; 0 is the particle itself.
 */
enum { PREDICTION_INDEX_BITS = 28, PREDICTION_IMAGES = 11 /* more than any sum of codes */ };
static const uint32_t PREDICTION_LEFT = 1u << 28, PREDICTION_RIGHT = 2u << 28;
static const uint32_t PREDICTION_BELOW = 4u << 28, PREDICTION_ABOVE = 8u << 28;

static inline uint32_t prediction_index(uint32_t entry)
{
    return entry & ((1u << PREDICTION_INDEX_BITS) - 1);
}

/* How far the image of an entry is from the particle. */
static inline struct pair_shift prediction_shift(const struct boundary *boundary, uint32_t entry)
{
    const int x = !!(entry & PREDICTION_RIGHT) - !!(entry & PREDICTION_LEFT);
    const int y = !!(entry & PREDICTION_ABOVE) - !!(entry & PREDICTION_BELOW);
    return (struct pair_shift){x * boundary->width, y * boundary->height};
}

/* Which images of a list's entries are considered. */
enum prediction_images {
    LIST_HAS_NO_IMAGES, /* the particles themselves: all codes are 0 */
    LIST_HAS_ONE_SIZE,  /* the same; neither they nor the particle itself are large disks */
    LIST_HAS_IMAGES,    /* those that the codes say */
    LIST_HAS_ALL_IMAGES /* all, where it is not known which are near: codes are 0 */
};

/* Considers the collisions of particle k with those in `list`, or with `images` of them:
 * takes the earliest if it is before the event it has; of two at one time the first in
 * the order of event_before. */
void prediction_consider_each(const struct system *system, uint32_t k,
                              struct prediction *prediction, const uint32_t *list, size_t count,
                              enum prediction_images images);

/* crossing_set where the cells are folded, or under gravity, for a particle that is in that cell at
 * time `now`. */
void prediction_set_crossing(const struct system *system, uint32_t k, struct prediction *prediction,
                             const struct cell_list *cell_list, double now);

/* Considers the contact of particle k with polygons, on its path from time `now` up to the key of a
 * completed prediction. */
void prediction_consider_polygons(const struct system *system, uint32_t k,
                                  struct prediction *prediction, double now);

#endif
