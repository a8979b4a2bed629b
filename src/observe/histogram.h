/*
 * Histograms of numbers from 0 whose size is not known beforehand. There are 256 bins, whose width
 * is a power of two and grows, twofold each time, so that the largest number is in the upper half:
 * then bins are added up in pairs. So the result depends only on the numbers, not on their order.
 */
#ifndef PARTICLES_HISTOGRAM_H
#define PARTICLES_HISTOGRAM_H

#include "block_sums.h"

enum { HISTOGRAM_BINS = 256 };

/* Initialise by histogram_create. */
struct histogram {
    double limit;             /* where the bins end; 0 as long as there were only zeros */
    struct block_sums counts; /* of the bins */
};

enum status histogram_create(struct histogram *histogram, struct error *error);
void histogram_free(struct histogram *histogram);

/* Counts a number from 0 to 1e300, in a block. */
void histogram_add(struct histogram *histogram, int block, double value);

/* The bins up to the last that is not empty; 0 if there is nothing but zeros. */
size_t histogram_used(const struct histogram *histogram);

/* How many numbers there are. */
double histogram_count(const struct histogram *histogram);

/* The density in a bin: the part of all numbers that is in it, divided by its width. */
struct estimate histogram_density(const struct histogram *histogram, size_t bin);

/* Where a bin begins. */
static inline double histogram_edge(const struct histogram *histogram, size_t bin)
{
    return histogram->limit / HISTOGRAM_BINS * (double)bin;
}

void histogram_save(const struct histogram *histogram, struct record_writer *writer);
void histogram_load(struct histogram *histogram, struct record_reader *reader);

#endif
