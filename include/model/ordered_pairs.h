/*
 * Pairs of particles, worked on by several threads as if one thread did it pair by pair in their
 * order: the results are the same to the byte.
 *
 * The box is cut into strips with as many particles each, one for each thread, which finds the
 * pairs whose first particle is there and works on them in their order. Work on a pair changes its
 * two particles and nothing else. So threads wait for each other only at particles that pairs of
 * several strips have in common: there each pair has a turn. Strips are across the axis along which
 * positions change most from number to number: in a lattice numbered row by row, across the rows.
 */
#ifndef PARTICLES_ORDERED_PAIRS_H
#define PARTICLES_ORDERED_PAIRS_H

#include "base/thread_pool.h"
#include "model/system.h"

/* The first member of a user's struct for a pair. */
struct ordered_pair {
    uint32_t i, j;           /* i < j */
    double key;              /* pairs are in the order of their keys downwards, then by i and j */
    uint32_t i_turn, j_turn; /* from 1; 0: no other strip has pairs of the particle */
};

/* Pairs of a strip that are still to be visited, in their order. */
struct ordered_queue {
    struct ordered_pair **next, **end;
};

/* A part of the box, in which one thread works. */
struct ordered_strip {
    const struct ordered_pairs *pairs; /* to which it belongs */
    size_t begin, end;                 /* its particles in `members` */
    char *found;                       /* its pairs by i and j, in structs of the user; owned */
    size_t count, room;                /* of them */
    size_t kinds[3];                   /* of the keys INFINITY, between, and -INFINITY */
    struct ordered_pair **list;        /* all in their order; owned, with */
    struct ordered_pair **shared;      /* those with a turn, in their order */
    struct ordered_pair **across;      /* those of them with a particle of another strip */
    size_t shared_count, list_room;
    struct ordered_queue *queues; /* of each strip, those with a particle here; not owned */
    enum status status;           /* of the search */
    struct error error;
};

/* Adds the pairs of a strip, whose first particles are its own, in the order of their numbers. */
typedef void ordered_pairs_search(void *user, struct ordered_strip *strip);
typedef void ordered_pairs_work(void *user, struct ordered_pair *pair);

struct ordered_pairs {
    const struct system *system;  /* not owned */
    struct thread_pool *pool;     /* not owned */
    size_t size;                  /* of a user's struct */
    unsigned age;                 /* how often the strips have been used */
    struct ordered_strip *strips; /* as many as threads; owned */
    struct ordered_queue *queues; /* of all strips; owned */
    unsigned first_turn;          /* or 0, while pairs are found */
    uint32_t *members;            /* the particles, strip by strip, by their numbers; owned, with */
    uint32_t *strip_of;           /* the strip of each */
    atomic_uint *turns;           /* whose it is; 0: no turns are needed; of each particle, owned */
    ordered_pairs_search *search;
    ordered_pairs_work *work;
    void *user;
};

/* Prepares for pairs of a system, in structs of `size` bytes. Returns STATUS_DONE or
 * STATUS_NO_MEMORY; in either case ordered_pairs_free frees all. */
enum status ordered_pairs_create(struct ordered_pairs *pairs, const struct system *system,
                                 size_t size, struct thread_pool *pool, struct error *error);

/* Finds the pairs. Returns STATUS_DONE or STATUS_NO_MEMORY; then there are none. */
enum status ordered_pairs_find(struct ordered_pairs *pairs, ordered_pairs_search *search,
                               void *user, struct error *error);

/* Adds a pair in a search. Those with the key INFINITY or -INFINITY take no time to sort. Returns
 * the user's struct, with only the first member set; or NULL, and the search fails. */
void *ordered_pairs_add(struct ordered_strip *strip, size_t i, size_t j, double key);

/* Works on all pairs. */
void ordered_pairs_run(struct ordered_pairs *pairs, ordered_pairs_work *work, void *user);

/* Visits all pairs in their order, with one thread. */
void ordered_pairs_visit(struct ordered_pairs *pairs, ordered_pairs_work *visit, void *user);

void ordered_pairs_free(struct ordered_pairs *pairs);

#endif
