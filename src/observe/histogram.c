/*
 * Histograms that grow; see histogram.h.
 */
#include "histogram.h"

#include <float.h>
#include <math.h>

enum { LEAST_EXPONENT = -1000 }; /* so that a bin's width and its inverse are normal numbers */

enum status histogram_create(struct histogram *histogram, struct error *error)
{
    histogram->limit = 0;
    /* The place after the bins has the count of all. */
    return block_sums_create(&histogram->counts, HISTOGRAM_BINS + 1, error);
}

void histogram_free(struct histogram *histogram)
{
    block_sums_free(&histogram->counts);
}

/* Makes the bins wide enough for a value. */
static void widen(struct histogram *histogram, double value)
{
    int exponent;
    int before;
    (void)frexp(value, &exponent);
    exponent = exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT;
    (void)frexp(histogram->limit, &before);
    /* A limit of 2^n is frexp's 0.5 * 2^(n + 1). Zeros, in bin 0, stay there. */
    const int shift = histogram->limit > 0 ? exponent - (before - 1) : 0;
    histogram->limit = ldexp(1, exponent);
    for (int block = 0; block < SUM_BLOCKS && shift > 0; block++) {
        double *counts = block_sums_table(&histogram->counts, block);
        for (size_t k = 1; k < HISTOGRAM_BINS; k++) {
            const double moved = counts[k];
            counts[k] = 0;
            counts[shift < 8 ? k >> shift : 0] += moved;
        }
    }
}

void histogram_add(struct histogram *histogram, int block, double value)
{
    size_t bin = 0;
    if (value > 0) {
        if (value >= histogram->limit)
            widen(histogram, value);
        bin = (size_t)(value / histogram->limit * HISTOGRAM_BINS);
    }
    block_sums_table(&histogram->counts, block)[bin]++;
    block_sums_table(&histogram->counts, block)[HISTOGRAM_BINS]++;
}

size_t histogram_used(const struct histogram *histogram)
{
    size_t used = histogram->limit > 0 ? HISTOGRAM_BINS : 0;
    while (used > 0 && block_sums_total(&histogram->counts, used - 1) == 0)
        used--;
    return used;
}

double histogram_count(const struct histogram *histogram)
{
    return block_sums_total(&histogram->counts, HISTOGRAM_BINS);
}

struct estimate histogram_density(const struct histogram *histogram, size_t bin)
{
    return block_sums_ratio(&histogram->counts, bin, HISTOGRAM_BINS,
                            HISTOGRAM_BINS / histogram->limit);
}

void histogram_save(const struct histogram *histogram, struct record_writer *writer)
{
    record_put_number(writer, histogram->limit);
    block_sums_save(&histogram->counts, writer);
}

void histogram_load(struct histogram *histogram, struct record_reader *reader)
{
    int exponent;
    histogram->limit = record_take_number(reader, 0, DBL_MAX);
    if (histogram->limit > 0 &&
        (frexp(histogram->limit, &exponent) != 0.5 || histogram->limit < 0x1p-1000))
        record_refuse(reader, "expected a power of two");
    block_sums_load(&histogram->counts, reader);
}
