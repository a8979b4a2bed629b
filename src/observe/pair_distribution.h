/*
 * The pair distribution function g(r): how many pairs of particles have a distance r, divided by
 * how many they would be if all places were equally likely.
 */
#ifndef PARTICLES_PAIR_DISTRIBUTION_H
#define PARTICLES_PAIR_DISTRIBUTION_H

#include "block_sums.h"
#include "classes.h"
#include "frame.h"

enum { SLOTS_MOST = 1 + CLASSES_MOST * (CLASSES_MOST + 1) / 2 };

/*
 * What is counted. Slot 0 is for all pairs; if there are several classes, the others are for pairs
 * of them: see pair_slot. Bins up to `near` are a 50th of a diameter wide, and counted for all
 * pairs; those from there to `reach` are `far_width` wide, and where there are many particles, only
 * some of them are the centres around which the others are counted.
 */
struct pair_distribution {
    const struct classes *classes; /* not owned */
    size_t slots;
    double diameter;    /* the mean, or for points the mean spacing */
    double near, reach; /* length; reach: half the shorter side */
    double far_width;   /* length */
    size_t near_bins, far_bins;
    double sides[2];          /* of what centres can reach, length */
    double walls[2];          /* 1 where these are between walls, 0 along a periodic axis */
    size_t stride;            /* every so manieth particle is a centre for the far bins */
    uint64_t *counts;         /* of one frame: for each slot near and far bins, and what is beyond
                                 them; owned */
    struct block_sums blocks; /* for each slot the bins, and how many pairs have been looked at for
                             near and for far ones */
};

/* Prepares for a frame like those to come. Returns STATUS_DONE or STATUS_NO_MEMORY; in any case
 * pair_distribution_free frees it. */
enum status pair_distribution_create(struct pair_distribution *pairs, const struct frame *frame,
                                     const struct classes *classes, struct error *error);
void pair_distribution_free(struct pair_distribution *pairs);

/* Counts the pairs of frame number `k`, in a block. */
void pair_distribution_add(struct pair_distribution *pairs, const struct frame *frame, uint64_t k,
                           int block);

/* The slot of two classes, which is that of them in the other order. */
size_t pair_slot(const struct pair_distribution *pairs, size_t a, size_t b);

/* The bins from contact on: where bin k begins, and g in it. */
double pair_distribution_edge(const struct pair_distribution *pairs, size_t bin);
struct estimate pair_distribution_value(const struct pair_distribution *pairs, size_t slot,
                                        size_t bin);

/*
 * g at a distance of contact: ln g of the bins from there to 1.2 times that distance, each with its
 * count for a weight, is fitted by a parabola. Not determined with less than four bins, or if one
 * of them is empty.
 */
struct estimate pair_distribution_contact(const struct pair_distribution *pairs, size_t slot,
                                          double contact);

#endif
