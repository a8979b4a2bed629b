/*
 * Standard errors from blocks; see block_series.h.
 */
#include "block_series.h"

#include <math.h>

/* The fewest joined blocks whose scatter says something: it is known to 1 / sqrt(14), a quarter. */
enum { FEWEST = 8 };

static const double MOST_GROWTH = 3;

double block_times_length(const struct block_times *times, size_t k)
{
    return (times->to - times->from) / BLOCKS * (double)(k + 1);
}

/* Sets the end of the next block. The last one ends at `to` to the last bit, not at a sum. */
static void set_end(struct block_times *times)
{
    times->end = times->complete + 1 < BLOCKS
                     ? times->from + block_times_length(times, times->complete)
                     : times->to;
}

void block_times_begin(struct block_times *times, double from, double to, size_t complete)
{
    *times = (struct block_times){.from = from, .to = to, .complete = complete};
    set_end(times);
}

void block_times_advance(struct block_times *times)
{
    times->complete++;
    set_end(times);
}

/*
 * The mean of `count` blocks, a power of 2, as the mean of the means of both halves: so equal
 * blocks have their value as mean to the last bit, and the error of what is constant is 0.
 */
static double mean_of(const struct block_series *series, size_t first, size_t count)
{
    if (count > 1)
        return 0.5 * mean_of(series, first, count / 2) +
               0.5 * mean_of(series, first + count / 2, count / 2);
    return series->value(series->of, first);
}

double block_series_mean(const struct block_series *series)
{
    return mean_of(series, 0, BLOCKS);
}

/* The square of the standard error of the mean, if blocks joined to this length are independent. */
static double variance(const struct block_series *series, double mean, size_t length)
{
    const double count = (double)(BLOCKS / length);
    double squares = 0;
    for (size_t first = 0; first < BLOCKS; first += length) {
        double away = mean_of(series, first, length) - mean;
        squares += away * away;
    }
    return squares / (count * (count - 1));
}

/*
 * Let n be the number of blocks, and r the ratio of the squared errors that blocks of length L and
 * of length 1 show: twice the correlation time, in blocks. The error is too small by about r / (4L)
 * of itself, and its noise is sqrt(L / 2n) of itself; so the best length is where L^3 = n r^2 / 8.
 * The first one with L^3 > 2 n r^2 is taken, which is on the safe side (R. Lee and others,
 * Strategies for improving the efficiency of quantum Monte Carlo calculations, Phys. Rev. E 83,
 * 066706, 2011). If blocks are independent then, the longest ones show a squared error more than
 * MOST_GROWTH times as large once in 200 cases; if there is a trend, almost always.
 */
double block_series_error(const struct block_series *series, double least)
{
    const double mean = block_series_mean(series);
    const double first = variance(series, mean, 1);
    const double last = variance(series, mean, BLOCKS / FEWEST);
    if (!isfinite(least))
        return (double)NAN;
    if (first == 0)
        return 0;
    for (size_t length = 1; length <= BLOCKS / FEWEST; length *= 2) {
        const double squared = variance(series, mean, length);
        const double ratio = squared / first;
        const double cube = (double)length * (double)length * (double)length;
        if ((double)length >= least && cube > 2 * BLOCKS * ratio * ratio)
            return last <= MOST_GROWTH * squared ? sqrt(squared) : (double)NAN;
    }
    return (double)NAN;
}
